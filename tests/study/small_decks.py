"""Decks small enough to enumerate every deal, so that expected values are exact."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations
from math import sqrt
from statistics import mean

from nimmt_lab import Record
from nimmt_lab.bots import bot
from nimmt_lab.bots.company import Company
from nimmt_lab.engine.rng import Rng
from nimmt_lab.engine.state import GameState
from nimmt_lab.study.luck import _luck, measure, rounds_of


def hands_of(hidden: Sequence[int]) -> Iterator[str]:
    """Every way to deal A and B three of the hidden cards each, as position text."""
    for mine in combinations(hidden, 3):
        for theirs in combinations([card for card in hidden if card not in mine], 3):
            yield f"A: {' '.join(map(str, mine))} ; B: {' '.join(map(str, theirs))}"


def played(start: GameState, names: tuple[str, str]) -> Record:
    """A game in which nothing is random but the deal."""
    state, made = start, []
    while not state.is_over:
        choices = {seat: bot(names[seat]).choose(state.view(seat), Rng(1)) for seat in state.pending}
        made.append(choices)
        state, _ = state.choose(choices)
    return Record(start.game, tuple(made), start=str(start.position))


def mean_luck(games: Iterable[tuple[Record, Company | None]], playouts: int = 60) -> tuple[float, float]:
    """What the turns brought A, over all deals; and the error of the playouts in that."""
    turns, errors = [], []
    for number, (one, company) in enumerate(games):
        rounds = rounds_of(one, 0)
        found = {
            ply: measure(
                one.steps[ply].before.view(0), one.steps[ply].choices[0], playouts, 64 * number + ply, company=company
            )
            for ply in rounds[0].plies
        }
        luck = _luck(rounds, found)
        turns.append(luck.turns)
        errors.append(luck.turns_error)
    return mean(turns), sqrt(sum(errors)) / len(turns)
