"""What a chapter brings besides its rules, and how the other rooms ask for it.

A game is a folder: its rules, and beside them how it is told, drawn, guessed, checked, computed. The other rooms
hold machinery that knows no game's name. Each declares what it would like to have as a `Capability`, and the module
of a chapter's folder that brings it (its *face*) provides it for the chapter's own types. A face is loaded when it is
first asked for, so that rules alone stay light; what a type does not bring, it has from the types it builds on.

>>> from nimmt_lab import Advanced, Baron, Classic
>>> COST: Capability[str] = Capability("prices", face="prices")
>>> _ = COST.provide(Classic, "ten")
>>> COST.of(Classic(players=2)), COST.of(Advanced)  # advanced mode builds on the classic game
('ten', 'ten')
>>> COST.find(Baron) is None
True

Unknown means refused: never a default that may be false, never a KeyError.

>>> COST.of(Baron(players=2))
Traceback (most recent call last):
nimmt_lab.engine.errors.Unsupported: baron has no prices: its chapter brings none (prices.py)
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
    """Something that types of a chapter (its game, its fan card, its events) may bring.

    `name` is what the refusal calls it, `face` the module of the chapter's folder in which it stands. What is a claim
    about the rules themselves (a proof, say) is not `inherited`: a type that builds on another may differ there.
    """

    def __init__(self, name: str, *, face: str, inherited: bool = True) -> None:
        self.name = name
        self.face = face
        self.inherited = inherited
        self._brought: dict[type, T] = {}

    def provide(self, kind: type, what: T) -> T:
        """Bring it for `kind` and (where it is inherited) whatever builds on it."""
        self._brought[kind] = what
        return what

    def provides(self, kind: type) -> Callable[[T], T]:
        """`provide`, as a decorator of the function or class that is brought."""
        return lambda what: self.provide(kind, what)

    def find(self, asked: object) -> T | None:
        """What the type (or the type of that value) brings; None where it brings nothing."""
        kind = asked if isinstance(asked, type) else type(asked)
        for ancestor in kind.__mro__ if self.inherited else (kind,):
            load_face(ancestor, self.face)
            if ancestor in self._brought:
                return self._brought[ancestor]
        return None

    def of(self, asked: object) -> T:
        """What the type brings, or a refusal that says what is missing."""
        found = self.find(asked)
        if found is None:
            kind = asked if isinstance(asked, type) else type(asked)
            name = getattr(kind, "name", kind.__name__)
            raise Unsupported("engine.no_face", name=name, face_name=self.name, face=self.face)
        return found


def load_face(kind: type, face: str) -> None:
    """Load that face of the folder in which a type is declared, if there is one."""
    package = kind.__module__.rpartition(".")[0]
    module = f"{package}.{face}"
    if not package or module in _LOADED:
        return
    if find_spec(module) is not None:
        import_module(module)  # who asks at the same time in another thread waits here until the face is whole
    _LOADED.add(module)
