"""The real server on this machine: its routes, headers and doors, and a process that is killed."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import re
import signal
import socket
import subprocess
import sys
from collections.abc import Coroutine, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from tornado.httpclient import AsyncHTTPClient, HTTPRequest, HTTPResponse
from tornado.websocket import WebSocketClientConnection, websocket_connect

from nimmt_lab.live import limits
from nimmt_lab.live import server as module
from nimmt_lab.live.network import known_host
from nimmt_lab.live.server import application
from nimmt_lab.screens.assets import FONTS
from tests.live.support import Room

ROOT = Path(__file__).resolve().parents[2]
SECTION = "## What `nimmt-lab class` serves"


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


class Running:
    """`nimmt-lab class` as a process."""

    def __init__(self, folder: Path, *extra: str) -> None:
        self.port = free_port()
        self.command = [
            sys.executable, "-m", "nimmt_lab", "class", "--folder", str(folder), "--port", str(self.port), "--no-browser",
            *extra,
        ]  # fmt: skip
        self.start()

    def start(self) -> None:
        env = {**os.environ, "PYTHONPATH": str(ROOT), "NIMMT_LANG": "en"}
        self.process = subprocess.Popen(
            self.command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env=env
        )
        assert self.process.stdout is not None
        lines = []
        for line in self.process.stdout:
            lines.append(line)
            if "Ctrl+C" in line:
                break
        self.text = "".join(lines)
        assert self.process.poll() is None, self.text
        self.wall = re.search(r"/wall#(\S+)", self.text)[1]  # type: ignore[index]
        self.code = re.search(r" ([A-Z]{5})\b", self.text)[1]  # type: ignore[index]

    def kill(self) -> None:
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()
        assert self.process.stdout is not None
        self.process.stdout.close()

    def end(self) -> str:
        self.process.send_signal(signal.SIGINT)
        rest, _ = self.process.communicate(timeout=20)
        return str(rest)

    async def page(self, **first: Any) -> Page:
        url = f"ws://127.0.0.1:{self.port}/ws"
        request = HTTPRequest(url, headers={"Origin": f"http://127.0.0.1:{self.port}"})
        page = Page(await websocket_connect(request))
        await page.send(first)
        return page

    async def join(self, name: str) -> Page:
        page = await self.page(type="join", code=self.code, name=name, lang="en")
        page.token = (await page.until(lambda said: said.get("type") == "joined"))["token"]
        await page.until(lambda said: said.get("type") == "here")
        return page


class Page:
    def __init__(self, connection: WebSocketClientConnection) -> None:
        self.connection, self.token = connection, ""

    async def send(self, said: dict[str, Any]) -> None:
        await self.connection.write_message(json.dumps(said))

    async def until(self, is_it: Any) -> Any:
        while (text := await asyncio.wait_for(self.connection.read_message(), 20)) is not None:
            said = json.loads(text)
            if is_it(said):
                return said
        raise AssertionError("the connection was closed")


@pytest.fixture
def running(tmp_path: Path) -> Iterator[Running]:
    started = Running(tmp_path, "--lesson", "p2")
    yield started
    if started.process.poll() is None:
        started.kill()


def listed() -> set[str]:
    text = (ROOT / "SECURITY.md").read_text(encoding="utf-8").partition(SECTION)[2]
    lines = re.split(r"^## ", text, flags=re.MULTILINE)[0].splitlines()
    cells = [line.split(" | ")[0] for line in lines if line.startswith("| `")]
    return {route for cell in cells for route in re.findall(r"`([^`]+)`", cell)}


def test_every_route_is_listed(tmp_path: Path) -> None:
    served = application(Room(tmp_path).hub, lan=False, now=lambda: 0.0)
    rules = [rule for outer in served.default_router.rules for rule in getattr(outer.target, "rules", [])]
    routes = {rule.matcher.regex.pattern.replace("\\", "").rstrip("$") for rule in rules}
    assert routes == listed() and len(routes) == 7


def test_headers_doors_and_a_kill(running: Running) -> None:
    with ThreadPoolExecutor(1) as thread:  # Playwright's loop may run in this one
        thread.submit(asyncio.run, walk(running)).result()


async def walk(running: Running) -> None:
    here = f"127.0.0.1:{running.port}"

    async def get(path: str, **headers: str) -> HTTPResponse:
        return await AsyncHTTPClient().fetch(HTTPRequest(f"http://{here}{path}", headers=headers), raise_error=False)

    for path in ("/", "/wall", "/class.js", "/class.css", "/nunito-latin.woff2", "/nunito-latin-ext.woff2"):
        answer = await get(path)
        assert answer.code == 200 and "default-src 'none'" in answer.headers["Content-Security-Policy"]
        assert "unsafe-eval" not in answer.headers["Content-Security-Policy"] and "Server" not in answer.headers
        assert (await get(path, Host="rebound.example")).code == 421
    for path in ("/journal.jsonl", "/../journal.jsonl", "/static/x", "/%2e%2e/x", "/class.js/x", "//etc/passwd"):
        answer = await get(path)
        assert answer.code == 404 and b"Traceback" not in answer.body
    assert (await get("/ws", Origin=f"http://{here}")).code == 400
    for origin in ("http://elsewhere.example", f"https://{here}.example", "null"):
        request = HTTPRequest(f"ws://{here}/ws", headers={"Origin": origin})
        with pytest.raises(Exception, match="403"):
            await websocket_connect(request)
    with pytest.raises(Exception, match="403"):
        await websocket_connect(f"ws://{here}/ws")  # without an origin

    ann = await running.join("Ann")
    await ann.send({"path": ["lesson"], "message": {"type": "go", "at": 3}})
    await ann.until(lambda said: said.get("path") == ["lesson"])
    await ann.send({"path": ["lesson", "board"], "message": {"type": "answer", "text": "10"}})
    await ann.until(lambda said: said.get("path") == ["lesson", "board"])  # answered: from now on it is kept
    running.kill()
    running.start()
    back = await running.page(type="hello", token=ann.token, version=-1)
    page = (await back.until(lambda said: said.get("type") == "here"))["screen"]
    assert page["parts"]["lesson"]["data"]["at"] == 3
    wall = await running.page(type="wall", token=running.wall)
    members = (await wall.until(lambda said: said.get("type") == "here"))["screen"]["data"]["members"]
    assert [one["name"] for one in members] == ["Ann"] and members[0]["said"] == ["p2.between"]
    rest = running.end()
    assert "Traceback" not in rest, rest


def test_a_taken_port_and_a_class_that_runs(running: Running, tmp_path: Path) -> None:
    done = subprocess.run([*running.command, "--lesson", "p3"], capture_output=True, text=True)
    assert done.returncode == 2 and str(running.port) in done.stderr and "Traceback" not in done.stderr
    command = [word if word != str(running.port) else str(free_port()) for word in running.command]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 2 and "Traceback" not in done.stderr
    running.end()
    assert subprocess.run([*command, "--delete"], capture_output=True).returncode == 0
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("host", "lan", "known"),
    [
        ("localhost:1", False, True), ("127.0.0.1", False, True), ("[::1]:80", False, True),
        ("192.168.0.7:80", False, False), ("192.168.0.7:80", True, True), ("evil.example", True, False),
        ("", True, False), ("a:b:c", True, False), ("127.0.0.1.evil.example", False, False),
        ("127.0.0.1:80; script-src *", True, False), ("evil.example@127.0.0.1", True, False),
    ],
)  # fmt: skip
def test_hosts(host: str, lan: bool, known: bool) -> None:
    assert known_host(host, frozenset({"localhost"}), lan) is known


def test_the_page_is_small_enough() -> None:
    size = len(module.page("pupil", "en")) + sum(len(module.asset(name)[1]) for name in ("class.js", "class.css"))
    assert size <= 400_000


def test_the_first_screen_waits_for_no_font() -> None:
    """The stylesheet holds up the first picture: it names the fonts, which come later, each where its characters are."""
    styles, packed, _ = module.asset("class.css")
    assert b"data:font" not in styles and len(packed) <= 40_000
    for name in FONTS:
        font, sent, mark = module.asset(name)
        assert font.startswith(b"wOF2") and sent == font and f'url("{name}?{mark}")'.encode() in styles


def in_thread(work: Coroutine[Any, Any, None]) -> None:
    """Playwright's loop may run in this thread."""
    with ThreadPoolExecutor(1) as thread:
        thread.submit(asyncio.run, work).result()


#: Masked frames: a message, a ping, a pong, and the unfinished and empty parts of a message.
FLOODS = (b"\x81\x82\0\0\0\0{}", b"\x89\x80\0\0\0\0", b"\x8a\x80\0\0\0\0", b"\x00\x80\0\0\0\0")


def test_a_flood_is_cut_off(running: Running) -> None:
    in_thread(flood(running))


async def flood(running: Running) -> None:
    ann = await running.join("Ann")
    for frame in FLOODS:
        reader, writer = await asyncio.open_connection("127.0.0.1", running.port)
        writer.write(HALVES[-1].replace(b"PORT", str(running.port).encode()))
        await reader.readuntil(b"\r\n\r\n")
        first = b"\x01\x80\0\0\0\0" if frame is FLOODS[-1] else b""
        writer.write(first + frame * int(limits.BURST - 5))
        await ann.send({"path": [], "message": {"type": "tab", "tab": "table"}})
        await ann.until(lambda said: said.get("path") == [])
        assert not reader.at_eof(), frame  # that much may come at once
        writer.write(frame * 200)
        with contextlib.suppress(ConnectionResetError):  # a polite end would read on for seconds
            await asyncio.wait_for(reader.read(), 10)
        writer.close()
    running.end()


def test_many_requests_of_one_address_wait(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "is_local", lambda address: False)
    in_thread(ask_often(Room(tmp_path)))


async def ask_often(room: Room) -> None:
    """Thousands of requests through one connection, at one moment of the server's clock."""
    server = module.Server(application(room.hub, lan=False, now=lambda: 0.0))
    server.hub = room.hub
    sockets = module.bind(free_port(), lan=False)
    server.add_sockets(sockets)
    port = sockets[0].getsockname()[1]
    for path in (b"/class.css", b"/nothing", b"/ws"):
        room.hub.knocks = limits.Knocks()
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        request = b"GET " + path + b" HTTP/1.1\r\nHost: localhost\r\nIf-None-Match: %s\r\n\r\n" % etag()
        writer.write(request * 1000)
        answers = b""
        with contextlib.suppress(ConnectionResetError):
            while part := await asyncio.wait_for(reader.read(100_000), 10):
                answers += part
        assert 0 < answers.count(b"HTTP/1.1 ") < limits.KNOCK_BURST, path
        writer.close()
    server.stop()


def etag() -> bytes:
    """So that the server need not send the whole file."""
    return f'"{module.asset("class.css")[2]}"'.encode()


def test_broken_connections_disturb_nobody(running: Running) -> None:
    with ThreadPoolExecutor(1) as thread:
        thread.submit(asyncio.run, break_off(running, 60)).result()


@pytest.mark.slow
def test_a_thousand_broken_connections(running: Running) -> None:
    with ThreadPoolExecutor(1) as thread:
        thread.submit(asyncio.run, break_off(running, 1000)).result()


#: What somebody might send before they hang up: nothing, half a request, nonsense, half a handshake, a broken frame.
HALVES = (
    b"",
    b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n",
    b"\x16\x03\x01\x00\xa5\x01\x00\x00",
    b"POST /ws HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 999999999\r\n\r\nx",
    b"GET /ws HTTP/1.1\r\nHost: 127.0.0.1:PORT\r\nOrigin: http://127.0.0.1:PORT\r\nUpgrade: websocket\r\n"
    b"Connection: Upgrade\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Version: 13\r\n\r\n",
)
FRAMES = (
    b"",
    b"\x81\xff\xff\xff\xff\xff\xff\xff\xff\xff",
    b"\x81\x85aaaa",
    b"\x83\x80aaaa",
    b"\x82\x81aaaa\x00",
    b"\xc1\x81aaaa\x00",
)


async def break_off(running: Running, count: int) -> None:
    """Connections that end in every way, while Ann works."""
    ann = await running.join("Ann")
    for number in range(count):
        _, writer = await asyncio.open_connection("127.0.0.1", running.port)
        half = HALVES[number % len(HALVES)]
        writer.write(half.replace(b"PORT", str(running.port).encode()))
        if half is HALVES[-1]:
            writer.write(FRAMES[number // len(HALVES) % len(FRAMES)])
        with contextlib.suppress(OSError):
            await writer.drain()
        if number % 3:
            writer.transport.abort()
        else:
            writer.close()
        if number % 20 == 0:
            await ann.send({"path": [], "message": {"type": "tab", "tab": "lesson"}})
            await ann.until(lambda said: said.get("path") == [])
    rest = running.end()
    assert "Traceback" not in rest, rest
