"""Playouts with the engine, for what no kernel knows: a state that fits a view, played on at random.

Nothing but the rules is needed for it: whatever a game asks, it lists its options; what it keeps face down can be dealt
out (`nimmt_lab.engine.guess`), or the game is refused.
"""

from __future__ import annotations

from collections.abc import Sequence

from nimmt_lab.engine.decisions import Choice
from nimmt_lab.engine.guess import guess
from nimmt_lab.engine.habits import habitual_choices
from nimmt_lab.engine.rng import Rng
from nimmt_lab.engine.state import GameState
from nimmt_lab.engine.view import View
from nimmt_lab.native.tries import Estimate, estimate


class EnginePlayouts:
    """Playouts from one view; asked again for an option, it adds to what it knows of it."""

    def __init__(self, view: View, rng: Rng) -> None:
        self.view = view
        self.key = rng.state
        self.tried: dict[Choice, int] = {}
        self.sums: dict[Choice, list[float]] = {}

    def run(self, options: Sequence[Choice], playouts: int) -> list[Estimate]:
        """`playouts` more for each of the options; equally many so far, so that all meet the same hidden cards."""
        first = self.tried.get(options[0], 0)
        for number in range(first, first + playouts):
            stream = Rng.from_seed(self.key, number)
            state = guess(self.view, stream)
            for option in options:
                heads, credit = self._play_out(state, option, stream)
                new = heads, heads * heads, credit, credit * credit
                self.sums[option] = [old + one for old, one in zip(self.sums.get(option, [0.0] * 4), new, strict=True)]
                self.tried[option] = self.tried.get(option, 0) + 1
        return [estimate(option, self.tried[option], *self.sums[option]) for option in options]

    def _play_out(self, state: GameState, option: Choice, rng: Rng) -> tuple[int, float]:
        view = self.view
        choices, rng = habitual_choices(state, rng)
        state, _ = state.choose({**choices, view.seat: option})
        while not state.is_past_round(view.round):
            choices, rng = habitual_choices(state, rng)
            state, _ = state.choose(choices)
        side = view.game.pile_of(view.seat)
        growth = state.totals[side] - view.totals[side]
        return -growth if view.game.more_is_better else growth, win_credit(state, side)


def win_credit(state: GameState, side: int) -> float:
    """The win shared among the sides that won (1 for one alone); while the game goes on, those that are ahead."""
    game = state.game
    if state.outcome is not None:
        ahead = {game.pile_of(seat) for seat in state.outcome.winners}
    else:
        best = (max if game.more_is_better else min)(state.totals)
        ahead = {at for at, total in enumerate(state.totals) if total == best}
    return 1 / len(ahead) if side in ahead else 0.0
