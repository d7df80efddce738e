"""A table reduced to what decides where cards go, small enough to follow thousands of turns at once.

Of a row only its end, its number of cards and whether it was taken this turn matter; of the markers, where they are.
This is a second reading of the classic page and the fan cards' pages, apart from the engine's; tests hold both
together.
"""

from __future__ import annotations

from typing import NamedTuple

from nimmt_lab.engine.state import HasRows
from nimmt_lab.games.classic.fan_card import Markers
from nimmt_lab.games.classic.rules import Classic
from nimmt_lab.games.even_odd.rules import EvenOddMarker
from nimmt_lab.games.jumping_cow.rules import CowMarker
from nimmt_lab.games.mountain.rules import MountainMarker

#: Where no such marker is in play.
NOWHERE = -1


class Board(NamedTuple):
    """The rows and the markers. `taken` has a bit for each row that was taken this turn."""

    ends: tuple[int, ...]
    counts: tuple[int, ...]
    taken: int = 0
    parity_row: int = NOWHERE
    odd: int = 0
    mountain: int = NOWHERE
    up: bool = True
    cow: int = NOWHERE
    #: The highest card of each row, where it need not be the last: what stays when the cow makes six.
    tops: tuple[int, ...] = ()

    def row_for(self, value: int) -> int | None:
        """Rules 1 and 2 with the markers: the row of the smallest difference; None if the card fits nowhere."""
        best, smallest = None, 0
        for row, end in enumerate(self.ends):
            difference = end - value if row == self.mountain else value - end
            if difference <= 0 or (row == self.parity_row and value & 1 != self.odd):
                continue
            # The Mountain's row wins a tie.
            if best is None or difference < smallest or (difference == smallest and row == self.mountain):
                best, smallest = row, difference
        return best

    def is_open(self, row: int, value: int) -> bool:
        """Whether that row may receive a card of that value."""
        if row == self.parity_row and value & 1 != self.odd:
            return False
        end = self.ends[row]
        return value < end if row == self.mountain else value > end

    def is_full(self, row: int) -> bool:
        """Whether the next card takes that row; the cow has a place in its row."""
        return self.counts[row] + (row == self.cow) >= Classic.row_limit


class Placed(NamedTuple):
    """One way a card can be placed. `row` is None for a card that fits nowhere (it took some row)."""

    board: Board
    row: int | None
    took: bool
    #: It had room, and only the cow's jump made its player take.
    only_the_cow: bool


def fate(board: Board, value: int) -> tuple[int | None, bool, bool]:
    """Of a card of that value: its row, whether its player takes, and whether only because of the cow."""
    row = board.row_for(value)
    if row is None or board.is_full(row):
        return row, True, False
    six = row == board.cow and place(board, value, value)[0].only_the_cow
    return row, six, six


def place(board: Board, value: int, end: int) -> list[Placed]:
    """Place a card that counts as `value` and then is worth `end`: one way, or one for each row it may take."""
    row = board.row_for(value)
    if row is None:
        ways = [_after(_start(board, low, end), low, True)[0] for low in range(len(board.ends))]
        return [Placed(way, None, True, False) for way in ways]
    if board.is_full(row):
        return [Placed(_after(_start(board, row, end), row, True)[0], row, True, False)]
    counts = board.counts
    tops = board.tops and _with(board.tops, row, max(board.tops[row], end))
    added = board._replace(
        ends=_with(board.ends, row, end), counts=_with(counts, row, counts[row] + 1), tops=tops
    )
    after, six = _after(added, row, False)
    return [Placed(after, row, six, six)]


def _with(items: tuple[int, ...], at: int, item: int) -> tuple[int, ...]:
    return items[:at] + (item,) + items[at + 1 :]


def _start(board: Board, row: int, end: int) -> Board:
    """The row is taken, and a card of that worth is its only one."""
    return board._replace(
        ends=_with(board.ends, row, end),
        counts=_with(board.counts, row, 1),
        taken=board.taken | 1 << row,
        tops=board.tops and _with(board.tops, row, end),
    )


def _after(board: Board, row: int, took: bool) -> tuple[Board, bool]:
    """The markers move, in the order of R-F0; whether the cow made six."""
    if took and board.parity_row != NOWHERE:
        to = _lowest(board, board.parity_row)
        board = board._replace(parity_row=to, odd=board.ends[to] & 1)
    if took and board.mountain != NOWHERE:
        to = board.mountain + (-1 if board.up else 1)
        last = len(board.ends) - 1
        board = board._replace(mountain=to, up=board.up if 0 < to < last else to == last)
    if board.cow != row:
        return board, False
    to = _lowest(board, row)
    board = board._replace(cow=to)
    if board.counts[to] < Classic.row_limit:
        return board, False
    highest = board.tops[to] if board.tops else board.ends[to]
    return _after(_start(board, to, highest), to, True)[0], True


def _lowest(board: Board, without: int) -> int:
    return min((end, row) for row, end in enumerate(board.ends) if row != without)[1]


def board_of(game: Classic, table: HasRows) -> Board:
    """The table as a board."""
    markers = Markers.of(table) if game.fan_cards else Markers()
    parity, mountain, cow = (markers.find(kind) for kind in (EvenOddMarker, MountainMarker, CowMarker))
    assert parity is None or isinstance(parity, EvenOddMarker)
    assert mountain is None or isinstance(mountain, MountainMarker)
    assert cow is None or isinstance(cow, CowMarker)
    rows = table.rows
    ends, tops = tuple(cards[-1] for cards in rows), tuple(max(cards) for cards in rows)
    fan_cards_mix = not all(card.keeps_rows_ascending for card in game.fan_cards)
    return Board(
        ends,
        tuple(len(cards) for cards in rows),
        0,
        NOWHERE if parity is None else parity.row,
        0 if parity is None else int(parity.side == "odd"),
        NOWHERE if mountain is None else mountain.row,
        mountain is None or mountain.arrows == "up",
        NOWHERE if cow is None else cow.row,
        tops if cow is not None and (fan_cards_mix or tops != ends) else (),
    )
