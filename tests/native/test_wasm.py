"""The wasm module gives the same numbers as the library, bit by bit, for the same calls."""

from __future__ import annotations

import importlib.util
from base64 import b64encode
from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Browser, Page

from nimmt_lab.native import build, core, loader

from .recording import REPLAY, START, Note, RecordingCore, portions
from .workloads import bots, choices, rounds, solving, steps, turns

pytestmark = [pytest.mark.browser, pytest.mark.packaging]


@pytest.fixture(scope="module")
def page(browser: Browser) -> Iterator[Page]:
    opened = browser.new_page()
    yield opened
    opened.close()


@pytest.fixture(scope="module")
def wasm() -> str:
    assert importlib.util.find_spec("ziglang"), "the wasm is compiled with the package ziglang (extra dev)"
    return b64encode(build.build_for("wasm32").read_bytes()).decode()


def differences(page: Page, wasm: str, notes: list[Note]) -> list[str]:
    """What the module answers otherwise than the library did, at most five for each portion of notes."""
    page.evaluate(START, wasm)
    return [wrong for portion in portions(notes) for wrong in page.evaluate(REPLAY, portion)]


@pytest.mark.parametrize("work", [rounds, choices, turns, steps, bots, solving], ids=lambda work: work.__name__)
def test_the_wasm_answers_as_the_library(
    work: Callable[[], None], page: Page, wasm: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = core()
    assert found is not None
    recorder = RecordingCore(found)
    monkeypatch.setattr(loader, "_loaded", [recorder])
    # Slices limited by the clock would make the recordings differ from run to run.
    monkeypatch.setattr(loader, "SLICE_SECONDS", 1e9)
    work()
    assert sum(note[0] == "call" for note in recorder.notes) > 3
    assert differences(page, wasm, recorder.notes) == []


def test_a_difference_would_be_noticed(page: Page, wasm: str) -> None:
    found = core()
    assert found is not None
    recorder = RecordingCore(found)
    state = recorder.memory(16)
    state.write("Q", [1, 2])
    recorder.call("nl_rng_start", state)
    state.get(0, 8)
    assert differences(page, wasm, recorder.notes) == []
    recorder.notes[-2][-1] = 1
    recorder.notes[-1][-1] = b64encode(bytes(8)).decode()
    assert len(differences(page, wasm, recorder.notes)) == 2
