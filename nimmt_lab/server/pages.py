"""The pages of the gate: a refusal, a doorstep, and one that removes the token from the address."""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from html import escape
from importlib.resources import files
from string import Template
from typing import Any, Final
from urllib.parse import parse_qsl, urlencode

from jupyter_server.auth.identity import IdentityProvider
from jupyter_server.base.handlers import JupyterHandler
from tornado import web
from tornado.httputil import HTTPServerRequest
from tornado.routing import Matcher, Rule

from nimmt_lab.explain.catalogue import LANGUAGES, own_catalogue

from .gate import Gate, Verdict
from .headers import EVERYWHERE, doorstep_policy

PACKAGE = "nimmt_lab.server"


def spoken(accepted: str) -> str:
    """The first of our languages that a browser accepts.

    >>> spoken("sk, cs;q=0.8, en;q=0.5"), spoken("")
    ('cs', 'en')
    """
    asked = (part.partition(";")[0].strip().lower().partition("-")[0] for part in accepted.split(","))
    return next((lang for lang in asked if lang in LANGUAGES), "en")


def page(handler: web.RequestHandler, kind: str, address: str, *, at_once: bool = False) -> str:
    """A small page with a link, followed without a click if `at_once`. Sets the page's headers."""
    lang = spoken(handler.request.headers.get("Accept-Language", ""))
    texts = own_catalogue(PACKAGE, lang).messages  # reads only the small catalogue of this package
    nonce = secrets.token_urlsafe(18)
    for name, value in {**EVERYWHERE, "Content-Security-Policy": doorstep_policy(nonce)}.items():
        handler.set_header(name, value)
    handler.set_header("Content-Type", "text/html; charset=utf-8")
    handler.set_header("Cache-Control", "no-store")
    script = f'<script nonce="{nonce}">location.replace(document.querySelector("a").href)</script>' if at_once else ""
    escaped = {part: escape(texts[f"gate_{kind}.{part}"]) for part in ("title", "text", "link")}
    template = (files(__package__) / "data" / "page.html").read_text(encoding="utf-8")
    return Template(template).substitute(escaped, lang=lang, nonce=nonce, address=escape(address), script=script)


def without_token(uri: str) -> str:
    """Remove the token from an address on this server.

    >>> without_token("/lab/tree/a%20b?token=secret&reset"), without_token("//elsewhere.example/?token=x")
    ('/lab/tree/a%20b?reset=', '/elsewhere.example/')
    """
    path, _, query = uri.partition("?")
    rest = [(name, value) for name, value in parse_qsl(query, keep_blank_values=True) if name != "token"]
    return "/" + path.lstrip("/\\") + (f"?{urlencode(rest)}" if rest else "")


class When(Matcher):
    """Matches requests by the gate's verdict; `with_token`, only page views with a token in their address."""

    def __init__(self, gate: Gate, *verdicts: Verdict, with_token: bool = False) -> None:
        self.gate, self.verdicts, self.with_token = gate, verdicts, with_token

    def match(self, request: HTTPServerRequest) -> dict[str, Any] | None:
        """Tornado's contract: a dict for a match, else None."""
        headers: Mapping[str, str] = request.headers
        if self.gate.verdict(request.method or "", request.path, headers) not in self.verdicts:
            return None
        if self.with_token and not ("token" in request.query_arguments and _is_looked_at(request)):
            return None
        return {}


#: The longest body accepted from a stranger, in bytes. A login form is far shorter.
LARGEST: Final = 100_000


class Burden(Matcher):
    """Matches long requests from strangers, who have neither the token nor the cookie. The server would keep the whole
    body in memory before anything checks it: up to half a gigabyte a request."""

    def __init__(self, application: web.Application, provider: IdentityProvider) -> None:
        self.application, self.provider = application, provider

    def match(self, request: HTTPServerRequest) -> dict[str, Any] | None:
        """Decide from the headers alone."""
        length = request.headers.get("Content-Length", "0")
        long = "Transfer-Encoding" in request.headers or not length.isdecimal() or int(length[:20]) > LARGEST
        return {} if long and not self._is_known(request) else None

    def _is_known(self, request: HTTPServerRequest) -> bool:
        provider = self.provider
        if not provider.auth_enabled:
            return True
        asks = JupyterHandler(self.application, request)
        token = provider.get_token(asks)
        if token and provider.token and secrets.compare_digest(token.encode(), provider.token.encode()):
            return True
        return provider.get_user_cookie(asks) is not None


def rules(gate: Gate, application: web.Application, provider: IdentityProvider) -> list[Rule]:
    """The rules that come before all others. Tokens count only in requests that may pass, or that open Home."""
    home = gate.base_url + gate.home
    return [
        Rule(When(gate, Verdict.REFUSE), Doorstep, {"home": home, "kind": "refused", "status": 403}),
        Rule(Burden(application, provider), Doorstep, {"home": home, "kind": "large", "status": 413}),
        Rule(When(gate, Verdict.PASS, Verdict.DOORSTEP, with_token=True), TokenPage),
        Rule(When(gate, Verdict.DOORSTEP), Doorstep, {"home": home, "kind": "doorstep", "status": 200}),
    ]


def _is_looked_at(request: HTTPServerRequest) -> bool:
    """Whether a person will see the answer as a page. Old browsers reveal this only by the types they accept."""
    mode = request.headers.get("Sec-Fetch-Mode")
    looks = mode == "navigate" if mode is not None else "text/html" in request.headers.get("Accept", "")
    return request.method == "GET" and looks


@web.stream_request_body
class Doorstep(web.RequestHandler):
    """Answers a request from elsewhere before its body arrives, and without checking token or cookie."""

    def initialize(self, home: str, kind: str, status: int) -> None:
        self.home, self.kind, self.status = home, kind, status

    def data_received(self, chunk: bytes) -> None:
        """Ignore the body."""

    def check_xsrf_cookie(self) -> None:
        """Skip the check: nothing happens here."""

    def prepare(self) -> None:
        """Give every method the same answer."""
        self.set_status(self.status)
        self.set_header("Connection", "close")
        self.finish(page(self, self.kind, self.home))


class TokenPage(JupyterHandler):
    """Turns the token in an address into a cookie, and replaces the address in the browser's history."""

    async def get(self, *_: str) -> None:
        """Open the next page without a click if the token is right: only its owner can have sent this request."""
        self.finish(page(self, "token", without_token(self.request.uri or "/"), at_once=self.token_authenticated))
