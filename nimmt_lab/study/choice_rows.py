"""Every choice of a game as a row: the table as the seat saw it, the choice, and its cost.

>>> from nimmt_lab import Classic, Record
>>> start = "12 14 15 16 18 | 37 | 43 | 58 61 ; A: 19 104 ; B: 3 103 ; C: 4 102"
>>> record = Record(Classic(players=3, rounds=1), ({0: 19, 1: 103, 2: 102},), start=start)
>>> [(row.card, row.gap, row.between, row.took, row.cost) for row in choice_rows(record.steps)]
[(19, 1, 0, 1, 6), (103, 42, 41, 0, 0), (102, 41, 40, 0, 0)]
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import groupby
from typing import NamedTuple

from nimmt_lab.engine.cards import Seat
from nimmt_lab.engine.decisions import ChooseCard, ChooseRow
from nimmt_lab.engine.events import CardPlaced, RowTaken
from nimmt_lab.engine.record import Step
from nimmt_lab.engine.view import View

#: `ChoiceRow.kind` and `ChoiceRow.took`, by number.
KINDS = ("card", "row")
TAKES = ("nothing", "full row", "low card")


class ChoiceRow(NamedTuple):
    """One choice. Rows of the table and turns count from 1, rounds and seats from 0."""

    round: int
    seat: Seat
    turn: int
    #: 0: a card, 1: the row that a low card takes.
    kind: int
    card: int
    #: The card's place in the hand, from the lowest; 0 for the choice of a row.
    rank: int
    #: The row where the card belongs on the table as it is (0: none), or the row chosen.
    home: int
    #: The distance from the last card of that row; 0 if there is none.
    gap: int
    #: How many of the numbers between this seat has not seen; for a low card, of those below it.
    between: int
    #: By row, its last card, number of cards and heads.
    ends: tuple[int, ...]
    counts: tuple[int, ...]
    heads: tuple[int, ...]
    #: The row where the card was placed.
    landed: int
    #: 0: nothing, 1: a full row, 2: a row for a low card.
    took: int
    #: The heads taken for this card.
    cost: int
    #: The seat's heads of the round.
    all_heads: int
    #: How many share the win of the round, if the seat does; otherwise 0.
    winners: int


def choice_rows(steps: Iterable[Step], hidden: Iterable[Seat] = ()) -> Iterator[ChoiceRow]:
    """The choices of cards and rows, round by round; those of hidden hands and other choices are left out."""
    left_out = frozenset(hidden)
    for _, played in groupby(steps, key=lambda step: step.before.round):
        yield from _round(list(played), left_out)


def _round(steps: list[Step], hidden: frozenset[Seat]) -> list[ChoiceRow]:
    made = list[ChoiceRow]()
    #: The places in `made` of each seat's choices in this turn.
    now: dict[Seat, list[int]] = {}
    heads = dict.fromkeys(range(steps[0].before.game.players), 0) if steps else {}
    turn = -1
    for step in steps:
        if step.before.turn != turn:
            turn, now = step.before.turn, {}
        choosers = set()
        for seat, choice in step.choices.items():
            decision = step.before.pending[seat]
            if seat < 0 or not isinstance(choice, int) or not isinstance(decision, ChooseCard | ChooseRow):
                continue
            if isinstance(decision, ChooseRow):
                choosers.add(seat)
            if seat not in hidden and (row := _row(step.before.view(seat), choice)) is not None:
                now.setdefault(seat, []).append(len(made))
                made.append(row)
        for event in step.events:
            if isinstance(event, RowTaken) and event.seat in heads:
                heads[event.seat] += event.heads
                for at in now.get(event.seat, ()):
                    took = 2 if event.seat in choosers else 1
                    made[at] = made[at]._replace(took=took, cost=made[at].cost + event.heads)
            elif isinstance(event, CardPlaced):
                for at in now.get(event.seat, ()):
                    made[at] = made[at]._replace(landed=event.row + 1)
    best = min(heads.values(), default=0)
    winners = sum(taken == best for taken in heads.values())
    return [row._replace(all_heads=heads[row.seat], winners=winners if heads[row.seat] == best else 0) for row in made]


def _row(view: View, choice: int) -> ChoiceRow | None:
    """The choice without its outcome; None where there is no table yet."""
    rows = view.rows
    if not rows or not all(rows):
        return None
    kind, card, rank, home, gap, between = 1, 0, 0, choice, 0, 0
    if isinstance(view.decision, ChooseCard):
        found = view.game.home_row(view, choice)
        end = 0 if found is None else rows[found][-1]
        low, high = sorted((end, choice))
        kind, card, home = 0, choice, -1 if found is None else found
        rank = 1 + sum(other < choice for other in view.hand)
        gap = 0 if found is None else abs(choice - end)
        between = sum(low < other < high for other in view.unseen)
    else:
        mine = [play.card for play in view.queue if play.seat == view.seat]
        card = mine[0] if mine else 0
    heads = tuple(view.game.heads_in(row) for row in rows)
    ends, counts = tuple(row[-1] for row in rows), tuple(len(row) for row in rows)
    fixed = view.round, view.seat, view.turn + 1, kind, card, rank, home + 1, gap, between
    return ChoiceRow(*fixed, ends, counts, heads, 0, 0, 0, 0, 0)
