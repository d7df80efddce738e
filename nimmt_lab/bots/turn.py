"""A bot that looks no further than this turn, in any game: what would happen if the others played anything?

It needs rules alone, like the search (`by_engine`), and takes a hundredth of its time: people who have learned the
rules of a game, and not yet how it goes on, play about like this.
"""

from __future__ import annotations

from nimmt_lab.engine.decisions import Choice
from nimmt_lab.engine.errors import RulesError
from nimmt_lab.engine.files import shown
from nimmt_lab.engine.guess import guess
from nimmt_lab.engine.habits import habitual_choices
from nimmt_lab.engine.rng import Rng
from nimmt_lab.engine.state import GameState
from nimmt_lab.engine.view import View

from .base import Bot, needed, register
from .search import some_options

#: Of very many options, so many are looked at.
_MOST_OPTIONS = 16


@register
class TurnBot(Bot):
    """Plays what does best in this turn, tried out `guesses` times with hidden cards dealt out at random."""

    name = "turn"

    def __init__(self, guesses: int = 8) -> None:
        if isinstance(guesses, bool) or not isinstance(guesses, int) or guesses < 1:
            raise RulesError("shared.must_whole_from", what="guesses", least=1, got=shown(guesses))
        self.guesses = guesses

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
        options = some_options(decision, _MOST_OPTIONS, rng)
        sums = dict.fromkeys(options, 0.0)
        for number in range(self.guesses):
            stream = Rng.from_seed(rng.state, number)
            state = guess(view, stream)
            for option in options:
                sums[option] += standing(_end_of_turn(state, view, option, stream), view.game.pile_of(view.seat))
        # Among equals, any.
        order, _ = rng.shuffled(options)
        return max(order, key=lambda option: sums[option])

    def __repr__(self) -> str:
        return f"{self.name}:guesses={self.guesses}"


def _end_of_turn(state: GameState, view: View, option: Choice, rng: Rng) -> GameState:
    choices, rng = habitual_choices(state, rng)
    state, _ = state.choose({**choices, view.seat: option})
    while not state.is_past_round(view.round) and state.turn == view.turn:
        choices, rng = habitual_choices(state, rng)
        state, _ = state.choose(choices)
    return state


def standing(state: GameState, side: int) -> float:
    """How well a side stands: what it has (heads count against it, unless they are good), less what the others have on
    average.

    >>> from nimmt_lab import Classic
    >>> state = Classic(players=2).from_position("12 | 37 | 43 | 58 ; A: 60 ; B: 61 ; totals: 3 10")
    >>> standing(state, 0), standing(state, 1)
    (7.0, -7.0)
    """
    game = state.game
    sign = 1 if game.more_is_better else -1
    heads = 1 if game.heads_are_good else -1
    has = [sign * total + heads * game.heads_in(pile) for total, pile in zip(state.totals, state.piles, strict=True)]
    others = [value for at, value in enumerate(has) if at != side]
    return has[side] - sum(others) / max(1, len(others))
