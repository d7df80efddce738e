"""Records: replays, round trips of text and JSON, and errors in files."""

from __future__ import annotations

import json
import os
import re
from pathlib import Path
from types import ModuleType

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nimmt_lab import Advanced, Classic, NimmtError, Record
from nimmt_lab.engine import record_json, record_text
from nimmt_lab.engine.errors import IllegalChoice, NotInHand, RecordError, RulesError
from nimmt_lab.engine.sentences import Phrase
from tests.support import random_record, refused

GAMES = [
    Classic(players=4, rounds=2),
    Classic(players=2, edition="002"),
    Advanced(players=3, rounds=2, first=1),
    Classic(players=3, rounds=2, fan_cards=("even_odd",)),
    Classic(players=3, rounds=2, fan_cards=("number_twister",)),
    Advanced(players=2, rounds=1, fan_cards=("mountain",)),
]


def sample() -> Record:
    record = random_record(Classic(players=3, rounds=1), seed=5)
    return Record(
        record.game, record.choices, 5, None, {"A": "Ann", "event": "Prague “open” <b>"}, {1: 'why {so} "late"\n?'}
    )


@pytest.mark.parametrize("game", GAMES, ids=repr)
def test_replays_to_identical_events(game: Classic) -> None:
    for seed in range(3):
        record = random_record(game, seed)
        again = Record.from_play(game, seed, record.choices)
        assert again == record and again.events_text() == record.events_text()
        for read in (Record.from_text(record.to_text()), Record.from_json(record.to_json())):
            assert read == record and read.events_text() == record.events_text()
            assert read.to_text() == record.to_text() and read.to_json() == record.to_json()


@pytest.mark.exhaustive
@given(seed=st.integers(0, 2**64 - 1), choices=st.integers(0, 60), at=st.integers(0, len(GAMES) - 1))
@settings(max_examples=60)
def test_unfinished_games_round_trip(seed: int, choices: int, at: int) -> None:
    record = random_record(GAMES[at], seed, choices)
    assert Record.from_text(record.to_text()) == record
    assert Record.from_json(record.to_json()) == record


def test_a_record_may_start_from_a_position() -> None:
    game = Classic(players=2, rounds=1)
    start = "12 | 37 | 43 | 58 ; A: 3 20 ; B: 15 30"
    record = Record(game, ({0: 3, 1: 15}, {0: 1}, {0: 20, 1: 30}), start=start)
    assert record.outcome is not None and record.final.totals == (1, 0)
    assert "start: " + start in record.to_text() and "1. A3" not in record.to_text()
    assert "9. A3@2 B15" in record.to_text()
    assert Record.from_text(record.to_text()) == record and Record.from_json(record.to_json()) == record


def test_what_a_person_types_is_enough() -> None:
    typed = """
    game: classic
    rules: players=2 rounds=1 edition=002
    start: 12 | 37 | 43 | 58 ; A: 3 20 ; B: 15 30

    // my note
    b15, a3@2
    A20 B30
    """
    record = Record.from_text(typed)
    assert record.final.totals == (1, 0) and record.game == Classic(players=2, rounds=1, edition="002")
    assert Record.from_text(record.to_text()) == record


def test_tags_and_comments_survive() -> None:
    record = sample()
    for read in (Record.from_text(record.to_text()), Record.from_json(record.to_json())):
        assert dict(read.tags) == {"A": "Ann", "event": "Prague “open” <b>"}
        assert read.comments == {1: 'why {so} "late"\n?'}


@given(st.text(min_size=1).filter(str.strip), st.text(max_size=20))
def test_any_comment_and_tag_survives_or_is_refused(comment: str, tag: str) -> None:
    plain = random_record(Classic(players=2, rounds=1), 1, 2)
    try:
        record = Record(plain.game, plain.choices, 1, None, {"event": tag}, {0: comment})
    except RulesError:
        assert not tag or not tag.isprintable() or tag != tag.strip()
        return
    assert Record.from_json(record.to_json()) == record
    assert Record.from_text(record.to_text()) == record


def test_illegal_choices_are_refused_with_their_number() -> None:
    game = Classic(players=2)
    start = game.deal(1)
    good = {0: start.hands[0][0], 1: start.hands[1][0]}
    with refused(
        NotInHand, "engine.choice_numbered", number=2, error=Phrase("engine.cannot_play", who="A", who_too="A")
    ):
        Record.from_play(game, 1, [good, good])
    with pytest.raises(IllegalChoice):
        Record.from_play(game, 1, [{0: 5}])


# Broken files --------------------------------------------------------------------------------------------------


def swap_cards(line: str) -> str:
    """The first two seats play each other's cards."""
    return re.sub(r"A(\d+)(\S*) B(\d+)", r"A\3\2 B\1", line)


def test_every_changed_line_of_the_text_is_named() -> None:
    lines = sample().to_text().splitlines()
    for at, line in enumerate(lines):
        if not line:
            continue
        changed = [*lines]
        changed[at] = line[:-1] + ("0" if line[-1] != "0" else "1")
        with pytest.raises(RecordError) as caught:
            Record.from_text("\n".join(changed) + "\n")
        assert caught.value.line is not None
        # The next checksum covers a comment, the checksum of the header covers the header.
        assert at + 1 <= caught.value.line <= max(at + 2, 8), (line, str(caught.value))


def test_a_legal_but_changed_choice_is_noticed() -> None:
    text = random_record(Classic(players=2, rounds=1), seed=5).to_text()
    lines = text.splitlines()
    at = next(number for number, line in enumerate(lines) if "@" in line)
    row = lines[at][lines[at].index("@") + 1]
    lines[at] = lines[at].replace(f"@{row}", f"@{int(row) % 4 + 1}", 1)
    with refused(RecordError, "engine.line_changed", line=at + 1):
        Record.from_text("\n".join(lines))


def test_a_cut_off_text_is_noticed_wherever_it_is_cut() -> None:
    text = sample().to_text()
    whole = Record.from_text(text)
    for end in range(len("nimmt-game/2"), len(text) - 1):
        with pytest.raises(RecordError) as caught:
            Record.from_text(text[:end])
        assert caught.value.line is not None and 1 <= caught.value.line <= text[:end].count("\n") + 1
    assert Record.from_text(text.rstrip("\n")) == whole


def test_a_cut_off_json_is_noticed_wherever_it_is_cut() -> None:
    text = sample().to_json()
    for end in range(1, len(text.rstrip())):
        with pytest.raises(RecordError) as caught:
            Record.from_json(text[:end])
        assert caught.value.line is not None


def test_every_changed_line_of_the_json_is_named() -> None:
    lines = sample().to_json().splitlines()
    for at, line in enumerate(lines):
        if '"turn"' not in line:
            continue
        changed = [*lines]
        changed[at] = re.sub(r'"A": "(\d+)"', lambda m: f'"A": "{int(m.group(1)) % 104 + 1}"', line)
        with refused(RecordError, "engine.record_was_changed", line=at + 1):
            Record.from_json("\n".join(changed))


def test_newer_versions_are_refused() -> None:
    record = sample()
    with refused(RecordError, "engine.written_newer_version", line=1):
        Record.from_text(record.to_text().replace("nimmt-game/2", "nimmt-game/3"))
    with refused(RecordError, "engine.newer", line=2):
        Record.from_json(record.to_json().replace("nimmt-record/2", "nimmt-record/12"))
    with refused(RecordError, "shared.record_format", format="nimmt-game/2", line=1):
        Record.from_text("nimmt-game/x\n")


@pytest.mark.parametrize(
    ("text", "line", "says"),
    [
        ("", 1, Phrase("engine.head_game")),
        ("game: chess\n", 1, Phrase("shared.inner", error=Phrase("shared.no_game", name="'chess'"))),
        ("game: classic\n", 1, Phrase("shared.inner", error=Phrase("engine.needs_players"))),
        (
            "game: classic\nrules: players=4 moon=3\n",
            2,
            Phrase("shared.inner", error=Phrase("engine.no_option", key="'moon'")),
        ),
        ("game: classic\nrules: 4\n", 2, Phrase("shared.inner", error=Phrase("engine.option_value"))),
        (
            "game: classic\nrules: players=12\n",
            2,
            Phrase("shared.inner", error=Phrase("engine.for_players", least=2, most=10)),
        ),
        ("game: classic\nrules: players=2\nseed: x\n", 3, Phrase("shared.seed_whole", got="'x'")),
        (
            "game: classic\nrules: players=2\nseed: 99999999999999999999\n",
            3,
            Phrase("shared.inner", error=Phrase("engine.seed_range")),
        ),
        (
            "game: classic\nrules: players=2\nstart: 1 | 2\n",
            3,
            Phrase("shared.inner", error=Phrase("shared.card_rows", rows=4, got=2)),
        ),
        ("game: classic\ngame: classic\n", 2, Phrase("engine.is_twice")),
        (
            "game: classic\nrules: players=2\n1. A300 B4\n",
            3,
            Phrase("engine.cannot_play", who="A", choice="300", who_too="A"),
        ),
        ("game: classic\nrules: players=2\n2. A3 B4\n", 3, Phrase("engine.turn_expected", label="1", got="2")),
        ("game: classic\nrules: players=2\n1. A3 4\n", 3, Phrase("engine.seat_choice")),
        ("game: classic\nrules: players=2\n1. A3\n", 3, Phrase("engine.cannot_play", who="A", choice="3", who_too="A")),
        ("game: classic\nrules: players=2\n{ first }\n", 3, Phrase("engine.comment_place")),
        ("game: classic\nrules: players=2\n{ first\n", 3, Phrase("engine.comment_end")),
        ("game: classic\nrules: players=2\n= 0 0\n", 3, Phrase("engine.equals_on")),
        ("game: classic\nrules: players=2\n*\n1. A3 B4\n", 4, Phrase("engine.after_last")),
    ],
)
def test_errors_name_the_line(text: str, line: int, says: Phrase) -> None:
    with refused(RecordError, says) as caught:
        Record.from_text(text)
    assert caught.value.line == line


@pytest.mark.parametrize(
    "text", ["[]", "{}", '{"format": 3}', '{"format": "nimmt-record/2"}', "nul", '{"a": ' * 100_000, '{"format": "nimmt-record/2", "turns": [], "game": 4}']
)  # fmt: skip
def test_json_that_is_not_a_record(text: str) -> None:
    with pytest.raises(RecordError):
        Record.from_json(text)


@pytest.mark.exhaustive
@given(st.data())
@settings(max_examples=200)
def test_damaged_files_are_refused_with_a_typed_error(data: st.DataObject) -> None:
    as_json = data.draw(st.booleans())
    text = sample().to_json() if as_json else sample().to_text()
    at = data.draw(st.integers(0, len(text) - 1))
    length = data.draw(st.integers(0, 12))
    damaged = text[:at] + data.draw(st.text(max_size=6)) + text[at + length :]
    read = Record.from_json if as_json else Record.from_text
    try:
        record = read(damaged)
    except RecordError as error:
        assert error.line is not None
    else:
        assert record.choices == sample().choices or not damaged.startswith(("nimmt-game/", "{"))


@given(st.text(max_size=80), st.booleans())
def test_any_text_is_a_record_or_refused(text: str, as_json: bool) -> None:
    with pytest.raises(NimmtError):
        (Record.from_json if as_json else Record.from_text)(text)


def test_files(tmp_path: Path) -> None:
    record = sample()
    for name in ("game.nimmt", "game.json"):
        path = tmp_path / name
        record.save(path)
        assert Record.load(path) == record
        assert (path.read_text(encoding="utf-8")[0] == "{") is (name == "game.json")
    assert sorted(os.listdir(tmp_path)) == ["game.json", "game.nimmt"], "nothing is left behind"
    (tmp_path / "bad.nimmt").write_text("game: chess\n")
    with refused(RecordError, "shared.inner", error=Phrase("shared.no_game", name="'chess'"), line=1):
        Record.load(tmp_path / "bad.nimmt")
    with refused(RecordError, "engine.cannot_read", problem=Phrase("os.no_such_file")):
        Record.load(tmp_path / "none.nimmt")
    (tmp_path / "binary.nimmt").write_bytes(b"\xff\xfe\x00")
    with refused(RecordError, "shared.utf8"):
        Record.load(tmp_path / "binary.nimmt")


def test_saving_is_all_or_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "game.nimmt"
    path.write_text("what was there before")

    def broken(source: str, target: str) -> None:
        raise OSError("disk full")

    monkeypatch.setattr(os, "replace", broken)
    with pytest.raises(OSError, match="disk full"):
        sample().save(path)
    assert path.read_text() == "what was there before"
    assert os.listdir(tmp_path) == ["game.nimmt"]


@pytest.mark.parametrize("tags", [{"seed": "x"}, {"": "x"}, {"a b": "x"}, {"a": "two\nlines"}, {"a": " x"}])
def test_tags_that_cannot_be_written(tags: dict[str, str]) -> None:
    (name,) = tags
    key = "engine.tag_one_line" if name == "a" else "engine.cannot_name_tag"
    with refused(RulesError, key):
        Record(Classic(players=2), tags=tags)


def test_then_is_the_same_as_replaying() -> None:
    record = random_record(Classic(players=3, rounds=1), seed=8)
    assert Record(record.game, record.choices, 8) == record
    assert Record(record.game, record.choices, 8).events_text() == record.events_text()
    assert json.loads(record.to_json())["turns"][0]["turn"] == "1"


def test_the_end_of_a_json_record_is_checked() -> None:
    """The end has a checksum of its own: the result and the checksum can't be changed, removed or copied."""
    record = random_record(Classic(players=2, rounds=1), seed=3)
    text = record.to_json()
    last = text.count("\n")
    end = json.loads(text)["end"]
    for old, new in (
        (f'"check": "{end["check"]}"', '"check": "0000"'),
        (f', "check": "{end["check"]}"', ""),
        (end["result"], "= 1 1"),
    ):
        head, _, tail = text.rpartition('"end"')
        assert old in tail
        with refused(RecordError, "engine.record_was_changed", name="the end") as caught:
            Record.from_json(f'{head}"end"{tail.replace(old, new)}')
        assert caught.value.line is not None and (last - 1 <= caught.value.line <= last or not new)


@pytest.mark.parametrize(("format_", "module"), [("json", record_json), ("text", record_text)])
def test_a_result_that_was_not_played_is_refused(
    format_: str, module: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A forged result is found even with valid checksums, because the choices are replayed."""
    record = random_record(Classic(players=2, rounds=1), seed=3)
    with monkeypatch.context() as forged:
        forged.setattr(module, "end_line", lambda record: "= 1 1")
        text = record.to_json() if format_ == "json" else record.to_text()
    key, got = ("engine.result_not", "'= 1 1'") if format_ == "json" else ("engine.totals_are", "'1 1'")
    with refused(RecordError, key, got=got):
        Record.from_json(text) if format_ == "json" else Record.from_text(text)


def test_errors_of_files_keep_their_column(tmp_path: Path) -> None:
    path = tmp_path / "game.json"
    path.write_text('{"format": "nimmt-game/1",\n "turns": oops}', encoding="utf-8")
    with pytest.raises(RecordError) as caught:
        Record.load(path)
    assert (caught.value.line, caught.value.column) == (2, 11)
    assert "line 2, column 11" in str(caught.value)
