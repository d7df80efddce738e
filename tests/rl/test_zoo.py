"""PettingZoo environments: its own tests for every registered game, agreement with our games, and no hidden
information."""

from __future__ import annotations

import pickle
import warnings
from collections.abc import Mapping
from dataclasses import fields
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pettingzoo.test import api_test, parallel_api_test, parallel_seed_test, seed_test, state_test

from nimmt_lab import Buffalo, Classic, Game, Position, all_games
from nimmt_lab.bots.base import bot
from nimmt_lab.engine.cards import TEAM
from nimmt_lab.engine.decisions import Choice
from nimmt_lab.engine.encode import ENCODING
from nimmt_lab.engine.errors import GameOver, IllegalChoice, MissingSeat, NotStarted, RulesError, Unsupported
from nimmt_lab.engine.registry import from_options
from nimmt_lab.engine.rng import Rng
from nimmt_lab.rl import Actions, Match, Observer, aec_env, parallel_env
from nimmt_lab.rl.match import ILLEGAL_REWARD, Rewards
from nimmt_lab.rl.zoo import Aec, Parallel, agent_of
from tests.engine.test_what_views_hide import SETTINGS, redealt, seats_of
from tests.support import SHOWN, random_record, refused


def counts(name: str) -> list[int]:
    fewest, most = all_games()[name].for_players
    return sorted({fewest, (fewest + most) // 2, most})


PLAYED = [(name, players) for name in all_games() for players in counts(name)]
LABELS = [" ".join(map(str, options.values())) for options in SETTINGS]


def their_tests(game: Game, cycles: int) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error", UserWarning)
        # These tests expect a bare array instead of one with its mask, as in PettingZoo's own card games.
        warnings.filterwarnings("ignore", "Observation is not a NumPy array")
        warnings.filterwarnings("ignore", "Observation space for each agent probably should be")
        parallel_api_test(parallel_env(game), num_cycles=cycles)
        parallel_seed_test(lambda: parallel_env(game), num_cycles=cycles)
        api_test(aec_env(game), num_cycles=cycles)
        seed_test(lambda: aec_env(game), num_cycles=cycles)


@pytest.mark.sampled(3)
@pytest.mark.parametrize(("name", "players"), PLAYED)
def test_their_tests_pass(name: str, players: int) -> None:
    their_tests(from_options({"system": name, "players": players}), 30)


@pytest.mark.sampled(3)
@pytest.mark.parametrize("label", SHOWN)
def test_their_tests_pass_with_options(label: str) -> None:
    their_tests(SHOWN[label], 30)


@pytest.mark.slow
@pytest.mark.parametrize("name", all_games())
def test_their_tests_pass_for_every_number_of_players(name: str) -> None:
    fewest, most = all_games()[name].for_players
    for players in range(fewest, most + 1):
        their_tests(from_options({"system": name, "players": players}), 1000)


# What seats see


@pytest.mark.parametrize("options", SETTINGS, ids=LABELS)
@settings(max_examples=8)
@given(seed=st.integers(0, 2**32), steps=st.integers(0, 60))
def test_hidden_stays_hidden(options: dict[str, object], seed: int, steps: int) -> None:
    state = random_record(from_options(options), seed, choices=steps).final
    if state.is_over:
        return
    observer, actions = Observer(state.game), Actions(state.game)
    for seat in seats_of(state.game):
        other = redealt(state, seat, Rng.from_seed(seed, stream=seat + 1))
        if other.is_over:
            continue  # an unfinished game reveals that some card fits (R-O5)
        assert observer.see(other.view(seat)) == observer.see(state.view(seat))
        assert actions.mask(other.pending.get(seat)) == actions.mask(state.pending.get(seat))


@pytest.mark.parametrize("options", SETTINGS, ids=LABELS)
def test_what_a_view_shows_is_observed(options: dict[str, object]) -> None:
    """Different views of a seat give different observations: nothing a seat may know is missing, except the rows of
    earlier turns."""
    game = from_options(options)
    observer = Observer(game)
    for seat in seats_of(game):
        seen: dict[bytes, object] = {}
        for seed in (1, 2):
            for step in random_record(game, seed, choices=70).steps:
                view = step.before.view(seat)
                known = {
                    field.name: getattr(view, field.name)
                    for field in fields(view)
                    if field.name not in ("history", "game")
                }
                known["played"] = [turn.plays for turn in view.history]
                assert seen.setdefault(observer.see(view).tobytes(), known) == known


def test_observations_are_in_their_space_and_show_the_table() -> None:
    game = Classic(players=3)
    state = game.from_position("12 14 15 | 37 | 43 44 | 58 61 ; A: 21 26 ; B: 30 36 ; C: 3 5")
    state, _ = state.choose({0: 21, 1: 30, 2: 3})
    observer = Observer(game)
    seen, part = observer.see(state.view(1)), observer.layout

    def plane(name: str) -> dict[int, float]:
        return {at + 1: round(number, 4) for at, number in enumerate(seen[part[name]]) if number}

    assert plane("hand") == {36: 1}
    assert plane("row 1") == {12: 0.2, 14: 0.4, 15: 0.6}
    # C has played 3 and chooses a row; from B's seat C is the next one, and A the one after.
    assert (plane("next +1"), plane("next +2"), plane("next")) == ({3: 1 / 16}, {21: 2 / 16}, {30: 3 / 16})
    assert plane("played") == {30: pytest.approx(0.9)}
    assert len(plane("unseen")) == 104 - 8 - 3 - 1
    assert list(seen[part["seats"]]) == pytest.approx([0.1, 0.1, 0.1, 0, 1, 0, 0, 0, 1, 0])
    assert list(observer.see(state.view(2))[part["table"]])[4:] == [0, 1, 0]


# Actions


@pytest.mark.parametrize("label", SHOWN)
def test_actions_are_the_options(label: str) -> None:
    game = SHOWN[label]
    actions = Actions(game)
    for step in random_record(game, seed=3, choices=120).steps:
        for seat, decision in step.before.pending.items():
            allowed = actions.allowed(decision)
            assert len(allowed) == len(set(allowed)) == len(decision.options)
            assert allowed[0] > 0 and allowed[-1] < actions.count
            mask = actions.mask(decision)
            assert sum(mask) == len(allowed) and all(mask[action] for action in allowed)
            choice = step.choices[seat]
            assert actions.choice(decision, actions.number(decision, choice), seat) == choice
            for action in (0, allowed[-1] + 1, actions.count, -1):
                with pytest.raises(IllegalChoice):
                    actions.choice(decision, action, seat)


@pytest.mark.parametrize("players", range(2, 7))
def test_there_are_enough_actions_for_a_team_with_the_widest_choice(players: int) -> None:
    game = Buffalo(players=players)
    actions = Actions(game)
    most = 0
    for seed in range(60):
        state = game.deal(seed)
        state, _ = state.choose({seat: hand.options[-1] for seat, hand in state.pending.items()})
        decision = state.pending.get(TEAM)
        if decision is not None:
            most = max(most, len(actions.allowed(decision)))
    assert 0 < most <= actions.count - actions.first_way
    assert players < 5 or most > 120  # a Sort was among them


class Unencoded(Game):
    """A game of no chapter."""

    name = "unencoded"


def test_a_game_without_an_encoding_is_refused() -> None:
    with refused(Unsupported, "engine.no_face", name="unencoded", face_name="encoding", face="encode"):
        ENCODING.of(Unencoded)


# They are our games


def play_both(parallel: Parallel, aec: Aec, seed: int, most: int) -> None:
    """The same random actions in both, step by step."""
    rng = Rng.from_seed(seed, stream=9)
    seen, _ = parallel.reset(seed=seed)
    aec.reset(seed=seed)
    assert parallel.game_state == aec.game_state == parallel.match.game.deal(seed)
    for _ in range(most):
        chosen = {}
        before = aec.game_state
        for agent in parallel.agents:
            allowed = np.flatnonzero(seen[agent]["action_mask"])
            at, rng = rng.below(len(allowed))
            chosen[agent] = int(allowed[at])
        for agent in [agent_of(seat) for seat in before.pending]:
            assert aec.agent_selection == agent and aec.game_state is before
            mine, _, over, _, _ = aec.last()
            assert mine is not None and not over
            for name in ("observation", "action_mask"):
                assert np.array_equal(mine[name], seen[agent][name]), "what others have chosen is not to be seen"
            aec.step(chosen[agent])
        actions = parallel.match.actions
        choices: dict[int, Choice] = {}
        for seat, decision in before.pending.items():
            choice = actions.choice(decision, chosen[agent_of(seat)], seat)
            assert choice is not None
            choices[seat] = choice
        expected, events = before.choose(choices)
        seen, rewards, over_by, cut, infos = parallel.step(chosen)
        assert parallel.game_state == aec.game_state == expected
        assert parallel.events == aec.events == events
        assert rewards == aec.rewards and over_by == aec.terminations and infos == aec.infos
        assert not any(cut.values())
        if not parallel.agents:
            break


@pytest.mark.parametrize("label", SHOWN)
def test_both_ways_play_the_engines_game(label: str) -> None:
    for seed in (1, 2):
        play_both(parallel_env(SHOWN[label]), aec_env(SHOWN[label]), seed, 60)


def played_out(game: Game, rewards: Rewards, seed: int) -> Match:
    match = Match(game, rewards)
    match.start(seed)
    rng = Rng.from_seed(seed, stream=2)
    while not match.is_over:
        chosen = {}
        for seat in match.asked:
            allowed = match.allowed(seat)
            at, rng = rng.below(len(allowed))
            chosen[seat] = allowed[at]
        match.step(chosen)
    return match


@pytest.mark.parametrize("label", SHOWN)
def test_rewards_in_heads_add_up_to_the_totals(label: str) -> None:
    match = played_out(SHOWN[label], "heads", 5)
    outcome = match.state.outcome
    assert outcome is not None
    if TEAM in match.seats:
        expected = dict.fromkeys(match.seats, float(outcome.totals[1] - outcome.totals[0]))
    else:
        sign = 1 if match.game.more_is_better else -1
        expected = {seat: float(sign * outcome.totals[seat]) for seat in match.seats}
    assert match.gained == expected


@pytest.mark.parametrize("label", SHOWN)
def test_rewards_for_winning_come_at_the_end(label: str) -> None:
    for seed in (5, 6):
        match = played_out(SHOWN[label], "win", seed)
        outcome = match.state.outcome
        assert outcome is not None
        assert match.gained == match.rewards
        if TEAM in match.seats:
            assert set(match.gained.values()) == {float(outcome.winners == tuple(range(match.game.players)))}
        else:
            assert match.gained == {seat: outcome.credit(seat) for seat in match.seats}
            assert sum(match.gained.values()) == pytest.approx(1)


def test_an_action_that_is_not_allowed_ends_the_game() -> None:
    env = parallel_env("classic", players=2)
    seen, _ = env.reset(seed=1)
    first = {agent: int(np.flatnonzero(seen[agent]["action_mask"])[0]) for agent in env.agents}
    _, rewards, over, _, infos = env.step({**first, "seat_1": 0})
    assert rewards == {"seat_0": 0, "seat_1": ILLEGAL_REWARD}
    assert over == {"seat_0": True, "seat_1": True} and env.agents == []
    illegal = env.match.illegal
    assert illegal is not None and (illegal.key, illegal.fields["who"]) == ("rl.has_no_action", "B")
    assert infos == {"seat_0": {}, "seat_1": {"illegal": str(illegal)}}
    aec = aec_env("classic", players=2)
    aec.reset(seed=1)
    aec.step(first["seat_0"])
    aec.step(0)
    assert aec.rewards == rewards and aec.terminations == over and aec.infos == infos
    seen, _ = env.reset(seed=1)
    assert env.agents == ["seat_0", "seat_1"]


def test_who_is_asked_must_act() -> None:
    env = parallel_env("classic", players=2)
    seen, _ = env.reset(seed=1)
    with pytest.raises(MissingSeat):
        env.step({"seat_0": int(np.flatnonzero(seen["seat_0"]["action_mask"])[0])})


def test_seeds_are_honoured() -> None:
    env = parallel_env("classic", players=3)
    deals = []
    for _ in range(2):
        env.reset(seed=4)
        assert env.game_state == Classic(players=3).deal(4)
        env.reset()
        deals.append(env.game_state)
        env.reset()
        deals.append(env.game_state)
    assert deals[:2] == deals[2:] and deals[0] != deals[1]
    with refused(RulesError, "engine.seed_range", got="-1"):
        env.reset(seed=-1)


def test_a_position_can_be_the_start() -> None:
    env = parallel_env("classic", players=2, render_mode="ansi")
    position = "12 | 37 | 43 | 58 ; A: 14 20 ; B: 15 30"
    env.reset(seed=1, options={"position": position})
    assert env.game_state == Classic(players=2).from_position(position, seed=1)
    assert env.render() == str(env.game_state)
    html = parallel_env("classic", players=2, render_mode="html")
    html.reset(seed=1)
    assert "<svg" in str(html.render())


@pytest.mark.parametrize(
    ("wrong", "key", "fields"),
    [
        ({"rewards": "money"}, "shared.must_one_of", {"what": "rewards", "got": "'money'"}),
        ({"render_mode": "human"}, "shared.must_one_of", {"what": "render_mode", "got": "'human'"}),
        ({"colour": 3}, "engine.no_option", {"game": "classic", "key": "'colour'"}),
        ({"players": 40}, "engine.for_players", {"least": 2, "most": 10, "got": 40}),
    ],
)
def test_wrong_arguments_are_named(wrong: Mapping[str, Any], key: str, fields: dict[str, object]) -> None:
    with refused(RulesError, key, **fields):
        parallel_env("classic", **{"players": 2, **wrong})


def test_a_game_needs_players() -> None:
    with refused(RulesError, "engine.needs_players", game="classic"):
        parallel_env("classic")


@pytest.mark.parametrize("make", [parallel_env, aec_env])
def test_what_is_asked_before_the_first_deal_says_so(make: Any) -> None:
    env = make("classic", players=2, render_mode="ansi")
    asked = [env.render, env.state, lambda: env.observe("seat_0"), lambda: env.game_state, lambda: env.events]
    asked += [lambda: env.step({} if make is parallel_env else 1)]
    asked += [env.last, lambda: env.rewards] if make is aec_env else []
    for ask in asked:
        with refused(NotStarted, "rl.not_dealt"):
            ask()
    assert not hasattr(env, "agent_selection") and not hasattr(env.match, "nothing")
    env.reset(seed=1)
    again = pickle.loads(pickle.dumps(env))
    assert again.render() == env.render()


@pytest.mark.parametrize("wrong", ["x", None, 3.5, 3.0, np.array([3])])
def test_an_action_is_a_whole_number(wrong: Any) -> None:
    """Values close to an integer are not rounded."""
    env = parallel_env("classic", players=2)
    env.reset(seed=1)
    before = env.game_state
    with refused(RulesError, "rl.action_whole_number", agent="seat_1"):
        env.step({"seat_0": 1, "seat_1": wrong})
    assert env.game_state is before and env.agents
    if wrong is not None:  # None is only for agents whose game is over
        aec = aec_env("classic", players=2)
        aec.reset(seed=1)
        with refused(RulesError, "rl.action_whole_number", agent="seat_0"):
            aec.step(wrong)


def test_whole_numbers_of_numpy_are_actions_and_seeds() -> None:
    env = parallel_env("classic", players=2)
    seen, _ = env.reset(seed=np.int64(4))
    assert env.game_state == Classic(players=2).deal(4)
    env.step({agent: np.flatnonzero(seen[agent]["action_mask"])[0] for agent in env.agents})
    assert env.agents
    for wrong in (3.7, "abc"):
        with refused(RulesError, "engine.seed_range"):
            env.reset(seed=wrong)  # type: ignore[arg-type]


def test_agents_that_are_not_there_are_named() -> None:
    env = parallel_env("classic", players=2)
    env.reset(seed=1)
    for ask in (env.observe, env.action_space, env.observation_space, lambda name: env.step({name: 1})):
        with refused(RulesError, "rl.no_agent_there", agent="'player_0'"):
            ask("player_0")


def test_a_game_that_is_over_is_not_played_on() -> None:
    env = parallel_env("classic", players=2)
    env.reset(seed=1)
    env.step({"seat_0": 0, "seat_1": 0})
    for actions in ({}, {"seat_0": 1, "seat_1": 2}):
        with refused(GameOver, "rl.game_over_reset"):
            env.step(actions)


def test_a_position_is_text() -> None:
    env = parallel_env("classic", players=2)
    with refused(RulesError, "rl.position_line_text", got="5"):
        env.reset(seed=1, options={"position": 5})
    position = Position.parse("12 | 37 | 43 | 58 ; A: 14 20 ; B: 15 30")
    env.reset(seed=1, options={"position": position})
    assert env.game_state.hands == ((14, 20), (15, 30))


@pytest.mark.parametrize("name", all_games())
def test_their_test_of_the_state_passes(name: str) -> None:
    """The state, for a critic: everybody's observation, in the order of the agents."""
    game = from_options({"system": name, "players": 3})
    with warnings.catch_warnings():
        warnings.simplefilter("error", UserWarning)
        state_test(aec_env(game), parallel_env(game), num_cycles=20)
    env = parallel_env(game)
    seen, _ = env.reset(seed=2)
    assert np.array_equal(env.state(), np.concatenate([seen[agent]["observation"] for agent in env.agents]))


def test_options_of_a_game_that_has_its_own_are_refused() -> None:
    with refused(RulesError, "rl.has_options_already", game="Classic(players=2)", got="rounds"):
        parallel_env(Classic(players=2), rounds=1)


def test_our_bots_play_in_it() -> None:
    """An agent that plays by numbers can meet a bot, which gets the view."""
    env = parallel_env("classic", players=2, rounds=1)
    env.reset(seed=3)
    player = bot("least-risk")
    while env.agents:
        state = env.game_state
        env.step(
            {
                agent_of(seat): env.match.actions.number(decision, player.choose(state.view(seat), Rng.from_seed(1)))
                for seat, decision in state.pending.items()
            }
        )
    assert env.game_state.is_over
