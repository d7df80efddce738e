"""Every valid object survives writing and reading. Invalid objects raise an error on creation, and so do positions that
no game can reach."""

from __future__ import annotations

import copy
import pickle
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nimmt_lab import Advanced, Baron, BoardGame, Buffalo, Classic, Game, NimmtError, Position, Record, all_games
from nimmt_lab.engine.errors import RecordError, RulesError
from nimmt_lab.engine.play import Play
from nimmt_lab.engine.sentences import Phrase
from tests.support import FAN_CARDS, random_record, refused

TABLE = "12 14 15 | 37 | 43 44 | 58 61 ; A: 21 26 ; B: 30 36"
GAME = Classic(players=2, rounds=3)


def assert_round_trip(record: Record, folder: Path | None = None) -> None:
    assert Record.from_text(record.to_text()) == record
    assert Record.from_json(record.to_json()) == record
    if folder is not None:
        for name in ("record.nimmt", "record.json"):
            record.save(folder / name)
            assert Record.load(folder / name) == record


@pytest.mark.parametrize("key", ["Místo", "ŻABA", "место", "場所", "A_1", "x" * 1000])
def test_tags_have_names_in_any_language(key: str, tmp_path: Path) -> None:
    assert_round_trip(Record(GAME, tags={key: "Praha – Łódź ｱ 😀: #1a2b { }"}), tmp_path)


@pytest.mark.parametrize("start", [TABLE + "\n", " " + TABLE, TABLE + "  \t", TABLE.replace(" ; ", "\r\n;\n"),
                                   TABLE.replace(" ", "\u2028"), TABLE.replace(" ", "\xa0")])  # fmt: skip
def test_how_a_start_is_spaced_says_nothing(start: str, tmp_path: Path) -> None:
    record = Record(GAME, start=start)
    assert record == Record(GAME, start=TABLE)
    assert_round_trip(record, tmp_path)


@given(
    st.dictionaries(st.text(max_size=6), st.text(max_size=8), max_size=3),
    st.dictionaries(st.integers(-1, 2), st.text(max_size=10), max_size=3),
    st.none()
    | st.text(st.sampled_from("\n\t\r\0\x85\u2028\ud800 ;:|-١12ABab+#{}"), max_size=60).map((TABLE + " ; ").__add__),
    st.integers(-1, 2**65) | st.booleans(),
)
def test_what_can_be_made_round_trips(
    tags: dict[str, str], comments: dict[int, str], start: str | None, seed: int
) -> None:
    try:
        record = Record(GAME, start=start, seed=seed, tags=tags)
        state = record.final
        record = record.then({seat: asked.options[0] for seat, asked in state.pending.items()}).noted(tags, comments)
    except NimmtError:
        return
    assert_round_trip(record)


@pytest.mark.parametrize("wrong", [
    {"tags": {"A": 5}}, {"tags": {5: "A"}}, {"tags": {"a b": "x"}}, {"tags": {"A": "x\ny"}}, {"tags": {"A": " x"}},
    {"tags": {"A": ""}}, {"tags": {"CHECK": "x"}}, {"tags": {"A": "\ud800"}}, {"tags": {"\ud800": "A"}}, {"tags": [1]},
    {"tags": {"A": "x" * 1001}}, {"start": 7}, {"start": b"x"}, {"seed": -1}, {"seed": 2**64}, {"seed": True},
    {"seed": 1.0}, {"seed": "1"}, {"comments": {0: "x"}}, {"comments": {"0": "x"}}, {"comments": [1]}, {"start": "\0"},
])  # fmt: skip
def test_what_cannot_be_written_is_refused_at_once(wrong: dict[str, Any]) -> None:
    with pytest.raises(NimmtError):
        Record(GAME, **wrong)


@pytest.mark.parametrize("name", all_games())
def test_every_position_of_a_game_reads_back_as_itself(name: str, tmp_path: Path) -> None:
    """Text never begins or ends with a blank, even without rows or with an empty first row."""
    game: Game = all_games()[name](players=max(2, all_games()[name].for_players[0]))
    record = random_record(game, seed=5, choices=60)
    for step in record.steps[::3]:
        text = str(step.before.position)
        assert text == " ".join(text.split())
        assert Position.parse(text) == step.before.position
        assert_round_trip(Record(game, start=text, seed=1), tmp_path)


def test_a_draft_has_the_same_turn_however_it_came_about() -> None:
    game = Advanced(players=2)
    state, _ = game.deal(3).choose({0: 24})
    assert "turn" not in str(state.position)
    assert game.from_position(str(state.position), seed=3).turn == state.turn == 0
    assert game.from_position(f"{state.position} ; turn: 1", seed=3).turn == 0


NUMBERS = st.integers(-2, 30) | st.sampled_from([True, 1.0, "1", None, 10**7, 10**5000])


@given(
    st.lists(st.lists(NUMBERS, max_size=2).map(tuple), max_size=3).map(tuple),
    st.dictionaries(st.integers(-2, 27), st.lists(NUMBERS, max_size=2).map(tuple), max_size=2),
    st.lists(st.builds(Play, NUMBERS, st.booleans(), st.integers(-2, 27), NUMBERS), max_size=2).map(tuple),
    st.lists(NUMBERS, max_size=2).map(tuple),
    NUMBERS,
    st.none() | NUMBERS,
    st.dictionaries(
        st.text(st.sampled_from("aA+;: \n"), max_size=3), st.text(st.sampled_from("a;: \n\0"), max_size=3), max_size=2
    ),
)
def test_positions_made_by_hand(
    rows: Any, hands: Any, queue: Any, totals: Any, round_: Any, turn: Any, sections: Any
) -> None:
    try:
        position = Position(rows, hands, hands, queue, (), totals, round_, turn, sections)
    except NimmtError:
        return
    assert Position.parse(str(position)) == position


@pytest.mark.parametrize(("game", "text", "says"), [
    (Classic(players=2), "12 - 15 | 37 | 43 | 58 ; A: 21 ; B: 30", Phrase("engine.empty_place", place=Phrase("shared.place_row", row=1))),
    (Classic(players=2), "12 | 37 | 43 | 58 ; A: 21 ; B: 30 ; totals: 66 0", Phrase("classic.over_at", total=66)),
    (Classic(players=2, edition="002"), "12 | 37 | 43 | 58 ; A: 21 ; B: 30 ; totals: 67 0", Phrase("classic.over_at", total=67)),
    (Classic(players=2, limit=5), "12 | 37 | 43 | 58 ; A: 21 ; B: 30 ; totals: 0 5", Phrase("classic.over_at", total=5)),
    (Classic(players=2), "12 | 37 | 43 | 58 ; A: 21 ; B: 30 ; totals: -1 5", Phrase("engine.below_0")),
    (Classic(players=2, rounds=1), "12 | 37 | 43 | 58 ; A: 21 ; B: 30 ; round: 5", Phrase("engine.round_over", round=5, name="classic", most=1)),
    (Classic(players=2, most_rounds=2), "12 | 37 | 43 | 58 ; A: 21 ; B: 30 ; round: 3", Phrase("engine.round_over", round=3, name="classic", most=2)),
    (Classic(players=2), "12 | 37 | 43 | 58 ; A: 21 ; B: 30 ; turn: 99", Phrase("engine.turn_hands", turn=99, table=10)),
    (Classic(players=2), "12 | 37 | 43 | 58 ; A: 21 ; B: 30 ; stock: 1 2 3", Phrase("engine.no_stock")),
    (Classic(players=2), "12 | 37 | 43 | 58 ; A: ٢١ ; B: 30", Phrase("engine.number")),
    (Classic(players=2), "12 | 37 | 43 | 58 ; A: 21 ; place: B٣٠", Phrase("engine.seat_card")),
    (Classic(players=2), "12 | 37 | 43 | 58 ; A: 21 ; B: 30 ; round: ²", Phrase("engine.number")),
    (Classic(players=2), "12 | 37 | 43 | 58 ; A: 21 ; B: 30 ; mountain: 1", Phrase("engine.no_section", key="'mountain'")),
    (Classic(players=2, fan_cards=("mountain",)), "12 | | 43 | 58 ; A: 21 ; B: 30", Phrase("shared.row_empty", row=2)),
    (Classic(players=2, fan_cards=("mountain",)), "12 ; A: 21 ; B: 30", Phrase("shared.card_rows", rows=4, got=1)),
    (Classic(players=2, fan_cards=("number_twister",)), "12|37|43|58 ; A: 21 ; B: 30 ; number_twister: ß", Phrase("number_twister.expected_seats")),
    (Advanced(players=2), "1 | 2 | 3 | 4 ; A: 5 ; B: 6 ; stock: 7", Phrase("advanced.there_no_stock")),
    (Baron(players=2), "1 | 2 | 3 | 4 | 5 ; A: 6 ; B: 7 ; stock: 8", Phrase("engine.no_stock")),
    (Baron(players=2), "1 | 2 | 3 | 4 | 5 ; A: 6 ; B: 7 ; round: 2", Phrase("engine.round_over", round=2, name="baron", most=1)),
    (Buffalo(players=2), "1 | 2 | 3 | 4 ; A: 6 ; B: 7 ; round: 2", Phrase("engine.round_over", round=2, name="buffalo", most=1)),
    (Buffalo(players=2), "1 | 2 | 3 | 4 ; A: 6 ; B: 7 ; turn: 4", Phrase("engine.turn_hands", turn=4)),
    (BoardGame(players=4), "50 | 70 | 20 | 56 | | | | | | ; A: 57 ; turn: 101", Phrase("engine.turn_hands", turn=101)),
    (BoardGame(players=4), "50 | 70 | 20 | 56 | | | | | | ; A: 57 ; totals: 45 0 0 0", Phrase("board_game.track")),
])  # fmt: skip
def test_nonsense_is_refused(game: Game, text: str, says: Phrase) -> None:
    with refused(NimmtError, says):
        game.from_position(text)


@pytest.mark.parametrize("fan_card", FAN_CARDS)
@pytest.mark.parametrize("rows", ["|||", "12", "12 | 13", "12 | 13 | 14 | ", "1|2|3|4|5", "- | 2 | 3 | 4", "0|1|2|3"])
def test_odd_rows_with_fan_cards_are_refused(fan_card: str, rows: str) -> None:
    for system in (Classic, Advanced):
        game = system(players=2, fan_cards=(fan_card,))
        for section in ("", f" ; {fan_card}: 1", f" ; {fan_card}: -"):
            with pytest.raises(NimmtError):
                game.from_position(f"{rows} ; A: 21 ; B: 20{section}")


def test_duplicate_keys_are_refused() -> None:
    text = Record(GAME, start=TABLE, tags={"A": "Ann"}).to_json()
    with refused(RecordError, "engine.key_twice", key="'seed'"):
        Record.from_json(text.replace('"seed": 0', '"seed": 0, "seed": 0'))
    with refused(RecordError, "engine.key_twice", key="'A'"):
        Record.from_json(text.replace('"A": "Ann"', '"A": "Ann", "A": "Ann"'))
    with refused(RecordError, "shared.inner", error=Phrase("engine.is_twice", key="'players'")):
        Record.from_text("game: classic\nrules: players=2 players=3\n")


@pytest.mark.parametrize(
    "blanks", [" ", "\t", "\u3000", "\x0b", "\\", "{", '"', "#", "1.", "A", "@", "=", "*", "//", ":"]
)
def test_a_long_line_is_read_in_time(blanks: str) -> None:
    """No clock is needed: quadratic time would take minutes."""
    for line in (blanks * 300_000, f"1. A14{blanks * 300_000}x", f"{{ {blanks * 300_000}", f"a {blanks * 300_000}: x"):
        for head in ("", "game: classic\nrules: players=2\n", "game: classic\nrules: "):
            with pytest.raises(RecordError):
                Record.from_text(head + line + "\nx x x")


def test_notes_are_part_of_a_record_and_kept_with_it() -> None:
    plain = random_record(GAME, seed=3, choices=6)
    noted = plain.noted({"A": "Ola"}, {0: "a brave card"})
    assert noted != plain and noted != plain.noted({"A": "Ola"}, {}) and noted != plain.noted({}, {0: "a brave card"})
    for again in (pickle.loads(pickle.dumps(noted)), copy.deepcopy(noted)):
        assert again == noted and dict(again.tags) == {"A": "Ola"} and dict(again.comments) == {0: "a brave card"}
    with refused(RulesError, "engine.comment_behind_line", number=len(plain.lines) + 1):
        plain.noted({}, {len(plain.lines): "behind the end"})


def test_the_events_of_a_record_begin_with_the_deal() -> None:
    record = random_record(GAME, seed=4, choices=3)
    dealt = record.opening[1]
    assert dealt and record.events == (*dealt, *(event for step in record.steps for event in step.events))
