"""For researchers: every game of the family as an environment in which players can be trained.

Ways in, all with the same numbers for actions (`nimmt_lab.rl.actions`) and all made from views, so that what a
seat may not know cannot be learned from:

- `parallel_env` and `aec_env` are PettingZoo's two kinds of environment, for every registered game.

>>> env = parallel_env("classic", players=3, rounds=1)
>>> seen, infos = env.reset(seed=7)
>>> while env.agents:
...     seen, rewards, over, cut, infos = env.step(
...         {agent: env.action_space(agent).sample(seen[agent]["action_mask"]) for agent in env.agents}
...     )
>>> env.game_state.is_over
True

- `nimmt_lab.rl.vector.VectorEnv` plays thousands of games in step in the compiled core, for the classic
  family, Bull Baron and Beat the Buffalo.
- `nimmt_lab.rl.spiel` registers every game with OpenSpiel (`spiel_game`), and our bots play there (`SpielBot`).

**Rewards.** `rewards="heads"` (the default) gives, after every step, by how much a seat stands better: the heads it
took, as a negative number; points won where most win; for a team, what its opponent took less what it took itself. Over
a game they add up to the seat's total. `rewards="win"` gives nothing until the end, and then the seat's part of the
win: 1, a half each for two who share it, 0; who is in a team that wins gets 1.

**Actions that are not allowed** (`action_mask` says which are) end the game; who chose one gets -100, and its `info`
says what was wrong.

**Pictures.** `render_mode="rgb_array"` gives our board as pixels, every frame of one size, so that they make a film;
`"ansi"` is text, `"html"` what a notebook shows. All of them show all hands.

**Seeds.** `reset(seed=7)` deals what `game.deal(7)` deals. Without a seed the next deal of the same stream is drawn.

All this needs the extra: `pip install 'nimmt_lab[rl]'`.
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
    """PettingZoo's parallel environment of a game, or of the registered one of that name with its options.

    >>> env = parallel_env("baron", players=2, render_mode="ansi")
    >>> seen, infos = env.reset(seed=1)
    >>> env.agents
    ['seat_0', 'seat_1']
    >>> "row" in env.render()
    True
    """
    from .zoo import Parallel

    return Parallel(game_of(game, options), rewards, render_mode)


def aec_env(game: Game | str, *, rewards: Rewards = "heads", render_mode: str | None = None, **options: object) -> Aec:
    """PettingZoo's environment in which one agent acts at a time.

    >>> env = aec_env("classic", players=2, rounds=1)
    >>> env.reset(seed=1)
    >>> for agent in env.agent_iter():
    ...     seen, reward, over, cut, info = env.last()
    ...     env.step(None if over else env.action_space(agent).sample(seen["action_mask"]))
    >>> env.game_state.is_over
    True
    """
    from .zoo import Aec

    return Aec(game_of(game, options), rewards, render_mode)
