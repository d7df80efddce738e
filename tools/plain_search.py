"""The plain two-player search, to check the solver's fast search against where exact fractions are out of reach.

It has no windows, no bounds and no neighbours, so it visits every position that can be reached.

>>> rows = ((3, 8, 13), (5, 10, 11), (15, 17, 19, 21, 23), (22, 24))
>>> value, states = plain_value(OpenPosition(rows, ((12, 16, 20), (1, 2, 18))), states=1 << 10)
>>> round(value, 6), states
(4.8, 1)
"""

from __future__ import annotations

from pathlib import Path

from nimmt_lab.solver.core import Search, Tables, shift_of
from nimmt_lab.solver.open_position import PLAIN, OpenPosition
from tools.extended_core import core_with

_SOURCE = Path(__file__).with_suffix(".c")


def plain_value(position: OpenPosition, states: int = 1 << 23) -> tuple[float, int]:
    """Value of a position without a fan card, and the number of stored positions (at most 7/8 of ``states``)."""
    if position.kind != PLAIN:
        raise ValueError("the plain search knows no fan cards")
    core = core_with(_SOURCE)
    search = Search(core, Tables(core, 1 << 16), position, shift_of(position))
    log2 = max(4, (states - 1).bit_length())
    result = core.memory(16)
    if search.ask_function("nl_solve_plain", core.memory(24 << log2), log2, result) < 0:
        raise ValueError(f"more than {(1 << log2) * 7 // 8:,} positions: give the plain search a larger table")
    value, stored = result.read("d", 2)
    return float(value), int(stored)
