"""The deck as data: the sample, and errors in files."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nimmt_lab import Record
from nimmt_lab.engine.errors import DataError, NimmtError, RulesError
from nimmt_lab.engine.sentences import Phrase
from nimmt_lab.games.baron.deck import BARONS, HEADER, LETTERS, SAMPLE_DECK, BaronDeck, write_template
from nimmt_lab.games.baron.rules import Baron
from tests.support import check_translated, random_record, refused


def test_r_o2_the_sample_says_so_and_is_balanced() -> None:
    assert SAMPLE_DECK.is_sample and "sample" in SAMPLE_DECK.title
    assert list(SAMPLE_DECK) == list(range(1, 111)) and 0 not in SAMPLE_DECK and 111 not in SAMPLE_DECK
    for card in SAMPLE_DECK:
        letters = SAMPLE_DECK.letters(card)
        if card in BARONS:
            assert letters == LETTERS
        else:
            assert 1 <= len(letters) <= 5 and 1 <= len(set(letters)) <= 3
    assert len({sum(SAMPLE_DECK.bulls_of(card, letter) for card in SAMPLE_DECK) for letter in LETTERS}) == 1
    # The file itself says so.
    file = Path(__file__).parents[2] / "nimmt_lab/games/baron/data/baron_stand_in.csv"
    assert str(Phrase("baron.sample_deck")) in file.read_text(encoding="utf-8").splitlines()[0]
    assert BaronDeck.load(file) == SAMPLE_DECK


def test_csv_round_trip(tmp_path: Path) -> None:
    path = tmp_path / "deck.csv"
    path.write_text(SAMPLE_DECK.to_csv(), encoding="utf-8")
    assert BaronDeck.load(path) == SAMPLE_DECK
    assert Baron(players=3, deck=str(path)) == Baron(players=3)


def lines() -> list[str]:
    return ["# title: my deck", *SAMPLE_DECK.to_csv().splitlines()[2:]]


def edited(change: Callable[[list[str]], object]) -> str:
    text = lines()
    change(text)
    return "\n".join(text) + "\n"


def test_lenient_reading() -> None:
    semicolons = edited(lambda text: text.__setitem__(slice(None), [line.replace(",", ";") for line in text]))
    assert BaronDeck.parse(semicolons).bulls == SAMPLE_DECK.bulls
    blanks = edited(lambda text: text.__setitem__(slice(None), [line.replace(",0", ", ") for line in text]))
    assert BaronDeck.parse(blanks).bulls == SAMPLE_DECK.bulls
    swapped = edited(lambda text: text.__setitem__(slice(2, None), reversed(text[2:])))
    assert BaronDeck.parse(swapped).bulls == SAMPLE_DECK.bulls
    assert BaronDeck.parse(edited(lambda text: text.insert(50, ""))).title == "my deck"
    assert BaronDeck.parse("\n".join(lines()[1:]), "some/place/mine.csv").title == "mine"
    many = BaronDeck.parse(edited(lambda text: text.__setitem__(2, "1,0,0,0,0,12,0")))
    assert many.letters(1) == "k" * 12, "any number of bulls"


@pytest.mark.parametrize(
    ("change", "line", "says"),
    [
        (lambda text: text.pop(40), 111, Phrase("baron.card_missing", missing=39, most=110)),
        (
            lambda text: text.__delitem__(slice(30, 33)),
            109,
            Phrase("baron.cards_missing", missing=29, more=2),
        ),
        (lambda text: text.insert(60, text[20]), 61, Phrase("baron.card_there_twice", card=19, found=21)),
        (
            lambda text: text.__setitem__(1, "value,blue,yellow,green,red,black,pink"),
            2,
            Phrase("baron.unknown_column_expected", cell="'pink'"),
        ),
        (
            lambda text: text.__setitem__(1, "value,blue,yellow,green,red,black"),
            2,
            Phrase("baron.no_column_expected", name="'white'"),
        ),
        (
            lambda text: text.__setitem__(1, "value,blue,yellow,green,red,black,black"),
            2,
            Phrase("baron.column_there_twice", name="'black'"),
        ),
        (lambda text: text.pop(1), 2, Phrase("baron.unknown_column_expected", cell="'1'")),
        (lambda text: text.__setitem__(5, "111,1,0,0,0,0,0"), 6, Phrase("baron.there_no_card", card=111, most=110)),
        (lambda text: text.__setitem__(5, "0,1,0,0,0,0,0"), 6, Phrase("baron.there_no_card", card=0)),
        (
            lambda text: text.__setitem__(5, "x,1,0,0,0,0,0"),
            6,
            Phrase("baron.value_expected", got="'x'"),
        ),
        (
            lambda text: text.__setitem__(5, ",1,0,0,0,0,0"),
            6,
            Phrase("baron.value_expected", got="''"),
        ),
        (
            lambda text: text.__setitem__(5, "4,1,0,zwei,0,0,0"),
            6,
            Phrase("baron.bulls_expected", name="green", card=4, got="'zwei'"),
        ),
        (
            lambda text: text.__setitem__(5, "4,1,0,-2,0,0,0"),
            6,
            Phrase("baron.bulls_expected", name="green", card=4),
        ),
        (lambda text: text.__setitem__(5, "4,0,0,0,0,0,0"), 6, Phrase("baron.card_has_no", card=4)),
        (lambda text: text.__setitem__(5, "4,1,0,0"), 6, Phrase("baron.expected_columns_got", count=7, got=4)),
        (lambda text: text.__setitem__(5, '4,"1,0,0'), 6, Phrase("baron.not_csv")),
        (
            lambda text: text.__setitem__(53, "52,2,1,1,1,1,1"),
            54,
            Phrase("baron.card_bull_baron", card=52),
        ),
        (lambda text: text.__setitem__(105, "104,1,0,0,0,0,0"), 106, Phrase("baron.card_bull_baron", card=104)),
        (lambda text: text.clear(), 1, Phrase("baron.file_empty_expected")),
    ],
)
def test_wrong_files_name_file_line_and_what_was_expected(
    change: Callable[[list[str]], object], line: int, says: Phrase, tmp_path: Path
) -> None:
    path = tmp_path / "deck.csv"
    path.write_text(edited(change), encoding="utf-8")
    with refused(DataError, says) as error:
        BaronDeck.load(path)
    assert error.value.line == line and error.value.source == str(path)
    assert str(error.value).startswith(f"{path}, line {line}: ")
    check_translated(error.value)


def test_unreadable_files(tmp_path: Path) -> None:
    with refused(DataError, "engine.cannot_read", problem=Phrase("os.no_such_file")):
        BaronDeck.load(tmp_path / "nowhere.csv")
    (tmp_path / "bytes.csv").write_bytes(b"value,blue\xff\xfe")
    with refused(DataError, "shared.expected_utf8", what="CSV") as error:
        BaronDeck.load(tmp_path / "bytes.csv")
    check_translated(error.value)
    with refused(DataError, "engine.not_regular"):
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
    with refused(DataError, "baron.card_has_no", card=1, line=3):
        BaronDeck.load(path)
    filled = [line.replace(",,,,,,", ",2,,,,,1") for line in text]
    path.write_text("\n".join(filled), encoding="utf-8")
    deck = BaronDeck.load(path)
    assert deck.letters(1) == "bbw" and deck.letters(52) == LETTERS and not deck.is_sample
    assert deck.title == "my Bull Baron deck"


def test_records_carry_their_deck() -> None:
    game = Baron(players=3, deck=BaronDeck.of({"7": "kkw"}, title="a deck of our own"))
    record = random_record(game, seed=1, choices=9)
    for read in (Record.from_text(record.to_text()), Record.from_json(record.to_json())):
        assert read == record and read.game == game
    assert "deck" not in random_record(Baron(players=3), seed=1, choices=3).to_text()
    assert repr(game) == "Baron(players=3, deck=<a deck of our own>)"


def test_decks_made_by_hand_are_checked() -> None:
    with refused(RulesError, "baron.deck_no_card", key="'111'"):
        BaronDeck.of({"111": "b"}, title="x")
    with refused(RulesError, "baron.deck_letters", card=5, letters="'bygrkw'"):
        BaronDeck.of({"5": "bp"}, title="x")
    with refused(RulesError, "baron.deck_cards", cards=110, got=1):
        BaronDeck("x", ("b",))
    with pytest.raises(NimmtError):
        Baron(players=2, deck={"title": "x", "stand_in": False, "bulls": ["b"]})
