"""A widget in a bare page: its real ES module, its real Python object, and between them a stand-in for the notebook.

Much faster than a notebook server, and nothing of the widget is faked: messages go to the Python object, and its
answers and trait changes come back. Tests, screenshots and the benchmark share it.
"""

from __future__ import annotations

import contextlib
import json
from collections.abc import Iterator
from typing import Any

from playwright.sync_api import Browser, ConsoleMessage, Page, Request, Route, sync_playwright

MODEL = """
window.makeModel = (state) => {
  const handlers = {};
  const model = {
    sent: [],
    get: (name) => state[name],
    set: (name, value) => { state[name] = value; },
    save_changes: () => {},
    on: (name, handler) => { (handlers[name] ??= []).push(handler); },
    off: (name, handler) => { handlers[name] = (handlers[name] ?? []).filter((other) => other !== handler); },
    send: (message) => { model.sent.push(message); window.toPython(message); },
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
    """One page with one widget in it; showing another widget starts afresh."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.errors: list[str] = []
        self.left: list[str] = []
        self.received: list[Any] = []
        self.outbox: list[list[Any]] = []
        self.widget: Any = None
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

    def _to_python(self, message: Any) -> None:
        self.received.append(message)
        self.widget._handle_custom_msg(message, [])

    def show(self, widget: Any, *, theme: str = "light", width: int | None = None) -> Page:
        """Put a widget on an empty page."""
        self.widget = widget
        self.received, self.outbox = [], []
        style = f"body {{ margin: 0; }} {THEMES[theme]} #holder {{ width: {f'{width}px' if width else 'auto'}; }}"
        self.page.set_content(
            f"<!doctype html><html><head><meta charset='utf-8'><style>{style}</style></head>"
            "<body><div id='holder'></div></body></html>"
        )
        self.page.add_style_tag(content=str(widget._css))
        self.page.evaluate(MODEL)
        known = ("scene", "live", "at", "seat", "value", "page", "version", "running", "more")
        names = [name for name in widget.keys if name in known]
        state = {name: getattr(widget, name) for name in names}
        self.page.evaluate(
            """async ([state, source]) => {
              const url = URL.createObjectURL(new Blob([source], { type: "text/javascript" }));
              const module = await import(url);
              window.model = makeModel(state);
              window.cleanup = module.default.render({ model, el: document.getElementById("holder") });
            }""",
            [json.loads(json.dumps(state)), str(widget._esm)],
        )
        self._bind(widget, names)
        return self.page

    def _bind(self, widget: Any, names: list[str]) -> None:
        # The page may not be entered from inside its own call, so what Python says waits until it is delivered.
        def to_page(kind: str, *parts: Any) -> None:
            self.outbox.append([kind, *json.loads(json.dumps(parts))])

        widget.send = lambda content, buffers=None: to_page("msg", content)
        widget.observe(lambda change: to_page("trait", change["name"], change["new"]), names=names)

    def settle(self) -> None:
        """Deliver what Python has said since."""
        while self.outbox:
            batch, self.outbox = self.outbox, []
            self.page.evaluate(
                """(batch) => { for (const [kind, ...parts] of batch) {
                  if (kind === "msg") model.fire("msg:custom", parts[0], []);
                  else { model.set(parts[0], parts[1]); model.fire(`change:${parts[0]}`); }
                } }""",
                batch,
            )

    def hear(self, count: int) -> None:
        """Wait until that many messages have come from the page, and deliver the answers."""
        for _ in range(500):
            if len(self.received) >= count:
                self.settle()
                return
            self.page.wait_for_timeout(10)
        raise AssertionError(f"expected {count} messages, got {self.received}")


@contextlib.contextmanager
def open_browser(executable: str) -> Iterator[Browser]:
    """A headless Chromium."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=executable, args=["--no-sandbox", "--disable-gpu"])
        try:
            yield browser
        finally:
            browser.close()
