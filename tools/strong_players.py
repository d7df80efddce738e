"""What the policy network does with the plans of the studies: how A's heads change among three of its kind.

The network is the bot `trained`; the compiled core plays thousands of deals at a time. All differences are between the
same deals. `python tools/studies.py strong_players` counts them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from nimmt_lab.rl.vector import VectorEnv

GAMES = 2_000
#: Plans by turn: the lowest card if it fits nowhere at the start, or the highest if it is 95 or more, is played in this
#: turn at the latest.
TURNS = (1, 2, 3, 4, 5, 6)
MOST_HEADS = (1, 2, 3, 4, 5, 6)

Heads = NDArray[np.float32]
#: The card that A plays instead in each game; 0: its own choice.
Plan = Callable[[VectorEnv], NDArray[np.integer]]


def heads(seed: int, players: Sequence[str], plan: Plan | None = None) -> tuple[Heads, NDArray[np.integer]]:
    """The heads of every seat in the first games of a seed, and everybody's cards at the start."""
    env = VectorEnv("classic", games=GAMES, players=len(players), rounds=1)
    env.reset(seed)
    dealt = env.games["hands"].copy()
    core = env._core
    for seat, name in enumerate(players):
        core.set_policy(seat, name)
    everybody = (1 << len(players)) - 1
    total = np.zeros((GAMES, len(players)), np.float32)
    left = np.ones(GAMES, bool)
    active, over = (core.work.core.memory(GAMES).share() for _ in range(2))
    playing, ended = (np.frombuffer(memory.buffer(), np.uint8) for memory in (active, over))
    while left.any():
        playing[:] = left
        env.rewards[:] = 0
        ended[:] = 0
        env.actions[:] = 0
        core.bound_choose(env._games, env._actions, active, everybody)()
        if plan is not None:
            card = np.where(env.games["phase"] == 0, plan(env), 0)
            env.actions[:, 0] = np.where(card > 0, card, env.actions[:, 0])
        core.bound_step(env._games, env._actions, env._rewards, over, active)()
        total -= env.rewards
        left &= ended == 0
    return total, dealt


def by_turn(card: NDArray[np.integer], turn: int) -> Plan:
    """Play a card in this turn (from 1) if it is still in the hand."""

    def plan(env: VectorEnv) -> NDArray[np.integer]:
        held = (env.games["hands"][:, 0] == card[:, None]).any(axis=1)
        found: NDArray[np.integer] = np.where(held & (env.games["turn"] + 1 == turn), card, 0)
        return found

    return plan


def on_purpose(most: int) -> Plan:
    """Play the lowest card if it fits nowhere and the cheapest row has at most that many heads (study 20)."""

    def plan(env: VectorEnv) -> NDArray[np.integer]:
        card, is_cheap = env.games["hands"][:, 0, 0], env.games["sum"].min(axis=1) <= most
        found: NDArray[np.integer] = np.where(is_cheap & (card < env.games["end"].min(axis=1)), card, 0)
        return found

    return plan


def starts(seed: int) -> NDArray[np.integer]:
    """The lowest first card of a row, by game."""
    env = VectorEnv("classic", games=GAMES, players=4, rounds=1)
    env.reset(seed)
    lowest: NDArray[np.integer] = env.games["starts"].min(axis=1)
    return lowest


def strong_players(block: int) -> Mapping[str, Sequence[float]]:
    """How A's heads change by each plan, among three players like A, and what each card is worth to the network."""
    found: dict[str, Sequence[float]] = {}
    for name in ("trained", "edges-first"):
        usual, dealt = heads(block, [name] * 4)
        lowest, highest = dealt[:, 0, 0].astype(np.int16), dealt[:, 0].max(axis=1).astype(np.int16)
        for what, card, chosen in (("low", lowest, lowest < starts(block)), ("top", highest, highest >= 95)):
            for turn in TURNS:
                now, _ = heads(block, [name] * 4, by_turn(card, turn))
                found[f"{name}:{what}:{turn}"] = (now - usual)[chosen, 0].tolist()
        for most in MOST_HEADS:
            now, _ = heads(block, [name] * 4, on_purpose(most))
            found[f"{name}:purpose:{most}"] = (now - usual)[:, 0].tolist()
        if name == "trained":
            for rule in ("closest-safe", "edges-first"):
                now, _ = heads(block, [rule, *[name] * 3])
                found[f"instead:{rule}"] = (now - usual)[:, 0].tolist()
            found["worth:all"] = usual.ravel().tolist()
            for card in range(1, 105):
                found[f"worth:{card}"] = usual[(dealt == card).any(axis=2)].tolist()
    return found
