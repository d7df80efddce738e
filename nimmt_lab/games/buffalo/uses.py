"""The team's options before a placement: every legal use of a special card.

Sorting the cards of six players and the buffalo alone has 5,040 orders, so the uses of one special card are not listed
but computed: they know how many there are, which is the n-th, and whether a use is among them.
"""

from __future__ import annotations

import re
from bisect import bisect
from collections.abc import Sequence
from dataclasses import field
from itertools import accumulate
from math import factorial
from typing import ClassVar, Final, Protocol, overload

from nimmt_lab.engine.cards import Card, Cards, Seat, seat_letter, seat_of_letter
from nimmt_lab.engine.decisions import Choice, ChooseCard, Decision, Option
from nimmt_lab.engine.errors import NotationError
from nimmt_lab.engine.files import shown
from nimmt_lab.engine.rule import Rule
from nimmt_lab.engine.values import value

from .parts import Special

# The choices ---------------------------------------------------------------------------------------------


class Use(Option):
    """A choice of the team. `kind` is the special card it uses up, None if it uses none."""

    __slots__ = ()

    kind: ClassVar[Special | None] = None


@value
class Pass(Use):
    """Let the next card be placed (or the next turn begin)."""

    def __str__(self) -> str:
        return "pass"


@value
class RowUse(Use):
    """A use that names a row."""

    row: int

    def __str__(self) -> str:
        return f"{self.kind or 'lift'}@{self.row + 1}"


class SevenTakes(RowUse):
    """Lay 7 takes! left of a row."""

    __slots__ = ()
    kind = Special.SEVEN_TAKES


class Stop(RowUse):
    """Lay Stop! left of a row."""

    __slots__ = ()
    kind = Special.STOP


class LiftStop(RowUse):
    """Take the Stop! off a row."""

    __slots__ = ()


class Insert(RowUse):
    """Put the card that is placed next into that row, where it keeps the row ascending."""

    __slots__ = ()
    kind = Special.INSERT


@value
class Push(Use):
    """Move `card` from its row into `row`, where it keeps the row ascending."""

    card: Card
    row: int
    kind = Special.PUSH

    def __str__(self) -> str:
        return f"push:{self.card}@{self.row + 1}"


@value
class Swap(Use):
    """Let that seat take its revealed card back. The seat alone says which card it places instead (R-B18)."""

    seat: Seat
    kind = Special.SWAP

    def __str__(self) -> str:
        return f"swap:{seat_letter(self.seat)}"


@value
class OrderUse(Use):
    """A use that moves the revealed card of a seat."""

    seat: Seat
    second: bool = False

    def __str__(self) -> str:
        return f"{self.kind}:{seat_letter(self.seat)}{'+' * self.second}"


class First(OrderUse):
    """Place that seat's card next or, with `second`, directly after the one set first before (R-B17)."""

    __slots__ = ()
    kind = Special.FIRST


class Last(OrderUse):
    """Place that seat's card last or, with `second`, directly before the one set last before (R-B17)."""

    __slots__ = ()
    kind = Special.LAST


@value
class Sort(Use):
    """Place all remaining cards in this order."""

    order: tuple[Card, ...]
    kind = Special.SORT

    def __str__(self) -> str:
        return "sort:" + "-".join(map(str, self.order))


# The uses of one special card ----------------------------------------------------------------------------


class Uses(Protocol):
    """All uses of one kind: a tuple, or a sequence that is computed."""

    def __len__(self) -> int: ...
    def __getitem__(self, at: int, /) -> Use: ...
    def __contains__(self, use: object, /) -> bool: ...


@value
class Pushes:
    """Any card of any open row into any other open row. Rows ascend, so it fits in exactly one place (R-B7)."""

    #: The rows that are not stopped (R-B10), with their cards.
    rows: tuple[tuple[int, Cards], ...]

    def __len__(self) -> int:
        return sum(len(cards) for _, cards in self.rows) * (len(self.rows) - 1)

    def __getitem__(self, at: int) -> Use:
        if at < len(self):
            card_at, target = divmod(at, len(self.rows) - 1)
            for place, (_, cards) in enumerate(self.rows):
                if card_at < len(cards):
                    return Push(cards[card_at], self.rows[target + (target >= place)][0])
                card_at -= len(cards)
        raise IndexError(at)

    def __contains__(self, use: object) -> bool:
        if not isinstance(use, Push) or not any(use.row == row for row, _ in self.rows):
            return False
        return any(use.card in cards and use.row != row for row, cards in self.rows)


@value
class Sorts:
    """Every order of the cards still to be placed."""

    cards: Cards

    def __len__(self) -> int:
        return factorial(len(self.cards))

    def __getitem__(self, at: int) -> Use:
        if at >= len(self):
            raise IndexError(at)
        left, order = list(self.cards), []
        for size in range(len(left), 0, -1):
            place, at = divmod(at, factorial(size - 1))
            order.append(left.pop(place))
        return Sort(tuple(order))

    def __contains__(self, use: object) -> bool:
        return isinstance(use, Sort) and sorted(use.order) == sorted(self.cards)


@value
class AllUses(Sequence[Choice]):
    """The uses of all special cards, one kind after the other, as a lazy sequence."""

    parts: tuple[Uses, ...]

    def __len__(self) -> int:
        return sum(map(len, self.parts))

    @overload
    def __getitem__(self, at: int) -> Choice: ...
    @overload
    def __getitem__(self, at: slice) -> tuple[Choice, ...]: ...
    def __getitem__(self, at: int | slice) -> Choice | tuple[Choice, ...]:
        if isinstance(at, slice):
            return tuple(self[place] for place in range(*at.indices(len(self))))
        ends = [0, *accumulate(map(len, self.parts))]
        place = at + ends[-1] if at < 0 else at
        if not 0 <= place < ends[-1]:
            raise IndexError(at)
        which = bisect(ends, place) - 1
        return self.parts[which][place - ends[which]]

    def __contains__(self, choice: object) -> bool:
        return any(choice in part for part in self.parts)


# The decisions -------------------------------------------------------------------------------------------

_WRITTEN = re.compile(
    r"(?:(?P<before>-|[0-9]{1,4})!)?(?P<name>[a-z_]+)(?::(?P<what>[A-Za-z0-9+-]+))?(?:@(?P<row>[0-9]))?"
)
_ON_ROW: Final = {"seven_takes": SevenTakes, "stop": Stop, "lift": LiftStop, "insert": Insert}
_IN_ORDER: Final = {"first": First, "last": Last}


@value
class UseSpecials(Decision):
    """The team may use special cards, or lift a Stop!, before `before` is placed (None: before the next turn).

    Notation puts that card in front, so that passes can be left out: `25!stop@2`.
    """

    rule: Rule = field()
    before: Card | None = field()
    options: AllUses = field()

    @property
    def default(self) -> Choice:
        return Pass()

    def write(self, choice: Choice) -> str:
        return f"{self.before or '-'}!{choice}"

    def read(self, text: str) -> Choice:
        match = _WRITTEN.fullmatch(text)
        if not match:
            raise NotationError("buffalo.expected_use_special", got=shown(text))
        before, name, what, row = match.group("before", "name", "what", "row")
        if before is not None and before != str(self.before or "-"):
            next_card = self.before or "not revealed yet"
            raise NotationError("buffalo.another_moment_next", text=shown(text), next_card=next_card)
        use = _read_use(name, what or "", None if row is None else int(row) - 1)
        if use is None:
            raise NotationError("buffalo.cannot_read_use", text=shown(text))
        return use


@value
class ChooseSwap(ChooseCard):
    """The swapping seat names, on its own, the card it places at once instead of `back` (R-B18): `A61>80`."""

    back: Card

    prefix: ClassVar[str] = ">"
    read = Decision.read


def swap_of_format_1(text: str) -> tuple[str, Seat, Card] | None:
    """Read a swap as record format 1 wrote it (`25!swap:B40`): the team's word, the seat and its card.

    None for any other text.
    """
    match = re.fullmatch(r"((?:[0-9]{1,4}!)?swap:([A-Za-z]))([0-9]{1,4})", text)
    return (match[1], seat_of_letter(match[2].upper()), int(match[3])) if match else None


def _read_use(name: str, what: str, row: int | None) -> Use | None:
    if row is not None:
        if name == "push" and _is_card(what):
            return Push(int(what), row)
        return _ON_ROW[name](row) if name in _ON_ROW and not what else None
    if name == "pass" and not what:
        return Pass()
    if name == "swap" and len(what) == 1 and what.isalpha():
        return Swap(seat_of_letter(what.upper()))
    if name in _IN_ORDER and what[:1].isalpha() and what[1:] in ("", "+"):
        return _IN_ORDER[name](seat_of_letter(what[0].upper()), what[1:] == "+")
    if name == "sort" and all(map(_is_card, what.split("-"))):
        return Sort(tuple(map(int, what.split("-"))))
    return None


def _is_card(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) <= 4
