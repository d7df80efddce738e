"""Attacks on the server of `nimmt-lab lab`: planted files, links, other sites."""

from __future__ import annotations

import json

import pytest

from nimmt_lab.explain.catalogue import own_catalogue
from nimmt_lab.server.pages import PACKAGE
from tools.fuzz_routes import HOME, PATHS, RAN, SECRET, Answer, Lab

pytestmark = pytest.mark.lab

TYPED = {"Sec-Fetch-Site": "none", "Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "document"}
FOLLOWED = {**TYPED, "Sec-Fetch-Site": "cross-site"}
PICTURE = {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "no-cors", "Sec-Fetch-Dest": "image"}


@pytest.fixture(autouse=True)
def nothing_happens(guarded: Lab) -> object:
    """After every test, no planted file has run and no kernel has started."""
    before = guarded.kernels()
    yield
    assert not (guarded.marks / RAN).exists(), (guarded.marks / RAN).read_text()
    assert guarded.kernels() == before


def harmless(answer: Answer) -> bool:
    return answer.status < 500 and SECRET.encode() not in answer.body


@pytest.mark.parametrize(
    "path", [path for path in PATHS if path.startswith("/voila") and path.partition("?")[0] != HOME]
)
def test_voila_gives_no_file_and_runs_none(path: str, guarded: Lab) -> None:
    """Not even for a client with the token, and under no spelling of the name."""
    for headers in ({}, {"Authorization": f"token {guarded.token}"}):
        answer = guarded.ask(path, headers=headers)
        assert harmless(answer)
        if "static/voila.js" not in path:
            assert answer.status in (302, 400, 403, 404, 405), path
    assert guarded.ask(path, "POST").status in (403, 404, 405)


@pytest.mark.parametrize("path", PATHS)
def test_a_stranger_gets_nothing(path: str, guarded: Lab) -> None:
    assert harmless(guarded.ask(path)) and harmless(guarded.ask(path, headers=TYPED))


@pytest.mark.parametrize(
    "path", [HOME, "/", "/lab", "/files/evil.svg", "/api/contents/evil.svg", "/voila/static/voila.js"]
)
def test_another_site_gets_nothing_from_a_browser_that_has_logged_in(path: str, guarded: Lab) -> None:
    cookie = {"Cookie": guarded.log_in()}
    token = {"Authorization": f"token {guarded.token}"}
    for known in (cookie, token):
        for foreign in (
            PICTURE,
            {"Origin": "http://localhost:1"},
            {"Origin": "null"},
            {"Referer": "http://a.example/"},
        ):
            answer = guarded.ask(path, headers={**known, **foreign})
            assert answer.status == 403 and harmless(answer)
            assert "access-control-allow-origin" not in answer.headers and "set-cookie" not in answer.headers
    assert guarded.ask(path, headers={**cookie, "Host": "rebound.example"}).status == 403


def test_a_link_to_home_runs_nothing_by_itself(guarded: Lab) -> None:
    link = own_catalogue(PACKAGE, "en").messages["gate_doorstep.link"].encode()
    for known in ({}, {"Cookie": guarded.log_in()}):
        for path in (HOME, "/", f"{HOME}?token=wrong", f"{HOME}?x=1"):
            answer = guarded.ask(path, headers={**known, **FOLLOWED})
            assert answer.status == 200 and (link in answer.body or "token" in path)
            assert b"<script" not in answer.body and "set-cookie" not in answer.headers
    czech = guarded.ask(HOME, headers={**FOLLOWED, "Accept-Language": "cs-CZ, en;q=0.5"})
    assert "Otevřít".encode() in czech.body


def test_the_token_leaves_the_address(guarded: Lab) -> None:
    """A script opens the page that replaces it, so that no other page of the history has the token."""
    for path in (HOME, "/lab", "/lab/tree/evil.ipynb"):
        answer = guarded.ask(f"{path}?token={guarded.token}", headers=TYPED)
        assert answer.status == 200 and f'href="{path}"'.encode() in answer.body
        assert b"location.replace" in answer.body and guarded.token.encode() not in answer.body
        assert "SameSite=Strict" in answer.headers["set-cookie"] and "HttpOnly" in answer.headers["set-cookie"]
        assert answer.headers["referrer-policy"] == "same-origin" and answer.headers["cache-control"] == "no-store"
    wrong = guarded.ask(f"{HOME}?token=wrong", headers={**TYPED, "Cookie": guarded.log_in()})
    assert b"<script" not in wrong.body  # only the right token opens anything by itself
    assert guarded.owner("/api/status").status == 200  # scripts use the header, or the address as before
    assert guarded.ask(f"/api/status?token={guarded.token}").status == 200


@pytest.mark.parametrize(
    "path", [HOME, "/login", "/lab", "/files/evil.svg", "/files/evil.html", "/x", "/nbconvert/html/evil.ipynb"]
)
def test_every_page_has_a_policy(path: str, guarded: Lab) -> None:
    for headers in ({}, {"Authorization": f"token {guarded.token}"}):
        if path == HOME and headers:
            continue  # it would start a kernel; test_kernels tests that page
        answer = guarded.ask(path, headers=headers)
        policy = answer.headers["content-security-policy"]
        rules = dict(rule.strip().partition(" ")[::2] for rule in policy.split(";"))
        assert "http" not in policy and "*" not in policy
        assert {"script-src", "object-src", "base-uri", "connect-src", "frame-ancestors", "form-action"} <= rules.keys()
        assert answer.headers["referrer-policy"] == "same-origin"
        assert answer.headers["x-content-type-options"] == "nosniff"
        if path.startswith(("/files", "/nbconvert")) and answer.status == 200:
            assert rules["sandbox"] == "allow-scripts"  # an origin of its own, which the gate refuses


def test_jupyterlab_keeps_using_the_token(guarded: Lab) -> None:
    assert guarded.owner("/lab").status == 200 and guarded.owner("/api/contents/evil.ipynb").status == 200
    assert SECRET.encode() in guarded.owner("/files/evil.svg").body
    assert guarded.owner("/files/.hidden/evil.svg").status == 404
    assert guarded.owner("/files/link.svg").status in (403, 404)
    assert guarded.owner("/files/..%2foutside.txt").status in (403, 404)


def test_only_homes_kernels_can_be_ended_by_its_route(guarded: Lab) -> None:
    assert guarded.owner("/voila/api/shutdown/0-0-0-0-0", "POST").status == 404
    assert guarded.ask("/voila/api/shutdown/0-0-0-0-0", "POST", {"Cookie": guarded.log_in()}).status == 403


@pytest.mark.parametrize("path", ["/lab/api/licenses/", "/lab/api/licenses/x?full_text=no"])
def test_a_stranger_hears_no_from_every_route(path: str, guarded: Lab) -> None:
    """JupyterLab's licence handler could not refuse: strangers waited forever."""
    assert guarded.ask(path).status in (403, 404)
    assert guarded.owner("/lab/api/licenses/").status == 200


def test_opening_somebodys_notebook_brings_no_widget_to_life(guarded: Lab) -> None:
    """The state of an anywidget is a script. JupyterLab runs it when it opens the notebook, trusted or not."""
    state = {"a": {"model_module": "anywidget", "model_name": "AnyModel", "state": {"_esm": "alert(1)"}}}
    kept = {"widgets": {"application/vnd.jupyter.widget-state+json": {"version_major": 2, "state": state}}}
    shown = [{"output_type": "display_data", "metadata": {}, "data": {"text/html": "<b>x</b>"}}]
    cell = {"cell_type": "code", "id": "a", "source": "1", "execution_count": 1, "outputs": shown}
    book = {"cells": [{**cell, "metadata": {"trusted": True}}], "metadata": kept, "nbformat": 4, "nbformat_minor": 5}
    path = guarded.folder / "handed-in.ipynb"
    path.write_text(json.dumps(book), encoding="utf-8")

    def opened(name: str) -> dict[str, object]:
        found: dict[str, object] = json.loads(guarded.owner(f"/api/contents/{name}?content=1").body)["content"]
        return found

    assert opened(path.name)["metadata"] == {} and opened(path.name)["cells"]
    # One's own work is unchanged: JupyterLab saved it after its cells had run.
    saved = guarded.owner("/api/contents/mine.ipynb", "PUT", json.dumps({"type": "notebook", "content": book}).encode())
    assert saved.status in (200, 201) and opened("mine.ipynb")["metadata"] == kept
    path.unlink()
    (guarded.folder / "mine.ipynb").unlink()


@pytest.mark.parametrize(
    "headers",
    [
        "Content-Length: 400000000",
        "Transfer-Encoding: chunked",
        "Content-Length: 400000000\r\nAuthorization: token wrong",
        "Content-Length: 400000000\r\nSec-Fetch-Site: cross-site",
    ],
)
def test_a_stranger_does_not_fill_the_memory(headers: str, guarded: Lab) -> None:
    """The answer comes before the body: otherwise the server would hold 400 MB for each sender."""
    request = f"POST /login HTTP/1.1\r\nHost: {guarded.host}\r\n{headers}\r\n\r\n"
    assert guarded.send(request.encode()).status in (403, 413)


def test_a_logged_in_user_saves_large_files(guarded: Lab) -> None:
    model = {"type": "file", "format": "text", "content": "x" * 1_000_000}
    assert guarded.owner("/api/contents/large.txt", "PUT", json.dumps(model).encode()).status == 201
    cookie = guarded.ask("/api/contents/large.txt", "PUT", {"Cookie": guarded.log_in()}, b"x" * 1_000_000)
    assert cookie.status == 403  # refused for its missing XSRF cookie, not for its length
    (guarded.folder / "large.txt").unlink()
