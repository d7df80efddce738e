"""The special cards: their legal uses, and their effects, in the order of the rules page."""

from __future__ import annotations

from bisect import bisect, insort
from collections.abc import Sequence
from typing import Final, Protocol

from nimmt_lab.engine.cards import TEAM, Card, Cards, Seat
from nimmt_lab.engine.events import CardPlaced
from nimmt_lab.engine.play import Play
from nimmt_lab.engine.state import Extra
from nimmt_lab.engine.table import LiveTable
from nimmt_lab.engine.values import replace

from . import parts, uses
from .parts import BuffaloRule, BuffaloTable, Special


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
    """The capacity of a row, one more with 7 takes! (R-B8)."""
    return usual + (row in extra.seven_takes)


#: The special cards that stay beside a row.
LYING: Final = (Special.SEVEN_TAKES, Special.STOP)


def legal_uses(table: TurnInSight, players: int, between_turns: bool) -> uses.AllUses:
    """The team's options, passing first. They follow from open information alone (R-B18).

    Between turns the team may lift a Stop! and, with that option, lay a card beside a row (R-B12).
    """
    extra = BuffaloTable.of(table)
    usable = extra.up if table.queue else LYING if between_turns else ()
    groups: list[uses.Uses] = [(uses.Pass(), *(uses.LiftStop(row) for row in extra.stopped))]
    # Two special cards of a kind have the same uses.
    groups += [uses_of(kind, table, extra, players) for kind in dict.fromkeys(extra.up) if kind in usable]
    return uses.AllUses(tuple(group for group in groups if len(group)))


def uses_of(kind: Special, table: TurnInSight, extra: BuffaloTable, players: int) -> uses.Uses:
    """The legal uses of one kind of special card."""
    rows = range(len(table.rows))
    open_rows = [row for row in rows if row not in extra.stopped]
    ours = [play for play in table.queue if play.seat < players]
    match kind:
        case Special.SEVEN_TAKES:  # R-B2
            return tuple(uses.SevenTakes(row) for row in rows if table.rows[row] and row not in extra.seven_takes)
        case Special.STOP:  # R-B2
            return tuple(uses.Stop(row) for row in open_rows if table.rows[row])
        case Special.SWAP:  # R-B4: the seat needs another card, and hand sizes are public
            return tuple(uses.Swap(seat) for seat in sorted(play.seat for play in ours) if table.hands[seat])
        case Special.INSERT:
            play = table.queue[0]
            if play.seat >= players or extra.empty:  # R-B6, R-B16
                return ()
            # Never at the end (R-B9): below the last card, exactly one place keeps the row ascending.
            return tuple(uses.Insert(row) for row in open_rows if table.rows[row] and play.card < table.rows[row][-1])
        case Special.PUSH:
            return uses.Pushes(tuple((row, table.rows[row]) for row in open_rows))
        case Special.FIRST | Special.LAST:
            use, before = (uses.First, extra.first) if kind is Special.FIRST else (uses.Last, extra.last)
            seconds = [use(play.seat, True) for play in ours if before not in (None, play.card)]
            return (*(use(play.seat) for play in ours), *seconds)
        case Special.SORT:
            return uses.Sorts(tuple(play.card for play in table.queue))


def carry_out(table: LiveTable, use: uses.Use, takes_at: int) -> None:
    """Carry out a use. Insert and Push take a row that reaches `takes_at` cards (R-B11), one more with 7 takes!"""
    extra = BuffaloTable.of(table)
    if isinstance(use, uses.Pass):
        table.extra = replace(extra, passed=True)
        return
    if isinstance(use, uses.LiftStop):
        stopped = tuple(row for row in extra.stopped if row != use.row)
        table.extra = replace(extra, stopped=stopped, used=(*extra.used, Special.STOP))
        table.emit(parts.StopLifted(BuffaloRule.STOP, use.row))
        return
    assert use.kind is not None
    _use_up(table, use.kind)
    match use:
        case uses.SevenTakes(row):
            _change(table, seven_takes=tuple(sorted((*extra.seven_takes, row))))
            table.emit(parts.SevenTakesLaid(BuffaloRule.SEVEN_TAKES, row))
        case uses.Stop(row):
            _change(table, stopped=tuple(sorted((*extra.stopped, row))))
            table.emit(parts.RowStopped(BuffaloRule.STOP, row))
        case uses.Swap(seat):
            _change(table, swapping=seat)
        case uses.Insert(row):
            play = table.queue.pop(0)
            slot = _squeeze_in(table, play.card, row)
            table.emit(CardPlaced(BuffaloRule.INSERT, play.seat, play.card, row, slot, None))
            _team_takes_full_row(table, play.card, row, takes_at)
            forget(table, play.card)
        case uses.Push(card, row):
            _push(table, card, row)
            _team_takes_full_row(table, card, row, takes_at)
        case uses.OrderUse(seat, second):
            last = isinstance(use, uses.Last)
            play = _pull_out(table, seat)
            table.queue.insert(len(table.queue) - second if last else int(second), play)
            forget(table, play.card)
            if not second:
                _change(table, **{use.kind: play.card})
            rule = BuffaloRule.LAST if last else BuffaloRule.FIRST
            table.emit(parts.OrderChanged(rule, use.kind, tuple(table.queue)))
        case uses.Sort(order):
            table.queue.sort(key=lambda play: order.index(play.card))
            _change(table, first=None, last=None)
            table.emit(parts.OrderChanged(BuffaloRule.SORT, Special.SORT, tuple(table.queue)))


def forget(table: LiveTable, card: Card) -> None:
    """Forget that First card or Last card set this card, once it is placed, back in hand or moved."""
    extra = BuffaloTable.of(table)
    if card == extra.first:
        _change(table, first=None)
    if card == extra.last:
        _change(table, last=None)


def row_was_taken(table: LiveTable, row: int) -> None:
    """7 takes! leaves the game when its row is taken, for whatever reason."""
    extra = BuffaloTable.of(table)
    if row in extra.seven_takes:
        left = tuple(other for other in extra.seven_takes if other != row)
        table.extra = replace(extra, seven_takes=left, used=(*extra.used, Special.SEVEN_TAKES))
        table.emit(parts.SevenTakesLeft(BuffaloRule.SEVEN_TAKES, row))


def _change(table: LiveTable, **changes: object) -> None:
    table.extra = replace(BuffaloTable.of(table), **changes)  # type: ignore[arg-type]


def _use_up(table: LiveTable, kind: Special) -> None:
    """Replace a special card from the deck. 7 takes! and Stop! leave the game when they come off their row."""
    extra = BuffaloTable.of(table)
    at = extra.up.index(kind)
    up = extra.up[:at] + extra.up[at + 1 :]
    drawn = extra.special_deck[: max(0, parts.FACE_UP - len(up))]
    up += tuple(special for special in drawn if special is not None)
    table.extra = replace(
        extra,
        up=up,
        special_deck=extra.special_deck[len(drawn) :],
        used=extra.used if kind in LYING else (*extra.used, kind),
    )
    before = table.queue[0].card if table.queue else None
    table.emit(parts.SpecialUsed(BuffaloRule.SPECIALS, kind, before, up[-1] if drawn else None))


def _pull_out(table: LiveTable, seat: Seat) -> Play:
    return table.queue.pop([play.seat for play in table.queue].index(seat))


def swap_in(table: LiveTable, seat: Seat, card: Card) -> None:
    """Put the other card first in the queue; the team can't act before it is placed."""
    back = _pull_out(table, seat).card
    table.leave_hand(seat, card)
    table.hands[seat] = table.game.sort_hand((*table.hands[seat], back))
    table.queue.insert(0, Play.of(seat, card))
    forget(table, back)
    _change(table, passed=True, swapping=None)
    table.emit(parts.CardSwapped(BuffaloRule.SWAP, seat, back, card))


def _squeeze_in(table: LiveTable, card: Card, row: int) -> int:
    """Insert a card where it keeps the row ascending, and return its slot."""
    cards = list(table.rows[row])
    insort(cards, card)
    table.rows[row] = tuple(cards)
    return bisect(cards, card) - 1


def _push(table: LiveTable, card: Card, row: int) -> None:
    source = next(at for at, cards in enumerate(table.rows) if card in cards)
    table.rows[source] = tuple(other for other in table.rows[source] if other != card)
    slot = _squeeze_in(table, card, row)
    table.emit(parts.CardPushed(BuffaloRule.PUSH, card, source, row, slot))
    waiting = tuple(other for other in BuffaloTable.of(table).empty if other != row)
    if not table.rows[source]:
        waiting += (source,)
        table.emit(parts.RowEmptied(BuffaloRule.EMPTY_ROW, source))
    _change(table, empty=waiting)


def _team_takes_full_row(table: LiveTable, card: Card, row: int, takes_at: int) -> None:
    """The team takes all but the last card of a row that Insert or Push has filled; that card starts it (R-B11)."""
    cards = table.rows[row]
    if len(cards) >= row_limit(BuffaloTable.of(table), row, takes_at):
        table.take(TEAM, card, row, BuffaloRule.FULL_ROW, keep=cards[-1:])
        row_was_taken(table, row)
