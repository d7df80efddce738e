"""Load and call the compiled core: a shared library, a WebAssembly module in a browser, or nothing.

The caller owns all memory, allocated where the core can reach it (`Core.memory`). Numbers cross as 32-bit integers or
inside that memory, because a browser can't pass wider ones. Calls release the GIL, so a block belongs to one call at a
time (`Claim`): a second thread gets `InUse` instead of a corrupted table.

>>> from nimmt_lab.native import core
>>> native = core()
>>> if native:
...     cards = native.memory(12)
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
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any, TypeAlias

from nimmt_lab.engine import halt
from nimmt_lab.engine.errors import InUse, NotationError
from nimmt_lab.engine.files import name_of, parse_json, read_text

from . import build

#: Interface version, checked against `nl_interface`.
INTERFACE = 1
#: Target duration of a call, so that it can be interrupted and show progress.
SLICE_SECONDS = 0.05
#: Blocks from this size on are mapped lazily, so that a large table costs only what is used.
_LARGE = 1 << 20


#: Integers cross as signed 32 bits.
_LEAST, _MOST = -(1 << 31), (1 << 31) - 1

#: Why a library is not used, after its name.
OTHER_INTERFACE = "has another interface"
NOT_REGULAR = "is not a regular file"
ERRORS = {-1: "a size is out of range", -2: "a code is out of range", -3: "the memory is too small"}


class NativeError(RuntimeError):
    """The core rejected a call: wrong use of the interface, or corrupted memory."""


class Claim:
    """Reentrant exclusive use by one thread.

    A second thread gets an error instead of waiting: sharing the object is a bug that silent waiting would hide, or
    turn into a deadlock.

    >>> claim = Claim()
    >>> with claim, claim:
    ...     print("mine")
    mine
    """

    __slots__ = ("acquire", "release")

    def __init__(self) -> None:
        lock = threading.RLock()
        #: A lock's own methods, for speed in calls of the core.
        self.acquire, self.release = lock.acquire, lock.release

    def __enter__(self) -> None:
        if not self.acquire(False):
            raise InUse("shared.in_use")

    def __exit__(self, *error: object) -> None:
        self.release()


class Memory(ABC):
    """A zeroed block of memory that the core can reach. Numbers have type codes as in `array`: signed `b h i q`,
    unsigned `B H I Q`, floats `f d`; `at` counts bytes."""

    size: int
    address: int
    #: The address as an argument of `ctypes`, made once.
    pointer: ctypes.c_void_p
    #: Held during calls, reads and writes; None if threads may share the block.
    claim: Claim | None = None

    def share(self) -> Memory:
        """Let several threads use this block at once: for read-only data and tables made for sharing."""
        self.claim = None
        return self

    @abstractmethod
    def get(self, at: int, size: int) -> bytes:
        """Copy `size` bytes."""

    @abstractmethod
    def put(self, at: int, data: bytes) -> None:
        """Overwrite bytes from there on."""

    def read(self, code: str, count: int, at: int = 0) -> list[Any]:
        """Read `count` numbers."""
        numbers = array(code)
        numbers.frombytes(self.get(at, count * numbers.itemsize))
        return numbers.tolist()

    def write(self, code: str, values: Iterable[int] | Iterable[float], at: int = 0) -> None:
        self.put(at, array(code, values).tobytes())

    def buffer(self) -> memoryview:
        """The block itself, not a copy. Not available in a browser."""
        raise NativeError("the memory of this core can only be copied")

    def part(self, at: int) -> Address:
        """The address `at` bytes into the block, as an argument of a call."""
        return Address(self, at)

    def _check(self, at: int, size: int) -> None:
        if at < 0 or size < 0 or at + size > self.size:
            raise NativeError(f"{size} bytes at {at} are not in a block of {self.size}")


class Address:
    """An address inside a block of memory, which it keeps alive."""

    __slots__ = ("address", "claim", "memory", "pointer")

    def __init__(self, memory: Memory, at: int) -> None:
        memory._check(at, 0)
        self.memory = memory
        self.claim = memory.claim
        self.address = memory.address + at
        self.pointer = ctypes.c_void_p(self.address)


#: Arguments of calls: 32-bit integers or memory.
Argument: TypeAlias = int | Memory | Address


class Core(ABC):
    #: The file it came from, for display.
    name: str

    @abstractmethod
    def memory(self, size: int) -> Memory:
        """Allocate zeroed memory, freed with its last reference."""

    def lend(self, buffer: memoryview) -> Memory:
        """Let the core write into a caller's buffer. Not available in a browser."""
        raise NativeError("this core reaches only its own memory")

    @abstractmethod
    def ask(self, function: str, *arguments: Argument) -> int:
        """Call a function of `nimmt.h` and return its result: a count or 0, negative for an error."""

    def call(self, function: str, *arguments: Argument) -> int:
        """Like `ask`, but raise errors as `NativeError`."""
        result = self.ask(function, *arguments)
        if result < 0:
            raise _failure(function, result)
        return result

    def bound(self, function: str, *arguments: Argument) -> Callable[[], int]:
        """The same call for repetition."""
        return lambda: self.call(function, *arguments)


def _failure(function: str, result: int) -> NativeError:
    return NativeError(f"{function}: {ERRORS.get(result, f'error {result}')}")


def _mapped(size: int) -> mmap.mmap:
    """Lazily mapped zeros, in huge pages if available: lookups in small pages cost a fifth of a search."""
    if sys.platform != "linux":
        return mmap.mmap(-1, size)
    held = mmap.mmap(-1, size, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
    with suppress(OSError):  # a system without huge pages
        held.madvise(mmap.MADV_HUGEPAGE)
    return held


class _Block(Memory):
    def __init__(self, size: int) -> None:
        self.size = size
        room = max(8, size)
        self._held: Any = _mapped(room) if room >= _LARGE else bytearray(room)
        self._bytes = (ctypes.c_char * room).from_buffer(self._held)
        self.address = ctypes.addressof(self._bytes)
        self.pointer = ctypes.c_void_p(self.address)
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


class _Lent(_Block):
    """A caller's writable buffer, which the core writes to."""

    def __init__(self, buffer: memoryview) -> None:
        self._view = buffer.cast("B")
        self.size = len(self._view)
        self._held = buffer
        self._bytes = (ctypes.c_char * self.size).from_buffer(self._view)
        self.address = ctypes.addressof(self._bytes)
        self.pointer = ctypes.c_void_p(self.address)
        self.claim = None


def _passed(function: str, argument: Argument) -> int | ctypes.c_void_p:
    """An argument as `ctypes` takes it."""
    if not isinstance(argument, int):
        return argument.pointer
    if not _LEAST <= argument <= _MOST:  # it would silently be truncated
        raise NativeError(f"{function}: {argument} does not fit into 32 bits")
    return argument


class _Library(Core):
    def __init__(self, path: Path) -> None:
        self.name = str(path)
        self._library = ctypes.CDLL(self.name)

    def memory(self, size: int) -> Memory:
        return _Block(size)

    def lend(self, buffer: memoryview) -> Memory:
        return _Lent(buffer)

    def bound(self, function: str, *arguments: Argument) -> Callable[[], int]:
        """Checks and converts the arguments once: for small batches, a call is mostly that."""
        passed = [_passed(function, argument) for argument in arguments]
        claims = [one.claim for one in arguments if not isinstance(one, int) and one.claim is not None]
        if len(claims) != 1:
            return super().bound(function, *arguments)
        (claim,), called = claims, getattr(self._library, function)

        def call() -> int:
            if not claim.acquire(False):
                raise InUse("shared.in_use")
            try:
                result = int(called(*passed))
            finally:
                claim.release()
            if result < 0:
                raise _failure(function, result)
            return result

        # The addresses are valid as long as the blocks exist.
        call.__dict__["arguments"] = arguments
        return call

    def ask(self, function: str, *arguments: Argument) -> int:
        passed: list[int | ctypes.c_void_p] = []
        claimed: list[Claim] = []
        try:
            for argument in arguments:
                if isinstance(argument, int):
                    passed.append(_passed(function, argument))
                    continue
                claim = argument.claim
                if claim is not None:
                    if not claim.acquire(False):
                        raise InUse("shared.in_use")
                    claimed.append(claim)
                passed.append(argument.pointer)
            return int(getattr(self._library, function)(*passed))  # attribute access caches the function
        finally:
            for claim in claimed:
                claim.release()


class Pace:
    """Adaptive size of calls that should take about `SLICE_SECONDS`: wrap each call, and ask for `amount`.

    >>> sum(Pace(10).portions(100))
    100
    """

    def __init__(self, amount: int, most: int = 1 << 30) -> None:
        self.amount = amount
        self._most = most
        self._begun = 0.0

    def __enter__(self) -> None:
        halt.check()
        self._begun = time.perf_counter()

    def __exit__(self, *error: object) -> None:
        took = time.perf_counter() - self._begun
        if took < SLICE_SECONDS / 2:
            self.amount = min(2 * self.amount, self._most)
        elif took > 2 * SLICE_SECONDS:
            self.amount = max(1, self.amount // 2)

    def portions(self, total: int) -> Iterator[int]:
        """Split a total into sizes of calls, each made before the next size is asked for."""
        while total > 0:
            some = min(self.amount, total)
            with self:
                yield some
            total -= some


_lock = threading.Lock()
_loaded: list[Core | None] = []


def core() -> Core | None:
    """The compiled core; None if unavailable, with one warning."""
    with _lock:
        if not _loaded:
            try:
                _loaded.append(_load())
            except (build.BuildError, NativeError, NotationError, OSError) as error:
                _loaded.append(None)
                warnings.warn(
                    f"without its compiled core ({error}) nimmt_lab runs {build.WITHOUT}",
                    RuntimeWarning,
                    stacklevel=2,
                )
    return _loaded[0]


def _load() -> Core:
    wish = os.environ.get("NIMMT_NATIVE", "")
    if wish == "off":
        raise NativeError("NIMMT_NATIVE=off")
    core = open_core(Path(wish).resolve()) if wish else _shipped() or open_core(build.build_here(say=_announce))
    try:
        interface = core.ask("nl_interface")
    except AttributeError:  # a library, but not a core
        interface = None
    if interface != INTERFACE:
        raise NativeError(f"{core.name} {OTHER_INTERFACE}")
    return core


def _announce(text: str) -> None:
    print(f"nimmt_lab: {text}", file=sys.stderr, flush=True)


def open_core(path: Path) -> Core:
    if path.exists() and not path.is_file():  # opening a named pipe would block
        raise NativeError(f"{name_of(path)} {NOT_REGULAR}")
    if sys.platform == "emscripten":
        from .wasm import WasmCore

        return WasmCore(path)
    return _Library(path)


def _shipped() -> Core | None:
    """The packaged core, if it matches the sources and loads here; an error if it doesn't match its manifest."""
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
        return open_core(path)
    except OSError:  # linked with another C library
        return None
