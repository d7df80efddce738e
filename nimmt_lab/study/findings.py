"""What long counts came to: the sums that `tools/studies.py` keeps in `data/`, as means with 95 % intervals.

>>> low = finding("low_cards")
>>> low["5"].count, low["5"].low < low["5"].mean < low["5"].high
(4280, True)
>>> finding("nothing")
Traceback (most recent call last):
nimmt_lab.engine.errors.RulesError: no study 'nothing'
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib.resources import files
from typing import TYPE_CHECKING, Final

from nimmt_lab.engine.errors import DataError, RulesError
from nimmt_lab.engine.extras import wanted
from nimmt_lab.engine.files import parse_json, shown
from nimmt_lab.explain.catalogue import Words, words

if TYPE_CHECKING:
    import polars as pl

ROOM: Final = "nimmt_lab.study"
FORMAT: Final = "nimmt-study/1"
#: What a row of a finding says.
COLUMNS: Final = ("line", "series", "mean", "low", "high", "count")


@dataclass(frozen=True)
class Mean:
    """A mean of so many values, with half the width of its 95 % interval."""

    count: int
    mean: float
    margin: float

    @property
    def low(self) -> float:
        """The lower end of the interval."""
        return self.mean - self.margin

    @property
    def high(self) -> float:
        """The upper end."""
        return self.mean + self.margin

    @classmethod
    def of(cls, count: int, total: float, squares: float) -> Mean:
        """From how often, the sum, and the sum of the squares.

        >>> Mean.of(4, 8.0, 20.0).mean
        2.0
        """
        mean = total / count
        spread = max(0.0, squares / count - mean * mean) * count / max(1, count - 1)
        return cls(count, mean, 1.96 * math.sqrt(spread / count))


@dataclass(frozen=True)
class Finding:
    """One study: a mean for each of its lines, and its words in a language."""

    name: str
    lines: Mapping[str, Mean]
    say: Words

    def __getitem__(self, line: str) -> Mean:
        if line not in self.lines:
            raise RulesError("study.study_has_no", name=self.name, at_line=shown(line), known=", ".join(self.lines))
        return self.lines[line]

    @property
    def title(self) -> str:
        """What its figure is about."""
        return self.say(f"{self.name}.title")

    @property
    def axis(self) -> str:
        """What its numbers count."""
        return self.say(f"{self.name}.axis")

    def text(self, part: str) -> str:
        """A line in words, where it is not a number or a sign that says it itself."""
        keys = [f"{self.name}.{part.replace('-', '_')}"]
        if self.say.has(f"{self.name}.lines"):  # what a chapter names already has that name here, too
            keys.append(f"{self.say(f'{self.name}.lines')}.{part}")
        return next((self.say(key) for key in keys if self.say.has(key)), part)

    def frame(self, lines: Sequence[str], series: int = 0) -> pl.DataFrame:
        """The `rows` as a data frame."""
        with wanted("lab"):
            import polars as pl

        return pl.DataFrame(self.rows(lines, series), schema=list(COLUMNS), orient="row")

    def rows(self, lines: Sequence[str], series: int = 0) -> list[tuple[str, str, float, float, float, int]]:
        """What `COLUMNS` names, for each of these lines. The first `series` parts of a line's name (parted by colons;
        if negative, the last ones) say which series it belongs to.

        >>> [(line, count) for line, *_, count in finding("low_cards").rows(["1", "5"])]
        [('turn 1', 4280), ('turn 5', 4280)]
        """
        rows = []
        for line in lines:
            parts, one = line.split(":"), self[line]
            name, group = (parts[series:], parts[:series]) if series >= 0 else (parts[:series], parts[series:])
            told = (self._together("line", name), self._together("series", group))
            rows.append((*told, one.mean, one.low, one.high, one.count))
        return rows

    def _together(self, what: str, parts: Sequence[str]) -> str:
        """The parts of a name as the study puts them together."""
        texts = [self.text(part) for part in parts]
        key = f"{self.name}.{what}"
        if not texts or not self.say.has(key):
            return " ".join(texts)
        return self.say(key, **dict(zip("abc", texts, strict=False)))


def finding(name: str, lang: str = "en") -> Finding:
    """The study of that name."""
    path = files(__package__) / "data" / f"{name}.json"
    if not re.fullmatch(r"\w+", name) or not path.is_file():
        raise RulesError("study.no_study", name=shown(name))
    data = parse_json(path.read_text(encoding="utf-8"), source=str(path))
    if not isinstance(data, dict) or data.get("format") != FORMAT:
        raise DataError("study.expected_format", format=FORMAT, source=str(path))
    lines = {line: Mean.of(int(count), total, squares) for line, (count, total, squares) in data["all"].items()}
    return Finding(name, lines, words(lang, room=ROOM))
