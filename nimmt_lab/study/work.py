"""Run many portions of work on any executor: a bounded queue, a progress bar, and interrupts that keep the results."""

from __future__ import annotations

import multiprocessing
import os
import signal
import sys
import warnings
from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import (
    FIRST_COMPLETED,
    BrokenExecutor,
    Executor,
    Future,
    ProcessPoolExecutor,
    ThreadPoolExecutor,
    wait,
)
from contextlib import contextmanager
from fractions import Fraction
from functools import partial
from itertools import chain, islice
from threading import Event
from typing import Protocol, TypeAlias, TypeVar

from nimmt_lab.engine import halt
from nimmt_lab.engine.errors import RulesError
from nimmt_lab.engine.files import shown

__all__ = ["Bar", "Workers", "as_far_as_it_goes", "bar", "check_wanted", "first_found", "in_portions"]

T = TypeVar("T")
P = TypeVar("P")


class Cluster(Protocol):
    """A client of a cluster that can be used as an executor, such as `dask.distributed.Client`."""

    def get_executor(self) -> Executor: ...


#: Who does the work: an executor, a client of a cluster, or a number of workers of this machine; None: all its cores.
Workers: TypeAlias = Executor | Cluster | int | None

#: Seconds after which a wait looks for interrupts: polars replaces their handler with one that lets a wait continue.
_TURN = 0.2
#: Portions submitted and unfinished: enough to keep a small cluster busy, few enough for memory.
_IN_FLIGHT = 32
#: From here on a progress bar writes 10.0k instead of 10000.
_MANY = 10_000
#: How often our own pool is replaced after one of its processes died.
_NEW_POOLS = 3


class Bar(Protocol):
    """The part of tqdm's interface used here."""

    def update(self, n: int) -> object: ...
    def close(self) -> None: ...


class _NoBar:
    def update(self, n: int) -> None: ...
    def close(self) -> None: ...


def bar(total: int, unit: str, show: bool) -> Bar:
    """A progress bar for terminals and notebooks; invisible without tqdm."""
    if show:
        try:
            from tqdm.auto import tqdm
        except ImportError:
            pass
        else:
            made: Bar = tqdm(total=total, unit=f" {unit}", unit_scale=total >= _MANY)
            return made
    return _NoBar()


def _processes(workers: int) -> ProcessPoolExecutor:
    """A process pool, forked on Linux so that scripts need no `__main__` guard."""
    context = multiprocessing.get_context("fork" if sys.platform == "linux" else None)
    return ProcessPoolExecutor(workers, context, initializer=_ours_to_end)


def _ours_to_end() -> None:
    """In a process of our pool: leave the interrupt key to the main process, which ends this one."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)


def _executor(workers: Workers) -> Executor | int | None:
    """An executor, or a number of our own workers; None: as many as there are cores."""
    if workers is None or isinstance(workers, Executor):
        return workers
    # A cluster's client has a `submit` of its own, whose futures nobody here can wait for.
    if callable(made := getattr(workers, "get_executor", None)):
        executor: Executor = made()
        return executor
    if isinstance(workers, bool) or not isinstance(workers, int) or workers < 1:
        raise RulesError("study.workers", got=shown(workers))
    return workers


def _stoppable(work: Callable[[P], T], given_up: Event, portion: P) -> T:
    with halt.until(given_up):
        return work(portion)


@contextmanager
def _own_pool(workers: int, processes: bool) -> Iterator[tuple[Executor, Event | None]]:
    """A pool of this machine that is ended at once if the work in it is given up; threads notice by the event."""
    pool: Executor = _processes(workers) if processes else ThreadPoolExecutor(workers)
    given_up = None if processes else Event()
    try:
        yield pool, given_up
    except BaseException:
        if given_up is not None:
            given_up.set()
        for process in list((getattr(pool, "_processes", None) or {}).values()):
            process.terminate()
        pool.shutdown(wait=True, cancel_futures=True)
        raise
    pool.shutdown()


def in_portions(
    work: Callable[[P], T], portions: Iterable[P], executor: Workers = None, *, processes: bool = False
) -> Generator[tuple[P, T], None, None]:
    """Yield each portion with its result, in order of completion. Portions are drawn lazily, a few ahead. Closing the
    generator, or an interrupt, cancels those not started, and stops those that our own workers have begun.

    Without an executor, threads of this machine do the work, or with `processes` (for work in Python) its processes: as
    many as there are cores, or as a number says. A single worker, as in a browser, does the portions here one by one.

    If a worker dies (out of memory, a cluster node lost), finished results are yielded before `BrokenExecutor` is
    raised; our own process pools are replaced first.

    >>> sorted(in_portions(lambda n: n * n, range(4)))
    [(0, 0), (1, 1), (2, 4), (3, 9)]
    """
    left = iter(portions)
    workers = _executor(executor)
    if isinstance(workers, ThreadPoolExecutor):
        stopped = Event()
        try:
            yield from _through(workers, partial(_stoppable, work, stopped), left, [])
        finally:
            stopped.set()
        return
    if isinstance(workers, Executor):
        yield from _through(workers, work, left, [])
        return
    most = workers or os.cpu_count() or 1
    first = list(islice(left, most))
    left = chain(first, left)
    if min(most, len(first)) < 2 or sys.platform == "emscripten":
        for portion in left:
            yield portion, work(portion)
        return
    for pools in range(1 + _NEW_POOLS):
        begun: list[P] = []
        try:
            with _own_pool(len(first), processes) as (own, given_up):
                asked = work if given_up is None else partial(_stoppable, work, given_up)
                yield from _through(own, asked, left, begun)
            return
        except BrokenExecutor:
            if pools == _NEW_POOLS:
                raise
            left = chain(begun, left)


def _through(
    executor: Executor, work: Callable[[P], T], left: Iterator[P], begun: list[P]
) -> Generator[tuple[P, T], None, None]:
    """Yield portions with their results, finished ones before any failure. `begun` collects portions that were drawn
    and have no result."""
    running: dict[Future[T], P] = {}
    broken: BrokenExecutor | None = None
    pressed: KeyboardInterrupt | None = None
    try:
        while True:
            for portion in left if broken is None else ():
                try:
                    running[executor.submit(work, portion)] = portion
                except BrokenExecutor as problem:
                    begun.append(portion)
                    broken = problem
                    break
                if len(running) >= _IN_FLIGHT:
                    break
            if not running:
                break
            done: set[Future[T]] = set()
            try:
                while not done:
                    done, _ = wait(running, _TURN, return_when=FIRST_COMPLETED)
            except KeyboardInterrupt as interrupt:
                pressed, done = interrupt, {future for future in running if future.done()}
            for future in done:
                portion = running.pop(future)
                try:
                    result = future.result()
                except BrokenExecutor as problem:
                    begun.append(portion)
                    broken = problem
                    continue
                yield portion, result
            if pressed is not None:
                raise pressed
    finally:
        for future in running:
            future.cancel()
    if broken is not None:
        raise broken


@contextmanager
def as_far_as_it_goes(meter: Bar) -> Iterator[None]:
    """Suppress an interrupt, or a worker's death (with a warning): the results so far are kept, and `is_complete`
    tells the caller that some are missing."""
    try:
        yield
    except (KeyboardInterrupt, halt.Halted):
        pass
    except BrokenExecutor as problem:
        text = f"a worker process died, so only the finished part is returned: {problem}"
        warnings.warn(text, RuntimeWarning, stacklevel=4)  # points to the caller of the study
    finally:
        meter.close()


def first_found(
    candidates: Iterable[T | None], count: int, *, most: int, margin: float | Fraction, progress: bool
) -> tuple[T, ...]:
    """The first `count` puzzles among the candidates (None: not a puzzle), from at most `most` of them. An interrupt
    returns the puzzles found so far; if there are none, it propagates.

    >>> first_found(iter([None, 5, None, 7, 8]), 2, most=9, margin=1, progress=False)
    (5, 7)
    """
    puzzles: list[T] = []
    meter = bar(count, "puzzles", progress)
    try:
        for at, puzzle in enumerate(candidates, start=1):
            if puzzle is not None:
                puzzles.append(puzzle)
                meter.update(1)
            if len(puzzles) == count:
                break
            if at == most:
                raise RulesError(
                    "study.only_such_puzzles", count=len(puzzles), wanted=count, positions=at, margin=margin
                )
    except KeyboardInterrupt:
        if not puzzles:
            raise
    finally:
        meter.close()
    return tuple(puzzles)


def check_wanted(count: int, margin: float | Fraction) -> None:
    """Validate the number of puzzles and their margin."""
    if isinstance(count, bool) or not isinstance(count, int) or count < 1:
        raise RulesError("study.count_must_whole", got=shown(count))
    if not margin > 0:
        raise RulesError("shared.more_than_0", name="margin", got=shown(margin))
