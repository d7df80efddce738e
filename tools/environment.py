"""Create or complete `.venv`: the pinned and hashed packages for one purpose, then this checkout.

    python tools/environment.py lab     what `make lab` needs (or: test, all, docs, site, wheel, compiler)

One `.venv` serves all purposes. Each has a stamp of its own, and all use the same versions (`tools/lock.py`), so
installing one never undoes another. Installed packages are not looked up again: the second `make lab` needs no network.
An interrupted installation continues the next time. Standard library only: this runs before anything is installed.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
VENV = ROOT / ".venv"
OLDEST = (3, 11)
#: A readable name for each purpose, and the approximate download (MB, on Linux).
PURPOSES = {
    "lab": ("JupyterLab, boards and charts", 150),
    "test": ("JupyterLab, boards, charts and the test tools", 250),
    "all": ("everything that any command of this checkout needs", 510),
    "docs": ("JupyterLab and Sphinx", 160),
    "site": ("JupyterLab, JupyterLite, Node and a compiler for the web", 320),
    "wheel": ("the build tools and a compiler for every platform", 120),
    "compiler": ("a C compiler, in .venv", 100),
}
#: Purposes that include others.
CONTAINS = {
    "all": ("lab", "test", "docs", "site", "wheel", "compiler"),
    "test": ("lab",),
    "docs": ("lab",),
    "site": ("lab", "compiler"),
    "wheel": ("compiler",),
}
#: In a log file, one line per this many packages.
EVERY = 20


def python() -> Path:
    """The environment's own Python."""
    return VENV / ("Scripts/python.exe" if os.name == "nt" else "bin/python")


def digest(paths: Iterable[Path]) -> str:
    """A fingerprint of some files and the version of Python, on which the installation depends."""
    text = hashlib.sha256(sys.version.encode())
    for path in paths:
        text.update(path.read_bytes())
    return text.hexdigest()


def is_current(stamp: str, value: str) -> bool:
    path = VENV / f".{stamp}"
    return path.exists() and path.read_text(encoding="utf-8") == value


def put_stamp(stamp: str, value: str) -> None:
    """Record a finished step. Written last and atomically, so an interrupted step leaves no record."""
    making = VENV / f".{stamp}.making"
    making.write_text(value, encoding="utf-8")
    os.replace(making, VENV / f".{stamp}")


def say(text: str) -> None:
    print(text, flush=True)


def installer() -> list[str]:
    """The installer: uv if available, otherwise the environment's pip."""
    uv = shutil.which("uv")
    if uv:
        return [uv, "pip", "install", "--python", str(python())]
    return [str(python()), "-m", "pip", "install", "--disable-pip-version-check"]


def run(command: Sequence[str], expected: int = 0) -> None:
    """Run an installer, with its progress bar on a terminal, otherwise with an occasional line."""
    if sys.stdout.isatty() or command[1] == "pip":  # uv prints little and is fast
        code = subprocess.run(command, cwd=ROOT).returncode
        last: list[str] = []
    else:
        last, seen = [], 0
        process = subprocess.Popen(
            [*command, "--progress-bar", "off"], cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
        )
        assert process.stdout
        for line in process.stdout:
            last = [*last[-30:], line]
            if line.startswith(("Collecting ", "Processing ")):
                seen += 1
                if seen % EVERY == 0:
                    say(f"  {seen} of about {expected} packages …")
        code = process.wait()
    if code:
        sys.stderr.write("".join(last))
        raise SystemExit("Installing did not work. When the cause is gone, the same command continues from here.")


def make_venv() -> None:
    """Create an empty environment, unless a sound one for this Python exists."""
    value = digest([])
    if is_current("made", value) and python().exists():
        return
    if VENV.exists() and (VENV / ".made").exists():
        say("This is another Python than .venv was made with: making .venv again …")
        shutil.rmtree(VENV)
    else:
        say("Making .venv …")
    subprocess.run([sys.executable, "-m", "venv", str(VENV)], check=True)
    put_stamp("made", value)


def install(purpose: str) -> None:
    """The pinned packages of one purpose."""
    wanted = ROOT / "requirements" / f"{purpose}.txt"
    value = digest([wanted])
    if is_current(purpose, value):
        return
    for larger, smaller in CONTAINS.items():
        if purpose in smaller and is_current(larger, digest([wanted.with_name(f"{larger}.txt")])):
            return
    what, size = PURPOSES[purpose]
    packages = sum("==" in line for line in wanted.read_text(encoding="utf-8").splitlines())
    say(f"Installing {what}: {packages} packages, about {size} MB to download …")
    run([*installer(), "--require-hashes", "-r", str(wanted)], packages)
    put_stamp(purpose, value)


def install_project() -> None:
    """Install this checkout itself."""
    value = digest([ROOT / "pyproject.toml", ROOT / "setup.py", *sorted((ROOT / "tools" / "backend").glob("*.py"))])
    if is_current("project", value):
        return
    say("Installing this checkout …")
    # Always pip: it compiles the core with the tools installed here, and reports a missing compiler.
    own = [str(python()), "-m", "pip", "install", "--disable-pip-version-check", "--quiet"]
    run([*own, "--no-deps", "--no-build-isolation", "-e", str(ROOT)])
    put_stamp("project", value)


def main(arguments: Sequence[str]) -> int:
    if len(arguments) != 1 or arguments[0] not in PURPOSES:
        print(__doc__, file=sys.stderr)
        return 2
    if sys.version_info < OLDEST:
        print("nimmt_lab needs Python 3.11 or newer; try: make PYTHON=python3.12 …", file=sys.stderr)
        return 1
    make_venv()
    (purpose,) = arguments
    install(purpose)
    if purpose != "compiler":
        install_project()
    return 0


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except KeyboardInterrupt:
        sys.exit("Interrupted. The same command continues from here.")
