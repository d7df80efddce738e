"""An append-only file of JSON lines, each with a checksum.

Lines survive a killed process as soon as `append` returns, and a power failure after `sync`. With a full disk they stay
in memory, in order, and are written with the next line.

>>> import tempfile
>>> from pathlib import Path
>>> with tempfile.TemporaryDirectory() as folder:
...     journal = Journal(Path(folder) / "journal.jsonl")
...     journal.append({"do": "join", "who": 1})
...     journal.close()
...     read(Path(folder) / "journal.jsonl")
[{'do': 'join', 'who': 1}]
"""

from __future__ import annotations

import json
import os
import stat
import zlib
from contextlib import suppress
from pathlib import Path
from typing import Final

from nimmt_lab.boards.describe import Obj
from nimmt_lab.engine.errors import CannotWrite, Locked, NotationError
from nimmt_lab.engine.files import name_of, parse_json, read_bytes

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None  # type: ignore[assignment]

#: The longest file that is read again, in bytes.
LARGEST: Final = 400_000_000


def line_of(entry: Obj) -> bytes:
    """A line: the checksum, a space, the entry.

    >>> line_of({"do": "lock"})
    b'06c9af90 {"do":"lock"}\\n'
    """
    text = json.dumps(entry, ensure_ascii=False, separators=(",", ":")).encode()
    return b"%08x %s\n" % (zlib.crc32(text), text)


def parse(content: bytes, source: str = "") -> tuple[list[Obj], int]:
    """The entries, and the number of bytes they take. Only the last line may be torn."""
    entries: list[Obj] = []
    good = 0
    lines = content.split(b"\n")
    for number, line in enumerate(lines[:-1], 1):
        entry = _entry(line)
        if entry is None:
            if number == len(lines) - 1:
                break
            raise NotationError("live.journal_line", line=number, source=source)
        entries.append(entry)
        good += len(line) + 1
    return entries, good


def _entry(line: bytes) -> Obj | None:
    mark, _, text = line.partition(b" ")
    if mark != b"%08x" % zlib.crc32(text):
        return None
    try:
        entry = parse_json(text.decode())
    except (NotationError, UnicodeDecodeError):
        return None
    return entry if isinstance(entry, dict) else None


def read(path: Path) -> list[Obj]:
    """The entries of a file; none if it does not exist. Removes a torn last line."""
    if not os.path.lexists(path):
        return []
    content = read_bytes(path, largest=LARGEST)
    entries, good = parse(content, name_of(path))
    if good < len(content):
        os.truncate(path, good)
    return entries


class Journal:
    """The open file. Only one process can have it open."""

    def __init__(self, path: Path) -> None:
        self.path = path
        #: Bytes that could not be written yet.
        self._waits = b""
        flags = os.O_WRONLY | os.O_APPEND | os.O_CREAT | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_NOFOLLOW", 0)
        try:
            self._file = os.open(path, flags, 0o600)
        except OSError as problem:
            raise CannotWrite("shared.cannot_write", path=name_of(path), problem=problem.strerror) from None
        if not stat.S_ISREG(os.fstat(self._file).st_mode):
            os.close(self._file)
            raise CannotWrite("shared.cannot_write", path=name_of(path), problem="not a regular file")
        if fcntl is not None:
            try:
                fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                os.close(self._file)
                raise Locked("live.already_open", folder=name_of(path.parent)) from None
            except OSError:  # some network drives have no locks
                pass

    @property
    def keeps(self) -> bool:
        """Whether everything has been written."""
        return not self._waits

    def append(self, entry: Obj) -> None:
        self._waits += line_of(entry)
        self.retry()

    def retry(self) -> None:
        """Write what waits, as far as possible."""
        with suppress(OSError):
            while self._waits:
                self._waits = self._waits[os.write(self._file, self._waits) :]

    def sync(self) -> None:
        """Survive a power failure. Slow: call it from a thread."""
        with suppress(OSError):
            os.fsync(self._file)

    def close(self) -> None:
        self.retry()
        self.sync()
        os.close(self._file)
