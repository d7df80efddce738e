"""The mutable table during one transition.

Rules read best as actions at a table ("take the row, put the card"). A transition opens the state as a `LiveTable`,
performs the actions and freezes the table into the next state. No table outlives its transition, so transitions are
pure functions from outside.
"""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

from .cards import Card, Cards, Seat
from .decisions import Decision
from .events import CardPlaced, CardsRevealed, Event, RowTaken
from .outcome import Outcome
from .play import Play, Turn
from .rng import Rng
from .rule import Rule
from .state import NOBODY_ASKED, NOTHING, Extra, GameState

if TYPE_CHECKING:
    from .game import Game

__all__ = ["LiveTable", "Moment", "WatchedTable"]


class LiveTable:
    """A mutable state, with the fields of `GameState`."""

    __slots__ = (
        "events", "extra", "game", "hands", "history", "outcome", "pending", "piles", "queue",
        "rng", "round", "rows", "stock", "totals", "turn",
    )  # fmt: skip

    def __init__(self, game: Game, rng: Rng) -> None:
        self.game = game
        self.rng = rng
        self.round = 0
        self.turn = 0
        self.rows: list[Cards] = []
        self.hands: list[Cards] = [()] * game.players
        self.piles: list[Cards] = [()] * len(game.pile_seats)
        self.stock: Cards = ()
        self.totals: tuple[int, ...] = (0,) * len(game.pile_seats)
        self.queue: list[Play] = []
        self.extra: Extra = NOTHING
        self.pending: dict[Seat, Decision] = {}
        self.outcome: Outcome | None = None
        self.events: list[Event] = []
        self.history: tuple[Turn, ...] = ()

    @classmethod
    def of(cls, state: GameState) -> LiveTable:
        """Open a state for a transition, with no pending decisions."""
        table = cls.__new__(cls)
        table.game = state.game
        table.rng = state.rng
        table.round = state.round
        table.turn = state.turn
        table.rows = list(state.rows)
        table.hands = list(state.hands)
        table.piles = list(state.piles)
        table.stock = state.stock
        table.totals = state.totals
        table.queue = list(state.queue)
        table.extra = state.extra
        table.pending = {}
        table.outcome = state.outcome
        table.events = []
        table.history = state.history
        return table

    def freeze(self) -> GameState:
        return GameState(
            self.game,
            self.rng,
            self.round,
            self.turn,
            tuple(self.rows),
            tuple(self.hands),
            tuple(self.piles),
            self.stock,
            self.totals,
            tuple(self.queue),
            self.extra,
            MappingProxyType(self.pending) if self.pending else NOBODY_ASKED,
            self.outcome,
            self.history,
        )

    def emit(self, event: Event) -> None:
        self.events.append(event)

    def ask(self, seat: Seat, decision: Decision) -> None:
        self.pending[seat] = decision

    def leave_hand(self, seat: Seat, card: Card) -> None:
        hand = self.hands[seat]
        at = hand.index(card)
        self.hands[seat] = hand[:at] + hand[at + 1 :]

    def reveal(self, plays: list[Play], rule: Rule) -> None:
        """Move the chosen cards from the hands to the queue, in ascending order."""
        hands = self.hands
        for _value, _plain, seat, card in plays:
            hand = hands[seat]
            at = hand.index(card)
            hands[seat] = hand[:at] + hand[at + 1 :]
        plays.sort()
        self.queue = plays
        shown = tuple(plays)
        self.remember(shown)
        self.events.append(CardsRevealed(rule, self.turn, shown))

    def remember(self, plays: tuple[Play, ...]) -> None:
        """Add the revealed cards to the history, which covers the current round."""
        turn = Turn.of(self.round, self.turn, self.rows, plays)
        history = self.history
        self.history = (*history, turn) if history and history[-1].round == self.round else (turn,)

    def take(self, seat: Seat, card: Card, row: int, rule: Rule, keep: Cards = ()) -> None:
        """`seat` takes the cards of `row`, except those in `keep`, because of `card`."""
        cards = self.rows[row]
        taken = tuple([card for card in cards if card not in keep]) if keep else cards
        self.rows[row] = keep
        self.piles[self.game.pile_of(seat)] += taken
        self.events.append(RowTaken(rule, seat, card, row, taken, self.game.heads_in(taken)))

    def put(self, play: Play, row: int, rule: Rule, difference: int | None = None) -> None:
        """Add the played card to the end of `row`."""
        cards = self.rows[row]
        _value, _plain, seat, card = play
        self.rows[row] = (*cards, card)
        self.events.append(CardPlaced(rule, seat, card, row, len(cards), difference))


class Moment(NamedTuple):
    """An event and the state after it; None for a state without an event."""

    event: Event | None
    state: GameState


class WatchedTable(LiveTable):
    """A table that records every moment, for boards and narration. It doubles the cost of a transition, so plain play
    uses `LiveTable`."""

    __slots__ = ("_moments",)

    def __init__(self, game: Game, rng: Rng) -> None:
        super().__init__(game, rng)
        self._moments: list[Moment] = []

    @classmethod
    def of(cls, state: GameState) -> WatchedTable:
        table = super().of(state)
        assert isinstance(table, cls)
        table._moments = []
        return table

    def note(self, event: Event | None) -> None:
        """Record the current state."""
        self._moments.append(Moment(event, self.freeze()))

    def emit(self, event: Event) -> None:
        super().emit(event)
        self.note(event)

    def reveal(self, plays: list[Play], rule: Rule) -> None:
        super().reveal(plays, rule)
        self.note(self.events[-1])

    def take(self, seat: Seat, card: Card, row: int, rule: Rule, keep: Cards = ()) -> None:
        super().take(seat, card, row, rule, keep)
        self.note(self.events[-1])

    def put(self, play: Play, row: int, rule: Rule, difference: int | None = None) -> None:
        super().put(play, row, rule, difference)
        self.note(self.events[-1])

    def moments(self, after: GameState) -> tuple[Moment, ...]:
        """All moments; the last one has the pending decisions."""
        if not self.events:
            return (Moment(None, after),)
        return (*self._moments[:-1], Moment(self._moments[-1].event, after))
