"""One player against the buffalo: the policy is as stated, and the tree search finds the best option on average."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from nimmt_lab import Buffalo
from nimmt_lab.bots import bot
from nimmt_lab.engine.cards import Cards
from nimmt_lab.engine.decisions import ChooseCard
from nimmt_lab.engine.rng import Rng
from nimmt_lab.engine.view import View
from nimmt_lab.games.buffalo import kernel
from nimmt_lab.native import core
from nimmt_lab.native.kernel import compiled_tries

from .alone import lone_card
from .test_buffalo import states


def test_who_is_alone_plays_as_stated() -> None:
    """The same cards, in games in which rows fill in every way."""
    wrong, met = 0, 0
    for seed in range(30):
        for _, state in states(Buffalo(players=1), seed, ChooseCard):
            view = state.view(0)
            tries = compiled_tries(view, Rng.from_seed(1), skilled=True)
            assert isinstance(tries, kernel.LoneTries) and tries.compare() is None
            met += 1
            wrong += tries.work.call("nl_buffalo_usual") != lone_card(view)
    assert met == 300 and wrong == 0


def test_the_tree_looks_at_most_what_is_best() -> None:
    """40 is safe and 65 takes a row, so the tree explores 40; with one turn left it agrees with plain playouts."""
    state = Buffalo(players=1).from_position("1 | 36 37 38 39 | 60 61 62 63 64 | 100 ; A: 40 65 ; buffalo: 2 3")
    view = state.view(0)
    tries = compiled_tries(view, Rng.from_seed(1), skilled=True)
    assert tries is not None and view.decision is not None
    found = tries.deepen(view.decision.options, 400)
    assert found is not None and [one.option for one in found] == [40]
    assert sum(tries.work.get("tried", 2)) == kernel._LONE_SHARE * 400 // 2
    assert found[0].playouts == tries.work.get("tried", 1)[0] > 3000
    flat = compiled_tries(view, Rng.from_seed(2), skilled=True)
    assert flat is not None
    plain = flat.run([40], 4000)[0]  # one turn to come: the tree can do no better than its policy
    assert abs(found[0].credit - plain.credit) < 5 * (found[0].credit_error + plain.credit_error)
    assert bot("best:playouts=50").choose(view, Rng.from_seed(1)) == 40


def test_a_tree_is_for_one_player_without_special_cards() -> None:
    """With special cards in the game (from a position), the search is the team's; the tree search refuses them."""
    found, game = core(), Buffalo(players=1)
    assert found is not None
    odd = game.from_position("1 | 36 | 60 | 100 ; A: 40 65 70 ; buffalo: 2 3 4 ; seven_takes: 2", ordered=False).view(0)
    tries = compiled_tries(odd, Rng.from_seed(1), skilled=True)
    assert tries is not None and not isinstance(tries, kernel.LoneTries)
    assert bot("best:playouts=50").choose(odd, Rng.from_seed(1)) in (40, 65, 70)
    view = game.deal(1).view(0)
    refusals = {"n_up": 1, "stopped": 1, "asked": 1, "n_options": 9, "n_queue": 1, "players": 2}
    for name, number in {"": 0, **refusals}.items():
        tries = compiled_tries(view, Rng.from_seed(1), skilled=True)
        assert tries is not None
        tries.work.set("options", view.hand)
        tries.work.set("n_options", 10)
        if name:
            tries.work.set(name, number)
        size = found.ask("nl_buffalo_tree")
        tree = found.memory(size)
        assert (found.ask("nl_buffalo_alone", tries.work.memory, tree, size, 50) < 0) == bool(name), name
        assert found.ask("nl_buffalo_alone", tries.work.memory, tree, size - 1, 50) < 0
        assert found.ask("nl_buffalo_alone", tries.work.memory, tree, size, (1 << 17) - 49) < 0


def chances(view: View) -> dict[int, Fraction]:
    """The probability to win with each card, by enumeration: for each card of the buffalo, the best next card is
    played. It shares no code with the package; low cards take the cheapest row, the one with the highest end among
    equals (R-C4)."""
    heads = {card: view.game.heads_in((card,)) for card in view.game.deck}

    def placed(rows: tuple[Cards, ...], card: int) -> tuple[tuple[Cards, ...], int]:
        row = max((row for row in rows if row[-1] < card), key=lambda row: row[-1], default=None)
        low = row is None
        if row is None:
            row = min(rows, key=lambda row: (sum(heads[c] for c in row), -row[-1]))
        takes = low or len(row) == 5
        rest = tuple(other for other in rows if other is not row)
        return (*rest, (card,) if takes else (*row, card)), sum(heads[c] for c in row) if takes else 0

    @cache
    def best(rows: tuple[Cards, ...], hand: Cards, unseen: Cards, lead: int) -> Fraction:
        return max(after(rows, hand, unseen, lead, card) for card in hand) if hand else Fraction(lead > 0)

    def after(rows: tuple[Cards, ...], hand: Cards, unseen: Cards, lead: int, card: int) -> Fraction:
        total = Fraction(0)
        for theirs in unseen:
            now, ahead = rows, lead
            for one in sorted((card, theirs)):
                now, taken = placed(now, one)
                ahead += taken if one == theirs else -2 * taken
            left = tuple(c for c in hand if c != card), tuple(c for c in unseen if c != theirs)
            total += best(now, *left, ahead)
        return total / len(unseen)

    lead = view.pile_heads[1] - 2 * view.pile_heads[0]
    return {card: after(view.rows, view.hand, view.unseen, lead, card) for card in view.hand}


@pytest.mark.exhaustive
@pytest.mark.parametrize(
    "position",
    [
        "12 15 17 25 | 4 7 9 10 | 1 24 29 | 13 20 ; A: 8 21 22 ; buffalo: 3 2 27",
        "3 4 19 21 28 | 5 11 12 18 27 | 9 16 30 | 6 13 15 ; A: 22 24 29 ; buffalo: 2 10 26",
        "2 13 17 19 21 | 4 6 24 27 30 | 1 12 16 | 5 10 11 ; A: 15 20 29 ; buffalo: 18 26 14",
    ],
)
def test_the_tree_comes_close_to_the_exact_chance(position: str) -> None:
    """Three cards each from a deck of thirty. Plain playouts underestimate the card, because they don't choose well
    afterwards."""
    view = Buffalo(players=1, hand_size=3, deck_size=30).from_position(position).view(0)
    exact = chances(view)
    card = max(exact, key=lambda card: exact[card])
    tries = compiled_tries(view, Rng.from_seed(1), skilled=True)
    assert tries is not None and view.decision is not None
    flat = {one.option: one.credit for one in tries.run(view.decision.options, 3000)}
    tries = compiled_tries(view, Rng.from_seed(1), skilled=True)
    assert tries is not None
    found = tries.deepen(view.decision.options, 1500)
    assert found is not None and [one.option for one in found] == [card]
    assert exact[card] - Fraction(1, 25) < found[0].credit < exact[card] + Fraction(1, 50)
    assert flat[card] < found[0].credit - 0.07
    assert bot("best:playouts=300").choose(view, Rng.from_seed(1)) == card


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> Any:
    """The benchmark that solves small games."""
    monkeypatch.syspath_prepend(str(Path(__file__).resolve().parents[2] / "benchmarks"))
    return import_module("bench_alone")


def test_perfect_play_wins_as_often_as_computed(small: Any) -> None:
    """Two ways to the same fraction: the benchmark places the cards itself, or a player who follows it meets all cards
    of the buffalo in the engine."""
    state = small.position(4)
    unseen = state.view(0).unseen
    best = small.chances(state.view(0), unseen)
    assert small.kept_by(small.perfect, state, unseen) == max(best.values()) > min(best.values())
    worst = small.kept_by(lambda view, left: min(view.decision.options), state, unseen)
    assert worst < max(best.values())


@pytest.mark.exhaustive
def test_nobody_beats_perfect_play(small: Any) -> None:
    found = {name: [small.one_position(name, number) for number in (0, 3, 4)] for name in ("best", "random")}
    assert all(0 <= kept <= best for each in found.values() for best, kept in each)
    lost = {name: sum(best - kept for best, kept in each) for name, each in found.items()}
    assert lost["best"] < 0.02 < lost["random"]


def test_a_tree_not_grown_yet_is_plain_playouts() -> None:
    """The first playouts play the usual card and follow the policy to the end of the round, like the flat search."""
    view = Buffalo(players=1).deal(3).view(0)
    tries = compiled_tries(view, Rng.from_seed(1), skilled=True)
    plain = compiled_tries(view, Rng.from_seed(1), skilled=True)
    assert tries is not None and plain is not None and view.decision is not None
    usual = lone_card(view)
    tries.work.set("options", view.hand)
    tries.work.set("n_options", 10)
    tree = tries.work.core.memory(tries.work.core.call("nl_buffalo_tree"))
    tries.work.call("nl_buffalo_alone", tree, tree.size, 1)
    at = view.hand.index(usual)
    assert tries.work.get("tried", 10) == [int(card == usual) for card in view.hand]
    plain.run([usual], 1)
    assert tries.work.get("stats")[4 * at : 4 * at + 4] == plain.done[usual][1]
