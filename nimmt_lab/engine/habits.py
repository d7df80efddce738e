"""Default policies: pass, take the cheapest row, otherwise choose at random."""

from __future__ import annotations

from .cards import Seat
from .decisions import Choice, ChooseRow, Decision
from .rng import Rng
from .state import GameState
from .view import View

__all__ = ["any_option", "habit", "habitual_choices", "random_choices", "usual_choice"]


def habit(table: GameState | View, decision: Decision) -> Choice | None:
    """The default of a decision, or the cheapest row (R-C4); None for other decisions.

    >>> from nimmt_lab import Classic
    >>> state = Classic(players=2).from_position("12 14 | 37 | 43 | 58 61 ; A: 3 ; B: 99")
    >>> habit(state, state.pending[0]) is None  # a card
    True
    >>> state, _ = state.choose({0: 3, 1: 99})
    >>> habit(state, state.pending[0])  # a low card takes, of rows 2 and 3, the one with the higher end
    2
    """
    if decision.default is not None:
        return decision.default
    if isinstance(decision, ChooseRow):
        return table.game.cheapest_row(table, decision.options)
    return None


def usual_choice(state: GameState, seat: Seat) -> Choice:
    """The habitual choice of a seat, or its first option."""
    choice = habit(state, state.pending[seat])
    return state.pending[seat].options[0] if choice is None else choice


def any_option(decision: Decision, rng: Rng) -> tuple[Choice, Rng]:
    """A uniformly random option."""
    at, rng = rng.below(len(decision.options))
    return decision.options[at], rng


def random_choices(state: GameState, rng: Rng) -> tuple[dict[Seat, Choice], Rng]:
    """A uniformly random option for every pending seat: one step of a random walk.

    >>> from nimmt_lab import Classic
    >>> choices, rng = random_choices(Classic(players=3).deal(seed=1), Rng.from_seed(2))
    >>> sorted(choices)
    [0, 1, 2]
    """
    choices: dict[Seat, Choice] = {}
    for seat, decision in state.pending.items():
        choices[seat], rng = any_option(decision, rng)
    return choices, rng


def habitual_choices(state: GameState, rng: Rng) -> tuple[dict[Seat, Choice], Rng]:
    """The habitual choice of every pending seat, or a random option where there is none."""
    choices: dict[Seat, Choice] = {}
    for seat, decision in state.pending.items():
        choice = habit(state, decision)
        if choice is None:
            choice, rng = any_option(decision, rng)
        choices[seat] = choice
    return choices, rng
