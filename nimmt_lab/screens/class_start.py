"""A part of Teach: start a class on this computer, and pool what follows from sheets and hand-ins.

Both run the command line in a process of its own: a class outlives the page that started it, and ends with its kernel
or by its button.
"""

from __future__ import annotations

import atexit
import os
import re
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import ClassVar, Final

from nimmt_lab.boards.describe import Obj
from nimmt_lab.engine.errors import RulesError
from nimmt_lab.engine.events import Json
from nimmt_lab.engine.files import make_folder, write_file
from nimmt_lab.lessons.class_list import ClassList
from nimmt_lab.lessons.library import Library
from nimmt_lab.lessons.progress import HAND_IN

from .base import Screen, Work
from .desk import Desk
from .words import labels, screen_words

#: The folder of classes, in the teacher's folder, and the class list of the one that was started last.
FOLDER: Final = "class"
NAMES: Final = "class.csv"
#: The line that ends what the command prints at its start.
_LAST: Final = "Ctrl+C"
#: Seconds between two looks at a running command.
_PAUSE: Final = 0.02


def command(*words: str) -> subprocess.Popen[str]:
    """Run a subcommand of `nimmt-lab`; what it prints comes through a pipe."""
    return subprocess.Popen(
        [sys.executable, "-m", "nimmt_lab", *words], stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
        stdin=subprocess.DEVNULL, text=True, encoding="utf-8", env={**os.environ, "PYTHONIOENCODING": "utf-8"},
    )  # fmt: skip


class ClassStart(Screen):
    """`form` is that of Teach; `listed` makes its class list, if names were given."""

    module: ClassVar[str] = "screens/class_start"

    def __init__(
        self, desk: Desk, form: Callable[[], Mapping[str, Json]], listed: Callable[[], ClassList | None]
    ) -> None:
        super().__init__()
        assert desk.folder is not None
        self.desk, self._form, self._listed = desk, form, listed
        self.folder: Path = desk.folder
        self._process: subprocess.Popen[str] | None = None
        say = screen_words(desk.lang)
        self.say = say
        self.show(
            labels={**labels(desk.lang, "class_start")}, lang=desk.lang, lines=[], wall="", running=False, busy=False
        )  # fmt: skip

    def receive(self, message: Obj) -> None:
        """`start` (with `lan`), `end`, or `pool`."""
        kind = message.get("type")
        if kind == "start":
            self.work(self._start(message.get("lan") is True))
        elif kind == "end":
            self.end()
        elif kind == "pool":
            self.work(self._pool())
        else:
            super().receive(message)

    def _names(self) -> list[str]:
        """The class list as a file, if there is one."""
        listed = self._listed()
        if listed is None:
            return []
        folder = self.folder / FOLDER
        make_folder(folder, private=True)
        write_file(folder / NAMES, listed.to_csv(), follow=False)
        return [str(folder / NAMES)]

    def _lesson(self, name: str) -> str:
        """A lesson as the command knows it: one of the teacher's own by its file, wherever the command runs."""
        own = [one for one in Library(self.folder).files() if one.lesson is not None and one.lesson.name == name]
        newest = max(own, key=lambda one: one.lesson.version if one.lesson is not None else 0, default=None)
        return name if newest is None else str(newest.path)

    def _start(self, lan: bool) -> Work:
        self.end()
        form = self._form()
        words = [
            "class", *self._names(), "--lesson", self._lesson(str(form["lesson"])), "--seed", str(form["seed"]),
            "--folder", str(self.folder / FOLDER), "--lang", self.desk.lang, *(["--lan"] if lan else []),
        ]  # fmt: skip
        process = command(*words)
        atexit.register(process.terminate)
        self._process = process
        self.show(busy=True, lines=[], wall="")
        lines: list[Json] = []
        yield
        assert process.stdout is not None
        for line in process.stdout:  # comes at once, or the command ends with a reason
            lines.append(line.strip())
            if _LAST in line:
                break
            yield
        if process.poll() is not None or not any(_LAST in str(line) for line in lines):
            self._process = None
            self.show(busy=False, running=False, lines=lines)
            return
        wall = next((found[0] for line in lines if (found := re.search(r"http://\S+/wall#\S+", str(line)))), "")
        self.show(busy=False, running=True, wall=wall, lines=lines[:-2])

    def end(self) -> None:
        """End the class; starting it again continues it."""
        process, self._process = self._process, None
        if process is not None:
            process.terminate()
            process.wait()
            atexit.unregister(process.terminate)
        if self.data["running"]:
            self.show(running=False, wall="", lines=[self.say("class_start.ended")])

    def _pool(self) -> Work:
        names = self._names()
        if not names:
            raise RulesError("screens.pool_names")
        words = ["pool", *names, "--lesson", str(self._form()["lesson"]), "--lang", self.desk.lang]
        if (self.folder / HAND_IN).is_dir():
            words += ["--answers", str(self.folder / HAND_IN)]
        self.show(busy=True, lines=[])
        process = command(*words)
        yield
        while process.poll() is None:
            time.sleep(_PAUSE)
            yield
        assert process.stdout is not None
        lines: list[Json] = [line.rstrip() for line in process.stdout]
        process.stdout.close()
        self.show(busy=False, lines=lines)


__all__ = ["FOLDER", "ClassStart", "command"]
