"""A data set: many rounds of the classic game between named players, a row for each choice, as Parquet.

>>> import tempfile
>>> folder = tempfile.mkdtemp()
>>> made = make_dataset(folder, rounds=200, players=[3], bots=["level-1", "edges-first"], progress=False)
>>> made
<data set of 200 rounds: players 3, by level-1, edges-first>
>>> dataset(folder).collect().height == made.rows
True

Round r of a data set is dealt from the seed `Rng.from_seed(seed, r).state`, which is in the column `seed`, so any game
can be dealt again: `Classic(players=3, rounds=1).deal(seed)`. Equal settings give equal files, with or without the
compiled core.
"""

from __future__ import annotations

import io
import json
import os
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING, Final

from nimmt_lab.bots import bot
from nimmt_lab.engine.cards import seat_letter
from nimmt_lab.engine.errors import NotationError, RulesError
from nimmt_lab.engine.extras import wanted
from nimmt_lab.engine.files import make_folder, name_of, parse_json, read_bytes, read_text, shown, write_file
from nimmt_lab.engine.limits import check_count
from nimmt_lab.engine.rng import check_seed

from .choice_rows import KINDS, TAKES
from .store import fingerprint
from .tables import Tables, is_quick
from .work import Workers, as_far_as_it_goes, bar, in_portions

if TYPE_CHECKING:
    import polars as pl

__all__ = ["COMPANIES", "SIZES", "USUAL_BOTS", "Made", "dataset", "make_dataset", "schema"]

_FORMAT = "nimmt-dataset/1"
_ABOUT = "dataset.json"
#: Table sizes, and players: rules of thumb, and the levels that the core plays.
SIZES: Final = (2, 3, 4, 5, 6, 10)
USUAL_BOTS: Final = ("level-1", "level-2", "level-3", "level-4", "level-5", "lowest", "highest", "least-risk")
#: Rounds in a file: by the core, and if a player is asked by the engine.
_PORTION, _SLOW_PORTION = 5_000, 100
_MOST_BOTS = 50
_LARGEST = 200_000_000
_FILE = re.compile(r"rounds-(\d{9,12})-(\d{9,12})-([0-9a-f]{16})\.parquet")
#: Whether all seats of a round have the same player, or each was drawn.
COMPANIES = ("same", "mixed")
_ROWS = (1, 2, 3, 4)


@dataclass(frozen=True, slots=True)
class Plan:
    """What a data set contains. Every other round has the same player in all seats, the others draw one for each."""

    rounds: int
    seed: int
    sizes: tuple[int, ...]
    bots: tuple[str, ...]

    def __post_init__(self) -> None:
        check_count(self.rounds, "rounds", 1, 10**9)
        check_seed(self.seed)
        for size in self.sizes:
            if isinstance(size, bool) or not isinstance(size, int) or not 2 <= size <= 10:
                raise RulesError("study.dataset_players", got=shown(size))
        if not self.sizes or not 1 <= len(self.bots) <= _MOST_BOTS or len({*self.bots}) < len(self.bots):
            raise RulesError("study.dataset_lists")
        for name in self.bots:
            bot(name)  # refuses unknown names

    @property
    def portion(self) -> int:
        """Rounds in a file; fewer in a small data set, so that every table size has its share."""
        most = _SLOW_PORTION if self.is_slow else _PORTION
        return max(1, min(most, -(-self.rounds // len(self.sizes))))

    @property
    def is_slow(self) -> bool:
        return not all(map(is_quick, self.bots))

    @property
    def portions(self) -> Iterator[tuple[int, int]]:
        """First round (from 0) and number of rounds of each file."""
        return ((first, min(self.portion, self.rounds - first)) for first in range(0, self.rounds, self.portion))

    def tables(self, first: int) -> Tables:
        """The tables of the file that begins with this round; sizes take turns."""
        return Tables(self.sizes[first // self.portion % len(self.sizes)], self.bots, self.seed)

    def path(self, first: int, rounds: int) -> str:
        """The folder of a file, and how its name begins."""
        return f"players={self.tables(first).players}/rounds-{first + 1:09d}-{first + rounds:09d}-"

    def portion_of(self, path: str) -> tuple[int, int] | None:
        """First round and number of rounds of a file with that path; None if the plan has no such file."""
        match = _FILE.fullmatch(path.rpartition("/")[2])
        if match is None:
            return None
        first = int(match[1]) - 1
        count = min(self.portion, self.rounds - first)
        planned = 0 <= first < self.rounds and first % self.portion == 0
        return (first, count) if planned and path.startswith(self.path(first, count)) else None

    def about(self) -> dict[str, object]:
        return {
            "format": _FORMAT,
            "rounds": self.rounds,
            "seed": self.seed,
            "players": [*self.sizes],
            "bots": [*self.bots],
        }

    @classmethod
    def read(cls, folder: Path) -> Plan:
        path = folder / _ABOUT
        about = parse_json(read_text(path), source=name_of(path))
        if not isinstance(about, dict) or about.get("format") != _FORMAT:
            raise NotationError("study.not_dataset", source=name_of(path))
        sizes, bots = about.get("players"), about.get("bots")
        try:
            if not isinstance(sizes, list) or not isinstance(bots, list) or not all(isinstance(b, str) for b in bots):
                raise RulesError("study.dataset_lists")
            return cls(about.get("rounds"), about.get("seed"), tuple(sizes), tuple(bots))  # type: ignore[arg-type]
        except RulesError as error:
            raise NotationError("study.not_dataset", source=name_of(path)) from error


@dataclass(frozen=True, slots=True, repr=False)
class Made:
    """A data set on disk: `rounds` is the number played, fewer than planned after an interrupt."""

    folder: Path
    plan: Plan
    rounds: int
    rows: int

    @property
    def is_complete(self) -> bool:
        return self.rounds == self.plan.rounds

    def __repr__(self) -> str:
        done = f"{self.rounds:,}" + ("" if self.is_complete else f" of {self.plan.rounds:,}")
        sizes = ", ".join(map(str, self.plan.sizes))
        return f"<data set of {done} rounds: players {sizes}, by {', '.join(self.plan.bots)}>"


def schema() -> pl.Schema:
    """The columns of a data set. The page *A data set of choices* of the documentation explains them."""
    with wanted("lab"):
        import polars as pl

    small = pl.UInt8()
    words = {
        "company": pl.Enum(COMPANIES),
        "seat": pl.Enum([seat_letter(seat) for seat in range(10)]),
        "kind": pl.Enum(KINDS),
        "took": pl.Enum(TAKES),
    }
    columns: dict[str, pl.DataType] = {"round": pl.UInt32(), "seed": pl.UInt64(), "players": small}
    columns |= {"company": words["company"], "seat": words["seat"], "player": pl.String(), "turn": small}
    columns |= {"kind": words["kind"]}
    columns |= dict.fromkeys(("card", "rank", "row", "row_end", "row_count", "row_heads", "gap", "between"), small)
    columns |= {f"{what}_{row}": small for what in ("end", "count", "heads") for row in _ROWS}
    columns |= {"landed": small, "took": words["took"], "heads": small, "round_heads": small, "win": pl.Float32()}
    return pl.Schema(columns)


def make_dataset(
    folder: str | Path,
    rounds: int = 1_000_000,
    seed: int = 0,
    *,
    players: Sequence[int] = SIZES,
    bots: Sequence[str] = USUAL_BOTS,
    executor: Workers = None,
    progress: bool = True,
) -> Made:
    """Play rounds of the classic game and store every choice in a folder, one file for some thousand rounds.

    `players`: table sizes, which take turns. `bots`: who plays, by name (`nimmt_lab.bots`). In half of the rounds all
    seats have the same player; in the others each seat draws one. Rules of thumb and the levels 1 to 5 are played by
    the compiled core, others by the engine, which is far slower.
    `executor`: as for `simulate`. Repeating an interrupted call plays only the missing files.
    """
    path = Path(folder)
    plan = Plan(rounds, seed, tuple(players), tuple(bots))
    make_folder(path)
    if os.path.lexists(path / _ABOUT):
        if Plan.read(path) != plan:
            raise NotationError("study.other_dataset", source=name_of(path / _ABOUT))
    else:
        write_file(path / _ABOUT, json.dumps(plan.about(), indent=1) + "\n")
    stored = {(first, count): file for first, count, file in _files(path, plan)}
    meter = bar(rounds, "rounds", progress)
    done = rows = 0
    for (_, count), file in stored.items():
        done, rows = done + count, rows + _height(_checked(file))
        meter.update(count)
    missing = (portion for portion in plan.portions if portion not in stored)
    with as_far_as_it_goes(meter):
        for (first, count), (height, content) in in_portions(
            partial(_play, plan), missing, executor, processes=plan.is_slow
        ):
            place = plan.path(first, count)
            make_folder(path / place.partition("/")[0])
            write_file(path / f"{place}{fingerprint(content)}.parquet", content)
            done, rows = done + count, rows + height
            meter.update(count)
    return Made(path, plan, done, rows)


def _play(plan: Plan, portion: tuple[int, int]) -> tuple[int, bytes]:
    """The rows of some rounds: how many, and as Parquet."""
    frame = _frame(plan, *portion)
    table = io.BytesIO()
    frame.write_parquet(table, compression="zstd", compression_level=9)
    return frame.height, table.getvalue()


def _frame(plan: Plan, first: int, rounds: int) -> pl.DataFrame:
    with wanted("lab"):
        import polars as pl

    tables = plan.tables(first)
    raw = tables.play(first, rounds)
    columns = {name: pl.Series(name, raw[name], dtype=pl.UInt8) for name in raw if name != "round"}
    number = pl.Series("number", raw["round"], dtype=pl.UInt16).cast(pl.UInt32)
    n = tables.players
    drawn = [tables.seats(first + at) for at in range(rounds)]
    seeds = pl.Series("seed", [tables.seed_of(first + at) for at in range(rounds)], dtype=pl.UInt64)
    names = pl.Series("player", [name for seats in drawn for name in seats], dtype=pl.String)
    frame = pl.DataFrame(columns).with_columns(
        number=number,
        round=number + (first + 1),
        seed=seeds.gather(number),
        players=pl.lit(n, pl.UInt8),
        company=(number + first) % 2,
        player=names.gather(number * n + columns["seat"]),
    )
    home, is_card = pl.col("home"), pl.col("kind") == 0
    there = home > 0
    picked = {
        f"row_{what}": pl.coalesce(pl.when(home == row).then(f"{what}_{row}") for row in _ROWS)
        for what in ("end", "count", "heads")
    }
    known = schema()
    return frame.select(
        "round",
        "seed",
        "players",
        _word("company", COMPANIES),
        _word("seat", [seat_letter(seat) for seat in range(10)]),
        "player",
        "turn",
        _word("kind", KINDS),
        "card",
        pl.when(is_card).then("rank").alias("rank"),
        pl.when(there).then(home).alias("row"),
        *(value.alias(name) for name, value in picked.items()),
        pl.when(is_card & there).then("gap").alias("gap"),
        pl.when(is_card).then("between").alias("between"),
        *(f"{what}_{row}" for what in ("end", "count", "heads") for row in _ROWS),
        "landed",
        _word("took", TAKES),
        pl.col("cost").alias("heads"),
        pl.col("all_heads").alias("round_heads"),
        pl.when(pl.col("winners") > 0).then(1 / pl.col("winners")).otherwise(0).cast(pl.Float32).alias("win"),
    ).cast(dict(known))  # type: ignore[arg-type]


def _word(column: str, words: Sequence[str]) -> pl.Expr:
    """A number as the word at that place."""
    import polars as pl

    return pl.col(column).replace_strict(dict(enumerate(words)), return_dtype=pl.Enum(words))


# Loading ---------------------------------------------------------------------------------------------------


def dataset(folder: str | Path | None = None, *, players: int | None = None) -> pl.LazyFrame:
    """A data set as a lazy frame with the columns of `schema()`: that of a folder, or the sample that comes with the
    package. `players`: only tables of this size.

    Every file is compared with the fingerprint in its name before polars reads it. A `NotationError` names the file
    that is damaged, or isn't part of a data set.

    >>> sample = dataset(players=4)
    >>> sample.select("players", "card").head(1).collect().shape
    (1, 2)
    """
    with wanted("lab"):
        import polars as pl

    if folder is None:
        with resources.as_file(resources.files("nimmt_lab.study").joinpath("data/choices")) as path:
            return dataset(path, players=players)
    where = Path(folder)
    plan = Plan.read(where)
    if players is not None and players not in plan.sizes:
        raise RulesError("study.dataset_no_size", got=players, known=", ".join(map(str, plan.sizes)))
    known, paths = schema(), list[Path]()
    for first, _, path in _files(where, plan):
        if players is None or plan.tables(first).players == players:
            content = _checked(path)
            if pl.read_parquet_schema(io.BytesIO(content)) != known:
                raise NotationError("study.dataset_columns", source=name_of(path))
            paths.append(path)
    if not paths:
        return pl.LazyFrame(schema=known)
    return pl.scan_parquet(paths, hive_partitioning=False, glob=False)


def _files(folder: Path, plan: Plan) -> list[tuple[int, int, Path]]:
    """The finished files: first round, number of rounds and path. Files that don't belong there are refused."""
    found = dict[tuple[int, int], Path]()
    for size in sorted({*plan.sizes}):
        place = folder / f"players={size}"
        for name in sorted(os.listdir(place)) if place.is_dir() else ():
            if name.endswith(".parquet"):
                portion = plan.portion_of(f"players={size}/{name}")
                if portion is None or portion in found:
                    raise NotationError("study.not_in_dataset", source=name_of(place / name))
                found[portion] = place / name
    return [(*portion, path) for portion, path in sorted(found.items())]


def _checked(path: Path) -> bytes:
    """The content of a file, if it is what was written: damaged files can make polars crash."""
    content = read_bytes(path, largest=_LARGEST)
    if fingerprint(content) != path.stem[-16:]:
        raise NotationError("study.not_what_was_written", source=name_of(path))
    return content


def _height(content: bytes) -> int:
    with wanted("lab"):
        import polars as pl

    return int(pl.scan_parquet(io.BytesIO(content)).select(pl.len()).collect().item())
