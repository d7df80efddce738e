"""Checking a lesson before a class sees it: every question for many seeds, trials against answers, the words."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from importlib.resources import files
from itertools import islice
from pathlib import Path
from typing import Final

from nimmt_lab.engine.errors import MissingWords, NimmtError
from nimmt_lab.engine.files import parse_toml
from nimmt_lab.engine.inflect import Figure
from nimmt_lab.engine.sentences import Phrase, Told
from nimmt_lab.explain.catalogue import LANGUAGES

from .asked import problems_of, words_of
from .feedback import slip_text
from .problem import Problem, run
from .rules import Lesson
from .worksheet import choice_text, question_text, working_text

__all__ = ["SEEDS", "Finding", "check"]

#: How many seeds are tried, and for how many of them the trials run, and how often.
SEEDS: Final = 60
PLAYED: Final = 3
TRIALS: Final = 600
#: A right answer fails at five standard errors once in a million lessons.
ERRORS: Final = 5


@dataclass(frozen=True)
class Finding:
    """Something to fix: where, what, and for which seeds."""

    step: str
    what: Told
    seeds: tuple[int, ...] = ()


def check(lesson: Lesson, seeds: int = SEEDS) -> Iterator[Finding]:
    """The mistakes in a lesson. A program runs only if it was confirmed."""
    if any(step.ask for step in lesson.steps):
        yield from _questions(lesson, seeds if lesson.drawn else 1)
    yield from _words(lesson)


def _questions(lesson: Lesson, seeds: int) -> Iterator[Finding]:
    found: dict[tuple[str, str], tuple[Finding, list[int]]] = {}

    def note(step: str, what: Told, seed: int) -> None:
        key = step, f"{type(what).__name__} {what.key}"
        found.setdefault(key, (Finding(step, what), []))[1].append(seed)

    for seed in range(seeds):
        try:
            made = problems_of(lesson, seed)
        except NimmtError as error:
            if error.key == "lessons.not_confirmed":
                raise
            note("", error, seed)
            if error.key == "lessons.program_slow":  # with other seeds it would take as long again
                break
            continue
        for step, problem in zip(lesson.questions, made, strict=True):
            for what in _wrong(lesson, problem):
                note(step.name, what, seed)
            if seed < PLAYED and problem.trial is not None and (far := _far_off(problem)) is not None:
                note(step.name, far, seed)
    for finding, where in found.values():
        yield Finding(finding.step, finding.what, tuple(where))


def _wrong(lesson: Lesson, problem: Problem) -> Iterator[Told]:
    for lang in lesson.languages:
        say = words_of(lesson, lang)
        try:
            question_text(problem, say)
            working_text(problem, say)
            for name in problem.slips:
                slip_text(problem, name, say)
            options = [choice_text(choice, say) for choice in problem.choices]
        except MissingWords as error:
            place = "{" + str(error.fields["place"]).strip("'") + "}"
            known = ", ".join(sorted({*problem.parts, *problem.working}))
            yield Phrase("lessons.file_place", place=repr(place), known=known)
            continue
        except (NimmtError, ValueError, IndexError) as error:
            yield error if isinstance(error, NimmtError) else Phrase("lessons.check_text", lang=lang)
            continue
        if len(set(options)) < len(options):
            yield Phrase("lessons.check_options", lang=lang)
    for name, value in problem.slips.items():
        right = problem.choices.index(str(problem.answer)) + 1 if problem.choices else problem.answer
        if value == right:
            yield Phrase("lessons.check_slip", name=name)


def _far_off(problem: Problem) -> Told | None:
    """Whether the mean of many trials is too far from the answer."""
    assert problem.trial is not None and isinstance(problem.answer, Fraction)
    try:
        results = list(islice(run(problem.trial, TRIALS, seed=1), TRIALS))
    except NimmtError as error:
        return error
    mean = sum(results) / len(results)
    spread = math.sqrt(sum((one - mean) ** 2 for one in results) / (len(results) - 1) / len(results))
    answer = float(problem.answer)
    # Without any spread, results may still be rare: then the answer must be near all the same.
    if abs(mean - answer) <= ERRORS * spread + (1e-9 if spread else ERRORS / math.sqrt(TRIALS)):
        return None
    return Phrase("lessons.check_trial", mean=Figure(mean, ".4f"), answer=Figure(answer, ".4f"), times=TRIALS)


# Words ---------------------------------------------------------------------------------------------------------


@cache
def _avoided(lang: str) -> tuple[tuple[re.Pattern[str], str], ...]:
    """What the glossary of a language avoids, and what it says instead."""
    package = Path(str(files(__package__))).parent
    for folder in (package / "_glossary", package.parent / "glossary"):
        path = folder / f"{lang}.toml"
        if path.is_file():
            entries = parse_toml(path.read_text(encoding="utf-8")).get("word")
            return tuple(
                (re.compile(never, re.IGNORECASE | re.MULTILINE), str(entry.get("instead", entry["say"])))
                for entry in (entries if isinstance(entries, list) else ())
                for never in entry.get("never", ())
            )
    return ()


def _words(lesson: Lesson) -> Iterator[Finding]:
    """The words that the glossary of a language avoids."""
    for lang, texts in lesson.texts.items():
        for key, text in texts.items() if lang in LANGUAGES else ():
            for never, better in _avoided(lang):
                if match := never.search(text):
                    what = Phrase("lessons.check_word", found=match.group().strip(), instead=better, lang=lang)
                    yield Finding(key.partition(".")[2], what)
