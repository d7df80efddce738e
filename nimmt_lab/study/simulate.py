"""Simulated rounds: a row per seat and round, or running totals of many rounds.

>>> from nimmt_lab import Classic
>>> result = simulate(Classic(players=4), rounds=2000, seed=1, progress=False)
>>> result
<2,000 rounds of classic, 4 players: mean heads A 12.1, B 12.2, C 12.1, D 12.2>
>>> result.frame.columns
['round', 'seat', 'policy', 'heads', 'full_rows', 'low_cards', 'cow_rows', 'turns_with_take']
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from nimmt_lab.engine.cards import TEAM, Seat, seat_letter
from nimmt_lab.engine.errors import RulesError
from nimmt_lab.engine.extras import wanted
from nimmt_lab.engine.game import Game, check_game
from nimmt_lab.engine.limits import check_count
from nimmt_lab.engine.rng import check_seed
from nimmt_lab.engine.sheet import Figure, Figures, Sheet, Shown
from nimmt_lab.native.outcomes import FIELDS, Outcomes, Totals

from .frames import data_frame
from .rounds import Simulator
from .store import Store, outcomes_frame
from .work import Workers, as_far_as_it_goes, bar, in_portions

if TYPE_CHECKING:
    import polars as pl

#: Up to this many rounds, each round's outcome is kept by default.
MANY_ROUNDS = 1_000_000


@dataclass(frozen=True, slots=True, repr=False)
class Simulation(Shown):
    """Results of simulated rounds: `totals`, and the outcome of every round if it was kept."""

    game: Game
    policies: tuple[str, ...]
    low_card: tuple[str, ...]
    seed: int
    #: Rounds requested; `totals.rounds` is the number played (fewer after an interrupt).
    asked: int
    totals: Totals
    outcomes: tuple[Outcomes, ...] | None = None

    @property
    def is_complete(self) -> bool:
        """Whether all requested rounds were played."""
        return self.totals.rounds == self.asked

    @property
    def frame(self) -> pl.DataFrame:
        """A row per round and seat (rounds from 1, seats as letters)."""
        with wanted("lab"):
            import polars as pl

        if self.outcomes is None:
            raise RulesError("study.single_rounds_were")
        empty = Outcomes(self.totals.players, 0, 0, b"", self.outcomes[0].code if self.outcomes else "B")
        return pl.concat([outcomes_frame(part, self.sides) for part in (empty, *self.outcomes)])

    @property
    def sides(self) -> list[tuple[str, str]]:
        """Letter and policy of each scoring side: the seats, or a team and its opponent."""
        return [(seat_letter(seat), self._policy(seat)) for seat in self.game.pile_seats]

    def _policy(self, seat: Seat) -> str:
        if 0 <= seat < self.game.players:
            return self.policies[seat]
        # A team plays as its members do; an automatic opponent has no policy.
        return ", ".join(dict.fromkeys(self.policies)) if seat == TEAM else ""

    @property
    def summary(self) -> pl.DataFrame:
        """A row per seat: means per round with standard error and 95% interval, and the share of wins.

        >>> from nimmt_lab import Classic
        >>> result = simulate(Classic(players=2), rounds=1000, seed=1, progress=False)
        >>> result.summary["seat"].to_list()
        ['A', 'B']
        """
        totals, n = self.totals, self.totals.rounds
        rows: list[tuple[object, ...]] = []
        for at, side in enumerate(self.sides):
            counts = [getattr(totals, name)[at] / max(1, n) for name in FIELDS[1:]]
            if n:
                mean, error = totals.mean_heads[at], totals.error_heads[at]
                ends = mean - 1.96 * error, mean + 1.96 * error
                rows.append((*side, n, mean, error, *counts, totals.win_credit[at], *ends))
            else:
                rows.append((*side, n, None, None, *counts, None, None, None))
        numbers = ("mean_heads", "error", *FIELDS[1:], "win_credit", "low", "high")
        return data_frame(rows, {"seat": str, "policy": str, "rounds": int, **dict.fromkeys(numbers, float)})

    @property
    def distribution(self) -> pl.DataFrame:
        """A row per seat and number of heads that occurred: the count and share of rounds.

        >>> from nimmt_lab import Classic
        >>> simulate(Classic(players=2), rounds=1000, seed=1, progress=False).distribution["rounds"].sum()
        2000
        """
        rows = [
            (letter, policy, heads, count, count / self.totals.rounds)
            for (letter, policy), histogram in zip(self.sides, self.totals.histograms, strict=True)
            for heads, count in histogram.items()
        ]
        return data_frame(rows, {"seat": str, "policy": str, "heads": int, "rounds": int, "share": float})

    def sheet(self) -> Sheet:
        """The means of each seat, with 95% intervals."""
        totals, n = self.totals, self.totals.rounds
        done = f"{n:,}" + ("" if self.is_complete else f" of {self.asked:,}")
        title = f"{done} rounds of {self.game.name}, {self.game.players} players"
        notes = [] if self.is_complete else ["Interrupted: the rounds played so far."]
        if not n:
            return Sheet(title, notes=notes)
        most = max(abs(mean) + 1.96 * error for mean, error in zip(totals.mean_heads, totals.error_heads, strict=True))
        lines = []
        for at, (letter, policy) in enumerate(self.sides):
            mean, margin = totals.mean_heads[at], 1.96 * totals.error_heads[at]
            spread = ((mean - margin) / most, (mean + margin) / most) if most else None
            cells = (letter, policy, f"{mean:.3f} ± {margin:.3f}", f"{totals.win_credit[at]:.3f}")
            lines.append(Figure(cells, abs(mean) / most if most else 0.0, spread))
        unit = "points" if self.game.more_is_better else "heads"
        return Sheet(title, [Figures(("", "policy", f"mean {unit}", "wins"), lines)], notes=notes)

    __str__ = Shown.__str__

    def __repr__(self) -> str:
        done = f"{self.totals.rounds:,}" + ("" if self.is_complete else f" of {self.asked:,}")
        cards = ", ".join(card.name for card in getattr(self.game, "fan_cards", ()))
        title = f"{self.game.name} with {cards}" if cards else self.game.name
        text = f"<{done} rounds of {title}, {self.game.players} players"
        if not self.totals.rounds:
            return text + ">"
        sides = zip(self.sides, self.totals.mean_heads, strict=True)
        return f"{text}: mean heads {', '.join(f'{letter} {mean:.1f}' for (letter, _), mean in sides)}>"


def simulate(
    game: Game,
    policies: str | Sequence[str] = "random",
    rounds: int = 100_000,
    seed: int = 0,
    *,
    low_card: str | Sequence[str] = "cheapest",
    executor: Workers = None,
    progress: bool = True,
    each_round: bool | None = None,
    folder: str | Path | None = None,
) -> Simulation:
    """Play `rounds` single rounds of any game, with the compiled core where the game has a kernel, otherwise with the
    engine in several processes. Equal seeds give equal results either way.

    `policies`, `low_card`: a name for all seats or one each (see `nimmt_lab.native.kernel`). Of equally good cards,
    `least-risk` and `edges-first` play the one dealt first, which is as random as the draw of the bots of these names;
    in a game without a kernel they play the lowest.
    `executor`: a number of workers, any `concurrent.futures.Executor`, or a `dask.distributed.Client` for a cluster; by
    default all cores of this machine.
    `each_round`: keep every round's outcome (the default up to a million rounds), or only totals in constant memory.
    `folder`: store every portion there as Parquet. Repeating the call plays only the missing rounds.

    An interrupt returns the rounds played so far.

    >>> from nimmt_lab import Classic
    >>> simulate(Classic(players=3), ("lowest", "random", "random"), rounds=300, seed=5, progress=False).totals.rounds
    300
    """
    check_game(game)
    check_count(rounds, "rounds", 0)
    check_seed(seed)  # before a folder with a wrong seed is written
    simulator = Simulator.of(game, policies, low_card)
    keep = rounds <= MANY_ROUNDS if each_round is None else each_round
    totals = Totals.nothing(len(game.pile_seats))
    result = Simulation(game, simulator.policies, simulator.low_cards, seed, rounds, totals)
    store = None if folder is None else Store(Path(folder), result, keep)
    kept: list[Outcomes] = []
    meter = bar(rounds, "rounds", progress)
    with as_far_as_it_goes(meter):
        for part in _parts(simulator, seed, rounds, keep, executor, store):
            if isinstance(part, Outcomes):
                kept.append(part)
            totals += part.totals() if isinstance(part, Outcomes) else part
            meter.update(part.rounds)
    kept.sort(key=lambda part: part.first)
    return replace(result, totals=totals, outcomes=tuple(kept) if keep else None)


def _parts(
    simulator: Simulator, seed: int, rounds: int, keep: bool, executor: Workers, store: Store | None
) -> Iterator[Outcomes | Totals]:
    """The stored portions, then those still to be played. Memory does not grow with the number of rounds."""
    size = simulator.portion
    stored = set()
    for first, count in store.portions if store else ():
        if first % size == 0 and count == min(size, rounds - first):
            part = store.read(first, count) if store else None
            if part is not None:
                stored.add(first)
                yield part
    missing = ((first, min(size, rounds - first)) for first in range(0, rounds, size) if first not in stored)
    work = partial(_play, simulator, seed, keep)
    for (first, _), part in in_portions(work, missing, executor, processes=not simulator.compiled):
        if store:
            store.write(first, part)
        yield part


def _play(simulator: Simulator, seed: int, keep: bool, portion: tuple[int, int]) -> Outcomes | Totals:
    return simulator.play(seed, *portion) if keep else simulator.count(seed, *portion)
