"""Check the JavaScript: lint and format (biome), types (tsc), and the unit tests in tests/js (node --test).

    python tools/check_js.py           say what is wrong
    python tools/check_js.py --format  let biome write

Needs Node 20 or newer with npm. The first run installs the tools of package-lock.json into node_modules, and so does
the first run after that file has changed. Without Node it checks nothing and says so in one line; in CI that is a
failure.
"""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
OLDEST_NODE = 20
#: The folders biome checks; biome.json selects the files. Listed here so that it does not scan the whole checkout.
FOLDERS = ("nimmt_lab", "tests", "tools")


def run(command: Sequence[str | Path], root: Path, *, quietly: bool = False) -> int:
    """Run a command and show its output: all of it, or only if it fails."""
    sys.stdout.flush()
    pipe, both = (subprocess.PIPE, subprocess.STDOUT) if quietly else (None, None)
    done = subprocess.run([str(word) for word in command], cwd=root, stdout=pipe, stderr=both, check=False)
    if quietly and done.returncode:
        print(done.stdout.decode(errors="replace"))
    return done.returncode


def missing() -> str:
    """Why the checks cannot run; empty if Node and npm are recent enough."""
    node = shutil.which("node")
    if node is None or shutil.which("npm") is None:
        return "there is no Node with npm here"
    said = subprocess.run([node, "--version"], capture_output=True, text=True, check=False).stdout
    found = re.match(r"v(\d+)\.", said)
    if found is None or int(found[1]) < OLDEST_NODE:
        return f"Node {OLDEST_NODE} or newer is needed, and this is {said.strip() or 'none'}"
    return ""


def install(root: Path) -> int:
    """Run `npm ci`, unless these versions are already installed."""
    modules = root / "node_modules"
    stamp = modules / ".installed"
    wanted = hashlib.sha256((root / "package-lock.json").read_bytes()).hexdigest()
    if stamp.is_file() and stamp.read_text(encoding="utf-8") == wanted:
        return 0
    print("Installing biome, typescript, pyright and happy-dom into node_modules (about 190 MB) …")
    code = run([shutil.which("npm") or "npm", "ci", "--no-audit", "--no-fund"], root)
    if code == 0:
        stamp.write_text(wanted, encoding="utf-8")
    return code


def formatter(root: Path) -> list[str | Path]:
    """The command that lets biome fix files."""
    biome = root / "node_modules" / "@biomejs" / "biome" / "bin" / "biome"
    return [shutil.which("node") or "node", biome, "check", "--write", *FOLDERS]


def checks(root: Path) -> Iterator[tuple[str, list[str | Path]]]:
    """The checks: names and commands."""
    node = shutil.which("node") or "node"
    tool = root / "node_modules"
    yield "biome", [node, tool / "@biomejs" / "biome" / "bin" / "biome", "check", "--error-on-warnings", *FOLDERS]
    yield "tsc", [node, tool / "typescript" / "bin" / "tsc"]
    tests = sorted((root / "tests" / "js").glob("*.test.js"))
    yield "node --test", [node, "--test", "--test-reporter=spec", f"--test-concurrency={os.cpu_count() or 1}", *tests]


def main(root: Path = ROOT, *, write: bool = False) -> int:
    if reason := missing():
        print(f"JavaScript was not checked: {reason}.")
        return 1 if os.environ.get("CI") else 0
    if code := install(root):
        print("JavaScript was not checked: npm could not install its tools.")
        return code
    if write:
        return run(formatter(root), root, quietly=True)
    failed = []
    for name, command in checks(root):
        print(f"{name} …")
        if run(command, root, quietly=True):
            failed.append(name)
    print(f"JavaScript: failed: {', '.join(failed)}." if failed else "JavaScript: all is well.")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(write=sys.argv[1:] == ["--format"]))
