"""Compare vectorised games with the engine, for all chapters."""

from __future__ import annotations

from collections.abc import Callable
from itertools import count

import numpy as np

from nimmt_lab.engine.errors import IllegalChoice
from nimmt_lab.engine.rng import Rng
from nimmt_lab.rl.match import ILLEGAL_REWARD, Match, Rewards
from nimmt_lab.rl.vector import VectorEnv

#: The first ended games are all checked, later ones one in ten, because the engine is slow.
MOST_FINALS = 20

#: Checks game number `at`, which the match has also played.
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
    """Play at random, in the core and in the engine. Before every step `question` compares the decisions, after it
    `happened` compares the results; masks, rewards, ends and seeds are compared here. `other` may replace the random
    actions. One action in `wrong` (0: none) is any number. Returns how many games ended by their rules and how many by
    an illegal action."""
    games = len(env.ends)
    env.reset(seed=seed)
    stream = (Rng.from_seed(seed, number).state for number in count())
    seeds = [next(stream) for _ in range(games)]
    matches = [Match(env.game, rewards) for _ in range(games)]
    for match, first in zip(matches, seeds, strict=True):
        match.start(first)
    ended, spoilt, rng = 0, 0, Rng.from_seed(seed, stream=7)
    for number in range(steps):
        look_alike(env, matches, number)
        masks = env.masks().copy()
        for at, match in enumerate(matches):
            question(env, at, match)
            for column, seat in enumerate(match.seats):
                # In a game that is over when dealt nobody has a decision: everybody waits once and gets nothing.
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
                action, rng = rng.below(env.actions_of.count + 4)
                if not chosen:
                    env.actions[at, column] = action - 2
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
            if ended + spoilt < MOST_FINALS or ended % 10 == 0:
                ends_alike(env, at, match)
            ended, spoilt = ended + (ends[at] == 1), spoilt + (ends[at] == 2)
            seeds[at] = next(stream)
            match.start(seeds[at])
        assert env.games["seed"].tolist() == seeds
    return ended, spoilt


def look_alike(env: VectorEnv, matches: list[Match], number: int) -> None:
    """One seat sees the same, in full and compact, and has the same actions as bits: another seat at every step, one
    game after the other, because the engine is slow."""
    column, at = number % len(env.seats), number % len(matches)
    match, seat = matches[at], env.seats[column]
    if match.is_over:
        return
    view = match.state.view(seat)
    assert env.observe(seat)[at].tobytes() == match.observer.see(view).tobytes()
    assert env.observe(seat, compact=True)[at].tobytes() == match.observer.see_compact(view).tobytes()
    bits = np.unpackbits(env.bit_masks(seat)[at].view(np.uint8), bitorder="little")
    assert np.flatnonzero(bits).tolist() == match.allowed(seat)
    if number % 10 == 0:
        assert env.observe()[at, column].tobytes() == match.observer.see(view).tobytes()
        assert env.observe(compact=True)[at, column].tobytes() == match.observer.see_compact(view).tobytes()
        assert env.bit_masks()[at, column].tolist() == env.bit_masks(seat)[at].tolist()
        assert env.masks(seat)[at].tolist() == env.masks()[at, column].tolist() == list(match.mask(seat))


def ends_alike(env: VectorEnv, at: int, match: Match) -> None:
    """Every seat sees the same at the end of a game; after an illegal action, the same table as before, marked as over."""
    place = int((env.ends[:at] != 0).sum())
    full, compact = env.observe_final(), env.observe_final(compact=True)
    for column, seat in enumerate(env.seats):
        view = match.state.view(seat)
        see, see_compact = match.observer.see(view), match.observer.see_compact(view)
        see[match.observer.layout["table"].start + 3] = 1
        see_compact[match.observer.compact_layout["table"].start + 3] = 1
        assert full[place, column].tobytes() == see.tobytes()
        assert compact[place, column].tobytes() == see_compact.tobytes()
        assert env.observe_final(seat)[place].tobytes() == see.tobytes()


def ends_alone(env: VectorEnv, wrong: int) -> None:
    """An illegal action of seat C ends the second of three games, and no other."""
    env.reset(seed=5)
    env.sample()
    env.actions[1, 2] = wrong
    rewards, ends = env.step()
    assert ends.tolist() == [0, 2, 0] and rewards[1].tolist() == [0, 0, ILLEGAL_REWARD]
    assert env.games["seed"].tolist() == [Rng.from_seed(5, number).state for number in (0, 3, 2)]
    assert env.games["turn"][1] == 0
