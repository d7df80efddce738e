"""Paper: one A4 page per sheet with space to work, a PDF for the class and one for the key, a deck to cut out."""

from __future__ import annotations

import html
import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

from nimmt_lab.cli import main
from nimmt_lab.commands.words import say
from nimmt_lab.engine.cards import LAST_CARD, heads
from nimmt_lab.engine.decisions import ChooseRow
from nimmt_lab.engine.errors import NotationError, Unsupported
from nimmt_lab.engine.sentences import sentence
from nimmt_lab.games.classic.rules import Classic
from nimmt_lab.lessons import paper
from nimmt_lab.lessons.classroom import CLASSROOM, find, problems
from nimmt_lab.lessons.codes import SIGNS, code_of, seed_of
from nimmt_lab.lessons.deck import deck_html
from nimmt_lab.lessons.words import LANGUAGES, words
from nimmt_lab.lessons.worksheet import RESULTS, Sheet, class_set, page, rules_of, sheet_body
from tests.support import refused

A4 = {"width": 680, "height": 1017}  # between the margins, at 96 dots an inch


def bodies(lesson: int, lang: str, of: Iterable[Sheet]) -> list[str]:
    say = words(lang)
    title = say("sheet.title", number=lesson, title=say(f"p{lesson}.title"))
    return [sheet_body(lesson, sheet, title, lang) for sheet in of]


def pages_in(pdf: bytes) -> int:
    return len(re.findall(rb"/Type\s*/Page\b", pdf))


def check_paper(browser: Any, lang: str, pupils: int, *sizes: float) -> None:
    """Every sheet begins a new page, so as many pages as sheets means that none needs two. And there is room to work."""
    # Every second pupil has a long name.
    of = [
        Sheet(s.pupil, s.seed, "Małgorzata Brzęczyszczykiewicz-Nováková" * (s.pupil % 2)) for s in class_set(pupils, 7)
    ]
    made = [body for lesson in CLASSROOM for body in bodies(lesson, lang, of)]
    asked = [len(problems(lesson, sheet.seed)) for lesson in CLASSROOM for sheet in of]
    tab = browser.new_page(viewport=A4)
    for size in sizes:
        tab.emulate_media(media="print")
        tab.set_content(page("x", lang, made).replace("font-size: 10pt", f"font-size: {size}pt"))
        assert pages_in(tab.pdf(prefer_css_page_size=True)) == len(made)
        rooms = tab.evaluate(
            "[...document.querySelectorAll('.sheet')].map((sheet) => [...sheet.querySelectorAll('.room')].map((room) => room.clientHeight))"
        )
        assert [len(one) for one in rooms] == asked
        assert min(min(one) for one in rooms) >= 8 * 96 / 25.4 - 1, "8 mm at least"
        wide = tab.evaluate(
            "[...document.querySelectorAll('.sheet')].every((sheet) => sheet.scrollWidth <= sheet.clientWidth)"
        )
        assert wide, "nothing is cut off at the right"
    tab.close()


@pytest.mark.browser
@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_sheet_is_one_page(browser: Any, lang: str) -> None:
    check_paper(browser, lang, 2, 10)


@pytest.mark.slow
@pytest.mark.browser
@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_sheet_of_a_class_is_one_page(browser: Any, lang: str) -> None:
    """Also with a wider font."""
    check_paper(browser, lang, 30, 10, 10.5)


@pytest.mark.browser
def test_a_pdf_for_the_class_and_one_for_the_key(
    chromium: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("CHROMIUM", chromium)
    out = tmp_path / "set"
    argv = ["worksheet", "--lesson", "3", "--pupils", "4", "--format", "pdf", "--out", str(out)]
    assert main(argv) == 0
    printed = say("out.sheets", pupils=4, folder=out, files="lesson-3-sheets.pdf, lesson-3-key.pdf")
    assert capsys.readouterr().out == f"{printed}\n"
    made = {path.name: path.read_bytes() for path in out.iterdir()}
    assert all(content.startswith(b"%PDF-") for content in made.values()) and len(made) == 2
    assert pages_in(made["lesson-3-sheets.pdf"]) == 4


@pytest.mark.browser
def test_the_deck_is_sixteen_cards_a_page(browser: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["worksheet", "--lesson", "1", "--deck", "--out", str(tmp_path / "x")]) == 0
    assert capsys.readouterr().out.endswith("lesson-1-key.html, deck.html\n")
    tab = browser.new_page(viewport=A4)
    tab.set_content((tmp_path / "x" / "deck.html").read_text(encoding="utf-8"))
    assert pages_in(tab.pdf(prefer_css_page_size=True)) == 7
    # A line to cut along around every card, and none around the note below them.
    lined = (
        "[...document.querySelectorAll('.cards > *')].filter((one) => getComputedStyle(one).outlineStyle === 'dashed')"
    )
    assert tab.evaluate(f"{lined}.map((one) => one.localName)") == ["svg"] * LAST_CARD
    tab.close()


def test_without_a_browser_no_pdf_is_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("CHROMIUM", str(tmp_path / "none"))
    assert main(["worksheet", "--lesson", "1", "--format", "pdf", "--out", str(tmp_path / "set")]) == 2
    assert sentence("lessons.pdf_none", {}) in capsys.readouterr().err and not (tmp_path / "set").exists()
    stub = tmp_path / "stub"
    stub.write_text('#!/bin/sh\n[ "$1" = --version ]\n')
    stub.chmod(0o755)
    monkeypatch.setenv("CHROMIUM", str(stub))
    with refused(Unsupported, "lessons.pdf_failed", browser=str(stub)):
        paper.pdf("<p>x</p>")


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_deck_has_every_card_once_with_its_heads(lang: str) -> None:
    made = deck_html(lang)
    titles = re.findall(r"<title>(.*?)</title>", made)[1:]
    assert titles == [f"{card}, {words(lang).count('heads', heads(card))}" for card in range(1, LAST_CARD + 1)]
    assert words(lang)("sheet.heads") in made and made.count('class="cards"') == 7
    assert not re.search(r"src=|href=", made)


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("lesson", CLASSROOM)
def test_a_sheet_has_rules_marks_and_a_table_for_results(lesson: int, lang: str) -> None:
    say, steps = words(lang), find(lesson).questions
    (body,) = bodies(lesson, lang, [Sheet(1, 7001)])
    text = html.unescape(body)
    assert text.count(say("sheet.rules")) == 1
    assert (say("sheet.heads") in text) == find(lesson).heads
    marks = [int(worth) for worth in re.findall(r'<span class="marks"><span class="line"></span> / (\d+)</span>', body)]
    assert marks == [step.marks for step in steps]
    assert f'{say("sheet.total")}: <span class="line"></span> / {sum(marks)}' in text
    assert body.count("<td></td>") == RESULTS


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_rules_take_a_minute_and_are_those_of_the_engine(lang: str) -> None:
    """Two words a second can be read aloud; five cards in a row, and the sixth takes them."""
    rules = words(lang)("sheet.rules")
    assert len(f"{rules} {words(lang)('sheet.heads')}".split()) <= 120
    assert {"en": ("five", "sixth"), "pl": ("pięć", "szósta"), "cs": ("pět", "šestá")}[lang] == tuple(
        word for word in re.findall(r"\w+", rules) if word in ("five", "sixth", "pięć", "szósta", "pět", "šestá")
    )[:2]
    state = Classic(players=2).from_position("2 3 4 5 6 | 37 | 43 | 58 ; A: 7 ; B: 1")
    assert len(state.rows[0]) == state.game.places_in_row == 5
    full, _ = state.choose({0: 7, 1: 1})
    assert 1 in full.pending and isinstance(full.pending[1], ChooseRow), "the lowest is placed first, and fits nowhere"
    assert full.pending[1].options == (0, 1, 2, 3), "any row"


def test_a_lesson_about_another_game_has_no_classic_rules() -> None:
    rules = words("en")("sheet.rules")
    assert rules_of(find("first_turn"), problems("first_turn", 0), words("en")) == rules
    assert rules_of(find("buffalo"), problems("buffalo", 0), words("en")) == ""


def test_codes_say_which_seed_is_meant() -> None:
    seeds = [*range(3000), 7_001, 10**9, 10**15 + 999, (1 << 63) - 1]
    codes = [code_of(seed) for seed in seeds]
    assert len(set(codes)) == len(codes) and [seed_of(code) for code in codes] == seeds
    assert all(seed_of(f" {code[:2].lower()}-{code[2:]} ") == seed for code, seed in zip(codes, seeds, strict=True))


def test_a_mistyped_code_is_noticed() -> None:
    for seed in (7001, 7002, 123_456_789):
        code = code_of(seed)
        for at, sign in enumerate(code):
            for other in SIGNS:
                if other != sign:
                    with pytest.raises(NotationError):
                        seed_of(code[:at] + other + code[at + 1 :])
            if at and code[at - 1] != sign:
                with pytest.raises(NotationError):
                    seed_of(code[: at - 1] + sign + code[at - 1] + code[at + 1 :])
    for text in ("", "A", "AAA", "IOUI", "A" * 40, "-5", "9" * 30, "ZZZZZZZZZZZZZZZZ"):
        with pytest.raises(NotationError):
            seed_of(text)
    with pytest.raises(NotationError):
        code_of(-1)
