"""Exercises: questions from random games, the same for the same seed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from nimmt_lab.engine.cards import Seat
from nimmt_lab.engine.decisions import Choice, ChooseCard
from nimmt_lab.engine.errors import PositionError, RulesError
from nimmt_lab.engine.files import shown
from nimmt_lab.engine.game import Game
from nimmt_lab.engine.habits import random_choices
from nimmt_lab.engine.rng import Rng
from nimmt_lab.engine.state import GameState

from .question import ASKS, Asks, Kind, Question, ask, kinds


def kinds_of(game: Game) -> tuple[str, ...]:
    """The kinds of questions that suit exercises about a game.

    >>> from nimmt_lab import Advanced, Classic
    >>> kinds_of(Classic(players=4)), kinds_of(Advanced(players=2))
    (('row', 'takes', 'safe'), ('row', 'takes', 'safe'))
    """
    return (ASKS.find(game) or Asks()).exercises(game)


def generate(game: Game, kind: str, *, seed: int, difficulty: int = 1) -> Question:
    """A question of that kind from a random game, the same for the same seed.

    Difficulty 1 asks about calm turns, 2 about turns in which somebody takes, 3 about turns in which several do.

    >>> from nimmt_lab import Classic
    >>> question = generate(Classic(players=4), "takes", seed=1, difficulty=2)
    >>> question == generate(Classic(players=4), "takes", seed=1, difficulty=2), "-" in question.right
    (True, False)
    """
    if kind not in kinds_of(game):
        raise RulesError("lessons.no_exercise", game=game.name, kind=shown(kind), known=", ".join(kinds_of(game)))
    if difficulty not in (1, 2, 3):
        raise RulesError("shared.difficulty_must_got", got=shown(difficulty))
    asked = kinds(game)[kind]
    # Judging a position's level is quick, making a question may be slow: make only those of the right level.
    others: list[_Position] = []
    for position in _positions(game, asked, seed):
        if position.level != difficulty:
            others.append(position)
        elif (question := _try(asked, position)) is not None:
            return question
    for position in sorted(others, key=lambda position: abs(position.level - difficulty)):
        if (question := _try(asked, position)) is not None:
            return question
    raise RulesError("lessons.no_position", game=game.name, kind=shown(kind), seed=seed)


class _Position(NamedTuple):
    """A state in which cards are chosen, everybody's choices, the level of difficulty, and a random number."""

    state: GameState
    choices: Mapping[Seat, Choice]
    level: int
    pick: int


def _positions(game: Game, kind: Kind, seed: int) -> Iterator[_Position]:
    rng = Rng.from_seed(seed, stream=6)
    state = game.deal(seed)
    for attempt in range(kind.tries):
        if state.is_over:
            state = game.deal(seed + attempt + 1)
        choices, rng = random_choices(state, rng)
        if state.rows and all(isinstance(decision, ChooseCard) for decision in state.pending.values()):
            pick, rng = rng.below(1 << 30)
            yield _Position(state, choices, kind.level(state, choices), pick)
        state, _ = state.choose(choices)


def _try(kind: Kind, position: _Position) -> Question | None:
    """The question about a position, if there is one."""
    try:
        return ask(kind.name, kind.spot(position.state, position.choices, position.pick))
    except PositionError:
        return None
