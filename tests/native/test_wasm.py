"""The wasm gives the same numbers as the library, bit by bit: what was asked of one is asked of the other."""

from __future__ import annotations

import importlib.util
from base64 import b64encode
from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Browser, Page

from nimmt_lab import Advanced, Classic
from nimmt_lab.bots import bot
from nimmt_lab.engine.rng import Rng
from nimmt_lab.games.classic import learn
from nimmt_lab.native import build, core, loader
from nimmt_lab.native.kernel import LOW_CARDS, POLICIES
from nimmt_lab.solver import solve
from nimmt_lab.study.rounds import Plan

from .recording import REPLAY, RecordingCore

pytestmark = pytest.mark.browser

CARDS = ("even_odd", "mountain", "jumping_cow", "number_twister")


@pytest.fixture(scope="module")
def page(browser: Browser) -> Iterator[Page]:
    opened = browser.new_page()
    yield opened
    opened.close()


@pytest.fixture(scope="module")
def wasm() -> str:
    assert importlib.util.find_spec("ziglang"), "the wasm is compiled with the package ziglang (extra dev)"
    return b64encode(build.build_for("wasm32").read_bytes()).decode()


def rounds() -> None:
    games = [
        *(Classic(players=n) for n in range(2, 11)),
        *(Advanced(players=n) for n in (2, 6)),
        *(Classic(players=4, fan_cards=(card,)) for card in CARDS),
        Classic(players=5, fan_cards=CARDS, combine_fan_cards=True),
    ]
    for game in games:
        for policy in POLICIES:
            for low in LOW_CARDS:
                plan = Plan.of(game, policy, low)
                plan.play(seed=2**63 + 5, first=2**40, rounds=4)
                plan.count(seed=7, first=0, rounds=4)


def bots() -> None:
    for game in (Classic(players=4), Advanced(players=3), Classic(players=3, fan_cards=("number_twister",))):
        state = game.deal(seed=4)
        while not state.rows:
            state, _ = state.choose({seat: decision.options[0] for seat, decision in state.pending.items()})
        for name in ("trained", "best:playouts=30", "flat:playouts=20"):
            bot(name).choose(state.view(1), Rng.from_seed(3))


def learning() -> None:
    """Fractions, too: additions, products and roots in single and double precision."""
    learn.learn(3, 300, 0.15, 1, report=False)


def solving() -> None:
    game = Classic(players=2)
    solve(game.from_position("12 14 | 37 | 43 44 | 58 ; A: 21 26 33 60 77 ; B: 30 36 41 59 90"))
    cow = Classic(players=2, fan_cards=("jumping_cow",))
    solve(cow.from_position("12 14 | 37 | 43 44 | 58 ; A: 21 26 33 ; B: 30 36 41 ; jumping_cow: 1"))


@pytest.mark.parametrize("work", [rounds, bots, learning, solving], ids=lambda work: work.__name__)
def test_the_wasm_answers_as_the_library(
    work: Callable[[], None], page: Page, wasm: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = core()
    assert found is not None
    recorder = RecordingCore(found)
    monkeypatch.setattr(loader, "_found", [recorder])
    monkeypatch.setattr(learn, "BLOCK", 150)
    # Slices as long as the clock allows would make the notes differ from run to run.
    monkeypatch.setattr(loader, "SLICE_SECONDS", 1e9)
    work()
    assert sum(note[0] == "call" for note in recorder.notes) > 3
    assert page.evaluate(REPLAY, [wasm, recorder.notes]) == []


def test_a_difference_would_be_noticed(page: Page, wasm: str) -> None:
    found = core()
    assert found is not None
    recorder = RecordingCore(found)
    state = recorder.memory(16)
    state.write("Q", [1, 2])
    recorder.call("nl_rng_start", state)
    state.get(0, 8)
    assert page.evaluate(REPLAY, [wasm, recorder.notes]) == []
    recorder.notes[-2][-1] = 1
    recorder.notes[-1][-1] = b64encode(bytes(8)).decode()
    assert len(page.evaluate(REPLAY, [wasm, recorder.notes])) == 2
