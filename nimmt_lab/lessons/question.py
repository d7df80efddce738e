"""A question about a table, in one form for lessons, exercises and puzzles.

A question is data: what is shown, what may be answered, what is right, and the play that proves it. What is right is
never written down: a `Kind` of question works it out of a `Spot` (a table, and what it is about) by letting the engine
play. Some kinds can be asked of every game; a chapter adds its own, or its own way of asking one, in its `ask.py`.

>>> from nimmt_lab import Classic
>>> state = Classic(players=2).from_position("12 | 37 | 43 | 58 ; A: 14 20 ; B: 15 30")
>>> question = ask("row", Spot(state, {0: 14, 1: 15}, card=15))
>>> question.right, question.choices
(frozenset({'1'}), ('1', '2', '3', '4'))
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import ClassVar, Final, TypeAlias

from nimmt_lab.boards.describe import Describer, Obj, describer
from nimmt_lab.boards.words import board_words
from nimmt_lab.engine.capability import Capability
from nimmt_lab.engine.cards import Card, Seat
from nimmt_lab.engine.decisions import Choice
from nimmt_lab.engine.errors import PositionError, RulesError
from nimmt_lab.engine.events import Json, RowTaken
from nimmt_lab.engine.files import shown
from nimmt_lab.engine.game import Game
from nimmt_lab.engine.habits import usual_choice
from nimmt_lab.engine.record import Step
from nimmt_lab.engine.rule import Rule
from nimmt_lab.engine.state import GameState
from nimmt_lab.engine.table import Moment
from nimmt_lab.explain.catalogue import Words
from nimmt_lab.explain.teller import rule_text


@dataclass(frozen=True)
class Option:
    """One answer: how it is written (rows from 1, seats as letters), and what it points at on the board."""

    text: str
    #: From 0, as everywhere in code.
    row: int | None = None
    card: Card | None = None
    #: A choice of the game, for answers that are one.
    choice: Choice | None = None


@dataclass(frozen=True)
class Spot:
    """What a question is made from: a table, what everybody chooses on it, and what of it the question is about."""

    state: GameState
    choices: Mapping[Seat, Choice] = field(default_factory=dict)
    card: Card = 0
    row: int = 0
    seat: Seat = 0
    #: The section of a position that the question is about: a fan card's marker.
    marker: str = ""
    #: The answers offered, as notation writes them; all, where none are given.
    options: tuple[str, ...] = ()
    #: Whether the turn runs to its end, everybody asked on the way doing the usual; else it ends where one is asked.
    plays_on: bool = False

    def turn(self) -> tuple[Step, ...]:
        """What these choices lead to."""
        if set(self.choices) != set(self.state.pending):
            raise PositionError("lessons.everybodys_choice_must")
        return play_turn(self.state, self.choices) if self.plays_on else (Step.of(self.state, self.choices),)


@dataclass(frozen=True)
class PlayedOut:
    """A wrong answer, met on the board: what is played there (up to where it goes wrong, or what the answer leads to),
    the rule that is against it, and what there is to say. It never shows the right answer."""

    steps: tuple[Step, ...] = ()
    #: How many moments of the steps are shown; all of them, if None.
    until: int | None = None
    rule: Rule | None = None
    said: str = ""


@dataclass(frozen=True)
class Question:
    """A question worked out. `right` are the answers that count, written as its options are."""

    asked: Kind
    #: The table on show.
    state: GameState
    seat: Seat
    options: tuple[Option, ...]
    right: frozenset[str]
    card: Card = 0
    #: The play that proves it; none where the answer needs no turn to be played.
    proof: tuple[Step, ...] = ()
    #: The cards that make it so (a chance).
    cards: tuple[Card, ...] = ()
    #: What each answer leads to, for questions whose answers are choices.
    lines: Mapping[str, tuple[Step, ...]] = field(default_factory=dict, hash=False, compare=False)
    #: What the others are known to choose.
    given: Mapping[Seat, Choice] = field(default_factory=dict, hash=False)
    #: The seats whose hands lie open while it is asked.
    open: tuple[Seat, ...] = ()
    #: Messages that ask and hint in words of their own, the first there is; behind them come the kind's.
    asks: tuple[str, ...] = ()
    hints: tuple[str, ...] = ()

    @property
    def kind(self) -> str:
        """The name of its kind."""
        return self.asked.name

    @property
    def choices(self) -> tuple[str, ...]:
        """How the answers are written."""
        return tuple(option.text for option in self.options)

    def prompt(self, say: Words) -> str:
        """The question in words."""
        own = next((key for key in self.asks if say.has(key)), None)
        return self.asked.prompt(self, say) if own is None else say(own, card=self.card)

    def hint(self, say: Words) -> str:
        """What to look at."""
        own = next((key for key in self.hints if say.has(key)), None)
        return self.asked.hint(self, say) if own is None else say(own, card=self.card)

    def why(self, said: str, say: Words) -> str:
        """The tutor about a right answer, where no turn is played out."""
        return self.asked.why(self, said, say)

    def refute(self, said: str, say: Words) -> PlayedOut:
        """How a wrong answer is met."""
        return self.asked.refute(self, said, say)

    @property
    def rule(self) -> Rule | None:
        """The rule that settles it."""
        at = self.asked.settled(self)
        return None if at is None else moments(self.proof)[at].event.rule  # type: ignore[union-attr]

    def shown(self, describe: Describer, say: Words) -> list[Json]:
        """The answers in the form boards show options."""
        return [self._shown(option, describe, say) for option in self.options]

    def _shown(self, option: Option, describe: Describer, say: Words) -> Obj:
        said: Obj = {"text": option.text}
        if option.row is not None:
            return said | {"row": option.row}
        if option.card is not None:
            return said | {"card": option.card}
        if option.choice is None:
            return said | {"label": self.asked.label(self, option, say)}
        described = describe.option(self.state, self.seat, self.state.pending[self.seat], option.choice)
        # Few answers are offered, so they need not be folded up in groups.
        group = described.pop("group", None)
        named: Obj = {"label": f"{group}: {described['label']}"} if group else {}
        return {**described, **named, **said}


class Kind(ABC):
    """A kind of question: how it is worked out, and in which words it is asked. Kinds of one type are the same."""

    #: Its name in lessons, and for exercises.
    name: ClassVar[str]
    #: Whether the hand of the seat that is asked lies open.
    open_hand: ClassVar[bool] = False
    #: How many positions an exercise looks at for one question.
    tries: ClassVar[int] = 600

    @abstractmethod
    def ask(self, spot: Spot) -> Question:
        """The question about that spot; one of which it makes none is refused with a `PositionError`."""

    # For exercises ---------------------------------------------------------------------------------------

    def spot(self, state: GameState, choices: Mapping[Seat, Choice], pick: int) -> Spot:
        """What is asked about a position in which everybody makes these choices. `pick` is a random number."""
        return Spot(state, choices)

    def level(self, state: GameState, choices: Mapping[Seat, Choice]) -> int:
        """How hard it is to answer there: 1 for calm turns, 2 where somebody takes, 3 where several do."""
        takes = sum(isinstance(event, RowTaken) for event in state.choose(choices)[1])
        return 1 + min(2, takes)

    # Words -----------------------------------------------------------------------------------------------

    def prompt(self, question: Question, say: Words) -> str:
        """The question."""
        return say(f"ask.{self.name}", card=question.card, who=say.who(question.seat))

    def hint(self, question: Question, say: Words) -> str:
        """What to look at."""
        return say(f"hint.{self.name}", card=question.card, who=say.who(question.seat))

    def why(self, question: Question, said: str, say: Words) -> str:
        """What there is to say about a right answer."""
        return ""

    # Wrong answers ---------------------------------------------------------------------------------------

    def settled(self, question: Question) -> int | None:
        """Which moment of the proof settles it: its event has the rule. None where no turn is played."""
        found = [at for at, moment in enumerate(moments(question.proof)) if moment.event is not None]
        return found[-1] if found else None

    def refute(self, question: Question, said: str, say: Words) -> PlayedOut:
        """How a wrong answer is met: everything is played up to what settles the question, and its rule is named."""
        return PlayedOut(question.proof, self.settled(question), question.rule)

    def rule_hint(self, question: Question, say: Words) -> str:
        """The second hint: the rule that settles it, as its chapter says it; nothing where no single rule does."""
        return "" if question.rule is None else rule_text(question.rule, say)

    def nearly(self, question: Question, say: Words) -> str:
        """The last hint: all but two answers are ruled out."""
        left = near_right(question)
        return say("hint.one_of_two", one=self.said(question, left[0], say), other=self.said(question, left[1], say))

    def said(self, question: Question, option: Option, say: Words) -> str:
        """An answer in words."""
        if option.row is not None:
            return say("sheet.row", row=option.row + 1)
        if option.card is not None:
            return str(option.card)
        if option.choice is None:
            return self.label(question, option, say)
        described = question._shown(option, describer(question.state.game, board_words(say.lang, say.names)), say)
        return str(described.get("label") or option.text)

    def label(self, question: Question, option: Option, say: Words) -> str:
        """An answer that is neither row nor card nor choice."""
        return option.text

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self)

    def __hash__(self) -> int:
        return hash(type(self))


# What a chapter brings -----------------------------------------------------------------------------------


@dataclass(frozen=True)
class Asks:
    """What a chapter asks: kinds of its own, or its own way of asking one; and which kinds make good exercises."""

    kinds: tuple[Kind, ...] = ()
    exercises: Callable[[Game], tuple[str, ...]] = lambda game: ("row", "takes")


#: What a chapter asks besides what can be asked of every game.
ASKS: Final[Capability[Asks]] = Capability("questions of its own", face="ask")

Worth: TypeAlias = Callable[[Sequence[Step], Seat], int]
#: What some steps were worth to a seat: the more, the better.
WORTH: Final[Capability[Worth]] = Capability("account of what a turn is worth", face="ask")

#: The kinds that can be asked of every game, by name.
GENERAL: Final[dict[str, Kind]] = {}


def general(kind: type[Kind]) -> type[Kind]:
    """Make a kind one that can be asked of every game."""
    GENERAL[kind.name] = kind()
    return kind


def kinds(game: Game) -> dict[str, Kind]:
    """The kinds of questions about a game, by name."""
    own = ASKS.find(game) or Asks()
    return {**GENERAL, **{kind.name: kind for kind in own.kinds}}


def ask(kind: str, spot: Spot) -> Question:
    """The question of that kind about a spot."""
    game = spot.state.game
    found = kinds(game).get(kind)
    if found is None:
        raise RulesError("lessons.no_exercise", game=game.name, kind=shown(kind), known=", ".join(kinds(game)))
    question = found.ask(spot)
    if not question.right or not question.right <= set(question.choices):
        raise PositionError("lessons.right_answer_not", kind=shown(kind))
    return question


def moments(steps: Sequence[Step]) -> tuple[Moment, ...]:
    """Every moment of some steps, in order: the engine's own."""
    return tuple(moment for step in steps for moment in step.moments)


def near_right(question: Question) -> tuple[Option, Option]:
    """A right answer and the wrong one next to it, in the order they are offered."""
    at = next(at for at, option in enumerate(question.options) if option.text in question.right)
    wrong = [other for other, option in enumerate(question.options) if option.text not in question.right]
    other = min(wrong, key=lambda other: (abs(other - at), other))
    first, second = sorted((at, other))
    return question.options[first], question.options[second]


# Playing a turn to its end -------------------------------------------------------------------------------


def play_turn(state: GameState, choices: Mapping[Seat, Choice]) -> tuple[Step, ...]:
    """Make these choices and let the turn run to its end, everybody asked on the way doing the usual."""
    steps = [Step.of(state, choices)]
    while (after := steps[-1].state).queue and after.pending:
        steps.append(Step.of(after, {seat: usual_choice(after, seat) for seat in after.pending}))
    return tuple(steps)


@WORTH.provides(Game)
def heads_won(steps: Sequence[Step], seat: Seat) -> int:
    """The heads a seat took, for or against it as its game has it."""
    game = steps[0].before.game
    takes = [event for step in steps for event in step.events if isinstance(event, RowTaken)]
    heads = sum(take.heads for take in takes if take.seat == seat)
    return heads if game.heads_are_good else -heads


def worth(steps: Sequence[Step], seat: Seat) -> int:
    """What a turn was worth to a seat: the more, the better."""
    return WORTH.of(steps[0].before.game)(steps, seat)
