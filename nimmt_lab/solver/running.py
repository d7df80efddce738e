"""The course of one search: estimate, questions from both sides of it, then the rest; in slices, on several threads.

A run can stop after every slice and continue later as if it had not stopped. Only positions are counted, so that time
limits, reports and slices don't change what is searched, and one thread always searches the same.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Generator, Iterable, Sequence
from dataclasses import dataclass, field, replace
from inspect import GEN_CLOSED, getgeneratorstate
from math import ceil, floor
from typing import TYPE_CHECKING

from nimmt_lab.native import core as native_core
from nimmt_lab.solver import core
from nimmt_lab.solver.estimate import Guess, cuts_of, looks
from nimmt_lab.solver.open_position import Action, OpenPosition
from nimmt_lab.solver.walk import STEPS, WIDE, Walk

if TYPE_CHECKING:
    from nimmt_lab.solver.exact import Searcher

#: Entries to make exact in addition to the value (see `Searcher.prove`).
DETAILS = {"bounds": None, "regrets": core.REGRETS, "full": core.ALL}
#: Positions a question may take before it is postponed, by cards a hand; smaller positions are solved directly.
PATIENCE = {8: 100_000, 9: 400_000, 10: 2_000_000}
#: Smallest hands for which the last look of the estimate comes after the first questions.
LATE_FROM = 9
#: Positions searched before the last question is repeated, with larger tables if full.
STRETCH = 20_000_000
#: Mixes kept from an unfinished search.
MOST_MIXES = 24
#: Estimates kept, each with tens of megabytes of tables.
MOST_GUESSES = 4

Report = Callable[["Progress"], None]


@dataclass(frozen=True)
class Progress:
    """Search progress, for progress bars."""

    seconds: float
    nodes: int
    states: int
    bounds: tuple[float, float]
    estimate: float | None = None


@dataclass(frozen=True)
class TurnTable:
    """The matrix game of a turn, in heads, with choices in the order of ``actions``. Bounds are 32-bit integers times a
    power of two, so the floats are exact."""

    actions: tuple[list[Action], list[Action]]
    mixes: tuple[list[float], list[float]]
    lows: list[list[float]]
    highs: list[list[float]]


@dataclass(frozen=True)
class RootProof:
    """Proved facts about a position, in heads."""

    lo: float
    hi: float
    #: Whether the search finished, so that the bounds are as close as possible.
    complete: bool
    #: Whether the user interrupted it.
    interrupted: bool
    turn: TurnTable
    nodes: int
    states: int
    seconds: float
    memory: int
    #: Estimated value and turn table from a search with a cut-off.
    estimate: float | None = None
    guessed: TurnTable | None = None
    #: Cards a hand at the cut-off.
    cut: int | None = None
    #: Mixes of A and B that proved something about ``turn``, if the search is unfinished.
    candidates: tuple[list[list[float]], list[list[float]]] = field(default_factory=lambda: ([], []))


#: Steps of a run: it pauses wherever it yields.
Steps = Generator[None, None, None]


class Run:
    """A search of one position on a searcher's tables. Proved facts are always kept."""

    def __init__(self, searcher: Searcher, position: OpenPosition, detail: int | None) -> None:
        self.position, self.detail = position, detail
        self._searcher = searcher
        self._open_searches(searcher._threads)
        first = self._searches[0]
        self._before = [0, 0]  # positions searched and stored by closed searches
        self._counted = 0  # stored positions already counted by the tables
        self._cap, self._unit, self._one = first.cap, first.unit, round(1 / first.unit)
        self._lo, self._hi = -first.cap, first.cap
        known = searcher.known(position)
        if known is not None:
            lo, hi = known
            self._lo, self._hi = max(self._lo, floor(lo * self._one)), min(self._hi, ceil(hi * self._one))
        self._guess: Guess | None = None
        self._facts: _Facts | None = None
        self._most: int | None = None
        #: The question of a turn under way, whose table is worth reading.
        self._asked_turn = False
        #: The search that proved the turn.
        self._first_done = 0
        self._steps = self._course()
        self.finished = False

    @property
    def can_continue(self) -> bool:
        """Whether the next call of `go_on` would search on: neither finished nor broken by an interrupt."""
        return not self.finished and getgeneratorstate(self._steps) != GEN_CLOSED

    def go_on(self, until: float | None, nodes: int | None, report: Report | None) -> bool:
        """Search until finished, out of time, or ``nodes`` positions further; return whether the user interrupted."""
        self._most = None if nodes is None else self._counts()[0] + nodes
        started = time.monotonic()
        try:
            while self.can_continue:
                if next(self._steps, _END) is _END:
                    self.finished = True
                self._look(started, report)
                if self._is_spent() or (until is not None and time.monotonic() >= until):
                    break
        except KeyboardInterrupt:
            return True
        finally:
            self._team.pause()
        return False

    def close(self) -> None:
        """Give up the search."""
        self._steps.close()

    def _is_spent(self) -> bool:
        return self._most is not None and self._counts()[0] >= self._most

    def _open_searches(self, threads: int) -> None:
        self._searches = self._searcher._searches(self.position, None, threads, grows=True)
        self._results = [search.result() for search in self._searches]
        self._team = _Team(self._searches, self._results)

    def _counts(self) -> tuple[int, int]:
        """Positions searched and stored."""
        nodes, states = (sum(result[at] for result in self._results) for at in (core.NODES, core.STORED))
        return self._before[0] + nodes, self._before[1] + states

    def _make_room(self) -> None:
        """Grow the tables between questions if they are filling up."""
        stored = sum(result[core.STORED] for result in self._results)
        if self._searcher._grow(stored - self._counted):
            self._before = [*self._counts()]
            self._open_searches(len(self._searches))
            self._guided()
            stored = 0
        self._counted = stored

    def _guided(self) -> None:
        for search in self._searches:
            if self._guess is not None:
                self._guess.guide(search)

    def _learn(self) -> None:
        for result in self._results:
            self._lo = max(self._lo, result[core.LO], result[core.ROOT_LO])
            self._hi = min(self._hi, result[core.HI], result[core.ROOT_HI])

    def _look(self, started: float, report: Report | None) -> None:
        self._learn()
        if report is not None:
            nodes, states = self._counts()
            guess = None if self._guess is None else self._guess.value * self._unit
            report(Progress(time.monotonic() - started, nodes, states, self._certain(), guess))

    def _certain(self) -> tuple[float, float]:
        """The tightest proved bounds, in heads.

        Mixes of an unfinished search may have proved more than its questions did. The search itself doesn't use that,
        since it must not depend on where it was paused.
        """
        lo, hi = self._lo * self._unit, self._hi * self._unit
        known = self._searcher.known(self.position)
        return (lo, hi) if known is None else (max(lo, known[0]), min(hi, known[1]))

    def _course(self) -> Steps:
        kept = self._searcher._guesses
        self._guess = kept.get(self.position)
        cuts = cuts_of(self.position) if self._guess is None else ()
        if self.position.cards_each >= LATE_FROM and cuts:
            # The last look takes seconds, so first find wide bounds with the others.
            yield from self._estimate(cuts[:-1])
            yield from self._walk(WIDE)
            cuts = cuts[-1:]
        yield from self._estimate(cuts)
        if self._guess is not None:
            kept[self.position] = self._guess
            for old in list(kept)[:-MOST_GUESSES]:
                del kept[old]
        yield from self._walk(STEPS)
        yield from self._finish()

    def _estimate(self, cuts: Sequence[int]) -> Steps:
        native = native_core()
        assert native is not None
        for guess in looks(native, self.position, self._searcher._shift, cuts, self._guess):
            self._guess = guess or self._guess
            yield
        self._guided()

    def _walk(self, distances: tuple[int, ...]) -> Steps:
        """Ask from both sides of the estimate."""
        usual = PATIENCE.get(self.position.cards_each)
        if usual is None:  # small enough to solve directly
            return
        walk = Walk(0 if self._guess is None else self._guess.value, self._lo, self._hi, self._one, distances)
        while not walk.finished:
            side = walk.side()
            at = walk.threshold(side)
            assert at is not None
            done = yield from self._answer(core.TURN, (at, at + 1), usual * walk.patience(side))
            self._make_room()
            before = walk.bounds
            walk.learn(self._lo, self._hi)
            if not done and walk.bounds == before:
                walk.give_up(side)

    def _finish(self) -> Steps:
        """Prove the value, then the turn's whole table."""
        while not (yield from self._answer(core.VALUE, self._window, STRETCH)):
            self._make_room()
        # One more pass over the filled tables proves the turn's whole table.
        yield from self._answer(core.TURN, self._window)
        if self.detail is not None:
            yield from self._answer(self.detail, self._window, only=self._first_done)

    @property
    def _window(self) -> tuple[int, int]:
        return max(self._lo - 1, -self._cap), min(self._hi + 1, self._cap)

    def _answer(
        self, what: int, window: tuple[int, int], most: int | None = None, only: int | None = None
    ) -> Generator[None, None, bool]:
        """Run a question on all searches, or ``only`` one, until one of them has the answer or the first has searched
        ``most`` positions; return whether it is answered."""
        indices = list(range(len(self._searches))) if only is None else [only]
        first, *helpers = indices
        limit = None if most is None else self._results[first][core.NODES] + most
        for index in indices:
            self._searches[index].ask(what, *window)
            self._results[index] = self._searches[index].result()
        team = self._team
        team.done.clear()
        try:
            while True:
                if self._is_spent():  # asking alone counts the position itself
                    yield
                    continue
                team.go_on(helpers)
                ends = [] if limit is None else [limit - self._results[first][core.NODES]]
                if self._most is not None:
                    ends.append(self._most - self._counts()[0])
                finished = self._searches[first].run(min(ends, default=None))
                self._results[first] = self._searches[first].result()
                self._asked_turn = what == core.TURN
                if finished:
                    team.done.append(first)
                if team.done or (limit is not None and self._results[first][core.NODES] >= limit):
                    break
                yield
        finally:
            team.pause()
        for index in indices:
            if index not in team.done:
                self._searches[index].stop()
                self._results[index] = self._searches[index].result()
        if what == core.TURN:
            self._note_turns()
            self._asked_turn = False
        self._learn()
        if team.done:
            self._first_done = team.done[0]
        done = bool(team.done)
        yield
        return done

    def _note_turns(self) -> None:
        for search in self._searches:
            self._note(search.turn())

    def _note(self, turn: core.TurnSearch) -> None:
        if self._facts is None:
            self._facts = _Facts(turn)
        self._facts.add(turn)

    def proof(self, *, interrupted: bool, seconds: float) -> RootProof:
        """The facts proved so far."""
        unit = self._unit
        self._learn()
        self._searcher.remember(self.position, (self._lo * unit, self._hi * unit))
        lo, hi = self._certain()
        candidates: tuple[list[list[float]], list[list[float]]] = ([], [])
        if self.finished:
            turn = self._searches[self._first_done].turn()
        else:
            if self._asked_turn:
                self._note_turns()
            # What the tables know, by a search of its own: the others may be in the middle of a question.
            (reader,) = self._searcher._searches(self.position, None, 1, grows=True)
            reader.ask(core.SURVEY)
            self._note(reader.turn())
            assert self._facts is not None
            turn, candidates = self._facts.turn, self._facts.mixes
        tolerance = 3 * self.position.cards_each + 1
        guess = self._guess
        return RootProof(
            lo=lo,
            hi=hi,
            complete=self.finished and self._hi - self._lo <= tolerance,
            interrupted=interrupted,
            turn=in_heads(turn, unit),
            nodes=self._counts()[0],
            states=max(1, self._counts()[1]),  # at least the root
            seconds=seconds,
            memory=self._searcher.memory,
            estimate=None if guess is None else guess.value * unit,
            guessed=None if guess is None else guessed_table(guess, unit),
            cut=None if guess is None else guess.cut,
            candidates=candidates,
        )


_END = object()


class _Facts:
    """Facts about one turn's table from several questions, and the mixes used."""

    def __init__(self, turn: core.TurnSearch) -> None:
        self.turn = turn
        self.mixes: tuple[list[list[float]], list[list[float]]] = ([], [])

    def add(self, turn: core.TurnSearch) -> None:
        lows, highs = (
            [[pick(a, b) for a, b in zip(*rows, strict=True)] for rows in zip(old, new, strict=True)]
            for pick, old, new in ((max, self.turn.lows, turn.lows), (min, self.turn.highs, turn.highs))
        )
        self.turn = replace(turn, lows=lows, highs=highs)
        for kept, mix in zip(self.mixes, turn.mixes, strict=True):
            if mix not in kept:
                kept.append(mix)
                del kept[:-MOST_MIXES]


class _Team:
    """Threads that run searches beside the first one until they pause or one is done."""

    def __init__(self, searches: Sequence[core.Search], results: list[list[int]]) -> None:
        self._searches, self._results = searches, results
        self._halt = threading.Event()
        self._threads: list[threading.Thread] = []
        self._problems: list[BaseException] = []
        #: Searches that have the answer, the first to have it first.
        self.done: list[int] = []

    def go_on(self, indices: Iterable[int]) -> None:
        """Start the threads of these searches unless they are running."""
        if not self._threads:
            self._halt.clear()
            self._threads = [threading.Thread(target=self._work, args=(index,), daemon=True) for index in indices]
            for thread in self._threads:
                thread.start()

    def pause(self) -> None:
        """Wait until no thread is in a call of the core."""
        self._halt.set()
        for thread in self._threads:
            thread.join()
        self._threads = []
        if self._problems:
            raise self._problems.pop()

    def _work(self, index: int) -> None:
        try:
            while not self._halt.is_set() and not self.done:
                finished = self._searches[index].run()
                self._results[index] = self._searches[index].result()
                if finished:
                    self.done.append(index)
        except BaseException as problem:  # re-raised in the waiting thread
            self._problems.append(problem)


def in_heads(turn: core.TurnSearch, unit: float) -> TurnTable:
    lows, highs = ([[entry * unit for entry in row] for row in part] for part in (turn.lows, turn.highs))
    return TurnTable(turn.actions, turn.mixes, lows, highs)


def guessed_table(guess: Guess, unit: float) -> TurnTable:
    """The estimated table of a turn, in heads: lows and highs are the same."""
    entries = [[entry * unit for entry in row] for row in guess.entries]
    return TurnTable(guess.turn.actions, guess.turn.mixes, entries, entries)
