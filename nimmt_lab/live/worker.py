"""One page's work, in order, off the event loop.

A page handles one message at a time. Long work (an experiment, a review) continues in slices between messages, in
another pool, and waits while messages come.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Final, Literal, Protocol, TypeAlias

from nimmt_lab.boards.describe import Obj
from nimmt_lab.screens.base import Work

Job: TypeAlias = Callable[[], None]
#: Clicks; bots, and files that are written; experiments, reviews, and the clicks of pages that keep a thread busy.
Pool: TypeAlias = Literal["click", "bot", "long"]
#: Seconds of computing that a page's clicks may take at once, and in every second in the long run. Beyond that they
#: wait with the long work, where they disturb nobody.
AT_ONCE: Final = 2.0
SHARE: Final = 0.1
#: Seconds of a slice.
SLICE: Final = 0.04


class Runner(Protocol):
    """Runs a job elsewhere, then `done` on the event loop, with the exception if there was one. Returns a function
    that cancels the job if it has not begun, and says whether it could."""

    def run(self, job: Job, done: Callable[[BaseException | None], None], *, pool: Pool) -> Callable[[], bool]: ...
    def close(self) -> None: ...


class Threads:
    """Pools for clicks, for bots and files, and for what takes longer."""

    def __init__(self, soon: Callable[[Callable[[], None]], object]) -> None:
        self._soon = soon
        self._pools: dict[Pool, ThreadPoolExecutor] = {
            "click": ThreadPoolExecutor(2, thread_name_prefix="click"),
            "bot": ThreadPoolExecutor(2, thread_name_prefix="bot"),
            "long": ThreadPoolExecutor(1, thread_name_prefix="long"),
        }

    def run(self, job: Job, done: Callable[[BaseException | None], None], *, pool: Pool) -> Callable[[], bool]:
        future: Future[None] = self._pools[pool].submit(job)

        def ended(future: Future[None]) -> None:
            if not future.cancelled():
                problem = future.exception()
                self._soon(lambda: done(problem))

        future.add_done_callback(ended)
        return future.cancel

    def close(self) -> None:
        for pool in self._pools.values():
            pool.shutdown(wait=False, cancel_futures=True)


class InOrder:
    """Runs jobs in this thread when `pump` is called, in the order in which they came: for tests."""

    def __init__(self) -> None:
        self._jobs: deque[tuple[Job, Callable[[BaseException | None], None], list[bool]]] = deque()

    def run(self, job: Job, done: Callable[[BaseException | None], None], *, pool: Pool) -> Callable[[], bool]:
        state = [True]
        self._jobs.append((job, done, state))

        def cancel() -> bool:
            was, state[0] = state[0], False
            return was

        return cancel

    def close(self) -> None:
        self._jobs.clear()

    def pump(self) -> None:
        while self._jobs:
            job, done, state = self._jobs.popleft()
            if not state[0]:
                continue
            state[0] = False
            problem: BaseException | None = None
            try:
                job()
            except Exception as error:
                problem = error
            done(problem)


class Worker:
    """`after` is called on the event loop when a message or a slice is done; `failed` if it raised."""

    def __init__(self, runner: Runner, after: Callable[[], None], failed: Callable[[BaseException], None]) -> None:
        self._runner, self._after, self._failed = runner, after, failed
        self._jobs: deque[Job] = deque()
        self._works: deque[Work] = deque()
        self._busy = False
        #: Seconds of computing beyond this page's share, and when that was reckoned.
        self._owed, self._reckoned = 0.0, time.monotonic()
        #: Cancels the slice that waits for a thread.
        self._cancel: Callable[[], bool] | None = None

    @property
    def waiting(self) -> int:
        """Messages that wait."""
        return len(self._jobs)

    def put(self, job: Job) -> None:
        self._jobs.append(job)
        if self._cancel is not None and self._cancel():
            self._cancel, self._busy = None, False
        self._next()

    def drive(self, work: Work) -> None:
        """The driver of the page's screens: long work waits for its first slice."""
        self._works.append(work)

    def stop(self) -> None:
        self._jobs.clear()
        self._works.clear()

    def _next(self) -> None:
        if self._busy:
            return
        if self._jobs:
            self._busy = True
            job = self._jobs.popleft()
            self._runner.run(lambda: self._timed(job), self._done, pool="long" if self.is_greedy else "click")
        elif self._works:
            self._busy = True
            self._cancel = self._runner.run(self._slice, self._done, pool="long")

    @property
    def is_greedy(self) -> bool:
        """Whether this page's clicks have taken more than their share."""
        now = time.monotonic()
        self._owed = max(0.0, self._owed - SHARE * (now - self._reckoned))
        self._reckoned = now
        return self._owed > AT_ONCE

    def _timed(self, job: Job) -> None:
        begun = time.thread_time()
        try:
            job()
        finally:
            self._owed += time.thread_time() - begun

    def _slice(self) -> None:
        try:
            work = self._works.popleft()
        except IndexError:  # stopped
            return
        until = time.monotonic() + SLICE
        for _ in work:
            if time.monotonic() >= until:
                self._works.append(work)
                return

    def _done(self, problem: BaseException | None) -> None:
        self._busy, self._cancel = False, None
        if problem is not None:
            self._failed(problem)
        try:
            self._after()
        finally:
            self._next()


class Output:
    """What a page says: to all of its sockets (None), or to one, by its number."""

    def __init__(self) -> None:
        self.version = 0
        self._said: list[tuple[int | None, Obj]] = []

    def emit(self, said: Obj) -> None:
        self.version += 1
        self._said.append((None, {**said, "version": self.version}))

    def answer(self, socket: int, said: Obj) -> None:
        self._said.append((socket, {**said, "version": self.version}))

    def drain(self) -> list[tuple[int | None, Obj]]:
        said, self._said = self._said, []
        return said
