"""The deck as data: what the stand-in is, and every way a file can be wrong."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nimmt_lab import Record
from nimmt_lab.engine.errors import DataError, NimmtError, RulesError
from nimmt_lab.games.baron.deck import BARONS, HEADER, LETTERS, STAND_IN, BaronDeck, write_template
from nimmt_lab.games.baron.rules import Baron
from tests.support import random_record


def test_r_o2_the_stand_in_says_so_and_is_balanced() -> None:
    assert STAND_IN.stand_in and "stand-in" in STAND_IN.title
    assert list(STAND_IN) == list(range(1, 111)) and 0 not in STAND_IN and 111 not in STAND_IN
    for card in STAND_IN:
        letters = STAND_IN.letters(card)
        if card in BARONS:
            assert letters == LETTERS
        else:
            assert 1 <= len(letters) <= 5 and 1 <= len(set(letters)) <= 3
    assert len({sum(STAND_IN.bulls_of(card, letter) for card in STAND_IN) for letter in LETTERS}) == 1
    # The file itself says it to whoever opens it.
    file = Path(__file__).parents[2] / "nimmt_lab/games/baron/data/baron_stand_in.csv"
    assert "not the printed bulls" in file.read_text(encoding="utf-8").splitlines()[0]
    assert BaronDeck.load(file) == STAND_IN


def test_csv_round_trip(tmp_path: Path) -> None:
    path = tmp_path / "deck.csv"
    path.write_text(STAND_IN.to_csv(), encoding="utf-8")
    assert BaronDeck.load(path) == STAND_IN
    assert Baron(players=3, deck=str(path)) == Baron(players=3)


def lines() -> list[str]:
    return ["# title: my deck", *STAND_IN.to_csv().splitlines()[2:]]


def edited(change: Callable[[list[str]], object]) -> str:
    text = lines()
    change(text)
    return "\n".join(text) + "\n"


def test_lenient_reading() -> None:
    semicolons = edited(lambda text: text.__setitem__(slice(None), [line.replace(",", ";") for line in text]))
    assert BaronDeck.parse(semicolons).bulls == STAND_IN.bulls
    blanks = edited(lambda text: text.__setitem__(slice(None), [line.replace(",0", ", ") for line in text]))
    assert BaronDeck.parse(blanks).bulls == STAND_IN.bulls
    swapped = edited(lambda text: text.__setitem__(slice(2, None), reversed(text[2:])))
    assert BaronDeck.parse(swapped).bulls == STAND_IN.bulls
    assert BaronDeck.parse(edited(lambda text: text.insert(50, ""))).title == "my deck"
    assert BaronDeck.parse("\n".join(lines()[1:]), "some/place/mine.csv").title == "mine"
    many = BaronDeck.parse(edited(lambda text: text.__setitem__(2, "1,0,0,0,0,12,0")))
    assert many.letters(1) == "k" * 12, "any number of bulls"


@pytest.mark.parametrize(
    ("change", "line", "says"),
    [
        (lambda text: text.pop(40), 111, "card 39 missing; expected every card from 1 to 110 once"),
        (lambda text: text.__delitem__(slice(30, 33)), 109, "card 29 and 2 more missing"),
        (lambda text: text.insert(60, text[20]), 61, "card 19 is there twice; it stands in line 21 already"),
        (
            lambda text: text.__setitem__(1, "value,blue,yellow,green,red,black,pink"),
            2,
            "unknown column 'pink'; expected value",
        ),
        (lambda text: text.__setitem__(1, "value,blue,yellow,green,red,black"), 2, "no column 'white'"),
        (
            lambda text: text.__setitem__(1, "value,blue,yellow,green,red,black,black"),
            2,
            "column 'black' is there twice",
        ),
        (lambda text: text.pop(1), 2, "unknown column '1'"),
        (lambda text: text.__setitem__(5, "111,1,0,0,0,0,0"), 6, "no card 111; expected a value from 1 to 110"),
        (lambda text: text.__setitem__(5, "0,1,0,0,0,0,0"), 6, "no card 0"),
        (lambda text: text.__setitem__(5, "x,1,0,0,0,0,0"), 6, "expected a value as a whole number, got 'x'"),
        (lambda text: text.__setitem__(5, ",1,0,0,0,0,0"), 6, "expected a value as a whole number, got ''"),
        (
            lambda text: text.__setitem__(5, "4,1,0,zwei,0,0,0"),
            6,
            "expected the green bulls of card 4 as a whole number, got 'zwei'",
        ),
        (lambda text: text.__setitem__(5, "4,1,0,-2,0,0,0"), 6, "the green bulls of card 4"),
        (lambda text: text.__setitem__(5, "4,0,0,0,0,0,0"), 6, "card 4 has no bulls; expected at least one"),
        (lambda text: text.__setitem__(5, "4,1,0,0"), 6, "expected 7 columns, got 4"),
        (lambda text: text.__setitem__(5, '4,"1,0,0'), 6, "not CSV"),
        (
            lambda text: text.__setitem__(53, "52,2,1,1,1,1,1"),
            54,
            "card 52 is a Bull Baron; expected one bull of each colour",
        ),
        (lambda text: text.__setitem__(105, "104,1,0,0,0,0,0"), 106, "card 104 is a Bull Baron"),
        (lambda text: text.clear(), 1, "the file is empty; expected the header value,blue"),
    ],
)
def test_wrong_files_name_file_line_and_what_was_expected(
    change: Callable[[list[str]], object], line: int, says: str, tmp_path: Path
) -> None:
    path = tmp_path / "deck.csv"
    path.write_text(edited(change), encoding="utf-8")
    with pytest.raises(DataError, match=says) as error:
        BaronDeck.load(path)
    assert error.value.line == line and error.value.source == str(path)
    assert str(error.value).startswith(f"{path}, line {line}: ")


def test_unreadable_files(tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"nowhere.csv: cannot be read"):
        BaronDeck.load(tmp_path / "nowhere.csv")
    (tmp_path / "bytes.csv").write_bytes(b"value,blue\xff\xfe")
    with pytest.raises(DataError, match=r"bytes.csv: expected a CSV file in UTF-8"):
        BaronDeck.load(tmp_path / "bytes.csv")
    with pytest.raises(DataError, match="cannot be read"):
        BaronDeck.load(tmp_path)


@given(
    st.text(max_size=400)
    | st.lists(st.sampled_from([*lines()[:8], "1,,,,,,", '"', ";;;", "\0", "#"]), max_size=12).map("\n".join)
)
def test_no_text_breaks_the_reader(text: str) -> None:
    with pytest.raises(DataError):
        BaronDeck.parse(text)


def test_the_template_is_ready_to_fill_in(tmp_path: Path) -> None:
    path = tmp_path / "mine.csv"
    write_template(path)
    text = path.read_text(encoding="utf-8").splitlines()
    assert text[1] == ",".join(HEADER) and len(text) == 112
    with pytest.raises(DataError, match=r"mine.csv, line 3: card 1 has no bulls; expected at least one"):
        BaronDeck.load(path)
    filled = [line.replace(",,,,,,", ",2,,,,,1") for line in text]
    path.write_text("\n".join(filled), encoding="utf-8")
    deck = BaronDeck.load(path)
    assert deck.letters(1) == "bbw" and deck.letters(52) == LETTERS and not deck.stand_in
    assert deck.title == "my Bull Baron deck"


def test_records_carry_their_deck() -> None:
    game = Baron(players=3, deck=BaronDeck.of({"7": "kkw"}, title="a deck of our own"))
    record = random_record(game, seed=1, choices=9)
    for read in (Record.from_text(record.to_text()), Record.from_json(record.to_json())):
        assert read == record and read.game == game
    assert "deck" not in random_record(Baron(players=3), seed=1, choices=3).to_text()
    assert repr(game) == "Baron(players=3, deck=<a deck of our own>)"


def test_decks_made_by_hand_are_checked() -> None:
    with pytest.raises(RulesError, match="there is no card '111'"):
        BaronDeck.of({"111": "b"}, title="x")
    with pytest.raises(RulesError, match="card 5: expected letters of 'bygrkw'"):
        BaronDeck.of({"5": "bp"}, title="x")
    with pytest.raises(RulesError, match="a deck has 110 cards, got 1"):
        BaronDeck("x", ("b",))
    with pytest.raises(NimmtError):
        Baron(players=2, deck={"title": "x", "stand_in": False, "bulls": ["b"]})
