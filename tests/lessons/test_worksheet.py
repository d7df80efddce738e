"""Worksheets: one per pupil and the key, all or nothing, and never over anybody's files."""

from __future__ import annotations

import errno
import html
import os
import re
from html.parser import HTMLParser
from pathlib import Path

import pytest

from nimmt_lab.cli import main
from nimmt_lab.commands.words import say
from nimmt_lab.engine import files
from nimmt_lab.engine.cards import heads
from nimmt_lab.engine.errors import CannotWrite
from nimmt_lab.engine.sentences import sentence
from nimmt_lab.engine.shapes import INK
from nimmt_lab.lessons import worksheet
from nimmt_lab.lessons.classroom import CLASSROOM, lesson_names, problems
from nimmt_lab.lessons.words import LANGUAGES, words
from nimmt_lab.lessons.worksheet import (
    answer_text,
    class_set,
    pages,
    pupil_seed,
    question_text,
    working_text,
    write_folder,
)
from tests.support import refused


class Balanced(HTMLParser):
    """Every opened tag is closed, in order; nothing points outside the page."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        assert not {"src", "href"} & {name for name, _ in attributes}, "a standalone page"
        if tag != "meta":
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        assert tag in ("rect", "circle", "polygon", "path")

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


@pytest.mark.parametrize("lesson", CLASSROOM)
@pytest.mark.parametrize("lang", LANGUAGES)
def test_sheets_ask_and_the_key_answers(lesson: int, lang: str) -> None:
    say = words(lang)
    made = pages(lesson, class_set(pupils=2, seed=7), lang)
    assert len(made) == 4 and len(set(made.values())) == 4
    key = html.unescape(made[f"lesson-{lesson}-key.html"])
    for pupil in (1, 2):
        page = made[f"lesson-{lesson}-sheet-{pupil:02}.html"]
        text = html.unescape(page)
        for problem in problems(lesson, pupil_seed(7, pupil)):
            assert question_text(problem, say) in text
            assert answer_text(problem, say) in key and working_text(problem, say) in key
            assert working_text(problem, say) not in text or len(working_text(problem, say)) < 12, (
                "no answers on sheets"
            )
        assert str(pupil_seed(7, pupil)) in text
    for page in made.values():
        checker = Balanced()
        checker.feed(page)
        assert checker.open == [] and "@media print" in page and f'lang="{lang}"' in page
        assert not re.search(r"\{\w*\}", re.sub(r"<style>.*?</style>", "", page, flags=re.DOTALL))


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_key_says_what_files_are_worth_and_has_the_notes(lang: str) -> None:
    made = pages(2, class_set(pupils=1, seed=7), lang)
    for text in (words(lang)("sheet.hand_in_text"), words(lang)("p2.notes")):
        assert text in html.unescape(made["lesson-2-key.html"]) and text not in html.unescape(
            made["lesson-2-sheet-01.html"]
        )


def test_hidden_hands_are_not_printed() -> None:
    for problem in problems(2, pupil_seed(7, 1)):
        if problem.state is not None:
            drawing = worksheet.table_svg(problem.state, words("en"))
            hidden = {card for hand in problem.state.hands[1:] for card in hand}
            shown = {int(number) for number in re.findall(rf'fill="{INK}">(\d+)<', drawing)}
            assert not hidden & shown and shown >= set(problem.state.hands[0])


@pytest.mark.parametrize("lang", LANGUAGES)
def test_drawings_are_titled_in_the_language(lang: str) -> None:
    state = next(problem.state for problem in problems(2, pupil_seed(7, 1)) if problem.state is not None)
    shown = [card for cards in (*state.rows, state.hands[0]) for card in cards]
    titles = re.findall(r"<title>(.*?)</title>", worksheet.table_svg(state, words(lang)))
    notches = [sentence("drawn.notch", {"number": 6}, lang)] * len(state.rows)
    assert sorted(titles) == sorted([f"{card}, {words(lang).count('heads', heads(card))}" for card in shown] + notches)


def test_the_command_writes_a_class_set(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "new" / "class"
    argv = ["worksheet", "--lesson", "1", "--pupils", "3", "--seed", "7", "--out", str(out)]
    assert main(argv) == 0
    files = "lesson-1-sheets.html, lesson-1-key.html"
    assert capsys.readouterr().out == f"{say('out.sheets', pupils=3, folder=out, files=files)}\n"
    names = sorted(path.name for path in out.iterdir())
    assert names == [
        "lesson-1-key.html",
        *(f"lesson-1-sheet-0{pupil}.html" for pupil in (1, 2, 3)),
        "lesson-1-sheets.html",
    ]
    first = {name: (out / name).read_text(encoding="utf-8") for name in names}
    assert main(argv) == 2 and sentence("lessons.there_force", {"folder": out}) in capsys.readouterr().err
    (out / "mine.txt").write_text("mine")
    (out / names[0]).write_text("old")
    assert main([*argv, "--force"]) == 0
    assert {name: (out / name).read_text(encoding="utf-8") for name in names} == first
    assert (out / "mine.txt").read_text() == "mine"
    assert [path.name for path in out.parent.iterdir()] == ["class"], "nothing is left lying about"


def test_an_empty_folder_may_be_filled(tmp_path: Path) -> None:
    write_folder({"a.html": "a"}, tmp_path / "x")
    (tmp_path / "empty").mkdir()
    write_folder({"a.html": "a"}, tmp_path / "empty")
    assert (tmp_path / "empty" / "a.html").read_text() == "a"


def test_no_half_written_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    real, written = files._write, []

    def fail_at_the_second(path: Path, content: bytes) -> None:
        written.append(path)
        if len(written) == 2:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        real(path, content)

    monkeypatch.setattr(files, "_write", fail_at_the_second)
    with refused(CannotWrite, "shared.cannot_write"):
        write_folder({"a": "1", "b": "2", "c": "3"}, tmp_path / "out")
    assert list((tmp_path / "out").iterdir()) == []
    written.clear()
    (tmp_path / "there").mkdir()
    (tmp_path / "there" / "a").write_text("old")
    with pytest.raises(CannotWrite):
        write_folder({"a": "1", "b": "2"}, tmp_path / "there", force=True)
    assert (tmp_path / "there" / "a").read_text() == "old"
    assert [path.name for path in (tmp_path / "there").iterdir()] == ["a"]


def test_a_smaller_class_leaves_no_sheet_that_its_key_does_not_know(tmp_path: Path) -> None:
    """Sheets 2 and 3 of the old set would be marked with the new key. Other files stay."""
    folder = tmp_path / "class"
    write_folder(pages(1, class_set(pupils=3, seed=1)), folder)
    for name in ("lesson-2-sheet-03.html", "lesson-1-sheet-03.html.mine", "notes.txt"):
        (folder / name).write_text("mine")
    gone = write_folder(pages(1, class_set(pupils=1, seed=2)), folder, force=True)
    assert gone == ("lesson-1-sheet-02.html", "lesson-1-sheet-03.html")
    assert sorted(path.name for path in folder.iterdir()) == [
        "lesson-1-key.html", "lesson-1-sheet-01.html", "lesson-1-sheet-03.html.mine", "lesson-1-sheets.html", "lesson-2-sheet-03.html",
        "notes.txt",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("change", "key", "fields"),
    [
        (["--lesson", "10"], "shared.no_lesson_of", {"lesson": "'10'", "known": ", ".join(lesson_names())}),
        (["--pupils", "0"], "shared.must_from_to", {"what": "pupils", "least": 1, "most": 999, "got": 0}),
        (["--seed", "-1"], "lessons.seed_12", {"got": -1}),
    ],
)
def test_mistakes_are_named(
    change: list[str], key: str, fields: dict[str, object], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    argv = ["worksheet", "--lesson", "1", "--out", str(tmp_path / "x"), *change]
    assert main(argv) == 2
    assert sentence(key, fields) in capsys.readouterr().err and not (tmp_path / "x").exists()


def test_a_file_is_not_a_folder(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "x").write_text("mine")
    for force in ([], ["--force"]):
        assert main(["worksheet", "--lesson", "1", "--out", str(tmp_path / "x"), *force]) == 2
    assert (tmp_path / "x").read_text() == "mine"
