"""Frozen dataclasses with a fast constructor.

Every placement makes an event and every turn a state, and the engine spends most of its time on that. A frozen
dataclass sets each field with `object.__setattr__`. Plain assignments take less than half the time, so a value with
several fields belongs to a twin of its class, which allows assignments, until they are set.
"""

from __future__ import annotations

from dataclasses import MISSING, dataclass, field, fields
from typing import TypeVar, dataclass_transform

__all__ = ["value"]


T = TypeVar("T")

#: Sets the class of an object, frozen or not.
_set_class = vars(object)["__class__"].__set__
#: With fewer fields, the descriptors of the slots are faster than changing the class twice.
_FEW = 3


@dataclass_transform(frozen_default=True, field_specifiers=(field,))
def value(cls: type[T]) -> type[T]:
    """`@dataclass(frozen=True, slots=True)` with a faster `__init__`.

    >>> @value
    ... class Point:
    ...     x: int
    ...     y: int
    ...     z: int = 0
    >>> Point(1, 2)
    Point(x=1, y=2, z=0)
    >>> Point(1, 2).x = 3
    Traceback (most recent call last):
    dataclasses.FrozenInstanceError: cannot assign to field 'x'
    """
    made = dataclass(frozen=True, slots=True)(cls)
    names = [f.name for f in fields(made)]  # type: ignore[arg-type]
    defaults = {f.name: f.default for f in fields(made) if f.default is not MISSING}  # type: ignore[arg-type]
    scope: dict[str, object] = {f"_default_{name}": default for name, default in defaults.items()}
    if len(names) < _FEW:
        body = [f"_set_{name}(self, {name})" for name in names] or ["pass"]
        scope |= {f"_set_{name}": getattr(made, name).__set__ for name in names}
    else:
        body = [
            f"if type(self) is not _made: return _frozen(self, {', '.join(names)})",  # a subclass with its own slots
            "_set_class(self, _open)",
            *(f"self.{name} = {name}" for name in names),
            "_set_class(self, _made)",
        ]
        allows = {"__setattr__": object.__setattr__, "__delattr__": object.__delattr__}
        twin = type(made)(made.__name__, (made,), {"__slots__": (), "__module__": made.__module__, **allows})
        scope |= {"_made": made, "_open": twin, "_set_class": _set_class, "_frozen": made.__init__}
    arguments = ", ".join(f"{name}=_default_{name}" if name in defaults else name for name in names)
    # As dataclasses itself does; the names are those of our fields.
    exec("\n    ".join([f"def __init__(self, {arguments}):", *body]), scope)
    init = scope["__init__"]
    setattr(init, "__qualname__", f"{made.__qualname__}.__init__")  # noqa: B010 (a plain object to the type checker)
    setattr(made, "__init__", init)  # noqa: B010
    return made
