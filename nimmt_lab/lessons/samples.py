"""Classroom lessons 4, 5 and 8: simulation and its error, distributions, testing a claim."""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction
from itertools import product
from math import comb
from operator import mul

from nimmt_lab.engine.inflect import signed
from nimmt_lab.engine.rng import Rng

from .problem import Chart, Problem, Trial, mean, root, run
from .tables import closest_card, play_round, random_card, scenario, streams, took, turn_trial

#: The tolerance for rounded answers.
CLOSE = Fraction(6, 1000)


def simulation(seed: int) -> tuple[Problem, ...]:
    """Lesson 4: simulation, standard error and the law of large numbers."""
    table, _ = scenario(streams(seed, 4), held=4, at_least=5)
    trial = turn_trial(table, 1, of=took)
    size = 40
    sample = [int(result) for result in run(trial, size, seed)]
    takes = sum(sample)
    t, n = len(table.between), len(table.unseen)
    exact = Fraction(t, n)
    estimate = Fraction(takes, size)
    error = root(exact * (1 - exact) / size)
    need = math.ceil(exact * (1 - exact) / Fraction(1, 10_000))
    marks = "".join("×" if result else "·" for result in sample)
    chart = Chart(("1–10", "11–20", "21–30", "31–40"), (tuple(marks[at : at + 10] for at in range(0, size, 10)),))
    step, _ = Rng.from_seed(seed, stream=204).below(4)
    times = step + 2
    parts = {"card": table.card, "end": table.end, "size": size, "times": times**2}
    inside = "yes" if abs(estimate - exact) <= 2 * error else "no"
    state = table.state(1)
    return (
        Problem("p4.estimate", estimate, parts, chart=chart, state=state,
                probability=True, working={"takes": takes, "size": size}),
        Problem("p4.exact", exact, parts, state=state, trial=trial,
                probability=True, a_run="turn", working={"t": t, "n": n}),
        Problem("p4.error", error, parts, slack=CLOSE / 2, rests_on=("p4.exact",),
                working={"p": exact, "q": 1 - exact, "size": size}),
        Problem("p4.inside", inside, parts, chart=chart, choices=("yes", "no"),
                rests_on=("p4.estimate", "p4.exact", "p4.error"),
                working={"off": f"{float(abs(estimate - exact)):.3f}", "two": f"{float(2 * error):.3f}"}),
        Problem("p4.times", Fraction(times), parts, working={"times": times**2, "root": times}),
        Problem("p4.need", Fraction(need), parts, rests_on=("p4.exact",), working={"p": exact, "q": 1 - exact}),
    )  # fmt: skip


def _round_heads(players: int = 4) -> Trial:
    def trial(rng: Rng) -> tuple[float | None, Rng]:
        deal, rng = rng.below(1 << 31)
        totals, rng = play_round(deal, [random_card] * players, rng)
        return float(totals[0]), rng

    return trial


def distributions(seed: int) -> tuple[Problem, ...]:
    """Lesson 5: distributions, medians and means of a round's heads."""
    size = 15
    sample = sorted(int(result) for result in run(_round_heads(), size, seed))
    middle = mean(sample)
    median = sample[size // 2]
    below = sum(value < middle for value in sample)
    chart = Chart(("",) * size, (tuple(map(str, sample)),))
    worse = [*sample[:-1], sample[-1] + 30]
    terrible = sample[-1] + 20
    order = "mean" if middle > median else "median" if middle < median else "equal"
    return (
        Problem("p5.mean", middle, {"size": size}, chart=chart, working={"total": sum(sample), "size": size}),
        Problem("p5.median", Fraction(median), {"size": size}, chart=chart, working={"place": size // 2 + 1}),
        Problem("p5.larger", order, chart=chart, choices=("mean", "median", "equal"),
                working={"mean": f"{float(middle):.2f}", "median": median}),
        Problem("p5.below", Fraction(below, size), {"size": size}, chart=chart, working={"below": below, "size": size}),
        Problem("p5.worse", mean(worse), {"size": size}, chart=chart,
                working={"more": Fraction(30, size), "median": median}),
        Problem("p5.terrible", Fraction(median + sample[size // 2 + 1], 2), {"heads": terrible, "size": size + 1},
                chart=chart, working={"one": median, "other": sample[size // 2 + 1],
                                      "rise": f"{float((terrible - middle) / (size + 1)):.2f}"}),
    )  # fmt: skip


def tail(trials: int, least: int, chance: Fraction = Fraction(1, 2)) -> Fraction:
    """The probability of at least that many successes.

    >>> tail(4, 3), tail(2, 1, Fraction(1, 3))
    (Fraction(5, 16), Fraction(5, 9))
    """
    each = (comb(trials, k) * chance**k * (1 - chance) ** (trials - k) for k in range(least, trials + 1))
    return sum(each, Fraction(0))


def critical(trials: int, level: Fraction) -> int:
    """The critical value of a one-sided exact sign test."""
    return next(least for least in range(trials + 2) if tail(trials, least) <= level)


def swaps(differences: Sequence[int]) -> tuple[int, ...]:
    """The permutation distribution of the sum: every way to swap the two members of each pair."""
    return tuple(sum(map(mul, differences, signs)) for signs in product((1, -1), repeat=len(differences)))


#: Significance levels and true probabilities on the sheets.
LEVELS = (Fraction(1, 20), Fraction(1, 10))
CHANCES = (Fraction(3, 5), Fraction(7, 10), Fraction(3, 4), Fraction(4, 5))
#: Few enough pairs to list every swap by hand.
LISTED = 5


def claim(seed: int) -> tuple[Problem, ...]:
    """Lesson 8: testing the claim that random play is bad. An exact test, its level and power, a decision."""
    size = 12
    rng = Rng.from_seed(seed, stream=9)
    pairs: list[tuple[int, int]] = []
    while sum(one != other for one, other in pairs[:size]) < LISTED or len(pairs) < size:
        deal, rng = rng.below(1 << 31)
        at_random, after = play_round(deal, [random_card] * 4, rng)
        careful, _ = play_round(deal, [closest_card, random_card, random_card, random_card], rng)
        pairs = [*pairs, (at_random[0], careful[0])][-size:]
        rng = after
    differences = [one - other for one, other in pairs]
    uneven = [value for value in differences if value]
    wins, trials = sum(value > 0 for value in uneven), len(uneven)
    own = Rng.from_seed(seed, stream=208)
    at, own = own.below(len(LEVELS))
    chosen, _ = own.below(len(CHANCES))
    level, chance = LEVELS[at], CHANCES[chosen]
    least = critical(trials, level)
    few = uneven[:LISTED]
    total = sum(few)
    as_far = sum(other >= total for other in swaps(few))
    ways = 2**LISTED
    lines = (
        tuple(str(one) for one, _ in pairs),
        tuple(str(other) for _, other in pairs),
        tuple(str(value) for value in differences),
    )
    chart = Chart(tuple(str(number + 1) for number in range(size)), lines, ("p8.random", "p8.careful", "p8.difference"))
    parts = {"size": size, "wins": wins, "trials": trials, "level": int(level * 100), "chance": int(chance * 100)}
    listed = {"few": LISTED, "list": ", ".join(map(signed, few))}
    return (
        Problem("p8.null", Fraction(trials, 2), parts, chart=chart, working=parts),
        Problem("p8.sign", tail(trials, wins), parts, chart=chart, trial=_coins(trials, wins),
                probability=True, a_run="coins", working=parts),
        Problem("p8.critical", Fraction(least), parts,
                working={**parts, "least": least, "small": f"{float(tail(trials, least)):.3f}",
                         "below": least - 1, "large": f"{float(tail(trials, least - 1)):.3f}"}),
        Problem("p8.decide", "reject" if wins >= least else "keep", parts, choices=("reject", "keep"),
                rests_on=("p8.sign", "p8.critical"),
                working={**parts, "least": least}),
        Problem("p8.power", tail(trials, least, chance), parts, slack=CLOSE, trial=_coins(trials, least, chance),
                rests_on=("p8.critical",),
                probability=True, a_run="coins", working={**parts, "least": least}),
        Problem("p8.permutation", Fraction(as_far, ways), {**parts, **listed}, trial=_swapped(few),
                probability=True, a_run="coins", working={"count": as_far, "ways": ways, "sum": signed(total)}),
    )  # fmt: skip


def _swapped(differences: Sequence[int]) -> Trial:
    """Flip a coin for the sign of each difference; whether the sum is at least as large."""

    def trial(rng: Rng) -> tuple[float | None, Rng]:
        total = 0
        for value in differences:
            side, rng = rng.below(2)
            total += value if side else -value
        return float(total >= sum(differences)), rng

    return trial


def _coins(trials: int, wins: int, chance: Fraction = Fraction(1, 2)) -> Trial:
    """Whether at least that many trials succeed."""

    def trial(rng: Rng) -> tuple[float | None, Rng]:
        total = 0
        for _ in range(trials):
            side, rng = rng.below(chance.denominator)
            total += side < chance.numerator
        return float(total >= wins), rng

    return trial
