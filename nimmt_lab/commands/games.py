"""`nimmt-lab games`: what there is to play."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import MISSING, fields

from nimmt_lab import all_games
from nimmt_lab.engine.options import allowed

from .words import say


def arguments(parser: argparse.ArgumentParser) -> None:
    """What the command takes: nothing."""


def run(args: argparse.Namespace) -> int:
    """Each game with its number of players and its options."""
    for name, game in all_games().items():
        fewest, most = game.for_players
        summary = (game.__doc__ or "").strip().splitlines()[0]
        print(say("out.game_line", game=name, fewest=fewest, most=most, about=summary))
        for option in fields(game):
            if option.init and option.name != "players" and option.default is not MISSING:
                usual = f"{option.name} = {option.default!r}"
                print(f"{'':11}{usual:32} {values(allowed(game).get(option.name))}".rstrip())
    return 0


def values(listed: Sequence[object] | None) -> str:
    """What an option may be, in words; nothing where it cannot be listed.

    >>> values(range(1, 11)), values(("draw", "loss")), values((False, True))
    ('1 to 10', 'draw or loss', 'False or True')
    """
    if not listed:
        return ""
    if isinstance(listed, range):
        return say("out.to", first=listed[0], last=listed[-1])
    return say("out.or").join(map(str, listed))
