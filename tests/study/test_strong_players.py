"""The plans of study 28: what the core plays thousands of times, the engine plays in the same way."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from nimmt_lab import Classic
from nimmt_lab.bots import bot, play
from nimmt_lab.engine.rng import Rng
from nimmt_lab.engine.view import View
from tools import strong_players

pytestmark = pytest.mark.native
DEALS = 15
CAREFUL = bot("closest-safe")


@pytest.fixture(autouse=True)
def few(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(strong_players, "GAMES", DEALS)


def by_engine(seed: int, plan: Callable[[View], int | None]) -> list[tuple[int, ...]]:
    """The totals of the same deals; A follows the plan where it names a card."""

    def planned(view: View) -> int:
        card = plan(view)
        chosen = CAREFUL.choose(view, Rng(0)) if card is None else card
        assert isinstance(chosen, int)
        return chosen

    game = Classic(players=4, rounds=1)
    seeds = [Rng.from_seed(seed, number).state for number in range(DEALS)]
    return [tuple(play(game, [planned, *[CAREFUL] * 3], one).totals) for one in seeds]


@pytest.mark.parametrize("turn", [1, 3])
def test_a_card_by_turn(turn: int) -> None:
    usual, dealt = strong_players.heads(4, ["closest-safe"] * 4)
    lowest = dealt[:, 0, 0].astype(np.int16)
    now, again = strong_players.heads(4, ["closest-safe"] * 4, strong_players.by_turn(lowest, turn))
    assert (dealt == again).all() and (now != usual).any()
    lows = {Rng.from_seed(4, number).state: int(card) for number, card in enumerate(lowest)}
    game = Classic(players=4, rounds=1)
    for line, (seed, low) in zip(now, lows.items(), strict=True):

        def plan(view: View, low: int = low) -> int:
            chosen = low if view.turn + 1 == turn and low in view.hand else CAREFUL.choose(view, Rng(0))
            assert isinstance(chosen, int)
            return chosen

        assert tuple(play(game, [plan, *[CAREFUL] * 3], seed).totals) == tuple(map(int, line))


@pytest.mark.parametrize("most", [1, 3])
def test_rows_on_purpose(most: int) -> None:
    def plan(view: View) -> int | None:
        low = min(view.hand)
        cheap = min(map(view.game.heads_in, view.rows)) <= most
        return low if cheap and low < min(row[-1] for row in view.rows) else None

    now, _ = strong_players.heads(9, ["closest-safe"] * 4, strong_players.on_purpose(most))
    assert [tuple(map(int, line)) for line in now] == by_engine(9, plan)
