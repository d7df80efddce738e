"""A class of 200 pupils at 40 tables on this machine: answers, latency, memory, and a server that is killed.

    python benchmarks/bench_class.py --minutes 5

Pupils send a message to their lesson every ten seconds and play at tables of five, with random cards after a moment of
thought. Half-way the server is killed (SIGKILL) and started again by the same command. At the end everything that was
acknowledged must be in the journal. Latencies are given twice: as the clients see them, and inside the server.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
import os
import re
import signal
import socket
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from tornado.httpclient import HTTPRequest
from tornado.websocket import WebSocketClientConnection, websocket_connect

from nimmt_lab.engine.rng import Rng
from nimmt_lab.live.journal import parse

EVERY = 10.0
SHARES = (0.5, 0.9, 0.95, 0.99)


class Server:
    def __init__(self, folder: Path) -> None:
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = int(probe.getsockname()[1])
        self.folder = folder
        self.most = 0.0

    async def start(self) -> None:
        command = [sys.executable, __file__, "--serve", str(self.folder), "--port", str(self.port)]
        pipe, both = asyncio.subprocess.PIPE, asyncio.subprocess.STDOUT
        environment = {**os.environ, "NIMMT_LANG": "en"}
        self.process = await asyncio.create_subprocess_exec(*command, stdout=pipe, stderr=both, env=environment)
        assert self.process.stdout is not None
        text = ""
        while "Ctrl+C" not in text:
            line = (await self.process.stdout.readline()).decode()
            if not line:
                raise SystemExit(text)
            text += line
        found = re.search(r"/wall#(\S+)", text), re.search(r" ([A-Z]{5})\b", text)
        assert found[0] and found[1]
        self.wall, self.code = found[0][1], found[1][1]

    def measure(self) -> None:
        """Remember the most memory, in MB."""
        text = Path(f"/proc/{self.process.pid}/status").read_text()
        self.most = max(self.most, int(re.search(r"VmRSS:\s+(\d+)", text)[1]) / 1000)  # type: ignore[index]

    def kill(self) -> None:
        self.process.send_signal(signal.SIGKILL)

    async def connect(self) -> WebSocketClientConnection:
        request = HTTPRequest(f"ws://127.0.0.1:{self.port}/ws", headers={"Origin": f"http://127.0.0.1:{self.port}"})
        return await websocket_connect(request)


class Client:
    """One page. `waits` is the time of the message that has no answer yet."""

    def __init__(self, server: Server, name: str, seed: int, took: list[float]) -> None:
        self.server, self.name, self.took = server, name, took
        self.rng = Rng.from_seed(seed)
        self.token = ""
        self.connection: WebSocketClientConnection | None = None
        self.waits: float | None = None
        self.sent = self.answered = self.choices = self.came = self.cut = 0
        self.asked: tuple[int, int] | None = None
        self.at = 1

    def below(self, n: int) -> int:
        found, self.rng = self.rng.below(n)
        return found

    async def live(self) -> None:
        while True:
            with contextlib.suppress(OSError):
                await self.visit()
            self.connection, self.waits = None, None
            self.cut += 1
            await asyncio.sleep(0.2 + self.below(1000) / 1000)

    async def visit(self) -> None:
        self.connection = await self.server.connect()
        if self.token:
            first: dict[str, Any] = {"type": "hello", "token": self.token, "version": -1}
        else:
            first = {"type": "join", "code": self.server.code, "name": self.name, "lang": "en"}
        await self.connection.write_message(json.dumps(first))
        while (text := await self.connection.read_message()) is not None:
            if self.waits is not None:
                self.took.append(time.monotonic() - self.waits)
                self.waits = None
                self.answered += 1
            said = json.loads(text)
            if said.get("type") == "joined":
                self.token = said["token"]
            elif said.get("type") == "no":
                raise SystemExit(said["text"])
            elif said.get("type") == "here":
                self.came += 1
                self.asked = None
                table = said.get("screen", {}).get("parts", {}).get("table")
                self.see(None if table is None else table["data"])
            elif said.get("path") == ["table"]:
                self.see(said.get("data"))
            elif said.get("part") == "table" and said["screen"]:
                self.see(said["screen"]["data"])

    def see(self, data: Any) -> None:
        scene = (data or {}).get("scene")
        if not scene or scene["asked"] is None or (moment := (scene["ply"], scene["given"])) == self.asked:
            return
        self.asked = moment
        question = next(one for one in scene["pool"][scene["frames"][-1]["asked"]] if one["seat"] == scene["asked"])
        options = [one["text"] for one in question["options"]] or [question["first"]]
        choice = options[self.below(len(options))]
        asyncio.get_running_loop().call_later(
            1 + self.below(3000) / 1000, lambda: asyncio.ensure_future(self.choose(choice, *moment))
        )

    async def choose(self, choice: str, ply: int, given: int) -> None:
        message = {"type": "choose", "choice": choice, "ply": ply, "given": given}
        if await self.send(["table"], message):
            self.choices += 1

    async def send(self, path: list[str], message: dict[str, Any]) -> bool:
        if self.connection is None:
            return False
        try:
            await self.connection.write_message(json.dumps({"path": path, "message": message}))
        except Exception:
            return False
        if self.waits is None:
            self.waits = time.monotonic()
            self.sent += 1
        return True

    async def learn(self) -> None:
        """A message to the lesson every ten seconds: the experiment, or an answer."""
        await asyncio.sleep(EVERY * self.below(1000) / 1000)
        await self.send(["lesson"], {"type": "go", "at": 1})
        while True:
            await asyncio.sleep(EVERY)
            self.at += 1
            await self.send(["lesson", "board"], {"type": "answer", "text": f"{self.at}/1000"})


async def teach(server: Server, ended: asyncio.Event) -> None:
    """Deal tables once everybody is there, then a new game at every table that has ended."""
    dealt = False
    while not ended.is_set():
        try:
            wall = await server.connect()
            await wall.write_message(json.dumps({"type": "wall", "token": server.wall}))

            async def click(wall: WebSocketClientConnection, **message: Any) -> None:
                await wall.write_message(json.dumps({"path": [], "message": message}))

            if not dealt:
                await asyncio.sleep(8)
                setup = {"game": "classic", "players": 5, "options": {"rounds": 1}}
                await click(wall, type="tables", how="deal", setup=setup, limit=60, level="level-3")
                await asyncio.sleep(2)
                await click(wall, type="start")
                dealt = True
            reading = asyncio.ensure_future(read_all(wall))
            while not reading.done():
                await asyncio.sleep(2)
                await click(wall, type="again")
        except Exception:
            await asyncio.sleep(0.5)


async def read_all(wall: WebSocketClientConnection) -> None:
    while await wall.read_message() is not None:
        pass


async def run(pupils: int, minutes: float) -> None:
    with tempfile.TemporaryDirectory() as folder:
        server, ended = Server(Path(folder)), asyncio.Event()
        took: list[float] = []
        await server.start()
        clients = [Client(server, f"Pupil {at + 1}", at, took) for at in range(pupils)]
        tasks = [asyncio.ensure_future(client.live()) for client in clients]
        tasks += [asyncio.ensure_future(client.learn()) for client in clients]
        tasks.append(asyncio.ensure_future(teach(server, ended)))
        begun, killed = time.monotonic(), False
        while (now := time.monotonic() - begun) < 60 * minutes:
            await asyncio.sleep(1)
            server.measure()
            if not killed and now > 30 * minutes:
                server.kill()
                killed = True
                await server.process.wait()
                first = time.monotonic()
                before = [client.came for client in clients]
                await server.start()
                print(f"started again in {time.monotonic() - first:.1f} s")
        print(f"came back after the kill: {sum(c.came > b for c, b in zip(clients, before, strict=True))} of {pupils}")
        ended.set()
        for task in tasks:
            task.cancel()
        journal = next(Path(folder).rglob("journal.jsonl")).read_bytes()
        server.kill()
        report(clients, took, parse(journal)[0], server.most, len(journal))
        for path in sorted(Path(folder).glob("times-*")):
            lines = [line.split() for line in path.read_text().splitlines() if line.count(" ") == 1]
            own = sorted(float(line[0]) for line in lines)
            spent = float(lines[-1][1]) if lines else 0.0
            shares = ", ".join(f"{share:.0%} {1000 * own[int(share * (len(own) - 1))]:.0f} ms" for share in SHARES)
            print(f"server {path.name}: {len(own)} answers, {shares}; {spent:.0f} s of processor time")
        await server.process.wait()


def report(clients: list[Client], took: list[float], entries: list[dict[str, Any]], most: float, size: int) -> None:
    took.sort()
    answers = {(entry["who"], entry["said"]) for entry in entries if entry["do"] == "said"}
    chosen = sum(entry["do"] == "choose" and "by" not in entry for entry in entries)
    clock = sum(entry["do"] == "choose" and entry.get("by") == "clock" for entry in entries)
    games = sum(entry["do"] == "saved" for entry in entries)
    sent, answered = sum(client.sent for client in clients), sum(client.answered for client in clients)
    print(f"messages timed {sent}, answered {answered} (the rest were cut off by the kill or by the end)")
    for share in SHARES:
        print(f"{share:.0%} of answers within {1000 * took[int(share * (len(took) - 1))]:.0f} ms")
    print(f"choices sent {sum(client.choices for client in clients)}, journalled {chosen}, by the clock {clock}")
    print(f"answers journalled {len(answers)}, games finished {games}")
    print(f"memory {most:.0f} MB, journal {size / 1e6:.1f} MB, reconnections {sum(client.cut for client in clients)}")


def serve(folder: Path, port: int) -> None:
    """The command itself, with a stopwatch at its sockets: from a message to the first answer."""
    from nimmt_lab.cli import main
    from nimmt_lab.live.server import PageSocket

    waits: dict[int, float] = {}
    times = (folder / f"times-{os.getpid()}").open("w", buffering=1)
    hear, say = PageSocket.on_message, PageSocket.say

    def on_message(self: PageSocket, message: str | bytes) -> None:
        waits.setdefault(self.number, time.monotonic())
        hear(self, message)

    def answer(self: PageSocket, text: str) -> None:
        say(self, text)
        if (since := waits.pop(self.number, None)) is not None:
            times.write(f"{time.monotonic() - since:.4f} {time.process_time():.2f}\n")

    PageSocket.on_message, PageSocket.say = on_message, answer  # type: ignore[method-assign]
    main(["class", "--lesson", "p4", "--folder", str(folder), "--port", str(port), "--no-browser"])


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="A class of pupils on this machine.")
    parser.add_argument("--serve", type=Path)
    parser.add_argument("--port", type=int, default=0)
    parser.add_argument("--pupils", type=int, default=200)
    parser.add_argument("--minutes", type=float, default=5)
    args = parser.parse_args()
    if args.serve:
        serve(args.serve, args.port)
    else:
        asyncio.run(run(args.pupils, args.minutes))
