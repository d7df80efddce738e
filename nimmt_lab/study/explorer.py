"""How often cards are played, and how costly they are: by card, gap, turn, place in the hand, and row.

>>> found = explore(by="length", players=4)  # half a million rounds of good players, counted in advance
>>> found.lines[0].value, found.lines[-1].value  # cards lower than every row, and cards for a full one
(0, 5)
>>> found.lines[0].heads > found.lines[1].heads
True

`explore` also counts your own games and any data set (`nimmt_lab.study.dataset`).
"""

from __future__ import annotations

import json
import math
import os
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Final, TypeAlias

from nimmt_lab.engine.errors import RulesError
from nimmt_lab.engine.extras import wanted
from nimmt_lab.engine.files import shown
from nimmt_lab.engine.record import Record
from nimmt_lab.engine.sheet import Figure, Figures, Sheet, Shown

from .choice_rows import ChoiceRow, choice_rows
from .frames import data_frame
from .habits import player_name, records_of

if TYPE_CHECKING:
    import polars as pl

__all__ = ["BY", "COUNTED_PLAYERS", "COUNTED_SIZES", "Exploration", "Line", "explore"]

#: What choices are grouped by, with the largest value: larger gaps count as that one. `length`: the number of cards in
#: the row where the card belongs, 0 if it is lower than every row.
BY: Final = {"card": 104, "gap": 40, "turn": 10, "rank": 10, "length": 5}
#: The players and table sizes that were counted in advance.
COUNTED_PLAYERS: Final = ("level-5", "level-3")
COUNTED_SIZES: Final = (2, 3, 4, 5, 6, 10)

#: Choices, those that took a row, their heads and the squares of them, by length of the row and value.
Counts: TypeAlias = dict[tuple[int, int], list[int]]
Games: TypeAlias = "str | os.PathLike[str] | Iterable[Record | str | os.PathLike[str]]"


@dataclass(frozen=True, slots=True)
class Line:
    """The choices with one value: how many, their share of all, the share that took a row, and the mean heads taken.
    Margins are half the width of 95% intervals, as if choices were independent."""

    value: int
    count: int
    share: float
    takes: float
    takes_margin: float
    heads: float
    heads_margin: float

    @classmethod
    def of(cls, value: int, sums: list[int], all_choices: int) -> Line:
        count, taken, heads, squares = sums
        share, mean = taken / count, heads / count
        variance = max(0.0, squares / count - mean * mean)
        # Wilson's interval around the share, because few choices may have taken nothing.
        spread = 1.96 * math.sqrt(share * (1 - share) / count + 0.9604 / count**2) / (1 + 3.8416 / count)
        return cls(value, count, count / all_choices, share, spread, mean, 1.96 * math.sqrt(variance / count))


@dataclass(frozen=True, repr=False)
class Exploration(Shown):
    """Cards played, grouped by one thing."""

    by: str
    #: Only cards for a row of this length, or (None) all.
    row: int | None
    lines: tuple[Line, ...]

    @property
    def count(self) -> int:
        return sum(line.count for line in self.lines)

    @property
    def frame(self) -> pl.DataFrame:
        """A row per line."""
        names = Line.__slots__
        kinds = {name: int if name in ("value", "count") else float for name in names}
        return data_frame([[getattr(line, name) for name in names] for line in self.lines], kinds)

    def sheet(self) -> Sheet:
        most = max([line.heads for line in self.lines] + [1e-9])
        lines = [
            Figure(
                (
                    str(line.value),
                    f"{line.count:,}",
                    f"{line.share:.1%}",
                    f"{line.takes:.1%}",
                    f"{line.heads:.2f} ± {line.heads_margin:.2f}",
                ),
                line.heads / most,
            )
            for line in self.lines
        ]
        return Sheet(f"{self.count:,} cards", [Figures((self.by, "cards", "share", "takes a row", "heads"), lines)])

    __str__ = Shown.__str__
    __repr__ = Shown.__str__


def explore(
    choices: pl.DataFrame | pl.LazyFrame | Games | None = None,
    by: str = "card",
    *,
    row: int | None = None,
    players: int | None = None,
    player: str | None = None,
) -> Exploration:
    """Count how often cards were played and what they cost, grouped by `card`, `gap`, `turn`, `rank` or `length`.

    `choices`: a data set, a folder of games, some records or files; None: half a million rounds at tables where all
    play alike, `level-5` (the default) or `level-3`, with 2, 3, 4, 5, 6 or 10 players (4 by default).
    `row`: only cards for a row of this length; 0: only cards lower than every row. `players`: only tables of this
    size. `player`: only this player's choices.

    >>> from nimmt_lab import Classic
    >>> from nimmt_lab.bots import record
    >>> explore([record(Classic(players=2, rounds=1), ["lowest", "highest"], seed=1)], by="rank", player="A").count
    10
    """
    check_by(by, row)
    if choices is None:
        counts = counted(player or COUNTED_PLAYERS[0], 4 if players is None else players)[by]
    elif hasattr(choices, "lazy"):
        counts = _of_frame(choices.lazy(), by, players, player)
    else:
        counts = of_records(records_of(choices, []), players, player)[by]
    return summary(counts, by, row)


def check_by(by: str, row: int | None) -> None:
    if by not in BY:
        raise RulesError("shared.must_one_of", what="by", known=", ".join(BY), got=shown(by))
    if row is not None and (isinstance(row, bool) or row not in range(BY["length"] + 1)):
        raise RulesError("study.explore_row", most=BY["length"], got=shown(row))


def summary(counts: Counts, by: str, row: int | None = None) -> Exploration:
    """The lines of some counts."""
    added = defaultdict[int, list[int]](lambda: [0, 0, 0, 0])
    for (length, value), sums in counts.items():
        if row is None or length == row:
            added[value] = [old + new for old, new in zip(added[value], sums, strict=True)]
    every = sum(sums[0] for sums in added.values())
    return Exploration(by, row, tuple(Line.of(value, sums, every) for value, sums in sorted(added.items())))


# Counting -----------------------------------------------------------------------------------------------------


def of_records(records: Iterable[Record], players: int | None = None, player: str | None = None) -> dict[str, Counts]:
    """The cards played in some games, by everything in `BY`."""
    found: dict[str, Counts] = {by: {} for by in BY}
    for record in records:
        if players is None or record.game.players == players:
            for each in choice_rows(record.steps, record.hidden):
                if each.kind == 0 and (player is None or player_name(record, each.seat) == player):
                    _count(found, each)
    return found


def _count(found: Mapping[str, Counts], row: ChoiceRow) -> None:
    length = min(row.counts[row.home - 1], BY["length"]) if row.home else 0
    values = {"card": row.card, "gap": row.gap, "turn": row.turn, "rank": row.rank, "length": length}
    for by, value in values.items():
        if by != "gap" or row.home:  # a low card belongs to no row
            sums = found[by].setdefault((length, min(value, BY[by])), [0, 0, 0, 0])
            for at, number in enumerate((1, row.took > 0, row.cost, row.cost**2)):
                sums[at] += number


def _of_frame(frame: pl.LazyFrame, by: str, players: int | None, player: str | None) -> Counts:
    with wanted("lab"):
        import polars as pl

    cards = frame.filter(pl.col("kind") == "card")
    if players is not None:
        cards = cards.filter(pl.col("players") == players)
    if player is not None:
        cards = cards.filter(pl.col("player") == player)
    length = pl.col("row_count").fill_null(0)
    value = length if by == "length" else pl.col(by).clip(upper_bound=BY[by])
    heads = pl.col("heads").cast(pl.Int64)
    sums = pl.len(), (pl.col("took") != "nothing").sum(), heads.sum(), (heads**2).sum()
    named = [sum_.alias(f"sum_{at}") for at, sum_ in enumerate(sums)]
    grouped = cards.group_by(length.alias("length"), value.alias("value")).agg(*named).drop_nulls().collect()
    return {(at, here): [int(number) for number in numbers] for at, here, *numbers in grouped.iter_rows()}


@cache
def _counted() -> Mapping[str, Mapping[str, Mapping[str, list[int]]]]:
    text = files(__package__).joinpath("data/choices/counted.json").read_text(encoding="utf-8")
    tables: Mapping[str, Mapping[str, Mapping[str, list[int]]]] = json.loads(text)["counts"]
    return tables


def counted(player: str, players: int) -> dict[str, Counts]:
    """The sums that `tools/explored.py` counted in advance, by length of the row and value."""
    known = _counted()
    if player not in known:
        raise RulesError("shared.must_one_of", what="player", known=", ".join(known), got=shown(player))
    if str(players) not in known[player]:
        raise RulesError("study.dataset_no_size", got=players, known=", ".join(known[player]))
    found: dict[str, Counts] = {}
    for by, numbers in known[player][str(players)].items():
        cells = [numbers[at : at + 4] for at in range(0, len(numbers), 4)]
        places = [(length, value) for length in range(BY["length"] + 1) for value in range(BY[by] + 1)]
        found[by] = {place: sums for place, sums in zip(places, cells, strict=True) if sums[0]}
    return found
