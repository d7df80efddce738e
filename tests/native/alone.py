"""The solo player's playout policy, stated independently and compared with the core (`alone.h`) card by card.

Every place where the buffalo's card may fall is looked at: between which ends of rows, and on which side of one's own
card. Such a card counts with two heads, and as likely as the place is wide (of 104 numbers, whatever was seen). In
eighths of a head, a card is worth

* what the buffalo takes this turn, less `OWN_HEADS` for each head of one's own;
* for the turn after, what the buffalo's next card would take: `NEXT_FULL` for each head it meets in full rows and with
  a low card, and `NEXT_THREE` in rows of three cards, which will be full soon;
* less what the cards that are left would take now: `BEST_LEFT` of the best of them, `ALL_LEFT` of the mean. A card in a
  row of four takes it if the buffalo's comes first; low cards count `LOW_LEFT` of eight;
* and `EDGE` for each 104 numbers that it is away from the middle: cards at the edges find a row ever less often.
"""

from __future__ import annotations

from itertools import pairwise
from typing import Final

from nimmt_lab.engine.cards import LAST_CARD, Card
from nimmt_lab.engine.view import View

OWN_HEADS: Final = 22
NEXT_FULL: Final = 5
NEXT_THREE: Final = 12
BEST_LEFT: Final = 6
ALL_LEFT: Final = 16
LOW_LEFT: Final = 6
EDGE: Final = 80
#: Assumed heads of an unknown card.
_ANY_HEADS: Final = 2
_PLACES: Final = 5

#: End, cards, heads.
_Row = tuple[int, int, int]


def lone_card(view: View) -> Card:
    """The card that a solo player plays; the lowest of equals.

    >>> from nimmt_lab import Buffalo
    >>> game = Buffalo(players=1)
    >>> lone_card(game.from_position("12 | 37 | 55 57 60 61 62 | 95 ; A: 38 63 ; buffalo: 50 64").view(0))
    38
    """
    rows = sorted((row[-1], len(row), view.game.heads_in(row)) for row in view.rows)
    return max(view.hand, key=lambda card: _worth(view, rows, card))


def _worth(view: View, rows: list[_Row], card: Card) -> int:
    left = [other for other in view.hand if other != card]
    heads = view.game.heads_in((card,))
    borders = sorted((0, *(end for end, _, _ in rows), card, LAST_CARD + 1))
    worth = LAST_CARD * EDGE * abs(card - LAST_CARD // 2)
    for low, high in pairwise(borders):
        if high - low < 2:
            continue
        theirs = (low + high) // 2
        if theirs < card:
            after, won = _placed(rows, theirs, _ANY_HEADS)
            after, lost = _placed(after, card, heads)
        else:
            after, lost = _placed(rows, card, heads)
            after, won = _placed(after, theirs, _ANY_HEADS)
        worth += (high - low - 1) * (LAST_CARD * (8 * won - OWN_HEADS * lost) + _prospect(after, left))
    return worth


def _placed(rows: list[_Row], card: Card, heads: int) -> tuple[list[_Row], int]:
    """The rows after that card, and the heads it took."""
    lower = [row for row in rows if row[0] < card]
    row = lower[-1] if lower else _cheapest(rows)
    others = [other for other in rows if other is not row]
    _, count, there = row
    if lower and count < _PLACES:
        return sorted([*others, (card, count + 1, there + heads)]), 0
    return sorted([*others, (card, 1, heads)]), there


def _cheapest(rows: list[_Row]) -> _Row:
    return min(rows, key=lambda row: (row[2], -row[0]))


def _prospect(rows: list[_Row], left: list[Card]) -> int:
    """The prospects of the rows for the next turn, in units of 1/(8 · 104)."""
    if not left:
        return 0
    cheap = _cheapest(rows)[2]
    full, three = (rows[0][0] - 1) * cheap, 0
    for (end, count, heads), (above, _, _) in zip(rows, [*rows[1:], (LAST_CARD + 1, 0, 0)], strict=True):
        full += (above - end - 1) * heads * (count >= _PLACES)
        three += (above - end - 1) * heads * (count == 3)
    costs = [_cost(rows, card, cheap) for card in left]
    promised = NEXT_FULL * full + (NEXT_THREE * three if len(left) > 1 else 0)
    return promised - (BEST_LEFT * min(costs) + ALL_LEFT * sum(costs) // len(left)) // 8


def _cost(rows: list[_Row], card: Card, cheap: int) -> int:
    lower = [row for row in rows if row[0] < card]
    if not lower:
        return LOW_LEFT * LAST_CARD * cheap
    end, count, heads = lower[-1]
    if count >= _PLACES:
        return 8 * LAST_CARD * heads
    return (card - end - 1) * (8 * heads + 13) if count == _PLACES - 1 else 0
