"""Frozen dataclasses that are made and changed fast.

Every placement makes an event and every turn a state, and the engine spends most of its time on that. A frozen
dataclass sets each field with `object.__setattr__`. Plain assignments take less than half the time, so a value with
several fields belongs to a twin of its class, which allows assignments, until they are set.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from dataclasses import MISSING, dataclass, field, fields
from typing import TYPE_CHECKING, TypeVar, cast, dataclass_transform

__all__ = ["replace", "value"]


T = TypeVar("T")

#: Sets the class of an object, frozen or not.
_set_class = vars(object)["__class__"].__set__
#: A field that `replace` keeps, and `replace` by class.
_KEPT = object()
_REPLACE: dict[type, Callable[..., object]] = {}
#: With fewer fields, the descriptors of the slots are faster than changing the class twice.
_FEW = 3


if TYPE_CHECKING:
    from dataclasses import replace
else:

    def replace(changed, /, **changes):
        """`dataclasses.replace`, faster for values."""
        fresh = _REPLACE.get(type(changed), dataclasses.replace)
        return fresh(changed, **changes)


@dataclass_transform(frozen_default=True, field_specifiers=(field,))
def value(cls: type[T]) -> type[T]:
    """`@dataclass(frozen=True, slots=True)` with a faster `__init__` and `replace`.

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
    scope |= {"_made": made, "_kept": _KEPT, "_set_class": _set_class, "_frozen": made.__init__}
    given = ", ".join(names)
    if len(names) < _FEW:
        body = [f"_set_{name}(self, {name})" for name in names] or ["pass"]
        scope |= {f"_set_{name}": getattr(made, name).__set__ for name in names}
    else:
        body = [
            f"if type(self) is not _made: return _frozen(self, {given})",  # a subclass, with other slots
            "_set_class(self, _open)",
            *(f"self.{name} = {name}" for name in names),
            "_set_class(self, _made)",
        ]
        allows = {"__setattr__": object.__setattr__, "__delattr__": object.__delattr__}
        twin = {"__slots__": (), "__module__": made.__module__, **allows}
        scope["_open"] = type(made.__name__, (made,), twin)
    arguments = ", ".join(f"{name}=_default_{name}" if name in defaults else name for name in names)
    init = _defined(f"__init__(self, {arguments})", body, scope)
    setattr(init, "__qualname__", f"{made.__qualname__}.__init__")  # noqa: B010 (a plain object to the type checker)
    setattr(made, "__init__", init)  # noqa: B010
    changes = "".join(f", {name}=_kept" for name in names)
    fresh = ", ".join(f"self.{name} if {name} is _kept else {name}" for name in names)
    _REPLACE[made] = _defined(f"_replace(self, /{changes})", [f"return _made({fresh})"], scope)
    return made


def _defined(head: str, body: list[str], scope: dict[str, object]) -> Callable[..., object]:
    """Compile a function, as dataclasses itself does; the names in it are those of our fields."""
    exec("\n    ".join([f"def {head}:", *body]), scope)
    return cast("Callable[..., object]", scope[head.partition("(")[0]])
