"""`nimmt-lab advise`: what a seat should choose now, with the other hands hidden."""

from __future__ import annotations

import argparse
import json

from nimmt_lab.bots.advising import PLAYOUTS, advise
from nimmt_lab.bots.search import GOALS

from .table import table_arguments, view_asked
from .words import language, number, say, unit_of


def arguments(parser: argparse.ArgumentParser) -> None:
    table_arguments(parser)
    parser.add_argument("--goal", choices=GOALS, default="heads")
    parser.add_argument("--playouts", type=int, default=PLAYOUTS)
    parser.add_argument("--seconds", type=float)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--json", action="store_true")


def run(args: argparse.Namespace) -> int:
    """Print a line per option, best first; return 130 if interrupted (with what is known by then)."""
    view = view_asked(args)
    found = advise(view, goal=args.goal, playouts=args.playouts, seconds=args.seconds, seed=args.seed)
    write = found.decision.write
    if args.json:
        options = [
            {
                "option": write(one.option),
                "points": one.points,
                "error": one.points_error,
                "wins": one.wins,
                "wins_error": one.wins_error,
                "playouts": one.playouts,
            }
            for one in found
        ]
        print(json.dumps({"players": view.game.players, "until": found.until, "options": options}))
        return 0 if found.is_complete or args.seconds is not None else 130
    print(say("out.advice", unit=unit_of(view.game)))
    for one in found:
        points, margin = number(one.points, "6.2f"), number(1.96 * one.points_error, ".2f")
        if one.wins is None or one.wins_error is None:
            print(say("out.advice_line", option=f"{write(one.option):>5}", points=points, margin=margin))
        else:
            wins, wins_margin = number(one.wins, ".1%"), number(1.96 * one.wins_error, ".1%")
            told = {"option": f"{write(one.option):>5}", "points": points, "margin": margin}
            print(say("out.advice_wins", wins=wins, wins_margin=wins_margin, **told))
    for line in found.told(language()):
        print(line)
    return 0 if found.is_complete or args.seconds is not None else 130
