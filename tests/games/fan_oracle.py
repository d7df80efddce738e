"""A second implementation of the fan cards, written from the sentences on their page, to check the engine.

It shares no code with the package: rows are lists, markers a dictionary, and seats and rows count from 0.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field


@dataclass
class OracleTable:
    rows: list[list[int]]
    #: (row, "even" | "odd"), (row, "up" | "down"), row; None if the card is not in the game.
    even_odd: tuple[int, str] | None = None
    mountain: tuple[int, str] | None = None
    cow: int | None = None
    taken: dict[int, list[int]] = field(default_factory=dict)
    placed: list[tuple[int, int]] = field(default_factory=list)

    def may_receive(self, row: int, value: int) -> bool:
        end = self.rows[row][-1]
        if self.even_odd and self.even_odd[0] == row and (value % 2 == 0) != (self.even_odd[1] == "even"):
            return False
        if self.mountain and self.mountain[0] == row:
            return value < end
        return value > end

    def belongs_to(self, value: int) -> int | None:
        able = [row for row in range(4) if self.may_receive(row, value)]
        if not able:
            return None
        mountain = self.mountain[0] if self.mountain else -1
        return sorted(able, key=lambda row: (abs(self.rows[row][-1] - value), row != mountain))[0]

    def cards_in(self, row: int) -> int:
        return len(self.rows[row]) + (1 if self.cow == row else 0)

    def lowest_other(self, row: int) -> int:
        ends = {self.rows[other][-1]: other for other in range(4) if other != row}
        return ends[min(ends)]

    def a_row_was_taken(self) -> None:
        if self.even_odd:
            to = self.lowest_other(self.even_odd[0])
            self.even_odd = (to, "even" if self.rows[to][-1] % 2 == 0 else "odd")
        if self.mountain:
            row, arrows = self.mountain
            row += -1 if arrows == "up" else 1
            self.mountain = (row, {0: "down", 3: "up"}.get(row, arrows))

    def cow_leaves(self, seat: int) -> None:
        assert self.cow is not None
        self.cow = self.lowest_other(self.cow)
        if self.cards_in(self.cow) == 6:
            cards = self.rows[self.cow]
            highest = max(cards)
            cards.remove(highest)
            self.taken.setdefault(seat, []).extend(cards)
            self.rows[self.cow] = [highest]
            self.a_row_was_taken()
            self.cow_leaves(seat)

    def play(self, seat: int, card: int, value: int, choose: Callable[[int], int]) -> None:
        row = self.belongs_to(value)
        took = row is None or self.cards_in(row) == 5
        if row is None:
            row = choose(seat)
        if took:
            self.taken.setdefault(seat, []).extend(self.rows[row])
            self.rows[row] = []
        self.rows[row].append(card)
        self.placed.append((card, row))
        if took:
            self.a_row_was_taken()
        if row == self.cow:
            self.cow_leaves(seat)

    def turn(self, plays: Sequence[tuple[int, int, bool]], choose: Callable[[int], int]) -> None:
        """`plays`: seat, card, whether twisted."""

        def value(card: int, twisted: bool) -> int:
            return int(str(card)[::-1]) if twisted else card

        ordered = sorted(plays, key=lambda play: (value(play[1], play[2]), not play[2], play[0]))
        for seat, card, twisted in ordered:
            self.play(seat, card, value(card, twisted), choose)
