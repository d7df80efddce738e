"""Stop work in other threads: its slices, playouts and decisions ask whether anybody still waits for the result.

An interrupt reaches only the main thread. The code that starts threads gives them an event with `until`; once it is
set, the next `check` in such a thread raises `Halted`.

>>> from threading import Event
>>> given_up = Event()
>>> with until(given_up):
...     check()
...     given_up.set()
...     try:
...         check()
...     except Halted:
...         print("halted")
halted
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager

__all__ = ["Halted", "check", "until"]

_here = threading.local()


class Halted(BaseException):
    """Nobody waits for this work any more. Not an `Exception`, so that nothing handles it as an error."""


@contextmanager
def until(given_up: threading.Event) -> Iterator[None]:
    """Let `check` in this thread raise `Halted` once the event is set."""
    before = getattr(_here, "event", None)
    _here.event = given_up
    try:
        yield
    finally:
        _here.event = before


def check() -> None:
    """Raise `Halted` if nobody waits for the work of this thread any more."""
    event = getattr(_here, "event", None)
    if event is not None and event.is_set():
        raise Halted
