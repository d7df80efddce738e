"""Positions from random play, for tests and benchmarks."""

from __future__ import annotations

import json
from collections.abc import Iterator
from fractions import Fraction
from itertools import product
from pathlib import Path

from nimmt_lab import Advanced, Classic
from nimmt_lab.engine.state import GameState
from nimmt_lab.native import Core, core
from nimmt_lab.solver.deals import random_state


def compiled() -> Core:
    """The compiled core, for tests of compiled code."""
    found = core()
    assert found is not None, "these tests are about the compiled core"
    return found


DATA = Path(__file__).parent / "data"


def low_card_state(game: Classic, left: int, seed: int) -> GameState:
    """The same in mid-turn: a seat must choose a row, and each hand has `left` cards afterwards."""
    for attempt in range(seed, seed + 1000):
        state = random_state(game, left + 1, attempt)
        for cards in product(*(state.pending[seat].options for seat in range(game.players))):
            after, _ = state.choose(dict(enumerate(cards)))
            if after.queue:
                return after
    raise AssertionError("no low card in a thousand positions")


def two_player_advanced(left: int, seed: int) -> GameState:
    """A position of advanced mode for two."""
    return random_state(Advanced(players=2, rounds=1), left, seed)


def known_values(name: str) -> Iterator[tuple[str, Fraction]]:
    """Positions with exact values: our own random ones, or the shared conformance vectors."""
    path = DATA / "values.json" if name == "values" else Path(__file__).parents[1] / "conformance" / "solver.json"
    for entry in json.loads(path.read_text(encoding="utf-8"))["positions"]:
        yield entry["position"], Fraction(entry["value"])
