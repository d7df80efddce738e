"""Classroom lesson 7: matrix games and mixed strategies, with the solver."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from nimmt_lab.engine.decisions import Choice, ChooseRow
from nimmt_lab.engine.rng import Rng
from nimmt_lab.engine.state import GameState
from nimmt_lab.games.advanced.rules import Advanced

from .problem import Chart, Problem, Trial
from .tables import streams


def _last_two(rng: Rng) -> tuple[GameState, Rng]:
    """Two players, two cards each, after eight turns of random play in advanced mode."""
    game = Advanced(players=2, rounds=1)
    state = game.deal(0)
    while not state.rows or len(state.hands[0]) > 2 or state.queue:
        choices: dict[int, Choice] = {}
        for seat, decision in state.pending.items():
            if isinstance(decision, ChooseRow):
                choices[seat] = game.cheapest_row(state)
            else:
                at, rng = rng.below(len(decision.options))
                choices[seat] = decision.options[at]
        state, _ = state.choose(choices)
    return state, rng


def matrix_of(state: GameState) -> list[list[Fraction]]:
    """Heads of B less heads of A for each pair of cards, both playing the rest as well as they can."""
    from nimmt_lab.solver.reference import ReferenceSolver

    return ReferenceSolver().payoffs(state.rows, state.hands[0], state.hands[1])


def _without_saddle(seed: int) -> GameState:
    """A position in which no card is best whatever the other does."""
    from nimmt_lab.solver.matrix import saddle_points

    rng = streams(seed, 7)
    while True:
        state, rng = _last_two(rng)
        payoffs = matrix_of(state)
        if not saddle_points(payoffs) and all(entry.denominator == 1 for row in payoffs for entry in row):
            return state


def _mixed(payoffs: Sequence[Sequence[Fraction]], row: Sequence[Fraction], column: Sequence[Fraction]) -> Trial:
    """Both draw a card by these chances; the entry is the result."""

    def draw(chances: Sequence[Fraction], rng: Rng) -> tuple[int, Rng]:
        whole = chances[0].denominator * chances[1].denominator
        at, rng = rng.below(whole)
        return (0 if at < chances[0] * whole else 1), rng

    def trial(rng: Rng) -> tuple[float | None, Rng]:
        one, rng = draw(row, rng)
        other, rng = draw(column, rng)
        return float(payoffs[one][other]), rng

    return trial


def matrix_games(seed: int) -> tuple[Problem, ...]:
    """Lesson 7: matrix games and mixed strategies."""
    from nimmt_lab.solver.matrix import saddle_points, solve_matrix

    state = _without_saddle(seed)
    payoffs = matrix_of(state)
    solution = solve_matrix(payoffs)
    (a1, a2), (b1, b2) = state.hands
    floor = [min(row) for row in payoffs]
    chart = Chart(
        ("", f"B {b1}", f"B {b2}"),
        tuple((f"A {card}", *map(str, row)) for card, row in zip((a1, a2), payoffs, strict=True)),
    )
    parts = {"a1": a1, "a2": a2, "b1": b1, "b2": b2}
    (w, x), (y, z) = payoffs
    best = a1 if floor[0] > floor[1] else a2
    problems = [
        Problem("p7.entry", w, parts, state=state, working=parts),
        Problem("p7.saddle", "yes" if saddle_points(payoffs) else "no", parts, choices=("yes", "no"), chart=chart),
        Problem("p7.floor", max(floor), parts, chart=chart, working={"card": best}),
        Problem("p7.mix", solution.row[0], parts, chart=chart, working={"w": w, "x": x, "y": y, "z": z}),
        Problem("p7.value", solution.value, parts, chart=chart, trial=_mixed(payoffs, solution.row, solution.column),
                working={"p": solution.row[0], "w": w, "y": y}),
        Problem("p7.reply", solution.value, parts, chart=chart,
                trial=_mixed(payoffs, solution.row, (Fraction(1), Fraction(0))), working={"value": solution.value}),
    ]  # fmt: skip
    return tuple(problems)
