"""Every key of 60 seeds, worked out from what the sheet prints: by listing all cases, with rules of the game written
again here. Nothing of the package's solver or of the lessons' own formulas is used."""

from __future__ import annotations

import math
import statistics
from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import combinations, product

import pytest

from nimmt_lab.lessons.classroom import problems
from nimmt_lab.lessons.problem import Problem

SEEDS = range(60)
HAND = 3


def heads(card: int) -> int:
    return 7 if card == 55 else 5 if card % 11 == 0 else 3 if card % 10 == 0 else 2 if card % 5 == 0 else 1


def costs(rows: Sequence[Sequence[int]], played: Mapping[str, int]) -> dict[str, int]:
    """Everybody's heads after a turn."""
    table = [[*row] for row in rows if row]
    paid = dict.fromkeys(played, 0)
    for who, card in sorted(played.items(), key=lambda item: item[1]):
        lower = [row for row in table if row[-1] < card]
        if lower:
            row = max(lower, key=lambda cards: cards[-1])
            taken = len(row) == 5
        else:
            row = min(table, key=lambda cards: (sum(map(heads, cards)), -cards[-1]))
            taken = True
        if taken:
            paid[who] += sum(map(heads, row))
            row[:] = []
        row.append(card)
    return paid


def made(number: int, seed: int) -> dict[str, Problem]:
    return {problem.key.partition(".")[2]: problem for problem in problems(number, seed)}


def whole(value: object) -> int:
    assert isinstance(value, int)
    return value


def fraction(value: object) -> Fraction:
    assert isinstance(value, Fraction)
    return value


def printed(problem: Problem) -> tuple[list[tuple[int, ...]], list[int]]:
    """The rows and the unseen cards of a sheet's table."""
    state = problem.state
    assert state is not None
    seen = {*state.hands[0], *(card for row in state.rows for card in row)}
    return [*state.rows], [card for card in range(1, 41) if card not in seen]


def numbers(line: Sequence[str]) -> list[Fraction]:
    return [Fraction(cell.replace("−", "-")) for cell in line]


def lines(problem: Problem) -> list[list[str]]:
    assert problem.chart is not None
    return [[*line] for line in problem.chart.lines]


def share(hits: Sequence[object]) -> Fraction:
    return Fraction(sum(map(bool, hits)), len(hits))


@pytest.mark.exhaustive
def test_lesson_1() -> None:
    for seed in SEEDS:
        by = made(1, seed)
        number, deck = whole(by["count"].parts["number"]), whole(by["deck"].parts["cards"])
        assert by["count"].answer == sum(heads(card) == number for card in range(1, 105))
        for key in ("row", "hand"):
            worth = [heads(int(card)) for card in str(by[key].parts["cards"]).split()]
            assert by[key].answer == (sum(worth) if key == "row" else Fraction(sum(worth), len(worth)))
        worth = [heads(card) for card in range(1, deck + 1)]
        assert by["deck"].answer == Fraction(sum(worth), deck)
        low, high = whole(by["dear"].parts["low"]), whole(by["dear"].parts["high"])
        assert by["dear"].answer == share([heads(card) >= 3 for card in range(low, high + 1)])
        # The mean of a sum of draws without replacement, from all pairs: the same for each draw.
        pairs = Fraction(sum(one + other for one, other in combinations(worth, 2)), math.comb(deck, 2))
        assert by["several"].answer == whole(by["several"].parts["draws"]) * pairs / 2


@pytest.mark.exhaustive
def test_lesson_2() -> None:
    for seed in SEEDS:
        by = made(2, seed)
        rows, unseen = printed(by["one"])
        mine, end = whole(by["one"].parts["card"]), whole(by["between"].parts["end"])
        assert by["between"].answer == sum(end < card < mine for card in unseen)
        alone = [costs(rows, {"A": mine, "B": card})["A"] for card in unseen]
        assert by["one"].answer == share(alone)
        assert by["heads"].answer == statistics.mean(map(Fraction, alone))
        two = [costs(rows, {"A": mine, "B": b, "C": c})["A"] for b, c in combinations(unseen, 2)]
        assert by["two"].answer == share(two)
        rows, unseen = printed(by["three"])
        mine = whole(by["three"].parts["card"])
        three = [costs(rows, {"A": mine, "B": b, "C": c, "D": d})["A"] for b, c, d in combinations(unseen, 3)]
        assert by["three"].answer == share(three)
        n, t = whole(by["more"].parts["unseen"]), whole(by["more"].parts["between"])
        both = share([(b < t) != (c < t) for b, c in combinations(range(n), 2)])
        assert by["more"].answer == ("more" if both > Fraction(t, n) else "fewer")


@pytest.mark.exhaustive
def test_lesson_3() -> None:
    for seed in SEEDS:
        by = made(3, seed)
        rows, unseen = printed(by["base"])
        mine, end = whole(by["base"].parts["card"]), whole(by["base"].parts["end"])
        takes = {card: costs(rows, {"A": mine, "B": card})["A"] > 0 for card in unseen}
        limit = whole(by["above"].parts["limit"])
        gone = {int(card) for card in str(by["seen"].parts["cards"]).split()}
        assert len(gone) == 6 and gone <= {*unseen}
        assert by["base"].answer == share([*takes.values()])
        assert by["above"].answer == share([took for card, took in takes.items() if card > limit])
        assert by["seen"].answer == share([took for card, took in takes.items() if card not in gone])
        hands = [*combinations(unseen, HAND)]
        between = [sum(end < card < mine for card in hand) for hand in hands]
        assert by["holds"].answer == share(between)
        # Every hand, and what each kind of player may play from it.
        prior = fraction(by["bayes"].parts["prior"])
        harmless = spares = keeps = Fraction(0)
        for count in between:
            apart = HAND - count
            if not apart:
                continue
            now = prior + (1 - prior) * Fraction(apart, HAND)
            harmless += now
            spares += prior
            keeps += now if count else 0
        assert (by["bayes"].answer, by["still"].answer) == (spares / harmless, keeps / harmless)


@pytest.mark.exhaustive
def test_lesson_4() -> None:
    for seed in (*SEEDS, *(1000 * pupil + pupil for pupil in range(60))):
        by = made(4, seed)
        rows, unseen = printed(by["exact"])
        mine = whole(by["exact"].parts["card"])
        marks = "".join(lines(by["estimate"])[0])
        estimate, p = (
            Fraction(marks.count("×"), len(marks)),
            share([costs(rows, {"A": mine, "B": card})["A"] for card in unseen]),
        )
        assert len(marks) == 40 and (by["estimate"].answer, by["exact"].answer) == (estimate, p)
        # The standard error from the distribution of the estimate itself.
        binomial = [math.comb(40, k) * p**k * (1 - p) ** (40 - k) for k in range(41)]
        variance = sum(chance * (Fraction(k, 40) - p) ** 2 for k, chance in enumerate(binomial))
        assert abs(fraction(by["error"].answer) ** 2 - variance) < Fraction(1, 10**9)
        assert by["inside"].answer == ("yes" if (estimate - p) ** 2 <= variance else "no")
        assert fraction(by["times"].answer) ** 2 == whole(by["times"].parts["times"])
        small, need = Fraction(str(by["need"].parts["small"])), fraction(by["need"].answer)
        assert variance * 40 / need <= small**2 < variance * 40 / (need - 1)


@pytest.mark.exhaustive
def test_lesson_5() -> None:
    for seed in SEEDS:
        by = made(5, seed)
        sample = numbers(lines(by["mean"])[0])
        middle, median = statistics.mean(sample), statistics.median(sample)
        worst = sample.index(max(sample))
        changed = [value + 30 * (at == worst) for at, value in enumerate(sample)]
        assert (by["mean"].answer, by["median"].answer) == (middle, median)
        assert by["larger"].answer == ("equal" if middle == median else "mean" if middle > median else "median")
        assert by["below"].answer == share([value < middle for value in sample])
        assert by["worse"].answer == statistics.mean(changed) and statistics.median(changed) == median
        more = [*sample, Fraction(whole(by["terrible"].parts["heads"]))]
        assert by["terrible"].answer == statistics.median(more)


@pytest.mark.exhaustive
def test_lesson_6() -> None:
    for seed in SEEDS:
        by = made(6, seed)
        rows, unseen = printed(by["mean"])
        first, second = (whole(by["limit"].parts[name]) for name in ("first", "second"))
        paid = {card: [costs(rows, {"A": card, "B": b})["A"] for b in unseen] for card in (first, second)}
        for line in lines(by["mean"]):
            listed = {int(value): Fraction(chance) for value, chance in (cell.split(": ") for cell in line[1:] if cell)}
            assert listed == {
                value: share([one == value for one in paid[int(line[0])]]) for value in {*paid[int(line[0])]}
            }
        spread = {card: statistics.pvariance(map(Fraction, values)) for card, values in paid.items()}
        assert by["mean"].answer == statistics.mean(map(Fraction, paid[first])) == by["other"].answer
        assert by["spread"].answer == str(max(spread, key=lambda card: spread[card]))
        assert by["variance"].answer == spread[first]
        limit = whole(by["limit"].parts["limit"])
        lost = {card: sum(value >= limit for value in values) for card, values in paid.items()}
        assert by["limit"].answer == str(min(lost, key=lambda card: lost[card]))


@pytest.mark.exhaustive
def test_lesson_7() -> None:
    for seed in SEEDS:
        by = made(7, seed)
        rows = [numbers(line[1:]) for line in lines(by["floor"])]
        (w, x), (y, z) = rows
        assert by["floor"].answer == max(min(w, x), min(y, z)) and by["ceiling"].answer == min(max(w, y), max(x, z))
        # The best mix of all in steps of a thousandth is nowhere better than the key's.
        p, value = fraction(by["mix"].answer), fraction(by["value"].answer)
        sure = [min(q * w + (1 - q) * y, q * x + (1 - q) * z) for q in (Fraction(at, 1000) for at in range(1001))]
        assert max(sure) <= value == min(p * w + (1 - p) * y, p * x + (1 - p) * z)
        assert by["reply"].answer == p * w + (1 - p) * y
        # The two turns of question 1, card by card.
        state = by["entry"].state
        assert state is not None
        table, paid = [[*row] for row in state.rows if row], {"A": 0, "B": 0}
        for a, b in zip(*state.hands, strict=True):
            for who, card in sorted((("A", a), ("B", b)), key=lambda item: item[1]):
                lower = [row for row in table if row[-1] < card]
                assert lower, "no choice of rows"
                row = max(lower, key=lambda cards: cards[-1])
                if len(row) == 5:
                    paid[who] += sum(map(heads, row))
                    row[:] = []
                row.append(card)
        assert by["entry"].answer == paid["B"] - paid["A"]


@pytest.mark.exhaustive
def test_lesson_8() -> None:
    for seed in SEEDS:
        by = made(8, seed)
        at_random, closest, differences = map(numbers, lines(by["null"]))
        assert differences == [one - other for one, other in zip(at_random, closest, strict=True)]
        won = [value > 0 for value in differences if value]
        wins, trials = sum(won), len(won)
        tossed = [sum(coins) for coins in product((0, 1), repeat=trials)]
        counts = [tossed.count(count) for count in range(trials + 1)]
        all_ = 2**trials
        assert by["null"].answer == Fraction(sum(tossed), all_)
        assert by["sign"].answer == Fraction(sum(counts[wins:]), all_)
        level, chance = (Fraction(whole(by["power"].parts[name]), 100) for name in ("level", "chance"))
        least = next(count for count in range(trials + 2) if Fraction(sum(counts[count:]), all_) <= level)
        assert by["critical"].answer == least
        others = whole(by["decide"].parts["others"])
        assert by["decide"].answer == ("reject" if others >= least else "keep")
        power = sum(ways * chance**k * (1 - chance) ** (trials - k) for k, ways in enumerate(counts) if k >= least)
        assert by["power"].answer == power
        apart = [abs(count - Fraction(trials, 2)) >= abs(wins - Fraction(trials, 2)) for count in tossed]
        assert by["both"].answer == share(apart)


@pytest.mark.exhaustive
def test_lesson_9() -> None:
    for seed in SEEDS:
        by = made(9, seed)
        taken, luck, skill = map(numbers, lines(by["skill"]))
        assert by["skill"].answer == sum(skill) / 6 and by["luck"].answer == sum(luck) / 6
        assert by["count"].answer == sum(one**2 > other**2 for one, other in zip(luck, skill, strict=True))
        one, other = map(int, by["better"].choices)
        assert by["better"].answer == str(one if skill[one - 1] > skill[other - 1] else other)
        assert skill[one - 1] != skill[other - 1] and len(taken) == 6
        told = {name: Fraction(str(value).replace("−", "-")) for name, value in by["parts"].parts.items()}
        # Result = yardstick − luck − skill.
        assert told["result"] == told["share"] - told["luck"] - fraction(by["parts"].answer)
        effect, sd = (Fraction(str(by["needed"].parts[name])) for name in ("effect", "sd"))
        rounds = fraction(by["needed"].answer)
        assert sd**2 / rounds <= (effect / 2) ** 2 < sd**2 / (rounds - 1)
