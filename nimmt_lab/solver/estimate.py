"""A good guess at a position within a second or so: the same search, stopped early, where a learned guess takes over.

The search goes down to a few cards a hand and there asks what was learned (`learned`). What it finds is exact for that
shorter game, which is not the real one: an estimate, and only ever shown as one. It has tables of its own, so that
nothing of it can get into a proof.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass

from nimmt_lab.native import Core
from nimmt_lab.solver import core
from nimmt_lab.solver.learned import loaded
from nimmt_lab.solver.open_position import PLAIN, OpenPosition

#: Where the search stops, by cards a hand: a quick look, then closer ones, each guided by the one before it.
CUTS = {6: (5,), 7: (5,), 8: (6, 5), 9: (7, 6, 5), 10: (8, 7, 6)}
#: Positions a look may search, unless it is the first; a closer one that takes longer is given up.
MOST_NODES = 150_000
MEMORY = 1 << 26


@dataclass(frozen=True)
class Guess:
    """An estimate in units: the value, and the table of the turn with mixes and entries (lows and highs agree)."""

    value: int
    turn: core.Turn
    #: Cards a hand at which the search stopped.
    cut: int
    #: What it found on the way: it guides the searches that come after it.
    tables: core.Tables

    def guide(self, search: core.Search) -> None:
        """Let a search try first what looks best here."""
        search.ask_function("nl_solve_guide", self.tables.main, self.tables.main_log2, self.cut + 1)


def estimate(
    native: Core,
    position: OpenPosition,
    shift: int,
    *,
    until: float | None = None,
    look: Callable[[Guess], None] | None = None,
) -> Guess | None:
    """The best guess in the time allowed; None where there is nothing to guess by, or no time.

    ``look`` gets every better guess. The first may take most of the time allowed, a closer one half of what is left.
    """
    found: Guess | None = None
    if position.kind != PLAIN:
        return None
    for cut in CUTS.get(position.cards_each, ()):
        now = time.monotonic()
        limit = None if until is None else now + (until - now) * (0.7 if found is None else 0.5)
        closer = _closer(native, position, shift, cut, found, limit)
        if closer is None:
            break
        found = closer
        if look is not None:
            look(found)
    return found


def _closer(
    native: Core, position: OpenPosition, shift: int, cut: int, before: Guess | None, limit: float | None
) -> Guess | None:
    """One search that stops at a cut; None if it takes too long."""
    tables = core.Tables(native, MEMORY if position.cards_each > 8 else MEMORY >> 3)
    search = core.Search(native, tables, position, shift)
    search.ask_function("nl_solve_learned", *loaded(native), cut)
    if before is not None:
        before.guide(search)
    for what in (core.VALUE, core.TURN, core.REGRETS)[: 3 if position.cards_each <= 8 else 2]:
        known = search.result()
        search.ask(what, max(known[core.LO] - 1, -search.cap), min(known[core.HI] + 1, search.cap))
        while not search.run():
            late = limit is not None and time.monotonic() >= limit
            if late or (before is not None and search.result()[core.NODES] > MOST_NODES):
                search.stop()
                return None
    known = search.result()
    return Guess((known[core.LO] + known[core.HI]) // 2, search.turn(), cut, tables)
