"""Puzzles with hidden hands: which card, row or special card is best, from what a seat may know?

A position makes one only where the best option's lead over every other is beyond its error: what a search cannot tell
is not asked. `nimmt_lab.lessons.puzzle.best_choice` makes a question of it, for an `Exercise`.

>>> from nimmt_lab import Classic
>>> (found,) = clear_choices(Classic(players=3), 1, seed=2, playouts=200, progress=False)
>>> found.lead > found.error, found.best in found.state.pending[found.seat].options
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

#: Positions looked at for each puzzle before the search is given up.
TRIES = 400


@dataclass(frozen=True, repr=False)
class ClearChoice:
    """A decision of `seat` with one clearly best option, by what the seat may know."""

    state: GameState
    seat: Seat
    advice: Advice

    @property
    def best(self) -> Choice:
        """The option that promises most."""
        return self.advice.best

    @property
    def lead(self) -> float:
        """By how many points it promises more than the next best (heads fewer, where they count against one)."""
        return _lead(self.advice)[0]

    @property
    def error(self) -> float:
        """Half the width of the lead's 95 % interval."""
        return _lead(self.advice)[1]

    def __repr__(self) -> str:
        text = f"{seat_letter(self.seat)} to choose in {self.state.position}"
        return f"<{text}: {self.advice.decision.write(self.best)} by {self.lead:.2f} ± {self.error:.2f}>"


def _lead(advice: Advice) -> tuple[float, float]:
    """The lead of the first option that is the hardest to tell from none, and its error."""
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
    """The puzzle that a position makes for a seat; None if no option leads all others by `margin` points and by more
    than the error."""
    view = state.view(seat)
    if view.decision is None or len(view.decision.options) < 2:
        return None
    advice = (bot(adviser) if isinstance(adviser, str) else adviser).advise(view, seed=seed)
    if advice.left_out:
        return None  # the best option may be among those not looked at
    lead, error = _lead(advice)
    return ClearChoice(state, seat, advice) if lead > error and lead >= margin else None


def clear_choices(
    game: Game, count: int = 5, *, seed: int = 0, playouts: int = 500, margin: float = 1.0, progress: bool = True
) -> tuple[ClearChoice, ...]:
    """Puzzles from random games of `game`, each from another game. The same seed gives the same puzzles. An interrupt
    returns those found so far; if there are none yet, it goes on to the caller."""
    check_wanted(count, margin)
    adviser = bot(f"best:playouts={playouts},goal=heads")

    def tried() -> Iterator[ClearChoice | None]:
        games: set[int] = set()
        for number, state, seat in _positions(game, seed):
            # One of a game is enough: its next turn would look much the same.
            if number in games:
                yield None
                continue
            choice = as_clear_choice(state, seat, adviser=adviser, seed=seed, margin=margin)
            if choice is not None:
                games.add(number)
            yield choice

    return first_found(tried(), count, most=count * TRIES, margin=margin, progress=progress)


def _positions(game: Game, seed: int) -> Iterator[tuple[int, GameState, Seat]]:
    """Decisions of random games with the game's number, each game's from its first turn to its last."""
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
