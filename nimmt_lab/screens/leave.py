"""Leaving a shared computer: one person's work moves into its own folder, and the next person starts afresh."""

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

#: The folder for it, with one folder for each person.
LEFT: Final = "left"
_FILES: Final = (progress.FILE, memory.FILE)


def put_away(folder: Path, label: str = "", *, epoch: str | None = None, lang: str | None = None) -> str:
    """Move progress and pages into a folder named `label`, or by the first free number, and return that folder.

    Pages still open write nothing from then on, and a page of another `epoch` moves nothing. The next person starts in
    language `lang`.
    """
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
    """Move the work under that label back in place of the current one; whether there was any."""
    where = folder / LEFT / label
    with locked(folder, progress.LOCK):
        if not any((where / name).is_file() and not leads_out(folder, where / name) for name in _FILES):
            return False
        _move(where, folder)
        _begin(folder, None, undo=lambda: _move(folder, where))
    return True


def _begin(folder: Path, lang: str | None, undo: Callable[[], None]) -> None:
    """Start another epoch, or undo the move where that cannot be written."""
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
