"""Cost of a choice by a solver or a search, as data and in words.

A solver gives expected heads against best play in an open game, as bounds if it ran out of time. A search gives
estimates with errors from the player's view, in the game's own unit (heads or points).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt

from nimmt_lab.engine.cards import Seat

from .catalogue import Words
from .catalogue import number as written

#: Half the width of a 95% interval, in standard errors.
Z = 1.96
#: Smaller losses count as zero: numbers are shown to two places.
NOTHING = 0.005
#: From best to worst.
VERDICTS = ("best", "good", "inaccuracy", "mistake", "blunder")
#: Smallest loss of an inaccuracy, a mistake and a blunder: in heads or points or, for a team, in shares of a win.
IN_POINTS = (0.5, 1.5, 3.0)
IN_WINS = (0.03, 0.08, 0.15)


def agreed(verdict: str, second: float) -> str:
    """A verdict on a choice that loses so much in a second search, which has another idea of how everybody plays. It
    must lose there, too; how much depends on the others.

    >>> agreed("blunder", 0.8), agreed("blunder", -0.1), agreed("good", -0.1)
    ('blunder', '', 'good')
    """
    return "" if verdict in VERDICTS[2:] and second <= 0 else verdict


def verdict_of(about: float, least: float, most: float, bounds: tuple[float, float, float] = IN_POINTS) -> str:
    """Verdict on a choice with an estimated loss; empty unless the bounds show a real loss (`least`) or a small one
    (`most`).

    >>> verdict_of(2.0, 0.4, 3.6), verdict_of(2.0, -0.4, 4.4), verdict_of(0.1, -0.1, 0.3)
    ('mistake', '', 'good')
    """
    if least < NOTHING * bounds[0] and most >= bounds[0]:
        return ""
    return VERDICTS[1 + sum(about >= bound for bound in bounds)]


@dataclass(frozen=True)
class Judgement:
    """One choice compared with the best one. Rounds, turns and seats count from 0.

    >>> from nimmt_lab.explain import words
    >>> Judgement(0, 6, 0, "card", "18", "20", 1.5, 1.5, solved=True).text(words("en"))
    '18: 1.50 heads lost on average; better: 20. Mistake.'
    >>> Judgement(0, 6, 1, "row", "@2", "@1", 0.0, 3.0, solved=False).text(words("en"))
    'row 2: 0.00 to 3.00 heads lost on average; not solved in time.'
    >>> Judgement(0, 6, 1, "card", "18", "20", 0.5, 3.5, solved=False, estimate=2.0, error=0.75).text(words("en"))
    '18: about 2.00 lost (0.50 to 3.50); better: 20. Mistake.'
    """

    round: int
    turn: int
    seat: Seat
    #: ``card``, ``row``, or ``other`` (for example, a special card).
    kind: str
    #: This choice and the best one in notation; rows count from 1 (`@2`).
    choice: str
    best: str
    #: Bounds of the loss: certain (solver) or with 95% confidence (search).
    least: float
    most: float
    solved: bool
    #: Estimated loss and its standard error; None for a solver.
    estimate: float | None = None
    error: float = 0.0
    #: `solver`, `search`, or `exact` if nothing is hidden or random.
    method: str = "solver"
    #: The stakes here: part of a win (search) or heads (solver); see `accuracy`.
    given_up: float = 0.0
    at_stake: float = 0.0
    #: The loss by a second, independent search in which everybody wants to end ahead; None if there was none.
    second: float | None = None
    #: Whether the game is as good as won or lost, whatever the choice.
    decided: bool = False
    #: For a team: loss in shares of a win, at least, about and at most.
    wins: tuple[float, float, float] | None = None

    @property
    def verdict(self) -> str:
        """One of `VERDICTS`, or empty if within the error."""
        if self.choice == self.best or self.is_best:
            return "best"
        if self.wins is not None:
            least, about, most = self.wins
            return verdict_of(about, least, most, IN_WINS)
        verdict = verdict_of(self.loss, self.least, self.most)
        if self.decided and verdict in VERDICTS[2:]:
            return ""
        return verdict if self.second is None else agreed(verdict, self.second)

    @property
    def loss(self) -> float:
        """The estimated loss, or the middle of its bounds."""
        return (self.least + self.most) / 2 if self.estimate is None else self.estimate

    @property
    def is_best(self) -> bool:
        """Whether certainly nothing was better."""
        return self.estimate is None and self.most < NOTHING

    @property
    def is_known(self) -> bool:
        """Whether the loss is known exactly."""
        return self.most - self.least < NOTHING

    def text(self, say: Words) -> str:
        """The choice, its cost and, unless good, its verdict."""
        verdict = self.verdict
        cost = self._cost(say)
        return f"{cost} {say(f'verdict.{verdict}')}" if verdict in VERDICTS[2:] else cost

    def named(self, choice: str, say: Words) -> str:
        """A choice of this decision for a reader: a row by its name instead of its notation."""
        return say("part.row", it=choice.removeprefix("@")) if self.kind == "row" else choice

    def _cost(self, say: Words) -> str:
        if self.is_best:
            return say("review.best", choice=self.named(self.choice, say))
        least, most = number(self.least, say), number(self.most, say)
        if self.estimate is not None:
            if self.choice == self.best:
                return say("review.found_best", choice=self.named(self.choice, say))
            if self.least < NOTHING:
                return say("review.unclear", choice=self.named(self.choice, say))
            lost = number(self.estimate, say)
            return say(
                "review.estimated",
                choice=self.named(self.choice, say),
                lost=lost,
                least=least,
                most=most,
                best=self.named(self.best, say),
            )
        if self.is_known:
            return say("review.lost", choice=self.named(self.choice, say), heads=most, best=self.named(self.best, say))
        if self.solved:
            return say(
                "review.bounded",
                choice=self.named(self.choice, say),
                least=least,
                most=most,
                best=self.named(self.best, say),
            )
        return say("review.open", choice=self.named(self.choice, say), least=least, most=most)


def accuracy(judgements: Sequence[Judgement]) -> float | None:
    """How much of what was at stake the choices kept, from 0 (worst) to 100 (best); None if nothing was at stake.

    >>> accuracy([Judgement(0, 0, 0, "card", "18", "20", 1.0, 1.0, True, given_up=0.25, at_stake=1.0)])
    75.0
    """
    stake = sum(judgement.at_stake for judgement in judgements)
    if stake <= 0:
        return None
    return 100.0 * min(1.0, max(0.0, 1 - sum(judgement.given_up for judgement in judgements) / stake))


def number(value: float, say: Words) -> str:
    """Format a number to two places in the language's style.

    >>> from nimmt_lab.explain import words
    >>> number(-1.5, words("cs"))
    '−1,50'
    """
    return written(round(value, 2) + 0.0, ".2f", say.lang).replace("-", "−")  # + 0.0 turns -0.0 into 0.0


def standing(least: float, most: float, solved: bool, say: Words) -> str:
    """Who will be ahead in the end: `least` to `most` heads for A (negative: for B).

    >>> from nimmt_lab.explain import words
    >>> standing(-2.5, -2.5, True, words("en", {1: "Eva"})), standing(0, 0, True, words("en"))
    ('Eva ahead by 2.50', 'level')
    """
    if not solved:
        return say("review.standing_open", who=say.who(0), least=number(least, say), most=number(most, say))
    middle = (least + most) / 2
    if abs(middle) < NOTHING:
        return say("review.level")
    return say("review.ahead", who=say.who(0 if middle > 0 else 1), heads=number(abs(middle), say))


def review_title(say: Words, *, searched: bool, points: bool) -> str:
    """Title of a review: its method and, for a search, its unit."""
    if not searched:
        return say("review.title")
    return say("review.title_search_points") if points else say("review.title_search_heads")


def review_lines(
    moments: Sequence[tuple[str, str | None, tuple[Judgement, ...], bool]], say: Words, *, time_is_up: bool = False
) -> list[str]:
    """One line per moment: time, standing (None: unknown), choices, turning point. Without judgements: not reviewed."""
    lines = []
    for when, stands, judged, turning in moments:
        if not judged:
            lines.append(say("review.time_is_up", turn=when) if time_is_up else say("review.not_looked_at", turn=when))
            continue
        known = say("review.looked_at", turn=when) if stands is None else None
        parts = [known or say("review.moment", turn=when, standing=stands)]
        parts += [f"{say.who(judgement.seat)} {judgement.text(say)}" for judgement in judged]
        if turning:
            parts.append(say("review.turning"))
        lines.append(" ".join(parts))
    return lines


def lost(judgements: Sequence[Judgement]) -> tuple[float, float]:
    """Total loss of some choices, at least and at most; estimates are summed with their joint error."""
    if any(judgement.estimate is not None for judgement in judgements):
        about = sum(judgement.estimate or 0.0 for judgement in judgements)
        below = Z * sqrt(sum(judgement.error**2 for judgement in judgements))
        above = sqrt(sum((judgement.most - (judgement.estimate or 0.0)) ** 2 for judgement in judgements))
        return max(0.0, about - below), max(0.0, about + above)
    return sum(judgement.least for judgement in judgements), sum(judgement.most for judgement in judgements)


def lost_line(seat: Seat, judgements: Sequence[Judgement], say: Words) -> str:
    low, high = lost(judgements)
    least, most = number(low, say), number(high, say)
    if any(judgement.estimate is not None for judgement in judgements):
        about = number(max(0.0, sum(judgement.estimate or 0.0 for judgement in judgements)), say)
        return say("review.total_estimated", who=say.who(seat), lost=about, least=least, most=most)
    if high - low < NOTHING:
        return say("review.total", who=say.who(seat), heads=most)
    return say("review.total_open", who=say.who(seat), least=least, most=most)


def accuracy_line(seat: Seat, judgements: Sequence[Judgement], say: Words) -> str | None:
    """A player's accuracy; None if nothing was at stake."""
    kept = accuracy(judgements)
    return None if kept is None else say("review.accuracy", who=say.who(seat), accuracy=f"{kept:.0f}")


def split_line(
    seat: Seat,
    result: int,
    parts: tuple[float, float, float, float],
    errors: tuple[float, float],
    say: Words,
    *,
    points: bool,
    gap: float = 0.0,
) -> str:
    """A result split into what is usual at the table, deal, turns and own choices, with the errors of luck and choices,
    and the `gap` by which these estimates miss the result.

    >>> from nimmt_lab.explain import words
    >>> line = split_line(0, 12, (9.0, -1.5, 3.0, 1.0), (0.5, 0.25), words("en"), points=False, gap=-0.5)
    >>> line[:56], line[68:108]
    ('A, heads: 12 = 9.00 on average at this table; deal −1.50', '0, own choices +1.00, unexplained +0.50 ')
    """
    share, *others = parts
    deal, turns, skill = (("+" if value >= NOTHING else "") + number(value, say) for value in others)
    luck_margin, skill_margin = (number(Z * error, say) for error in errors)
    told = {"who": say.who(seat), "result": result, "share": number(share, say), "deal": deal, "turns": turns}
    told |= {"skill": skill, "luck_margin": luck_margin, "skill_margin": skill_margin}
    told["rest"] = ("+" if -gap >= NOTHING else "") + number(-gap, say)
    return say("review.split_points", **told) if points else say("review.split_heads", **told)
