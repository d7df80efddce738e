"""Installing the package: the backend's requirements, the content of an sdist, and the result of each way of building.

Nothing here needs a network: builds run in this environment and packages come from a local file.
"""

from __future__ import annotations

import importlib.metadata
import importlib.util
import os
import re
import shutil
import subprocess
import sys
import tarfile
import tomllib
import venv
import zipfile
from pathlib import Path
from types import ModuleType, SimpleNamespace

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

import nimmt_lab
from nimmt_lab.cli import main
from nimmt_lab.native import build

from .test_project_files import ROOT, tracked_files

PYPROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))


def backend() -> ModuleType:
    """The build backend at the place that pyproject.toml names."""
    system = PYPROJECT["build-system"]
    (folder,) = system["backend-path"]
    spec = importlib.util.spec_from_file_location("backend", ROOT / folder / f"{system['build-backend']}.py")
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


# The build requirement


def test_the_compiler_is_pinned_to_the_version_the_project_uses() -> None:
    pin = Requirement(backend().COMPILER)
    (exact,) = pin.specifier
    assert pin.name == "ziglang" and exact.operator == "=="
    files = [ROOT / "constraints.txt", *(ROOT / "requirements").glob("*.txt")]
    text = "\n".join(path.read_text(encoding="utf-8") for path in files if path.exists())
    assert set(re.findall(r"^ziglang==([\w.]+)", text, re.MULTILINE)) == {exact.version}


@pytest.mark.parametrize(
    ("platforms", "cc", "zig", "platform", "needed"),
    [
        ("", True, False, "linux-x86_64", False),
        ("", False, True, "linux-x86_64", False),
        ("", False, False, "linux-x86_64", True),
        ("", False, False, "plan9-sparc", False),  # there is no ziglang for it either
        ("all", True, False, "linux-x86_64", True),  # cc compiles for this machine only
        ("all", False, True, "linux-x86_64", False),
    ],
)
def test_a_compiler_is_required_only_where_there_is_none(
    platforms: str, cc: bool, zig: bool, platform: str, needed: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    module = backend()
    ours = ["ziglang"] if zig else []
    machine = SimpleNamespace(
        compilers=lambda: [["cc"]] * cc + [ours] * zig,
        cross_compiler=lambda: ours,
        platform=lambda: platform,
        TARGETS=build.TARGETS,
    )
    monkeypatch.setattr(module, "_native", lambda: machine)
    monkeypatch.setenv("NIMMT_PLATFORMS", platforms)
    assert module.compiler_requirements() == [module.COMPILER] * needed


@pytest.mark.parametrize(
    ("installed", "command"),
    [
        ({"apt-get"}, "sudo apt-get install gcc libc6-dev"),
        ({"apk"}, "sudo apk add gcc musl-dev"),
        ({"xcode-select"}, "xcode-select --install"),
        ({"dnf", "apt-get"}, "sudo apt-get install gcc libc6-dev"),
        (set(), "pip install ziglang"),
    ],
)
def test_the_advice_names_a_command_of_this_system(
    installed: set[str], command: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shutil, "which", lambda name: name if name in installed else None)
    assert build.advice().startswith("To get one: ") and build.advice().endswith(f", {command}")


# python -m nimmt_lab


@pytest.mark.parametrize("arguments", [["--version"], ["games"], ["show", "12 | x"], ["--help"]])
def test_python_m_does_what_the_command_does(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    done = subprocess.run([sys.executable, "-m", "nimmt_lab", *arguments], capture_output=True, text=True, cwd=ROOT)
    try:
        code = main(arguments)
    except SystemExit as stopped:
        code = int(stopped.code or 0)
    here = capsys.readouterr()
    assert (done.returncode, done.stdout, done.stderr) == (code, here.out, here.err)


# One extra alone

#: A short use of everything that an extra provides.
SMOKES = {
    "lab": """
from nimmt_lab import Classic
from nimmt_lab.charts import heads_distribution
from nimmt_lab.study import simulate
from nimmt_lab.widgets import Home, Table
import jupyterlab.labapp, voila.app
page = Home()
assert page.get_state()["_esm"] and page.get_state()["_css"]
Table(Classic(players=2), seed=1)
played = simulate(Classic(players=2, rounds=1), rounds=20, progress=False)
assert heads_distribution(played).to_dict()
""",
    "rl": """
from nimmt_lab.rl import parallel_env
from nimmt_lab.rl.vector import VectorEnv
env = parallel_env("classic", players=3, rounds=1, render_mode="rgb_array")
seen, infos = env.reset(seed=7)
assert env.render().shape[2] == 3
while env.agents:
    actions = {agent: env.action_space(agent).sample(seen[agent]["action_mask"]) for agent in env.agents}
    seen, rewards, over, cut, infos = env.step(actions)
import sys
if sys.platform != "win32":
    from nimmt_lab.rl.spiel import spiel_game
    assert spiel_game("classic", players=2).new_initial_state() is not None
""",
}
#: Makes every installed package except the named modules look missing.
ALONE = """
import sys
class Missing:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in {missing!r}:
            raise ModuleNotFoundError(f"No module named {{name!r}}", name=name)
sys.meta_path.insert(0, Missing())
"""


def closure(extra: str) -> set[str]:
    """The installed distributions that an extra brings, directly or indirectly."""
    todo = [Requirement(line) for line in PYPROJECT["project"]["optional-dependencies"][extra]]
    seen: set[tuple[str, frozenset[str]]] = set()
    while todo:
        item = todo.pop()
        key = (canonicalize_name(item.name), frozenset(item.extras))
        if key in seen or (item.marker and not item.marker.evaluate({"extra": ""})):
            continue
        seen.add(key)
        for line in importlib.metadata.requires(item.name) or []:
            child = Requirement(line)
            if child.marker is None or any(child.marker.evaluate({"extra": one}) for one in key[1] | {""}):
                todo.append(Requirement(re.sub(r";.*", "", line)))
    return {name for name, _ in seen}


@pytest.mark.packaging
@pytest.mark.parametrize("extra", SMOKES)
def test_an_extra_works_without_the_others(extra: str, tmp_path: Path) -> None:
    brought = closure(extra)
    missing = {
        module
        for module, names in importlib.metadata.packages_distributions().items()
        if module != "nimmt_lab" and not {canonicalize_name(name) for name in names} & brought
    } - {"pip", "_distutils_hack", "pkg_resources", "setuptools"}
    assert missing, "everything that is installed belongs to this extra: the test says nothing"
    code = ALONE.format(missing=missing) + SMOKES[extra]
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "HOME": str(tmp_path)}
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=tmp_path, env=environment)
    assert done.returncode == 0, done.stderr[-2000:]


# The sdist


@pytest.fixture(scope="module")
def sdist(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("sdist")
    for path in tracked_files():
        target = folder / "source" / path.relative_to(ROOT)
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(path, target)
    # Build leftovers in a checkout must not get into a release.
    stray = folder / "source" / "nimmt_lab" / "native" / "_build" / "left" / "core-of-yesterday.so"
    stray.parent.mkdir(parents=True)
    stray.write_bytes(b"old")
    subprocess.run(
        [sys.executable, "-m", "build", "--sdist", "--no-isolation", "--outdir", folder, folder / "source"],
        check=True, capture_output=True,
    )  # fmt: skip
    (made,) = folder.glob("*.tar.gz")
    return made


@pytest.fixture
def unpacked(sdist: Path, tmp_path: Path) -> Path:
    with tarfile.open(sdist) as archive:
        archive.extractall(tmp_path, filter="data")
    return tmp_path / f"nimmt_lab-{nimmt_lab.__version__}"


def build_wheel(source: Path, *, compiler: bool) -> tuple[Path, str]:
    """A wheel from an unpacked sdist, and the output of the build."""
    environment = {key: value for key, value in os.environ.items() if not key.startswith(("PYTHONPATH", "NIMMT"))}
    if not compiler:
        hidden = source.parent / "hidden"
        hidden.mkdir()
        (hidden / "sitecustomize.py").write_text("import sys\nsys.modules['ziglang'] = None\n", encoding="utf-8")
        environment |= {"PATH": "", "PYTHONPATH": str(hidden)}
    done = subprocess.run(
        [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--skip-dependency-check",
         "--outdir", source.parent, source],
        capture_output=True, text=True, env=environment, cwd=source.parent,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr[-2000:]
    (wheel,) = source.parent.glob("*.whl")
    return wheel, done.stdout + done.stderr


@pytest.mark.packaging
def test_an_sdist_contains_what_building_needs_and_nothing_else(sdist: Path) -> None:
    assert sdist.stat().st_size < 3_000_000
    with tarfile.open(sdist) as archive:
        names = {member.name.partition("/")[2] for member in archive.getmembers() if member.isfile()}
    tracked = {path.relative_to(ROOT).as_posix() for path in tracked_files()}
    wanted = {name for name in tracked if name.startswith(("nimmt_lab/", "tutorials/", "notebooks/", "tools/backend/"))}
    wanted |= {name for name in tracked if re.fullmatch(r"tests/conformance/[\w-]+\.json", name)}
    wanted |= {"pyproject.toml", "setup.py", "MANIFEST.in", "LICENSE", "README.md", "CHANGELOG.md", "CITATION.cff"}
    made = {name for name in names if name.startswith("nimmt_lab.egg-info/")} | {"PKG-INFO", "setup.cfg"}
    assert names - made == wanted


@pytest.mark.packaging
@pytest.mark.native
@pytest.mark.skipif(not shutil.which("cc"), reason="needs cc")
def test_an_sdist_builds_with_its_core_where_there_is_cc(unpacked: Path) -> None:
    build.build_here()
    # Object files are named after the text they were made from: with ours available only the linker has work to do.
    shutil.copytree(build.BUILDS / "objects", unpacked / "nimmt_lab" / "native" / "_build" / "objects")
    wheel, told = build_wheel(unpacked, compiler=True)
    assert not wheel.name.endswith("-any.whl") and build.WITHOUT not in told
    with zipfile.ZipFile(wheel) as archive:
        assert f"nimmt_lab/native/lib/{build.file_name(build.platform())}" in archive.namelist()


@pytest.mark.packaging
@pytest.mark.skipif(os.name == "nt", reason="an empty PATH stops Windows from loading its own libraries")
def test_without_a_compiler_an_sdist_says_what_is_missing_and_gives_a_package_that_works(
    unpacked: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    wheel, told = build_wheel(unpacked, compiler=False)
    assert wheel.name.endswith("-py3-none-any.whl")
    with monkeypatch.context() as nowhere:
        nowhere.setenv("PATH", "")  # the advice names an installer that is found there
        advice = build.advice()
    assert build.WITHOUT in told and advice in told
    venv.create(tmp_path / "empty", with_pip=False)
    python = tmp_path / "empty" / "bin" / "python"
    # Without PYTHONPATH: pip takes a checkout it finds there for an installed package, and installs nothing.
    environment = {key: value for key, value in os.environ.items() if not key.startswith(("PYTHON", "NIMMT"))}
    subprocess.run(
        [sys.executable, "-m", "pip", f"--python={python}", "install", "--no-index", "--quiet", wheel],
        check=True, env=environment,
    )  # fmt: skip
    environment["PATH"] = ""
    done = subprocess.run(
        [python, "-m", "nimmt_lab", "check", "--self"], capture_output=True, text=True, cwd=tmp_path, env=environment
    )
    assert done.returncode == 0 and " 0 failed" in done.stdout, done.stderr
    code = "from nimmt_lab.native import core; print(core())"
    asked = subprocess.run([python, "-c", code], capture_output=True, text=True, cwd=tmp_path, env=environment)
    assert asked.stdout.strip() == "None" and advice in asked.stderr
