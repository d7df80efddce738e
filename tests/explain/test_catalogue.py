"""Catalogues of packages and chapters are merged, and errors name missing messages."""

from __future__ import annotations

from pathlib import Path

import pytest

from nimmt_lab.engine import registry
from nimmt_lab.engine.errors import DataError, MissingWords, RulesError
from nimmt_lab.explain import words
from nimmt_lab.explain.catalogue import LANGUAGES, catalogue, own_catalogue
from tests.support import refused


@pytest.fixture
def chapter(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> Path:
    """The folder of a chapter registered by this test."""
    folder = tmp_path / f"chapter_{request.node.name.partition('[')[0]}"
    (folder / "locale").mkdir(parents=True)
    (folder / "__init__.py").write_text("")
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setattr(registry, "_CHAPTERS", dict(registry._CHAPTERS))
    registry.register_chapter(type("Kind", (), {"__module__": f"{folder.name}.rules"}))
    return folder


def test_a_chapter_that_becomes_known_later_is_found(chapter: Path) -> None:
    (chapter / "locale" / "en.toml").write_text(
        'hello = "hello {who}"\n[duck]\nquacks = "{who} quacks."\n[counted]\nducks = ["duck", "ducks"]'
    )
    say = words("en")
    assert say("duck.quacks", who="B") == "B quacks." and say("hello", who="you") == "hello you"
    assert say.has("duck.quacks") and (say.count("ducks", 1), say.count("ducks", 3)) == ("1 duck", "3 ducks")
    assert say("trap.diverted") == "diverted card", "the tutor's own words are there, too"
    assert words("en", package="nimmt_lab.widgets")("duck.quacks", who="A") == "A quacks."


def test_what_is_missing_is_named_with_its_language(chapter: Path) -> None:
    (chapter / "locale" / "en.toml").write_text('[duck]\nquacks = "{who} quacks."')
    with refused(MissingWords, "explain.no_message", key="'duck.quacks'", lang="pl"):
        words("pl")("duck.quacks", who="B")
    with refused(MissingWords, "explain.message_nothing_fills", key="'duck.quacks'", lang="en", place="'who'"):
        words("en")("duck.quacks")
    with refused(MissingWords, "explain.no_counted_word", key="'ducks'", lang="en"):
        words("en").count("ducks", 2)
    assert not issubclass(MissingWords, KeyError)


def test_nothing_is_said_twice(chapter: Path) -> None:
    (chapter / "locale" / "en.toml").write_text('[trap]\ndiverted = "something else"')
    with refused(DataError, "explain.said_another_room", key="'trap.diverted'", source=f"{chapter.name}, en"):
        words("en")
    assert words("pl")("trap.diverted")


@pytest.mark.parametrize(
    "text", ["[duck", "[duck]\nquacks = 7", "[counted]\nducks = 'duck'", "[counted]\nducks = ['kachna']"]
)
def test_a_file_that_cannot_be_read_is_named(chapter: Path, text: str) -> None:
    (chapter / "locale" / "cs.toml").write_text(text)
    own_catalogue.cache_clear()
    with pytest.raises(DataError, match=r"cs\.toml"):
        words("cs")


def test_a_chapter_may_lack_words(chapter: Path) -> None:
    assert own_catalogue(chapter.name, "en").messages == {}
    assert own_catalogue("", "en").messages == own_catalogue("no_such_package_at_all", "pl").messages == {}
    assert words("en").has("trap.diverted")


def test_other_languages_are_refused() -> None:
    with pytest.raises(RulesError, check=lambda error: error.key == "shared.no_language"):
        catalogue("de")


def test_a_room_says_what_the_tutor_says() -> None:
    for lang in LANGUAGES:
        tutor, lessons = catalogue(lang), own_catalogue("nimmt_lab.lessons", lang)
        assert tutor.messages.keys() & lessons.messages.keys() == set()
