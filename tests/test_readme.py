"""Everything that the README shows must run."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

import nimmt_lab
from nimmt_lab import Classic, Position, Record
from nimmt_lab.bots import levels
from nimmt_lab.cli import COMMANDS, main
from nimmt_lab.commands.words import say

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")


BLOCKS = re.findall(r"^```(\w*)\n(.*?)^```$", README, re.DOTALL | re.MULTILINE)


def test_the_examples_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """Every block of Python, in order, as a reader would type them."""
    monkeypatch.chdir(tmp_path)
    examples = [text for kind, text in BLOCKS if kind == "python"]
    assert len(examples) == 4
    scope: dict[str, Any] = {}
    for example in examples:
        exec(example, scope)
    assert "CardPlaced(rule=ClassicRule." in capsys.readouterr().out
    assert Record.load(tmp_path / "first.nimmt") == scope["record"]
    assert scope["env"].game_state.is_over


def test_the_other_blocks_are_commands_that_exist() -> None:
    """CI tests installation; this test checks that targets, extras and tools exist."""
    commands = [line for kind, text in BLOCKS if kind != "python" for line in text.splitlines()]
    assert {kind for kind, _ in BLOCKS} == {"", "python"} and len(commands) == 6
    targets = set(re.findall(r"^([a-z-]+):(?!=)", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE))
    for line in commands:
        for command in line.partition("#")[0].split("&&"):
            words = command.split()
            assert words[0] in ("make", "py", r".venv\Scripts\python"), line
            if words[0] == "make":
                assert words[1] in targets
            elif words[1] == "-m":
                assert words[2] == "pytest"
            else:
                assert (ROOT / words[1].replace("\\", "/")).is_file(), line


def test_every_command_and_game_of_the_tables_exists() -> None:
    named = set(re.findall(r"`nimmt-lab ([a-z-]+)", README))
    assert named <= set(COMMANDS) and len(named) > 6
    kinds = {kind.__name__: kind for kind in nimmt_lab.all_games().values()}
    made = re.findall(rf"`((?:{'|'.join(kinds)})\(.*?\))`", README)
    games = [eval(code, dict(kinds)) for code in made]
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
    assert capsys.readouterr().out.startswith(say("solved.value", value="-1", how=say("solved.exact")))
    rows, hand, _ = position.split(" ; ")
    assert '`nimmt-lab odds "ROWS ; A: HAND" --players 4`' in README
    assert main(["odds", f"{rows} ; {hand}", "--players", "4"]) == 0
    assert len(capsys.readouterr().out.splitlines()) == 2
    assert '`nimmt-lab advise "ROWS ; A: HAND" --players 5`' in README
    assert main(["advise", f"{rows} ; {hand}", "--players", "5", "--playouts", "100"]) == 0
    assert len(capsys.readouterr().out.splitlines()) == 3 + 2  # the two cards, and why


def test_the_other_commands_run_as_they_stand(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The table's commands, with a file for GAME, and fewer rounds where it asks for millions."""
    monkeypatch.chdir(tmp_path)
    game = Classic(players=2, rounds=1)
    Record.from_play(game, 7, []).save(tmp_path / "game.nimmt")
    ran = set()
    for line in re.findall(r"^\| (`nimmt-lab [a-z].*?) \|", README, re.MULTILINE):
        for command in re.findall(r"`nimmt-lab ([^`]+)`", line):
            words = {"GAME": "game.nimmt", "DIR": "folder", "1000000": "100", "--deals": "--deals=1", "100": ""}
            verb, *rest = (words.get(word, word) for word in command.split())
            if verb not in ("solve", "odds", "advise"):
                assert main([verb, *filter(None, rest)]) == 0, command
                ran.add(verb)
    assert ran == {
        "dataset",
        "explain",
        "ladder",
        "review",
        "share",
        "simulate",
        "tournament",
        "worksheet",
        "gradebook",
    }
    assert capsys.readouterr().out


def test_the_table_of_levels_shows_the_measured_numbers() -> None:
    """The style of play may be worded freely; titles, win shares and leads come from the measured ladder."""
    expected = []
    for level in levels():
        measured = level.measured
        numbers = ["", "", ""]
        if measured is not None:
            numbers = [
                f"{measured.win_credit:.2f} ± {measured.margin:.2f}",
                f"{measured.chance:.2f}",
                f"{measured.ahead:.1f} ± {measured.ahead_margin:.1f}",
            ]
        expected.append([f"{level.number} {level.title()}", *numbers])
    rows = [line.split("|")[1:-1] for line in README.splitlines() if re.match(r"\| \d \w+ \|", line)]
    assert [[cell.strip() for cell in (row[0], *row[2:])] for row in rows] == expected
    assert "an even share is 0.25" in " ".join(README.split())
    assert {level.measured.chance for level in levels() if level.measured} == {0.25}
