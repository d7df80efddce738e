"""The core in Pyodide: the same C as a WebAssembly module with its own memory."""

from __future__ import annotations

import weakref
from pathlib import Path
from typing import Any

from .loader import Argument, Core, Memory

_PAGE = 65536


class WasmCore(Core):
    """Loads the module and allocates from its memory; freed blocks are reused."""

    def __init__(self, path: Path) -> None:
        import js
        from pyodide.ffi import to_js

        self.name = str(path)
        module = js.WebAssembly.Module.new(to_js(path.read_bytes()))
        self.exports: Any = js.WebAssembly.Instance.new(module).exports
        self._js = js
        self._to_js = to_js
        # With getattr, to prevent name mangling.
        self._end = int(getattr(self.exports, "__heap_base").value) + 15 & -16
        #: Freed blocks by size.
        self._free: dict[int, list[int]] = {}

    def bytes(self, address: int, size: int) -> Any:
        """A view of the memory, created on each call because growing moves it."""
        return self._js.Uint8Array.new(self.exports.memory.buffer, address, size)

    def memory(self, size: int) -> Memory:
        room = max(16, size + 15 & -16)
        free = self._free.get(room)
        if free:
            address = free.pop()
            self.bytes(address, room).fill(0)
        else:
            address = self._end
            missing = address + room - int(self.exports.memory.buffer.byteLength)
            if missing > 0:
                try:
                    self.exports.memory.grow(-(-missing // _PAGE))
                except Exception as error:
                    raise MemoryError(f"the browser gives no {room} bytes more") from error
            self._end = address + room
        block = _WasmBlock(self, address, size)
        weakref.finalize(block, self._free.setdefault(room, []).append, address)
        return block

    def ask(self, function: str, *arguments: Argument) -> int:
        passed = [one if isinstance(one, int) else one.address for one in arguments]
        return int(getattr(self.exports, function)(*passed))


class _WasmBlock(Memory):
    def __init__(self, core: WasmCore, address: int, size: int) -> None:
        self._core = core
        self.address = address
        self.size = size

    def get(self, at: int, size: int) -> bytes:
        self._check(at, size)
        content = self._core.bytes(self.address + at, size).to_py()
        return bytes(content)

    def put(self, at: int, data: bytes) -> None:
        self._check(at, len(data))
        self._core.bytes(self.address + at, len(data)).assign(data)
