"""Lessons as data, and the rules lessons.

A lesson is a file (`lessonfile.py` reads it): its steps are texts to read, tables to watch (`plays`) and questions
(`ask`). A question about the rules has no answer in the file: `question_of` has the engine play the turn.

>>> lesson = rules_lesson("first_turn")
>>> [step.name for step in lesson.steps][:3]
['goal', 'row', 'closest']
>>> lesson.steps[3].record.final.rows[0]
(12, 14, 15)
>>> question_of(lesson.steps[1]).right
frozenset({'2'})
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cache, cached_property
from typing import Final

from nimmt_lab.engine.cards import Seat, seat_of_letter
from nimmt_lab.engine.decisions import Choice
from nimmt_lab.engine.errors import DataError, PositionError, RulesError
from nimmt_lab.engine.files import shown
from nimmt_lab.engine.game import Game
from nimmt_lab.engine.record import Record
from nimmt_lab.engine.state import GameState

from .question import Question, Spot, ask, kinds

#: Questions in words: options of which one is right, and a number.
CHOICE: Final = "choice"
NUMBER: Final = "number"
#: Parts of the screen beside the board that a step can ask for.
SHOWN: Final = ("log", "line", "hands")


@dataclass(frozen=True)
class Slip:
    """A wrong idea: its name, and the answer it leads to, a formula or the number of an option. Without an answer, the
    program gives it."""

    name: str
    answer: str = ""


@dataclass(frozen=True)
class LessonStep:
    """One step of a lesson: a text, a record to watch, or (with `ask`) a question about the final table or in words."""

    name: str
    game: Game
    #: Empty for a step without a table.
    position: str = ""
    #: Played before the question is asked, or for the learner to watch.
    plays: tuple[Mapping[str, str], ...] = ()
    #: The kind of question (`question.kinds`), `CHOICE` or `NUMBER`; empty for a step to watch or read.
    ask: str = ""
    #: The subject of the question: everybody's choice, a card, a row (from 0), a seat, a fan card's marker, options.
    reveal: Mapping[str, str] | None = None
    card: int = 0
    row: int = 0
    seat: Seat = 0
    marker: str = ""
    options: tuple[str, ...] = ()
    #: The seats whose hands are open during the question; in a step to watch, all are.
    open: tuple[Seat, ...] = ()
    #: Whether the step belongs to the test at the end of the lesson.
    check: bool = False
    #: The rulings that the step teaches, such as R-C5.
    rulings: tuple[str, ...] = ()
    #: Further parts of the screen, some of `SHOWN`.
    show: frozenset[str] = frozenset()
    #: Of a choice: how many options there are, and the right one, from 1.
    count: int = 0
    right: int = 0
    #: Of a number: a formula, or the two ends of the range that counts as right.
    answer: str = ""
    range: tuple[str, str] | None = None
    #: Numbers to draw, by name: two whole numbers, or a formula of those before it.
    draw: Mapping[str, tuple[int, int] | str] = field(default_factory=dict, hash=False)
    #: The function of the lesson's program that draws the numbers and works out the answer.
    function: str = ""
    slips: tuple[Slip, ...] = ()
    #: For lessons of the package, `module:function` that makes the sampling to try in a step to read.
    experiment: str = ""
    #: The marks for the right answer, with the method.
    marks: int = 1
    #: The line of the file on which the step begins.
    line: int = field(default=1, compare=False)

    @property
    def in_words(self) -> bool:
        """Whether this is a question in words, and not one that the engine answers."""
        return self.ask in (CHOICE, NUMBER)

    @cached_property
    def record(self) -> Record:
        record = Record(self.game, start=self.position)
        for given in self.plays:
            record = record.then(read_choices(record.final, given))
        return record

    @property
    def state(self) -> GameState:
        return self.record.final


@dataclass(frozen=True)
class LessonPlan:
    """What a teacher needs to know: minutes for the activity, the questions and the discussion, and courses in three
    countries."""

    minutes: tuple[int, int, int]
    levels: tuple[str, ...] = ()


@dataclass(frozen=True)
class Lesson:
    """A lesson, read from its file."""

    name: str
    steps: tuple[LessonStep, ...]
    version: int = 1
    #: The names that this lesson, or a longer one that it was part of, had before.
    was: tuple[str, ...] = ()
    #: The lesson's texts by language and key: `title`, `<step>`, `<step>_hint`, … (`lessontexts.py`).
    texts: Mapping[str, Mapping[str, str]] = field(default_factory=dict, hash=False, repr=False)
    #: A program in Python that draws numbers, and the line of the file on which it begins.
    program: str = field(default="", repr=False)
    program_line: int = 1
    #: For lessons of the package, `module:function` that makes all questions.
    questions_by: str = ""
    #: The functions that made the questions of earlier versions, by version.
    earlier: Mapping[int, str] = field(default_factory=dict, hash=False)
    #: Whether sheets and pages explain how many heads a card has.
    heads: bool = False
    plan: LessonPlan | None = None
    #: Of the whole file: a person confirms it before its program runs.
    fingerprint: str = ""
    #: Of what decides the answers; a corrected text keeps it.
    mark: str = ""
    #: The file, for errors.
    source: str = ""

    @property
    def questions(self) -> tuple[LessonStep, ...]:
        return tuple(step for step in self.steps if step.ask)

    @property
    def languages(self) -> tuple[str, ...]:
        return tuple(self.texts)

    @property
    def drawn(self) -> bool:
        """Whether the questions depend on a seed."""
        return bool(self.questions_by) or any(step.draw or step.function for step in self.steps)


def question_of(step: LessonStep, lesson: str = "") -> Question:
    """Work out a step's question with the engine. With the lesson's name, it uses the lesson's own words."""
    state = step.state
    if step.ask not in kinds(state.game):
        raise RulesError(
            "lessons.step_asks_there", step=step.name, ask=shown(step.ask), known=", ".join(kinds(state.game))
        )
    choices = read_choices(state, step.reveal or {})
    try:
        spot = Spot(state, choices, step.card, step.row, step.seat, step.marker, step.options, plays_on=True)
        question = ask(step.ask, spot)
    except PositionError as error:
        raise DataError("lessons.step", step=step.name, error=error) from None
    own = f"{lesson}.{step.name}"
    # The step's own hint, otherwise the lesson's (its rules may differ), otherwise the kind's.
    hints = (f"{own}_hint", f"{lesson}.{step.ask}_hint", *question.hints)
    return replace(question, open=step.open, asks=(own, *question.asks), hints=hints)


def read_choices(state: GameState, given: Mapping[str, str]) -> dict[Seat, Choice]:
    choices: dict[Seat, Choice] = {}
    for letter, text in given.items():
        seat = seat_of_letter(letter)
        if seat not in state.pending:
            raise RulesError("lessons.not_asked_anything", who=letter)
        choices[seat] = state.pending[seat].read(text)
    return choices


@cache
def rules_lessons() -> tuple[Lesson, ...]:
    """Every rules lesson, in the order of teaching; those for experts come last."""
    from .shipped import order, shipped

    return tuple(shipped(name) for part in ("rules", "experts") for name in order()[part])


def rules_lesson(name: str) -> Lesson:
    """The rules lesson with that name."""
    for lesson in rules_lessons():
        if lesson.name == name:
            return lesson
    raise RulesError(
        "shared.no_lesson_of", lesson=shown(name), known=", ".join(lesson.name for lesson in rules_lessons())
    )
