"""`nimmt-lab ladder`: measure every level of play against the one below it, on the same deals."""

from __future__ import annotations

import argparse
import json

from nimmt_lab.study.ladders import ladder

from .words import game_of, language, shows_progress


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--game", default="classic")
    parser.add_argument("--players", type=int, default=4)
    parser.add_argument("--rules")
    parser.add_argument("--levels", type=int, nargs="+")
    parser.add_argument("--deals", type=int, default=100)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--file")
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--markdown", action="store_true")
    parser.add_argument("--lang", default=language())


def run(args: argparse.Namespace) -> int:
    """Print the steps from the lowest level up; return 130 if interrupted (finished deals are counted)."""
    game = game_of(args, args.players)
    result = ladder(game, args.deals, args.seed, levels=args.levels, file=args.file, progress=shows_progress(args))
    if args.json:
        steps = [{**step._asdict(), "is_above": step.is_above} for step in result.steps]
        print(json.dumps({"game": game.name, "deals": result.asked, "seed": args.seed, "steps": steps}))
    elif args.markdown:
        print(result.markdown(args.lang))
    else:
        print(result.to_text(args.lang))
    return 0 if result.is_complete else 130
