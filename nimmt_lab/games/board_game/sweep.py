"""What may become of a tile before it is placed: every set of tiles that the others can play, walked through at once.

Tiles are placed in ascending order, so one sweep over the numbers will do. At any number only one row matters: the one
that ends highest below it (or, while none does, the one that ends highest of all). How long the rows are and which row
that is makes a *case*; sets of tiles that come to the same case need not be told apart any more.

Luck cards change points, not places. Action cards change places, so nothing is proved while somebody else may have one.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from nimmt_lab.engine.cards import Card, Cards
from nimmt_lab.engine.view import View

from .cards import BoardExtra
from .material import TAKES, points_of
from .rules import BoardGame

#: More cases than this at once, and the proof is given up.
MOST_CASES = 20_000


class TooMany(Exception):
    """There are too many cases to walk through them all."""


class Case(NamedTuple):
    """The table between two tiles of a turn, as far as it matters for higher tiles."""

    #: The row that ends highest below the tiles to come; below 0: none does yet.
    row: int
    lengths: tuple[int, ...]
    #: Rows, as a set of bits, whose ends are no longer what they were.
    changed: int
    #: Whether the Stop! markers are still there.
    stopped: bool


class Way(NamedTuple):
    """At least so many of these tiles must come before it."""

    needed: int
    tiles: Cards


class Fate(NamedTuple):
    """What may become of a tile."""

    #: How it comes to take a row; None: it never does.
    takes: Way | None
    #: How it comes not to; None: it always takes one.
    spared: Way | None
    #: What the field may give where it takes none.
    points: tuple[int, ...]


def is_open_to_proof(view: View) -> bool:
    """Whether nothing but tiles decides where tiles go this turn."""
    game, extra = view.game, BoardExtra.of(view)
    assert isinstance(game, BoardGame)
    early = any(field in TAKES for fields in game.layout.rows for field in fields[:-1])
    if game.luck and early:
        return False  # "5 plus points" may keep a row from being taken
    if not game.advanced:
        return True
    if any(held for seat, held in enumerate(extra.actions) if seat != view.seat):
        return False
    # With two tiles, a card drawn by the first may be played before the second.
    return not (game.plays_two(view) and (extra.action_deck or extra.discards))


def tiles_of_others(view: View) -> int:
    """How many tiles the others play this turn."""
    game = view.game
    assert isinstance(game, BoardGame)
    most = 2 if game.plays_two(view) else 1
    return sum(min(most, size) for seat, size in enumerate(view.hand_sizes) if seat != view.seat)


def fates(view: View, tiles: Cards, before: Cards = ()) -> dict[Card, Fate]:
    """What may become of each of the tiles, with `before` (the seat's own, too) placed in any case.

    >>> state = BoardGame(players=2).from_position("50 | 70 | 20 | 56 | | | | | | ; A: 57 1 ; B: 93 2")
    >>> fates(state.view(0), (57,))  # +3 in row 4; nothing can come between 56 and 57
    {57: Fate(takes=None, spared=Way(needed=0, tiles=()), points=(3,))}
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
        #: Where a tile goes that is lower than every end.
        self.highest = self.ends[max(free)]
        start = Case(-1, tuple(map(len, view.rows)), 0, bool(self.stops))
        #: The cases, each with the number of others' tiles that led there, and all tiles on the ways to it, as bits.
        self.cases: dict[tuple[Case, int], int] = {(start, 0): 0}

    def run(self) -> dict[Card, Fate]:
        found = {}
        for number in range(1, max(self.tiles) + 1):
            if number in self.ends:
                self._pass(number)
            if number in self.tiles:
                found[number] = self._fate(number)
            if number in self.before:
                self._place(number, own=True)
            elif number in self.unseen:
                self._place(number, own=False)
        return {tile: found[tile] for tile in self.tiles}

    def _note(self, cases: dict[tuple[Case, int], int], case: Case, count: int, tiles: int) -> None:
        cases[case, count] = cases.get((case, count), 0) | tiles

    def _pass(self, end: Card) -> None:
        """Tiles from here on go behind this end, if it is still there and not stopped."""
        row = self.ends[end]
        cases: dict[tuple[Case, int], int] = {}
        for (case, count), tiles in self.cases.items():
            there = not case.changed >> row & 1 and not (case.stopped and row in self.stops)
            self._note(cases, case._replace(row=row) if there else case, count, tiles)
        self.cases = cases

    def _place(self, tile: Card, *, own: bool) -> None:
        """Somebody may place that tile; the seat itself does."""
        cases: dict[tuple[Case, int], int] = {} if own else dict(self.cases)
        for (case, count), tiles in self.cases.items():
            if own or count < self.others:
                for after in self._after(case):
                    self._note(cases, after, count + (not own), tiles if own else tiles | 1 << tile)
        if len(cases) > MOST_CASES:
            raise TooMany
        self.cases = cases

    def _after(self, case: Case) -> Iterator[Case]:
        """The cases after the next tile: several where its player chooses the row to start."""
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
                continue  # the others' tiles that are left must be higher ones
            field = self._field(case)[2]
            ways = takes if field in TAKES else spared
            ways[count] = ways.get(count, 0) | tiles
            if field not in TAKES:
                points.add(points_of(field, heads) or 0)
        return Fate(_way(takes), _way(spared), tuple(sorted(points)))


def _with(lengths: Sequence[int], row: int, length: int) -> tuple[int, ...]:
    return (*lengths[:row], length, *lengths[row + 1 :])


def _way(ways: dict[int, int]) -> Way | None:
    if not ways:
        return None
    needed = min(ways)
    return Way(needed, tuple(tile for tile in range(ways[needed].bit_length()) if ways[needed] >> tile & 1))
