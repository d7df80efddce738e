"""What a notebook shows when a cell ends in a record."""

from __future__ import annotations

from IPython import get_ipython

from nimmt_lab.engine.record import Record

from .replay import Replay


def replayed(record: Record) -> tuple[dict[str, object], dict[str, object]] | None:
    """The record as a replay, for a notebook with a kernel; None elsewhere: at a prompt nothing can be clicked.

    >>> from nimmt_lab import Classic
    >>> replayed(Record(Classic(players=2), seed=1)) is None
    True
    """
    if not hasattr(get_ipython(), "kernel"):
        return None
    shown: tuple[dict[str, object], dict[str, object]] = Replay(record)._repr_mimebundle_()
    return shown
