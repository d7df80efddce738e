"""Reinforcement-learning environments for every game of the family.

All share one action encoding (`nimmt_lab.rl.actions`), and observations made from views, so that agents cannot learn
from hidden information:

- `nimmt_lab.rl.gym` has Gymnasium environments for one seat, with opponents inside.
- `parallel_env` and `aec_env` are PettingZoo environments.
- `nimmt_lab.rl.vector.VectorEnv` steps thousands of games at once in the compiled core, with observations, masks and
  opponents inside.
- `nimmt_lab.rl.spiel` registers every game with OpenSpiel (`spiel_game`), where our bots play too (`SpielBot`).

>>> env = parallel_env("classic", players=3, rounds=1)
>>> observations, infos = env.reset(seed=7)
>>> while env.agents:
...     masks = {agent: seen["action_mask"] for agent, seen in observations.items()}
...     actions = {agent: env.action_space(agent).sample(masks[agent]) for agent in env.agents}
...     observations, rewards, terminations, truncations, infos = env.step(actions)
>>> env.game_state.is_over
True

**Rewards.** `rewards="heads"` (the default) is the change in a seat's standing after every step: heads taken, negative;
points where most win; for a team, its opponent's heads minus its own. They add up to the seat's total. `rewards="win"`
is 0 until the end, then the seat's share of the win; every member of a winning team gets 1.

**Illegal actions** (see `action_mask`) end the game with -100 for the agent; its `info` says why.

**Rendering.** `render_mode="rgb_array"` draws the board as pixels, all frames of one size; `"ansi"` is text, `"html"`
what a notebook shows. All show every hand.

**Seeds.** `reset(seed=7)` deals `game.deal(7)`. Without a seed the next deal of the same stream is drawn.

Install with `pip install 'nimmt_lab[rl]'`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from nimmt_lab.engine.game import Game

from .actions import Actions
from .match import Match, Rewards, game_of
from .observe import Observer

if TYPE_CHECKING:
    from .zoo import Aec, Parallel

__all__ = ["Actions", "Match", "Observer", "aec_env", "parallel_env"]


def parallel_env(
    game: Game | str, *, rewards: Rewards = "heads", render_mode: str | None = None, **options: object
) -> Parallel:
    """Create PettingZoo's parallel environment for a game, or for a registered game by name with its options.

    >>> env = parallel_env("baron", players=2, render_mode="ansi")
    >>> observations, infos = env.reset(seed=1)
    >>> env.agents
    ['seat_0', 'seat_1']
    """
    from .zoo import Parallel

    return Parallel(game_of(game, options), rewards, render_mode)


def aec_env(game: Game | str, *, rewards: Rewards = "heads", render_mode: str | None = None, **options: object) -> Aec:
    """Create PettingZoo's environment in which one agent acts at a time.

    >>> env = aec_env("classic", players=2, rounds=1)
    >>> env.reset(seed=1)
    >>> for agent in env.agent_iter():
    ...     observation, reward, termination, truncation, info = env.last()
    ...     env.step(None if termination else env.action_space(agent).sample(observation["action_mask"]))
    >>> env.game_state.is_over
    True
    """
    from .zoo import Aec

    return Aec(game_of(game, options), rewards, render_mode)
