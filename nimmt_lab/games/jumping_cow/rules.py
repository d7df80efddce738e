"""The Jumping Cow (rules: fan-cards): a cow takes up a place in a row and jumps on when somebody joins it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from nimmt_lab.engine.events import Event
from nimmt_lab.engine.rule import Rule
from nimmt_lab.engine.sentences import Phrase
from nimmt_lab.engine.table import LiveTable
from nimmt_lab.engine.values import value
from nimmt_lab.games.classic.fan_card import FanCard, Marker, Move, RowEnds, Take, lowest_end

__all__ = ["CowJumped", "CowMarker", "JumpingCow", "JumpingCowRule"]


class JumpingCowRule(Rule):
    SETUP = ("jumping_cow.setup",)
    COUNTS = ("jumping_cow.counts",)
    JUMP = ("jumping_cow.jump",)
    MAKES_SIX = ("jumping_cow.six",)


@dataclass(frozen=True, slots=True)
class CowMarker(Marker):
    """The cow is at the end of `row`."""

    row: int


@value
class CowJumped(Event):
    """The cow left `old_row` for `row`, whose last card `end` was lowest; `taken`: `old_row` was taken."""

    old_row: int
    row: int
    end: int
    taken: bool


@dataclass(frozen=True)
class JumpingCow(FanCard[CowMarker]):
    """The cow counts as a card of its row; when its row gets a card or is taken, it jumps.

    >>> from nimmt_lab import Classic
    >>> game = Classic(players=2, fan_cards=(JumpingCow(),))
    >>> state = game.from_position("3 | 20 21 22 23 24 | 101 | 50 53 ; A: 5 77 ; B: 103 99 ; jumping_cow: 1")
    >>> state, events = state.choose({0: 5, 1: 103})
    >>> events[2]  # onto five numbers: that makes six, and A takes all but the highest
    CowJumped(rule=JumpingCowRule.JUMP, old_row=0, row=1, end=24, taken=False)
    >>> state.piles[0], state.rows[1], state.position.sections
    ((20, 21, 22, 23), (24,), {'jumping_cow': '1'})
    """

    name: ClassVar[str] = "jumping_cow"
    marker: ClassVar[type[Marker]] = CowMarker
    setup_rule: ClassVar[Rule] = JumpingCowRule.SETUP
    least_rows: ClassVar[int] = 2
    least_limit: ClassVar[int] = 2

    def setup(self, table: LiveTable, last_round: CowMarker | None, edition: str) -> CowMarker:
        return CowMarker(lowest_end([cards[-1] for cards in table.rows]))

    def occupies(self, marker: CowMarker, row: int) -> int:
        return 1 if row == marker.row else 0

    def moves(self, marker: CowMarker, table: RowEnds, row: int, *, took: bool) -> Move[CowMarker] | None:
        if row != marker.row:
            return None
        to = lowest_end(table.ends, without=row)
        if table.counts[to] < table.limit:
            return Move(CowMarker(to))
        # Five numbers and the cow make six. With other fan cards the highest card may not be the last.
        return Move(CowMarker(to), Take(to, table.highest(to), JumpingCowRule.MAKES_SIX))

    def moved(self, old: CowMarker, new: CowMarker, table: RowEnds, row: int, *, took: bool) -> Event:
        return CowJumped(JumpingCowRule.JUMP, old.row, new.row, table.ends[new.row], took)

    def note(self, marker: CowMarker, row: int, lang: str = "en") -> str:
        return f"♉ {Phrase('jumping_cow.cow').translate(lang)}" if row == marker.row else ""

    def read(self, text: str, table: LiveTable) -> CowMarker:
        (row,) = self.read_words(text, "a row")
        return CowMarker(self.read_row(row, table))
