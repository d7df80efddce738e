"""`nimmt-lab solve`: the value of an open two-player position, and how to play it."""

from __future__ import annotations

import argparse
import json
import sys

from nimmt_lab.engine.cards import seat_letter
from nimmt_lab.engine.errors import RulesError
from nimmt_lab.engine.record_text import read_rules


def arguments(parser: argparse.ArgumentParser) -> None:
    """What the command takes."""
    parser.add_argument(
        "position", metavar="POSITION", help='rows and both hands: "1 | 2 4 7 14 | 16 19 22 | 23 24 ; A: 17 ; B: 8"'
    )
    # Placing is the same in both; only the classic deck has every card.
    parser.add_argument("--game", default="classic", help="classic or advanced (default: classic, cards 1 to 104)")
    parser.add_argument("--rules", default="", help='its options: fan_cards=["mountain"]')
    parser.add_argument("--seconds", type=float, help="answer after so long at the latest, with bounds if need be")
    parser.add_argument("--memory", type=float, metavar="GB", help="gigabytes for the tables (at most 3 are used)")
    parser.add_argument("--threads", type=int, default=1, help="threads on one table (default: 1)")
    parser.add_argument("--line", action="store_true", help="show the most likely play by both, too")
    parser.add_argument("--json", action="store_true", help="print JSON")


def positive(number: float, option: str) -> float:
    """A number of a sensible size, more than nothing."""
    if not 0 < number < 1e9:
        raise RulesError(f"{option} must be more than 0, got {number}")
    return number


def run(args: argparse.Namespace) -> int:
    """Value, strategies, regrets. 130 if it was interrupted (what is known is printed)."""
    from nimmt_lab.solver.two_players import solve

    state = read_rules(args.game, f"players=2 {args.rules}".strip(), paths=True).from_position(args.position)
    solution = solve(
        state,
        seconds=None if args.seconds is None else positive(args.seconds, "--seconds"),
        memory=None if args.memory is None else int(positive(args.memory, "--memory") * (1 << 30)),
        threads=args.threads,
        progress=not args.json and sys.stderr.isatty(),
    )
    if args.json:
        print(json.dumps(solution.to_json()))
    else:
        print(solution)
        for seat, regrets in solution.regrets.items():
            for choice, regret in regrets.items():
                loses = f"{regret.lo:.4f}" if regret.width < 1e-4 else f"{regret.lo:.2f} to {regret.hi:.2f}"
                print(f"{seat_letter(seat)} {solution.name(choice):>4} loses {loses}")
        if args.line:
            print("likely: " + " / ".join(map(str, solution.line())))
    return 130 if solution.interrupted else 0
