"""Print our pages to PDF with an installed Chromium or Chrome."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from nimmt_lab.engine.errors import Unsupported
from nimmt_lab.engine.files import write_file

COMMANDS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "microsoft-edge")
APPLICATIONS = (
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
)
#: Seconds. A class of 999 takes a minute or two; a hanging browser must not hang the command.
LONGEST = 600


def browsers() -> Iterator[str]:
    """Where a Chromium or Chrome may be; the variable CHROMIUM names the only one to try."""
    if named := os.environ.get("CHROMIUM"):
        yield named
        return
    yield from filter(None, map(shutil.which, COMMANDS))
    yield from APPLICATIONS
    for root in ("PROGRAMFILES", "PROGRAMFILES(X86)", "LOCALAPPDATA"):
        if root in os.environ:
            yield str(Path(os.environ[root], "Google", "Chrome", "Application", "chrome.exe"))
            yield str(Path(os.environ[root], "Microsoft", "Edge", "Application", "msedge.exe"))


def runs(path: str) -> bool:
    """Whether this is a working browser: on Ubuntu `chromium-browser` may be a stub that asks for a snap."""
    if not Path(path).is_file():
        return False
    if sys.platform == "win32":  # --version would open a window
        return True
    try:
        return subprocess.run([path, "--version"], capture_output=True, timeout=60).returncode == 0
    except (OSError, subprocess.TimeoutExpired):
        return False


def pdf(html: str) -> bytes:
    browser = next(filter(runs, browsers()), None)
    if browser is None:
        raise Unsupported("lessons.pdf_none")
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        page, out = Path(folder, "page.html"), Path(folder, "page.pdf")
        write_file(page, html)
        root = hasattr(os, "geteuid") and os.geteuid() == 0
        options = [
            "--headless",
            "--disable-gpu",
            "--no-first-run",
            "--no-pdf-header-footer",
            "--print-to-pdf-no-header",  # the older name of the option
            f"--user-data-dir={Path(folder, 'profile')}",
            f"--print-to-pdf={out}",
            *(["--no-sandbox"] if root else []),  # Chromium refuses a sandbox for root
        ]
        try:
            subprocess.run([browser, *options, page.as_uri()], capture_output=True, timeout=LONGEST, check=True)
            return out.read_bytes()
        except (OSError, subprocess.SubprocessError) as problem:
            raise Unsupported("lessons.pdf_failed", browser=browser, why=type(problem).__name__) from None
