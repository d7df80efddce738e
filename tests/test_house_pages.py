"""The pages for contributors name only files, packages, make targets, classes, functions and marks that exist."""

from __future__ import annotations

import re
import tomllib
from functools import cache
from importlib import import_module
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PAGES = ("ARCHITECTURE.md", "CONTRIBUTING.md")
#: Where a path may begin: here, in the package, or in the folder of the browser's code.
FROM = (ROOT, ROOT / "nimmt_lab", ROOT / "nimmt_lab/screens")
#: Made when the package is built or installed.
MADE = {"native/_build/", "nimmt_lab/_tutorials", ".venv/bin/nbstripout", ".venv/bin/pytest"}
#: The names that the recipes of CONTRIBUTING.md give to the reader's own card and game.
INVENTED = ("fence", "sevens", "my_lesson", "two.toml")
ENDINGS = r"d\.ts|py|c|h|js|css|md|toml|json|bin|txt|yml|ipynb"


def page(name: str) -> str:
    return (ROOT / name).read_text(encoding="utf-8")


def quoted(name: str) -> set[str]:
    """Everything in backticks, and the lines of command blocks."""
    blocks = re.findall(r"^```\n(.*?)^```", page(name), re.DOTALL | re.MULTILINE)
    prose = re.sub(r"^```.*?^```", "", page(name), flags=re.DOTALL | re.MULTILINE)
    lines = {line.split("#")[0].strip() for block in blocks for line in block.splitlines()}
    return {*re.findall(r"`([^`\n]+)`", prose), *lines}


@cache
def sources() -> str:
    files = [
        path
        for room in ("nimmt_lab", "tests", "tools")
        for ending in ("py", "js")
        for path in (ROOT / room).rglob(f"*.{ending}")
    ]
    return "\n".join(path.read_text(encoding="utf-8") for path in sorted(files))


def is_path(word: str) -> bool:
    looks = re.fullmatch(rf"[\w.*/-]+/|[\w.*/-]+\.({ENDINGS})|\.?[\w-]+(/[\w.*-]+)+", word) is not None
    is_fraction = re.fullmatch(r"\d+/\d+", word) is not None
    return looks and not is_fraction and "NAME" not in word and "get/put" not in word


def is_invented(word: str) -> bool:
    return any(name in word.lower() for name in INVENTED)


def paths(name: str) -> list[str]:
    words = {word for one in quoted(name) for word in one.split()}
    return sorted(word for word in words if is_path(word) and word not in MADE and not is_invented(word))


def exists(path: str) -> bool:
    if any(next(root.glob(path.rstrip("/")), None) for root in FROM):
        return True
    return "/" not in path.rstrip("/") and any((ROOT / "nimmt_lab").rglob(path.rstrip("/")))


@pytest.mark.parametrize("name", PAGES)
def test_every_path_exists(name: str) -> None:
    found = paths(name)
    assert len(found) > 12
    assert [path for path in found if not exists(path)] == []


def test_a_path_that_is_gone_is_noticed() -> None:
    assert is_path("nimmt_lab/engine/gone.py") and not exists("nimmt_lab/engine/gone.py")
    assert is_path("gone/") and not exists("gone/")
    assert is_path("bots/gone.py") and not exists("bots/gone.py")
    assert is_path("gone.h") and not exists("gone.h") and exists("policy.h") and exists("js/part.js")


@pytest.mark.parametrize("name", PAGES)
def test_every_make_target_exists(name: str) -> None:
    targets = set(re.findall(r"^([a-z-]+):", page("Makefile"), re.MULTILINE))
    named = {found for one in quoted(name) for found in re.findall(r"\bmake ([a-z-]+)", one)}
    assert named <= targets
    if name == "CONTRIBUTING.md":  # it lists every target a contributor needs
        assert targets - named <= {"lab", "native", "chromium", "clean"}


@pytest.mark.exhaustive
@pytest.mark.parametrize("name", PAGES)
def test_every_class_function_and_constant_exists(name: str) -> None:
    missing = []
    for one in sorted(quoted(name)):
        if not (found := re.fullmatch(r"([A-Za-z_][\w.]*)(\(.*\))?", one)) or is_path(one) or is_invented(one):
            continue
        if one.startswith("nimmt_lab."):  # a module; tests/test_public_names.py imports them
            continue
        *owner, word = found[1].split(".")
        called = found[2] is not None
        if word.isupper():
            known = re.search(rf"^\s*(?:export const )?{word}\b.*=", sources(), re.MULTILINE)
        elif word[0].isupper():
            known = re.search(rf"\bclass {word}\b", sources())
        elif called or owner:
            known = re.search(rf"(?:def|function) {word}\(|^\s*{word}(?::|\()", sources(), re.MULTILINE)
        else:
            continue
        if known is None or (owner and owner[-1][0].isupper() and f"class {owner[-1]}" not in sources()):
            missing.append(one)
    assert missing == []


def test_the_examples_run() -> None:
    """Blocks of Python run as they are; the others are drawings and commands, whose names the tests above look up."""
    found = {name: re.findall(r"^```python\n(.*?)^```", page(name), re.DOTALL | re.MULTILINE) for name in PAGES}
    assert {name: len(blocks) for name, blocks in found.items()} == {"ARCHITECTURE.md": 1, "CONTRIBUTING.md": 0}
    for block in found["ARCHITECTURE.md"]:
        exec(block, {})


def test_every_mark_is_a_mark() -> None:
    options = tomllib.loads(page("pyproject.toml"))["tool"]["pytest"]["ini_options"]
    marks = {mark.partition(":")[0].partition("(")[0] for mark in options["markers"]}
    text = page("CONTRIBUTING.md").split("## Tests")[1].split("##")[0]
    said = re.search(r"Marks: (.*?)\.\s", text, re.DOTALL)
    assert said is not None and set(re.findall(r"`(\w+)`", said[1])) == marks


def test_a_name_means_one_thing() -> None:
    """The public functions of packages by name; only `words` is the name of each package's own catalogue."""
    rooms = sorted(path.parent.name for path in (ROOT / "nimmt_lab").glob("*/__init__.py"))
    meanings: dict[str, set[int]] = {}
    for room in ["nimmt_lab", *(f"nimmt_lab.{room}" for room in rooms)]:
        module = import_module(room)
        for name in getattr(module, "__all__", ()):
            meanings.setdefault(name, set()).add(id(getattr(module, name)))
    assert len(meanings) > 100
    assert {name for name, things in meanings.items() if len(things) > 1} == {"words"}
