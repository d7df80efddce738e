"""Proofs for hints: every set of tiles that the others can play, walked through at once.

Tiles are placed in ascending order, so one sweep over the numbers is enough. At any number a single row matters: the
one with the highest lower end (or, if there is none, with the highest end). The lengths of the rows and that row make
a *case*; sets of tiles that lead to the same case are merged.

Luck cards change points, not places. Action cards change places, so nothing is proved while an opponent may have one.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from nimmt_lab.engine.cards import Card, Cards
from nimmt_lab.engine.view import View
from nimmt_lab.engine.ways import Needed, TooMany, shortest

from .material import TAKES, points_of
from .parts import BoardExtra
from .rules import BoardGame

#: The proof stops at this number of cases.
MOST_CASES = 20_000


class Case(NamedTuple):
    """The relevant part of the table between two tiles of a turn."""

    #: The row with the highest end below the tiles to come; negative if there is none yet.
    row: int
    lengths: tuple[int, ...]
    #: Rows whose ends have changed, as bits.
    changed: int
    #: Whether the Stop! markers are still in place.
    stopped: bool


class Fate(NamedTuple):
    """The possible fates of a tile."""

    #: How it can take a row; None if it never does.
    takes: Needed | None
    #: How it can avoid that; None if it always takes one.
    spared: Needed | None
    #: The possible points of the field otherwise.
    points: tuple[int, ...]


def is_open_to_proof(view: View) -> bool:
    """Whether tiles alone decide the places of tiles this turn."""
    game, extra = view.game, BoardExtra.of(view)
    assert isinstance(game, BoardGame)
    early = any(field in TAKES for fields in game.layout.rows for field in fields[:-1])
    if game.luck and early:
        return False  # "5 plus points" may prevent a take
    if not game.advanced:
        return True
    if any(held for seat, held in enumerate(extra.actions) if seat != view.seat):
        return False
    # A card drawn with the first of two tiles may be played before the second.
    return not (game.plays_two(view) and (extra.action_deck or extra.discards))


def tiles_of_others(view: View) -> int:
    """The number of tiles that the others play this turn."""
    game = view.game
    assert isinstance(game, BoardGame)
    most = 2 if game.plays_two(view) else 1
    return sum(min(most, size) for seat, size in enumerate(view.hand_sizes) if seat != view.seat)


def fates(view: View, tiles: Cards, before: Cards = ()) -> dict[Card, Fate]:
    """The fate of each tile, if the seat also plays the tiles `before`.

    >>> state = BoardGame(players=2).from_position("50 | 70 | 20 | 56 | | | | | | ; A: 57 1 ; B: 93 2")
    >>> fates(state.view(0), (57,))  # +3 in row 4; no tile fits between 56 and 57
    {57: Fate(takes=None, spared=Needed(needed=0, cards=()), points=(3,))}
    """
    return _Sweep(view, tiles, before).run()


class _Sweep:
    def __init__(self, view: View, tiles: Cards, before: Cards) -> None:
        game = view.game
        assert isinstance(game, BoardGame)
        self.game, self.tiles, self.before = game, tiles, before
        self.others = tiles_of_others(view)
        self.unseen = frozenset(view.unseen)
        self.stops = BoardExtra.of(view).stops
        self.ends = {row[-1]: at for at, row in enumerate(view.rows) if row}
        free = [end for end, row in self.ends.items() if row not in self.stops]
        #: The row of a tile that is lower than every end.
        self.highest = self.ends[max(free)]
        start = Case(-1, tuple(map(len, view.rows)), 0, bool(self.stops))
        #: By case and number of tiles of others: all tiles that can lead there, as bits.
        self.cases: dict[tuple[Case, int], int] = {(start, 0): 0}

    def run(self) -> dict[Card, Fate]:
        results = {}
        for number in range(1, max(self.tiles) + 1):
            if number in self.ends:
                self._pass(number)
            if number in self.tiles:
                results[number] = self._fate(number)
            if number in self.before:
                self._place(number, own=True)
            elif number in self.unseen:
                self._place(number, own=False)
        return {tile: results[tile] for tile in self.tiles}

    def _note(self, cases: dict[tuple[Case, int], int], case: Case, count: int, tiles: int) -> None:
        cases[case, count] = cases.get((case, count), 0) | tiles

    def _pass(self, end: Card) -> None:
        """From this end on, tiles go to its row, unless it has changed or is stopped."""
        row = self.ends[end]
        cases: dict[tuple[Case, int], int] = {}
        for (case, count), tiles in self.cases.items():
            unchanged = not case.changed >> row & 1 and not (case.stopped and row in self.stops)
            self._note(cases, case._replace(row=row) if unchanged else case, count, tiles)
        self.cases = cases

    def _place(self, tile: Card, *, own: bool) -> None:
        """Another player may place that tile; the seat itself does if it is its own."""
        cases: dict[tuple[Case, int], int] = {} if own else dict(self.cases)
        for (case, count), tiles in self.cases.items():
            if own or count < self.others:
                for after in self._after(case):
                    self._note(cases, after, count + (not own), tiles if own else tiles | 1 << tile)
        if len(cases) > MOST_CASES:
            raise TooMany
        self.cases = cases

    def _after(self, case: Case) -> Iterator[Case]:
        """The cases after the next tile: several if its player chooses a new row."""
        row = self.highest if case.row < 0 else case.row
        changed = case.changed | 1 << row
        if self._field(case)[2] not in TAKES:
            yield Case(row, _with(case.lengths, row, case.lengths[row] + 1), changed, case.stopped)
            return
        lengths = _with(case.lengths, row, 0)
        empty = [at for at, length in enumerate(lengths) if not length]
        if not self.game.advanced:
            below = [at for at in empty if at > row]
            empty = [(below or empty)[0]]
        for new in empty:
            yield Case(new, _with(lengths, new, 1), changed | 1 << new, False)

    def _field(self, case: Case) -> tuple[int, int, str]:
        row = self.highest if case.row < 0 else case.row
        slot = case.lengths[row]
        return row, slot, self.game.layout.rows[row][slot]

    def _fate(self, tile: Card) -> Fate:
        heads = self.game.box.heads(tile)
        above = sum(other > tile for other in self.unseen)
        takes: dict[int, int] = {}
        spared: dict[int, int] = {}
        points = set()
        for (case, count), tiles in self.cases.items():
            if self.others - count > above:
                continue  # the remaining tiles of the others must be higher
            field = self._field(case)[2]
            ways = takes if field in TAKES else spared
            ways[count] = ways.get(count, 0) | tiles
            if field not in TAKES:
                points.add(points_of(field, heads) or 0)
        return Fate(shortest(takes), shortest(spared), tuple(sorted(points)))


def _with(lengths: Sequence[int], row: int, length: int) -> tuple[int, ...]:
    return (*lengths[:row], length, *lengths[row + 1 :])
