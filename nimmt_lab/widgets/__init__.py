"""Boards for the notebook: replay a game, play one, practise, look at the number line, ask the solver."""

from __future__ import annotations

from nimmt_lab.engine.extras import wanted
from nimmt_lab.lessons import Question, generate, kinds_of
from nimmt_lab.lessons.puzzle import best_card

with wanted("lab"):
    from .exercise import Answer, Exercise
    from .home import Home
    from .number_line import NumberLine
    from .replay import Replay
    from .solver_panel import SolverPanel
    from .table import Table

__all__ = [
    "Answer",
    "Exercise",
    "Home",
    "NumberLine",
    "Question",
    "Replay",
    "SolverPanel",
    "Table",
    "best_card",
    "generate",
    "kinds_of",
]
