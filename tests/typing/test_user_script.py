"""The package as users' type checkers see it: a user's script runs and passes the strictest checks.

The checkers look at it from outside the checkout, in an environment with the package as `pip install -e .` leaves it: a
.pth file written by setuptools. A second script is wrong in known lines; without types for the package it would pass as
well.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import sysconfig
import venv
import zipfile
from pathlib import Path

import pytest

from tests.typing import user_script

ROOT = Path(__file__).resolve().parents[2]
SCRIPT = Path(__file__).with_name("user_script.py")
PYRIGHT = ROOT / "node_modules" / ".bin" / ("pyright.cmd" if os.name == "nt" else "pyright")
#: Every line with an error has a comment.
WRONG = """\
from nimmt_lab import Classic, game_named
from nimmt_lab.rl import parallel_env
from nimmt_lab.solver import solve

Classic(players="four")  # wrong
Classic(players=4, fan_cards=(5,))  # wrong
Classic(players=4, fan_cards=("even_odd",))
game_named("classic")("four")  # wrong
state, events = Classic(players=2).deal(seed=1).choose({0: "fourteen"})  # wrong
state.pending[0].choices  # wrong
solve(3)  # wrong
parallel_env("classic", players=2).step({"seat_0": "a"})  # wrong
"""
WRONG_LINES = {number for number, line in enumerate(WRONG.splitlines(), 1) if line.endswith("# wrong")}


def test_it_runs(capsys: pytest.CaptureFixture[str]) -> None:
    user_script.main()
    assert re.search(r"^winners .* endgame 24/5$", capsys.readouterr().out, re.MULTILINE)


def test_it_asks_for_no_exceptions() -> None:
    text = SCRIPT.read_text(encoding="utf-8")
    assert 90 <= len(text.splitlines()) <= 130
    assert not re.search(r"type: ignore|pyright: ignore|\bcast\(|\bAny\b", text)


@pytest.fixture(scope="module")
def python(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A Python that has the checkout installed with `-e`, and everything else in the tests' own one."""
    folder = tmp_path_factory.mktemp("installed")
    # The build backend runs in a copy that has what it reads and no C, so that nothing is compiled and nothing is
    # written into the checkout.
    source = folder / "source"
    for name in ("pyproject.toml", "setup.py", "README.md", "LICENSE"):
        source.mkdir(exist_ok=True)
        shutil.copyfile(ROOT / name, source / name)
    for name in ("__init__.py", "py.typed", "native/build.py"):
        (source / "nimmt_lab" / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(ROOT / "nimmt_lab" / name, source / "nimmt_lab" / name)
    code = "import sys; from setuptools import build_meta; print(build_meta.build_editable(sys.argv[1]))"
    built = subprocess.run([sys.executable, "-c", code, str(folder)], cwd=source, capture_output=True, text=True)
    assert built.returncode == 0, built.stderr
    with zipfile.ZipFile(folder / built.stdout.split()[-1]) as wheel:
        pointers = [name for name in wheel.namelist() if name.endswith(".pth")]
        assert len(pointers) == 1, wheel.namelist()
        assert not any(name.endswith(".py") for name in wheel.namelist()), "an import hook, which no checker runs"
        pointer = wheel.read(pointers[0]).decode()
    assert Path(pointer.strip()).samefile(source)
    venv.create(folder / "venv", with_pip=False)
    inside = {"base": str(folder / "venv"), "platbase": str(folder / "venv")}
    site = Path(sysconfig.get_path("purelib", vars=inside))
    (site / "nimmt_lab.pth").write_text(pointer.replace(pointer.strip(), str(ROOT)), encoding="utf-8")
    (site / "others.pth").write_text(sysconfig.get_path("purelib") + "\n", encoding="utf-8")
    return Path(sysconfig.get_path("scripts", vars=inside), Path(sys.executable).name)


@pytest.fixture
def kept(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """The cache for mypy's analysis of numpy and polars: a second run is ten times as fast."""
    cache = getattr(request.config, "cache", None)
    return tmp_path / "mypy" if cache is None else Path(cache.mkdir("mypy-of-users"))


@pytest.fixture
def scripts(tmp_path: Path) -> Path:
    """The two scripts in a user's folder."""
    shutil.copyfile(SCRIPT, tmp_path / SCRIPT.name)
    (tmp_path / "wrong.py").write_text(WRONG, encoding="utf-8")
    return tmp_path


#: Where Node may be: the extra `site` brings one.
PATH = os.pathsep.join([sysconfig.get_path("scripts"), os.environ.get("PATH", "")])


def checked(folder: Path, *command: str) -> subprocess.CompletedProcess[str]:
    """Run a checker from a user's folder, with nothing that would reveal the checkout."""
    environment = {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "MYPYPATH")}
    environment["PATH"] = PATH
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, encoding="utf-8")


@pytest.mark.packaging
def test_mypy_passes_it(python: Path, scripts: Path, kept: Path) -> None:
    mypy = [sys.executable, "-m", "mypy", "--strict", "--config-file", os.devnull, "--no-error-summary"]
    where = ["--cache-dir", str(kept), "--python-executable", str(python)]
    done = checked(scripts, *mypy, *where, SCRIPT.name, "wrong.py")
    found = re.findall(r"^([\w.]+):(\d+): error", done.stdout, re.MULTILINE)
    assert {(name, int(line)) for name, line in found} == {("wrong.py", line) for line in WRONG_LINES}, done.stdout


@pytest.mark.packaging
def test_pyright_passes_it(python: Path, scripts: Path) -> None:
    if not PYRIGHT.exists():
        if os.environ.get("CI") or shutil.which("node", path=PATH):
            pytest.fail("pyright is missing: npm ci")
        pytest.skip("there is no Node here, and pyright runs on it")
    settings = {"include": ["*.py"], "typeCheckingMode": "strict", "reportUnusedExpression": False}
    (scripts / "pyrightconfig.json").write_text(json.dumps(settings), encoding="utf-8")
    done = checked(scripts, str(PYRIGHT), "--outputjson", "--pythonpath", str(python))
    found = [one for one in json.loads(done.stdout)["generalDiagnostics"] if one["severity"] == "error"]
    lines = {(Path(one["file"]).name, one["range"]["start"]["line"] + 1) for one in found}
    assert lines == {("wrong.py", line) for line in WRONG_LINES}, done.stdout
