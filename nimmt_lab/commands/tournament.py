"""`nimmt-lab tournament BOT BOT …`: bots against each other on the same deals."""

from __future__ import annotations

import argparse
import json
import sys
from dataclasses import fields

from nimmt_lab import game_named
from nimmt_lab.bots import bot_names
from nimmt_lab.engine.record_text import read_rules
from nimmt_lab.study.tournaments import tournament

#: Who plays where nobody is named: three that are quick in every game.
USUAL = ("random", "lowest", "least-risk")


def arguments(parser: argparse.ArgumentParser) -> None:
    """What the command takes."""
    parser.add_argument(
        "bots", nargs="*", metavar="BOT",
        help=f"{', '.join(bot_names())}; with options: flat:playouts=100,goal=win (default: {' '.join(USUAL)})",
    )
    parser.add_argument("--game", default="classic", help="the game (default: classic)")
    parser.add_argument("--players", type=int, help="number of players (default: as many as there are bots)")
    parser.add_argument("--rules", help="further options of the game (default: one round, where a game has rounds)")
    parser.add_argument("--deals", type=int, default=100, help="deals; each is played from every rotation of the seats")
    parser.add_argument("--seed", type=int, default=0, help="equal seeds give equal results (default: 0)")
    parser.add_argument("--json", action="store_true", help="print JSON")


def run(args: argparse.Namespace) -> int:
    """The standings, best first. 130 if it was interrupted (what was done is printed)."""
    has_rounds = any(option.name == "rounds" for option in fields(game_named(args.game)))  # type: ignore[arg-type]
    rules = args.rules if args.rules is not None else "rounds=1" if has_rounds else ""
    bots = args.bots or USUAL
    game = read_rules(args.game, f"players={args.players or len(bots)} {rules}".strip(), paths=True)
    progress = not args.json and sys.stderr.isatty()
    result = tournament(game, bots, args.deals, args.seed, progress=progress)
    if args.json:
        standings = [standing._asdict() for standing in result.standings]
        print(json.dumps({"deals": result.deals, "seed": args.seed, "standings": standings}))
    else:
        print(f"{result.deals:,} deals of {game.name}, {game.players} players")
        for s in result.standings:
            print(
                f"{s.bot:32} win credit {s.win_credit:.3f} ± {s.win_credit_margin:.3f}   mean heads "
                f"{s.mean_heads:6.2f} ± {s.mean_heads_margin:.2f}   rating {s.rating:+5.0f}   games {s.games}"
            )
    return 0 if result.is_complete else 130
