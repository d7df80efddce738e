"""Many portions of work through any executor: a bounded queue, a progress bar, an interrupt that loses nothing done."""

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
from itertools import chain, islice
from typing import Protocol, TypeVar

from nimmt_lab.engine.errors import RulesError
from nimmt_lab.engine.files import shown

__all__ = ["Bar", "as_far_as_it_goes", "bar", "check_wanted", "first_found", "in_portions"]

T = TypeVar("T")
P = TypeVar("P")

#: Portions handed to an executor and not yet back. Enough to keep a small cluster busy, few enough to hold.
_IN_FLIGHT = 32
#: How often a pool of our own is made anew after something ended one of its processes.
_NEW_POOLS = 3


class Bar(Protocol):
    """What is used of a progress bar."""

    def update(self, n: int) -> object: ...
    def close(self) -> None: ...


class _NoBar:
    def update(self, n: int) -> None: ...
    def close(self) -> None: ...


def bar(total: int, unit: str, show: bool) -> Bar:
    """A progress bar for terminals and notebooks (none where tqdm is not installed)."""
    if show:
        try:
            from tqdm.auto import tqdm
        except ImportError:
            pass
        else:
            made: Bar = tqdm(total=total, unit=f" {unit}", unit_scale=True)
            return made
    return _NoBar()


def _processes(workers: int) -> ProcessPoolExecutor:
    """Forked where that is usual and quick: then scripts need no guard around their main part."""
    context = multiprocessing.get_context("fork" if sys.platform == "linux" else None)
    return ProcessPoolExecutor(workers, context, initializer=signal.signal, initargs=(signal.SIGINT, signal.SIG_IGN))


def in_portions(
    work: Callable[[P], T], portions: Iterable[P], executor: Executor | None = None, *, processes: bool = False
) -> Generator[tuple[P, T], None, None]:
    """Each portion with its result, as they come. Closing the iterator (or an interrupt) drops what has not begun.
    Portions are drawn as they are needed, a few ahead, so there may be any number of them.

    Without an executor this machine's threads do the work; with `processes` (for work in Python, which threads cannot
    share) its processes. Where neither can be had, as in a browser, it is done here, one portion after the other.

    When something ends a worker (no memory left, a node of a cluster gone), what is finished is handed out before
    `BrokenExecutor` is raised; processes of our own are started anew first, for what is left.

    >>> sorted(in_portions(lambda n: n * n, range(4)))
    [(0, 0), (1, 1), (2, 4), (3, 9)]
    """
    left = iter(portions)
    if executor is not None:
        yield from _through(executor, work, left, [])
        return
    most = os.cpu_count() or 1
    first = list(islice(left, most))
    left = chain(first, left)
    if min(most, len(first)) < 2 or sys.platform == "emscripten":
        for portion in left:
            yield portion, work(portion)
        return
    for pools in range(1 + _NEW_POOLS):
        begun: list[P] = []
        try:
            with _processes(len(first)) if processes else ThreadPoolExecutor(len(first)) as own:
                yield from _through(own, work, left, begun)
            return
        except BrokenExecutor:
            if pools == _NEW_POOLS:
                raise
            left = chain(begun, left)


def _through(
    executor: Executor, work: Callable[[P], T], left: Iterator[P], begun: list[P]
) -> Generator[tuple[P, T], None, None]:
    """The portions, each with its result. What is finished comes before any failure does; `begun` are then those that
    were drawn and have no result."""
    running: dict[Future[T], P] = {}
    broken: BrokenExecutor | None = None
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
            done, _ = wait(running, return_when=FIRST_COMPLETED)
            for future in done:
                portion = running.pop(future)
                try:
                    result = future.result()
                except BrokenExecutor as problem:
                    begun.append(portion)
                    broken = problem
                    continue
                yield portion, result
    finally:
        for future in running:
            future.cancel()
    if broken is not None:
        raise broken


@contextmanager
def as_far_as_it_goes(meter: Bar) -> Iterator[None]:
    """Work that an interrupt, or a worker's end (which is said), leaves off: what is done is worth keeping, and the
    caller tells from `is_complete` that there could be more."""
    try:
        yield
    except KeyboardInterrupt:
        pass
    except BrokenExecutor as problem:
        said = f"a worker has ended, so only what was finished is here: {problem}"
        warnings.warn(said, RuntimeWarning, stacklevel=4)  # where the study was asked for
    finally:
        meter.close()


def first_found(
    tried: Iterable[T | None], count: int, *, most: int, margin: float | Fraction, progress: bool
) -> tuple[T, ...]:
    """The first `count` puzzles among positions tried (None: it makes none), of `most` positions. An interrupt returns
    those found so far; if there are none yet, it goes on to the caller.

    >>> first_found(iter([None, 5, None, 7, 8]), 2, most=9, margin=1, progress=False)
    (5, 7)
    """
    found: list[T] = []
    meter = bar(count, "puzzles", progress)
    try:
        for at, one in enumerate(tried, start=1):
            if one is not None:
                found.append(one)
                meter.update(1)
            if len(found) == count:
                break
            if at == most:
                raise RulesError("study.only_such_puzzles", count=len(found), wanted=count, positions=at, margin=margin)
    except KeyboardInterrupt:
        if not found:
            raise
    finally:
        meter.close()
    return tuple(found)


def check_wanted(count: int, margin: float | Fraction) -> None:
    """Refuse a number of puzzles, or a margin, that nobody can have."""
    if isinstance(count, bool) or not isinstance(count, int) or count < 1:
        raise RulesError("study.count_must_whole", got=shown(count))
    if not margin > 0:
        raise RulesError("shared.more_than_0", name="margin", got=shown(margin))
