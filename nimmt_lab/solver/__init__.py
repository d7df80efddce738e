"""Exact solving of open-hand positions, matrix games, and odds under hidden hands.

What one calls is here. The rooms behind it: ``exact`` and ``proof`` (certified answers for two players), ``several``,
``draft``, ``draft_adviser``, ``deals``, ``turn_odds``, ``matrix``; ``core`` speaks to the compiled search and ``plain``
does without it, for small positions and with the same numbers; ``oracle`` has the yardsticks of the tests.

>>> from nimmt_lab.solver import solve
>>> solve("3 8 13 | 5 10 11 | 15 17 19 21 23 | 22 24 ; A: 12 16 20 ; B: 1 2 18").best(0)
12
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .deals import solved_deals
    from .draft import advise, solve_draft
    from .draft_adviser import advise_by_deals
    from .exact import Searcher
    from .matrix import solve_matrix
    from .proof import Prover
    from .several import best_response, exploitability, paranoid
    from .solution import Bounds, Solution
    from .turn_odds import CardOdds, odds
    from .two_players import solve

__all__ = [
    "Bounds",
    "CardOdds",
    "Prover",
    "Searcher",
    "Solution",
    "advise",
    "advise_by_deals",
    "best_response",
    "exploitability",
    "odds",
    "paranoid",
    "solve",
    "solve_draft",
    "solve_matrix",
    "solved_deals",
]

_HOMES = {
    "Bounds": "solution",
    "CardOdds": "turn_odds",
    "Prover": "proof",
    "Searcher": "exact",
    "Solution": "solution",
    "advise": "draft",
    "advise_by_deals": "draft_adviser",
    "best_response": "several",
    "exploitability": "several",
    "odds": "turn_odds",
    "paranoid": "several",
    "solve": "two_players",
    "solve_draft": "draft",
    "solve_matrix": "matrix",
    "solved_deals": "deals",
}


def __getattr__(name: str) -> object:
    if name in _HOMES:
        return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
