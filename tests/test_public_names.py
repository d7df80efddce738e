"""The list of public names in CONTRIBUTING.md is complete, and every name on it exists."""

from __future__ import annotations

import ast
import dataclasses
import inspect
import json
import re
from importlib import import_module
from pathlib import Path

import pytest

import nimmt_lab
from nimmt_lab import bots
from nimmt_lab.engine.errors import MissingPackage

ROOT = Path(__file__).parent.parent


def listed() -> dict[str, set[str]]:
    """The table in CONTRIBUTING.md: the public names of each module."""
    page = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    table = page.split("<!-- public names -->")[1].split("\n\nAlso stable")[0]
    rows = re.findall(r"^\| `([\w.]+)` \| (.*) \|$", table, re.MULTILINE)
    return {module: set(re.findall(r"`(\w+)`", names)) for module, names in rows}


def examples() -> list[str]:
    """The Python that readers see: blocks in README and docs, cells of notebooks."""
    pages = [ROOT / "README.md", *(ROOT / "docs").rglob("*.md")]
    blocks = [
        block
        for page in pages
        for block in re.findall(r"^```python\n(.*?)^```", page.read_text(encoding="utf-8"), re.DOTALL | re.MULTILINE)
    ]
    for folder in ("notebooks", "tutorials"):
        for path in (ROOT / folder).rglob("*.ipynb"):
            cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
            blocks += ["".join(cell["source"]) for cell in cells if cell["cell_type"] == "code"]
    return blocks


def imported(source: str) -> set[tuple[str, str]]:
    """The names that a piece of code imports from the package, as (module, name)."""
    lines = [line for line in source.splitlines() if not line.lstrip().startswith(("%", "!"))]
    return {
        (node.module, alias.name)
        for node in ast.walk(ast.parse("\n".join(lines)))
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("nimmt_lab")
        for alias in node.names
        if node.module
    }


def test_names_imported_in_the_docs_are_listed() -> None:
    wanted = set[tuple[str, str]]().union(*map(imported, examples()))
    assert len(wanted) > 30
    names = listed()
    assert sorted((module, name) for module, name in wanted if name not in names.get(module, ())) == []


def test_a_missing_name_is_noticed() -> None:
    assert imported("from nimmt_lab.study import gone") == {("nimmt_lab.study", "gone")}
    assert "gone" not in listed()["nimmt_lab.study"]


@pytest.mark.parametrize("module", listed())
def test_every_listed_name_exists(module: str) -> None:
    try:
        found = import_module(module)
    except MissingPackage:  # OpenSpiel is not installed for the inner ring
        assert module == "nimmt_lab.rl.spiel"
        return
    assert [name for name in listed()[module] if not hasattr(found, name)] == []


def test_methods_called_stable_exist() -> None:
    """`Record.save`, `Bot.choose(view, rng)` and the others named below the table."""
    page = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    below = page.split("\nAlso stable: ")[1].split("\n\n")[0]
    named = re.findall(r"`(\w+)\.(\w+)(?:\((.*?)\))?`", below)
    assert {"save", "load", "tags", "choices", "events", "final", "choose"} <= {name for _, name, _ in named}
    for owner, name, parameters in named:
        kind = getattr(nimmt_lab, owner, None) or getattr(bots, owner)
        fields = {field.name for field in dataclasses.fields(kind)} if dataclasses.is_dataclass(kind) else set()
        assert name in fields or hasattr(kind, name), f"{owner}.{name}"
        if parameters:
            own = list(inspect.signature(getattr(kind, name)).parameters)
            assert own == ["self", *parameters.split(", ")], f"{owner}.{name}"
