"""Leaving a shared computer: what one person did is put away in a folder of its own, and the next one begins afresh."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Final

from nimmt_lab.engine.errors import CannotWrite
from nimmt_lab.engine.files import folder_in, leads_out, locked, name_of
from nimmt_lab.engine.reasons import reason
from nimmt_lab.lessons import progress

from . import memory

#: Where it is put, in the learner's folder; below it, a folder for each person.
LEFT: Final = "left"
_FILES: Final = (progress.FILE, memory.FILE)


def put_away(folder: Path, label: str = "", *, epoch: str | None = None, lang: str | None = None) -> str:
    """Move progress and pages away; the folder they are in now, below the learner's. `label` names it, otherwise the
    first number that is free. From then on, pages that are still open write nothing; neither does this, for a page of
    another `epoch`. The next person begins in language `lang`."""
    with locked(folder, progress.LOCK):
        if epoch is not None:
            progress.check_epoch(folder, epoch)
        around, number = folder_in(folder, LEFT), 1
        while not label and os.path.lexists(around / str(number)):
            number += 1
        where = folder_in(around, label or str(number))
        _move(folder, where)
        _begin(folder, lang, undo=lambda: _move(where, folder))
    return f"{LEFT}/{where.name}"


def bring_back(folder: Path, label: str) -> bool:
    """Put back what was put away under that label, in place of what is there now; whether there was anything."""
    where = folder / LEFT / label
    with locked(folder, progress.LOCK):
        if not any((where / name).is_file() and not leads_out(folder, where / name) for name in _FILES):
            return False
        _move(where, folder)
        _begin(folder, None, undo=lambda: _move(folder, where))
    return True


def _begin(folder: Path, lang: str | None, undo: Callable[[], None]) -> None:
    """Start another epoch. Where that can't be written, everything goes back where it was."""
    try:
        progress.begin(folder, lang)
    except CannotWrite:
        undo()
        raise


def _move(source: Path, target: Path) -> None:
    for name in _FILES:
        try:
            if (source / name).is_file():
                os.replace(source / name, target / name)
            else:
                (target / name).unlink(missing_ok=True)
        except OSError as problem:
            raise CannotWrite("screens.cannot_moved", path=name_of(source / name), problem=reason(problem)) from None
