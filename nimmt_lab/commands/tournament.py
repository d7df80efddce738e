"""`nimmt-lab tournament BOT BOT …`: let bots play each other on the same deals."""

from __future__ import annotations

import argparse
import json

from nimmt_lab.bots import bot_names
from nimmt_lab.study.tournaments import tournament

from .words import game_of, number, say, shows_progress, unit_of

#: The bots that play by default: three that are quick in every game.
USUAL = ("random", "lowest", "least-risk")


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("bots", nargs="*", metavar="BOT", default=USUAL, help=", ".join(bot_names()))
    parser.add_argument("--game", default="classic")
    parser.add_argument("--players", type=int)
    parser.add_argument("--rules")
    parser.add_argument("--deals", type=int, default=100)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--json", action="store_true")


def run(args: argparse.Namespace) -> int:
    """Print the standings, best first; return 130 if interrupted (finished deals are counted)."""
    game = game_of(args, args.players or len(args.bots))
    result = tournament(game, args.bots, args.deals, args.seed, progress=shows_progress(args))
    if args.json:
        standings = [standing._asdict() for standing in result.standings]
        print(json.dumps({"deals": result.deals, "seed": args.seed, "standings": standings}))
    else:
        print(say("out.deals", deals=number(result.deals, ",d"), game=game.name, players=game.players))
        for s in result.standings:
            numbers = {
                "unit": unit_of(game),
                "wins": number(s.win_credit, ".3f"),
                "wins_margin": number(s.win_credit_margin, ".3f"),
                "mean": number(s.mean_heads, "6.2f"),
                "mean_margin": number(s.mean_heads_margin, ".2f"),
            }
            print(say("out.deals_line", bot=s.bot, rating=f"{s.rating:+5.0f}", games=s.games, **numbers))
    return 0 if result.is_complete else 130
