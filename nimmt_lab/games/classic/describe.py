"""Boards of the classic game, advanced mode and fan cards."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, ClassVar, Generic, TypeAlias, TypeVar

from nimmt_lab.boards.describe import BOARD, Describer, Obj, note, runs
from nimmt_lab.engine.capability import Capability
from nimmt_lab.engine.cards import Seat
from nimmt_lab.engine.decisions import CardOption, Choice
from nimmt_lab.engine.events import Event, Json
from nimmt_lab.engine.game import Game
from nimmt_lab.engine.state import GameState
from nimmt_lab.explain.catalogue import Words

from .fan_card import FanCard, Marker, Markers
from .rules import Classic

M = TypeVar("M", bound=Marker)


class FanLook(Generic[M]):
    """Display of a fan card: notes beside rows, places it fills, badges of seats. This one uses the notes of the card's
    rules; a card with its own texts has a subclass in its `describe.py`."""

    #: Events in which the card moves or acts.
    events: ClassVar[tuple[type[Event], ...]] = ()

    def __init__(self, card: FanCard[M], words: Words) -> None:
        self.card = card
        self.words = words

    def icon(self, marker: M) -> str | None:
        """The pictogram of the card as it lies; without one, its sign is written."""
        return None

    def drawn(self, marker: M, shown: Obj) -> Obj:
        """Something shown, with the pictogram."""
        icon = self.icon(marker)
        return shown | {"icon": icon} if icon else shown

    def notes(self, marker: M, row: int) -> list[Json]:
        """Notes beside a row, each a sign and a word."""
        text = self.card.note(marker, row, self.words.lang)
        return [self.drawn(marker, note(text))] if text else []

    def lost(self, marker: M, row: int) -> list[Json]:
        """Things that fill places of a row, each a sign and a word."""
        return [self.drawn(marker, {"sign": "▪", "text": self.card.name})] * self.card.occupies(marker, row)

    def badges(self, marker: M, seat: Seat) -> list[Json]:
        return []

    def table_notes(self, marker: M) -> list[Json]:
        """Notes that concern no row or seat."""
        text = self.card.table_note(marker, self.words.lang)
        return [note(text)] if text else []


AnyFanLook: TypeAlias = FanLook[Any]

LOOK: Capability[type[AnyFanLook]] = Capability("look of its own", face="describe")


@BOARD.provides(Classic)
class ClassicDescriber(Describer):
    game: Classic

    def __init__(self, game: Game, words: Words) -> None:
        super().__init__(game, words)
        self.looks: list[AnyFanLook] = [(LOOK.find(card) or FanLook)(card, self.words) for card in self.game.fan_cards]

    def title(self) -> str:
        return " · ".join([super().title(), *(self.name_of(card.name) for card in self.game.fan_cards)])

    @property
    def icon(self) -> str:
        return "two_cards" if self.game.open_stock else super().icon

    @property
    def several_rounds(self) -> bool:
        return self.game.rounds != 1

    @property
    def limit(self) -> int | None:
        return None if self.game.rounds is not None else self.scale

    @property
    def scale(self) -> int:
        return self.game.limit or self.game.usual_limit

    def row(self, state: GameState, row: int) -> Obj:
        return super().row(state, row) | {"down": self._laid(state) and self.game.descends(state, row)}

    def places(self, state: GameState, row: int) -> int:
        return self.game.places(state, row) if self._laid(state) else self.game.places_in_row

    def lost(self, state: GameState, row: int) -> list[Json]:
        if not self._laid(state):
            return []
        return [lost for look, marker in self._lying(state) for lost in look.lost(marker, row)]

    def notes(self, state: GameState, row: int) -> list[Json]:
        return [note for look, marker in self._lying(state) for note in look.notes(marker, row)]

    def table_notes(self, state: GameState) -> list[Json]:
        return [note for look, marker in self._lying(state) for note in look.table_notes(marker)]

    def badges(self, state: GameState, seat: Seat) -> list[Json]:
        return [badge for look, marker in self._lying(state) for badge in look.badges(marker, seat)]

    def zones(self, state: GameState) -> list[Json]:
        if not self._laid(state):
            return []
        deck = self.game.deck
        # A row's end can't be played any more; on the line its interval starts there.
        ends = {cards[-1]: row for row, cards in enumerate(state.rows)}
        rows = [ends.get(value, self.game.row_for(state, value)) for value in deck]
        return runs(deck, [-1 if row is None else row for row in rows])

    def aim(self, state: GameState, seat: Seat, choice: Choice) -> Obj | None:
        if state.queue or not self._laid(state) or not isinstance(choice, (int, CardOption)):
            return None
        value = choice if isinstance(choice, int) else choice.play(seat).value
        row = self.game.row_for(state, value)
        takes = row is not None and self.game.is_full(state, row)
        return {
            "value": value,
            "row": -1 if row is None else row,
            "takes": takes,
            "heads": self.game.heads_in(state.rows[row]) if takes and row is not None else 0,
            "differences": [self.game.difference(state, other, value) for other in range(len(state.rows))],
        }

    def kind(self, event: Event) -> str:
        return "marker" if any(isinstance(event, look.events) for look in self.looks) else super().kind(event)

    def _laid(self, state: GameState) -> bool:
        """Whether rows and fan cards are on the table, which they aren't between rounds."""
        lying = len(state.extra.all) if isinstance(state.extra, Markers) else 0
        return bool(state.rows) and all(state.rows) and lying == len(self.looks)

    def _lying(self, state: GameState) -> Iterator[tuple[AnyFanLook, Marker]]:
        """Displays of the fan cards on the table, with their markers."""
        markers = state.extra if isinstance(state.extra, Markers) else Markers()
        for look in self.looks:
            marker = markers.find(look.card.marker)
            if marker is not None:
                yield look, marker
