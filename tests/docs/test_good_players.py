"""The page of findings says what the studies' counts say, in every language, and links to each study it names."""

from __future__ import annotations

import re
from collections.abc import Callable
from fractions import Fraction
from math import comb

import pytest

from nimmt_lab.study import finding
from tools.docs_parts import DOCS

PAGES = {"en": "good-players.md", "pl": "pl/good-players.md", "cs": "cs/good-players.md"}


def mean(study: str, line: str) -> float:
    return finding(study)[line].mean


def worth(company: str, card: int) -> float:
    return mean("card_worth", f"{company}:{card}") - mean("card_worth", f"{company}:all")


def best_turn() -> int:
    return min(range(1, 11), key=lambda turn: mean("low_cards", f"edges:edges:{turn}"))


def room(count: int) -> int:
    """The most of 90 unseen cards in between with which a card after a row of `count` is safe nine times in ten; three
    others play."""
    need = 5 - count
    risk = [Fraction(comb(gap, need) * comb(90 - gap, 3 - need), comb(90, 3)) for gap in range(91)]
    return next(gap for gap in range(90) if risk[gap + 1] > Fraction(1, 10))


#: By study: the numbers of its sentence, each with its value.
CLAIMS: dict[str, dict[str, Callable[[], float]]] = {
    "13_rules_of_thumb": {
        "5.8": lambda: mean("rules_of_thumb", "random:edges_first"),
        "12.2": lambda: mean("rules_of_thumb", "random:random"),
    },
    "21_high_cards": {"95": lambda: 95, "104": lambda: 104, "3.8": lambda: mean("top_cards", "edges:edges:10")},
    "12_low_cards": {"2": best_turn, "9": lambda: 9, "3.1": lambda: mean("low_cards", "edges:edges:9")},
    "22_the_fifth_card": {
        "17": lambda: 100 * mean("fifth_card", "edges-first:4:1"),
        "5": lambda: 100 * mean("fifth_card", "random:4:1"),
        "100": lambda: 100,
    },
    "23_cheat_sheet": {"3": lambda: room(4), "18": lambda: room(3)},
    "07_counting_cards": {"0.1": lambda: -mean("counting", "edges-first:4")},
    "26_which_row": {"0.6": lambda: mean("which_row", "edges-first:shortest:mine")},
    "20_a_row_on_purpose": {
        "0.9": lambda: -mean("on_purpose", "edges-first:2"),
        "1.0": lambda: mean("on_purpose", "edges-first:4"),
    },
    "27_hurting_the_leader": {"2": lambda: 2, "1000": lambda: 1000},
    "02_what_a_card_is_worth": {
        "73": lambda: 73,
        "1.5": lambda: -worth("edges-first", 73),
        "1": lambda: max(range(1, 105), key=lambda card: worth("edges-first", card)),
        "2.4": lambda: worth("edges-first", 1),
        "38": lambda: sum(sorted(range(1, 105), key=lambda card: worth("random", card))[:7]) / 7,
    },
    "24_more_players": {
        "1.1": lambda: -mean("more_players", "purpose-edges:2"),
        "2.0": lambda: mean("more_players", "purpose-edges:6"),
    },
    "14_towards_66": {
        "20": lambda: 20,
        "60": lambda: 60,
        "63": lambda: 100 * mean("towards_66", "20:20:closest-safe"),
        "85": lambda: 100 * mean("towards_66", "60:20:closest-safe"),
        "100": lambda: 100,
    },
    "11_skill_and_luck": {
        "54": lambda: 100 * mean("skill_and_luck", "edges:careful:1"),
        "78": lambda: 100 * mean("skill_and_luck", "edges:careful:50"),
        "100": lambda: 100,
    },
    "28_players_who_learned": {"1.1": lambda: mean("strong_players", "trained:purpose:2")},
}


@pytest.mark.parametrize("study", CLAIMS)
def test_every_number_is_what_was_counted(study: str) -> None:
    for text, value in CLAIMS[study].items():
        found = value()
        assert abs(found - float(text)) <= (0.06 if "." in text else 0.6), (text, found)


def test_the_leader_is_hardly_hurt() -> None:
    changes = [finding("leader")[f"{score}:hurt_leader"] for score in ("ahead", "level", "behind", "far")]
    assert all(abs(change.low) < 0.002 and abs(change.high) < 0.002 for change in changes)


@pytest.mark.parametrize("lang", PAGES)
def test_every_sentence_has_its_numbers_and_its_study(lang: str) -> None:
    text = (DOCS / PAGES[lang]).read_text(encoding="utf-8")
    items = re.split(r"^- ", text, flags=re.MULTILINE)[1:]
    assert len(items) == len(CLAIMS)
    for item, (study, claims) in zip(items, CLAIMS.items(), strict=True):
        sentence, _, link = item.partition("([")
        assert study in link and f" {int(study[:2])}]" in link, study
        numbers = re.findall(r"\d+(?:[.,]\d+)?", sentence)
        assert {number.replace(",", ".") for number in numbers} == set(claims), study
