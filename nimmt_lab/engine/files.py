"""Reading and writing files, in one place.

Only regular files of limited size in UTF-8 are read. JSON and TOML are strict: no duplicate keys, no NaN, no overlong
numbers. Every failure is a typed error that names the file and, if known, the line.

A file is replaced as a whole or not at all: written to a temporary file beside it, flushed to disk, then renamed.
"""

from __future__ import annotations

import errno
import json
import os
import re
import shutil
import stat
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import NoReturn

from .errors import CannotWrite, Locked, NotationError
from .inflect import Figure
from .reasons import NotRegular, json_reason, reason, toml_reason
from .sentences import Phrase

try:
    import fcntl

    LOCKS = hasattr(fcntl, "flock")  # in a web page the module is empty
except ImportError:  # Windows and some browsers: a folder has one user at a time
    LOCKS = False

__all__ = [
    "Patience",
    "alone_in",
    "append_line",
    "finish",
    "folder_in",
    "lay_down",
    "leads_out",
    "locked",
    "make_folder",
    "name_of",
    "parse_json",
    "parse_toml",
    "read_bytes",
    "read_text",
    "shown",
    "write_file",
    "write_new",
    "write_tree",
]

#: The largest text file to read, in bytes. A game of a thousand rounds needs a fifth of it.
LARGEST = 4_000_000
#: Longer than any line that `append_line` adds.
_TAIL = 4096
#: The longest TOML text: for some texts the parser needs quadratic time (a key of a thousand parts).
LARGEST_TOML = 200_000
#: The longest number in a file (a seed has up to 20 digits).
MOST_DIGITS = 40

PathLike = str | os.PathLike[str]


def shown(value: object, most: int = 80) -> str:
    """The `repr` of a value for a message, truncated. Never fails.

    >>> shown("a" * 1000, most=10), shown(10**5000)
    ("'aaaaaaaa…", 'a number of more than 4300 digits')
    """
    if isinstance(value, (str, bytes)):
        value = value[: most + 1]
    try:
        text = repr(value)
    except ValueError:
        return "a number of more than 4300 digits"
    except RecursionError:
        return "something nested too deeply"
    return text if len(text) <= most else text[: most - 1] + "…"


def name_of(path: PathLike) -> str:
    """A path for a message, on one line, with undecodable bytes and control characters escaped.

    >>> name_of("my games/a\\nb"), name_of("Łódź.json")
    ('my games/a\\\\nb', 'Łódź.json')
    """
    text = os.fspath(path)[:300].encode("utf-8", "backslashreplace").decode()
    if not text.isprintable():
        text = "".join(char if char.isprintable() else char.encode("unicode_escape").decode() for char in text)
    return text[:300]


_CAREFULLY = getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_NOCTTY", 0) | getattr(os, "O_BINARY", 0)
_NO_LINK = getattr(os, "O_NOFOLLOW", 0)


def read_bytes(
    path: PathLike, *, largest: int = LARGEST, error: type[NotationError] = NotationError, follow: bool = True
) -> bytes:
    """Read a regular file of at most `largest` bytes. Without `follow`, refuse a link."""
    source = name_of(path)
    if not follow and os.path.islink(path):
        raise error("shared.is_link", source=source)
    try:
        # O_NONBLOCK: opening a named pipe would otherwise wait for a writer.
        handle = os.open(path, os.O_RDONLY | _CAREFULLY | (0 if follow else _NO_LINK))
        try:
            facts = os.fstat(handle)
            if not stat.S_ISREG(facts.st_mode):
                raise error("engine.not_regular", source=source)
            if facts.st_size > largest:
                raise error("engine.too_large_by", size=Figure(facts.st_size), most=Figure(largest), source=source)
            with os.fdopen(handle, "rb", closefd=False) as file:
                content = file.read(largest + 1)
            if content is None:  # a file that would block, such as the kernel log
                raise error("engine.not_regular", source=source)
        finally:
            os.close(handle)
    except NotationError:
        raise
    except (OSError, ValueError) as problem:
        raise error("engine.cannot_read", problem=reason(problem), source=source) from None
    if len(content) > largest:
        raise error("engine.too_large", most=Figure(largest), source=source)
    return content


def read_text(
    path: PathLike,
    *,
    largest: int = LARGEST,
    error: type[NotationError] = NotationError,
    what: str = "",
    follow: bool = True,
) -> str:
    """Read a text file in UTF-8, with or without a byte order mark, with any usual line endings."""
    content = read_bytes(path, largest=largest, error=error, follow=follow)
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError:
        source = name_of(path)
        if what:
            raise error("shared.expected_utf8", what=what, source=source) from None
        raise error("shared.utf8", source=source) from None
    return text.replace("\r\n", "\n").replace("\r", "\n")


def parse_json(text: str, *, source: str = "", error: type[NotationError] = NotationError) -> object:
    """Parse JSON strictly; errors name the line.

    >>> parse_json('{"a": [1, 2.5]}')
    {'a': [1, 2.5]}
    >>> parse_json('{"a": 1, "a": 2}')
    Traceback (most recent call last):
    nimmt_lab.engine.errors.NotationError: line 1: the key 'a' appears twice
    """

    def fail(key: str, at: int, /, **fields: object) -> NoReturn:
        raise error.of(Phrase(key, **fields), line=text.count("\n", 0, max(at, 0)) + 1, source=source)

    def constant(word: str) -> NoReturn:
        fail("engine.not_number", text.find(word), word=word)

    def whole(word: str) -> int:
        if len(word) > MOST_DIGITS:
            fail("engine.number_digits", text.find(word), count=Figure(len(word)))
        return int(word)

    def decimal(word: str) -> float:
        number = float(word) if len(word) <= MOST_DIGITS else float("inf")
        if number in (float("inf"), float("-inf")):
            fail("engine.sensible", text.find(word), word=shown(word))
        return number

    def pairs(items: list[tuple[str, object]]) -> dict[str, object]:
        entries = dict(items)
        if len(entries) < len(items):
            keys = [key for key, _ in items]
            twice = next(key for at, key in enumerate(keys) if key in keys[:at]) if len(keys) < 1000 else keys[-1]
            places = [match.start() for match in re.finditer(re.escape(json.dumps(twice)), text)]
            fail("engine.key_twice", places[1] if len(places) > 1 else 0, key=shown(twice))
        return entries

    try:
        data: object = json.loads(
            text, object_pairs_hook=pairs, parse_constant=constant, parse_int=whole, parse_float=decimal
        )
    except json.JSONDecodeError as problem:
        key = "shared.cut_json" if problem.pos >= len(text.rstrip()) - 1 else "shared.not_json"
        raise error(
            key, problem=json_reason(problem), line=problem.lineno, column=problem.colno, source=source
        ) from None
    except RecursionError:
        raise error("engine.nested", line=1, source=source) from None
    return data


def parse_toml(text: str, *, source: str = "", error: type[NotationError] = NotationError) -> dict[str, object]:
    """Parse TOML strictly; errors name the line if it is known.

    >>> parse_toml("a = [1, 2.5]")
    {'a': [1, 2.5]}
    >>> parse_toml("a = 1\\na = 2\\n")
    Traceback (most recent call last):
    nimmt_lab.engine.errors.NotationError: line 2, column 6: not TOML: Cannot overwrite a value
    """
    import tomllib  # rarely needed

    if len(text) > LARGEST_TOML:
        raise error("engine.too_many_letters", count=Figure(len(text)), most=Figure(LARGEST_TOML), source=source)
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError as problem:
        place = re.search(r"\(at line (\d+), column (\d+)\)", str(problem))
        line, column = map(int, place.groups()) if place else (len(text.splitlines()) or 1, None)
        message = toml_reason(str(problem).partition(" (at ")[0])
        raise error("engine.not_toml", message=message, line=line, column=column, source=source) from None
    except RecursionError:
        raise error("engine.nested", line=1, source=source) from None
    except ValueError as problem:  # a number of thousands of digits, an impossible date
        raise error("engine.not_toml", message=shown(str(problem)), line=1, source=source) from None
    todo: list[object] = [data]
    while todo:
        value = todo.pop()
        if isinstance(value, dict):
            todo += value.values()
        elif isinstance(value, list):
            todo += value
        elif isinstance(value, (int, float)) and not abs(value) < 10**MOST_DIGITS:  # hexadecimal, inf, nan
            raise error("engine.sensible", word=shown(value), source=source)
    return data


def write_file(path: PathLike, content: str | bytes, *, follow: bool = True) -> None:
    """Replace a file as a whole or not at all.

    With `follow`, the target of a link is replaced; without it, the link itself, so that a link planted in a learner's
    folder cannot redirect the write.
    """
    try:
        _write(Path(os.path.realpath(path) if follow else path), _encoded(content))
    except (OSError, ValueError) as problem:
        raise CannotWrite("shared.cannot_write", path=name_of(path), problem=reason(problem)) from None


def append_line(path: PathLike, line: str) -> None:
    """Add a line to a file of lines, at once and as a whole; a line that a killed writer left unfinished is dropped.
    The caller holds the lock of the file."""
    try:
        handle = os.open(path, os.O_RDWR | os.O_APPEND | getattr(os, "O_BINARY", 0))
        try:
            end = os.lseek(handle, 0, os.SEEK_END)
            os.lseek(handle, max(0, end - _TAIL), os.SEEK_SET)
            tail = os.read(handle, _TAIL)
            if not tail.endswith(b"\n") and b"\n" in tail:
                os.ftruncate(handle, end - len(tail) + tail.rindex(b"\n") + 1)
            os.write(handle, _encoded(line) + b"\n")
        finally:
            os.close(handle)
    except (OSError, ValueError) as problem:
        raise CannotWrite("shared.cannot_write", path=name_of(path), problem=reason(problem)) from None


def write_new(folder: PathLike, stem: str, ending: str, content: str | bytes) -> Path:
    """Write a file under the first free name of `stem-1`, `stem-2`, … and return its path. Two writers never get the
    same name, and no reader sees half a file."""
    folder, encoded, prefix = Path(folder), _encoded(content), f".{stem[:40]}."
    try:
        _sweep(folder, prefix)
        for attempt in range(_TRIES + 1):
            try:
                with _finished(folder, prefix, encoded, 0o666 & ~_umask()) as temporary:
                    number = 1
                    while not _claim(temporary, path := folder / f"{stem}-{number}{ending}"):
                        number += 1
                    return path
            except FileNotFoundError:  # another writer swept the temporary file before we locked it
                if attempt == _TRIES or not folder.is_dir():
                    raise
    except (OSError, ValueError) as problem:
        raise CannotWrite("shared.cannot_write", path=name_of(folder), problem=reason(problem)) from None
    raise AssertionError  # the last attempt returns or raises


def _claim(temporary: str, path: Path) -> bool:
    """Give a complete file its name; False if the name is in use."""
    if os.path.lexists(path):
        return False
    try:
        os.link(temporary, path)
        return True
    except FileExistsError:
        return False
    except FileNotFoundError:
        raise
    except (OSError, AttributeError, NotImplementedError):
        pass  # USB sticks, some network drives and web pages have no hard links
    # The writer that creates the second name may use the first one.
    claim = path.with_name(f".{path.name}.claimed")
    try:
        os.close(os.open(claim, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
    except FileExistsError:
        return False
    try:
        if os.path.lexists(path):
            return False
        os.replace(temporary, path)
        return True
    finally:
        os.unlink(claim)


def _encoded(content: str | bytes) -> bytes:
    try:
        return content.encode() if isinstance(content, str) else content
    except UnicodeEncodeError:
        raise CannotWrite("engine.half_character_lone") from None


def _write(path: Path, content: bytes) -> None:
    # The temporary name must not exceed the length limit of file names.
    prefix = f".{path.name[:40]}."
    before = os.lstat(path) if os.path.lexists(path) else None
    if before is not None and not stat.S_ISREG(before.st_mode) and not stat.S_ISLNK(before.st_mode):
        raise NotRegular(errno.EINVAL, "not a regular file")
    _sweep(path.parent, prefix)
    for _ in range(_TRIES):
        try:
            return _write_once(path, content, prefix)
        except FileNotFoundError:  # another writer swept the temporary file before we locked it
            if not path.parent.is_dir():
                raise
    _write_once(path, content, prefix)


def _write_once(path: Path, content: bytes, prefix: str) -> None:
    # mkstemp makes a private file.
    ordinary = path.is_file() and not path.is_symlink()
    mode = stat.S_IMODE(path.stat().st_mode) if ordinary else 0o666 & ~_umask()
    with _finished(path.parent, prefix, content, mode) as temporary:
        os.replace(temporary, path)


@contextmanager
def _finished(folder: Path, prefix: str, content: bytes, mode: int) -> Iterator[str]:
    """A temporary file with its content on disk; removed afterwards unless it was renamed."""
    handle, temporary = tempfile.mkstemp(prefix=prefix, suffix=_TEMPORARY, dir=folder)
    try:
        with os.fdopen(handle, "wb") as file:
            if LOCKS:
                with suppress(OSError):  # some network drives have no locks
                    fcntl.flock(handle, fcntl.LOCK_EX)  # until it is closed
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
            os.chmod(temporary, mode)
            if os.name == "posix":
                yield temporary
        if os.name != "posix":  # Windows cannot rename an open file
            yield temporary
    finally:
        Path(temporary).unlink(missing_ok=True)


_TEMPORARY = ".tmp"
#: An attempt fails once in thousands of times, and only while others write the same file.
_TRIES = 5


def _sweep(folder: Path, prefix: str) -> None:
    """Remove temporary files of killed writers, whose locks are free."""
    if not LOCKS:
        return
    for entry in os.scandir(folder):
        if entry.name.startswith(prefix) and entry.name.endswith(_TEMPORARY) and entry.is_file(follow_symlinks=False):
            with suppress(OSError), open(entry.path, "rb") as file:
                fcntl.flock(file.fileno(), fcntl.LOCK_EX | fcntl.LOCK_NB)
                os.unlink(entry.path)


def _umask() -> int:
    umask = os.umask(0)
    os.umask(umask)
    return umask


def make_folder(folder: PathLike, *, private: bool = False) -> None:
    """Make a folder and its parents if needed. Other users cannot look into a `private` one."""
    try:
        os.makedirs(folder, 0o700 if private else 0o777, exist_ok=True)
    except (OSError, ValueError) as problem:
        raise CannotWrite("engine.cannot_make", folder=name_of(folder), problem=reason(problem)) from None


def leads_out(folder: PathLike, path: PathLike) -> bool:
    """Whether a path below a folder leads out of it through a link, or is itself a link.

    >>> leads_out("ann", "ann/games/classic-1.nimmt"), leads_out("ann", "bob/games/classic-1.nimmt")
    (False, True)
    """
    parent = Path(os.path.realpath(Path(path).parent))
    return os.path.islink(path) or not parent.is_relative_to(os.path.realpath(folder))


def folder_in(folder: PathLike, name: str) -> Path:
    """A subfolder, made if needed; raise an error for a link that leads elsewhere."""
    path = Path(folder) / name
    make_folder(path)
    if not Path(os.path.realpath(path)).is_relative_to(os.path.realpath(folder)):
        raise CannotWrite("shared.cannot_write", path=name_of(path), problem=Phrase("shared.it_is_link"))
    return path


#: The hidden folder in which files are staged, and its last file.
STAGING = ".nimmt-lab-unfinished"
MARKER = "all-is-there"


def lay_down(folder: PathLike, files: Mapping[str, str | bytes], *, gone: Sequence[str] = ()) -> None:
    """Write files that belong together, all or none; the caller must be `alone_in` the folder.

    They are staged in a hidden folder, the marker last. Only then are they moved, in the given order, and the files in
    `gone` removed. A kill before the marker changes nothing; after it, `finish` completes the move.
    """
    folder = Path(folder)
    try:
        finish(folder)
        staging = folder / STAGING
        staging.mkdir()
        for name, content in files.items():
            _write(staging / name, _encoded(content))
        _write(staging / MARKER, json.dumps({"files": list(files), "gone": list(gone)}).encode())
        finish(folder)
    except (OSError, ValueError) as problem:
        if not (folder / STAGING / MARKER).exists():
            shutil.rmtree(folder / STAGING, ignore_errors=True)
        raise CannotWrite("shared.cannot_write", path=name_of(folder), problem=reason(problem)) from None


def write_tree(folder: PathLike, files: Mapping[str, bytes]) -> None:
    """Replace a folder and its content (by path) as a whole or not at all. The new folder is staged beside the old one.
    Without files, the folder is removed."""
    folder = Path(folder)
    ready, before = (folder.with_name(f".{folder.name}.{state}") for state in ("unfinished", "before"))
    try:
        for left in (ready, before):
            if left.exists():
                shutil.rmtree(left)
        for name, content in files.items():
            path = ready / name
            if ".." in path.parts or not path.is_relative_to(ready):
                raise ValueError(f"{shown(name)} leads out of the folder")
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
        if folder.exists():
            os.replace(folder, before)
        if files:
            os.replace(ready, folder)
        if before.exists():
            shutil.rmtree(before)
    except (OSError, ValueError) as problem:
        shutil.rmtree(ready, ignore_errors=True)
        if before.exists() and not folder.exists():
            os.replace(before, folder)
        raise CannotWrite("shared.cannot_write", path=name_of(folder), problem=reason(problem)) from None


def finish(folder: PathLike) -> bool:
    """Complete an interrupted `lay_down`, or drop files that were not all staged. True if there was anything to do."""
    staging = Path(folder) / STAGING
    if not staging.is_dir():
        return False
    marker = staging / MARKER
    if marker.is_file():
        lists = parse_json(read_text(marker))
        files, gone = (_plain_names(lists, part) for part in ("files", "gone"))
        for name in files:
            if (staging / name).is_file():
                os.replace(staging / name, Path(folder) / name)
        for name in gone:
            (Path(folder) / name).unlink(missing_ok=True)
        marker.unlink()
    shutil.rmtree(staging)
    return True


def _plain_names(lists: object, part: str) -> list[str]:
    """The plain file names in a marker, so that nothing leaves the folder."""
    names = lists.get(part) if isinstance(lists, dict) else None
    listed = names if isinstance(names, list) else []
    return [name for name in listed if isinstance(name, str) and name == Path(name).name]


@dataclass(frozen=True)
class Patience:
    """How long to wait for a lock; tests use their own clock."""

    seconds: float = 60.0
    clock: Callable[[], float] = time.monotonic
    sleep: Callable[[float], None] = time.sleep


PATIENCE = Patience()
#: Seconds between two attempts.
_PAUSE = 0.01


def locked(folder: PathLike, name: str, patience: Patience | None = None) -> AbstractContextManager[None]:
    """Hold the lock of this name; raise `Locked` if it isn't free in time. A no-op where locks do not exist. The lock
    file is private, because anyone who can open it could keep the lock."""
    return _holding(Path(folder) / name, os.O_RDWR | os.O_CREAT | _CAREFULLY | _NO_LINK, patience or PATIENCE)


def alone_in(folder: PathLike, patience: Patience | None = None) -> AbstractContextManager[None]:
    """Lock the folder itself, which needs no extra file."""
    return _holding(Path(folder), os.O_RDONLY, patience or PATIENCE)


@contextmanager
def _holding(path: Path, how: int, patience: Patience) -> Iterator[None]:
    if not LOCKS:
        yield
        return
    try:
        handle = os.open(path, how | getattr(os, "O_CLOEXEC", 0), 0o600)
    except (OSError, ValueError):  # a read-only folder needs no lock
        yield
        return
    try:
        if how & os.O_CREAT and stat.S_IMODE(os.fstat(handle).st_mode) & 0o077:
            with suppress(OSError):  # older versions made it public
                os.fchmod(handle, 0o600)
        _wait_for(handle, path, patience)
        yield
    finally:
        os.close(handle)


def _wait_for(handle: int, path: Path, patience: Patience) -> None:
    end: float | None = None
    while True:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return
        except BlockingIOError:
            now = patience.clock()
        except OSError:  # file systems without locks: some network drives
            return
        end = now + patience.seconds if end is None else end
        if now >= end:
            raise Locked("engine.locked", path=name_of(path))
        patience.sleep(_PAUSE)
