"""The small agent: the same observations in an environment and at our tables, and training helps."""

from __future__ import annotations

import numpy as np
import pytest

from nimmt_lab import Baron, Classic
from nimmt_lab.bots import bot, play
from nimmt_lab.engine.errors import Unsupported
from nimmt_lab.engine.rng import Rng
from nimmt_lab.rl.match import Match
from nimmt_lab.rl.small import COUNT, SmallBot, kept_numbers, of_games, parts, train
from nimmt_lab.rl.vector import VectorEnv
from tests.support import refused

pytestmark = pytest.mark.native


def test_it_plays_the_same_card_in_an_environment_and_at_our_table() -> None:
    env = VectorEnv("classic", games=5, players=4, rounds=1)
    env.reset(seed=7)
    matches = [Match(env.game) for _ in range(5)]
    for seed, match in zip(env.games["seed"].tolist(), matches, strict=True):
        match.start(seed)
    numbers, player, compared = kept_numbers(), SmallBot(), 0
    for _ in range(14):
        for seat in range(4):
            table = of_games(env, seat)
            which, often = parts(*table)
            costs = (numbers[which] * often).sum(axis=2)
            costs[table[3] == 0] = 10**9
            for at, match in enumerate(matches):
                if not match.is_over and env.games["phase"][at] == 0:
                    compared += 1
                    assert player.choose(match.state.view(seat), Rng.from_seed(1)) == table[3][at, costs[at].argmin()]
        actions = env.sample().copy()
        env.step()
        for at, match in enumerate(matches):
            if not match.is_over:
                match.step({seat: int(actions[at, seat]) for seat in range(4)})
        if any(match.is_over for match in matches):
            break
    assert compared > 100


def test_what_counts_for_a_card() -> None:
    """A low card, one that fits with nothing between, and one that would take a full row."""
    ends, counts, sums = (np.array([numbers]) for numbers in ([12, 40, 60, 90], [1, 5, 3, 2], [3, 9, 4, 2]))
    hand = np.array([[5, 13, 45, *[0] * 7]])
    unseen = np.ones((1, 105), dtype=bool)
    unseen[0, [0, 12, 40, 60, 90, 5, 13, 45]] = False
    which, often = parts(ends, counts, sums, hand, unseen)
    # The last stage (three cards left): 6 fillings of a row by 7 gaps; a low card is filling 0, by the cheapest row.
    assert which[0, :3, 0].tolist() == [0 * 7 + 1, 1 * 7 + 0, 5 * 7 + 3]
    assert often[0, :3, 2].tolist() == [2, 3, 9], "what the row costs"
    assert often[0, 0, 3:].tolist() == [0, 1, 1, *[0] * 7], "the other cards stay"


@pytest.mark.exhaustive
def test_learning_helps_and_is_repeatable() -> None:
    said: list[str] = []
    numbers = train(rounds=3, games=250, seed=3, say=said.append)
    assert len(said) == 3 and len(numbers) == len(kept_numbers()) == COUNT
    assert (train(rounds=1, games=100, seed=3) == train(rounds=1, games=100, seed=3)).all()
    game, ahead = Classic(players=4, rounds=1), []
    for seed in range(60):
        heads = play(game, [SmallBot(numbers), *[bot("random")] * 3], seed).totals
        ahead.append(sum(heads[1:]) / 3 - heads[0])
    assert sum(ahead) / 60 > 3


def test_other_games_are_refused() -> None:
    for game in (Baron(players=2), Classic(players=2, fan_cards=("number_twister",))):
        with refused(Unsupported, "rl.bot_plays_classic", name="small"):
            SmallBot().choose(game.deal(1).view(0), Rng.from_seed(1))


def test_other_weights_have_another_name() -> None:
    numbers = kept_numbers()
    assert repr(SmallBot()) == repr(SmallBot(numbers)) == "small"
    assert repr(SmallBot(numbers + 1)).startswith("small-") and repr(SmallBot(numbers + 1)) != repr(SmallBot(-numbers))
