"""A pytest plugin for a core compiled with sanitizers (`check_native.py`), in every worker of a run.

Every block of memory comes from the system's allocator, so that an access outside it is noticed.
"""

from __future__ import annotations

import os

import pytest

from nimmt_lab.native import core, loader


def pytest_configure() -> None:
    loader._LARGE = 1 << 62
    loaded = core()
    if loaded is None or loaded.name != os.environ["NIMMT_NATIVE"]:
        raise pytest.UsageError("the core under the sanitizers was not loaded")
