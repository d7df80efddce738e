"""`nimmt-lab lesson`: from a new file to a printed class set, and the errors on the way."""

from __future__ import annotations

from pathlib import Path

import pytest

from nimmt_lab.cli import main
from nimmt_lab.commands.words import say
from nimmt_lab.lessons import trust
from nimmt_lab.lessons.authoring import copy_of, name_of_file, template
from nimmt_lab.lessons.checking import check
from nimmt_lab.lessons.classroom import CLASSROOM, lesson_names, number_of
from nimmt_lab.lessons.lessonfile import read_lesson
from nimmt_lab.lessons.library import SHIPPED
from nimmt_lab.lessons.words import LANGUAGES


@pytest.fixture(autouse=True)
def at_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv(trust.VARIABLE, str(tmp_path / "settings"))
    monkeypatch.setattr(trust, "_now", set())
    monkeypatch.chdir(tmp_path)
    return tmp_path


def run(*arguments: str) -> int:
    return main(["lesson", *arguments])


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_new_lesson_can_be_used_at_once(lang: str, at_home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("new", "my.toml", "--lang", lang) == 0 and run("check", "my.toml") == 0
    assert say("out.lesson_good", None, file="my.toml", count=3) in capsys.readouterr().out
    assert run("preview", "my.toml", "--lang", lang) == 0
    assert read_lesson(template("my", lang)).languages == (lang,)
    assert run("worksheet", "my.toml", "--pupils", "2", "--out", "set", "--lang", lang) == 0
    assert {path.name for path in (at_home / "set").iterdir()} >= {"lesson-my-key.html", "lesson-my-sheet-02.html"}
    assert run("preview", "my.toml", "--out", "my.html") == 0 and (at_home / "my.html").is_file()
    assert run("list") == 0 and "my.toml" in capsys.readouterr().out


def test_a_program_is_confirmed_before_it_runs(at_home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("new", "two.toml", "--program") == 0
    assert run("check", "two.toml", "--seeds", "4") == 2, "nobody is there to ask"
    assert run("check", "two.toml", "--seeds", "4", "--run") == 0
    assert run("check", "two.toml", "--seeds", "4") == 0, "confirmed for good"
    text = (at_home / "two.toml").read_text()
    (at_home / "two.toml").write_text(text.replace("Fraction(k * (k - 1), n * (n - 1))", "Fraction(k * k, n * n)"))
    assert run("check", "two.toml", "--seeds", "4") == 2, "a changed file asks again"
    capsys.readouterr()
    assert run("check", "two.toml", "--seeds", "4", "--run") == 1
    said = capsys.readouterr().out
    assert "two:" in said and "0, 1, 2, 3" in said, "the slip is the answer"
    far = read_lesson(text.replace("Fraction(k * (k - 1), n * (n - 1))", "Fraction(k, n)"))
    trust.confirm(far.fingerprint, keep=False)
    assert [finding.what.key for finding in check(far, seeds=3)] == ["lessons.check_trial"]


def test_check_finds_what_only_some_seeds_show() -> None:
    text = template("my", "en").replace('"safe / cards"', '"1 / (safe - 5)"')
    (finding,) = check(read_lesson(text))
    assert finding.what.key == "lessons.file_wrong" and 0 < len(finding.seeds) < 60
    words = [one.what.key for one in check(read_lesson(template("my", "en").replace("Watch.", "Lay the table.")))]
    assert words == ["lessons.check_word"]


@pytest.mark.parametrize("name", [name for name in lesson_names() if number_of(name) is None])
def test_rules_lessons_can_be_copied(name: str) -> None:
    copy = read_lesson(copy_of(name, "mine", SHIPPED))
    assert copy.name == "mine" and [step.name for step in copy.steps] == [
        step.name for step in SHIPPED.find(name).steps
    ]


#: Questions whose options are cards or rounds of that sheet.
BEHIND = {6: ["spread", "limit"], 9: ["better"]}


@pytest.mark.sampled(4)
@pytest.mark.parametrize("number", CLASSROOM)
def test_probability_lessons_can_be_copied(number: int) -> None:
    text = copy_of(f"p{number}", "mine", SHIPPED)
    copy, behind = read_lesson(text), BEHIND.get(number, [])
    asked = [step.name for step in SHIPPED.find(f"p{number}").questions]
    assert copy.program and [step.name for step in copy.questions] == [name for name in asked if name not in behind]
    assert set(behind) <= {*asked} and ("# Not copied" in text) is bool(behind)
    assert not behind or f"other options: {', '.join(behind)}." in text
    trust.confirm(copy.fingerprint, keep=False)
    assert [finding for finding in check(copy, seeds=2) if finding.what.key != "lessons.check_word"] == []


@pytest.mark.parametrize(
    "arguments",
    [
        ("check",),
        ("new", "my.txt"),
        ("check", "none.toml"),
        ("worksheet", "my.toml"),
        ("list", "none"),
        ("new", "my.toml"),
    ],
)
def test_what_is_refused(arguments: tuple[str, ...], capsys: pytest.CaptureFixture[str]) -> None:
    assert run("new", "my.toml") == 0
    assert run(*arguments) == 2 and capsys.readouterr().err.startswith("nimmt-lab lesson: ")


def test_names_of_files_become_names_of_lessons() -> None:
    assert [name_of_file(stem) for stem in ("Úloha 3", "x" * 90, "", "_1")] == [
        "loha_3", "x" * 30, "lesson", "lesson_1",
    ]  # fmt: skip
