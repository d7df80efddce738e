"""A killed writer leaves the old file or the new one."""

from __future__ import annotations

import ast
import errno
import json
import os
import subprocess
import sys
import traceback
from collections.abc import Callable
from pathlib import Path

import pytest

from nimmt_lab.commands.lab import lay_out
from nimmt_lab.engine import files
from nimmt_lab.engine.errors import CannotWrite
from nimmt_lab.engine.files import read_bytes
from nimmt_lab.engine.rng import Rng
from nimmt_lab.engine.sentences import Phrase
from nimmt_lab.lessons.worksheet import class_set, pages, write_folder
from tests.engine.killing import content, kill_often, killed, polars_writers, write_files, writers
from tests.support import refused

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")


@pytest.mark.exhaustive
@pytest.mark.parametrize("times", [4, pytest.param(100, marks=pytest.mark.slow)])
def test_kills_leave_the_old_or_the_new(times: int, tmp_path: Path) -> None:
    rng = Rng.from_seed(15)
    for name, make in writers().items():
        rng = kill_often(name, make, tmp_path, times, rng)


@pytest.mark.exhaustive
@pytest.mark.parametrize("times", [2, pytest.param(100, marks=pytest.mark.slow)])
@pytest.mark.parametrize("name", polars_writers())
def test_so_do_writers_of_parquet(name: str, times: int, tmp_path: Path) -> None:
    """Run in a separate process, because polars' threads do not survive a fork."""
    done = subprocess.run(
        [sys.executable, "-m", "tests.engine.killing", str(tmp_path), str(times), name],
        capture_output=True, text=True, check=False, cwd=Path(__file__).parents[2],
    )  # fmt: skip
    assert done.stdout == f"held: {name}\n", done.stderr[-2000:]


def _two_at_once(work: Callable[[int], object], times: int) -> None:
    """Two processes write the same files repeatedly, each with its own content."""
    children = []
    for which in (0, 1):
        child = os.fork()
        if child == 0:
            code = 1
            try:
                for _ in range(times):
                    work(which)
                code = 0
            except BaseException:
                traceback.print_exc()
            finally:
                os._exit(code)
        children.append(child)
    assert [os.waitpid(child, 0)[1] for child in children] == [0, 0], "a writer failed by itself"


@pytest.mark.exhaustive
@pytest.mark.parametrize("times", [40, pytest.param(400, marks=pytest.mark.slow)])
def test_two_who_write_sets_at_once_never_mix_them(times: int, tmp_path: Path) -> None:
    """Readers with the lock find one complete set, during and after the writes."""
    sets = [{f"{name}.txt": f"{which} {name}" for name in "abcdef"[: 3 + 3 * which]} for which in (0, 1)]
    gone = [[f"{name}.txt" for name in "def"], []]
    wholes = [{name: text.encode() for name, text in one.items()} for one in sets]

    def work(which: int) -> None:
        write_files(tmp_path, sets[which], gone=gone[which])
        with files.alone_in(tmp_path):
            assert content(tmp_path) in wholes

    _two_at_once(work, times)
    assert content(tmp_path) in wholes
    assert [path.name for path in tmp_path.iterdir() if path.name.startswith(".")] == []


def test_two_teachers_who_write_one_class_at_once(tmp_path: Path) -> None:
    sets = [pages(1, class_set(pupils, seed=pupils)) for pupils in (1, 3)]
    wholes = [{name: text.encode() for name, text in one.items()} for one in sets]
    _two_at_once(lambda which: write_folder(sets[which], tmp_path, force=True), 15)
    assert content(tmp_path) in wholes


#: These may write by themselves: the central writer; code that compiles (and renames) before the package can be
#: imported;
#: and the fuzzer, whose broken files don't matter.
WRITE = {"nimmt_lab/engine/files.py", "nimmt_lab/native/build.py", "tools/fuzz_targets.py", "tools/fuzz_pages.py"}
WRITE |= {"tools/fuzz_kept.py"}
#: These work on a checkout, a copy of it or a planted folder, and must run before the package can be imported.
WRITE |= {"tools/badges.py", "tools/check_js.py", "tools/environment.py", "tools/fuzz_routes.py", "tools/lock.py"}
WRITE |= {"tools/mutants.py", "tools/release.py"}


#: Calls with these names that don't write into files: the second sends a text to a page.
OWN = {"write_sections", "write_message"}


def _writes(tree: ast.AST) -> list[str]:
    """Calls that bypass the central writer."""
    found = []
    for node in ast.walk(tree):
        if not isinstance(node, ast.Call):
            continue
        name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
        first = node.args[0] if node.args else None
        modes = [*node.args[1:2], *(word.value for word in node.keywords if word.arg == "mode")]
        if isinstance(node.func, ast.Attribute) and name == "open":
            modes += node.args[:1]  # a path's own method
        opened = name in ("open", "fdopen") and any(
            isinstance(mode, ast.Constant)
            and isinstance(mode.value, str)
            and set(mode.value) & set("wax+")
            and set(mode.value) <= set("rwaxbt+")
            for mode in modes
        )
        # A second handle to something already open, such as the pipe to another process, is not a file.
        opened = opened and not (
            name == "fdopen" and isinstance(first, ast.Call) and getattr(first.func, "attr", "") == "dup"
        )
        # Tables are first written into memory.
        table = isinstance(first, ast.Name) and first.id == "table"
        past = name in ("write_text", "write_bytes", "dump") or (
            name.startswith(("write_", "sink_")) and name not in OWN and not table
        )
        if opened or (past and isinstance(node.func, ast.Attribute)):
            found.append(f"line {node.lineno}: {name}")
    return found


@pytest.mark.exhaustive
def test_every_writer_uses_the_one_that_is_safe() -> None:
    root = Path(__file__).parents[2]
    wrong = {}
    for folder in ("nimmt_lab", "tools"):
        for path in sorted((root / folder).rglob("*.py")):
            name = path.relative_to(root).as_posix()
            if name not in WRITE and (found := _writes(ast.parse(path.read_text(encoding="utf-8")))):
                wrong[name] = found
    assert not wrong
    for text in (
        "open('x', 'w')",
        "p.open('a')",
        "p.write_text('')",
        "f.write_parquet('x')",
        "open(x, mode='wb')",
        "os.fdopen(handle, 'w')",
        "json.dump(x, y)",
    ):
        assert _writes(ast.parse(text)), text
    for text in (
        "open('x')",
        "home.open('play')",
        "home.open('box')",
        "f.write_parquet(table)",
        "open(x, 'rb')",
        "write_text(record)",
        "write_json(record)",
        "page.write_message(text)",
        "os.fdopen(os.dup(1), 'w')",
    ):
        assert not _writes(ast.parse(text)), text


@pytest.mark.exhaustive
@pytest.mark.parametrize("times", [2, pytest.param(100, marks=pytest.mark.slow)])
def test_an_interrupted_start_leaves_nothing_that_counts_as_changed(times: int, tmp_path: Path) -> None:
    rng = Rng.from_seed(16)
    lay_out(tmp_path / "whole", "cs")
    langs = ("pl", "cs")
    folder = tmp_path / "learner"
    for _ in range(times):
        after, rng = rng.below(2000)
        killed(lambda turn: lay_out(folder, langs[turn % 2]), after / 1000)
    assert lay_out(folder, "cs") == []
    assert content(folder) == content(tmp_path / "whole")


@pytest.mark.exhaustive
def test_a_start_that_stops_at_any_file_is_made_good(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The same without chance: the disk is full after a certain number of files."""
    lay_out(tmp_path, "en")
    (tmp_path / "index.ipynb").unlink()
    real = files._write
    for most in (1, 2, 3, 7):
        written = list[Path]()

        def full(path: Path, what: bytes, written: list[Path] = written, most: int = most) -> None:
            written.append(path)
            if len(written) > most:
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
            real(path, what)

        monkeypatch.setattr(files, "_write", full)
        with refused(CannotWrite, "shared.cannot_write", problem=Phrase("os.no_space")):
            lay_out(tmp_path, "pl")
        monkeypatch.setattr(files, "_write", real)
        assert lay_out(tmp_path, "pl") == []
        assert lay_out(tmp_path, "en") == []
    marks = json.loads(read_bytes(tmp_path / ".nimmt-lab-files.json"))
    assert all(isinstance(mark, str) for mark in marks.values())


def test_what_the_learner_changed_still_stays(tmp_path: Path) -> None:
    lay_out(tmp_path, "en")
    (tmp_path / "index.ipynb").write_text("mine")
    assert lay_out(tmp_path, "pl") == ["index.ipynb"]
    assert (tmp_path / "index.ipynb").read_text() == "mine"
