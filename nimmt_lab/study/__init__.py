"""Studying by numbers: simulated rounds and tournaments; games reviewed and puzzles found by the solver."""

from __future__ import annotations

from nimmt_lab.solver.solution import Solution

from .puzzles import Puzzle, Reply, as_puzzle, puzzles
from .review import Review, look, review
from .simulate import Simulation, simulate
from .tournament import Tournament, tournament

__all__ = [
    "Puzzle",
    "Reply",
    "Review",
    "Simulation",
    "Solution",
    "Tournament",
    "as_puzzle",
    "look",
    "puzzles",
    "review",
    "simulate",
    "tournament",
]
