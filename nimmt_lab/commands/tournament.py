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

from .words import number, say

#: Who plays where nobody is named: three that are quick in every game.
USUAL = ("random", "lowest", "least-risk")


def arguments(parser: argparse.ArgumentParser) -> None:
    """What the command takes."""
    parser.add_argument(
        "bots",
        nargs="*",
        metavar="BOT",
        default=USUAL,
        help=", ".join(bot_names()),
    )
    parser.add_argument("--game", default="classic")
    parser.add_argument("--players", type=int)
    parser.add_argument("--rules")
    parser.add_argument("--deals", type=int, default=100)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--json", action="store_true")


def run(args: argparse.Namespace) -> int:
    """The standings, best first. 130 if it was interrupted (what was done is printed)."""
    has_rounds = any(option.name == "rounds" for option in fields(game_named(args.game)))
    rules = args.rules if args.rules is not None else "rounds=1" if has_rounds else ""
    bots = args.bots
    game = read_rules(args.game, f"players={args.players or len(bots)} {rules}".strip(), paths=True)
    progress = not args.json and sys.stderr.isatty()
    result = tournament(game, bots, args.deals, args.seed, progress=progress)
    if args.json:
        standings = [standing._asdict() for standing in result.standings]
        print(json.dumps({"deals": result.deals, "seed": args.seed, "standings": standings}))
    else:
        print(say("out.deals", deals=number(result.deals, ",d"), game=game.name, players=game.players))
        for s in result.standings:
            wins, wins_margin = number(s.win_credit, ".3f"), number(s.win_credit_margin, ".3f")
            mean, mean_margin = number(s.mean_heads, "6.2f"), number(s.mean_heads_margin, ".2f")
            print(
                say(
                    "out.deals_line",
                    bot=s.bot,
                    wins=wins,
                    wins_margin=wins_margin,
                    mean=mean,
                    mean_margin=mean_margin,
                    rating=f"{s.rating:+5.0f}",
                    games=s.games,
                )
            )
    return 0 if result.is_complete else 130
