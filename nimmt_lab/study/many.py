"""A folder of games reviewed: a row per game and player, by any executor, kept in a file and gone on from there."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from nimmt_lab.engine.cards import Seat, seat_letter
from nimmt_lab.engine.errors import NimmtError, NotationError, RulesError
from nimmt_lab.engine.extras import wanted
from nimmt_lab.engine.files import PathLike, name_of, parse_json, read_text, write_file
from nimmt_lab.engine.record import Record

from .reviews import PLAYOUTS, review
from .work import as_far_as_it_goes, bar, in_portions

if TYPE_CHECKING:
    import polars as pl

_FORMAT = "nimmt-reviews/1"
#: What a file of games ends with.
ENDINGS = (".nimmt", ".json")


class Line(NamedTuple):
    """What one player made of one game. Heads or points that choices cost and luck brought; None where not known."""

    file: str
    game: str
    seat: str
    player: str
    choices: int
    accuracy: float | None
    lost: float
    mistakes: int
    blunders: int
    result: int | None
    luck: float | None
    skill: float | None


@dataclass(frozen=True, repr=False)
class Reviews:
    """The games of a folder, reviewed."""

    lines: tuple[Line, ...]
    #: Files that could not be read, and why.
    problems: tuple[tuple[str, str], ...]
    asked: int

    @property
    def games(self) -> int:
        """Games that were reviewed."""
        return len({line.file for line in self.lines})

    @property
    def is_complete(self) -> bool:
        """Whether every file was looked at."""
        return self.games + len(self.problems) == self.asked

    def accuracy(self, player: str) -> float | None:
        """The mean accuracy of a player over the games, each counted by its choices."""
        mine = [line for line in self.lines if line.player == player and line.accuracy is not None]
        weights = sum(line.choices for line in mine)
        return sum(line.choices * (line.accuracy or 0.0) for line in mine) / weights if weights else None

    @property
    def frame(self) -> pl.DataFrame:
        """A row per game and player."""
        with wanted("lab"):
            import polars as pl

        return pl.DataFrame(self.lines, schema=list(Line._fields), orient="row", infer_schema_length=None)

    def __repr__(self) -> str:
        done = f"{self.games:,}" + ("" if self.is_complete else f" of {self.asked:,}")
        names = list(dict.fromkeys(line.player for line in self.lines))
        kept = [(name, self.accuracy(name)) for name in names]
        lines = [f"  {name}: accuracy {known:.1f}" for name, known in kept if known is not None]
        lines += [f"  {name}: {why}" for name, why in self.problems]
        return "\n".join([f"<{done} games reviewed", *lines]) + ">"


def review_games(
    games: PathLike | Iterable[PathLike],
    *,
    seat: Seat | None = None,
    seed: int = 0,
    playouts: int = PLAYOUTS,
    executor: Executor | None = None,
    file: PathLike | None = None,
    progress: bool = True,
) -> Reviews:
    """Review the games of a folder (or these files) by search, as `review` does.

    `executor` is any of `concurrent.futures` (`Client.get_executor()` of dask for many machines); without one this
    machine's processes do it. With `file` every finished game is kept there, and a later call goes on from it. An
    interrupt, or a worker that ends, keeps what is done.
    """
    paths = _files(games)
    kept = _Kept(Path(file), seat, seed, playouts) if file is not None else None
    done = {} if kept is None else {name: one for name, one in kept.done.items() if name in paths}
    left = [name for name in paths if name not in done]
    meter = bar(len(left), "games", progress)
    with as_far_as_it_goes(meter):
        for name, found in in_portions(partial(_reviewed, seat, seed, playouts), left, executor, processes=True):
            done[name] = found
            meter.update(1)
            if kept:
                kept.keep(name, found)
    lines = tuple(line for name in paths if isinstance(one := done.get(name), list) for line in one)
    problems = tuple((name_of(name), one) for name in paths if isinstance(one := done.get(name), str))
    return Reviews(lines, problems, len(paths))


def _files(games: PathLike | Iterable[PathLike]) -> list[str]:
    if isinstance(games, str | os.PathLike):
        folder = Path(games)
        if not folder.is_dir():
            raise RulesError("study.no_folder", folder=name_of(folder))
        games = sorted(path for path in folder.iterdir() if path.suffix in ENDINGS)
    return [str(path) for path in games]


def _reviewed(seat: Seat | None, seed: int, playouts: int, name: str) -> list[Line] | str:
    """The lines of one game, or why there are none."""
    try:
        record = Record.load(name)
        found = review(record, seat=seat, method="search", seed=seed, playouts=playouts, progress=False)
    except NimmtError as error:
        return str(error)
    lines = []
    for one in found.seats:
        mine = [judgement for judgement in found.judgements if judgement.seat == one]
        named, split = found.verdicts(one), found.splits.get(one)
        lines.append(
            Line(
                name_of(name),
                record.game.name,
                seat_letter(one),
                found.names.get(one, seat_letter(one)),
                len(mine),
                found.accuracy(one),
                sum(judgement.about or 0.0 for judgement in mine),
                named["mistake"],
                named["blunder"],
                None if split is None else split.result,
                None if split is None else split.luck.value,
                None if split is None else split.skill.value,
            )
        )
    return lines


class _Kept:
    """What is done, in a file: a JSON value a line."""

    def __init__(self, path: Path, seat: Seat | None, seed: int, playouts: int) -> None:
        self.path = path
        self.note = {"format": _FORMAT, "seat": seat, "seed": seed, "playouts": playouts}
        self.done: dict[str, list[Line] | str] = {}
        if os.path.lexists(path):
            self._read()

    def _read(self) -> None:
        first, *lines = read_text(self.path).splitlines() or [""]
        name = name_of(self.path)
        if parse_json(first, source=name) != self.note:
            raise NotationError("study.file_holds_other", source=name)
        for number, line in enumerate(lines, 2):
            match parse_json(line, source=name):
                case [str(file), str(problem)]:
                    self.done[file] = problem
                case [str(file), list(rows)] if all(_is_line(row) for row in rows):
                    self.done[file] = [Line(*row) for row in rows]
                case _:
                    raise NotationError("study.line_not_reviewed", number=number, source=name)

    def keep(self, name: str, found: Sequence[Line] | str) -> None:
        """One more game; the whole file, so that it is never half written."""
        self.done[name] = found if isinstance(found, str) else list(found)
        lines = [self.note, *([name, one] for name, one in sorted(self.done.items()))]
        write_file(self.path, "\n".join(json.dumps(line) for line in lines) + "\n")


def _is_line(row: object) -> bool:
    """Whether these can be the values of a `Line`, each of its kind: a file may have been changed by hand."""
    match row:
        case [str(), str(), str(), str(), choices, accuracy, lost, mistakes, blunders, result, luck, skill]:
            whole = all(type(one) is int for one in (choices, mistakes, blunders))
            numbers = all(one is None or type(one) in (int, float) for one in (accuracy, luck, skill))
            return whole and numbers and type(lost) in (int, float) and (result is None or type(result) is int)
        case _:
            return False
