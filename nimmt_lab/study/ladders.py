"""The ladder: every level of play measured against the one below it, on the same deals.

>>> from nimmt_lab import Classic
>>> result = ladder(Classic(players=2, rounds=1), deals=40, levels=[1, 4], progress=False)
>>> step = result.steps[0]
>>> step.level, step.below, step.win_credit > step.chance
(4, 1, True)
"""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from concurrent.futures import Executor
from dataclasses import dataclass
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from nimmt_lab.bots import Bot, play
from nimmt_lab.bots import levels as all_levels
from nimmt_lab.engine.errors import NotationError, RulesError
from nimmt_lab.engine.files import PathLike, locked, name_of, parse_json, read_text, shown, write_file
from nimmt_lab.engine.game import Game
from nimmt_lab.engine.limits import check_count
from nimmt_lab.engine.rng import Rng
from nimmt_lab.explain.catalogue import words

from .findings import ROOM
from .tournaments import mean_by_deal
from .work import as_far_as_it_goes, bar, in_portions

if TYPE_CHECKING:
    import polars as pl

_FORMAT = "nimmt-ladder/1"
#: Millions of deals, a line each.
_LARGEST = 200_000_000


class Portion(NamedTuple):
    """One deal for one step of the ladder."""

    level: int
    below: int
    deal: int


class OfDeal(NamedTuple):
    """What came of it, a mean over the seats: the part of the win, what was to be had by nothing but luck, and by how
    many points the seat ended ahead of the others (below 0: behind)."""

    win_credit: float
    chance: float
    ahead: float


class Rung(NamedTuple):
    """A level among players of the one below, with 95 % margins; deals are the independent trials. Where all seats are
    one team, a team of that level plays instead, and `chance` is what a team of the level below makes of the same
    deals."""

    level: int
    below: int
    deals: int
    win_credit: float
    #: Of `win_credit` less `chance`.
    margin: float
    chance: float
    ahead: float
    ahead_margin: float

    @property
    def is_above(self) -> bool:
        """Whether the level wins more often than by chance, beyond the margin."""
        return self.win_credit - self.margin > self.chance


@dataclass(frozen=True, repr=False)
class Ladder:
    """The steps of a ladder, from the lowest."""

    game: Game
    seed: int
    asked: int
    steps: tuple[Rung, ...]

    @property
    def is_complete(self) -> bool:
        """Whether every deal asked for was played."""
        return bool(self.steps) and all(step.deals == self.asked for step in self.steps)

    @property
    def frame(self) -> pl.DataFrame:
        """A row per step."""
        import polars as pl

        titles = {level.number: level.title() for level in all_levels()}
        rows = [(titles[step.level], titles[step.below], *step, step.is_above) for step in self.steps]
        return pl.DataFrame(rows, schema=["title", "below_title", *Rung._fields, "is_above"], orient="row")

    def markdown(self, lang: str = "en") -> str:
        """The ladder as a table for a page."""
        known = {level.number: level for level in all_levels()}
        say = words(lang, room=ROOM)
        lines = [say("ladder.head"), "|---|---|---|---|---|"]
        if self.steps:
            first = known[self.steps[0].below]
            lines.append(f"| {first.number} {first.title(lang)} | {first.description(lang)} | | | |")
        for step in self.steps:
            level = known[step.level]
            figures = (
                f"| {step.win_credit:.2f} ± {step.margin:.2f} | {step.chance:.2f} "
                f"| {step.ahead:.1f} ± {step.ahead_margin:.1f} |"
            )
            figures = figures if lang == "en" else figures.replace(".", ",")
            lines.append(f"| {level.number} {level.title(lang)} | {level.description(lang)} {figures}")
        return "\n".join(lines)

    def __repr__(self) -> str:
        lines = [f"<{self.game.name}, {self.game.players} players: each level among players of the one below"]
        lines += [
            f"  {step.level} among {step.below}: win credit {step.win_credit:.3f} ± {step.margin:.3f} "
            f"(chance {step.chance:.3f}), ahead by {step.ahead:.2f} ± {step.ahead_margin:.2f}, {step.deals:,} deals"
            for step in self.steps
        ]
        return "\n".join(lines) + ">"


def ladder(
    game: Game,
    deals: int = 100,
    seed: int = 0,
    *,
    levels: Sequence[int] | None = None,
    file: PathLike | None = None,
    executor: Executor | None = None,
    progress: bool = True,
) -> Ladder:
    """Measure every level (or those named, in that order) against the one below it: on every deal one player of the
    level sits, in turn in every seat, among players of the level below.

    An interrupt returns what is done so far. With a `file`, every deal is kept there as it is done, and a ladder of the
    same game, seed and levels goes on from it.
    """
    check_count(deals, "deals", 1)
    known = [level.number for level in all_levels()]
    numbers = known if levels is None else list(levels)
    if len(numbers) < 2 or len(set(numbers)) != len(numbers) or any(number not in known for number in numbers):
        raise RulesError("study.ladder_levels", known=known[0], most=known[-1], got=shown(levels))
    Rng.from_seed(seed)  # a wrong seed is named there
    kept = _Kept(Path(file), game, seed) if file is not None else None
    done: dict[Portion, OfDeal] = dict(kept.done) if kept else {}
    pairs = {(level, below) for below, level in pairwise(numbers)}
    # One by one: deals can be asked for by the billion, and an interrupt gives what was played by then.
    asked = (Portion(level, below, deal) for deal in range(deals) for below, level in pairwise(numbers))
    before = {portion for portion in done if portion[:2] in pairs and 0 <= portion.deal < deals}
    left = (portion for portion in asked if portion not in before)
    meter = bar(deals * len(pairs), "deals", progress)
    meter.update(len(before))
    with as_far_as_it_goes(meter):
        try:
            for portion, outcome in in_portions(partial(_play, game, seed), left, executor, processes=True):
                done[portion] = outcome
                if kept:
                    kept.keep(portion, outcome)
                meter.update(1)
        finally:
            if kept:
                kept.write()
    steps = []
    for below, level in pairwise(numbers):
        mine = [
            (portion.deal, outcome)
            for portion, outcome in sorted(done.items())
            if portion[:2] == (level, below) and 0 <= portion.deal < deals
        ]
        if mine:
            steps.append(_step(level, below, mine))
    return Ladder(game, seed, deals, tuple(steps))


def _step(level: int, below: int, outcomes: Sequence[tuple[int, OfDeal]]) -> Rung:
    credit, _ = mean_by_deal([(deal, one.win_credit) for deal, one in outcomes])
    chance, _ = mean_by_deal([(deal, one.chance) for deal, one in outcomes])
    _, margin = mean_by_deal([(deal, one.win_credit - one.chance) for deal, one in outcomes])
    ahead, ahead_margin = mean_by_deal([(deal, one.ahead) for deal, one in outcomes])
    return Rung(level, below, len(outcomes), credit, margin, chance, ahead, ahead_margin)


def is_team(game: Game) -> bool:
    """Whether all seats play for one side.

    >>> from nimmt_lab import Buffalo, Classic
    >>> is_team(Buffalo(players=3)), is_team(Classic(players=3))
    (True, False)
    """
    return len({game.pile_of(seat) for seat in range(game.players)}) == 1


def _play(game: Game, seed: int, portion: Portion) -> OfDeal:
    known = {level.number: level for level in all_levels()}
    level, below = known[portion.level].bot(), known[portion.below].bot()
    deal_seed, n = Rng.from_seed(seed, portion.deal).state, game.players
    if is_team(game):
        credits, aheads = zip(*(_result(game, [one] * n, deal_seed, 0) for one in (level, below)), strict=True)
        return OfDeal(credits[0], credits[1], aheads[0] - aheads[1])
    results = [
        _result(game, [level if other == seat else below for other in range(n)], deal_seed, seat) for seat in range(n)
    ]
    return OfDeal(sum(credit for credit, _ in results) / n, 1 / n, sum(ahead for _, ahead in results) / n)


def _result(game: Game, table: Sequence[Bot], seed: int, seat: int) -> tuple[float, float]:
    """The seat's part of the win, and by how much its side ended ahead of the mean of the others."""
    outcome = play(game, table, seed).outcome
    assert outcome is not None
    side = game.pile_of(seat)
    others = [total for at, total in enumerate(outcome.totals) if at != side]
    ahead = outcome.totals[side] - sum(others) / max(1, len(others))
    return outcome.credit(seat), ahead if game.more_is_better else -ahead


class _Kept:
    """What is done, in a file: a JSON value a line. Lines are kept for a moment and written together."""

    def __init__(self, path: Path, game: Game, seed: int) -> None:
        self.path = path
        ways = [[level.plays(game), level.overlooks] for level in all_levels()]
        self.note = {"format": _FORMAT, "game": repr(game), "seed": seed, "levels": ways}
        self.done: dict[Portion, OfDeal] = {}
        self.new = 0
        if os.path.lexists(path):
            self._read()

    def _read(self) -> None:
        first, *lines = read_text(self.path, largest=_LARGEST).splitlines() or [""]
        name = name_of(self.path)
        if parse_json(first, source=name) != self.note:
            raise NotationError("study.ladder_other", source=name)
        for number, line in enumerate(lines, 2):
            try:
                found = parse_json(line)
            except NotationError as problem:
                raise NotationError.of(problem, line=number, column=problem.column, source=name) from None
            match found:
                case [int(level), int(below), int(deal), float(credit), float(chance), float(ahead)]:
                    self.done[Portion(level, below, deal)] = OfDeal(credit, chance, ahead)
                case _:
                    raise NotationError("study.not_deal_ladder", line=number, source=name)

    def keep(self, portion: Portion, outcome: OfDeal) -> None:
        """Remember one deal, and write now and then."""
        self.done[portion] = outcome
        self.new += 1
        if self.new % 50 == 0:
            self.write()

    def write(self) -> None:
        """The whole file, in one order: it does not tell who was done first."""
        with locked(self.path.parent, f".{self.path.name}.lock"):
            if os.path.lexists(self.path):  # another ladder may go on from the same file: nothing of it is lost
                self._read()
            lines = [[*portion, *map(float, outcome)] for portion, outcome in sorted(self.done.items())]
            write_file(self.path, "\n".join(json.dumps(line) for line in [self.note, *lines]) + "\n")
