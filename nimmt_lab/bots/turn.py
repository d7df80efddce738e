"""A one-turn lookahead for any game: a hundredth of the cost of a search, about as strong as a beginner."""

from __future__ import annotations

from nimmt_lab.engine.decisions import Choice
from nimmt_lab.engine.guess import guess
from nimmt_lab.engine.limits import check_count
from nimmt_lab.engine.rng import Rng
from nimmt_lab.engine.state import GameState
from nimmt_lab.engine.view import View

from .base import Bot, needed, register
from .by_engine import play_out
from .search import some_options

_MOST_OPTIONS = 16


@register
class TurnBot(Bot):
    """Plays the option with the best mean result at the end of this turn, over `guesses` deals of the hidden cards."""

    name = "turn"

    def __init__(self, guesses: int = 8) -> None:
        self.guesses = check_count(guesses, "guesses", 1)

    def choose(self, view: View, rng: Rng) -> Choice:
        """
        >>> from nimmt_lab import Classic
        >>> state = Classic(players=2).from_position("12 14 15 16 18 | 37 | 43 | 58 ; A: 19 38 ; B: 2 3")
        >>> TurnBot().choose(state.view(0), Rng.from_seed(1))
        38
        """
        decision = needed(view)
        if len(decision.options) == 1:
            return decision.options[0]

        def is_done(state: GameState) -> bool:
            return state.is_past_round(view.round) or state.turn != view.turn

        options = some_options(decision, _MOST_OPTIONS, rng)
        sums = dict.fromkeys(options, 0.0)
        for number in range(self.guesses):
            stream = Rng.from_seed(rng.state, number)
            state = guess(view, stream)
            for option in options:
                after = play_out(state, view.seat, option, stream, is_done)
                sums[option] += standing(after, view.game.pile_of(view.seat))
        order, _ = rng.shuffled(options)  # break ties at random
        return max(order, key=lambda option: sums[option])

    def __repr__(self) -> str:
        return f"{self.name}:guesses={self.guesses}"


def standing(state: GameState, side: int) -> float:
    """A side's lead over the mean of the others, with the heads taken so far; positive is good.

    >>> from nimmt_lab import Classic
    >>> state = Classic(players=2).from_position("12 | 37 | 43 | 58 ; A: 60 ; B: 61 ; totals: 3 10")
    >>> standing(state, 0), standing(state, 1)
    (7.0, -7.0)
    """
    game = state.game
    sign = 1 if game.more_is_better else -1
    heads = 1 if game.heads_are_good else -1
    scores = [sign * total + heads * game.heads_in(pile) for total, pile in zip(state.totals, state.piles, strict=True)]
    others = [score for at, score in enumerate(scores) if at != side]
    return scores[side] - sum(others) / max(1, len(others))
