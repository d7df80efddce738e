"""PettingZoo environments for every registered game: `parallel_env` and `aec_env` of `nimmt_lab.rl`.

Agents are `seat_0`, `seat_1` …, and `team_0` for a team that decides together. An observation is a dictionary of
`observation` (see `nimmt_lab.rl.observe`) and `action_mask` (see `nimmt_lab.rl.actions`).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, ClassVar, NoReturn, SupportsIndex, TypeAlias, TypedDict

from nimmt_lab.engine.cards import TEAM, Seat
from nimmt_lab.engine.errors import RulesError
from nimmt_lab.engine.events import Event
from nimmt_lab.engine.extras import wanted
from nimmt_lab.engine.files import shown
from nimmt_lab.engine.game import Game
from nimmt_lab.engine.notation import Position
from nimmt_lab.engine.state import GameState

from .match import Match, Rewards, missing, seed_of, whole

with wanted("rl"):
    import numpy as np
    from gymnasium import spaces
    from numpy.typing import NDArray
    from pettingzoo import AECEnv, ParallelEnv

if TYPE_CHECKING:
    from .pixels import Camera

__all__ = ["Aec", "Observation", "Parallel", "agent_of"]

#: Bound of observed values.
_MOST = 1e6
_MODES = ("ansi", "html", "rgb_array")

Infos: TypeAlias = dict[str, dict[str, object]]


class Observation(TypedDict):
    """The observation of an agent."""

    observation: NDArray[np.float32]
    action_mask: NDArray[np.int8]


def agent_of(seat: Seat) -> str:
    """The agent's name of a seat.

    >>> agent_of(0), agent_of(TEAM)
    ('seat_0', 'team_0')
    """
    return "team_0" if seat == TEAM else f"seat_{seat}"


class _Zoo:
    """Base class of both environments."""

    metadata: ClassVar[dict[str, object]] = {
        "name": "nimmt_lab_v0", "render_modes": list(_MODES), "is_parallelizable": True
    }  # fmt: skip

    def __init__(self, game: Game, rewards: Rewards = "heads", render_mode: str | None = None) -> None:
        if render_mode is not None and render_mode not in _MODES:
            raise RulesError("shared.must_one_of", what="render_mode", known=", ".join(_MODES), got=shown(render_mode))
        self.match = Match(game, rewards)
        self.render_mode = render_mode
        self._camera: Camera | None = None
        if render_mode == "rgb_array":
            from .pixels import Camera  # training does not need drawing

            self._camera = Camera(game)
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
        """The observation space of an agent."""
        return self.observation_spaces[self._known(agent)]

    def action_space(self, agent: str) -> spaces.Discrete:
        """The action space, the same for every agent."""
        return self.action_spaces[self._known(agent)]

    def state(self) -> NDArray[np.float32]:
        """All observations concatenated, for a centralised critic."""
        return np.concatenate([self.observe(agent)["observation"] for agent in self.possible_agents])

    @property
    def game_state(self) -> GameState:
        """The engine's state with hidden hands, for spectators."""
        return self.match.state

    @property
    def events(self) -> tuple[Event, ...]:
        """Public events of the last step."""
        return self.match.events

    def observe(self, agent: str) -> Observation:
        """The observation and legal actions of an agent."""
        seat = self._seats[self._known(agent)]
        return {
            "observation": np.frombuffer(self.match.observe(seat), np.float32),
            "action_mask": np.frombuffer(self.match.mask(seat), np.int8),
        }

    def render(self) -> str | NDArray[np.uint8] | None:
        """The table with all hands, as text (`ansi`), as in a notebook (`html`, with inline SVG) or as pixels
        (`rgb_array`, height × width × 3, always one size). None without a `render_mode`."""
        state = self.match.state
        if self._camera is not None:
            return self._camera.photograph(state)
        if self.render_mode == "html":
            return state.game.html(state)
        return str(state) if self.render_mode == "ansi" else None

    def close(self) -> None:
        """Do nothing: there are no resources to release."""

    def __str__(self) -> str:
        return f"nimmt_lab {self.match.game.name}"

    def _start(self, seed: SupportsIndex | None, options: Mapping[str, object] | None) -> None:
        position = (options or {}).get("position")
        if position is not None and not isinstance(position, (str, Position)):
            raise RulesError("rl.position_line_text", got=shown(position))
        self.match.start(None if seed is None else seed_of(seed), position)
        self.agents = list(self.possible_agents)

    def _known(self, agent: str) -> str:
        if agent not in self._seats:
            raise RulesError("rl.no_agent_there", agent=shown(agent), known=", ".join(self.possible_agents))
        return agent

    def _action(self, agent: str, action: object) -> int:
        number = whole(action)
        if number is None:
            raise RulesError("rl.action_whole_number", got=shown(action), agent=agent)
        return number

    def _infos(self) -> Infos:
        """Empty, except `illegal` with the reason for an agent that chose an illegal action."""
        infos: Infos = {agent: {} for agent in self.agents}
        illegal = self.match.illegal
        if illegal is not None and illegal.seat is not None:
            infos[agent_of(illegal.seat)]["illegal"] = str(illegal)
        return infos


class Parallel(_Zoo, ParallelEnv):  # type: ignore[misc]
    """All agents act in every step; those without a decision wait (0)."""

    def reset(
        self, seed: SupportsIndex | None = None, options: Mapping[str, object] | None = None
    ) -> tuple[dict[str, Observation], Infos]:
        """Deal the game of a seed; `options={"position": "…"}` starts from a position instead."""
        self._start(seed, options)
        return {agent: self.observe(agent) for agent in self.agents}, self._infos()

    def step(
        self, actions: Mapping[str, SupportsIndex]
    ) -> tuple[
        dict[str, Observation], dict[str, float], dict[str, bool], dict[str, bool], dict[str, dict[str, object]]
    ]:
        """Take one decision of the game: everybody's cards, a row, the use of a special card."""
        match = self.match
        match.step({self._seats[self._known(agent)]: self._action(agent, action) for agent, action in actions.items()})
        seen = {agent: self.observe(agent) for agent in self.agents}
        rewards = {agent: match.rewards[self._seats[agent]] for agent in self.agents}
        over = dict.fromkeys(self.agents, match.is_over)
        cut = dict.fromkeys(self.agents, False)
        infos = self._infos()
        if match.is_over:
            self.agents = []
        return seen, rewards, over, cut, infos


class Aec(_Zoo, AECEnv):  # type: ignore[misc]
    """One agent with a decision acts at a time. Simultaneous choices stay hidden until the last agent has chosen."""

    agent_selection: str

    def reset(self, seed: SupportsIndex | None = None, options: Mapping[str, object] | None = None) -> None:
        """Deal the game of a seed; `options={"position": "…"}` starts from a position instead."""
        self._start(seed, options)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos = self._infos()
        self._chosen: dict[Seat, int] = {}
        self._select()

    def step(self, action: SupportsIndex | None) -> None:
        """Take the action of `agent_selection`; None once the game is over."""
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
