"""A game in progress: an immutable value that knows what is asked of whom."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import field, fields
from types import MappingProxyType
from typing import TYPE_CHECKING, Protocol, TypeVar, overload

from .cards import TEAM, Cards, Seat, is_seat_letter, seat_letter, seat_of_letter
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
    """The same, with its rows."""

    @property
    def rows(self) -> Sequence[Cards]: ...


class Extra:
    """Base of what one chapter keeps on the table besides cards: markers, special cards, draw piles."""

    __slots__ = ()

    @classmethod
    def of(cls: type[E], holder: HasExtra) -> E:
        """The extra of a state, of the type its game keeps: `Markers.of(state)`."""
        extra = holder.extra
        if not isinstance(extra, cls):
            raise TypeError(f"this game keeps {type(extra).__name__}, not {cls.__name__}")
        return extra


@value
class NoExtra(Extra):
    """A game with nothing but cards on the table."""


NOTHING = NoExtra()
NOBODY_ASKED: Mapping[Seat, Decision] = MappingProxyType({})


@value
class GameState:
    """Everything there is to know about a game in progress, hidden hands included (see `view`).

    States are values: `choose` leaves this one as it is and gives the next one with what happened.

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
    #: What each seat has taken this round, in the order taken.
    piles: tuple[Cards, ...]
    #: Cards that are neither dealt nor out of play: the box, or the face-up cards of a draft.
    stock: Cards
    #: Points of the rounds that are over.
    totals: tuple[int, ...]
    #: Revealed cards that are still to be placed, next first.
    queue: tuple[Play, ...]
    extra: Extra
    #: What is asked now, by seat; empty when the game is over.
    pending: Mapping[Seat, Decision] = field(hash=False)
    outcome: Outcome | None
    #: What everybody saw played, see `View.history`. Two ways to the same table are the same state.
    history: tuple[Turn, ...] = field(default=(), compare=False)

    @property
    def is_over(self) -> bool:
        """Whether the game has ended."""
        return self.outcome is not None

    def is_past_round(self, number: int) -> bool:
        """Whether that round (from 0) is over: the game has ended, or another round goes on.

        >>> from nimmt_lab import Classic
        >>> Classic(players=2).deal(seed=1).is_past_round(0)
        False
        """
        return self.outcome is not None or self.round != number

    # Overloads rather than one union: only so do type checkers understand `{0: Twist(14), 1: 15}`.
    @overload
    def choose(self, choices: Mapping[Seat, Choice]) -> tuple[GameState, tuple[Event, ...]]: ...
    @overload
    def choose(self, choices: Mapping[str, Choice]) -> tuple[GameState, tuple[Event, ...]]: ...
    @overload
    def choose(self, choices: Iterable[tuple[Seat, Choice]]) -> tuple[GameState, tuple[Event, ...]]: ...
    def choose(
        self, choices: Mapping[Seat, Choice] | Mapping[str, Choice] | Iterable[tuple[Seat, Choice]]
    ) -> tuple[GameState, tuple[Event, ...]]:
        """Answer everything that is pending, all asked seats together; get the next state and what happened.
        Seats are numbers from 0, or letters: `{"A": 14, "B": 15}`.

        >>> from nimmt_lab import Classic
        >>> state = Classic(players=2).from_position("12 | 37 | 43 | 58 ; A: 14 20 ; B: 15 30")
        >>> state, events = state.choose({0: 14, 1: 15})
        >>> state.rows[0]
        (12, 14, 15)
        >>> state.choose({0: 15, 1: 30})
        Traceback (most recent call last):
        nimmt_lab.engine.errors.NotInHand: A cannot play 15; A may play: 20 (classic.turn)
        """
        pending = self.pending
        # Seats are numbers but for a mapping that somebody typed with letters; that is noticed where one is missing.
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
            # The common case needs no more than this look: a plain number among the options.
            if type(choice) is not int or choice not in decision.options:
                answers = {**answers, seat: decision.accept(seat, choice)}
        return self.game.advance(self, answers)

    def play(self, text: str) -> tuple[GameState, tuple[Event, ...]]:
        """Play what people write down: `A14 B15 C44 D61`, as on a line of a record.

        >>> from nimmt_lab import Classic
        >>> state = Classic(players=2).from_position("12 | 37 | 43 | 58 ; A: 14 20 ; B: 3 30")
        >>> state, events = state.play("A14 B3@2")  # B takes row 2
        >>> state.rows[:2]
        ((12, 14), (3,))
        """
        from .record_text import is_answered, next_choices, split_line, used_up

        state, events = self, list[Event]()
        texts = split_line(text)
        while is_answered(state, texts):
            state, happened = state.choose(next_choices(state, texts))
            events += happened
        used_up(texts)
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

    def view(self, seat: Seat) -> View:
        """What that seat may know: hidden hands stay hidden."""
        return self.game.view(self, seat)

    @property
    def position(self) -> Position:
        """This state as something a person can read and type (see `nimmt_lab.engine.notation`)."""
        return self.game.position(self)

    def __str__(self) -> str:
        return self.game.text(self)

    def __reduce__(self) -> tuple[object, ...]:
        # What is asked is a read-only mapping, which neither pickle nor copy can take as it is.
        return _state, (dict(self.pending), *(getattr(self, f.name) for f in fields(self) if f.name != "pending"))

    def __repr__(self) -> str:
        return f"<{self.game.name} round {self.round + 1} turn {self.turn + 1}: {self.position}>"

    def _repr_mimebundle_(self, include: object = None, exclude: object = None) -> dict[str, str]:
        return {"text/plain": str(self), "text/html": self.game.html(self)}


def _state(pending: dict[Seat, Decision], *others: object) -> GameState:
    """A state from its fields, as pickle keeps them."""
    *before, outcome, history = others
    return GameState(*before, MappingProxyType(pending) if pending else NOBODY_ASKED, outcome, history)  # type: ignore[call-arg, arg-type]


def numbered(given: Mapping[Seat, Choice] | Mapping[str, Choice]) -> dict[Seat, Choice]:
    """Choices by number of the seat; what is no seat's letter stays as it is, for the error to name."""
    return _by_seat((_seat(seat), choice) for seat, choice in given.items())


def _seat(said: Seat | str) -> Seat:
    if isinstance(said, str) and is_seat_letter(said.upper()):
        return seat_of_letter(said.upper())
    return said  # type: ignore[return-value]


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
