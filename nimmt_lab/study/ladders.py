"""The ladder: each level of play measured against the level below, on the same deals.

>>> from nimmt_lab import Classic
>>> result = ladder(Classic(players=2, rounds=1), deals=40, levels=[1, 4], progress=False)
>>> step = result.steps[0]
>>> step.level, step.below, step.win_credit > step.chance
(4, 1, True)
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from nimmt_lab.bots import Bot, play
from nimmt_lab.bots import levels as all_levels
from nimmt_lab.bots.base import Player, bot_of
from nimmt_lab.engine.asked import usual_game
from nimmt_lab.engine.errors import NotationError, RulesError
from nimmt_lab.engine.files import PathLike, append_line, locked, name_of, parse_json, read_text, shown, write_file
from nimmt_lab.engine.game import Game, check_game
from nimmt_lab.engine.limits import check_count
from nimmt_lab.engine.rng import Rng, check_seed
from nimmt_lab.engine.sheet import Figure, Figures, Sheet, Shown
from nimmt_lab.explain.catalogue import number as written
from nimmt_lab.explain.catalogue import words

from .findings import PACKAGE
from .frames import data_frame
from .tournaments import mean_by_deal
from .work import Workers, as_far_as_it_goes, bar, in_portions

if TYPE_CHECKING:
    import polars as pl

_FORMAT = "nimmt-ladder/1"
#: From this number of deals on, it means something that all end alike.
_ALIKE = 20
#: Millions of deals, a line each.
_LARGEST = 200_000_000


class Portion(NamedTuple):
    """One deal for one step of the ladder."""

    level: int
    below: int
    deal: int


class DealResult(NamedTuple):
    """The mean result over the seats: share of the win, its expectation by chance, and lead over the others."""

    win_credit: float
    chance: float
    ahead: float


class Rung(NamedTuple):
    """Results of a level among players of the level below, with 95% margins over deals. Where all seats form one team,
    a team of that level plays instead, and `chance` is the result of a team of the level below on the same deals."""

    level: int
    below: int
    deals: int
    win_credit: float
    #: Margin of `win_credit` - `chance`.
    margin: float
    chance: float
    ahead: float
    ahead_margin: float

    @property
    def is_above(self) -> bool:
        """Whether the level wins significantly more often than by chance."""
        return self.win_credit - self.margin > self.chance

    @property
    def verdict(self) -> str:
        """`stronger` or `weaker` than the level below, if the interval of the wins says so. A few deals that all ended
        alike have an interval of no width, which says nothing."""
        if self.margin == 0 and self.deals < _ALIKE:
            return "unclear"
        if self.is_above:
            return "stronger"
        return "weaker" if self.win_credit + self.margin < self.chance else "unclear"


@dataclass(frozen=True, repr=False)
class Ladder(Shown):
    """The steps of a ladder, lowest first."""

    game: Game
    seed: int
    asked: int
    steps: tuple[Rung, ...]
    #: The bot that was measured among players of each level (its `level` is 0); empty if the levels were.
    player: str = ""

    @property
    def is_complete(self) -> bool:
        """Whether all requested deals were played."""
        return bool(self.steps) and all(step.deals == self.asked for step in self.steps)

    @property
    def frame(self) -> pl.DataFrame:
        """A row per step."""
        titles = {level.number: level.title() for level in all_levels()} | {0: self.player}
        rows = [(titles[step.level], titles[step.below], *step, step.is_above) for step in self.steps]
        return data_frame(rows, ["title", "below_title", *Rung._fields, "is_above"])

    def markdown(self, lang: str = "en") -> str:
        """The ladder as a Markdown table."""
        known = {level.number: level for level in all_levels()}
        say = words(lang, package=PACKAGE)
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

    def sheet(self) -> Sheet:
        """A line per step, with 95% intervals and the share of the win by chance."""
        titles = {level.number: f"{level.number} {level.title()}" for level in all_levels()} | {0: self.player}
        lines = [
            Figure(
                (
                    titles[step.level],
                    titles[step.below],
                    f"{step.deals:,}",
                    f"{step.win_credit:.3f} ± {step.margin:.3f}",
                    f"{step.chance:.3f}",
                    f"{step.ahead:+.2f} ± {step.ahead_margin:.2f}",
                    step.verdict,
                ),
                step.win_credit,
                (step.win_credit - step.margin, step.win_credit + step.margin) if step.margin < 1 else None,
            )
            for step in self.steps
        ]
        unit = "points" if self.game.more_is_better else "heads"
        columns = ("", "against", "deals", "wins", "by chance", f"{unit} ahead", "")
        title = f"{self.player or 'Ladder'}: {self.game.name}, {self.game.players} players"
        notes = self._stands() + ([] if self.is_complete else ["Interrupted: the deals played so far."])
        return Sheet(title, [Figures(columns, lines)] if lines else [], notes=notes)

    def _stands(self) -> list[str]:
        """Where the bot that was measured stands, in a sentence."""
        if not self.player or not self.steps:
            return []
        levels: dict[str, list[str]] = {}
        for step in self.steps:
            levels.setdefault(step.verdict, []).append(str(step.below))
        said = [
            f"{verdict} than {_levels(known)}"
            for verdict in ("stronger", "weaker")
            if (known := levels.get(verdict, []))
        ]
        if open_ := levels.get("unclear", []):
            said.append(f"unclear against {_levels(open_)}")
        more = " More deals narrow the intervals." if open_ else ""
        return [f"{self.player}: {'; '.join(said)} (by its share of the wins).{more}"]

    def __str__(self) -> str:
        return self.sheet().to_text()

    def to_text(self, lang: str = "en") -> str:
        """The ladder as text, one line per step."""
        say = words(lang, package=PACKAGE)
        lines = [say("ladder.title", game=self.game.name, players=self.game.players)]
        for step in self.steps:
            shares = {name: written(getattr(step, name), ".3f", lang) for name in ("win_credit", "margin", "chance")}
            leads = {name: written(getattr(step, name), ".2f", lang) for name in ("ahead", "ahead_margin")}
            deals = written(step.deals, ",d", lang)
            lines.append("  " + say("ladder.step", level=step.level, below=step.below, deals=deals, **shares, **leads))
        return "\n".join(lines)

    def __repr__(self) -> str:
        return f"<{self.to_text()}>"


def ladder(
    game: Game | None = None,
    deals: int = 100,
    seed: int = 0,
    *,
    bot: Player | None = None,
    levels: Sequence[int] | None = None,
    file: PathLike | None = None,
    executor: Workers = None,
    progress: bool = True,
) -> Ladder:
    """Measure each level (or those listed, in that order) against the level below: on every deal one player of the
    level takes each seat in turn among players of the level below.

    `bot`: a bot of yours (or its name, or a function from a view to one of its options), measured among players of each
    level instead; the ladder says where it stands.
    `game`: the classic game for four over one round, if None.

    An interrupt returns the deals played so far. With a `file` every deal is stored there, and a ladder of the same
    game, seed and levels resumes from it.
    """
    game = usual_game()(players=4, rounds=1) if game is None else check_game(game)
    if bot is not None:
        if file is not None:
            raise RulesError("study.no_file_for_bot")
        player = bot_of(bot)
        steps = place(game, player, deals, seed, levels=levels, executor=executor, progress=progress)
        return Ladder(game, seed, deals, steps, repr(player))
    check_count(deals, "deals", 1)
    known = [level.number for level in all_levels()]
    numbers = known if levels is None else list(levels)
    if len(numbers) < 2 or len(set(numbers)) != len(numbers) or any(number not in known for number in numbers):
        raise RulesError("study.ladder_levels", known=known[0], most=known[-1], got=shown(levels))
    check_seed(seed)
    kept = _File(Path(file), game, seed) if file is not None else None
    done: dict[Portion, DealResult] = dict(kept.done) if kept else {}
    pairs = {(level, below) for below, level in pairwise(numbers)}
    # A generator, because billions of deals may be requested.
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
    found = [_step(done, level, below, deals) for below, level in pairwise(numbers)]
    return Ladder(game, seed, deals, tuple(step for step in found if step is not None))


def _step(done: Mapping[Portion, DealResult], level: int, below: int, deals: int) -> Rung | None:
    """The mean over the deals of a step; None before the first of them."""
    mine = [(key.deal, done[key]) for key in sorted(done) if key[:2] == (level, below) and 0 <= key.deal < deals]
    if not mine:
        return None
    credit, _ = mean_by_deal([(deal, result.win_credit) for deal, result in mine])
    chance, _ = mean_by_deal([(deal, result.chance) for deal, result in mine])
    _, margin = mean_by_deal([(deal, result.win_credit - result.chance) for deal, result in mine])
    lead = mean_by_deal([(deal, result.ahead) for deal, result in mine])
    return Rung(level, below, len(mine), credit, margin, chance, *lead)


def place(
    game: Game,
    player: Player,
    deals: int = 100,
    seed: int = 0,
    *,
    levels: Sequence[int] | None = None,
    executor: Workers = None,
    progress: bool = True,
) -> tuple[Rung, ...]:
    """Measure a bot of your own among players of each level (or those listed), as `ladder` measures levels. In the
    results its `level` is 0.

    >>> from nimmt_lab import Classic
    >>> from nimmt_lab.bots import bot
    >>> (step,) = place(Classic(players=2, rounds=1), bot("edges-first"), deals=40, levels=[1], progress=False)
    >>> step.below, step.is_above
    (1, True)
    """
    check_game(game)
    check_count(deals, "deals", 1)
    measured = bot_of(player)
    known = [level.number for level in all_levels()]
    numbers = known if levels is None else list(levels)
    if not numbers or len(set(numbers)) != len(numbers) or any(number not in known for number in numbers):
        raise RulesError("study.place_levels", known=known[0], most=known[-1], got=shown(levels))
    check_seed(seed)
    portions = (Portion(0, below, deal) for deal in range(deals) for below in numbers)
    done: dict[Portion, DealResult] = {}
    meter = bar(deals * len(numbers), "deals", progress)
    with as_far_as_it_goes(meter):
        for portion, outcome in in_portions(partial(_play, game, seed, player=measured), portions, executor):
            done[portion] = outcome
            meter.update(1)
    return tuple(step for below in numbers if (step := _step(done, 0, below, deals)) is not None)


def is_team(game: Game) -> bool:
    """Whether all seats form one team.

    >>> from nimmt_lab import Buffalo, Classic
    >>> is_team(Buffalo(players=3)), is_team(Classic(players=3))
    (True, False)
    """
    return len({game.pile_of(seat) for seat in range(game.players)}) == 1


def _play(game: Game, seed: int, portion: Portion, player: Bot | None = None) -> DealResult:
    known = {level.number: level for level in all_levels()}
    level, below = player or known[portion.level].bot(), known[portion.below].bot()
    deal_seed, n = Rng.from_seed(seed, portion.deal).state, game.players
    if is_team(game):
        credits, aheads = zip(*(_result(game, [player] * n, deal_seed, 0) for player in (level, below)), strict=True)
        return DealResult(credits[0], credits[1], aheads[0] - aheads[1])
    results = [
        _result(game, [level if other == seat else below for other in range(n)], deal_seed, seat) for seat in range(n)
    ]
    return DealResult(sum(credit for credit, _ in results) / n, 1 / n, sum(ahead for _, ahead in results) / n)


def _result(game: Game, table: Sequence[Bot], seed: int, seat: int) -> tuple[float, float]:
    """The seat's share of the win, and its side's lead over the mean of the others."""
    outcome = play(game, table, seed).outcome
    assert outcome is not None
    side = game.pile_of(seat)
    others = [total for at, total in enumerate(outcome.totals) if at != side]
    ahead = outcome.totals[side] - sum(others) / max(1, len(others))
    return outcome.credit(seat), ahead if game.more_is_better else -ahead


class _File:
    """Results stored as JSON lines, after a line that describes the ladder. Every deal is added at once, because a deal
    of bots that search takes long, and a process may be killed."""

    def __init__(self, path: Path, game: Game, seed: int) -> None:
        self.path = path
        players = [[level.plays(game), level.overlooks] for level in all_levels()]
        self.description = {"format": _FORMAT, "game": repr(game), "seed": seed, "levels": players}
        self.done: dict[Portion, DealResult] = {}
        if os.path.lexists(path):
            self._read()

    def _read(self) -> None:
        text, name = read_text(self.path, largest=_LARGEST), name_of(self.path)
        # A line without an end is the one that a killed process was writing.
        first, *lines = text[: text.rfind("\n") + 1].splitlines() or [text]
        if parse_json(first, source=name) != self.description:
            raise NotationError("study.ladder_other", source=name)
        for number, line in enumerate(lines, 2):
            try:
                values = parse_json(line)
            except NotationError as problem:
                raise NotationError.of(problem, line=number, column=problem.column, source=name) from None
            match values:
                case [int(level), int(below), int(deal), float(credit), float(chance), float(ahead)]:
                    self.done[Portion(level, below, deal)] = DealResult(credit, chance, ahead)
                case _:
                    raise NotationError("study.not_deal_ladder", line=number, source=name)

    def keep(self, portion: Portion, outcome: DealResult) -> None:
        """Add one deal to the file."""
        self.done[portion] = outcome
        with self._alone():
            if os.path.lexists(self.path):
                append_line(self.path, _line(portion, outcome))
                return
        self.write()

    def write(self) -> None:
        """Write the whole file, sorted. Deals that another process added are kept."""
        with self._alone():
            if os.path.lexists(self.path):
                self._read()
            lines = [_line(portion, outcome) for portion, outcome in sorted(self.done.items())]
            write_file(self.path, "\n".join([json.dumps(self.description), *lines]) + "\n")

    def _alone(self) -> AbstractContextManager[None]:
        return locked(self.path.parent, f".{self.path.name}.lock")


def _levels(numbers: Sequence[str]) -> str:
    """Some levels, named in a sentence.

    >>> _levels(["3"]), _levels(["1", "2", "4"])
    ('level 3', 'levels 1, 2 and 4')
    """
    if len(numbers) == 1:
        return f"level {numbers[0]}"
    return f"levels {', '.join(numbers[:-1])} and {numbers[-1]}"


def _line(portion: Portion, outcome: DealResult) -> str:
    return json.dumps([*portion, *map(float, outcome)])
