"""Simulated rounds: a row per seat and round, or running totals when the rounds are many.

>>> from nimmt_lab import Classic
>>> result = simulate(Classic(players=4), rounds=2000, seed=1, progress=False)
>>> result
<2,000 rounds of classic, 4 players: mean heads A 12.1, B 12.2, C 12.1, D 12.2>
>>> result.frame.columns
['round', 'seat', 'policy', 'heads', 'full_rows', 'low_cards', 'cow_rows', 'turns_with_take']
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from nimmt_lab.engine.cards import TEAM, Seat, seat_letter
from nimmt_lab.engine.errors import RulesError
from nimmt_lab.engine.extras import wanted
from nimmt_lab.engine.game import Game
from nimmt_lab.engine.limits import check_count
from nimmt_lab.engine.rng import check_seed
from nimmt_lab.native.outcomes import Outcomes, Totals

from .rounds import Plan
from .store import Store, outcomes_frame
from .work import as_far_as_it_goes, bar, in_portions

if TYPE_CHECKING:
    import polars as pl

#: Up to so many rounds, the outcome of every round is kept.
MANY_ROUNDS = 1_000_000


@dataclass(frozen=True, slots=True, repr=False)
class Simulation:
    """What came of simulated rounds: `totals` always, every single round where they were kept."""

    game: Game
    policies: tuple[str, ...]
    low_card: tuple[str, ...]
    seed: int
    #: Rounds asked for; `totals.rounds` is how many were played (fewer after an interrupt).
    asked: int
    totals: Totals
    outcomes: tuple[Outcomes, ...] | None = field(default=None)

    @property
    def is_complete(self) -> bool:
        """Whether every round asked for was played."""
        return self.totals.rounds == self.asked

    @property
    def frame(self) -> pl.DataFrame:
        """A row per round and seat (both counted from 1; seats as letters)."""
        with wanted("lab"):
            import polars as pl

        if self.outcomes is None:
            raise RulesError("study.single_rounds_were")
        empty = Outcomes(self.totals.players, 0, 0, b"", self.outcomes[0].code if self.outcomes else "B")
        return pl.concat([outcomes_frame(part, self.sides) for part in (empty, *self.outcomes)])

    @property
    def sides(self) -> list[tuple[str, str]]:
        """Who scores: letter and policy of every seat, or of a team and whoever plays against it.

        >>> from nimmt_lab import Classic
        >>> simulate(Classic(players=2), ("lowest", "random"), rounds=0).sides
        [('A', 'lowest'), ('B', 'random')]
        """
        return [(seat_letter(seat), self._policy(seat)) for seat in self.game.pile_seats]

    def _policy(self, seat: Seat) -> str:
        if 0 <= seat < self.game.players:
            return self.policies[seat]
        # A team plays as its members do; an opponent that is no player has no policy.
        return ", ".join(dict.fromkeys(self.policies)) if seat == TEAM else ""

    @property
    def summary(self) -> pl.DataFrame:
        """A row per seat: means per round with their standard error and 95 % interval, and the share of wins.

        >>> from nimmt_lab import Classic
        >>> result = simulate(Classic(players=2), rounds=1000, seed=1, progress=False)
        >>> result.summary["seat"].to_list()
        ['A', 'B']
        """
        with wanted("lab"):
            import polars as pl

        totals, n, sides = self.totals, max(1, self.totals.rounds), self.sides
        frame = pl.DataFrame(
            {
                "seat": [letter for letter, _ in sides],
                "policy": [policy for _, policy in sides],
                "rounds": [totals.rounds] * len(sides),
                "mean_heads": totals.mean_heads if totals.rounds else [None] * len(sides),
                "error": totals.error_heads if totals.rounds else [None] * len(sides),
                "full_rows": [value / n for value in totals.full_rows],
                "low_cards": [value / n for value in totals.low_cards],
                "cow_rows": [value / n for value in totals.cow_rows],
                "turns_with_take": [value / n for value in totals.turns_with_take],
                "win_credit": totals.win_credit if totals.rounds else [None] * len(sides),
            },
            schema_overrides={"mean_heads": pl.Float64, "error": pl.Float64, "win_credit": pl.Float64},
        )
        return frame.with_columns(
            low=pl.col("mean_heads") - 1.96 * pl.col("error"), high=pl.col("mean_heads") + 1.96 * pl.col("error")
        )

    @property
    def distribution(self) -> pl.DataFrame:
        """A row per seat and number of heads that occurred: how often, and the share of rounds.

        >>> from nimmt_lab import Classic
        >>> result = simulate(Classic(players=2), rounds=1000, seed=1, progress=False)
        >>> result.distribution["rounds"].sum()
        2000
        """
        with wanted("lab"):
            import polars as pl

        rows = [
            (letter, policy, heads, count, count / self.totals.rounds)
            for (letter, policy), histogram in zip(self.sides, self.totals.histograms, strict=True)
            for heads, count in histogram.items()
        ]
        schema = {"seat": pl.String, "policy": pl.String, "heads": pl.Int64, "rounds": pl.Int64, "share": pl.Float64}
        return pl.DataFrame(rows, schema=schema, orient="row")

    def __repr__(self) -> str:
        done = f"{self.totals.rounds:,}" + ("" if self.is_complete else f" of {self.asked:,}")
        text = f"<{done} rounds of {_title(self.game)}, {self.game.players} players"
        if not self.totals.rounds:
            return text + ">"
        means = ", ".join(
            f"{letter} {mean:.1f}" for (letter, _), mean in zip(self.sides, self.totals.mean_heads, strict=True)
        )
        return f"{text}: mean heads {means}>"


def simulate(
    game: Game,
    policies: str | Sequence[str] = "random",
    rounds: int = 100_000,
    seed: int = 0,
    *,
    low_card: str | Sequence[str] = "cheapest",
    executor: Executor | None = None,
    progress: bool = True,
    each_round: bool | None = None,
    folder: str | Path | None = None,
) -> Simulation:
    """Play `rounds` single rounds of any game. Equal seeds give equal results, whoever does the work: the compiled core
    where the game has a kernel, else the engine in several processes.

    `policies` and `low_card`: a name for all seats or one each (see `nimmt_lab.native.kernel`).
    `executor`: any `concurrent.futures.Executor` (this machine's threads or processes by default; a cluster's with
    `dask.distributed.Client.get_executor()`). `each_round`: keep every round's outcome (the default up to a million
    rounds) or only running totals, whose memory does not grow, however many rounds are asked for. An interrupt returns
    what is done so far.

    `folder`: write every portion there as Parquet. The same call again plays only what is missing.

    >>> from nimmt_lab import Classic
    >>> a = simulate(Classic(players=3), ("lowest", "random", "random"), rounds=300, seed=5, progress=False)
    >>> b = simulate(Classic(players=3), ("lowest", "random", "random"), rounds=300, seed=5, progress=False)
    >>> a.totals == b.totals
    True
    """
    check_count(rounds, "rounds", 0)
    check_seed(seed)  # before anything is written: a folder that holds a wrong seed would be good for nothing
    plan = Plan.of(game, policies, low_card)
    keep = rounds <= MANY_ROUNDS if each_round is None else each_round
    totals = Totals.nothing(plan.sides)
    done = Simulation(game, plan.policies, plan.low_cards, seed, rounds, totals)
    store = None if folder is None else Store(Path(folder), done, keep)
    kept: list[Outcomes] = []
    meter = bar(rounds, "rounds", progress)
    with as_far_as_it_goes(meter):
        for part in _parts(plan, seed, rounds, keep, executor, store):
            if isinstance(part, Outcomes):
                kept.append(part)
                totals += part.totals()
            else:
                totals += part
            meter.update(part.rounds)
    kept.sort(key=lambda part: part.first)
    return replace(done, totals=totals, outcomes=tuple(kept) if keep else None)


def _parts(
    plan: Plan,
    seed: int,
    rounds: int,
    keep: bool,
    executor: Executor | None,
    store: Store | None,
) -> Iterator[Outcomes | Totals]:
    """Every portion's result: those in the store first, then those to be played. Nothing here grows with the number of
    rounds: portions are made one by one, and what is stored is looked for in the folder."""
    size = plan.portion
    stored = set()
    for first, count in store.portions if store else ():
        if first % size == 0 and count == min(size, rounds - first):
            found = store.read(first, count) if store else None
            if found is not None:
                stored.add(first)
                yield found
    missing = ((first, min(size, rounds - first)) for first in range(0, rounds, size) if first not in stored)
    work = partial(_play if keep else _count, plan, seed)
    for (first, _), part in in_portions(work, missing, executor, processes=not plan.compiled):
        if store:
            store.write(first, part)
        yield part


def _play(plan: Plan, seed: int, portion: tuple[int, int]) -> Outcomes | Totals:
    return plan.play(seed, *portion)


def _count(plan: Plan, seed: int, portion: tuple[int, int]) -> Outcomes | Totals:
    return plan.count(seed, *portion)


def _title(game: Game) -> str:
    cards = ", ".join(card.name for card in getattr(game, "fan_cards", ()))
    return f"{game.name} with {cards}" if cards else game.name
