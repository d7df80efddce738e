"""The README's badges match the project, and need no network."""

from __future__ import annotations

import re
import shutil
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pytest

import nimmt_lab
from tools import badges

from .test_project_files import PROJECT, ROOT

README = (ROOT / "README.md").read_text(encoding="utf-8")


def test_they_are_up_to_date() -> None:
    assert badges.outdated(ROOT) == [], "run: python tools/badges.py"


def test_they_agree_with_pyproject() -> None:
    found = badges.facts(ROOT)
    assert found["version"][1] == nimmt_lab.__version__
    assert found["licence"][1] == PROJECT["license"]
    assert PROJECT["requires-python"] == f">={found['python'][1].split('–')[0]}"
    assert f"Programming Language :: Python :: {found['python'][1].split('–')[1]}" in PROJECT["classifiers"]
    assert ("Typing :: Typed" in PROJECT["classifiers"]) == (found["typed"][1] != "no")


@pytest.mark.parametrize("path", sorted((ROOT / badges.FOLDER).glob("*.svg")), ids=lambda path: path.stem)
def test_a_badge_is_a_drawing_with_words_for_screen_readers(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    drawing = ElementTree.fromstring(text)
    label, value = badges.facts(ROOT)[path.stem]
    assert drawing.get("role") == "img" and drawing.get("aria-label") == f"{label}: {value}"
    assert "".join(drawing.itertext()).split() == f"{label}: {value} {label} {value}".split()
    assert not re.search(r"href|url\(|<script|<image", text) and text.count("http") == text.count("xmlns=")


def test_the_readme_shows_each_with_its_words() -> None:
    shown = dict(re.findall(r"!\[([^]]+)\]\(docs/badges/(\w+)\.svg\)", README))
    assert shown == {f"{label}: {value}": name for name, (label, value) in badges.facts(ROOT).items()}
    assert not re.search(r"!\[[^]]*\]\(https?:", README), "a picture from a server"


def test_another_version_makes_them_stale(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name in ("pyproject.toml", "nimmt_lab/__init__.py", "nimmt_lab/py.typed"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        shutil.copy(ROOT / name, tmp_path / name)
    assert badges.main([], tmp_path) == 0 and badges.main(["--check"], tmp_path) == 0
    package = tmp_path / "nimmt_lab" / "__init__.py"
    package.write_text(package.read_text(encoding="utf-8").replace(nimmt_lab.__version__, "9.9.9"), encoding="utf-8")
    (tmp_path / badges.FOLDER / "downloads.svg").touch()
    assert badges.main(["--check"], tmp_path) == 1
    said = capsys.readouterr().err
    assert "docs/badges/version.svg" in said and "docs/badges/downloads.svg" in said
    assert "licence.svg" not in said
    assert badges.main([], tmp_path) == 0 and badges.main(["--check"], tmp_path) == 0
