"""What the README shows must run."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import nimmt_lab
from nimmt_lab import Classic, Position, Record
from nimmt_lab.cli import COMMANDS, main

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")


def test_the_example_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.chdir(tmp_path)
    [example] = re.findall(r"```python\n(.*?)```", README, re.DOTALL)
    scope: dict[str, object] = {}
    exec(example, scope)
    assert "CardPlaced(rule=ClassicRule." in capsys.readouterr().out
    assert Record.load(tmp_path / "first.nimmt") == scope["record"]


def test_the_boards_of_the_example_can_be_made() -> None:
    record = Record(Classic(players=2))
    [example] = re.findall(r"```\n(from nimmt_lab.widgets .*?)```", README, re.DOTALL)
    exec(example, {"record": record, "Classic": Classic})


def test_every_command_and_game_of_the_tables_exists() -> None:
    named = set(re.findall(r"`nimmt-lab ([a-z]+)", README))
    assert named <= set(COMMANDS) and len(named) > 6
    made = re.findall(r"`((?:Classic|Advanced|Buffalo|Baron|BoardGame)\(.*?\))`", README)
    games = [eval(code, vars(nimmt_lab)) for code in made]
    assert {game.name for game in games} == set(nimmt_lab.all_games())


def test_the_position_and_the_command_work(capsys: pytest.CaptureFixture[str]) -> None:
    [position] = re.findall(r"`(\d+[^`]*\| [^`]*)`", README)
    assert str(Position.parse(position)) == position
    [command] = re.findall(r"`nimmt-lab (check tests/\S+)`", README)
    verb, path = command.split()
    assert main([verb, str(ROOT / path)]) == 0
    assert "0 failed" in capsys.readouterr().out


def test_the_position_is_solved_as_the_table_of_commands_says(capsys: pytest.CaptureFixture[str]) -> None:
    [position] = re.findall(r"`(\d+[^`]*\| [^`]*)`", README)
    assert '`nimmt-lab solve "ROWS ; A: … ; B: …"`' in README
    assert main(["solve", position]) == 0
    assert capsys.readouterr().out.startswith("value -1 for A (exact)")
    rows, hand, _ = position.split(" ; ")
    assert '`nimmt-lab odds "ROWS ; A: HAND" --opponents 3`' in README
    assert main(["odds", f"{rows} ; {hand}", "--opponents", "3"]) == 0
    assert len(capsys.readouterr().out.splitlines()) == 2


def test_the_other_commands_run_as_they_stand(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """What the table writes, with a file for GAME, and fewer rounds where millions are asked for."""
    monkeypatch.chdir(tmp_path)
    game = Classic(players=2, rounds=1)
    Record.from_play(game, 7, []).save(tmp_path / "game.nimmt")
    ran = set()
    for line in re.findall(r"^\| (`nimmt-lab [a-z].*?) \|", README, re.MULTILINE):
        for command in re.findall(r"`nimmt-lab ([^`]+)`", line):
            words = {"GAME": "game.nimmt", "DIR": "folder", "1000000": "100", "--deals": "--deals=1", "100": ""}
            verb, *rest = (words.get(word, word) for word in command.split())
            if verb not in ("solve", "odds"):
                assert main([verb, *filter(None, rest)]) == 0, command
                ran.add(verb)
    assert ran == {"explain", "ladder", "review", "simulate", "tournament", "worksheet", "gradebook"}
    assert capsys.readouterr().out
