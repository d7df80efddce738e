"""Results of long studies: the sums that `tools/studies.py` stores in `data/`, as means with 95% intervals.

>>> low = finding("low_cards")
>>> first = low["edges:random:1"]
>>> first.count, first.low < first.mean < first.high
(214479, True)
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib.resources import files
from typing import TYPE_CHECKING, Final

from nimmt_lab.engine.errors import DataError, RulesError
from nimmt_lab.engine.files import parse_json, shown
from nimmt_lab.explain.catalogue import Words, words

from .frames import data_frame

if TYPE_CHECKING:
    import polars as pl

PACKAGE: Final = "nimmt_lab.study"
FORMAT: Final = "nimmt-study/1"
COLUMNS: Final = ("line", "series", "mean", "low", "high", "count")


@dataclass(frozen=True)
class Mean:
    """The mean of `count` values, with half the width of its 95% interval."""

    count: int
    mean: float
    margin: float

    @property
    def low(self) -> float:
        """Lower end of the interval."""
        return self.mean - self.margin

    @property
    def high(self) -> float:
        """Upper end of the interval."""
        return self.mean + self.margin

    @classmethod
    def of(cls, count: int, total: float, squares: float) -> Mean:
        """Compute a mean from a count, a sum and a sum of squares.

        >>> Mean.of(4, 8.0, 20.0).mean
        2.0
        """
        mean = total / count
        variance = max(0.0, squares / count - mean * mean) * count / max(1, count - 1)
        return cls(count, mean, 1.96 * math.sqrt(variance / count))


@dataclass(frozen=True)
class Finding:
    """A study: the mean of each of its lines, and its texts in a language."""

    name: str
    lines: Mapping[str, Mean]
    say: Words

    def __getitem__(self, line: str) -> Mean:
        if line not in self.lines:
            raise RulesError("study.study_has_no", name=self.name, at_line=shown(line), known=", ".join(self.lines))
        return self.lines[line]

    @property
    def title(self) -> str:
        """Title of its chart."""
        return self.say(f"{self.name}.title")

    @property
    def axis(self) -> str:
        """Label of its value axis."""
        return self.say(f"{self.name}.axis")

    def text(self, part: str) -> str:
        """The text for a part of a line's name, or the part itself (a number, say)."""
        keys = [f"{self.name}.{part.replace('-', '_')}"]
        if self.say.has(f"{self.name}.lines"):  # names shared with a chapter's catalogue
            keys.append(f"{self.say(f'{self.name}.lines')}.{part}")
        return next((self.say(key) for key in keys if self.say.has(key)), part)

    def frame(self, lines: Sequence[str], series: int = 0) -> pl.DataFrame:
        """The `rows` as a data frame."""
        return data_frame(self.rows(lines, series), COLUMNS)

    def rows(self, lines: Sequence[str], series: int = 0) -> list[tuple[str, str, float, float, float, int]]:
        """Rows of `COLUMNS`, one per line. The first `series` colon-separated parts of a line's name (the last, if
        negative) are its series."""
        rows = []
        for line in lines:
            parts, mean = line.split(":"), self[line]
            name, group = (parts[series:], parts[:series]) if series >= 0 else (parts[:series], parts[series:])
            labels = self._label("line", name), self._label("series", group)
            rows.append((*labels, mean.mean, mean.low, mean.high, mean.count))
        return rows

    def _label(self, what: str, parts: Sequence[str]) -> str:
        """The texts of some parts, joined by the study's own pattern if it has one."""
        texts = [self.text(part) for part in parts]
        key = f"{self.name}.{what}"
        if not texts or not self.say.has(key):
            return " ".join(texts)
        return self.say(key, **dict(zip("abc", texts, strict=False)))


def finding(name: str, lang: str = "en") -> Finding:
    """Load a study by name."""
    path = files(__package__) / "data" / f"{name}.json"
    if not re.fullmatch(r"\w+", name) or not path.is_file():
        raise RulesError("study.no_study", name=shown(name))
    data = parse_json(path.read_text(encoding="utf-8"), source=str(path))
    if not isinstance(data, dict) or data.get("format") != FORMAT:
        raise DataError("study.expected_format", format=FORMAT, source=str(path))
    lines = {line: Mean.of(int(count), total, squares) for line, (count, total, squares) in data["all"].items()}
    return Finding(name, lines, words(lang, package=PACKAGE))
