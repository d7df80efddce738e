"""The catalogues have the same keys with the same places in every language."""

from __future__ import annotations

import string

import pytest

from nimmt_lab.engine.errors import RulesError
from nimmt_lab.explain.catalogue import own_catalogue
from nimmt_lab.lessons.authoring import MORE_TEXTS, TEXTS
from nimmt_lab.lessons.classroom import CLASSROOM, find, problems
from nimmt_lab.lessons.plan import TIERS
from nimmt_lab.lessons.problem import RUNS
from nimmt_lab.lessons.question import GENERAL
from nimmt_lab.lessons.rules import question_of, rules_lessons
from nimmt_lab.lessons.sampling import sampling
from nimmt_lab.lessons.words import LANGUAGES, PACKAGE, words
from nimmt_lab.screens.lesson_exercise import PRAISES
from nimmt_lab.screens.lesson_page import LABELS
from nimmt_lab.screens.reading import PAGES
from tests.support import refused

ENGLISH = own_catalogue(PACKAGE, "en").messages
#: Keys that code names one by one; those composed by rule (lessons, questions) are found below.
SECTIONS = {
    "slip",
    "slip_text",
    "sampling",
    "page",
    "index",
    "label",
    "sheet",
    "wrong",
    "book",
    "missed",
    "plan",
    "own",
    "tutorial",
}
#: Messages of kinds of questions other than `ask.<kind>` and `hint.<kind>`.
FURTHER = {"ask.best_most", "hint.one_of_two", "hint.all_but", "hint.totals", "hint.worth_of", "hint.cost_of"}


def places(text: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(text) if name is not None}


def needed() -> set[str]:
    keys = set()
    for lesson in rules_lessons():
        keys |= {f"{lesson.name}.{part}" for part in ("title", "summary")}
        for step in lesson.steps:
            key = f"{lesson.name}.{step.name}"
            keys |= {f"{key}_why"} & {*ENGLISH}
            if key in ENGLISH or not step.ask:
                keys.add(key)
            if step.ask:
                keys |= {key for key in question_of(step, lesson.name).hints if key in ENGLISH}
    for number in CLASSROOM:
        keys |= {
            f"p{number}.{part}" for part in ("title", "aims", "activity", "notes", "needs", "misconception", "idea")
        }
        keys |= {f"p{number}.{step.name}" for step in find(number).steps if not step.ask}
        sampled = sampling(f"p{number}")
        assert sampled is not None
        keys |= {f"p{number}.axis", *(f"p{number}.way_{way.name}" for way in sampled.ways)}
        for seed in range(3):
            for problem in problems(number, seed):
                keys |= {problem.key, f"{problem.key}_why"}
                keys |= {f"choice.{choice}" for choice in problem.choices if not choice.isdigit()}
                keys |= set(problem.chart.names) if problem.chart else set()
    return (
        keys
        | FURTHER
        | {f"praise.{number}" for number in range(1, PRAISES + 1)}
        | {f"{what}.{kind}" for what in ("ask", "hint") for kind in (*GENERAL, "best_card", "best_choice")}
    )


@pytest.mark.parametrize("lang", LANGUAGES)
def test_keys_and_places_agree(lang: str) -> None:
    said = own_catalogue(PACKAGE, lang).messages
    assert set(said) == set(ENGLISH)
    assert {key for key, text in said.items() if places(text) != places(ENGLISH[key])} == set()
    assert all(text.strip() == text and text for text in said.values())


def test_no_message_is_missing_or_unused() -> None:
    keys = {key for key in ENGLISH if key.split(".")[0] not in SECTIONS}
    assert needed() - keys == set()
    assert keys - needed() == set()


def test_messages_named_in_code_exist_and_are_used() -> None:
    import re
    from pathlib import Path

    import nimmt_lab

    package = Path(nimmt_lab.__file__).parent
    sources = [*(package / "lessons").glob("*.py"), *(package / "screens").glob("*.py")]
    code = "\n".join(path.read_text(encoding="utf-8") for path in sources)
    named = set(
        re.findall(r"[\"']((?:page|index|label|sheet|wrong|book|missed|plan|own|tutorial|sampling)\.\w+)[\"']", code)
    ) - {
        "index.ipynb",
        "page.html",
        "page.pdf",
    }
    named |= {
        "plan.needs",
        "plan.misconception",
        "page.aims",
        "page.activity",
        "page.notes",
        "index.rules",
        "index.probability",
        "index.strategy",
    }
    named |= {f"page.{name}" for names in PAGES.values() for name in names}
    named |= {f"missed.{name}" for name in ("opposite", "upside_down", "sign", "per_cent", "rounding")}
    assert {f'"{key}"' for key in ("opposite", "upside_down", "sign", "per_cent", "rounding")} <= {
        *re.findall(r'"\w+"', code)
    }
    named |= {f"sampling.{name}" for name in ("mean", "median", "spread", "exact", "tail")}
    # test_slips.py reads the names of wrong ideas off the questions.
    named |= {key for key in ENGLISH if key.split(".")[0] in ("slip", "slip_text")}
    named |= {f"own.{key}" for key in (*TEXTS, *MORE_TEXTS)}
    named |= {f"plan.tier{tier}" for tier in TIERS} | {f"page.experiment_{what}" for what in RUNS}
    named |= {f"page.{label}" for label in LABELS} | {f"page.recap_{how}" for how in ("first", "later", "open", "none")}
    # Chapters have catalogues of their own, but their questions use the lessons' words, too.
    chapters = "".join(path.read_text(encoding="utf-8") for path in (package / "games").rglob("ask.py"))
    named |= {key for key in re.findall(r'"(wrong\.\w+)"', chapters) if key in ENGLISH}
    assert named == {key for key in ENGLISH if key.split(".")[0] in SECTIONS}
    assert all(f'"{key}"' in code for key in FURTHER)


def test_plurals() -> None:
    def counted(lang: str) -> list[str]:
        return [words(lang).count("heads", n).replace("\N{NO-BREAK SPACE}", " ") for n in (1, 2, 5, 22)]

    assert counted("pl") == ["1 byk", "2 byki", "5 byków", "22 byki"]
    assert counted("cs") == ["1 kráva", "2 krávy", "5 krav", "22 krav"]


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_text_can_be_said(lang: str) -> None:
    say = words(lang)
    for lesson in rules_lessons():
        for step in lesson.steps:
            text = question_of(step, lesson.name).prompt(say) if step.ask else say(f"{lesson.name}.{step.name}")
            assert "{" not in text and len(text) < 200, "short"
            if step.ask:
                hint = question_of(step, lesson.name).hint(say)
                assert hint and "{" not in hint


def test_other_languages_are_refused() -> None:
    with refused(RulesError, "shared.no_language", lang="'de'"):
        words("de")
