"""Labels: the same keys and places in every language, none too many, none missing."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from nimmt_lab.boards.words import Words, catalogue, languages
from nimmt_lab.engine.errors import RulesError
from nimmt_lab.games.baron.deck import COLOURS
from nimmt_lab.games.classic.fan_card import fan_cards
from nimmt_lab.lessons.questions import KINDS

PACKAGE = Path(__file__).resolve().parents[2] / "nimmt_lab"
LESSON_QUESTIONS = ("questions.py", "puzzle.py")
#: Keys that are put together from what they speak of.
MADE = (
    [f"{what}_{colour}" for what in ("letter", "colour") for colour in COLOURS.values()]
    + [f"field_{name}" for name in ("plain", "g", "gg", "r", "rr", "two", "tile", "action", "take", "take_tiles")]
    + [f"sign_{name}" for name in ("take", "take_tiles")]
    + [f"game_{name}" for name in ("classic", "advanced", "buffalo", "baron", "board")]
    + [f"fan_{name}" for name in fan_cards()]
    + [f"question_{kind}" for kind in KINDS]
    + [f"hint_{kind}" for kind in KINDS]
    + ["hint_row_other", "only_even", "only_odd", "safe", "risk", "takes", "trap"]
    + ["first", "previous", "play", "pause", "next", "last"]
)


def used_keys() -> set[str]:
    # The lessons have words of their own.
    paths = [*PACKAGE.glob("boards/*.py"), *PACKAGE.glob("widgets/*.py"), *PACKAGE.glob("games/*/describe.py")]
    paths = [path for path in paths if path.name not in ("lesson.py", "experiment.py")] + [PACKAGE / "lessons" / name for name in LESSON_QUESTIONS]
    python = "\n".join(path.read_text(encoding="utf-8") for path in paths)
    script = "\n".join(path.read_text(encoding="utf-8") for path in (PACKAGE / "widgets" / "js").glob("*.js"))
    found = set(re.findall(r'(?:words|self)\(\s*"(\w+)"', python)) | set(re.findall(r'labels\["(\w+)"\]', python))
    found |= set(re.findall(r'words\("\w+" if .*? else "(\w+)"', python))
    found |= set(re.findall(r"\blabels\.(\w+)", script))
    return found | set(MADE)


def test_there_are_three_languages() -> None:
    assert languages() == ("cs", "en", "pl")


def test_every_label_is_used_and_every_used_label_is_there() -> None:
    assert used_keys() ^ catalogue("en").keys() == set()


@pytest.mark.parametrize("lang", ["pl", "cs"])
def test_translations_have_the_same_keys_and_places(lang: str) -> None:
    english, other = catalogue("en"), catalogue(lang)
    assert english.keys() == other.keys()
    for key, text in english.items():
        places = set(re.findall(r"\{(\w+)\}", text))
        assert set(re.findall(r"\{(\w+)\}", other[key])) == places, key
        assert other[key].strip()


@pytest.mark.parametrize("lang", ["pl", "cs"])
def test_translations_are_not_the_english_text(lang: str) -> None:
    english, other = catalogue("en"), catalogue(lang)
    same = {key for key, text in english.items() if other[key] == text and re.search(r"[a-z]{3}", re.sub(r"\{\w+\}", "", text))}
    assert same <= {"field_minus", "field_plus"}


def test_an_unknown_language_is_refused() -> None:
    with pytest.raises(RulesError, match="no language 'de'; there are: cs, en, pl"):
        Words("de")
