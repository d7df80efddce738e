"""How the classic game is told: its rows, and what fan cards lying there make of them.

A fan card tells itself in its own `tell.py`: a sentence for its being laid and for each of its events, and a
`FanCardWords` for what it does to rows. What it leaves out is said in general words. Hints are proofs, so for them it
must bring a second reading of its rules (`INFLUENCES`); what brings none is refused.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Final, Generic, TypeAlias, TypeVar, cast

from nimmt_lab.engine.capability import Capability
from nimmt_lab.engine.events import RowTaken
from nimmt_lab.engine.rule import Rule
from nimmt_lab.engine.state import GameState
from nimmt_lab.engine.view import View
from nimmt_lab.explain.assess import HINTS
from nimmt_lab.explain.plain import plain
from nimmt_lab.explain.report import LOSSES, heads_taken
from nimmt_lab.explain.rows import ROWS, RowOption, RowReader
from nimmt_lab.explain.shared import one_too_many, taken_as
from nimmt_lab.explain.sketch import Influence, Reading
from nimmt_lab.explain.teller import Teller, tells, tells_by_rule

from .fan_card import AnyFanCard, FanCardLaid, Marker, Markers
from .rules import Classic, ClassicRule

M = TypeVar("M", bound=Marker)
C = TypeVar("C", bound=AnyFanCard)


@dataclass(frozen=True)
class FanCardWords(Generic[M]):
    """What is said of a fan card where it decides something: keys of messages."""

    #: A row that it closes ({row}, {end}) to a card, by its marker.
    closed: Callable[[M], str] = lambda marker: "fan.closed"
    #: It has come to take up a place in a row ({row}).
    came: str = "fan.came"
    #: A row is full because of it ({who}, {heads}).
    full: str = "fan.full"
    #: The row that it turns round wins a tie ({card}, {row}, {end}, {other}).
    wins_ties: str = "fan.wins_ties"


Laid: TypeAlias = Callable[[Teller, Marker], str]

#: What is said of a fan card, by its type.
FAN_CARDS: Final[Capability[FanCardWords[Any]]] = Capability("words about itself", face="tell")
#: The sentence for a fan card that is laid, by the type of its marker.
LAID: Final[Capability[Laid]] = Capability("sentence for being laid", face="tell")
#: A fan card's part of the second reading, from the card and its marker.
INFLUENCES: Final[Capability[Callable[[AnyFanCard, Marker], Influence]]] = Capability(
    "second reading", face="tell", inherited=False
)


def lays(kind: type[M]) -> Callable[[Callable[[Teller, M], str]], Callable[[Teller, M], str]]:
    """The function tells that a fan card with such a marker is laid."""

    def register(function: Callable[[Teller, M], str]) -> Callable[[Teller, M], str]:
        LAID.provide(kind, cast(Laid, function))
        return function

    return register


def influences(kind: type[C], marker: type[M]) -> Callable[[Callable[[C, M], Influence]], Callable[[C, M], Influence]]:
    """The function makes a fan card's part of the second reading, from the card and its marker."""

    def register(function: Callable[[C, M], Influence]) -> Callable[[C, M], Influence]:
        INFLUENCES.provide(kind, cast(Callable[[AnyFanCard, Marker], Influence], function))
        return function

    return register


def words_of(card: AnyFanCard) -> FanCardWords[Any]:
    """What is said of that card: its own words, or general ones."""
    return FAN_CARDS.find(card) or FanCardWords()


def markers(game: Classic, state: GameState) -> Iterator[tuple[AnyFanCard, Marker]]:
    """The fan cards in play, each with its marker."""
    if game.fan_cards and state.rows:
        yield from zip(game.fan_cards, Markers.of(state).all, strict=True)


class ClassicRows(RowReader):
    """Rules 1 to 3, as the game itself reads them with its fan cards."""

    order: ClassVar[Rule | None] = ClassicRule.ASCENDING
    nearest: ClassVar[Rule | None] = ClassicRule.SMALLEST_DIFFERENCE

    def options(self, state: GameState, value: int) -> tuple[RowOption, ...]:
        game = cast(Classic, state.game)
        found = []
        for row, cards in enumerate(state.rows):
            end = cards[-1]
            turned = [card for card, marker in markers(game, state) if card.descends(marker, row)]
            looks_open = value < end if turned else value > end
            wins_ties = words_of(turned[0]).wins_ties if turned else ""
            difference = game.difference(state, row, value)
            found.append(RowOption(row, end, difference, game.is_full(state, row), looks_open, wins_ties))
        return tuple(found)

    def row_for(self, state: GameState, value: int) -> int | None:
        return cast(Classic, state.game).row_for(state, value)

    def closed(self, state: GameState, value: int, option: RowOption) -> str:
        for card, marker in markers(cast(Classic, state.game), state):
            if card.closes(marker, option.row, value):
                return words_of(card).closed(marker)
        return super().closed(state, value, option)

    def forbids(self, state: GameState, value: int, option: RowOption) -> Rule | None:
        turned = any(card.descends(marker, option.row) for card, marker in markers(cast(Classic, state.game), state))
        # Rule 1 is not the one of a row that goes down.
        return None if turned and option.difference is None else super().forbids(state, value, option)

    def filled(self, chosen: GameState, state: GameState, row: int) -> Sequence[str]:
        game = cast(Classic, state.game)
        before = {card.name: card.occupies(marker, row) for card, marker in markers(game, chosen)}
        return [
            words_of(card).came
            for card, marker in markers(game, state)
            if card.occupies(marker, row) > before.get(card.name, 0)
        ]


ROWS.provide(Classic, ClassicRows())
LOSSES.provide(Classic, heads_taken)


def hints(view: View) -> Reading:
    """The table read a second time, with what lies beside its rows."""
    game = cast(Classic, view.game)
    beside = zip(game.fan_cards, Markers.of(view).all, strict=True) if game.fan_cards else ()
    found = [INFLUENCES.of(card)(card, marker) for card, marker in beside]
    ascending = all(card.keeps_rows_ascending for card in game.fan_cards)
    return Reading(view.rows, game.row_limit, found, ascending)


HINTS.provide(Classic, hints)


def full_row(tell: Teller, event: RowTaken) -> str:
    """Rule 3: the sixth card, or an earlier one where a fan card has a place in the row."""
    state = tell.before
    if state is not None and isinstance(state.game, Classic):
        for card, marker in markers(state.game, state):
            if card.occupies(marker, event.row):
                return one_too_many(tell, event, words_of(card).full)
    return one_too_many(tell, event)


tells_by_rule(RowTaken, {ClassicRule.FULL_ROW: full_row, ClassicRule.LOW_CARD: taken_as("taken.low")})


@tells(FanCardLaid)
def fan_card_laid(tell: Teller, event: FanCardLaid) -> str:
    laid = LAID.find(event.marker)
    return plain(tell, event) if laid is None else laid(tell, event.marker)
