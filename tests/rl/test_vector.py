"""Vectorised games equal the engine's games: the same cards, decisions, placements and rewards from the same seeds."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from nimmt_lab import Advanced, Classic, Game, GameState
from nimmt_lab.engine.decisions import ChooseRow, PickCard
from nimmt_lab.engine.errors import CoreMissing, NotStarted, RulesError
from nimmt_lab.engine.events import CardPlaced, Event, RowTaken
from nimmt_lab.games import NumberTwister
from nimmt_lab.games.classic.kernel import CARD, CLASSIC
from nimmt_lab.native import NativeError, core, loader
from nimmt_lab.native.work import Workspace
from nimmt_lab.rl.match import ILLEGAL_REWARD, Match, Rewards
from nimmt_lab.rl.vector import VectorEnv
from tests.support import COMPILED_CARDS, refused

from .in_step import ends_alone, follow

pytestmark = pytest.mark.native

ALL_CARDS: dict[str, Any] = {"fan_cards": COMPILED_CARDS, "combine_fan_cards": True}
PLAYED: dict[str, Game] = {
    **{f"classic {players}": Classic(players=players, rounds=1) for players in (2, 4, 10)},
    "classic 3 to 20 heads": Classic(players=3, limit=20),
    "classic 3 over 20 heads": Classic(players=3, limit=20, edition="002"),
    "classic 2 at most 2 rounds": Classic(players=2, limit=60, most_rounds=2),
    "classic 5 small": Classic(
        players=5, rounds=2, hand_size=4, deck_size=30, row_order="ascending", heads="containing_5"
    ),
    "classic 8 rows of 9": Classic(players=4, rounds=2, rows=8, row_limit=9),
    "classic 1 row of 1": Classic(players=2, rounds=2, rows=1, row_limit=1),
    "classic 5 rows of 3": Classic(players=5, rounds=2, rows=5, row_limit=3),
    "classic 4 rows of 3, all fan cards": Classic(players=5, rounds=2, row_limit=3, **ALL_CARDS),
    "classic 2 rows of 6, cow": Classic(players=4, rounds=2, rows=2, row_limit=6, fan_cards=("jumping_cow",)),
    "advanced 6 rows of 4": Advanced(players=3, rounds=2, rows=6, row_limit=4),
    "advanced 2": Advanced(players=2, rounds=2),
    "advanced 3 first C": Advanced(players=3, rounds=2, first=2),
    "advanced 6": Advanced(players=6, rounds=1),
    "advanced twister": Advanced(players=2, rounds=2, fan_cards=("number_twister",)),
    **{card: Classic(players=4, rounds=2, fan_cards=(card,)) for card in COMPILED_CARDS},
    "all fan cards": Classic(players=4, rounds=2, **ALL_CARDS),
    "twister once a game": Classic(
        players=3, rounds=3, fan_cards=(NumberTwister(comes_back="game", single_digits=True),)
    ),
    "twister 003": Classic(players=3, rounds=2, edition="003", fan_cards=(NumberTwister(),)),
}


def check_question(env: VectorEnv, at: int, state: GameState) -> None:
    """The record of a game contains the engine's state."""
    game = {name: part[at] for name, part in env.games.items()}
    players = state.game.players
    for seat in range(players):
        assert tuple(card for card in game["hands"][seat] if card) == state.hands[seat]
    rows = tuple(
        tuple(int(card) for card in row[:count]) for row, count in zip(game["rows"], game["count"], strict=True)
    )
    assert rows == state.rows or (not state.rows and rows == ((),) * len(rows))
    assert [row[-1] for row in state.rows] == list(game["end"])[: len(state.rows)]
    assert [state.game.heads_in(row) for row in state.rows] == list(game["sum"])[: len(state.rows)]
    assert tuple(game["totals"]) == state.totals
    assert [state.game.heads_in(pile) for pile in state.piles] == list(game["taken"])
    assert (game["round"], game["turn"]) == (state.round, state.turn)
    decision = next(iter(state.pending.values()))
    phase = 1 if isinstance(decision, ChooseRow) else 2 if isinstance(decision, PickCard) else 0
    assert game["phase"] == phase
    if phase:
        assert [int(game["asked"])] == list(state.pending)
    for turn in state.view(0).history:
        for play in turn.plays:
            assert game["played"][turn.number][play.seat] == play.card + (0 if play.plain else 128)
    if state.rows and isinstance(state.game, Classic):
        found = core()
        assert found is not None
        work = Workspace(found, "nl_classic")
        work.set("mark", [-1] * 4)
        CLASSIC.lay(work, state.game, state.rows, state.extra)
        assert work.get("mark") == list(game["mark"]) and work.get("shows") == list(game["shows"])
        if any(CARD.of(card).flags(card) & 8 for card in state.game.fan_cards):
            assert work.get("spare", players) == list(game["spare"])


def placings(events: tuple[Event, ...]) -> list[tuple[int, int, int]]:
    return [(event.seat, event.card, event.row) for event in events if isinstance(event, CardPlaced)]


def question(env: VectorEnv, at: int, match: Match) -> None:
    check_question(env, at, match.state)
    if env.games["phase"][at] != 2:
        for seat in match.seats:
            allowed = env.games["options"][at, seat, : env.games["counts"][at, seat]]
            assert sorted(allowed) == match.allowed(seat)


def happened(env: VectorEnv, at: int, match: Match) -> None:
    logged = env.games["log"][at, : env.games["logged"][at]]
    assert [tuple(line[:3]) for line in logged.tolist()] == placings(match.events)
    taken = [event for event in match.events if isinstance(event, RowTaken)]
    assert sum(line[4] for line in logged.tolist()) == sum(event.heads for event in taken)


@pytest.mark.sampled(3)
@pytest.mark.parametrize("label", PLAYED)
def test_it_is_the_engines_game(label: str) -> None:
    env = VectorEnv(PLAYED[label], games=4, keep_final=True)
    ended, _ = follow(env, seed=40, steps=120, question=question, happened=happened)
    assert ended or label == "classic 3 over 20 heads"


@pytest.mark.parametrize("rewards", ["heads", "win"])
def test_what_is_not_allowed_ends_a_game_as_the_engine_has_it(rewards: Rewards) -> None:
    env = VectorEnv(PLAYED["classic 2"], games=20, rewards=rewards, keep_final=True)
    ended, spoilt = follow(env, seed=5, steps=100, question=question, happened=happened, rewards=rewards, wrong=60)
    assert ended > 5 and spoilt > 20


def test_wins_are_shared_at_the_end() -> None:
    env = VectorEnv("classic", games=300, players=2, rounds=1, hand_size=2, rewards="win")
    env.reset(seed=3)
    match = Match(env.game, "win")
    seen = set()
    for _ in range(8):
        seeds = env.games["seed"].copy()
        rewards, ends = env.step(env.sample())
        assert not rewards[ends == 0].any()
        assert (rewards[ends == 1].sum(axis=1) == 1).all()
        seen.update(rewards[ends == 1].ravel().tolist())
        assert (env.games["seed"] != seeds).tolist() == (ends == 1).tolist()
    assert seen == {0.0, 0.5, 1.0}
    # One game, compared with the engine.
    env.reset(seed=9)
    match.start(int(env.games["seed"][0]))
    while not match.is_over:
        actions = env.sample()[0].tolist()
        rewards, ends = env.step()
        match.step(dict(enumerate(actions)))
    assert rewards[0].tolist() == [match.rewards[0], match.rewards[1]] and ends[0] == 1


@pytest.mark.parametrize("wrong", [0, 105, 109, 300, -1, -32768, 32767])
def test_an_action_that_is_not_allowed_ends_its_game_alone(wrong: int) -> None:
    ends_alone(VectorEnv("classic", games=3, players=3), wrong)


@pytest.mark.parametrize("game", [PLAYED["advanced 3 first C"], Classic(players=3)])
def test_who_is_not_asked_waits(game: Game) -> None:
    env = VectorEnv(game, games=200)
    env.reset(seed=1)
    for _ in range(5):
        asked = env.games["phase"] > 0
        if asked.any():
            break
        env.step(env.sample())
    at = int(np.flatnonzero(asked)[0])
    other = (int(env.games["asked"][at]) + 1) % 3
    env.sample()
    assert env.actions[at, other] == 0
    env.actions[at, other] = 7
    rewards, ends = env.step()
    assert ends[at] == 2 and rewards[at, other] == ILLEGAL_REWARD
    # a row (or a card) that doesn't exist
    env.reset(seed=1)
    while not (env.games["phase"] > 0).any():
        env.step(env.sample())
    at = int(np.flatnonzero(env.games["phase"] > 0)[0])
    seat = int(env.games["asked"][at])
    env.sample()
    env.actions[at, seat] = 109 if isinstance(game, Advanced) else 3
    rewards, ends = env.step()
    assert ends[at] == 2 and rewards[at, seat] == ILLEGAL_REWARD


def test_a_twister_is_used_once_and_only_on_two_digits() -> None:
    env = VectorEnv("classic", games=50, players=2, fan_cards=("number_twister",))
    env.reset(seed=2)
    hands = env.games["hands"].copy()
    env.sample()
    single = int(np.flatnonzero(hands[:, 0, 0] < 10)[0])
    env.actions[single, 0] = 104 + 4 + hands[single, 0, 0]
    twice = int(np.flatnonzero(hands[:, 0, 0] >= 10)[0])
    env.actions[twice, 0] = 104 + 4 + hands[twice, 0, 0]
    _, ends = env.step()
    assert ends[single] == 2 and ends[twice] == 0 and env.games["spare"][twice].tolist()[0] == 0
    while env.games["phase"][twice]:
        env.step(env.sample())
    env.sample()
    env.actions[twice, 0] = 104 + 4 + env.games["hands"][twice, 0, 5]
    _, ends = env.step()
    assert ends[twice] == 2


def test_a_step_is_the_same_arrays_and_records_cannot_be_written() -> None:
    env = VectorEnv("classic", games=4, players=2)
    env.reset(seed=1)
    first = env.step(env.sample())
    second = env.step(env.sample())
    assert first[0] is second[0] is env.rewards and first[1] is env.ends
    with pytest.raises(ValueError, match="read-only"):
        env.games["hands"][0, 0, 0] = 3
    env.reset(seed=1)
    again = env.sample().copy()
    env.reset(seed=1)
    assert (env.sample() == again).all()


def test_what_cannot_be_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    with refused(RulesError, "shared.whole_to", option="games", most=1000000, got="0"):
        VectorEnv("classic", games=0, players=2)
    with refused(RulesError, "shared.must_one_of", what="rewards", got="'money'"):
        VectorEnv("classic", games=1, players=2, rewards="money")  # type: ignore[arg-type]
    monkeypatch.setattr(loader, "_loaded", [None])
    with refused(CoreMissing, "rl.games_step_need"):
        VectorEnv("classic", games=1, players=2)


def test_a_number_of_more_bits_does_not_become_an_action_that_is_allowed() -> None:
    env = VectorEnv(Classic(players=2, rounds=1), games=1)
    env.reset(seed=3)
    cards = [int(env.games["hands"][0, seat, 0]) for seat in range(2)]
    _, ends = env.step(np.array([[cards[0] + (1 << 16), cards[1]]]))
    assert ends[0] == 2 and env.rewards[0].tolist() == [-100.0, 0.0]
    with refused(RulesError, "rl.actions_whole_numbers", got="float64"):
        env.step(np.array([[1.0, 2.0]]))


def test_nothing_is_asked_of_games_that_were_not_dealt() -> None:
    env = VectorEnv("classic", games=3, players=2)
    for ask in (env.sample, env.masks, env.step, lambda: env.step(np.zeros((3, 2), np.int16))):
        with refused(NotStarted, "rl.not_dealt"):
            ask()
    env._dealt = True  # as if dealt: the core checks for itself
    with pytest.raises(NativeError):
        env.step()
    env.reset(seed=1)
    env.step(env.sample())


def test_actions_of_another_shape_are_refused() -> None:
    """Actions of another shape are rejected, never broadcast over the games."""
    env = VectorEnv("classic", games=3, players=2)
    env.reset(seed=1)
    for shape in ((2, 3), (2,), (3, 1), (1, 3, 2), ()):
        with refused(RulesError, "rl.actions_number_per", shape="(3, 2)"):
            env.step(np.ones(shape, np.int16))
    assert not env.rewards.any()
