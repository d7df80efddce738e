"""Puzzles with hidden hands: find the best option from what a seat can know.

A position qualifies only if the best option leads every other by more than the error, so that the answer is certain.
`nimmt_lab.lessons.puzzle.best_choice` turns one into a question for an `Exercise`.

>>> from nimmt_lab import Classic
>>> (puzzle,) = clear_choices(Classic(players=3), 1, seed=2, playouts=200, progress=False)
>>> puzzle.lead > puzzle.error, puzzle.best in puzzle.state.pending[puzzle.seat].options
(True, True)
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import sqrt

from nimmt_lab.bots import Advice, Bot, bot
from nimmt_lab.bots.advice import Z
from nimmt_lab.engine.cards import Seat, seat_letter
from nimmt_lab.engine.decisions import Choice
from nimmt_lab.engine.game import Game
from nimmt_lab.engine.habits import habitual_choices
from nimmt_lab.engine.rng import Rng
from nimmt_lab.engine.state import GameState

from .work import check_wanted, first_found

#: Decisions examined per puzzle before giving up.
_DECISIONS_EACH = 400


@dataclass(frozen=True, repr=False)
class ClearChoice:
    """A decision of `seat` with one clearly best option, given what the seat can know."""

    state: GameState
    seat: Seat
    advice: Advice

    @property
    def best(self) -> Choice:
        return self.advice.best

    @property
    def lead(self) -> float:
        """Its lead over the next best option, in points or fewer heads."""
        return _lead(self.advice)[0]

    @property
    def error(self) -> float:
        """Half the width of the lead's 95% interval."""
        return _lead(self.advice)[1]

    def __repr__(self) -> str:
        text = f"{seat_letter(self.seat)} to choose in {self.state.position}"
        return f"<{text}: {self.advice.decision.write(self.best)} by {self.lead:.2f} ± {self.error:.2f}>"


def _lead(advice: Advice) -> tuple[float, float]:
    """The least certain lead of the first option, and its margin of error."""
    first, *others = advice.promises
    sign = 1 if advice.game.more_is_better else -1
    leads = [
        (sign * (first.points - other.points), Z * sqrt(first.points_error**2 + other.points_error**2))
        for other in others
    ]
    return min(leads, key=lambda lead: lead[0] - lead[1])


def as_clear_choice(
    state: GameState, seat: Seat, *, adviser: Bot | str = "best:goal=heads", seed: int = 0, margin: float = 1.0
) -> ClearChoice | None:
    """Make a puzzle of a seat's decision; None unless one option leads all others by `margin` points and by more than
    the error."""
    view = state.view(seat)
    if view.decision is None or len(view.decision.options) < 2:
        return None
    advice = (bot(adviser) if isinstance(adviser, str) else adviser).advise(view, seed=seed)
    if advice.left_out:
        return None  # the best option may not have been evaluated
    lead, error = _lead(advice)
    return ClearChoice(state, seat, advice) if lead > error and lead >= margin else None


def clear_choices(
    game: Game, count: int = 5, *, seed: int = 0, playouts: int = 500, margin: float = 1.0, progress: bool = True
) -> tuple[ClearChoice, ...]:
    """Find puzzles in random games, one per game. Equal seeds give equal puzzles. An interrupt returns the puzzles
    found so far; if there are none, it propagates."""
    check_wanted(count, margin)
    adviser = bot(f"best:playouts={playouts},goal=heads")

    def candidates() -> Iterator[ClearChoice | None]:
        games: set[int] = set()
        for number, state, seat in _decisions(game, seed):
            if number in games:  # the next turn of a game would look much the same
                yield None
                continue
            choice = as_clear_choice(state, seat, adviser=adviser, seed=seed, margin=margin)
            if choice is not None:
                games.add(number)
            yield choice

    return first_found(candidates(), count, most=count * _DECISIONS_EACH, margin=margin, progress=progress)


def _decisions(game: Game, seed: int) -> Iterator[tuple[int, GameState, Seat]]:
    """All decisions of random games in order, with the number of the game."""
    number = 0
    while True:
        number += 1
        rng = Rng.from_seed(seed, number)
        state = game.deal(rng.state)
        while not state.is_over:
            for seat in state.pending:
                if seat >= 0:
                    yield number, state, seat
            choices, rng = habitual_choices(state, rng)
            state, _ = state.choose(choices)
