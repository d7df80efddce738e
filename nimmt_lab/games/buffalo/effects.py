"""What each special card does, and what may be done with it now. The table of the page, row by row."""

from __future__ import annotations

from bisect import bisect, insort
from collections.abc import Sequence
from dataclasses import replace
from typing import Final, Protocol

from nimmt_lab.engine.cards import TEAM, Card, Cards, Seat
from nimmt_lab.engine.events import CardPlaced
from nimmt_lab.engine.play import Play
from nimmt_lab.engine.state import Extra
from nimmt_lab.engine.table import LiveTable

from .parts import (
    FACE_UP,
    BuffaloRule,
    BuffaloTable,
    CardPushed,
    CardSwapped,
    OrderChanged,
    RowEmptied,
    RowStopped,
    SevenTakesLaid,
    SevenTakesLeft,
    Special,
    SpecialUsed,
    StopLifted,
)
from .uses import (
    AllUses,
    First,
    Insert,
    Last,
    LiftStop,
    Pass,
    Push,
    Pushes,
    SevenTakes,
    Sort,
    Sorts,
    Stop,
    Swap,
    These,
    Use,
    Uses,
)


class TurnInSight(Protocol):
    """A state or a table."""

    @property
    def rows(self) -> Sequence[Cards]: ...
    @property
    def hands(self) -> Sequence[Cards]: ...
    @property
    def queue(self) -> Sequence[Play]: ...
    @property
    def extra(self) -> Extra: ...


def row_limit(extra: BuffaloTable, row: int, usual: int) -> int:
    """How many cards a row holds: one more with 7 takes! (R-B8)."""
    return usual + (row in extra.seven_takes)


#: The special cards that lie at a row.
LYING: Final = (Special.SEVEN_TAKES, Special.STOP)


def legal_uses(table: TurnInSight, players: int, between_turns: bool) -> AllUses:
    """Everything the team may do now; the first is to pass. It follows from what lies open (R-B18). Between turns a
    Stop! may be lifted and, with that option, what lies at a row may be laid (R-B12)."""
    extra = BuffaloTable.of(table)
    found: list[Uses] = [These((Pass(), *(LiftStop(row) for row in extra.stopped)))]
    usable = extra.up if table.queue else LYING if between_turns else ()
    # Two special cards of a kind have the same uses.
    found += [uses_of(kind, table, extra, players) for kind in dict.fromkeys(extra.up) if kind in usable]
    return AllUses(tuple(uses for uses in found if len(uses)))


def uses_of(kind: Special, table: TurnInSight, extra: BuffaloTable, players: int) -> Uses:
    """The legal uses of one kind of special card."""
    rows = range(len(table.rows))
    open_rows = [row for row in rows if row not in extra.stopped]
    ours = [play for play in table.queue if play.seat < players]
    match kind:
        case Special.SEVEN_TAKES:  # R-B2
            return These(tuple(SevenTakes(row) for row in rows if table.rows[row] and row not in extra.seven_takes))
        case Special.STOP:  # R-B2
            return These(tuple(Stop(row) for row in open_rows if table.rows[row]))
        case Special.SWAP:  # R-B4: another card in hand is needed; how many there are, everybody sees
            return These(tuple(Swap(play.seat) for play in sorted(ours, key=_seat) if table.hands[play.seat]))
        case Special.INSERT:
            play = table.queue[0]
            if play.seat >= players or extra.empty:  # R-B6, R-B16
                return These(())
            # Never at the end (R-B9): below the last card there is exactly one place that keeps the row ascending.
            return These(tuple(Insert(row) for row in open_rows if table.rows[row] and play.card < table.rows[row][-1]))
        case Special.PUSH:
            return Pushes(tuple((row, table.rows[row]) for row in open_rows))
        case Special.FIRST:
            seconds = [First(play.seat, True) for play in ours if extra.first not in (None, play.card)]
            return These((*(First(play.seat) for play in ours), *seconds))
        case Special.LAST:
            seconds_last = [Last(play.seat, True) for play in ours if extra.last not in (None, play.card)]
            return These((*(Last(play.seat) for play in ours), *seconds_last))
        case Special.SORT:
            return Sorts(tuple(play.card for play in table.queue))


def _seat(play: Play) -> Seat:
    return play.seat


def carry_out(table: LiveTable, use: Use, takes_at: int) -> None:
    """Do what the team chose. A row that comes to `takes_at` cards by Insert or Push is taken (R-B11), one more
    with 7 takes!"""
    extra = BuffaloTable.of(table)
    if isinstance(use, Pass):
        table.extra = replace(extra, passed=True)
        return
    if isinstance(use, LiftStop):
        stopped = tuple(row for row in extra.stopped if row != use.row)
        table.extra = replace(extra, stopped=stopped, used=(*extra.used, Special.STOP))
        table.emit(StopLifted(BuffaloRule.STOP, use.row))
        return
    assert use.kind is not None
    _use_up(table, use.kind)
    match use:
        case SevenTakes(row):
            _change(table, seven_takes=tuple(sorted((*extra.seven_takes, row))))
            table.emit(SevenTakesLaid(BuffaloRule.SEVEN_TAKES, row))
        case Stop(row):
            _change(table, stopped=tuple(sorted((*extra.stopped, row))))
            table.emit(RowStopped(BuffaloRule.STOP, row))
        case Swap(seat):
            _change(table, swapping=seat)
        case Insert(row):
            play = table.queue.pop(0)
            slot = _squeeze_in(table, play.card, row)
            table.emit(CardPlaced(BuffaloRule.INSERT, play.seat, play.card, row, slot, None))
            _team_takes_full_row(table, play.card, row, takes_at)
            forget(table, play.card)
        case Push(card, row):
            _push(table, card, row)
            _team_takes_full_row(table, card, row, takes_at)
        case First(seat, second):
            play = _pull_out(table, seat)
            table.queue.insert(1 if second else 0, play)
            forget(table, play.card)
            if not second:
                _change(table, first=play.card)
            table.emit(OrderChanged(BuffaloRule.FIRST, Special.FIRST, tuple(table.queue)))
        case Last(seat, second):
            play = _pull_out(table, seat)
            table.queue.insert(len(table.queue) - (1 if second else 0), play)
            forget(table, play.card)
            if not second:
                _change(table, last=play.card)
            table.emit(OrderChanged(BuffaloRule.LAST, Special.LAST, tuple(table.queue)))
        case Sort(order):
            table.queue.sort(key=lambda play: order.index(play.card))
            _change(table, first=None, last=None)
            table.emit(OrderChanged(BuffaloRule.SORT, Special.SORT, tuple(table.queue)))


def forget(table: LiveTable, card: Card) -> None:
    """That card is no longer the one that First card or Last card set: it lies, is back in hand, or was moved."""
    extra = BuffaloTable.of(table)
    if card == extra.first:
        _change(table, first=None)
    if card == extra.last:
        _change(table, last=None)


def row_was_taken(table: LiveTable, row: int) -> None:
    """7 takes! leaves the game with its row, whyever the row was taken."""
    extra = BuffaloTable.of(table)
    if row in extra.seven_takes:
        left = tuple(other for other in extra.seven_takes if other != row)
        table.extra = replace(extra, seven_takes=left, used=(*extra.used, Special.SEVEN_TAKES))
        table.emit(SevenTakesLeft(BuffaloRule.SEVEN_TAKES, row))


def _change(table: LiveTable, **changes: object) -> None:
    table.extra = replace(BuffaloTable.of(table), **changes)  # type: ignore[arg-type]


def _use_up(table: LiveTable, kind: Special) -> None:
    """The card is replaced from the deck at once. 7 takes! and Stop! leave the game when they come off their row."""
    extra = BuffaloTable.of(table)
    at = extra.up.index(kind)
    up = extra.up[:at] + extra.up[at + 1 :]
    drawn = extra.special_deck[: max(0, FACE_UP - len(up))]
    up += tuple(special for special in drawn if special is not None)
    table.extra = replace(
        extra,
        up=up,
        special_deck=extra.special_deck[len(drawn) :],
        used=extra.used if kind in LYING else (*extra.used, kind),
    )
    before = table.queue[0].card if table.queue else None
    table.emit(SpecialUsed(BuffaloRule.SPECIALS, kind, before, up[-1] if drawn else None))


def _pull_out(table: LiveTable, seat: Seat) -> Play:
    """A seat's card, out of the queue."""
    at = [play.seat for play in table.queue].index(seat)
    return table.queue.pop(at)


def swap_in(table: LiveTable, seat: Seat, card: Card) -> None:
    """The other card is placed at once: before whatever would be next, and with no word from the team between."""
    back = _pull_out(table, seat).card
    table.leave_hand(seat, card)
    table.hands[seat] = table.game.sort_hand((*table.hands[seat], back))
    table.queue.insert(0, Play.of(seat, card))
    forget(table, back)
    _change(table, passed=True, swapping=None)
    table.emit(CardSwapped(BuffaloRule.SWAP, seat, back, card))


def _squeeze_in(table: LiveTable, card: Card, row: int) -> int:
    """Put a card where it keeps the row ascending."""
    cards = list(table.rows[row])
    insort(cards, card)
    table.rows[row] = tuple(cards)
    return bisect(cards, card) - 1


def _push(table: LiveTable, card: Card, row: int) -> None:
    source = next(at for at, cards in enumerate(table.rows) if card in cards)
    table.rows[source] = tuple(other for other in table.rows[source] if other != card)
    slot = _squeeze_in(table, card, row)
    table.emit(CardPushed(BuffaloRule.PUSH, card, source, row, slot))
    waiting = tuple(other for other in BuffaloTable.of(table).empty if other != row)
    if not table.rows[source]:
        waiting += (source,)
        table.emit(RowEmptied(BuffaloRule.EMPTY_ROW, source))
    _change(table, empty=waiting)


def _team_takes_full_row(table: LiveTable, card: Card, row: int, takes_at: int) -> None:
    """A card too many by Insert or Push: the team takes all but the last card, which starts the row (R-B11)."""
    cards = table.rows[row]
    if len(cards) >= row_limit(BuffaloTable.of(table), row, takes_at):
        table.take(TEAM, card, row, BuffaloRule.FULL_ROW, keep=cards[-1:])
        row_was_taken(table, row)
