"""Errors are values: every key has its sentences, every place that raises has a key with its fields, and people read
their own language."""

from __future__ import annotations

import ast
import copy
import pickle
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from string import Formatter
from typing import Any

import pytest

import nimmt_lab
from nimmt_lab import Classic, Record
from nimmt_lab.cli import main
from nimmt_lab.commands.words import PACKAGE as COMMANDS
from nimmt_lab.engine import errors
from nimmt_lab.engine.errors import (
    CannotWrite,
    DataError,
    IllegalChoice,
    MissingPackage,
    NimmtError,
    NotationError,
    NotStarted,
    RulesError,
)
from nimmt_lab.engine.inflect import NBSP, Figure, number, typeset
from nimmt_lab.engine.limits import MOST_COUNTED, check_count
from nimmt_lab.engine.registry import chapters
from nimmt_lab.engine.sentences import INTERNAL, LANGUAGES, OWN, Listed, Phrase, sentence, sentences
from nimmt_lab.explain import translate
from nimmt_lab.explain.catalogue import PLURAL_FORMS, words
from nimmt_lab.screens.analyse import AnalyseScreen
from nimmt_lab.screens.base import Screen
from nimmt_lab.screens.desk import Desk
from nimmt_lab.screens.home import HomeScreen
from nimmt_lab.site import wheel

PACKAGE = Path(nimmt_lab.__file__).parent
OTHERS = tuple(lang for lang in LANGUAGES if lang != "en")
#: Attributes of errors, and fields for programs (the key of a rule), which no sentence may show.
ATTRIBUTES = {"line", "column", "source", "seat", "allowed", "rule"}
#: Sentences that only pass on another one, and so are the same in every language.
PASSED_ON = {"shared.inner"}
#: Functions of readers that raise an error of their own type for the place they read.
READERS = {"fail", "error"}


def catalogue_of(lang: str) -> dict[str, str]:
    """Every sentence by its key."""
    found = {
        f"{room}.{name}": text
        for room, texts in sentences("nimmt_lab.engine", lang).items()
        for name, text in texts.items()
    }
    for package in chapters():
        chapter = package.rpartition(".")[2]
        for part in OWN:
            for name, text in sentences(package, lang).get(part, {}).items():
                assert f"{chapter}.{name}" not in found, "a chapter is not called like a room"
                found[f"{chapter}.{name}"] = text
    return found


ENGLISH = catalogue_of("en")
FOR_PROGRAMMERS = catalogue_of(INTERNAL)
EVERY = ENGLISH | FOR_PROGRAMMERS


def fields_of(text: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(text) if name is not None}


def family(trees: dict[str, ast.Module]) -> set[str]:
    """The names of all error classes of the package."""
    classes = [node for tree in trees.values() for node in ast.walk(tree) if isinstance(node, ast.ClassDef)]
    bases = {node.name: {ast.unparse(base).rpartition(".")[2] for base in node.bases} for node in classes}
    names = {"NimmtError"}
    while more := {name for name, above in bases.items() if names & above} - names:
        names |= more
    return names


TREES = {
    path.relative_to(PACKAGE).as_posix(): ast.parse(path.read_text(encoding="utf-8"))
    for path in sorted(PACKAGE.rglob("*.py"))
}
ERRORS = family(TREES)


def sites() -> Iterator[tuple[str, ast.Call, list[str] | None]]:
    """Every place that creates an error or a part of one, with its possible keys; None if they are not written there."""
    for name, tree in TREES.items():
        for node in ast.walk(tree):
            if not isinstance(node, ast.Call) or not isinstance(node.func, (ast.Name, ast.Attribute)):
                continue
            called = node.func.id if isinstance(node.func, ast.Name) else node.func.attr
            reads = called in READERS and (called == "fail" or isinstance(node.func, ast.Name))
            if not node.args or not (called in ERRORS or called == "Phrase" or reads):
                continue
            first = node.args[0]
            branches = [first.body, first.orelse] if isinstance(first, ast.IfExp) else [first]
            keys = [one.value for one in branches if isinstance(one, ast.Constant) and isinstance(one.value, str)]
            yield f"{name}:{node.lineno}", node, keys if len(keys) == len(branches) else None


def test_every_error_that_is_raised_has_a_key_and_the_fields_of_its_sentence() -> None:
    wrong = []
    for where, call, keys in sites():
        given = {keyword.arg for keyword in call.keywords} - ATTRIBUTES
        if ast.unparse(call.func) == "MissingPackage":
            given.discard("name")  # Python's own attribute
        for key in keys or ():
            if key not in EVERY:
                wrong.append(f"{where}: no key {key}")
            elif None not in given and given != fields_of(EVERY[key]):
                wrong.append(f"{where}: {key} has the fields {fields_of(EVERY[key])}, not {given}")
    assert wrong == []


def test_no_sentence_is_written_where_an_error_is_raised() -> None:
    """The key is a constant where the error is raised. Code that passes errors on (`of`, readers that `fail`) has none."""
    loose = [
        f"{where}: {ast.unparse(call)}"
        for where, call, keys in sites()
        if keys is None and isinstance(call.func, ast.Name) and call.func.id in ERRORS
    ]
    assert loose == []
    assert sum(keys is not None for _, _, keys in sites()) > 600, "the sites are found"


def test_no_number_is_written_before_it_becomes_a_field() -> None:
    """A number with commas or a decimal point would be English in every language: `Figure` is written in its own."""
    written = [
        f"{where}: {ast.unparse(keyword.value)}"
        for where, call, _ in sites()
        for keyword in call.keywords
        for node in ast.walk(keyword.value)
        if isinstance(node, ast.FormattedValue) and node.format_spec is not None
    ]
    assert written == []


@pytest.mark.parametrize(
    ("lang", "limit", "mean"),
    [("en", "8,000", "0.2131"), ("pl", f"8{NBSP}000", "0,2131"), ("cs", f"8{NBSP}000", "0,2131")],
)
def test_numbers_in_an_error_are_written_as_in_its_language(lang: str, limit: str, mean: str) -> None:
    large = RulesError("engine.too_many_letters", count=Figure(12_001), most=Figure(8000))
    assert f" {limit}" in translate(large, lang)
    assert f" {number(12_001, ',', lang)}" in translate(large, lang)
    far = Phrase("lessons.check_trial", mean=Figure(0.21309, ".4f"), answer=Figure(0.25, ".4f"), times=1000)
    assert f" {mean}, " in far.translate(lang)
    with pytest.raises(RulesError) as refused:
        check_count(10**40, "rounds", 0)
    assert number(MOST_COUNTED, ",", lang) in translate(refused.value, lang)


def test_every_sentence_is_used() -> None:
    said = {
        node.value
        for tree in TREES.values()
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    }
    assert [key for key in EVERY if key not in said] == []


def test_what_is_translated_is_translated_whole() -> None:
    for lang in OTHERS:
        there = catalogue_of(lang)
        assert there.keys() == ENGLISH.keys(), lang
        for key, text in there.items():
            assert fields_of(text) == fields_of(ENGLISH[key]), (lang, key)
            assert text != ENGLISH[key] or key in PASSED_ON, (lang, key)


def test_keys_and_fields_are_well_made() -> None:
    assert tuple(PLURAL_FORMS) == LANGUAGES
    assert not ENGLISH.keys() & FOR_PROGRAMMERS.keys(), "a sentence is translated or it is not"
    for key, text in EVERY.items():
        assert re.fullmatch(r"[a-z_]+\.[a-z0-9_]+", key), key
        assert all(re.fullmatch(r"[a-z][a-z0-9_]*", name) for name in fields_of(text)), key
        assert not fields_of(text) & ATTRIBUTES, key


def test_an_error_has_a_key_fields_and_sentences() -> None:
    with pytest.raises(RulesError) as refused:
        Classic(players=11)
    error = refused.value
    assert error.key == "engine.for_players"
    assert error.fields == {"name": "classic", "least": 2, "most": 10, "got": 11}
    assert str(error) == "classic is for 2 to 10 players, got 11" == translate(error, "en")
    assert translate(error, "cs") == sentence("engine.for_players", error.fields, "cs") != str(error)
    assert repr(error) == "RulesError('engine.for_players', name='classic', least=2, most=10, got=11)"
    with pytest.raises(RulesError, check=lambda error: error.key == "shared.no_language"):
        translate(error, "de")


def test_the_key_of_a_rule_is_for_programs() -> None:
    state = Classic(players=2).from_position("12 | 37 | 43 | 58 ; A: 14 20 ; B: 15 30")
    with pytest.raises(NimmtError) as illegal:
        state.choose({0: 15, 1: 30})
    assert illegal.value.fields["rule"] == "classic.turn"
    with pytest.raises(NimmtError) as descending:
        Classic(players=2).from_position("15 12 | 37 | 43 | 58 ; A: 14 20 ; B: 16 30")
    assert descending.value.fields["rule"] == "classic.1"
    for error in (illegal.value, descending.value):
        assert all("classic." not in translate(error, lang) for lang in LANGUAGES)


def test_a_sentence_of_ones_own_needs_no_catalogue() -> None:
    error = RulesError("chess: {no} cows.at all")
    assert str(error) == translate(error, "pl") == "chess: {no} cows.at all"
    assert translate(ValueError("not ours"), "pl") == "not ours"
    assert str(RulesError("no.such_key")) == "no.such_key"
    assert str(RulesError("engine.seed_range")).endswith(", got {got}"), "showing an error never fails"


def test_places_and_errors_inside_errors() -> None:
    game = Classic(players=2)
    with pytest.raises(NimmtError) as refused:
        game.from_position("1 | 2 | 3 | 4 ; A: 4 9 ; B: 7 8")
    places = {"first": Phrase("shared.place_row", row=4), "second": Phrase("shared.place_hand", who="A")}
    assert translate(refused.value, "cs") == sentence("engine.lies_twice", {"card": 4, **places}, "cs")
    assert translate(refused.value, "en") == str(refused.value)
    placed = NotationError("engine.from_1", line=2, column=3, source="x.nimmt")
    assert translate(placed, "pl") == f"x.nimmt, wiersz 2, znak 3: {sentence('engine.from_1', {}, 'pl')}"
    assert (str(placed), placed.message) == ("x.nimmt, line 2, column 3: numbers start at 1", "numbers start at 1")
    full = CannotWrite("shared.cannot_write", path="class.csv", problem=Phrase("os.no_space"))
    assert translate(full, "cs") == sentence("shared.cannot_write", full.fields, "cs") != str(full)
    assert translate(NotationError("shared.inner", error=placed, line=9), "cs") == (
        f"řádek 9: x.nimmt, řádek 2, znak 3: {sentence('engine.from_1', {}, 'cs')}"
    )
    with pytest.raises(IllegalChoice) as missing:
        game.deal(7).choose({0: game.deal(7).hands[0][0]})
    assert str(missing.value) == "no choice given for seat B; these seats choose together: seat A, seat B"
    assert "seat" not in translate(missing.value, "pl")


def test_an_error_says_what_was_true_when_it_was_raised() -> None:
    hand = [1, 2]
    error = RulesError("shared.must_whole_0", what="hand", got=hand)
    hand.append(3)
    assert str(error) == "hand must be a whole number, 0 or more, got [1, 2]"


def test_the_same_complaint_as_another_type() -> None:
    inner = NotationError("engine.from_1", column=3)
    error = DataError.of(inner, line=4, source="deck.csv")
    assert (error.key, str(error)) == ("engine.from_1", "deck.csv, line 4: numbers start at 1")
    assert str(DataError.of(ValueError("odd"), line=4)) == "line 4: odd"


@pytest.mark.parametrize(
    "error",
    [
        RulesError("engine.for_players", name="classic", least=2, most=10, got=11),
        NotationError("engine.from_1", line=2, column=3, source="x.nimmt"),
        CannotWrite("shared.cannot_write", path="a", problem=Phrase("os.no_space")),
        MissingPackage("engine.package", package="polars", extra="lab", name="polars"),
        NotStarted("rl.not_dealt"),
        IllegalChoice(
            "engine.no_choice_all", missing=Listed([Phrase("shared.seat", who="A")]), asked="", seat=0, allowed=[3]
        ),
        RulesError("shared.inner", error=RulesError("engine.seed_range", got=-1)),
    ],
    ids=lambda error: type(error).__name__,
)
def test_errors_travel(error: NimmtError) -> None:
    """Errors travel between processes and machines with all their fields."""
    for other in (copy.copy(error), copy.deepcopy(error), *(pickle.loads(pickle.dumps(error, n)) for n in (2, 4, 5))):
        assert type(other) is type(error)
        assert (str(other), other.key, repr(other)) == (str(error), error.key, repr(error))
        assert all(translate(other, lang) == translate(error, lang) for lang in LANGUAGES)
        for name in (*ATTRIBUTES, "name"):
            assert getattr(other, name, None) == getattr(error, name, None)


def test_every_type_is_an_error_of_python_too() -> None:
    for name in errors.__all__:
        kind = getattr(errors, name)
        assert str(kind("shared.utf8")) == "is not UTF-8 text", name


def test_pages_carry_the_sentences() -> None:
    files = wheel.sources()
    for lang in (*LANGUAGES, INTERNAL):
        assert (
            f"nimmt_lab/engine/locale/{lang}.toml" in files and f"nimmt_lab/games/classic/locale/{lang}.toml" in files
        )


def test_nothing_is_read_before_an_error_is_shown() -> None:
    code = (
        "import sys, nimmt_lab\n"
        "from nimmt_lab.engine import sentences\n"
        "try: nimmt_lab.Classic(players=11)\n"
        "except nimmt_lab.engine.errors.RulesError as error: pass\n"
        "assert sentences.sentences.cache_info().currsize == 0 and 'tomllib' not in sys.modules\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def pattern(text: str) -> str:
    """A regular expression for a text with any values in its {places} or %-places."""
    return re.sub(r"\\\{[^{}]*\\\}|%\\\(\w+\\\)[rs]|%s", ".*", re.escape(typeset(text, "cs")))


@pytest.mark.parametrize(
    ("arguments", "key"),
    [
        (["gradebook", "no-such-folder"], "commands.not_folder"),
        (["worksheet", "--lesson", "10", "--out", "x"], "shared.no_lesson_of"),
        (["worksheet", "--lesson", "1", "--pupils", "0", "--out", "x"], "shared.must_from_to"),
        (["solve", "1 | 2 | 3 | x ; A: 5 ; B: 6"], "engine.number"),
        (["odds", "1 | 2 | 3 | 4", "--opponents", "1"], "engine.no_hand"),
        (["simulate", "--players", "11"], "engine.for_players"),
        (["tournament", "nobody", "random", "--deals", "1"], "bots.no_bot"),
        (["roster", "no-such-file", "--out", "x.csv"], "os.no_such_file"),
        (["explain", "no-such-file"], "os.no_such_file"),
        (["site", "x", "--lesson", "p77"], "shared.no_lesson_of"),
    ],
)
def test_commands_refuse_in_the_language(
    arguments: list[str], key: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("NIMMT_LANG", "cs")
    assert main(arguments) == 2
    assert re.search(pattern(catalogue_of("cs")[key]), capsys.readouterr().err)


@pytest.mark.parametrize(
    ("arguments", "key"),
    [
        (["worksheet"], "arguments.required"),
        (["worksheet", "--lesson", "p2", "--pupils", "x", "--out", "y"], "arguments.int"),
        (["gradebook"], "arguments.required"),
        (["gradebook", "x", "--lang", "de"], "arguments.choice"),
        (["gradebook", "x", "--seed"], "arguments.one"),
        (["gradebook", "x", "--tables"], "arguments.unknown"),
        (["chess"], "arguments.choice"),
    ],
)
def test_wrong_arguments_are_named_in_the_language(
    arguments: list[str], key: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("NIMMT_LANG", "pl")
    with pytest.raises(SystemExit) as stop:
        main(arguments)
    assert stop.value.code == 2
    assert re.search(pattern(words("pl", package=COMMANDS).catalogue.message(key)), capsys.readouterr().err)


def test_a_commands_own_language_goes_first(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["gradebook", "no-such-folder", "--lang", "pl"]) == 2
    assert re.search(pattern(catalogue_of("pl")["commands.not_folder"]), capsys.readouterr().err)


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
    assert sentence("engine.number", {"got": "'x'"}, "cs") in refused_on(AnalyseScreen(desk), position)
    changed = game_text().replace("A", "C", 1)
    altered = pattern(catalogue_of("cs")["engine.line_changed"])
    assert re.search(altered, refused_on(AnalyseScreen(desk), {"type": "open", "text": changed}))
    unknown = sentence("shared.no_language", {"lang": "'de'", "known": "en, pl, cs"}, "cs")
    assert refused_on(HomeScreen(desk), {"type": "lang", "lang": "de"}) == unknown


def game_text() -> str:
    game = Classic(players=2, rounds=1)
    return Record.from_play(game, seed=7, choices=[{seat: game.deal(7).hands[seat][0] for seat in (0, 1)}]).to_text()


def test_a_screen_inside_speaks_as_the_one_around_it() -> None:
    around, inside = Screen(lang="pl"), Screen()
    assert inside.language == "en"
    around.put("inside", inside)
    assert inside.language == "pl"
