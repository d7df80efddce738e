"""The site, built once and served locally, and a visitor's browser that may not contact any other host."""

from __future__ import annotations

import functools
import http.server
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, Route

from nimmt_lab.site import build
from nimmt_lab.site.build import Site

#: On a busy machine Python takes a while to load.
PATIENCE = 300_000
#: Fresh deals and tasks are the same in every run, so that a failure can be repeated.
NO_CHANCE = """
import random, secrets
chance = random.Random(7)
secrets.randbelow, secrets.randbits = chance.randrange, chance.getrandbits
"""


@pytest.fixture(scope="session")
def site() -> Site:
    return build.make()


@pytest.fixture(scope="session")
def folder(site: Site, tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("site") / "lab"
    build.write_folder(site, made)
    return made


class Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, format: str, *args: object) -> None:
        pass


@pytest.fixture(scope="session")
def port(folder: Path) -> Iterator[int]:
    """A plain static server: no headers of ours."""
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory=str(folder))) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield server.server_port
        server.shutdown()


class Visitor:
    """A browser window with the site, and its errors."""

    def __init__(self, page: Page, address: str) -> None:
        self.page, self.address = page, address
        self.errors: list[str] = []
        self.left: list[str] = []
        page.set_default_timeout(PATIENCE)
        page.on("pageerror", lambda error: self.errors.append(str(error)))
        page.route("**/*", self._guard)

    def _guard(self, route: Route) -> None:
        if route.request.url.startswith((self.address, "blob:", "data:")):
            route.continue_()
        else:
            self.left.append(route.request.url)
            route.abort()

    def come(self) -> Visitor:
        self.page.goto(self.address)
        return self

    def with_python(self) -> Visitor:
        self.page.wait_for_function("document.documentElement.dataset.python === 'ready'", timeout=PATIENCE)
        return self

    def click(self, what: str) -> None:
        self.page.locator(what).first.click()

    def count(self, what: str) -> int:
        return self.page.locator(what).count()

    def until(self, what: str, hidden: bool = False) -> None:
        self.page.locator(what).first.wait_for(state="detached" if hidden else "visible", timeout=PATIENCE)

    def kept(self) -> Visitor:
        """Wait until all that Python has written so far is in the browser's storage."""
        self.python("None")  # Python answers in order: what it wrote before has been handed over
        # The page as it was seen last follows a moment later. A reload before that would begin with the screen before.
        self.page.wait_for_function(
            """() => {
              const { site, state, store } = nimmtLab.host;
              return store.files.get("page.json") === JSON.stringify({ mark: site.mark, page: state.page });
            }""",
            timeout=PATIENCE,
        )
        self.page.evaluate("nimmtLab.host.store.later")
        return self

    def python(self, code: str) -> str:
        return str(self.page.evaluate("(code) => nimmtLab.python(code)", code))


@pytest.fixture
def visit(browser: Browser, port: int) -> Iterator[Callable[..., Visitor]]:
    """Opens windows of new visitors. At the end, no other host may have been contacted, and nothing may have failed."""
    opened: list[Visitor] = []

    def visit(address: str = f"http://127.0.0.1:{port}/", using: Browser = browser) -> Visitor:
        context = using.new_context(viewport={"width": 1366, "height": 768}, reduced_motion="reduce", locale="en-GB")
        opened.append(Visitor(context.new_page(), address))
        return opened[-1]

    yield visit
    for one in opened:
        one.page.context.close()
        assert (one.left, one.errors) == ([], [])


@pytest.fixture(scope="module")
def ready(browser: Browser, port: int) -> Iterator[Visitor]:
    """One window with its Python, for all tests of a file that don't affect each other."""
    context = browser.new_context(viewport={"width": 1366, "height": 768}, reduced_motion="reduce", locale="en-GB")
    visitor = Visitor(context.new_page(), f"http://127.0.0.1:{port}/").come().with_python()
    visitor.python(NO_CHANCE)
    yield visitor
    context.close()
    assert (visitor.left, visitor.errors) == ([], [])
