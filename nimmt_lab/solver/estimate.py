"""Estimates within about a second: the same search, cut off early, with a learned evaluation at the leaves.

The result is exact for the shortened game only, so it is always labelled as an estimate, with its typical error. It has
its own tables, so that nothing leaks into a proof.

Every limit counts positions, never time, so that an estimate is the same on every machine.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator, Sequence
from dataclasses import dataclass

from nimmt_lab.native import Core
from nimmt_lab.solver import core
from nimmt_lab.solver.learned import loaded
from nimmt_lab.solver.open_position import PLAIN, OpenPosition

#: Cut-off depths by cards a hand: a quick look, then deeper ones, each guided by the one before.
CUTS = {6: (5,), 7: (5,), 8: (6, 5), 9: (7, 6, 5), 10: (8, 7, 6)}
#: Mean error in heads by cards a hand and cut-off: of the value, and of a choice's worth. Up to eight cards a test
#: measures both against exact payoffs. Beyond, values are from solved deals, and choices have a quarter more, as with
#: eight cards.
ERRORS = {
    (6, 5): (0.7, 0.8),
    (7, 5): (0.4, 0.55),
    (8, 6): (0.4, 0.5),
    (8, 5): (0.3, 0.4),
    (9, 7): (0.45, 0.55),
    (9, 6): (0.35, 0.45),
    (9, 5): (0.25, 0.3),
    (10, 8): (0.45, 0.55),
    (10, 7): (0.35, 0.45),
    (10, 6): (0.4, 0.5),
}
#: Most positions of each look after the first, and of its table of the turn.
MOST_NODES, TABLE_NODES = 150_000, 40_000
#: Positions of the first look, which is never given up.
_NO_LIMIT = 1 << 62
MEMORY = 1 << 26


@dataclass(frozen=True)
class Guess:
    """An estimate in units: the value, and each pair of choices of the turn."""

    value: int
    #: The turn of the shortened game: its mixes, and bounds that its value needed.
    turn: core.TurnSearch
    #: Estimated value of each pair of choices, within those bounds.
    entries: list[list[int]]
    #: Cards a hand at which the search stopped.
    cut: int
    #: Its tables, which guide later searches.
    tables: core.Tables

    def guide(self, search: core.Search) -> None:
        """Make a search try the most promising choices first."""
        search.ask_function("nl_solve_guide", self.tables.main, self.tables.main_log2, self.cut + 1)


def cuts_of(position: OpenPosition) -> tuple[int, ...]:
    """The cut-offs of a position's looks; none without a learned evaluation."""
    return CUTS.get(position.cards_each, ()) if position.kind == PLAIN else ()


def looks(
    native: Core,
    position: OpenPosition,
    shift: int,
    cuts: Sequence[int],
    before: Guess | None = None,
    *,
    table: bool = True,
) -> Iterator[Guess | None]:
    """Improving estimates of a position, and None between them wherever the search can pause.

    ``before`` is the last earlier look. Without ``table``, only what the value needs of the turn is estimated.
    """
    for cut in cuts:
        tables = core.Tables(native, MEMORY if position.cards_each > 8 else MEMORY >> 3)
        search = core.Search(native, tables, position, shift)
        search.ask_function("nl_solve_learned", *loaded(native), cut)
        if before is not None:
            before.guide(search)
        most = _NO_LIMIT if before is None else MOST_NODES
        for what in (core.VALUE, core.TURN):
            if not (yield from _answered(search, what, most)):
                return  # deeper looks would take even longer
        if table:
            most = _NO_LIMIT if before is None else search.nodes + TABLE_NODES
            if before is not None:
                yield _guess(search, cut, tables, before)
            for what in (core.REGRETS, core.ALL):
                if not (yield from _answered(search, what, most)):
                    break
        before = _guess(search, cut, tables, before)
        yield before


def _answered(search: core.Search, what: int, most: int) -> Generator[None, None, bool]:
    """Ask for what is known of the position; give up when the search has reached ``most`` positions."""
    known = search.result()
    search.ask(what, max(known[core.LO] - 1, -search.cap), min(known[core.HI] + 1, search.cap))
    while search.nodes < most:
        if search.run(most - search.nodes):
            return True
        yield
    search.stop()
    return False


def _guess(search: core.Search, cut: int, tables: core.Tables, before: Guess | None) -> Guess:
    known, turn = search.result(), search.turn()
    entries = []
    for i, (lows, highs) in enumerate(zip(turn.lows, turn.highs, strict=True)):
        row = []
        for j, (lo, hi) in enumerate(zip(lows, highs, strict=True)):
            # The middle of open bounds means nothing: the look before knows more about this pair.
            is_open = before is not None and (hi - lo) * search.unit > _CLOSE
            row.append(min(max(before.entries[i][j], lo), hi) if before and is_open else (lo + hi) // 2)
        entries.append(row)
    return Guess((known[core.LO] + known[core.HI]) // 2, turn, entries, cut, tables)


#: Heads between bounds of an entry that count as one number.
_CLOSE = 0.5


def estimate(native: Core, position: OpenPosition, shift: int, *, table: bool = True) -> Guess | None:
    """The best estimate; None without a learned evaluation."""
    best: Guess | None = None
    for guess in looks(native, position, shift, cuts_of(position), table=table):
        best = guess or best
    return best
