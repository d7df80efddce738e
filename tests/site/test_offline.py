"""Where the address allows it, the page works without its server; other sites at that address are left alone."""

from __future__ import annotations

import functools
import http.server
import json
import threading
from dataclasses import replace
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Route, expect

from nimmt_lab.site.build import Site, mark

from .conftest import PATIENCE, Quiet, Visitor
from .test_first_lesson import FIRST, answer, place

#: Another site of ours, and somebody else's data, stored at the same address.
OTHERS = ["nimmt-lab http://127.0.0.1/elsewhere/ 0123", "somebody's"]


@pytest.mark.browser
def test_it_stays_when_the_server_has_gone(browser: Browser, folder: Path) -> None:
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory=str(folder)))
    serving = threading.Thread(target=server.serve_forever, daemon=True)
    serving.start()
    address = f"http://127.0.0.1:{server.server_port}/"
    context = browser.new_context(reduced_motion="reduce", locale="en-GB")
    visitor = Visitor(context.new_page(), address)
    page = visitor.page
    held: list[Route] = []
    page.route("**/pyodide.asm.wasm*", lambda route: held.append(route))  # Python doesn't arrive yet
    try:
        visitor.come()
        page.evaluate("async (names) => { for (const name of names) await caches.open(name); }", OTHERS)
        manifest = page.evaluate("async () => (await fetch(document.querySelector('link[rel=manifest]').href)).json()")
        assert manifest["display"] == "standalone" and manifest["icons"] and manifest["start_url"] == "./"
        # An older version of ours is removed, and nobody else's data.
        page.evaluate("caches.open(`nimmt-lab ${new URL('./', location)} older`)")
        expect(page.locator(".nl-loading-text")).to_contain_text("MB", timeout=PATIENCE)
        while not held:
            page.evaluate("new Promise(requestAnimationFrame)")
        page.unroute("**/pyodide.asm.wasm*")
        for route in held:
            route.continue_()
        visitor.with_python()
        page.evaluate(
            """async () => {
              const { active } = await navigator.serviceWorker.ready;
              if (active.state !== "activated") await new Promise((done) => active.addEventListener("statechange", done));
            }"""
        )
        names = set(page.evaluate("caches.keys()"))
        assert (
            names >= {*OTHERS}
            and len(names) == len(OTHERS) + 1
            and not [name for name in names if name.endswith(" older")]
        )
    finally:
        server.shutdown()
        server.server_close()
        serving.join()
    page.goto(f"{address}?from=a-link")
    page.reload()
    visitor.click(f"[data-lesson='{FIRST}']")
    place(visitor, 0)
    visitor.click(".nl-lesson .nl-foot [data-do='next']")
    answer(visitor, 1, wrong_first=True)
    visitor.with_python()
    visitor.click("[data-do='map']")
    visitor.click("[data-door='play']")
    expect(page.locator("[data-do='start']")).to_be_visible(timeout=PATIENCE)
    context.close()
    assert (visitor.left, visitor.errors) == ([], [])


def test_the_script_keeps_all_that_the_page_asks_for(site: Site) -> None:
    folder = site.folder()
    said = folder["offline.js"].decode().splitlines()[0].removeprefix("const SITE = ").removesuffix(";")
    known = json.loads(said)
    assert {*known["around"], *known["files"]} == {*folder, "./"} - {"offline.js"}
    assert known["files"] == {name: mark(content) for name, content in site.files.items()}
    page = folder["index.html"].decode()
    settings = json.loads(page.split('id="nl-site">', 1)[1].split("</script>", 1)[0])
    assert settings["marks"] == known["files"] and settings["mark"] == known["site"] and settings["offline"] is True
    assert {part["name"]: part["size"] for part in settings["parts"]} == {
        name: len(content) for name, content in site.files.items() if not name.startswith("foreseen.")
    }
    # Any change makes it another site.
    others = [
        replace(site, settings={**site.settings, "lang": "pl"}),
        replace(site, files={**site.files, "python_stdlib.zip": b""}),
    ]
    assert len({site.mark, *(one.mark for one in others)}) == 3
