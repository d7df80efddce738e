"""The page while its Python is loading: a fake Pyodide never arrives, so nothing large has to be built."""

from __future__ import annotations

import functools
import http.server
import json
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from nimmt_lab.lessons import rules_lesson
from nimmt_lab.site import build

from .conftest import Quiet, Visitor
from .test_first_lesson import FIRST, answer, place

pytestmark = [pytest.mark.browser, pytest.mark.smoke]

LOCK = {"info": {"arch": "wasm32", "platform": "emscripten", "version": "0", "python": "3.13.0"}, "packages": {}}
#: Files of the names the page asks for; loading them never ends.
RUNTIME = {
    "pyodide.mjs": b"export const loadPyodide = () => new Promise(() => {});",
    "pyodide.asm.mjs": b"export default () => {};",
    "pyodide.asm.wasm": b"\0asm",
    "python_stdlib.zip": b"",
    "pyodide-lock.json": json.dumps(LOCK).encode(),
}


@pytest.fixture
def address(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    monkeypatch.setattr(build, "runtime", lambda package: dict(RUNTIME))
    monkeypatch.setattr(build, "wheel", lambda: b"")
    folder = tmp_path / "page"
    build.write_folder(build.make(), folder)
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory=str(folder))) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/"
        server.shutdown()


def test_the_first_lesson_begins_before_python_is_ready(browser: Browser, address: str) -> None:
    context = browser.new_context(viewport={"width": 390, "height": 844}, reduced_motion="reduce", locale="en-GB")
    visitor = Visitor(context.new_page(), address).come()
    visitor.click(f"[data-lesson='{FIRST}']")
    place(visitor, 0)
    visitor.click(".nl-lesson .nl-foot [data-do='next']")
    place(visitor, 1)
    assert rules_lesson(FIRST).steps[1].ask
    answer(visitor, 1, wrong_first=True)
    assert visitor.page.evaluate("document.documentElement.dataset.python") != "ready"
    context.close()
    assert (visitor.left, visitor.errors) == ([], [])
