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

#: Where the search stops, by cards a hand: a quick look, then a closer one.
CUTS = {6: (5,), 7: (5,), 8: (6, 5), 9: (6,), 10: (6,)}
MEMORY = 1 << 26


@dataclass(frozen=True)
class Guess:
    """An estimate in units: the value, and the table of the turn with mixes and entries (lows and highs agree)."""

    value: int
    turn: core.Turn
    #: Cards a hand at which the search stopped.
    cut: int


def estimate(
    native: Core,
    position: OpenPosition,
    shift: int,
    *,
    until: float | None = None,
    look: Callable[[Guess], None] | None = None,
) -> Guess | None:
    """The best guess in the time allowed; None where there is nothing to guess by, or no time.

    ``look`` gets every better guess. The first may take most of the time allowed, a closer one a third.
    """
    found: Guess | None = None
    if position.kind != PLAIN:
        return None
    started = time.monotonic()
    for cut in CUTS.get(position.cards_each, ()):
        limit = None if until is None else started + (until - started) * (0.7 if found is None else 0.3)
        memory = MEMORY if position.cards_each > 8 else MEMORY >> 3
        search = core.Search(native, core.Tables(native, memory), position, shift)
        numbers, count = loaded(native)
        search.ask_function("nl_solve_learned", numbers, count, cut)
        for what in (core.VALUE, core.TURN, core.REGRETS)[: 3 if position.cards_each <= 8 else 2]:
            known = search.result()
            search.ask(what, max(known[core.LO] - 1, -search.cap), min(known[core.HI] + 1, search.cap))
            while not search.run():
                if limit is not None and time.monotonic() >= limit:
                    search.stop()
                    return found
        known = search.result()
        found = Guess((known[core.LO] + known[core.HI]) // 2, search.turn(), cut)
        if look is not None:
            look(found)
    return found
