"""What is refused is said in a person's own language: the English texts are the code's, and people meet the others."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import nimmt_lab
from nimmt_lab import Classic, Record
from nimmt_lab.cli import main
from nimmt_lab.engine.errors import NimmtError, NotationError, RulesError
from nimmt_lab.explain.catalogue import LANGUAGES, catalogue
from nimmt_lab.explain.refusals import SECTION, told
from nimmt_lab.screens.analyse import AnalyseScreen
from nimmt_lab.screens.base import Screen
from nimmt_lab.screens.desk import Desk
from nimmt_lab.screens.home import HomeScreen

PACKAGE = Path(nimmt_lab.__file__).parent
OTHERS = tuple(lang for lang in LANGUAGES if lang != "en")

#: Where errors come from that people meet by clicking, typing a command or handing a file in.
MET = (
    *("commands/*.py", "bots/base.py", "bots/levels.py", "engine/cards.py", "engine/decisions.py", "engine/files.py"),
    *("engine/game.py", "engine/notation.py", "engine/record_text.py", "engine/registry.py", "engine/rng.py"),
    *("lessons/classbook.py", "lessons/classroom.py", "lessons/codes.py", "lessons/exercises.py", "lessons/paper.py"),
    *("lessons/problem.py", "lessons/results.py", "lessons/roster.py", "lessons/sets.py", "lessons/worksheet.py"),
    *("screens/*.py", "site/build.py", "site/qr.py", "solver/open_position.py", "solver/turn_odds.py"),
    *("solver/two_players.py", "study/ladders.py", "study/reviews.py", "study/rounds.py", "study/simulate.py"),
    *("study/tournaments.py", "games/classic/rules.py"),
)

#: Texts that nobody meets by clicking or typing, and why.
NOT_MET = {
    "a page of ours sends nothing of the kind": {
        *(
            "no message {}",
            "expected a decision of this game, got {}",
            "expected choices",
            "expected choices by seat, got {}",
        ),
        *("no export {}; there are: html, png, svg, cell, nimmt, json", "no line {}", "no mode {}", "no setting {}"),
        *("no decision {} in this game", "an exercise needs a question", "no screen {}; there are: {}", "no such cell"),
        *(
            "the screen {} shows no games",
            "{} cannot be asked here; there are: {}",
            "nothing is open",
            "no task is open",
        ),
        *("nothing of the name {} can be entered; there are: {}", "no level {}; there are: {}", "no task {}"),
        *(
            "{} has no task {}; there are: {}",
            "difficulty must be 1, 2 or 3, got {}",
            "a task has a difficulty and a seed",
        ),
        *("there is no {} of {} here", "{} players: {} bots are needed, got {}", "a file has a name and a text"),
        *(
            "only probability lessons (p1 to p9) have a seed",
            "no notes of a game: {}",
            "nothing is asked of seat {} now",
        ),
    },
    "read by ourselves, and then made anew": {"another format", "expected pages"},
    "of functions that only programs call": {
        *("a position is text, got {}", "totals are numbers, got {}", "cards to place are plays, got {}"),
        *(
            "no round {} or no turn {}: they count from 0 here",
            "{} holds numbers of cards, got {}",
            "{} of no seat: {}",
        ),
        *("no section of a position: {}: {}", "{} to place: there is no seat {}", "there is already a game {}"),
        *("the bot {} gives no advice: it cannot say what an option promises", "{} is not a way to play a card"),
        *(
            "half of a character (a lone surrogate) cannot be written as UTF-8",
            "{} to place: nothing makes {} count as {}",
        ),
        *("a view says itself what is held, seen and played against", "detail must be one of {}, got {}"),
        *("single rounds were not kept: simulate(..., each_round=True) keeps them", "not a deal of a ladder"),
        *("heads must be one of {}, got {}", "row_order must be drawn or ascending, got {}", "{} is not a number"),
        *("the solver does not know the choice {}", "the solver does not know the fan card {}"),
        *("rules of {} letters; at most {} are read", "a line of play of {} signs; at most {} are read"),
        *("more than {} options", "a number of {} digits"),
    },
    "what chapters call their files is English": {"expected {}"},
    "two texts at once, and both are there": {"{}not JSON: {}"},
    "named games, which only their chapters may know; said as they are": {
        *(
            "the solver plays the classic game and advanced mode, not {}",
            "the solver knows fan cards one kind at a time",
        ),
        *("the solver twists cards of two digits only (R-F2)", "{} is not asked for a card now"),
        *("odds are known for the classic game (printed heads, no fan cards), not for this game of {}",),
    },
}


def pattern_of(node: ast.expr) -> str | None:
    """The text of a message with {} where something is put in; None where it is put together elsewhere."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return node.value
    if isinstance(node, ast.JoinedStr):
        return "".join(str(part.value) if isinstance(part, ast.Constant) else "{}" for part in node.values)
    return None


def raised() -> Iterator[tuple[str, str]]:
    """Every text that these modules raise, or hand to a `fail` that raises it."""
    for pattern in MET:
        paths = sorted(PACKAGE.glob(pattern))
        assert paths, pattern
        for path in paths:
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                call = node.exc if isinstance(node, ast.Raise) else node
                if not isinstance(call, ast.Call) or not call.args:
                    continue
                name = call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")
                if name in ("TypeError", "OSError") or (not isinstance(node, ast.Raise) and name != "fail"):
                    continue
                if (text := pattern_of(call.args[0])) is not None:
                    yield path.relative_to(PACKAGE).as_posix(), text


def bare(text: str) -> str:
    return re.sub(r"\{\w\}", "{}", text).replace("{{", "{").replace("}}", "}")


ENGLISH = {key: text for key, text in catalogue("en").messages.items() if key.startswith(SECTION)}


def test_whatever_people_may_meet_is_there_in_every_language() -> None:
    reasons = {text for texts in NOT_MET.values() for text in texts}
    looks = [re.compile(re.sub(r"\\\{\w\\\}", ".+", re.escape(text.replace("}}", "}")))) for text in ENGLISH.values()]
    found = {text for _, text in raised()}
    missing = [
        (where, text)
        for where, text in raised()
        if text not in reasons and not any(look.fullmatch(text.replace("{}", "§")) for look in looks)
    ]
    assert missing == []
    assert reasons <= found, "each of them is still raised"


@pytest.mark.exhaustive
def test_english_texts_are_those_of_the_code() -> None:
    """Every one of them is in the code somewhere, or in the library that reads arguments or opens files."""
    texts = set()
    for path in PACKAGE.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, (ast.Constant, ast.JoinedStr)) and (text := pattern_of(node)):
                texts.add(text)
    general = {key for key in ENGLISH if key.removeprefix(SECTION).startswith(("arg_", "json_"))}
    general |= {f"{SECTION}{name}" for name in ("no_such_file", "permission", "is_directory", "no_space", "file_exists",
                                                "not_directory", "record_format", "answers_format", "cut_json", "not_json")}  # fmt: skip
    lost = {key for key, text in ENGLISH.items() if key not in general and bare(text) not in texts}
    # What stands for several texts of the code at once.
    together = {
        "must_from_to",
        "address_folder",
        "must_one_of",
        "must_whole_1",
        "must_whole_0",
        "more_than_0",
        "row_full",
        "row_descends",
    }
    together |= {
        "over_at",
        "whole_to",
        "say_kind",
        "no_such",
        "expected_utf8",
        "answers_sitting",
        "board_mode",
        "board_side",
    }
    assert {key.removeprefix(SECTION) for key in lost} <= together, lost


@pytest.mark.parametrize("lang", OTHERS)
def test_texts_have_the_same_places_and_are_translated(lang: str) -> None:
    there = catalogue(lang).messages
    for key, text in ENGLISH.items():
        assert sorted(re.findall(r"\{(\w)\}", there[key])) == sorted(re.findall(r"\{(\w)\}", text)), key
        assert there[key] != text, key


@pytest.mark.parametrize("lang", OTHERS)
@pytest.mark.parametrize("key", ENGLISH)
def test_each_text_is_found_again(lang: str, key: str) -> None:
    """Filled with something, an English text leads to its own translation and not to that of a similar one."""
    parts = {name: f"<{name}1>" for name in re.findall(r"\{(\w)\}", ENGLISH[key])}
    assert told(ENGLISH[key].format(**parts), lang) == catalogue(lang).messages[key].format(**parts)


def test_places_and_errors_inside_errors() -> None:
    game = Classic(players=2)
    with pytest.raises(NimmtError) as refused:
        game.from_position("1 | 2 | 3 | 4 ; A: 4 9 ; B: 7 8")
    assert told(refused.value, "cs") == "karta 4 leží na dvou místech: řada 4; ruka hráče A"
    assert told(refused.value, "en") == str(refused.value)
    assert told(NotationError("counting starts at 1", line=2, column=3, source="x.nimmt"), "pl") == (
        "x.nimmt, wiersz 2, znak 3: liczy się od 1"
    )
    assert told(RulesError("roster.csv: cannot be written: No space left on device"), "cs") == (
        "roster.csv: nelze zapsat: na disku není místo"
    )
    assert told("something nobody has translated", "cs") == "something nobody has translated"


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["gradebook", "no-such-folder"], "no-such-folder není složka"),
        (["worksheet", "--lesson", "10", "--out", "x"], "lekce 10 není; jsou: 1, 2"),
        (["worksheet", "--lesson", "1", "--pupils", "0", "--out", "x"], "pupils má být od 1 do 999, je tu 0"),
        (["solve", "1 | 2 | 3 | x ; A: 5 ; B: 6"], "znak 13: má tu být číslo, je tu 'x'"),
        (["odds", "1 | 2 | 3 | 4 ; A: 5 ; B: 6", "--opponents", "1"], "k šancím je třeba právě jedna ruka"),
        (["simulate", "--players", "11"], "počet hráčů 2 až 10, je tu 11"),
        (["tournament", "nobody", "random", "--deals", "1"], "bot 'nobody' není; jsou: "),
        (["roster", "no-such-file", "--out", "x.csv"], "nelze přečíst: takový soubor ani složka není"),
        (["explain", "no-such-file"], "nelze přečíst: takový soubor ani složka není"),
        (["site", "x", "--lesson", "p77"], "lekce 'p77' není; jsou: "),
    ],
)
def test_commands_refuse_in_the_language(
    arguments: list[str], says: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("NIMMT_LANG", "cs")
    assert main(arguments) == 2
    assert says in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["worksheet"], "błąd: brakuje argumentów: --lesson, --out"),
        (["worksheet", "--lesson", "x", "--out", "y"], "błąd: argument --lesson: to nie liczba całkowita: 'x'"),
        (["gradebook"], "błąd: brakuje argumentów: DIR"),
        (["gradebook", "x", "--lang", "de"], "nie można wybrać 'de' (do wyboru: "),
        (["gradebook", "x", "--seed"], "argument --seed: brakuje wartości"),
        (["gradebook", "x", "--tables"], "nieznane argumenty: --tables"),
        (["chess"], "nie można wybrać 'chess' (do wyboru: "),
    ],
)
def test_wrong_arguments_are_named_in_the_language(
    arguments: list[str], says: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("NIMMT_LANG", "pl")
    with pytest.raises(SystemExit) as stop:
        main(arguments)
    assert stop.value.code == 2
    assert says in capsys.readouterr().err


def test_a_commands_own_language_goes_first(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["gradebook", "no-such-folder", "--lang", "pl"]) == 2
    assert "no-such-folder to nie folder" in capsys.readouterr().err


def refused_on(screen: Screen, message: dict[str, Any]) -> str:
    heard: list[Any] = []
    screen.listen(heard.append)
    screen.handle({"path": [], "message": message})
    assert heard[-1]["message"]["type"] == "refused"
    return str(heard[-1]["message"]["text"])


def test_screens_refuse_in_the_language() -> None:
    desk = Desk(None)
    desk.lang = "cs"
    position = {"type": "open", "text": "1 | 2 | 3 | x ; A: 5 ; B: 6", "setup": {"game": "classic"}}
    assert "má tu být číslo, je tu 'x'" in refused_on(AnalyseScreen(desk), position)
    changed = game_text().replace("A", "C", 1)
    assert "záznam byl změněn" in refused_on(AnalyseScreen(desk), {"type": "open", "text": changed})
    assert refused_on(HomeScreen(desk), {"type": "lang", "lang": "de"}) == "jazyk 'de' není; jsou: en, pl, cs"


def game_text() -> str:
    game = Classic(players=2, rounds=1)
    return Record.from_play(game, seed=7, choices=[{seat: game.deal(7).hands[seat][0] for seat in (0, 1)}]).to_text()


def test_a_screen_inside_speaks_as_the_one_around_it() -> None:
    around, inside = Screen(lang="pl"), Screen()
    assert inside.language == "en"
    around.put("inside", inside)
    assert inside.language == "pl"
