"""Bull Baron, 2 to 10 players (rules: baron): numbers only decide the order, colours decide the row.

Everybody has a face-down draw pile and a hand of four. A player adds a card to any row whose last card shares a colour
with it. A card takes the row as its sixth card or if it brings a colour to six bulls; a card that matches no row takes
any row. In one variant the sixth card takes nothing; in the other, bulls are good.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Final

from nimmt_lab.engine.cards import EMPTY, Card, Cards, Seat, seat_letter
from nimmt_lab.engine.decisions import Choice, ChooseCard, ChooseRow, Decision
from nimmt_lab.engine.errors import NotationError, PositionError, RulesError
from nimmt_lab.engine.events import Event, RoundEnded, RoundStarted
from nimmt_lab.engine.files import shown
from nimmt_lab.engine.game import Game
from nimmt_lab.engine.limits import check_count
from nimmt_lab.engine.notation import read_by_seat, write_by_seat
from nimmt_lab.engine.play import Play
from nimmt_lab.engine.rule import Rule
from nimmt_lab.engine.state import Extra, GameState, HasRows
from nimmt_lab.engine.table import LiveTable
from nimmt_lab.engine.values import value

from . import draw
from .deck import SAMPLE_DECK, BaronDeck

if TYPE_CHECKING:
    from os import PathLike

    from nimmt_lab.engine.options import Converted

__all__ = ["MOST_GAMES", "VARIANTS", "Baron", "BaronRule", "CardTucked", "DrawPiles", "HandsRefilled"]


class BaronRule(Rule):
    """The rules of the Bull Baron chapter."""

    SETUP = ("baron.setup", "R-O1")
    TURN = ("baron.turn",)
    COLOUR = ("baron.colour",)
    SIXTH_CARD = ("baron.1",)
    SIX_OF_A_COLOUR = ("baron.2", "R-O3", "R-O6")
    NO_COLOUR = ("baron.3",)
    UNDER_THE_PILE = ("baron.good.3",)
    REFILL = ("baron.refill", "R-O4")
    SCORING = ("baron.scoring",)
    GOOD_SCORING = ("baron.good.scoring",)
    ALL_PLAYED = ("baron.end",)
    LAST_CARD = ("baron.good.end",)
    NOTHING_FITS = ("baron.good.stuck", "R-O5")


VARIANTS: Final = ("standard", "colour_counts", "bulls_are_good")
MOST_GAMES: Final = 1_000_000
_ENDS: Final = (BaronRule.ALL_PLAYED, BaronRule.LAST_CARD, BaronRule.NOTHING_FITS)


@value
class DrawPiles(Extra):
    """The face-down draw pile of each seat, next card first; `EMPTY` for each card in a view."""

    piles: tuple[Cards, ...]


@value
class CardTucked(Event):
    """A card that matches no row goes under its player's draw pile (variant 2)."""

    seat: Seat
    card: Card


@value
class HandsRefilled(Event):
    """Seats with an empty hand drew up to four cards: the number by seat."""

    counts: tuple[int, ...]


@dataclass(frozen=True, repr=False)
class Baron(Game):
    """Bull Baron: coloured bulls, five rows, hands of four.

    >>> game = Baron(players=2)
    >>> game.pile_size, game.deck.title
    (24, 'sample deck (not the printed bulls)')
    >>> state = game.deal(seed=4)
    >>> len(state.rows), [len(hand) for hand in state.hands]
    (5, [4, 4])

    `variant` is standard, colour_counts (a sixth card takes nothing) or bulls_are_good (most bulls win). `deck` is a
    `BaronDeck` or the path of its CSV file.

    >>> Baron(players=11)
    Traceback (most recent call last):
    nimmt_lab.engine.errors.RulesError: baron is for 2 to 10 players, got 11
    """

    name: ClassVar[str] = "baron"
    for_players: ClassVar[tuple[int, int]] = (2, 10)
    rows: ClassVar[int] = 5
    row_limit: ClassVar[int] = 5
    hand_size: ClassVar[int] = 4
    card_sections: ClassVar[tuple[str, ...]] = ("draw",)
    allowed: ClassVar = {"variant": VARIANTS, "games": range(1, MOST_GAMES + 1)}

    players: int
    variant: str = "standard"
    #: Cards dealt to each seat; None for the largest multiple of 4, up to 24, that leaves the row cards (R-O1).
    draw_pile: int | None = None
    #: The number of games, whose points are added up.
    games: int = 1
    if TYPE_CHECKING:
        deck: Converted[BaronDeck | str | PathLike[str] | Mapping[str, object], BaronDeck] = Converted()
    else:
        deck: BaronDeck = SAMPLE_DECK

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.draw_pile is not None:
            check_count(self.draw_pile, "draw_pile", 1)
        object.__setattr__(self, "deck", BaronDeck.made(self.deck))
        need = self.pile_size * self.players + self.rows
        if need > len(self.deck):
            raise RulesError(
                "baron.draw_piles_rows",
                players=self.players,
                pile_size=self.pile_size,
                rows=self.rows,
                need=need,
                count=len(self.deck),
            )

    @property
    def pile_size(self) -> int:
        """Cards dealt to each seat (R-O1)."""
        if self.draw_pile is not None:
            return self.draw_pile
        return min(24, (len(self.deck) - self.rows) // self.players // 4 * 4)

    @property
    def turns(self) -> int:
        return self.pile_size

    @property
    def places_in_row(self) -> int:
        return self.row_limit

    @property
    def bulls_are_good(self) -> bool:
        """Variant 2."""
        return self.variant == "bulls_are_good"

    @property
    def heads_are_good(self) -> bool:
        return self.bulls_are_good

    @property
    def more_is_better(self) -> bool:
        return self.bulls_are_good

    def heads_in(self, cards: Cards) -> int:
        return self.deck.bulls_in(cards)

    # Setup -----------------------------------------------------------------------------------------------

    def start_round(self, table: LiveTable) -> None:
        size = self.pile_size
        dealt = size * self.players
        cards, table.rng = table.rng.shuffled(self.deck, take=dealt + self.rows)
        hand = min(self.hand_size, size)
        starts = range(0, dealt, size)
        table.hands = [self.sort_hand(cards[at : at + hand]) for at in starts]
        table.extra = DrawPiles(tuple(cards[at + hand : at + size] for at in starts))
        table.rows = [(card,) for card in cards[dealt : dealt + self.rows]]
        table.stock = tuple(sorted(cards[dealt + self.rows :]))
        table.piles = [()] * self.players
        table.turn = 0
        table.emit(RoundStarted(BaronRule.SETUP, table.round, tuple(table.rows)))

    # A turn ----------------------------------------------------------------------------------------------

    def go_on(self, table: LiveTable) -> None:
        if table.queue:
            self.place(table)
            return
        reason = self.reason_to_end(table)
        if reason is not None:
            self.end_round(table, reason)
            return
        self.refill(table)
        for seat, hand in enumerate(table.hands):
            if hand:
                table.ask(seat, ChooseCard(BaronRule.TURN, hand))

    def refill(self, table: LiveTable) -> None:
        """Refill empty hands. They run out together, except for a last one of fewer than four (R-O4)."""
        piles = list(DrawPiles.of(table).piles)
        counts = [0] * self.players
        for seat, pile in enumerate(piles):
            if pile and not table.hands[seat]:
                drawn = pile[: self.hand_size]
                table.hands[seat] = self.sort_hand(drawn)
                piles[seat] = pile[len(drawn) :]
                counts[seat] = len(drawn)
        if any(counts):
            table.extra = DrawPiles(tuple(piles))
            table.emit(HandsRefilled(BaronRule.REFILL, tuple(counts)))

    def answer(self, table: LiveTable, asked: Mapping[Seat, Decision], answers: Mapping[Seat, Choice]) -> None:
        if table.queue:
            play = table.queue.pop(0)
            row = answers[play.seat]
            assert isinstance(row, int)
            if asked[play.seat].rule is BaronRule.NO_COLOUR:
                self.take_and_start(table, play, row, BaronRule.NO_COLOUR)
            else:
                self.add(table, play, row)
            if not table.queue:
                table.turn += 1
        else:
            plays = [Play.of(seat, card) for seat, card in answers.items() if isinstance(card, int)]
            table.reveal(plays, BaronRule.TURN)

    def place(self, table: LiveTable) -> None:
        """Place the cards, lowest number first, until a player must choose a row."""
        queue = table.queue
        while queue:
            play = queue[0]
            rows = self.matching_rows(table, play.card)
            if len(rows) > 1:
                table.ask(play.seat, ChooseRow(BaronRule.COLOUR, play.card, rows))
                return
            if not rows and not self.bulls_are_good:
                table.ask(play.seat, ChooseRow(BaronRule.NO_COLOUR, play.card, tuple(range(len(table.rows)))))
                return
            del queue[0]
            if rows:
                self.add(table, play, rows[0])
            else:
                self.tuck(table, play)
        table.turn += 1

    def matching_rows(self, table: HasRows, card: Card) -> tuple[int, ...]:
        """The rows whose last card shares a colour with this one."""
        share = self.deck.share
        return tuple([row for row, cards in enumerate(table.rows) if share(card, cards[-1])])

    def home_row(self, table: HasRows, value: int) -> int | None:
        """The matching row with the fewest cards."""
        return min(self.matching_rows(table, value), key=lambda row: len(table.rows[row]), default=None)

    def add(self, table: LiveTable, play: Play, row: int) -> None:
        """Add the card to a matching row, or take the row."""
        rule = self.taken_by(table.rows[row], play.card)
        if rule is None:
            table.put(play, row, BaronRule.COLOUR)
        else:
            self.take_and_start(table, play, row, rule)

    def taken_by(self, cards: Cards, card: Card) -> Rule | None:
        """The rule (1 or 2) by which a card takes a matching row with these cards; None if it is added."""
        if len(cards) >= self.row_limit and self.variant != "colour_counts":
            return BaronRule.SIXTH_CARD
        return BaronRule.SIX_OF_A_COLOUR if self.deck.reaches_six(cards, card) else None

    def take_and_start(self, table: LiveTable, play: Play, row: int, rule: Rule) -> None:
        """The player takes the row, and the card starts it again, however many bulls it has (R-O3)."""
        table.take(play.seat, play.card, row, rule)
        table.put(play, row, rule)

    def tuck(self, table: LiveTable, play: Play) -> None:
        """Variant 2: a card that matches no row goes under the player's draw pile."""
        piles = list(DrawPiles.of(table).piles)
        piles[play.seat] += (play.card,)
        table.extra = DrawPiles(tuple(piles))
        table.emit(CardTucked(BaronRule.UNDER_THE_PILE, play.seat, play.card))

    # The end ---------------------------------------------------------------------------------------------

    def reason_to_end(self, table: LiveTable) -> Rule | None:
        left = self.left(table)
        if not self.bulls_are_good:
            return None if any(left) else BaronRule.ALL_PLAYED
        if not all(left):
            return BaronRule.LAST_CARD
        ends = 0
        for row in table.rows:
            ends |= self.deck.colours(row[-1])
        # R-O5: cards that match nothing would go under the piles for ever.
        fits = any(ends & self.deck.colours(card) for cards in left for card in cards)
        return None if fits else BaronRule.NOTHING_FITS

    def left(self, table: LiveTable | GameState) -> list[Cards]:
        """The hand and draw pile of each seat."""
        return [hand + pile for hand, pile in zip(table.hands, DrawPiles.of(table).piles, strict=True)]

    def points(self, table: LiveTable | GameState) -> tuple[int, ...]:
        """Points by seat if the game ended now: bulls taken, minus (variant 2) those left over."""
        taken = [self.heads_in(pile) for pile in table.piles]
        if not self.bulls_are_good:
            return tuple(taken)
        return tuple(bulls - self.heads_in(cards) for bulls, cards in zip(taken, self.left(table), strict=True))

    def end_round(self, table: LiveTable, reason: Rule) -> None:
        points = self.points(table)
        table.totals = tuple(total + more for total, more in zip(table.totals, points, strict=True))
        scoring = BaronRule.GOOD_SCORING if self.bulls_are_good else BaronRule.SCORING
        table.emit(RoundEnded(scoring, table.round, points, table.totals))
        if table.round + 1 < self.games:
            table.round += 1
            self.start_round(table)
        else:
            self.end_game(table, reason)

    # Seeing ----------------------------------------------------------------------------------------------

    def public_extra(self, extra: Extra, seat: Seat) -> Extra:
        assert isinstance(extra, DrawPiles)
        return DrawPiles(tuple((EMPTY,) * len(pile) for pile in extra.piles))

    def seen_extra(self, extra: Extra) -> Cards:
        piles = extra.piles if isinstance(extra, DrawPiles) else ()
        return tuple(card for pile in piles for card in pile if card != EMPTY)

    def text(self, state: GameState, lang: str = "en") -> str:
        return draw.text(state, self, lang)

    @property
    def notice(self) -> str:
        return self.deck.full_title if self.deck.is_sample else ""

    # Positions -------------------------------------------------------------------------------------------

    @property
    def most_played(self) -> int:
        return self.games

    def check_totals(self, totals: Sequence[int]) -> None:
        if not self.bulls_are_good:  # otherwise leftover cards can make a total negative
            super().check_totals(totals)

    def turn_fits(self, table: LiveTable) -> bool:
        # A tucked card is played again later, so the hands do not show it (variant 2).
        return self.bulls_are_good or super().turn_fits(table)

    def usual_turn(self, table: LiveTable | GameState) -> int:
        return max(0, self.turns - max(map(len, self.left(table))) - (1 if table.queue else 0))

    def write_sections(self, state: GameState) -> dict[str, str]:
        piles = DrawPiles.of(state).piles
        sections = {"draw": write_by_seat(piles)} if any(piles) else {}
        return sections | ({"over": state.outcome.reason.key} if state.outcome else {})

    def read_sections(self, table: LiveTable, sections: Mapping[str, str]) -> None:
        left = dict(sections)
        words = read_by_seat(left.pop("draw", ""), "draw", self.players)
        table.extra = DrawPiles(tuple(tuple(_card(word) for word in pile) for pile in words))
        over = left.pop("over", None)
        super().read_sections(table, left)
        if over is not None:
            reasons = {rule.key: rule for rule in _ENDS}
            if over not in reasons:
                raise NotationError("shared.over_expected_one", known=", ".join(reasons), got=shown(over))
            table.outcome = self.final_outcome(table, reasons[over])

    def check_position(self, table: LiveTable, ordered: bool) -> None:
        if len(table.rows) != self.rows:
            raise PositionError("shared.card_rows", name=self.name, rows=self.rows, got=len(table.rows))
        for row, cards in enumerate(table.rows):
            if not cards or EMPTY in cards:
                raise PositionError("baron.row_gap" if cards else "shared.row_empty", row=row + 1)
            if len(cards) > self.row_limit and self.variant != "colour_counts":
                raise PositionError(
                    "shared.row_full", row=row + 1, count=len(cards), row_limit=self.row_limit, rule="baron.1"
                )
        sizes = [len(hand) for hand in table.hands]
        if max(sizes) > self.hand_size:
            raise PositionError("shared.hand_most", most=self.hand_size, got=max(sizes))
        if not table.queue and not any(self.left(table)) and table.outcome is None:
            raise PositionError("shared.nobody_card")
        if table.queue and table.outcome is not None:
            raise PositionError("baron.game_over_but")
        if ordered and not self.bulls_are_good and len({len(cards) for cards in self.left(table)}) > 1:
            words = ", ".join(f"{seat_letter(seat)} has {len(cards)}" for seat, cards in enumerate(self.left(table)))
            raise PositionError("baron.equal_cards", words=words)
        placing = [play.seat for play in table.queue]
        if len(set(placing)) < len(placing):
            raise PositionError("shared.two_to_place")
        if ordered and sorted(table.queue) != table.queue:
            raise PositionError("shared.lowest_first")
        if any(not play.plain for play in table.queue):
            raise PositionError("baron.cards_count_their")
        table.stock = self.undealt(table, *self.left(table))


def _card(word: str) -> Card:
    if not (word.isascii() and word.isdigit() and len(word) <= 4 and int(word)):
        raise NotationError("baron.draw_expected_card", got=shown(word))
    return int(word)
