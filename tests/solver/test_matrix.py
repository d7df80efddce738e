"""Matrix games: every method is checked by the duality gap, a proof that depends on no method."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nimmt_lab.solver.matrix import (
    MatrixError,
    column_values,
    duality_gap,
    row_values,
    saddle_points,
    solve_floats,
    solve_matrix,
    undominated,
)


@st.composite
def tables(draw: st.DrawFn, entries: st.SearchStrategy[int]) -> list[list[int]]:
    rows, columns = draw(st.integers(1, 6)), draw(st.integers(1, 6))
    return draw(st.lists(st.lists(entries, min_size=columns, max_size=columns), min_size=rows, max_size=rows))


@given(tables(st.integers(-9, 9)))
def test_exact_solutions_are_optimal(table: list[list[int]]) -> None:
    solution = solve_matrix(table)
    exact = [[Fraction(entry) for entry in row] for row in table]
    assert sum(solution.row) == 1 and min(solution.row) >= 0
    assert sum(solution.column) == 1 and min(solution.column) >= 0
    assert max(row_values(exact, solution.column)) == solution.value
    assert min(column_values(exact, solution.row)) == solution.value
    assert solution.gap == 0


@given(tables(st.integers(-3, 3)))
def test_a_saddle_point_is_the_value(table: list[list[int]]) -> None:
    value = solve_matrix(table).value
    for i, j in saddle_points(table):
        assert table[i][j] == value


@given(tables(st.integers(-2, 2)))
def test_dominance_keeps_the_value(table: list[list[int]]) -> None:
    rows, columns = undominated(table)
    assert rows and columns
    small = [[table[i][j] for j in columns] for i in rows]
    assert solve_matrix(small).value == solve_matrix(table).value


@given(tables(st.integers(-1000, 1000)), st.sampled_from([0.0, 1e-9, 1e-12]))
def test_floats_agree_even_when_rows_are_almost_equal(table: list[list[int]], dust: float) -> None:
    floats = [[entry + dust * (i + 2 * j) for j, entry in enumerate(row)] for i, row in enumerate(table)]
    solution = solve_floats(floats)
    assert solution.value == pytest.approx(float(solve_matrix(floats).value), abs=1e-5)
    assert solution.gap <= 1e-5
    assert duality_gap(floats, solution.row, solution.column) == pytest.approx(solution.gap)


def test_the_fallback_is_the_exact_solution() -> None:
    table = [[3.0, 0.0, 1.0], [1.0, 2.0, 1.5], [0.0, 3.0, 0.5]]
    forced, exact = solve_floats(table, tolerance=-1.0), solve_matrix(table)
    assert (forced.method, forced.dominated) == (exact.method, exact.dominated)
    assert forced.value == float(exact.value) == 1.4


@pytest.mark.parametrize(
    "table", [[], [[]], [[1, 2], [3]], [[float("nan")]], [[float("inf")]], [["a"]], [[None]]], ids=str
)
def test_bad_tables_are_refused(table: list[list[float]]) -> None:
    with pytest.raises(MatrixError):
        solve_matrix(table)


def test_the_method_that_was_enough_is_named() -> None:
    assert solve_matrix([[2, 1, 3], [4, 3, 5]]).method == "saddle"
    assert solve_matrix([[3, 0], [1, 2]]).method == "2x2"
    assert solve_matrix([[0, -1, 1], [1, 0, -1], [-1, 1, 0]]).method == "simplex"
    assert solve_matrix([[2, 1, 3], [4, 3, 5]]).dominated == 3
