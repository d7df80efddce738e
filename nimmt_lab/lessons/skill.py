"""Classroom lesson 9: luck and skill, from rounds that were played and reviewed (`data/reviewed.json`).

In each round A plays against three random players, alternately by the careful rule of lesson 8 and at random. The
review splits A's heads into an expected share, luck and skill.
"""

from __future__ import annotations

import json
from fractions import Fraction
from functools import cache
from importlib.resources import files
from math import ceil
from typing import Final, NamedTuple

from .problem import Chart, Problem, mean, root, sample_variance
from .tables import streams

#: Playouts in the reviews.
PLAYOUTS: Final = 3000
#: Rounds on a sheet, and the effects (heads saved in a round) that sheets ask about.
LISTED: Final = 6
EFFECTS: Final = (Fraction(1), Fraction(3, 2), Fraction(2), Fraction(5, 2), Fraction(3))


class Reviewed(NamedTuple):
    """A round of A's: the deal, the heads, and their three parts (to one place)."""

    deal: int
    result: int
    share: Fraction
    luck: Fraction
    skill: Fraction

    @property
    def careful(self) -> bool:
        return self.deal % 2 == 1


@cache
def reviewed() -> tuple[Reviewed, ...]:
    rounds = json.loads((files(__package__) / "data" / "reviewed.json").read_text(encoding="utf-8"))
    return tuple(
        Reviewed(deal, result, *(Fraction(round(10 * part), 10) for part in parts)) for deal, result, *parts in rounds
    )


def spread() -> Fraction:
    """The standard deviation of a round's result, to one place."""
    return Fraction(round(10 * root(sample_variance([one.result for one in reviewed()]))), 10)


def _one(value: Fraction) -> str:
    """Format a number with its sign and one place."""
    tenths = round(abs(value) * 10)
    sign = "−" if value < 0 and tenths else "+" if tenths else ""
    return f"{sign}{tenths // 10}.{tenths % 10}"


def luck_and_skill(seed: int) -> tuple[Problem, ...]:
    """Lesson 9: luck and skill."""
    rng = streams(seed, 9)
    rounds, rng = rng.shuffled(reviewed(), take=LISTED + 1)
    alone, listed = rounds[0], rounds[1 : LISTED + 1]
    luck, skill = [one.luck for one in listed], [one.skill for one in listed]
    ranges = {"luck": max(luck) - min(luck), "skill": max(skill) - min(skill)}
    # Two rounds whose results contradict how they were played, if there are any.
    pairs = [(one, other) for one in range(LISTED) for other in range(one + 1, LISTED) if skill[one] != skill[other]]
    odd = [
        (one, other)
        for one, other in pairs
        if (listed[one].result - listed[other].result) * (skill[one] - skill[other]) < 0
    ]
    at, rng = rng.below(len(odd or pairs))
    one, other = (odd or pairs)[at]
    which, rng = rng.below(len(EFFECTS))
    effect, sd = EFFECTS[which], spread()
    names = (str(one + 1), str(other + 1))
    lines = (tuple(map(_one, luck)), tuple(map(_one, skill)))
    chart = Chart(tuple(str(number + 1) for number in range(LISTED)), lines, ("p9.luck_line", "p9.skill_line"))
    parts = {"result": alone.result, "share": _plain(alone.share), "luck": _one(alone.luck)}
    needs = {"effect": _plain(effect), "sd": _plain(sd)}
    return (
        Problem("p9.parts", alone.result - alone.share - alone.luck, parts, working=parts),
        Problem("p9.skill", mean(skill), chart=chart, working={"total": _one(sum(skill, Fraction(0)))}),
        Problem("p9.luck", mean(luck), chart=chart, working={"total": _one(sum(luck, Fraction(0)))}),
        Problem("p9.wider", max(ranges, key=lambda name: ranges[name]), chart=chart, choices=("luck", "skill"),
                working={name: _plain(value) for name, value in ranges.items()}),
        Problem("p9.better", names[0] if skill[one] < skill[other] else names[1], {"one": names[0], "other": names[1]},
                chart=chart, choices=names, working={"first": _one(skill[one]), "second": _one(skill[other])}),
        Problem("p9.needed", Fraction(ceil((2 * sd / effect) ** 2)), needs,
                working={**needs, "half": f"{float(effect / 2):g}"}),
    )  # fmt: skip


def _plain(value: Fraction) -> str:
    return f"{float(value):.1f}"
