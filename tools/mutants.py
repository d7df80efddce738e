"""Break the code on purpose, one line at a time, and see that the tests notice.

    python tools/mutants.py            all of tests/mutants.toml
    python tools/mutants.py --area kernels

Each fault is made in a copy of the checkout, and the tests named with it run there: faults in rules, kernels and
grading have to be caught by the inner ring (`make test`), the others by `make test-all`. Exit code 1 if one survives.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
LIST = ROOT / "tests" / "mutants.toml"
#: Areas whose faults the inner ring must catch.
INNER = ("rules", "kernels", "grading")
#: pytest's exit codes: some tests failed; collection failed, which a fault may also cause.
CAUGHT = (1, 2)


@dataclass(frozen=True)
class Mutant:
    """One fault: a text that occurs once in a file, and its replacement."""

    area: str
    file: str
    old: str
    new: str
    tests: tuple[str, ...]

    def applied(self, text: str) -> str:
        """The text of the file with the fault."""
        if text.count(self.old) != 1:
            raise ValueError(f"{self.file} has {text.count(self.old)} places with {self.old!r}, not one")
        return text.replace(self.old, self.new)


def mutants() -> list[Mutant]:
    """All listed faults."""
    listed = tomllib.loads(LIST.read_text(encoding="utf-8"))["mutant"]
    return [Mutant(**{**one, "tests": tuple(one["tests"])}) for one in listed]


def copied(folder: Path) -> Path:
    """The current files of the checkout."""
    names = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    for name in filter(None, names.split("\0")):
        if (ROOT / name).is_file():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(ROOT / name, folder / name)
    for name in (".git", ".venv", "node_modules"):
        if (ROOT / name).exists():
            (folder / name).symlink_to(ROOT / name)
    return folder


def survives(mutant: Mutant, folder: Path) -> bool:
    """Whether the tests pass with the fault."""
    path = folder / mutant.file
    sound = path.read_text(encoding="utf-8")
    rings = ("inner",) if mutant.area in INNER else ("inner", "middle")
    path.write_text(mutant.applied(sound), encoding="utf-8")
    try:
        for ring in rings:
            command = [
                sys.executable,
                "-m",
                "pytest",
                "-x",
                "-q",
                "-p",
                "no:cacheprovider",
                "--ring",
                ring,
                *mutant.tests,
            ]
            environment = {**os.environ, "PYTHONPATH": str(folder), "CI": "true", "PYTHONDONTWRITEBYTECODE": "1"}
            done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True)
            if done.returncode in CAUGHT:
                caught = [line for line in done.stdout.splitlines() if line.startswith(("FAILED", "ERROR"))]
                print(f"caught in the {ring} ring by {caught[0].split(' - ')[0] if caught else '?'}", flush=True)
                return False
    finally:
        path.write_text(sound, encoding="utf-8")
    print("SURVIVES", flush=True)
    return True


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description="See that the tests notice faults made on purpose.")
    parser.add_argument("--area", action="append", help="only faults of this area; may be given again")
    given = parser.parse_args(arguments)
    left = 0
    with tempfile.TemporaryDirectory() as folder:
        tree = copied(Path(folder))
        for number, mutant in enumerate(mutants(), 1):
            if given.area and mutant.area not in given.area:
                continue
            print(f"{number:2} {mutant.area:8} {mutant.file}: {mutant.old[:60]} … ", end="", flush=True)
            left += survives(mutant, tree)
    print(f"{left} survived")
    return int(left > 0)


if __name__ == "__main__":
    sys.exit(main())
