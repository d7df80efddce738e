"""Questions about a value close in on it from any first estimate, and never lose it."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from nimmt_lab.solver.walk import LOWER, STEPS, UPPER, Walk

ONE = 1 << 10


@settings(max_examples=300, deadline=None)
@given(st.integers(-30 * ONE, 30 * ONE), st.integers(-40 * ONE, 40 * ONE), st.lists(st.booleans(), max_size=60))
def test_the_walk_ends_close_to_the_value(value: int, guess: int, patience: list[bool]) -> None:
    """An oracle that answers, or gives up where the list says so."""
    walk, asked = Walk(guess, -38 * ONE, 38 * ONE, ONE), 0
    while not walk.finished:
        side = walk.side()
        at = walk.threshold(side)
        lo, hi = walk.bounds
        assert at is not None and lo < at < hi, "a question whose answer is known"
        asked += 1
        assert asked < 300
        if patience and patience.pop():
            before = walk.patience(side)
            walk.give_up(side)
            assert walk.patience(side) > before
            continue
        walk.learn(*((at + 1, hi) if value > at else (lo, at)))
        assert walk.bounds[0] <= value <= walk.bounds[1]
    lo, hi = walk.bounds
    assert hi - lo <= 2 * ONE


def test_a_good_guess_is_walked_in_from_both_sides() -> None:
    walk, thresholds = Walk(0, -38 * ONE, 38 * ONE, ONE), []
    while not walk.finished:
        side = walk.side()
        at = walk.threshold(side)
        assert at is not None
        thresholds.append(at * 8 // ONE)
        walk.learn(*((at + 1, walk.bounds[1]) if at < 0 else (walk.bounds[0], at)))
    assert sorted(map(abs, thresholds), reverse=True) == [step for step in STEPS for _ in (LOWER, UPPER)]
    assert {at < 0 for at in thresholds[:2]} == {True, False}


def test_what_is_known_is_not_forgotten() -> None:
    """A later answer that says less changes nothing; the questions of a side stay on that side of the estimate."""
    walk = Walk(3 * ONE, -38 * ONE, 38 * ONE, ONE)
    walk.learn(-2 * ONE, 9 * ONE)
    walk.learn(-30 * ONE, 30 * ONE)
    assert walk.bounds == (-2 * ONE, 9 * ONE)
    lower, upper = walk.threshold(LOWER), walk.threshold(UPPER)
    assert lower is not None and upper is not None and -2 * ONE < lower < 3 * ONE < upper < 9 * ONE
