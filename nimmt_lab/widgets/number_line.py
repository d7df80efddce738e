"""NumberLine: which card goes where, for the whole deck at a glance."""

from __future__ import annotations

from typing import ClassVar

import traitlets

from nimmt_lab.boards.film import Film
from nimmt_lab.engine.cards import Seat
from nimmt_lab.engine.errors import Unsupported
from nimmt_lab.engine.state import GameState
from nimmt_lab.engine.table import Moment
from nimmt_lab.screens.base import Screen

from .base import SceneWidget


class NumberLine(SceneWidget):
    """The deck as a strip: each row's interval, the cards of `seat` above it, seen cards filled, unseen ones open.

    >>> from nimmt_lab import Classic
    >>> state = Classic(players=2).from_position("12 | 37 | 43 | 58 ; A: 14 20 ; B: 15 30")
    >>> NumberLine(state, value=45).value
    45
    """

    _module: ClassVar[str] = "number_line"

    #: The number under the cursor.
    value: traitlets.Int[int, int] = traitlets.Int(0).tag(sync=True)
    seat: traitlets.Int[int, int] = traitlets.Int(0).tag(sync=True)

    def __init__(self, state: GameState, *, seat: Seat = 0, value: int = 0, lang: str = "en") -> None:
        film = Film(state.game, lang=lang, seats=(seat,))
        if not film.describe.zones(state):
            raise Unsupported("widgets.no_number_line", game=state.game.name)
        film.still(Moment(None, state))
        super().__init__(Screen(scene=film.scene(), seat=seat, value=value, live=True))
