"""What the team may do before a placement: every legal use of a special card, described rather than listed.

Sorting the cards of six players and the buffalo alone has 5,040 ways. So the uses of one special card are a small
value that knows how many there are, which is the n-th, and whether a given one is among them.
"""

from __future__ import annotations

import re
from bisect import bisect
from collections.abc import Sequence
from dataclasses import field
from math import factorial
from typing import ClassVar, overload

from nimmt_lab.engine.cards import Card, Cards, Seat, seat_letter, seat_of_letter
from nimmt_lab.engine.decisions import Choice, ChooseCard, Decision, Option
from nimmt_lab.engine.errors import NotationError
from nimmt_lab.engine.files import shown
from nimmt_lab.engine.rule import Rule
from nimmt_lab.engine.values import value

from .parts import Special

# The choices ---------------------------------------------------------------------------------------------


class Use(Option):
    """Something the team does. `kind` is the special card it uses up; None if it uses none."""

    __slots__ = ()

    kind: ClassVar[Special | None]


@value
class Pass(Use):
    """Let the next card be placed (or the next turn begin)."""

    kind: ClassVar[Special | None] = None

    def __str__(self) -> str:
        return "pass"


@value
class SevenTakes(Use):
    """Lay 7 takes! left of a row."""

    row: int
    kind: ClassVar[Special | None] = Special.SEVEN_TAKES

    def __str__(self) -> str:
        return f"seven_takes@{self.row + 1}"


@value
class Stop(Use):
    """Lay Stop! left of a row."""

    row: int
    kind: ClassVar[Special | None] = Special.STOP

    def __str__(self) -> str:
        return f"stop@{self.row + 1}"


@value
class LiftStop(Use):
    """Take the Stop! off a row."""

    row: int
    kind: ClassVar[Special | None] = None

    def __str__(self) -> str:
        return f"lift@{self.row + 1}"


@value
class Swap(Use):
    """That seat takes its revealed card back; which of its hand it places instead, at once, it says alone (R-B18)."""

    seat: Seat
    kind: ClassVar[Special | None] = Special.SWAP

    def __str__(self) -> str:
        return f"swap:{seat_letter(self.seat)}"


@value
class Insert(Use):
    """The card now to be placed goes into that row; ascending order says where."""

    row: int
    kind: ClassVar[Special | None] = Special.INSERT

    def __str__(self) -> str:
        return f"insert@{self.row + 1}"


@value
class Push(Use):
    """Move `card` from its row into `row`; ascending order says where."""

    card: Card
    row: int
    kind: ClassVar[Special | None] = Special.PUSH

    def __str__(self) -> str:
        return f"push:{self.card}@{self.row + 1}"


@value
class First(Use):
    """That seat's card is placed next; with `second`, directly behind the one set first before (R-B17)."""

    seat: Seat
    second: bool = False
    kind: ClassVar[Special | None] = Special.FIRST

    def __str__(self) -> str:
        return f"first:{seat_letter(self.seat)}{'+' * self.second}"


@value
class Last(Use):
    """That seat's card is placed last; with `second`, directly before the one set last before (R-B17)."""

    seat: Seat
    second: bool = False
    kind: ClassVar[Special | None] = Special.LAST

    def __str__(self) -> str:
        return f"last:{seat_letter(self.seat)}{'+' * self.second}"


@value
class Sort(Use):
    """All cards still to be placed, in this order."""

    order: tuple[Card, ...]
    kind: ClassVar[Special | None] = Special.SORT

    def __str__(self) -> str:
        return "sort:" + "-".join(map(str, self.order))


# The uses of one special card ----------------------------------------------------------------------------


class Uses:
    """All uses of one kind: how many, which, and whether one is among them."""

    __slots__ = ()

    def __len__(self) -> int:
        raise TypeError(f"{type(self).__name__} has no length")

    def nth(self, at: int) -> Use:
        """The use number `at`, from 0."""
        raise TypeError(f"{type(self).__name__} has no uses")

    def has(self, use: Use) -> bool:
        """Whether that use is among these."""
        raise TypeError(f"{type(self).__name__} has no uses")


@value
class These(Uses):
    """Few enough to be listed."""

    uses: tuple[Use, ...]

    def __len__(self) -> int:
        return len(self.uses)

    def nth(self, at: int) -> Use:
        return self.uses[at]

    def has(self, use: Use) -> bool:
        return use in self.uses


@value
class Pushes(Uses):
    """Any card of any open row into any other open row: rows ascend, so it fits in exactly one place (R-B7)."""

    #: The rows that are not stopped (R-B10), with their cards.
    rows: tuple[tuple[int, Cards], ...]

    def __len__(self) -> int:
        return sum(len(cards) for _, cards in self.rows) * (len(self.rows) - 1)

    def nth(self, at: int) -> Use:
        card_at, target = divmod(at, len(self.rows) - 1)
        for place, (_, cards) in enumerate(self.rows):
            if card_at < len(cards):
                return Push(cards[card_at], self.rows[target + (target >= place)][0])
            card_at -= len(cards)
        raise IndexError(at)

    def has(self, use: Use) -> bool:
        if not isinstance(use, Push) or not any(use.row == row for row, _ in self.rows):
            return False
        return any(use.card in cards and use.row != row for row, cards in self.rows)


@value
class Sorts(Uses):
    """Every order of the cards still to be placed."""

    cards: Cards

    def __len__(self) -> int:
        return factorial(len(self.cards))

    def nth(self, at: int) -> Use:
        left = list(self.cards)
        order = []
        for size in range(len(left), 0, -1):
            place, at = divmod(at, factorial(size - 1))
            order.append(left.pop(place))
        return Sort(tuple(order))

    def has(self, use: Use) -> bool:
        return isinstance(use, Sort) and sorted(use.order) == sorted(self.cards)


@value
class AllUses(Sequence[Choice]):
    """The uses of all special cards one after the other, as a sequence that lists nothing before it is asked to."""

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
        place = at + len(self) if at < 0 else at
        ends = []
        total = 0
        for part in self.parts:
            total += len(part)
            ends.append(total)
        if not 0 <= place < total:
            raise IndexError(at)
        which = bisect(ends, place)
        return self.parts[which].nth(place - (ends[which - 1] if which else 0))

    def __contains__(self, choice: object) -> bool:
        return isinstance(choice, Use) and any(part.has(choice) for part in self.parts)


# The decisions -------------------------------------------------------------------------------------------

_WRITTEN = re.compile(
    r"(?:(?P<before>-|[0-9]{1,4})!)?(?P<name>[a-z_]+)(?::(?P<what>[A-Za-z0-9+-]+))?(?:@(?P<row>[0-9]))?"
)


@value
class UseSpecials(Decision):
    """The team may use special cards, or lift a Stop!, before `before` is placed (before the next turn, if None).

    In notation the card it is done before stands in front, so that passes can be left out: `25!stop@2`.
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
    """The seat that swaps, and it alone, names the card it places at once instead of `back` (R-B18).

    In notation it stands behind the card that goes back: `A61>80`.
    """

    back: Card

    prefix: ClassVar[str] = ">"

    def write(self, choice: Choice) -> str:
        return f"{self.prefix}{choice}"

    def read(self, text: str) -> Choice:
        return Decision.read(self, text)


def swap_of_format_1(text: str) -> tuple[str, Seat, Card] | None:
    """A swap as the first format of records wrote it, in one word (`25!swap:B40`): the word for the team, the seat, and
    the card that it named; None for anything else."""
    match = re.fullmatch(r"((?:[0-9]{1,4}!)?swap:([A-Za-z]))([0-9]{1,4})", text)
    return (match[1], seat_of_letter(match[2].upper()), int(match[3])) if match else None


def _read_use(name: str, what: str, row: int | None) -> Use | None:
    on_row = {"seven_takes": SevenTakes, "stop": Stop, "lift": LiftStop, "insert": Insert}
    if name in on_row and row is not None and not what:
        return on_row[name](row)
    if name == "push" and row is not None and _is_card(what):
        return Push(int(what), row)
    if row is not None:
        return None
    if name == "pass" and not what:
        return Pass()
    if name == "swap" and len(what) == 1 and what.isalpha():
        return Swap(seat_of_letter(what.upper()))
    if name in ("first", "last") and what[:1].isalpha() and what[1:] in ("", "+"):
        kind = First if name == "first" else Last
        return kind(seat_of_letter(what[0].upper()), what[1:] == "+")
    if name == "sort" and all(_is_card(card) for card in what.split("-")):
        return Sort(tuple(int(card) for card in what.split("-")))
    return None


def _is_card(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) <= 4
