"""The other subcommands, and what the command line does with mistakes."""

from __future__ import annotations

from pathlib import Path

import pytest

from nimmt_lab import Classic, all_games
from nimmt_lab.cli import COMMANDS, main
from tests.support import random_record


def test_games_lists_every_game(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["games"]) == 0
    out = capsys.readouterr().out
    for name in all_games():
        assert f"{name} " in out


def test_show_draws_a_position(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["show", "12 14 15 | 37 | 43 44 | 58 61 ; A: 21 26 ; B: 30 36"]) == 0
    out = capsys.readouterr().out
    assert "row 1   12  14  15   .   . |6  4 heads" in out and "A (0 heads): 21 26" in out


def test_show_draws_a_record(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "game.nimmt"
    record = random_record(Classic(players=2, rounds=1), seed=1)
    record.save(path)
    assert main(["show", str(path)]) == 0
    assert "the game is over" in capsys.readouterr().out
    assert main(["show", str(path), "--turn", "1"]) == 0
    assert capsys.readouterr().out == f"{record.opening[0]}\n"
    assert main(["show", str(path), "--turn", "99"]) == 2
    assert "lines 1 to 10" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("argv", "says"),
    [
        (["show", "12 | x"], "column 6"),
        (["show", "1 | 2 | 3 | 4 ; A: 5 ; B: 6", "--game", "chess"], "no game 'chess'"),
        (["show", "1 | 2 | 3 | 4 ; A: 5 ; B: 6", "--rules", "players=2 moon=1"], "no option 'moon'"),
        (["show", "no-such-file.nimmt"], "expected a number"),
    ],
)
def test_mistakes_are_named_and_end_with_2(argv: list[str], says: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(argv) == 2
    caught = capsys.readouterr()
    assert says in caught.err and caught.err.startswith("nimmt-lab show: ") and not caught.out


@pytest.mark.parametrize("argv", [["no-such-command"], ["check"], ["show"]])
def test_usage_errors_end_with_2(argv: list[str]) -> None:
    with pytest.raises(SystemExit) as caught:
        main(argv)
    assert caught.value.code == 2


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_help(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as caught:
        main([command, "--help"])
    assert caught.value.code == 0
    assert command in capsys.readouterr().out
