"""Games in step beside the engine's own: what every chapter's tests do."""

from __future__ import annotations

from collections.abc import Callable

from nimmt_lab.engine.errors import IllegalChoice
from nimmt_lab.engine.rng import Rng
from nimmt_lab.rl.match import ILLEGAL_REWARD, Match, Rewards
from nimmt_lab.rl.vector import VectorEnv

#: Looks at game number `at`, which the match has played, too.
Look = Callable[[VectorEnv, int, Match], None]


def follow(
    env: VectorEnv,
    *,
    seed: int,
    steps: int,
    question: Look,
    happened: Look,
    rewards: Rewards = "heads",
    wrong: int = 0,
    other: Look | None = None,
) -> tuple[int, int]:
    """Play on by chance, in the core and by the engine: before every step `question` compares what is asked, after it
    `happened` what it did. Masks, rewards, ends and seeds are compared here. `other` may put other actions than
    chance's in their place. One action in `wrong` (0: none) is any number. How many games ended by their rules, and how
    many by an action that was not allowed."""
    games = len(env.ends)
    env.reset(seed=seed)
    seeds = list(range(seed, seed + games))
    matches = [Match(env.game, rewards) for _ in range(games)]
    for match, first in zip(matches, seeds, strict=True):
        match.start(first)
    ended, spoilt, rng = 0, 0, Rng.from_seed(seed, stream=7)
    for _ in range(steps):
        masks = env.masks().copy()
        for at, match in enumerate(matches):
            question(env, at, match)
            for column, seat in enumerate(match.seats):
                # A game that is over when it is dealt asks nobody: everybody waits once, and gets nothing.
                assert bytes(masks[at, column]) == bytes(
                    match.actions.mask(None) if match.is_over else match.mask(seat)
                )
        env.sample()
        for at, match in enumerate(matches):
            if other is not None:
                other(env, at, match)
        if wrong:
            for at, column in [(at, column) for at in range(games) for column in range(env.actions.shape[1])]:
                chosen, rng = rng.below(wrong)
                number, rng = rng.below(env.actions_of.count + 4)
                if not chosen:
                    env.actions[at, column] = number - 2
        actions = env.actions.copy()
        got, ends = env.step()
        for at, match in enumerate(matches):
            if not match.is_over:
                match.step({seat: int(actions[at, column]) for column, seat in enumerate(match.seats)})
            elif actions[at].any():
                column = int(actions[at].nonzero()[0][0])
                match.illegal, match.events = IllegalChoice("nobody is asked"), ()
                match.rewards[match.seats[column]] = ILLEGAL_REWARD
            assert list(got[at]) == [match.rewards[seat] for seat in match.seats]
            assert ends[at] == (2 if match.illegal else int(match.is_over))
            assert match.illegal is None or (wrong and ILLEGAL_REWARD in got[at])
            happened(env, at, match)
            if not match.is_over:
                continue
            ended, spoilt = ended + (ends[at] == 1), spoilt + (ends[at] == 2)
            seeds[at] = max(seeds) + 1
            match.start(seeds[at])
        assert env.games["seed"].tolist() == seeds
    return ended, spoilt


def ends_alone(env: VectorEnv, wrong: int) -> None:
    """An action of seat C that is not allowed ends the second of three games, and no other."""
    env.reset(seed=5)
    env.sample()
    env.actions[1, 2] = wrong
    rewards, ends = env.step()
    assert ends.tolist() == [0, 2, 0] and rewards[1].tolist() == [0, 0, ILLEGAL_REWARD]
    assert env.games["seed"].tolist() == [5, 8, 7] and env.games["turn"][1] == 0
