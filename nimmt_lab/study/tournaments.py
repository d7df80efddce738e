"""Tournaments between bots. Every deal is played from each rotation of the seats, so that luck cancels out.

>>> from nimmt_lab import Classic
>>> result = tournament(Classic(players=2, rounds=1), ["odds", "random"], deals=20, seed=1, progress=False)
>>> [standing.bot for standing in result.standings]
['odds', 'random']
>>> result.standings[0].games
40
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import combinations
from math import log10
from typing import TYPE_CHECKING, NamedTuple

from nimmt_lab.bots.advice import Z
from nimmt_lab.bots.base import Bot, Player, play, told_apart
from nimmt_lab.engine.cards import seat_letter
from nimmt_lab.engine.errors import RulesError
from nimmt_lab.engine.game import Game, check_game
from nimmt_lab.engine.limits import check_count
from nimmt_lab.engine.rng import Rng, check_seed
from nimmt_lab.engine.sheet import Figure, Figures, Sheet, Shown
from nimmt_lab.explain.teller import score_unit

from .frames import data_frame
from .work import Workers, as_far_as_it_goes, bar, in_portions

if TYPE_CHECKING:
    import polars as pl


class Result(NamedTuple):
    deal: int
    game: int
    seat: int
    bot: str
    points: int
    credit: float


class Standing(NamedTuple):
    """A bot's results with 95% margins. Deals, not games, are the independent trials."""

    bot: str
    games: int
    win_credit: float
    win_credit_margin: float
    mean_heads: float
    mean_heads_margin: float
    #: Elo scale: 400 points are odds of 10 to 1 to finish ahead. The mean over the bots is 0.
    rating: float


@dataclass(frozen=True, slots=True, repr=False)
class Tournament(Shown):
    """The results of a tournament."""

    game: Game
    seed: int
    asked: int
    results: tuple[Result, ...]
    #: Games of each deal: one per line-up.
    games_each: int = 1

    @property
    def deals(self) -> int:
        """Deals played in full (fewer than requested after an interrupt)."""
        games: dict[int, set[int]] = {}
        for result in self.results:
            games.setdefault(result.deal, set()).add(result.game)
        return sum(len(played) == self.games_each for played in games.values())

    @property
    def is_complete(self) -> bool:
        """Whether all requested deals were played."""
        return self.deals == self.asked

    @property
    def bots(self) -> tuple[str, ...]:
        """The bots in the order given."""
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
        rows = [(r.deal + 1, r.game + 1, seat_letter(r.seat), r.bot, r.points, r.credit) for r in self.results]
        columns = {"deal": int, "game": int, "seat": str, "bot": str, "points": int, "win_credit": float}
        return data_frame(rows, columns)

    @property
    def summary(self) -> pl.DataFrame:
        """A row per bot, best first: means with 95% intervals, and the rating."""
        rows = []
        for each in self.standings:
            credit, heads = (each.win_credit, each.win_credit_margin), (each.mean_heads, each.mean_heads_margin)
            rows.append((*each, *(value + sign * margin for value, margin in (credit, heads) for sign in (-1, 1))))
        ends = [f"{name}_{end}" for name in ("win_credit", "mean_heads") for end in ("low", "high")]
        return data_frame(rows, [*Standing._fields, *ends])

    @property
    def pairs(self) -> pl.DataFrame:
        """A row per ordered pair of bots that met: how often the first finished ahead (a tie counts half), and by how
        many heads on average (points, where more is better), with the 95% margin over deals."""
        rows = []
        for (a, b), outcomes in self._meetings().items():
            ahead, _ = mean_by_deal([(deal, 0.5 + 0.5 * ((d > 0) - (d < 0))) for deal, d in outcomes])
            by, margin = mean_by_deal(outcomes)
            rows.append((a, b, len(outcomes), ahead, by, margin))
        return data_frame(rows, ["bot", "other", "meetings", "ahead", "fewer_heads", "fewer_heads_margin"])

    def _meetings(self) -> dict[tuple[str, str], list[tuple[int, float]]]:
        """(deal, the first bot's lead in points) of all games, by ordered pair of different bots."""
        sign = -1.0 if self.game.more_is_better else 1.0
        games: dict[int, list[Result]] = {}
        for result in self.results:
            games.setdefault(result.game, []).append(result)
        meetings: dict[tuple[str, str], list[tuple[int, float]]] = {}
        for table in games.values():
            for a in table:
                for b in table:
                    if a.bot != b.bot:
                        meetings.setdefault((a.bot, b.bot), []).append((a.deal, sign * (b.points - a.points)))
        return meetings

    def _ratings(self) -> dict[str, float]:
        """Bradley–Terry ratings from who finished ahead of whom, with one draw added per pair to keep them finite."""
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

    def sheet(self) -> Sheet:
        """The standings, with 95% intervals."""
        done = f"{self.deals:,}" + ("" if self.is_complete else f" of {self.asked:,}")
        unit, standings = score_unit(self.game), self.standings if self.results else ()
        share = 1 / self.game.players
        lines = [
            Figure(
                (
                    each.bot,
                    f"{each.win_credit:.3f}{_margin(each.win_credit_margin, '.3f')}",
                    f"{each.mean_heads:.2f}{_margin(each.mean_heads_margin, '.2f')}",
                    f"{each.rating:+.0f}",
                ),
                each.win_credit,
                (each.win_credit - each.win_credit_margin, each.win_credit + each.win_credit_margin)
                if each.win_credit_margin < 1
                else None,
                best=at == 0 and len(standings) > 1,
            )
            for at, each in enumerate(standings)
        ]
        title = f"{done} deals of {self.game.name}, {self.game.players} players"
        notes = [f"An even share of the wins is {share:.3f}. Margins are 95%, over deals."] if lines else []
        if not self.is_complete:
            notes.append("Interrupted: the deals played so far.")
        return Sheet(title, [Figures(("", "wins", f"mean {unit}", "rating"), lines)] if lines else [], notes=notes)

    __str__ = Shown.__str__

    def __repr__(self) -> str:
        done = f"{self.deals:,}" + ("" if self.is_complete else f" of {self.asked:,}")
        lines = [f"<{done} deals of {self.game.name}, {self.game.players} players"]
        lines += [
            f"  {s.bot}: win credit {s.win_credit:.3f} ± {s.win_credit_margin:.3f}, "
            f"mean {score_unit(self.game)} {s.mean_heads:.2f} ± {s.mean_heads_margin:.2f}, rating {s.rating:+.0f}"
            for s in (self.standings if self.results else ())
        ]
        return "\n".join(lines) + ">"


def _margin(margin: float, form: str) -> str:
    """A margin after its value; nothing if it is unknown."""
    return f" ± {margin:{form}}" if margin < float("inf") else ""


def mean_by_deal(values: Sequence[tuple[int, float]]) -> tuple[float, float]:
    """Mean over deals of each deal's mean, with half the width of its 95% interval."""
    deals: dict[int, list[float]] = {}
    for deal, value in values:
        deals.setdefault(deal, []).append(value)
    means = [sum(group) / len(group) for group in deals.values()]
    mean = sum(means) / len(means)
    if len(means) < 2:
        return mean, float("inf")
    spread = sum((value - mean) ** 2 for value in means) / (len(means) - 1)
    return mean, Z * (spread / len(means)) ** 0.5


def tournament(
    game: Game,
    bots: Sequence[Player] | Mapping[str, Player],
    deals: int = 100,
    seed: int = 0,
    *,
    executor: Workers = None,
    progress: bool = True,
) -> Tournament:
    """Let bots play `deals` deals of `game`: bots, names (see `nimmt_lab.bots.bot`) or functions (see
    `Bot.from_policy`); or a mapping from names for the results to these. Different functions or objects of the same
    name are numbered.

    Each deal is played from every rotation of the seats, with the same cards. With more bots than seats every
    combination plays every deal; a bot may appear several times (`["best", "random", "random", "random"]`).

    An interrupt returns the deals that every line-up has played, or, before the first such deal, the games played.
    """
    check_game(game)
    check_count(deals, "deals", 1)
    entrants = told_apart(bots)
    if len(entrants) < game.players:
        raise RulesError("study.seats_bots", players=game.players, least=game.players, got=len(entrants))
    check_seed(seed)
    lineups = tuple(_lineups(entrants, game.players))
    meter = bar(deals * len(lineups), "games", progress)
    done: list[Result] = []
    with as_far_as_it_goes(meter):
        # Games, not deals: a deal of bots that search takes minutes, too long to lose.
        games = range(deals * len(lineups))
        for _, results in in_portions(partial(_play_game, game, lineups, seed), games, executor):
            done += results
            meter.update(1)
    done = _whole_deals(done, len(lineups)) or done
    order = {name: at for at, name in enumerate(dict.fromkeys(map(repr, entrants)))}
    done.sort(key=lambda result: (result.game, order[result.bot], result.seat))
    return Tournament(game, seed, deals, tuple(done), len(lineups))


def _lineups(bots: tuple[Bot, ...], players: int) -> Iterator[tuple[Bot, ...]]:
    """Every combination in every rotation, without duplicates among equal bots."""
    seen = set()
    for chosen in combinations(bots, players):
        for turn in range(players):
            lineup = chosen[turn:] + chosen[:turn]
            names = tuple(map(repr, lineup))
            if names not in seen:
                seen.add(names)
                yield lineup


def _play_game(game: Game, lineups: Sequence[tuple[Bot, ...]], seed: int, number: int) -> list[Result]:
    deal, at = divmod(number, len(lineups))
    outcome = play(game, lineups[at], Rng.from_seed(seed, deal).state).outcome
    assert outcome is not None
    return [
        Result(deal, number, seat, repr(player), outcome.totals[game.pile_of(seat)], outcome.credit(seat))
        for seat, player in enumerate(lineups[at])
    ]


def _whole_deals(results: Sequence[Result], lineups: int) -> list[Result]:
    """The results of the deals that every line-up has played."""
    games: dict[int, set[int]] = {}
    for result in results:
        games.setdefault(result.deal, set()).add(result.game)
    return [result for result in results if len(games[result.deal]) == lineups]
