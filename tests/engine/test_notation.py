"""Position text: lenient in, strict out, exact round trips, errors that name the column."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nimmt_lab import Advanced, Classic, NimmtError, Position
from nimmt_lab.engine.errors import NotationError
from nimmt_lab.engine.play import Play
from nimmt_lab.engine.sentences import Phrase
from tests.support import random_record, refused


def test_the_line_of_the_design() -> None:
    text = "12 14 15 | 37 | 43 44 | 58 61 ; A: 21 26 ; B: 30 36"
    position = Position.parse(text)
    assert position.rows == ((12, 14, 15), (37,), (43, 44), (58, 61))
    assert position.hands == {0: (21, 26), 1: (30, 36)}
    assert str(position) == text


def test_every_section() -> None:
    text = "1 | 2 | 3 | - 4 ; A: 9 ; B+: 7 8 ; place: A5 B24=42 ; stock: 6 ; totals: -3 4 ; round: 2 ; turn: 5 ; moon: 4 up"
    position = Position.parse(text)
    assert position.queue == (Play.of(0, 5), Play(42, False, 1, 24))
    assert (position.piles, position.stock, position.totals, position.round, position.turn) == (
        {1: (7, 8)}, (6,), (-3, 4), 1, 4,
    )  # fmt: skip
    assert position.rows[3] == (0, 4) and position.sections == {"moon": "4 up"}
    assert str(position) == text


@pytest.mark.parametrize(
    ("text", "column", "says"),
    [
        ("12 x | 37", 4, Phrase("engine.number", got="'x'")),
        ("12 | 37 ; A: 1 2a", 16, Phrase("engine.number", got="'2a'")),
        ("12 | 37 ; nothing", 10, Phrase("engine.section_form")),
        ("12 ; A: 1 ; a: 2", 12, Phrase("engine.section_twice", key="'A'")),
        ("12 ; place: A5 6", 16, Phrase("engine.seat_card", got="'6'")),
        ("12 ; place: A0", 13, Phrase("engine.seat_card")),
        ("12 ; round: 0", 12, Phrase("engine.from_1")),
        ("12 ; : 4", 5, Phrase("engine.section_name")),
        ("A: 12 ; B: 13", 1, Phrase("engine.rows_first")),
        ("12 0 | 3", 4, Phrase("engine.card_0")),
        ("12 ; totals: 1 --2", 16, Phrase("engine.number")),
        ("１２ | 3", 1, Phrase("engine.number")),
        ("12345678 | 3", 1, Phrase("engine.number")),
    ],
)
def test_errors_name_the_column(text: str, column: int, says: Phrase) -> None:
    with refused(NotationError, says) as caught:
        Position.parse(text)
    assert caught.value.column == column
    assert f"column {column}" in str(caught.value)


@given(st.text(alphabet="0123456789 ABab:;|,-+=xplacetounds\n", max_size=60) | st.text(max_size=40))
def test_any_text_is_read_or_refused(text: str) -> None:
    try:
        position = Position.parse(text)
    except NotationError as error:
        assert error.column is not None and 1 <= error.column <= len(text) + 1
    else:
        again = str(position)
        assert Position.parse(again) == position
        assert str(Position.parse(again)) == again


@given(st.integers(0, 2**64 - 1), st.integers(0, 45), st.sampled_from([2, 3, 6]), st.booleans())
def test_states_round_trip(seed: int, choices: int, players: int, advanced: bool) -> None:
    game = (Advanced if advanced else Classic)(players=players, rounds=2)
    state = random_record(game, seed, choices).final
    if state.is_over:
        return
    again = game.from_position(str(state.position))
    assert again.position == state.position and str(again.position) == str(state.position)
    assert (again.rows, again.hands, again.piles, again.queue, again.totals, again.turn, again.round) == (
        state.rows, state.hands, state.piles, state.queue, state.totals, state.turn, state.round,
    )  # fmt: skip
    assert again.pending == state.pending


@given(st.text(alphabet="0123456789 AB:;|", max_size=60), st.integers(2, 4))
def test_any_position_is_laid_or_refused(text: str, players: int) -> None:
    try:
        state = Classic(players=players).from_position(text)
    except NimmtError:
        return
    assert state.pending


def test_totals_of_nothing_are_not_written() -> None:
    """Totals of zero may be left out."""
    rules = Classic(players=2)
    state = rules.from_position("12 | 37 | 43 | 58 ; A: 14 20 ; B: 15 30")
    assert state.totals == (0, 0) and "totals" not in str(state.position)
    said = Position.parse(f"{state.position} ; totals: 0 0")
    assert said == state.position and str(said) == str(state.position)
    assert rules.from_position(said).totals == (0, 0)
    one = rules.from_position(f"{state.position} ; totals: 0 3")
    assert one.totals == (0, 3) and str(one.position).endswith("totals: 0 3")
