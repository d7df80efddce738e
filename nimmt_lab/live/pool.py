"""What a class found together: one histogram, one mean with its interval, and the answers to a question.

>>> pooled = pool([[(0, 30), (1, 10)], [(0, 34), (1, 6)]])
>>> pooled.bars, pooled.runs, round(pooled.mean, 3), pooled.dots
(((0, 64), (1, 16)), 80, 0.2, (0.15, 0.25))
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

from nimmt_lab.boards.describe import describer
from nimmt_lab.boards.words import board_words
from nimmt_lab.engine.errors import NotationError
from nimmt_lab.explain.judgement import Z
from nimmt_lab.lessons.feedback import missed
from nimmt_lab.lessons.problem import Problem, read_number
from nimmt_lab.lessons.question import Question
from nimmt_lab.lessons.words import Words
from nimmt_lab.lessons.worksheet import choice_text

from .found import Found

#: The fewest results with an interval. It takes their mean for normal.
FEWEST: Final = 10
#: Results by value, with their numbers.
Counts: TypeAlias = Sequence[tuple[float, int]]


@dataclass(frozen=True)
class Pooled:
    """Everybody's results together. `dots` are the pupils' own means, in no order that names anybody."""

    bars: tuple[tuple[float, int], ...]
    dots: tuple[float, ...]
    runs: int
    mean: float
    #: Half the width of the 95% interval of the mean; None while all results are equal, which proves nothing, or fewer
    #: than `FEWEST`.
    margin: float | None


def pool(counts: Iterable[Counts], found: Iterable[Found] = ()) -> Pooled | None:
    """Pool pupils' results: those made on pages, and those of codes that were typed. None if there are none."""
    bars: Counter[float] = Counter()
    dots: list[float] = []
    runs, total, squares = 0, 0.0, 0.0
    for own in counts:
        number = sum(count for _, count in own)
        if not number:
            continue
        for value, count in own:
            bars[value] += count
            total += value * count
            squares += value * value * count
        runs += number
        dots.append(sum(value * count for value, count in own) / number)
    for one in found:
        if one.squares == one.total:  # results of 0 and 1: the code says how many of each
            bars[0] += one.runs - one.total
            bars[1] += one.total
        runs, total, squares = runs + one.runs, total + one.total, squares + one.squares
        dots.append(one.mean)
    if not runs:
        return None
    mean = total / runs
    spread = max(0.0, squares - runs * mean * mean)
    margin = Z * math.sqrt(spread / (runs - 1) / runs) if runs >= FEWEST and spread > 1e-9 else None
    shown = tuple(sorted((value, count) for value, count in bars.items() if count))
    return Pooled(shown, tuple(sorted(dots)), runs, mean, margin)


@dataclass(frozen=True)
class Group:
    """Pupils who gave the same answer, or made the same slip. `right` is None before the answer is revealed."""

    label: str
    count: int
    right: bool | None
    #: The answers as they were given.
    texts: tuple[str, ...] = ()


def answers(asked: Problem | Question, said: Mapping[int, str], say: Words, *, revealed: bool) -> tuple[Group, ...]:
    """Group a class's answers. Before the reveal: equal answers together, in an order that says nothing about which
    is right. Afterwards: the right ones first, then each slip with its feedback, the most frequent first.

    >>> from nimmt_lab.lessons import words
    >>> from fractions import Fraction
    >>> problem = Problem("p2.one", Fraction(3, 14), probability=True)
    >>> said = {1: "3/14", 2: "11/14", 3: "0.214", 4: "6/28"}
    >>> [(group.label, group.count) for group in answers(problem, said, words("en"), revealed=False)]
    [('0.214', 1), ('3/14', 2), ('11/14', 1)]
    >>> [(group.right, group.count) for group in answers(problem, said, words("en"), revealed=True)]
    [(True, 3), (False, 1)]
    """
    groups: dict[str, list[str]] = {}
    labels: dict[str, str] = {}
    for text in said.values():
        key, label = _key(asked, text, say)
        groups.setdefault(key, []).append(text)
        labels.setdefault(key, label)
    if not revealed:
        keys = sorted(groups, key=lambda key: _place(asked, key))
        return tuple(Group(labels[key], len(groups[key]), None, _texts(groups[key])) for key in keys)
    slips: dict[tuple[bool, str], list[str]] = {}
    for texts in groups.values():
        for text in texts:
            right = is_right(asked, text)
            slip = say("page.right") if right else _slip(asked, text, say)
            slips.setdefault((right, slip), []).append(text)
    order = sorted(slips.items(), key=lambda item: (not item[0][0], -len(item[1]), item[0][1]))
    return tuple(
        Group(slip, len(texts), right, _texts(labels[_key(asked, one, say)[0]] for one in texts))
        for (right, slip), texts in order
    )


def is_right(asked: Problem | Question, text: str) -> bool:
    if isinstance(asked, Question):
        return text in asked.right
    try:
        return asked.is_right(text)
    except NotationError:
        return False


def _texts(texts: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(texts))[:6]


def label(asked: Problem | Question, text: str, say: Words) -> str:
    """An answer as people say it: a row, a card, the words of a choice, or what was typed."""
    if isinstance(asked, Question):
        board = board_words(say.lang)
        for one in asked.shown(describer(asked.state.game, board), say):
            if isinstance(one, dict) and one.get("text") == text:
                row = one.get("row")
                return board("row", row=row + 1) if isinstance(row, int) else str(one.get("label") or text)
        return text
    return choice_text(text, say) if asked.choices else text


def _key(asked: Problem | Question, text: str, say: Words) -> tuple[str, str]:
    """Answers with the same key are the same answer."""
    if isinstance(asked, Question):
        return text, label(asked, text, say)
    if asked.choices:
        return text, choice_text(text, say)
    try:
        given = read_number(text)
    except NotationError:
        return text, text
    return f"{given.value}", text


def _place(asked: Problem | Question, key: str) -> tuple[float, str]:
    """Numbers by size, choices in the order of the question."""
    if isinstance(asked, Question):
        return (float(asked.choices.index(key)) if key in asked.choices else math.inf, key)
    if asked.choices:
        return (float(asked.choices.index(key)) if key in asked.choices else math.inf, key)
    try:
        return (float(read_number(key).value), key)
    except NotationError:
        return (math.inf, key)


def _slip(asked: Problem | Question, text: str, say: Words) -> str:
    if isinstance(asked, Question):
        said = asked.refute(text, say).said if text in asked.choices else ""
        return said or label(asked, text, say)
    if asked.choices:
        return label(asked, text, say)
    try:
        return missed(asked, text, say)
    except NotationError:
        return text
