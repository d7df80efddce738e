"""Narration and hints for the classic game and its fan cards.

A fan card's own `tell.py` has sentences for its setup and events, and `FanCardWords` for its effects on rows; otherwise
general messages are used. Hints are proofs that use the card's own rules. What they may forget depends on the card,
which must provide `INFLUENCES`, or hints raise `Unsupported`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Final, Generic, TypeAlias, TypeVar, cast

from nimmt_lab.engine.capability import Capability
from nimmt_lab.engine.cards import Card, Cards
from nimmt_lab.engine.errors import Unsupported
from nimmt_lab.engine.events import RowTaken
from nimmt_lab.engine.game import Game
from nimmt_lab.engine.rule import Rule
from nimmt_lab.engine.state import GameState
from nimmt_lab.engine.view import View
from nimmt_lab.explain.assess import HINTS
from nimmt_lab.explain.plain import plain
from nimmt_lab.explain.report import LOSSES, heads_taken
from nimmt_lab.explain.rows import ROWS, RowOption, RowReader
from nimmt_lab.explain.shared import one_too_many, taken_as
from nimmt_lab.explain.sketch import NOWHERE, Reading, Sketch
from nimmt_lab.explain.teller import NUMBERS, Teller, tells, tells_by_rule
from nimmt_lab.explain.traps import Trap

from .fan_card import AnyFanCard, FanCardLaid, FanCards, Marker, Markers
from .rules import Classic, ClassicRule

M = TypeVar("M", bound=Marker)


@dataclass(frozen=True)
class FanCardWords(Generic[M]):
    """Message keys for the effects of a fan card."""

    #: It closes a row ({row}, {end}), by its marker.
    closed: Callable[[M], str] = lambda marker: "fan.closed"
    #: It moved into a row and fills a place ({row}).
    came: str = "fan.came"
    #: It makes a row full ({who}, {heads}).
    full: str = "fan.full"
    #: Its descending row wins a tie ({card}, {row}, {end}, {other}).
    wins_ties: str = "fan.wins_ties"


Laid: TypeAlias = Callable[[Teller, Marker], str]

FAN_CARDS: Final[Capability[FanCardWords[Any]]] = Capability("texts of its own", face="tell")
#: Setup sentences by marker type.
LAID: Final[Capability[Laid]] = Capability("setup sentence", face="tell")


@dataclass(frozen=True)
class Influence(Generic[M]):
    """Assumptions of proofs about a fan card."""

    #: When sketches may reduce row ends to their order (see `sweep`): `never`, `alone` (as the only fan card) or
    #: `always`. It shortens proofs, but allowing it wrongly makes them wrong.
    forgets: str = "never"
    #: Whether its moves depend on parity, on the lowest row end, or on a row's highest card.
    asks_parity: bool = False
    asks_lowest: bool = False
    asks_highest: bool = False
    #: The trap of a take caused by its move, if any.
    trap: Trap | None = None
    #: Messages about cards played as other numbers: alone and with {others}.
    said: tuple[str, str] = ("", "")
    #: Normalises its marker once later cards can't reach these rows: equivalent markers become equal.
    out_of_reach: Callable[[M, Sequence[int]], M] = lambda marker, rows: marker


#: Not inherited: the rules of a derived card may differ.
INFLUENCES: Final[Capability[Influence[Any]]] = Capability("hints", face="tell", inherited=False)


def lays(kind: type[M]) -> Callable[[Callable[[Teller, M], str]], Callable[[Teller, M], str]]:
    """Register the setup sentence of a fan card by its marker type."""

    def register(function: Callable[[Teller, M], str]) -> Callable[[Teller, M], str]:
        LAID.provide(kind, cast(Laid, function))
        return function

    return register


def words_of(card: AnyFanCard) -> FanCardWords[Any]:
    return FAN_CARDS.find(card) or FanCardWords()


class ClassicRows(RowReader):
    """Rules 1 to 3, as read by the game with its fan cards."""

    order: ClassVar[Rule | None] = ClassicRule.ASCENDING
    nearest: ClassVar[Rule | None] = ClassicRule.SMALLEST_DIFFERENCE

    def compares_ends(self, game: Game) -> bool:
        return type(game).row_for is Classic.row_for  # type: ignore[attr-defined]

    def options(self, state: GameState, value: int) -> tuple[RowOption, ...]:
        game = cast(Classic, state.game)
        options = []
        for row, cards in enumerate(state.rows):
            end = cards[-1]
            turned = [card for card, marker in game.with_markers(state) if card.descends(marker, row)]
            looks_open = game.distance(state, row, value) > 0
            wins_ties = words_of(turned[0]).wins_ties if turned else ""
            difference = game.difference(state, row, value)
            options.append(RowOption(row, end, difference, game.is_full(state, row), looks_open, wins_ties))
        return tuple(options)

    def row_for(self, state: GameState, value: int) -> int | None:
        return cast(Classic, state.game).row_for(state, value)

    def closed(self, state: GameState, value: int, option: RowOption) -> str:
        for card, marker in cast(Classic, state.game).with_markers(state):
            if card.closes(marker, option.row, value):
                return words_of(card).closed(marker)
        return super().closed(state, value, option)

    def forbids(self, state: GameState, value: int, option: RowOption) -> Rule | None:
        turned = cast(Classic, state.game).descends(state, option.row)
        # Rule 1 doesn't apply to a descending row.
        return None if turned and option.difference is None else super().forbids(state, value, option)

    def filled(self, chosen: GameState, state: GameState, row: int) -> Sequence[str]:
        game = cast(Classic, state.game)
        before = {card.name: card.occupies(marker, row) for card, marker in game.with_markers(chosen)}
        return [
            words_of(card).came
            for card, marker in game.with_markers(state)
            if card.occupies(marker, row) > before.get(card.name, 0)
        ]


@NUMBERS.provides(Classic)
def numbers(game: Game) -> Mapping[str, object]:
    """Fields of rule texts if the table or hand size differs from the printed game."""
    assert isinstance(game, Classic)
    limit = game.row_limit
    if (game.rows, limit, game.hand_size) == (4, 5, 10):
        return {}
    return {"rows": game.rows, "held": limit, "next": limit + 1, "dealt": game.hand_size, "places": limit}


ROWS.provide(Classic, ClassicRows())
LOSSES.provide(Classic, heads_taken)


class ClassicReading(Reading):
    """Rules 1 to 4 on sketches, with the fan cards' own hooks. A mark is an index into `_markers`."""

    def __init__(self, game: Classic, rows: Sequence[Cards], markers: Sequence[Marker]) -> None:
        influences = [INFLUENCES.of(card) for card in game.fan_cards]
        by_row = [at for at, marker in enumerate(markers) if hasattr(marker, "row")]
        self._beside = [influences[at] for at in by_row]
        self._fan = FanCards([game.fan_cards[at] for at in by_row])
        self._markers: list[Marker] = []
        self._marks: dict[Marker, int] = {}
        self._moved: dict[tuple[int, int], int] = {}
        self.turns = bool(self._fan.turning)
        self.closing = len({at for at, _ in (*self._fan.closing, *self._fan.turning)})
        self.asks_parity = any(influence.asks_parity for influence in self._beside)
        self.asks_lowest = any(influence.asks_lowest for influence in self._beside)
        self.knocks_on = any(influence.trap is not None for influence in self._beside)
        ends, tops = tuple(cards[-1] for cards in rows), tuple(max(cards) for cards in rows)
        ascending = all(card.keeps_rows_ascending for card in game.fan_cards) and tops == ends
        asks_highest = any(influence.asks_highest for influence in self._beside)
        self.sketch = Sketch(
            ends,
            tuple(map(len, rows)),
            game.row_limit,
            marks=tuple(self._mark(markers[at]) for at in by_row),
            tops=tops if asks_highest and not ascending else (),
        )
        allowed = ("always",) if len(influences) > 1 else ("always", "alone")
        self.forgets = not self.sketch.tops and all(influence.forgets in allowed for influence in influences)
        deck = tuple(game.deck)
        turned = [at for at, card in enumerate(game.fan_cards) if card.ways(deck)]
        if len(turned) > 1:
            raise Unsupported("explain.hints_all_lies")
        self._other_numbers: dict[Card, int] = {}
        for at in turned:
            card, marker = game.fan_cards[at], markers[at]
            self.said = influences[at].said
            self.users = [seat for seat in range(game.players) if card.plays(marker, seat, deck)]
            plays = [way.play(0) for way in card.ways(deck)]
            self._other_numbers = {play.card: play.value for play in plays}

    def _mark(self, marker: Marker) -> int:
        mark = self._marks.setdefault(marker, len(self._markers))
        if mark == len(self._markers):
            self._markers.append(marker)
        return mark

    def markers(self, sketch: Sketch) -> Sequence[Marker]:
        return [self._markers[mark] for mark in sketch.marks]

    def row_for(self, sketch: Sketch, value: int) -> int | None:
        return self._fan.row_for(self.markers(sketch), sketch.ends, value)

    def is_full(self, sketch: Sketch, row: int) -> bool:
        occupied = self._fan.occupied(self.markers(sketch), row) if self._fan.filling else 0
        return sketch.counts[row] + occupied >= sketch.limit

    def looks_open(self, sketch: Sketch, row: int, value: int) -> bool:
        return self._fan.distance(self.markers(sketch), row, sketch.ends[row], value) > 0

    def is_open(self, sketch: Sketch, row: int, value: int) -> bool:
        return self.looks_open(sketch, row, value) and not self._fan.closes(self.markers(sketch), row, value)

    def down(self, sketch: Sketch) -> int:
        markers = self.markers(sketch)
        for row in range(len(sketch.ends)):
            if self._fan.descends(markers, row):
                return row
        return NOWHERE

    def after(self, sketch: Sketch, row: int, took: bool) -> tuple[Sketch, Trap | None]:
        trap = None
        for at, card in enumerate(self._fan.cards):
            move = card.moves(self._markers[sketch.marks[at]], sketch, row, took=took)
            if move is None:
                continue
            sketch = sketch.marked(at, self._mark(move.marker))
            if move.take is not None:
                # As in the engine, a take caused by a move moves all markers again.
                taken, keeps, _ = move.take
                sketch = self.after(sketch.started(taken, keeps), taken, True)[0]
                trap = self._beside[at].trap
        return sketch, trap

    def out_of_reach(self, marks: tuple[int, ...], rows: Sequence[int]) -> tuple[int, ...]:
        return tuple(
            [
                self._mark(influence.out_of_reach(self._markers[mark], rows))
                for mark, influence in zip(marks, self._beside, strict=True)
            ]
        )

    def reordered(self, marks: tuple[int, ...], order: Sequence[int]) -> tuple[int, ...]:
        return tuple([self._at(mark, order) for mark in marks])

    def _at(self, mark: int, order: Sequence[int]) -> int:
        marker = self._markers[mark]
        key = mark, order.index(marker.row)  # type: ignore[attr-defined]
        if key not in self._moved:
            self._moved[key] = self._mark(replace(marker, row=key[1]))  # type: ignore[call-arg]
        return self._moved[key]

    def otherwise(self, card: Card) -> int | None:
        return self._other_numbers.get(card)


def hints(view: View) -> Reading:
    game = cast(Classic, view.game)
    return ClassicReading(game, view.rows, Markers.of(view).all if game.fan_cards else ())


HINTS.provide(Classic, hints)


def full_row(tell: Teller, event: RowTaken) -> str:
    """Rule 3: the sixth card, or an earlier one if a fan card fills a place."""
    state = tell.before
    if state is not None and isinstance(state.game, Classic):
        for card, marker in state.game.with_markers(state):
            if card.occupies(marker, event.row):
                return one_too_many(tell, event, words_of(card).full)
    return one_too_many(tell, event)


tells_by_rule(RowTaken, {ClassicRule.FULL_ROW: full_row, ClassicRule.LOW_CARD: taken_as("taken.low")})


@tells(FanCardLaid)
def fan_card_laid(tell: Teller, event: FanCardLaid) -> str:
    laid = LAID.find(event.marker)
    return plain(tell, event) if laid is None else laid(tell, event.marker)
