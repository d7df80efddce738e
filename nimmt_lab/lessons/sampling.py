"""What pupils try by machine in a probability lesson: many samples, one dot each, in two or more ways to compare.

All numbers are those of the lesson's worked example, the same on every sheet, so that no dot gives away an answer.

>>> turns = sampling("p4")
>>> [(way.name, way.parts["n"], way.mean) for way in turns.ways]
[('few', 10, Fraction(1, 5)), ('some', 40, Fraction(1, 5)), ('many', 160, Fraction(1, 5))]
>>> round(turns.ways[1].spread, 3)
0.063
"""

from __future__ import annotations

import importlib
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from math import comb
from typing import Final

from nimmt_lab.engine.cards import LAST_CARD, heads
from nimmt_lab.engine.rng import Rng

from .problem import Trial, mean
from .samples import _coin_count, _round_heads, tail
from .shipped import shipped
from .skill import by_the_rule
from .tables import closest_card, random_card


@dataclass(frozen=True)
class Way:
    """One of the ways to draw a sample. Its button says `<lesson>.way_<name>`, filled by `parts`."""

    name: str
    #: Draw a sample; the result is where its dot goes (or, with `Sampling.cells`, the number of a cell).
    trial: Trial
    parts: Mapping[str, object] = field(default_factory=dict)
    #: The exact mean and standard deviation of a dot, if they are known.
    mean: Fraction | None = None
    spread: float | None = None
    #: From where the tail is shaded, and its exact probability.
    tail: int | None = None
    in_tail: Fraction | None = None


@dataclass(frozen=True)
class Sampling:
    """Ways to draw samples, on one scale. `width` is that of a stack of dots."""

    ways: tuple[Way, ...]
    low: float
    high: float
    width: Fraction
    #: Whether the standard deviation is shown: it has been taught by then.
    spread: bool = True
    median: bool = False
    #: The entries of a game's matrix, row by row: a run lights up its cell.
    cells: tuple[int, ...] = ()


def sampling(lesson: str) -> Sampling | None:
    """What a lesson lets pupils try, if it does."""
    named = next((step.experiment for step in shipped(lesson).steps if step.experiment), "")
    if not named:
        return None
    module, _, function = named.partition(":")
    made: Callable[[], Sampling] = getattr(importlib.import_module(module), function)
    return made()


def _mean_of(size: int, one: Trial, *, added: bool = False) -> Trial:
    """The mean (or the sum) of that many trials."""

    def trial(rng: Rng) -> tuple[float | None, Rng]:
        total = 0.0
        for _ in range(size):
            result, rng = one(rng)
            assert result is not None
            total += result
        return (total if added else total / size), rng

    return trial


def _one_of(values: Sequence[float]) -> Trial:
    def trial(rng: Rng) -> tuple[float | None, Rng]:
        at, rng = rng.below(len(values))
        return float(values[at]), rng

    return trial


def _spread(values: Sequence[int | Fraction]) -> float:
    """The standard deviation of a value drawn from a list."""
    middle = mean(values)
    return math.sqrt(mean([(value - middle) ** 2 for value in values]))


#: Lesson 1: how many cards are drawn for a mean.
DRAWS: Final = {"few": 5, "some": 20, "many": 80}


def cards() -> Sampling:
    """Lesson 1: the mean number of heads of a few cards, each put back."""
    worth = [heads(card) for card in range(1, LAST_CARD + 1)]
    ways = (
        Way(name, _mean_of(n, _one_of(worth)), {"n": n}, mean(worth), _spread(worth) / math.sqrt(n))
        for name, n in DRAWS.items()
    )
    return Sampling(tuple(ways), 1, 3, Fraction(1, 20), spread=False)


#: The worked examples of lessons 2 to 4: of 30 unseen cards, 6 lie between. A sample has 20 turns (in lesson 3, 40).
UNSEEN: Final = 30
BETWEEN: Final = 6


def _one_between(unseen: int, between: int, opponents: int) -> tuple[Trial, Fraction]:
    """Whether A takes from a row with four cards: exactly one of the opponents' cards lies between. And how likely."""

    def trial(rng: Rng) -> tuple[float | None, Rng]:
        drawn, rng = rng.shuffled(range(unseen), take=opponents)
        return float(sum(card < between for card in drawn[:opponents]) == 1), rng

    chance = Fraction(between * comb(unseen - between, opponents - 1), comb(unseen, opponents))
    return trial, chance


def _share(name: str, turns: int, unseen: int, between: int, opponents: int, **parts: object) -> Way:
    one, chance = _one_between(unseen, between, opponents)
    spread = math.sqrt(chance * (1 - chance) / turns)
    return Way(name, _mean_of(turns, one), {"n": turns, **parts}, chance, spread)


def opponents() -> Sampling:
    """Lesson 2: how often A takes in 20 turns, with one, two or three opponents."""
    names = {"one": 1, "two": 2, "three": 3}
    ways = (_share(name, 20, UNSEEN, BETWEEN, count) for name, count in names.items())
    return Sampling(tuple(ways), 0, 1, Fraction(1, 20), spread=False)


#: Lesson 3: what is known, as the cards that are left and those of them that lie between.
KNOWN: Final = {"nothing": (30, 6), "above": (20, 6), "gone": (24, 3)}


def knowing() -> Sampling:
    """Lesson 3: how often A takes in 40 turns, by what is known."""
    ways = (_share(name, 40, left, between, 1) for name, (left, between) in KNOWN.items())
    return Sampling(tuple(ways), 0, 0.7, Fraction(1, 40), spread=False)


#: Lesson 4: turns in a sample.
SIZES: Final = {"few": 10, "some": 40, "many": 160}


def turns() -> Sampling:
    """Lesson 4: estimates from 10, 40 or 160 turns."""
    ways = (_share(name, n, UNSEEN, BETWEEN, 1) for name, n in SIZES.items())
    return Sampling(tuple(ways), 0, 0.6, Fraction(1, 40))


def rounds() -> Sampling:
    """Lesson 5: totals of whole rounds, at random and by the closest-card rule."""
    ways = (Way("random", _round_heads(mine=random_card)), Way("closest", _round_heads(mine=closest_card)))
    return Sampling(ways, 0, 40, Fraction(1), spread=False, median=True)


#: Lesson 6: what two cards can cost, four equally likely cases each.
COSTS: Final = {"calm": (2, 2, 4, 4), "wild": (0, 0, 0, 12)}


def two_cards() -> Sampling:
    """Lesson 6: the cost of a turn with a calm and with a wild card."""
    ways = (Way(name, _one_of(costs), {}, mean(costs), _spread(costs)) for name, costs in COSTS.items())
    return Sampling(tuple(ways), -3, 12, Fraction(1))  # the wild card's bar begins at 3 − 5.2


#: Lesson 7: B's heads minus A's, and the probability with which A mixes in the first row.
MATRIX: Final = ((4, -2), (-1, 3))
MIX: Final = Fraction(2, 5)


def matrix() -> Sampling:
    """Lesson 7: A always plays one card, which B has noticed, or mixes."""

    def played(first: Fraction) -> Trial:
        worth = [first * top + (1 - first) * bottom for top, bottom in zip(*MATRIX, strict=True)]

        def trial(rng: Rng) -> tuple[float | None, Rng]:
            drawn, rng = rng.below(first.denominator)
            if worth[0] == worth[1]:  # B cannot do better with either
                reply, rng = rng.below(2)
            else:
                reply = worth.index(min(worth))
            return float(2 * (drawn >= first.numerator) + reply), rng

        return trial

    def way(name: str, first: Fraction) -> Way:
        worth = min(first * top + (1 - first) * bottom for top, bottom in zip(*MATRIX, strict=True))
        return Way(name, played(first), {}, worth)

    ways = (way("one", Fraction(1)), way("other", Fraction(0)), way("mix", MIX))
    return Sampling(ways, -3, 5, Fraction(1), spread=False, cells=tuple(entry for row in MATRIX for entry in row))


#: Lesson 8: deals, how many wins reject at 5%, and how often the rule wins if the alternative is true.
COINS: Final = 12
REJECTS: Final = 10
WINS: Final = Fraction(3, 4)


def coins() -> Sampling:
    """Lesson 8: wins in 12 deals if the null hypothesis is true, and if it is not."""

    def way(name: str, chance: Fraction) -> Way:
        spread = math.sqrt(COINS * chance * (1 - chance))
        shaded = {"tail": REJECTS, "in_tail": tail(COINS, REJECTS, chance)}
        return Way(name, _coin_count(COINS, chance), {}, COINS * chance, spread, **shaded)  # type: ignore[arg-type]

    # The lesson is about the tail; a bar for the standard deviation would only distract.
    return Sampling((way("null", Fraction(1, 2)), way("other", WINS)), 0, COINS, Fraction(1), spread=False)


#: Lesson 9: rounds in a mean or a sum.
ROUNDS: Final = {"one": 1, "few": 4, "many": 16}
ADDED: Final = 4


def luck() -> Sampling:
    """Lesson 9: the luck of one round, the mean luck of some, and their sum."""
    lucks = [-one.luck for one in by_the_rule()]
    middle, spread = mean(lucks), _spread(lucks)
    one = _one_of([float(value) for value in lucks])
    ways = [Way(name, _mean_of(n, one), {"n": n}, middle, spread / math.sqrt(n)) for name, n in ROUNDS.items()]
    added = _mean_of(ADDED, one, added=True)
    ways.append(Way("sum", added, {"n": ADDED}, ADDED * middle, spread * math.sqrt(ADDED)))
    return Sampling(tuple(ways), -40, 40, Fraction(1))
