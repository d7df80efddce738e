"""Search positions on tables that stay: `Searcher` decides which tables, and which search may use them."""

from __future__ import annotations

import time

from nimmt_lab.engine.errors import RulesError
from nimmt_lab.engine.files import shown
from nimmt_lab.native import Claim
from nimmt_lab.native import core as native_core
from nimmt_lab.solver import core, plain
from nimmt_lab.solver.estimate import Guess, estimate
from nimmt_lab.solver.learned import loaded
from nimmt_lab.solver.matrix import column_values, row_values
from nimmt_lab.solver.open_position import PLAIN, OpenPosition
from nimmt_lab.solver.running import DETAILS, Progress, Report, RootProof, Run, TurnTable, guessed_table, in_heads
from nimmt_lab.solver.solution import Bounds

__all__ = ["DETAILS", "Progress", "Report", "RootProof", "Searcher", "TurnTable"]


#: Default memory by cards a hand, enough for nearly all searched positions.
USUAL_MEMORY = {7: 1 << 24, 8: 1 << 27, 9: 1 << 30, 10: 3 << 30}
SMALL_MEMORY = 1 << 22
#: Smallest hands for which the learned evaluation guides the search.
GUIDED_FROM = 6


class Searcher:
    """Tables that outlive a search, so that positions following a solved one are answered at once.

    ``memory`` bounds the tables, in bytes. A searcher serves any number of positions, but only one thread at a time: a
    second one gets `InUse`. Deleting it frees the memory.
    """

    def __init__(self, memory: int | None = None, threads: int = 1) -> None:
        if memory is not None and memory < 1 << 16:
            raise RulesError("solver.memory", got=memory)
        if not 1 <= threads <= 8:
            raise RulesError("solver.threads", got=shown(threads))
        self._claim = Claim()
        self._limit = memory
        self._threads = threads
        self._budget = 0
        self._shift = -1
        self._rules: tuple[object, ...] = ()
        self._tables: core.Tables | None = None
        self._stored = 0  # positions stored
        self._plain = plain.PlainHalf()
        self._guesses: dict[OpenPosition, Guess] = {}
        #: Proved bounds of earlier positions, in heads, to resume from.
        self._known: dict[OpenPosition, tuple[float, float]] = {}
        #: The last search, if it can continue.
        self._run: Run | None = None

    @property
    def memory(self) -> int:
        return 0 if self._tables is None else self._tables.size

    def _searches(
        self, position: OpenPosition, shift: int | None, threads: int, *, grows: bool = False
    ) -> list[core.Search]:
        """One search per thread, on tables large enough for the position or (if it ``grows``) able to grow."""
        native = native_core()
        assert native is not None
        unit = shift or core.shift_of(position)
        want = USUAL_MEMORY.get(position.cards_each, SMALL_MEMORY)
        if self._limit is not None:
            want = min(want, self._limit)
        # Entries are in units of 2**-shift heads. With a fan card, keys use card indices at the root.
        rules: tuple[object, ...] = (position.heads, position.kind)
        if position.kind != PLAIN:
            rules += tuple(sorted(position.hands[0] + position.hands[1]))
        if self._tables is None or unit != self._shift or rules != self._rules or want > self._budget:
            self._shift, self._rules, self._budget = unit, rules, max(want, self._budget)
            self._run = self._tables = None  # free the old tables first
            self._tables = core.Tables(native, self._budget, whole=not grows)
            self._stored = 0
        searches = [core.Search(native, self._tables, position, unit) for _ in range(threads)]
        if threads > 1:
            core.divide(native, searches)
        if position.kind == PLAIN and position.cards_each >= GUIDED_FROM:
            for search in searches:
                search.ask_function("nl_solve_learned", *loaded(native), 0)
        return searches

    def _grow(self, stored: int) -> bool:
        """Count newly stored positions; return whether the tables grew."""
        self._stored += stored
        return self._tables is not None and self._tables.grow(self._stored)

    def remember(self, position: OpenPosition, bounds: tuple[float, float]) -> None:
        """Accept bounds of an earlier search as certain and resume from them."""
        lo, hi = self._known.get(position, bounds)
        self._known[position] = max(lo, bounds[0]), min(hi, bounds[1])

    def known(self, position: OpenPosition) -> tuple[float, float] | None:
        """Bounds proved so far, in heads."""
        return self._known.get(position)

    def guess(self, position: OpenPosition) -> tuple[list[float], list[float]] | None:
        """Estimated loss of each choice of A and B, in heads; None without a learned evaluation or a core."""
        native = native_core()
        guess = None if native is None else estimate(native, position, core.shift_of(position))
        if guess is None:
            return None
        table = guessed_table(guess, 2.0 ** -core.shift_of(position))
        value = guess.value * 2.0 ** -core.shift_of(position)
        x, y = table.mixes
        of_a = [value - worth for worth in row_values(table.lows, y)]
        return of_a, [worth - value for worth in column_values(table.lows, x)]

    def bounds(self, position: OpenPosition, shift: int | None = None) -> tuple[float, float]:
        """Bounds of the value only, for many small positions: no time limit, no proof of the turn.

        >>> rows = ((3, 8, 13), (5, 10, 11), (15, 17, 19, 21, 23), (22, 24))
        >>> low, high = Searcher().bounds(OpenPosition(rows, ((12, 16, 20), (1, 2, 18))))
        >>> low <= 4.8 <= high < low + 1e-6
        True
        """
        if native_core() is None:
            return Bounds.around(*2 * (self._plain.solved(position).value,))
        with self._claim:
            (search,) = self._searches(position, shift, 1)
            search.ask(core.VALUE)
            while not search.run():
                pass
            result = search.result()
        return result[core.LO] * search.unit, result[core.HI] * search.unit

    def table(self, position: OpenPosition, shift: int | None = None) -> TurnTable:
        """The turn's table with bounds close enough to prove the value, and the mixes that prove it."""
        if native_core() is None:
            return _plain_table(self._plain.solved(position))
        with self._claim:
            (search,) = self._searches(position, shift, 1)
            search.ask(core.TURN)
            while not search.run():
                pass
            return in_heads(search.turn(), search.unit)

    def prove(
        self,
        position: OpenPosition,
        *,
        seconds: float | None = None,
        nodes: int | None = None,
        detail: str = "bounds",
        report: Report | None = None,
    ) -> RootProof:
        """Search a position; ``detail`` says which entries of the turn's table to make exact.

        ``"bounds"``: only those the proof needs; ``"regrets"``: those against the optimal mixes; ``"full"``: all.

        ``seconds`` and ``nodes`` (positions searched after the estimate) limit this call. The next call for the same
        position continues exactly where this one stopped: with one thread, the result depends on the total of nodes
        only.
        """
        started = time.monotonic()
        until = None if seconds is None else started + seconds
        with self._claim:
            if native_core() is None:
                return _plain_proof(self._plain, position, started, until)
            run = self._run
            if run is None or run.position != position or not run.can_continue:
                self._run = None
                run = self._run = Run(self, position, DETAILS[detail])
            run.detail = DETAILS[detail]
            interrupted = run.go_on(until, nodes, report)
            proof = run.proof(interrupted=interrupted, seconds=time.monotonic() - started)
            if not run.can_continue:
                self._run = None
            return proof


def _plain_table(turn: plain.PlainTurn) -> TurnTable:
    bounds = [
        [Bounds.around(lo, hi) for lo, hi in zip(*rows, strict=True)]
        for rows in zip(turn.lows, turn.highs, strict=True)
    ]
    lows, highs = ([[entry[side] for entry in row] for row in bounds] for side in (0, 1))
    return TurnTable(turn.actions, (list(map(float, turn.mixes[0])), list(map(float, turn.mixes[1]))), lows, highs)


def _plain_proof(half: plain.PlainHalf, position: OpenPosition, started: float, until: float | None) -> RootProof:
    """The same answer from exact fractions, for small positions."""
    complete, interrupted = True, False
    try:
        turn = half.solved(position, until)
    except (KeyboardInterrupt, plain.OutOfTime) as problem:
        complete, interrupted = False, isinstance(problem, KeyboardInterrupt)
        turn = plain.unsolved(position)
    lo, hi = Bounds.around(turn.lo, turn.hi)
    return RootProof(
        lo, hi, complete, interrupted, _plain_table(turn), turn.states, turn.states, time.monotonic() - started, 0
    )
