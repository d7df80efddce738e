"""All tests; what failed in a browser is tried once more, alone.

    python tools/run_tests.py [options of pytest]

A browser has a clock of its own, and two workers on two busy cores can make it miss a moment. A test that fails twice,
or that needs no browser, is a failure; one that passed only the second time is named, to be mended.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
#: Where pytest notes what failed.
FAILED = ROOT / ".pytest_cache" / "v" / "cache" / "lastfailed"
#: pytest's exit code when tests ran and some failed; everything else but 0 is no matter of a test.
SOME_FAILED = 1
MARKS = "browser or lab"


def in_browsers(failed: Sequence[str]) -> bool:
    """Whether all of these tests drive a browser, by their marks."""
    asked = [sys.executable, "-m", "pytest", "--collect-only", "-q", "-m", MARKS, *failed]
    told = subprocess.run(asked, cwd=ROOT, capture_output=True, text=True)
    return told.returncode == 0 and set(failed) <= set(told.stdout.splitlines())


def main(options: Sequence[str]) -> int:
    """pytest's exit code."""
    FAILED.unlink(missing_ok=True)
    code = subprocess.run([sys.executable, "-m", "pytest", *options], cwd=ROOT).returncode
    if code != SOME_FAILED or not FAILED.exists():
        return code
    failed = sorted(json.loads(FAILED.read_text(encoding="utf-8")))
    if not failed or not in_browsers(failed):
        return code
    print("\nOnce more, alone:", *failed, sep="\n  ", flush=True)
    code = subprocess.run([sys.executable, "-m", "pytest", "-m", MARKS, *failed], cwd=ROOT).returncode
    if code == 0:
        print("Passed only the second time; mend:", *failed, sep="\n  ", flush=True)
    return code


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
