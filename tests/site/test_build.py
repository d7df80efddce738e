"""The site as files: contents, size, refusals; and Python's side of the connection."""

from __future__ import annotations

import gzip
import hashlib
import io
import json
import shutil
import zipfile
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from nimmt_lab.cli import main
from nimmt_lab.engine.errors import RulesError
from nimmt_lab.engine.sentences import sentence
from nimmt_lab.lessons.class_list import make_class_list
from nimmt_lab.lessons.classroom import lesson_names
from nimmt_lab.lessons.codes import code_of
from nimmt_lab.lessons.words import LANGUAGES
from nimmt_lab.screens.base import Screen, Work
from nimmt_lab.screens.connection import Connection, in_slices
from nimmt_lab.screens.words import labels
from nimmt_lab.site import build, foresee, qr, runtime, wheel
from nimmt_lab.site.build import Site
from nimmt_lab.site.inside import Begin, Inside
from tests.support import dig, refused


def test_it_is_small_enough(site: Site) -> None:
    folder = site.folder()
    assert sum(map(len, folder.values())) < 20_000_000
    assert sum(len(gzip.compress(content, 9)) for content in folder.values()) < 9_000_000
    assert len(site.one_file()) < 14_000_000


def test_nothing_in_it_leads_elsewhere(site: Site) -> None:
    page = site.folder()["index.html"].decode()
    assert page.count("@font-face") == 2 and not any(name.endswith(".woff2") for name in site.files)
    for line in page.splitlines():
        addresses = line.replace("http://www.w3.org/2000/svg", "").replace("https://nimmt-lab.invalid/", "")
        assert "http://" not in addresses and "https://" not in addresses, line[:200]


def test_the_wheel_is_the_package_less_what_a_page_cannot_use(site: Site) -> None:
    with zipfile.ZipFile(io.BytesIO(site.files[wheel.NAME])) as made:
        names = made.namelist()
        lib = made.read("nimmt_lab/native/lib/core-wasm32.wasm")
    rooms = {name.split("/")[1] for name in names if name.startswith("nimmt_lab/") and name.count("/") > 1}
    assert rooms == {
        "engine", "games", "explain", "boards", "bots", "native", "solver", "study", "screens", "lessons", "conformance", "site",
    }  # fmt: skip
    assert lib[:4] == b"\0asm" and not [name for name in names if "__pycache__" in name or "_build" in name]
    assert {name for name in names if "/site/" in name} == {"nimmt_lab/site/__init__.py", "nimmt_lab/site/inside.py"}


def test_the_same_sources_make_the_same_site(site: Site) -> None:
    assert wheel.zipped(wheel.sources()) == wheel.zipped(wheel.sources())
    lock = json.loads(site.files["pyodide-lock.json"])
    assert [*lock["packages"]] == ["nimmt-lab"] and lock["info"]["arch"] == "wasm32"


def test_words_are_in_every_language() -> None:
    english = labels("en", "site")
    for lang in LANGUAGES:
        assert labels(lang, "site").keys() == english.keys()


# Expected problems -----------------------------------------------------------------------------------------


def paths(talk: dict[str, Any], before: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], list[Any]]]:
    for click, after in talk["then"].items():
        yield (*before, click), after["said"]
        yield from paths(after, (*before, click))


@pytest.mark.sampled(3)
@pytest.mark.parametrize("lang", LANGUAGES)
def test_what_is_foreseen_is_what_python_says(lang: str, tmp_path: Path) -> None:
    made = foresee.foreseen(lang)
    walks = list(paths(dig(made, "talk")))
    right = {len(clicks) for clicks, said in walks if any(one.get("message", {}).get("right") for one in said)}
    wrong = [said for _, said in walks if any(one.get("message", {}).get("right") is False for one in said)]
    assert min(right) == 3 and len(wrong) > 3, "a right answer after three clicks, and wrong ones before it"
    for number, (clicks, said) in enumerate(walks[:: max(1, len(walks) // 12)]):
        heard: list[str] = []
        folder = tmp_path / str(number)
        folder.mkdir()
        inside = Inside(folder, heard.append, lambda name: None, lang=lang)
        inside.hear(json.dumps({"type": "hello", "version": -1}))
        assert json.loads(heard[0])["screen"] == made["page"]
        for click in clicks:
            heard.clear()
            inside.hear(click)
        assert [json.loads(one) for one in heard] == said


# Python's side ---------------------------------------------------------------------------------------------


def test_files_are_named_when_they_change_and_come_back(tmp_path: Path) -> None:
    kept: list[str] = []
    inside = Inside(tmp_path, lambda text: None, kept.append, lang="cs")
    assert set(kept) == {"nimmt-lab.json", "nimmt-lab-pages.json"}
    kept.clear()
    inside.hear('{"path": ["screen"], "message": {"type": "open", "lesson": "traps"}}')
    assert kept == ["nimmt-lab-pages.json"]
    heard: list[str] = []
    again = Inside(tmp_path, heard.append, kept.append, lang="en")
    again.hear('{"type": "hello", "version": 5}')
    home = json.loads(heard[0])["screen"]
    assert home["data"]["lang"] == "cs", "the language chosen once stays"
    assert home["parts"]["screen"]["data"]["open"] == "traps"
    kept.clear()
    (tmp_path / "nimmt-lab.json").unlink()
    again.hear('{"path": [], "message": {"type": "go", "to": "play"}}')
    assert "nimmt-lab.json" in kept, "what has gone is named, too"


def test_what_long_work_writes_is_named_as_it_goes(tmp_path: Path) -> None:
    kept: list[str] = []
    inside = Inside(tmp_path, lambda text: None, kept.append)
    kept.clear()

    def work() -> Work:
        (tmp_path / "half").write_text("1")
        yield
        assert kept == ["half"], "not at the end only: the page may be closed before"
        (tmp_path / "whole").write_text("2")

    inside._drive(work())
    assert kept == ["half", "whole"]


def test_a_lesson_named_is_opened_at_the_first_visit_only(tmp_path: Path) -> None:
    begin = Begin("traps")
    Inside(tmp_path, lambda text: None, lambda name: None, begin=begin).hear(
        '{"path": ["screen"], "message": {"type": "open", "lesson": "scoring"}}'
    )
    heard: list[str] = []
    Inside(tmp_path, heard.append, lambda name: None, begin=begin).hear('{"type": "hello", "version": -1}')
    assert json.loads(heard[0])["screen"]["parts"]["screen"]["data"]["open"] == "scoring"


def test_nothing_in_settings_or_address_is_taken_for_html(site: Site) -> None:
    spoilt = replace(site, settings={**site.settings, "lang": "</script><b>"})
    assert "</script><b>" not in spoilt.folder()["index.html"].decode()
    assert "?a=1&amp;b=2</p>" in build._board("http://lab.school/?a=1&b=2")


@pytest.mark.parametrize(
    "text", ["", "[]", "nonsense", "{", '{"path": 3}', "1" * 5000, '{"path": ["a", "b"], "message": {}}']
)
def test_invalid_messages_are_ignored(text: str, tmp_path: Path) -> None:
    heard: list[str] = []
    Inside(tmp_path, heard.append, lambda name: None).hear(text)
    assert [json.loads(one)["type"] for one in heard] in ([], ["heard"]), "nothing is said of it"


def test_a_page_has_no_notebooks(tmp_path: Path) -> None:
    heard: list[str] = []
    inside = Inside(tmp_path, heard.append, lambda name: None)
    inside.hear('{"type": "hello", "version": -1}')
    inside.hear('{"path": [], "message": {"type": "go", "to": "notebooks"}}')
    home, refused = map(json.loads, heard)
    doors = [door["name"] for door in home["screen"]["data"]["doors"]]
    assert "notebooks" not in doors and "learn" in doors and refused["message"]["type"] == "refused"


class Counting(Screen):
    module = "counting"

    def receive(self, message: dict[str, Any]) -> None:
        if message["type"] == "stop":
            self.stop()
        else:
            self.work(self._count())

    def _count(self) -> Work:
        for at in range(1000):
            self.show(at=at)
            yield


def test_long_work_continues_between_messages_and_can_be_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = iter(range(10**6))
    monkeypatch.setattr("nimmt_lab.screens.connection.time.monotonic", lambda: next(clock) / 100)
    waiting: list[Any] = []
    heard: list[Any] = []
    wire = Connection(Counting(), heard.append, in_slices(waiting.append))
    wire.receive({"path": [], "message": {"type": "go"}})
    first = len(heard)
    assert 1 < first < 20 and len(waiting) == 1, "a slice, and the rest later"
    waiting.pop()()
    assert first < len(heard) and len(waiting) == 1
    wire.receive({"path": [], "message": {"type": "stop"}})
    done = len(heard)
    waiting.pop()()
    assert waiting == [] and len(heard) <= done + 1


# Refusals --------------------------------------------------------------------------------------------------


def test_another_pyodide_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    other = tmp_path / "pyodide.tgz"
    other.write_bytes(b"not it")
    assert main(["site", str(tmp_path / "out"), "--pyodide", str(other)]) == 2
    fields = {"origin": other, "version": runtime.VERSION}
    assert sentence("site.not_pyodide_has", fields) in capsys.readouterr().err and not (tmp_path / "out").exists()
    assert main(["site", str(tmp_path / "out"), "--pyodide", str(tmp_path / "none.tgz")]) == 2
    assert "none.tgz" in capsys.readouterr().err


def test_without_npm_it_says_what_to_install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setattr(shutil, "which", lambda name: None)
    monkeypatch.setattr(runtime, "find_spec", lambda name: None)
    with refused(runtime.NoRuntime, "site.npm_needed"):
        runtime.runtime()


def test_a_spoilt_cache_is_not_used(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    kept = tmp_path / "nimmt-lab" / f"pyodide-{runtime.VERSION}.tgz"
    kept.parent.mkdir()
    kept.write_bytes(b"spoilt")
    monkeypatch.setattr(runtime, "_fetched", lambda: b"fetched")
    with refused(runtime.NoRuntime, "site.came_another_fingerprint"):
        runtime.runtime()
    assert kept.read_bytes() == b"spoilt", "what is wrong is not kept either"


def test_other_peoples_folders_are_left_alone(site: Site, folder: Path, tmp_path: Path) -> None:
    (tmp_path / "thesis.txt").write_text("mine")
    with refused(RulesError, "site.other_files"):
        build.write_folder(site, tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["thesis.txt"]
    build.write_folder(site, folder)  # a site is renewed
    with refused(RulesError, "site.one_page"):
        build.write_one_file(site, folder)


@pytest.mark.parametrize(
    ("wrong", "key"),
    [
        ({"lang": "de"}, "shared.no_language"),
        ({"lesson": "p77"}, "shared.no_lesson_of"),
        ({"address": "lab.school"}, "site.address_http"),
        ({"address": "http://a b"}, "site.address_http"),
    ],
)
def test_what_makes_no_site_is_refused(wrong: dict[str, Any], key: str) -> None:
    with refused(RulesError, key):
        build.make(**wrong)


# For a class -----------------------------------------------------------------------------------------------


@pytest.mark.packaging
def test_a_page_for_a_class(tmp_path: Path) -> None:
    listed = make_class_list(["Ann Novak", "Bob"], seed=7)
    site = build.make(lesson="p2", class_list=listed, address="http://lab.school/p2/")
    text = json.dumps(site.settings)
    codes = [code_of(seed) for seed in listed.pupils.values()]
    assert all(code in text for code in codes) and "Novak" not in text, "codes, no names"
    folder = site.folder()
    assert b"http://lab.school/p2/" in folder["board.html"] and b"<svg" in folder["board.html"]
    begin = Begin.of(dig(site.settings, "begin"))
    heard: list[str] = []
    inside = Inside(tmp_path, heard.append, lambda name: None, begin=begin)

    def said(message: dict[str, Any]) -> list[Any]:
        heard.clear()
        inside.hear(json.dumps({"path": [], "message": message}))
        return [json.loads(one) for one in heard]

    assert "pfkx" in said({"type": "code", "text": "pfkx"})[0]["data"]["told"]
    assert code_of(8001) not in codes and "told" in said({"type": "code", "text": code_of(8001)})[0]["data"]
    (entered,) = said({"type": "code", "text": f" {codes[0].lower()} "})
    lesson = entered["screen"]["parts"]["screen"]["parts"]["lesson"]
    assert lesson["data"]["name"] == "p2"
    assert "teach" not in {door["name"] for door in entered["screen"]["data"]["doors"]}, "keys are for teachers"
    inside.hear(json.dumps({"path": ["home", "screen", "lesson"], "message": {"type": "go", "at": 1}}))
    heard.clear()
    # The pupil keeps the sheet, and after a reload the code is not asked for again.
    again = Inside(tmp_path, heard.append, lambda name: None, begin=begin)
    again.hear(json.dumps({"type": "hello", "version": -1}))
    page = json.loads(heard[0])["screen"]
    assert page["data"]["code"] == codes[0]
    kept = json.loads((tmp_path / "nimmt-lab-pages.json").read_text(encoding="utf-8"))["pages"]
    assert kept["lesson p2"]["seed"] == listed.pupils["Ann Novak"] and kept["lesson p2"]["at"] == 1
    assert kept["lesson p5"]["seed"] == listed.pupils["Ann Novak"]


def test_a_lesson_named_is_open_and_can_be_begun_before_python() -> None:
    made = foresee.foreseen("en", Begin("traps"))
    assert dig(made, "page", "parts", "screen", "data", "open") == "traps"
    assert dig(made, "talk", "then"), "and goes on"


#: Squares that another program has read, by length of the text: every version.
READ = {5: "df5ef53de2a7", 18: "746df78662a8", 30: "b9bef4468179", 60: "612426c60c7f", 80: "dd3035883073", 100: "967d6cfac2bc",
        120: "702d6380ea84", 150: "e5f0218e2283", 180: "dd30c0748220", 213: "9fc8809395b8"}  # fmt: skip


@pytest.mark.parametrize("length", READ)
def test_squares_are_those_that_were_read(length: int) -> None:
    text = ("http://lab.school:8000/" + "abcdefghij-0123456789/" * 12)[:length]
    assert hashlib.sha256(repr(qr.code(text)).encode()).hexdigest()[:12] == READ[length]


def test_an_address_too_long_for_a_square() -> None:
    with refused(RulesError, "site.address_long", size=214):
        qr.code("x" * 214)


def test_the_first_lesson_is_the_one_foreseen() -> None:
    assert any(lesson_names()[0] in click for click in dig(foresee.foreseen("en"), "talk", "then"))
