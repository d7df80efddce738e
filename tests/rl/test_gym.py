"""Gymnasium environments: its own checker, both kinds compared with each other and with the engine, and trainers'
interfaces."""

from __future__ import annotations

import re
import sys
import warnings
from pathlib import Path
from types import ModuleType
from typing import Any, ClassVar

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from gymnasium.vector import AutoresetMode
from gymnasium.wrappers.vector import RecordEpisodeStatistics
from numpy.typing import NDArray

from nimmt_lab import Advanced, Baron, BoardGame, Buffalo, Classic, Game, all_games
from nimmt_lab.bots import bot
from nimmt_lab.bots.base import Bot, needed
from nimmt_lab.engine.cards import TEAM
from nimmt_lab.engine.decisions import Choice
from nimmt_lab.engine.errors import RulesError, Unsupported
from nimmt_lab.engine.rng import Rng
from nimmt_lab.engine.view import View
from nimmt_lab.rl.actions import Actions
from nimmt_lab.rl.gym import SeatEnv, SeatVectorEnv
from tests.support import SHOWN, refused

TRAIN = (Path(__file__).resolve().parents[2] / "docs" / "train.md").read_text(encoding="utf-8")


class FirstAction(Bot):
    """Takes the first legal action."""

    name: ClassVar[str] = "first"

    def choose(self, view: View, rng: Rng) -> Choice:
        decision, actions = needed(view), Actions(view.game)
        choice = actions.choice(decision, actions.allowed(decision)[0])
        assert choice is not None
        return choice


def first_action(seen: NDArray[np.float32], masks: NDArray[np.uint8], games: NDArray[np.intp]) -> NDArray[np.integer]:
    first: NDArray[np.intp] = masks.argmax(axis=1)
    return first


#: Games that the core steps, with or without a rule of thumb that both the engine and the core know.
SHARED: dict[str, tuple[Game, str | None]] = {
    "classic": (Classic(players=4, rounds=1), "edges-first"),
    "two rounds": (Classic(players=3, rounds=2), "lowest"),
    "fan card": (Classic(players=3, rounds=1, fan_cards=("number_twister",)), None),
    "advanced": (Advanced(players=2, rounds=1), None),
    "baron": (Baron(players=3), None),
    "buffalo": (Buffalo(players=3), None),
    "board game": (BoardGame(players=3, mode="advanced", luck=True), None),
}


@pytest.mark.parametrize("label", SHOWN)
def test_their_checker_passes(label: str) -> None:
    env = SeatEnv(SHOWN[label], opponents="random", render_mode="ansi")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        # Our render modes include one of our own, which a checker cannot know.
        warnings.filterwarnings("ignore", message=".*render.*")
        warnings.filterwarnings("ignore", message=".*not within the observation space.*", category=DeprecationWarning)
        check_env(env, skip_render_check=True)


@pytest.mark.parametrize("name", all_games())
def test_every_game_is_registered(name: str) -> None:
    env = gymnasium.make(f"nimmt_lab/{name}-v0", players=3, opponents="random")
    observation, info = env.reset(seed=3)
    assert env.observation_space.contains(observation)
    seat = env.unwrapped
    assert isinstance(seat, SeatEnv) and seat.match.state.game.name == name
    if isinstance(info["action_mask"], np.ndarray):
        assert info["action_mask"].sum() == seat.action_masks().sum() > 0


def test_a_seed_is_the_engines_deal_and_streams_go_on() -> None:
    env = SeatEnv("classic", players=3, rounds=1, opponents="random")
    env.reset(seed=7)
    assert env.match.state == Classic(players=3, rounds=1).deal(7)
    after = [env.reset()[0].tobytes() for _ in range(2)]
    env.reset(seed=7)
    assert [env.reset()[0].tobytes() for _ in range(2)] == after and after[0] != after[1]


@pytest.mark.parametrize("seat", [0, 2, TEAM])
def test_rewards_add_up_to_the_result_of_the_seat(seat: int) -> None:
    env = SeatEnv(
        Buffalo(players=3), seat=seat, opponents={other: "random" for other in (0, 1, 2, TEAM) if other != seat}
    )
    for seed in range(3):
        _, info = env.reset(seed=seed)
        over, total = False, 0.0
        while not over:
            mask = env.action_masks()
            assert mask.any() and info["action_mask"].tolist() == mask.tolist()  # type: ignore[attr-defined]
            _, reward, over, truncated, info = env.step(int(mask.argmax()))
            total += reward
            assert not truncated
        team, buffalo = env.match.state.totals
        assert total == buffalo - team and not env.action_masks().any()


def test_an_illegal_action_ends_the_game() -> None:
    env = SeatEnv("classic", players=3, rounds=1)
    env.reset(seed=1)
    _, reward, over, _, info = env.step(0)
    assert (reward, over) == (-100.0, True) and "action 0" in str(info["illegal"])


def test_a_position_is_a_start() -> None:
    env = SeatEnv("classic", players=2, rounds=1, opponents="lowest")
    env.reset(options={"position": "12 | 37 | 43 | 58 ; A: 14 60 ; B: 15 70"})
    assert np.flatnonzero(env.action_masks()).tolist() == [14, 60]
    with refused(RulesError, "rl.position_line_text"):
        env.reset(options={"position": 3})


def test_bad_arguments_are_refused() -> None:
    with refused(RulesError, "rl.no_seat", got="4"):
        SeatEnv("classic", players=4, seat=4)
    with refused(RulesError, "rl.opponents_seats", known="1, 2", got="1"):
        SeatEnv("classic", players=3, opponents={1: "random"})
    with refused(RulesError, "shared.must_one_of", what="render_mode"):
        SeatEnv("classic", players=3, render_mode="human")


def test_pictures() -> None:
    env = SeatEnv("classic", players=2, render_mode="ansi", opponents=bot("random"))
    env.reset(seed=1)
    assert "A" in str(env.render())
    assert SeatEnv("classic", players=2).render_mode is None


# Many games ------------------------------------------------------------------------------------------------


@pytest.mark.native
@pytest.mark.parametrize("label", SHARED)
def test_both_kinds_play_the_same_games(label: str) -> None:
    game, opponent = SHARED[label]
    many = SeatVectorEnv(game, num_envs=6, opponents=opponent or first_action)
    observations, infos = many.reset(seed=5)
    single = []
    for seed in many.games.games["seed"].tolist():
        single.append(SeatEnv(game, opponents=opponent or FirstAction()))
        single[-1].reset(seed=seed)
    going, dice, steps = np.ones(6, bool), np.random.default_rng(1), 0
    while going.any():
        masks = np.asarray(infos["action_mask"])
        actions = np.array([dice.choice(np.flatnonzero(mask)) for mask in masks])
        steps += 1
        actions[5] = 0 if steps == 4 else actions[5]  # not allowed
        seen = observations
        observations, rewards, over, truncated, infos = many.step(actions)
        assert not truncated.any()
        for at in np.flatnonzero(going):
            assert (seen[at] == single[at]._seen()).all() and (masks[at] == single[at].action_masks()).all()
            last, reward, ended, _, info = single[at].step(actions[at])
            assert (rewards[at], over[at]) == (reward, ended)
            if ended:
                assert np.asarray(infos["final_obs"])[at].tobytes() == last.tobytes()
                assert ("illegal" in info) == (at == 5) and last[single[at]._over_at] == 1
        going &= ~over


@pytest.mark.native
def test_the_conventions_of_vector_environments() -> None:
    made = gymnasium.make_vec(
        "nimmt_lab/classic-v0", num_envs=50, vectorization_mode="vector_entry_point", players=3, rounds=1
    )
    assert made.metadata["autoreset_mode"] is AutoresetMode.SAME_STEP
    envs = RecordEpisodeStatistics(made)
    observations, infos = envs.reset(seed=1)
    assert envs.observation_space.contains(observations) and envs.num_envs == 50
    finished, hand = 0, slice(0, 104)
    for _ in range(40):
        actions = np.asarray(infos["action_mask"]).argmax(axis=1)
        before = observations
        observations, rewards, over, truncated, infos = envs.step(actions)
        assert rewards.dtype == np.float64 and over.dtype == truncated.dtype == bool and not truncated.any()
        assert ("final_obs" in infos) == bool(over.any())
        if over.any():
            finished += int(over.sum())
            assert (infos["_final_obs"] == over).all() and not infos["final_obs"][~over].any()
            # The table at the end; the new observation is that of the next deal.
            assert not infos["final_obs"][over, hand].any() and before[over, hand].any()
            assert (observations[over, hand].sum(axis=1) == 10).all()
            assert (infos["final_info"]["return"][over] == infos["episode"]["r"][over]).all()
            assert (infos["final_info"]["length"][over] == infos["episode"]["l"][over]).all()
            assert not infos["final_info"]["illegal"].any()
    assert finished > 50
    again, _ = made.reset(seed=1)
    first, _ = made.reset(seed=1)
    other, _ = made.reset()
    assert (again == first).all() and (other != first).any()


@pytest.mark.native
def test_bad_arguments_of_many_games_are_refused() -> None:
    envs = SeatVectorEnv("classic", 3, players=2, rounds=1)
    with refused(RulesError, "rl.one_seed"):
        envs.reset(seed=[1, 2, 3])
    envs.reset(seed=1)
    with refused(RulesError, "rl.actions_per_game", shape="(3,)", got="(2,)"):
        envs.step(np.zeros(2, np.int64))
    with refused(RulesError, "rl.actions_whole_numbers", got="float64"):
        envs.step(np.zeros(3))  # type: ignore[arg-type]
    *_, infos = envs.step(np.array([100_000, -9, 0]))
    final = infos["final_info"]
    assert isinstance(final, dict) and final["illegal"].all() and (final["return"] == -100).all()
    with refused(Unsupported, "rl.no_opponent"):
        SeatVectorEnv("classic", 3, players=2, opponents="nobody")


# Trainers' interfaces ----------------------------------------------------------------------------------------


class StubMaskablePPO:
    """Collects a rollout as `MaskablePPO` does: masks before each action, flat observations, resets at the end."""

    def __init__(self, policy: str, env: gymnasium.Env[NDArray[np.float32], np.int64]) -> None:
        assert policy == "MlpPolicy" and isinstance(env.observation_space, gymnasium.spaces.Box)
        # sb3_contrib.common.maskable.utils.is_masking_supported
        assert callable(env.get_wrapper_attr("action_masks"))
        self.env, self.dice, self.episodes = env, np.random.default_rng(0), 0

    def learn(self, total_timesteps: int) -> StubMaskablePPO:
        self.env.reset(seed=0)
        for _ in range(total_timesteps):
            masks: NDArray[np.bool_] = self.env.get_wrapper_attr("action_masks")()
            assert masks.shape == (self.env.action_space.n,) and masks.dtype == bool and masks.any()  # type: ignore[attr-defined]
            _, _, over, truncated, info = self.env.step(np.int64(self.dice.choice(np.flatnonzero(masks))))
            assert "illegal" not in info
            if over or truncated:
                self.episodes += 1
                self.env.reset()
        return self


def from_the_page(beginning: str) -> dict[str, Any]:
    """What the block of the page about training defines that begins like this."""
    (block,) = re.findall(rf"```python\n({re.escape(beginning)}.*?)```", TRAIN, re.DOTALL)
    scope: dict[str, Any] = {"np": np}
    exec(block, scope)
    return scope


def test_the_interface_of_maskable_ppo(monkeypatch: pytest.MonkeyPatch) -> None:
    """The function on the page, with a stub instead of sb3-contrib."""
    stub = ModuleType("sb3_contrib")
    monkeypatch.setattr(stub, "MaskablePPO", StubMaskablePPO, raising=False)
    monkeypatch.setitem(sys.modules, "sb3_contrib", stub)
    env = gymnasium.make("nimmt_lab/classic-v0", players=4, rounds=1, opponents="edges-first")
    assert from_the_page("def train_maskable")["train_maskable"](env, 60).episodes >= 4


@pytest.mark.native
@pytest.mark.slow
def test_ppo_in_the_style_of_cleanrl_learns_what_the_page_says() -> None:
    _, curve = from_the_page("from nimmt_lab.rl.gym")["ppo"](60)
    assert len(curve) == 60 and min(curve) > -100
    first, last = np.mean(curve[:5]), np.mean(curve[-10:])
    assert round(first) == -22 and round(last) == -17
    assert "from a mean return of about -22 to about -17" in TRAIN
