"""The immutable state of a game, with its pending decisions."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import field, fields
from types import MappingProxyType
from typing import TYPE_CHECKING, Protocol, TypeVar, overload

from .cards import TEAM, Cards, Seat, is_seat_letter, seat_letter, seat_number, seat_of_letter
from .decisions import Choice, Decision
from .errors import ChosenTwice, GameOver, IllegalChoice, MissingSeat, WrongSeat
from .events import Event
from .files import shown
from .outcome import Outcome
from .play import Play, Turn
from .rng import Rng
from .sentences import Listed, Phrase
from .values import value

if TYPE_CHECKING:
    from .game import Game
    from .notation import Position
    from .view import View

__all__ = ["NOBODY_ASKED", "NOTHING", "Extra", "GameState", "HasExtra", "HasRows", "NoExtra", "numbered"]


E = TypeVar("E", bound="Extra")


class HasExtra(Protocol):
    """A state, a view, or the table of a running transition."""

    @property
    def extra(self) -> Extra: ...


class HasRows(HasExtra, Protocol):
    """A state, view or table, with its rows."""

    @property
    def rows(self) -> Sequence[Cards]: ...


class Extra:
    """Base of a chapter's state beyond cards: markers, special cards, draw piles."""

    __slots__ = ()

    @classmethod
    def of(cls: type[E], holder: HasExtra) -> E:
        """The extra of a state, with its type: `Markers.of(state)`."""
        extra = holder.extra
        if not isinstance(extra, cls):
            raise TypeError(f"this game keeps {type(extra).__name__}, not {cls.__name__}")
        return extra


@value
class NoExtra(Extra):
    """The extra of a game with cards only."""


NOTHING = NoExtra()
NOBODY_ASKED: Mapping[Seat, Decision] = MappingProxyType({})


@value
class GameState:
    """The full state of a game, including hidden hands (see `view`).

    States are values: `choose` returns the next state and the events, and leaves this one unchanged.

    >>> from nimmt_lab import Classic
    >>> state = Classic(players=2).deal(seed=1)
    >>> cards = {seat: decision.options[0] for seat, decision in state.pending.items()}
    >>> after, events = state.choose(cards)
    >>> [len(hand) for hand in state.hands], [len(hand) for hand in after.hands]
    ([10, 10], [9, 9])
    """

    game: Game
    rng: Rng
    round: int
    turn: int
    rows: tuple[Cards, ...]
    hands: tuple[Cards, ...]
    #: The cards each seat took this round, in order.
    piles: tuple[Cards, ...]
    #: Undealt cards, or the face-up cards of a draft.
    stock: Cards
    #: Points of the finished rounds.
    totals: tuple[int, ...]
    #: Revealed cards to place, next first.
    queue: tuple[Play, ...]
    extra: Extra
    #: Pending decisions by seat; empty when the game is over.
    pending: Mapping[Seat, Decision] = field(hash=False)
    outcome: Outcome | None
    #: See `View.history`. It does not count for equality.
    history: tuple[Turn, ...] = field(default=(), compare=False)

    @property
    def is_over(self) -> bool:
        """Whether the game has ended."""
        return self.outcome is not None

    def is_past_round(self, number: int) -> bool:
        """Whether that round (counted from 0) is over.

        >>> from nimmt_lab import Classic
        >>> Classic(players=2).deal(seed=1).is_past_round(0)
        False
        """
        return self.outcome is not None or self.round != number

    # Overloads instead of one union, so that type checkers accept `{0: Twist(14), 1: 15}`.
    @overload
    def choose(self, choices: Mapping[Seat, Choice]) -> tuple[GameState, tuple[Event, ...]]: ...
    @overload
    def choose(self, choices: Mapping[str, Choice]) -> tuple[GameState, tuple[Event, ...]]: ...
    @overload
    def choose(self, choices: Iterable[tuple[Seat, Choice]]) -> tuple[GameState, tuple[Event, ...]]: ...
    def choose(
        self, choices: Mapping[Seat, Choice] | Mapping[str, Choice] | Iterable[tuple[Seat, Choice]]
    ) -> tuple[GameState, tuple[Event, ...]]:
        """Answer all pending decisions together, and return the next state with the events.

        Seats are numbers from 0, or letters: `{"A": 14, "B": 15}`.

        >>> from nimmt_lab import Classic
        >>> state = Classic(players=2).from_position("12 | 37 | 43 | 58 ; A: 14 20 ; B: 15 30")
        >>> state, events = state.choose({0: 14, 1: 15})
        >>> state.rows[0]
        (12, 14, 15)
        >>> state.choose({0: 15, 1: 30})
        Traceback (most recent call last):
        nimmt_lab.engine.errors.NotInHand: A can't play 15; A may play: 20
        """
        pending = self.pending
        # Seats are nearly always numbers; letters are noticed when a number is missing.
        given: Mapping[Seat, Choice]
        given = choices if type(choices) is dict or isinstance(choices, Mapping) else _by_seat(choices)  # type: ignore[assignment]
        if not pending or len(given) != len(pending):
            raise self._seats_error(numbered(given))
        answers = given
        for seat, decision in pending.items():
            if seat not in given:
                if (by_number := numbered(given)) != given:
                    return self.choose(by_number)
                raise self._seats_error(given)
            choice = given[seat]
            # The common case is a plain number among the options.
            if type(choice) is not int or choice not in decision.options:
                answers = {**answers, seat: decision.accept(seat, choice)}
        return self.game.advance(self, answers)

    def play(self, text: str) -> tuple[GameState, tuple[Event, ...]]:
        """Play choices in notation: `A14 B15 C44 D61`, like a line of a record.

        >>> from nimmt_lab import Classic
        >>> state = Classic(players=2).from_position("12 | 37 | 43 | 58 ; A: 14 20 ; B: 3 30")
        >>> state, events = state.play("A14 B3@2")  # B takes row 2
        >>> state.rows[:2]
        ((12, 14), (3,))
        """
        from .record_text import play_lines, play_texts

        state, events = self, list[Event]()

        def line(texts: dict[Seat, deque[str]]) -> None:
            nonlocal state
            state, happened = play_texts(state, texts)
            events.extend(happened)

        play_lines(text, line)
        return state, tuple(events)

    def _seats_error(self, given: Mapping[Seat, Choice]) -> IllegalChoice:
        if not self.pending:
            return GameOver("engine.game_over_nothing")
        asked = Listed(_who(seat) for seat in self.pending)
        for seat in given:
            if seat not in self.pending:
                return WrongSeat("engine.not_asked_now", who=_who(seat), known=asked, allowed=self.pending)
        missing = [seat for seat in self.pending if seat not in given]
        return MissingSeat(
            "engine.no_choice_all",
            missing=Listed(_who(seat) for seat in missing),
            asked=asked,
            seat=missing[0],
            allowed=self.pending[missing[0]].options[:24],
        )

    def view(self, seat: Seat | str) -> View:
        """The state as that seat (a number or a letter) sees it, with hidden hands.

        >>> from nimmt_lab import Classic
        >>> state = Classic(players=3).deal(seed=1)
        >>> state.view("B") == state.view(1)
        True
        """
        if isinstance(seat, str):
            seat = seat_number(seat, self.game.players, team=True)
        return self.game.view(self, seat)

    @property
    def position(self) -> Position:
        """This state in position notation (see `nimmt_lab.engine.notation`)."""
        return self.game.position(self)

    def __str__(self) -> str:
        return self.game.text(self)

    def __reduce__(self) -> tuple[object, ...]:
        # `pending` is a read-only mapping, which neither pickle nor copy supports.
        return _state, (dict(self.pending), *(getattr(self, f.name) for f in fields(self) if f.name != "pending"))

    def __repr__(self) -> str:
        return f"<{self.game.name} round {self.round + 1} turn {self.turn + 1}: {self.position}>"

    def _repr_mimebundle_(self, include: object = None, exclude: object = None) -> dict[str, str]:
        return {"text/plain": str(self), "text/html": self.game.html(self)}


def _state(pending: dict[Seat, Decision], *others: object) -> GameState:
    """Restore a pickled state."""
    *before, outcome, history = others
    return GameState(*before, MappingProxyType(pending) if pending else NOBODY_ASKED, outcome, history)  # type: ignore[call-arg, arg-type]


def numbered(given: Mapping[Seat, Choice] | Mapping[str, Choice]) -> dict[Seat, Choice]:
    """Choices by seat number; keys that are not seat letters stay, so that the error can name them."""
    return _by_seat((_seat(seat), choice) for seat, choice in given.items())


def _seat(seat: Seat | str) -> Seat:
    if isinstance(seat, str) and is_seat_letter(seat.upper()):
        return seat_of_letter(seat.upper())
    return seat  # type: ignore[return-value]


def _who(seat: object) -> Phrase:
    if seat == TEAM:
        return Phrase("shared.team")
    if isinstance(seat, int) and not isinstance(seat, bool) and 0 <= seat < 26:
        return Phrase("shared.seat", who=seat_letter(seat))
    return Phrase("shared.seat", who=shown(seat))


def _by_seat(choices: Iterable[tuple[Seat, Choice]]) -> dict[Seat, Choice]:
    given: dict[Seat, Choice] = {}
    for seat, choice in choices:
        if seat in given:
            raise ChosenTwice("engine.chose_twice", who=_who(seat), first=given[seat], second=choice, seat=seat)
        given[seat] = choice
    return given
