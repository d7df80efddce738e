"""`nimmt-lab material`: templates and drawings for owners of the games."""

from __future__ import annotations

from pathlib import Path

import pytest

from nimmt_lab.cli import main
from nimmt_lab.commands.box import kinds
from nimmt_lab.commands.words import say
from nimmt_lab.engine.sentences import Listed, Phrase, sentence
from nimmt_lab.explain import words
from nimmt_lab.games.board_game.draw import board_svg, board_text
from nimmt_lab.games.board_game.material import sample_board

DATA = Path(__file__).parents[2] / "nimmt_lab/games/board_game/data"
EMPTY = Phrase("board_game.fields_least", count=0, take="take")
WHAT = {name: kind.what for name, kind in kinds().items()}


@pytest.mark.parametrize(
    ("kind", "name", "line", "reason"),
    [
        ("baron", "deck.csv", 3, Phrase("baron.card_has_no", card=1)),
        ("basic", "board.toml", 18, Phrase("board_game.row_wrong", row=1, wrong=EMPTY)),
        ("advanced", "board.toml", 18, Phrase("board_game.row_wrong", row=1, wrong=EMPTY)),
        (
            "pieces",
            "pieces.toml",
            5,
            Phrase("board_game.tiles_missing", missing=1, more=99, most=100),
        ),
    ],
)
def test_templates(
    kind: str, name: str, line: int, reason: Phrase, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / name
    assert main(["material", "template", str(path), "--kind", kind]) == 0
    assert say("out.template", file=path) in capsys.readouterr().out
    assert main(["material", "show", str(path)]) == 2, "an empty template is not a deck or board yet"
    err = capsys.readouterr().err
    assert str(reason) in err and sentence("shared.line", {"number": line}) in err
    assert main(["material", "template", str(path), "--kind", kind]) == 2, "an existing file is not overwritten"
    assert sentence("commands.there_already", {"path": path}) in capsys.readouterr().err


def test_show(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "board.svg"
    for side in ("basic", "advanced"):
        assert main(["material", "show", str(DATA / f"board_{side}_stand_in.toml"), "--svg", str(out)]) == 0
        assert capsys.readouterr().out == board_text(sample_board(side)) + "\n"
        assert out.read_text(encoding="utf-8") == board_svg(sample_board(side)) + "\n"
    assert main(["material", "show", str(DATA / "board_pieces_stand_in.toml")]) == 0
    shown = capsys.readouterr().out
    assert f"{words().count('tile_heads', 5)}: 2 15 23" in shown
    assert f"{words()('action.play_two')}: 4" in shown and f"{words()('luck.plus_five')}: 6" in shown
    assert main(["material", "show", str(DATA.parents[1] / "baron/data/baron_stand_in.csv")]) == 0
    assert " 104  bygrkw" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("argv", "reason"),
    [
        (["show", "no-such-file.toml"], Phrase("engine.cannot_read", problem=Phrase("os.no_such_file"))),
        (["show", "no-such-file.csv"], Phrase("engine.cannot_read", problem=Phrase("os.no_such_file"))),
        (["show", "deck.txt"], Phrase("commands.expected", expected=Listed(dict.fromkeys(WHAT.values())))),
        (
            ["show", str(DATA.parents[1] / "baron/data/baron_stand_in.csv"), "--svg", "x.svg"],
            Phrase("commands.no_drawing", what=str(DATA.parents[1] / "baron/data/baron_stand_in.csv")),
        ),
        (["template", "x.csv"], Phrase("commands.say_kind", kinds="|".join(WHAT))),
        (
            ["template", "no/such/folder/x.csv", "--kind", "baron"],
            Phrase("shared.cannot_write", path="no/such/folder/x.csv", problem=Phrase("os.no_such_file")),
        ),
    ],
    ids=str,
)
def test_mistakes(argv: list[str], reason: Phrase, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["material", *argv]) == 2
    err = capsys.readouterr().err
    assert str(reason) in err and (argv[0] != "show" or "--svg" in argv or argv[1] in err)
