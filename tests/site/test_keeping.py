"""The page's storage in the browser: two tabs, restoring a backup, and undoing that."""

from __future__ import annotations

import base64
import json
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Dialog, Page, expect

from nimmt_lab.lessons.classroom import lesson_names
from nimmt_lab.screens.words import labels

from .conftest import PATIENCE, Visitor

WORDS = labels("en", "site")
#: Stored texts by name, without the page's own notes.
STORED = """async () => {
  const { base } = nimmtLab.host.store;
  await nimmtLab.host.store.later;
  const files = base.transaction("files").objectStore("files");
  const asked = (request) => new Promise((done) => { request.onsuccess = () => done(request.result); });
  const [names, contents] = await Promise.all([asked(files.getAllKeys()), asked(files.getAll())]);
  const text = (content) => (typeof content === "string" ? content : new TextDecoder().decode(content));
  return Object.fromEntries(names.map((name, at) => [name, text(contents[at])]));
}"""
DONE = """
from nimmt_lab.lessons import progress
from pathlib import Path
progress.update(Path("/home/nimmt-lab"), lambda now: now.with_lesson({lesson!r}, {right}, 9))
"""


def _stored(page: Page) -> dict[str, str]:
    found: dict[str, str] = page.evaluate(STORED)
    return found


def _done(visitor: Visitor, lesson: str, right: int) -> None:
    """Do something in the page's Python; the page hears of it at the next click."""
    visitor.python(DONE.format(lesson=lesson, right=right))
    visitor.click("[data-door='practise']")
    expect(visitor.page.locator("[data-door='practise'][aria-current]")).to_be_visible(timeout=PATIENCE)
    visitor.python("None")


def _backup(path: Path, files: dict[str, str]) -> Path:
    packed = {name: base64.b64encode(text.encode()).decode() for name, text in files.items()}
    path.write_text(json.dumps({"format": "nimmt-kept/1", "files": packed}), encoding="utf-8")
    return path


@pytest.mark.browser
def test_two_tabs_keep_what_both_have_done(visit: Callable[..., Visitor], tmp_path: Path) -> None:
    first, second, third = lesson_names()[:3]
    one = visit().come().with_python()
    _done(one, first, 3)
    other = Visitor(one.page.context.new_page(), one.address).come().with_python()
    # Both continue separately from the same point.
    _done(one, second, 4)
    _done(other, third, 5)
    _done(one, first, 2)  # a worse result than before
    done = json.loads(_stored(other.page)["nimmt-lab.json"])["done"]
    assert done == {first: [3, 9], second: [4, 9], third: [5, 9]}

    # An unusable file changes nothing and says why.
    asked: list[str] = []

    def answer(visitor: Visitor, yes: bool) -> None:
        def on(dialog: Dialog) -> None:
            asked.append(dialog.message)
            (dialog.accept if yes else dialog.dismiss)()

        visitor.page.once("dialog", on)

    one.click(".nl-kept summary")
    before = _stored(one.page)
    chooser, told = one.page.locator("[data-do='bring-file']"), one.page.locator(".nl-kept p > [role=status]")
    for files, why in (
        ({"games": "", "games/x": ""}, WORDS["bring_clash"].replace("{name}", "games")),
        ({"../x": ""}, WORDS["bring_name"].replace("{name}", "../x")),
        ({"page.json": ""}, WORDS["bring_name"].replace("{name}", "page.json")),
    ):
        chooser.set_input_files(_backup(tmp_path / "wrong.json", files))
        expect(told).to_have_text(why, timeout=PATIENCE)
    assert _stored(one.page) == before and not asked

    # A usable one: the page asks first, and only a yes replaces anything.
    progress = {"format": "nimmt-progress/1", "lang": "pl", "name": "Ann", "done": {second: [9, 9]}}
    good = _backup(tmp_path / "good.json", {"nimmt-lab.json": json.dumps(progress), "games/classic-1.nimmt": "x"})
    answer(one, yes=False)
    chooser.set_input_files(good)
    one.page.wait_for_function("() => true")
    one.page.evaluate("new Promise(requestAnimationFrame)")
    assert _stored(one.page) == before and asked == [WORDS["bring_sure"].replace("{file}", "good.json")]
    # Without room for it, nothing has changed and the page still works.
    one.page.evaluate(
        "() => { const put = IDBObjectStore.prototype.put; let count = 0;"
        " IDBObjectStore.prototype.put = function (...given) {"
        "  if (++count === 2) { IDBObjectStore.prototype.put = put; throw new DOMException('', 'QuotaExceededError'); }"
        "  return put.apply(this, given); }; }"
    )
    answer(one, yes=True)
    chooser.set_input_files(good)
    expect(told).to_have_text(WORDS["bring_failed"], timeout=PATIENCE)
    assert _stored(one.page) == before
    answer(one, yes=True)
    with one.page.expect_navigation():
        chooser.set_input_files(good)
    expect(one.page.locator("html")).to_have_attribute("lang", "pl", timeout=PATIENCE)
    one.with_python()
    now = json.loads(_stored(one.page)["nimmt-lab.json"])
    assert now["name"] == "Ann" and now["done"] == {second: [9, 9]}

    # The other tab doesn't know about it: it saves nothing more, and says so.
    other.click("[data-door='play']")
    expect(other.page.locator("[data-do='reload']")).to_be_visible(timeout=PATIENCE)
    expect(other.page.locator(".nl-loading-text")).to_have_text(WORDS["replaced"])
    assert json.loads(_stored(one.page)["nimmt-lab.json"])["done"] == {second: [9, 9]}

    # And back again.
    one.click(".nl-kept summary")
    answer(one, yes=True)
    with one.page.expect_navigation():
        one.click("[data-do='undo']")
    expect(one.page.locator("html")).to_have_attribute("lang", "en", timeout=PATIENCE)
    assert json.loads(_stored(one.page)["nimmt-lab.json"])["done"] == done
    assert (other.errors, other.left) == ([], [])
