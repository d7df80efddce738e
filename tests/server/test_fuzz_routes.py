"""Mutated requests: `tools/fuzz_routes.py` for as long as a test may take."""

from __future__ import annotations

import pytest

from tools.fuzz import fuzz
from tools.fuzz_routes import Answer, Caller, Found, Lab, route_targets

pytestmark = pytest.mark.lab


def test_mutated_requests_find_nothing(guarded: Lab) -> None:
    assert not list(fuzz(route_targets(guarded), 300, None, seed=1))


def test_what_would_be_wrong_is_noticed(guarded: Lab) -> None:
    caller = Caller(guarded)
    for wrong in (Answer(500, {}, b""), Answer(403, {}, b"a-learner-wrote-this"), Answer(101, {}, b"")):
        with pytest.raises(Found):
            caller.judge(wrong)
    caller.before = ["another"]
    with pytest.raises(Found, match="kernel"):
        caller.judge(Answer(200, {}, b""))
