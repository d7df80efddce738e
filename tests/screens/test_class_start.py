"""The part of Teach that starts a class and pools results: real processes, as the button starts them."""

from __future__ import annotations

import socket
import subprocess
import sys
from pathlib import Path

import pytest

from nimmt_lab.cli import main
from nimmt_lab.screens import class_start
from nimmt_lab.screens.class_start import ClassStart
from nimmt_lab.screens.desk import Desk
from nimmt_lab.screens.teach import TeachScreen
from tests.catalogue import in_error


def part(folder: Path) -> tuple[TeachScreen, ClassStart]:
    teach = TeachScreen(Desk(folder))
    start = teach.parts["class"]
    assert isinstance(start, ClassStart)
    return teach, start


def test_without_a_folder_there_is_no_class() -> None:
    assert "class" not in TeachScreen(Desk(None)).parts


def test_a_class_starts_and_ends(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = str(probe.getsockname()[1])
    real = class_start.command
    monkeypatch.setattr(class_start, "command", lambda *words: real(*words, "--port", port, "--no-browser"))
    teach, start = part(tmp_path)
    teach.receive({"type": "form", "form": {"lesson": 4, "class_list": "Ann\nBob"}})
    start.handle({"path": [], "message": {"type": "start", "lan": False}})
    assert start.data["running"] and f":{port}/wall#" in str(start.data["wall"])
    assert (tmp_path / "class" / "class-p4" / "journal.jsonl").is_file()
    with socket.create_connection(("127.0.0.1", int(port))):
        pass
    start.handle({"path": [], "message": {"type": "end"}})
    assert not start.data["running"] and not start.data["wall"]
    with pytest.raises(OSError):
        socket.create_connection(("127.0.0.1", int(port)))


def test_a_class_with_a_lesson_of_ones_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "lessons").mkdir()
    file = tmp_path / "lessons" / "mine.toml"
    assert main(["lesson", "new", str(file)]) == 0
    said: list[tuple[str, ...]] = []

    def command(*words: str) -> subprocess.Popen[str]:
        said.append(words)
        return subprocess.Popen([sys.executable, "-c", ""], stdout=subprocess.PIPE, text=True)

    monkeypatch.setattr(class_start, "command", command)
    teach, start = part(tmp_path)
    teach.receive({"type": "form", "form": {"lesson": "mine"}})
    start.handle({"path": [], "message": {"type": "start", "lan": False}})
    [words] = said
    assert words[words.index("--lesson") + 1] == str(file)  # the command may run in another folder


def test_pooling_needs_names(tmp_path: Path) -> None:
    teach, start = part(tmp_path)
    heard: list[object] = []
    teach.listen(heard.append)
    teach.handle({"path": ["class"], "message": {"type": "pool"}})
    assert in_error("screens.pool_names").search(str(heard[-1]))
    teach.receive({"type": "form", "form": {"lesson": 4, "class_list": "Ann\nBob"}})
    start.handle({"path": [], "message": {"type": "pool"}})
    lines = start.data["lines"]
    assert isinstance(lines, list) and len(lines) >= 6 and not start.data["busy"]
