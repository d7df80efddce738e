"""Studying by numbers: simulated rounds and tournaments as data frames; games reviewed, and puzzles found, by the solver."""

from __future__ import annotations

from .review import Review, review
from .simulate import Simulation, simulate
from .tournament import Tournament, tournament

__all__ = ["Review", "Simulation", "Tournament", "review", "simulate", "tournament"]
