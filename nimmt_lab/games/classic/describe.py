"""How the classic game looks, and advanced mode, and the fan cards beside them."""

from __future__ import annotations

from nimmt_lab.boards.describe import BOARD, Describer, Obj, runs
from nimmt_lab.engine.cards import Seat
from nimmt_lab.engine.decisions import CardOption, Choice
from nimmt_lab.engine.events import Json
from nimmt_lab.engine.state import GameState
from nimmt_lab.games.even_odd.rules import EvenOddMarker
from nimmt_lab.games.jumping_cow.rules import CowMarker
from nimmt_lab.games.mountain.rules import MountainMarker
from nimmt_lab.games.number_twister.rules import TwisterMarker

from .fan_card import Markers
from .rules import Classic


@BOARD.provides(Classic)
class ClassicDescriber(Describer):
    """The classic game, advanced mode, and the fan cards beside them."""

    game: Classic

    def places(self, state: GameState, row: int) -> int:
        return self.game.places(state, row) if self._laid(state) else self.game.places_in_row

    def notes(self, state: GameState, row: int) -> list[Json]:
        notes: list[Json] = []
        for marker in self._markers(state):
            if isinstance(marker, EvenOddMarker) and marker.row == row:
                sign = "◑" if marker.side == "odd" else "◐"
                notes.append({"kind": "parity", "sign": sign, "text": self.words(f"only_{marker.side}")})
            elif isinstance(marker, MountainMarker) and marker.row == row:
                sign = "▲" if marker.arrows == "up" else "▼"
                notes.append({"kind": "mountain", "sign": sign, "text": self.words("goes_down")})
            elif isinstance(marker, CowMarker) and marker.row == row:
                notes.append({"kind": "cow", "sign": "♉", "text": self.words("cow")})
        return notes

    def badges(self, state: GameState, seat: Seat) -> list[Json]:
        return [
            {"sign": "⇄", "text": self.words("twister")}
            for marker in self._markers(state)
            if isinstance(marker, TwisterMarker) and seat in marker.unused
        ]

    def zones(self, state: GameState) -> list[Json]:
        if not self._laid(state):
            return []
        deck = self.game.deck
        # A row's end cannot be played any more; on the line it is where the row's own interval begins.
        ends = {cards[-1]: row for row, cards in enumerate(state.rows)}
        found = [ends.get(value, self.game.row_for(state, value)) for value in deck]
        return runs(deck, [-1 if row is None else row for row in found])

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

    marker_events = frozenset({"EvenOddMoved", "MountainMoved", "CowJumped", "CardTwisted", "CardRegainedValue"})

    def _laid(self, state: GameState) -> bool:
        """Whether the rows and all fan cards lie on the table: between rounds they do not yet."""
        return bool(state.rows) and all(state.rows) and len(self._markers(state)) == len(self.game.fan_cards)

    def _markers(self, state: GameState) -> tuple[object, ...]:
        return state.extra.all if isinstance(state.extra, Markers) else ()
