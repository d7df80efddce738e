"""Questions about a table, in one form for lessons, exercises and puzzles.

A question is data: the table shown, the options, the right ones, and the play that proves them. Answers are never
written down: a `Kind` of question works them out from a `Spot` (a table and its subject) by having the engine play.
Some kinds suit every game; a chapter adds kinds of its own, or its own version of one, in its `ask.py`.

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
from nimmt_lab.engine.decisions import Choice, ChooseRow, Decision
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
    """One option: its text (rows from 1, seats as letters), and the row or card it points at on the board."""

    text: str
    #: Counted from 0.
    row: int | None = None
    card: Card | None = None
    #: The choice in the game, if the answer is one.
    choice: Choice | None = None


def option_of(decision: Decision, choice: Choice, text: str | None = None) -> Option:
    """A choice of the game as an option; an integer is a row or a card, depending on the decision."""
    number = choice if isinstance(choice, int) else None
    row, card = (number, None) if isinstance(decision, ChooseRow) else (None, number)
    return Option(decision.write(choice) if text is None else text, row, card, choice)


@dataclass(frozen=True)
class Spot:
    """The material for a question: a table, everybody's choices on it, and the subject."""

    state: GameState
    choices: Mapping[Seat, Choice] = field(default_factory=dict)
    card: Card = 0
    row: int = 0
    seat: Seat = 0
    #: The section of a position that the question is about, such as a fan card's marker.
    marker: str = ""
    #: The options in notation; all of the decision's if empty.
    options: tuple[str, ...] = ()
    #: Whether the turn is played to its end, with usual choices on the way; otherwise it stops at the next decision.
    plays_on: bool = False

    def turn(self) -> tuple[Step, ...]:
        if set(self.choices) != set(self.state.pending):
            raise PositionError("lessons.everybodys_choice_must")
        return play_turn(self.state, self.choices) if self.plays_on else (Step.of(self.state, self.choices),)


@dataclass(frozen=True)
class PlayedOut:
    """A wrong answer, played out on the board: the steps up to where it fails, or those it leads to, the rule that
    forbids it, and the tutor's words. It never shows the right answer."""

    steps: tuple[Step, ...] = ()
    #: How many moments of the steps are shown; None for all.
    until: int | None = None
    rule: Rule | None = None
    said: str = ""


@dataclass(frozen=True)
class Question:
    """A question, worked out. `right` has the texts of the options that are right."""

    asked: Kind
    #: The table shown.
    state: GameState
    seat: Seat
    options: tuple[Option, ...]
    right: frozenset[str]
    card: Card = 0
    #: The play that proves the answer; empty if no turn needs to be played.
    proof: tuple[Step, ...] = ()
    #: The cards that decide a question about odds.
    cards: tuple[Card, ...] = ()
    #: The play after each option, for options that are choices.
    lines: Mapping[str, tuple[Step, ...]] = field(default_factory=dict, hash=False, compare=False)
    #: Known choices of the others.
    given: Mapping[Seat, Choice] = field(default_factory=dict, hash=False)
    #: The seats whose hands are open.
    open: tuple[Seat, ...] = ()
    #: Messages that override the kind's own prompt and hint; the first that exists is used.
    asks: tuple[str, ...] = ()
    hints: tuple[str, ...] = ()

    @property
    def kind(self) -> str:
        return self.asked.name

    @property
    def choices(self) -> tuple[str, ...]:
        return tuple(option.text for option in self.options)

    def prompt(self, say: Words) -> str:
        own = next((key for key in self.asks if say.has(key)), None)
        return self.asked.prompt(self, say) if own is None else say(own, card=self.card)

    def hint(self, say: Words) -> str:
        """Where to look."""
        own = next((key for key in self.hints if say.has(key)), None)
        return self.asked.hint(self, say) if own is None else say(own, card=self.card)

    def why(self, answer: str, say: Words) -> str:
        """Why a right answer is right: the question's own words, otherwise the kind's."""
        own = next((f"{key}_why" for key in self.asks if say.has(f"{key}_why")), None)
        return self.asked.why(self, answer, say) if own is None else say(own, card=self.card)

    def refute(self, answer: str, say: Words) -> PlayedOut:
        return self.asked.refute(self, answer, say)

    @property
    def rule(self) -> Rule | None:
        at = self.asked.settled(self)
        return None if at is None else moments(self.proof)[at].event.rule  # type: ignore[union-attr]

    def shown(self, describe: Describer, say: Words) -> list[Json]:
        return [self._shown(option, describe, say) for option in self.options]

    def _shown(self, option: Option, describe: Describer, say: Words) -> Obj:
        shown: Obj = {"text": option.text}
        if option.row is not None:
            return shown | {"row": option.row}
        if option.card is not None:
            return shown | {"card": option.card}
        if option.choice is None:
            return shown | {"label": self.asked.label(self, option, say)}
        described = describe.option(self.state, self.seat, self.state.pending[self.seat], option.choice)
        # There are few options, so they need no groups.
        group = described.pop("group", None)
        named: Obj = {"label": f"{group}: {described['label']}"} if group else {}
        return {**described, **named, **shown}


class Kind(ABC):
    """A kind of question: how it is worked out and worded. Two instances of one class are equal."""

    #: The name of the kind in lessons and exercises.
    name: ClassVar[str]
    #: Whether the hand of the seat in question is open.
    open_hand: ClassVar[bool] = False
    #: How many positions to try for an exercise.
    tries: ClassVar[int] = 600

    @abstractmethod
    def ask(self, spot: Spot) -> Question:
        """The question about a spot; a `PositionError` if there is none."""

    # For exercises ---------------------------------------------------------------------------------------

    def spot(self, state: GameState, choices: Mapping[Seat, Choice], pick: int) -> Spot:
        """The spot to ask about when everybody makes these choices. `pick` is a random number."""
        return Spot(state, choices)

    def level(self, state: GameState, choices: Mapping[Seat, Choice]) -> int:
        """The difficulty: 1 for calm turns, 2 if somebody takes a row, 3 if several do."""
        takes = sum(isinstance(event, RowTaken) for event in state.choose(choices)[1])
        return 1 + min(2, takes)

    # Words -----------------------------------------------------------------------------------------------

    def prompt(self, question: Question, say: Words) -> str:
        return say(f"ask.{self.name}", card=question.card, who=say.who(question.seat))

    def hint(self, question: Question, say: Words) -> str:
        return say(f"hint.{self.name}", card=question.card, who=say.who(question.seat))

    def why(self, question: Question, answer: str, say: Words) -> str:
        """The tutor's words about a right answer."""
        return ""

    # Wrong answers ---------------------------------------------------------------------------------------

    def settled(self, question: Question) -> int | None:
        """The index of the moment in the proof that settles the question; None if no turn is played."""
        events = [at for at, moment in enumerate(moments(question.proof)) if moment.event is not None]
        return events[-1] if events else None

    def refute(self, question: Question, answer: str, say: Words) -> PlayedOut:
        """Play out a wrong answer: by default, play up to the moment that settles the question and name the rule."""
        return PlayedOut(question.proof, self.settled(question), question.rule)

    def rule_hint(self, question: Question, say: Words) -> str:
        """The second hint: the rule that settles the question, if a single one does."""
        return "" if question.rule is None else rule_text(question.rule, say, question.state.game)

    def nearly(self, question: Question, say: Words) -> str:
        """The last hint: rule out all options but two."""
        left = near_right(question)
        return say(
            "hint.one_of_two", one=self.worded(question, left[0], say), other=self.worded(question, left[1], say)
        )

    def worded(self, question: Question, option: Option, say: Words) -> str:
        if option.row is not None:
            return say("sheet.row", row=option.row + 1)
        if option.card is not None:
            return str(option.card)
        if option.choice is None:
            return self.label(question, option, say)
        described = question._shown(option, describer(question.state.game, board_words(say.lang, say.names)), say)
        return str(described.get("label") or option.text)

    def label(self, question: Question, option: Option, say: Words) -> str:
        """The text of an option that is neither row, card nor choice."""
        return option.text

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self)

    def __hash__(self) -> int:
        return hash(type(self))


# Extension points for chapters ---------------------------------------------------------------------------


@dataclass(frozen=True)
class Asks:
    """A chapter's own kinds of questions, which override the general ones, and the kinds that suit exercises."""

    kinds: tuple[Kind, ...] = ()
    exercises: Callable[[Game], tuple[str, ...]] = lambda game: ("row", "takes")


#: A chapter's questions, in addition to the general ones.
ASKS: Final[Capability[Asks]] = Capability("questions of its own", face="ask")

Worth: TypeAlias = Callable[[Sequence[Step], Seat], int]
#: The value of some steps to a seat; higher is better.
WORTH: Final[Capability[Worth]] = Capability("way to value a turn", face="ask")

#: The kinds for every game, by name.
GENERAL: Final[dict[str, Kind]] = {}


def general(kind: type[Kind]) -> type[Kind]:
    GENERAL[kind.name] = kind()
    return kind


def kinds(game: Game) -> dict[str, Kind]:
    """A game's kinds of questions, by name."""
    own = ASKS.find(game) or Asks()
    return {**GENERAL, **{kind.name: kind for kind in own.kinds}}


def ask(kind: str, spot: Spot) -> Question:
    """Make a question of that kind about a spot."""
    game = spot.state.game
    asked = kinds(game).get(kind)
    if asked is None:
        raise RulesError("lessons.no_exercise", game=game.name, kind=shown(kind), known=", ".join(kinds(game)))
    question = asked.ask(spot)
    if not question.right or not question.right <= set(question.choices):
        raise PositionError("lessons.right_answer_not", kind=shown(kind))
    return question


def moments(steps: Sequence[Step]) -> tuple[Moment, ...]:
    return tuple(moment for step in steps for moment in step.moments)


def near_right(question: Question) -> tuple[Option, Option]:
    """A right option and its nearest wrong one, in the order of the options."""
    at = next(at for at, option in enumerate(question.options) if option.text in question.right)
    wrong = [other for other, option in enumerate(question.options) if option.text not in question.right]
    other = min(wrong, key=lambda other: (abs(other - at), other))
    first, second = sorted((at, other))
    return question.options[first], question.options[second]


# Playing a turn to its end --------------------------------------------------------------------------------


def play_turn(state: GameState, choices: Mapping[Seat, Choice]) -> tuple[Step, ...]:
    """Make these choices and play the turn to its end, with usual choices on the way."""
    steps = [Step.of(state, choices)]
    while (after := steps[-1].state).queue and after.pending:
        steps.append(Step.of(after, {seat: usual_choice(after, seat) for seat in after.pending}))
    return tuple(steps)


@WORTH.provides(Game)
def heads_won(steps: Sequence[Step], seat: Seat) -> int:
    """The heads a seat took, negative where heads are bad."""
    game = steps[0].before.game
    takes = [event for step in steps for event in step.events if isinstance(event, RowTaken)]
    heads = sum(take.heads for take in takes if take.seat == seat)
    return heads if game.heads_are_good else -heads


def worth(steps: Sequence[Step], seat: Seat) -> int:
    """The value of a turn to a seat; higher is better."""
    return WORTH.of(steps[0].before.game)(steps, seat)
