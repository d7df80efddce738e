"""Which describer belongs to which game."""

from __future__ import annotations

from nimmt_lab.engine.game import Game
from nimmt_lab.games.baron.rules import Baron
from nimmt_lab.games.board_game.rules import BoardGame
from nimmt_lab.games.buffalo.rules import Buffalo
from nimmt_lab.games.classic.rules import Classic

from .describe import ClassicDescriber, Describer
from .describe_baron import BaronDescriber
from .describe_board import BoardDescriber
from .describe_buffalo import BuffaloDescriber
from .words import Words

_DESCRIBERS: tuple[tuple[type[Game], type[Describer]], ...] = (
    (Classic, ClassicDescriber),
    (Buffalo, BuffaloDescriber),
    (Baron, BaronDescriber),
    (BoardGame, BoardDescriber),
)


def describer(game: Game, words: Words) -> Describer:
    """The describer of a game's chapter; a game that none was written for has what all games have in common.

    >>> from nimmt_lab import Classic
    >>> describer(Classic(players=2), Words("en")).prompt.__self__.game
    Classic(players=2)
    """
    for kind, describe in _DESCRIBERS:
        if isinstance(game, kind):
            return describe(game, words)
    return Describer(game, words)
