"""What a choice cost in an open game, as a solver found it: the data that reports join, and the words for it.

Numbers are heads on average against best play. They come as bounds, because a search may have run out of time; then
the text says so.
"""

from __future__ import annotations

from dataclasses import dataclass

from nimmt_lab.engine.cards import Seat

from .catalogue import Words

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
    """

    round: int
    turn: int
    seat: Seat
    #: What was chosen: a ``card`` or a ``row``.
    kind: str
    #: The choice and the best one as people write them; a row is counted from 1 (`@2`).
    choice: str
    best: str
    #: The choice lost at least and at most so much.
    least: float
    most: float
    #: Whether the search was completed.
    solved: bool

    @property
    def is_best(self) -> bool:
        """Whether it is certain that nothing was better."""
        return self.most < NOTHING

    @property
    def is_known(self) -> bool:
        """Whether the loss is known, not only bounded."""
        return self.most - self.least < NOTHING

    def text(self, say: Words) -> str:
        """The choice and what it cost."""
        if self.is_best:
            return say("review.best", choice=self.choice)
        least, most = number(self.least, say), number(self.most, say)
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


def review_lines(moments: list[tuple[str, str | None, tuple[Judgement, ...], bool]], say: Words) -> list[str]:
    """A line per moment: when, who stands how (None: not looked at), what was chosen, whether that turned the round."""
    lines = [say("review.title")]
    for when, stands, judged, turning in moments:
        if stands is None:
            lines.append(say("review.not_looked_at", turn=when))
            continue
        parts = [say("review.moment", turn=when, standing=stands)]
        parts += [f"{say.who(judgement.seat)} {judgement.text(say)}" for judgement in judged]
        if turning:
            parts.append(say("review.turning"))
        lines.append(" ".join(parts))
    return lines


def lost_line(seat: Seat, least: float, most: float, say: Words) -> str:
    """What a player's choices lost in all."""
    if most - least < NOTHING:
        return say("review.total", who=say.who(seat), heads=number(most, say))
    return say("review.total_open", who=say.who(seat), least=number(least, say), most=number(most, say))
