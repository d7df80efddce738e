"""What a player's mistakes have in common, and puzzles made from them.

>>> from nimmt_lab import Classic, Record
>>> from nimmt_lab.study import review
>>> start = "12 14 15 16 18 | 37 | 43 | 58 61 ; A: 19 104 ; B: 3 103 ; C: 4 102"
>>> found = review(Record(Classic(players=3), ({0: 19, 1: 103, 2: 102},), start=start), seat="A", progress=False)
>>> [(mistake.kind, mistake.judged.choice) for mistake in mistakes(found, "A")]
[('sixth_card', '19')]
>>> [puzzle.best for puzzle in own_puzzles(found, "A", playouts=400)]
[104]
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from nimmt_lab.bots import bot
from nimmt_lab.engine.cards import Seat
from nimmt_lab.engine.decisions import ChooseCard, ChooseRow
from nimmt_lab.engine.sheet import Figure, Figures, Several, Sheet, Shown

from .choices import ClearChoice, as_clear_choice
from .mistakes import Judged
from .reviews import Review, ReviewedStep

__all__ = ["KINDS", "TITLES", "Kinds", "Mistake", "kinds_of_mistakes", "mistakes", "own_puzzles"]

#: Kinds of mistakes: a card lower than every row, a card for a full row, a card above every row played too early or too
#: late, a row chosen badly, and all others.
KINDS = ("low_card", "sixth_card", "high_card", "row", "other")
TITLES = {
    "low_card": "low cards",
    "sixth_card": "cards for a full row",
    "high_card": "timing of high cards",
    "row": "row chosen",
    "other": "other",
}


@dataclass(frozen=True, repr=False)
class Mistake(Shown):
    """One mistake or blunder of a review, and its kind (one of `KINDS`)."""

    kind: str
    judged: Judged
    reviewed: ReviewedStep

    def sheet(self) -> Sheet:
        """The choice with its options and reasons, and the kind of the mistake."""
        sheet = self.judged.sheet()
        return replace(sheet, lead=[*sheet.lead, f"Kind: {TITLES[self.kind]}"])

    def __repr__(self) -> str:
        return str(self)


def mistakes(review: Review, seat: Seat | str) -> Several[Mistake]:
    """The mistakes and blunders of a seat or player, the costliest first."""
    number, names = review.record.seat_of(seat), review.record.names
    found = []
    for reviewed in review.steps:
        for judgement in reviewed.judgements:
            if judgement.seat == number and judgement.verdict in ("mistake", "blunder"):
                judged = Judged.of(reviewed, judgement, names)
                found.append(Mistake(_kind(judged), judged, reviewed))
    return Several(sorted(found, key=lambda mistake: -mistake.judged.judgement.loss))


def _kind(judged: Judged) -> str:
    view = judged.view
    if isinstance(view.decision, ChooseRow):
        return "row"
    cards = [option.option for option in judged.options if option.choice in (judged.choice, judged.best)]
    chosen = next((option.option for option in judged.options if option.choice == judged.choice), None)
    if not isinstance(view.decision, ChooseCard) or not isinstance(chosen, int):
        return "other"
    home = view.game.home_row(view, chosen)
    if home is None:
        return "low_card"
    if len(view.rows[home]) >= view.game.places_in_row:
        return "sixth_card"
    highest = max(row[-1] for row in view.rows if row)
    return "high_card" if any(isinstance(card, int) and card > highest for card in cards) else "other"


@dataclass(frozen=True, repr=False)
class Kinds(Shown):
    """How often each kind of mistake occurred, and what it cost, over several reviewed games."""

    games: int
    #: By kind: mistakes, and heads or points lost by them.
    counts: dict[str, tuple[int, float]]

    def sheet(self) -> Sheet:
        most = max([lost for _, lost in self.counts.values()] + [1e-9])
        lines = [
            Figure((TITLES[kind], str(count), f"{lost:.1f}"), lost / most)
            for kind, (count, lost) in sorted(self.counts.items(), key=lambda item: -item[1][1])
        ]
        return Sheet(f"Mistakes in {self.games} games", [Figures(("", "mistakes", "lost"), lines)])

    def __repr__(self) -> str:
        return str(self)


def kinds_of_mistakes(reviews: Iterable[tuple[Review, Seat | str]]) -> Kinds:
    """Count one player's mistakes by kind over reviewed games, given with the player's seat in each."""
    counts = dict.fromkeys(KINDS, (0, 0.0))
    games = 0
    for review, seat in reviews:
        games += 1
        for mistake in mistakes(review, seat):
            count, lost = counts[mistake.kind]
            counts[mistake.kind] = count + 1, lost + max(0.0, mistake.judged.judgement.loss)
    return Kinds(games, counts)


def own_puzzles(
    review: Review, seat: Seat | str, *, playouts: int = 2000, seed: int = 0, margin: float = 1.0
) -> tuple[ClearChoice, ...]:
    """Puzzles from a player's own mistakes: those with one option that leads all others by `margin` and more than the
    error, in a search other than the review's."""
    adviser = bot(f"best:playouts={playouts},goal=heads")
    made = (
        as_clear_choice(mistake.reviewed.step.before, mistake.judged.seat, adviser=adviser, seed=seed, margin=margin)
        for mistake in mistakes(review, seat)
        if mistake.judged.seat >= 0
    )
    return tuple(puzzle for puzzle in made if puzzle is not None)
