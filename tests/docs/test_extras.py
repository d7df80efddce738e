"""Optional parts of the documentation: executed studies, screenshots, lessons that run in a page."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import nbformat
import pytest
from playwright.sync_api import Browser, expect

from nimmt_lab.lessons import CLASSROOM, rules_lessons
from nimmt_lab.lessons.words import words
from nimmt_lab.screens.words import labels
from nimmt_lab.site.runtime import NoRuntime
from tests.docs.test_build import read
from tools.docs_extras import PLAYED, STEPS, caption, execute, live_page
from tools.docs_parts import LIVE, ROOT, Pages, PartError, expand


@pytest.mark.exhaustive
def test_a_study_is_executed_without_scripts(tmp_path: Path) -> None:
    """Figures become drawings; nothing is left that needs a kernel or a script."""
    source = tmp_path / "study.ipynb"
    code = [
        "import altair as alt\nfrom nimmt_lab.charts import course\nalt.Chart(alt.Data(values=[{'x': 1}])).mark_point().encode(x='x:Q')",
        "from nimmt_lab import Classic, Record\nRecord(Classic(players=2), seed=1)",
        "print(6 * 7)",
    ]
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(one) for one in code])
    nbformat.write(notebook, source)
    execute(source, tmp_path / "out" / "study.ipynb")
    made = nbformat.read(tmp_path / "out" / "study.ipynb", as_version=4)
    assert [cell.source for cell in made.cells] == code and "widgets" not in made.metadata
    chart, board, number = (cell.outputs for cell in made.cells)
    assert any("image/svg+xml" in output.get("data", {}) for output in chart)
    assert any("<svg" in str(output.get("data", {}).get("text/html", "")) for output in board)
    assert number[0]["text"] == "42\n"
    assert not re.search(r'"application/[^"]*(widget|vega)[^"]*"', json.dumps(made))


def test_a_lesson_in_a_page_is_a_frame_of_its_own() -> None:
    block = "```{lesson} traps\n```"
    told = expand(block, Pages(Path("nowhere")), "pl")
    assert "make lab" in told and "iframe" not in told and words("pl")("traps.title") in told
    framed = expand(block, Pages(Path("nowhere"), live=True, up="../"), "pl")
    assert f' data-src="../{LIVE}#lesson=traps&amp;lang=pl"' in framed and "allow-same-origin" not in framed


def test_lessons_are_listed_once_to_read_or_to_open() -> None:
    """Each part counts from 1, as in Learn and Teach. On pages with live lessons, the list opens them."""
    plain = expand("```{lessons} probability\n```", Pages(Path("nowhere")), "pl")
    assert plain.splitlines()[1] == f"2. {words('pl')('p2.title')} (`p2`)" and len(plain.splitlines()) == len(CLASSROOM)
    pages = Pages(Path("nowhere"), live=True)
    opened = expand("```{lessons} rules\n```", pages, "cs")
    names = [lesson.name for lesson in rules_lessons()]
    assert pages.lessons == set(names) and opened.count("<details") == len(names)
    assert f"<summary>1. {words('cs')('first_turn.title')}</summary>" in opened
    with pytest.raises(PartError):
        expand("```{lessons} nothing\n```", pages)


@pytest.mark.browser
def test_a_lesson_is_loaded_when_it_is_opened(tmp_path: Path, browser: Browser) -> None:
    """A page may have thirty of them, and each one would start a Python."""
    (tmp_path / "_live").mkdir()
    (tmp_path / LIVE).write_text("<!doctype html><p>here it is</p>", encoding="utf-8")
    framed = expand("```{lesson} traps\n```\n\n```{lesson} first_turn\n```", Pages(tmp_path, live=True), "en")
    (tmp_path / "page.html").write_text(f"<!doctype html><meta charset='utf-8'>{framed}", encoding="utf-8")
    page = browser.new_context().new_page()
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto((tmp_path / "page.html").as_uri())
    assert len(asked) == 1
    for _ in range(3):  # opened, closed and opened again: loaded only once, so no work is lost
        page.locator("summary").nth(1).click()
    expect(page.frame_locator("iframe.live >> nth=1").get_by_text("here it is")).to_be_visible()
    assert len(asked) == 2
    assert page.frames[-1].url.endswith(f"{LIVE}#lesson=first_turn&lang=en")
    page.context.close()


def test_captions_are_for_people() -> None:
    assert (
        caption("screen-teach") == labels("en", "home")["teach"]
        and caption("screen-analyse") == caption("analyse-buffalo") == ""
        and caption("first_turn-1-last") == caption("first_turn-1") + STEPS["last"]
    )
    assert caption("first_turn-4") == ""
    assert caption("cover") == PLAYED["cover"]


@pytest.mark.slow
@pytest.mark.browser
def test_a_lesson_of_a_page_opens_and_answers(tmp_path: Path, browser: Browser) -> None:
    """From a file, in a frame without an origin, in the page's language: the first question can be answered."""
    try:
        page_of_lessons = live_page(["first_turn", "traps"])
    except NoRuntime as reason:
        pytest.skip(str(reason))
    (tmp_path / "_live").mkdir()
    (tmp_path / LIVE).write_text(page_of_lessons, encoding="utf-8")
    framed = expand("```{lesson} traps\n```", Pages(tmp_path, live=True), "cs")
    (tmp_path / "page.html").write_text(f"<!doctype html><meta charset='utf-8'>{framed}", encoding="utf-8")
    page = browser.new_context(reduced_motion="reduce", viewport={"width": 1366, "height": 768}).new_page()
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url) if request.url.startswith("http") else None)
    page.goto((tmp_path / "page.html").as_uri())
    page.locator("summary").click()
    inside = page.frame_locator("iframe.live")
    expect(inside.get_by_text(words("cs")("traps.title")).first).to_be_visible(timeout=60_000)
    inside.locator("[data-option='4']").first.click()
    expect(inside.get_by_text(words("cs")("page.right")).first).to_be_visible(timeout=240_000)
    assert asked == []
    page.context.close()


@pytest.mark.slow
def test_everything_can_be_built_at_once(tmp_path: Path) -> None:
    """Studies executed, and screenshots where there is a Chromium: any warning fails, and no page uses the network."""
    command = [sys.executable, "tools/docs.py", str(tmp_path / "site"), "--execute"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]
    studies = sorted((tmp_path / "site" / "studies").glob("[0-9]*.html"))
    assert len(studies) == len(list((ROOT / "notebooks").glob("*.ipynb")))
    assert sum("_images/" in path.read_text(encoding="utf-8") for path in studies) > 10  # figures
    for path in studies:
        text = path.read_text(encoding="utf-8")
        assert "cell_output" in text, path.name
        assert [one for one in read(path).loads if one.startswith(("http", "//"))] == [], path.name
