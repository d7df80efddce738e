"""The message catalogues are complete and used, with the same places and the right number of plural forms in every
language."""

from __future__ import annotations

import ast
import string
from collections.abc import Iterator
from dataclasses import fields
from pathlib import Path
from typing import TypeVar

import pytest

import nimmt_lab.explain
from nimmt_lab import all_games
from nimmt_lab.engine.events import Event
from nimmt_lab.engine.material import MATERIAL, Material
from nimmt_lab.engine.options import allowed
from nimmt_lab.engine.rule import Rule
from nimmt_lab.explain import LANGUAGES, Trap, rule_name, words
from nimmt_lab.explain.catalogue import PLURAL_FORMS, catalogue, own_catalogue, plural_form
from nimmt_lab.explain.judgement import VERDICTS
from nimmt_lab.explain.plain import plain
from nimmt_lab.explain.teller import TOLD, unit
from nimmt_lab.games.board_game.parts import Action, Luck
from nimmt_lab.games.buffalo.parts import Special
from nimmt_lab.lessons.question import ASKS
from nimmt_lab.lessons.rules import rules_lessons
from tests.support import dig

PACKAGE = Path(nimmt_lab.explain.__file__).parent.parent
#: The package `explain`, and the texts and questions of the chapters.
T = TypeVar("T")

MOVED = [step for lesson in rules_lessons() for step in lesson.questions if step.marker]
FACES = ("tell", "ask")
SOURCES = [
    *(PACKAGE / "explain").glob("*.py"),
    *(path for face in FACES for path in PACKAGE.glob(f"games/*/{face}.py")),
]


def subclasses(kind: type[T]) -> Iterator[type[T]]:
    for sub in kind.__subclasses__():
        yield sub
        yield from subclasses(sub)


def ours(kind: type[T]) -> list[type[T]]:
    """The package's own subclasses, without those defined in doctests and tests. A slotted dataclass is made twice and
    the first one lives on as a subclass, but the module knows only the second."""
    import sys

    found = {sub for sub in subclasses(kind) if sub.__module__.startswith("nimmt_lab.")}
    return sorted(
        (sub for sub in found if getattr(sys.modules[sub.__module__], sub.__name__, None) is sub),
        key=lambda sub: (sub.__module__, sub.__name__),
    )


EVENTS = ours(Event)
RULES = [rule for chapter in ours(Rule) for rule in chapter]


def fixed_keys() -> set[str]:
    """Every message key written out in the code."""
    keys = set()
    for path in SOURCES:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Constant) and isinstance(node.value, str) and node.value in SECTIONED:
                keys.add(node.value)
    return keys


def keys_asked_for() -> set[str]:
    """Every message that the code looks up directly: `say("section.key", …)`."""
    keys = set()
    for path in SOURCES:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and ast.unparse(node.func).split(".")[-1] == "say" and node.args:
                for constant in ast.walk(node.args[0]):
                    if isinstance(constant, ast.Constant) and isinstance(constant.value, str):
                        keys.add(constant.value)
    # Keys of names are composed: f"trap.{…}".
    return {key for key in keys if not key.endswith((".", "_")) and "." in key}


#: What chapters write on boards is tested together with the boards.
SECTIONED = {key for key in catalogue("en").messages if not key.startswith(("look.", "title.", "refused."))}
for event in EVENTS:
    TOLD.of(event)  # loads what its chapter tells
#: What plain sentences call the parts of events; a chapter may add more.
PARTS = {f"part.{part.name}" for event in EVENTS for part in fields(event)}
#: The names of the chapters' questions.
KINDS = {kind.name for game in all_games().values() if (asks := ASKS.find(game)) is not None for kind in asks.kinds}


def option_keys() -> Iterator[str]:
    """The labels of a game's options form: the name of every option that people know (one without a name is for study),
    and of its values. Numbers, yes and no need none, and fan cards have their titles."""
    for game in all_games().values():
        usual = {one.name: one.default for one in fields(game)}
        for name, values in allowed(game).items():
            key = f"option.{game.name}.{name}"
            if key not in SECTIONED:
                continue
            yield key
            if isinstance(values, range):
                values = () if usual[name] is not None else ("none",)
            elif isinstance(usual[name], (bool, tuple)):
                values = ()
            yield from (f"{key}.{value}" for value in values)


MATERIALS = [found for game in all_games().values() if (found := MATERIAL.find(game))]


def grids(kind: Material) -> list[str]:
    return [] if kind.entering is None else [grid.name for grid in kind.entering.grids]


MADE = {
    *({f"{what}.{kind}" for what in ("ask", "hint", "kind") for kind in KINDS} & SECTIONED),
    *(PARTS & SECTIONED),
    *({f"ask.takes_{unit(game)}" for game in all_games().values()} & SECTIONED),
    *(f"event.{event.__name__}" for event in EVENTS if f"event.{event.__name__}" in SECTIONED),
    *(f"trap.{trap.value}" for kind in ours(Trap) for trap in kind),
    *(f"rule.{rule.key}" for rule in RULES),
    *(f"rule_text.{rule.key}" for rule in RULES),
    *({f"{section}_other.{rule.key}" for section in ("rule", "rule_text") for rule in RULES} & SECTIONED),
    *(f"special.{kind.value}" for kind in Special),
    # Where a fan card lies after the turn, for those that move.
    *(f"{what}.marker_{step.marker}" for what in ("ask", "hint") for step in MOVED),
    *(f"verdict.{verdict}" for verdict in VERDICTS[2:]),
    *(f"luck.{kind.value}" for kind in Luck),
    *(f"action.{kind.value}" for kind in Action),
    *option_keys(),
    *(f"material.{name}" for kinds in MATERIALS for kind in kinds for name in (kind.name, *grids(kind))),
}


def places(text: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(text) if name is not None}


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_language_has_the_same_messages_with_the_same_places(lang: str) -> None:
    english, other = catalogue("en"), catalogue(lang)
    assert other.messages.keys() == english.messages.keys()
    for key, text in english.messages.items():
        assert places(other.messages[key]) == places(text), f"{lang}: {key}"
        assert other.messages[key].strip() == other.messages[key] != ""


@pytest.mark.parametrize("lang", LANGUAGES)
def test_counted_words_have_the_plural_forms_of_their_language(lang: str) -> None:
    assert len(PLURAL_FORMS[lang]) == {"en": 2, "pl": 4, "cs": 4}[lang]
    for key, forms in catalogue(lang).counted.items():
        assert len(forms) == len(PLURAL_FORMS[lang]), f"{lang}: {key}"
        assert all(form.strip() == form != "" for form in forms)
    assert {plural_form(lang, number) for number in (*range(200), 1.5)} == set(PLURAL_FORMS[lang])


def test_no_message_is_missing_or_unused() -> None:
    assert keys_asked_for() <= SECTIONED | own_catalogue("nimmt_lab.lessons", "en").messages.keys()
    assert fixed_keys() | MADE >= SECTIONED
    assert MADE <= SECTIONED
    counted = set()
    for path in SOURCES:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and ast.unparse(node.func).endswith("say.count"):
                counted |= {part.value for part in ast.walk(node.args[0]) if isinstance(part, ast.Constant)}
    for lang in LANGUAGES:
        assert counted <= set(catalogue(lang).counted)


def test_every_event_is_told() -> None:
    assert len(EVENTS) >= 37
    assert [event.__name__ for event in EVENTS if TOLD.of(event) is plain] == []


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_rule_has_a_name(lang: str) -> None:
    assert len(RULES) > 80
    assert all(rule_name(rule, words(lang)) for rule in RULES)


def test_terms_are_the_rulebooks() -> None:
    """The terms of the rule pages, where the catalogues name them."""
    terms = {
        "special.seven_takes": ("7. bierze!", "7 bere!"),
        "special.insert": ("Wsuń!", "Mezi"),
        "special.push": ("Przepchnij!", "Přesun"),
        "special.first": ("Pierwsza karta", "První karta"),
        "special.last": ("Ostatnia karta", "Poslední karta"),
        "special.sort": ("Sortowanie", "Pořadí"),
        "rule.number_twister.twist": ("Przekręcone liczby", "Obracečka čísel"),
        "rule.jumping_cow.setup": ("Skacząca krowa: przygotowanie", "Skákající kráva: příprava"),
    }
    for key, (polish, czech) in terms.items():
        assert (words("pl")(key), words("cs")(key)) == (polish, czech)


def test_each_game_counts_in_one_word() -> None:
    """Bull Baron has bulls and every other game has heads, in sentences and on the board (Czech: býci and krávy)."""
    from nimmt_lab.boards.film import Film
    from nimmt_lab.engine.record import Step
    from nimmt_lab.explain import narrate
    from nimmt_lab.games import Baron, Classic

    state = Baron(players=2).from_position("39 38 | 5 | 7 | 30 | 18 ; A: 26 40 ; B: 44 41")
    after, events = state.choose({0: 26, 1: 44})
    told = {lang: " ".join(narrate(Step(state, {0: 26, 1: 44}, events, after), lang)) for lang in LANGUAGES}
    assert "A takes 7 bulls." in told["en"] and "head" not in told["en"]
    assert "A bere řadu (7\xa0býků)." in told["cs"] and "krav" not in told["cs"]
    assert dig(Film(state.game, lang="cs").scene(), "labels", "heads") == catalogue("cs").template("look.baron.heads")
    heads = catalogue("cs", "nimmt_lab.boards").template("heads")
    assert dig(Film(Classic(players=2), lang="cs").scene(), "labels", "heads") == heads
