"""A real JupyterLab on a learner's folder, started as a learner would start it, and a browser to click in."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from nimmt_lab.lessons import progress
from nimmt_lab.screens import memory
from tools.browser import is_local

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="session")
def lab(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, Path]]:
    """The address of a server opened by `nimmt-lab lab`, and the folder it laid out."""
    base = tmp_path_factory.mktemp("lab")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    # Isolated from the user's Jupyter settings, and nothing is left behind.
    places = {name: str(base / name) for name in ("JUPYTER_CONFIG_DIR", "JUPYTER_RUNTIME_DIR", "IPYTHONDIR")}
    options = [f"--port={port}", "--no-browser", "--IdentityProvider.token=", "--ServerApp.port_retries=0"]
    log = (base / "log").open("w")
    server = subprocess.Popen(
        [sys.executable, str(ROOT / "tools" / "lab.py"), "--folder", str(base / "mine"), *options],
        env={**os.environ, **places, "HOME": str(base)},
        stdout=log,
        stderr=log,
    )
    address = f"http://127.0.0.1:{port}"
    try:
        for _ in range(600):
            try:
                urllib.request.urlopen(f"{address}/api", timeout=5).close()
                break
            except OSError:
                assert server.poll() is None, (base / "log").read_text()
                time.sleep(0.2)
        yield address, base / "mine"
    finally:
        server.terminate()
        server.wait(30)
        log.close()


@pytest.fixture(scope="session")
def nothing_learned(lab: tuple[str, Path]) -> bytes:
    """The progress in that folder."""
    return (lab[1] / progress.FILE).read_bytes()


@pytest.fixture
def learner(browser: Browser, lab: tuple[str, Path], nothing_learned: bytes) -> Iterator[Page]:
    """A stranger's window: it forgets what earlier tests learned in this folder, so the order of tests doesn't matter.

    At the end nothing may have left the machine, and no script may have failed.
    """
    (lab[1] / memory.FILE).unlink(missing_ok=True)
    (lab[1] / progress.FILE).write_bytes(nothing_learned)
    expect.set_options(timeout=60_000)
    context: BrowserContext = browser.new_context(viewport={"width": 1280, "height": 1000}, reduced_motion="reduce")
    page = context.new_page()
    page.set_default_timeout(60_000)
    left: list[str] = []
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.on("request", lambda request: None if is_local(request.url) else left.append(request.url))
    yield page
    context.close()
    assert (left, errors) == ([], [])
