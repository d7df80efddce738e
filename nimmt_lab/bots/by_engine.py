"""Engine playouts, for games and decisions without compiled ones. They only need a way to deal hidden cards."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from nimmt_lab.engine import halt
from nimmt_lab.engine.cards import Seat
from nimmt_lab.engine.decisions import Choice
from nimmt_lab.engine.guess import guess
from nimmt_lab.engine.habits import habitual_choices
from nimmt_lab.engine.rng import Rng
from nimmt_lab.engine.state import GameState
from nimmt_lab.engine.view import View
from nimmt_lab.native.tries import Estimate, estimate


class EnginePlayouts:
    """Random playouts from one view. Results for an option accumulate over calls of `run`."""

    def __init__(self, view: View, rng: Rng) -> None:
        self.view = view
        self.key = rng.state
        self.counts: dict[Choice, int] = {}
        self.sums: dict[Choice, list[float]] = {}

    def run(self, options: Sequence[Choice], playouts: int) -> list[Estimate]:
        """Run `playouts` more for each option. All need equal counts so far, to share the hidden cards of every
        playout."""
        view = self.view
        side = view.game.pile_of(view.seat)
        sign = -1 if view.game.more_is_better else 1
        first = self.counts.get(options[0], 0)
        for number in range(first, first + playouts):
            halt.check()
            rng = Rng.from_seed(self.key, number)
            start = guess(view, rng)
            for option in options:
                state = play_out(start, view.seat, option, rng, lambda state: state.is_past_round(view.round))
                heads, credit = sign * (state.totals[side] - view.totals[side]), win_credit(state, side)
                new = heads, heads * heads, credit, credit * credit
                sums = self.sums.get(option, [0.0] * 4)
                self.sums[option] = [total + value for total, value in zip(sums, new, strict=True)]
                self.counts[option] = self.counts.get(option, 0) + 1
        return [estimate(option, self.counts[option], *self.sums[option]) for option in options]


def play_out(state: GameState, seat: Seat, option: Choice, rng: Rng, is_done: Callable[[GameState], bool]) -> GameState:
    """Play `option` for `seat`, then random moves for all seats until `is_done`."""
    choices, rng = habitual_choices(state, rng)
    state, _ = state.choose({**choices, seat: option})
    while not is_done(state):
        choices, rng = habitual_choices(state, rng)
        state, _ = state.choose(choices)
    return state


def win_credit(state: GameState, side: int) -> float:
    """A side's share of the win; in an unfinished game, its share of the lead."""
    game = state.game
    if state.outcome is not None:
        ahead = {game.pile_of(seat) for seat in state.outcome.winners}
    else:
        best = (max if game.more_is_better else min)(state.totals)
        ahead = {at for at, total in enumerate(state.totals) if total == best}
    return 1 / len(ahead) if side in ahead else 0.0
