"""PettingZoo's environments, for every registered game: `parallel_env` and `aec_env` of `nimmt_lab.rl`.

Agents are `seat_0`, `seat_1` …; a team that decides together is one more, `team_0`. An observation is a dictionary:
`observation` (`nimmt_lab.rl.observe` says what is where) and `action_mask` (`nimmt_lab.rl.actions` says what an action
means). Nothing in it comes from what the seat may not know.
"""

from __future__ import annotations

import operator
from collections.abc import Mapping
from typing import TYPE_CHECKING, ClassVar, NoReturn, SupportsIndex, TypedDict

from nimmt_lab.engine.cards import TEAM, Seat
from nimmt_lab.engine.errors import RulesError
from nimmt_lab.engine.events import Event
from nimmt_lab.engine.extras import wanted
from nimmt_lab.engine.files import shown
from nimmt_lab.engine.game import Game
from nimmt_lab.engine.notation import Position
from nimmt_lab.engine.rng import check_seed
from nimmt_lab.engine.state import GameState

from .match import Match, Rewards, missing

with wanted("rl"):
    import numpy as np
    from gymnasium import spaces
    from numpy.typing import NDArray
    from pettingzoo import AECEnv, ParallelEnv

if TYPE_CHECKING:
    from .pixels import Camera

__all__ = ["Aec", "Parallel", "Seen", "agent_of"]


#: More than any number of an observation.
_MOST = 1e6
_MODES = ("ansi", "html", "rgb_array")


class Seen(TypedDict):
    """What an agent is given."""

    observation: NDArray[np.float32]
    action_mask: NDArray[np.int8]


def agent_of(seat: Seat) -> str:
    """The agent of a seat.

    >>> agent_of(0), agent_of(TEAM)
    ('seat_0', 'team_0')
    """
    return "team_0" if seat == TEAM else f"seat_{seat}"


def _camera(game: Game) -> Camera:
    # Drawing is for who wants pictures: training starts without it.
    from .pixels import Camera

    return Camera(game)


def _whole(number: object) -> int | None:
    """A whole number of numpy's or of anybody's as Python's. What is none must not become the one next to it."""
    try:
        return operator.index(number) if isinstance(number, SupportsIndex) else None
    except TypeError:  # an array of several numbers
        return None


class _Zoo:
    """What both kinds of environment share: the match, its spaces, its pictures."""

    metadata: ClassVar[dict[str, object]] = {
        "name": "nimmt_lab_v0", "render_modes": list(_MODES), "is_parallelizable": True
    }  # fmt: skip

    def __init__(self, game: Game, rewards: Rewards = "heads", render_mode: str | None = None) -> None:
        if render_mode is not None and render_mode not in _MODES:
            raise RulesError("shared.must_one_of", what="render_mode", known=", ".join(_MODES), got=shown(render_mode))
        self.match = Match(game, rewards)
        self.render_mode = render_mode
        self._camera = _camera(game) if render_mode == "rgb_array" else None
        self._seats = {agent_of(seat): seat for seat in self.match.seats}
        self.possible_agents = list(self._seats)
        self.agents: list[str] = []
        size, count = self.match.observer.size, self.match.actions.count
        self.observation_spaces = {
            agent: spaces.Dict(
                {
                    "observation": spaces.Box(-_MOST, _MOST, (size,), np.float32),
                    "action_mask": spaces.Box(0, 1, (count,), np.int8),
                }
            )
            for agent in self.possible_agents
        }
        self.action_spaces = {agent: spaces.Discrete(count) for agent in self.possible_agents}
        self.state_space = spaces.Box(-_MOST, _MOST, (size * len(self.possible_agents),), np.float32)

    def observation_space(self, agent: str) -> spaces.Dict:
        """What its observations look like."""
        return self.observation_spaces[self._known(agent)]

    def action_space(self, agent: str) -> spaces.Discrete:
        """The actions of the game: the same for every agent."""
        return self.action_spaces[self._known(agent)]

    def state(self) -> NDArray[np.float32]:
        """What all agents together may know, one observation behind the other: for a critic of all of them, not for
        whoever plays."""
        return np.concatenate([self.observe(agent)["observation"] for agent in self.possible_agents])

    @property
    def game_state(self) -> GameState:
        """The engine's state, hidden hands included: for whoever watches, not for whoever plays."""
        return self.match.state

    @property
    def events(self) -> tuple[Event, ...]:
        """What the last step made happen, for all to see."""
        return self.match.events

    def observe(self, agent: str) -> Seen:
        """What the agent may know now, and what it may do."""
        seat = self._seats[self._known(agent)]
        return {
            "observation": np.frombuffer(self.match.observe(seat), np.float32),
            "action_mask": np.frombuffer(self.match.mask(seat), np.int8),
        }

    def render(self) -> str | NDArray[np.uint8] | None:
        """The table with all hands: as our text (`ansi`), as a notebook shows it (`html`, with inline SVG), or our
        board as pixels (`rgb_array`, height × width × 3, one size in all steps). None without a `render_mode`."""
        state = self.match.state
        if self._camera is not None:
            return self._camera.photograph(state)
        if self.render_mode == "html":
            return state.game.html(state)
        return str(state) if self.render_mode == "ansi" else None

    def close(self) -> None:
        """Nothing is open."""

    def __str__(self) -> str:
        return f"nimmt_lab {self.match.game.name}"

    def _start(self, seed: SupportsIndex | None, options: Mapping[str, object] | None) -> None:
        position = (options or {}).get("position")
        if position is not None and not isinstance(position, (str, Position)):
            raise RulesError("rl.position_line_text", got=shown(position))
        whole = _whole(seed)
        if seed is not None and whole is None:
            check_seed(seed)  # refuses it, and says why
        self.match.start(whole, position)
        self.agents = list(self.possible_agents)

    def _known(self, agent: str) -> str:
        if agent not in self._seats:
            raise RulesError("rl.no_agent_there", agent=shown(agent), known=", ".join(self.possible_agents))
        return agent

    def _action(self, agent: str, action: object) -> int:
        found = _whole(action)
        if found is None:
            raise RulesError("rl.action_whole_number", got=shown(action), agent=agent)
        return found

    def _infos(self) -> dict[str, dict[str, object]]:
        """Empty, but for the agent that did what it may not: `illegal` says what was wrong."""
        infos: dict[str, dict[str, object]] = {agent: {} for agent in self.agents}
        illegal = self.match.illegal
        if illegal is not None and illegal.seat is not None:
            infos[agent_of(illegal.seat)]["illegal"] = str(illegal)
        return infos


class Parallel(_Zoo, ParallelEnv):  # type: ignore[misc]
    """All agents act in every step; who is asked nothing has one action, to wait (0)."""

    def reset(
        self, seed: SupportsIndex | None = None, options: Mapping[str, object] | None = None
    ) -> tuple[dict[str, Seen], dict[str, dict[str, object]]]:
        """Deal the game of that seed; `options={"position": "…"}` starts from a position instead."""
        self._start(seed, options)
        return {agent: self.observe(agent) for agent in self.agents}, self._infos()

    def step(
        self, actions: Mapping[str, SupportsIndex]
    ) -> tuple[dict[str, Seen], dict[str, float], dict[str, bool], dict[str, bool], dict[str, dict[str, object]]]:
        """One question of the game: everybody's card, a row, the use of a special card."""
        match = self.match
        match.step({self._seats[self._known(agent)]: self._action(agent, one) for agent, one in actions.items()})
        seen = {agent: self.observe(agent) for agent in self.agents}
        rewards = {agent: match.rewards[self._seats[agent]] for agent in self.agents}
        over = dict.fromkeys(self.agents, match.is_over)
        cut = dict.fromkeys(self.agents, False)
        infos = self._infos()
        if match.is_over:
            self.agents = []
        return seen, rewards, over, cut, infos


class Aec(_Zoo, AECEnv):  # type: ignore[misc]
    """One agent acts at a time, and only who is asked. What seats choose together is carried out when the last of them
    has chosen; what the others chose before is not to be seen."""

    agent_selection: str

    def reset(self, seed: SupportsIndex | None = None, options: Mapping[str, object] | None = None) -> None:
        """Deal the game of that seed; `options={"position": "…"}` starts from a position instead."""
        self._start(seed, options)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos = self._infos()
        self._chosen: dict[Seat, int] = {}
        self._select()

    def step(self, action: SupportsIndex | None) -> None:
        """The action of `agent_selection`; None once the game is over."""
        agent = self.agent_selection
        if self.terminations[agent]:
            self._was_dead_step(action)
            return
        match, seat = self.match, self._seats[agent]
        self._cumulative_rewards[agent] = 0.0
        self._clear_rewards()
        if action is None:
            raise RulesError("rl.asked_something_none", agent=agent)
        self._chosen[seat] = self._action(agent, action)
        if len(self._chosen) == len(match.asked):
            match.step(self._chosen)
            self._chosen = {}
            self.rewards = {name: match.rewards[self._seats[name]] for name in self.agents}
            self.infos = self._infos()
            self.terminations = dict.fromkeys(self.agents, match.is_over)
        self._accumulate_rewards()
        self._select()

    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> NoReturn:
            missing(self, name, ("agent_selection", "rewards", "terminations", "truncations", "infos"))

    def _select(self) -> None:
        left = [seat for seat in self.match.asked if seat not in self._chosen]
        self.agent_selection = agent_of(left[0]) if left else self.agents[0]
