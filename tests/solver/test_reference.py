"""The plain solver compared with published vectors and with the engine, which shares no code with it."""

from __future__ import annotations

import pytest

from nimmt_lab import Advanced
from nimmt_lab.solver.reference import EngineSolver, ReferenceSolver, place

from .positions import known_values, two_player_advanced


def test_conformance_values() -> None:
    for text, value in known_values("conformance"):
        state = Advanced(players=2).from_position(text)
        assert ReferenceSolver().value(state.rows, *state.hands) == value, text


@pytest.mark.parametrize("left", [1, 2, 3])
def test_engine_and_plain_rules_agree(left: int) -> None:
    for seed in range(12):
        state = two_player_advanced(left, seed)
        assert ReferenceSolver().value(state.rows, *state.hands) == EngineSolver().value(state)


def test_low_cards_are_chosen_for() -> None:
    with pytest.raises(ValueError, match=r"\b2\b"):
        place(((5,), (6,), (7,), (8,)), 2)


@pytest.mark.slow
def test_stored_values_are_what_the_reference_says() -> None:
    for text, value in known_values("values"):
        state = Advanced(players=2).from_position(text)
        assert ReferenceSolver().value(state.rows, *state.hands) == value, text
