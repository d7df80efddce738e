"""SolverPanel: what an open position for two is worth, why, and how that changed along a game."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

import traitlets

from nimmt_lab.engine.cards import Seat
from nimmt_lab.engine.record import Record
from nimmt_lab.engine.state import GameState
from nimmt_lab.screens.solver_panel import FIRST, SolverScreen, tables

from .base import SceneWidget


class SolverPanel(SceneWidget):
    """The table of the turn with its values, both best mixes, what each choice loses, and the result to expect.

    Give a state, or a record to walk through its decisions. `seconds` is the most time for one position; what was not
    solved in it is shown as bounds, and said to be so. In a notebook a state is searched while one looks: estimate and
    bounds first, then narrower ones; it can be stopped, and gone on with.

    >>> from nimmt_lab import Advanced
    >>> state = Advanced(players=2).from_position("3 8 13 | 5 10 11 | 15 17 19 21 23 | 22 24 ; A: 12 16 20 ; B: 1 2 18")
    >>> panel = SolverPanel(state)
    >>> panel.scene["frames"][0]["text"]
    'With best play by both, A ends the round 4.80 ahead. A mixes 12 (60 %), 20 (40 %). B mixes 1 (40 %), 18 (60 %).'
    """

    _module: ClassVar[str] = "solver_panel"

    #: The number of the decision on show.
    at: traitlets.Int[int, int] = traitlets.Int(0).tag(sync=True)
    #: Whether it is being searched, and whether there is more to find out.
    running: traitlets.Bool[bool, bool | int] = traitlets.Bool(False).tag(sync=True)
    more: traitlets.Bool[bool, bool | int] = traitlets.Bool(False).tag(sync=True)

    def __init__(
        self,
        what: Record | GameState,
        *,
        at: int = 0,
        seconds: float | None = 10.0,
        names: Mapping[Seat, str] | None = None,
        lang: str = "en",
        progress: bool = True,
    ) -> None:
        screen = SolverScreen(what, at=at, seconds=seconds, names=names, lang=lang, progress=progress)
        super().__init__(screen)
        if seconds is None or seconds > FIRST:
            screen.go_on()

    def _repr_mimebundle_(self, **options: Any) -> Any:
        """The widget; without a kernel the board's picture and, under it, the numbers as plain tables."""
        made = super()._repr_mimebundle_(**options)
        if made is None:
            return None
        data, metadata = made
        return {**data, "text/html": data["text/html"] + tables(self.scene["solver"][self._shown()])}, metadata
