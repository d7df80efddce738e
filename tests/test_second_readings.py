"""Random turns played by second implementations of the rules, written as rule vectors and run by the engine."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from nimmt_lab.conformance.runner import run_vector
from tests.games.baron_reading import BaronReading
from tests.games.board_reading import BoardReading, Unclear
from tests.games.buffalo_reading import BuffaloReading

READINGS: dict[str, Any] = {"baron": BaronReading, "board": BoardReading, "buffalo": BuffaloReading}


def check(reading: Any, random: Any) -> None:
    try:
        vector = reading(random).vector("one")
    except Unclear:
        assume(False)
    assert run_vector(vector) == (), vector


@pytest.mark.exhaustive
@pytest.mark.parametrize("system", READINGS)
@settings(max_examples=300)
@given(random=st.randoms(use_true_random=True))
def test_a_turn_ends_as_the_second_reading_says(system: str, random: Any) -> None:
    check(READINGS[system], random)


@pytest.mark.slow
@pytest.mark.parametrize("system", READINGS)
@settings(max_examples=10_000)
@given(random=st.randoms(use_true_random=True))
def test_many_turns_end_as_the_second_reading_says(system: str, random: Any) -> None:
    check(READINGS[system], random)
