"""Classroom lesson 7: matrix games and mixed strategies."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from nimmt_lab.engine.cards import heads
from nimmt_lab.engine.habits import habitual_choices
from nimmt_lab.engine.registry import from_options
from nimmt_lab.engine.rng import Rng
from nimmt_lab.engine.state import GameState

from .problem import Chart, Problem, Trial, bracketed, minus, wrong_ideas
from .tables import streams


def _last_two(rng: Rng) -> tuple[GameState, Rng]:
    """Two players with two cards each, after eight turns of random play in advanced mode."""
    state = from_options({"system": "advanced", "players": 2, "rounds": 1}).deal(0)
    while not state.rows or len(state.hands[0]) > 2 or state.queue:
        choices, rng = habitual_choices(state, rng)
        state, _ = state.choose(choices)
    return state, rng


def matrix_of(state: GameState) -> list[list[Fraction]]:
    """B's heads minus A's for each pair of cards, with optimal play afterwards."""
    from nimmt_lab.solver.reference import ReferenceSolver

    return ReferenceSolver().payoffs(state.rows, state.hands[0], state.hands[1])


def _without_saddle(seed: int) -> GameState:
    from nimmt_lab.solver.matrix import saddle_points

    rng = streams(seed, 7)
    while True:
        state, rng = _last_two(rng)
        payoffs = matrix_of(state)
        if not saddle_points(payoffs) and all(entry.denominator == 1 for row in payoffs for entry in row):
            return state


def _two_clear_turns(seed: int) -> GameState:
    """A position whose two turns, playing cards in order, offer no choice of rows and do not end level."""
    rng = Rng.from_seed(seed, stream=207)
    while True:
        state, rng = _last_two(rng)
        (a1, a2), (b1, b2) = state.hands
        after, _ = state.choose({0: a1, 1: b1})
        if not after.queue and len(after.pending) == 2 and matrix_of(state)[0][0]:
            last, _ = after.choose({0: a2, 1: b2})
            if not last.queue:
                return state


def _mixed(payoffs: Sequence[Sequence[Fraction]], row: Sequence[Fraction], column: Sequence[Fraction]) -> Trial:
    """Both draw a card from their mixed strategies; the result is the payoff."""

    def draw(mix: Sequence[Fraction], rng: Rng) -> tuple[int, Rng]:
        whole = mix[0].denominator * mix[1].denominator
        at, rng = rng.below(whole)
        return (0 if at < mix[0] * whole else 1), rng

    def trial(rng: Rng) -> tuple[float | None, Rng]:
        one, rng = draw(row, rng)
        other, rng = draw(column, rng)
        return float(payoffs[one][other]), rng

    return trial


def matrix_games(seed: int) -> tuple[Problem, ...]:
    """Lesson 7: matrix games and mixed strategies."""
    from nimmt_lab.solver.matrix import solve_matrix

    # The first question has a position of its own: the matrix of the other one would give away its answer.
    warm_up = _two_clear_turns(seed)
    (c1, c2), (d1, d2) = warm_up.hands
    entry = matrix_of(warm_up)[0][0]
    state = _without_saddle(seed)
    payoffs = matrix_of(state)
    solution = solve_matrix(payoffs)
    (a1, a2), (b1, b2) = state.hands
    floor = [min(row) for row in payoffs]
    ceiling = [max(column) for column in zip(*payoffs, strict=True)]
    chart = Chart(
        ("", f"B {b1}", f"B {b2}"),
        tuple(
            (f"A {card}", *(minus(str(entry)) for entry in row)) for card, row in zip((a1, a2), payoffs, strict=True)
        ),
    )
    parts = {"a1": a1, "a2": a2, "b1": b1, "b2": b2}
    (w, x), (y, z) = payoffs
    first = {"a1": c1, "a2": c2, "b1": d1, "b2": d2}
    p, value = solution.row[0], solution.value
    named = {name: bracketed(entry) for name, entry in zip("wxyz", (w, x, y, z), strict=True)}
    worked = {**named, "p": p, "q": 1 - p, "value": minus(str(value))}
    # p·w + (1−p)·y = p·x + (1−p)·z, with everything that has p on one side.
    worked |= {"slope": bracketed(w - x - y + z), "rest": minus(str(z - y))}
    lows = {"one": minus(str(floor[0])), "two": minus(str(floor[1])), "best": minus(str(max(floor))), **parts}
    highs = {"one": minus(str(ceiling[0])), "two": minus(str(ceiling[1])), "best": minus(str(min(ceiling))), **parts}
    mine, theirs = _heads_of(warm_up)
    entries = [entry for row in payoffs for entry in row]
    return (
        Problem("p7.entry", entry, first, state=warm_up, working={**first, "mine": mine, "theirs": theirs}),
        Problem("p7.floor", max(floor), parts, state=state, chart=chart, working=lows,
                slips=wrong_ideas(max(floor), best_of_all=max(entries),)),
        Problem("p7.ceiling", min(ceiling), parts, chart=chart,
                working={**highs, "floor": minus(str(max(floor)))},
                slips=wrong_ideas(min(ceiling), same_as_floor=max(floor), best_of_all=max(entries))),
        Problem("p7.mix", p, parts, chart=chart, probability=True, working=worked,
                slips=wrong_ideas(p, half_each=Fraction(1, 2), column_mix=solution.column[0])),
        Problem("p7.value", value, parts, chart=chart, trial=_mixed(payoffs, solution.row, solution.column),
                a_run="mix", working=worked, rests_on=("p7.mix",),
                slips=wrong_ideas(value, same_as_floor=max(floor))),
        Problem("p7.reply", value, parts, chart=chart, rests_on=("p7.mix",),
                trial=_mixed(payoffs, solution.row, (Fraction(1), Fraction(0))),
                a_run="mix", working=worked,
                slips=wrong_ideas(value, worst_of_column=min(w, y), same_as_floor=max(floor))),
    )  # fmt: skip


def _heads_of(state: GameState) -> tuple[int, int]:
    """The heads that A and B take when both play their two cards in order, without those they had before."""
    (a1, a2), (b1, b2) = state.hands
    last, _ = state.choose({0: a1, 1: b1})[0].choose({0: a2, 1: b2})
    # The round ends here, and its total counts the piles of the eight turns before.
    mine, theirs = (after - sum(map(heads, pile)) for after, pile in zip(last.totals, state.piles, strict=True))
    return mine, theirs
