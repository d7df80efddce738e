"""Studying by numbers: simulated rounds and tournaments, as data frames."""

from __future__ import annotations

from .simulate import Simulation, simulate
from .tournament import Tournament, tournament

__all__ = ["Simulation", "Tournament", "simulate", "tournament"]
