"""Small matrix games in compiled floats, for the inside of the search.

Nothing here has to be right: the search takes the strategies found as *suggestions*, and computes what they certainly
guarantee from the bounds of the entries (see ``search.py``). A bad suggestion costs time, never correctness.
"""

from __future__ import annotations

from nimmt_lab.solver.compiled import Floats, inline, jit

#: Largest number of choices of one player (ten cards, each with or without a Number Twister).
MOST = 20


@jit
def solve_game(game: Floats, m: int, n: int, x: Floats, y: Floats, work: Floats, low: Floats) -> float:
    """Value of the m×n game ``game``; optimal strategies go into ``x`` and ``y``. ``work`` is scratch space.

    Entries are whole or half units, so a gap above a quarter means that rounding spoilt the simplex method: then it
    is run again with twice as many digits. Before it: saddle point (most turns have one) and the 2×2 formula.
    """
    for i in range(m):
        x[i] = 0.0
    for j in range(n):
        y[j] = 0.0
    best, at = -1e300, 0
    for i in range(m):
        least = game[i, 0]
        for j in range(1, n):
            least = min(least, game[i, j])
        if least > best:
            best, at = least, i
    worst, there = 1e300, 0
    for j in range(n):
        most = game[0, j]
        for i in range(1, m):
            most = max(most, game[i, j])
        if most < worst:
            worst, there = most, j
    if best >= worst:
        x[at] = 1.0
        y[there] = 1.0
        return float(best)
    if m == 2 and n == 2:
        a, b, c, d = game[0, 0], game[0, 1], game[1, 0], game[1, 1]
        spread = a - b - c + d
        x[0] = (d - c) / spread
        x[1] = (a - b) / spread
        y[0] = (d - b) / spread
        y[1] = (a - c) / spread
        return float((a * d - b * c) / spread)
    value = simplex(game, m, n, x, y, work)
    if not gap_of(game, m, n, x, y) <= 0.25:  # also when it is not a number
        value = simplex_precise(game, m, n, x, y, work, low)
    return value


@jit
def simplex(game: Floats, m: int, n: int, x: Floats, y: Floats, work: Floats) -> float:
    """Simplex method on the column player's programme (see ``matrix.py`` for the idea in plain Python)."""
    least, most = game[0, 0], game[0, 0]
    for i in range(m):
        for j in range(n):
            least = min(least, game[i, j])
            most = max(most, game[i, j])
    scale = 1.0 / (most - least)
    width = n + m + 1
    for i in range(m):
        for j in range(n):
            work[i, j] = (game[i, j] - least) * scale + 0.5
        for j in range(n, width):
            work[i, j] = 0.0
        work[i, n + i] = 1.0
        work[i, width - 1] = 1.0
    for j in range(width):
        work[m, j] = -1.0 if j < n else 0.0
    # work[m + 1] keeps the basis (small whole numbers in floats)
    for i in range(m):
        work[m + 1, i] = n + i
    for step in range(60 * (m + n)):
        enter = -1
        if step < 30 * (m + n):  # steepest cost first, Bland's rule when that takes long
            lowest = -1e-11
            for j in range(width - 1):
                if work[m, j] < lowest:
                    lowest, enter = work[m, j], j
        else:
            for j in range(width - 1):
                if work[m, j] < -1e-11:
                    enter = j
                    break
        if enter < 0:
            break
        leave = -1
        ratio = 1e300
        for i in range(m):
            if work[i, enter] > 1e-11:
                candidate = work[i, width - 1] / work[i, enter]
                if candidate < ratio or (candidate == ratio and work[m + 1, i] < work[m + 1, leave]):
                    ratio, leave = candidate, i
        if leave < 0:
            break
        pivot = 1.0 / work[leave, enter]
        for j in range(width):
            work[leave, j] *= pivot
        for i in range(m + 1):
            if i != leave:
                factor = work[i, enter]
                if factor != 0.0:
                    for j in range(width):
                        work[i, j] -= factor * work[leave, j]
        work[m + 1, leave] = enter
    return read_off(m, n, x, y, work, least, scale)


@inline
def _join(high: float, low: float) -> tuple[float, float]:
    total = high + low
    return total, low - (total - high)


@jit
def _subtract_product(a: float, a_low: float, b: float, b_low: float, c: float, c_low: float) -> tuple[float, float]:
    """a − b · c in pairs of floats (about 32 digits; Dekker 1971)."""
    product = b * c
    t = 134217729.0 * b
    b_top = t - (t - b)
    b_rest = b - b_top
    t = 134217729.0 * c
    c_top = t - (t - c)
    c_rest = c - c_top
    rest = ((b_top * c_top - product) + b_top * c_rest + b_rest * c_top) + b_rest * c_rest
    rest += b * c_low + b_low * c
    total = a - product
    t = total - a
    error = (a - (total - t)) - (product + t)
    return _join(total, error + a_low - rest)


@jit
def _divide(a: float, a_low: float, b: float, b_low: float) -> tuple[float, float]:
    """a / b in pairs of floats."""
    one = a / b
    rest, rest_low = _subtract_product(a, a_low, one, 0.0, b, b_low)
    two = rest / b
    rest, rest_low = _subtract_product(rest, rest_low, two, 0.0, b, b_low)
    one, two = _join(one, two)
    return _join(one, two + rest / b)


@jit
def simplex_precise(game: Floats, m: int, n: int, x: Floats, y: Floats, work: Floats, low: Floats) -> float:
    """The same simplex method in pairs of floats, for tables whose rows are almost equal."""
    least, most = game[0, 0], game[0, 0]
    for i in range(m):
        for j in range(n):
            least = min(least, game[i, j])
            most = max(most, game[i, j])
    scale = 1.0
    while scale < most - least:
        scale *= 2.0
    width = n + m + 1
    for i in range(m + 1):
        for j in range(width):
            low[i, j] = 0.0
            work[i, j] = 0.0
    for i in range(m):
        for j in range(n):
            work[i, j] = (game[i, j] - least) / scale + 0.5  # exact: a power of two, and few digits
        work[i, n + i] = 1.0
        work[i, width - 1] = 1.0
        work[m + 1, i] = n + i
    for j in range(n):
        work[m, j] = -1.0
    for step in range(60 * (m + n)):
        enter = -1
        lowest = -1e-20
        for j in range(width - 1):
            if work[m, j] < lowest:
                enter = j
                if step > 30 * (m + n):
                    break
                lowest = work[m, j]
        if enter < 0:
            break
        leave = -1
        ratio, ratio_low = 1e300, 0.0
        for i in range(m):
            if work[i, enter] > 1e-20:
                q, q_low = _divide(work[i, width - 1], low[i, width - 1], work[i, enter], low[i, enter])
                if q < ratio or (q == ratio and q_low < ratio_low):
                    ratio, ratio_low, leave = q, q_low, i
        if leave < 0:
            break
        pivot, pivot_low = work[leave, enter], low[leave, enter]
        for j in range(width):
            work[leave, j], low[leave, j] = _divide(work[leave, j], low[leave, j], pivot, pivot_low)
        for i in range(m + 1):
            if i != leave and work[i, enter] != 0.0:
                factor, factor_low = work[i, enter], low[i, enter]
                for j in range(width):
                    work[i, j], low[i, j] = _subtract_product(
                        work[i, j], low[i, j], factor, factor_low, work[leave, j], low[leave, j]
                    )
        work[m + 1, leave] = enter
    return read_off(m, n, x, y, work, least, 1.0 / scale)


@jit
def read_off(m: int, n: int, x: Floats, y: Floats, work: Floats, least: float, scale: float) -> float:
    """Value and strategies out of a finished tableau."""
    width = n + m + 1
    total = 0.0
    for j in range(n):
        y[j] = 0.0
    for i in range(m):
        variable = int(work[m + 1, i])
        if variable < n and work[i, width - 1] > 1e-13:
            y[variable] = work[i, width - 1]
            total += work[i, width - 1]
    for j in range(n):
        y[j] /= total
    value = (1.0 / total - 0.5) / scale + least
    total = 0.0
    for i in range(m):
        x[i] = 0.0
        if work[m, n + i] > 1e-13:
            x[i] = work[m, n + i]
            total += x[i]
    for i in range(m):
        x[i] /= total
    return value


@jit
def gap_of(game: Floats, m: int, n: int, x: Floats, y: Floats) -> float:
    """Best reply to ``y`` minus best reply to ``x``."""
    most = -1e300
    for i in range(m):
        total = 0.0
        for j in range(n):
            total += y[j] * game[i, j]
        most = max(most, total)
    least = 1e300
    for j in range(n):
        total = 0.0
        for i in range(m):
            total += x[i] * game[i, j]
        least = min(least, total)
    return most - least
