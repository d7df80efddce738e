"""The games and the options of their rules, as a form a person fills in: from the registry alone."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import MISSING, fields
from typing import TypeAlias

from nimmt_lab.boards.describe import describer
from nimmt_lab.boards.words import board_words
from nimmt_lab.engine.errors import RulesError
from nimmt_lab.engine.events import Json
from nimmt_lab.engine.files import shown
from nimmt_lab.engine.game import Game
from nimmt_lab.engine.options import OptionData, allowed
from nimmt_lab.engine.registry import all_games, from_options
from nimmt_lab.explain.catalogue import Words

#: How many sit down where nobody says otherwise.
USUAL_PLAYERS = 4


def forms(lang: str) -> list[Json]:
    """Every game with the number of its players and the options people choose from.

    >>> classic = forms("en")[0]
    >>> classic["title"], classic["players"], [option["name"] for option in classic["options"]][:2]
    ('Classic game', [2, 10], ['edition', 'rounds'])
    """
    return [form(game, lang) for game in all_games().values()]


def form(game: type[Game], lang: str) -> Json:
    """One game."""
    fewest, most = game.for_players
    say = board_words(lang)
    options = [option(game, name, say) for name in _offered(game, say)]
    usual = max(fewest, min(USUAL_PLAYERS, most))
    title = describer(from_options({"system": game.name, "players": usual}), say).title()
    return {"name": game.name, "title": title, "players": [fewest, most], "usual": usual, "options": options}


def option(game: type[Game], name: str, say: Words) -> Json:
    """One option: what it is called, what may be chosen (or between which numbers), and what is usual."""
    values, usual = allowed(game)[name], _usual(game)[name]
    made: dict[str, Json] = {"name": name, "label": say(_key(game, name, say) or ""), "usual": _plain(usual)}
    if isinstance(values, range):
        empty = _value(game, name, None, say)
        return {**made, "kind": "number", "least": values[0], "most": values[-1], "empty": empty}
    if isinstance(usual, bool):
        return {**made, "kind": "flag"}
    if isinstance(usual, tuple):  # any of these; a person chooses one, or none
        values = ((), *((value,) for value in values))
    choices: list[Json] = [{"value": _plain(value), "label": _value(game, name, value, say)} for value in values]
    return {**made, "kind": "choice", "choices": choices}


#: Material of one's own by game: the option that takes it, and the material.
Own: TypeAlias = Mapping[str, Sequence[tuple[str, OptionData]]]


def game_of(setup: Mapping[str, object], own: Own | None = None) -> Game:
    """The game that a filled-in form names: `game`, `players`, and `options` where they are not the usual ones.

    Where somebody has `own` material for it (a deck, a board), that is played with instead of the stand-in.
    """
    said = setup.get("options")
    options = dict(said) if isinstance(said, dict) else {}
    name = setup.get("game")
    if not isinstance(name, str) or name not in all_games():
        raise RulesError("shared.no_game", name=shown(name), known=", ".join(all_games()))
    given: dict[str, object] = {**options, "system": name, "players": setup.get("players")}
    game = from_options(given)
    for option, material in (own or {}).get(str(name), ()):
        if option not in options:
            with suppress(RulesError):  # a board of the other side, say
                game = from_options({**given, option: material})
                given[option] = material
    return game


def _usual(game: type[Game]) -> dict[str, object]:
    found: dict[str, object] = {}
    for one in fields(game):
        if one.init and one.default is not MISSING:
            found[one.name] = one.default
    return found


def _offered(game: type[Game], say: Words) -> list[str]:
    """The options with a name that people know; the others are for study."""
    return [name for name in _usual(game) if name in allowed(game) and _key(game, name, say)]


def _key(game: type[Game], name: str, say: Words) -> str | None:
    """Where the chapter, or one it builds on, names the option."""
    for kind in game.__mro__:
        key = f"option.{getattr(kind, 'name', '')}.{name}"
        if say.has(key):
            return key
    return None


def _value(game: type[Game], name: str, value: object, say: Words) -> str:
    """What a value of it is called."""
    if isinstance(value, tuple):
        return say("option_none") if not value else ", ".join(_value(game, name, one, say) for one in value)
    for kind in game.__mro__:
        key = f"option.{getattr(kind, 'name', '')}.{name}.{'none' if value is None else value}"
        if say.has(key):
            return say(key)
    return say(f"title.{value}") if say.has(f"title.{value}") else "" if value is None else str(value)


def _plain(value: object) -> Json:
    if isinstance(value, tuple):
        return [_plain(one) for one in value]
    return value if value is None or isinstance(value, (bool, int, str)) else str(value)
