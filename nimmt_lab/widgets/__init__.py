"""Notebook widgets: replay a game, play one, practise, look at the number line, ask the solver."""

from nimmt_lab.engine.extras import wanted
from nimmt_lab.lessons import Question, generate, kinds_of
from nimmt_lab.lessons.puzzle import best_card

with wanted("lab"):
    from nimmt_lab.screens.exercise import Answer

    from .boards import Exercise, NumberLine, Replay, SolverPanel, Table
    from .home import Home

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
