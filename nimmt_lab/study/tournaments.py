"""Bots against each other: every deal is played once from each rotation of the seats, so luck cancels out.

>>> from nimmt_lab import Classic
>>> result = tournament(Classic(players=2, rounds=1), ["odds", "random"], deals=20, seed=1, progress=False)
>>> [standing.bot for standing in result.standings]
['odds', 'random']
>>> result.standings[0].games
40
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass
from functools import partial
from itertools import combinations
from math import log10
from typing import TYPE_CHECKING, NamedTuple

from nimmt_lab.bots.base import Bot, bot, play
from nimmt_lab.engine.cards import seat_letter
from nimmt_lab.engine.errors import RulesError
from nimmt_lab.engine.extras import wanted
from nimmt_lab.engine.game import Game
from nimmt_lab.engine.limits import check_count
from nimmt_lab.engine.rng import Rng

from .work import as_far_as_it_goes, bar, in_portions

if TYPE_CHECKING:
    import polars as pl

#: Half the width of a 95 % interval, in standard errors.
_Z = 1.96


class Result(NamedTuple):
    """What one seat made of one game."""

    deal: int
    game: int
    seat: int
    bot: str
    points: int
    credit: float


class Standing(NamedTuple):
    """A bot's showing, with 95 % intervals. Deals are the independent trials, so they carry the intervals."""

    bot: str
    games: int
    win_credit: float
    win_credit_margin: float
    mean_heads: float
    mean_heads_margin: float
    #: On the scale where 400 points are odds of 10 to 1 to end ahead of somebody; the mean over the bots is 0.
    rating: float


@dataclass(frozen=True, slots=True, repr=False)
class Tournament:
    """The results of a tournament."""

    game: Game
    seed: int
    asked: int
    results: tuple[Result, ...]

    @property
    def deals(self) -> int:
        """Deals that were played in full (fewer than asked for after an interrupt)."""
        return len({result.deal for result in self.results})

    @property
    def is_complete(self) -> bool:
        """Whether every deal asked for was played."""
        return self.deals == self.asked

    @property
    def bots(self) -> tuple[str, ...]:
        """The bots, in the order they were named."""
        return tuple(dict.fromkeys(result.bot for result in self.results))

    @property
    def standings(self) -> tuple[Standing, ...]:
        """The bots, best first."""
        ratings = self._ratings()
        table = []
        for name in self.bots:
            mine = [result for result in self.results if result.bot == name]
            credit, credit_margin = mean_by_deal([(result.deal, result.credit) for result in mine])
            heads, heads_margin = mean_by_deal([(result.deal, result.points) for result in mine])
            table.append(Standing(name, len(mine), credit, credit_margin, heads, heads_margin, ratings[name]))
        return tuple(sorted(table, key=lambda standing: -standing.win_credit))

    @property
    def frame(self) -> pl.DataFrame:
        """A row per game and seat (counted from 1; seats as letters)."""
        with wanted("lab"):
            import polars as pl

        rows = [(r.deal + 1, r.game + 1, seat_letter(r.seat), r.bot, r.points, r.credit) for r in self.results]
        schema = {
            "deal": pl.Int64, "game": pl.Int64, "seat": pl.String, "bot": pl.String, "points": pl.Int64,
            "win_credit": pl.Float64,
        }  # fmt: skip
        return pl.DataFrame(rows, schema=schema, orient="row")

    @property
    def summary(self) -> pl.DataFrame:
        """A row per bot, best first: means with 95 % intervals, and the rating."""
        with wanted("lab"):
            import polars as pl

        frame = pl.DataFrame(self.standings, schema=list(Standing._fields), orient="row")
        return frame.with_columns(
            win_credit_low=pl.col("win_credit") - pl.col("win_credit_margin"),
            win_credit_high=pl.col("win_credit") + pl.col("win_credit_margin"),
            mean_heads_low=pl.col("mean_heads") - pl.col("mean_heads_margin"),
            mean_heads_high=pl.col("mean_heads") + pl.col("mean_heads_margin"),
        )

    @property
    def pairs(self) -> pl.DataFrame:
        """A row per ordered pair of bots that met: how often the first ended ahead (a tie counts half), and by how many
        heads on average, deal by deal, with its 95 % margin."""
        with wanted("lab"):
            import polars as pl

        rows = []
        for (a, b), outcomes in self._meetings().items():
            ahead, _ = mean_by_deal([(deal, 0.5 + 0.5 * ((d > 0) - (d < 0))) for deal, d in outcomes])
            by, margin = mean_by_deal(outcomes)
            rows.append((a, b, len(outcomes), ahead, by, margin))
        schema = ["bot", "other", "meetings", "ahead", "fewer_heads", "fewer_heads_margin"]
        return pl.DataFrame(rows, schema=schema, orient="row")

    def _meetings(self) -> dict[tuple[str, str], list[tuple[int, float]]]:
        """(deal, how many heads fewer the first had) for each ordered pair of different bots in one game."""
        games: dict[int, list[Result]] = {}
        for result in self.results:
            games.setdefault(result.game, []).append(result)
        meetings: dict[tuple[str, str], list[tuple[int, float]]] = {}
        for table in games.values():
            for a in table:
                for b in table:
                    if a.bot != b.bot:
                        meetings.setdefault((a.bot, b.bot), []).append((a.deal, float(b.points - a.points)))
        return meetings

    def _ratings(self) -> dict[str, float]:
        """Bradley–Terry strengths of who ends ahead of whom, with one drawn meeting added so that none is infinite."""
        names = self.bots
        meetings = self._meetings()
        ahead = dict.fromkeys(names, 0.0)
        met: dict[tuple[str, str], float] = {}
        for a in names:
            for b in names:
                if a != b:
                    outcomes = meetings.get((a, b), [])
                    met[a, b] = len(outcomes) + 1
                    ahead[a] += 0.5 + sum(1.0 if d > 0 else 0.5 if d == 0 else 0.0 for _, d in outcomes)
        strength = dict.fromkeys(names, 1.0)
        for _ in range(200):
            new = {
                a: ahead[a] / sum(met[a, b] / (strength[a] + strength[b]) for b in names if b != a)
                if len(names) > 1
                else 1.0
                for a in names
            }
            scale = 10 ** (sum(log10(value) for value in new.values()) / len(new))
            strength = {name: value / scale for name, value in new.items()}
        return {name: 400 * log10(value) for name, value in strength.items()}

    def __repr__(self) -> str:
        done = f"{self.deals:,}" + ("" if self.is_complete else f" of {self.asked:,}")
        lines = [f"<{done} deals of {self.game.name}, {self.game.players} players"]
        lines += [
            f"  {s.bot}: win credit {s.win_credit:.3f} ± {s.win_credit_margin:.3f}, "
            f"mean heads {s.mean_heads:.2f} ± {s.mean_heads_margin:.2f}, rating {s.rating:+.0f}"
            for s in (self.standings if self.results else ())
        ]
        return "\n".join(lines) + ">"


def mean_by_deal(values: Sequence[tuple[int, float]]) -> tuple[float, float]:
    """Mean over deals of each deal's mean, with the half width of its 95 % interval."""
    deals: dict[int, list[float]] = {}
    for deal, value in values:
        deals.setdefault(deal, []).append(value)
    means = [sum(group) / len(group) for group in deals.values()]
    mean = sum(means) / len(means)
    if len(means) < 2:
        return mean, float("inf")
    spread = sum((value - mean) ** 2 for value in means) / (len(means) - 1)
    return mean, _Z * (spread / len(means)) ** 0.5


def tournament(
    game: Game,
    bots: Sequence[Bot | str],
    deals: int = 100,
    seed: int = 0,
    *,
    executor: Executor | None = None,
    progress: bool = True,
) -> Tournament:
    """Let bots (or their names, see `nimmt_lab.bots.bot`) play `deals` deals of `game`.

    Each deal is played from every rotation of the seats, with the same cards. With more bots than seats every
    combination meets on every deal; a bot may be named several times (`["best", "random", "random", "random"]`). An
    interrupt returns what is done so far.
    """
    check_count(deals, "deals", 1)
    entrants = tuple(bot(entrant) if isinstance(entrant, str) else entrant for entrant in bots)
    if len(entrants) < game.players:
        raise RulesError("study.seats_bots", players=game.players, least=game.players, got=len(entrants))
    Rng.from_seed(seed)  # a wrong seed is named there
    lineups = tuple(_lineups(entrants, game.players))
    meter = bar(deals * len(lineups), "games", progress)
    done: list[Result] = []
    with as_far_as_it_goes(meter):
        for _, results in in_portions(partial(_play_deal, game, lineups, seed), range(deals), executor):  # whole deals
            done += results
            meter.update(len(lineups))
    order = {repr(entrant): at for at, entrant in enumerate(entrants)}
    done.sort(key=lambda result: (result.game, order[result.bot], result.seat))
    return Tournament(game, seed, deals, tuple(done))


def _lineups(bots: tuple[Bot, ...], players: int) -> Iterator[tuple[Bot, ...]]:
    """Every combination in every rotation; arrangements of equal bots that look the same only once."""
    seen = set()
    for chosen in combinations(bots, players):
        for turn in range(players):
            lineup = chosen[turn:] + chosen[:turn]
            names = tuple(map(repr, lineup))
            if names not in seen:
                seen.add(names)
                yield lineup


def _play_deal(game: Game, lineups: Sequence[tuple[Bot, ...]], seed: int, deal: int) -> list[Result]:
    deal_seed = Rng.from_seed(seed, deal).state
    results = []
    for at, lineup in enumerate(lineups):
        final = play(game, lineup, deal_seed)
        assert final.outcome is not None
        number = deal * len(lineups) + at
        for seat, player in enumerate(lineup):
            points = final.outcome.totals[game.pile_of(seat)]
            results.append(Result(deal, number, seat, repr(player), points, final.outcome.credit(seat)))
    return results
