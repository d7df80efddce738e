"""The journal: complete lines survive, a torn last one is dropped, anything else is named."""

from __future__ import annotations

import errno
import os
from pathlib import Path
from typing import Any

import pytest

from nimmt_lab.engine.errors import Locked, NotationError
from nimmt_lab.live.journal import Journal, line_of, parse, read

ENTRIES: list[dict[str, Any]] = [{"do": "join", "who": at, "name": "Zoë\n" * at} for at in range(1, 4)]


def written(path: Path) -> bytes:
    journal = Journal(path)
    for entry in ENTRIES:
        journal.append(entry)
    journal.close()
    return path.read_bytes()


def test_a_file_cut_anywhere_has_the_complete_lines_before(tmp_path: Path) -> None:
    content = written(tmp_path / "j")
    ends = [len(b"".join(line_of(one) for one in ENTRIES[:count])) for count in range(4)]
    for cut in range(len(content) + 1):
        (tmp_path / "j").write_bytes(content[:cut])
        whole = sum(end <= cut for end in ends) - 1
        assert read(tmp_path / "j") == ENTRIES[:whole]
        assert (tmp_path / "j").stat().st_size == ends[whole]  # the next line begins a line
    journal = Journal(tmp_path / "j")
    journal.append({"do": "lock", "on": True})
    journal.close()
    assert read(tmp_path / "j") == [*ENTRIES, {"do": "lock", "on": True}]


def test_a_changed_line_is_named() -> None:
    content = b"".join(map(line_of, ENTRIES))
    first = len(line_of(ENTRIES[0]))
    for at in range(first):
        changed = content[:at] + bytes([content[at] ^ 1]) + content[at + 1 :]
        if changed[at : at + 1] == b"\n" or content[at : at + 1] == b"\n":
            continue
        with pytest.raises(NotationError) as error:
            parse(changed)
        assert (error.value.key, error.value.line) == ("live.journal_line", 1)


def test_a_full_disk_keeps_the_lines_in_order(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    room = [7]

    def write(file: int, content: bytes) -> int:
        if not room[0]:
            raise OSError(errno.ENOSPC, "full")
        part = content[: room[0]]
        room[0] -= len(part)
        return real(file, part)

    real = os.write
    journal = Journal(tmp_path / "j")
    monkeypatch.setattr("nimmt_lab.live.journal.os.write", write)
    for entry in ENTRIES:
        journal.append(entry)
    assert not journal.keeps
    assert read(tmp_path / "j") == []  # half a line; reading it cut it off
    os.truncate(tmp_path / "j", 0)
    (tmp_path / "j").write_bytes(b"".join(map(line_of, ENTRIES))[:7])
    room[0] = 10**9
    journal.retry()
    assert journal.keeps
    journal.close()
    assert read(tmp_path / "j") == ENTRIES


def test_one_class_runs_once(tmp_path: Path) -> None:
    journal = Journal(tmp_path / "j")
    with pytest.raises(Locked):
        Journal(tmp_path / "j")
    journal.close()
    Journal(tmp_path / "j").close()


def test_a_link_is_not_followed(tmp_path: Path) -> None:
    (tmp_path / "other").write_text("mine")
    (tmp_path / "j").symlink_to(tmp_path / "other")
    with pytest.raises(OSError):
        Journal(tmp_path / "j")
    assert (tmp_path / "other").read_text() == "mine"
