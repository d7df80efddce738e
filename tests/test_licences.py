"""The list of our dependencies' licences is complete by extra, and names every package that states none."""

from __future__ import annotations

import importlib.metadata
import json
from collections.abc import Callable
from email import message_from_string
from importlib.metadata import Distribution, PackageNotFoundError
from pathlib import Path

import pytest

from tools.licences import licence_of, main, wanted

PYPROJECT = """
[project]
name = "example"
[project.optional-dependencies]
draw = ["pencil>=1", "ink; sys_platform == 'nowhere'"]
write = ["pencil[soft]"]
[dependency-groups]
base = ["rubber"]
test = [{ include-group = "base" }, "pencil"]
"""
STATED = {
    "pencil": "Name: pencil\nVersion: 1.2\nLicense-Expression: MIT\nRequires-Dist: wood\nRequires-Dist: wax; extra == 'soft'\n",
    "wood": "Name: wood\nVersion: 3\nClassifier: License :: OSI Approved :: ISC License (ISCL)\nRequires-Dist: pencil\n",
    "wax": "Name: wax\nVersion: 4\nLicense: BSD-3-Clause\n",
    "rubber": "Name: rubber\nVersion: 5\nLicense: UNKNOWN\n",
}


class Installed(Distribution):
    """A package that exists only as metadata."""

    def __init__(self, text: str) -> None:
        self.text = text

    def read_text(self, filename: str) -> str | None:
        return self.text if filename == "METADATA" else None

    def locate_file(self, path: object) -> Path:
        raise AssertionError("there are no files")


Lookup = Callable[[str], Distribution]


@pytest.fixture
def lookup() -> Lookup:
    def found(name: str) -> Distribution:
        if name not in STATED:
            raise PackageNotFoundError(name)
        return Installed(STATED[name])

    return found


@pytest.fixture
def root(tmp_path: Path) -> Path:
    (tmp_path / "pyproject.toml").write_text(PYPROJECT, encoding="utf-8")
    return tmp_path


def test_an_extra_lists_what_it_brings_and_nothing_more(
    root: Path, lookup: Lookup, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["draw", "write", "--json"], root, lookup) == 0
    listed = json.loads(capsys.readouterr().out)
    pencil = {"name": "pencil", "version": "1.2", "licence": "MIT"}
    wood = {"name": "wood", "version": "3", "licence": "ISC License (ISCL)"}
    wax = {"name": "wax", "version": "4", "licence": "BSD-3-Clause"}
    assert listed == {"draw": [pencil, wood], "write": [pencil, wax, wood]}


def test_text_and_markdown(root: Path, lookup: Lookup, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["draw"], root, lookup) == 0
    assert capsys.readouterr().out == "draw (2 packages)\n  pencil 1.2  MIT\n  wood 3      ISC License (ISCL)\n"
    assert main(["draw", "--markdown"], root, lookup) == 0
    assert capsys.readouterr().out.splitlines()[2:] == [
        "| package | version | licence |",
        "|---|---|---|",
        "| pencil | 1.2 | MIT |",
        "| wood | 3 | ISC License (ISCL) |",
    ]


@pytest.mark.parametrize("shape", [[], ["--json"], ["--markdown"]])
def test_a_package_without_a_licence_is_a_failure(
    shape: list[str], root: Path, lookup: Lookup, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["test", *shape], root, lookup) == 1
    (problem,) = capsys.readouterr().err.splitlines()
    assert problem.startswith("rubber 5 ")
    assert main(shape, root, lookup) == 1, "all extras are asked when none is named"


def test_a_package_that_is_not_installed_is_a_failure(
    root: Path, lookup: Lookup, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delitem(STATED, "wax")
    assert main(["draw", "write"], root, lookup) == 1
    (problem,) = capsys.readouterr().err.splitlines()
    assert problem.startswith("wax (write) ")
    assert main(["draw"], root, lookup) == 0


def test_an_unknown_extra_is_named(root: Path, lookup: Lookup, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["paint"], root, lookup) == 2
    (problem,) = capsys.readouterr().err.splitlines()
    assert "paint" in problem and problem.endswith(": draw, write, base, test")


def test_groups_are_spelled_out() -> None:
    found = wanted({"project": {}, "dependency-groups": {"a": ["x"], "b": [{"include-group": "a"}, "y"]}})
    assert found == {"a": ["x"], "b": ["x", "y"]}


@pytest.mark.parametrize(
    ("metadata", "files", "licence"),
    [
        ("License: \n", (), ""),
        ("License: UNKNOWN\n", ("All rights reserved.",), ""),
        ("Name: x\n", ("Copyright\n\nPermission is hereby\ngranted, free of charge, to", ""), "MIT (by its text)"),
        ("Classifier: License :: OSI Approved\n", (), ""),
        ("Classifier: License :: A\nClassifier: License :: B\n", (), "A or B"),
    ],
)
def test_where_a_licence_may_be_stated(metadata: str, files: tuple[str, ...], licence: str) -> None:
    assert licence_of(message_from_string(metadata), files) == licence


def test_what_is_installed_here_states_its_licences(capsys: pytest.CaptureFixture[str]) -> None:
    """The extra that users install first, read from real metadata."""
    assert main(["lab", "--json"]) == 0
    listed = {package["name"]: package for package in json.loads(capsys.readouterr().out)["lab"]}
    assert {"altair", "jupyterlab", "polars", "tornado"} <= listed.keys() and all(
        package["version"] == importlib.metadata.version(name) for name, package in listed.items()
    )
