"""The registry of games. `nimmt_lab/games/__init__.py` has one line per chapter.

>>> game_named("classic").__name__
'Classic'
>>> from_options({"system": "classic", "players": 4, "edition": "002"})
Classic(players=4, edition='002')
>>> game_named("chess")  # doctest: +ELLIPSIS
Traceback (most recent call last):
nimmt_lab.engine.errors.UnknownGame: unknown game 'chess'; choose from: ...
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from typing import Any, TypeVar

from .errors import RulesError, UnknownGame
from .files import shown
from .game import Game
from .options import materials

__all__ = [
    "all_games",
    "chapters",
    "check_name",
    "check_options",
    "from_options",
    "game_named",
    "register",
    "register_chapter",
]


G = TypeVar("G", bound=type[Game])

_GAMES: dict[str, type[Game]] = {}
#: The packages of games and fan cards, in the order of registration.
_CHAPTERS: dict[str, None] = {}


def register(game: G) -> G:
    """Register a game under its name. Running a notebook's cell again replaces the game that it defined before."""
    known = _GAMES.get(game.name, game)
    if (known.__module__, known.__qualname__) != (game.__module__, game.__qualname__):
        raise RulesError("engine.there_already_game", game=repr(game.name))
    _GAMES[game.name] = game
    register_chapter(game)
    return game


def register_chapter(kind: type) -> None:
    """Register the package of a type, so that its catalogue is found."""
    _CHAPTERS[kind.__module__.rpartition(".")[0]] = None


def chapters() -> tuple[str, ...]:
    """The packages of all chapters, including fan cards.

    >>> chapters()[0]
    'nimmt_lab.games.classic'
    """
    return tuple(_CHAPTERS)


def all_games() -> Mapping[str, type[Game]]:
    """Every registered game by name."""
    return dict(_GAMES)


def game_named(name: str) -> type[Game]:
    """The class of the game with that name; an unknown name raises `UnknownGame`."""
    try:
        return _GAMES[name]
    except KeyError:
        raise UnknownGame("shared.no_game", name=shown(name), known=", ".join(sorted(_GAMES))) from None


def check_name(game: Game) -> None:
    """Refuse a variant that goes by the name of a registered game: its records would be played by other rules."""
    kind = type(game)
    if _GAMES.get(game.name, kind) is not kind:
        raise RulesError("engine.variant_name", kind=kind.__name__, game=repr(game.name))


def check_options(game: type[Game], given: Mapping[str, object]) -> None:
    """Refuse unknown options, and a missing number of players."""
    known = {f.name for f in fields(game) if f.init}
    for key in given:
        if key not in known:
            raise RulesError("engine.no_option", game=game.name, key=shown(key), known=", ".join(sorted(known)))
    if "players" not in given:
        raise RulesError("engine.needs_players", game=game.name)


def from_options(options: Mapping[str, object], *, paths: bool = False) -> Game:
    """Make a game from plain data: `system` and its options. With `paths`, decks and boards may be file paths: for
    input typed by users, never for content of files."""
    system = options.get("system")
    if not isinstance(system, str):
        raise RulesError("engine.game_needs")
    game = game_named(system)
    given: dict[str, Any] = {key: value for key, value in options.items() if key != "system"}  # the game checks types
    check_options(game, given)
    for key, material in materials(game).items():
        if not paths and given.get(key) is not None:
            given[key] = material.from_data(given[key], key)
    return game(**given)
