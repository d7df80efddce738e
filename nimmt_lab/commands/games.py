"""`nimmt-lab games`: list the games and their options."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import MISSING, fields

from nimmt_lab import Game, all_games
from nimmt_lab.engine.options import OptionData, allowed
from nimmt_lab.explain.catalogue import words

from .words import language, say


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add no arguments."""


def run(args: argparse.Namespace) -> int:
    """Print each game with its numbers of players and its options."""
    for name, game in all_games().items():
        fewest, most = game.for_players
        print(say("out.game_line", game=name, fewest=fewest, most=most, about=_title(name, game)))
        for option in fields(game):
            if option.init and option.name != "players" and option.default is not MISSING:
                default = option.default
                usual = f"<{default.title_in(language())}>" if isinstance(default, OptionData) else repr(default)
                print(f"{'':11}{f'{option.name} = {usual}':32} {values(allowed(game).get(option.name))}".rstrip())
    return 0


def _title(name: str, game: type[Game]) -> str:
    """The title of a game; the first line of its docstring if no catalogue has one."""
    titles = words(language())
    key = f"title.{name}"
    return titles(key) if titles.has(key) else (game.__doc__ or "").strip().partition("\n")[0]


def values(listed: Sequence[object] | None) -> str:
    """The allowed values of an option in words; empty if they cannot be listed.

    >>> values(range(1, 11)), values(("draw", "loss")), values((False, True))
    ('1 to 10', 'draw or loss', 'False or True')
    """
    if not listed:
        return ""
    if isinstance(listed, range):
        return say("out.to", first=listed[0], last=listed[-1])
    return say("out.or").join(map(str, listed))
