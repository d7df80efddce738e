"""Searching a position: tables, threads, time limits, interruption, and the proof at the root."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from nimmt_lab.engine.errors import RulesError
from nimmt_lab.engine.files import shown
from nimmt_lab.native import core as native_core
from nimmt_lab.solver import core, plain
from nimmt_lab.solver.matrix import solve_floats
from nimmt_lab.solver.open_position import PLAIN, OpenPosition, Way
from nimmt_lab.solver.solution import Bounds

#: Memory used unless said otherwise, by cards per hand: what keeps nearly everything that is searched.
USUAL_MEMORY = {7: 1 << 24, 8: 1 << 27, 9: 1 << 30, 10: 3 << 30}
SMALL_MEMORY = 1 << 22
#: What is made exact besides the value (see `Searcher.prove`).
DETAILS = {"bounds": None, "regrets": core.REGRETS, "full": core.ALL}

Report = Callable[["Progress"], None]


@dataclass(frozen=True)
class Progress:
    """How far a search is: what a progress bar shows."""

    seconds: float
    nodes: int
    states: int
    bounds: tuple[float, float]


@dataclass(frozen=True)
class TurnTable:
    """The matrix game of a turn, in heads; what A and B may play in the order of ``ways``.

    Bounds are whole numbers of 32 bits times a power of two, so the floats are the very numbers that were proved.
    """

    ways: tuple[list[Way], list[Way]]
    mixes: tuple[list[float], list[float]]
    lows: list[list[float]]
    highs: list[list[float]]


@dataclass(frozen=True)
class RootProof:
    """What the search proved about a position, in heads."""

    lo: float
    hi: float
    #: The search went to its end: the bounds are as close as they can get.
    complete: bool
    #: Somebody pressed the interrupt key.
    interrupted: bool
    turn: TurnTable
    nodes: int
    states: int
    seconds: float
    memory: int


class Searcher:
    """Tables that outlive one search: positions that follow from a solved one are then answered at once.

    ``memory`` bounds the tables, in bytes. One searcher serves any number of positions (keys do not depend on the
    root), but not two threads of its user at a time. It is what holds the memory: let go of it and that is free again.
    """

    def __init__(self, memory: int | None = None, threads: int = 1) -> None:
        if memory is not None and memory < 1 << 16:
            raise RulesError(f"the solver needs at least 64 kB of memory for its tables, got {memory} bytes")
        if not 1 <= threads <= 8:
            raise RulesError(f"threads must be from 1 to 8, got {shown(threads)}")
        self._limit = memory
        self._threads = threads
        self._budget = 0
        self._shift = -1
        self._rules: tuple[object, ...] = ()
        self._tables: core.Tables | None = None
        self._plain = plain.PlainHalf()

    @property
    def memory(self) -> int:
        """Bytes of the tables now."""
        return 0 if self._tables is None else self._tables.size

    def _searches(self, position: OpenPosition, shift: int | None, threads: int) -> list[core.Search]:
        """A search for each thread, on tables that fit the position."""
        native = native_core()
        assert native is not None
        unit = shift or core.shift_of(position)
        want = USUAL_MEMORY.get(position.cards_each, SMALL_MEMORY)
        if self._limit is not None:
            want = min(want, self._limit)
        # Entries are in units of 2**-shift heads. With a fan card the key names cards by their index at the root.
        rules: tuple[object, ...] = (position.heads, position.kind)
        if position.kind != PLAIN:
            rules += tuple(sorted(position.hands[0] + position.hands[1]))
        if self._tables is None or unit != self._shift or rules != self._rules or want > self._budget:
            self._shift, self._rules, self._budget = unit, rules, max(want, self._budget)
            self._tables = None  # free the old tables first
            self._tables = core.Tables(native, self._budget)
        jitters = [2 * thread + 1 if thread else 0 for thread in range(threads)]
        return [core.Search(native, self._tables, position, unit, jitter) for jitter in jitters]

    def bounds(self, position: OpenPosition, shift: int | None = None) -> tuple[float, float]:
        """Only the value's bounds, for many small positions: no time limit, no proof for the turn.

        >>> rows = ((3, 8, 13), (5, 10, 11), (15, 17, 19, 21, 23), (22, 24))
        >>> low, high = Searcher().bounds(OpenPosition(rows, ((12, 16, 20), (1, 2, 18))))
        >>> low <= 4.8 <= high < low + 1e-6
        True
        """
        if native_core() is None:
            return Bounds.around(*2 * (self._plain.solved(position).value,))
        (search,) = self._searches(position, shift, 1)
        search.ask(core.VALUE)
        while not search.run():
            pass
        found = search.result()
        return found[core.LO] * search.unit, found[core.HI] * search.unit

    def table(self, position: OpenPosition, shift: int | None = None) -> TurnTable:
        """The table of the turn with bounds close enough to prove the value, and mixes that prove it."""
        if native_core() is None:
            return _plain_table(self._plain.solved(position))
        (search,) = self._searches(position, shift, 1)
        search.ask(core.TURN)
        while not search.run():
            pass
        return _in_heads(search.turn(), search.unit)

    def prove(
        self,
        position: OpenPosition,
        *,
        seconds: float | None = None,
        detail: str = "bounds",
        report: Report | None = None,
    ) -> RootProof:
        """Search a position; ``detail`` says which entries of the turn's table to make exact besides.

        ``"bounds"``: none but those the proof needs; ``"regrets"``: those against the optimal mixes; ``"full"``: all.
        """
        started = time.monotonic()
        until = None if seconds is None else started + seconds
        if native_core() is None:
            return _plain_proof(self._plain, position, started, until)
        searches = self._searches(position, None, self._threads)
        first = searches[0]
        cap, unit = first.cap, first.unit
        results = [search.result() for search in searches]

        def known() -> tuple[int, int]:
            """The best bounds of all threads."""
            lo = max(max(result[core.LO], result[core.ROOT_LO]) for result in results)
            return lo, min(min(result[core.HI], result[core.ROOT_HI]) for result in results)

        def look() -> None:
            if report is not None:
                lo, hi = known()
                nodes, states = (sum(result[at] for result in results) for at in (core.NODES, core.STORED))
                report(Progress(time.monotonic() - started, nodes, states, (lo * unit, hi * unit)))

        for search in searches:
            search.ask(core.VALUE)
        done, interrupted = _together(searches, results, until, look)
        lo, hi = known()
        if done:
            # One more pass leaves the proof of the whole table of the turn; it finds the tables filled.
            for what in (core.TURN, DETAILS[detail]):
                if what is not None and done:
                    first.ask(what, max(lo - 1, -cap), min(hi + 1, cap))
                    done, interrupted = _together([first], results, until, look)
            again = known()
            lo, hi = max(lo, again[0]), min(hi, again[1])
        if not done:
            first.ask(core.SURVEY)
        tolerance = 3 * position.cards_each + 1
        turn = first.turn()
        return RootProof(
            lo=lo * unit,
            hi=hi * unit,
            complete=done and hi - lo <= tolerance,
            interrupted=interrupted,
            turn=_in_heads(turn if done else _likely(turn), unit),
            nodes=sum(result[core.NODES] for result in results),
            states=max(1, sum(result[core.STORED] for result in results)),  # the root at least
            seconds=time.monotonic() - started,
            memory=self.memory,
        )


def _together(
    searches: Sequence[core.Search], results: list[list[int]], until: float | None, look: Callable[[], None]
) -> tuple[bool, bool]:
    """Run all until one is done or the time is up: whether one is, and whether somebody pressed the interrupt key.

    The first runs here, the others in threads of their own; all in slices, so each of them can stop in a moment.
    """
    halt = threading.Event()
    problems: list[BaseException] = []
    done: list[int] = []

    def work(index: int) -> None:
        try:
            while not halt.is_set():
                finished = searches[index].run()
                results[index] = searches[index].result()
                if finished:
                    done.append(index)
                    halt.set()
        except BaseException as problem:  # carried to the thread that waits
            problems.append(problem)
            halt.set()

    threads = [threading.Thread(target=work, args=(index,), daemon=True) for index in range(1, len(searches))]
    for thread in threads:
        thread.start()
    interrupted = False
    try:
        while not halt.is_set():
            if searches[0].run():
                done.append(0)
                halt.set()
            results[0] = searches[0].result()
            look()
            if until is not None and time.monotonic() >= until:
                break
    except KeyboardInterrupt:
        interrupted = True
    finally:
        halt.set()
        for thread in threads:
            thread.join()
    if problems:
        raise problems[0]
    for index, search in enumerate(searches):
        if index not in done:
            search.stop()
            results[index] = search.result()
    return bool(done) and not interrupted, interrupted


def _in_heads(turn: core.Turn, unit: float) -> TurnTable:
    lows, highs = ([[entry * unit for entry in row] for row in part] for part in (turn.lows, turn.highs))
    return TurnTable(turn.ways, turn.mixes, lows, highs)


def _likely(turn: core.Turn) -> core.Turn:
    """A turn that was not solved, with the mixes that look best in it."""
    likely = [
        [float(min(max(guess, lo), hi)) for guess, lo, hi in zip(*rows, strict=True)]
        for rows in zip(turn.guesses, turn.lows, turn.highs, strict=True)
    ]
    solution = solve_floats(likely)
    return replace(turn, mixes=(list(solution.row), list(solution.column)))


# Without the compiled core -------------------------------------------------------------------------------------------


def _plain_table(turn: plain.PlainTurn) -> TurnTable:
    bounds = [
        [Bounds.around(lo, hi) for lo, hi in zip(*rows, strict=True)]
        for rows in zip(turn.lows, turn.highs, strict=True)
    ]
    lows, highs = ([[entry[side] for entry in row] for row in bounds] for side in (0, 1))
    return TurnTable(turn.ways, (list(map(float, turn.mixes[0])), list(map(float, turn.mixes[1]))), lows, highs)


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
