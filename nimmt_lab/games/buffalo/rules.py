"""Beat the Buffalo, co-operative, 1 to 6 players (rules: buffalo).

One round of the classic game against a buffalo that plays its top card, unseen. The team shares a pile and may use the
face-up special cards before each placement. It decides as the seat `TEAM` and from open information only: hands stay
secret to the end (R-B18). The buffalo has the seat after the last player.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
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
from nimmt_lab.engine.values import replace
from nimmt_lab.engine.view import View
from nimmt_lab.games.classic.rules import ClassicRule

from . import notation
from .effects import carry_out, forget, legal_uses, row_limit, row_was_taken, swap_in
from .parts import ALL_SPECIALS, FACE_UP, SPECIALS_IN_PLAY, BuffaloRule, BuffaloTable, SpecialsTurnedUp
from .uses import ChooseSwap, Swap, Use, UseSpecials, swap_of_format_1

__all__ = ["EDITIONS", "Buffalo"]


#: The rulebooks with this chapter.
EDITIONS: Final = ("000", "003")


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
    rows: ClassVar[int] = 4
    allowed: ClassVar = {"edition": EDITIONS, "tie": ("draw", "loss"), "hand_size": range(1, 11)}

    players: int
    #: In 003 Insert and Push take a row that becomes full; in 000, one that would exceed its limit (R-B11).
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
        need = self.hand_size * (self.players + 1) + self.rows
        if not need <= self.deck_size <= LAST_CARD:
            raise RulesError(
                "buffalo.need_deck",
                players=self.players,
                hand_size=self.hand_size,
                rows=self.rows,
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
        cards, table.rng = table.rng.shuffled(self.deck, take=dealt + self.rows)
        table.hands = [self.sort_hand(cards[seat * size : (seat + 1) * size]) for seat in range(self.players)]
        table.rows = [(card,) for card in cards[dealt : dealt + self.rows]]
        table.stock = tuple(sorted(cards[dealt + self.rows :]))
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
        """All players choose a hand card."""
        table.turn = self.hand_size - max(map(len, table.hands))
        for seat, hand in enumerate(table.hands):
            if hand:
                table.ask(seat, ChooseCard(BuffaloRule.TURN, hand))

    def ask_swap(self, table: LiveTable, seat: Seat) -> None:
        """The swapping seat names a card; with a single card, which is public, it has no choice."""
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
        """Reveal the cards of the players and the top card of the buffalo."""
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
        """Place one card by the classic rules, as modified by special cards."""
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
            self.take_and_start(table, play, self.cheapest_row(table), BuffaloRule.BUFFALOS_LOW_CARD)
        elif len(table.rows[row]) < row_limit(extra, row, self.places_in_row):
            table.put(play, row, ClassicRule.SMALLEST_DIFFERENCE, play.value - table.rows[row][-1])
        else:
            longer = row in extra.seven_takes
            self.take_and_start(table, play, row, BuffaloRule.SEVEN_TAKES if longer else ClassicRule.FULL_ROW)
        self.placed(table, play)

    def placed(self, table: LiveTable, play: Play) -> None:
        """After a placement the team may use special cards again."""
        forget(table, play.card)
        table.extra = replace(BuffaloTable.of(table), passed=False)

    def row_for(self, table: HasRows, value: int) -> int | None:
        """The open row with the closest lower end; None if there is none (R-B14)."""
        stopped = BuffaloTable.of(table).stopped
        open_rows = [(cards[-1], row) for row, cards in enumerate(table.rows) if cards and row not in stopped]
        return max(((end, row) for end, row in open_rows if end < value), default=(0, None))[1]

    home_row = row_for

    def rows_to_take(self, table: HasRows) -> tuple[int, ...]:
        """The open rows (R-B3)."""
        stopped = BuffaloTable.of(table).stopped
        return tuple(row for row, cards in enumerate(table.rows) if cards and row not in stopped)

    def take_and_start(self, table: LiveTable, play: Play, row: int, rule: Rule) -> None:
        """The side of the player takes the row, and the card starts it again."""
        table.take(play.seat, play.card, row, rule)
        table.put(play, row, rule)
        row_was_taken(table, row)

    # The end ---------------------------------------------------------------------------------------------

    def end(self, table: LiveTable) -> None:
        """The team wins with fewer heads than the buffalo; the heads of one or two players count twice."""
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
        """Players do not see each other's hands, and `TEAM` sees none (R-B18). The buffalo's pile is face down; its
        size and heads are public."""
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

    # Records ---------------------------------------------------------------------------------------------

    def renewed(self, state: GameState, seat: Seat, text: str) -> Mapping[Seat, str]:
        """Record format 1 wrote a swap, including the card, as one choice of the team."""
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
        """Rows must ascend, because Push and Insert rely on it."""
        extra = BuffaloTable.of(table)
        if len(table.rows) != self.rows:
            raise PositionError("shared.card_rows", name=self.name, rows=self.rows, got=len(table.rows))
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
        table.stock = self.undealt(table, extra.deck)

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
        # Face down in a view; in a position they must not occur elsewhere.
        assert isinstance(extra, BuffaloTable)
        return tuple(card for card in extra.deck if card != EMPTY)
