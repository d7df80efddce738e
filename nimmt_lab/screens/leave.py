"""Leaving a shared computer: what one person did is put away in a folder of its own, and the next one begins afresh."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Final

from nimmt_lab.engine.errors import CannotWrite
from nimmt_lab.engine.files import locked, make_folder, name_of
from nimmt_lab.engine.reasons import reason
from nimmt_lab.lessons import progress

from . import memory

#: Where it is put, in the learner's folder; below it, a folder for each person.
LEFT: Final = "left"
_FILES: Final = (progress.FILE, memory.FILE)


def put_away(folder: Path, label: str = "") -> str:
    """Move progress and pages away; the folder they are in now, below the learner's. `label` names it, otherwise the
    first number that is free."""
    with locked(folder, progress.LOCK):
        number = 1
        while not label and (folder / LEFT / str(number)).exists():
            number += 1
        where = folder / LEFT / (label or str(number))
        make_folder(where)
        _move(folder, where)
    return f"{LEFT}/{where.name}"


def bring_back(folder: Path, label: str) -> bool:
    """Put back what was put away under that label, in place of what is there now; whether there was anything."""
    where = folder / LEFT / label
    with locked(folder, progress.LOCK):
        if not any((where / name).is_file() for name in _FILES):
            return False
        _move(where, folder)
    return True


def _move(source: Path, target: Path) -> None:
    for name in _FILES:
        try:
            if (source / name).is_file():
                os.replace(source / name, target / name)
            else:
                (target / name).unlink(missing_ok=True)
        except OSError as problem:
            raise CannotWrite("screens.cannot_moved", path=name_of(source / name), problem=reason(problem)) from None
