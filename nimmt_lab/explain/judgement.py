"""What a choice cost, as a solver or a search found it: the data that reports join, and the words for it.

A solver's numbers are heads on average against best play, in an open game. They come as bounds, because it may have run
out of time; then the text says so. A search gives estimates with an error, from what the player could see, in any game:
in whatever the game counts (heads or points).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt

from nimmt_lab.engine.cards import Seat

from .catalogue import Words

#: Half the width of a 95 % interval, in standard errors.
Z = 1.96
#: Less than this is nothing: numbers are told to two places.
NOTHING = 0.005


@dataclass(frozen=True)
class Judgement:
    """One choice of one player, compared with the best one. Rounds, turns and seats count from 0.

    >>> from nimmt_lab.explain import words
    >>> Judgement(0, 6, 0, "card", "18", "20", 1.5, 1.5, solved=True).text(words("en"))
    '18: 1.50 heads lost on average; better: 20.'
    >>> Judgement(0, 6, 1, "row", "@2", "@1", 0.0, 3.0, solved=False).text(words("en"))
    '@2: 0.00 to 3.00 heads lost on average; not solved in the time given.'
    >>> Judgement(0, 6, 1, "card", "18", "20", 0.5, 3.5, solved=False, about=2.0, error=0.75).text(words("en"))
    '18: about 2.00 lost (0.50 to 3.50); better: 20.'
    """

    round: int
    turn: int
    seat: Seat
    #: What was chosen: a ``card``, a ``row``, or ``other`` (a special card, say).
    kind: str
    #: The choice and the best one as people write them; a row is counted from 1 (`@2`).
    choice: str
    best: str
    #: The choice lost at least and at most so much: for certain (by a solver), or with 95 % confidence (by a search).
    least: float
    most: float
    #: Whether a solver completed its search.
    solved: bool
    #: What it lost by a search's estimate, and the standard error of that; None: a solver's judgement.
    about: float | None = None
    error: float = 0.0

    @property
    def is_best(self) -> bool:
        """Whether it is certain that nothing was better."""
        return self.about is None and self.most < NOTHING

    @property
    def is_known(self) -> bool:
        """Whether the loss is known, not only bounded."""
        return self.most - self.least < NOTHING

    def text(self, say: Words) -> str:
        """The choice and what it cost."""
        if self.is_best:
            return say("review.best", choice=self.choice)
        least, most = number(self.least, say), number(self.most, say)
        if self.about is not None:
            if self.choice == self.best:
                return say("review.found_best", choice=self.choice)
            if self.least < NOTHING:
                return say("review.unclear", choice=self.choice)
            lost = number(self.about, say)
            return say("review.estimated", choice=self.choice, lost=lost, least=least, most=most, best=self.best)
        if self.is_known:
            return say("review.lost", choice=self.choice, heads=most, best=self.best)
        if self.solved:
            return say("review.bounded", choice=self.choice, least=least, most=most, best=self.best)
        return say("review.open", choice=self.choice, least=least, most=most)


def number(value: float, say: Words) -> str:
    """A number to two places, with the decimal sign of the language.

    >>> from nimmt_lab.explain import words
    >>> number(-1.5, words("cs"))
    '−1,50'
    """
    shown = f"{value:.2f}".replace("-", "−")
    if shown == "−0.00":
        shown = "0.00"
    return shown if say.catalogue.lang == "en" else shown.replace(".", ",")


def standing(least: float, most: float, solved: bool, say: Words) -> str:
    """Who will be ahead in the end, by how many heads: `least` to `most` for A (below 0: for B).

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
    """What the judgements of a game rest on, and (by search) what they count."""
    if not searched:
        return say("review.title")
    return say("review.title_search_points") if points else say("review.title_search_heads")


def review_lines(
    moments: Sequence[tuple[str, str | None, tuple[Judgement, ...], bool]], say: Words
) -> list[str]:
    """A line per moment: when, who stands how (None: not known), what was chosen, whether that turned the round. A
    moment without judgements was not looked at."""
    lines = []
    for when, stands, judged, turning in moments:
        if not judged:
            lines.append(say("review.not_looked_at", turn=when))
            continue
        known = say("review.looked_at", turn=when) if stands is None else None
        parts = [known or say("review.moment", turn=when, standing=stands)]
        parts += [f"{say.who(judgement.seat)} {judgement.text(say)}" for judgement in judged]
        if turning:
            parts.append(say("review.turning"))
        lines.append(" ".join(parts))
    return lines


def lost(judgements: Sequence[Judgement]) -> tuple[float, float]:
    """What some choices lost in all, at least and at most; estimates are added up with the error of their sum."""
    if any(judgement.about is not None for judgement in judgements):
        about = sum(judgement.about or 0.0 for judgement in judgements)
        below = Z * sqrt(sum(judgement.error**2 for judgement in judgements))
        above = sqrt(sum((judgement.most - (judgement.about or 0.0)) ** 2 for judgement in judgements))
        return max(0.0, about - below), max(0.0, about + above)
    return sum(judgement.least for judgement in judgements), sum(judgement.most for judgement in judgements)


def lost_line(seat: Seat, judgements: Sequence[Judgement], say: Words) -> str:
    """What a player's choices lost in all."""
    low, high = lost(judgements)
    least, most = number(low, say), number(high, say)
    if any(judgement.about is not None for judgement in judgements):
        about = number(max(0.0, sum(judgement.about or 0.0 for judgement in judgements)), say)
        return say("review.total_estimated", who=say.who(seat), lost=about, least=least, most=most)
    if high - low < NOTHING:
        return say("review.total", who=say.who(seat), heads=most)
    return say("review.total_open", who=say.who(seat), least=least, most=most)
