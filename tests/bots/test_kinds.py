"""Opponent models: inferred from the cards played and nothing else, and used in the search."""

from __future__ import annotations

from dataclasses import replace

import pytest

from nimmt_lab import Advanced, Classic
from nimmt_lab.bots import bot
from nimmt_lab.engine.guess import guess
from nimmt_lab.engine.rng import Rng
from nimmt_lab.engine.view import View
from nimmt_lab.games.classic.kernel import CLASSIC, halving
from nimmt_lab.games.classic.network import TRAINED
from nimmt_lab.games.classic.seating import LEARNED, suspected
from nimmt_lab.native import core
from nimmt_lab.native.kernel import POLICIES
from nimmt_lab.native.seating import PARTS
from nimmt_lab.native.work import CREDIT, FIELDS, Workspace

pytestmark = pytest.mark.native

GAME = Classic(players=4, rounds=1)
#: The prior over policies before the first card; half of the weight is on random play.
BEFORE = [160, 32, 32, 32]


def view_after(turns: int, names: list[str], seed: int, game: Classic = GAME) -> View:
    """A's view when it has to play a card, after that number of turns."""
    state, stream = game.deal(seed), 0
    while state.turn < turns or state.queue:
        stream += 10
        state, _ = state.choose(
            {
                seat: bot(names[seat]).choose(state.view(seat), Rng.from_seed(seed, stream + seat))
                for seat in state.pending
            }
        )
    return state.view(0)


def suspicion(view: View) -> list[list[int]]:
    found = core()
    assert found is not None
    return suspected(view, found, CLASSIC, Rng.from_seed(1))


@pytest.mark.parametrize("kind", range(4))
def test_players_are_recognised(kind: int) -> None:
    """After seven turns of one policy, the posterior mostly believes in that policy."""
    names = {policy: name for name, policy in POLICIES.items()} | {TRAINED: "trained"}
    table = ["random", *[names[LEARNED[kind]]] * 3]
    first = suspicion(view_after(0, table, seed=1))
    assert first == [[0] * 4, *[BEFORE] * 3]
    found = [row for seed in range(4) for row in suspicion(view_after(7, table, seed))[1:]]
    assert sum(row[kind] for row in found) / len(found) > 0.75 * PARTS
    assert all(PARTS - 4 <= sum(row) <= PARTS for row in found)


def test_hidden_cards_do_not_matter() -> None:
    view = view_after(5, ["random", "trained", "random", "closest-safe"], seed=3)
    for stream in range(3):
        again = guess(view, Rng.from_seed(9, stream)).view(0)
        assert again == view and suspicion(again) == suspicion(view)


def test_what_nobody_saw_tells_nothing() -> None:
    view = view_after(5, ["random"] * 4, seed=3)
    assert suspicion(replace(view, history=()))[1:] == [BEFORE] * 3


def test_open_hands_are_known() -> None:
    game = Advanced(players=2, rounds=1)
    state = game.from_position("6 18 21 | 3 | 11 14 22 | 15 23 ; A: 10 16 17 24 ; B: 2 13 19 20")
    state, _ = state.choose({0: 10, 1: 2})
    if state.queue:
        state, _ = state.choose({1: game.cheapest_row(state)})
    assert sum(suspicion(state.view(0))[1]) >= PARTS - 4


def credit_of(scores: list[int], limit: int, halves: int) -> list[int]:
    """Everybody's win credit when a round ends with these totals and nobody takes anything more."""
    found = core()
    assert found is not None
    game, n = Classic(players=len(scores)), len(scores)
    credits = []
    for me in range(n):
        work = Workspace(found, "nl_classic")
        CLASSIC.prepare(work, game, [0] * n, [0] * n)
        state = game.from_position("1 | 2 | 3 | 4 ; " + " ; ".join(f"{'ABCDEF'[s]}: {90 + s}" for s in range(n)))
        CLASSIC.lay(work, game, state.rows, state.extra)
        hands = [90 + s for s in range(n)]
        work.set("cards", [hands[me], *[card for card in hands if card != hands[me]]])
        for field, value in {"me": me, "turns": 1, "pool": n - 1, "open": 1, "n_options": 1, "limit": limit}.items():
            work.set(field, value)
        work.set("options", [hands[me]])
        work.set("points", scores)
        work.set("halves", [halves] * 128)
        work.call("nl_classic_search", work.memory, 1)
        credits.append(work.get("stats", 4)[2])
    return credits


def test_the_score_beyond_the_round() -> None:
    """The fewest heads win a finished game; in an unfinished one, credit falls with every head behind the leader."""
    assert credit_of([10, 20, 66], limit=66, halves=160) == [CREDIT, 0, 0]
    assert credit_of([10, 10, 66], limit=66, halves=160) == [CREDIT // 2, CREDIT // 2, 0]
    assert credit_of([10, 20, 30], limit=0, halves=0) == [CREDIT, 0, 0]
    # Ten heads behind halve the chance, twenty quarter it: 4/7, 2/7, 1/7.
    assert credit_of([10, 20, 30], limit=66, halves=160) == pytest.approx(
        [CREDIT * part / 7 for part in (4, 2, 1)], abs=2
    )
    assert credit_of([0, 5], limit=66, halves=160)[1] == pytest.approx(CREDIT * 0.5**0.5 / (1 + 0.5**0.5), abs=2)


@pytest.mark.parametrize("totals", [[50, 55, 60], [20, 30, 40], [0, 8, 16, 24], [55, 57, 59, 61]], ids=str)
def test_the_model_of_rounds_to_come_is_near_the_truth(totals: list[int]) -> None:
    """Random players continue from some totals 1500 times: the model predicts each share of wins within 0.06."""
    found, n, games = core(), len(totals), 1500
    assert found is not None
    work, rounds = Workspace(found, "nl_classic"), 20 * games
    CLASSIC.prepare(work, Classic(players=n), [0] * n, [0] * n)
    outcomes = found.memory(rounds * n * FIELDS)
    work.call("nl_classic_rounds", rounds, outcomes, outcomes.size)
    heads = iter(outcomes.get(0, outcomes.size)[::FIELDS])
    wins = [0.0] * n
    for _ in range(games):
        now = list(totals)
        while max(now) < 66:
            now = [total + next(heads) for total in now]
        for seat in range(n):
            wins[seat] += (now[seat] == min(now)) / now.count(min(now)) / games
    half = halving(n, 66 - max(totals), None, is_limited=True)
    model = [credit / CREDIT for credit in credit_of(totals, 66, half)]
    assert max(abs(a - b) for a, b in zip(wins, model, strict=True)) < 0.06, (wins, model)
