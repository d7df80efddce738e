"""Subcommands, their aliases, and errors on the command line."""

from __future__ import annotations

import argparse
import re
from pathlib import Path
from typing import Any

import pytest

from nimmt_lab import Classic, all_games
from nimmt_lab.cli import ALIASES, COMMANDS, main
from nimmt_lab.commands import site
from nimmt_lab.commands.words import say
from nimmt_lab.engine.errors import RulesError
from nimmt_lab.engine.options import allowed
from nimmt_lab.engine.sentences import sentence
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
    assert capsys.readouterr().out == f"{record.final}\n"
    assert main(["show", str(path), "--turn", "1"]) == 0
    assert capsys.readouterr().out == f"{record.opening[0]}\n"
    assert main(["show", str(path), "--turn", "99"]) == 2
    assert sentence("commands.no_line", {"turn": 99, "most": 10}) in capsys.readouterr().err


@pytest.mark.parametrize(
    ("argv", "says"),
    [
        (["show", "12 | x"], sentence("shared.column", {"number": 6})),
        (["show", "1 | 2 | 3 | 4 ; A: 5 ; B: 6", "--game", "chess"], "'chess'"),
        (["show", "1 | 2 | 3 | 4 ; A: 5 ; B: 6", "--rules", "players=2 moon=1"], "'moon'"),
        (["show", "no-such-file.nimmt"], sentence("commands.file_or_position", {"got": "'no-such-file.nimmt'"})),
    ],
)
def test_mistakes_are_named_and_end_with_2(argv: list[str], says: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(argv) == 2
    caught = capsys.readouterr()
    assert says in caught.err and caught.err.startswith("nimmt-lab show: ") and not caught.out


def test_games_lists_what_options_may_be(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["games"]) == 0
    out = capsys.readouterr().out
    assert re.search(r"tie = 'draw' +draw or loss\n", out) and re.search(r"hand_size = 10 +1 to 10\n", out)
    assert re.search(r"edition = '000' +002 or 000 or 003\n", out) and re.search(r"luck = False +False or True\n", out)


@pytest.mark.parametrize("name", all_games())
def test_every_value_that_is_listed_is_allowed_and_no_other_is(name: str) -> None:
    game = all_games()[name]
    players = max(2, game.for_players[0])
    for option, listed in allowed(game).items():
        tuples = option == "fan_cards"
        some = (listed[0], listed[-1]) if isinstance(listed, range) else listed
        for value in some:
            if (name, option, value) == ("advanced", "fan_cards", "number_twister") or (option, value) == (
                "first_field_acts",
                False,
            ):
                continue  # not in every mode
            made = game(players=players, **{option: (value,) if tuples else value})
            assert made.players == players
        wrong: Any = listed[-1] + 1 if isinstance(listed, range) else "moon"
        with pytest.raises(RulesError):
            game(players=players, **{option: (wrong,) if tuples else wrong})


def test_the_readmes_position_is_solved(capsys: pytest.CaptureFixture[str]) -> None:
    page = (Path(__file__).resolve().parent.parent / "README.md").read_text(encoding="utf-8")
    position = re.search(r"A position is a line of text, `([^`]+)`", page)
    assert position is not None
    assert main(["solve", position[1]]) == 0
    assert re.search(rf"^{say('out.loses', seat='B', choice='30', heads='')}", capsys.readouterr().out, re.MULTILINE)


def test_a_tournament_needs_no_names(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["tournament", "--deals", "2"]) == 0
    assert say("out.deals", deals="2", game="classic", players=3) in capsys.readouterr().out


def test_the_command_on_the_key_makes_the_same_sheets(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["worksheet", "--lesson", "1", "--pupils", "2", "--seed", "7", "--lang", "cs", "--out", "first"]) == 0
    key = (tmp_path / "first" / "lesson-1-key.html").read_text(encoding="utf-8")
    command = re.search(r"nimmt-lab (worksheet [^<]+)", key)
    assert command is not None and main(command[1].split()) == 0
    assert (tmp_path / "lesson-1" / "lesson-1-key.html").read_text(encoding="utf-8") == key


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


@pytest.mark.parametrize(("alias", "command"), ALIASES.items())
def test_an_alias_runs_the_renamed_command(alias: str, command: str, capsys: pytest.CaptureFixture[str]) -> None:
    helps = []
    for name in (alias, command):
        with pytest.raises(SystemExit):
            main([name, "--help"])
        helps.append(capsys.readouterr().out)
    assert helps[0] == helps[1] and f"nimmt-lab {command}" in helps[1]
    with pytest.raises(SystemExit):
        main(["--help"])
    assert command in (listed := capsys.readouterr().out) and f"  {alias}" not in listed


def test_the_alias_for_the_box_command_writes_the_same_template(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    for command, name in (("box", "new.csv"), ("material", "old.csv")):
        assert main([command, "template", name, "--kind", "baron"]) == 0
        assert capsys.readouterr().out.strip() == say("out.template", file=name)
    assert (tmp_path / "new.csv").read_bytes() == (tmp_path / "old.csv").read_bytes()


def test_class_lists_load_under_every_name_of_the_option(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "names.txt").write_text("Ann\nBob\n", encoding="utf-8")
    (tmp_path / "handed-in").mkdir()
    for command, file in (("class-list", "class.csv"), ("roster", "roster.csv")):
        assert main([command, "names.txt", "--seed", "7", "--out", file]) == 0
    assert (tmp_path / "class.csv").read_bytes() == (tmp_path / "roster.csv").read_bytes()
    sheets, tables = [], []
    for option in ("--class-list", "--roster"):
        out = tmp_path / option.strip("-")
        assert main(["worksheet", "--lesson", "1", option, "roster.csv", "--out", str(out)]) == 0
        sheets.append({path.name: path.read_bytes() for path in out.iterdir()})
        assert main(["gradebook", "handed-in", option, "roster.csv", "--out", f"{out}.csv"]) == 0
        tables.append(Path(f"{out}.csv").read_bytes())
    assert sheets[0] == sheets[1] and len(sheets[0]) == 4 and tables[0] == tables[1]


@pytest.mark.parametrize("option", ["--class-list", "--class"])
def test_the_site_takes_a_class_list_under_every_name(option: str) -> None:
    parser = argparse.ArgumentParser()
    site.arguments(parser)
    assert parser.parse_args(["out", option, "roster.csv"]).class_list == Path("roster.csv")
