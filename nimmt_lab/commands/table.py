"""The arguments of commands that ask about a table: the same text, players and game for all of them."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from nimmt_lab.engine.asked import cards_named, view_of
from nimmt_lab.engine.errors import NotationError

if TYPE_CHECKING:
    from nimmt_lab import Game, View

__all__ = ["game_asked", "table_arguments", "view_asked"]

EXAMPLE = '"12 14 | 37 | 43 | 58 ; A: 21 45"'


def table_arguments(parser: argparse.ArgumentParser) -> None:
    """A position, the number of players, cards that were seen, and the seat that asks."""
    parser.add_argument("position", metavar="POSITION", help=EXAMPLE)
    parser.add_argument("--players", type=int)
    parser.add_argument("--opponents", type=int)
    parser.add_argument("--seen", default="", metavar="CARDS")
    parser.add_argument("--seat")
    parser.add_argument("--game", default=None)
    parser.add_argument("--rules", default="", help='fan_cards=["mountain"]')


def game_asked(args: argparse.Namespace, players: int | None) -> Game | str | None:
    """The game that `--game` and `--rules` describe; its name, if only the position says how many play."""
    from nimmt_lab.engine.asked import usual_game
    from nimmt_lab.engine.record_text import read_rules

    if not args.rules:
        name: str | None = args.game
        return name
    rules = args.rules if players is None else f"players={players} {args.rules}"
    return read_rules(args.game or usual_game().name, rules, paths=True)


def view_asked(args: argparse.Namespace) -> View:
    """The view of the seat that asks."""
    try:
        seen = cards_named(args.seen)
    except NotationError as error:
        raise NotationError.of(error, source="--seen") from None
    players = args.players if args.opponents is None else args.opponents + 1 if args.players is None else args.players
    return view_of(
        args.position,
        seat=args.seat,
        players=args.players,
        opponents=args.opponents,
        seen=seen,
        game=game_asked(args, players),
    )
