"""The classic family in numbers: four rows, and what its fan cards have lying beside them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from nimmt_lab.engine.capability import Capability
from nimmt_lab.engine.encode import ENCODING, Encoding
from nimmt_lab.engine.game import Game
from nimmt_lab.engine.view import View

from .fan_card import Marker, Markers
from .rules import Classic

#: A fan card's marker in numbers, as a view shows it, in its own `encode.py`; None: it does not lie (mid-draft).
MARKER: Final[Capability[Callable[[View, Marker | None], Sequence[float]]]] = Capability("encoding", face="encode")


class ClassicEncoding(Encoding):
    """The classic game and advanced mode."""

    def rows(self, game: Game) -> int:
        assert isinstance(game, Classic)
        return game.rows_on_table

    def turned(self, game: Game) -> bool:
        assert isinstance(game, Classic)
        return any(card.ways(tuple(game.deck)) for card in game.fan_cards)

    def beside(self, view: View) -> Sequence[float]:
        game = view.game
        assert isinstance(game, Classic)
        markers = view.extra if isinstance(view.extra, Markers) else Markers()
        return [number for card in game.fan_cards for number in MARKER.of(card)(view, markers.find(card.marker))]


ENCODING.provide(Classic, ClassicEncoding())
