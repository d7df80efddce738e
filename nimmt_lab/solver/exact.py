"""Running the compiled search: tables, threads, time limits, interruption, and the proof at the root."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache

import numpy as np

from nimmt_lab.engine.errors import RulesError
from nimmt_lab.solver import search as kernel
from nimmt_lab.solver import turns as words
from nimmt_lab.solver.compiled import Floats, Words
from nimmt_lab.solver.fanned import TWIST
from nimmt_lab.solver.matrix import solve_floats
from nimmt_lab.solver.open_position import PLAIN, OpenPosition
from nimmt_lab.solver.table import new_table

#: Memory used unless said otherwise, by cards per hand: what keeps nearly everything that is searched.
USUAL_MEMORY = {7: 1 << 24, 8: 1 << 27, 9: 1 << 30, 10: 3 << 30}
SMALL_MEMORY = 1 << 22
#: Heads classes in the key, see ``packed.canonical``.
_CLASSES = {1: 0, 2: 1, 3: 2, 5: 3, 7: 0}

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
    """The matrix game of a turn, in heads; choices in the order of ``actions``.

    Bounds are whole numbers of 32 bits times a power of two, so the floats are the very numbers that were proved.
    """

    #: What A and B may play: card, twisted.
    actions: tuple[list[tuple[int, bool]], list[tuple[int, bool]]]
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


@dataclass
class Packed:
    """A position as the search takes it."""

    cards_each: int
    mask_a: int
    mask_b: int
    rows: int
    extra: int
    control: Words
    cards: list[int] = field(default_factory=list)

    @property
    def turned(self) -> bool:
        """Whether the search has the players change places at the root."""
        left = self.mask_a | self.mask_b
        return bool(self.control[words.KIND] == PLAIN and self.mask_b & (left & -left))


def pack(position: OpenPosition, shift: int | None = None) -> Packed:
    """A position as the search takes it: masks, rows and control words.

    Values are kept in units of ``2**-shift`` heads. A position may be searched with the shift of the one it follows
    from, so that both use the same tables.
    """
    heads = position.heads
    cards = sorted(position.hands[0] + position.hands[1])
    place = {card: index for index, card in enumerate(cards)}
    masks = [sum(1 << place[card] for card in hand) for hand in position.hands]
    total = sum(heads[card] for card in cards) + sum(heads[card] for row in position.rows for card in row)
    # Bounds of ± total must fit 32 bits; few different shifts, so that tables can be kept from turn to turn.
    if shift is None:
        shift = 25 if total < 60 else 24 if total < 120 else 23
    control = np.zeros(words.CONTROL, dtype=np.int64)
    control[words.SHIFT] = shift
    control[words.CAP] = max(total, 1) << shift
    control[words.KIND] = position.kind
    control[words.HEADS_BY_CARD :] = heads
    control[words.CARDS : words.CARDS + len(cards)] = cards
    rows = 0
    if position.kind == PLAIN:
        for index, card in enumerate(cards):
            control[words.HEADS] |= heads[card] << (3 * index)
            control[words.LOW_CLASS] |= (_CLASSES[heads[card]] & 1) << index
            control[words.HIGH_CLASS] |= (_CLASSES[heads[card]] >> 1) << index
            control[words.BIG] |= int(heads[card] == 7) << index
        for slot, row in enumerate(sorted(position.rows, key=lambda row: row[-1])):
            end = 2 * sum(card < row[-1] for card in cards)
            rows |= (end | len(row) << 6 | sum(heads[card] for card in row) << 9) << (16 * slot)
        control[words.BASE], control[words.UNSTORED] = 2, 2
        control[words.WIDE], control[words.LEAVES] = 10, 4
    else:
        for slot, row in enumerate(position.rows):
            rows |= (row[-1] | len(row) << 7 | sum(heads[card] for card in row) << 10) << (16 * slot)
        control[words.BASE], control[words.UNSTORED] = 0, 0
        control[words.WIDE], control[words.LEAVES] = 20, 16
    if position.cards_each < 3:
        control[words.BASE] = control[words.UNSTORED] = 0
    return Packed(position.cards_each, masks[0], masks[1], rows, position.marker, control, cards)


class Searcher:
    """Tables that outlive one search: positions that follow from a solved one are then answered at once.

    ``memory`` bounds the tables, in bytes. One searcher serves any number of positions (keys do not depend on the
    root), but not two threads of its user at a time.
    """

    def __init__(self, memory: int | None = None, threads: int = 1) -> None:
        if memory is not None and memory < 1 << 16:
            raise RulesError(f"the solver needs at least 64 kB of memory for its tables, got {memory} bytes")
        if not 1 <= threads <= 8:
            raise RulesError(f"threads must be from 1 to 8, got {threads!r}")
        self._limit = memory
        self._threads = threads
        self._budget = 0
        self._shift = -1
        self._rules: tuple[object, ...] = ()
        self._main: Words = np.zeros(0, dtype=np.int64)
        self._side: Words = self._main

    @property
    def memory(self) -> int:
        """Bytes of the tables now."""
        return int(self._main.nbytes + self._side.nbytes)

    def _make_room(self, position: OpenPosition, shift: int) -> None:
        want = USUAL_MEMORY.get(position.cards_each, SMALL_MEMORY)
        if self._limit is not None:
            want = min(want, self._limit)
        # Entries are in units of 2**-shift heads. With a fan card the key names cards by their index at the root.
        rules: tuple[object, ...] = (position.heads, position.kind)
        if position.kind != PLAIN:
            rules += tuple(sorted(position.hands[0] + position.hands[1]))
        if shift != self._shift or rules != self._rules or want > self._budget:
            self._shift, self._rules, self._budget = shift, rules, max(want, self._budget)
            self._main = self._side = np.zeros(0, dtype=np.int64)  # free the old tables first
            self._main = new_table(self._budget * 3 // 4)
            self._side = new_table(min(self._budget - self._main.nbytes, self._main.nbytes // 2))

    def bounds(self, position: OpenPosition, shift: int | None = None) -> tuple[float, float]:
        """Only the value's bounds, for many small positions: no time limit, no thread, no proof for the turn.

        >>> rows = ((3, 8, 13), (5, 10, 11), (15, 17, 19, 21, 23), (22, 24))
        >>> low, high = Searcher().bounds(OpenPosition(rows, ((12, 16, 20), (1, 2, 18))))
        >>> low <= 4.8 <= high < low + 1e-6
        True
        """
        run = self._run(position, shift, "value")
        unit = 2.0 ** -int(run.control[words.SHIFT])
        return run.lo * unit, run.hi * unit

    def table(self, position: OpenPosition, shift: int | None = None) -> TurnTable:
        """The table of the turn with bounds close enough to prove the value, and mixes that prove it."""
        run = self._run(position, shift, "root")
        run.to_player_a()
        return run.table()

    def _run(self, position: OpenPosition, shift: int | None, step: str) -> _Run:
        packed = pack(position, shift)
        self._make_room(position, int(packed.control[words.SHIFT]))
        run = _Run(self, packed, packed.control)
        run.steps = [step]
        run()
        if run.problem is not None:
            raise run.problem
        return run

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
        compile_search()
        started = time.monotonic()
        packed = pack(position)
        self._make_room(position, int(packed.control[words.SHIFT]))
        cap = int(packed.control[words.CAP])
        unit = 2.0 ** -int(packed.control[words.SHIFT])
        controls = [packed.control] + [packed.control.copy() for _ in range(1, self._threads)]
        for jitter, control in enumerate(controls):
            control[words.JITTER] = 2 * jitter + 1 if jitter else 0
            control[words.ROOT_LO], control[words.ROOT_HI] = -cap, cap
            control[words.ROOT_LEVEL] = packed.cards_each
        runs = [_Run(self, packed, control) for control in controls]

        def look() -> None:
            if report is not None:
                lo = max(int(control[words.ROOT_LO]) for control in controls) * unit
                hi = min(int(control[words.ROOT_HI]) for control in controls) * unit
                nodes = sum(int(control[words.NODES]) for control in controls)
                states = sum(int(control[words.STORED]) for control in controls)
                report(Progress(time.monotonic() - started, nodes, states, (lo, hi)))

        until = None if seconds is None else started + seconds
        interrupted = not _together(runs, until, look)
        lo = max([run.lo for run in runs] + [int(control[words.ROOT_LO]) for control in controls])
        hi = min([run.hi for run in runs] + [int(control[words.ROOT_HI]) for control in controls])
        # One more pass leaves the proof of the whole table of the turn in the work space; it finds the tables filled.
        first = runs[0]
        first.control[words.STOP] = 0
        first.control[words.JITTER] = 0
        done = any(run.finished for run in runs)
        if done and not interrupted:
            first.steps = ["root", detail]
            first.lo, first.hi = lo, hi
            interrupted = not _together([first], until, look)
            done = first.finished
        if not done or interrupted:
            done = False
            first.survey()
        proof_lo, proof_hi = max(lo, first.lo), min(hi, first.hi)
        tolerance = 3 * packed.cards_each + 1
        first.to_player_a()
        return RootProof(
            lo=proof_lo * unit,
            hi=proof_hi * unit,
            complete=done and proof_hi - proof_lo <= tolerance,
            interrupted=interrupted,
            turn=first.table(),
            nodes=sum(int(control[words.NODES]) for control in controls),
            states=max(1, sum(int(control[words.STORED]) for control in controls)),  # the root at least
            seconds=time.monotonic() - started,
            memory=self.memory,
        )


@cache
def compile_search() -> None:
    """Compile the search now (or load it from the cache), so that no time limit has to pay for it."""
    tiny = OpenPosition(((1,), (2,), (3,), (4,)), ((5,), (6,)))
    searcher = Searcher(1 << 16)
    searcher.bounds(tiny)
    packed = pack(tiny)
    _Run(searcher, packed, packed.control).survey()


class _Run:
    """One thread's search: its own work space and control words on the shared tables."""

    def __init__(self, searcher: Searcher, packed: Packed, control: Words) -> None:
        self._searcher, self._packed, self.control = searcher, packed, control
        wide, leaves = int(control[words.WIDE]), int(control[words.LEAVES])
        self._work: Words = np.zeros((packed.cards_each + 1, words.PARTS, wide * wide * leaves), dtype=np.int64)
        self._mixes: Floats = np.zeros((packed.cards_each + 1, 2, 20), dtype=np.float64)
        self._game: Floats = np.zeros((5, 24, 44), dtype=np.float64)
        self._cap = int(control[words.CAP])
        self.lo, self.hi = -self._cap, self._cap
        self.finished = False
        self.problem: BaseException | None = None
        self.steps = ["value"]
        self.actions: tuple[list[tuple[int, bool]], list[tuple[int, bool]]] = ([], [])
        self.mixes: tuple[list[float], list[float]] = ([], [])
        self.lows: list[list[int]] = []
        self.highs: list[list[int]] = []

    def __call__(self) -> None:
        self.finished = False
        try:
            for step in self.steps:
                if step in ("value", "root"):
                    self._search(int(step == "root"))
                    if step == "root":
                        self._read()
                else:
                    self._refine(step)
            self.finished = not self.control[words.STOP]
        except BaseException as problem:  # carried to the thread that waits
            self.problem = problem

    def _call(
        self, k: int, mask_a: int, mask_b: int, rows: int, extra: int, full: int, alpha: int, beta: int
    ) -> tuple[int, int]:
        both = kernel.search(
            k, mask_a, mask_b, rows, extra, alpha, beta, full,
            self._searcher._main, self._searcher._side, self._work, self._mixes, self._game, self.control,
        )  # fmt: skip
        return both >> 32, ((both & 0xFFFFFFFF) ^ 0x80000000) - 0x80000000

    def _search(self, full: int) -> None:
        p = self._packed
        # For the proof of a value that is known already, only what could contradict it is asked.
        alpha, beta = max(self.lo - 1, -self._cap), min(self.hi + 1, self._cap)
        lo, hi = self._call(p.cards_each, p.mask_a, p.mask_b, p.rows, p.extra, full, alpha, beta)
        self.lo, self.hi = max(self.lo, lo), min(self.hi, hi)

    def survey(self) -> None:
        """The table of the turn as far as it is known, without any search, and mixes that look best in it."""
        p = self._packed
        self.control[words.STOP] = 0
        mask_a, mask_b = (p.mask_b, p.mask_a) if p.turned else (p.mask_a, p.mask_b)
        m, n = kernel.survey(
            p.cards_each, mask_a, mask_b, p.rows, p.extra,
            self._searcher._main, self._searcher._side, self._work, self._mixes, self.control,
        )  # fmt: skip
        self._read()
        guesses = self._part(words.GUESS, int(m), int(n))
        likely = [
            [float(min(max(g, lo), hi)) for g, lo, hi in zip(*rows, strict=True)]
            for rows in zip(guesses, self.lows, self.highs, strict=True)
        ]
        solution = solve_floats(likely)
        self.mixes = list(solution.row), list(solution.column)

    def _part(self, part: int, m: int, n: int) -> list[list[int]]:
        wide = int(self.control[words.WIDE])
        flat = self._work[self._packed.cards_each, part]
        return [[int(flat[i * wide + j]) for j in range(n)] for i in range(m)]

    def _read(self) -> None:
        """Take the table of the turn out of the work space."""
        k = self._packed.cards_each
        lists = self._work[k, words.LISTS]
        m, n = int(lists[words.SIZES]), int(lists[words.SIZES + 1])
        self._actions = (
            [int(lists[words.CARDS_A + i]) for i in range(m)],
            [int(lists[words.CARDS_B + j]) for j in range(n)],
        )
        self.lows, self.highs = self._part(words.LOW, m, n), self._part(words.HIGH, m, n)
        self.mixes = [float(p) for p in self._mixes[k, 0, :m]], [float(p) for p in self._mixes[k, 1, :n]]
        total_a, total_b = sum(self.mixes[0]), sum(self.mixes[1])
        self.mixes = [p / total_a for p in self.mixes[0]], [p / total_b for p in self.mixes[1]]

    def _refine(self, detail: str) -> None:
        """Make further entries of the turn's table exact."""
        if detail == "bounds":
            return
        k, p = self._packed.cards_each, self._packed
        mask_a, mask_b = (p.mask_b, p.mask_a) if p.turned else (p.mask_a, p.mask_b)
        # Searching the positions after the turn does not touch the work space of this level.
        for i, a in enumerate(self._actions[0]):
            for j, b in enumerate(self._actions[1]):
                if detail == "regrets" and not self.mixes[0][i] and not self.mixes[1][j]:
                    continue
                if self.highs[i][j] - self.lows[i][j] <= 3 * k:
                    continue
                next_a, next_b = mask_a & ~(1 << (a & 31)), mask_b & ~(1 << (b & 31))
                worth = []
                at = i * int(self.control[words.WIDE]) + j
                owner = int(self._work[k, words.OWNER, at])
                for choice in range(abs(owner)):
                    replies = []
                    for reply in range(int(self._work[k, words.REPLIES, at * 4 + choice])):
                        spot = int(words.leaf_spot(at, choice, reply, self.control))
                        now = int(self._work[k, words.NOW, spot])
                        after, then = (int(self._work[k, part, spot]) for part in (words.NEXT, words.EXTRA))
                        lo, hi = self._call(k - 1, next_a, next_b, after, then, 0, -self._cap, self._cap)
                        replies.append((lo + now, hi + now))
                    worth.append(_best(replies, maximum=owner < 0))
                lo, hi = _best(worth, maximum=owner > 0)
                self.lows[i][j], self.highs[i][j] = max(self.lows[i][j], lo), min(self.highs[i][j], hi)
                if self.control[words.STOP]:
                    return

    def to_player_a(self) -> None:
        """Turn everything round if the players had changed places."""
        if self._packed.turned:
            self._actions = self._actions[1], self._actions[0]
            self.mixes = self.mixes[1], self.mixes[0]
            lows = [[-entry for entry in column] for column in zip(*self.highs, strict=True)]
            self.highs = [[-entry for entry in column] for column in zip(*self.lows, strict=True)]
            self.lows = lows
        cards = self._packed.cards
        first, second = ([(cards[action & 31], bool(action & TWIST)) for action in part] for part in self._actions)
        self.actions = first, second

    def table(self) -> TurnTable:
        """The table of the turn in heads."""
        unit = 2.0 ** -int(self.control[words.SHIFT])
        lows, highs = ([[entry * unit for entry in row] for row in part] for part in (self.lows, self.highs))
        return TurnTable(self.actions, self.mixes, lows, highs)


def _best(bounds: list[tuple[int, int]], *, maximum: bool) -> tuple[int, int]:
    pick = max if maximum else min
    return pick(lo for lo, _ in bounds), pick(hi for _, hi in bounds)


def _together(runs: list[_Run], until: float | None, look: Callable[[], None]) -> bool:
    """Run all until one has finished or the time is up; False if somebody pressed the interrupt key."""
    threads = [threading.Thread(target=run, daemon=True) for run in runs]
    for thread in threads:
        thread.start()
    uninterrupted = True
    wait = 0.002
    try:
        while all(thread.is_alive() for thread in threads):
            threads[0].join(wait)
            wait = min(2 * wait, 0.2)
            look()
            if until is not None and time.monotonic() >= until:
                break
    except KeyboardInterrupt:
        uninterrupted = False
    for run, thread in zip(runs, threads, strict=True):
        if thread.is_alive():
            run.control[words.STOP] = 1
            thread.join()
    for run in runs:
        if run.problem is not None:
            raise run.problem
    return uninterrupted
