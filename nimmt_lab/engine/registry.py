"""The games by name. Each chapter registers itself with one line in `nimmt_lab/games/__init__.py`.

>>> game_named("classic").__name__
'Classic'
>>> from_options({"system": "classic", "players": 4, "edition": "002"})
Classic(players=4, edition='002')
>>> game_named("chess")  # doctest: +ELLIPSIS
Traceback (most recent call last):
nimmt_lab.engine.errors.UnknownGame: no game 'chess'; there are: ...
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from typing import Any, TypeVar

from .errors import RulesError, UnknownGame
from .files import shown
from .game import Game
from .options import materials

__all__ = ["all_games", "chapters", "check_options", "from_options", "game_named", "register", "register_chapter"]


G = TypeVar("G", bound=type[Game])

_GAMES: dict[str, type[Game]] = {}
#: The folders that bring games and fan cards, in the order they became known.
_CHAPTERS: dict[str, None] = {}


def register(game: G) -> G:
    """Make a game known by its name."""
    if _GAMES.setdefault(game.name, game) is not game:
        raise RulesError("engine.there_already_game", game=repr(game.name))
    register_chapter(game)
    return game


def register_chapter(kind: type) -> None:
    """Make the folder known in which a type of a chapter is declared: its words are found there."""
    _CHAPTERS[kind.__module__.rpartition(".")[0]] = None


def chapters() -> tuple[str, ...]:
    """The packages of all chapters, those of fan cards included.

    >>> chapters()[0]
    'nimmt_lab.games.classic'
    """
    return tuple(_CHAPTERS)


def all_games() -> Mapping[str, type[Game]]:
    """Every registered game by name."""
    return dict(_GAMES)


def game_named(name: str) -> type[Game]:
    """The game of that name."""
    try:
        return _GAMES[name]
    except KeyError:
        raise UnknownGame("shared.no_game", name=shown(name), known=", ".join(sorted(_GAMES))) from None


def check_options(game: type[Game], given: Mapping[str, object]) -> None:
    """Refuse what is no option of that game, and a game without players."""
    known = {f.name for f in fields(game) if f.init}
    for key in given:
        if key not in known:
            raise RulesError("engine.no_option", game=game.name, key=shown(key), known=", ".join(sorted(known)))
    if "players" not in given:
        raise RulesError("engine.needs_players", game=game.name)


def from_options(options: Mapping[str, object], *, paths: bool = False) -> Game:
    """A game from plain data: `system`, and that game's options as its class names them.

    `paths` lets decks and boards be named by the path of a file: for what the person at the keyboard typed, and never
    for what stands in a file.
    """
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
