"""`nimmt-lab odds`: the exact odds of each card in a hand this turn."""

from __future__ import annotations

import argparse
import json

from nimmt_lab.engine.cards import LAST_CARD
from nimmt_lab.solver.turn_odds import odds

from .table import table_arguments, view_asked
from .words import number, say


def arguments(parser: argparse.ArgumentParser) -> None:
    table_arguments(parser)
    parser.add_argument("--above", type=int, default=0, metavar="CARD")
    parser.add_argument("--below", type=int, default=LAST_CARD + 1, metavar="CARD")
    parser.add_argument("--json", action="store_true")


def run(args: argparse.Namespace) -> int:
    """Print a line per card: the probability to take, the expected heads, and their distribution."""
    result = odds(view_asked(args), given=lambda card: args.above < card < args.below)
    if args.json:
        cards = {
            str(card): {
                "p_take": float(risk.p_take),
                "expected_heads": float(risk.expected_heads),
                "distribution": {str(heads): float(p) for heads, p in risk.distribution.items()},
            }
            for card, risk in result.items()
        }
        print(json.dumps({"opponents": result.opponents, "cards": cards}))
        return 0
    for card, risk in result.items():
        parts = ", ".join(f"{heads}: {number(float(p), '.2%')}" for heads, p in risk.distribution.items())
        chance, mean = number(float(risk.p_take), "7.2%"), number(float(risk.expected_heads), "6.3f")
        print(say("out.odds_line", card=card, chance=chance, heads=mean, parts=parts))
    return 0
