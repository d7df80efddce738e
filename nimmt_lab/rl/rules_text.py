"""A game's rules as one word, as OpenSpiel's parameters can hold them."""

from __future__ import annotations

import base64
import binascii
import json

from nimmt_lab.engine.errors import NotationError, RulesError
from nimmt_lab.engine.files import parse_json, shown
from nimmt_lab.engine.game import Game
from nimmt_lab.engine.registry import all_games, from_options


def rules_text(game: Game) -> str:
    """A game as a word that OpenSpiel can carry in its own descriptions of games.

    >>> from nimmt_lab import Classic
    >>> game_from_text(rules_text(Classic(players=3, rounds=2)), "classic")
    Classic(players=3, rounds=2)
    """
    return base64.urlsafe_b64encode(json.dumps(game.to_json(), sort_keys=True).encode()).decode().rstrip("=")


def game_from_text(text: str, name: str) -> Game:
    """The game that such a word stands for; of an empty one, the game of that name for two or the fewest."""
    if not text:
        return from_options({"system": name, "players": max(2, all_games()[name].for_players[0])})
    try:
        options = parse_json(base64.urlsafe_b64decode(text + "=" * (-len(text) % 4)).decode())
    except (ValueError, binascii.Error, NotationError):
        raise RulesError("rl.rules_no_game", text=shown(text)) from None
    if not isinstance(options, dict) or options.get("system") != name:
        raise RulesError("rl.rules_not_those", name=name, options=shown(options))
    return from_options(options)
