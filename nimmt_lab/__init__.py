"""nimmt_lab: a typed engine, exact solver and notebook toolkit for the *take the row* card-game family.

>>> from nimmt_lab import Classic
>>> game = Classic(players=4)
>>> state = game.deal(seed=7)
>>> sorted(state.pending)
[0, 1, 2, 3]

The most useful functions are here, too, and loaded when they are first used: `bot`, `play`, `solve`, `odds`, `advise`,
`review`, `simulate`, `tournament`, `ladder`.

>>> from nimmt_lab import odds
>>> odds("12 14 | 37 | 43 44 | 58 ; A: 21 26 77", players=5).best
21
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from importlib import import_module
from typing import TYPE_CHECKING

from .engine.errors import NimmtError
from .engine.game import Game
from .engine.notation import Position
from .engine.record import Record
from .engine.registry import all_games, game_named
from .engine.share import Page, share
from .engine.sheet import Sheet
from .engine.state import GameState
from .engine.view import View
from .games import Advanced, Baron, BoardGame, Buffalo, Classic

if TYPE_CHECKING:
    from .bots import advise, bot, play
    from .solver import odds, solve
    from .study import ladder, review, simulate, tournament

__version__ = "0.1.0"

#: By package, names that are loaded when they are first asked for.
_HOMES = {
    "bots": ("advise", "bot", "play"),
    "solver": ("odds", "solve"),
    "study": ("ladder", "review", "simulate", "tournament"),
}


def __getattr__(name: str) -> object:
    for home, names in _HOMES.items():
        if name in names:
            return getattr(import_module(f"{__name__}.{home}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})


def _replay(record: Record) -> tuple[dict[str, object], dict[str, object]] | None:
    """A record as a replay, where the widgets are installed and a kernel runs them."""
    try:
        from .widgets.boards import replayed
    except ImportError:
        return None
    return replayed(record)


def _painted(state: GameState) -> str:
    """A state as a still picture that shows every hand."""
    return _drawn(state, None, None)


def _last(record: Record) -> str:
    """The last state of a record, with the players' names, and with the hands that nobody saw face down."""
    known = [seat for seat in range(record.game.players) if seat not in record.hidden] if record.hidden else None
    return _drawn(record.final, record.names, known)


def _drawn(state: GameState, names: Mapping[int, str] | None, seats: Sequence[int] | None) -> str:
    from .boards.film import Film
    from .boards.picture import svg
    from .engine.table import Moment

    film = Film(state.game, names=names, seats=seats)
    film.still(Moment(None, state), state.game.notice)
    return f'<div style="max-width:100%;overflow-x:auto">{svg(film.scene(), paper=False)}</div>'


def _board(table: GameState | View) -> str:
    """The rows of a table, for a result about it."""
    return _shown(table, cards_only=True)


def _seen(view: View) -> str:
    """A view as a still picture, with the other hands face down."""
    return _shown(view, cards_only=False)


def _shown(table: GameState | View, *, cards_only: bool) -> str:
    from .boards.film import Film
    from .boards.picture import board_svg, svg
    from .engine.errors import Unsupported
    from .engine.guess import guess
    from .engine.rng import Rng
    from .engine.table import Moment

    try:
        state = guess(table, Rng.from_seed(0)) if isinstance(table, View) else table
    except Unsupported:
        return ""
    film = Film(table.game, seats=(table.seat,) if isinstance(table, View) else None)
    film.still(Moment(None, state), "" if cards_only else table.game.notice)
    drawn = board_svg(film.scene()) if cards_only else svg(film.scene(), paper=False)
    return f'<div style="max-width:100%;overflow-x:auto">{drawn}</div>'


def _page(record: Record) -> str:
    """A record as one HTML file, with the hands that nobody saw face down."""
    from .screens.replay import ReplayScreen

    return ReplayScreen(record).to_html()


@lru_cache(maxsize=16)
def _scene_of(game: Game) -> dict[str, object]:
    from .boards.film import Film

    return dict(Film(game).scene())


def _card(game: Game, card: int) -> str:
    from .boards.picture import small_card

    return small_card(_scene_of(game), card)


Page.maker = staticmethod(_page)
Record.painter = staticmethod(_last)
Record.displayer = staticmethod(_replay)
Game.painter = staticmethod(_painted)
Sheet.table_painter = staticmethod(_board)
Sheet.card_painter = staticmethod(_card)
View.painter = staticmethod(_seen)

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
    "View",
    "advise",
    "all_games",
    "bot",
    "game_named",
    "ladder",
    "odds",
    "play",
    "review",
    "share",
    "simulate",
    "solve",
    "tournament",
]
