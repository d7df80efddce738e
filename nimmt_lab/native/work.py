"""The workspace of a call, accessed by field name."""

from __future__ import annotations

from array import array
from collections.abc import Iterable

from .layout import layout_of
from .loader import Argument, Claim, Core, Memory, NativeError

# Sizes, as in `work.h`.
SEATS = 16
CARDS = 128
#: Sums per option of a search: heads lost, their squares, win credit, its squares.
STATS = 4
FIELDS = 5
BINS = 256
TOTALS = BINS + FIELDS
CREDIT = 2520


class Workspace:
    """A block of memory laid out as the core's structure `<name>` (`layout_of`).

    Each call and each write claims the block. Code that writes fields, calls and reads results holds `claim`
    throughout, so that no other thread interferes.
    """

    def __init__(self, core: Core, name: str) -> None:
        self.layout = layout_of(core, name)
        self.size = self.layout.size
        self.core = core
        #: For sequences of calls.
        self.claim = Claim()
        self.memory: Memory = core.memory(self.size)

    def set(self, field: str, values: int | Iterable[int], at: int = 0) -> None:
        """Write a field, or some of its numbers starting at index `at`."""
        part = self.layout.field(field)
        numbers = array(part.code, [values] if isinstance(values, int) else values)
        if at + len(numbers) > part.count:
            raise NativeError(f"{field} has room for {part.count} numbers, got {at + len(numbers)}")
        self.memory.put(part.offset + at * numbers.itemsize, numbers.tobytes())

    def get(self, field: str, count: int | None = None) -> list[int]:
        """Read a field, or its first `count` numbers."""
        part = self.layout.field(field)
        return self.memory.read(part.code, part.count if count is None else min(count, part.count), part.offset)

    def one(self, field: str) -> int:
        """The first number of a field."""
        return self.get(field, 1)[0]

    def call(self, function: str, *arguments: Argument) -> int:
        """Call a function of the core with this workspace as its first argument."""
        return self.core.call(function, self.memory, *arguments)


def card_set(cards: Iterable[int]) -> list[int]:
    """Encode a set of cards as two words.

    >>> card_set([1, 3, 64])
    [10, 1]
    """
    bits = sum({1 << card for card in cards})
    return [bits & 0xFFFFFFFFFFFFFFFF, bits >> 64]
