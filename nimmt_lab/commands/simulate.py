"""`nimmt-lab simulate`: play many rounds of a game and count."""

from __future__ import annotations

import argparse
import json
import time

from nimmt_lab.engine.record_text import read_rules
from nimmt_lab.native.kernel import LOW_CARDS, POLICIES
from nimmt_lab.study.simulate import MANY_ROUNDS, simulate

from .words import number, say, shows_progress, unit_of


def arguments(parser: argparse.ArgumentParser) -> None:
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
    """Print mean heads and takes per seat; return 130 if interrupted (finished rounds are counted)."""
    game = read_rules(args.game, f"players={args.players} {args.rules}".strip(), paths=True)
    started = time.perf_counter()
    result = simulate(
        game,
        _one_or_each(args.policy),
        args.rounds,
        args.seed,
        low_card=_one_or_each(args.low_card),
        progress=shows_progress(args),
        each_round=args.folder is not None and args.rounds <= MANY_ROUNDS,
        folder=args.folder,
    )
    seconds = time.perf_counter() - started
    totals, rounds = result.totals, max(1, result.totals.rounds)
    full_rows, low_cards = ([count / rounds for count in counts] for counts in (totals.full_rows, totals.low_cards))
    if args.json:
        data = {
            "mean_heads": list(totals.mean_heads) if totals.rounds else [],
            "error_heads": list(totals.error_heads) if totals.rounds else [],
            "full_rows": full_rows,
            "low_cards": low_cards,
            "win_credit": list(totals.win_credit) if totals.rounds else [],
            "rounds": totals.rounds,
            "seed": args.seed,
            "seconds": seconds,
        }
        print(json.dumps(data))
    else:
        print(say("out.rounds", rounds=number(totals.rounds, ",d"), seconds=number(seconds, ".2f")))
        for seat, (letter, policy) in enumerate(result.sides if totals.rounds else ()):
            numbers = {
                "unit": unit_of(game),
                "mean": number(totals.mean_heads[seat], "6.3f"),
                "margin": number(1.96 * totals.error_heads[seat], ".3f"),
                "full": number(full_rows[seat], ".3f"),
                "low": number(low_cards[seat], ".3f"),
                "wins": number(totals.win_credit[seat], ".3f"),
            }
            print(say("out.rounds_line", seat=letter, policy=policy, **numbers))
    return 0 if result.is_complete else 130


def _one_or_each(text: str) -> str | list[str]:
    return text.split(",") if "," in text else text
