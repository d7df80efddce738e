"""`nimmt-lab material`: templates and drawings for who owns the games."""

from __future__ import annotations

from pathlib import Path

import pytest

from nimmt_lab.cli import main
from nimmt_lab.games.board_game.draw import board_svg, board_text
from nimmt_lab.games.board_game.material import stand_in_board

DATA = Path(__file__).parents[2] / "nimmt_lab/games/board_game/data"


@pytest.mark.parametrize(
    ("kind", "name", "says"),
    [
        ("baron", "deck.csv", "line 3: card 1 has no bulls"),
        ("basic", "board.toml", "row 1 has 0 fields"),
        ("advanced", "board.toml", "row 1 has 0 fields"),
        ("pieces", "pieces.toml", "tile 1 and 99 more missing"),
    ],
)
def test_templates(kind: str, name: str, says: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / name
    assert main(["material", "template", str(path), "--kind", kind]) == 0
    assert "fill it in" in capsys.readouterr().out
    assert main(["material", "show", str(path)]) == 2, "an empty template is not a deck or board yet"
    assert says in capsys.readouterr().err
    assert main(["material", "template", str(path), "--kind", kind]) == 2, "what was filled in is not written over"
    assert "is there already" in capsys.readouterr().err


def test_show(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "board.svg"
    for side in ("basic", "advanced"):
        assert main(["material", "show", str(DATA / f"board_{side}_stand_in.toml"), "--svg", str(out)]) == 0
        assert capsys.readouterr().out == board_text(stand_in_board(side)) + "\n"
        assert out.read_text(encoding="utf-8") == board_svg(stand_in_board(side)) + "\n"
    assert main(["material", "show", str(DATA / "board_pieces_stand_in.toml")]) == 0
    shown = capsys.readouterr().out
    assert "5 heads: 2 15 23" in shown and "play_two: 4" in shown and "plus_five: 6" in shown
    assert main(["material", "show", str(DATA.parents[1] / "baron/data/baron_stand_in.csv")]) == 0
    assert " 104  bygrkw" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("argv", "says"),
    [
        (["show", "no-such-file.toml"], "no-such-file.toml: cannot be read"),
        (["show", "no-such-file.csv"], "no-such-file.csv: cannot be read"),
        (["show", "deck.txt"], "deck.txt: expected a Bull Baron deck (.csv); a side of the board (.toml)"),
        (
            ["show", str(DATA.parents[1] / "baron/data/baron_stand_in.csv"), "--svg", "x.svg"],
            "there is no drawing of a Bull",
        ),
        (["template", "x.csv"], "say what to write: --kind baron"),
        (["template", "no/such/folder/x.csv", "--kind", "baron"], "cannot be written"),
    ],
)
def test_mistakes(argv: list[str], says: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["material", *argv]) == 2
    assert says in capsys.readouterr().err
