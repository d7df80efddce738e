"""Classroom lesson 9: luck and skill, from rounds that were played and reviewed (`data/reviewed.json`).

In each round A plays against three random players, alternately by the closest-card rule of lesson 8 and at random. The
review splits A's heads into luck, skill and the share: what its yardstick, a strong computer player, takes on average
in A's place. The lesson asks about the closest-card player alone.
"""

from __future__ import annotations

import json
from fractions import Fraction
from functools import cache
from importlib.resources import files
from math import ceil
from typing import Final, NamedTuple

from .problem import Chart, Problem, about, decimal, mean, root, sample_variance, wrong_ideas
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
    def closest(self) -> bool:
        """Whether A played by the closest-card rule; otherwise at random."""
        return self.deal % 2 == 1


@cache
def reviewed() -> tuple[Reviewed, ...]:
    rounds = json.loads((files(__package__) / "data" / "reviewed.json").read_text(encoding="utf-8"))
    return tuple(
        Reviewed(deal, result, *(Fraction(round(10 * part), 10) for part in parts)) for deal, result, *parts in rounds
    )


def by_the_rule() -> tuple[Reviewed, ...]:
    """The rounds in which A played by the closest-card rule."""
    return tuple(one for one in reviewed() if one.closest)


def spread() -> Fraction:
    """The standard deviation of a round's result, to one place."""
    return Fraction(round(10 * root(sample_variance([one.result for one in reviewed()]))), 10)


def _one(value: Fraction) -> str:
    """Format a number with its sign and one place."""
    tenths = round(abs(value) * 10)
    sign = "−" if value < 0 and tenths else "+" if tenths else ""
    return f"{sign}{tenths // 10}.{tenths % 10}"


def luck_and_skill(seed: int) -> tuple[Problem, ...]:
    """Lesson 9: luck and skill. One player, and heads saved: + is good."""
    rng = streams(seed, 9)
    rounds, rng = rng.shuffled(by_the_rule(), take=LISTED + 1)
    alone, listed = rounds[0], rounds[1 : LISTED + 1]
    luck, skill = [-one.luck for one in listed], [-one.skill for one in listed]
    larger = [abs(one) > abs(other) for one, other in zip(luck, skill, strict=True)]
    # Two rounds whose results contradict how they were played, if there are any.
    pairs = [(one, other) for one in range(LISTED) for other in range(one + 1, LISTED) if skill[one] != skill[other]]
    results = [one.result for one in listed]
    odd = [(one, other) for one, other in pairs if (results[one] - results[other]) * (skill[one] - skill[other]) > 0]
    at, rng = rng.below(len(odd or pairs))
    one, other = (odd or pairs)[at]
    which, rng = rng.below(len(EFFECTS))
    effect, sd = EFFECTS[which], spread()
    names = (str(one + 1), str(other + 1))
    lines = (tuple(map(str, results)), tuple(map(_one, luck)), tuple(map(_one, skill)))
    heads = ("p9.result_line", "p9.luck_line", "p9.skill_line")
    chart = Chart(tuple(str(number + 1) for number in range(LISTED)), lines, heads)
    mine = alone.share + alone.luck - alone.result  # luck is what it added, so minus what it saved
    saved = alone.share - alone.result
    parts = {"result": alone.result, "share": _plain(alone.share), "luck": _one(-alone.luck)}
    needs = {"effect": _plain(effect), "sd": _plain(sd)}
    exact = (2 * sd / effect) ** 2
    rounds_needed = Fraction(ceil(exact))

    def means(values: list[Fraction]) -> dict[str, Fraction]:
        total = sum(values, Fraction(0))
        return wrong_ideas(mean(values), n_minus_1=total / (LISTED - 1), sum_not_mean=total,
                           no_signs=mean([abs(value) for value in values]))  # fmt: skip

    return (
        Problem("p9.parts", mine, parts,
                working={**parts, "saved": _one(saved), "skill": _one(mine)},
                slips=wrong_ideas(mine, forgot_luck=saved, added_luck=saved - alone.luck)),
        Problem("p9.skill", mean(skill), chart=chart, working=_summed(skill), slips=means(skill)),
        Problem("p9.luck", mean(luck), chart=chart, working=_summed(luck), slips=means(luck)),
        Problem("p9.count", Fraction(sum(larger)), chart=chart,
                working={"rounds": ", ".join(str(at) for at, more in enumerate(larger, 1) if more) or "–"},
                slips=wrong_ideas(Fraction(sum(larger)),
                                  no_signs=Fraction(sum(a > b for a, b in zip(luck, skill, strict=True))))),
        Problem("p9.better", names[0] if skill[one] > skill[other] else names[1], {"one": names[0], "other": names[1]},
                chart=chart, choices=names, working={"first": _one(skill[one]), "second": _one(skill[other]),
                                                     "a": results[one], "b": results[other]}),
        Problem("p9.needed", rounds_needed, needs,
                working={**needs, "half": f"{float(effect / 2):g}", "exact": about(exact, 1),
                         "need": rounds_needed},
                slips=wrong_ideas(rounds_needed, not_squared=Fraction(ceil(2 * sd / effect)),
                                  not_halved=Fraction(ceil((sd / effect) ** 2)))),
    )  # fmt: skip


def _summed(values: list[Fraction]) -> dict[str, object]:
    total = sum(values, Fraction(0))
    return {"total": _one(total), "mean": _two(total / len(values))}


def _two(value: Fraction) -> str:
    return ("+" if value > 0 else "") + decimal(value, 2)


def _plain(value: Fraction) -> str:
    return f"{float(value):.1f}"
