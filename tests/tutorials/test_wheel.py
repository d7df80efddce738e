"""Installed without a checkout, the package copies its tutorials and checks itself."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from nimmt_lab.lessons.words import words

pytestmark = pytest.mark.packaging

ROOT = Path(__file__).resolve().parents[2]
IGNORED = shutil.ignore_patterns(".*", "__pycache__", "*.egg-info", "build", "dist", "*.nbi", "*.nbc")


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel's content on its own path; no editable install, no checkout in sight."""
    base = tmp_path_factory.mktemp("wheel")
    shutil.copytree(ROOT, base / "source", ignore=IGNORED)
    built = subprocess.run(
        [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", str(base), str(base / "source")],
        capture_output=True,
        text=True,
    )
    assert built.returncode == 0, built.stdout + built.stderr
    shutil.rmtree(base / "source")
    (wheel,) = base.glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(base / "site")
    return base / "site"


def run(installed: Path, *arguments: str) -> str:
    """The command in a Python that sees only the standard library and the wheel."""
    code = (
        "import sys; sys.path.insert(0, sys.argv.pop(1)); from nimmt_lab.cli import main; sys.exit(main(sys.argv[1:]))"
    )
    environment = {**os.environ, "HOME": str(installed.parent), "USERPROFILE": str(installed.parent)}
    done = subprocess.run(
        [sys.executable, "-I", "-S", "-c", code, str(installed), *arguments],
        cwd=installed.parent,
        env=environment,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_the_packaged_vectors_pass(installed: Path) -> None:
    passed = run(installed, "check", "--self").splitlines()[-1]
    assert passed.endswith(" passed, 0 failed") and int(passed.split()[0]) > 70


def test_the_tutorials_are_laid_out(installed: Path) -> None:
    run(installed, "lab", "--copy-only", "--lang", "pl")
    folder = installed.parent / "nimmt-lab"
    assert len(list(folder.glob("rules/*.ipynb"))) == 22 and len(list(folder.glob("probability/*.ipynb"))) == 9
    assert words("pl")("first_turn.title") in (folder / "rules" / "01_first_turn.ipynb").read_text(encoding="utf-8")


def test_worksheets_and_gradebook_need_nothing_else(installed: Path) -> None:
    out = installed.parent / "sheets"
    for lesson in range(1, 10):
        run(installed, "worksheet", "--lesson", str(lesson), "--out", str(out / str(lesson)))
    assert len(list(out.rglob("*.html"))) == 27
    assert run(installed, "gradebook", str(out)).startswith("name,lesson,")
