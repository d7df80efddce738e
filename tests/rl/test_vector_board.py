"""The vectorised board game equals the engine's: every number of the state, at every decision."""

from __future__ import annotations

import re

import numpy as np
import pytest

from nimmt_lab import BoardGame
from nimmt_lab.engine.errors import Unsupported
from nimmt_lab.games.board_game.kernel import BoardSteps
from nimmt_lab.games.board_game.numbers import laid
from nimmt_lab.native import core
from nimmt_lab.rl import vector
from nimmt_lab.rl.match import Match, Rewards
from nimmt_lab.rl.vector import VectorEnv
from tests.support import refused

from .in_step import ends_alone, follow

pytestmark = pytest.mark.native

MODES = [(mode, luck) for mode in ("basic", "advanced") for luck in (False, True)]
#: Fields of the record with another name than in `laid`.
NAMES = {"count": "length", "luck": "luck_held"}


def check_question(env: VectorEnv, at: int, match: Match) -> None:
    expected = laid(match.state)
    for name, field in env.games.items():
        wanted = expected.get(NAMES.get(name, name))
        if wanted is None:
            continue
        found = field[at].ravel().tolist()
        listed = [wanted] if isinstance(wanted, int) else list(wanted)
        if name == "rows":
            places, width = field.shape[2], len(listed) // len(match.state.rows)
            for row, tiles in enumerate(match.state.rows):
                assert field[at, row, : len(tiles)].tolist() == listed[width * row : width * row + len(tiles)]
            assert places == max(map(len, match.game.layout.rows))  # type: ignore[attr-defined]
        elif name in ("queue_tile", "queue_seat", "discards"):
            assert found[: len(listed)] == listed
        elif name == "plan_tiles":
            assert found[: len([tile for tile in listed if tile])] == [tile for tile in listed if tile]
        else:
            assert found[: len(listed)] == listed, name
    piles = env.games["piles"][at]
    for seat, pile in enumerate(match.state.piles):
        assert sum(1 << tile for tile in pile) == int(piles[seat, 0]) | int(piles[seat, 1]) << 64
    record = np.frombuffer(env._games.buffer(), np.uint8).reshape(len(env.ends), -1)[at]
    for name in ("stock", "deck"):  # face down, so not among the fields
        where, listed = env._core.record.fields[name], list(expected[name])  # type: ignore[arg-type]
        assert record[where.offset : where.offset + len(listed)].tolist() == listed


def happened(env: VectorEnv, at: int, match: Match) -> None:
    """The results are compared at the next decision."""


@pytest.mark.sampled(3)
@pytest.mark.parametrize("players", [2, 4, 6])
@pytest.mark.parametrize(("mode", "luck"), MODES)
def test_it_is_the_engines_game(mode: str, luck: bool, players: int) -> None:
    env = VectorEnv(BoardGame(players=players, mode=mode, luck=luck), games=2, keep_final=True)
    ended, _ = follow(env, seed=30 + players, steps=110, question=check_question, happened=happened)
    assert ended or players == 6


@pytest.mark.parametrize("rewards", ["heads", "win"])
def test_illegal_actions_end_a_game_as_the_engine_has_it(rewards: Rewards) -> None:
    env = VectorEnv(BoardGame(players=2, mode="advanced", luck=True), games=6, rewards=rewards, keep_final=True)
    _, spoilt = follow(env, seed=5, steps=50, question=check_question, happened=happened, rewards=rewards, wrong=40)
    assert spoilt > 5


def test_an_illegal_action_ends_its_game_alone() -> None:
    for wrong in (0, 101, 300, -1, -32768, 32767):
        ends_alone(VectorEnv(BoardGame(players=3), games=3), wrong)


def test_other_games_are_refused() -> None:
    class Other(BoardGame):
        pass

    found = core()
    assert found is not None
    with refused(Unsupported, "shared.core_cannot_play", game="Other(players=2)"):
        BoardSteps().games(found, Other(players=2), False)


def test_every_field_is_told() -> None:
    told = set(re.findall(r"`(\w+)`", str(vector.__doc__))) | {"seed"}
    assert set(VectorEnv("board", games=1, players=2).games) <= told
