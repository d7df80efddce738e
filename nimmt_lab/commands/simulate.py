"""`nimmt-lab simulate`: many rounds of a game, and what came of them."""

from __future__ import annotations

import argparse
import json
import sys
import time

from nimmt_lab.engine.record_text import read_rules
from nimmt_lab.native.kernel import LOW_CARDS, POLICIES
from nimmt_lab.study.simulate import MANY_ROUNDS, simulate

from .words import number, say


def arguments(parser: argparse.ArgumentParser) -> None:
    """What the command takes."""
    parser.add_argument("--game", default="classic")
    parser.add_argument("--players", type=int, default=4)
    parser.add_argument("--rules", default="", help='fan_cards=["mountain"]')
    parser.add_argument("--rounds", type=int, default=100_000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--policy", default="random", help=", ".join(POLICIES))
    parser.add_argument("--low-card", default="cheapest", help=", ".join(LOW_CARDS))
    parser.add_argument("--folder")
    parser.add_argument("--json", action="store_true")


def run(args: argparse.Namespace) -> int:
    """Mean heads and takes per seat. 130 if it was interrupted (what was done is printed)."""
    game = read_rules(args.game, f"players={args.players} {args.rules}".strip(), paths=True)
    begun = time.perf_counter()
    result = simulate(
        game,
        _one_or_each(args.policy),
        args.rounds,
        args.seed,
        low_card=_one_or_each(args.low_card),
        progress=not args.json and sys.stderr.isatty(),
        each_round=args.folder is not None and args.rounds <= MANY_ROUNDS,
        folder=args.folder,
    )
    seconds = time.perf_counter() - begun
    totals = result.totals
    if args.json:
        n = max(1, totals.rounds)
        print(
            json.dumps(
                {
                    "mean_heads": list(totals.mean_heads) if totals.rounds else [],
                    "error_heads": list(totals.error_heads) if totals.rounds else [],
                    "full_rows": [value / n for value in totals.full_rows],
                    "low_cards": [value / n for value in totals.low_cards],
                    "win_credit": list(totals.win_credit) if totals.rounds else [],
                    "rounds": totals.rounds,
                    "seed": args.seed,
                    "seconds": seconds,
                }
            )
        )
    else:
        print(say("out.rounds", rounds=number(totals.rounds, ",d"), seconds=number(seconds, ".2f")))
        for seat, (letter, policy) in enumerate(result.sides if totals.rounds else ()):
            print(
                say(
                    "out.rounds_line",
                    seat=letter,
                    policy=policy,
                    mean=number(totals.mean_heads[seat], "6.3f"),
                    margin=number(1.96 * totals.error_heads[seat], ".3f"),
                    full=number(totals.full_rows[seat] / totals.rounds, ".3f"),
                    low=number(totals.low_cards[seat] / totals.rounds, ".3f"),
                    wins=number(totals.win_credit[seat], ".3f"),
                )
            )
    return 0 if result.is_complete else 130


def _one_or_each(text: str) -> str | list[str]:
    return text.split(",") if "," in text else text
