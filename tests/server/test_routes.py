"""Every route that `nimmt-lab lab` serves is in SECURITY.md, so that no new one appears unnoticed."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
SECTION = "## What `nimmt-lab lab` serves"

#: The server as configured by the command, without listening; in its own process, because Jupyter allows only one.
LIST = """
import json, os, sys
from pathlib import Path
from nimmt_lab.commands import lab
os.environ.update(lab.lab_environment())
lab.leave_working_folder()
from jupyterlab.labapp import LabApp
server = LabApp.initialize_server(argv=[*lab.lab_options(Path(sys.argv[1])), "--no-browser"], new_httpserver=False)
def walk(router):
    for rule in router.rules:
        if hasattr(rule.target, "rules"):
            yield from walk(rule.target)
        else:
            regex = getattr(rule.matcher, "regex", None)
            yield [regex.pattern if regex else type(rule.matcher).__name__, rule.target.__module__, rule.target.__name__]
print(json.dumps(list(walk(server.web_app.default_router))))
"""


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> list[tuple[str, str, str]]:
    """Pattern, module and class of every handler, in the order in which they are asked."""
    base = tmp_path_factory.mktemp("routes")
    places = {name: str(base) for name in ("JUPYTER_CONFIG_DIR", "JUPYTER_RUNTIME_DIR", "IPYTHONDIR", "HOME")}
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", LIST, str(base)],
        env={**os.environ, **places, "PYTHONPATH": os.pathsep.join([str(ROOT), os.environ.get("PYTHONPATH", "")])},
        capture_output=True,
        text=True,
        cwd=ROOT,
    )
    assert done.returncode == 0, done.stderr
    return [tuple(line) for line in json.loads(done.stdout.splitlines()[-1])]


def readable(pattern: str) -> str:
    """A pattern as people read it: alternatives in braces, and a star for anything else."""
    text = re.sub(r"\[[^\]]*\]", ".", pattern.removesuffix("$")).replace("\\w", ".")
    while found := re.search(r"\((?:\?:|\?P<\w+>)?([^()]*)\)([?*+]?)", text):
        inner, repeated = found.groups()
        words = inner.replace("\\", "").split("|")
        is_words = not repeated and all(re.fullmatch(r"[\w.@/-]+", word) for word in words)
        # A dot that isn't escaped matches any letter.
        is_words = is_words and "." not in inner.replace("\\.", "")
        put = ("{" + ",".join(words) + "}" if len(words) > 1 else words[0]) if is_words else "*"
        text = text[: found.start()] + put + text[found.end() :]
    text = re.sub(r"\\(.)", r"\1", text.replace("/?", "")).replace(".*", "*")
    return re.sub(r"\*+", "*", text) or "/"


def listed() -> list[str]:
    """The routes in the first column of the tables of the section."""
    text = (ROOT / "SECURITY.md").read_text(encoding="utf-8").partition(SECTION)[2]
    section = re.split(r"^## ", text, flags=re.MULTILINE)[0]
    cells = [line.split(" | ")[0] for line in section.splitlines() if line.startswith("| `")]
    return [route for cell in cells for route in re.findall(r"`([^`]+)`", cell)]


def test_patterns_are_read_as_people_read_them() -> None:
    assert readable(r"/api/kernels/(?P<kernel_id>\w+-\w+)/(?P<action>restart|interrupt)$") == (
        "/api/kernels/*/{restart,interrupt}"
    )
    assert readable(r"/(?P<mode>lab|doc)(?P<workspace>/workspaces/[a-z]+)?(?P<tree>/tree/.*)?$") == "/{lab,doc}*"
    assert readable(r"/voila/render/home\.ipynb$") == "/voila/render/home.ipynb" and readable("/?$") == "/"


@pytest.mark.exhaustive
def test_every_route_is_listed(served: list[tuple[str, str, str]]) -> None:
    real = {readable(pattern) for pattern, _, _ in served if pattern not in ("When", "Burden")}
    assert real == set(listed())
    assert len(listed()) == len(set(listed()))


def test_the_gate_is_asked_first(served: list[tuple[str, str, str]]) -> None:
    assert [(pattern, name) for pattern, _, name in served[:4]] == [
        ("When", "Doorstep"),
        ("Burden", "Doorstep"),
        ("When", "TokenPage"),
        ("When", "Doorstep"),
    ]


def test_nothing_of_voila_answers_by_itself(served: list[tuple[str, str, str]]) -> None:
    assert not [line for line in served if line[1].startswith("voila")]
    assert {module for pattern, module, _ in served if "/voila" in pattern} == {"nimmt_lab.server.home"}
