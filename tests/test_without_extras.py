"""If a package is missing, one line says what to install: never a traceback."""

from __future__ import annotations

import subprocess
import sys

import pytest

SCRIPT = """
import sys
class Missing:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in {missing!r}:
            raise ModuleNotFoundError(f"No module named {{name!r}}", name=name)
sys.meta_path.insert(0, Missing())
from nimmt_lab import Classic
from nimmt_lab.engine.errors import MissingPackage
from nimmt_lab.study import simulate, tournament
game = Classic(players=2, rounds=1)
played = simulate(game, rounds=5, progress=False)
met = tournament(game, ["random", "lowest"], deals=1, progress=False)
assert played.is_complete and met.standings
asked = {{
    "polars": [lambda: played.frame, lambda: played.summary, lambda: played.distribution, lambda: met.frame,
               lambda: met.summary, lambda: met.pairs],
    "altair": [lambda: __import__("nimmt_lab.charts")],
    "anywidget": [lambda: __import__("nimmt_lab.widgets")],
    "ipywidgets": [lambda: __import__("nimmt_lab.widgets.lesson")],
}}
def environments(mode=None):
    from nimmt_lab import rl
    return rl.parallel_env("classic", players=2, render_mode=mode)
if "vl_convert" in {missing!r}:  # what needs no pictures does not ask for them
    environments("html").reset()
for name, calls in (("numpy", [environments, lambda: __import__("nimmt_lab.rl.vector"), lambda: __import__("nimmt_lab.rl.spiel")]),
                    ("pettingzoo", [environments]), ("vl_convert", [lambda: environments("rgb_array")]), ("pyspiel", [lambda: __import__("nimmt_lab.rl.spiel")])):
    for call in calls if name in {missing!r} else ():
        try:
            call()
        except MissingPackage as error:
            assert "nimmt_lab[rl]" in str(error), error
        else:
            raise SystemExit(f"{{name}}: nothing was said")
for name, calls in asked.items():
    for call in calls if name in {missing!r} else ():
        try:
            call()
        except MissingPackage as error:
            assert "nimmt_lab[lab]" in str(error), error
        else:
            raise SystemExit(f"{{name}}: nothing was said")
"""


@pytest.mark.parametrize(
    "missing",
    [
        {"polars"},
        {"altair"},
        {"anywidget"},
        {"pettingzoo", "pyspiel"},
        {"vl_convert"},
        {"polars", "altair", "anywidget", "ipywidgets", "tqdm", "numpy"},
    ],
)
def test_what_is_missing_is_named(missing: set[str]) -> None:
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT.format(missing=missing)], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr[-800:]
