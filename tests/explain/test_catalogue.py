"""The one kind of catalogue: rooms and chapters put together, and what is missing is named."""

from __future__ import annotations

from pathlib import Path

import pytest

from nimmt_lab.engine import registry
from nimmt_lab.engine.errors import DataError, MissingWords, RulesError
from nimmt_lab.explain import words
from nimmt_lab.explain.catalogue import LANGUAGES, catalogue, own_catalogue


@pytest.fixture
def chapter(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> Path:
    """The folder of a chapter that becomes known now."""
    folder = tmp_path / f"chapter_{request.node.name.partition('[')[0]}"
    (folder / "locale").mkdir(parents=True)
    (folder / "__init__.py").write_text("")
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setattr(registry, "_CHAPTERS", dict(registry._CHAPTERS))
    registry.register_chapter(type("Kind", (), {"__module__": f"{folder.name}.rules"}))
    return folder


def test_a_chapter_that_becomes_known_later_is_found(chapter: Path) -> None:
    (chapter / "locale" / "en.toml").write_text(
        'hello = "hello {who}"\n[duck]\nquacks = "{who} quacks."\n[counted]\nducks = {one = "{n} duck", other = "{n} ducks"}'
    )
    say = words("en")
    assert say("duck.quacks", who="B") == "B quacks." and say("hello", who="you") == "hello you"
    assert say.has("duck.quacks") and (say.count("ducks", 1), say.count("ducks", 3)) == ("1 duck", "3 ducks")
    assert say("trap.diverted") == "diverted card", "the tutor's own words are there, too"
    assert words("en", room="nimmt_lab.widgets")("duck.quacks", who="A") == "A quacks."


def test_what_is_missing_is_named_with_its_language(chapter: Path) -> None:
    (chapter / "locale" / "en.toml").write_text('[duck]\nquacks = "{who} quacks."')
    (chapter / "locale" / "cs.toml").write_text('[counted]\nducks = { one = "{n} kachna" }')
    with pytest.raises(MissingWords, match=r"no message 'duck\.quacks' in pl"):
        words("pl")("duck.quacks", who="B")
    with pytest.raises(MissingWords, match=r"message 'duck\.quacks' in en: nothing fills its place 'who'"):
        words("en")("duck.quacks")
    with pytest.raises(MissingWords, match="no counted word 'ducks' in en"):
        words("en").count("ducks", 2)
    with pytest.raises(MissingWords, match="counted word 'ducks' has no form 'other' in cs"):
        words("cs").count("ducks", 5)
    assert not issubclass(MissingWords, KeyError)


def test_nothing_is_said_twice(chapter: Path) -> None:
    (chapter / "locale" / "en.toml").write_text('[trap]\ndiverted = "something else"')
    with pytest.raises(DataError, match=r"chapter_\w+, en: 'trap\.diverted' is said by another"):
        words("en")
    assert words("pl")("trap.diverted")


@pytest.mark.parametrize("text", ["[duck", "[duck]\nquacks = 7", "[counted]\nducks = 'duck'"])
def test_a_file_that_cannot_be_read_is_named(chapter: Path, text: str) -> None:
    (chapter / "locale" / "cs.toml").write_text(text)
    own_catalogue.cache_clear()
    with pytest.raises(DataError, match=r"cs\.toml"):
        words("cs")


def test_a_chapter_without_words_is_no_error(chapter: Path) -> None:
    assert own_catalogue(chapter.name, "en").messages == {}
    assert own_catalogue("", "en").messages == own_catalogue("no_such_package_at_all", "pl").messages == {}
    assert words("en").has("trap.diverted")


def test_other_languages_are_refused() -> None:
    with pytest.raises(RulesError, match="no language 'de'; there are: en, pl, cs"):
        catalogue("de")


def test_a_room_says_what_the_tutor_says() -> None:
    for lang in LANGUAGES:
        tutor, lessons = catalogue(lang), own_catalogue("nimmt_lab.lessons", lang)
        assert tutor.messages.keys() & lessons.messages.keys() == set()
