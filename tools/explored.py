"""Count the cards of half a million rounds for the explorer, and save the sums beside the sample of the data set.

    python tools/explored.py [ROUNDS]

The rounds are those of a data set in which all seats of a table have the same player (`nimmt_lab.study.explorer`).
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

import polars as pl

from nimmt_lab.engine.files import write_file
from nimmt_lab.study.explorer import BY, COUNTED_PLAYERS, COUNTED_SIZES
from nimmt_lab.study.tables import Tables

FILE = Path(__file__).resolve().parent.parent / "nimmt_lab/study/data/choices/counted.json"
ROUNDS, PORTION, SEED = 504_000, 3_000, 66
#: By length of the row and value: choices, takes, heads, squares of heads.
Sums = dict[str, list[int]]


def count(player: str, players: int, first: int, rounds: int) -> Sums:
    """The sums of some rounds, as a list for each thing in `BY`."""
    # A single player in the list sits in every seat.
    raw = Tables(players, (player,), SEED).play(first, rounds)
    used = ("kind", "card", "rank", "home", "gap", "turn", "count_1", "count_2", "count_3", "count_4", "took", "cost")
    home = pl.col("home")
    length = pl.coalesce(pl.when(home == row).then(f"count_{row}") for row in (1, 2, 3, 4)).fill_null(0)
    frame = pl.DataFrame({name: pl.Series(name, raw[name], dtype=pl.Int64) for name in used})
    cards = frame.filter(pl.col("kind") == 0).with_columns(length=length)
    sums: Sums = {}
    for by, most in BY.items():
        numbers = [0] * (4 * (most + 1) * (BY["length"] + 1))
        some = cards.filter(home > 0) if by == "gap" else cards
        cost = pl.col("cost")
        grouped = some.group_by("length", pl.col(by).clip(upper_bound=most).alias("value")).agg(
            pl.len().alias("n"), (pl.col("took") > 0).sum(), cost.sum(), (cost**2).sum().alias("squares")
        )
        for row, value, *four in grouped.iter_rows():
            at = 4 * (row * (most + 1) + value)
            numbers[at : at + 4] = map(int, four)
        sums[by] = numbers
    return sums


def main(rounds: int) -> None:
    each = rounds // (len(COUNTED_PLAYERS) * len(COUNTED_SIZES))
    counts: dict[str, dict[str, Sums]] = {}
    for player in COUNTED_PLAYERS:
        for players in COUNTED_SIZES:
            total: Sums = {}
            for first in range(0, each, PORTION):
                some = count(player, players, first, min(PORTION, each - first))
                total = {
                    by: [a + b for a, b in zip(total.get(by, [0] * len(one)), one, strict=True)]
                    for by, one in some.items()
                }
            counts.setdefault(player, {})[str(players)] = total
            print(player, players, flush=True)
    about = {"format": "nimmt-counted/1", "rounds": each, "seed": SEED, "counts": counts}
    write_file(FILE, json.dumps(about, separators=(",", ":")) + "\n")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else ROUNDS)
