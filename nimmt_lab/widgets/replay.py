"""Replay: a recorded game, one event at a time, with what might have been."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import ClassVar

import traitlets

from nimmt_lab.engine.cards import Seat
from nimmt_lab.engine.record import Record
from nimmt_lab.engine.state import GameState
from nimmt_lab.screens.replay import ReplayScreen

from .base import SceneWidget


class Replay(SceneWidget):
    """A board that steps through a record, or shows a single state.

    `seats` names the seats whose hands lie open (all, if None); `seat` is the one the number line is drawn for.

    >>> from nimmt_lab import Classic, Record
    >>> game = Classic(players=2, hand_size=1, rounds=1)
    >>> start = game.deal(seed=1)
    >>> record = Record.from_play(game, 1, [{0: start.hands[0][0], 1: start.hands[1][0]}])
    >>> replay = Replay(record, lang="pl")
    >>> len(replay.scene["frames"]) == 1 + len(record.steps[0].events)
    True
    """

    _module: ClassVar[str] = "replay"

    #: The number of the frame on show.
    at: traitlets.Int[int, int] = traitlets.Int(0).tag(sync=True)
    #: The seat the number line is drawn for.
    seat: traitlets.Int[int, int] = traitlets.Int(0).tag(sync=True)

    def __init__(
        self,
        what: Record | GameState,
        *,
        at: int = 0,
        seat: Seat = 0,
        seats: Iterable[Seat] | None = None,
        names: Mapping[Seat, str] | None = None,
        lang: str = "en",
    ) -> None:
        super().__init__(ReplayScreen(what, at=at, seat=seat, seats=seats, names=names, lang=lang))
