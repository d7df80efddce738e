"""The registered games and their options as a form to fill in."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import MISSING, fields
from typing import TypeAlias

from nimmt_lab.boards.describe import Describer, describer
from nimmt_lab.boards.words import board_words
from nimmt_lab.engine.errors import RulesError
from nimmt_lab.engine.events import Json
from nimmt_lab.engine.files import shown
from nimmt_lab.engine.game import Game
from nimmt_lab.engine.options import OptionData, allowed
from nimmt_lab.engine.registry import all_games, from_options
from nimmt_lab.explain.catalogue import Words

#: The default number of players.
USUAL_PLAYERS = 4


def forms(lang: str) -> list[Json]:
    """Every game with its numbers of players and its options.

    >>> classic = forms("en")[0]
    >>> classic["title"], classic["players"], [option["name"] for option in classic["options"]][:2]
    ('Classic game', [2, 10], ['edition', 'rounds'])
    """
    return [form(game, lang) for game in all_games().values()]


def form(game: type[Game], lang: str) -> Json:
    fewest, most = game.for_players
    say = board_words(lang)
    # Options without a label are for study.
    names = [name for name in _usual(game) if name in allowed(game) and _key(game, name, say)]
    options = [option(game, name, say) for name in names]
    usual = max(fewest, min(USUAL_PLAYERS, most))
    named: dict[str, Json] = {"name": game.name, "title": title_of(game.name, lang), "icon": box(game.name, lang).icon}
    return {**named, "players": [fewest, most], "usual": usual, "options": options}


def title_of(name: str, lang: str) -> str:
    """The title of a game with its default options.

    >>> title_of("classic", "pl")
    'Gra klasyczna'
    """
    return box(name, lang).title()


def box(name: str, lang: str) -> Describer:
    """What describes a game with its default options: its title and its pictogram.

    >>> box("classic", "en").icon
    'bull'
    """
    fewest, most = all_games()[name].for_players
    players = max(fewest, min(USUAL_PLAYERS, most))
    return describer(from_options({"system": name, "players": players}), board_words(lang))


def option(game: type[Game], name: str, say: Words) -> Json:
    """One option: its label, its values or range, and its default."""
    values, usual = allowed(game)[name], _usual(game)[name]
    made: dict[str, Json] = {"name": name, "label": say(_key(game, name, say) or ""), "usual": _plain(usual)}
    if isinstance(values, range):
        empty = _value(game, name, None, say)
        return {**made, "kind": "number", "least": values[0], "most": values[-1], "empty": empty}
    if isinstance(usual, bool):
        return {**made, "kind": "flag"}
    if isinstance(usual, tuple):  # a person chooses one of them, or none
        values = ((), *((value,) for value in values))
    choices: list[Json] = [{"value": _plain(value), "label": _value(game, name, value, say)} for value in values]
    return {**made, "kind": "choice", "choices": choices}


#: The learner's own decks and boards by game: the option, and its value.
Own: TypeAlias = Mapping[str, Sequence[tuple[str, OptionData]]]


def game_of(setup: Mapping[str, object], own: Own | None = None) -> Game:
    """The game of a filled-in form: `game`, `players`, and the `options` that differ from the defaults.

    `own` decks and boards replace the samples.
    """
    chosen = setup.get("options")
    options = dict(chosen) if isinstance(chosen, dict) else {}
    name = setup.get("game")
    if not isinstance(name, str) or name not in all_games():
        raise RulesError("shared.no_game", name=shown(name), known=", ".join(all_games()))
    given: dict[str, object] = {**options, "system": name, "players": setup.get("players")}
    game = from_options(given)
    for option, material in (own or {}).get(str(name), ()):
        if option not in options:
            with suppress(RulesError):  # such as a board of the other side
                game = from_options({**given, option: material})
                given[option] = material
    return game


def _usual(game: type[Game]) -> dict[str, object]:
    return {field.name: field.default for field in fields(game) if field.init and field.default is not MISSING}


def _key(game: type[Game], name: str, say: Words) -> str | None:
    """The key of the label of an option or of its value (`name.value`), in this chapter or one it builds on."""
    for kind in game.__mro__:
        key = f"option.{getattr(kind, 'name', '')}.{name}"
        if say.has(key):
            return key
    return None


def _value(game: type[Game], name: str, value: object, say: Words) -> str:
    if isinstance(value, tuple):
        return say("option_none") if not value else ", ".join(_value(game, name, part, say) for part in value)
    if key := _key(game, f"{name}.{'none' if value is None else value}", say):
        return say(key)
    return say(f"title.{value}") if say.has(f"title.{value}") else "" if value is None else str(value)


def _plain(value: object) -> Json:
    if isinstance(value, tuple):
        return [_plain(part) for part in value]
    return value if value is None or isinstance(value, (bool, int, str)) else str(value)
