"""Lookup of a chapter's features beyond its rules.

A game is a folder: its rules, and modules for narration, boards, hints, kernels. Other packages know no game by name.
Each declares what it needs as a `Capability`, and a module of the chapter's folder (a *face*) provides it for the
chapter's types. Faces are loaded on first use, so that rules alone stay light. Subclasses inherit capabilities.

>>> from nimmt_lab import Advanced, Baron, Classic
>>> COST: Capability[str] = Capability("prices", face="prices")
>>> _ = COST.provide(Classic, "ten")
>>> COST.of(Classic(players=2)), COST.of(Advanced)  # advanced mode builds on the classic game
('ten', 'ten')
>>> COST.find(Baron) is None
True

A missing capability is an error, never a default that may be wrong.

>>> COST.of(Baron(players=2))
Traceback (most recent call last):
nimmt_lab.engine.errors.Unsupported: baron has no prices: its chapter provides none in prices.py
"""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from importlib.util import find_spec
from typing import Generic, TypeVar

from .errors import Unsupported

__all__ = ["Capability", "load_face"]


T = TypeVar("T")

_LOADED: set[str] = set()


class Capability(Generic[T]):
    """A feature that the types of a chapter (games, fan cards, events) may provide.

    `name` appears in errors; `face` is the module that provides it. Claims about the rules themselves, such as proofs,
    are not `inherited`, because a subclass may change those rules.
    """

    def __init__(self, name: str, *, face: str, inherited: bool = True) -> None:
        self.name = name
        self.face = face
        self.inherited = inherited
        self._provided: dict[type, T] = {}

    def provide(self, kind: type, provided: T) -> T:
        """Provide it for `kind` and, if inherited, its subclasses."""
        self._provided[kind] = provided
        return provided

    def provides(self, kind: type) -> Callable[[T], T]:
        """`provide` as a decorator."""
        return lambda provided: self.provide(kind, provided)

    def find(self, asked: object) -> T | None:
        """The feature of a type, or of a value's type; None if not provided."""
        kind = asked if isinstance(asked, type) else type(asked)
        for ancestor in kind.__mro__ if self.inherited else (kind,):
            load_face(ancestor, self.face)
            if ancestor in self._provided:
                return self._provided[ancestor]
        return None

    def of(self, asked: object) -> T:
        """Like `find`, but raise `Unsupported` instead of returning None."""
        provided = self.find(asked)
        if provided is None:
            kind = asked if isinstance(asked, type) else type(asked)
            name = getattr(kind, "name", kind.__name__)
            raise Unsupported("engine.no_face", name=name, face_name=self.name, face=self.face)
        return provided


def load_face(kind: type, face: str) -> None:
    """Load a face from the folder of a type, if it exists."""
    package = kind.__module__.rpartition(".")[0]
    module = f"{package}.{face}"
    if not package or module in _LOADED:
        return
    if find_spec(module) is not None:
        import_module(module)  # another thread waits here until the face is complete
    _LOADED.add(module)
