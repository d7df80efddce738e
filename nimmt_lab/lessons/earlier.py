"""The answers of earlier versions of probability lessons, so that hand-ins of theirs are still graded.

Nobody is asked these questions now: they have no texts, tables or experiments, only what judges an answer. A lesson's
file names the function of each earlier version (`earlier`).

>>> [problem.key for problem in claim_1(7)][-1]
'p8.permutation'
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction
from itertools import product
from math import comb
from operator import mul
from typing import Final

from nimmt_lab.engine.rng import Rng

from .problem import Problem, mean, root, run
from .samples import CHANCES, CLOSE, LEVELS, critical, differences_of, tail
from .skill import EFFECTS, LISTED, reviewed, spread
from .tables import HAND, scenario, streams, took, turn_trial

#: The prior probabilities of lesson 3.
PRIORS: Final = (Fraction(1, 4), Fraction(1, 3), Fraction(2, 5), Fraction(1, 2), Fraction(3, 5), Fraction(2, 3))
#: The deals of the permutation test of lesson 8.
SWAPPED: Final = 5


def conditional_1(seed: int) -> tuple[Problem, ...]:
    """Lesson 3: two of the cards that were gone always lay between."""
    table, rng = scenario(streams(seed, 3), held=4, at_least=5)
    t, n = len(table.between), len(table.unseen)
    below, rng = rng.below(table.end - 3)
    above = [card for card in table.unseen if card > below + 2]
    one, given, seen = Fraction(t, n), Fraction(t, len(above)), Fraction(t - 2, n - 6)
    holds = 1 - Fraction(comb(n - t, HAND), comb(n, HAND))
    priors = [prior for prior in PRIORS if prior not in (given, seen, one, holds)]
    which, _ = Rng.from_seed(seed, stream=203).below(len(priors))
    prior = priors[which]
    spares, otherwise = 1 - Fraction(comb(t, HAND), comb(n, HAND)), Fraction(n - t, n)
    played = prior * spares + (1 - prior) * otherwise
    joint = prior * (spares - Fraction(comb(n - t, HAND), comb(n, HAND)))
    joint += (1 - prior) * otherwise * (1 - Fraction(comb(n - t - 1, HAND - 1), comb(n - 1, HAND - 1)))
    answers = {
        "base": one, "above": given, "seen": seen, "holds": holds, "bayes": prior * spares / played,
        "still": joint / played,
    }  # fmt: skip
    return tuple(Problem(f"p3.{name}", answer) for name, answer in answers.items())


def simulation_1(seed: int) -> tuple[Problem, ...]:
    """Lesson 4: every sheet had a table of its own."""
    table, _ = scenario(streams(seed, 4), held=4, at_least=5)
    size = 40
    takes = sum(int(result) for result in run(turn_trial(table, 1, of=took), size, seed))
    exact, estimate = Fraction(len(table.between), len(table.unseen)), Fraction(takes, size)
    error = root(exact * (1 - exact) / size)
    step, _ = Rng.from_seed(seed, stream=204).below(4)
    return (
        Problem("p4.estimate", estimate),
        Problem("p4.exact", exact),
        Problem("p4.error", error, slack=CLOSE / 2),
        Problem("p4.inside", "yes" if abs(estimate - exact) <= 2 * error else "no", choices=("yes", "no")),
        Problem("p4.times", Fraction(step + 2)),
        Problem("p4.need", Fraction(math.ceil(exact * (1 - exact) * 10_000))),
    )


def swaps(differences: Sequence[int]) -> tuple[int, ...]:
    """The permutation distribution of the sum: every way to swap the two members of each pair."""
    return tuple(sum(map(mul, differences, signs)) for signs in product((1, -1), repeat=len(differences)))


def claim_1(seed: int) -> tuple[Problem, ...]:
    """Lesson 8, with a permutation test of five deals."""
    uneven = [one - other for one, other in differences_of(seed) if one != other]
    wins, trials = sum(value > 0 for value in uneven), len(uneven)
    own = Rng.from_seed(seed, stream=208)
    at, own = own.below(len(LEVELS))
    chosen, _ = own.below(len(CHANCES))
    least = critical(trials, LEVELS[at])
    few = uneven[:SWAPPED]
    as_far = sum(other >= sum(few) for other in swaps(few))
    return (
        Problem("p8.null", Fraction(trials, 2)),
        Problem("p8.sign", tail(trials, wins)),
        Problem("p8.critical", Fraction(least)),
        Problem("p8.decide", "reject" if wins >= least else "keep", choices=("reject", "keep")),
        Problem("p8.power", tail(trials, least, CHANCES[chosen]), slack=CLOSE),
        Problem("p8.permutation", Fraction(as_far, 2**SWAPPED)),
    )


def luck_and_skill_1(seed: int) -> tuple[Problem, ...]:
    """Lesson 9: the rounds of two players, with heads that luck and skill added."""
    rng = streams(seed, 9)
    rounds, rng = rng.shuffled(reviewed(), take=LISTED + 1)
    alone, listed = rounds[0], rounds[1 : LISTED + 1]
    luck, skill = [one.luck for one in listed], [one.skill for one in listed]
    pairs = [(one, other) for one in range(LISTED) for other in range(one + 1, LISTED) if skill[one] != skill[other]]
    results = [one.result for one in listed]
    odd = [(one, other) for one, other in pairs if (results[one] - results[other]) * (skill[one] - skill[other]) < 0]
    at, rng = rng.below(len(odd or pairs))
    one, other = (odd or pairs)[at]
    which, rng = rng.below(len(EFFECTS))
    names = (str(one + 1), str(other + 1))
    wide = "luck" if max(luck) - min(luck) >= max(skill) - min(skill) else "skill"
    return (
        Problem("p9.parts", alone.result - alone.share - alone.luck),
        Problem("p9.skill", mean(skill)),
        Problem("p9.luck", mean(luck)),
        Problem("p9.wider", wide, choices=("luck", "skill")),
        Problem("p9.better", names[0] if skill[one] < skill[other] else names[1], choices=names),
        Problem("p9.needed", Fraction(math.ceil((2 * spread() / EFFECTS[which]) ** 2))),
    )
