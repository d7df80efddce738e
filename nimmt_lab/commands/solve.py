"""`nimmt-lab solve`: the exact value of an open two-player position, and optimal play."""

from __future__ import annotations

import argparse
import json
import sys

from nimmt_lab.engine.cards import seat_letter
from nimmt_lab.engine.errors import RulesError
from nimmt_lab.engine.inflect import Figure
from nimmt_lab.engine.limits import check_seconds
from nimmt_lab.solver.solution import LONGEST_FRACTION, Solution

from .table import game_asked
from .words import number, say


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("position", metavar="POSITION", help='"1 | 2 4 7 14 | 16 19 22 | 23 24 ; A: 17 ; B: 8"')
    parser.add_argument("--game", default=None)
    parser.add_argument("--players", type=int)
    parser.add_argument("--rules", default="", help='fan_cards=["mountain"]')
    parser.add_argument("--seconds", type=float)
    parser.add_argument("--memory", type=float, metavar="GB")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--line", action="store_true")
    parser.add_argument("--json", action="store_true")


#: More than any computer has; larger numbers of bytes overflow.
MOST_GIGABYTES = 1_000_000


def table_bytes(gigabytes: float) -> int:
    """The size limit of the tables.

    >>> table_bytes(0.5)
    536870912
    """
    if gigabytes != gigabytes:
        raise RulesError("shared.must_number", name="--memory", got=gigabytes)
    if not gigabytes > 0:
        raise RulesError("shared.more_than_0", name="--memory", got=gigabytes)
    if gigabytes > MOST_GIGABYTES:
        raise RulesError("shared.at_most", name="--memory", most=Figure(MOST_GIGABYTES), got=gigabytes)
    return int(gigabytes * (1 << 30))


def run(args: argparse.Namespace) -> int:
    """Print value, strategies and regrets; return 130 if interrupted (with the bounds known so far)."""
    from nimmt_lab.solver.two_players import solve

    solution = solve(
        args.position,
        players=args.players,
        game=game_asked(args, 2 if args.players is None else args.players),
        seconds=check_seconds(args.seconds, "--seconds"),
        memory=None if args.memory is None else table_bytes(args.memory),
        threads=args.threads,
        progress=not args.json and sys.stderr.isatty(),
    )
    if args.json:
        print(json.dumps(solution.to_json()))
    else:
        print(told(solution))
        for seat, regrets in solution.regrets.items():
            for choice, regret in regrets.items():
                lo, hi = number(regret.lo, ".2f"), number(regret.hi, ".2f")
                loses = number(regret.lo, ".4f") if regret.width < 1e-4 else say("out.loses_between", lo=lo, hi=hi)
                print(say("out.loses", seat=seat_letter(seat), choice=solution.name(choice), heads=loses))
        if args.line:
            print(say("out.likely", line=" / ".join(map(str, solution.line()))))
    return 130 if solution.interrupted else 0


def told(solution: Solution) -> str:
    """Describe a solution in the language of the command line."""
    if solution.exact:
        lines = [say("solved.value", value=number(solution.value, "+.6g"), how=_how_exact(solution))]
    else:
        low, high = (number(bound, "+.6g") for bound in (solution.bounds.lo, solution.bounds.hi))
        why = say("out.interrupted") if solution.interrupted else say("solved.no_time")
        if solution.estimate is None or solution.estimate_error is None:
            lines = [say("solved.between", low=low, high=high, why=why)]
        else:
            value, error = number(solution.estimate, "+.2f"), number(solution.estimate_error, ".1f")
            lines = [say("solved.between_about", low=low, high=high, value=value, error=error, why=why)]
    for seat, mix in solution.strategies.items():
        support, who = solution.support.get(seat, "exact"), seat_letter(seat)
        if support == "nothing":
            lines.append(say("solved.nothing", who=who))
            continue
        parts = [f"{solution.name(one)}: {number(chance, '.1%')}" for one, chance in mix.items() if chance > 0]
        if solution.exact:
            lines.append(say("solved.plays", who=who, chances=", ".join(parts)))
        else:
            sure = number(solution.guarantees[seat], "+.3g")
            key = "solved.might_at_least" if seat == 0 else "solved.might_at_most"
            rests = say(f"solved.{support}")
            lines.append(say(key, who=who, chances=", ".join(parts), support=rests, sure=sure))
        if (choice := solution.better_by_estimate(seat)) is not None:
            gain = number(solution.gain_by_estimate(seat), ".2f")
            lines.append(say("solved.better", who=who, choice=solution.name(choice), heads=gain))
    stored = number(solution.states, ",d")
    return "\n".join([*lines, say("solved.stored", states=stored, seconds=number(solution.seconds, ".2f"))])


def _how_exact(solution: Solution) -> str:
    if solution.fraction is None:
        return say("solved.exact_to", error=number(max(solution.error, 1e-12), ".1g"))
    if solution.fraction.denominator == 1:
        return say("solved.exact")
    written = str(solution.fraction)
    if len(written) <= LONGEST_FRACTION:
        return say("solved.exactly", fraction=written)
    return say("solved.long_fraction", signs=len(written))
