"""What was learned about positions of few cards a hand: the numbers, and how the core gets them.

`native/solve_value.h` says how they make a guess; `learn` is the command that finds them. The file holds them as they
are: one signed byte each, level after level.
"""

from __future__ import annotations

import threading
from array import array
from functools import cache
from importlib.resources import files

from nimmt_lab.engine.errors import DataError
from nimmt_lab.native import Core, Memory

#: Cards a hand that have numbers. As in ``solve_value.h``.
LEVELS = range(5, 9)
FILE = "learned.bin"


@cache
def numbers(expected: int) -> array[int]:
    """The numbers of all levels, so many as the core needs."""
    return read_numbers((files("nimmt_lab.solver") / "data" / FILE).read_bytes(), expected)


def read_numbers(content: bytes, expected: int) -> array[int]:
    """The numbers in a file; any byte is one, so their count is all that can be wrong.

    >>> read_numbers(bytes([1, 255]), 2)
    array('h', [1, -1])
    """
    if len(content) != expected:
        raise DataError("solver.has_numbers_needed", count=f"{len(content):,}", expected=f"{expected:,}", source=FILE)
    return array("h", array("b", content))


_lock = threading.Lock()
_loaded: dict[int, tuple[Core, Memory]] = {}


def loaded(core: Core) -> tuple[Memory, int]:
    """The numbers where the core can reach them, and how many there are."""
    with _lock:  # the first thread fills the block before any other may see it
        known = _loaded.get(id(core))
        if known is None:
            expected = sum(core.call("nl_learn_numbers", each) for each in LEVELS)
            block = core.memory(2 * expected)
            block.write("h", numbers(expected))
            known = _loaded[id(core)] = core, block.share()
    return known[1], known[1].size // 2
