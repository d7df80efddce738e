"""Pin what `make` installs: one file of exact versions and hashes for each environment, in `requirements/`.

    python tools/lock.py            pin again, keeping the versions pinned so far where they still fit
    python tools/lock.py --upgrade  pin the newest versions that fit
    python tools/lock.py --check    only say whether pyproject.toml asks for anything that is not pinned

Needs `uv` (dependency group `dev`) and a network. The files name no registry: pip and uv use the one they are set up
with, and the hashes make sure that it delivers what was pinned. Every environment takes its versions from the largest
one, so that installing one after another in the same `.venv` never changes a version.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
REQUIREMENTS = ROOT / "requirements"
#: The oldest supported Python, as in `requires-python` of pyproject.toml.
OLDEST = "3.11"
#: Each environment, with the extras and dependency groups of pyproject.toml that it contains.
ENVIRONMENTS: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "all": (("lab", "site", "lite", "cluster", "rl", "docs"), ("build", "test", "dev")),
    "test": (("lab",), ("build", "test")),
    "lab": (("lab",), ("build",)),
    "docs": (("lab", "docs"), ("build",)),
    "site": (("lab", "site", "lite"), ("build",)),
    "wheel": ((), ("build", "dev")),
    "compiler": ((), ("compiler",)),
}
HEADER = "# Written by tools/lock.py from pyproject.toml: {what}.\n"


def described(name: str) -> str:
    """The contents of an environment, in the terms of pyproject.toml.

    >>> described("docs")
    'extras lab docs; groups build'
    """
    extras, groups = (list(names) for names in ENVIRONMENTS[name])
    parts = [f"extras {' '.join(extras)}"] * bool(extras) + [f"groups {' '.join(groups)}"] * bool(groups)
    return "; ".join(parts)


def lock(name: str, constraints: Sequence[Path], folder: Path, upgrade: bool) -> None:
    """Write one environment's file."""
    extras, groups = ENVIRONMENTS[name]
    made = folder / f"{name}.txt"
    old = REQUIREMENTS / made.name
    if old.exists() and not upgrade:
        made.write_bytes(old.read_bytes())  # uv keeps the versions of a file that it overwrites
    command = [
        *("uv", "pip", "compile", "--quiet", "--universal", "--python-version", OLDEST),
        *("--generate-hashes", "--no-emit-index-url", "--no-header", "--no-annotate"),
        *(word for extra in extras for word in ("--extra", extra)),
        *(word for group in groups for word in ("--group", group)),
        *(word for path in constraints for word in ("--constraint", str(path))),
        *(("--upgrade",) if upgrade else ()),
        *("--output-file", str(made), *(("pyproject.toml",) if extras else ())),
    ]
    subprocess.run(command, cwd=ROOT, check=True)
    made.write_text(HEADER.format(what=described(name)) + made.read_text(encoding="utf-8"), encoding="utf-8")


def check() -> list[str]:
    """The direct dependencies that no pin satisfies."""
    from packaging.requirements import Requirement
    from packaging.utils import canonicalize_name

    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    wrong = []
    for name, (extras, groups) in ENVIRONMENTS.items():
        pinned = pins(REQUIREMENTS / f"{name}.txt")
        lines = [line for extra in extras for line in project["project"]["optional-dependencies"][extra]]
        lines += [line for group in groups for line in project["dependency-groups"][group]]
        for item in map(Requirement, lines):
            versions = pinned.get(canonicalize_name(item.name), [])
            if not versions or not all(item.specifier.contains(one, prereleases=True) for one in versions):
                wrong.append(f"requirements/{name}.txt: {item} is pinned to {' and '.join(versions) or 'nothing'}")
    return wrong


def pins(path: Path) -> dict[str, list[str]]:
    """The pinned versions by package: more than one where Pythons or platforms differ."""
    from packaging.utils import canonicalize_name

    found: dict[str, list[str]] = {}
    for line in path.read_text(encoding="utf-8").splitlines():
        if line and not line.startswith(("#", " ")):
            name, _, rest = line.partition("==")
            found.setdefault(canonicalize_name(name.partition("[")[0]), []).append(rest.split()[0])
    return found


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description="Pin what make installs, in requirements/.")
    parser.add_argument("--upgrade", action="store_true", help="pin the newest versions that fit")
    parser.add_argument("--check", action="store_true", help="only say what is not pinned")
    given = parser.parse_args(arguments)
    if given.check:
        wrong = check()
        print("\n".join(wrong) if wrong else "every dependency is pinned")
        return int(bool(wrong))
    REQUIREMENTS.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        largest, *others = ENVIRONMENTS
        print(f"pinning {largest} …", flush=True)
        lock(largest, (), Path(folder), given.upgrade)
        for name in others:
            print(f"pinning {name} …", flush=True)
            lock(name, (Path(folder) / f"{largest}.txt",), Path(folder), given.upgrade)
        for name in ENVIRONMENTS:  # all of them, or none
            (REQUIREMENTS / f"{name}.txt").write_bytes((Path(folder) / f"{name}.txt").read_bytes())
    return 0


if __name__ == "__main__":
    sys.exit(main())
