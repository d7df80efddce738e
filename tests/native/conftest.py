"""Without the compiled core, skip its tests, except those about its absence."""

from __future__ import annotations

from pathlib import Path

import pytest

#: Files that mark their tests individually.
ONE_BY_ONE = {"test_loader.py", "test_network.py", "test_wheel.py"}


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if item.path.parent == Path(__file__).parent and item.path.name not in ONE_BY_ONE:
            item.add_marker(pytest.mark.native)
