"""Check the style and types of all source files; pull requests must pass this before their tests.

    python tools/check.py           say what is wrong
    python tools/check.py --format  let the formatters write

Python by ruff and `mypy --strict`, C by clang-format, JavaScript by tools/check_js.py where there is Node.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def c_files() -> list[str]:
    return sorted(str(path) for folder in ("nimmt_lab", "benchmarks") for path in (ROOT / folder).rglob("*.[ch]"))


def steps(write: bool) -> list[tuple[str, list[str]]]:
    """The name and the command of each check, fastest first."""
    module = [sys.executable, "-m"]
    clang = [str(Path(sys.executable).with_name("clang-format"))]
    script = [sys.executable, str(ROOT / "tools" / "check_js.py")]
    if write:
        return [
            ("ruff format", [*module, "ruff", "format", "--quiet", "."]),
            ("ruff check --fix", [*module, "ruff", "check", "--quiet", "--fix", "."]),
            ("clang-format", [*clang, "-i", *c_files()]),
            ("biome", [*script, "--format"]),
        ]
    return [
        ("ruff check", [*module, "ruff", "check", "--quiet", "."]),
        ("ruff format", [*module, "ruff", "format", "--quiet", "--check", "--diff", "."]),
        ("clang-format", [*clang, "--dry-run", "--Werror", *c_files()]),
        ("mypy --strict", [*module, "mypy", "--no-error-summary"]),
        ("JavaScript", script),
    ]


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description="Check style and types.")
    parser.add_argument("--format", action="store_true", help="let the formatters write")
    failed = []
    for name, command in steps(parser.parse_args(arguments).format):
        print(f"{name} …", flush=True)
        if subprocess.run(command, cwd=ROOT).returncode:
            failed.append(name)
    if failed:
        print(f"Not clean: {', '.join(failed)}. Formatters write by: make format", file=sys.stderr)
    return int(bool(failed))


if __name__ == "__main__":
    sys.exit(main())
