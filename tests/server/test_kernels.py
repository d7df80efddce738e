"""Home's kernels start in a folder of ours, and end with their page."""

from __future__ import annotations

import asyncio
import json
import re
import threading
from collections.abc import Coroutine, Iterator
from concurrent.futures import ThreadPoolExecutor
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest
from playwright.sync_api import Browser, Page

from nimmt_lab.explain.catalogue import own_catalogue
from nimmt_lab.server.kernels import HomeKernels
from nimmt_lab.server.pages import PACKAGE
from tools.fuzz_routes import HOME, RAN, Lab

#: Visible once Home has connected to its kernel, on any screen.
DOOR = ".nl-door [data-door='learn']"


def run(work: Coroutine[object, object, None]) -> None:
    """In a thread of its own, because a browser of another test may have a running loop in this one."""
    with ThreadPoolExecutor(1) as thread:
        thread.submit(asyncio.run, work).result()


class Manager:
    """A fake kernel manager."""

    def __init__(self) -> None:
        self.pages: dict[str, int] = {}

    def __contains__(self, kernel_id: str) -> bool:
        return kernel_id in self.pages

    def kernel_model(self, kernel_id: str) -> dict[str, int]:
        return {"connections": self.pages[kernel_id]}

    async def shutdown_kernel(self, kernel_id: str) -> None:
        del self.pages[kernel_id]


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


def test_a_kernel_without_a_page_ends_after_a_while() -> None:
    manager, clock = Manager(), Clock()
    homes = HomeKernels(manager, clock=clock, patience=100)

    def later(seconds: float) -> set[str]:
        clock.now += seconds
        run(homes.sweep())
        return set(manager.pages)

    manager.pages = {"home": 0, "never": 0, "notebook": 0}
    homes.add("home")
    homes.add("never")
    assert later(50) == {"home", "never", "notebook"}  # a page takes time to connect
    manager.pages["home"] = 1
    assert later(60) == {"home", "notebook"}  # nobody ever connected to this one
    assert later(1000) == {"home", "notebook"}
    manager.pages["home"] = 0
    assert later(1) == {"home", "notebook"}
    assert later(99) == {"home", "notebook"}
    manager.pages["home"] = 1  # back again
    assert later(50) == {"home", "notebook"}
    manager.pages["home"] = 0
    assert later(1) == {"home", "notebook"}
    assert later(100) == {"notebook"}  # notebooks' kernels are left alone
    assert "home" not in homes and later(10_000) == {"notebook"}


def test_only_homes_kernels_are_ended() -> None:
    manager = Manager()
    homes = HomeKernels(manager)
    manager.pages = {"home": 1, "notebook": 1}
    homes.add("home")
    run(homes.end("notebook"))
    run(homes.end("home"))
    run(homes.end("home"))
    assert set(manager.pages) == {"notebook"}
    homes.add("gone")  # JupyterLab has ended it
    run(homes.sweep())
    assert "gone" not in homes


@pytest.fixture
def page(browser: Browser, guarded: Lab) -> Iterator[Page]:
    """A browser that opens the printed address. No script may fail, and our policy may block none."""
    context = browser.new_context()
    page = context.new_page()
    page.set_default_timeout(60_000)
    wrong: list[str] = []
    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.on("console", lambda said: wrong.append(said.text) if "Content Security Policy" in said.text else None)
    page.goto(f"http://{guarded.host}{HOME}?token={guarded.token}")
    page.locator(DOOR).wait_for()
    yield page
    page.goto("about:blank")  # closing a page ends its kernel
    assert not settled(guarded, page, 0)
    context.close()
    assert not wrong


def settled(guarded: Lab, page: Page, most: int = 1) -> list[str]:
    """The remaining kernels after ending ones are gone: waits for that state until the test's time runs out."""
    for _ in range(300):
        if len(guarded.kernels()) <= most:
            break
        page.wait_for_timeout(100)
    return guarded.kernels()


@pytest.mark.browser
@pytest.mark.lab
def test_ten_reloads_leave_one_kernel(page: Page, guarded: Lab) -> None:
    page.wait_for_function("location.hash !== ''")  # the page adds where it is
    assert page.url == f"http://{guarded.host}{HOME}#/learn"  # without the token
    assert len(guarded.kernels()) == 1
    for _ in range(10):
        page.reload()
        page.locator(DOOR).wait_for()
    assert page.url == f"http://{guarded.host}{HOME}#/learn"
    assert len(settled(guarded, page)) == 1


@pytest.mark.browser
@pytest.mark.lab
def test_home_is_ours_and_imports_nothing_from_the_folder(page: Page, guarded: Lab) -> None:
    """`home.ipynb`, `random.py` and others are planted in the folder, and `voila.py` where the server was started."""
    page.locator("[data-door='play']").click()
    page.locator("[data-do='start']").click()
    page.locator(".nl-mine .nl-option").first.wait_for()
    assert not (guarded.marks / RAN).exists(), (guarded.marks / RAN).read_text()
    # Its saved work is still in the learner's folder.
    kept = json.loads((guarded.folder / "nimmt-lab-pages.json").read_text(encoding="utf-8"))["pages"]
    assert kept["home"] == {"screen": "play"}


@pytest.mark.browser
@pytest.mark.lab
def test_home_has_a_strict_policy(page: Page, guarded: Lab) -> None:
    answer = page.reload()
    assert answer is not None
    policy = answer.headers["content-security-policy"]
    script = re.search(r"script-src ([^;]*)", policy)
    assert script is not None and re.fullmatch(r"'self' 'nonce-[\w-]+' blob:", script[1])
    assert "default-src 'none'" in policy and "frame-ancestors 'none'" in policy and "object-src 'none'" in policy
    page.locator(DOOR).wait_for()
    # This is why the page has its font.
    page.wait_for_function("() => [...document.fonts].some((face) => face.status === 'loaded')")
    assert "Nunito" in page.locator(DOOR).first.evaluate("(node) => getComputedStyle(node).fontFamily")


class Elsewhere(ThreadingHTTPServer):
    """Another server on this machine, with one page."""

    html = ""

    @property
    def address(self) -> str:
        return f"http://localhost:{self.server_address[1]}/"


class OnePage(BaseHTTPRequestHandler):
    server: Elsewhere

    def do_GET(self) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.end_headers()
        self.wfile.write(self.server.html.encode())

    def log_message(self, *_: object) -> None:
        """Nobody reads it."""


@pytest.fixture
def elsewhere() -> Iterator[Elsewhere]:
    with Elsewhere(("127.0.0.1", 0), OnePage) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield server
        server.shutdown()
        thread.join()


@pytest.mark.browser
@pytest.mark.lab
def test_a_page_of_another_port_opens_no_kernel(page: Page, guarded: Lab, elsewhere: Elsewhere) -> None:
    """The browser has logged in. A page elsewhere on this machine links, frames, fetches and posts in vain."""
    before = set(settled(guarded, page))
    other = page.context.new_page()
    here = f"http://{guarded.host}"
    elsewhere.html = f"""<a href="{here}{HOME}" id=go>go</a><iframe src="{here}{HOME}"></iframe><img src="{here}{HOME}">
        <script>
        window.tried = Promise.allSettled([
            fetch("{here}{HOME}", {{credentials: "include", mode: "no-cors"}}),
            fetch("{here}/api/kernels", {{credentials: "include"}}).then((r) => r.text()),
            fetch("{here}/api/kernels", {{credentials: "include", method: "POST", mode: "no-cors", body: "{{}}"}}),
            new Promise((done, fail) => {{
                const line = new WebSocket("ws://{guarded.host}/api/kernels/{min(before)}/channels");
                line.onopen = () => done("open"); line.onerror = () => fail("refused");
            }}),
        ]).then((all) => all.map((one) => one.status + " " + (typeof one.value === "string" ? one.value : "")));
        </script>"""
    other.goto(elsewhere.address)
    tried = other.evaluate("window.tried")
    assert tried[1].startswith("rejected") and tried[3].startswith("rejected"), tried
    other.locator("#go").click()
    other.get_by_role("link", name=own_catalogue(PACKAGE, "en").messages["gate_doorstep.link"]).wait_for()
    assert set(guarded.kernels()) == before
    other.get_by_role(
        "link", name=own_catalogue(PACKAGE, "en").messages["gate_doorstep.link"]
    ).click()  # a person's click opens it
    other.locator(DOOR).wait_for()
    assert len(guarded.kernels()) == 2
    other.goto("about:blank")
    assert set(settled(guarded, page)) == before
