"""Study games by numbers: simulations, tournaments, game reviews and puzzles."""

from nimmt_lab.solver.solution import Solution

from .choices import ClearChoice, as_clear_choice, clear_choices
from .datasets import dataset, make_dataset
from .explorer import Exploration, explore
from .findings import Finding, finding
from .habits import Habits, habits
from .ladders import Ladder, ladder, place
from .luck import Split
from .many import Reviews, review_games
from .own import kinds_of_mistakes, mistakes, own_puzzles
from .puzzles import Puzzle, Reply, as_puzzle, puzzles
from .reviews import Review, review, solve_position
from .simulate import Simulation, simulate
from .tournaments import Tournament, tournament

__all__ = [
    "ClearChoice",
    "Exploration",
    "Finding",
    "Habits",
    "Ladder",
    "Puzzle",
    "Reply",
    "Review",
    "Reviews",
    "Simulation",
    "Solution",
    "Split",
    "Tournament",
    "as_clear_choice",
    "as_puzzle",
    "clear_choices",
    "dataset",
    "explore",
    "finding",
    "habits",
    "kinds_of_mistakes",
    "ladder",
    "make_dataset",
    "mistakes",
    "own_puzzles",
    "place",
    "puzzles",
    "review",
    "review_games",
    "simulate",
    "solve_position",
    "tournament",
]
