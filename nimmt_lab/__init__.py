"""nimmt_lab: a typed engine, exact solver and notebook toolkit for the *take the row* card-game family.

>>> from nimmt_lab import Classic
>>> game = Classic(players=4)
>>> state = game.deal(seed=7)
>>> sorted(state.pending)
[0, 1, 2, 3]
"""

from __future__ import annotations

from .engine.errors import NimmtError
from .engine.game import Game
from .engine.notation import Position
from .engine.record import Record
from .engine.registry import all_games, game_named
from .engine.state import GameState
from .games import Advanced, Baron, BoardGame, Buffalo, Classic

__version__ = "0.1.0"


def _replay(record: Record) -> tuple[dict[str, object], dict[str, object]] | None:
    """A record as a replay, where the widgets are installed and a kernel runs them."""
    try:
        from .widgets.boards import replayed
    except ImportError:
        return None
    return replayed(record)


def _painted(state: GameState) -> str:
    """A state as a still picture that shows every hand."""
    from .boards.film import Film
    from .boards.picture import svg
    from .engine.table import Moment

    film = Film(state.game)
    film.still(Moment(None, state), state.game.notice)
    return f'<div style="max-width:100%;overflow-x:auto">{svg(film.scene())}</div>'


Record.displayer = staticmethod(_replay)
Game.painter = staticmethod(_painted)

__all__ = [
    "Advanced",
    "Baron",
    "BoardGame",
    "Buffalo",
    "Classic",
    "Game",
    "GameState",
    "NimmtError",
    "Position",
    "Record",
    "all_games",
    "game_named",
]
