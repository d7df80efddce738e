"""Searching a position: tables, threads, time limits, interruption, and the proof at the root."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from math import ceil, floor

from nimmt_lab.engine.errors import RulesError
from nimmt_lab.engine.files import shown
from nimmt_lab.native import Claim
from nimmt_lab.native import core as native_core
from nimmt_lab.solver import core, plain
from nimmt_lab.solver.estimate import Guess, estimate
from nimmt_lab.solver.learned import loaded
from nimmt_lab.solver.matrix import column_values, row_values
from nimmt_lab.solver.open_position import PLAIN, OpenPosition, Way
from nimmt_lab.solver.solution import Bounds
from nimmt_lab.solver.walk import Walk

__all__ = [
    "DETAILS",
    "GUIDED_FROM",
    "MOST_GUESSES",
    "MOST_MIXES",
    "PATIENCE",
    "SMALL_MEMORY",
    "STRETCH",
    "USUAL_MEMORY",
    "Progress",
    "Report",
    "RootProof",
    "Searcher",
    "TurnTable",
]


#: Memory used unless said otherwise, by cards per hand: what keeps nearly everything that is searched.
USUAL_MEMORY = {7: 1 << 24, 8: 1 << 27, 9: 1 << 30, 10: 3 << 30}
SMALL_MEMORY = 1 << 22
#: What is made exact besides the value (see `Searcher.prove`).
DETAILS = {"bounds": None, "regrets": core.REGRETS, "full": core.ALL}

#: Positions a question may take before it is put off, by cards a hand; fewer cards are solved without questions.
PATIENCE = {8: 100_000, 9: 400_000, 10: 2_000_000}
#: Positions searched before the last question is put again, with larger tables if they are full.
STRETCH = 20_000_000
#: Cards a hand from which what was learned guides the search.
GUIDED_FROM = 6
#: Estimates kept: each holds what it found on the way, tens of megabytes.
MOST_GUESSES = 4
#: Mixes kept of an unfinished search.
MOST_MIXES = 24

Report = Callable[["Progress"], None]


@dataclass(frozen=True)
class Progress:
    """How far a search is: what a progress bar shows."""

    seconds: float
    nodes: int
    states: int
    bounds: tuple[float, float]
    #: The best guess so far; None: there is none.
    estimate: float | None = None


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
    #: What a search that stops early found: the value, and the table of the turn with its mixes.
    estimate: float | None = None
    guessed: TurnTable | None = None
    #: Of an unfinished search: mixes of A and of B that proved something about ``turn``.
    candidates: tuple[list[list[float]], list[list[float]]] = field(default_factory=lambda: ([], []))


class Searcher:
    """Tables that outlive one search: positions that follow from a solved one are then answered at once.

    ``memory`` bounds the tables, in bytes. One searcher serves any number of positions (keys do not depend on the
    root), but one thread of its user at a time: a second one gets `InUse`. It is what holds the memory: let go of it
    and that is free again.
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
        self._stored = 0  # positions put into them
        self._plain = plain.PlainHalf()
        self._guesses: dict[tuple[object, ...], Guess] = {}
        #: Positions asked about, with what was proved of them, in heads: to go on from there.
        self._known: dict[OpenPosition, tuple[float, float]] = {}

    @property
    def memory(self) -> int:
        """Bytes of the tables now."""
        return 0 if self._tables is None else self._tables.size

    def _searches(
        self, position: OpenPosition, shift: int | None, threads: int, *, grows: bool = False
    ) -> list[core.Search]:
        """A search for each thread, on tables that fit the position, or (if it ``grows``) are going to."""
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
            self._tables = core.Tables(native, self._budget, whole=not grows)
            self._stored = 0
        jitters = [2 * thread + 1 if thread else 0 for thread in range(threads)]
        searches = [core.Search(native, self._tables, position, unit, jitter) for jitter in jitters]
        if position.kind == PLAIN and position.cards_each >= GUIDED_FROM:
            for search in searches:
                search.ask_function("nl_solve_learned", *loaded(native), 0)
        return searches

    def _grow(self, stored: int) -> bool:
        """So many positions more were stored: whether the tables have grown for that."""
        self._stored += stored
        return self._tables is not None and self._tables.grow(self._stored)

    def remember(self, position: OpenPosition, bounds: tuple[float, float]) -> None:
        """Take bounds of a position for certain, from an earlier search of it: the next one goes on from there."""
        lo, hi = self._known.get(position, bounds)
        self._known[position] = max(lo, bounds[0]), min(hi, bounds[1])

    def guess(self, position: OpenPosition) -> tuple[list[float], list[float]] | None:
        """What each choice of A and of B loses by the estimate alone, in milliseconds up to seven cards a hand.

        None where nothing was learned about such positions, or there is no compiled core.
        """
        native = native_core()
        found = None if native is None else estimate(native, position, core.shift_of(position))
        if found is None:
            return None
        unit, turn = 2.0 ** -core.shift_of(position), found.turn
        x, y = turn.mixes
        both = zip(turn.lows, turn.highs, strict=True)
        middle = [[(lo + hi) / 2 for lo, hi in zip(*row, strict=True)] for row in both]
        of_a = [(found.value - worth) * unit for worth in row_values(middle, y)]
        return of_a, [(worth - found.value) * unit for worth in column_values(middle, x)]

    def bounds(self, position: OpenPosition, shift: int | None = None) -> tuple[float, float]:
        """Only the value's bounds, for many small positions: no time limit, no proof for the turn.

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
            found = search.result()
        return found[core.LO] * search.unit, found[core.HI] * search.unit

    def table(self, position: OpenPosition, shift: int | None = None) -> TurnTable:
        """The table of the turn with bounds close enough to prove the value, and mixes that prove it."""
        if native_core() is None:
            return _plain_table(self._plain.solved(position))
        with self._claim:
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
        with self._claim:
            if native_core() is None:
                return _plain_proof(self._plain, position, started, until)
            return _Proof(self, position, started, until, report).prove(DETAILS[detail])

    def _guess(
        self, position: OpenPosition, shift: int, until: float | None, look: Callable[[Guess], None]
    ) -> Guess | None:
        """The estimate of a position, made once."""
        key = position.rows, position.hands, shift
        if key not in self._guesses:
            native = native_core()
            assert native is not None
            found = estimate(native, position, shift, until=until, look=look)
            if found is None:
                return None
            self._guesses[key] = found
            for old in list(self._guesses)[:-MOST_GUESSES]:
                del self._guesses[old]
        look(self._guesses[key])
        return self._guesses[key]


class _Proof:
    """One run of `Searcher.prove`: estimate, questions from both sides, then the rest; whatever comes, what is proved
    by then is kept."""

    def __init__(
        self, searcher: Searcher, position: OpenPosition, started: float, until: float | None, report: Report | None
    ) -> None:
        self._searcher, self._position, self._report = searcher, position, report
        self._started, self._until = started, until
        self._searches = searcher._searches(position, None, searcher._threads, grows=True)
        first = self._searches[0]
        self._before = [0, 0]  # positions searched and stored by searches that are closed
        self._counted = 0  # stored positions the tables know of
        self._cap, self._unit, self._one = first.cap, first.unit, round(1 / first.unit)
        self._results = [search.result() for search in self._searches]
        self._lo, self._hi = -first.cap, first.cap
        if position in searcher._known:
            lo, hi = searcher._known[position]
            self._lo, self._hi = max(self._lo, floor(lo * self._one)), min(self._hi, ceil(hi * self._one))
        self._guess: Guess | None = None
        self._facts: _Facts | None = None

    def prove(self, detail: int | None) -> RootProof:
        done = interrupted = False
        try:
            self._guess = self._searcher._guess(self._position, self._searcher._shift, self._until, self._take_guess)
            self._guided()
            self._walk()
            done = self._in_time()
        except KeyboardInterrupt:
            interrupted = True
        if done and not interrupted:
            done, interrupted = self._finish(detail)
        return self._proof(done, interrupted)

    def _guided(self) -> None:
        for search in self._searches:
            if self._guess is not None:
                self._guess.guide(search)

    def _counts(self) -> tuple[int, int]:
        """Positions searched, and stored."""
        nodes, states = (sum(result[at] for result in self._results) for at in (core.NODES, core.STORED))
        return self._before[0] + nodes, self._before[1] + states

    def _make_room(self) -> None:
        """Between two questions: larger tables, if these are filling up."""
        stored = sum(result[core.STORED] for result in self._results)
        if self._searcher._grow(stored - self._counted):
            self._before = [*self._counts()]
            self._searches = self._searcher._searches(self._position, None, len(self._searches), grows=True)
            self._results = [search.result() for search in self._searches]
            self._guided()
            stored = 0
        self._counted = stored

    def _in_time(self) -> bool:
        return self._until is None or time.monotonic() < self._until

    def _take_guess(self, guess: Guess) -> None:
        self._guess = guess
        self._look()

    def _learn(self, results: Iterable[Sequence[int]]) -> None:
        for result in results:
            self._lo = max(self._lo, result[core.LO], result[core.ROOT_LO])
            self._hi = min(self._hi, result[core.HI], result[core.ROOT_HI])

    def _look(self) -> None:
        self._learn(self._results)
        if self._report is not None:
            nodes, states = self._counts()
            guess = None if self._guess is None else self._guess.value * self._unit
            bounds = self._lo * self._unit, self._hi * self._unit
            self._report(Progress(time.monotonic() - self._started, nodes, states, bounds, guess))

    def _walk(self) -> None:
        """Questions from both sides of the estimate, while there is time."""
        usual = PATIENCE.get(self._position.cards_each)
        if usual is None:  # small enough to be solved at once
            return
        walk = Walk(0 if self._guess is None else self._guess.value, self._lo, self._hi, self._one)
        while not walk.finished and self._in_time():
            first = walk.side()
            sides = [first if index % 2 == 0 else 1 - first for index in range(len(self._searches))]
            asked = []
            for search, side in zip(self._searches, sides, strict=True):
                at = walk.threshold(side)
                if at is None:
                    side = 1 - side
                    at = walk.threshold(side)
                assert at is not None
                search.ask(core.TURN, at, at + 1)
                asked.append((search, side))
            most = usual * walk.patience(asked[0][1])
            done, interrupted = _together(self._searches, self._results, self._until, self._look, most)
            for search, _ in asked:
                self._note(search.turn())
            self._look()
            if interrupted:
                raise KeyboardInterrupt
            self._make_room()
            before = walk.bounds
            walk.learn(self._lo, self._hi)
            if not done and walk.bounds == before:
                for side in {side for _, side in asked}:
                    walk.give_up(side)

    def _note(self, turn: core.Turn) -> None:
        if self._facts is None:
            self._facts = _Facts(turn)
        self._facts.add(turn)

    def _finish(self, detail: int | None) -> tuple[bool, bool]:
        """The value itself, then a proof of the whole table of the turn; whether done, whether interrupted."""
        cap = self._cap
        done = interrupted = False
        while not done and not interrupted and self._in_time():
            for search in self._searches:
                search.ask(core.VALUE, max(self._lo - 1, -cap), min(self._hi + 1, cap))
            done, interrupted = _together(self._searches, self._results, self._until, self._look, STRETCH)
            self._learn(self._results)
            self._make_room()
        first = self._searches[0]
        if done:
            # One more pass leaves the proof of the whole table of the turn; it finds the tables filled.
            for what in (core.TURN, detail):
                if what is not None and done:
                    first.ask(what, max(self._lo - 1, -cap), min(self._hi + 1, cap))
                    done, interrupted = _together([first], self._results, self._until, self._look)
            self._learn(self._results)
        return done, interrupted

    def _proof(self, done: bool, interrupted: bool) -> RootProof:
        first, unit = self._searches[0], self._unit
        self._searcher.remember(self._position, (self._lo * unit, self._hi * unit))
        candidates: tuple[list[list[float]], list[list[float]]] = ([], [])
        if done:
            turn = first.turn()
        else:
            first.ask(core.SURVEY)
            self._note(first.turn())
            assert self._facts is not None
            turn, candidates = self._facts.turn, self._facts.mixes
        tolerance = 3 * self._position.cards_each + 1
        guess = self._guess
        return RootProof(
            lo=self._lo * unit,
            hi=self._hi * unit,
            complete=done and self._hi - self._lo <= tolerance,
            interrupted=interrupted,
            turn=_in_heads(turn, unit),
            nodes=self._counts()[0],
            states=max(1, self._counts()[1]),  # the root at least
            seconds=time.monotonic() - self._started,
            memory=self._searcher.memory,
            estimate=None if guess is None else guess.value * unit,
            guessed=None if guess is None else _in_heads(guess.turn, unit),
            candidates=candidates,
        )


class _Facts:
    """What several questions about one turn have proved of its table, together; the mixes they used."""

    def __init__(self, turn: core.Turn) -> None:
        self.turn = turn
        self.mixes: tuple[list[list[float]], list[list[float]]] = ([], [])

    def add(self, turn: core.Turn) -> None:
        lows, highs = (
            [[pick(a, b) for a, b in zip(*rows, strict=True)] for rows in zip(old, new, strict=True)]
            for pick, old, new in ((max, self.turn.lows, turn.lows), (min, self.turn.highs, turn.highs))
        )
        self.turn = replace(turn, lows=lows, highs=highs)
        for kept, mix in zip(self.mixes, turn.mixes, strict=True):
            if mix not in kept:
                kept.append(mix)
                del kept[:-MOST_MIXES]


def _together(
    searches: Sequence[core.Search],
    results: list[list[int]],
    until: float | None,
    look: Callable[[], None],
    most: int | None = None,
) -> tuple[bool, bool]:
    """Run all until one is done, the time is up, or the first has searched ``most`` positions: whether one is done, and
    whether somebody pressed the interrupt key.

    The first runs here, the others in threads of their own; all in slices, so each of them can stop in a moment.
    """
    halt = threading.Event()
    limit = None if most is None else results[0][core.NODES] + most
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
            if limit is not None and results[0][core.NODES] >= limit:
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
