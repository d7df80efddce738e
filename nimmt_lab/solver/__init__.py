"""Exact solving of open-hand positions, matrix games, and odds under hidden hands.

``matrix``, ``reference`` and ``odds`` need the standard library only; ``solve`` and what builds on it need numba.
"""
