"""The boards in a real JupyterLab: the kernel receives every play, in order, and knows every answer."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import nbformat
import pytest
from playwright.sync_api import Browser, Page, Request, Route, expect

from nimmt_lab import Record
from tests.catalogue import on_board
from tools.browser import is_local

pytestmark = [pytest.mark.browser, pytest.mark.lab]

PLAY = """
from nimmt_lab import Classic
from nimmt_lab.widgets import Table
table = Table(Classic(players=3, rounds=1), "lowest", seed=2)
table
"""
TELL_RECORD = """
table.record.save("record.txt")
"""
PRACTISE = """
from nimmt_lab import Classic, Record
from nimmt_lab.widgets import Exercise, Replay
exercise = Exercise(Classic(players=4), kinds=["row"], seed=5)
exercise
"""
TELL_ANSWERS = """
import json, pathlib
said = [[a.said, a.right] for a in exercise.answers]
pathlib.Path("answers.part").write_text(json.dumps([said, sorted(exercise.question.right)]), encoding="utf-8")
pathlib.Path("answers.part").replace("answers.txt")
"""


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, Path]]:
    """A JupyterLab without token, news or anything else that could look for the network."""
    home = tmp_path_factory.mktemp("lab")
    settings = home / "config" / "labconfig"
    settings.mkdir(parents=True)
    disabled = {"@jupyterlab/apputils-extension:announcements": True}
    (settings / "page_config.json").write_text(json.dumps({"disabledExtensions": disabled}), encoding="utf-8")
    for name, cells in {"play": (PLAY, TELL_RECORD), "practise": (PRACTISE, TELL_ANSWERS)}.items():
        book = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(text.strip()) for text in cells])
        book.metadata["kernelspec"] = {"name": "python3", "display_name": "Python 3", "language": "python"}
        nbformat.write(book, home / f"{name}.ipynb")
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    root = Path(__file__).resolve().parents[2]
    surroundings = os.environ | {
        "JUPYTER_CONFIG_DIR": str(home / "config"),
        "JUPYTER_RUNTIME_DIR": str(home / "runtime"),
        "IPYTHONDIR": str(home / "ipython"),
        "PYTHONPATH": os.pathsep.join([str(root), os.environ.get("PYTHONPATH", "")]),
    }
    options = [
        "--no-browser",
        "--allow-root",
        f"--port={port}",
        "--ServerApp.port_retries=0",
        "--IdentityProvider.token=",
    ]
    with (home / "server.log").open("w") as log:
        process = subprocess.Popen(
            [sys.executable, "-m", "jupyterlab", *options, f"--ServerApp.root_dir={home}"],
            env=surroundings,
            stdout=log,
            stderr=subprocess.STDOUT,
        )
    url = f"http://127.0.0.1:{port}"
    try:
        for _ in range(600):
            try:
                urllib.request.urlopen(f"{url}/api", timeout=5).read()
                break
            except OSError:
                if process.poll() is not None:
                    raise AssertionError((home / "server.log").read_text()) from None
                time.sleep(0.1)
        yield url, home
    finally:
        process.terminate()
        process.wait()


@pytest.fixture
def lab(browser: Browser) -> Iterator[Page]:
    context = browser.new_context(viewport={"width": 1300, "height": 1000}, reduced_motion="reduce")
    left: list[str] = []

    def guard(route: Route, request: Request) -> None:
        if is_local(request.url):
            route.continue_()
        else:
            left.append(request.url)
            route.abort()

    context.route("**/*", guard)
    page = context.new_page()
    page.set_default_timeout(60_000)
    expect.set_options(timeout=60_000)  # a kernel may take its time
    yield page
    expect.set_options(timeout=5_000)
    context.close()
    assert left == []


def open_notebook(page: Page, url: str, name: str) -> None:
    """Open a notebook and run its first cell."""
    page.goto(f"{url}/lab/workspaces/{name}/tree/{name}.ipynb")
    run_cell(page, 0)
    page.wait_for_selector(".nl .nl")


def run_cell(page: Page, at: int) -> None:
    """Run a cell, again if need be: JupyterLab drops what is run before the kernel is really connected."""
    cell = page.locator(".jp-CodeCell").nth(at)
    waiting = cell.locator(".jp-InputPrompt", has_text="[ ]")
    cell.wait_for()
    page.get_by_text("Python 3 (ipykernel) | Idle").wait_for()
    dialog = page.locator(".jp-Dialog .jp-mod-accept")
    while waiting.count():
        if dialog.count():
            dialog.click()
        cell.locator(".cm-content").click()
        page.keyboard.press("Shift+Enter")
        for _ in range(40):
            if not waiting.count():
                return
            page.wait_for_timeout(50)


def run_second_cell(page: Page, answer: Path) -> str:
    """Run the cell that writes a file, and read it."""
    run_cell(page, 1)
    for _ in range(1200):
        if answer.exists():
            return answer.read_text(encoding="utf-8")
        page.wait_for_timeout(50)
    raise AssertionError(f"{answer.name} was not written")


def test_a_game_is_played_in_jupyterlab_and_the_kernel_has_every_play(server: tuple[str, Path], lab: Page) -> None:
    url, home = server
    open_notebook(lab, url, "play")
    played: list[str] = []
    while True:
        over = lab.locator(".nl-prompt", has_text=on_board("winners"))
        option = lab.locator(".nl-option")
        expect(over.or_(option.first)).to_be_visible()
        if over.count():
            break
        chosen = option.last if len(played) % 2 else option.first
        text = chosen.get_attribute("data-option") or ""
        title = lab.locator(".nl-log").inner_text()
        played.append(text)
        if len(played) % 3:
            chosen.click()
        else:
            chosen.focus()
            lab.keyboard.press("Enter")
        expect(lab.locator(".nl-log")).not_to_have_text(title, use_inner_text=True)
    record = Record.from_text(run_second_cell(lab, home / "record.txt"))
    asked = [step for step in record.steps if 0 in step.choices and len(step.before.pending[0].options) > 1]
    assert len(played) >= 9 and [step.before.pending[0].write(step.choices[0]) for step in asked] == played
    assert record.outcome is not None


def test_an_exercise_in_jupyterlab_reports_to_the_kernel_and_follows_the_theme(
    server: tuple[str, Path], lab: Page
) -> None:
    url, home = server
    open_notebook(lab, url, "practise")
    assert lab.locator(".nl-exercise").get_attribute("data-theme") == "light"
    for row in range(1, 5):  # as a person counts
        lab.locator(f"[data-option='{row}']").click()
        expect(lab.locator(".nl-place")).to_contain_text(on_board("tries", tries=row))
        if lab.locator(".nl-feedback.nl-right").count():
            break
    said, right = json.loads(run_second_cell(lab, home / "answers.txt"))
    assert [text for text, _ in said] == [str(row) for row in range(1, len(said) + 1)]
    assert [text for text, correct in said if correct] == right
    lab.get_by_role("menuitem", name="Settings").click()
    lab.get_by_text("Theme", exact=True).hover()
    lab.get_by_text("JupyterLab Dark", exact=True).click()
    expect(lab.locator(".nl-exercise")).to_have_attribute("data-theme", "dark")
