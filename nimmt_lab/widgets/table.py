"""Table: play any game of the family in the notebook against bots."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar

from nimmt_lab.engine.cards import Seat
from nimmt_lab.engine.game import Game
from nimmt_lab.engine.record import Record
from nimmt_lab.screens.table import USUAL_BOT, Player, TableScreen

from .base import SceneWidget


class Table(SceneWidget):
    """A game to play: you are `seat`, `bots` are the others, in the order of their seats (one for all is enough).

    Every choice is a decision of the engine, and `record` holds the game so far, ready for `Replay`. A team that
    decides together (Beat the Buffalo) is led by you. What leaves no choice passes by itself.

    >>> from nimmt_lab import Classic
    >>> table = Table(Classic(players=2, rounds=1), [lambda view: view.decision.options[0]], seed=1)
    >>> card = table.record.final.hands[0][-1]
    >>> table.play(str(card))
    >>> len(table.record.choices), card in table.record.final.hands[0]
    (1, False)
    >>> table.undo()
    >>> len(table.record.choices)
    0
    """

    _module: ClassVar[str] = "table"
    screen: TableScreen

    def __init__(
        self,
        game: Game,
        bots: Player | Sequence[Player] = USUAL_BOT,
        *,
        seat: Seat = 0,
        seed: int = 0,
        names: Mapping[Seat, str] | None = None,
        hints: bool = False,
        lang: str = "en",
    ) -> None:
        record = Record(game, seed=seed)
        super().__init__(TableScreen(record, bots, people=(seat,), names=names, hints=hints, lang=lang))

    @property
    def seat(self) -> Seat:
        """Where you sit."""
        return self.screen.people[0]

    @property
    def record(self) -> Record:
        """The game so far."""
        return self.screen.record

    def play(self, choice: str) -> None:
        """Choose for your seat (or the team), as notation writes it; the bots choose with you and play on."""
        self.screen.play(choice)

    def undo(self) -> None:
        """Take your last choice back, and what happened since."""
        self.screen.undo()

    def new_game(self, seed: int) -> None:
        """Deal again."""
        self.screen.begin(Record(self.record.game, seed=seed))
