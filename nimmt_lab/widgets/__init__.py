"""Boards for the notebook: replay a game, play one, practise, and look at the number line."""

from __future__ import annotations

from .exercise import Answer, Exercise
from .number_line import NumberLine
from .puzzle import best_card
from .questions import Question, chance, generate, kinds_of, which_match, which_row, which_safe, who_takes
from .replay import Replay
from .table import Table

__all__ = [
    "Answer",
    "Exercise",
    "NumberLine",
    "Question",
    "Replay",
    "Table",
    "best_card",
    "chance",
    "generate",
    "kinds_of",
    "which_match",
    "which_row",
    "which_safe",
    "who_takes",
]
