"""The workspace of a call, read and written from Python by the names of its fields: any chapter's (`Workspace`), and
the classic family's (`Work`, `work.h`)."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Mapping
from typing import TypeAlias

from .loader import Argument, Claim, Core, Memory, NativeError

SEATS = 16
CARDS = 128
OPTIONS = 32
#: Ways to play that a search may think the others have.
KINDS = 4
#: What is summed up per option of a search: what the seat's total loses, its square, the win credit, its square.
STATS = 4
FIELDS = 5
BINS = 256
TOTALS = BINS + FIELDS
CREDIT = 2520

#: Of every field of a workspace, in order: type code and count.
Layout: TypeAlias = Mapping[str, tuple[str, int]]
#: What the others' cards tell (`nl_belief` in `work.h`): a part of several workspaces.
BELIEF: Layout = {
    "settle": ("i", 1),
    "clashed": ("i", SEATS),
    "doubt": ("i", SEATS * SEATS),
    "clash": ("H", SEATS * CARDS),
}
#: Type code and count of every field, in the order of `work.h`.
LAYOUT: Layout = {
    "key": ("Q", 1),
    "first": ("Q", 1),
    "rng": ("Q", 1),
    "unseen": ("Q", 2),
    "stats": ("q", STATS * OPTIONS),
    "players": ("i", 1),
    "hand": ("i", 1),
    "deck": ("i", 1),
    "flags": ("i", 1),
    "draft": ("i", 1),
    "ascending": ("i", 1),
    "policies": ("i", SEATS),
    "lows": ("i", SEATS),
    "end": ("i", 4),
    "count": ("i", 4),
    "sum": ("i", 4),
    "mark": ("i", 4),
    "shows": ("i", 4),
    "spare": ("i", SEATS),
    "turn": ("i", 1),
    "plays": ("i", SEATS),
    "order": ("i", SEATS),
    "log": ("i", SEATS),
    "me": ("i", 1),
    "turns": ("i", 1),
    "pool": ("i", 1),
    "open": ("i", 1),
    "n_options": ("i", 1),
    "options": ("i", OPTIONS),
    "points": ("i", SEATS),
    "kinds": ("i", KINDS),
    "odds": ("i", KINDS * SEATS),
    "limit": ("i", 1),
    "halves": ("i", CARDS),
    "rounds": ("i", 1),
    "once": ("i", 1),
    "wins": ("i", 1),
    "first_seat": ("i", 1),
    "risk": ("i", 6 * CARDS),
    "stray": ("i", SEATS),
    **BELIEF,
    "heads": ("B", CARDS),
    "rows": ("B", 32),
    "cards": ("B", CARDS),
}


class Workspace:
    """A block of memory laid out as one of the core's structures, wide fields first so that it has no gaps. `size_of`
    is the core's function that says how many bytes it counts; another number is refused.

    Each call and each write claims the block. Anything that writes fields, calls and then reads results also holds
    `claim` from the first write to the last read, so that no other thread's fields get in between."""

    def __init__(self, core: Core, layout: Layout, size_of: str) -> None:
        self.layout = layout
        self._places: dict[str, int] = {}
        size = 0
        for name, (code, count) in layout.items():
            self._places[name] = size
            size += array(code).itemsize * count
        # The core's structures end on a multiple of their widest number.
        self.size = size + 7 & -8
        if core.ask(size_of) != self.size:
            raise NativeError(f"{core.name} lays its workspace out otherwise ({size_of})")
        self.core = core
        #: For work that takes several calls.
        self.claim = Claim()
        self.memory: Memory = core.memory(self.size)

    def set(self, field: str, values: int | Iterable[int], at: int = 0) -> None:
        """Write a field, or some numbers of one, from its number `at` on."""
        code, count = self.layout[field]
        numbers = array(code, [values] if isinstance(values, int) else values)
        if at + len(numbers) > count:
            raise NativeError(f"{field} has room for {count} numbers, got {at + len(numbers)}")
        self.memory.put(self._places[field] + at * numbers.itemsize, numbers.tobytes())

    def get(self, field: str, count: int | None = None) -> list[int]:
        """Read a field, or the first numbers of one."""
        code, size = self.layout[field]
        return self.memory.read(code, min(size, size if count is None else count), self._places[field])

    def one(self, field: str) -> int:
        """A field's only (or first) number."""
        return self.get(field, 1)[0]

    def call(self, function: str, *arguments: Argument) -> int:
        """Call a function of the core with this workspace before the arguments."""
        return self.core.call(function, self.memory, *arguments)


class Work(Workspace):
    """The classic family's."""

    def __init__(self, core: Core) -> None:
        super().__init__(core, LAYOUT, "nl_work_size")


def card_set(cards: Iterable[int]) -> list[int]:
    """Cards as the two words of a set.

    >>> card_set([1, 3, 64])
    [10, 1]
    """
    bits = sum({1 << card for card in cards})
    return [bits & 0xFFFFFFFFFFFFFFFF, bits >> 64]
