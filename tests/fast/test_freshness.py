"""Compiled code kept on disk is not used after an edit of a module that it calls."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("numba")

CALLER = """
from nimmt_lab.fast.kernels import jit
from helper import step

@jit
def twice(n: int) -> int:
    return step(step(n))

print(twice(0), sum(twice.stats.cache_hits.values()))
"""


def helper(increase: int) -> str:
    return f"from nimmt_lab.fast.kernels import jit\n\n@jit\ndef step(n: int) -> int:\n    return n + {increase}\n"


def run(folder: Path) -> list[str]:
    env = dict(os.environ, NUMBA_CACHE_DIR=str(folder / "cache"), PYTHONDONTWRITEBYTECODE="1")
    done = subprocess.run(
        [sys.executable, "caller.py"], cwd=folder, env=env, capture_output=True, text=True, check=True
    )
    return done.stdout.split()


def test_an_edit_in_a_module_that_is_called_compiles_the_caller_again(tmp_path: Path) -> None:
    (tmp_path / "caller.py").write_text(CALLER)
    (tmp_path / "helper.py").write_text(helper(1))
    assert run(tmp_path) == ["2", "0"]
    assert run(tmp_path) == ["2", "1"], "an unchanged function comes out of the cache"
    (tmp_path / "helper.py").write_text(helper(5))
    assert run(tmp_path) == ["10", "0"]
