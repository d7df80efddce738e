"""What several test files need: random play through the public API, and an account of every card."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from nimmt_lab import Game, GameState, Record
from nimmt_lab.engine.cards import EMPTY, Seat
from nimmt_lab.engine.decisions import Choice
from nimmt_lab.engine.rng import Rng


def random_choices(state: GameState, rng: Rng) -> tuple[dict[Seat, Choice], Rng]:
    """A uniformly random option for every seat that is asked."""
    choices: dict[Seat, Choice] = {}
    for seat, decision in state.pending.items():
        at, rng = rng.below(len(decision.options))
        choices[seat] = decision.options[at]
    return choices, rng


def random_record(game: Game, seed: int, choices: int | None = None) -> Record:
    """A random game, to its end or for so many choices."""
    rng = Rng.from_seed(seed, stream=1)
    record = Record(game, seed=seed)
    while record.final.pending and (choices is None or len(record.choices) < choices):
        made, rng = random_choices(record.final, rng)
        record = record.then(made)
    return record


def play(state: GameState, *choices: Mapping[Seat, Choice]) -> GameState:
    """The state after some choices."""
    for made in choices:
        state, _ = state.choose(made)
    return state


def cards_of(state: GameState) -> Counter[int]:
    """Every card on, under and beside the table, counted."""
    beside = state.game.seen_extra(state.extra)
    places = [*state.rows, *state.hands, *state.piles, state.stock, [play.card for play in state.queue], beside]
    return Counter(card for place in places for card in place if card != EMPTY)
