"""Cards are numbers; their bull heads are data.

>>> heads(55), heads(33), heads(40), heads(15), heads(8)
(7, 5, 3, 2, 1)
>>> sum(heads(card) for card in range(1, 105))
171
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Final, TypeAlias

from .errors import NotationError, RulesError
from .files import shown

__all__ = [
    "CONTAINING_5_HEADS",
    "EMPTY",
    "LAST_CARD",
    "PRINTED_HEADS",
    "TEAM",
    "Card",
    "Cards",
    "Seat",
    "cards_text",
    "cheapest",
    "heads",
    "is_seat_letter",
    "seat_letter",
    "seat_number",
    "seat_of_letter",
]


Card: TypeAlias = int
Seat: TypeAlias = int
#: The cards of a row, hand or pile, first card first. A skipped field of the board game is `EMPTY`.
Cards: TypeAlias = tuple[int, ...]

#: An empty field between two tiles (board game only). No card has this number.
EMPTY: Final = 0

LAST_CARD: Final = 104


def _heads(card: Card, two_heads_containing_5: bool) -> int:
    """Bull heads by the formula of the classic rules ("Material")."""
    if card == 55:
        return 7
    if card % 11 == 0:
        return 5
    if card % 10 == 0:
        return 3
    if card % 5 == 0 or (two_heads_containing_5 and "5" in str(card)):
        return 2
    return 1


#: Printed bull heads by card number (R-C2); index 0 is unused.
PRINTED_HEADS: Final = (0, *(_heads(card, False) for card in range(1, LAST_CARD + 1)))
#: The same under edition 002's loose wording: every card *containing* a 5 (51, 52, …) has 2 heads.
CONTAINING_5_HEADS: Final = (0, *(_heads(card, True) for card in range(1, LAST_CARD + 1)))


def heads(card: Card) -> int:
    """Bull heads printed on a card of the classic deck."""
    return PRINTED_HEADS[card]


def cheapest(rows: Sequence[Sequence[Card]], among: Sequence[int], cost: Callable[[int], int]) -> int:
    """The cheapest-row policy (R-C4): the least cost, then the highest last card.

    >>> rows = ((12, 14), (37,), (43,), (58, 61))
    >>> cheapest(rows, range(4), lambda row: len(rows[row])), cheapest(rows, (0, 3), lambda row: len(rows[row]))
    (2, 3)
    """
    return min(among, key=lambda row: (cost(row), -rows[row][-1] if rows[row] else 0))


#: The seat of a team that decides together. It has no hand; notation writes `T`.
TEAM: Final = -1


def seat_letter(seat: Seat) -> str:
    """The letter of a seat: A, B, C, …, and T for a team.

    >>> seat_letter(0), seat_letter(9), seat_letter(TEAM)
    ('A', 'J', 'T')
    """
    return "T" if seat == TEAM else chr(ord("A") + seat)


def seat_of_letter(letter: str) -> Seat:
    """The seat with this letter.

    >>> seat_of_letter("B"), seat_of_letter("T") == TEAM
    (1, True)
    """
    if not is_seat_letter(letter):
        raise NotationError("engine.seat_letter", got=repr(letter[:40]))
    return TEAM if letter == "T" else ord(letter) - ord("A")


def is_seat_letter(text: str) -> bool:
    """Whether this is the letter of a seat.

    >>> is_seat_letter("B"), is_seat_letter("AB"), is_seat_letter("b")
    (True, False, False)
    """
    return len(text) == 1 and "A" <= text <= "Z"


def seat_number(seat: Seat | str, players: int, *, team: bool = False) -> Seat:
    """A seat given by number or letter, as a number; an error if the table has no such seat. With `team`, `TEAM` too.

    >>> seat_number("b", 4), seat_number(3, 4), seat_number("T", 4, team=True) == TEAM
    (1, 3, True)
    """
    number = seat
    if isinstance(seat, str) and is_seat_letter(seat.upper()):
        number = seat_of_letter(seat.upper())
    if team and number == TEAM:
        return TEAM
    if isinstance(number, bool) or not isinstance(number, int) or not 0 <= number < players:
        raise RulesError("shared.no_seat_to", who=shown(seat), last=seat_letter(players - 1), most=players - 1)
    return number


def cards_text(cards: Iterable[Card]) -> str:
    """Cards as text, with `-` for a skipped field.

    >>> cards_text((12, 14, 15))
    '12 14 15'
    """
    return " ".join("-" if card == EMPTY else str(card) for card in cards)
