"""Notes of a real game as text and CSV: what is inferred, and where mistakes are."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nimmt_lab import Baron, Classic, Record, review
from nimmt_lab.bots import record
from nimmt_lab.engine.errors import NimmtError, NotationError, PositionError, RecordError, RulesError
from nimmt_lab.engine.notes_text import notes_of_csv, read_notes, record_of
from tests.support import refused

GAME = Classic(players=4, rounds=1)


def notes_of(played: Record, *, letters: bool = True) -> str:
    turns = [re.sub(r"\s*#.*", "", line) for line in played.to_text().splitlines() if line[:1].isdigit()]
    if not letters:
        turns = [re.sub(r"\b[A-J](?=[0-9])", "", line.partition(". ")[2]) for line in turns]
    return "\n".join([f"rows: {' '.join(str(row[0]) for row in played.opening[0].rows)}", *turns])


@pytest.mark.parametrize("letters", [True, False])
@pytest.mark.parametrize("seed", range(6))
def test_a_round_is_read_back_with_all_hands(seed: int, letters: bool) -> None:
    played = record(GAME, ["random", "lowest", "odds", "highest"], seed)
    text = notes_of(played, letters=letters)
    for found in (Record.from_notes(text), Record.from_notes(text, players=4), record_of(text)):
        assert found.opening[0].hands == played.opening[0].hands and found.hidden == frozenset()
        assert [step.state.rows for step in found.steps] == [step.state.rows for step in played.steps]
        assert found.outcome is not None and found.outcome.totals == found.final.totals


def test_until_then_hands_are_hidden_and_nobody_judges_them() -> None:
    played = record(GAME, ["random"] * 4, 3)
    hand = " ".join(map(str, played.opening[0].hands[1]))
    half = "\n".join([*notes_of(played).splitlines()[:4], f"hand B: {hand}"])
    found = Record.from_notes(half)
    assert found.hidden == {0, 2, 3} and found.opening[0].hands[1] == played.opening[0].hands[1]
    again = Record.from_text(found.to_text())
    assert again.hidden == found.hidden and again == found and Record.from_json(found.to_json()).hidden == {0, 2, 3}
    judged = review(found, playouts=20, progress=False)
    assert judged.seats == (1,)
    with refused(PositionError, "study.hand_unknown", who="C"):
        review(found, seat="C", progress=False)


def test_several_rounds_carry_their_totals() -> None:
    first, second = (record(GAME, ["random"] * 4, seed) for seed in (3, 5))
    text = (
        f"players: Ann, Bob, Cleo, Dan\n{notes_of(first)}\n\n// the second evening\n{notes_of(second, letters=False)}"
    )
    one, two = Record.rounds_from_notes(text)
    assert one.final.totals == first.final.totals and one.names[0] == two.names[0] == "Ann"
    sums = tuple(a + b for a, b in zip(first.final.totals, second.final.totals, strict=True))
    assert two.opening[0].totals == first.final.totals and two.final.totals == sums
    with refused(NotationError, "engine.notes_rounds", count=2):
        Record.from_notes(text)


@pytest.mark.parametrize(
    ("text", "line", "key"),
    [
        ("rows: 12 37 43 58\n14 15\n\n2 9", 4, "engine.row_unsaid"),
        ("rows: 12 37 43 58\n2 3@1", 2, "engine.row_unsaid"),
        ("rows: 12 37 43 58\n14 15\n14 16", 3, "engine.seen_before"),
        ("rows: 12 37 43 58\n14 15 16\n17 18", 3, "engine.notes_cards"),
        ("rows: 12 37 43\n14 15", 1, "engine.notes_row_count"),
        ("rows: 12 37 43 x\n14 15", 1, "engine.number"),
        ("rows: 12 37 43 105\n14 15", 1, "engine.note_no_card"),
        ("14 15", 1, "engine.notes_rows_first"),
        ("// nothing", 1, "engine.notes_rows"),
        ("rows: 12 37 43 58", 1, "engine.notes_players"),
        ("rows: 12 37 43 58\n14 15\nrows: 1 2 3 4", 3, "engine.notes_unfinished"),
        ("rows: 12 37 43 58\n14 15\nplayers: Ann, Bob", 3, "engine.notes_head"),
        ("game: chess\nrows: 12 37 43 58\n14 15", 2, "shared.no_game"),
        ("rows: 12 37 43 58\nA14 A15", 2, "engine.no_choice"),
        ("rows: 12 37 43 58\n14 15@2", 2, "engine.not_asked_for"),
        ("rows: 12 37 43 58\n14 2@7", 2, "engine.cannot_choose"),
        ("rows: 12 37 43 58\n14 15\nhand C: 1 2", 3, "shared.no_seat_to"),
        ("rows: 12 37 43 58\n14 15\nhand A: 15", 3, "engine.seen_before"),
    ],
)
def test_mistakes_are_named_by_line(text: str, line: int, key: str) -> None:
    with refused(NotationError, key) as caught:
        read_notes(text)
    assert caught.value.line == line


def test_players_and_games_must_fit() -> None:
    with refused(NotationError, "engine.notes_names", count=2, players=3):
        read_notes("players: Ann Bob\nrows: 12 37 43 58\n14 15", players=3)
    with refused(NotationError, "engine.game_players"):
        read_notes("rows: 12 37 43 58\n14 15", players=3, game=Classic(players=2))
    found = Record.from_notes("rules: hand_size=2\nrows: 12 37 43 58\n14 15\n16 17")
    assert found.final.is_over and found.game == Classic(players=2, hand_size=2, rounds=1)
    with refused(NotationError, "engine.more_play"):
        Record.from_notes("rules: hand_size=1\nrows: 12 37 43 58\n14 15\n16 17")


def test_plays_from_csv() -> None:
    played = record(GAME, ["random"] * 4, 3)
    lines = ["turn;player;card;row", *(f"0;;{row[0]};" for row in played.opening[0].rows)]
    for line in notes_of(played).splitlines()[1:]:
        turn, plays = line.split(". ")
        for play in reversed(plays.split()):
            card, _, row = play[1:].partition("@")
            lines.append(f"{turn};{play[0]};{card};{row}")
    found = Record.from_csv("\n".join(lines))
    assert found.opening[0].hands == played.opening[0].hands and found.final.totals == played.final.totals
    named = [
        line.replace(";A;", ";Ann;").replace(";B;", ";Bo;").replace(";C;", ";Cy;").replace(";D;", ";Di;")
        for line in lines
    ]
    assert Record.from_csv("\n".join(named)).names == {0: "Di", 1: "Cy", 2: "Bo", 3: "Ann"}  # in the order they occur
    for wrong, key, number in (
        ("turn,card\n1,2", "engine.csv_columns", 1),
        ("turn,player,card\n1,A,x", "engine.number", 2),
        ("turn,player,card\nx,A,3", "engine.number", 2),
    ):
        with refused(NotationError, key) as caught:
            notes_of_csv(wrong)
        assert caught.value.line == number


def test_a_review_takes_files_and_texts(tmp_path: Path) -> None:
    played = record(GAME, ["random"] * 4, 3)
    played.save(tmp_path / "game.nimmt")
    (tmp_path / "notes.txt").write_text(notes_of(played), encoding="utf-8")
    files: list[Path | str] = [tmp_path / "game.nimmt", str(tmp_path / "notes.txt")]
    for what in (*files, played.to_text(), played.to_json(), notes_of(played)):
        assert record_of(what).final.totals == played.final.totals
    (tmp_path / "notes.txt").write_text("rows: 1 2", encoding="utf-8")
    with refused(RecordError, "engine.notes_players", source=str(tmp_path / "notes.txt"), line=1):
        record_of(tmp_path / "notes.txt")
    with refused(RulesError, "engine.not_record"):
        record_of(7)  # type: ignore[arg-type]


def test_other_games_are_noted_too() -> None:
    game = Baron(players=3)
    played = record(game, ["random"] * 3, 2)
    start = played.opening[0]
    text = f"game: baron\nrows: {' '.join(str(row[0]) for row in start.rows if row)}\n"
    first = " ".join(f"{'ABC'[seat]}{card}" for seat, card in sorted(played.choices[0].items()))
    try:
        found = read_notes(text + first)[0]
    except NotationError as error:
        assert error.key in ("engine.row_unsaid", "engine.notes_row_count")  # a low card, or no rows at the start
    else:
        assert found.game.name == "baron"


@settings(max_examples=60, deadline=None)
@given(st.text(alphabet="rowshand:AB 0123456789@.,\n/", max_size=80))
def test_anything_is_read_or_refused(text: str) -> None:
    for read in (read_notes, notes_of_csv):
        try:
            read(text)
        except NimmtError as error:
            assert str(error)
