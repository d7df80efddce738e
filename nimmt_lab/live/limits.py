"""How much one page, and one address of the network, may ask for."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass
from typing import Final

#: The longest message of a page, in bytes, before and after it has joined.
LONGEST_STRANGER: Final = 1_000
LONGEST: Final = 16_000
#: Messages a second of one page in the long run, and at once. Frames without a message, such as pings, count too.
RATE: Final = 12.0
BURST: Final = 60.0
#: Wrong codes that cost nothing, and the seconds that each further one costs, up to a longest wait.
FREE_TRIES: Final = 5
WAIT: Final = 2.0
LONGEST_WAIT: Final = 60.0
#: New names from one address, and addresses that are remembered.
MOST_NAMES: Final = 8
MOST_ADDRESSES: Final = 2_000
#: Connections from one address, and in all.
MOST_CONNECTIONS: Final = 40
MOST_OPEN: Final = 900
#: New connections and requests of one address a second in the long run, and at once: a page needs up to ten, and a
#: class behind one router reloads together.
KNOCK_RATE: Final = 20.0
KNOCK_BURST: Final = 300.0
#: Pages of one pupil.
MOST_PAGES: Final = 4
#: Bytes of the journal that one pupil may fill.
MOST_KEPT: Final = 4_000_000
#: Seconds in which a page must say who it is.
PATIENCE: Final = 20.0
#: Bytes that wait for a page that does not read them.
MOST_UNREAD: Final = 2_000_000


class Bucket:
    """A token bucket.

    >>> bucket = Bucket(1.0, 2.0, now=0.0)
    >>> [bucket.spend(0.0), bucket.spend(0.0), bucket.spend(0.0), bucket.spend(1.0)]
    [True, True, False, True]
    """

    def __init__(self, rate: float, most: float, now: float) -> None:
        self._rate, self._most, self._left, self._at = rate, most, most, now

    def spend(self, now: float, cost: float = 1.0) -> bool:
        self._left = min(self._most, self._left + self._rate * max(0.0, now - self._at))
        self._at = now
        if self._left < cost:
            return False
        self._left -= cost
        return True


class Knocks:
    """Slows down connections and requests by address.

    >>> knocks = Knocks()
    >>> sum(knocks.may("10.0.0.9", now=0.0) for _ in range(1000)), knocks.may("10.0.0.8", now=0.0)
    (300, True)
    """

    def __init__(self) -> None:
        self._known: OrderedDict[str, Bucket] = OrderedDict()

    def may(self, address: str, now: float) -> bool:
        bucket = self._known.setdefault(address, Bucket(KNOCK_RATE, KNOCK_BURST, now))
        self._known.move_to_end(address)
        if len(self._known) > MOST_ADDRESSES:
            self._known.popitem(last=False)
        return bucket.spend(now)


@dataclass
class _Address:
    wrong: int = 0
    until: float = 0.0
    names: int = 0


class Door:
    """Slows down wrong codes, by address, and counts the names that come from it.

    >>> door = Door()
    >>> for _ in range(6): door.wrong("10.0.0.9", now=0.0)
    >>> door.wait("10.0.0.9", now=0.0), door.wait("10.0.0.8", now=0.0)
    (2.0, 0.0)
    """

    def __init__(self) -> None:
        self._known: OrderedDict[str, _Address] = OrderedDict()

    def _of(self, address: str) -> _Address:
        known = self._known.setdefault(address, _Address())
        self._known.move_to_end(address)
        if len(self._known) > MOST_ADDRESSES:
            self._known.popitem(last=False)
        return known

    def wait(self, address: str, now: float) -> float:
        """The seconds until this address may try again."""
        return max(0.0, self._of(address).until - now)

    def wrong(self, address: str, now: float) -> None:
        known = self._of(address)
        known.wrong += 1
        if (over := known.wrong - FREE_TRIES) > 0:
            known.until = now + min(LONGEST_WAIT, WAIT * 2 ** min(over - 1, 10))

    def right(self, address: str) -> None:
        """A right code; earlier slips are forgotten. Guessers gain nothing: they would have to know the code."""
        self._of(address).wrong = 0

    def may_name(self, address: str) -> bool:
        """Whether a new name may come from this address."""
        return self._of(address).names < MOST_NAMES

    def named(self, address: str) -> None:
        self._of(address).names += 1
