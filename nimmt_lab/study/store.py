"""Simulated rounds as data frames, and in a folder, from which a simulation goes on."""

from __future__ import annotations

import hashlib
import io
import json
import os
import re
from array import array
from pathlib import Path
from typing import TYPE_CHECKING

from nimmt_lab.engine.errors import NotationError
from nimmt_lab.engine.extras import wanted
from nimmt_lab.engine.files import make_folder, name_of, parse_json, read_bytes, read_text, write_file
from nimmt_lab.native.outcomes import FIELDS, WIN_CREDIT, Outcomes, Totals
from nimmt_lab.native.work import CREDIT

if TYPE_CHECKING:
    import polars as pl

    from .simulate import Simulation

_FORMAT = "nimmt-simulation/1"
#: A portion takes a few megabytes at most.
_LARGEST = 200_000_000
#: More different numbers of heads than a round can bring.
_MOST_COUNTS = 100_000
_WITH_HEADS = "rounds with {} heads"


_PORTION = re.compile(r"(rounds-\d{12,}-\d{12,})(?:-([0-9a-f]{16}))?\.parquet")


def _fingerprint(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()[:16]


def outcomes_frame(part: Outcomes, sides: list[tuple[str, str]]) -> pl.DataFrame:
    """A row per round and side. Where the engine played, who won is told, too: the game itself knows best."""
    with wanted("lab"):
        import polars as pl

    n = part.players
    size = part.rounds * n
    place = pl.int_range(size, dtype=pl.Int64, eager=True)
    letters, policies = (pl.Series(column, dtype=pl.String) for column in zip(*sides, strict=True))
    columns = {
        "round": place // n + (part.first + 1),
        "seat": letters.gather(place % n),
        "policy": policies.gather(place % n),
    }
    for name in FIELDS:
        columns[name] = pl.Series(name, list(part.column(name)), dtype=pl.UInt8 if part.code == "B" else pl.Int32)
    if part.code != "B":
        columns[WIN_CREDIT] = pl.Series(WIN_CREDIT, list(part.column(WIN_CREDIT)), dtype=pl.Float64) / CREDIT
    return pl.DataFrame(columns)


class Store:
    """Portions as Parquet files in a folder, with a note of what they are portions of.

    A portion's name ends with a fingerprint of what is in it. A file that is not what its name says never gets to the
    reader of such tables: a few wrong bytes can make that ask for more memory than there is, and end Python with it.
    """

    def __init__(self, folder: Path, of: Simulation, keep: bool) -> None:
        self.folder = folder
        self.sides = of.sides
        self.keep = keep
        note = {
            "format": _FORMAT,
            "game": repr(of.game),
            "policies": list(of.policies),
            "low_card": list(of.low_card),
            "seed": of.seed,
            "each_round": keep,
        }
        make_folder(folder)
        path = folder / "simulation.json"
        if os.path.lexists(path):
            if parse_json(read_text(path), source=name_of(path)) != note:
                raise NotationError("study.other_simulation", source=name_of(path))
        else:
            write_file(path, json.dumps(note, indent=1) + "\n")
        named = ((_PORTION.fullmatch(name), name) for name in sorted(os.listdir(folder)))
        self._there = {match[1]: (self.folder / name, match[2]) for match, name in named if match}

    @property
    def portions(self) -> list[tuple[int, int]]:
        """Where each portion that was written before begins (from 0), and how many rounds it has."""
        ends = (tuple(map(int, name.split("-")[1:])) for name in self._there)
        return sorted((first - 1, last - first + 1) for first, last in ends)

    @staticmethod
    def _name(first: int, rounds: int) -> str:
        return f"rounds-{first + 1:012d}-{first + rounds:012d}"

    def write(self, first: int, part: Outcomes | Totals) -> None:
        """A file that bears its name is whole."""
        frame = outcomes_frame(part, self.sides) if isinstance(part, Outcomes) else self._totals_frame(part)
        table = io.BytesIO()
        frame.write_parquet(table)
        content = table.getvalue()
        write_file(self.folder / f"{self._name(first, part.rounds)}-{_fingerprint(content)}.parquet", content)

    def read(self, first: int, rounds: int) -> Outcomes | Totals | None:
        """A portion that was written before."""
        path, mark = self._there.get(self._name(first, rounds), (None, None))
        if path is None:
            return None
        with wanted("lab"):
            import polars as pl

        there = read_bytes(path, largest=_LARGEST)
        if mark is not None and _fingerprint(there) != mark:  # earlier versions wrote none
            raise NotationError("study.not_what_was_written", source=name_of(path))
        content = io.BytesIO(there)
        try:
            # A few bytes can stand for more rows than any memory holds: no more are made than there should be, and one.
            frame = pl.read_parquet(content, n_rows=(rounds if self.keep else _MOST_COUNTS) * len(self.sides) + 1)
            return self._outcomes(frame, first, rounds) if self.keep else self._totals(frame, rounds)
        except (
            pl.exceptions.PolarsError, pl.exceptions.PanicException, OSError, ValueError, TypeError, OverflowError,
            LookupError, AttributeError,
        ) as error:  # fmt: skip
            told = str(error).partition("\n")[0][:200]
            raise NotationError("study.cannot_read_rounds", problem=told, source=name_of(path)) from None

    def _outcomes(self, frame: pl.DataFrame, first: int, rounds: int) -> Outcomes:
        n = len(self.sides)
        if len(frame) != rounds * n:
            raise ValueError(f"expected {rounds} rounds of {n} seats")
        if WIN_CREDIT not in frame.columns:
            data = bytes(value for row in frame.select(FIELDS).iter_rows() for value in row)
            return Outcomes(n, first, rounds, data)
        rows = frame.select(*FIELDS, WIN_CREDIT).iter_rows()
        numbers = [number for *fields, credit in rows for number in (*fields, round(credit * CREDIT))]
        return Outcomes(n, first, rounds, array("i", numbers).tobytes(), "i")

    def _totals_frame(self, totals: Totals) -> pl.DataFrame:
        """A row per side and number: rounds with so many heads, then the sums (win credit in parts of CREDIT)."""
        with wanted("lab"):
            import polars as pl

        sums = [*FIELDS[1:], f"win credit, in parts of {CREDIT}"]
        rows = []
        for (letter, _), counts, added in zip(self.sides, totals.counts, totals.sums, strict=True):
            rows += [(letter, _WITH_HEADS.format(heads), count) for heads, count in counts]
            rows += [(letter, what, value) for what, value in zip(sums, added, strict=True)]
        return pl.DataFrame(rows, schema={"seat": pl.String, "what": pl.String, "value": pl.Int64}, orient="row")

    def _totals(self, frame: pl.DataFrame, rounds: int) -> Totals:
        counts, sums = [], []
        for letter, _ in self.sides:
            found = {what: value for seat, what, value in frame.iter_rows() if seat == letter}
            heads = {int(what.split()[2]): value for what, value in found.items() if what.startswith("rounds with ")}
            counts.append(tuple(sorted((number, count) for number, count in heads.items() if count)))
            sums.append(tuple(value for what, value in found.items() if not what.startswith("rounds with ")))
            if sum(heads.values()) != rounds or len(sums[-1]) != len(FIELDS):
                raise ValueError(f"expected {rounds} rounds of {len(self.sides)} seats")
        return Totals(len(self.sides), rounds, tuple(counts), tuple(sums))
