"""Finds the compiled core and calls it: a shared library on a desktop, a wasm in a browser's Python, or nothing.

All memory is the caller's, and lives where the core can reach it (`Core.memory`); all numbers cross as 32-bit whole
numbers or inside that memory, because a browser cannot pass wider ones. Calls let other threads run meanwhile, so a
block of memory belongs to one call at a time (`Claim`): a second thread gets `InUse` instead of a torn table.

>>> from nimmt_lab.native import core
>>> found = core()
>>> if found:
...     cards = found.memory(12)
...     cards.write("i", [3, 1, 2])
...     print(cards.read("i", 3))
... else:
...     print([3, 1, 2])
[3, 1, 2]

The environment variable NIMMT_NATIVE switches the core off (`off`) or names a library to use instead of the own one.
"""

from __future__ import annotations

import ctypes
import hashlib
import mmap
import os
import sys
import threading
import time
import warnings
from abc import ABC, abstractmethod
from array import array
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from typing import Any, TypeAlias

from nimmt_lab.engine.errors import InUse, NotationError
from nimmt_lab.engine.files import name_of, parse_json, read_text

from . import build

#: The interface this Python speaks; the core says which one it has (`nl_interface`).
INTERFACE = 1
#: A call should be back after about this long, so that it can be interrupted and show progress.
SLICE_SECONDS = 0.05
#: From this size on memory comes from the system untouched, so that a large table costs what is used of it.
_LARGE = 1 << 20


#: Whole numbers cross as 32 bits with a sign.
_LEAST, _MOST = -(1 << 31), (1 << 31) - 1

_ERRORS = {-1: "a size is out of range", -2: "a code is out of range", -3: "the memory is too small"}


class NativeError(RuntimeError):
    """The core refused a call: the interface was used wrongly, or its memory was spoilt."""


class Claim:
    """The right to use something, for one thread at a time; the same thread may claim it again inside.

    A second thread is refused rather than made to wait: two threads with one object is a mistake in the program, and a
    silent wait would hide it, or never end.

    >>> claim = Claim()
    >>> with claim, claim:
    ...     print("mine")
    mine
    """

    __slots__ = ("acquire", "release")

    def __init__(self) -> None:
        lock = threading.RLock()
        #: Those of a lock, for calls of the core: there every tenth of a microsecond counts.
        self.acquire, self.release = lock.acquire, lock.release

    def __enter__(self) -> None:
        if not self.acquire(False):
            raise InUse("shared.in_use")

    def __exit__(self, *error: object) -> None:
        self.release()


class Memory(ABC):
    """A block of zeros the core can reach. Numbers are read and written by their type code, as in `array`: `b h i q`
    with sign, `B H I Q` without, `f d`; `at` counts bytes."""

    size: int
    address: int
    #: Held while a call works on the block, or while it is read or written; None: threads may share it.
    claim: Claim | None = None

    def share(self) -> Memory:
        """Let several threads use this block at a time: for what calls only read, and for tables made for sharing."""
        self.claim = None
        return self

    @abstractmethod
    def get(self, at: int, size: int) -> bytes:
        """A copy of so many bytes."""

    @abstractmethod
    def put(self, at: int, data: bytes) -> None:
        """Overwrite bytes from there on."""

    def read(self, code: str, count: int, at: int = 0) -> list[Any]:
        """So many numbers."""
        found = array(code)
        found.frombytes(self.get(at, count * found.itemsize))
        return found.tolist()

    def write(self, code: str, values: Iterable[int] | Iterable[float], at: int = 0) -> None:
        """Write numbers."""
        self.put(at, array(code, values).tobytes())

    def buffer(self) -> memoryview:
        """The block itself, not a copy. A browser's core has its memory elsewhere, and refuses."""
        raise NativeError("the memory of this core can only be copied")

    def part(self, at: int) -> Address:
        """The place `at` bytes into the block, as an argument of a call."""
        return Address(self, at)

    def _check(self, at: int, size: int) -> None:
        if at < 0 or size < 0 or at + size > self.size:
            raise NativeError(f"{size} bytes at {at} are not in a block of {self.size}")


class Address:
    """A place inside a block of memory, which it keeps alive."""

    __slots__ = ("address", "claim", "memory")

    def __init__(self, memory: Memory, at: int) -> None:
        memory._check(at, 0)
        self.memory = memory
        self.claim = memory.claim
        self.address = memory.address + at


#: What can be given to a call: a whole number (32 bits), or memory.
Argument: TypeAlias = int | Memory | Address


class Core(ABC):
    """The compiled core."""

    #: What it is, for people: the file it came from.
    name: str

    @abstractmethod
    def memory(self, size: int) -> Memory:
        """Fresh memory, all zeros. It goes when nobody holds it any more."""

    @abstractmethod
    def ask(self, function: str, *arguments: Argument) -> int:
        """Call a function of `nimmt.h` and give what it returns: a count or 0, below 0 a refusal."""

    def call(self, function: str, *arguments: Argument) -> int:
        """The same, with a refusal raised as `NativeError`."""
        result = self.ask(function, *arguments)
        if result < 0:
            raise NativeError(f"{function}: {_ERRORS.get(result, f'error {result}')}")
        return result


def _mapped(size: int) -> mmap.mmap:
    """Zeros that cost nothing until they are touched; in large pages where the system has them, because a table is read
    all over the place, and looking up its many small pages took a fifth of a search."""
    if sys.platform != "linux":
        return mmap.mmap(-1, size)
    held = mmap.mmap(-1, size, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
    with suppress(OSError):  # a system without large pages
        held.madvise(mmap.MADV_HUGEPAGE)
    return held


class _Block(Memory):
    def __init__(self, size: int) -> None:
        self.size = size
        room = max(8, size)
        self._held: Any = _mapped(room) if room >= _LARGE else bytearray(room)
        self._bytes = (ctypes.c_char * room).from_buffer(self._held)
        self.address = ctypes.addressof(self._bytes)
        self._view = memoryview(self._held)
        self.claim = Claim()

    def get(self, at: int, size: int) -> bytes:
        self._check(at, size)
        if self.claim is None:
            return bytes(self._view[at : at + size])
        with self.claim:
            return bytes(self._view[at : at + size])

    def put(self, at: int, data: bytes) -> None:
        self._check(at, len(data))
        if self.claim is None:
            self._view[at : at + len(data)] = data
            return
        with self.claim:
            self._view[at : at + len(data)] = data

    def buffer(self) -> memoryview:
        return self._view[: self.size]


class _Library(Core):
    def __init__(self, path: Path) -> None:
        self.name = str(path)
        self._library = ctypes.CDLL(self.name)

    def memory(self, size: int) -> Memory:
        return _Block(size)

    def ask(self, function: str, *arguments: Argument) -> int:
        passed: list[ctypes.c_int32 | ctypes.c_void_p] = []
        claimed: list[Claim] = []
        try:
            for one in arguments:
                if isinstance(one, int):
                    # ctypes would cut off what does not fit, and call with another number.
                    if not _LEAST <= one <= _MOST:
                        raise NativeError(f"{function}: {one} does not fit into 32 bits")
                    passed.append(ctypes.c_int32(one))
                    continue
                claim = one.claim
                if claim is not None:
                    if not claim.acquire(False):
                        raise InUse("shared.in_use")
                    claimed.append(claim)
                passed.append(ctypes.c_void_p(one.address))
            # By attribute: a library keeps what it has looked up so.
            found: int = getattr(self._library, function)(*passed)
            return found
        finally:
            for claim in claimed:
                claim.release()


class Pace:
    """How much to ask of one call so that it is back after about `SLICE_SECONDS`: wrap each call, and ask for `amount`.

    >>> pace, done = Pace(10), 0
    >>> while done < 100:
    ...     with pace:
    ...         done += min(pace.amount, 100 - done)
    >>> done
    100
    """

    def __init__(self, amount: int, most: int = 1 << 30) -> None:
        self.amount = amount
        self._most = most
        self._begun = 0.0

    def __enter__(self) -> None:
        self._begun = time.perf_counter()

    def __exit__(self, *error: object) -> None:
        took = time.perf_counter() - self._begun
        if took < SLICE_SECONDS / 2:
            self.amount = min(2 * self.amount, self._most)
        elif took > 2 * SLICE_SECONDS:
            self.amount = max(1, self.amount // 2)


_lock = threading.Lock()
_found: list[Core | None] = []


def core() -> Core | None:
    """The compiled core; None where there is none, which is said once."""
    with _lock:
        if not _found:
            try:
                _found.append(_load())
            except (build.BuildError, NativeError, NotationError, OSError) as error:
                _found.append(None)
                warnings.warn(
                    f"without its compiled core ({error}) nimmt_lab runs {build.WITHOUT}",
                    RuntimeWarning,
                    stacklevel=2,
                )
    return _found[0]


def _load() -> Core:
    wish = os.environ.get("NIMMT_NATIVE", "")
    if wish == "off":
        raise NativeError("NIMMT_NATIVE=off")
    found = _open(Path(wish).resolve()) if wish else _shipped() or _built()
    try:
        interface = found.ask("nl_interface")
    except AttributeError:  # a library, but no core
        interface = None
    if interface != INTERFACE:
        raise NativeError(f"{found.name} has another interface")
    return found


def _built() -> Core:
    """A checkout's own, compiled now if its sources have changed: that takes seconds, so it is said."""
    return _open(build.build_here(say=lambda text: print(f"nimmt_lab: {text}", file=sys.stderr, flush=True)))


def _open(path: Path) -> Core:
    if path.exists() and not path.is_file():  # to open a named pipe would wait for ever
        raise NativeError(f"{name_of(path)} is not a regular file")
    if sys.platform == "emscripten":
        from .wasm import WasmCore

        return WasmCore(path)
    return _Library(path)


def _shipped() -> Core | None:
    """What came with the package, if it was made from the sources that lie beside it and this system can load it. A
    file that is not what its manifest says is refused."""
    manifest = build.SHIPPED / "manifest.json"
    if not manifest.exists():
        return None
    path = build.SHIPPED / build.file_name(build.platform())
    match parse_json(read_text(manifest), source=name_of(manifest)):
        case {"sources": str(sources), "files": dict(files)}:
            if sources != build.fingerprint() or path.name not in files:
                return None
        case _:
            raise NativeError(f"{name_of(manifest)} is no manifest of libraries")
    if hashlib.sha256(path.read_bytes()).hexdigest() != files[path.name]:
        raise NativeError(f"{path} is not the file its manifest names")
    try:
        return _open(path)
    except OSError:  # another C library than it was linked with
        return None
