"""The rules lessons: short, and interactive.

A lesson is data (`data/rules.toml`): its steps are tables to watch (`plays`) and questions to answer (`ask`). Answers
are never written down: `question_of` has the engine play the turn.

>>> lesson = rules_lesson("first_turn")
>>> [step.name for step in lesson.steps][:2]
['see', 'row']
>>> lesson.steps[0].record.final.rows[0]
(12, 14, 15)
>>> question_of(lesson.steps[1]).right
frozenset({'2'})
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache, cached_property
from importlib.resources import files

from nimmt_lab.engine.cards import Seat, seat_of_letter
from nimmt_lab.engine.decisions import Choice
from nimmt_lab.engine.errors import DataError, PositionError, RulesError
from nimmt_lab.engine.files import parse_toml, shown
from nimmt_lab.engine.game import Game
from nimmt_lab.engine.record import Record
from nimmt_lab.engine.registry import from_options
from nimmt_lab.engine.state import GameState

from .question import Question, Spot, ask, kinds

SOURCE = "rules.toml"
_RULING = re.compile(r"R-[A-Z][0-9]+")
_ABOUT = ("ask", "reveal", "card", "row", "seat", "marker", "options", "open")
_STEP_KEYS = frozenset({"name", "game", "position", "plays", *_ABOUT, "check", "rulings"})


@dataclass(frozen=True)
class LessonStep:
    """One step of a lesson: a record to watch, or (with `ask`) a question about the final table."""

    name: str
    game: Game
    position: str
    #: Played before the question is asked, or for the learner to watch.
    plays: tuple[Mapping[str, str], ...] = ()
    #: The kind of question (`question.kinds`); empty for a step to watch.
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
    #: The panels beside the board: some of "log", "line" and "hands".
    show: frozenset[str] = frozenset()

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
class Lesson:
    """A short lesson about one chapter of the rules."""

    name: str
    steps: tuple[LessonStep, ...]

    @property
    def questions(self) -> tuple[LessonStep, ...]:
        return tuple(step for step in self.steps if step.ask)


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
    return replace(question, open=step.open, asks=(own,), hints=(f"{own}_hint", f"{lesson}.{step.ask}_hint"))


def read_choices(state: GameState, given: Mapping[str, str]) -> dict[Seat, Choice]:
    choices: dict[Seat, Choice] = {}
    for letter, text in given.items():
        seat = seat_of_letter(letter)
        if seat not in state.pending:
            raise RulesError("lessons.not_asked_anything", who=letter)
        choices[seat] = state.pending[seat].read(text)
    return choices


def read_lessons(text: str, source: str = SOURCE) -> tuple[Lesson, ...]:
    """Read lessons from TOML; errors name the lesson and the step."""
    data = parse_toml(text, source=source, error=DataError)
    lessons = data.get("lesson")
    if not isinstance(lessons, list) or set(data) != {"lesson"}:
        raise DataError("lessons.expected_lesson_tables", source=source)
    parsed = tuple(_lesson(item, source, number) for number, item in enumerate(lessons, 1))
    names = [lesson.name for lesson in parsed]
    if len(set(names)) < len(names):
        raise DataError("lessons.two_lessons_have", source=source)
    return parsed


def _lesson(item: object, source: str, number: int) -> Lesson:
    if not isinstance(item, dict) or not isinstance(item.get("name"), str):
        raise DataError("lessons.lesson_needs_name", number=number, source=source)
    place = f"{source}, lesson {item['name']}"
    steps = item.get("step")
    if not isinstance(steps, list) or not steps or set(item) - {"name", "game", "step"}:
        raise DataError("lessons.lesson_has_name", source=place)
    made = tuple(_step(step, item.get("game"), f"{place}, step {at + 1}") for at, step in enumerate(steps))
    if len({step.name for step in made}) < len(made):
        raise DataError("lessons.two_steps_have", source=place)
    return Lesson(item["name"], made)


def _step(item: object, usual: object, place: str) -> LessonStep:
    if not isinstance(item, dict) or not isinstance(item.get("name"), str):
        raise DataError("lessons.step_needs_name", source=place)
    for key in item:
        if key not in _STEP_KEYS:
            raise DataError("lessons.no_key_step", key=shown(key), known=", ".join(sorted(_STEP_KEYS)), source=place)
    game = {**_object(usual, "game", place), **_object(item.get("game"), "game", place)}
    position = item.get("position")
    if not isinstance(position, str):
        raise DataError("lessons.step_needs_position", source=place)
    plays = item.get("plays", [])
    if not isinstance(plays, list):
        raise DataError("lessons.plays_must_list", source=place)
    reveal = item.get("reveal")
    for key, kind in (("card", int), ("row", int), ("options", list), ("check", bool), ("rulings", list)):
        if key in item and type(item[key]) is not kind:
            raise DataError("lessons.must_type_got", key=key, name=kind.__name__, got=shown(item[key]), source=place)
    rulings = tuple(map(str, item.get("rulings", ())))
    if odd := next((text for text in rulings if not _RULING.fullmatch(text)), None):
        raise DataError("lessons.ruling_written_r", got=shown(odd), source=place)
    return LessonStep(
        name=item["name"],
        game=from_options(game),
        position=position,
        plays=tuple(_texts(play, "plays", place) for play in plays),
        ask=str(item.get("ask", "")),
        reveal=None if reveal is None else _texts(reveal, "reveal", place),
        card=item.get("card", 0),
        row=item.get("row", 1) - 1,
        seat=seat_of_letter(str(item.get("seat", "A"))),
        marker=str(item.get("marker", "")),
        options=tuple(map(str, item.get("options", ()))),
        open=tuple(seat_of_letter(letter) for letter in str(item.get("open", "")).split()),
        check=item.get("check", False),
        rulings=rulings,
    )


def _object(item: object, name: str, place: str) -> dict[str, object]:
    if item is None:
        return {}
    if not isinstance(item, dict):
        raise DataError("lessons.must_table", name=name, source=place)
    return item


def _texts(item: object, name: str, place: str) -> dict[str, str]:
    table = _object(item, name, place)
    if not all(isinstance(text, str) for text in table.values()):
        raise DataError("lessons.must_texts_seat", name=name, source=place)
    return {key: str(text) for key, text in table.items()}


@cache
def rules_lessons() -> tuple[Lesson, ...]:
    """Every rules lesson, in the order of teaching."""
    return read_lessons((files(__package__) / "data" / SOURCE).read_text(encoding="utf-8"))


def rules_lesson(name: str) -> Lesson:
    """The rules lesson with that name."""
    for lesson in rules_lessons():
        if lesson.name == name:
            return lesson
    raise RulesError(
        "shared.no_lesson_of", lesson=shown(name), known=", ".join(lesson.name for lesson in rules_lessons())
    )
