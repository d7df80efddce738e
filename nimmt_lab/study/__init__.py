"""Studying by numbers: simulated rounds and tournaments; games reviewed and puzzles found by the solver."""

from __future__ import annotations

from nimmt_lab.solver.solution import Solution

from .ladders import Ladder, ladder
from .puzzles import Puzzle, Reply, as_puzzle, puzzles
from .reviews import Review, look, review
from .simulate import Simulation, simulate
from .tournaments import Tournament, tournament

__all__ = [
    "Ladder",
    "Puzzle",
    "Reply",
    "Review",
    "Simulation",
    "Solution",
    "Tournament",
    "as_puzzle",
    "ladder",
    "look",
    "puzzles",
    "review",
    "simulate",
    "tournament",
]
