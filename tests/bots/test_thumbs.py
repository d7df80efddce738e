"""Without a trained network the best bot uses rules of thumb in playouts, and cards with two readings cost no extra
time."""

from __future__ import annotations

import pytest

from nimmt_lab import Classic
from nimmt_lab.bots import BestBot
from nimmt_lab.engine.decisions import Choice
from nimmt_lab.engine.rng import Rng
from nimmt_lab.engine.view import View
from nimmt_lab.games.classic.kernel import CLASSIC
from nimmt_lab.games.classic.search import ThumbPlayouts
from nimmt_lab.native import core
from nimmt_lab.native.kernel import POLICIES
from nimmt_lab.native.tries import Estimate
from nimmt_lab.study.rounds import Simulator
from tests.support import COMPILED_CARDS

pytestmark = pytest.mark.native


def playouts_of(view: View) -> ThumbPlayouts:
    found = core()
    assert found is not None
    return ThumbPlayouts(view, found, CLASSIC, Rng.from_seed(5))


def heads_of(game: Classic, thumb: str) -> float:
    """The mean result of this policy among random players."""
    rounds = 20_000
    taken = Simulator.of(game, [thumb, *["random"] * (game.players - 1)]).count(1, 0, rounds).histograms[0]
    return sum(heads * times for heads, times in taken.items()) / rounds


@pytest.mark.parametrize("card", COMPILED_CARDS)
def test_rules_of_thumb_go_well_with_their_card(card: str) -> None:
    """The card's own rule of thumb is within half a head of our best one, and no other rule is."""
    game = Classic(players=4, rounds=1, fan_cards=(card,))
    taken = {POLICIES[thumb]: heads_of(game, thumb) for thumb in ("closest-safe", "edges-first", "random")}
    well = {policy for policy, heads in taken.items() if heads < min(taken.values()) + 0.5}
    assert set(CLASSIC.thumbs(game)) == well


def test_every_playout_draws_a_rule_of_thumb() -> None:
    game = Classic(players=4, rounds=1, fan_cards=("mountain", "even_odd"), combine_fan_cards=True)
    view = game.deal(seed=3).view(1)
    assert view.decision is not None
    both, *alone = (playouts_of(view) for _ in range(3))
    for tries, thumb in zip(alone, ("closest-safe", "edges-first"), strict=True):
        tries.work.set("kinds", [POLICIES[thumb]] * 4)

    def one(tries: ThumbPlayouts, number: int) -> tuple[float, float]:
        tries.work.set("first", number)
        tries.work.set("stats", [0] * 4)
        tries.work.set("cards", tries.cards)
        tries.work.set("n_options", 1)
        tries.work.set("options", view.hand[4])
        tries.work.call("nl_classic_search", tries.network, 1)
        heads, _, credit, _ = tries.work.get("stats", 4)
        return heads, credit

    drawn = set()
    for number in range(80):
        mixed, first, second = one(both, number), *(one(tries, number) for tries in alone)
        assert mixed in (first, second)
        if first != second:
            drawn.add(mixed == first)
    assert drawn == {True, False}


class Counted:
    """Tries that only count."""

    def __init__(self) -> None:
        self.playouts = 0

    def run(self, options: list[Choice], playouts: int) -> list[Estimate]:
        self.playouts += playouts * len(options)
        return [Estimate(option, playouts, 0.0, 0.0) for option in options]


def test_cards_that_can_be_twisted_take_no_longer(monkeypatch: pytest.MonkeyPatch) -> None:
    counted: dict[str, int] = {}
    for card in ("mountain", "number_twister"):
        view = Classic(players=4, rounds=1, fan_cards=(card,)).deal(seed=3).view(0)
        assert view.decision is not None
        seen = Counted()
        monkeypatch.setattr(
            ThumbPlayouts, "run", lambda self, options, playouts, seen=seen: seen.run(options, playouts)
        )
        BestBot(playouts=1000).estimates(view, view.decision, Rng.from_seed(1))
        counted[card] = seen.playouts
        assert (len(view.decision.options) > 10) == (card == "number_twister")
    assert 0.9 < counted["number_twister"] / counted["mountain"] < 1.1
