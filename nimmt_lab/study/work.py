"""Many portions of work through any executor: a bounded queue, a progress bar, an interrupt that loses nothing done."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Executor, Future, ThreadPoolExecutor, wait
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


def in_portions(
    work: Callable[[P], T], portions: Iterable[P], executor: Executor | None = None
) -> Iterator[tuple[P, T]]:
    """Each portion with its result, as they come. Closing the iterator (or an interrupt) drops what has not begun.

    >>> sorted(in_portions(lambda n: n * n, range(4)))
    [(0, 0), (1, 1), (2, 4), (3, 9)]
    """
    if executor is None:
        with ThreadPoolExecutor(os.cpu_count() or 1) as threads:
            yield from in_portions(work, portions, threads)
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
