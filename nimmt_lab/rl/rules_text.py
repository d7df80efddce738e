"""A game's rules as OpenSpiel's game parameters: option by option, or as a single word.

>>> from nimmt_lab import Baron, Classic
>>> parameters_of(Classic(players=3, edition="002", fan_cards=("mountain",)))
{'players': 3, 'edition': 2, 'fan_cards': 'mountain'}
>>> game_from_parameters("classic", {"players": 3, "edition": 2, "fan_cards": "mountain"}).edition
'002'

Every option of a game is a parameter, with three changes: 0 stands for None, several fan cards are joined by `+`, and
an edition such as `002` is a number, because OpenSpiel reads it as one.
A deck, a board and other things that do not fit into a parameter need the word (`rules_text`).
"""

from __future__ import annotations

import base64
import binascii
import json
from collections.abc import Mapping
from dataclasses import fields

from nimmt_lab.engine.errors import NotationError, RulesError
from nimmt_lab.engine.files import parse_json, shown
from nimmt_lab.engine.game import Game
from nimmt_lab.engine.options import allowed, materials
from nimmt_lab.engine.registry import from_options, game_named

__all__ = ["Parameter", "default_parameters", "game_from_parameters", "game_from_text", "parameters_of", "rules_text"]

Parameter = int | str | bool


def rules_text(game: Game) -> str:
    """Encode a game as a word.

    >>> from nimmt_lab import Classic
    >>> game_from_text(rules_text(Classic(players=3, rounds=2)), "classic")
    Classic(players=3, rounds=2)
    """
    return base64.urlsafe_b64encode(json.dumps(game.to_json(), sort_keys=True).encode()).decode().rstrip("=")


def game_from_text(text: str, name: str) -> Game:
    """Decode a game; an empty text is the game of that name for two players, or the fewest it allows."""
    if not text:
        return game_from_parameters(name, {})
    try:
        options = parse_json(base64.urlsafe_b64decode(text + "=" * (-len(text) % 4)).decode())
    except (ValueError, binascii.Error, NotationError):
        raise RulesError("rl.rules_no_game", text=shown(text)) from None
    if not isinstance(options, dict) or options.get("system") != name:
        raise RulesError("rl.rules_not_those", name=name, options=shown(options))
    return from_options(options)


def default_parameters(name: str) -> dict[str, Parameter]:
    """The options of a registered game that are parameters, with their defaults.

    >>> default_parameters("buffalo")
    {'players': 2, 'edition': 0, 'tie': 'draw', 'between_turns': False, 'hand_size': 10, 'deck_size': 104}
    """
    kind = game_named(name)
    defaults: dict[str, Parameter] = {}
    for field in fields(kind):
        if not field.init or field.name in materials(kind):
            continue
        if field.name == "players":
            defaults["players"] = max(2, kind.for_players[0])
        elif field.default is None:
            defaults[field.name] = 0
        elif field.default == ():
            defaults[field.name] = ""
        elif isinstance(field.default, (int, str)):
            defaults[field.name] = _plain(field.default)
    return defaults


def parameters_of(game: Game) -> dict[str, Parameter] | None:
    """The options of a game as parameters, without defaults; None if it needs the word."""
    options = game.to_json()
    parameters: dict[str, Parameter] = {}
    for name in default_parameters(str(options.pop("system"))):
        value = options.pop(name, None)
        if isinstance(value, (int, str)):
            parameters[name] = _plain(value)
        elif isinstance(value, list) and all(isinstance(item, str) for item in value):
            parameters[name] = "+".join(map(str, value))
        elif value is not None:
            return None
    return None if options else parameters


def game_from_parameters(name: str, given: Mapping[str, object]) -> Game:
    """Make a registered game from parameters."""
    defaults, kind = default_parameters(name), game_named(name)
    options: dict[str, object] = {}
    for key, value in {"players": defaults["players"], **given}.items():
        default = defaults.get(key)
        if value == default and key != "players":
            continue  # in particular 0 for None
        words = [word for word in allowed(kind).get(key, ()) if isinstance(word, str)]
        if default == "" and isinstance(value, str):
            options[key] = value.split("+")
        else:
            options[key] = next((word for word in words if _plain(word) == value), value)
    return from_options({"system": name, **options})


def _plain(value: Parameter) -> Parameter:
    return int(value) if isinstance(value, str) and value.isdigit() else value
