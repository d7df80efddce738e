"""The Number Twister (rules: fan-cards): once a round, a two-digit card counts with its digits swapped."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import ClassVar

from nimmt_lab.engine.cards import Card, Cards, Seat, seat_letter
from nimmt_lab.engine.decisions import CardOption
from nimmt_lab.engine.errors import NotationError, PositionError, RulesError
from nimmt_lab.engine.events import Event
from nimmt_lab.engine.files import shown
from nimmt_lab.engine.play import Play
from nimmt_lab.engine.rule import Rule
from nimmt_lab.engine.sentences import Phrase
from nimmt_lab.engine.table import LiveTable
from nimmt_lab.engine.values import value
from nimmt_lab.games.classic.fan_card import FanCard, Marker, Markers

__all__ = ["CardRegainedValue", "CardTwisted", "NumberTwister", "Twist", "TwisterMarker", "TwisterRule", "twisted"]


class TwisterRule(Rule):
    SETUP = ("number_twister.setup", "R-F3")
    TWIST = ("number_twister.twist", "R-F2", "R-F4", "R-F5")
    OWN_VALUE = ("number_twister.own_value",)


def twisted(card: Card) -> int:
    """Swap the digits of a card; a single digit gets a leading zero.

    >>> twisted(31), twisted(90), twisted(55), twisted(5)
    (13, 9, 55, 50)
    """
    return card % 10 * 10 + card // 10


@value
class Twist(CardOption):
    """Play `card` with the twister; written `24~`."""

    card: Card

    def play(self, seat: Seat) -> Play:
        return Play(twisted(self.card), False, seat, self.card)

    def __str__(self) -> str:
        return f"{self.card}~"


@dataclass(frozen=True, slots=True)
class TwisterMarker(Marker):
    """The seats whose twister is unused."""

    unused: tuple[Seat, ...]

    def to_json(self) -> dict[str, object]:
        return {"unused": [seat + 1 for seat in self.unused]}


@value
class CardTwisted(Event):
    """A seat used its twister: `card` counts as `value` while it is placed."""

    seat: Seat
    card: Card
    value: int


@value
class CardRegainedValue(Event):
    """A twisted card is in `row` and counts as its own number again, no longer as `value`."""

    seat: Seat
    card: Card
    row: int
    value: int


@dataclass(frozen=True)
class NumberTwister(FanCard[TwisterMarker]):
    """Everybody has a twister. `comes_back` says when a used one returns: `round`, `game` (never), or by `edition`:
    each round, but once a game in edition 003 (R-F3). With `single_digits`, 1 to 9 may also be twisted, 05 to 50
    (R-F2).

    >>> from nimmt_lab import Classic
    >>> game = Classic(players=2, fan_cards=(NumberTwister(),))
    >>> state = game.from_position("5 | 15 17 19 21 23 | 60 | 38 41 ; A: 24 ; B: 99")
    >>> [str(option) for option in state.pending[0].options]
    ['24', '24~']
    >>> state, events = state.choose({0: Twist(24), 1: 99})
    >>> events[1], events[3]  # doctest: +NORMALIZE_WHITESPACE
    (CardTwisted(rule=TwisterRule.TWIST, seat=0, card=24, value=42),
     CardRegainedValue(rule=TwisterRule.OWN_VALUE, seat=0, card=24, row=3, value=42))
    """

    comes_back: str = "edition"
    single_digits: bool = False

    name: ClassVar[str] = "number_twister"
    marker: ClassVar[type[Marker]] = TwisterMarker
    setup_rule: ClassVar[Rule] = TwisterRule.SETUP
    keeps_rows_ascending: ClassVar[bool] = False

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.comes_back not in ("edition", "round", "game"):
            raise RulesError("number_twister.comes_back", got=shown(self.comes_back))

    def setup(self, table: LiveTable, last_round: TwisterMarker | None, edition: str) -> TwisterMarker:
        if last_round is not None:
            return last_round
        placing = {play.seat for play in table.queue if not play.plain}
        return TwisterMarker(tuple(seat for seat in range(table.game.players) if seat not in placing))

    def left_over(self, marker: TwisterMarker, edition: str) -> TwisterMarker | None:
        once_a_game = edition == "003" if self.comes_back == "edition" else self.comes_back == "game"
        return marker if once_a_game else None

    def ways(self, hand: Cards) -> Sequence[CardOption]:
        # 1 to 9 have no second digit (R-F2), 100 to 104 have three. 11, 22, … may be twisted (R-F5).
        lowest = 1 if self.single_digits else 10
        return tuple([Twist(card) for card in hand if lowest <= card <= 99])

    def plays(self, marker: TwisterMarker, seat: Seat, hand: Cards) -> Sequence[CardOption]:
        return self.ways(hand) if seat in marker.unused else ()

    def revealed(self, table: LiveTable, marker: TwisterMarker, plays: Iterable[Play]) -> None:
        users = [play for play in plays if not play.plain]
        if not users:
            return
        used = {play.seat for play in users}
        left = TwisterMarker(tuple(seat for seat in marker.unused if seat not in used))
        table.extra = Markers.of(table).moved(left)
        for play in users:
            table.emit(CardTwisted(TwisterRule.TWIST, play.seat, play.card, play.value))

    def landed(self, table: LiveTable, play: Play, row: int) -> None:
        if not play.plain:
            table.emit(CardRegainedValue(TwisterRule.OWN_VALUE, play.seat, play.card, row, play.value))

    def table_note(self, marker: TwisterMarker, lang: str = "en") -> str:
        return f"⇄ {Phrase('number_twister.not_used', seats=self.write(marker)).translate(lang)}"

    def write(self, marker: TwisterMarker) -> str:
        return " ".join(map(seat_letter, marker.unused)) or "-"

    def read(self, text: str, table: LiveTable) -> TwisterMarker:
        unused: set[Seat] = set()
        for word in text.replace(",", " ").split():
            seat = ord(word.upper()) - ord("A") if len(word) == 1 and word.isascii() else -1
            if word == "-":
                continue
            if not 0 <= seat < table.game.players:
                raise NotationError("number_twister.expected_seats", got=shown(word))
            unused.add(seat)
        for play in table.queue:
            if not play.plain and play.seat in unused:
                raise PositionError("number_twister.used_on", who=seat_letter(play.seat), card=play.card)
        return TwisterMarker(tuple(sorted(unused)))
