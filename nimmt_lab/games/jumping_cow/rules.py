"""The Jumping Cow (rules: fan-cards): a cow takes up a place in a row and jumps on when somebody joins it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from nimmt_lab.engine.events import Event
from nimmt_lab.engine.play import Play
from nimmt_lab.engine.rule import Rule
from nimmt_lab.engine.table import LiveTable
from nimmt_lab.engine.values import value
from nimmt_lab.games.classic.fan_card import FanCard, Marker, Markers, lowest_end

__all__ = ["CowJumped", "CowMarker", "JumpingCow", "JumpingCowRule"]


class JumpingCowRule(Rule):
    """The rules of the Jumping Cow page."""

    SETUP = ("jumping_cow.setup",)
    COUNTS = ("jumping_cow.counts",)
    JUMP = ("jumping_cow.jump",)
    MAKES_SIX = ("jumping_cow.six",)


@dataclass(frozen=True, slots=True)
class CowMarker(Marker):
    """The cow stands at the end of `row`."""

    row: int


@value
class CowJumped(Event):
    """The cow left `old_row` for `row`, whose last card `end` was the lowest of the others.

    `taken`: its old row was taken (otherwise a card was added to it).
    """

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
    order: ClassVar[int] = 3
    marker: ClassVar[type[Marker]] = CowMarker
    setup_rule: ClassVar[Rule] = JumpingCowRule.SETUP

    def setup(self, table: LiveTable, last_round: CowMarker | None, edition: str) -> CowMarker:
        return CowMarker(lowest_end(table.rows))

    def occupies(self, marker: CowMarker, row: int) -> int:
        return 1 if row == marker.row else 0

    def moves(self, table: LiveTable, marker: CowMarker, play: Play, row: int, *, took: bool) -> int | None:
        if row != marker.row:
            return None
        to = lowest_end(table.rows, without=row)
        table.extra = Markers.of(table).moved(CowMarker(to))
        cards = table.rows[to]
        table.emit(CowJumped(JumpingCowRule.JUMP, row, to, cards[-1], took))
        if len(cards) < table.game.places_in_row:
            return None
        # Five numbers and the cow make six. With other fan cards the highest need not be the last one.
        table.take(play.seat, play.card, to, JumpingCowRule.MAKES_SIX, keep=(max(cards),))
        return to

    def note(self, marker: CowMarker, row: int) -> str:
        return "♉ cow" if row == marker.row else ""

    def read(self, text: str, table: LiveTable) -> CowMarker:
        (row,) = self.read_words(text, "a row")
        return CowMarker(self.read_row(row, table))
