"""The server of a class: two pages, a script, styles, a font, and one WebSocket route. Nothing reads a file by name."""

from __future__ import annotations

import asyncio
import contextlib
import gzip
import hashlib
import itertools
import json
import re
import signal
from collections.abc import Callable
from functools import cache
from html import escape
from importlib.resources import files
from string import Template
from typing import Any, Final

from tornado.httpserver import HTTPServer
from tornado.ioloop import PeriodicCallback
from tornado.iostream import IOStream
from tornado.netutil import bind_sockets
from tornado.web import Application, RequestHandler
from tornado.websocket import WebSocketClosedError, WebSocketHandler, WebSocketProtocol, WebSocketProtocol13

from nimmt_lab.engine.errors import CannotWrite
from nimmt_lab.explain.catalogue import LANGUAGES
from nimmt_lab.screens.assets import FONTS, bundle, font, font_styles, styles
from nimmt_lab.screens.words import LANGUAGE_NAMES

from . import limits
from .hub import Hub
from .network import fits_origin, host_names, is_local, known_host
from .words import labels, live_words

#: Milliseconds between two ticks of the hub.
TICK: Final = 250
_HEADERS: Final = {
    "Referrer-Policy": "same-origin",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), microphone=(), geolocation=()",
}


def policy(host: str) -> str:
    """Scripts, styles and connections of this server only. Boards set sizes in style attributes."""
    return (
        "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; "
        f"font-src 'self' data:; connect-src 'self' ws://{host}; base-uri 'none'; form-action 'none'; "
        "frame-ancestors 'none'"
    )


@cache
def asset(name: str) -> tuple[bytes, bytes, str]:
    """A script, stylesheet or font: plain, packed, and its fingerprint."""
    if name in FONTS:
        content = font(name)
        return content, content, hashlib.sha256(content).hexdigest()[:16]  # a font is packed as it is
    if name == "class.js":
        content = (bundle("host/class", "const host =") + "\nhost.start();\n").encode()
    else:
        content = f"body {{ margin: 0; }}\n{font_styles(inside=False)}\n{styles()}".encode()
    return content, gzip.compress(content, 9, mtime=0), hashlib.sha256(content).hexdigest()[:16]


@cache
def page(kind: str, lang: str) -> bytes:
    settings = {
        "kind": kind,
        "lang": lang,
        "languages": [[code, LANGUAGE_NAMES[code]] for code in LANGUAGES],
        "words": {
            code: labels(code, "page")
            | {f"wall_{key}": live_words(code)(f"wall.{key}") for key in ("offline", "other")}
            for code in LANGUAGES
        },
    }
    template = (files(__package__) / "data" / "page.html").read_text(encoding="utf-8")
    made = Template(template).substitute(
        lang=lang,
        title=escape(live_words(lang)("page.title")),
        style=f"class.css?{asset('class.css')[2]}",
        script=f"class.js?{asset('class.js')[2]}",
        settings=json.dumps(settings, ensure_ascii=False).replace("<", "\\u003c"),
    )
    return made.encode()


def warm() -> None:
    """Make what every page needs before the first pupil comes: it takes a second."""
    for name in ("class.js", "class.css", *FONTS):
        asset(name)


def spoken(accepted: str) -> str:
    """The first of our languages that a browser accepts.

    >>> spoken("sk, cs;q=0.8, en;q=0.5"), spoken("")
    ('cs', 'en')
    """
    asked = (part.partition(";")[0].strip().lower().partition("-")[0] for part in accepted[:500].split(","))
    return next((lang for lang in asked if lang in LANGUAGES), "en")


class _Handler(RequestHandler):
    """Headers for every answer, and a check of the host before anything else."""

    @property
    def address(self) -> str:
        return self.request.remote_ip or ""

    def set_default_headers(self) -> None:
        self.clear_header("Server")
        for name, value in _HEADERS.items():
            self.set_header(name, value)
        self.set_header("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'")

    def prepare(self) -> None:
        # A stranger who sends thousands of requests through one connection is not answered: that costs more.
        if not _may_ask(self):
            self.detach().close()
        elif not _is_ours(self):
            self.set_status(421)
            self.finish("421")

    def write_error(self, status_code: int, **kwargs: Any) -> None:
        """The number, and nothing about what happened."""
        self.set_header("Content-Type", "text/plain; charset=utf-8")
        self.finish(str(status_code))


def _may_ask(handler: RequestHandler) -> bool:
    """Whether this address may ask for something once more."""
    address, settings = handler.request.remote_ip or "", handler.settings
    return is_local(address) or bool(settings["hub"].knocks.may(address, settings["now"]()))


def _is_ours(handler: RequestHandler) -> bool:
    settings = handler.settings
    return known_host(handler.request.host, settings["hosts"], settings["lan"])


class Page(_Handler):
    def initialize(self, kind: str) -> None:
        self.kind = kind

    def get(self) -> None:
        if self.kind == "wall" and not is_local(self.address):
            self.send_error(404)
            return
        self.set_header("Content-Security-Policy", policy(self.request.host))
        self.set_header("Content-Type", "text/html; charset=utf-8")
        self.set_header("Cache-Control", "no-store")
        self.finish(page(self.kind, spoken(self.request.headers.get("Accept-Language", ""))))


class Asset(_Handler):
    def initialize(self, name: str) -> None:
        self.name = name

    def compute_etag(self) -> str | None:
        return f'"{asset(self.name)[2]}"'

    def get(self) -> None:
        plain, packed, _ = asset(self.name)
        kind = {"js": "text/javascript; charset=utf-8", "css": "text/css; charset=utf-8", "woff2": "font/woff2"}
        self.set_header("Content-Type", kind[self.name.rpartition(".")[2]])
        self.set_header("Cache-Control", "max-age=31536000, immutable")
        self.set_header("Vary", "Accept-Encoding")
        if plain is not packed and "gzip" in self.request.headers.get("Accept-Encoding", ""):
            self.set_header("Content-Encoding", "gzip")
            self.finish(packed)
        else:
            self.finish(plain)


class Nothing(_Handler):
    def get(self) -> None:
        self.send_error(404)

    post = put = delete = patch = options = get


class Frames(WebSocketProtocol13):
    """Tells the page's connection about every frame: empty and unfinished ones cost time too, and call nothing else."""

    async def _receive_frame(self) -> None:
        await super()._receive_frame()
        handler = self.handler
        if isinstance(handler, PageSocket) and not handler.may_send():
            self.cut()

    def cut(self) -> None:
        """End at once: a polite end would read a flood for seconds more."""
        self.client_terminated = self.server_terminated = True  # what has arrived already is not looked at
        self.stream.close()


class PageSocket(WebSocketHandler):
    """A page's connection."""

    _numbers = itertools.count(1)

    def initialize(self, hub: Hub, now: Callable[[], float]) -> None:
        self.hub, self._now = hub, now
        self.number = next(self._numbers)
        self.address = self.request.remote_ip or ""
        self.local = is_local(self.address)
        self._unread = 0
        self._frames = limits.Bucket(limits.RATE, limits.BURST, now())

    def get_websocket_protocol(self) -> WebSocketProtocol | None:
        made = super().get_websocket_protocol()
        return Frames(self, False, made.params) if isinstance(made, WebSocketProtocol13) else made

    def prepare(self) -> None:
        if not _may_ask(self):
            self.detach().close()
            return
        # Tornado lets requests without an origin pass; a browser always sends one.
        if not _is_ours(self) or not fits_origin(self.request.headers.get("Origin"), self.request.host):
            self.send_error(403)

    def write_error(self, status_code: int, **kwargs: Any) -> None:
        self.finish(str(status_code))

    def check_origin(self, origin: str) -> bool:
        return fits_origin(origin, self.request.host)

    def open(self, *args: str, **kwargs: str) -> None:
        self.set_nodelay(True)
        self.hub.opened(self, self._now())

    def on_message(self, message: str | bytes) -> None:
        if isinstance(message, str):
            self.hub.receive(self, message, self._now())
        else:
            self.close()

    def may_send(self) -> bool:
        """Whether the page may send one more frame."""
        return self._frames.spend(self._now())

    def on_close(self) -> None:
        self.hub.closed(self)

    def say(self, text: str) -> None:
        """Send a text. A page that reads nothing is cut off: it comes back and gets the whole page again."""
        size = len(text)
        if self._unread + size > limits.MOST_UNREAD and self._unread:
            if isinstance(self.ws_connection, Frames):
                self.ws_connection.cut()
            return
        try:
            sent = self.write_message(text)
        except WebSocketClosedError:
            return
        self._unread += size

        def done(future: Any) -> None:
            self._unread -= size
            if not future.cancelled():
                future.exception()  # the page may be gone by now

        sent.add_done_callback(done)


class Server(HTTPServer):
    """Refuses connections beyond a number, so that nobody can keep all of them."""

    hub: Hub

    def handle_stream(self, stream: IOStream, address: tuple[Any, ...]) -> None:
        host = str(address[0]) if address else ""
        if not is_local(host) and not self.hub.knocks.may(host, stream.io_loop.time()):
            stream.close()
            return
        open_now = [connection.context.address for connection in self._connections]  # type: ignore[attr-defined]
        pages = self.hub.connections()
        mine = sum(1 for one in open_now if one and one[0] == host) + pages.get(host, 0)
        crowded = mine >= limits.MOST_CONNECTIONS and not is_local(host)
        if crowded or len(open_now) + sum(pages.values()) >= limits.MOST_OPEN:
            stream.close()
            return
        super().handle_stream(stream, address)


def application(hub: Hub, *, lan: bool, now: Callable[[], float]) -> Application:
    """The routes; SECURITY.md lists them."""
    return Application(
        [
            (r"/", Page, {"kind": "pupil"}),
            (r"/wall", Page, {"kind": "wall"}),
            (r"/class\.js", Asset, {"name": "class.js"}),
            (r"/class\.css", Asset, {"name": "class.css"}),
            *((re.escape(f"/{name}"), Asset, {"name": name}) for name in FONTS),
            (r"/ws", PageSocket, {"hub": hub, "now": now}),
        ],
        default_handler_class=Nothing,
        websocket_max_message_size=limits.LONGEST,
        websocket_ping_interval=20,
        websocket_ping_timeout=20,
        lan=lan,
        hub=hub,
        now=now,
        hosts=host_names(lan),
        log_function=lambda handler: None,
    )


def bind(port: int, *, lan: bool) -> list[Any]:
    """The sockets, on this machine only unless the class is on the network."""
    try:
        return bind_sockets(port, "0.0.0.0" if lan else "127.0.0.1")
    except PermissionError:
        raise CannotWrite("live.port_forbidden", port=port) from None
    except OSError:
        raise CannotWrite("live.port_taken", port=port) from None


async def serve(
    make: Callable[[Callable[[Callable[[], None]], object], float], Hub], sockets: list[Any], *, lan: bool,
    ready: Callable[[], None],
) -> None:  # fmt: skip
    """Run until interrupted. `make` gets a function that runs a callback on the event loop, and the time."""
    loop = asyncio.get_running_loop()
    hub = make(loop.call_soon_threadsafe, loop.time())
    server = Server(
        application(hub, lan=lan, now=loop.time), max_body_size=10_000, max_header_size=16_000, max_buffer_size=200_000,
        idle_connection_timeout=20, body_timeout=10,
    )  # fmt: skip
    server.hub = hub
    server.add_sockets(sockets)
    ticking = PeriodicCallback(lambda: hub.tick(loop.time()), TICK)
    ticking.start()
    ended = asyncio.Event()
    for name in ("SIGINT", "SIGTERM"):
        if (number := getattr(signal, name, None)) is not None:
            with contextlib.suppress(NotImplementedError, RuntimeError, ValueError):  # Windows; not the main thread
                loop.add_signal_handler(number, ended.set)
    warming = loop.run_in_executor(None, warm)
    ready()
    try:
        await ended.wait()
    finally:
        ticking.stop()
        server.stop()
        hub.close()
        await warming
