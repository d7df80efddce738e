"""`nimmt-lab games`: what there is to play."""

from __future__ import annotations

import argparse
from dataclasses import MISSING, fields

from nimmt_lab import all_games


def arguments(parser: argparse.ArgumentParser) -> None:
    """What the command takes: nothing."""


def run(args: argparse.Namespace) -> int:
    """Each game with its number of players and its options."""
    for name, game in all_games().items():
        fewest, most = game.for_players
        summary = (game.__doc__ or "").strip().splitlines()[0]
        print(f"{name:10} {fewest}–{most} players  {summary}")
        for option in fields(game):  # type: ignore[arg-type]
            if option.init and option.name != "players" and option.default is not MISSING:
                print(f"{'':11}{option.name} = {option.default!r}")
    return 0
