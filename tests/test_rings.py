"""Every test belongs to one ring, and the rings are those that the commands run."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from tools import rings

ROOT = Path(__file__).resolve().parent.parent
MARKERS = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["pytest"]["ini_options"][
    "markers"
]

pytest_plugins = ["pytester"]

TESTS = """
import pytest

def test_plain(): pass
@pytest.mark.browser
def test_walk(): pass
@pytest.mark.browser
@pytest.mark.smoke
def test_smoke(): pass
@pytest.mark.exhaustive
@pytest.mark.smoke
def test_thorough(): pass
@pytest.mark.slow
def test_hours(): pass
@pytest.mark.sampled(2)
@pytest.mark.parametrize("case", range(4))
def test_cases(case): pass
"""


def test_the_marks_that_decide_are_registered() -> None:
    assert rings.RING_OF.keys() <= {line.partition(":")[0] for line in MARKERS}
    assert set(rings.RING_OF.values()) | {"inner"} == set(rings.RINGS)


@pytest.mark.parametrize(
    ("option", "passed"),
    [
        (("--ring", "inner"), ["test_cases[0]", "test_cases[2]", "test_plain", "test_smoke"]),
        (("--ring", "middle"), ["test_cases[1]", "test_cases[3]", "test_thorough", "test_walk"]),
        (("--ring", "outer"), ["test_hours"]),
        ((), [*(f"test_cases[{n}]" for n in range(4)), "test_plain", "test_smoke", "test_thorough", "test_walk"]),
    ],
)
def test_each_ring_runs_its_own(pytester: pytest.Pytester, option: tuple[str, ...], passed: list[str]) -> None:
    pytester.makepyfile(test_them=TESTS)
    pytester.makeini("[pytest]\nmarkers =\n" + "".join(f"    {name}: x\n" for name in (*rings.RING_OF, "sampled")))
    result = pytester.inline_run("-p", "tools.rings", *option, "-p", "no:cacheprovider")
    assert sorted(report.nodeid.partition("::")[2] for report in result.listoutcomes()[0]) == passed


def test_the_notebooks_of_the_inner_ring_exist() -> None:
    assert len(rings.SMOKE_NOTEBOOKS) == 3
    assert all((ROOT / name).is_file() for name in rings.SMOKE_NOTEBOOKS)
    assert all(any((ROOT / folder).glob("*.ipynb")) for folder in rings.SAME_CELL)


def test_the_files_that_are_named_exist() -> None:
    assert all((ROOT / name).exists() for name in (*rings.SERVERS, *rings.NEED_ALL))
