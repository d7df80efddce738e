"""Decks so small that every deal of them is dealt: what is expected is exact."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations

from nimmt_lab import Record
from nimmt_lab.bots import bot
from nimmt_lab.engine.rng import Rng
from nimmt_lab.engine.state import GameState


def hands_of(hidden: Sequence[int]) -> Iterator[str]:
    """Every way to deal A and B three of the hidden cards each, as a position says it."""
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
