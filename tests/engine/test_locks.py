"""Locks exclude others, waiting ends, and delayed progress is saved once the lock is free."""

from __future__ import annotations

import fcntl
import os
import stat
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path

import pytest

from nimmt_lab.commands.lab import lay_out
from nimmt_lab.engine.errors import CannotWrite, Locked
from nimmt_lab.engine.events import Json
from nimmt_lab.engine.files import Patience, alone_in, locked
from nimmt_lab.lessons import progress
from nimmt_lab.lessons.words import LANGUAGES
from nimmt_lab.screens.desk import Desk
from nimmt_lab.screens.home import HomeScreen
from nimmt_lab.screens.memory import LOCKED, Memory
from nimmt_lab.screens.words import screen_words
from tests.engine import killing
from tests.support import refused


class Clock:
    """A clock that advances only during sleep."""

    def __init__(self) -> None:
        self.now = 0.0
        self.waited = 0

    def sleep(self, seconds: float) -> None:
        self.now += seconds
        self.waited += 1

    def patience(self, seconds: float) -> Patience:
        return Patience(seconds, lambda: self.now, self.sleep)


@contextmanager
def held(path: Path) -> Iterator[None]:
    """Another program holds a lock."""
    handle = os.open(path, os.O_RDONLY | (0 if path.is_dir() else os.O_CREAT), 0o600)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX)
        yield
    finally:
        os.close(handle)


def test_the_lock_is_private_and_so_is_the_folder_we_make(tmp_path: Path) -> None:
    lay_out(tmp_path / "lab", "en")
    lock = tmp_path / "lab" / progress.LOCK
    assert stat.S_IMODE(lock.stat().st_mode) == 0o600
    assert stat.S_IMODE((tmp_path / "lab").stat().st_mode) == 0o700
    lock.chmod(0o644)  # as written by an older version
    progress.update(tmp_path / "lab", lambda now: now)
    assert stat.S_IMODE(lock.stat().st_mode) == 0o600


def test_a_lock_that_is_a_link_is_not_followed(tmp_path: Path) -> None:
    (tmp_path / ".lock").symlink_to(tmp_path / "elsewhere")
    with locked(tmp_path, ".lock"):
        pass
    assert not (tmp_path / "elsewhere").exists()


@pytest.mark.parametrize("seconds", [0.0, 3.0])
def test_waiting_has_an_end(seconds: float, tmp_path: Path) -> None:
    clock = Clock()
    ways: tuple[tuple[Path, Callable[[], AbstractContextManager[object]]], ...] = (
        (tmp_path / ".lock", lambda: locked(tmp_path, ".lock", clock.patience(seconds))),
        (tmp_path, lambda: alone_in(tmp_path, clock.patience(seconds))),
    )
    for path, lock in ways:
        clock.now = 0.0
        with held(path), refused(Locked, "engine.locked"), lock():
            pytest.fail("somebody else has it")
        assert seconds <= clock.now <= seconds + 0.1
        with lock():
            pass  # free again


def test_a_lock_that_becomes_free_in_time_is_taken(tmp_path: Path) -> None:
    handle = os.open(tmp_path / ".lock", os.O_RDWR | os.O_CREAT, 0o600)
    fcntl.flock(handle, fcntl.LOCK_EX)
    clock = Clock()

    def sleep(seconds: float) -> None:
        clock.sleep(seconds)
        if clock.waited == 5:
            fcntl.flock(handle, fcntl.LOCK_UN)

    with locked(tmp_path, ".lock", Patience(3.0, lambda: clock.now, sleep)):
        assert clock.waited == 5
    os.close(handle)


def test_writers_of_a_set_are_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("nimmt_lab.engine.files.PATIENCE", Clock().patience(60))
    with held(tmp_path), refused(CannotWrite, "engine.locked"):
        killing.write_files(tmp_path, {"a": "1"})
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("lang", LANGUAGES)
def test_home_works_while_the_lock_is_held_and_saves_afterwards(lang: str, tmp_path: Path) -> None:
    progress.Progress(lang, folder=tmp_path).save()
    clock = Clock()
    home = HomeScreen(Desk(tmp_path, patience=clock.patience(3)))
    with held(tmp_path / progress.LOCK):
        home.handle({"path": [], "message": {"type": "go", "to": "play"}})
        notice = screen_words(lang)("home.locked", folder=tmp_path)
        assert home.data["now"] == "play" and home.data["told"] == notice and 3 <= clock.now < 3.1
        # A learner who has waited once doesn't wait again at every click.
        setup: Json = {"game": "classic", "players": 2, "seed": 7}
        home.handle({"path": ["screen"], "message": {"type": "start", "setup": setup}})
        home.desk.update(lambda now: now.with_lesson("traps", 3, 5))
        assert home.parts["screen"].data["mode"] == "table" and home.data["told"] == notice
        assert clock.now < 6.2 and home.desk.why == LOCKED
        home.desk.update(lambda now: now.with_lesson("first_turn", 2, 4))
        assert not Memory(tmp_path).get("play") and not progress.load(tmp_path).done
    # Any click triggers it.
    home.handle({"path": ["screen", "table"], "message": {"type": "hints", "on": False}})
    assert home.data["told"] == "" and home.desk.why == "" and home.desk.keeps and home.desk.memory.keeps
    assert progress.load(tmp_path).done == {"traps": (3, 5), "first_turn": (2, 4)}
    assert "record" in Memory(tmp_path).get("play") and Memory(tmp_path).get("home") == {"screen": "play"}
