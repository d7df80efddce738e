"""`nimmt-lab ladder`: every level of play against the one below it, on the same deals."""

from __future__ import annotations

import argparse
import json
import sys
from dataclasses import fields

from nimmt_lab import game_named
from nimmt_lab.engine.record_text import read_rules
from nimmt_lab.study.ladders import ladder

from .words import language


def arguments(parser: argparse.ArgumentParser) -> None:
    """What the command takes."""
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
    """The steps, from the lowest. 130 if it was interrupted (what was done is printed)."""
    has_rounds = any(option.name == "rounds" for option in fields(game_named(args.game)))
    rules = args.rules if args.rules is not None else "rounds=1" if has_rounds else ""
    game = read_rules(args.game, f"players={args.players} {rules}".strip(), paths=True)
    progress = not args.json and sys.stderr.isatty()
    result = ladder(game, args.deals, args.seed, levels=args.levels, file=args.file, progress=progress)
    if args.json:
        steps = [{**step._asdict(), "is_above": step.is_above} for step in result.steps]
        print(json.dumps({"game": game.name, "deals": result.asked, "seed": args.seed, "steps": steps}))
    elif args.markdown:
        print(result.markdown(args.lang))
    else:
        print(repr(result)[1:-1])
    return 0 if result.is_complete else 130
