"""Playouts with the engine, for games that have no kernel: a state that fits a view, played on at random."""

from __future__ import annotations

from collections.abc import Sequence

from nimmt_lab.engine.decisions import Choice, ChooseRow, Decision
from nimmt_lab.engine.guess import guess
from nimmt_lab.engine.rng import Rng
from nimmt_lab.engine.state import GameState
from nimmt_lab.engine.view import View

from .base import any_option, cheapest_row


def try_options(view: View, options: Sequence[Choice], playouts: int, rng: Rng) -> list[tuple[float, float]]:
    """For each option: mean penalty of this seat's side in the round (negative where points are good), and mean win
    credit. Every option meets the same guessed states."""
    sums = [[0.0, 0.0] for _ in options]
    for number in range(playouts):
        stream = Rng.from_seed(rng.state, number)
        state = guess(view, stream)
        for at, option in enumerate(options):
            penalty, credit = _play_out(state, view, option, stream)
            sums[at][0] += penalty
            sums[at][1] += credit
    return [(penalty / playouts, credit / playouts) for penalty, credit in sums]


def _play_out(state: GameState, view: View, option: Choice, rng: Rng) -> tuple[float, float]:
    choices = {seat: _anything(state, seat, decision, rng) for seat, decision in state.pending.items()}
    before, round_ = state.totals, state.round
    state, _ = state.choose({**choices, view.seat: option})
    while not state.is_over and state.round == round_:
        _, rng = rng.below(2)
        state, _ = state.choose({s: _anything(state, s, d, rng) for s, d in state.pending.items()})
    mine = view.game.pile_of(view.seat)
    sign = -1 if getattr(view.game, "bulls_are_good", False) else 1
    totals = [sign * total for total in state.totals]
    credit = 1 / totals.count(min(totals)) if totals[mine] == min(totals) else 0.0
    return sign * (state.totals[mine] - before[mine]), credit


def _anything(state: GameState, seat: int, decision: Decision, rng: Rng) -> Choice:
    """Random play: no special effects, low cards to the cheapest row."""
    if decision.default is not None:
        return decision.default
    if isinstance(decision, ChooseRow):
        return cheapest_row(state.view(seat), decision)
    return any_option(decision, Rng.from_seed(rng.state, max(seat, 0)))
