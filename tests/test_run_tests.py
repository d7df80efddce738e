"""A browser's test gets a second try, no other does, and nothing fails twice unnoticed."""

from __future__ import annotations

from pathlib import Path

import pytest

from tools import run_tests

SETTINGS = '[pytest]\nmarkers =\n    browser: x\n    lab: x\naddopts = -m "not slow"\n'
#: Fails until it has failed as often as `times` says.
TEST = """
import pathlib, pytest

{mark}
def test_it():
    seen = pathlib.Path(__file__).with_name("seen")
    tries = len(seen.read_text()) if seen.exists() else 0
    seen.write_text("x" * (tries + 1))
    assert tries >= {times}
"""


@pytest.mark.parametrize(
    ("mark", "times", "code", "tries"),
    [
        ("@pytest.mark.browser", 0, 0, 1),
        ("@pytest.mark.browser", 1, 0, 2),
        ("@pytest.mark.browser", 2, 1, 2),
        ("", 1, 1, 1),
    ],
)
def test_who_gets_a_second_try(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, mark: str, times: int, code: int, tries: int
) -> None:
    monkeypatch.setattr(run_tests, "ROOT", tmp_path)
    monkeypatch.setattr(run_tests, "FAILED", tmp_path / ".pytest_cache" / "v" / "cache" / "lastfailed")
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")
    (tmp_path / "pytest.ini").write_text(SETTINGS)
    (tmp_path / "test_x.py").write_text(TEST.format(mark=mark, times=times))
    assert run_tests.main(["-q"]) == code
    assert len((tmp_path / "seen").read_text()) == tries
