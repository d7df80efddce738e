"""Throw broken requests at the server of `nimmt-lab lab`: `python tools/fuzz_routes.py --seconds 60`.

Two callers try: a stranger without a token, and a page of another site in a browser that has logged in. Paths, methods
and headers are mutated as `tools/fuzz.py` mutates everything. The server may refuse or redirect; it may never answer
with an error of its own (5xx), hand out a file of the learner's, run one, or start a kernel.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import re
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from tools.fuzz import Target, fuzz, keep  # noqa: E402

HOME = "/voila/render/home.ipynb"
#: Part of every planted file: an answer that contains it has leaked one.
SECRET = "a-learner-wrote-this"
#: A planted file that runs creates this file.
RAN = "ran"


class Answer(NamedTuple):
    """A server's response; header names are in lower case."""

    status: int
    headers: dict[str, str]
    body: bytes


@dataclass
class Lab:
    """A running server: address, token, the learner's folder, and the folder where planted files leave traces."""

    port: int
    token: str
    folder: Path
    marks: Path
    process: subprocess.Popen[str]
    log: Path
    cookie: str = field(default="", init=False)

    @property
    def host(self) -> str:
        """The value of the Host header."""
        return f"localhost:{self.port}"

    def ask(
        self, path: str, method: str = "GET", headers: Mapping[str, str] | None = None, body: bytes = b""
    ) -> Answer:
        """Send a request without normalising its path."""
        lines = {"Host": self.host, "Connection": "close", **(headers or {})}
        if body:
            lines["Content-Length"] = str(len(body))
        head = "".join(f"{name}: {value}\r\n" for name, value in lines.items())
        return self.send(f"{method} {path} HTTP/1.1\r\n{head}\r\n".encode("utf-8", "surrogatepass") + body)

    def send(self, request: bytes, patience: float = 60) -> Answer:
        """Send bytes and read until nothing more arrives for that many seconds. The status is 0 without an answer (the
        server waits for the rest, or has closed the connection)."""
        with socket.create_connection(("127.0.0.1", self.port), timeout=patience) as line:
            with contextlib.suppress(OSError):  # the server may close before it has read everything
                line.sendall(request)
            told = b""
            with contextlib.suppress(OSError):
                while more := line.recv(65536):
                    told += more
        head, _, body = told.partition(b"\r\n\r\n")
        first, *rest = head.decode("latin-1").split("\r\n")
        found = re.match(r"HTTP/1\.[01] (\d+)", first)
        pairs = (line.partition(": ") for line in rest)
        return Answer(int(found[1]) if found else 0, {name.lower(): value for name, _, value in pairs}, body)

    def owner(self, path: str, method: str = "GET", body: bytes = b"") -> Answer:
        """Send a request with the token, as a script would."""
        return self.ask(path, method, {"Authorization": f"token {self.token}"}, body)

    def kernels(self) -> list[str]:
        """The running kernels."""
        body = self.owner("/api/kernels").body
        return [kernel["id"] for kernel in json.loads(body[body.index(b"[") : body.rindex(b"]") + 1])]

    def log_in(self) -> str:
        """The cookie of a browser that has opened Home once."""
        if not self.cookie:
            typed = {"Sec-Fetch-Site": "none", "Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "document"}
            head = self.ask(f"{HOME}?token={self.token}", headers=typed).headers
            self.cookie = head["set-cookie"].partition(";")[0]
        return self.cookie


@contextlib.contextmanager
def open_lab(base: Path, *, plant: bool = True, options: Sequence[str] = ()) -> Iterator[Lab]:
    """Run `nimmt-lab lab` in a folder below `base`, started in a folder with planted files."""
    folder, marks, started = base / "mine", base / "marks", base / "started here"
    for place in (folder, marks, started):
        place.mkdir(parents=True, exist_ok=True)
    if plant:
        plant_files(folder, marks)
        plant_settings(started, marks)
    # Isolated from the user's Jupyter settings, and leaving nothing behind.
    places = {name: str(base / name) for name in ("JUPYTER_CONFIG_DIR", "JUPYTER_RUNTIME_DIR", "IPYTHONDIR")}
    log = base / "log"
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [sys.executable, str(ROOT / "tools" / "lab.py"), "--folder", str(folder)]
    with log.open("w") as written:
        process = subprocess.Popen(
            [*command, f"--port={port}", "--ServerApp.port_retries=0", "--no-browser", *options],
            env={**os.environ, **places, "HOME": str(base), "PYTHONUNBUFFERED": "1"},
            cwd=started,
            stdout=written,
            stderr=written,
            text=True,
        )
    try:
        token = None
        while token is None:
            assert process.poll() is None, log.read_text()
            found = re.search(r"^JupyterLab: +\S+?(?:\?token=(\w+))?$", log.read_text(), re.MULTILINE)
            token = (found[1] or "") if found else None
            time.sleep(0.05)
        yield Lab(port, token, folder, marks, process, log)
    finally:
        process.terminate()
        process.wait(30)


def plant_files(folder: Path, marks: Path) -> None:
    """Files that somebody may have handed in: notebooks, pictures and pages with scripts, modules with known names."""
    for name in ("evil.ipynb", "home.ipynb", "deep/evil.ipynb", ".hidden/evil.ipynb"):
        _write(folder / name, json.dumps(_notebook(_mark(marks, name))))
    svg = f'<svg xmlns="http://www.w3.org/2000/svg"><script>/* {SECRET} */</script></svg>'
    for name in ("evil.svg", ".hidden/evil.svg", "deep/evil.svg", "evil.html", "evil.png", "voila.json"):
        _write(folder / name, svg if name != "voila.json" else json.dumps({"x": SECRET}))
    _write(folder.parent / "outside.txt", SECRET)
    with contextlib.suppress(OSError):  # Windows
        (folder / "link.svg").symlink_to(folder.parent / "outside.txt")
    for name in ("ipykernel_launcher", "nimmt_lab", "random", "voila", "anywidget", "sitecustomize", "usercustomize"):
        _write(folder / f"{name}.py", _mark(marks, f"{name}.py"))


def plant_settings(started: Path, marks: Path) -> None:
    """Files in the folder where the server starts, with names that Jupyter, Voilà or Python look for."""
    settings = ("voila", "jupyter_config", "jupyter_server_config", "jupyter_lab_config", "jupyter_notebook_config")
    modules = ("jupyter", "jupyterlab", "jupyter_server", "tornado", "ipykernel_launcher", "zmq", "sitecustomize")
    for name in (*settings, *modules):
        _write(started / f"{name}.py", _mark(marks, f"started {name}.py"))
    _write(started / "voila.json", json.dumps({"VoilaConfiguration": {"file_allowlist": [".*"]}}))


def _mark(marks: Path, name: str) -> str:
    return f"open({str(marks / RAN)!r}, 'a').write({name + chr(10)!r})\n# {SECRET}\n"


def _notebook(code: str) -> dict[str, object]:
    cell: dict[str, object] = {
        "cell_type": "code",
        "id": "a",
        "metadata": {},
        "source": code,
        "outputs": [],
        "execution_count": None,
    }
    kernel = {"display_name": "Python 3", "language": "python", "name": "python3"}
    return {"cells": [cell], "metadata": {"kernelspec": kernel}, "nbformat": 4, "nbformat_minor": 5}


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


# Targets -------------------------------------------------------------------------------------------------

#: Paths that served something once, that Jupyter serves, or that an attacker would try.
PATHS = (
    "/", "/lab", "/lab/tree/evil.ipynb", "/login", "/logout", "/api", "/api/kernels", "/api/contents/evil.svg",
    "/api/contents/.hidden/evil.svg?content=1", "/api/sessions", "/api/terminals", "/api/config/notebook", "/metrics",
    "/files/evil.svg", "/files/.hidden/evil.svg", "/files/link.svg", "/files/../outside.txt", "/view/evil.html",
    "/nbconvert/html/evil.ipynb", "/nbconvert/script/evil.ipynb?download=true", "/api/nbconvert", "/static/../evil.svg",
    HOME, f"{HOME}?token=wrong", f"{HOME}?voila-template=lab&template=../x&theme=dark", f"{HOME}/", f"/{HOME}",
    "/voila", "/voila/", "/voila/render", "/voila/render/", "/voila/render/evil.ipynb", "/voila/render/deep/evil.ipynb",
    "/voila/render/%65vil.ipynb", "/voila/render/./evil.ipynb", "/voila/render//evil.ipynb",
    "/voila//render/evil.ipynb",
    "/voila/render/..%2fmine/evil.ipynb", "/voila/render/home.ipynb/../evil.ipynb", "/voila/render/home%2eipynb",
    "/voila/render/home.ipynb%00", "/voila/tree", "/voila/tree/deep", "/voila/files/evil.svg", "/voila/files/link.svg",
    "/voila/files/.hidden/evil.svg", "/voila/files/..%2foutside.txt", "/voila/static/voila.js",
    "/voila/static/../../../mine/evil.svg", "/voila/static/%2e%2e/%2e%2e/evil.svg", "/voila/templates/nimmt/static/x",
    "/voila/templates/../static/evil.svg", "/voila/templates/lab/static/voila.js", "/voila/templates/nimmt",
    "/voila/labextensions/anywidget/static/../../../evil.svg", "/voila/labextensions/evil.svg", "/voila/api/contents",
    "/voila/api/contents/evil.ipynb", "/voila/api/themes/x", "/voila/api/shutdown/0-0-0-0-0", "/voila/query/0-0-0-0-0",
    "/voila/execution/0-0-0-0-0", "/api/kernels/0-0-0-0-0/channels", "/lsp/ws/x", "/kernelspecs/python3/logo-svg.svg",
    "/terminals/websocket/1", "/api/events/subscribe", "/doc/tree/evil.ipynb", "/tree/evil.svg", "/custom/custom.css",
    "/lab/api/licenses/", "/lab/api/licenses/?full_text=no", "/lab/api/listings/x", "/lab/api/plugins",
)  # fmt: skip
METHODS = ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "CONNECT")
HEADERS = (
    "",
    "Sec-Fetch-Site: none\nSec-Fetch-Mode: navigate\nSec-Fetch-Dest: document",
    "Sec-Fetch-Site: same-origin\nSec-Fetch-Mode: cors\nSec-Fetch-Dest: empty",
    "Authorization: token wrong",
    "Cookie: username-localhost-8888=2|1:0|10:1|4:user|4:YWJj|00; _xsrf=x\nX-XSRFToken: x",
    "Upgrade: websocket\nConnection: Upgrade\nSec-WebSocket-Version: 13\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==",
    "Content-Type: application/json\nContent-Length: 2\n\n{}",
    "Range: bytes=0-10\nIf-None-Match: *\nAccept: text/html",
    "Transfer-Encoding: chunked\n\n0\n\n",
    "X-Forwarded-For: 127.0.0.1\nX-Forwarded-Host: localhost\nX-Scheme: https",
)
#: The header that a browser adds to a request by a page of another site, and that no page can change.
ELSEWHERE = (
    {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "no-cors", "Sec-Fetch-Dest": "image"},
    {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "document"},
    {"Sec-Fetch-Site": "same-site", "Sec-Fetch-Mode": "cors", "Sec-Fetch-Dest": "empty", "Origin": "http://localhost:1"},
    {"Origin": "null"},
    {"Referer": "http://elsewhere.example/"},
)  # fmt: skip


class Found(AssertionError):
    """The server did something forbidden."""


class Caller:
    """Sends mutated requests, adding what this kind of caller always sends, and judges the answers."""

    def __init__(self, lab: Lab, extra: Sequence[Mapping[str, str]] = ({},)) -> None:
        self.lab, self.extra, self.turn = lab, extra, 0
        self.before = lab.kernels()

    def __call__(self, text: str) -> None:
        """Send `METHOD path`, headers, an empty line and a body; send anything else as it is."""
        head, _, body = text.partition("\n\n")
        first, *lines = head.split("\n")
        self.turn += 1
        sent = self.extra[self.turn % len(self.extra)]
        named = [line for line in lines if line.partition(":")[0].strip().lower() not in {n.lower() for n in sent}]
        if not any(line.lower().startswith("host:") for line in named):
            named.append(f"Host: {self.lab.host}")
        named += [f"{name}: {value}" for name, value in sent.items()]
        if not any(line.lower().startswith("connection:") for line in named):
            named.append("Connection: close")
        request = "\r\n".join([f"{first} HTTP/1.1", *named, "", body])
        answer = self.lab.send(request.encode("utf-8", "surrogatepass"), patience=0.3)
        self.judge(answer)

    def judge(self, answer: Answer) -> None:
        """Raise `Found` if an answer is wrong."""
        if answer.status >= 500 and answer.status != 501:
            raise Found(f"an error of the server's own: {answer.status} {answer.body[:200]!r}")
        if SECRET.encode() in answer.body:
            raise Found("a file of the learner's was handed out")
        if answer.status == 101:
            raise Found("a web socket was opened")
        if self.lab.process.poll() is not None:
            raise Found("the server has stopped")
        if self.turn % 25 == 0 or answer.status < 300:
            if self.lab.kernels() != self.before:
                self.before = self.lab.kernels()
                raise Found("a kernel was started or ended")
            if (self.lab.marks / RAN).exists():
                raise Found(f"a planted file has run: {(self.lab.marks / RAN).read_text()}")


def seeds() -> list[str]:
    """Good and bad requests to start from."""
    plain = [f"GET {path}" for path in PATHS]
    other = [f"{method} {path}" for method in METHODS[1:] for path in PATHS[:: len(METHODS)]]
    return [f"{line}\n{HEADERS[at % len(HEADERS)]}".rstrip("\n") for at, line in enumerate([*plain, *plain, *other])]


def route_targets(lab: Lab) -> dict[str, Target]:
    """A stranger, and a page of another site in a browser that has logged in."""
    cookie = {"Cookie": lab.log_in()}
    return {
        "route-stranger": Target(Caller(lab), seeds()),
        "route-elsewhere": Target(Caller(lab, [{**one, **cookie} for one in ELSEWHERE]), seeds()),
    }


def main(arguments: Sequence[str] | None = None) -> int:
    """Fuzz, print and keep the findings; return 1 if there are any."""
    parser = argparse.ArgumentParser(description="Throw broken requests at the server of `nimmt-lab lab`.")
    parser.add_argument(
        "--inputs", type=int, default=10**9, help="number of requests (default: as many as time allows)"
    )
    parser.add_argument("--seconds", type=float, help="time limit in seconds")
    parser.add_argument("--seed", type=int, help="equal seeds give equal requests (the time of day)")
    given = parser.parse_args(arguments)
    seconds = 60.0 if given.seconds is None and given.inputs == 10**9 else given.seconds
    seed = time.time_ns() if given.seed is None else given.seed
    print(f"seed {seed}")
    found = 0
    with tempfile.TemporaryDirectory(prefix="nimmt-fuzz-") as base, open_lab(Path(base)) as lab:
        for name, text, wrong in fuzz(route_targets(lab), given.inputs, seconds, seed):
            found += 1
            print(f"\n== {name}: kept as {keep(name, text).relative_to(ROOT)}\n{text[:300]!r}\n{wrong}", flush=True)
    print(f"\n{found} findings")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
