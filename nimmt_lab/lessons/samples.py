"""Classroom lessons 4, 5 and 8: simulation and its error, distributions, testing a claim."""

from __future__ import annotations

import math
from fractions import Fraction
from math import comb
from typing import Final

from nimmt_lab.engine.rng import Rng

from .problem import Chart, Problem, Trial, about, decimal, mean, minus, root, run, wrong_ideas
from .tables import (
    DECK,
    Policy,
    Scenario,
    closest_card,
    play_round,
    random_card,
    scenario,
    streams,
    took,
    turn_trial,
)

#: The tolerance for rounded answers.
CLOSE = Fraction(6, 1000)


#: Digits as exponents.
RAISED: Final = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")
#: The standard errors that question 6 of lesson 4 asks for.
SMALL: Final = (Fraction(1, 200), Fraction(1, 100), Fraction(1, 50), Fraction(1, 40))
#: Turns on a sheet of lesson 4.
TURNS: Final = 40


def class_table(seed: int) -> Scenario:
    """The table of lesson 4: the same for a whole class, so that its estimates differ by chance alone."""
    table, _ = scenario(streams(seed // 1000, 4), held=4, at_least=5)
    return table


def simulation(seed: int) -> tuple[Problem, ...]:
    """Lesson 4: simulation, standard error and the law of large numbers."""
    table = class_table(seed)
    trial = turn_trial(table, 1, of=took)
    size = TURNS
    sample = [int(result) for result in run(trial, size, seed)]
    takes = sum(sample)
    t, n = len(table.between), len(table.unseen)
    exact = Fraction(t, n)
    p, q = exact, 1 - exact
    estimate = Fraction(takes, size)
    error = root(p * q / size)
    rng = Rng.from_seed(seed, stream=204)
    step, rng = rng.below(4)
    which, _ = rng.below(len(SMALL))
    small = SMALL[which]
    need = math.ceil(p * q / small**2)
    marks = "".join("×" if result else "·" for result in sample)
    chart = Chart(("1–10", "11–20", "21–30", "31–40"), (tuple(marks[at : at + 10] for at in range(0, size, 10)),))
    times = step + 2
    parts = {"card": table.card, "end": table.end, "size": size, "times": times**2, "small": f"{float(small):g}"}
    inside = "yes" if abs(estimate - exact) <= error else "no"
    state = table.state(1)
    worked = {"p": p, "q": q, "size": size, "error": decimal(error, 3)}
    return (
        Problem("p4.estimate", estimate, parts, chart=chart, state=state,
                probability=True, working={"takes": takes, "size": size}),
        Problem("p4.exact", exact, parts, state=state, trial=trial,
                probability=True, a_run="turn", working={"t": t, "n": n},
                slips=wrong_ideas(exact, of_deck=Fraction(t, DECK))),
        Problem("p4.error", error, parts, slack=CLOSE / 2, rests_on=("p4.exact",), working=worked,
                slips=wrong_ideas(error, CLOSE / 2, no_root=p * q / size,
                                  spread_of_one=root(p * q))),
        Problem("p4.inside", inside, parts, chart=chart, choices=("yes", "no"),
                rests_on=("p4.estimate", "p4.exact", "p4.error"),
                working={"off": decimal(abs(estimate - exact), 3), "error": decimal(error, 3)}),
        Problem("p4.times", Fraction(times), parts, working={"times": times**2, "root": times},
                slips=wrong_ideas(Fraction(times), no_root=Fraction(times**2))),
        Problem("p4.need", Fraction(need), parts, rests_on=("p4.exact",),
                working={"p": p, "q": q, "small": parts["small"], "exact": about(p * q / small**2, 1), "need": need},
                slips=wrong_ideas(Fraction(need), not_squared=Fraction(math.ceil(p * q / small)),
                                  only_p=Fraction(math.ceil(p / small**2)))),
    )  # fmt: skip


def _round_heads(players: int = 4, mine: Policy = random_card) -> Trial:
    """The heads of a player after a round against others who play at random."""

    def trial(rng: Rng) -> tuple[float | None, Rng]:
        deal, rng = rng.below(1 << 31)
        totals, rng = play_round(deal, [mine, *[random_card] * (players - 1)], rng)
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
    total = sum(sample)
    low, high = sample[size // 2 - 1], sample[size // 2 + 1]  # beside the median
    order = "mean" if middle > median else "median" if middle < median else "equal"
    return (
        Problem("p5.mean", middle, {"size": size}, chart=chart, working={"total": total, "size": size},
                slips=wrong_ideas(middle, sum_not_mean=Fraction(total), median_not_mean=Fraction(median))),
        Problem("p5.median", Fraction(median), {"size": size}, chart=chart,
                working={"place": size // 2 + 1, "half": size // 2, "median": median},
                slips=wrong_ideas(Fraction(median), next_place=Fraction(low), mean_not_median=middle,
                                  middle_of_ends=Fraction(sample[0] + sample[-1], 2))),
        Problem("p5.larger", order, chart=chart, choices=("mean", "median", "equal"),
                working={"mean": decimal(middle, 2), "median": median}),
        Problem("p5.below", Fraction(below, size), {"size": size}, chart=chart,
                working={"below": below, "size": size, "mean": decimal(middle, 2)},
                slips=wrong_ideas(Fraction(below, size), half_below=Fraction(size // 2, size))),
        Problem("p5.worse", mean(worse), {"size": size}, chart=chart,
                working={"more": Fraction(30, size), "median": median, "total": total, "new": total + 30, "size": size},
                slips=wrong_ideas(mean(worse), not_shared=middle + 30, unchanged=middle)),
        Problem("p5.terrible", Fraction(median + high, 2), {"heads": terrible, "size": size + 1},
                chart=chart, working={"one": median, "other": high,
                                      "rise": decimal((terrible - middle) / (size + 1), 2)},
                slips=wrong_ideas(Fraction(median + high, 2), unchanged=Fraction(median), next_place=Fraction(high))),
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


#: Significance levels and true probabilities on the sheets.
LEVELS: Final = (Fraction(1, 20), Fraction(1, 10))
CHANCES: Final = (Fraction(3, 5), Fraction(7, 10), Fraction(3, 4), Fraction(4, 5))
#: Deals on a sheet of lesson 8, and how many of them at least must have a winner.
DEALS: Final = 12
UNEVEN: Final = 5


def differences_of(seed: int) -> list[tuple[int, int]]:
    """The heads of A at random and by the closest-card rule, in the same deals."""
    rng = Rng.from_seed(seed, stream=9)
    pairs: list[tuple[int, int]] = []
    while sum(one != other for one, other in pairs[:DEALS]) < UNEVEN or len(pairs) < DEALS:
        deal, rng = rng.below(1 << 31)
        at_random, after = play_round(deal, [random_card] * 4, rng)
        closest, _ = play_round(deal, [closest_card, random_card, random_card, random_card], rng)
        pairs = [*pairs, (at_random[0], closest[0])][-DEALS:]
        rng = after
    return pairs


def both_tails(trials: int, wins: int) -> Fraction:
    """The probability, if each side wins half of the trials, of a count at least as far from the middle.

    >>> both_tails(4, 3), both_tails(4, 2), both_tails(4, 0)
    (Fraction(5, 8), Fraction(1, 1), Fraction(1, 8))
    """
    return min(Fraction(1), 2 * tail(trials, max(wins, trials - wins)))


def claim(seed: int) -> tuple[Problem, ...]:
    """Lesson 8: testing the claim that random play is bad. Hypotheses, an exact test, its power, a decision."""
    pairs = differences_of(seed)
    differences = [one - other for one, other in pairs]
    uneven = [value for value in differences if value]
    wins, trials = sum(value > 0 for value in uneven), len(uneven)
    own = Rng.from_seed(seed, stream=208)
    at, own = own.below(len(LEVELS))
    chosen, own = own.below(len(CHANCES))
    level, chance = LEVELS[at], CHANCES[chosen]
    least = critical(trials, level)
    # Most sheets have too few wins to reject, so question 4 asks about a count near the border as well.
    around = [count for count in range(least - 2, least + 2) if 0 <= count <= trials and count != wins]
    which, _ = own.below(len(around))
    others = around[which]
    lines = (
        tuple(str(one) for one, _ in pairs),
        tuple(str(other) for _, other in pairs),
        tuple(minus(str(value)) for value in differences),
    )
    chart = Chart(
        tuple(str(number + 1) for number in range(DEALS)), lines, ("p8.random", "p8.closest", "p8.difference")
    )
    parts = {"size": DEALS, "wins": wins, "trials": trials, "level": int(level * 100), "chance": int(chance * 100),
             "others": others}  # fmt: skip
    p = tail(trials, wins)
    ways = [comb(trials, count) for count in range(wins, trials + 1)]
    terms = [
        comb(trials, count) * chance**count * (1 - chance) ** (trials - count) for count in range(least, trials + 1)
    ]
    power = sum(terms, Fraction(0))
    far = max(wins, trials - wins)
    return (
        Problem("p8.null", Fraction(trials, 2), parts, chart=chart, working=parts,
                slips=wrong_ideas(Fraction(trials, 2), counted_level=Fraction(DEALS, 2), data_not_null=Fraction(wins))),
        Problem("p8.sign", p, parts, chart=chart, trial=_coins(trials, wins),
                probability=True, a_run="coins",
                working={**parts, "ways": " + ".join(map(str, ways)), "sum": sum(ways), "all": 2**trials,
                         "raised": str(trials).translate(RAISED)},
                slips=wrong_ideas(p, exactly=Fraction(comb(trials, wins), 2**trials), more_than=tail(trials, wins + 1),
                                  share_not_chance=Fraction(wins, trials))),
        Problem("p8.critical", Fraction(least), parts,
                working={**parts, "least": least, "small": decimal(tail(trials, least), 3),
                         "below": least - 1, "large": decimal(tail(trials, least - 1), 3)},
                slips=wrong_ideas(Fraction(least), one_early=Fraction(least - 1), one_late=Fraction(least + 1))),
        Problem("p8.decide", "reject" if others >= least else "keep", parts, choices=("reject", "keep"),
                rests_on=("p8.critical",), working={**parts, "least": least}),
        Problem("p8.power", power, parts, slack=CLOSE, trial=_coins(trials, least, chance),
                rests_on=("p8.critical",),
                probability=True, a_run="coins",
                working={**parts, "least": least, "terms": " + ".join(decimal(term, 4) for term in terms),
                         "power": decimal(power, 3)},
                slips=wrong_ideas(power, CLOSE, under_null=tail(trials, least),
                                  exactly=terms[0], more_than=power - terms[0])),
        Problem("p8.both", both_tails(trials, wins), parts, chart=chart, trial=_coins_apart(trials, wins),
                probability=True, a_run="coins", rests_on=("p8.sign",),
                working={**parts, "far": far, "near": trials - far, "one": tail(trials, far)},
                slips=wrong_ideas(both_tails(trials, wins), one_side=p)),
    )  # fmt: skip


def _coins_apart(trials: int, wins: int) -> Trial:
    """Whether fair coins are at least as far from half as that many wins."""
    coins = _coin_count(trials, Fraction(1, 2))

    def trial(rng: Rng) -> tuple[float | None, Rng]:
        count, rng = coins(rng)
        assert count is not None
        return float(abs(2 * count - trials) >= abs(2 * wins - trials)), rng

    return trial


def _coin_count(trials: int, chance: Fraction) -> Trial:
    """How many trials succeed."""

    def trial(rng: Rng) -> tuple[float | None, Rng]:
        total = 0
        for _ in range(trials):
            side, rng = rng.below(chance.denominator)
            total += side < chance.numerator
        return float(total), rng

    return trial


def _coins(trials: int, wins: int, chance: Fraction = Fraction(1, 2)) -> Trial:
    """Whether at least that many trials succeed."""
    coins = _coin_count(trials, chance)

    def trial(rng: Rng) -> tuple[float | None, Rng]:
        count, rng = coins(rng)
        assert count is not None
        return float(count >= wins), rng

    return trial
