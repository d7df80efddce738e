"""Fixtures and hooks shared by all tests."""

from __future__ import annotations

import os
import secrets
import zlib
from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest
from hypothesis import settings

from nimmt_lab.engine.errors import CoreMissing
from nimmt_lab.engine.rng import Rng
from nimmt_lab.native import core
from tools.ensure_chromium import ADVICE, find_chromium

if TYPE_CHECKING:
    from playwright.sync_api import Browser

# Tests use no clock. CI always tries the same examples, so that a failure can be repeated.
settings.register_profile("nimmt_lab", deadline=None, print_blob=True, derandomize="CI" in os.environ)
settings.load_profile("nimmt_lab")


def pytest_runtest_setup(item: pytest.Item) -> None:
    """Skip tests of the compiled core, and tests that take too long without it."""
    if item.get_closest_marker("native") and core() is None:
        pytest.skip("no compiled core")


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Iterator[None]:
    """Without the compiled core, skip tests that need it; solver/test_without_core.py checks which questions do."""
    try:
        return (yield)
    except CoreMissing as refusal:
        if core() is not None:
            raise
        pytest.skip(str(refusal))


@pytest.fixture(autouse=True)
def no_chance(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Seed fresh deals, tasks and draws by the test's name, so that a failure can be repeated."""
    seed = zlib.crc32(request.node.nodeid.encode())
    request.node.add_report_section("setup", "seed", f"fresh draws of this test come from {seed}")  # if it fails
    rng = Rng.from_seed(seed)

    def below(n: int) -> int:
        nonlocal rng
        found, rng = rng.below(2**31)
        again, rng = rng.below(2**31)
        return (found << 31 | again) % n  # nearly even is good enough here

    monkeypatch.setattr(secrets, "randbelow", below)
    monkeypatch.setattr(secrets, "randbits", lambda bits: below(2**bits))


@pytest.fixture(scope="session")
def chromium() -> str:
    """The path of the Chromium that `make test` has found or installed."""
    path = find_chromium()
    if path is None:
        pytest.fail(ADVICE, pytrace=False)
    return path


@pytest.fixture(scope="session")
def browser(chromium: str) -> Iterator[Browser]:
    """One browser for all tests of a worker, because Playwright refuses a second one."""
    from tools.browser import open_browser

    with open_browser(chromium) as opened:
        yield opened
