"""Studying by numbers: simulated rounds and tournaments; games reviewed and puzzles found by the solver."""

from __future__ import annotations

from .puzzles import Puzzle, Reply, as_puzzle, puzzles
from .review import Review, review
from .simulate import Simulation, simulate
from .tournament import Tournament, tournament

__all__ = [
    "Puzzle",
    "Reply",
    "Review",
    "Simulation",
    "Tournament",
    "as_puzzle",
    "puzzles",
    "review",
    "simulate",
    "tournament",
]
