"""A table reduced to what decides where cards go, small enough to follow thousands of turns at once.

Of a row only its end, its number of cards and whether it was taken this turn matter; of what lies beside the rows, its
mark. This is a second reading of rules 1 to 4 of the classic page, apart from the engine's; what lies beside the rows
brings its own part of it (`Influence`), from the folder of its chapter. Tests hold both readings together.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Final, NamedTuple, TypeAlias

from nimmt_lab.engine.cards import Card, Cards, Seat
from nimmt_lab.engine.errors import Unsupported

from .traps import Trap

#: What lies on the sketch for an influence: small numbers, the row it lies at first.
Mark: TypeAlias = tuple[int, ...]

NOWHERE: Final = -1


class Sketch(NamedTuple):
    """The rows and the marks. `taken` has a bit for each row that was taken this turn."""

    ends: tuple[int, ...]
    counts: tuple[int, ...]
    taken: int = 0
    marks: tuple[Mark, ...] = ()
    #: The highest card of each row, where that is asked and need not be the last.
    tops: tuple[int, ...] = ()

    def lowest(self, without: int) -> int:
        """The row with the lowest end, of the others than that one."""
        return min((end, row) for row, end in enumerate(self.ends) if row != without)[1]

    def highest(self, row: int) -> int:
        """The highest card of that row."""
        return self.tops[row] if self.tops else self.ends[row]

    def marked(self, at: int, mark: Mark) -> Sketch:
        """With that mark in place of the one there."""
        return self._replace(marks=self.marks[:at] + (mark,) + self.marks[at + 1 :])

    def started(self, row: int, end: int) -> Sketch:
        """The row is taken, and a card of that worth is its only one."""
        return self._replace(
            ends=_with(self.ends, row, end),
            counts=_with(self.counts, row, 1),
            taken=self.taken | 1 << row,
            tops=self.tops and _with(self.tops, row, end),
        )


class Influence:
    """What lies beside the rows and changes where cards go: by itself, nothing. A chapter brings a subclass for its
    own; nothing is proved about what brings none.

    `mark` is where it lies when the cards are chosen; None for what does not lie at a row.
    """

    #: When sketches may forget the numbers of row ends but for their order (see `sweep`): `never`, `alone` (as the only
    #: influence) or `always`. Forgetting is what makes long proofs short; who allows it must be right about it.
    forgets: ClassVar[str] = "never"
    #: Whether it asks if a number is odd, or which row ends lowest. Two things that forgetting must then leave alone.
    asks_parity: ClassVar[bool] = False
    asks_lowest: ClassVar[bool] = False
    #: Whether it asks for the highest card of a row.
    asks_highest: ClassVar[bool] = False
    #: The trap of a take that it sets off itself.
    trap: ClassVar[Trap | None] = None
    #: The messages about cards that are played as another number: them alone, and with others ({others}).
    said: ClassVar[tuple[str, str]] = ("", "")

    def __init__(self, mark: Mark | None = None, users: Sequence[Seat] = ()) -> None:
        self.mark = mark
        #: The seats that may, for once, play a card as another number.
        self.users = users

    def closes(self, mark: Mark, row: int, value: int) -> bool:
        """Whether that row may not receive a card of that value."""
        return False

    def descends(self, mark: Mark, row: int) -> bool:
        """Whether cards are added to that row in descending order. One row at a time, at most."""
        return False

    def occupies(self, mark: Mark, row: int) -> int:
        """How many of the row's places it takes up."""
        return 0

    def moves(self, sketch: Sketch, at: int, limit: int, row: int, took: bool) -> tuple[Sketch, int | None]:
        """The sketch after its move (its mark is number `at`), once a card lies in `row`, which was taken where `took`;
        and the row that its player takes in consequence, if any, as it lies then. A row holds `limit` cards."""
        return sketch, None

    def sets_off(self, mark: Mark, row: int) -> bool:
        """Whether a card that has room in that row may make its move take something."""
        return True

    def out_of_reach(self, mark: Mark, rows: Sequence[int]) -> Mark:
        """Its mark when no later card goes to those rows: what can make no difference any more looks the same."""
        return mark

    def otherwise(self, card: Card) -> int | None:
        """What that card may count as instead; no two cards as the same number."""
        return None


class Placed(NamedTuple):
    """One way a card can be placed. `row` is None for a card that fits nowhere (it took some row)."""

    sketch: Sketch
    row: int | None
    took: bool
    #: It had room, and only what its placement set off made its player take.
    knock_on: Trap | None


class Reading:
    """A table as sketches see it, and how cards are placed there."""

    def __init__(self, rows: Sequence[Cards], limit: int, influences: Sequence[Influence], ascending: bool) -> None:
        """`ascending` says that the cards of a row ascend from first to last, and always will."""
        self.limit = limit
        #: Those with a mark, in the order in which they move.
        self.beside = tuple(influence for influence in influences if influence.mark is not None)
        several = [influence for influence in influences if influence.users]
        if len(several) > 1:
            raise Unsupported("explain.hints_all_lies")
        #: The one that does, if any.
        self.other_numbers = several[0] if several else None
        # What an influence does not bring is not asked for thousands of times.
        self._closing = self._which("closes")
        self._turning = self._which("descends")
        self._filling = self._which("occupies")
        self.turns = bool(self._turning)
        #: How many rows may be closed to a card that is above their ends.
        self.closing = len({at for at, _ in (*self._closing, *self._turning)})
        self.asks_parity = any(influence.asks_parity for influence in self.beside)
        self.asks_lowest = any(influence.asks_lowest for influence in self.beside)
        ends, tops = tuple(cards[-1] for cards in rows), tuple(max(cards) for cards in rows)
        asks_highest = any(influence.asks_highest for influence in self.beside)
        self.sketch = Sketch(
            ends,
            tuple(len(cards) for cards in rows),
            0,
            tuple(influence.mark for influence in self.beside if influence.mark is not None),
            tops if asks_highest and (not ascending or tops != ends) else (),
        )
        allowed = ("always",) if len(influences) > 1 else ("always", "alone")
        #: Whether the numbers of row ends may be forgotten but for their order.
        self.forgets = not self.sketch.tops and all(influence.forgets in allowed for influence in influences)

    def _which(self, hook: str) -> tuple[tuple[int, Influence], ...]:
        return tuple(
            (at, influence)
            for at, influence in enumerate(self.beside)
            if getattr(type(influence), hook) is not getattr(Influence, hook)
        )

    def down(self, sketch: Sketch) -> int:
        """The row that descends."""
        for at, influence in self._turning:
            for row in range(len(sketch.ends)):
                if influence.descends(sketch.marks[at], row):
                    return row
        return NOWHERE

    def row_for(self, sketch: Sketch, value: int) -> int | None:
        """Rules 1 and 2: the row of the smallest difference; None if the card fits nowhere."""
        best, smallest = None, 0
        down = self.down(sketch) if self._turning else NOWHERE
        for row, end in enumerate(sketch.ends):
            difference = end - value if row == down else value - end
            if difference <= 0 or (self._closing and self._is_closed(sketch, row, value)):
                continue
            # The row that goes down wins a tie.
            if best is None or difference < smallest or (difference == smallest and row == down):
                best, smallest = row, difference
        return best

    def _is_closed(self, sketch: Sketch, row: int, value: int) -> bool:
        return any(influence.closes(sketch.marks[at], row, value) for at, influence in self._closing)

    def looks_open(self, sketch: Sketch, row: int, value: int) -> bool:
        """Whether that row's end alone would let it receive a card of that value."""
        return value < sketch.ends[row] if row == self.down(sketch) else value > sketch.ends[row]

    def is_open(self, sketch: Sketch, row: int, value: int) -> bool:
        """Whether that row may receive a card of that value."""
        return self.looks_open(sketch, row, value) and not self._is_closed(sketch, row, value)

    def is_full(self, sketch: Sketch, row: int) -> bool:
        """Rule 3: whether the next card takes that row."""
        count = sketch.counts[row]
        for at, influence in self._filling:
            count += influence.occupies(sketch.marks[at], row)
        return count >= self.limit

    def fate(self, sketch: Sketch, value: int) -> tuple[int | None, bool, Trap | None]:
        """Of a card of that value: its row, whether its player takes, and the trap if only what it sets off does it."""
        row = self.row_for(sketch, value)
        if row is None or self.is_full(sketch, row):
            return row, True, None
        if not any(beside.sets_off(mark, row) for beside, mark in zip(self.beside, sketch.marks, strict=True)):
            return row, False, None
        placed = self.place(sketch, value, value)[0]
        return row, placed.took, placed.knock_on

    def place(self, sketch: Sketch, value: int, end: int) -> list[Placed]:
        """Place a card that counts as `value` and then is worth `end`: one way, or one for each row it may take."""
        row = self.row_for(sketch, value)
        if row is None:
            lows = range(len(sketch.ends))
            return [Placed(self._after(sketch.started(low, end), low, True)[0], None, True, None) for low in lows]
        if self.is_full(sketch, row):
            return [Placed(self._after(sketch.started(row, end), row, True)[0], row, True, None)]
        counts = sketch.counts
        tops = sketch.tops and _with(sketch.tops, row, max(sketch.tops[row], end))
        added = sketch._replace(
            ends=_with(sketch.ends, row, end), counts=_with(counts, row, counts[row] + 1), tops=tops
        )
        after, took, knock_on = self._after(added, row, False)
        return [Placed(after, row, took, knock_on)]

    def _after(self, sketch: Sketch, row: int, took: bool) -> tuple[Sketch, bool, Trap | None]:
        """What lies beside the rows moves, in its order; a take that a move brings about moves all of it again. Whether
        there was one, and the trap it is."""
        more, trap = False, None
        for at, influence in enumerate(self.beside):
            sketch, taken = influence.moves(sketch, at, self.limit, row, took)
            if taken is not None:
                sketch = self._after(sketch, taken, True)[0]
                more, trap = True, influence.trap
        return sketch, more, trap


def _with(items: tuple[int, ...], at: int, item: int) -> tuple[int, ...]:
    return items[:at] + (item,) + items[at + 1 :]
