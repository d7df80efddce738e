"""Rounds by the million: compiled kernels for the classic game, advanced mode and each fan card.

Without numba the same kernels run as plain Python: slower, same numbers (`COMPILED` says which it is).
"""

from __future__ import annotations

from .kernels import COMPILED
from .rounds import LOW_CARDS, POLICIES, Outcomes, Plan, Totals
from .table import system_of

__all__ = ["COMPILED", "LOW_CARDS", "POLICIES", "Outcomes", "Plan", "Totals", "system_of"]
