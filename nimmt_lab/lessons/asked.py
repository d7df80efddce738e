"""The questions of a lesson file as problems: their numbers drawn from a seed, their answers exact.

>>> from nimmt_lab.lessons.lessonfile import read_lesson
>>> lesson = read_lesson('''
... format = "nimmt-lesson/1"
... name = "bags"
... language = "en"
... title = "Bags"
... [[step]]
... name = "one"
... ask = "number"
... draw = { red = [2, 9], blue = [2, 9], all = "red + blue" }
... text = "{red} red and {blue} blue balls. What is the probability of red?"
... answer = "red / all"
... why = "{red} of {all}."
... ''')
>>> problem = problems_of(lesson, seed=7)[0]
>>> dict(problem.parts), problem.answer
({'red': 3, 'blue': 3, 'all': 6}, Fraction(1, 2))
>>> from nimmt_lab.lessons.worksheet import question_text
>>> question_text(problem, words_of(lesson, "en"))
'3 red and 3 blue balls. What is the probability of red?'
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from fractions import Fraction
from functools import lru_cache

from nimmt_lab.engine.errors import DataError, NimmtError, NotationError
from nimmt_lab.engine.inflect import typeset
from nimmt_lab.engine.record import Record
from nimmt_lab.engine.rng import Rng
from nimmt_lab.engine.state import GameState
from nimmt_lab.explain.catalogue import LANGUAGES, Catalogue

from .arithmetic import evaluate
from .problem import Problem
from .rules import CHOICE, Lesson, LessonStep, question_of
from .words import Words, words


def problems_of(lesson: Lesson, seed: int) -> tuple[Problem, ...]:
    """The questions of a lesson for a seed, in order."""
    if lesson.questions_by:
        return _maker(lesson.questions_by)(seed)
    return tuple(_made(lesson, step, at, seed) for at, step in enumerate(lesson.questions))


@lru_cache(maxsize=64)
def _maker(named: str) -> Callable[[int], tuple[Problem, ...]]:
    module, _, function = named.partition(":")
    made: Callable[[int], tuple[Problem, ...]] = getattr(importlib.import_module(module), function)
    return made


def _made(lesson: Lesson, step: LessonStep, at: int, seed: int) -> Problem:
    """A question; an error names its step and the line."""
    try:
        return _problem(lesson, step, at, seed)
    except NimmtError as error:
        if error.key == "lessons.not_confirmed" or (isinstance(error, NotationError) and error.line is not None):
            raise
        raise DataError("lessons.step", step=step.name, error=error, line=step.line, source=lesson.source) from None


def _problem(lesson: Lesson, step: LessonStep, at: int, seed: int) -> Problem:
    key = f"{lesson.name}.{step.name}"
    if not step.in_words:
        question = question_of(step, lesson.name)
        if len(question.right) > 1:
            raise DataError("lessons.file_two_right", got=", ".join(sorted(question.right)))
        (right,) = question.right
        choices = tuple(f"{step.name}.{text}" for text in question.choices)
        return Problem(key, f"{step.name}.{right}", {"card": step.card}, choices, state=question.state)
    if step.function:
        return _by_program(lesson, step, key, seed)
    state = step.state if step.position else None
    values = _drawn(step, Rng.from_seed(seed, stream=400 + at))
    slips = {slip.name: _value(lesson, step, slip.answer, values) for slip in step.slips}
    if step.ask == CHOICE:
        return _choice(step, key, step.right, values, state, slips)
    if step.range is not None:
        low, high = (_value(lesson, step, end, values) for end in step.range)
        middle, slack = (low + high) / 2, (high - low) / 2
        return Problem(key, middle, values, state=state, slack=slack, working=values, slips=slips)
    answer = _value(lesson, step, step.answer, values)
    return Problem(key, answer, values, state=state, working=values, slips=slips, probability=0 < answer < 1)


def _choice(
    step: LessonStep,
    key: str,
    right: int,
    values: Mapping[str, object],
    state: GameState | None,
    slips: Mapping[str, Fraction],
) -> Problem:
    choices = tuple(f"{step.name}.{number}" for number in range(1, step.count + 1))
    return Problem(
        key, f"{step.name}.{right}", values, choices, state=state, working=values, slips=slips,
    )  # fmt: skip


def _by_program(lesson: Lesson, step: LessonStep, key: str, seed: int) -> Problem:
    from .program import drawn  # only lessons with a program start processes

    made = drawn(lesson, step.function, seed)
    state = _state(lesson, step, made.position) if made.position or step.position else None
    # Common wrong ideas have texts in the package.
    shared = words("en")
    own = {slip.name for slip in step.slips}
    if unknown := {name for name in made.slips if name not in own and not shared.has(f"slip_text.{name}")}:
        at, slip = step.line, min(unknown)
        raise DataError("lessons.program_slip", name=step.function, slip=slip, line=at, source=lesson.source)
    if step.ask == CHOICE:
        if made.answer not in range(1, step.count + 1):
            got = str(made.answer)
            raise DataError("lessons.file_right", count=step.count, got=got, line=step.line, source=lesson.source)
        return replace(_choice(step, key, int(made.answer), made.values, state, made.slips), chart=made.chart)
    return Problem(
        key,
        made.answer,
        made.values,
        state=state,
        working=made.values,
        slips=made.slips,
        chart=made.chart,
        slack=made.slack,
        probability=0 < made.answer < 1,
        trial=made.trial,
    )


def _state(lesson: Lesson, step: LessonStep, position: str) -> GameState:
    if not position:
        return step.state
    return Record(step.game, start=position).final


def _drawn(step: LessonStep, rng: Rng) -> dict[str, int | Fraction]:
    values: dict[str, int | Fraction] = {}
    for name, drawn in step.draw.items():
        if isinstance(drawn, tuple):
            offset, rng = rng.below(drawn[1] - drawn[0] + 1)
            values[name] = drawn[0] + offset
        else:
            value = evaluate(drawn, values)
            values[name] = value.numerator if value.denominator == 1 else value
    return values


def _value(lesson: Lesson, step: LessonStep, formula: str, values: Mapping[str, int | Fraction]) -> Fraction:
    try:
        return evaluate(formula, values)
    except NotationError as error:  # for these numbers only; the reader tried others
        at, source = step.line, lesson.source
        raise DataError("lessons.file_wrong", key=formula, error=error, line=at, source=source) from None


# Words ---------------------------------------------------------------------------------------------------------


def words_of(lesson: Lesson, lang: str) -> Words:
    """The catalogue of a lesson: its own texts in that language, or in its first one, among those of all lessons."""
    return _words(lesson.fingerprint, _Kept(lesson), lang)


def own_words_of(lesson: Lesson, lang: str) -> Words:
    """The catalogue of a lesson without what `words_of` works out for paper: on screen, a question about the rules
    that has no text of its own has the tutor's words."""
    return _own_words(lesson.fingerprint, _Kept(lesson), lang)


class _Kept:
    """A lesson that a cache need not compare: its fingerprint is in the key too."""

    def __init__(self, lesson: Lesson) -> None:
        self.lesson = lesson

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Kept) and other.lesson.fingerprint == self.lesson.fingerprint

    def __hash__(self) -> int:
        return hash(self.lesson.fingerprint)


@lru_cache(maxsize=128)
def _own_words(fingerprint: str, kept: _Kept, lang: str) -> Words:
    lesson = kept.lesson
    own = lang if lang in lesson.texts else next(iter(lesson.texts))
    around = own if own in LANGUAGES else lang if lang in LANGUAGES else "en"
    say = words(around)
    messages = dict(say.catalogue.messages)
    messages |= {key: typeset(text, own) if own in LANGUAGES else text for key, text in lesson.texts[own].items()}
    return replace(say, catalogue=Catalogue(around, messages, say.catalogue.counted))


@lru_cache(maxsize=128)
def _words(fingerprint: str, kept: _Kept, lang: str) -> Words:
    lesson, say = kept.lesson, own_words_of(kept.lesson, lang)
    if lesson.questions_by:
        return say
    messages = dict(say.catalogue.messages)
    for key, text in _of_questions(lesson, say):
        messages.setdefault(key, text)
    for step in lesson.questions:
        messages.setdefault(f"{lesson.name}.{step.name}_why", "")
    return replace(say, catalogue=Catalogue(say.lang, messages, say.catalogue.counted))


def _of_questions(lesson: Lesson, say: Words) -> Iterator[tuple[str, str]]:
    """On paper, a question about the rules has its prompt, its options and its rule in words."""
    for step in lesson.questions:
        if step.in_words:
            continue
        question = question_of(step, lesson.name)
        key = f"{lesson.name}.{step.name}"
        yield key, _plain(question.prompt(say))
        for option in question.options:
            yield f"choice.{step.name}.{option.text}", question.asked.worded(question, option, say)
        (right,) = question.right
        yield f"{key}_why", _plain(question.why(right, say) or question.asked.rule_hint(question, say))


def _plain(text: str) -> str:
    """A finished text as a message without places."""
    return text.replace("{", "{{").replace("}", "}}")
