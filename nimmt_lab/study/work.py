"""Many portions of work through any executor: a bounded queue, a progress bar, an interrupt that loses nothing done."""

from __future__ import annotations

import multiprocessing
import os
import signal
import sys
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor, wait
from typing import Protocol, TypeVar

T = TypeVar("T")
P = TypeVar("P")

#: Portions handed to an executor and not yet back. Enough to keep a small cluster busy, few enough to hold.
_IN_FLIGHT = 32


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
    work: Callable[[P], T], portions: Sequence[P], executor: Executor | None = None, *, processes: bool = False
) -> Iterator[tuple[P, T]]:
    """Each portion with its result, as they come. Closing the iterator (or an interrupt) drops what has not begun.

    Without an executor this machine's threads do the work; with `processes` (for work in Python, which threads cannot
    share) its processes. Where neither can be had, as in a browser, it is done here, one portion after the other.

    >>> sorted(in_portions(lambda n: n * n, range(4)))
    [(0, 0), (1, 1), (2, 4), (3, 9)]
    """
    if executor is None:
        workers = min(os.cpu_count() or 1, len(portions))
        if workers < 2 or sys.platform == "emscripten":
            for portion in portions:
                yield portion, work(portion)
            return
        with _processes(workers) if processes else ThreadPoolExecutor(workers) as own:
            yield from in_portions(work, portions, own)
        return
    running: dict[Future[T], P] = {}
    left = iter(portions)
    try:
        while True:
            for portion in left:
                running[executor.submit(work, portion)] = portion
                if len(running) >= _IN_FLIGHT:
                    break
            if not running:
                return
            done, _ = wait(running, return_when=FIRST_COMPLETED)
            for future in done:
                yield running.pop(future), future.result()
    finally:
        for future in running:
            future.cancel()
