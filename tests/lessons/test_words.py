"""The catalogues: the same keys with the same places in every language, none missing, none left over."""

from __future__ import annotations

import string

import pytest

from nimmt_lab.engine.errors import RulesError
from nimmt_lab.explain.catalogue import PLURAL_FORMS
from nimmt_lab.lessons.classroom import CLASSROOM, problems
from nimmt_lab.lessons.rules import rules_lessons
from nimmt_lab.lessons.tasks import KINDS, hint_key, task_of
from nimmt_lab.lessons.words import LANGUAGES, words

ENGLISH = words("en")
#: Keys that code names one by one; what is named by rule (lessons, questions) is found below.
SECTIONS = {"page", "index", "label", "sheet"}


def places(text: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(text) if name is not None}


def needed() -> set[str]:
    keys = set()
    for lesson in rules_lessons():
        keys.add(f"{lesson.name}.title")
        for step in lesson.steps:
            key = f"{lesson.name}.{step.name}"
            keys.add(key if ENGLISH.has(key) or not step.ask else f"ask.{step.ask}")
            if step.ask:
                keys.add(hint_key(lesson.name, step, task_of(step).kind, ENGLISH.has))
    for number in CLASSROOM:
        keys |= {f"p{number}.{part}" for part in ("title", "aims", "activity", "notes")}
        for seed in range(3):
            for problem in problems(number, seed):
                keys |= {problem.key, f"{problem.key}_why"}
                keys |= {f"choice.{choice}" for choice in problem.choices if not choice.isdigit()}
                keys |= set(problem.chart.names) if problem.chart else set()
    return keys | {f"ask.{kind}" for kind in KINDS}


@pytest.mark.parametrize("lang", LANGUAGES)
def test_keys_and_places_agree(lang: str) -> None:
    say = words(lang)
    assert set(say.messages) == set(ENGLISH.messages)
    wrong = {key for key, text in say.messages.items() if places(text) != places(ENGLISH.messages[key])}
    assert wrong == set()
    assert all(text.strip() == text and text for text in say.messages.values())


def test_no_message_is_missing_or_unused() -> None:
    keys = {key for key in ENGLISH.messages if key.split(".")[0] not in SECTIONS}
    assert needed() - keys == set()
    assert keys - needed() == set()


def test_messages_named_in_code_exist_and_are_used() -> None:
    import re
    from pathlib import Path

    import nimmt_lab

    package = Path(nimmt_lab.__file__).parent
    sources = [*(package / "lessons").glob("*.py"), package / "widgets" / "lesson.py", package / "widgets" / "experiment.py"]
    code = "\n".join(path.read_text(encoding="utf-8") for path in sources)
    named = set(re.findall(r"[\"']((?:page|index|label|sheet)\.\w+)[\"']", code)) - {"index.ipynb"}
    named |= {"page.aims", "page.activity", "page.notes", "index.rules", "index.probability", "index.strategy"}
    assert named == {key for key in ENGLISH.messages if key.split(".")[0] in SECTIONS}


@pytest.mark.parametrize("lang", LANGUAGES)
def test_plural_forms_are_complete(lang: str) -> None:
    say = words(lang)
    assert set(say.counted) == set(ENGLISH.counted)
    for forms in say.counted.values():
        assert set(forms) == set(PLURAL_FORMS[lang]) and all("{n}" in form for form in forms.values())


def test_plurals() -> None:
    assert [words("pl").count("heads", n) for n in (1, 2, 5, 22)] == ["1 byk", "2 byki", "5 byków", "22 byki"]
    assert [words("cs").count("heads", n) for n in (1, 2, 5, 22)] == ["1 kráva", "2 krávy", "5 krav", "22 krav"]


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_text_can_be_said(lang: str) -> None:
    say = words(lang)
    for lesson in rules_lessons():
        for step in lesson.steps:
            key = f"{lesson.name}.{step.name}"
            text = say(key if say.has(key) else f"ask.{step.ask}", card=step.card)
            assert "{" not in text and len(text) < 200, "short"


def test_other_languages_are_refused() -> None:
    with pytest.raises(RulesError, match="no language 'de'"):
        words("de")
