"""Play and heads as people type them: what is missing or misspelt is named, never filled in from elsewhere."""

from __future__ import annotations

import pytest

from nimmt_lab import Classic, Record
from nimmt_lab.engine.cards import TEAM, seat_letter
from nimmt_lab.engine.errors import NotationError, RecordError, RulesError
from nimmt_lab.games.buffalo.rules import Buffalo
from tests.support import refused

PAIR = Classic(players=2, rounds=1)
#: B's 3 is low, and B's next card could pass for a row.
START = "12 | 37 | 43 | 58 ; A: 14 20 ; B: 2 3"
HEAD = "game: classic\nrules: players=2 rounds=1\n"


@pytest.mark.parametrize("text", ["A14 B3\nA20 B2", "1. A14 B3\n2. A20 B2", "A14 B3 A20 B2", "A14 B3"])
def test_a_missing_row_takes_nothing_from_the_next_line(text: str) -> None:
    record, state = Record(PAIR, start=START), PAIR.from_position(START)
    if text == "A14 B3":  # the row may come with the next call
        assert record.play(text).play("B@2").final.rows[1] == (3,)
        return
    for play in (record.play, state.play):
        with refused(NotationError, "engine.row_unsaid", who="B", card=3):
            play(text)


def test_errors_of_several_lines_name_the_line() -> None:
    with pytest.raises(NotationError) as caught:
        Record(PAIR, start=START).play("A14 B3@2\n\nA20 B7")
    assert caught.value.line == 3
    assert Record(PAIR, start=START).play("1. A14 B3@2\n\n// the end\n2. A20 B2@1").outcome is not None


@pytest.mark.parametrize("key", ["sead", "rows", "positon", "Seeds"])
def test_a_key_nobody_knows_deals_no_cards(key: str) -> None:
    with refused(RecordError, "engine.head_key", key=repr(key)) as caught:
        Record.from_text(f"{HEAD}{key}: 7\n")
    assert caught.value.line == 3


def test_misspelt_keys_are_refused_beside_a_seed_and_facts_are_not() -> None:
    with refused(RecordError, "engine.head_key", key="'strat'"):
        Record.from_text(f"{HEAD}seed: 7\nstrat: {START}\n")
    told = Record.from_text(f"{HEAD}seed: 7\nA: Ann\nevent: club night\n")
    assert dict(told.tags) == {"A": "Ann", "event": "club night"} and told.seed == 7
    assert Record.from_text(told.to_text()) == told


def test_facts_of_a_written_record_still_load_without_question() -> None:
    record = Record(PAIR, seed=3, tags={"strat": "as in May"})
    assert Record.from_text(record.to_text()) == record


def test_views_take_letters() -> None:
    state = Classic(players=3).deal(seed=1)
    assert [state.view(letter) for letter in ("A", "b")] == [state.view(seat) for seat in (0, 1)]
    for wrong in ("D", "AB", "", "T"):
        with refused(RulesError, "shared.no_seat_to"):
            state.view(wrong)
    herd = Buffalo(players=2).deal(seed=1)
    assert herd.view("T") == herd.view(TEAM) and seat_letter(TEAM) == "T"
