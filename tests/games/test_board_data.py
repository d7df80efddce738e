"""Boards, tiles and cards as data: the samples, and errors in files."""

from __future__ import annotations

import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nimmt_lab import Record
from nimmt_lab.engine.errors import DataError, RulesError
from nimmt_lab.engine.sentences import Phrase
from nimmt_lab.engine.shapes import FIELDS, ICONS
from nimmt_lab.games.board_game.draw import board_svg, board_text, field_style
from nimmt_lab.games.board_game.material import (
    Board,
    Pieces,
    sample_board,
    sample_pieces,
    write_board_template,
    write_pieces_template,
)
from nimmt_lab.games.board_game.rules import BoardGame
from tests.engine.test_pieces import contrast
from tests.support import check_translated, random_record, refused

DATA = Path(__file__).parents[2] / "nimmt_lab/games/board_game/data"
SIDES = Phrase("shared.either", first="basic", second="advanced")


def test_r_p1_the_samples_say_so_and_satisfy_the_facts() -> None:
    basic, advanced, pieces = sample_board("basic"), sample_board("advanced"), sample_pieces()
    for made in (basic, advanced, pieces):
        assert made.is_sample and "sample" in made.title
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
    assert board.rows[3] == (".", "-7", "two", "take") and board.clovers == (-10, 5) and not board.is_sample
    assert Board.made(board.to_json()) == board


@pytest.mark.parametrize(
    ("old", "new", "line", "says"),
    [
        (
            '". r take",',
            '". r .",',
            7,
            Phrase(
                "board_game.row_wrong",
                row=2,
                wrong=Phrase(
                    "board_game.field_last", takes=Phrase("shared.either", first="take", second="take-tiles"), got="'.'"
                ),
            ),
        ),
        (
            '". r take",',
            '". take r take",',
            7,
            Phrase("board_game.row_wrong", row=2, wrong=Phrase("board_game.field_before")),
        ),
        (
            '". r take",',
            '"take r take",',
            7,
            Phrase("board_game.row_wrong", row=2, wrong=Phrase("board_game.field_first", field="'take'")),
        ),
        (
            '". r take",',
            '". q take",',
            7,
            Phrase("board_game.row_wrong", row=2, wrong=Phrase("board_game.field_unknown", field="'q'", at=2)),
        ),
        (
            '". r take",',
            '". +0 take",',
            7,
            Phrase("board_game.row_wrong", wrong=Phrase("board_game.field_unknown", field="'+0'")),
        ),
        ('". r take",', '". +123 take",', 7, Phrase("board_game.row_wrong", wrong=Phrase("board_game.field_unknown"))),
        (
            '". r take",',
            '"take",',
            7,
            Phrase("board_game.row_wrong", row=2, wrong=Phrase("board_game.fields_least", count=1)),
        ),
        (
            '". r take",',
            '"",',
            7,
            Phrase("board_game.row_wrong", row=2, wrong=Phrase("board_game.fields_least", count=0)),
        ),
        (
            '". r take",',
            '". tile take",',
            7,
            Phrase("board_game.row_wrong", row=2, wrong=Phrase("board_game.field_advanced", field="'tile'", at=2)),
        ),
        (
            '". r take",',
            '". r take-tiles",',
            7,
            Phrase("board_game.row_wrong", wrong=Phrase("board_game.field_advanced")),
        ),
        ('". r take",', "7,", 7, Phrase("board_game.row_expected_text", at=2, got="7")),
        (
            '    ". r take",  # a remark with "quotes"\n',
            "",
            5,
            Phrase("board_game.rows_least", least=4, got=3),
        ),
        ("-10, 5", "-10, 45", 3, Phrase("board_game.clover_lies_track", least=-44, most=44, got="45")),
        ("-10, 5", "-10, -10", 3, Phrase("board_game.clover_at_there", clover=-10)),
        ("-10, 5", "-10, true", 3, Phrase("board_game.clover_lies_track")),
        (
            'side = "basic"',
            'side = "blue"',
            2,
            Phrase("board_game.board_side", sides=SIDES, got="'blue'"),
        ),
        ('side = "basic"\n', "", 1, Phrase("board_game.no_expected", key="'side'", words=SIDES)),
        ('title = "mine"', "title = 4", 1, Phrase("shared.expected_got", key="'title'")),
        ('title = "mine"', 'title = " "', 1, Phrase("board_game.title_expected_text", got="' '")),
        ('title = "mine"', 'title = "mine"\nmoon = 3', 2, Phrase("board_game.unknown_entry_expected", key="'moon'")),
        (
            'title = "mine"',
            'title = "mine"\nstand_in = 1',
            2,
            Phrase(
                "shared.expected_got",
                key="'stand_in'",
                words=Phrase("shared.either", first="true", second="false"),
                got="1",
            ),
        ),
        ("clovers = [-10, 5]", "clovers = 3", 3, Phrase("shared.expected_got", key="'clovers'")),
        ("clovers = [-10, 5]", "clovers [-10, 5]", 3, Phrase("engine.not_toml")),
        (
            "clovers = [-10, 5]",
            'clovers = []\nside = "basic"',
            4,
            Phrase("engine.not_toml", message=Phrase("toml.value_twice")),
        ),
        ("rows = [", "rows = [[", 10, Phrase("engine.not_toml")),
        ("]\n", "", 9, Phrase("engine.not_toml")),
    ],
)
def test_wrong_boards_name_file_line_and_what_was_expected(
    old: str, new: str, line: int, says: Phrase, tmp_path: Path
) -> None:
    assert BOARD.count(old) >= 1
    path = tmp_path / "board.toml"
    head, _, tail = BOARD.rpartition(old)
    path.write_text(head + new + tail, encoding="utf-8")
    with refused(DataError, says) as error:
        Board.load(path)
    assert error.value.line == line and error.value.source == str(path)
    check_translated(error.value)


PIECES = (DATA / "board_pieces_stand_in.toml").read_text(encoding="utf-8")


def line_of(text: str, part: str) -> int:
    return text.count("\n", 0, text.index(part)) + 1


@pytest.mark.parametrize(
    ("old", "new", "at", "says"),
    [
        (" 22,", "", "[tiles]", Phrase("board_game.tile_missing", missing=22, most=100)),
        (" 22,", " 22, 23,", "94,", Phrase("board_game.tile_there_twice", tile=23, heads=3)),
        (" 22,", " 22, 101,", "101,", Phrase("board_game.expected_tile_from", most=100, got="101")),
        (" 22,", ' 22, "x",', '"x"', Phrase("board_game.expected_tile_from", most=100, got="'x'")),
        ("3 = [", "4 = [", "4 = [", Phrase("board_game.tiles_have_heads", tile_heads="1, 2, 3, 5", got="'4'")),
        (
            "[tiles]",
            "[tiles]\n7 = 3",
            "7 = 3",
            Phrase("board_game.tiles_have_heads", tile_heads="1, 2, 3, 5", got="'7'"),
        ),
        ("skip = 4", "skip = 5", "[action_cards]", Phrase("board_game.expected_cards_all", total=24, got=25)),
        ("skip = 4\n", "", "[action_cards]", Phrase("board_game.no_count_expected", kind="skip")),
        ("skip = 4", "skip = 4\nmoon = 0", "moon", Phrase("board_game.unknown_kind_card", kind="'moon'")),
        ("skip = 4", "skip = -4", "skip = -4", Phrase("board_game.expected_how_many", kind="skip", got="-4")),
        ("plus_five = 6", "plus_five = 1", "[luck_cards]", Phrase("board_game.expected_cards_all", total=12, got=7)),
        ("[luck_cards]", "[luck]", "[luck]", Phrase("board_game.unknown_entry_expected", key="'luck'")),
    ],
)
def test_wrong_pieces_name_the_line(old: str, new: str, at: str, says: Phrase, tmp_path: Path) -> None:
    head, _, tail = PIECES.rpartition(old)
    assert head
    path = tmp_path / "pieces.toml"
    path.write_text(head + new + tail, encoding="utf-8")
    with refused(DataError, says) as error:
        Pieces.load(path)
    assert error.value.line == line_of(head + new + tail, at) and error.value.source == str(path)
    check_translated(error.value)


def test_unreadable_files(tmp_path: Path) -> None:
    for kind in (Board, Pieces):
        with refused(DataError, "engine.cannot_read", problem=Phrase("os.no_such_file")):
            kind.load(tmp_path / "nowhere.toml")
        (tmp_path / "bytes.toml").write_bytes(b'title = "\xff"')
        with refused(DataError, "shared.expected_utf8", what="TOML") as error:
            kind.load(tmp_path / "bytes.toml")
        check_translated(error.value)
        with refused(RulesError, "board_game.expected_path_toml"):
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
    with refused(
        DataError, "board_game.row_wrong", row=1, wrong=Phrase("board_game.fields_least", count=0), line=first
    ):
        Board.load(path)
    path.write_text(path.read_text(encoding="utf-8").replace('""', '". g take"'), encoding="utf-8")
    board = Board.load(path)
    assert len(board.rows) == 10 and board.side == side and not board.is_sample
    game = BoardGame(players=2, mode=side, board=str(path))
    assert game.layout == board and "sample board" not in str(game.deal(1))
    with refused(RulesError, "board_game.board_side", sides=SIDES, got="'blue'"):
        write_board_template(path, "blue")


def test_the_pieces_template_is_ready_to_fill_in(tmp_path: Path) -> None:
    path = tmp_path / "pieces.toml"
    write_pieces_template(path)
    text = path.read_text(encoding="utf-8")
    line = line_of(text, "[tiles]")
    with refused(DataError, "board_game.tiles_missing", missing=1, more=99, line=line):
        Pieces.load(path)
    text = text.replace("1 = []", f"1 = {list(range(1, 101))}").replace("stop = 0", "stop = 24")
    path.write_text(text.replace("plus_five = 0", "plus_five = 12"), encoding="utf-8")
    pieces = Pieces.load(path)
    assert pieces.heads(100) == 1 and pieces.action_cards == (24, 0, 0, 0, 0, 0) and pieces.luck_cards == (12, 0)


def test_drawings_show_every_field_with_its_sign() -> None:
    for side in ("basic", "advanced"):
        board = sample_board(side)
        text = board_text(board)
        assert board.title in text and str(Phrase("board_game.clovers", clovers="-42")) in text
        for number, fields in enumerate(board.rows, start=1):
            signs = "][".join(f"{field_style(field).sign:<4}" for field in fields)
            assert f"{Phrase('drawn.row', row=number)!s:<7} [{signs}]" in text.splitlines()
        svg = ElementTree.fromstring(board_svg(board))
        titles = [element.text for element in svg.iter() if element.tag.endswith("title")]
        assert titles == [field_style(field).words for row in board.rows for field in row]
        assert sum("".join(element.itertext()) == "♣" for element in svg.iter() if element.tag.endswith("text")) == 10


def test_fields_differ_by_sign_and_can_be_read() -> None:
    fields = [".", "g", "gg", "r", "rr", "+5", "-7", "two", "take", "take-tiles", "tile", "action"]
    styles = [field_style(field) for field in fields]
    assert len({style.sign for style in styles}) == len({style.words for style in styles}) == len(fields)
    # In drawings they differ by number and pictogram.
    assert len({(style.before, style.icon) for style in styles}) == len(fields)
    for style in styles:
        assert contrast(FIELDS[style.kind].ink, FIELDS[style.kind].ground) >= 4.5
        assert not style.icon or style.icon in ICONS


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
        ("blue", rows, (), Phrase("board_game.board_side", sides=SIDES, got="'blue'")),
        ("basic", rows[:3], (), Phrase("board_game.rows_least", least=4)),
        (
            "basic",
            (*rows, (".", ".")),
            (),
            Phrase("board_game.row_wrong", row=5, wrong=Phrase("board_game.field_last")),
        ),
        ("basic", rows, (45,), Phrase("board_game.clover_lies_track")),
    ):
        with refused(RulesError, says):
            Board("x", side, given_rows, clovers)
    with refused(RulesError, "board_game.tiles_heads", tiles=100):
        Pieces("x", (1,) * 99)
    with refused(RulesError, "board_game.expected_count_each"):
        Pieces("x", (1,) * 100, (4,) * 5)
