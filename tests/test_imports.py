"""Allowed imports between packages: the table of ARCHITECTURE.md, as code.

Two ways of looking. Reading the source finds every import, also those that no test happens to run. Running it in a
Python without third-party packages shows that the teaching packages really need none.
"""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
PACKAGE = ROOT / "nimmt_lab"
HEAVY = ("numpy", "polars", "altair")


@dataclass(frozen=True)
class Room:
    """The packages that a package may import when it loads, and those only inside functions."""

    rooms: frozenset[str] = frozenset()
    packages: frozenset[str] = frozenset()
    lazy_rooms: frozenset[str] = frozenset()
    lazy_packages: frozenset[str] = frozenset()


def room(rooms: str = "", packages: str = "", lazy_rooms: str = "", lazy_packages: str = "") -> Room:
    return Room(*(frozenset(words.split()) for words in (rooms, packages, lazy_rooms, lazy_packages)))


ALL = "engine games explain boards bots native solver study charts screens widgets lessons site rl server live"
THIRD_PARTY = "tqdm polars altair dask distributed anywidget ipywidgets traitlets IPython jupyterlab voila zmq"
# tqdm (progress) and dask (more machines) belong to the long computations. `nimmt_lab` itself, the package's
# front door, and the command line load the engine and the games only.
ROOMS = {
    "engine": room(),
    "games": room("engine"),
    "explain": room("engine"),
    "boards": room("engine explain"),
    "lessons": room("engine games explain boards", lazy_rooms="solver study"),
    "bots": room("engine native solver", lazy_rooms="explain"),
    "native": room("engine", lazy_packages="js pyodide"),
    "solver": room("engine games native", "tqdm"),
    "study": room("engine explain bots native solver", "tqdm polars", lazy_packages="dask distributed"),
    "charts": room("engine explain solver study", "altair polars"),
    "screens": room("engine explain boards lessons", lazy_rooms="bots native solver study"),
    "widgets": room(
        "engine explain boards lessons screens",
        "anywidget traitlets IPython",
        "bots study",
        lazy_packages="vl_convert",
    ),
    "site": room("engine boards native lessons screens nimmt_lab", lazy_packages="packaging"),
    "rl": room("engine native bots boards", "numpy gymnasium pettingzoo pyspiel open_spiel vl_convert"),
    "live": room("engine explain boards lessons screens site", "tornado", lazy_rooms="bots native solver study"),
    "server": room(
        "engine explain lessons screens",
        "tornado ipykernel jupyter_core jupyter_server jupyterlab_server nbformat voila",
    ),
    "conformance": room("engine", lazy_rooms="solver"),
    "commands": room(f"{ALL} conformance nimmt_lab", lazy_packages=THIRD_PARTY),
    "cli": room("engine games nimmt_lab", lazy_rooms=f"{ALL} commands", lazy_packages=THIRD_PARTY),
    "nimmt_lab": room("engine games", lazy_rooms=ALL),
}
# A chapter's folder contains its game with all its faces. A file's name gives its layer, and so the packages it may
# import in addition to the engine and the games. Everything else in games/ states rules and needs no other package.
FACES = {
    "tell": room("engine games explain"),
    "describe": room("engine games explain boards"),
    "ask": room("engine games explain boards lessons"),
    "guess": room("engine games"),
    "box": room("engine games"),
    "encode": room("engine games"),
    "vectors": room("engine games conformance"),
    "kernel": room("engine games native"),
    "search": room("engine games native"),
    "seating": room("engine games native"),
}
PLAIN = ("engine", "games", "native", "explain", "boards", "lessons", "screens", "conformance")


@dataclass(frozen=True)
class Import:
    module: str
    line: int
    lazy: bool


def is_type_checking(test: ast.expr) -> bool:
    return ast.unparse(test) in ("TYPE_CHECKING", "typing.TYPE_CHECKING")


def imports(tree: ast.AST, package: str, *, lazy: bool = False) -> Iterator[Import]:
    """Every import below `tree`, relative ones resolved against `package`; `from a import b` yields `a.b`."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.Import):
            yield from (Import(alias.name, node.lineno, lazy) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = package.split(".")[: len(package.split(".")) - node.level + 1] if node.level else []
            stem = ".".join([*base, *([node.module] if node.module else [])])
            yield from (Import(f"{stem}.{alias.name}", node.lineno, lazy) for alias in node.names)
        elif isinstance(node, ast.Call) and ast.unparse(node.func).endswith(("import_module", "__import__")):
            match node.args:
                case [ast.Constant(value=str(name)), *_]:
                    yield Import(name, node.lineno, lazy)
        if isinstance(node, ast.If) and is_type_checking(node.test):
            yield from imports(ast.Module(node.body, []), package, lazy=True)
            yield from imports(ast.Module(node.orelse, []), package, lazy=lazy)
        else:
            yield from imports(
                node, package, lazy=lazy or isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda)
            )


def room_of(path: str) -> str:
    """The package a module belongs to, by its path inside nimmt_lab; the top-level module is `nimmt_lab`.

    >>> room_of("games/classic/rules.py"), room_of("__main__.py"), room_of("__init__.py")
    ('games', 'cli', 'nimmt_lab')
    """
    first = path.split("/")[0].removesuffix(".py")
    return {"__init__": "nimmt_lab", "__main__": "cli"}.get(first, first)


def face_of(path: str) -> str | None:
    """The face of a chapter that a module is: a file of that name in the folder of a chapter.

    >>> face_of("games/baron/tell.py"), face_of("games/baron/rules.py"), face_of("widgets/tell.py")
    ('tell', None, None)
    """
    match path.split("/"):
        case ["games", _, file] if file.removesuffix(".py") in FACES:
            return file.removesuffix(".py")
    return None


def violations(source: str, path: str) -> list[str]:
    """The imports of the module at `path` (inside the package) that the table forbids."""
    name = room_of(path)
    if name not in ROOMS:
        return [f"{path}: no room of this name; add it to ARCHITECTURE.md and to ROOMS"]
    face = face_of(path)
    allowed = FACES[face] if face else ROOMS[name]
    package = ".".join(["nimmt_lab", *path.split("/")[:-1]])
    found = []
    for item in imports(ast.parse(source), package):
        top, _, rest = item.module.partition(".")
        if top == "nimmt_lab":
            target = rest.split(".")[0] if rest.split(".")[0] in ROOMS else "nimmt_lab"
            legal = target == name or target in allowed.rooms or (item.lazy and target in allowed.lazy_rooms)
            # Rules load without their faces, which are loaded on demand.
            inner = rest.split(".")
            if target == "games" and not face and len(inner) > 2 and inner[2] in FACES:
                legal = False
        else:
            legal = (
                top in sys.stdlib_module_names
                or top in allowed.packages
                or (item.lazy and top in allowed.lazy_packages)
            )
        if not legal:
            found.append(f"{path}:{item.line}: {name} may not import {item.module}{'' if item.lazy else ' on loading'}")
    return found


MODULES = sorted(path.relative_to(PACKAGE).as_posix() for path in PACKAGE.rglob("*.py"))


@pytest.mark.parametrize("path", MODULES)
def test_every_module_keeps_to_its_room(path: str) -> None:
    assert violations((PACKAGE / path).read_text(encoding="utf-8"), path) == []


@pytest.mark.parametrize(
    ("path", "source"),
    [
        ("engine/cards.py", "import numpy"),
        ("engine/cards.py", "def f():\n    import numpy.linalg as la"),
        ("engine/cards.py", "try:\n    import numpy\nexcept ImportError:\n    pass"),
        ("engine/cards.py", "from nimmt_lab.games import classic"),
        ("engine/cards.py", "from nimmt_lab import games"),
        ("engine/cards.py", "from .. import games"),
        ("engine/cards.py", "from ..games.classic import Classic"),
        ("engine/cards.py", "from nimmt_lab import Classic"),
        ("engine/cards.py", "import nimmt_lab"),
        ("engine/cards.py", "import importlib\nimportlib.import_module('polars')"),
        ("engine/cards.py", "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    import nimmt_lab.games"),
        ("games/baron/deep.py", "from ...explain import why"),
        ("bots/random.py", "import nimmt_lab.study"),
        ("bots/random.py", "from nimmt_lab.games.classic.rules import Classic"),
        ("study/luck.py", "def f():\n    from nimmt_lab.games import Baron"),
        ("bots/random.py", "class Bot:\n    from nimmt_lab import study"),
        ("widgets/replay.py", "from nimmt_lab.study import simulate"),
        ("widgets/replay.py", "def f():\n    import polars"),
        ("cli.py", "import nimmt_lab.study"),
        ("__init__.py", "from nimmt_lab.study import simulate"),
        ("attic/old.py", "import json"),
        ("games/baron/rules.py", "from nimmt_lab.explain.teller import tells"),
        ("games/baron/rules.py", "from .tell import told"),
        ("games/baron/rules.py", "from nimmt_lab.games.baron import tell"),
        ("explain/report.py", "from nimmt_lab.games.baron.tell import told"),
        ("games/baron/tell.py", "from nimmt_lab.boards.describe import Obj"),
        ("games/baron/tell.py", "from nimmt_lab.bots.base import Bot"),
        ("games/baron/describe.py", "from nimmt_lab.widgets.table import Table"),
        ("games/baron/describe.py", "import anywidget"),
        ("games/baron/guess.py", "from nimmt_lab.explain import narrate"),
        ("games/baron/vectors.py", "from nimmt_lab.bots import bot"),
        ("games/baron/kernel.py", "import numpy"),
    ],
)
def test_trespassing_is_noticed(path: str, source: str) -> None:
    assert len(violations(source, path)) == 1


@pytest.mark.parametrize(
    ("path", "source"),
    [
        ("engine/cards.py", "import json\nfrom collections import abc\nfrom . import rng\nfrom .rng import Rng"),
        ("games/classic/rules.py", "from ...engine import cards\nfrom nimmt_lab.engine.errors import RulesError"),
        ("games/baron/tell.py", "from nimmt_lab.explain.teller import tells\nfrom .rules import Baron"),
        ("games/mountain/tell.py", "from nimmt_lab.games.classic.tell import FAN_CARDS"),
        ("games/baron/describe.py", "from nimmt_lab.boards.describe import Obj\nfrom nimmt_lab.explain import words"),
        ("games/baron/guess.py", "from nimmt_lab.engine.guess import BESIDE\nfrom .rules import Baron"),
        ("games/baron/vectors.py", "from nimmt_lab.conformance.adapter import Adapter"),
        ("games/baron/kernel.py", "from nimmt_lab.native.loader import load"),
        ("bots/random.py", "def f():\n    from nimmt_lab.native import core"),
        ("widgets/replay.py", "import anywidget\nasync def f():\n    from ..study import simulate"),
        ("study/simulate.py", "import polars as pl\nfrom tqdm.auto import tqdm\nfrom ..solver import odds"),
        ("cli.py", "def main():\n    import nimmt_lab.study"),
        ("__init__.py", "from .games.classic.rules import Classic"),
    ],
)
def test_what_the_table_allows_is_allowed(path: str, source: str) -> None:
    assert violations(source, path) == []


def test_architecture_page_names_the_same_rooms() -> None:
    page = (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8")
    assert set(re.findall(r"^\| `nimmt_lab/(\w+)(?:/|\.py)` \|", page, re.MULTILINE)) == ROOMS.keys() - {"nimmt_lab"}


def run_python(*arguments: str) -> str:
    done = subprocess.run([sys.executable, *arguments], capture_output=True, text=True, cwd=ROOT)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_importing_the_package_loads_nothing_heavy() -> None:
    code = f"import sys, nimmt_lab; print([name for name in {HEAVY!r} if name in sys.modules])"
    assert run_python("-c", code).strip() == "[]"


def test_the_plain_rooms_run_without_any_third_party_package() -> None:
    names = ["nimmt_lab"] + [
        ".".join(["nimmt_lab", *Path(path).with_suffix("").parts]).removesuffix(".__init__")
        for path in MODULES
        if room_of(path) in PLAIN
    ]
    # -I and -S: no site-packages, no user packages, no environment; only the standard library and this checkout.
    code = "import importlib, sys; sys.path.insert(0, sys.argv[1]); list(map(importlib.import_module, sys.argv[2:]))"
    run_python("-I", "-S", "-c", code, str(ROOT), *names)
