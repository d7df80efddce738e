"""Three rings of tests, as a pytest plugin: `--ring inner`, `middle` or `outer` runs one of them.

inner   `make test`: every rule and grading test, whatever else takes less than a second, a smoke of each screen
middle  the rest of `make test-all`: walks, notebooks, documentation, wheels, the web page
outer   `make test-slow`: hours rather than minutes

Without the option everything but the outer ring runs. A test's ring follows from its marks, and there is nothing else
to keep up to date: see `RING_OF`.

Tests that share something costly (a running JupyterLab, the built site, a module's fixtures) stay on one worker, and
groups that take long are begun first.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from xdist.remote import Producer
    from xdist.scheduler import LoadScopeScheduling

RINGS = ("inner", "middle", "outer")
#: The first of a test's marks in this list decides.
RING_OF = {
    "slow": "outer",
    "exhaustive": "middle",
    "packaging": "middle",
    "smoke": "inner",
    "notebook": "middle",
    "lab": "middle",
    "browser": "middle",
}
#: Notebooks of the inner ring: a lesson about the rules, one about probability, a study.
SMOKE_NOTEBOOKS = (
    "tutorials/rules/01_first_turn.ipynb",
    "tutorials/probability/2_is_my_card_safe.ipynb",
    "notebooks/03_cheapest_row.ipynb",
)
#: Notebooks of lessons have the same cell with another name in it (tests/tutorials checks that without
#: a kernel), so running two of them covers all. The others are for the outer ring.
SAME_CELL = ("tutorials/rules/", "tutorials/probability/")
ROOT = Path(__file__).resolve().parent.parent
#: A fixture that builds something large turns its tests into packaging tests.
BUILDS = ("site",)
#: Files that cannot even be imported without packages that only `make test-all` installs.
NEED_ALL = ("tests/rl/test_spiel.py", "tests/rl/test_playthroughs.py", "nimmt_lab/rl/spiel.py")
#: Folders whose tests share one server.
SERVERS = {"tests/tutorials": "lab", "tests/widgets/test_lab.py": "lab", "tests/site": "site"}


def ring(marks: Iterable[str]) -> str:
    """The ring of a test with these marks.

    >>> ring([]), ring(["browser"]), ring(["browser", "smoke"]), ring(["native", "slow"])
    ('inner', 'middle', 'inner', 'outer')
    """
    found = set(marks)
    return next((RING_OF[mark] for mark in RING_OF if mark in found), "inner")


def notebook_marks(name: str) -> list[str]:
    """The marks of a notebook, by its path in the repository.

    >>> notebook_marks("notebooks/03_cheapest_row.ipynb"), notebook_marks("tutorials/rules/03_traps.ipynb")
    (['notebook', 'smoke'], ['notebook', 'slow'])
    """
    if name in SMOKE_NOTEBOOKS:
        return ["notebook", "smoke"]
    return ["notebook", "slow"] if name.startswith(SAME_CELL) else ["notebook"]


def marks_of(item: pytest.Item) -> set[str]:
    return {mark.name for mark in item.iter_markers()}


def group_of(nodeid: str) -> str:
    """Tests of one group run on one worker, in order: those of one file, or of all files that share a server.

    >>> group_of("tests/site/test_tools.py::test_a_practice_streak"), group_of("tests/test_cli.py::test_help[en]")
    ('site', 'tests/test_cli.py')
    """
    name = nodeid.partition("::")[0]
    return next((group for start, group in SERVERS.items() if name.startswith(start)), name)


def costs(item: pytest.Item) -> int:
    """Roughly how long a test takes, so that the longest start first."""
    marks = marks_of(item)
    return next(
        (cost for mark, cost in (("lab", 9), ("packaging", 8), ("browser", 7), ("notebook", 6)) if mark in marks), 1
    )


def beyond_the_sample(item: pytest.Item, seen: dict[str, int]) -> bool:
    """Whether a case of a test marked `sampled(n)` is left to the middle ring: all but its first and every n-th one.

    If n has no common factor with the numbers of parameters, every value of each is met.
    """
    mark = item.get_closest_marker("sampled")
    if mark is None:
        return False
    name = item.nodeid.partition("[")[0]
    seen[name] = seen.get(name, -1) + 1
    return bool(seen[name] % mark.args[0])


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--ring", choices=RINGS, help="run one ring of tests only (tools/rings.py)")


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    wanted = config.getoption("--ring")
    return True if wanted == "inner" and collection_path in [ROOT / name for name in NEED_ALL] else None


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    wanted = config.getoption("--ring")
    chosen: list[pytest.Item] = []
    left: list[pytest.Item] = []
    seen: dict[str, int] = {}
    for item in items:
        if item.path.suffix == ".ipynb":
            for mark in notebook_marks(item.path.relative_to(ROOT).as_posix()):
                item.add_marker(mark)
        if set(BUILDS) & set(getattr(item, "fixturenames", ())):
            item.add_marker("packaging")
        if item.nodeid.startswith(NEED_ALL) or beyond_the_sample(item, seen):
            item.add_marker("exhaustive")
        of = ring(marks_of(item))
        (chosen if of == wanted or (wanted is None and of != "outer") else left).append(item)
    if left:
        config.hook.pytest_deselected(items=left)
    weight: dict[str, int] = {}
    for item in chosen:
        group = group_of(item.nodeid)
        weight[group] = weight.get(group, 0) + costs(item)
    # Python's sort is stable: within a group the order stays.
    items[:] = sorted(chosen, key=lambda item: (-weight[group_of(item.nodeid)], group_of(item.nodeid)))


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Producer) -> LoadScopeScheduling | None:
    """With `--dist loadfile`, hand out whole groups.

    (Marks of `--dist loadgroup` would do, but pytest 9.2 does not let xdist rename tests.)
    """
    if config.getoption("dist") != "loadfile":
        return None
    from xdist.scheduler import LoadScopeScheduling

    class Groups(LoadScopeScheduling):  # type: ignore[misc]  # xdist has no types
        def _split_scope(self, nodeid: str) -> str:
            return group_of(nodeid)

    return Groups(config, log)
