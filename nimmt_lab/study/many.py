"""Review a folder of games: a row per game and player, on any executor, resumable from a file."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from nimmt_lab.engine.cards import Seat, seat_letter, seat_number
from nimmt_lab.engine.errors import NimmtError, NotationError, PositionError, RulesError
from nimmt_lab.engine.files import PathLike, name_of, parse_json, read_text, write_file
from nimmt_lab.engine.limits import check_count
from nimmt_lab.engine.notes_text import record_of
from nimmt_lab.engine.sheet import Figure, Figures, Sheet, Shown

from .frames import data_frame
from .own import KINDS, TITLES, mistakes
from .reviews import PLAYOUTS, review
from .work import Workers, as_far_as_it_goes, bar, in_portions

if TYPE_CHECKING:
    import polars as pl

_FORMAT = "nimmt-reviews/2"
#: Its results lack the kinds of mistakes: those games are reviewed again.
_EARLIER = "nimmt-reviews/1"
#: Letters that a seat can have before its game is known.
_MOST_SEATS = 26
#: Lines of games that are shown.
_SHOWN = 20
#: File extensions of games.
ENDINGS = (".nimmt", ".json", ".notes")


class Line(NamedTuple):
    """One player's results in one game, in heads or points; None if unknown."""

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
    #: Mistakes and blunders by kind (see `nimmt_lab.study.own.KINDS`).
    low_cards: int = 0
    full_rows: int = 0
    high_cards: int = 0
    rows: int = 0
    others: int = 0


class Period(NamedTuple):
    """A player's results over some games in a row: means for a game, and mistakes of each kind."""

    first: str
    last: str
    games: int
    accuracy: float | None
    luck: float | None
    skill: float | None
    mistakes: int


class Periods(Shown, tuple[Period, ...]):
    """A player's results over time."""

    player: str

    def __new__(cls, player: str, periods: Iterable[Period]) -> Periods:
        made = super().__new__(cls, periods)
        made.player = player
        return made

    def __getnewargs__(self) -> tuple[str, tuple[Period, ...]]:
        return self.player, tuple(self)

    def figures(self) -> Figures:
        """A line for each period."""
        lines = [
            Figure(
                (
                    f"{Path(one.first).name} to {Path(one.last).name}",
                    "" if one.accuracy is None else f"{one.accuracy:.1f}",
                )
                + (_mean([one.luck]), _mean([one.skill]), f"{one.mistakes / one.games:.1f}"),
                (one.accuracy or 0) / 100,
            )
            for one in self
        ]
        return Figures(("", "accuracy", "luck", "skill", "mistakes a game"), lines, f"{self.player} over time")

    def sheet(self) -> Sheet:
        part = self.figures()
        return Sheet(part.caption, [replace(part, caption="")])

    __str__ = Shown.__str__
    __repr__ = Shown.__str__


@dataclass(frozen=True, repr=False)
class Reviews(Shown):
    """The reviews of several games."""

    lines: tuple[Line, ...]
    #: Files that could not be reviewed, with the reason.
    problems: tuple[tuple[str, str], ...]
    asked: int

    @property
    def games(self) -> int:
        return len({line.file for line in self.lines})

    @property
    def is_complete(self) -> bool:
        """Whether every file was processed."""
        return self.games + len(self.problems) == self.asked

    def accuracy(self, player: str) -> float | None:
        """A player's mean accuracy over the games, weighted by choices."""
        mine = [line for line in self.lines if line.player == player and line.accuracy is not None]
        weights = sum(line.choices for line in mine)
        return sum(line.choices * (line.accuracy or 0.0) for line in mine) / weights if weights else None

    def kinds(self, player: str) -> dict[str, int]:
        """A player's mistakes and blunders by kind, over all games."""
        mine = [line[-len(KINDS) :] for line in self.lines if line.player == player]
        return dict(zip(KINDS, map(sum, zip(*mine, strict=True)), strict=True)) if mine else dict.fromkeys(KINDS, 0)

    def over_time(self, player: str, every: int = 5) -> Periods:
        """A player's results over time, as means over `every` games in a row, in the order of the files."""
        check_count(every, "every", 1, 10_000)
        mine = [line for line in self.lines if line.player == player]
        return Periods(player, (_period(mine[at : at + every]) for at in range(0, len(mine), every)))

    def sheet(self) -> Sheet:
        """Each player's accuracy, luck, skill and mistakes by kind, over time, then game by game."""
        done = f"{self.games:,}" + ("" if self.is_complete else f" of {self.asked:,}")
        players = []
        for name in dict.fromkeys(line.player for line in self.lines):
            mine, kept = [line for line in self.lines if line.player == name], self.accuracy(name)
            faults = f"{sum(line.mistakes for line in mine)} / {sum(line.blunders for line in mine)}"
            cells = (name, str(len(mine)), "" if kept is None else f"{kept:.1f}", faults)
            players.append(
                Figure(
                    (*cells, _mean(line.luck for line in mine), _mean(line.skill for line in mine)), (kept or 0) / 100
                )
            )
        columns = ("", "games", "accuracy", "mistakes / blunders", "luck a game", "skill a game")
        games = [
            Figure(
                (Path(line.file).name, line.player, "" if line.accuracy is None else f"{line.accuracy:.1f}")
                + (
                    "" if line.luck is None else f"{line.luck:+.1f}",
                    "" if line.skill is None else f"{line.skill:+.1f}",
                ),
                (line.accuracy or 0) / 100,
            )
            for line in self.lines[-_SHOWN:]
        ]
        listed = Figures(("game", "player", "accuracy", "luck", "skill"), games, "Game by game")
        parts = [Figures(columns, players), *self._kinds_part(), *self._time_parts(), listed] if players else []
        return Sheet(f"{done} games reviewed", parts, notes=self._problems())

    def _problems(self) -> list[str]:
        """A line for each file that could not be reviewed; many reasons begin with its name."""
        return [why if why.startswith(name) else f"{name}: {why}" for name, why in self.problems]

    def _kinds_part(self) -> list[Figures]:
        names = dict.fromkeys(line.player for line in self.lines)
        lines = [Figure((name, *map(str, self.kinds(name).values()))) for name in names]
        return [Figures(("", *TITLES.values()), lines, "Mistakes by kind")]

    def _time_parts(self) -> list[Figures]:
        """Over time, for the players with enough games."""
        parts = []
        for name in dict.fromkeys(line.player for line in self.lines):
            periods = self.over_time(name)
            if len(periods) < 2:
                continue
            parts.append(periods.figures())
        return parts

    __str__ = Shown.__str__

    @property
    def frame(self) -> pl.DataFrame:
        """A row per game and player, in the order of the files: their results over time."""
        return data_frame(self.lines, Line._fields)

    def __repr__(self) -> str:
        done = f"{self.games:,}" + ("" if self.is_complete else f" of {self.asked:,}")
        names = list(dict.fromkeys(line.player for line in self.lines))
        accuracies = [(name, self.accuracy(name)) for name in names]
        lines = [f"  {name}: accuracy {known:.1f}" for name, known in accuracies if known is not None]
        lines += [f"  {line}" for line in self._problems()]
        return "\n".join([f"<{done} games reviewed", *lines]) + ">"


def _period(lines: Sequence[Line]) -> Period:
    weights = sum(line.choices for line in lines if line.accuracy is not None)
    kept = sum(line.choices * line.accuracy for line in lines if line.accuracy is not None)
    luck = [line.luck for line in lines if line.luck is not None]
    skill = [line.skill for line in lines if line.skill is not None]
    return Period(
        lines[0].file,
        lines[-1].file,
        len(lines),
        kept / weights if weights else None,
        sum(luck) / len(luck) if luck else None,
        sum(skill) / len(skill) if skill else None,
        sum(line.mistakes + line.blunders for line in lines),
    )


def _mean(values: Iterable[float | None]) -> str:
    """The mean of the known values, as text."""
    known = [value for value in values if value is not None]
    return f"{sum(known) / len(known):+.1f}" if known else ""


def review_games(
    games: PathLike | Iterable[PathLike],
    *,
    seat: Seat | str | None = None,
    seed: int = 0,
    playouts: int = PLAYOUTS,
    executor: Workers = None,
    file: PathLike | None = None,
    progress: bool = True,
) -> Reviews:
    """Review the games of a folder, or a list of files, by search as `review` does. Files of notes end in `.notes`.

    `seat`: review only this seat, or only this player: by name wherever somebody of that name sits.

    `executor`: a number of workers, any `concurrent.futures.Executor`, or a `dask.distributed.Client` for a cluster; by
    default processes on all cores of this machine. With `file` every finished game is stored there, and a later call
    resumes from it. An interrupt or a lost worker keeps the finished games.
    """
    if isinstance(seat, str) and len(seat.strip()) == 1:
        seat = seat_number(seat, _MOST_SEATS, team=True)
    paths = game_files(games)
    stored = _File(Path(file), seat, seed, playouts) if file is not None else None
    done = {} if stored is None else {name: result for name, result in stored.done.items() if name in paths}
    left = [name for name in paths if name not in done]
    meter = bar(len(left), "games", progress)
    with as_far_as_it_goes(meter):
        for name, result in in_portions(partial(_reviewed, seat, seed, playouts), left, executor, processes=True):
            done[name] = result
            meter.update(1)
            if stored:
                stored.keep(name, result)
    lines = tuple(line for name in paths if isinstance(reviewed := done.get(name), list) for line in reviewed)
    problems = tuple((name_of(name), reason) for name in paths if isinstance(reason := done.get(name), str))
    return Reviews(lines, problems, len(paths))


def game_files(games: PathLike | Iterable[PathLike]) -> list[str]:
    """The files of a folder of games in order, or those of a list."""
    if isinstance(games, str | os.PathLike):
        folder = Path(games)
        if not folder.is_dir():
            raise RulesError("study.no_folder", folder=name_of(folder))
        games = sorted(path for path in folder.iterdir() if path.suffix in ENDINGS)
    return [str(path) for path in games]


def _reviewed(seat: Seat | str | None, seed: int, playouts: int, name: str) -> list[Line] | str:
    """The lines of one game, or the reason there are none."""
    try:
        record = record_of(Path(name))
        result = review(record, seat=seat, method="search", seed=seed, playouts=playouts, progress=False)
    except NimmtError as error:
        return str(error)
    lines = []
    for player in result.seats:
        judgements, verdicts, split = result.of_seat(player), result.verdicts(player), result.splits.get(player)
        letter = seat_letter(player)
        who = name_of(name), record.game.name, letter, record.names.get(player, letter)
        lost = sum(judgement.estimate or 0.0 for judgement in judgements)
        counts = verdicts["mistake"], verdicts["blunder"]
        parts = (None, None, None) if split is None else (split.result, split.luck.value, split.skill.value)
        found = [mistake.kind for mistake in mistakes(result, player)]
        kinds = (found.count(kind) for kind in KINDS)
        lines.append(Line(*who, len(judgements), result.accuracy(player), lost, *counts, *parts, *kinds))
    return lines or str(PositionError("study.nobody_judged"))


class _File:
    """Results stored as JSON lines, after a line with the settings."""

    def __init__(self, path: Path, seat: Seat | str | None, seed: int, playouts: int) -> None:
        self.path = path
        self.settings = {"format": _FORMAT, "seat": seat, "seed": seed, "playouts": playouts}
        self.done: dict[str, list[Line] | str] = {}
        if os.path.lexists(path):
            self._read()

    def _read(self) -> None:
        first, *lines = read_text(self.path).splitlines() or [""]
        name = name_of(self.path)
        settings = parse_json(first, source=name)
        if settings == {**self.settings, "format": _EARLIER}:
            return
        if settings != self.settings:
            raise NotationError("study.file_holds_other", source=name)
        for number, line in enumerate(lines, 2):
            match parse_json(line, source=name):
                case [str(file), str(problem)]:
                    self.done[file] = problem
                case [str(file), list(rows)] if all(_is_line(row) for row in rows):
                    self.done[file] = [Line(*row) for row in rows]
                case _:
                    raise NotationError("study.line_not_reviewed", number=number, source=name)

    def keep(self, name: str, result: Sequence[Line] | str) -> None:
        """Add a game. The whole file is replaced, so that it is never incomplete."""
        self.done[name] = result if isinstance(result, str) else list(result)
        lines = [self.settings, *map(list, sorted(self.done.items()))]
        write_file(self.path, "\n".join(json.dumps(line) for line in lines) + "\n")


def _is_line(row: object) -> bool:
    """Whether these are values of a `Line`: the file may have been edited by hand."""
    match row:
        case [str(), str(), str(), str(), choices, accuracy, lost, mistakes, blunders, result, luck, skill, *kinds]:
            whole = all(type(one) is int for one in (choices, mistakes, blunders, *kinds))
            whole = whole and len(kinds) == len(KINDS)
            numbers = all(one is None or type(one) in (int, float) for one in (accuracy, luck, skill))
            return whole and numbers and type(lost) in (int, float) and (result is None or type(result) is int)
        case _:
            return False
