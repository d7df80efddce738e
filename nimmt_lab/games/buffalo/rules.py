"""Beat the Buffalo, co-operative, 1 to 6 players (rules: buffalo).

One round of the classic game against a buffalo that plays its top card, unseen. The team shares a pile and, between
the reveal and the last placement of a turn, may use the special cards that lie face up. It decides together, as
the seat `TEAM`, asked before each placement, and from what lies open: hands stay secret to the end (R-B18). The buffalo
plays from the seat behind the last player's.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar, Final

from nimmt_lab.engine.cards import EMPTY, LAST_CARD, PRINTED_HEADS, TEAM, Cards, Seat, seat_letter
from nimmt_lab.engine.decisions import Choice, ChooseCard, ChooseRow, Decision
from nimmt_lab.engine.errors import PositionError, RulesError
from nimmt_lab.engine.events import CardsRevealed, GameEnded, RoundEnded, RoundStarted
from nimmt_lab.engine.files import shown
from nimmt_lab.engine.game import Game
from nimmt_lab.engine.outcome import Outcome
from nimmt_lab.engine.play import Play
from nimmt_lab.engine.rule import Rule
from nimmt_lab.engine.state import Extra, GameState, HasRows
from nimmt_lab.engine.table import LiveTable
from nimmt_lab.engine.view import View
from nimmt_lab.games.classic.rules import ClassicRule

from . import notation
from .effects import TurnInSight, carry_out, forget, legal_uses, row_limit, row_was_taken, swap_in
from .parts import ALL_SPECIALS, FACE_UP, SPECIALS_IN_PLAY, BuffaloRule, BuffaloTable, SpecialsTurnedUp
from .uses import ChooseSwap, Swap, Use, UseSpecials, swap_of_format_1

__all__ = ["EDITIONS", "Buffalo"]


#: The rulebooks with this chapter.
EDITIONS: Final = ("000", "003")

_SYMBOLS: Final = {"seven_takes": "⑦ 7 takes!", "stop": "■ Stop!"}


@dataclass(frozen=True, repr=False)
class Buffalo(Game):
    """The team against the buffalo.

    >>> from nimmt_lab.games.buffalo.uses import Stop
    >>> state = Buffalo(players=2).from_position(
    ...     "10 12 14 16 18 | 20 22 | 60 | 70 ; A: 61 80 ; B: 71 81 ; buffalo: 25 90 ; specials: stop push"
    ... )
    >>> state, events = state.choose({0: 61, 1: 71})
    >>> list(state.pending) == [TEAM], state.pending[TEAM].before  # the buffalo's card comes first
    (True, 25)
    >>> state, events = state.choose({TEAM: Stop(row=1)})
    >>> state, events = state.choose({TEAM: state.pending[TEAM].default})
    >>> state.piles  # the team's and the buffalo's
    ((), (10, 12, 14, 16, 18))
    """

    name: ClassVar[str] = "buffalo"
    for_players: ClassVar[tuple[int, int]] = (1, 6)
    extra_seats: ClassVar[int] = 1
    rows_on_table: ClassVar[int] = 4
    allowed: ClassVar = {"edition": EDITIONS, "tie": ("draw", "loss"), "hand_size": range(1, 11)}

    players: int
    #: 003 lets Insert and Push take a row that *becomes* full; 000, one that would exceed its limit (R-B11).
    edition: str = "000"
    #: Equal totals are a `draw` (R-B1) or a `loss`.
    tie: str = "draw"
    #: Whether 7 takes! and Stop! may also be laid before the cards of a turn are chosen (R-B12).
    between_turns: bool = False
    #: Smaller games for study: cards in a hand, and the highest card of the deck.
    hand_size: int = 10
    deck_size: int = LAST_CARD

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.edition not in EDITIONS:
            raise RulesError("buffalo.edition_has_no", edition=shown(self.edition), known=", ".join(EDITIONS))
        if self.tie not in ("draw", "loss"):
            raise RulesError("buffalo.tie_must_draw", got=shown(self.tie))
        if not 1 <= self.hand_size <= 10:
            raise RulesError("shared.hand_size", got=shown(self.hand_size))
        need = self.hand_size * (self.players + 1) + self.rows_on_table
        if not need <= self.deck_size <= LAST_CARD:
            raise RulesError(
                "buffalo.need_deck",
                players=self.players,
                hand_size=self.hand_size,
                rows_on_table=self.rows_on_table,
                need=need,
                most=LAST_CARD,
                got=shown(self.deck_size),
            )

    @property
    def buffalo(self) -> Seat:
        """The buffalo's seat."""
        return self.players

    @property
    def deck(self) -> Sequence[int]:
        return range(1, self.deck_size + 1)

    @property
    def turns(self) -> int:
        return self.hand_size

    @property
    def places_in_row(self) -> int:
        return 5

    @property
    def pile_seats(self) -> Sequence[Seat]:
        return (TEAM, self.buffalo)

    def pile_of(self, seat: Seat) -> int:
        return 1 if seat == self.buffalo else 0

    def heads_in(self, cards: Cards) -> int:
        return sum([PRINTED_HEADS[card] for card in cards])

    # Setup -----------------------------------------------------------------------------------------------

    def start_round(self, table: LiveTable) -> None:
        size = self.hand_size
        dealt = size * (self.players + 1)
        cards, table.rng = table.rng.shuffled(self.deck, take=dealt + self.rows_on_table)
        table.hands = [self.sort_hand(cards[seat * size : (seat + 1) * size]) for seat in range(self.players)]
        table.rows = [(card,) for card in cards[dealt : dealt + self.rows_on_table]]
        table.stock = tuple(sorted(cards[dealt + self.rows_on_table :]))
        specials, table.rng = table.rng.shuffled(ALL_SPECIALS)
        specials = specials[: SPECIALS_IN_PLAY[self.players]]
        table.extra = BuffaloTable(
            deck=cards[dealt - size : dealt], up=specials[:FACE_UP], special_deck=specials[FACE_UP:]
        )
        table.emit(RoundStarted(BuffaloRule.SETUP, table.round, tuple(table.rows)))
        table.emit(SpecialsTurnedUp(BuffaloRule.SETUP, specials[:FACE_UP], len(specials[FACE_UP:])))

    # A turn ----------------------------------------------------------------------------------------------

    def go_on(self, table: LiveTable) -> None:
        if not table.queue and not any(table.hands):
            self.end(table)
            return
        extra = BuffaloTable.of(table)
        if extra.swapping is not None:
            self.ask_swap(table, extra.swapping)
            return
        if not extra.passed:
            uses = legal_uses(table, self.players, self.between_turns)
            if len(uses) > 1:
                before = table.queue[0].card if table.queue else None
                table.ask(TEAM, UseSpecials(BuffaloRule.SPECIALS, before, uses))
                return
        if table.queue:
            self.place_next(table)
        else:
            self.ask_cards(table)

    def ask_cards(self, table: LiveTable) -> None:
        """Every player chooses a hand card."""
        table.turn = self.hand_size - max(map(len, table.hands))
        for seat, hand in enumerate(table.hands):
            if hand:
                table.ask(seat, ChooseCard(BuffaloRule.TURN, hand))

    def ask_swap(self, table: LiveTable, seat: Seat) -> None:
        """The seat that swaps names a card of its hand; everybody sees whether it has one only."""
        hand = table.hands[seat]
        if len(hand) == 1:
            swap_in(table, seat, hand[0])
        else:
            back = next(play.card for play in table.queue if play.seat == seat)
            table.ask(seat, ChooseSwap(BuffaloRule.SWAP, hand, back))

    def answer(self, table: LiveTable, asked: Mapping[Seat, Decision], answers: Mapping[Seat, Choice]) -> None:
        if TEAM in answers:
            use = answers[TEAM]
            assert isinstance(use, Use)
            carry_out(table, use, takes_at=self.places_in_row + (1 if self.edition == "000" else 0))
        elif (swapping := BuffaloTable.of(table).swapping) is not None:
            card = answers[swapping]
            assert isinstance(card, int)
            swap_in(table, swapping, card)
        elif table.queue:
            play = table.queue.pop(0)
            row = answers[play.seat]
            assert isinstance(row, int)
            self.take_and_start(table, play, row, BuffaloRule.LOW_CARD)
            self.placed(table, play)
        else:
            self.reveal(table, answers)

    def reveal(self, table: LiveTable, answers: Mapping[Seat, Choice]) -> None:
        """The players' cards are turned up, and with them the buffalo's top card."""
        plays = [Play.of(seat, card) for seat, card in answers.items() if isinstance(card, int)]
        for play in plays:
            table.leave_hand(play.seat, play.card)
        extra = BuffaloTable.of(table)
        plays += [Play.of(self.buffalo, card) for card in extra.deck[:1]]
        table.extra = replace(extra, deck=extra.deck[1:], passed=False)
        table.queue = sorted(plays)
        table.remember(tuple(table.queue))
        table.emit(CardsRevealed(BuffaloRule.TURN, table.turn, tuple(table.queue)))

    def place_next(self, table: LiveTable) -> None:
        """Place one card by the classic rules, as far as the special cards let them stand."""
        play = table.queue[0]
        extra = BuffaloTable.of(table)
        row = extra.empty[0] if extra.empty else self.row_for(table, play.value)
        if row is None and play.seat != self.buffalo:
            table.ask(play.seat, ChooseRow(BuffaloRule.LOW_CARD, play.card, self.rows_to_take(table)))
            return
        del table.queue[0]
        if extra.empty:
            table.extra = replace(extra, empty=extra.empty[1:])
            table.put(play, extra.empty[0], BuffaloRule.EMPTY_ROW)
        elif row is None:
            self.take_and_start(table, play, self.buffalos_row(table), BuffaloRule.BUFFALOS_LOW_CARD)
        elif len(table.rows[row]) < row_limit(extra, row, self.places_in_row):
            table.put(play, row, ClassicRule.SMALLEST_DIFFERENCE, play.value - table.rows[row][-1])
        else:
            longer = row in extra.seven_takes
            self.take_and_start(table, play, row, BuffaloRule.SEVEN_TAKES if longer else ClassicRule.FULL_ROW)
        self.placed(table, play)

    def placed(self, table: LiveTable, play: Play) -> None:
        """A card lies: before the next one the team may speak again."""
        forget(table, play.card)
        table.extra = replace(BuffaloTable.of(table), passed=False)

    def row_for(self, table: HasRows, value: int) -> int | None:
        """The row that is not stopped and ends closest below; None if there is none (R-B14)."""
        stopped = BuffaloTable.of(table).stopped
        ends = [
            (cards[-1], row)
            for row, cards in enumerate(table.rows)
            if cards and cards[-1] < value and row not in stopped
        ]
        return max(ends)[1] if ends else None

    home_row = row_for

    def rows_to_take(self, table: HasRows) -> tuple[int, ...]:
        """Any row that is not stopped (R-B3)."""
        stopped = BuffaloTable.of(table).stopped
        return tuple(row for row, cards in enumerate(table.rows) if cards and row not in stopped)

    def buffalos_row(self, table: TurnInSight) -> int:
        """The buffalo's low card takes the fewest heads; among equals the row with the highest last card."""
        return self.cheapest_row(table)

    def take_and_start(self, table: LiveTable, play: Play, row: int, rule: Rule) -> None:
        """The row goes to the pile of the player's side, and the card starts it again."""
        table.take(play.seat, play.card, row, rule)
        table.put(play, row, rule)
        row_was_taken(table, row)

    # The end ---------------------------------------------------------------------------------------------

    def end(self, table: LiveTable) -> None:
        """The team wins with fewer heads than the buffalo; one or two players count theirs twice."""
        team, buffalo = (self.heads_in(pile) for pile in table.piles)
        counted = 2 * team if self.players <= 2 else team
        table.totals = (counted, buffalo)
        table.emit(RoundEnded(BuffaloRule.SCORING, table.round, (team, buffalo), table.totals))
        winners: tuple[Seat, ...]
        if counted < buffalo:
            winners = tuple(range(self.players))
        elif counted == buffalo and self.tie == "draw":
            winners = ()
        else:
            winners = (self.buffalo,)
        table.outcome = Outcome(table.totals, winners, BuffaloRule.END, table.round + 1)
        table.emit(GameEnded(BuffaloRule.END, table.outcome))

    # Seeing ----------------------------------------------------------------------------------------------

    def view(self, state: GameState, seat: Seat) -> View:
        """Hands are secret to team mates all game, and the team as a whole (`TEAM`) knows none of them (R-B18). The
        buffalo's pile is face down: how many cards it has, and what was seen being taken into it, is known."""
        team, buffalo = state.piles
        piles = (team, (EMPTY,) * len(buffalo))
        if seat != TEAM:
            return replace(super().view(state, seat), piles=piles)
        return replace(
            super().view(state, 0),
            seat=TEAM,
            hands=(None,) * self.players,
            piles=piles,
            decision=state.pending.get(TEAM),
        )

    def public_extra(self, extra: Extra, seat: Seat) -> Extra:
        assert isinstance(extra, BuffaloTable)
        return extra.face_down()

    def places(self, state: GameState, row: int) -> int:
        return row_limit(BuffaloTable.of(state), row, self.places_in_row)

    def row_notes(self, state: GameState, row: int) -> tuple[str, ...]:
        return tuple(_SYMBOLS[kind] for kind in notation.row_cards(BuffaloTable.of(state), row))

    def table_notes(self, state: GameState) -> tuple[str, ...]:
        extra = BuffaloTable.of(state)
        up = ", ".join(extra.up) or "none"
        heads = self.heads_in(state.piles[1])
        return (
            f"special cards: {up}; {len(extra.special_deck)} more face down",
            f"buffalo ({seat_letter(self.buffalo)}): {len(extra.deck)} cards face down, heads taken: {heads}",
        )

    # Records ---------------------------------------------------------------------------------------------

    def renewed(self, state: GameState, seat: Seat, text: str) -> Mapping[Seat, str]:
        """The first format of records wrote a swap as one choice of the team, card and all."""
        swap = swap_of_format_1(text) if seat == TEAM else None
        decision = state.pending.get(seat)
        if swap is None or not isinstance(decision, UseSpecials):
            return {}
        word, who, card = swap
        if Swap(who) not in decision.options:
            return {}
        hand = state.hands[who]
        if len(hand) > 1:
            return {seat: word, who: f"{ChooseSwap.prefix}{card}"}
        return {seat: word} if card in hand else {}

    # Positions -------------------------------------------------------------------------------------------

    def write_sections(self, state: GameState) -> dict[str, str]:
        return notation.write(BuffaloTable.of(state))

    def read_sections(self, table: LiveTable, sections: Mapping[str, str]) -> None:
        table.extra = notation.read(sections, table)

    @property
    def most_played(self) -> int:
        return 1

    def turn_fits(self, table: LiveTable) -> bool:
        # A turn is not over while the team may still lift a Stop! (R-B12).
        return table.turn in (self.usual_turn(table), self.usual_turn(table) - 1)

    def check_position(self, table: LiveTable, ordered: bool) -> None:
        """Rows ascend always: what Push and Insert may do rests on it."""
        extra = BuffaloTable.of(table)
        if len(table.rows) != self.rows_on_table:
            raise PositionError(
                "shared.card_rows", name=self.name, rows_on_table=self.rows_on_table, got=len(table.rows)
            )
        for row, cards in enumerate(table.rows):
            limit = row_limit(extra, row, self.places_in_row)
            if len(cards) > limit:
                raise PositionError("buffalo.row_has_cards", row=row + 1, count=len(cards), limit=limit)
            if EMPTY in cards or list(cards) != sorted(cards):
                raise PositionError("shared.row_descends", row=row + 1, rule="classic.1")
        placing = [play.seat for play in table.queue]
        if len(set(placing)) < len(placing):
            raise PositionError("shared.two_to_place")
        if any(not play.plain for play in table.queue):
            raise PositionError("buffalo.no_card_counts")
        self._check_hands(table, extra, ordered)
        notation.check(table, extra, self.players, strict=ordered)
        used = {card for cards in (*table.rows, *table.hands, *table.piles, extra.deck) for card in cards}
        used.update(play.card for play in table.queue)
        table.stock = tuple(card for card in self.deck if card not in used)

    def _check_hands(self, table: LiveTable, extra: BuffaloTable, ordered: bool) -> None:
        sizes = [len(hand) for hand in table.hands]
        if max(sizes) + bool(table.queue) > self.hand_size:
            raise PositionError("shared.hand_most", most=self.hand_size, got=max(sizes))
        if not table.queue and max(sizes) == 0:
            raise PositionError("shared.nobody_card")
        if ordered and {*sizes, len(extra.deck)} != {sizes[0]}:
            words = ", ".join(f"{seat_letter(seat)} has {size}" for seat, size in enumerate(sizes))
            raise PositionError("buffalo.everybody_has_many", words=words, count=len(extra.deck))

    def seen_extra(self, extra: Extra) -> Cards:
        # In a view the buffalo's cards are face down; in a position they must not lie anywhere else.
        assert isinstance(extra, BuffaloTable)
        return tuple(card for card in extra.deck if card != EMPTY)
