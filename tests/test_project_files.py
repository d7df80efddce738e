"""The files around the package agree with each other and with what the README promises."""

from __future__ import annotations

import hashlib
import importlib.metadata
import json
import os
import re
import runpy
import shutil
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path
from xml.etree import ElementTree

import nbformat
import pytest
import yaml
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from packaging.version import Version

import nimmt_lab
from nimmt_lab.native import build as native_build
from tools import environment, lock
from tools.study_figures import fingerprint

ROOT = Path(__file__).resolve().parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
EXTRAS = PROJECT["optional-dependencies"]
GROUPS = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["dependency-groups"]
REQUIREMENTS = [
    Requirement(line) for lines in [PROJECT["dependencies"], *EXTRAS.values(), *GROUPS.values()] for line in lines
]
NOTEBOOKS = sorted(path for folder in ("tutorials", "notebooks") for path in (ROOT / folder).rglob("*.ipynb"))


def tracked_files() -> list[Path]:
    """Files that are, or would be, in the repository."""
    names = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard", "-z"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    return [ROOT / name for name in names.split("\0") if name and (ROOT / name).is_file()]


def texts() -> list[tuple[str, str]]:
    found = []
    for path in tracked_files():
        try:
            found.append((path.relative_to(ROOT).as_posix(), path.read_text(encoding="utf-8")))
        except UnicodeDecodeError:
            continue  # a picture or an archive
    return found


@pytest.mark.parametrize("path", sorted((ROOT / "benchmarks").glob("bench_*.py")), ids=lambda path: path.stem)
def test_imports_of_benchmarks_exist(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(path.parent))  # as for any script
    runpy.run_path(str(path), run_name="looked at")


# Dependencies


def test_core_has_no_dependencies() -> None:
    assert PROJECT["dependencies"] == []


def test_environment_yml_agrees_with_pyproject() -> None:
    environment = yaml.safe_load((ROOT / "environment.yml").read_text(encoding="utf-8"))
    assert environment["name"] == PROJECT["name"]
    assert environment["channels"] == ["conda-forge"]
    *conda, last = environment["dependencies"]
    lines = [*conda, *last["pip"]]
    for needed in ("pip", "-e ."):  # conda installs pip, pip installs this checkout
        lines.remove(needed)
    stated = [Requirement(line) for line in lines]
    assert len(stated) == len({item.name for item in stated}), "a package is named twice"
    named = [*EXTRAS["lab"], *GROUPS["test"], *GROUPS["build"]]
    wanted = {item.name: str(item.specifier) for item in map(Requirement, named)}
    wanted["python"] = PROJECT["requires-python"]
    assert {item.name: str(item.specifier) for item in stated} == wanted


def test_an_extra_asks_for_the_same_version_as_the_others() -> None:
    bounds: dict[str, set[str]] = {}
    for item in REQUIREMENTS:
        bounds.setdefault(item.name, set()).add(str(item.specifier))
    assert {name: found for name, found in bounds.items() if len(found) > 1} == {}


LOCKED = sorted((ROOT / "requirements").glob("*.txt"))


def test_every_environment_is_locked() -> None:
    assert [path.stem for path in LOCKED] == sorted(lock.ENVIRONMENTS) == sorted(environment.PURPOSES)
    assert lock.check() == []
    used = {name for names in zip(*lock.ENVIRONMENTS.values(), strict=True) for few in names for name in few}
    assert used == EXTRAS.keys() | GROUPS.keys()


@pytest.mark.parametrize("path", LOCKED, ids=lambda path: path.stem)
def test_locked_requirements_are_exact_hashed_and_name_no_registry(path: Path) -> None:
    blocks = path.read_text(encoding="utf-8").replace("\\\n", "").splitlines()
    for line in blocks:
        if not line.startswith("#"):
            assert re.fullmatch(
                r"[a-z0-9-]+(\[[a-z,]+\])?==[\w.+!]+( ; [^#]+?)?( +--hash=sha256:[0-9a-f]{64})+", line
            ), line
    largest = lock.pins(ROOT / "requirements" / "all.txt")
    assert {name: versions for name, versions in lock.pins(path).items() if largest.get(name) != versions} == {}


def test_larger_environments_contain_the_smaller_ones() -> None:
    """With the larger package installed, nobody has to install the smaller one."""
    for larger, smaller in environment.CONTAINS.items():
        for name in smaller:
            names = lock.pins(ROOT / "requirements" / f"{name}.txt").keys()
            assert names <= lock.pins(ROOT / "requirements" / f"{larger}.txt").keys(), (larger, name)


def test_locked_requirements_hold_what_each_dependency_needs() -> None:
    """The packages installed here were resolved without the files, so each of their requirements must be pinned, too."""
    pinned = lock.pins(ROOT / "requirements" / "all.txt")
    assert canonicalize_name(PROJECT["name"]) not in pinned
    todo = list(REQUIREMENTS)
    seen: set[tuple[str, frozenset[str]]] = set()
    while todo:
        item = todo.pop()
        name, extras = canonicalize_name(item.name), frozenset(item.extras)
        assert name in pinned, f"{item} is not pinned"
        assert all(item.specifier.contains(one, prereleases=True) for one in pinned[name]), f"{item}: {pinned[name]}"
        if (name, extras) in seen:
            continue
        seen.add((name, extras))
        try:
            lines = importlib.metadata.requires(name) or []
        except importlib.metadata.PackageNotFoundError:
            continue  # the inner ring has not installed it
        for line in lines:
            child = Requirement(line)
            if child.marker is None or any(child.marker.evaluate({"extra": extra}) for extra in extras | {""}):
                todo.append(child)


# What people read first


def test_readme_opens_with_the_commands() -> None:
    first_screen = (ROOT / "README.md").read_text(encoding="utf-8").splitlines()[:30]
    assert any(line.startswith("make lab ") for line in first_screen)
    assert any(line.startswith("make test ") for line in first_screen)
    windows = [line for line in first_screen if line.startswith("py tools")]
    assert windows[:1] == ["py tools/environment.py lab"]


def test_links_between_pages_lead_somewhere() -> None:
    for page in ROOT.glob("*.md"):
        for target in re.findall(r"\]\((?!https?:)([^)#]+)", page.read_text(encoding="utf-8")):
            assert (ROOT / target).exists(), f"{page.name} links to {target}"


def test_makefile_has_the_promised_targets() -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    targets = set(re.findall(r"^([a-z-]+):(?!=)", makefile, re.MULTILINE))
    assert targets >= {"lab", "test", "test-all", "test-slow", "bench", "check", "check-native", "wheel", "clean"}
    phony = " ".join(re.findall(r"^\.PHONY: ((?:.*\\\n)*.*)$", makefile, re.MULTILINE))
    assert set(phony.replace("\\", " ").split()) == targets
    needed = re.findall(r"\$\(NEED\) (\S+)", makefile)
    assert set(needed) == environment.PURPOSES.keys()


def test_ci_runs_the_readmes_test_command() -> None:
    script = ROOT / ".ci" / "run"
    assert script.read_text(encoding="utf-8").rstrip().endswith("make test\nexec make test-rest")
    if os.name == "posix":
        assert os.access(script, os.X_OK)


def test_the_changelog_is_by_version_and_names_ours() -> None:
    """Newest first, with unreleased changes on top. Right before a release its section is ahead of the package."""
    text = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    first, *released = re.findall(r"^## (.+)$", text, re.MULTILINE)
    assert first == "Unreleased"
    assert all(re.fullmatch(r"\d+\.\d+\.\d+( \(\d{4}-\d\d-\d\d\))?", heading) for heading in released), released
    versions = [Version(heading.split()[0]) for heading in released]
    assert versions == sorted(set(versions), reverse=True)
    ours = Version(nimmt_lab.__version__)
    assert not versions or ours <= versions[0]
    assert len(versions) < 2 or ours >= versions[1]


# Files that must not be in the repository

FORBIDDEN = {
    "a package registry's address": r"--(extra-)?index-url|https?://\S*/simple\b|pythonhosted|file://\S",
    "a path of one machine": r"(?<![\w.])/(root|work|opt|home/\w+|Users/\w+|tmp)/\w",
}


@pytest.mark.parametrize("what", FORBIDDEN)
def test_repository_names_no_machine(what: str) -> None:
    here = Path(__file__).relative_to(ROOT).as_posix()
    found = [
        f"{name}:{number}: {line.strip()[:80]}"
        for name, text in texts()
        if name != here
        for number, line in enumerate(text.splitlines(), 1)
        if re.search(FORBIDDEN[what], line)
    ]
    assert found == []


def test_the_trademark_is_named_once_in_the_readme() -> None:
    mark = re.compile(r"\b6[\s_-]+nim" + "mt", re.IGNORECASE)
    assert [name for name, text in texts() for _ in mark.findall(text)] == ["README.md"]


def test_modules_can_be_read_in_one_sitting() -> None:
    lengths = {path: len(path.read_text(encoding="utf-8").splitlines()) for path in (ROOT / "nimmt_lab").rglob("*.py")}
    assert {path.name: lines for path, lines in lengths.items() if lines > 600} == {}


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_charts_need_no_network(path: Path) -> None:
    """Altair downloads its script unless told otherwise. Our package `charts` does that; a notebook with its own charts
    must do it, too."""
    text = path.read_text(encoding="utf-8")
    if "import altair" in text:
        assert "offline=True" in text or "nimmt_lab.charts" in text


def test_notebooks_are_small_and_carry_only_drawings() -> None:
    """A study stores its figures, so that it can be read without running it; a lesson stores nothing."""
    wrong = []
    for path in NOTEBOOKS:
        notebook = nbformat.read(path, as_version=4)
        nbformat.validate(notebook)
        is_study = path.parent.name == "notebooks"
        if path.stat().st_size > (400_000 if is_study else 150_000):
            wrong.append(f"{path.name}: {path.stat().st_size} bytes")
        if "widgets" in notebook.metadata:
            wrong.append(f"{path.name}: stores widget state; run nbstripout")
        outputs = [output for cell in notebook.cells for output in cell.get("outputs", ())]
        numbered = any(bool(cell.get("execution_count")) != bool(cell.get("outputs")) for cell in notebook.cells)
        if numbered or (outputs and not is_study):
            wrong.append(f"{path.name}: stores outputs; run nbstripout")
        for output in outputs:
            data = output.get("data", {})
            if set(data) != {"image/svg+xml"} or output.get("metadata") or not is_still(data["image/svg+xml"]):
                wrong.append(f"{path.name}: stores more than drawings; run tools/study_figures.py {path.stem}")
    assert wrong == []


def is_still(svg: str) -> bool:
    """Whether a drawing is well-formed, runs nothing and loads nothing."""
    tags = list(ElementTree.fromstring(svg).iter())
    attributes = [(name, value) for tag in tags for name, value in tag.attrib.items()]
    scripted = any(tag.tag.endswith(("script", "foreignObject", "image", "style")) for tag in tags)
    return not scripted and not any(name.startswith("on") or name.endswith("href") for name, _ in attributes)


def test_a_drawing_that_runs_or_loads_something_is_noticed() -> None:
    space = "xmlns='http://www.w3.org/2000/svg'"
    assert is_still(f"<svg {space}><path d='M1,2'/></svg>")
    assert not is_still(f"<svg {space}><script>1</script></svg>")
    assert not is_still(f"<svg {space}><path onclick='1'/></svg>")
    assert not is_still(f"<svg {space}><a href='https://example.org'/></svg>")


@pytest.mark.parametrize("path", sorted((ROOT / "notebooks").glob("*.ipynb")), ids=lambda path: path.stem)
def test_every_study_stores_the_figures_of_its_code(path: Path) -> None:
    """If this fails, run `python tools/study_figures.py`."""
    book = json.loads(path.read_text(encoding="utf-8"))
    assert book["metadata"]["nimmt_lab"]["figures"] == fingerprint(book)
    assert any(cell.get("outputs") for cell in book["cells"])


# The wheel


@pytest.mark.packaging
def test_wheel_carries_code_data_and_tutorials(tmp_path: Path) -> None:
    source = tmp_path / "source"
    for path in tracked_files():
        target = source / path.relative_to(ROOT)
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(path, target)
    built = subprocess.run(
        [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", str(tmp_path), str(source)],
        capture_output=True,
        text=True,
    )
    assert built.returncode == 0, built.stdout + built.stderr
    (wheel,) = tmp_path.glob("*.whl")
    # The core that was compiled on the way is for this platform and any Python.
    assert re.fullmatch(rf"nimmt_lab-{re.escape(nimmt_lab.__version__)}-py3-none-(?!any)\w+\.whl", wheel.name)
    with zipfile.ZipFile(wheel) as archive:
        carried = {name for name in archive.namelist() if ".dist-info/" not in name}
        library = f"nimmt_lab/native/lib/{native_build.file_name(native_build.platform())}"
        told = json.loads(archive.read("nimmt_lab/native/lib/manifest.json"))
        assert told == {
            "sources": native_build.fingerprint(),
            "files": {Path(library).name: hashlib.sha256(archive.read(library)).hexdigest()},
        }
    names = [path.relative_to(ROOT).as_posix() for path in tracked_files()]
    package = {name for name in names if name.startswith("nimmt_lab/")}
    lessons = {f"nimmt_lab/_{name}" for name in names if name.startswith(("tutorials/", "notebooks/"))}
    vectors = {
        f"nimmt_lab/_vectors/{Path(name).name}"
        for name in names
        if re.fullmatch(r"tests/conformance/\w[\w-]*\.json", name)
    }
    words = {f"nimmt_lab/_{name}" for name in names if re.fullmatch(r"glossary/\w+\.toml", name)}
    assert lessons and vectors and words
    assert carried == package | lessons | vectors | words | {library, "nimmt_lab/native/lib/manifest.json"}
