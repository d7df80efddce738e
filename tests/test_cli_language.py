"""The command line in three languages: every command and argument has a text, and output follows NIMMT_LANG."""

from __future__ import annotations

import argparse
import importlib
import re
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest

from nimmt_lab import Classic, all_games
from nimmt_lab.cli import COMMANDS, main
from nimmt_lab.commands.solve import told
from nimmt_lab.commands.words import PACKAGE, language, number, say
from nimmt_lab.engine.sentences import sentence
from nimmt_lab.explain.catalogue import LANGUAGES, own_catalogue, words
from nimmt_lab.solver import solve
from nimmt_lab.solver.solution import SUPPORT


def key_of(command: str) -> str:
    """The name of a command's module, and of its texts in the catalogue."""
    return command.replace("-", "_")


def arguments_of(command: str) -> dict[str, argparse.Action]:
    parser = argparse.ArgumentParser()
    importlib.import_module(f"nimmt_lab.commands.{key_of(command)}").arguments(parser)
    return {action.dest: action for action in parser._actions if action.dest != "help"}


def test_every_command_and_argument_has_a_text_and_no_text_is_left_over() -> None:
    wanted = {f"help_{key_of(command)}.{name}" for command in COMMANDS for name in arguments_of(command)}
    for lang in LANGUAGES:
        there = own_catalogue(PACKAGE, lang).messages
        assert {key for key in there if key.startswith("help_")} == wanted
        assert {key.removeprefix("commands.") for key in there if key.startswith("commands.")} == {
            *map(key_of, COMMANDS),
            "about",
        }
        assert all(there.values())


def test_texts_of_all_languages_have_the_same_places() -> None:
    """A default in the text of one language is in all."""
    english = own_catalogue(PACKAGE, "en").messages
    for lang in LANGUAGES:
        there = own_catalogue(PACKAGE, lang).messages
        assert set(there) == set(english)
        for key, text in there.items():
            assert set(re.findall(r"\{(\w+)", text)) == set(re.findall(r"\{(\w+)", english[key])), (lang, key)


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize(("lang", "word"), [("en", "usage: "), ("pl", "użycie: "), ("cs", "použití: ")])
def test_help_is_in_the_language(
    command: str, lang: str, word: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("NIMMT_LANG", lang)
    monkeypatch.setenv("COLUMNS", "400")
    with pytest.raises(SystemExit) as stop:
        main([command, "--help"])
    text = capsys.readouterr().out
    assert stop.value.code == 0 and text.startswith(word)
    assert say("shell.help") in text and say("shell.options") in text
    for name, action in arguments_of(command).items():
        beginning = own_catalogue(PACKAGE, lang).messages[f"help_{key_of(command)}.{name}"].partition("{")[0].strip()
        assert beginning in text and str(action.help or "") in text
    if lang != "en":
        english = own_catalogue(PACKAGE, "en").messages
        assert "default" not in text and english["shell.help"] not in text


def test_the_list_of_commands_is_in_the_language(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("NIMMT_LANG", "cs")
    with pytest.raises(SystemExit):
        main(["--help"])
    text = " ".join(capsys.readouterr().out.split())
    assert all(" ".join(say(f"commands.{key_of(command)}").split()) in text for command in COMMANDS)


@pytest.mark.parametrize(("asked", "lang"), [("pl", "pl"), ("cs", "cs"), ("de", "en"), ("", "en")])
def test_the_environment_says_which_language(asked: str, lang: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NIMMT_LANG", asked)
    assert language() == lang
    monkeypatch.delenv("NIMMT_LANG")
    assert language() == "en"


def test_what_is_printed_is_in_the_language(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("NIMMT_LANG", "pl")
    assert main(["odds", "12 14 | 37 | 43 | 58 ; A: 45", "--opponents", "1"]) == 0
    said = capsys.readouterr().out
    assert re.search(r"\d,\d", said) and not re.search(r"\d\.\d", said)
    assert main(["simulate", "--rounds", "2000"]) == 0
    said = capsys.readouterr().out
    assert said.startswith("2\N{NO-BREAK SPACE}000\N{NO-BREAK SPACE}rund") and not re.search(r"\d\.\d", said)
    assert main(["games"]) == 0
    said = capsys.readouterr().out
    assert "2–10\N{NO-BREAK SPACE}graczy" in said and sentence("baron.sample_deck", {}, "pl") in said
    assert all(words("pl")(f"title.{name}") in said for name in all_games())
    assert main(["worksheet", "--lesson", "1", "--out", str(tmp_path / "x")]) == 0
    assert "1\N{NO-BREAK SPACE}arkusz" in capsys.readouterr().out
    assert 'lang="pl"' in (tmp_path / "x" / "lesson-1-key.html").read_text(encoding="utf-8"), "sheets follow it, too"
    assert main(["worksheet", "--lesson", "1", "--lang", "cs", "--out", str(tmp_path / "y")]) == 0
    assert 'lang="cs"' in (tmp_path / "y" / "lesson-1-key.html").read_text(encoding="utf-8"), (
        "what is asked for goes first"
    )


def test_numbers_are_written_as_the_language_does() -> None:
    assert number(-1234567.25, ",.2f", "cs") == "-1\N{NO-BREAK SPACE}234\N{NO-BREAK SPACE}567,25"
    assert (
        number(0.5, "7.2%", "pl") == " 50,00\N{NO-BREAK SPACE}%"
        and number(3, "d", "pl") == "3"
        and number(0.5, ".1f") == "0.5"
    )


SOLVED = (
    "1 | 2 4 7 14 | 16 19 22 | 23 24 ; A: 17 ; B: 8",
    "3 8 13 | 5 10 11 | 15 17 19 21 23 | 22 24 ; A: 12 16 20 ; B: 1 2 18",
)


@pytest.mark.parametrize("position", SOLVED)
def test_a_solution_is_told_as_it_tells_itself(position: str, monkeypatch: pytest.MonkeyPatch) -> None:
    solution = solve(Classic(players=2).from_position(position))
    monkeypatch.setenv("NIMMT_LANG", "en")
    assert told(solution) == str(solution)
    for lang, word in (("pl", "wartość"), ("cs", "hodnota")):
        monkeypatch.setenv("NIMMT_LANG", lang)
        text = told(solution)
        assert text.startswith(word) and len(text.splitlines()) == len(str(solution).splitlines())
        assert not re.search(r"\d\.\d| plays | value ", text)


@pytest.mark.parametrize("support", SUPPORT)
@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_support_of_a_strategy_is_translated(lang: str, support: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NIMMT_LANG", lang)
    solution = solve(Classic(players=2).from_position(SOLVED[1]))
    supports = dict.fromkeys((0, 1), support)
    half = replace(solution, exact=False, estimate=1.5, support=supports, interrupted=lang == "pl")
    half = replace(half, estimate_error=0.4)
    assert told(half) == str(half) if lang == "en" else told(half)
    assert told(replace(solution, fraction=None)) and told(replace(solution, fraction=Fraction(10**30 + 1, 3)))


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize(
    ("game", "counted"), [("classic", "heads"), ("buffalo", "heads"), ("baron", "bulls"), ("board", "points")]
)
def test_results_are_counted_in_the_words_of_the_game(
    game: str, counted: str, lang: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("NIMMT_LANG", lang)
    unit = words(lang, package=PACKAGE).many(counted)
    others = {words(lang, package=PACKAGE).many(key) for key in ("heads", "bulls", "points")} - {unit}
    assert main(["tournament", "random", "lowest", "--game", game, "--deals", "1"]) == 0
    assert main(["simulate", "--game", game, "--players", "2", "--rounds", "2"]) == 0
    lines = [line for line in capsys.readouterr().out.splitlines() if "±" in line]
    assert len(lines) >= 4
    for line in lines:
        assert f" {unit} " in line and not any(f" {other} " in line for other in others)
