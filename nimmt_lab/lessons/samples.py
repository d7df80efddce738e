"""Classroom lessons 4, 5 and 8: simulation and its error, distributions, testing a claim. The engine plays."""

from __future__ import annotations

import math
from fractions import Fraction
from math import comb

from nimmt_lab.engine.rng import Rng

from .problem import Chart, Problem, Trial, mean, root, run, sample_variance
from .tables import closest_card, play_round, random_card, spot, streams, took, turn_trial

#: Rounded answers are accepted this close.
CLOSE = Fraction(6, 1000)


def simulation(seed: int) -> tuple[Problem, ...]:
    """Lesson 4: simulation, standard error and the law of large numbers."""
    table, _ = spot(streams(seed, 4), held=4, at_least=5)
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
        Problem("p4.estimate", estimate, parts, chart=chart, state=state, working={"takes": takes, "size": size}),
        Problem("p4.exact", exact, parts, state=state, trial=trial, working={"t": t, "n": n}),
        Problem("p4.error", error, parts, slack=CLOSE / 2, working={"p": exact, "q": 1 - exact, "size": size}),
        Problem("p4.inside", inside, parts, chart=chart, choices=("yes", "no"),
                working={"off": f"{float(abs(estimate - exact)):.3f}", "two": f"{float(2 * error):.3f}"}),
        Problem("p4.times", Fraction(times), parts, working={"times": times**2, "root": times}),
        Problem("p4.need", Fraction(need), parts, working={"p": exact, "q": 1 - exact}),
    )  # fmt: skip


def _round_heads(players: int = 4) -> Trial:
    def trial(rng: Rng) -> tuple[float | None, Rng]:
        deal, rng = rng.below(1 << 31)
        totals, rng = play_round(deal, [random_card] * players, rng)
        return float(totals[0]), rng

    return trial


def distributions(seed: int) -> tuple[Problem, ...]:
    """Lesson 5: distributions. Why totals look the way they do, medians against means."""
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


def paired_difference(rng: Rng) -> tuple[float | None, Rng]:
    """One deal played twice by seat A, at random and with the closest card; the others play at random, the same way."""
    deal, rng = rng.below(1 << 31)
    at_random, after = play_round(deal, [random_card] * 4, rng)
    careful, _ = play_round(deal, [closest_card, random_card, random_card, random_card], rng)
    return float(at_random[0] - careful[0]), after


#: What a 95 % interval of 12 pairs multiplies its standard error with (Student, 11 degrees of freedom).
STUDENT = Fraction(2201, 1000)


def claim(seed: int) -> tuple[Problem, ...]:
    """Lesson 8: testing a claim. Is random play really that bad? Paired tests and intervals."""
    size = 12
    rng = Rng.from_seed(seed, stream=9)
    pairs = []
    for _ in range(size):
        deal, rng = rng.below(1 << 31)
        at_random, after = play_round(deal, [random_card] * 4, rng)
        careful, _ = play_round(deal, [closest_card, random_card, random_card, random_card], rng)
        pairs.append((at_random[0], careful[0]))
        rng = after
    differences = [one - other for one, other in pairs]
    middle = mean(differences)
    deviation = root(sample_variance(differences))
    error = root(sample_variance(differences) / size)
    low, high = middle - STUDENT * error, middle + STUDENT * error
    settled = "no" if low <= 0 <= high else "yes"
    wins, losses = sum(d > 0 for d in differences), sum(d < 0 for d in differences)
    trials = wins + losses
    tail = Fraction(sum(comb(trials, k) for k in range(wins, trials + 1)), 2**trials)
    lines = (
        tuple(str(one) for one, _ in pairs),
        tuple(str(other) for _, other in pairs),
        tuple(str(d) for d in differences),
    )
    chart = Chart(tuple(str(number + 1) for number in range(size)), lines, ("p8.random", "p8.careful", "p8.difference"))
    parts = {"size": size, "student": float(STUDENT), "wins": wins, "trials": trials}
    return (
        Problem("p8.mean", middle, parts, chart=chart, working={"total": sum(differences), "size": size}),
        Problem("p8.deviation", deviation, parts, chart=chart, slack=CLOSE * 2, working={"size": size - 1}),
        Problem("p8.error", error, parts, slack=CLOSE * 2,
                working={"deviation": f"{float(deviation):.3f}", "size": size}),
        Problem("p8.low", low, parts, slack=CLOSE * 5, working={"mean": f"{float(middle):.3f}",
                "error": f"{float(error):.3f}", "student": float(STUDENT)}),
        Problem("p8.settled", settled, parts, choices=("yes", "no"),
                working={"low": f"{float(low):.2f}", "high": f"{float(high):.2f}"}),
        Problem("p8.sign", tail, parts, chart=chart, trial=_coins(trials, wins), working=parts),
    )  # fmt: skip


def _coins(trials: int, wins: int) -> Trial:
    """Whether so many coins or more fall heads."""

    def trial(rng: Rng) -> tuple[float | None, Rng]:
        total = 0
        for _ in range(trials):
            side, rng = rng.below(2)
            total += side
        return float(total >= wins), rng

    return trial
