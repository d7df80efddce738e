"""Release a version: check the repository, build and try the packages, then commit and tag.

    make release VERSION=1.2.0
    python tools/release.py 1.2.0 [--dry-run]

Everything is built from an export of the last commit, in a temporary folder, and the wheel is installed into an empty
environment and used. The checkout changes only after all of that has worked: `dist/` gets the packages, one commit sets
the version, an annotated tag names it. If any step fails or is interrupted, the checkout is put back as it was.
Nothing is pushed or uploaded; the last lines say how. `--dry-run` does all but change the checkout.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
import venv
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from tools import badges  # noqa: E402

BRANCH = "main"
#: The files that state the version, each with its line; `{}` is the version.
STATED = {
    "nimmt_lab/__init__.py": '__version__ = "{}"',
    "CITATION.cff": "version: {}",
    "README.md": "![version: {}](docs/badges/version.svg)",
}
#: A user's first steps with a new wheel. There is no compiler, so the core must come from the wheel.
USE = """
import nimmt_lab, shutil, sys
from nimmt_lab.native import core
assert not any(map(shutil.which, ("cc", "gcc", "clang")))
assert nimmt_lab.__version__ == sys.argv[1], nimmt_lab.__version__
assert core() is not None, "the wheel has no compiled core for this platform"
assert core().name.startswith(sys.prefix), core().name
"""


#: Reasons against a release. Tests look them up, so that each sentence is written once.
REASONS: Final = {
    "version": "{version!r} is not a version: write three numbers, such as 1.2.0",
    "changes": "the checkout has changes: {names}; commit or stash them",
    "branch": "releases are made on {branch}, not on {here}",
    "tagged": "the tag v{version} already exists",
    "older": "{version} is older than the last release, {last}",
    "older_than_stated": "{version} is older than the version of the package, {last}",
    "changelog": 'CHANGELOG.md has no section "## {version}" with text',
    "moved": "the checkout changed while the packages were built; start again",
}


class Refused(Exception):
    """The release can't be made; the message gives the reasons, one per line."""


@dataclass(frozen=True)
class Steps:
    """The slow parts, which tests replace."""

    #: Build wheel and sdist of a source folder into another folder.
    build: Callable[[Path, Path], None]
    #: Install a wheel into an empty environment and use it; the second argument is its version.
    try_out: Callable[[Path, str], None]


def _git(root: Path, *arguments: str) -> str:
    done = subprocess.run(["git", *arguments], cwd=root, capture_output=True, text=True)
    if done.returncode:
        raise Refused(f"git {arguments[0]} failed: {done.stderr.strip() or done.stdout.strip()}")
    return done.stdout.strip()


def _numbers(version: str) -> tuple[int, ...]:
    return tuple(map(int, version.split(".")))


def present_version(root: Path) -> str:
    """The version the package states."""
    text = (root / "nimmt_lab" / "__init__.py").read_text(encoding="utf-8")
    stated = re.search(r'^__version__ = "(\d+\.\d+\.\d+)"$', text, re.MULTILINE)
    if not stated:
        raise Refused('nimmt_lab/__init__.py has no line like __version__ = "1.2.0"')
    return stated[1]


def notes(changelog: str, version: str) -> str:
    """The changelog's text about a version, without its heading; empty if there is no such section.

    >>> notes("# Changelog\n\n## 1.2.0 (2030-01-31)\n\n- Faster.\n\n## 1.1.0\n- First.\n", "1.2.0")
    '- Faster.'
    """
    section = re.search(rf"^## {re.escape(version)}(?: [^\n]*)?\n(.*?)(?=^## |\Z)", changelog, re.DOTALL | re.MULTILINE)
    return section[1].strip() if section else ""


def reasons_against(root: Path, version: str) -> list[str]:
    """The reasons why this version can't be released from this checkout now; empty if it can."""
    if not re.fullmatch(r"(0|[1-9]\d*)(\.(0|[1-9]\d*)){2}", version):
        return [REASONS["version"].format(version=version)]
    reasons = []
    changed = _git(root, "status", "--porcelain").splitlines()
    if changed:
        more = f" and {len(changed) - 3} more" if len(changed) > 3 else ""
        names = ", ".join(line.split(maxsplit=1)[1] for line in changed[:3])
        reasons.append(REASONS["changes"].format(names=names + more))
    branch = _git(root, "rev-parse", "--abbrev-ref", "HEAD")
    if branch != BRANCH:
        reasons.append(REASONS["branch"].format(branch=BRANCH, here="a detached HEAD" if branch == "HEAD" else branch))
    tags = re.findall(r"^v(\d+\.\d+\.\d+)$", _git(root, "tag", "--list"), re.MULTILINE)
    if version in tags:
        reasons.append(REASONS["tagged"].format(version=version))
    elif tags and _numbers(version) < max(map(_numbers, tags)):
        reasons.append(REASONS["older"].format(version=version, last=max(tags, key=_numbers)))
    if _numbers(version) < _numbers(present_version(root)):
        reasons.append(REASONS["older_than_stated"].format(version=version, last=present_version(root)))
    if not notes((root / "CHANGELOG.md").read_text(encoding="utf-8"), version):
        reasons.append(REASONS["changelog"].format(version=version))
    return reasons


def set_version(root: Path, version: str) -> None:
    """Write the version wherever the repository states it."""
    for name, line in STATED.items():
        path = root / name
        before, after = line.split("{}")
        text, count = re.subn(
            rf"(?<![\w-]){re.escape(before)}[\d.]+{re.escape(after)}",
            line.format(version),
            path.read_text(encoding="utf-8"),
        )
        if count != 1:
            raise Refused(f"{name} should contain {line.format('1.2.0')} once, but contains it {count} times")
        path.write_text(text, encoding="utf-8", newline="\n")
    badges.write(root)


def _export(root: Path, folder: Path) -> None:
    """The files of the last commit, without untracked ones."""
    folder.mkdir()
    archive = folder.parent / "export.tar"
    _git(root, "archive", "--format=tar", f"--output={archive}", "HEAD")
    shutil.unpack_archive(archive, folder, filter="data")


def build_packages(source: Path, folder: Path) -> None:
    """A wheel with the core for every platform, and the sdist."""
    environment = {**os.environ, "NIMMT_PLATFORMS": "all"}
    command = [sys.executable, "-m", "build", "--wheel", "--sdist", "--no-isolation", "--outdir"]
    if subprocess.run([*command, str(folder), str(source)], env=environment).returncode:
        raise Refused("the packages could not be built; see above")


def try_wheel(wheel: Path, version: str) -> None:
    """Install the wheel into an empty environment without a compiler, and use it."""
    environment = {key: value for key, value in os.environ.items() if not key.startswith(("PYTHON", "NIMMT"))}
    with tempfile.TemporaryDirectory() as folder:
        venv.create(Path(folder) / "empty", with_pip=False)
        python = Path(folder) / "empty" / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
        install = [sys.executable, "-m", "pip", f"--python={python}", "install", "--no-index", "--quiet", str(wheel)]
        alone = environment if os.name == "nt" else {**environment, "PATH": ""}
        for command, settings in (
            (install, environment),
            ([str(python), "-c", USE, version], alone),
            ([str(python), "-m", "nimmt_lab", "check", "--self"], alone),
        ):
            if subprocess.run(command, cwd=folder, env=settings).returncode:
                raise Refused(f"{wheel.name} does not work in an empty environment; see above")


STEPS = Steps(build=build_packages, try_out=try_wheel)


def _publish(root: Path, version: str, packages: Sequence[Path]) -> None:
    """Put the packages into dist/, commit and tag: all of it, or nothing."""
    before, tag, target = _git(root, "rev-parse", "HEAD"), f"v{version}", root / "dist"
    made_folder = not target.exists()
    # Use other names until the tag exists, because dist/ may have packages with the same names.
    waiting = {target / f"{path.name}.new": path for path in packages}
    try:
        target.mkdir(exist_ok=True)
        for copy, path in waiting.items():
            shutil.copyfile(path, copy)
        set_version(root, version)
        if _git(root, "status", "--porcelain"):  # the first release finds its version already written
            _git(root, "commit", "--quiet", "--all", "--message", f"Release {version}")
        text = notes((root / "CHANGELOG.md").read_text(encoding="utf-8"), version)
        message = f"nimmt_lab {version}\n\n{text}\n"
        _git(root, "tag", "--annotate", tag, "--cleanup=verbatim", "--message", message)
        for copy in waiting:
            copy.replace(copy.with_suffix(""))
    except BaseException:
        # The checkout was clean and the tag was free, so no work is lost.
        _git(root, "reset", "--quiet", "--hard", before)
        if _git(root, "tag", "--list", tag):
            _git(root, "tag", "--delete", tag)
        for copy in waiting:
            copy.unlink(missing_ok=True)
        if made_folder and target.exists() and not any(target.iterdir()):
            target.rmdir()
        raise


def release(root: Path, version: str, steps: Steps = STEPS, *, dry_run: bool = False) -> list[Path]:
    """Make the release; the packages that are now in dist/ (none after a dry run)."""
    reasons = reasons_against(root, version)
    if reasons:
        raise Refused("\n".join(reasons))
    head = _git(root, "rev-parse", "HEAD")
    with tempfile.TemporaryDirectory(prefix="release-") as name:
        source, folder = Path(name) / "source", Path(name) / "dist"
        print(f"building nimmt_lab {version} …", flush=True)
        _export(root, source)
        set_version(source, version)
        folder.mkdir()
        steps.build(source, folder)
        packages = sorted(folder.iterdir())
        wheels = [path for path in packages if path.suffix == ".whl"]
        sdists = [path for path in packages if path.name.endswith(".tar.gz")]
        if len(wheels) != 1 or len(sdists) != 1 or len(packages) != 2:
            raise Refused(f"expected one wheel and one sdist, got: {', '.join(path.name for path in packages)}")
        print(f"trying {wheels[0].name} in an empty environment …", flush=True)
        steps.try_out(wheels[0], version)
        if dry_run:
            return []
        if _git(root, "rev-parse", "HEAD") != head or reasons_against(root, version):
            raise Refused(REASONS["moved"])
        _publish(root, version, packages)
        return [root / "dist" / path.name for path in packages]


def main(arguments: Sequence[str], root: Path = ROOT, steps: Steps = STEPS) -> int:
    """0 after a release or a dry run, 1 if refused (with the reasons), 130 if interrupted."""
    parser = argparse.ArgumentParser(prog="release.py", description="Release a version of nimmt_lab.")
    parser.add_argument("version", nargs="?", default="", help="three numbers, such as 1.2.0")
    parser.add_argument("--dry-run", action="store_true", help="check, build and try, but change nothing")
    given = parser.parse_args(arguments)
    if not given.version:
        print("Which version? make release VERSION=1.2.0", file=sys.stderr)
        return 2
    try:
        packages = release(root, given.version, steps, dry_run=given.dry_run)
    except Refused as refused:
        print(f"No release of {given.version}:", *str(refused).splitlines(), sep="\n  ", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("Interrupted. Nothing was released; the checkout is as it was.", file=sys.stderr)
        return 130
    if given.dry_run:
        print(f"Dry run: {given.version} can be released. Nothing was changed.")
        return 0
    print(f"Released {given.version}, on this machine only. To publish it:")
    print(f"  git push --atomic origin {BRANCH} v{given.version}")
    print("and upload:", *(f"  {path.relative_to(root).as_posix()}" for path in packages), sep="\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
