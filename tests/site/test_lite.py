"""JupyterLite: its packages, notebooks and refusals; and (slow) a lesson and a study in it."""

from __future__ import annotations

import functools
import hashlib
import http.server
import io
import json
import re
import subprocess
import sys
import threading
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import rpds
from playwright.sync_api import Browser, Page, Route, expect

from nimmt_lab.charts import hand_risk, intervals
from nimmt_lab.cli import main
from nimmt_lab.commands.lab import lab_settings, tutorials
from nimmt_lab.engine.errors import RulesError
from nimmt_lab.engine.record import Record
from nimmt_lab.engine.sentences import sentence
from nimmt_lab.lessons import question_of, rules_lesson
from nimmt_lab.lessons.words import LANGUAGES
from nimmt_lab.screens.words import labels
from nimmt_lab.site import build, lite, persistent, runtime, wheel
from nimmt_lab.site.build import Site
from nimmt_lab.study import finding
from tests.support import refused

ROOT = Path(__file__).resolve().parents[2]
STUDIES = sorted((ROOT / "notebooks").glob("*.ipynb"))
#: Packages that no page includes.
NOWHERE = ("polars", "vl_convert", "numpy", "pandas", "pyarrow")


# The packages ----------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def unpacked(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The drawing code of a chart in a page: plain Python alone."""
    place = tmp_path_factory.mktemp("packages")
    made = dict(lite.pure(name) for name in lite.closure(["altair"]))
    made[wheel.NAME] = wheel.wheel(without=wheel.NOTEBOOKS)
    for content in made.values():
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            assert not [name for name in archive.namelist() if name.endswith((".so", ".pyd", ".pyc")) or ".." in name]
            archive.extractall(place)
    return place


DRAW = """
import json, sys
sys.path[:0] = [sys.argv[1]]
from nimmt_lab import Record
from nimmt_lab.charts import hand_risk, intervals
from nimmt_lab.study import finding
import altair, rpds
lines = ["edges:random:1", "edges:random:5", "edges:random:9"]
drawn = [intervals(finding("low_cards", "cs"), lines), hand_risk(Record.load(sys.argv[2]), seat=0)]
bundle = drawn[0]._repr_mimebundle_(None, None)
kinds = sorted(bundle[0] if isinstance(bundle, tuple) else bundle)
print(json.dumps([rpds.__file__.endswith("rpds.py"), kinds, [one.to_dict() for one in drawn]]))
"""


@pytest.mark.packaging
def test_charts_are_the_same_without_anything_compiled(unpacked: Path, tmp_path: Path) -> None:
    record = _played()
    record.save(tmp_path / "game.nimmt")
    command = [sys.executable, "-I", "-S", "-c", DRAW, str(unpacked), str(tmp_path / "game.nimmt")]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr[-2000:]
    plain, kinds, drawn = json.loads(done.stdout)
    lines = ["edges:random:1", "edges:random:5", "edges:random:9"]
    here = [intervals(finding("low_cards", "cs"), lines), hand_risk(record, seat=0)]
    assert plain and drawn == [json.loads(json.dumps(one.to_dict())) for one in here]
    assert kinds == ["application/vnd.vegalite.v5+json", "text/plain"], "JupyterLab draws it: nothing is fetched"


def _played() -> Record:
    from nimmt_lab import Classic
    from nimmt_lab.bots import bot, record

    return record(Classic(players=3, rounds=1), [bot("random")] * 3, seed=5)


@pytest.mark.parametrize("here", [rpds, persistent], ids=["compiled", "ours"])
def test_collections_that_never_change(here: Any) -> None:
    """Our collections behave like the compiled ones."""
    first = here.HashTrieMap({"a": 1, "b": 2})
    assert here.HashTrieMap.convert(first) is first and dict(here.HashTrieMap.convert({"c": 3})) == {"c": 3}
    assert dict(first.insert("a", 9)) == {"a": 9, "b": 2} and dict(first.remove("a")) == {"b": 2}
    assert dict(first.update({"b": 5}, [("d", 6)])) == {"a": 1, "b": 5, "d": 6} and dict(first.discard("z")) == dict(
        first
    )
    assert dict(first) == {"a": 1, "b": 2}, "it has not changed"
    assert first.get("a") == 1 and first.get("z", 0) == 0 and "b" in first and "z" not in first and len(first) == 2
    assert first == here.HashTrieMap([("b", 2), ("a", 1)]) and hash(first) == hash(
        here.HashTrieMap([("b", 2), ("a", 1)])
    )
    with pytest.raises(KeyError):
        first.remove("z")
    some = here.HashTrieSet(["x"])
    assert (
        set(some.insert("y")) == {"x", "y"} and set(some.update(["y"], ["z"])) == {"x", "y", "z"} and set(some) == {"x"}
    )
    assert (
        set(some.discard("x")) == set() and set(some.discard("q")) == {"x"} and "x" in some and not here.HashTrieSet()
    )
    assert some.remove("x") == here.HashTrieSet() and hash(some) == hash(here.HashTrieSet(["x"]))
    with pytest.raises(KeyError):
        some.remove("q")
    line = here.List(["b", "c"])
    assert list(line.push_front("a")) == ["a", "b", "c"] and list(line) == ["b", "c"] and len(line) == 2
    assert (
        line.first == "b"
        and list(line.rest) == ["c"]
        and line == here.List(["b", "c"])
        and line != here.List(["c", "b"])
    )
    assert "c" in list(line) and hash(line) == hash(here.List(["b", "c"]))


def test_what_is_compiled_only_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lite, "_PLAIN_TOO", frozenset())
    with refused(lite.NoLite, "site.compiled_there_none", name="markupsafe"):
        lite.pure("markupsafe")


def test_what_a_page_needs_follows_from_what_is_installed() -> None:
    found = lite.closure()
    assert {*lite.ROOTS, "traitlets", "rpds-py", "psygnal", "pygments"} <= {*found}
    assert not {"pexpect", "polars", "numpy", "jupyterlab-widgets", "widgetsnbextension", "colorama"} & {*found}


def test_the_list_names_every_wheel_and_its_fingerprint() -> None:
    wheels = {"nimmt_lab-1.0-py3-none-any.whl": b"a", "IPython-9-py3-none-any.whl": b"b"}
    made = json.loads(wheel.lock_file(b'{"info": {"arch": "wasm32"}, "packages": {"other": {}}}', wheels))
    assert made["info"] == {"arch": "wasm32"} and [*made["packages"]] == ["ipython", "nimmt-lab"]
    assert made["packages"]["nimmt-lab"]["sha256"] == hashlib.sha256(b"a").hexdigest()
    assert made["packages"]["ipython"]["file_name"] == "IPython-9-py3-none-any.whl"


def test_another_micropip_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setattr(runtime, "_from_the_index", lambda: b"another")
    with refused(runtime.NoRuntime, "site.came_another_fingerprint"):
        runtime.micropip()
    assert [*tmp_path.iterdir()] == [], "and not kept"


# The notebooks ---------------------------------------------------------------------------------------------

RUN = """
import json, sys
for name in {nowhere}:
    sys.modules[name] = None  # as where it is not installed
found = {{}}
for path in sys.argv[1:]:
    with open(path, encoding="utf-8") as file:
        cells = json.load(file)["cells"]
    names, missing = {{}}, []
    try:
        for cell in cells:
            if cell["cell_type"] == "code":
                exec("".join(cell["source"]), names)
    except ModuleNotFoundError as error:
        missing.append(error.name)
    found[path] = missing
print(json.dumps(found))
"""


@pytest.mark.exhaustive
def test_a_study_says_what_it_needs_and_a_page_has_not() -> None:
    """Without those packages each study runs to its end, or stops for lack of exactly what it states."""
    command = [sys.executable, "-c", RUN.format(nowhere=NOWHERE), *map(str, STUDIES)]
    done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT)
    assert done.returncode == 0, done.stderr[-2000:]
    found = json.loads(done.stdout.splitlines()[-1])
    says = {str(path): lite.needs(json.loads(path.read_text(encoding="utf-8"))) for path in STUDIES}
    assert found == says
    assert 5 < sum(not missing for missing in says.values()) < len(STUDIES)


@pytest.mark.parametrize("lang", LANGUAGES)
def test_notebooks_are_made_for_the_page(lang: str) -> None:
    books = tutorials(lang, {})
    words = labels(lang, "site")
    told = {}
    for name, text in books.items():
        if name.endswith(".ipynb"):
            book = json.loads(lite.for_a_page(text, words))
            assert book["metadata"]["kernelspec"]["name"] == "python"
            said = words["lab_needs"].format(packages="polars")
            told[name] = sum(said in "".join(cell["source"]) for cell in book["cells"])
            assert len({cell["id"] for cell in book["cells"]}) == len(book["cells"])
            if told[name]:
                assert said in "".join(book["cells"][1]["source"]), "right below the heading"
    assert told["strategy/01_how_many_players.ipynb"] == 1 and told["strategy/12_low_cards.ipynb"] == 0
    assert sum(told.values()) == sum(bool(lite.needs(json.loads(path.read_text(encoding="utf-8")))) for path in STUDIES)


def test_the_site_leads_there(site: Site, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def built(root: Path, out: Path) -> None:
        out.mkdir()
        for path in root.rglob("*"):
            if path.is_file():
                (out / path.relative_to(root).as_posix().replace("/", "!")).write_bytes(path.read_bytes())
        (out / "large.js.map").write_bytes(b"for its developers")

    monkeypatch.setattr(lite, "_build", built)
    monkeypatch.setattr(lite, "packages", lambda: {"nimmt_lab-1-py3-none-any.whl": b"wheel"})
    made = lite.with_notebooks(site, {"index.ipynb": json.dumps({"metadata": {}, "cells": []})}, lab_settings(), "pl")
    assert {*made.lab} == {
        "files!index.ipynb", "files!nimmt-lab.json", "jupyter-lite.json", "overrides.json",
        "packages/nimmt_lab-1-py3-none-any.whl", "packages/pyodide-lock.json",
    }  # fmt: skip
    assert json.loads(made.lab["files!nimmt-lab.json"])["lang"] == "pl"
    kernel = json.loads(made.lab["jupyter-lite.json"])["jupyter-config-data"]["litePluginSettings"][
        "@jupyterlite/pyodide-kernel-extension:kernel"
    ]
    assert kernel["pyodideUrl"] == "./../pyodide.mjs" and kernel["disablePyPIFallback"] is True
    assert kernel["loadPyodideOptions"] == {"lockFileURL": "./packages/pyodide-lock.json", "packages": ["nimmt-lab"]}
    settings = json.loads(made.lab["overrides.json"])
    assert settings["@jupyterlab/notebook-extension:panel"] == lab_settings()["@jupyterlab/notebook-extension:panel"]
    assert settings["@jupyterlab/notebook-extension:tracker"]["autoStartDefaultKernel"] is True
    assert settings["@jupyterlab/notebook-extension:tracker"]["windowingMode"] == "none"
    assert made.size > site.size and made.count == site.count + len(made.lab)
    assert lite.FIRST in made.folder()["index.html"].decode() and lite.FIRST not in site.folder()["index.html"].decode()
    # Written and updated with the page, and deleted with a page that has none.
    out = tmp_path / "site"
    build.write_folder(made, out)
    assert (out / "jupyter" / "packages" / "pyodide-lock.json").is_file()
    (out / "jupyter" / "old.js").write_text("old")
    build.write_folder(made, out)
    assert not (out / "jupyter" / "old.js").exists()
    build.write_folder(site, out)
    assert not (out / "jupyter").exists() and not [path for path in out.iterdir() if path.name.startswith(".")]
    (out / "jupyter").mkdir()
    (out / "jupyter" / "thesis.ipynb").write_text("mine")
    with refused(RulesError, "site.other_files"):
        build.write_folder(made, out)
    assert (out / "jupyter" / "thesis.ipynb").read_text() == "mine"


def test_one_file_does_not_contain_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["site", str(tmp_path / "lab.html"), "--one-file", "--jupyterlite"]) == 2
    assert (
        sentence("commands.address_folder", {"what": "--jupyterlite"}) in capsys.readouterr().err
        and [*tmp_path.iterdir()] == []
    )


def test_without_its_packages_it_says_what_to_install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lite, "ROOTS", ("jupyterlite-of-mars",))
    with refused(lite.NoLite, "site.jupyterlite_needs_pip", name="jupyterlite-of-mars"):
        lite.closure(lite.ROOTS)


# In Chromium -----------------------------------------------------------------------------------------------


class _Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, format: str, *args: object) -> None:
        pass


@pytest.fixture(scope="module")
def lab(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """All of it on a plain server."""
    out = tmp_path_factory.mktemp("lite") / "site"
    assert main(["site", str(out), "--jupyterlite"]) == 0
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(_Quiet, directory=str(out))) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/"
        server.shutdown()


PATIENCE = 240_000


def opened(browser: Browser, lab: str, book: str, left: list[str]) -> Page:
    """Open a notebook with its Python, and run it."""
    context = browser.new_context(viewport={"width": 1366, "height": 900}, reduced_motion="reduce")

    def guard(route: Route) -> None:
        if route.request.url.startswith((lab, "blob:", "data:")):
            route.continue_()
        else:
            left.append(route.request.url)
            route.abort()

    context.route("**/*", guard)
    page = context.new_page()
    page.set_default_timeout(PATIENCE)
    page.goto(f"{lab}jupyter/lab/index.html?path={book}")
    page.locator("#jp-main-statusbar").get_by_text("| Idle").wait_for()
    page.locator("[data-jp-item-name='nimmt-start']").click()
    return page


@pytest.mark.slow
@pytest.mark.browser
def test_a_lesson_to_its_first_right_answer(browser: Browser, lab: str) -> None:
    left: list[str] = []
    page = opened(browser, lab, "rules/01_first_turn.ipynb", left)
    asked = next(at for at, step in enumerate(rules_lesson("first_turn").steps) if step.ask)
    for _ in range(asked):
        page.locator(".nl-lesson .nl-foot [data-do='next']").click()
    question = question_of(rules_lesson("first_turn").steps[asked])
    wrong = next(choice for choice in question.choices if choice not in question.right)
    page.locator(f".nl-option[data-option='{wrong}']").click()
    expect(page.locator(".nl-feedback.nl-wrong")).to_be_visible(timeout=PATIENCE)
    page.locator(f".nl-option[data-option='{min(question.right)}']").click()
    expect(page.locator(".nl-feedback.nl-right")).to_be_visible(timeout=PATIENCE)
    page.context.close()
    assert left == []


def last_words(book: str) -> str:
    """The end of the line that the last cell of a study prints, after its last number; empty if it prints nothing."""
    notebook = json.loads((ROOT / "notebooks" / f"{book}.ipynb").read_text(encoding="utf-8"))
    code = ["".join(cell["source"]) for cell in notebook["cells"] if cell["cell_type"] == "code"][-1]
    found = re.findall(r'print\(f".*\} ([^"{}]+)"\)', code)
    return str(found[-1]) if found else ""


@pytest.mark.slow
@pytest.mark.browser
@pytest.mark.parametrize(("book", "prints"), [("08_a_game_reviewed", True), ("12_low_cards", False)])
def test_a_study_is_executed(browser: Browser, lab: str, book: str, prints: bool) -> None:
    printed = last_words(book)
    assert bool(printed) == prints
    left: list[str] = []
    page = opened(browser, lab, f"strategy/{book}.ipynb", left)
    page.locator(".vega-embed svg, .vega-embed canvas").first.wait_for()
    # Its claims are asserted in the last cell, which prints something or nothing.
    if printed:
        expect(page.locator(".jp-OutputArea-output").last).to_contain_text(printed, timeout=PATIENCE)
    page.locator("#jp-main-statusbar").get_by_text("| Idle").wait_for()
    assert page.get_by_text("Traceback").count() == page.get_by_text("Error").count() == 0
    page.context.close()
    assert left == []
