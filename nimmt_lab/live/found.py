"""What a pupil found, as a short code to read out or write down: for classes without a network.

A code contains the number of the question, how many times the experiment was run, and the sums that a mean with its
interval needs. Its last letter is a check, as in the codes of worksheets.

>>> Found(1, 40, 7, 7).code()
'ECV-YK'
>>> Found.read("ecvyk")
Found(question=1, runs=40, total=7, squares=7)
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from typing import Final

from nimmt_lab.engine.errors import NotationError
from nimmt_lab.engine.files import shown
from nimmt_lab.lessons.codes import code_of, seed_of

MOST_QUESTIONS: Final = 16
#: More runs than any experiment on a page makes.
MOST_RUNS: Final = 1 << 20
#: Bits for the length of a number.
_LENGTH: Final = 5


@dataclass(frozen=True)
class Found:
    """Results of one pupil: the question's number in the lesson, the runs, their sum and the sum of their squares."""

    question: int
    runs: int
    total: int
    squares: int

    @classmethod
    def of(cls, question: int, counts: Iterable[tuple[float, int]]) -> Found | None:
        """Sum up results by value; None if there are none, or they are not whole or too many."""
        pairs = list(counts)
        if not pairs or any(value != int(value) for value, _ in pairs):
            return None
        runs = sum(count for _, count in pairs)
        total = sum(int(value) * count for value, count in pairs)
        found = cls(question, runs, total, sum(int(value) ** 2 * count for value, count in pairs))
        with suppress(NotationError):  # too large for a code
            found.code()
            return found
        return None

    @property
    def mean(self) -> float:
        return self.total / self.runs

    def code(self) -> str:
        """Write the code, in groups of three letters; raises if the numbers are too large for one."""
        text = code_of(self._packed() * MOST_QUESTIONS + self.question)
        return "-".join(text[at : at + 3] for at in range(0, len(text), 3))

    def _packed(self) -> int:
        if self.squares == self.total:  # results of 0 and 1, the usual case, have the shortest codes
            return 2 * _pair(self.runs - 1, self.total) + 1
        total = 2 * self.total if self.total >= 0 else -2 * self.total - 1
        number = self.squares
        for part in (total, self.runs - 1):  # each with its length in front
            number = number << part.bit_length() | part
            number = number << _LENGTH | part.bit_length()
        return 2 * number

    @classmethod
    def read(cls, text: str) -> Found:
        """Read a code in any spelling; errors say that it isn't one."""
        try:
            if any(letter.isdigit() for letter in text):  # a number would be read as a seed
                raise NotationError("live.no_result_code", text=shown(text, 30))
            packed, question = divmod(seed_of(text), MOST_QUESTIONS)
        except NotationError:
            raise NotationError("live.no_result_code", text=shown(text, 30)) from None
        number, is_binary = divmod(packed, 2)
        if is_binary:
            runs, total = _unpair(number)
            squares = total
        else:
            runs, number = _part(number)
            total, squares = _part(number)
            total = -(total + 1) // 2 if total % 2 else total // 2
        runs += 1
        # No numbers have a smaller sum of squares than their mean allows.
        if runs > MOST_RUNS or squares * runs < total * total:
            raise NotationError("live.no_result_code", text=shown(text, 30))
        return cls(question, runs, total, squares)


def _pair(one: int, other: int) -> int:
    """Szudzik's pairing of two numbers, which keeps small ones small."""
    return other * other + one if one < other else one * one + one + other


def _unpair(number: int) -> tuple[int, int]:
    root = math.isqrt(number)
    rest = number - root * root
    return (rest, root) if rest < root else (root, rest - root)


def _part(number: int) -> tuple[int, int]:
    """The part that was written last, and what is before it."""
    number, length = number >> _LENGTH, number & (1 << _LENGTH) - 1
    return number & (1 << length) - 1, number >> length
