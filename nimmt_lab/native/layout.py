"""Memory layouts as described by the core (`layout.h`): name, type, shape and offset of each field."""

from __future__ import annotations

from array import array
from dataclasses import dataclass
from functools import cache
from math import prod
from struct import Struct
from typing import NamedTuple

from .loader import Core, NativeError

#: The core's `nl_field`: name, type code (plus `_ARRAY` for arrays), offset, size, bytes per line of a grid.
_FIELD = Struct("<24siiii")
_ARRAY = 256
_MOST_FIELDS = 128
_CODES = "bBhHiqQfd"


@dataclass(frozen=True, slots=True)
class Field:
    """A field of a structure: type code as in `array`, offset in bytes, shape (empty for a scalar)."""

    code: str
    offset: int
    shape: tuple[int, ...]

    @property
    def count(self) -> int:
        return prod(self.shape)


class Layout(NamedTuple):
    """A structure of the core: fields by name, and size in bytes."""

    name: str
    fields: dict[str, Field]
    size: int

    def field(self, name: str) -> Field:
        """The field of that name; `NativeError` if missing."""
        field = self.fields.get(name)
        if field is None:
            raise NativeError(f"{self.name} of the core has no field {name}")
        return field

    def as_bytes(self, name: str) -> Layout:
        """The same layout with each number of one field as a line of bytes."""
        field = self.field(name)
        split = Field("B", field.offset, (*field.shape, array(field.code).itemsize))
        return self._replace(fields={**self.fields, name: split})


@cache
def layout_of(core: Core, name: str) -> Layout:
    """The layout that the core's function `<name>_layout` describes."""
    memory = core.memory(_FIELD.size * _MOST_FIELDS)
    count = core.call(f"{name}_layout", memory, _MOST_FIELDS)
    rows = [_FIELD.unpack(memory.get(at * _FIELD.size, _FIELD.size)) for at in range(count)]
    size, end, fields = rows.pop()[3], 0, {}
    for label, kind, offset, room, line in sorted(rows, key=lambda row: row[2]):
        code, text = chr(kind % _ARRAY), label.rstrip(b"\0").decode("ascii", "replace")
        width = array(code).itemsize if code in _CODES else 0
        if not width or offset < end or offset + room > size or room % (line or width) or text in fields:
            raise NativeError(f"{core.name} describes {name} in a way that cannot be: {text} at {offset}")
        lines = (room // line, line // width) if line else (room // width,)
        fields[text] = Field(code, offset, lines if line or kind >= _ARRAY else ())
        end = offset + room
    return Layout(name, fields, size)
