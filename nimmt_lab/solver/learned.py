"""Weights of the learned evaluation (`native/solve_value.h`), one signed byte each, level by level."""

from __future__ import annotations

import threading
from array import array
from functools import cache
from importlib.resources import files

from nimmt_lab.engine.errors import DataError
from nimmt_lab.engine.inflect import Figure
from nimmt_lab.native import Core, Memory

#: Cards a hand with learned weights. As in ``solve_value.h``.
LEVELS = range(5, 9)
FILE = "learned.bin"


@cache
def numbers(expected: int) -> array[int]:
    """The weights of all levels."""
    return read_numbers((files("nimmt_lab.solver") / "data" / FILE).read_bytes(), expected)


def read_numbers(content: bytes, expected: int) -> array[int]:
    """Parse a file of weights. Any byte is valid, so only the count is checked.

    >>> read_numbers(bytes([1, 255]), 2)
    array('h', [1, -1])
    """
    if len(content) != expected:
        raise DataError("solver.has_numbers_needed", count=Figure(len(content)), expected=Figure(expected), source=FILE)
    return array("h", array("b", content))


_lock = threading.Lock()
_loaded: dict[int, tuple[Core, Memory]] = {}


def loaded(core: Core) -> tuple[Memory, int]:
    """The weights in the core's memory, and their number."""
    with _lock:  # the first thread fills the block before any other sees it
        known = _loaded.get(id(core))
        if known is None:
            expected = sum(core.call("nl_solve_numbers", each) for each in LEVELS)
            block = core.memory(2 * expected)
            block.write("h", numbers(expected))
            known = _loaded[id(core)] = core, block.share()
    return known[1], known[1].size // 2
