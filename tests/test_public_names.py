"""What users may import: every public module lists it in `__all__`.

Public are all packages, all that the API reference shows, and all that our pages and notebooks import from. That the
names are sorted is for ruff to say (RUF022).
"""

from __future__ import annotations

import ast
import importlib
import re
from pathlib import Path

import pytest

from tools.docs import ALSO

ROOT = Path(__file__).resolve().parent.parent
PACKAGE = ROOT / "nimmt_lab"
PAGES = [
    *ROOT.glob("*.md"),
    *(path for folder in ("docs", "notebooks", "tutorials") for path in (ROOT / folder).rglob("*.md")),
    *(path for folder in ("notebooks", "tutorials") for path in (ROOT / folder).rglob("*.ipynb")),
]


def module_of(path: Path) -> str:
    """The name of the module in a file of the package."""
    return ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")


def file_of(module: str) -> Path:
    """The file of a module of the package."""
    path = ROOT.joinpath(*module.split("."))
    return path / "__init__.py" if path.is_dir() else path.with_suffix(".py")


def imported_by_pages() -> set[str]:
    """The modules that the pages and notebooks import from."""
    texts = [path.read_text(encoding="utf-8") for path in PAGES if "_build" not in path.parts]
    return {name for text in texts for name in re.findall(r"(?:from|import) +(nimmt_lab(?:\.\w+)*)", text)}


MODULES = sorted(
    {module_of(path) for path in PACKAGE.rglob("__init__.py")}
    | {module_of(path) for room in ("engine", "boards") for path in (PACKAGE / room).glob("*.py")}
    | {module_of(path) for path in PACKAGE.glob("games/*/rules.py")}
    | {f"nimmt_lab.{room}.{name}" for room, names in ALSO.items() for name in names}
    | imported_by_pages()
)


def test_the_pages_are_read() -> None:
    assert {"nimmt_lab", "nimmt_lab.widgets.lesson", "nimmt_lab.solver.reference"} <= imported_by_pages()


def defined(tree: ast.Module) -> set[str]:
    """The public classes and functions of a module."""
    kinds = (ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
    return {node.name for node in tree.body if isinstance(node, kinds) and not node.name.startswith("_")}


@pytest.mark.parametrize("name", MODULES)
def test_a_public_module_lists_its_names(name: str) -> None:
    tree = ast.parse(file_of(name).read_text(encoding="utf-8"))
    try:
        module = importlib.import_module(name)
    except ImportError as error:  # OpenSpiel is not made for every system, nor part of the inner ring
        pytest.skip(str(error))
    listed = module.__all__
    assert len(listed) == len(set(listed))
    assert [one for one in listed if not hasattr(module, one)] == []
    assert defined(tree) - set(listed) == set(), "a name that is for this module alone begins with _"


def test_the_wheel_says_that_it_is_typed() -> None:
    assert (PACKAGE / "py.typed").read_bytes() == b""
