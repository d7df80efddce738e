"""Handing answers in: a file in the learner's folder, or one that the browser downloads."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from nimmt_lab.engine.errors import CannotWrite
from nimmt_lab.engine.files import folder_in
from nimmt_lab.lessons.progress import HAND_IN
from nimmt_lab.lessons.results import check_name

if TYPE_CHECKING:
    from .lesson import LessonScreen


def hand_in(lesson: LessonScreen, name: str, *, download: bool = False) -> str:
    """Write the answers into the learner's folder (or here, where there is none), or give them to the browser for
    whoever hands in by mail or a school's system; what to tell the learner."""
    if not check_name(name):
        return lesson.say("page.name_first")
    name = name.strip()
    lesson.desk.update(lambda now: replace(now, name=name))
    results = replace(lesson.results, name=name)
    if download:
        lesson.tell({"type": "file", "name": results.file, "text": results.to_json()})
        return lesson.say("page.downloaded", file=results.file)
    around = lesson.desk.folder or Path.cwd()
    try:
        path = results.save(folder_in(around, HAND_IN))
    except CannotWrite:
        return lesson.say("page.not_saved", folder=around / HAND_IN)
    return lesson.say("page.saved", file=f"{HAND_IN}/{path.name}")
