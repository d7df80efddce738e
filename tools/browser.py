"""Test a widget in a bare page: its real ES module and its real Python object, connected by a fake notebook.

Much faster than a notebook server, and nothing of the widget is faked: messages go to the Python object, and its
answers come back. Tests, screenshots and the benchmark share it.
"""

from __future__ import annotations

import contextlib
import json
from collections.abc import Callable, Iterator
from typing import Any

from playwright.sync_api import Browser, ConsoleMessage, Page, Request, Route, sync_playwright

MODEL = """
window.makeModel = (state, shown = 0) => {
  const handlers = {};
  const model = {
    sent: [],
    get: (name) => state[name],
    set: (name, value) => { state[name] = value; },
    save_changes: () => {},
    on: (name, handler) => { (handlers[name] ??= []).push(handler); },
    off: (name, handler) => { handlers[name] = (handlers[name] ?? []).filter((other) => other !== handler); },
    send: (message) => { model.sent.push(message); window.toPython(message, shown); },
    fire: (name, ...parts) => { for (const handler of [...(handlers[name] ?? [])]) handler(...parts); },
    count: () => Object.values(handlers).reduce((sum, list) => sum + list.length, 0),
  };
  return model;
};
"""

THEMES = {
    "light": "body { background: #ffffff; --jp-layout-color1: #ffffff; }",
    "dark": "body { background: #111111; --jp-layout-color1: #111111; }",
}


def is_local(url: str) -> bool:
    """Whether a request stays on this machine."""
    return url.startswith(
        ("data:", "blob:", "about:", "http://localhost", "http://127.0.0.1", "ws://localhost", "ws://127.0.0.1")
    )


class Stage:
    """One page with one widget; showing another widget starts over."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.errors: list[str] = []
        self.left: list[str] = []
        self.received: list[Any] = []
        self.outbox: list[Any] = []
        self.widget: Any = None
        #: How many widgets have been shown: timers of an earlier one may outlive its document and still send.
        self.shown = 0
        page.on("console", self._console)
        page.on("pageerror", lambda error: self.errors.append(str(error)))
        page.route("**/*", self._guard)
        page.expose_function("toPython", self._to_python)

    def _console(self, message: ConsoleMessage) -> None:
        if message.type in ("error", "warning"):
            self.errors.append(message.text)

    def _guard(self, route: Route, request: Request) -> None:
        if is_local(request.url):
            route.continue_()
        else:
            self.left.append(request.url)
            route.abort()

    def _to_python(self, message: Any, shown: int = 0) -> None:
        if shown not in (0, self.shown):
            return
        self.received.append(message)
        self.widget._handle_custom_msg(message, [])

    def show(self, widget: Any, *, theme: str = "light", width: int | None = None) -> Page:
        """Put a widget on an empty page."""
        self.widget = widget
        self.shown += 1
        self.page.mouse.move(0, 0)  # where an earlier test left it, it could point at a card
        self.received, self.outbox = [], []
        style = f"body {{ margin: 0; }} {THEMES[theme]} #holder {{ width: {f'{width}px' if width else 'auto'}; }}"
        self.page.set_content(
            f"<!doctype html><html><head><meta charset='utf-8'><style>{style}</style></head>"
            "<body><div id='holder'></div></body></html>"
        )
        self.page.add_style_tag(content=str(widget._css))
        self.page.evaluate(MODEL)
        # Playwright can't call the page from inside one of its own calls, so Python's messages wait to be delivered.
        widget.send = lambda content, buffers=None: self.outbox.append(json.loads(json.dumps(content)))
        state = {"page": widget.page, "version": widget.version}
        self.page.evaluate(
            """async ([state, source, shown]) => {
              const url = URL.createObjectURL(new Blob([source], { type: "text/javascript" }));
              const module = await import(url);
              window.model = makeModel(state, shown);
              window.cleanup = module.default.render({ model, el: document.getElementById("holder") });
            }""",
            [json.loads(json.dumps(state)), str(widget._esm), self.shown],
        )
        self.until(lambda: bool(self.received))  # the page's first message
        self.settle()
        self.laid_out()
        return self.page

    def laid_out(self) -> None:
        """Wait for two frames: drawings that depend on their width are drawn again once they have one."""
        self.page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")

    @property
    def clicks(self) -> list[Any]:
        """The messages that screens sent: everything received except the hello, and data that a browser may set."""
        return [received["message"] for received in self.received if "message" in received]

    def settle(self) -> None:
        """Deliver queued messages from Python."""
        while self.outbox:
            batch, self.outbox = self.outbox, []
            self.page.evaluate('(batch) => { for (const said of batch) model.fire("msg:custom", said, []); }', batch)

    def hear(self, count: int) -> None:
        """Wait until that many messages have come from the screens, and deliver the answers."""
        self.until(lambda: len(self.clicks) >= count)
        self.settle()

    def until(self, is_so: Callable[[], bool]) -> None:
        """Wait for something that a message brings about; a busy machine may need its time."""
        for _ in range(3000):
            if is_so():
                return
            self.page.wait_for_timeout(10)
        raise AssertionError(f"received {self.received}")


@contextlib.contextmanager
def open_browser(executable: str) -> Iterator[Browser]:
    """A headless Chromium."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=executable, args=["--no-sandbox", "--disable-gpu"])
        try:
            yield browser
        finally:
            browser.close()
