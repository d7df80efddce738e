"""Play the usual option unless another is clearly better; `best-1` still searches with the same number of playouts."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pytest

from nimmt_lab import Baron, Buffalo
from nimmt_lab.bots import bot
from nimmt_lab.bots import search as searching
from nimmt_lab.bots.by_engine import EnginePlayouts
from nimmt_lab.bots.search import FirstBestBot, SecondBestBot
from nimmt_lab.engine.cards import TEAM
from nimmt_lab.engine.decisions import Choice
from nimmt_lab.engine.rng import Rng
from nimmt_lab.engine.state import GameState
from nimmt_lab.games.buffalo.uses import Pass
from nimmt_lab.native.kernel import compiled_tries
from nimmt_lab.native.tries import CoreTries, Estimate

pytestmark = pytest.mark.native


class Told(CoreTries):
    """Gains as reported: mean and error by option."""

    def __init__(self, usual: Choice, gains: dict[Choice, tuple[float, float]]) -> None:
        self.usual, self.gains = usual, gains
        self.runs: list[tuple[tuple[Choice, ...], int]] = []

    def run(self, options: Sequence[Choice], playouts: int) -> list[Estimate]:
        self.runs.append((tuple(options), playouts))
        # The last option would have the best chance to win, but that doesn't count here.
        cards = [option for option in options if isinstance(option, int)]
        return [Estimate(one, playouts, 0.0, float(one), 0, 0, *self.gains[one]) for one in cards]


def chosen(tries: Told, budget: int = 600) -> Choice:
    best = SecondBestBot()
    return max(best._look(tries, list(tries.gains), budget), key=best.worth).option


def test_usual_unless_beyond_doubt() -> None:
    assert (
        chosen(Told(1, {1: (0.0, 0.0), 2: (3.0, 1.6), 3: (2.9, 0.1)})) == 1
    )  # 2 looks better, but only within its error
    assert chosen(Told(1, {1: (0.0, 0.0), 2: (3.0, 1.6)})) == 1
    assert chosen(Told(1, {1: (0.0, 0.0), 2: (3.0, 1.4)})) == 2
    assert chosen(Told(1, {1: (0.0, 0.0), 2: (-3.0, 0.1), 3: (0.0, 0.0)})) == 1


def test_what_gained_nothing_is_given_up_and_then_half() -> None:
    gains: dict[Choice, tuple[float, float]] = {at: (float(at - 12), 0.1) for at in range(24)}
    tries = Told(12, {**gains, 12: (0.0, 0.0)})
    assert chosen(tries) == 23
    met = [sorted(options) for options, _ in tries.runs]  # type: ignore[type-var]
    assert met == [list(range(24)), list(range(12, 24)), [12, *range(19, 24)], [12, 22, 23], [12, 23]]
    assert [playouts for _, playouts in tries.runs] == [600 // 5 // count for count in (24, 12, 6, 3, 2)]
    lost = Told(0, {at: (-float(at), 0.1) for at in range(9)})
    assert chosen(lost) == 0 and len(lost.runs) == 1  # nothing left to compare


def in_use(players: int, seed: int) -> GameState:
    """A position in which the team may use special cards before the first placement."""
    state = Buffalo(players=players).deal(seed)
    state, _ = state.choose({seat: state.hands[seat][seat] for seat in range(players)})
    assert TEAM in state.pending
    return state


def test_what_is_usual_is_always_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of very many uses only a few are searched. The usual one is among them, even if the chapter finds others
    promising."""
    view = in_use(6, 2).view(TEAM)
    tries = compiled_tries(view, Rng.from_seed(1), True)
    assert tries is not None and view.decision is not None and len(view.decision.options) > 24
    usual = tries.compare()
    found = SecondBestBot(playouts=30).estimates(view, view.decision, Rng.from_seed(1))
    assert usual in [one.option for one in found] and all(one.gain is not None for one in found)
    others = [use for use in tries.promising(view.decision.options, 9) or () if use != usual]
    monkeypatch.setattr(searching, "looked_at", lambda *_: others[:2])
    found = SecondBestBot(playouts=30).estimates(view, view.decision, Rng.from_seed(1))
    assert usual in [one.option for one in found] and all(one.gain is not None for one in found)
    monkeypatch.undo()
    by_heads = SecondBestBot(playouts=30, goal="heads").estimates(view, view.decision, Rng.from_seed(1))
    assert all(one.gain is None for one in by_heads)


def test_no_special_card_is_used_for_luck() -> None:
    """If nothing affects the end, the team doesn't waste a special card."""
    state = Buffalo(players=3).from_position(
        "10 | 20 | 60 | 70 ; A: 61 80 ; B: 71 81 ; C: 72 82 ; buffalo: 25 90 ; specials: stop push"
    )
    state, _ = state.choose({0: 61, 1: 71, 2: 72})
    for seed in range(3):
        assert bot("best:playouts=60").choose(state.view(TEAM), Rng.from_seed(seed)) == Pass()


def test_best_1_is_the_engines_search_and_only_quicker(monkeypatch: pytest.MonkeyPatch) -> None:
    """As many options, playouts and rounds as with the engine. Chapters without exact playouts are searched, too."""
    asked: list[tuple[str, int, int]] = []

    def note(name: str, kind: type[CoreTries] | type[EnginePlayouts]) -> None:
        run: Callable[..., list[Estimate]] = kind.run

        def noted(self: object, options: Sequence[Choice], playouts: int) -> list[Estimate]:
            asked.append((name, len(options), playouts))
            return run(self, options, playouts)

        monkeypatch.setattr(kind, "run", noted)

    note("core", CoreTries)
    note("engine", EnginePlayouts)
    for view in (in_use(4, 1).view(TEAM), Buffalo(players=3).deal(2).view(1)):
        first = FirstBestBot(playouts=120)
        first.choose(view, Rng.from_seed(1))
        quick = asked[:]
        asked.clear()
        monkeypatch.setattr(FirstBestBot, "_plain", searching.SearchBot._plain)
        first.choose(view, Rng.from_seed(1))
        monkeypatch.undo()
        note("core", CoreTries)
        note("engine", EnginePlayouts)
        assert quick and {name for name, _, _ in quick} == {"core"} and {name for name, _, _ in asked} == {"engine"}
        assert [rest for _, *rest in quick] == [rest for _, *rest in asked]
        asked.clear()
    FirstBestBot(playouts=20).choose(Baron(players=3).deal(1).view(0), Rng.from_seed(1))
    assert {name for name, _, _ in asked} == {"engine"}
