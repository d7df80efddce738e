"""Options are checked in one place, and files never name other files."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from nimmt_lab import Baron, BoardGame, Buffalo, Classic, Game, Record, all_games
from nimmt_lab.engine.errors import NimmtError, NotationError, RecordError, RulesError
from nimmt_lab.engine.files import shown
from nimmt_lab.engine.options import materials
from nimmt_lab.engine.record_json import VERSION
from nimmt_lab.engine.record_text import Chain, read_rules
from nimmt_lab.engine.registry import from_options
from nimmt_lab.engine.sentences import Phrase
from nimmt_lab.games.baron.deck import SAMPLE_DECK, BaronDeck
from nimmt_lab.games.board_game.material import Board, Pieces, sample_board, sample_pieces
from nimmt_lab.games.classic.fan_card import fan_cards
from tests.support import refused

NONSENSE = [None, True, "x", "", 1.0, 2.0, float("nan"), float("inf"), -1, 0, 10**30, 10**5000, [], {}, [[]], (1,), b"x",
            {"a": []}, object(), "x" * 10**6, "\ud800", 1e300, ["mountain"] * 2, range(3), {1: 2}, print]  # fmt: skip


@pytest.mark.parametrize("name", all_games())
def test_no_option_of_any_chapter_takes_what_is_not_of_its_type(name: str) -> None:
    """Any value for any option either makes a game or raises a typed error."""
    kind = all_games()[name]
    usual = {"system": name, "players": kind.for_players[1]}
    options = [field for field in kind.__dataclass_fields__.values() if field.init]
    assert {"players"} < {option.name for option in options}
    for option in options:
        for value in NONSENSE:
            try:
                game = from_options({**usual, option.name: value})
            except NimmtError:
                continue
            assert from_options(game.to_json()) == game
            hash(game)


@pytest.mark.parametrize("options", [
    {"hand_size": "x"}, {"hand_size": 2.0}, {"hand_size": True}, {"fan_cards": 1}, {"fan_cards": "mountain"},
    {"edition": []}, {"edition": 0}, {"deck_size": "104"}, {"combine_fan_cards": 1}, {"limit": "66"},
    {"rounds": 10**30}, {"heads": None}, {"row_order": {}},
])  # fmt: skip
def test_wrong_types_are_named(options: dict[str, Any]) -> None:
    (name,) = options
    with refused(RulesError, "engine.option_must", name="classic", option=name):
        Classic(players=2, **options)


@pytest.mark.parametrize(("game", "option", "value", "known"), [
    (Classic, "limit", 10**9, {"least": 1, "most": 1_000_000}), (Classic, "hand_size", 0, {"least": 1, "most": 10}),
    (Classic, "edition", "001", {"known": "002, 000, 003"}), (Classic, "row_order", "down", {"known": "drawn, ascending"}),
    (Buffalo, "tie", "win", {"known": "draw, loss"}), (Buffalo, "edition", "002", {"known": "000, 003"}),
    (Buffalo, "hand_size", 11, {"least": 1, "most": 10}), (Baron, "games", 0, {"least": 1, "most": 1_000_000}),
    (Baron, "variant", "x", {"known": "standard, colour_counts, bulls_are_good"}),
    (BoardGame, "mode", "red", {"known": "basic, advanced"}),
])  # fmt: skip
def test_values_that_a_chapter_does_not_allow(game: type[Game], option: str, value: object, known: Any) -> None:
    key = "shared.must_from_to" if "most" in known else "shared.must_one_of"
    with refused(RulesError, key, what=option, got=shown(value), **known):
        game(players=3, **{option: value})


@pytest.mark.parametrize("name", fan_cards())
def test_options_of_fan_cards_are_checked_in_the_same_place(name: str) -> None:
    for value in NONSENSE:
        with pytest.raises(RulesError):
            from_options({"system": "classic", "players": 2, "fan_cards": [{"name": name, "comes_back": value}]})


def test_a_message_about_nonsense_is_short() -> None:
    for value in NONSENSE:
        assert len(shown(value)) <= 80
    deep: list[object] = []
    for _ in range(100_000):
        deep = [deep]
    assert len(shown(deep)) <= 80


# Paths ---------------------------------------------------------------------------------------------------

SYSTEMS = [("baron", "deck"), ("board", "board"), ("board", "pieces")]
PATHS = ["/etc/passwd", "/dev/zero", "deck.csv", "../x", "", "~/.ssh/id_rsa", "baron_stand_in"]


def text_record(system: str, rules: str) -> str:
    return f"game: {system}\nrules: {rules}\nseed: 1\n"


def json_record(game: dict[str, object]) -> str:
    head: dict[str, object] = {"format": f"nimmt-record/{VERSION}", "game": game, "seed": 1, "tags": {}}
    chain = Chain()

    def checked(part: dict[str, object]) -> dict[str, object]:
        return {**part, "check": chain.add(json.dumps(part, sort_keys=True, separators=(",", ":")))}

    return json.dumps({**checked(head), "turns": [], "end": checked({"result": "*"})})


@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize(("system", "option"), SYSTEMS)
def test_a_record_names_no_file(system: str, option: str, path: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def never(*_args: object, **_options: object) -> str:
        raise AssertionError("a file was opened")

    monkeypatch.setattr("nimmt_lab.games.baron.deck.read_text", never)
    monkeypatch.setattr("nimmt_lab.games.board_game.material.read_text", never)
    named = Phrase("engine.names_file_record", option=option, data=shown(path))
    texts = [f"players=2 {option}={path}", f"players=2 {option}={json.dumps(path)}"]
    for text in texts if path else texts[1:]:
        with refused(RecordError, "shared.inner", error=named):
            Record.from_text(text_record(system, text))
    with refused(RecordError, "shared.inner", error=named):
        Record.from_json(json_record({"system": system, "players": 2, option: path}))


@pytest.mark.parametrize("data", [
    {"shipped": "/etc/passwd"}, {"shipped": 7}, {"shipped": []}, {"shipped": "x", "path": "/etc/passwd"},
    {"path": "/etc/passwd"}, {"title": "/etc/passwd"}, ["/etc/passwd"], 7, True, {},
])  # fmt: skip
@pytest.mark.parametrize(("system", "option"), SYSTEMS)
def test_nor_does_it_in_other_ways(system: str, option: str, data: object) -> None:
    with pytest.raises(NimmtError):
        from_options({"system": system, "players": 2, option: data})
    with pytest.raises(RecordError):
        Record.from_json(json_record({"system": system, "players": 2, option: data}))


def test_the_person_at_the_keyboard_may_name_one(tmp_path: Path) -> None:
    path = tmp_path / "mine.csv"
    path.write_text(SAMPLE_DECK.to_csv().replace("sample deck", "my deck"), encoding="utf-8")
    for game in (Baron(players=2, deck=path), read_rules("baron", f"players=2 deck={path}", paths=True)):
        assert isinstance(game, Baron) and game.deck.title.startswith("my deck")
        record = Record(game, seed=3)
        path_less = Record.from_text(record.to_text())
        assert path_less == record and str(path) not in record.to_text()
    for wrong in ("/dev/zero", str(tmp_path), str(tmp_path / "no.csv"), "a\0b", "x" * 5000):
        with pytest.raises(NotationError) as caught:
            Baron(players=2, deck=wrong)
        assert caught.value.key in ("engine.cannot_read", "engine.not_regular")


def test_what_comes_with_the_package_goes_by_name_and_fingerprint() -> None:
    shipped: list[tuple[str, dict[str, object], str, BaronDeck | Board | Pieces]] = [
        ("baron", {}, "deck", SAMPLE_DECK), ("board", {}, "board", sample_board("basic")),
        ("board", {"mode": "advanced"}, "board", sample_board("advanced")), ("board", {}, "pieces", sample_pieces()),
    ]  # fmt: skip
    for system, more, option, material in shipped:
        (name,) = (name for name, other in type(material).shipped().items() if other == material)
        options = {"system": system, "players": 2, **more}
        said = {"shipped": name, "fingerprint": material.fingerprint}
        assert from_options({**options, option: said}) == from_options(options)
        with refused(RulesError, "engine.not_one_was", option=option, fingerprint=material.fingerprint):
            from_options({**options, option: {**said, "fingerprint": "0" * 12}})
        known = ", ".join(type(material).shipped())
        with refused(RulesError, "engine.no_comes_package", option=option, known=known):
            from_options({**options, option: {**said, "shipped": name + "x"}})


def test_every_chapter_says_what_is_material() -> None:
    found = {(name, option) for name, game in all_games().items() for option in materials(game)}
    assert found == set(SYSTEMS)
    assert BoardGame(players=2, board=sample_board("basic")) == BoardGame(players=2)
