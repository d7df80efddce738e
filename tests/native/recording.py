"""A core that records every call, so that another host can repeat the calls and compare the results."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterator, Sequence

from nimmt_lab.native.loader import Address, Argument, Core, Memory

Note = list[object]


class RecordingCore(Core):
    """Passes everything on. Notes are `["memory", size]`, `["put", block, at, bytes]`, `["get", block, at, bytes]` and
    `["call", function, arguments, result]`; an argument is a number or `[block, at]`; bytes are in base 64."""

    def __init__(self, inner: Core) -> None:
        self.inner = inner
        self.name = inner.name
        self.notes: list[Note] = []
        self.blocks = 0

    def memory(self, size: int) -> Memory:
        self.notes.append(["memory", size])
        self.blocks += 1
        return _Recorded(self, self.inner.memory(size), self.blocks - 1)

    def ask(self, function: str, *arguments: Argument) -> int:
        passed: list[Argument] = []
        noted: list[object] = []
        for one in arguments:
            if isinstance(one, int):
                passed.append(one)
                noted.append(one)
            else:
                block = one.memory if isinstance(one, Address) else one
                assert isinstance(block, _Recorded)
                at = one.address - block.address
                passed.append(block.inner.part(at))
                noted.append([block.number, at])
        result = self.inner.ask(function, *passed)
        self.notes.append(["call", function, noted, result])
        return result


class _Recorded(Memory):
    def __init__(self, core: RecordingCore, inner: Memory, number: int) -> None:
        self.core = core
        self.inner = inner
        self.number = number
        self.size, self.address = inner.size, inner.address

    def get(self, at: int, size: int) -> bytes:
        data = self.inner.get(at, size)
        self.core.notes.append(["get", self.number, at, b64encode(data).decode()])
        return data

    def put(self, at: int, data: bytes) -> None:
        self.core.notes.append(["put", self.number, at, b64encode(data).decode()])
        self.inner.put(at, data)


#: Starts a WebAssembly module whose calls REPLAY repeats.
START = """
(wasm) => {
  const bytes = Uint8Array.from(atob(wasm), (c) => c.charCodeAt(0));
  const core = new WebAssembly.Instance(new WebAssembly.Module(bytes)).exports;
  globalThis.replay = { core, end: (core.__heap_base.value + 15) & -16, blocks: [], number: 0 };
}
"""

#: Repeats the next calls in the module; returns at most five results that differ.
REPLAY = """
(notes) => {
  const bytes = (text) => Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
  const { core, blocks } = globalThis.replay, wrong = [];
  for (const note of notes) {
    const number = globalThis.replay.number++;
    if (note[0] === "memory") {
      const room = Math.max(16, (note[1] + 15) & -16), end = globalThis.replay.end;
      const missing = end + room - core.memory.buffer.byteLength;
      if (missing > 0) core.memory.grow(Math.ceil(missing / 65536));
      blocks.push(end);
      globalThis.replay.end += room;
    } else if (note[0] === "put") {
      new Uint8Array(core.memory.buffer).set(bytes(note[3]), blocks[note[1]] + note[2]);
    } else if (note[0] === "get") {
      const expected = bytes(note[3]);
      const found = new Uint8Array(core.memory.buffer, blocks[note[1]] + note[2], expected.length);
      if (found.some((byte, i) => byte !== expected[i])) wrong.push(`${number}: other bytes`);
    } else {
      const given = note[2].map((one) => (Array.isArray(one) ? blocks[one[0]] + one[1] : one));
      const found = core[note[1]](...given);
      // How large a workspace with addresses in it must be depends on the host.
      const size = note[1].endsWith("_work");
      if (size ? found > note[3] : found !== note[3]) wrong.push(`${number}: ${note[1]} gave ${found}, not ${note[3]}`);
    }
    if (wrong.length === 5) break;
  }
  return wrong;
}
"""

#: Chromium quits when it is sent more than 100 MiB at once, and Playwright's wrapping multiplies short notes.
PORTION = 8_000_000


def portions(notes: Sequence[Note]) -> Iterator[list[Note]]:
    """The notes in order, in portions that a browser can be sent."""
    portion: list[Note] = []
    room = PORTION
    for note in notes:
        portion.append(note)
        room -= 100 + (len(note[-1]) if isinstance(note[-1], str) else 0)
        if room <= 0:
            yield portion
            portion, room = [], PORTION
    yield portion
