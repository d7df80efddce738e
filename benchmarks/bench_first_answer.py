"""Time a newcomer's way from `nimmt-lab` to the first right answer and the first card at a table: seconds, clicks,
ratios.

    python benchmarks/bench_first_answer.py

Everything counts: the server's start, the browser's first page, Python behind it. Seconds are those of this machine and
of what else it does; the ratios compare with importing JupyterLab and with starting a bare kernel in the same run.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from playwright.sync_api import Page

from nimmt_lab.lessons import lesson_names, question_of, rules_lesson
from tools.browser import open_browser
from tools.ensure_chromium import ADVICE, find_chromium

LAB = Path(__file__).resolve().parent.parent / "tools" / "lab.py"
BARE_KERNEL = """
from jupyter_client.manager import start_new_kernel
manager, client = start_new_kernel()
client.execute_interactive("1", timeout=60)
client.stop_channels()
manager.shutdown_kernel(now=True)
"""


def seconds(act: Callable[[], object]) -> float:
    """How long something takes."""
    begun = time.perf_counter()
    act()
    return time.perf_counter() - begun


def processor() -> float:
    """Processor seconds of all finished children of this process, including the server and its kernels."""
    spent = os.times()
    return spent.children_user + spent.children_system


def python(code: str) -> None:
    """Run some Python in a process of its own."""
    subprocess.run([sys.executable, "-c", code], check=True, capture_output=True)


class Clicks:
    """A user who counts clicks."""

    def __init__(self, page: Page) -> None:
        self.page, self.count = page, 0

    def __call__(self, selector: str) -> None:
        self.page.locator(selector).first.click()
        self.count += 1


def first_answer(page: Page) -> int:
    """The first lesson, the first question, its right answer: the number of clicks."""
    lesson = rules_lesson(lesson_names()[0])
    at = next(number for number, step in enumerate(lesson.steps) if step.ask)
    click = Clicks(page)
    click(".nl-lesson-card.nl-primary")
    for _ in range(at):
        click(".nl-lesson-head [data-do='next']:not(:disabled)")
    click(f".nl-option[data-option='{min(question_of(lesson.steps[at]).right)}']")
    page.locator(".nl-feedback.nl-right").wait_for()
    return click.count


def first_card(page: Page) -> int:
    """A table, and a card on it: the number of clicks."""
    click = Clicks(page)
    click("[data-door='play']")
    click("[data-do='start']")
    click(".nl-mine .nl-option")
    page.locator(".nl-log-line").nth(1).wait_for()
    return click.count


def main() -> int:
    """Start it, click, and print the times."""
    chromium = find_chromium()
    if chromium is None:
        print(ADVICE, file=sys.stderr, end="")
        return 1
    importing = seconds(lambda: python("import jupyterlab.labapp"))
    bare = seconds(lambda: python(BARE_KERNEL))
    with tempfile.TemporaryDirectory() as base, open_browser(chromium) as browser:
        places = {name: str(Path(base) / name) for name in ("JUPYTER_CONFIG_DIR", "JUPYTER_RUNTIME_DIR", "IPYTHONDIR")}
        command = [sys.executable, str(LAB), "--folder", str(Path(base) / "mine"), "--no-browser"]
        spent, begun = processor(), time.perf_counter()
        server = subprocess.Popen(
            command,
            env={**os.environ, **places, "HOME": base, "PYTHONUNBUFFERED": "1"},
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )
        try:
            assert server.stdout is not None
            address = next(found[1] for line in server.stdout if (found := re.match(r"Home: +(\S+)", line)))
            started = time.perf_counter() - begun
            page = browser.new_page(viewport={"width": 1366, "height": 768}, reduced_motion="reduce")
            page.set_default_timeout(120_000)
            page.goto(address)
            page.locator(".nl-lesson-card").first.wait_for()
            shown = time.perf_counter() - begun
            clicks = first_answer(page)
            answered = time.perf_counter() - begun
            table = seconds(lambda: print(f"first card at a table: {first_card(page)} clicks from any screen", end=""))
            print(f", {table:.1f} s")
        finally:
            server.terminate()
            server.wait(30)
        spent = processor() - spent
    print(f"first right answer: {clicks} clicks, {answered:.1f} s")
    print(f"  the server listens after {started:.1f} s ({started / importing:.1f} times importing JupyterLab)")
    page_took = (shown - started) / bare
    print(f"  Home is there after {shown:.1f} s (that page: {page_took:.1f} times starting a bare kernel)")
    print(f"  server and kernel have used {spent:.1f} s of processor time by the end")
    print(f"  the lesson, two steps and the answer: {answered - shown:.1f} s")
    return 0


if __name__ == "__main__":
    sys.exit(main())
