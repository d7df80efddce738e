"""Matrix games: two players choose simultaneously, and one wins what the other loses.

A *matrix game* is a table of numbers. The row player wants the entry to be large, the column player small. Neither sees
the other's choice, so the best play may be random with the right probabilities (a *mixed strategy*). Von Neumann showed
in 1928 that every such game has a **value**: the row player can ensure at least the value on average, and the column
player at most.

Every turn of an open two-player game is such a table. This is the readable version: it works with fractions (exact) or
floats (checked, and solved again in fractions if the check fails).

From the simplest idea to the most general:

1. :func:`saddle_points`: an entry that is the smallest of its row and the largest of its column settles the game;
2. :func:`undominated`: a row nowhere better than another can be dropped (and likewise columns);
3. a 2×2 game without saddle point has a closed form;
4. everything else is a linear programme (:func:`solve_matrix` runs the simplex method).

>>> rock_paper_scissors = [[0, -1, 1], [1, 0, -1], [-1, 1, 0]]
>>> solution = solve_matrix(rock_paper_scissors)
>>> solution.value, [str(chance) for chance in solution.row]
(Fraction(0, 1), ['1/3', '1/3', '1/3'])
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Generic, TypeVar

from nimmt_lab.engine.errors import NimmtError

__all__ = [
    "MatrixError", "MatrixSolution", "column_values", "duality_gap", "row_values", "saddle_points", "solve_floats",
    "solve_matrix", "undominated",
]  # fmt: skip

N = TypeVar("N", float, Fraction)

#: Floats closer than this, relative to the largest entry, count as equal in the float simplex.
TOLERANCE = 1e-9


class MatrixError(NimmtError, ValueError):
    """The table is empty, not rectangular, or has an entry that isn't a finite number."""


@dataclass(frozen=True)
class MatrixSolution(Generic[N]):
    """The value of a matrix game and an optimal mixed strategy for each side.

    The row player's strategy guarantees at least ``value − gap``, the column player's at most ``value + gap``; ``gap``
    is 0 for exact solutions. ``method`` is ``"saddle"``, ``"2x2"`` or ``"simplex"``, and ``dominance`` counts the rows
    and columns dropped before.
    """

    value: N
    row: tuple[N, ...]
    column: tuple[N, ...]
    method: str
    dominated: int
    gap: N


def _checked(payoffs: Sequence[Sequence[float | Fraction]]) -> list[list[Fraction]]:
    table: list[list[Fraction]] = []
    for index, row in enumerate(payoffs):
        try:
            table.append([Fraction(entry) for entry in row])
        except (TypeError, ValueError, OverflowError) as problem:
            raise MatrixError("solver.row_matrix_holds", row=index + 1) from problem
    if not table or not table[0]:
        raise MatrixError("solver.matrix_game_needs")
    for index, exact_row in enumerate(table):
        if len(exact_row) != len(table[0]):
            raise MatrixError("solver.row_has_entries", row=index + 1, count=len(exact_row), expected=len(table[0]))
    return table


def row_values(payoffs: Sequence[Sequence[N]], column: Sequence[N]) -> list[N]:
    """Expected payoff of each row against the column player's mixed strategy.

    >>> row_values([[3.0, 0.0], [1.0, 2.0]], [0.5, 0.5])
    [1.5, 1.5]
    """
    return [_dot(row, column) for row in payoffs]


def column_values(payoffs: Sequence[Sequence[N]], row: Sequence[N]) -> list[N]:
    """Expected payoff of each column against the row player's mixed strategy.

    >>> column_values([[3.0, 0.0], [1.0, 2.0]], [0.25, 0.75])
    [1.5, 1.5]
    """
    return [_dot([line[j] for line in payoffs], row) for j in range(len(payoffs[0]))]


def _dot(left: Sequence[N], right: Sequence[N]) -> N:
    total = left[0] * right[0]
    for a, b in zip(left[1:], right[1:], strict=True):
        total = total + a * b
    return total


def duality_gap(payoffs: Sequence[Sequence[N]], row: Sequence[N], column: Sequence[N]) -> N:
    """Distance of two mixed strategies from optimal: best reply to ``column`` minus best reply to ``row``.

    It is never negative, and 0 exactly if both are optimal, wherever they come from, so it can check any solver.

    >>> duality_gap([[3.0, 0.0], [1.0, 2.0]], [0.25, 0.75], [0.5, 0.5])
    0.0
    >>> duality_gap([[3.0, 0.0], [1.0, 2.0]], [1.0, 0.0], [0.5, 0.5])
    1.5
    """
    return max(row_values(payoffs, column)) - min(column_values(payoffs, row))


def saddle_points(payoffs: Sequence[Sequence[float | Fraction]]) -> list[tuple[int, int]]:
    """All entries that are the smallest of their row and the largest of their column.

    With a saddle point nobody needs chance: both may announce their choice and still play optimally.

    >>> saddle_points([[2, 1, 3], [4, 3, 5]])
    [(1, 1)]
    >>> saddle_points([[1, -1], [-1, 1]])
    []
    """
    table = _checked(payoffs)
    row_minima = [min(row) for row in table]
    column_maxima = [max(row[j] for row in table) for j in range(len(table[0]))]
    return [
        (i, j)
        for i, row in enumerate(table)
        for j, entry in enumerate(row)
        if entry == row_minima[i] and entry == column_maxima[j]
    ]


def undominated(payoffs: Sequence[Sequence[float | Fraction]]) -> tuple[list[int], list[int]]:
    """Rows and columns left after iterated elimination of dominated ones.

    A row is dropped if another remaining row is at least as good against every remaining column (of equal rows the
    first stays). The value stays the same, and an optimal strategy of the small game is optimal in the large one. Other
    optimal strategies may be lost.

    >>> undominated([[2, 1, 3], [4, 3, 5]])
    ([1], [1])
    >>> undominated([[0, -1, 1], [1, 0, -1], [-1, 1, 0]])
    ([0, 1, 2], [0, 1, 2])
    """
    table = _checked(payoffs)
    rows, columns = list(range(len(table))), list(range(len(table[0])))
    while True:
        for i in rows:
            if any(
                all(table[other][j] >= table[i][j] for j in columns)
                and (other < i or any(table[other][j] > table[i][j] for j in columns))
                for other in rows
                if other != i
            ):
                rows = [row for row in rows if row != i]
                break
        else:
            for j in columns:
                if any(
                    all(table[i][other] <= table[i][j] for i in rows)
                    and (other < j or any(table[i][other] < table[i][j] for i in rows))
                    for other in columns
                    if other != j
                ):
                    columns = [column for column in columns if column != j]
                    break
            else:
                return rows, columns


def solve_matrix(payoffs: Sequence[Sequence[float | Fraction]]) -> MatrixSolution[Fraction]:
    """Solve a matrix game exactly, in fractions.

    Floats keep their exact binary value, so ``0.1`` is not quite 1/10: pass ``Fraction(1, 10)`` to mean that.

    >>> solution = solve_matrix([[3, 0], [1, 2]])
    >>> str(solution.value), [str(p) for p in solution.row], [str(p) for p in solution.column], solution.method
    ('3/2', ['1/4', '3/4'], ['1/2', '1/2'], '2x2')
    """
    table = _checked(payoffs)
    rows, columns = undominated(table)
    small = [[table[i][j] for j in columns] for i in rows]
    zero = Fraction(0)
    if saddles := saddle_points(small):  # a single row or column has one
        i, j = saddles[0]
        method, value = "saddle", small[i][j]
        row = [Fraction(int(index == i)) for index in range(len(rows))]
        column = [Fraction(int(index == j)) for index in range(len(columns))]
    elif len(rows) == 2 and len(columns) == 2:
        method = "2x2"
        value, row, column = _two_by_two(small)
    else:
        method = "simplex"
        value, row, column = _simplex(small, zero)
    full_row, full_column = _spread(row, rows, len(table), zero), _spread(column, columns, len(table[0]), zero)
    gap = duality_gap(table, full_row, full_column)
    dropped = len(table) - len(rows) + len(table[0]) - len(columns)
    return MatrixSolution(value, tuple(full_row), tuple(full_column), method, dropped, gap)


def solve_floats(payoffs: Sequence[Sequence[float]], tolerance: float = TOLERANCE) -> MatrixSolution[float]:
    """Solve a matrix game in floating point: much faster, and never silently wrong.

    The simplex method can fail on tables with almost equal rows. If the duality gap exceeds ``tolerance`` (relative to
    the largest entry), the game is solved in fractions instead.

    >>> solution = solve_floats([[3.0, 0.0], [1.0, 2.0]])
    >>> round(solution.value, 9), solution.gap < 1e-9
    (1.5, True)
    """
    exact = _checked(payoffs)
    table = [[float(entry) for entry in row] for row in exact]
    scale = max(1.0, max(abs(entry) for row in table for entry in row))
    try:
        value, row, column = _simplex([[entry / scale for entry in line] for line in table], 0.0)
        gap = duality_gap(table, row, column)
        if gap <= tolerance * scale:
            return MatrixSolution(value * scale, tuple(row), tuple(column), "simplex", 0, gap)
    except ArithmeticError:
        pass  # a pivot vanished in rounding; solve exactly below
    sure = solve_matrix(exact)
    row, column = [float(p) for p in sure.row], [float(p) for p in sure.column]
    gap = duality_gap(table, row, column)
    return MatrixSolution(float(sure.value), tuple(row), tuple(column), sure.method, sure.dominated, gap)


def _spread(part: Sequence[N], places: Sequence[int], size: int, zero: N) -> list[N]:
    whole = [zero] * size
    for place, chance in zip(places, part, strict=True):
        whole[place] = chance
    return whole


def _two_by_two(table: Sequence[Sequence[N]]) -> tuple[N, list[N], list[N]]:
    # Without saddle point both must make the other indifferent: two linear equations each.
    (a, b), (c, d) = table
    spread = a - b - c + d
    row = [(d - c) / spread, (a - b) / spread]
    column = [(d - b) / spread, (a - c) / spread]
    return (a * d - b * c) / spread, row, column


def _simplex(table: Sequence[Sequence[N]], zero: N) -> tuple[N, list[N], list[N]]:
    """Dantzig's simplex method on the column player's programme; the row player's answer is its dual.

    Entries are first shifted above 0. With column weights w ≥ 0: maximise Σ w subject to table · w ≤ 1. Then the value
    is 1 / Σ w. Bland's rule (always the first candidate) prevents cycling.
    """
    rows, columns = len(table), len(table[0])
    one = zero + 1
    lift = one - min(min(line) for line in table)
    # One line per constraint: columns of the matrix, slack variables, right-hand side. Last line: reduced costs.
    lines = [
        [entry + lift for entry in line] + [one if s == i else zero for s in range(rows)] + [one]
        for i, line in enumerate(table)
    ]
    costs = [-one] * columns + [zero] * (rows + 1)
    basis = [columns + i for i in range(rows)]
    small = zero if isinstance(zero, Fraction) else zero + 1e-12
    for _ in range(200 * (rows + columns)):
        enter = next((j for j in range(rows + columns) if costs[j] < -small), None)
        if enter is None:
            break
        best: tuple[N, int, int] | None = None
        for i, line in enumerate(lines):
            if line[enter] > small:
                candidate = (line[-1] / line[enter], basis[i], i)
                if best is None or candidate < best:
                    best = candidate
        if best is None:
            raise ArithmeticError("no pivot: rounding broke the tableau")
        leave = best[2]
        pivot = lines[leave][enter]
        lines[leave] = [entry / pivot for entry in lines[leave]]
        for i, line in enumerate(lines):
            if i != leave and line[enter] != zero:
                factor = line[enter]
                lines[i] = [entry - factor * other for entry, other in zip(line, lines[leave], strict=True)]
        factor = costs[enter]
        costs = [entry - factor * other for entry, other in zip(costs, lines[leave], strict=True)]
        basis[leave] = enter
    else:
        raise ArithmeticError("the simplex method did not finish")
    weights = [zero] * (rows + columns)
    for i, variable in enumerate(basis):
        weights[variable] = lines[i][-1]
    column = [max(weight, zero) for weight in weights[:columns]]
    row = [max(cost, zero) for cost in costs[columns : columns + rows]]
    total, row_total = _sum(column, zero), _sum(row, zero)
    if not total > zero or not row_total > zero:
        raise ArithmeticError("empty strategy: rounding broke the tableau")
    return one / total - lift, [p / row_total for p in row], [p / total for p in column]


def _sum(numbers: Sequence[N], zero: N) -> N:
    total = zero
    for number in numbers:
        total = total + number
    return total
