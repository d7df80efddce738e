"""The plain compiled search: every entry of every turn, remembered by canonical key. A yardstick, not a tool.

It has no windows, no bounds and no neighbours, so it visits every position that can be reached. The fast search is held
against it where exact fractions are out of reach (six and seven cards a hand), and the benchmark reports the ratio.

>>> rows = ((3, 8, 13), (5, 10, 11), (15, 17, 19, 21, 23), (22, 24))
>>> value, states = plain_value(OpenPosition(rows, ((12, 16, 20), (1, 2, 18))), states=1 << 10)
>>> round(value, 6), states
(4.8, 1)
"""

from __future__ import annotations

from nimmt_lab.engine.errors import CoreMissing, RulesError
from nimmt_lab.native import core as native_core
from nimmt_lab.solver.core import Search, Tables, shift_of
from nimmt_lab.solver.open_position import PLAIN, OpenPosition

_TOO_SMALL = -3


def plain_value(position: OpenPosition, states: int = 1 << 23) -> tuple[float, int]:
    """Value of a position without fan card, and how many positions were stored; ``states`` bounds the table."""
    if position.kind != PLAIN:
        raise RulesError("solver.plain_search_knows")
    core = native_core()
    if core is None:
        raise CoreMissing("solver.plain_search_compiled")
    search = Search(core, Tables(core, 1 << 16), position, shift_of(position))
    log2 = max(4, (states - 1).bit_length())
    result = core.memory(16)
    if search.ask_function("nl_solve_plain", core.memory(24 << log2), log2, result) == _TOO_SMALL:
        raise RulesError("solver.more_than_positions", most=f"{(1 << log2) * 7 // 8:,}")
    value, stored = result.read("d", 2)
    return float(value), int(stored)
