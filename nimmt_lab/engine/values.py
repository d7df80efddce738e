"""Frozen dataclasses with a fast constructor.

Every placement makes an event and every turn a state, and the engine spends most of its time on that. A frozen
dataclass sets its fields with `object.__setattr__`; using the descriptors of the slots takes little more than half the
time.
"""

from __future__ import annotations

from dataclasses import MISSING, dataclass, field, fields
from typing import TypeVar, dataclass_transform

__all__ = ["value"]


T = TypeVar("T")


@dataclass_transform(frozen_default=True, field_specifiers=(field,))
def value(cls: type[T]) -> type[T]:
    """`@dataclass(frozen=True, slots=True)` with a faster `__init__`.

    >>> @value
    ... class Point:
    ...     x: int
    ...     y: int = 0
    >>> Point(1)
    Point(x=1, y=0)
    >>> Point(1).x = 2
    Traceback (most recent call last):
    dataclasses.FrozenInstanceError: cannot assign to field 'x'
    """
    made = dataclass(frozen=True, slots=True)(cls)
    names = [f.name for f in fields(made)]  # type: ignore[arg-type]
    defaults = {f.name: f.default for f in fields(made) if f.default is not MISSING}  # type: ignore[arg-type]
    arguments = ", ".join(f"{name}=_default_{name}" if name in defaults else name for name in names)
    body = "\n".join(f"    _set_{name}(self, {name})" for name in names) or "    pass"
    scope: dict[str, object] = {f"_set_{name}": getattr(made, name).__set__ for name in names}
    scope |= {f"_default_{name}": default for name, default in defaults.items()}
    exec(f"def __init__(self, {arguments}):\n{body}", scope)  # as dataclasses itself does; names are our fields'
    init = scope["__init__"]
    setattr(init, "__qualname__", f"{made.__qualname__}.__init__")  # noqa: B010 (a plain object to the type checker)
    setattr(made, "__init__", init)  # noqa: B010
    return made
