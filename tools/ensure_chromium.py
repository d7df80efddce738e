"""Find a Chromium for the browser tests, or install one where no permission is needed; print its path.

    python tools/ensure_chromium.py

Looks for: $CHROMIUM, a system Chromium or Chrome, the one Playwright keeps. Else, as root with apt-get, installs
Debian's; else lets Playwright download its own. Exit code 1, and what to install, when all of that fails: browser
tests that quietly did not run would look like tests that passed.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator

from nimmt_lab.lessons.paper import browsers, runs

ADVICE = """\
No Chromium was found for the browser tests, and none could be installed. Any one of these helps:
  Debian:            sudo apt-get install chromium
  Fedora:            sudo dnf install chromium
  macOS:             brew install --cask google-chrome
  Windows, others:   python -m playwright install chromium
or set CHROMIUM to the path of a Chromium or Chrome. The other tests run without one:
  python -m pytest -m "not browser and not slow"
"""


def candidates() -> Iterator[str]:
    yield from browsers()
    if os.environ.get("CHROMIUM"):
        return
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        return
    with sync_playwright() as playwright:
        yield playwright.chromium.executable_path


def find_chromium() -> str | None:
    """The path of a working Chromium or Chrome, or None."""
    return next(filter(runs, candidates()), None)


def installers() -> Iterator[list[list[str]]]:
    """Ways to install one without asking, best first, each a list of commands."""
    if os.environ.get("CHROMIUM"):  # the user named one: installing another would not help
        return
    if hasattr(os, "geteuid") and os.geteuid() == 0 and shutil.which("apt-get"):
        apt = ["apt-get", "-q", "-y", "-o", "DPkg::Lock::Timeout=300"]
        yield [[*apt, "update"], [*apt, "install", "--no-install-recommends", "chromium", "fonts-dejavu-core"]]
    yield [[sys.executable, "-m", "playwright", "install", "chromium"]]


def install_chromium() -> str | None:
    quiet = os.environ | {"DEBIAN_FRONTEND": "noninteractive"}
    for commands in installers():
        for command in commands:
            print("$", *command, file=sys.stderr, flush=True)
            done = subprocess.run(command, env=quiet, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
            if done.returncode:
                print(done.stdout, file=sys.stderr)
                break
        if path := find_chromium():
            return path
    return None


def main() -> int:
    path = find_chromium() or install_chromium()
    if path is None:
        print(ADVICE, file=sys.stderr, end="")
        return 1
    print(path)
    return 0


if __name__ == "__main__":
    sys.exit(main())
