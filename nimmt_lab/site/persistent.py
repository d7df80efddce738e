"""Collections that never change: what JSON Schema's Python asks of the package `rpds`, in plain Python.

That package is compiled from Rust, and there is none for a page. In the page this module takes its place, under its
name. Every change makes a copy, which is quick enough for the dozens of entries that are kept in them.

>>> HashTrieMap({"a": 1}).insert("b", 2).remove("a")
HashTrieMap({'b': 2})
>>> sorted(HashTrieSet([3, 1]).insert(2).discard(3)), list(List([1, 2]).push_front(0))
([1, 2], [0, 1, 2])
"""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterable, Iterator, Mapping, Set
from typing import TypeVar

Key = TypeVar("Key", bound=Hashable)
Value = TypeVar("Value")


class HashTrieMap(Mapping[Key, Value]):
    """Values by key."""

    def __init__(self, value: Mapping[Key, Value] | Iterable[tuple[Key, Value]] = (), **more: Value) -> None:
        self._of: dict[Key, Value] = dict(value, **more)

    @classmethod
    def convert(cls, value: Mapping[Key, Value] | Iterable[tuple[Key, Value]]) -> HashTrieMap[Key, Value]:
        """A map as it is, anything else as one."""
        return value if isinstance(value, HashTrieMap) else HashTrieMap(value)

    def __getitem__(self, key: Key) -> Value:
        return self._of[key]

    def __iter__(self) -> Iterator[Key]:
        return iter(self._of)

    def __len__(self) -> int:
        return len(self._of)

    def __hash__(self) -> int:
        return hash(frozenset(self._of.items()))

    def __repr__(self) -> str:
        return f"HashTrieMap({self._of})"

    def insert(self, key: Key, value: Value) -> HashTrieMap[Key, Value]:
        """The same with that value under that key."""
        return HashTrieMap({**self._of, key: value})

    def remove(self, key: Key) -> HashTrieMap[Key, Value]:
        """The same without that key, which has to be there."""
        self._of[key]  # as a dict says it
        return self.discard(key)

    def discard(self, key: Key) -> HashTrieMap[Key, Value]:
        """The same without that key."""
        return HashTrieMap({one: value for one, value in self._of.items() if one != key})

    def update(self, *others: Mapping[Key, Value] | Iterable[tuple[Key, Value]]) -> HashTrieMap[Key, Value]:
        """The same with what the others have; the last one counts."""
        found = dict(self._of)
        for other in others:
            found.update(other)
        return HashTrieMap(found)


class HashTrieSet(Set[Key]):
    """Things, each once."""

    def __init__(self, value: Iterable[Key] = ()) -> None:
        self._of = frozenset(value)

    def __contains__(self, value: object) -> bool:
        return value in self._of

    def __iter__(self) -> Iterator[Key]:
        return iter(self._of)

    def __len__(self) -> int:
        return len(self._of)

    def __hash__(self) -> int:
        return hash(self._of)

    def __repr__(self) -> str:
        return f"HashTrieSet({set(self._of)})"

    def insert(self, value: Key) -> HashTrieSet[Key]:
        """The same with that one."""
        return HashTrieSet(self._of | {value})

    def remove(self, value: Key) -> HashTrieSet[Key]:
        """The same without that one, which has to be there."""
        if value not in self._of:
            raise KeyError(value)
        return self.discard(value)

    def discard(self, value: Key) -> HashTrieSet[Key]:
        """The same without that one."""
        return HashTrieSet(self._of - {value})

    def update(self, *others: Iterable[Key]) -> HashTrieSet[Key]:
        """The same with what the others have."""
        return HashTrieSet(self._of.union(*others))


class List(Collection[Value]):
    """Things in order; new ones come first."""

    def __init__(self, value: Iterable[Value] = (), *more: Value) -> None:
        self._of = (*value, *more)

    def __contains__(self, value: object) -> bool:
        return value in self._of

    def __iter__(self) -> Iterator[Value]:
        return iter(self._of)

    def __len__(self) -> int:
        return len(self._of)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, List) and self._of == other._of

    def __hash__(self) -> int:
        return hash(self._of)

    def __repr__(self) -> str:
        return f"List({[*self._of]})"

    def push_front(self, value: Value) -> List[Value]:
        """The same with that one before all others."""
        return List((value, *self._of))

    @property
    def first(self) -> Value:
        """The first one."""
        return self._of[0]

    @property
    def rest(self) -> List[Value]:
        """All but the first."""
        return List(self._of[1:])
