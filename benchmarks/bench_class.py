"""A class of 200 pupils at 40 tables on this machine: answers, latency, memory, and a server that is killed.

    python benchmarks/bench_class.py --minutes 5

Pupils send a message to their lesson every ten seconds and play at tables of five, with random cards after a moment of
thought. Half-way the server is killed (SIGKILL) and started again by the same command. A pupil whose answer was cut off
gives it again, as people do. At the end every answer and every choice that a page has confirmed must be in the journal,
and every pupil and table must have continued; otherwise the script says what is missing and exits with an error.
Latencies are given twice: as the clients see them, and inside the server. On a busy machine both say how long its queue
is, so the load average and the processor time of an answer stand beside them.
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
from collections import Counter
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
        #: The choice that the page has not confirmed yet, and those it has: ply and text.
        self.chose: tuple[int, int, str] | None = None
        self.thought: asyncio.Future[None] | None = None
        self.confirmed: list[tuple[int, str]] = []
        #: Answers that were given, and the one that the page has not confirmed yet.
        self.at = 1
        self.said: list[str] = []
        self.saying = ""

    def below(self, n: int) -> int:
        found, self.rng = self.rng.below(n)
        return found

    async def live(self) -> None:
        while True:
            with contextlib.suppress(OSError):
                await self.visit()
            self.connection, self.waits, self.asked = None, None, None
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
                self.asked = self.chose = None
                parts = said.get("screen", {}).get("parts", {})
                self.see(parts["table"]["data"] if "table" in parts else None)
                if self.saying:  # cut off
                    await self.answer()
                elif self.came == 1:
                    await self.send(["lesson"], {"type": "go", "at": 1})
            elif said.get("path") == ["table"]:
                self.see(said.get("data"))
            elif said.get("path") == ["lesson", "board"] and "told" in said.get("data", {}):
                if self.saying:
                    self.said.append(self.saying)
                self.saying = ""
            elif said.get("part") == "table" and said["screen"]:
                self.chose = None  # another game
                self.see(said["screen"]["data"])

    def see(self, data: Any) -> None:
        scene = (data or {}).get("scene")
        if not scene:
            return
        if self.chose is not None and (scene["ply"], scene["given"]) != self.chose[:2]:
            self.confirmed.append((self.chose[0], self.chose[2]))
            self.chose = None
        if scene["asked"] is None:
            self.asked = None
            return
        if (moment := (scene["ply"], scene["given"])) == self.asked:
            return
        self.asked = moment
        question = next(one for one in scene["pool"][scene["frames"][-1]["asked"]] if one["seat"] == scene["asked"])
        options = [one["text"] for one in question["options"]] or [question["first"]]
        choice = options[self.below(len(options))]
        self.thought = asyncio.ensure_future(self.choose(self.came, choice, *moment))

    async def choose(self, came: int, choice: str, ply: int, given: int) -> None:
        await asyncio.sleep(1 + self.below(3000) / 1000)
        if self.came != came or self.asked != (ply, given):  # cut off while it thought, and asked again
            return
        message = {"type": "choose", "choice": choice, "ply": ply, "given": given}
        if await self.send(["table"], message):
            self.choices += 1
            self.chose = ply, given, choice

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
        """An answer every ten seconds."""
        await asyncio.sleep(EVERY * self.below(1000) / 1000)
        while True:
            await asyncio.sleep(EVERY)
            if not self.saying:
                self.at += 1
                self.saying = f"{self.at}/1000"
                await self.answer()

    async def answer(self) -> None:
        await self.send(["lesson", "board"], {"type": "answer", "text": self.saying})


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


async def run(pupils: int, minutes: float) -> list[str]:
    """Run the class; what was lost, which should be nothing."""
    with tempfile.TemporaryDirectory() as folder:
        server, ended = Server(Path(folder)), asyncio.Event()
        took: list[float] = []
        load = [os.getloadavg()[0]]
        await server.start()
        clients = [Client(server, f"Pupil {at + 1}", at, took) for at in range(pupils)]
        tasks = [asyncio.ensure_future(client.live()) for client in clients]
        tasks += [asyncio.ensure_future(client.learn()) for client in clients]
        tasks.append(asyncio.ensure_future(teach(server, ended)))
        begun, killed = time.monotonic(), 0
        while (now := time.monotonic() - begun) < 60 * minutes:
            await asyncio.sleep(1)
            server.measure()
            load.append(os.getloadavg()[0])
            if not killed and now > 30 * minutes:
                server.kill()
                await server.process.wait()
                killed = len(journal_of(folder))
                first = time.monotonic()
                before = [client.came for client in clients]
                await server.start()
                print(f"started again in {time.monotonic() - first:.1f} s")
        lost = [f"{c.name} did not come back" for c, b in zip(clients, before, strict=True) if c.came == b]
        ended.set()
        for task in tasks:
            task.cancel()
        server.kill()
        await server.process.wait()
        entries = journal_of(folder)
        lost += missing(clients, entries, killed)
        size = sum(path.stat().st_size for path in Path(folder).rglob("journal.jsonl"))
        report(clients, took, entries, server.most, size)
        for path in sorted(Path(folder).glob("times-*")):
            lines = [line.split() for line in path.read_text().splitlines() if line.count(" ") == 1]
            own = sorted(float(line[0]) for line in lines)
            spent = float(lines[-1][1]) if lines else 0.0
            print(f"server {path.name}: {len(own)} answers, {shares_of(own)}")
            print(f"  {spent:.1f} s of processor time in all, {1000 * spent / max(1, len(own)):.1f} ms an answer")
        print(f"load average {sum(load) / len(load):.1f} (up to {max(load):.1f}) with {os.cpu_count()} processors")
        return lost


def journal_of(folder: str) -> list[dict[str, Any]]:
    return parse(next(Path(folder).rglob("journal.jsonl")).read_bytes())[0]


def missing(clients: list[Client], entries: list[dict[str, Any]], killed: int) -> list[str]:
    """What pages confirmed and the journal does not have, and tables where nobody chose after the kill."""
    numbers = {entry["name"]: entry["who"] for entry in entries if entry["do"] == "join"}
    said = {(entry["who"], entry["said"]) for entry in entries if entry["do"] == "said"}
    chosen = Counter(
        (entry["who"], entry["ply"], entry["choice"]) for entry in entries if entry["do"] == "choose" and "who" in entry
    )
    found: list[str] = []
    for client in clients:
        who = numbers.get(client.name)
        found += [f"{client.name}: answer {text}" for text in client.said if (who, text) not in said]
        for (ply, choice), times in Counter(client.confirmed).items():
            if chosen[who, ply, choice] < times:
                found.append(f"{client.name}: choice {choice} of step {ply}")
    tables = {entry["table"] for entry in entries[:killed] if entry["do"] == "table"}
    went_on = {entry["table"] for entry in entries[killed:] if entry["do"] == "choose"}
    return [*found, *(f"table {number} did not continue" for number in sorted(tables - went_on))]


def shares_of(times: list[float]) -> str:
    return ", ".join(f"{share:.0%} {1000 * times[int(share * (len(times) - 1))]:.0f} ms" for share in SHARES)


def report(clients: list[Client], took: list[float], entries: list[dict[str, Any]], most: float, size: int) -> None:
    took.sort()
    clock = sum(entry["do"] == "choose" and entry.get("by") == "clock" for entry in entries)
    games = sum(entry["do"] == "saved" for entry in entries)
    tables = sum(entry["do"] == "table" for entry in entries)
    sent, answered = sum(client.sent for client in clients), sum(client.answered for client in clients)
    print(f"{len(clients)} pupils at {tables} tables; {games} games finished, {clock} choices by the clock")
    print(f"messages timed {sent}, answered {answered} (the rest were cut off by the kill or by the end)")
    print(f"as clients see them: {shares_of(took)}")
    print(f"answers confirmed {sum(len(client.said) for client in clients)}, ", end="")
    print(f"choices sent {sum(client.choices for client in clients)}, ", end="")
    print(f"confirmed {sum(len(client.confirmed) for client in clients)}")
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
        lost = asyncio.run(run(args.pupils, args.minutes))
        print("nothing was lost" if not lost else "\n".join(["LOST:", *lost]))
        sys.exit(bool(lost))
