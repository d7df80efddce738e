"""Simulated rounds: a row per seat and round, or running totals when the rounds are many.

>>> from nimmt_lab import Classic
>>> result = simulate(Classic(players=4), rounds=2000, seed=1, progress=False)
>>> result
<2,000 rounds of classic, 4 players: mean heads A 12.1, B 12.2, C 12.1, D 12.2>
>>> result.frame.columns
['round', 'seat', 'policy', 'heads', 'full_rows', 'low_cards', 'cow_rows', 'turns_with_take']
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from nimmt_lab.engine.cards import seat_letter
from nimmt_lab.engine.errors import NotationError, RulesError
from nimmt_lab.engine.game import Game
from nimmt_lab.fast.kernels import COMPILED, CREDIT, HEADS_SPAN
from nimmt_lab.fast.rounds import FIELDS, Outcomes, Plan, Totals

from .work import bar, in_portions

if TYPE_CHECKING:
    import polars as pl

#: Rounds in one task. A task for a cluster should not be smaller than this; without numba it takes seconds.
PORTION = 50_000 if COMPILED else 500
#: Up to so many rounds, the outcome of every round is kept.
MANY_ROUNDS = 1_000_000

_FORMAT = "nimmt-simulation/1"


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
        import polars as pl

        if self.outcomes is None:
            raise RulesError("single rounds were not kept: simulate(..., each_round=True) keeps them")
        empty = _outcomes_frame(Outcomes(self.game.players, 0, 0, b""), self.policies)
        return pl.concat([empty, *(_outcomes_frame(part, self.policies) for part in self.outcomes)])

    @property
    def summary(self) -> pl.DataFrame:
        """A row per seat: means per round with their standard error and 95 % interval, and the share of wins.

        >>> from nimmt_lab import Classic
        >>> result = simulate(Classic(players=2), rounds=1000, seed=1, progress=False)
        >>> result.summary["seat"].to_list()
        ['A', 'B']
        """
        import polars as pl

        totals, n = self.totals, max(1, self.totals.rounds)
        frame = pl.DataFrame(
            {
                "seat": [seat_letter(seat) for seat in range(self.game.players)],
                "policy": self.policies,
                "rounds": [totals.rounds] * self.game.players,
                "mean_heads": totals.mean_heads if totals.rounds else [None] * self.game.players,
                "error": totals.error_heads if totals.rounds else [None] * self.game.players,
                "full_rows": [value / n for value in totals.full_rows],
                "low_cards": [value / n for value in totals.low_cards],
                "cow_rows": [value / n for value in totals.cow_rows],
                "turns_with_take": [value / n for value in totals.turns_with_take],
                "win_credit": totals.win_credit if totals.rounds else [None] * self.game.players,
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
        import polars as pl

        rows = [
            (seat_letter(seat), self.policies[seat], heads, count, count / self.totals.rounds)
            for seat, histogram in enumerate(self.totals.histograms)
            for heads, count in enumerate(histogram)
            if count
        ]
        schema = {"seat": pl.String, "policy": pl.String, "heads": pl.Int64, "rounds": pl.Int64, "share": pl.Float64}
        return pl.DataFrame(rows, schema=schema, orient="row")

    def __repr__(self) -> str:
        done = f"{self.totals.rounds:,}" + ("" if self.is_complete else f" of {self.asked:,}")
        text = f"<{done} rounds of {_title(self.game)}, {self.game.players} players"
        if not self.totals.rounds:
            return text + ">"
        means = ", ".join(f"{seat_letter(seat)} {mean:.1f}" for seat, mean in enumerate(self.totals.mean_heads))
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
    """Play `rounds` single rounds of `game`. Equal seeds give equal results, whoever does the work.

    `policies` and `low_card`: a name for all seats or one each (see `nimmt_lab.fast.POLICIES`, `LOW_CARDS`).
    `executor`: any `concurrent.futures.Executor` (threads of this process by default; a cluster's with
    `dask.distributed.Client.get_executor()`). `each_round`: keep every round's outcome (the default up to a million
    rounds) or only running totals, whose memory does not grow. An interrupt returns what is done so far.

    `folder`: write every portion there as Parquet. The same call again plays only what is missing.

    >>> from nimmt_lab import Classic
    >>> a = simulate(Classic(players=3), ("lowest", "random", "random"), rounds=300, seed=5, progress=False)
    >>> b = simulate(Classic(players=3), ("lowest", "random", "random"), rounds=300, seed=5, progress=False)
    >>> a.totals == b.totals
    True
    """
    if isinstance(rounds, bool) or not isinstance(rounds, int) or rounds < 0:
        raise RulesError(f"rounds must be a whole number, 0 or more; got {rounds!r}")
    plan = Plan.of(game, policies, low_card)
    names = _names(policies, game.players)
    lows = _names(low_card, game.players)
    keep = rounds <= MANY_ROUNDS if each_round is None else each_round
    store = None if folder is None else _Store(Path(folder), game, names, lows, seed, keep)
    portions = [(first, min(PORTION, rounds - first)) for first in range(0, rounds, PORTION)]
    totals = Totals.nothing(game.players)
    kept: list[Outcomes] = []
    shown = bar(rounds, "rounds", progress)
    try:
        for part in _parts(plan, seed, portions, keep, executor, store):
            if isinstance(part, Outcomes):
                kept.append(part)
                totals += part.totals()
            else:
                totals += part
            shown.update(part.rounds)
    except KeyboardInterrupt:
        # What is done is worth keeping: the caller sees from `is_complete` that there could be more.
        pass
    finally:
        shown.close()
    kept.sort(key=lambda part: part.first)
    return Simulation(game, names, lows, seed, rounds, totals, tuple(kept) if keep else None)


def _parts(
    plan: Plan,
    seed: int,
    portions: list[tuple[int, int]],
    keep: bool,
    executor: Executor | None,
    store: _Store | None,
) -> Iterator[Outcomes | Totals]:
    """Every portion's result: those in the store first, then those to be played."""
    missing = []
    for first, rounds in portions:
        stored = store.read(first, rounds) if store else None
        if stored is None:
            missing.append((first, rounds))
        else:
            yield stored
    work = partial(_play if keep else _count, plan, seed)
    for (first, _), part in in_portions(work, missing, executor):
        if store:
            store.write(first, part)
        yield part


def _play(plan: Plan, seed: int, portion: tuple[int, int]) -> Outcomes | Totals:
    return plan.play(seed, *portion)


def _count(plan: Plan, seed: int, portion: tuple[int, int]) -> Outcomes | Totals:
    return plan.count(seed, *portion)


def _names(names: str | Sequence[str], players: int) -> tuple[str, ...]:
    return (names,) * players if isinstance(names, str) else tuple(names)


def _title(game: Game) -> str:
    cards = ", ".join(card.name for card in getattr(game, "fan_cards", ()))
    return f"{game.name} with {cards}" if cards else game.name


def _outcomes_frame(part: Outcomes, policies: tuple[str, ...]) -> pl.DataFrame:
    import polars as pl

    n = part.players
    size = part.rounds * n
    place = pl.int_range(size, dtype=pl.Int64, eager=True)
    letters = pl.Series([seat_letter(seat) for seat in range(n)], dtype=pl.String)
    columns = {
        "round": place // n + (part.first + 1),
        "seat": letters.gather(place % n),
        "policy": pl.Series(policies, dtype=pl.String).gather(place % n),
    }
    for name in FIELDS:
        columns[name] = pl.Series(name, list(part.column(name)), dtype=pl.UInt8)
    return pl.DataFrame(columns)


class _Store:
    """Portions as Parquet files in a folder, with a note of what they are portions of."""

    def __init__(
        self, folder: Path, game: Game, policies: tuple[str, ...], lows: tuple[str, ...], seed: int, keep: bool
    ) -> None:
        self.folder = folder
        self.players = game.players
        self.policies = policies
        self.keep = keep
        note = {
            "format": _FORMAT,
            "game": repr(game),
            "policies": list(policies),
            "low_card": list(lows),
            "seed": seed,
            "each_round": keep,
        }
        folder.mkdir(parents=True, exist_ok=True)
        path = folder / "simulation.json"
        if path.exists():
            try:
                there = json.loads(path.read_text(encoding="utf-8"))
            except ValueError as error:
                raise NotationError(f"cannot be read: {error}", source=str(path)) from None
            if there != note:
                raise NotationError("this folder holds another simulation (game, policies, seed …)", source=str(path))
        else:
            path.write_text(json.dumps(note, indent=1) + "\n", encoding="utf-8")

    def _path(self, first: int, rounds: int) -> Path:
        return self.folder / f"rounds-{first + 1:012d}-{first + rounds:012d}.parquet"

    def write(self, first: int, part: Outcomes | Totals) -> None:
        """Under another name first: a file that bears its name is whole."""
        path = self._path(first, part.rounds)
        frame = _outcomes_frame(part, self.policies) if isinstance(part, Outcomes) else _totals_frame(part)
        unfinished = path.with_suffix(".part")
        frame.write_parquet(unfinished)
        unfinished.replace(path)

    def read(self, first: int, rounds: int) -> Outcomes | Totals | None:
        path = self._path(first, rounds)
        if not path.exists():
            return None
        import polars as pl

        try:
            frame = pl.read_parquet(path)
            if self.keep:
                data = bytes(value for row in frame.select(FIELDS).iter_rows() for value in row)
                if len(data) != rounds * self.players * len(FIELDS):
                    raise NotationError(f"expected {rounds} rounds of {self.players} seats", source=str(path))
                return Outcomes(self.players, first, rounds, data)
            return Totals(self.players, rounds, tuple(frame["value"].to_list()))
        except (pl.exceptions.PolarsError, OSError) as error:
            raise NotationError(f"cannot be read: {error}", source=str(path)) from None


def _totals_frame(totals: Totals) -> pl.DataFrame:
    """A row per seat and number: rounds with so many heads, then the sums (win credit in parts of CREDIT)."""
    import polars as pl

    names = [f"rounds with {heads} heads" for heads in range(HEADS_SPAN)]
    names += [*FIELDS[1:], f"win credit, in parts of {CREDIT}"]
    return pl.DataFrame(
        {
            "seat": [seat_letter(seat) for seat in range(totals.players) for _ in names],
            "what": names * totals.players,
            "value": totals.data,
        }
    )
