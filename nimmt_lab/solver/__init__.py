"""Exact solving of open-hand positions, matrix games, and odds with hidden hands.

Modules: ``exact`` and ``proof`` (certified answers for two players), ``several``, ``draft``, ``draft_adviser``,
``deals``, ``turn_odds``, ``matrix``; ``core`` calls the compiled search, and ``plain`` gives the same numbers for small
positions without it.

>>> from nimmt_lab.solver import solve
>>> solve("3 8 13 | 5 10 11 | 15 17 19 21 23 | 22 24 ; A: 12 16 20 ; B: 1 2 18").best(0)
12
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .deals import solved_deals
    from .draft import estimate_picks, solve_draft
    from .draft_adviser import advise_by_deals
    from .exact import Searcher
    from .matrix import solve_matrix
    from .proof import Prover
    from .several import best_response, exploitability, paranoid
    from .solution import Bounds, Solution
    from .turn_odds import CardOdds, Odds, odds
    from .two_players import solve

__all__ = [
    "Bounds",
    "CardOdds",
    "Odds",
    "Prover",
    "Searcher",
    "Solution",
    "advise_by_deals",
    "best_response",
    "estimate_picks",
    "exploitability",
    "odds",
    "paranoid",
    "solve",
    "solve_draft",
    "solve_matrix",
    "solved_deals",
]

#: By module, names that are loaded when they are first asked for.
_HOMES = {
    "deals": ("solved_deals",),
    "draft": ("estimate_picks", "solve_draft"),
    "draft_adviser": ("advise_by_deals",),
    "exact": ("Searcher",),
    "matrix": ("solve_matrix",),
    "proof": ("Prover",),
    "several": ("best_response", "exploitability", "paranoid"),
    "solution": ("Bounds", "Solution"),
    "turn_odds": ("CardOdds", "Odds", "odds"),
    "two_players": ("solve",),
}


#: Names of earlier versions.
_BEFORE = {"advise": "estimate_picks"}


def __getattr__(name: str) -> object:
    name = _BEFORE.get(name, name)
    for home, names in _HOMES.items():
        if name in names:
            return getattr(import_module(f"{__name__}.{home}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
