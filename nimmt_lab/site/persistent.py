"""Immutable collections: the part of the package `rpds` that `referencing` and `jsonschema` use, in plain Python.

`rpds` is compiled from Rust and has no build for a web page, so this module takes its name there. Every change makes a
copy, which is quick enough for a few dozen entries.

>>> HashTrieMap({"a": 1}).insert("b", 2).remove("a")
{'b': 2}
>>> sorted(HashTrieSet([3, 1]).insert(2).discard(3)), list(List([1, 2]).push_front(0))
([1, 2], [0, 1, 2])
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping
from typing import TypeVar

Key = TypeVar("Key", bound=Hashable)
Value = TypeVar("Value")


class HashTrieMap(dict[Key, Value]):
    @classmethod
    def convert(cls, value: Mapping[Key, Value] | Iterable[tuple[Key, Value]]) -> HashTrieMap[Key, Value]:
        return value if isinstance(value, HashTrieMap) else HashTrieMap(value)

    def __hash__(self) -> int:  # type: ignore[override]
        return hash(frozenset(self.items()))

    def insert(self, key: Key, value: Value) -> HashTrieMap[Key, Value]:
        return HashTrieMap({**self, key: value})

    def remove(self, key: Key) -> HashTrieMap[Key, Value]:
        self[key]  # a missing key is a KeyError
        return self.discard(key)

    def discard(self, key: Key) -> HashTrieMap[Key, Value]:
        return HashTrieMap({other: value for other, value in self.items() if other != key})

    def update(  # type: ignore[override]
        self, *others: Mapping[Key, Value] | Iterable[tuple[Key, Value]]
    ) -> HashTrieMap[Key, Value]:
        changed = dict(self)
        for other in others:
            changed.update(other)
        return HashTrieMap(changed)


class HashTrieSet(frozenset[Key]):
    def insert(self, value: Key) -> HashTrieSet[Key]:
        return HashTrieSet(self | {value})

    def remove(self, value: Key) -> HashTrieSet[Key]:
        if value not in self:
            raise KeyError(value)
        return self.discard(value)

    def discard(self, value: Key) -> HashTrieSet[Key]:
        return HashTrieSet(self - {value})

    def update(self, *others: Iterable[Key]) -> HashTrieSet[Key]:
        return HashTrieSet(self.union(*others))


class List(tuple[Value, ...]):
    """A tuple that grows at the front."""

    def push_front(self, value: Value) -> List[Value]:
        return List((value, *self))

    @property
    def first(self) -> Value:
        return self[0]

    @property
    def rest(self) -> List[Value]:
        return List(self[1:])
