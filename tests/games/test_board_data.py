"""Boards, tiles and cards as data: what the stand-ins are, and every way a file can be wrong."""

from __future__ import annotations

import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nimmt_lab import Record
from nimmt_lab.engine.errors import DataError, RulesError
from nimmt_lab.games.board_game.draw import board_svg, board_text, field_style
from nimmt_lab.games.board_game.material import (
    Board,
    Pieces,
    stand_in_board,
    stand_in_pieces,
    write_board_template,
    write_pieces_template,
)
from nimmt_lab.games.board_game.rules import BoardGame
from tests.engine.test_draw import contrast
from tests.support import random_record

DATA = Path(__file__).parents[2] / "nimmt_lab/games/board_game/data"


def test_r_p1_the_stand_ins_say_so_and_satisfy_the_facts() -> None:
    basic, advanced, pieces = stand_in_board("basic"), stand_in_board("advanced"), stand_in_pieces()
    for made in (basic, advanced, pieces):
        assert made.stand_in and "stand-in" in made.title
    for board in (basic, advanced):
        assert len(board.rows) == 10 and len({len(row) for row in board.rows}) > 3
        assert all(row[-1] in ("take", "take-tiles") for row in board.rows)
    assert len(basic.rows[0]) == 4 and basic.rows[0][3] == "take"
    assert any("rr" in row for row in basic.rows) and any("two" in row for row in basic.rows)
    fields = {field for row in advanced.rows for field in row}
    assert {"-7", "take", "take-tiles", "tile", "action", "two"} <= fields
    assert any(len(row) > 5 and row[5] == "gg" for row in advanced.rows)
    heads = pieces.heads
    assert (heads(22), heads(23), heads(83)) == (3, 5, 5)
    assert heads(15) + heads(18) + heads(19) == 8 and heads(2) + heads(3) == 7
    assert set(pieces.tile_heads) == {1, 2, 3, 5}
    assert sum(pieces.action_cards) == 24 and sum(pieces.luck_cards) == 12
    for name in ("board_basic_stand_in", "board_advanced_stand_in", "board_pieces_stand_in"):
        assert "do not have" in (DATA / f"{name}.toml").read_text(encoding="utf-8").splitlines()[0]


BOARD = """\
title = "mine"
side = "basic"
clovers = [-10, 5]
# the rows
rows = [
    ". g take",
    ". r take",  # a remark with "quotes"
    ". +5 take",
    ". -7 two take",
]
"""


def test_a_board_is_read() -> None:
    board = Board.parse(BOARD)
    assert board.rows[3] == (".", "-7", "two", "take") and board.clovers == (-10, 5) and not board.stand_in
    assert Board.made(board.to_json()) == board


@pytest.mark.parametrize(
    ("old", "new", "line", "says"),
    [
        ('". r take",', '". r .",', 7, "row 2 has no take-row field at its end; expected take or take-tiles, got '.'"),
        ('". r take",', '". take r take",', 7, "row 2 has a take-row field before its end"),
        ('". r take",', '"take r take",', 7, "row 2 begins with 'take'"),
        ('". r take",', '". q take",', 7, r"row 2 has an unknown field 'q' in place 2; expected one of \. g"),
        ('". r take",', '". +0 take",', 7, r"unknown field '\+0'"),
        ('". r take",', '". +123 take",', 7, "unknown field"),
        ('". r take",', '"take",', 7, "row 2 has 1 fields; expected at least two"),
        ('". r take",', '"",', 7, "row 2 has 0 fields"),
        ('". r take",', '". tile take",', 7, "row 2 has 'tile' in place 2, which only the advanced side has"),
        ('". r take",', '". r take-tiles",', 7, "only the advanced side has"),
        ('". r take",', "7,", 7, "row 2: expected a text of fields, got 7"),
        (
            '    ". r take",  # a remark with "quotes"\n',
            "",
            5,
            r"at least 4 rows, because 4 are always active \(R-P7\), got 3",
        ),
        ("-10, 5", "-10, 45", 3, "expected a clover's place from -44 to 44, got 45"),
        ("-10, 5", "-10, -10", 3, "a clover at -10 is there twice"),
        ("-10, 5", "-10, true", 3, "expected a clover's place"),
        ('side = "basic"', 'side = "blue"', 2, "'side': expected basic or advanced, got 'blue'"),
        ('side = "basic"\n', "", 1, "no 'side'; expected basic or advanced"),
        ('title = "mine"', "title = 4", 1, "'title': expected a text"),
        ('title = "mine"', 'title = " "', 1, "'title': expected a text"),
        ('title = "mine"', 'title = "mine"\nmoon = 3', 2, "unknown entry 'moon'; expected title, stand_in"),
        ('title = "mine"', 'title = "mine"\nstand_in = 1', 2, "'stand_in': expected true or false, got 1"),
        ("clovers = [-10, 5]", "clovers = 3", 3, "'clovers': expected a list"),
        ("clovers = [-10, 5]", "clovers [-10, 5]", 3, "not TOML: Expected '='"),
        ("clovers = [-10, 5]", 'clovers = []\nside = "basic"', 4, "not TOML: Cannot overwrite a value"),
        ("rows = [", "rows = [[", 10, "not TOML"),
        ("]\n", "", 9, "not TOML"),
    ],
)
def test_wrong_boards_name_file_line_and_what_was_expected(
    old: str, new: str, line: int, says: str, tmp_path: Path
) -> None:
    assert BOARD.count(old) >= 1
    path = tmp_path / "board.toml"
    head, _, tail = BOARD.rpartition(old)
    path.write_text(head + new + tail, encoding="utf-8")
    with pytest.raises(DataError, match=says) as error:
        Board.load(path)
    assert error.value.line == line and error.value.source == str(path)
    assert str(error.value).startswith(f"{path}, line {line}")


PIECES = (DATA / "board_pieces_stand_in.toml").read_text(encoding="utf-8")


def line_of(text: str, part: str) -> int:
    return text.count("\n", 0, text.index(part)) + 1


@pytest.mark.parametrize(
    ("old", "new", "at", "says"),
    [
        (" 22,", "", "[tiles]", "tile 22 missing; expected every tile from 1 to 100 once"),
        (" 22,", " 22, 23,", "94,", "tile 23 is there twice; it has 3 heads already"),
        (" 22,", " 22, 101,", "101,", "expected a tile from 1 to 100, got 101"),
        (" 22,", ' 22, "x",', '"x"', "expected a tile from 1 to 100, got 'x'"),
        ("3 = [", "4 = [", "4 = [", "tiles have 1, 2, 3, 5 heads, not '4'"),
        ("[tiles]", "[tiles]\n7 = 3", "7 = 3", "tiles have 1, 2, 3, 5 heads, not '7'"),
        ("skip = 4", "skip = 5", "[action_cards]", "expected 24 cards in all, got 25"),
        ("skip = 4\n", "", "[action_cards]", "no count for skip"),
        ("skip = 4", "skip = 4\nmoon = 0", "moon", "unknown kind of card 'moon'"),
        ("skip = 4", "skip = -4", "skip = -4", "skip: expected how many cards there are, got -4"),
        ("plus_five = 6", "plus_five = 1", "[luck_cards]", "expected 12 cards in all, got 7"),
        ("[luck_cards]", "[luck]", "[luck]", "unknown entry 'luck'"),
    ],
)
def test_wrong_pieces_name_the_line(old: str, new: str, at: str, says: str, tmp_path: Path) -> None:
    head, _, tail = PIECES.rpartition(old)
    assert head
    path = tmp_path / "pieces.toml"
    path.write_text(head + new + tail, encoding="utf-8")
    with pytest.raises(DataError, match=says) as error:
        Pieces.load(path)
    assert str(error.value).startswith(f"{path}, line {line_of(head + new + tail, at)}: ")


def test_unreadable_files(tmp_path: Path) -> None:
    for kind in (Board, Pieces):
        with pytest.raises(DataError, match=r"nowhere.toml: cannot be read"):
            kind.load(tmp_path / "nowhere.toml")
        (tmp_path / "bytes.toml").write_bytes(b'title = "\xff"')
        with pytest.raises(DataError, match=r"bytes.toml: expected a TOML file in UTF-8"):
            kind.load(tmp_path / "bytes.toml")
        with pytest.raises(RulesError, match="the path of a TOML file"):
            kind.made(7)


@given(
    st.text(max_size=300)
    | st.lists(st.sampled_from([*BOARD.splitlines(), "[", "]", '"', "rows = 3"]), max_size=12).map("\n".join)
)
def test_no_text_breaks_the_reader(text: str) -> None:
    for kind in (Board, Pieces):
        try:
            kind.parse(text)
        except DataError as error:
            assert error.line is None or error.line >= 1


@pytest.mark.parametrize("side", ["basic", "advanced"])
def test_board_templates_are_ready_to_fill_in(side: str, tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    write_board_template(path, side)
    first = line_of(path.read_text(encoding="utf-8"), '"",  # row 1')
    with pytest.raises(DataError, match=rf"mine.toml, line {first}: row 1 has 0 fields; expected at least two"):
        Board.load(path)
    path.write_text(path.read_text(encoding="utf-8").replace('""', '". g take"'), encoding="utf-8")
    board = Board.load(path)
    assert len(board.rows) == 10 and board.side == side and not board.stand_in
    game = BoardGame(players=2, mode=side, board=str(path))
    assert game.layout == board and "stand-in board" not in str(game.deal(1))
    with pytest.raises(RulesError, match="basic or advanced, got 'blue'"):
        write_board_template(path, "blue")


def test_the_pieces_template_is_ready_to_fill_in(tmp_path: Path) -> None:
    path = tmp_path / "pieces.toml"
    write_pieces_template(path)
    text = path.read_text(encoding="utf-8")
    with pytest.raises(DataError, match=rf"pieces.toml, line {line_of(text, '[tiles]')}: tile 1 and 99 more missing"):
        Pieces.load(path)
    text = text.replace("1 = []", f"1 = {list(range(1, 101))}").replace("stop = 0", "stop = 24")
    path.write_text(text.replace("plus_five = 0", "plus_five = 12"), encoding="utf-8")
    pieces = Pieces.load(path)
    assert pieces.heads(100) == 1 and pieces.action_cards == (24, 0, 0, 0, 0, 0) and pieces.luck_cards == (12, 0)


def test_drawings_show_every_field_with_its_sign() -> None:
    for side in ("basic", "advanced"):
        board = stand_in_board(side)
        text = board_text(board)
        assert board.title in text and "clovers: -42" in text
        for number, fields in enumerate(board.rows, start=1):
            signs = "][".join(f"{field_style(field).sign:<4}" for field in fields)
            assert f"row {number:<3} [{signs}]" in text.splitlines()
        svg = ElementTree.fromstring(board_svg(board))
        titles = [element.text for element in svg.iter() if element.tag.endswith("title")]
        assert titles == [field_style(field).words for row in board.rows for field in row]
        assert sum("".join(element.itertext()) == "♣" for element in svg.iter() if element.tag.endswith("text")) == 10


def test_fields_differ_by_sign_and_can_be_read() -> None:
    fields = [".", "g", "gg", "r", "rr", "+5", "-7", "two", "take", "take-tiles", "tile", "action"]
    styles = [field_style(field) for field in fields]
    assert len({style.sign for style in styles}) == len({style.words for style in styles}) == len(fields)
    assert all(contrast(style.ink, style.tint) >= 4.5 for style in styles)


def test_records_carry_their_board_and_pieces() -> None:
    rows = ((".", "g", "take"),) * 6
    board = Board("ours", "advanced", (*rows, (".", "take", ".", "take")), (-5, 5))
    pieces = Pieces("ours too", (1, 4) * 50, (0, 0, 20, 0, 0, 0), (12, 3))
    game = BoardGame(players=2, mode="advanced", luck=True, board=board, pieces=pieces)
    record = random_record(game, seed=3, choices=12)
    for read in (Record.from_text(record.to_text()), Record.from_json(record.to_json())):
        assert read == record and read.game == game
    plain = random_record(BoardGame(players=2), seed=3, choices=3).to_text()
    assert "rules: players=2\n" in plain
    assert repr(game) == "BoardGame(players=2, mode='advanced', luck=True, board=<ours>, pieces=<ours too>)"


def test_boards_made_by_hand_are_checked() -> None:
    rows = ((".", "take"),) * 4
    for side, given_rows, clovers, says in (
        ("blue", rows, (), "basic or advanced, got 'blue'"),
        ("basic", rows[:3], (), "at least 4 rows"),
        ("basic", (*rows, (".", ".")), (), "row 5 has no take-row field"),
        ("basic", rows, (45,), "a clover lies on the track"),
    ):
        with pytest.raises(RulesError, match=says):
            Board("x", side, given_rows, clovers)
    with pytest.raises(RulesError, match="100 tiles"):
        Pieces("x", (1,) * 99)
    with pytest.raises(RulesError, match="expected a count for each of stop"):
        Pieces("x", (1,) * 100, (4,) * 5)
