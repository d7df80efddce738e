"""Simulated rounds as data frames, and stored in a folder so that a simulation can resume."""

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

from .frames import data_frame

if TYPE_CHECKING:
    import polars as pl

    from .simulate import Simulation

_FORMAT = "nimmt-simulation/1"
#: Far above the few megabytes of a portion.
_LARGEST = 200_000_000
#: More distinct numbers of heads than a round can have.
_MOST_COUNTS = 100_000
_WITH_HEADS = "rounds with {} heads"
_PORTION = re.compile(r"(rounds-\d{12,}-\d{12,})(?:-([0-9a-f]{16}))?\.parquet")


def fingerprint(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()[:16]


def outcomes_frame(part: Outcomes, sides: list[tuple[str, str]]) -> pl.DataFrame:
    """A row per round and side; with the win credit if the engine played them."""
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
    """Portions of a simulation as Parquet files in a folder, with a description of the simulation.

    A file's name ends with a fingerprint of its content. Files that do not match are rejected before polars reads
    them: a few wrong bytes can make it allocate more memory than there is, and crash Python.
    """

    def __init__(self, folder: Path, of: Simulation, keep: bool) -> None:
        self.folder = folder
        self.sides = of.sides
        self.keep = keep
        description = {
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
            if parse_json(read_text(path), source=name_of(path)) != description:
                raise NotationError("study.other_simulation", source=name_of(path))
        else:
            write_file(path, json.dumps(description, indent=1) + "\n")
        named = ((_PORTION.fullmatch(name), name) for name in sorted(os.listdir(folder)))
        self._stored = {match[1]: (self.folder / name, match[2]) for match, name in named if match}

    @property
    def portions(self) -> list[tuple[int, int]]:
        """First round (from 0) and number of rounds of each stored portion."""
        ends = (tuple(map(int, name.split("-")[1:])) for name in self._stored)
        return sorted((first - 1, last - first + 1) for first, last in ends)

    @staticmethod
    def _name(first: int, rounds: int) -> str:
        return f"rounds-{first + 1:012d}-{first + rounds:012d}"

    def write(self, first: int, part: Outcomes | Totals) -> None:
        """Store a portion. The name is given last, so a file with it is complete."""
        frame = outcomes_frame(part, self.sides) if isinstance(part, Outcomes) else self._totals_frame(part)
        table = io.BytesIO()
        frame.write_parquet(table)
        content = table.getvalue()
        write_file(self.folder / f"{self._name(first, part.rounds)}-{fingerprint(content)}.parquet", content)

    def read(self, first: int, rounds: int) -> Outcomes | Totals | None:
        """Read a stored portion; None if there is none."""
        path, mark = self._stored.get(self._name(first, rounds), (None, None))
        if path is None:
            return None
        with wanted("lab"):
            import polars as pl

        data = read_bytes(path, largest=_LARGEST)
        if mark is not None and fingerprint(data) != mark:  # earlier versions had none
            raise NotationError("study.not_what_was_written", source=name_of(path))
        content = io.BytesIO(data)
        try:
            # A few bytes can describe more rows than fit in memory, so read one more than expected at most.
            frame = pl.read_parquet(content, n_rows=(rounds if self.keep else _MOST_COUNTS) * len(self.sides) + 1)
            return self._outcomes(frame, first, rounds) if self.keep else self._totals(frame, rounds)
        except (
            pl.exceptions.PolarsError, pl.exceptions.PanicException, OSError, ValueError, TypeError, OverflowError,
            LookupError, AttributeError,
        ) as error:  # fmt: skip
            problem = str(error).partition("\n")[0][:200]
            raise NotationError("study.cannot_read_rounds", problem=problem, source=name_of(path)) from None

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
        """A row per side and number: rounds by heads, then the sums (win credit in parts of CREDIT)."""
        sums = [*FIELDS[1:], f"win credit, in parts of {CREDIT}"]
        rows = []
        for (letter, _), counts, added in zip(self.sides, totals.counts, totals.sums, strict=True):
            rows += [(letter, _WITH_HEADS.format(heads), count) for heads, count in counts]
            rows += [(letter, what, value) for what, value in zip(sums, added, strict=True)]
        return data_frame(rows, {"seat": str, "what": str, "value": int})

    def _totals(self, frame: pl.DataFrame, rounds: int) -> Totals:
        counts, sums = [], []
        for letter, _ in self.sides:
            values = {what: value for seat, what, value in frame.iter_rows() if seat == letter}
            heads = {int(what.split()[2]): value for what, value in values.items() if what.startswith("rounds with ")}
            counts.append(tuple(sorted((number, count) for number, count in heads.items() if count)))
            sums.append(tuple(value for what, value in values.items() if not what.startswith("rounds with ")))
            if sum(heads.values()) != rounds or len(sums[-1]) != len(FIELDS):
                raise ValueError(f"expected {rounds} rounds of {len(self.sides)} seats")
        return Totals(len(self.sides), rounds, tuple(counts), tuple(sums))
