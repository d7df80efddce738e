"""`nimmt-lab odds`: the exact odds of each card in a hand this turn."""

from __future__ import annotations

import argparse
import json

from nimmt_lab import Position
from nimmt_lab.engine.cards import LAST_CARD
from nimmt_lab.engine.errors import NotationError
from nimmt_lab.engine.files import shown
from nimmt_lab.solver.turn_odds import odds

from .words import number, say


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("position", metavar="POSITION", help='"12 14 | 37 | 43 | 58 ; A: 21 45"')
    parser.add_argument("--opponents", type=int, required=True)
    parser.add_argument("--seen", default="", metavar="CARDS")
    parser.add_argument("--above", type=int, default=0, metavar="CARD")
    parser.add_argument("--below", type=int, default=LAST_CARD + 1, metavar="CARD")
    parser.add_argument("--json", action="store_true")


def run(args: argparse.Namespace) -> int:
    """Print a line per card: the probability to take, the expected heads, and their distribution."""
    position = Position.parse(args.position)
    if len(position.hands) != 1:
        raise NotationError("commands.one_hand", source="position")
    (hand,) = position.hands.values()
    words = args.seen.replace(",", " ").split()
    for word in words:
        if not (word.isascii() and word.isdigit() and len(word) < 7):
            raise NotationError("commands.card_numbers", got=shown(word), source="--seen")
    seen = [*map(int, words), *(card for pile in position.piles.values() for card in pile)]
    result = odds(position.rows, hand, args.opponents, seen=seen, given=lambda card: args.above < card < args.below)
    if args.json:
        cards = {
            str(card): {
                "p_take": float(risk.p_take),
                "expected_heads": float(risk.expected_heads),
                "distribution": {str(heads): float(p) for heads, p in risk.distribution.items()},
            }
            for card, risk in result.items()
        }
        print(json.dumps({"opponents": args.opponents, "cards": cards}))
        return 0
    for card, risk in result.items():
        parts = ", ".join(f"{heads}: {number(float(p), '.2%')}" for heads, p in risk.distribution.items())
        chance, mean = number(float(risk.p_take), "7.2%"), number(float(risk.expected_heads), "6.3f")
        print(say("out.odds_line", card=card, chance=chance, heads=mean, parts=parts))
    return 0
