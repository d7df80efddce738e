"""Gymnasium environments for one seat, with opponents inside.

`SeatEnv` is a `gymnasium.Env` for every registered game; the engine plays it. `SeatVectorEnv` is a
`gymnasium.vector.VectorEnv` with thousands of games in the compiled core (`nimmt_lab.rl.vector`).

>>> env = SeatEnv("classic", players=3, rounds=1, opponents="edges-first")
>>> observation, info = env.reset(seed=7)
>>> over = False
>>> while not over:
...     action = env.action_space.sample(info["action_mask"])
...     observation, reward, over, truncated, info = env.step(action)
>>> env.match.state.is_over
True

**Spaces.** An observation is the vector of `nimmt_lab.rl.observe`, and an action one of `nimmt_lab.rl.actions`. Legal
actions are in `info["action_mask"]`, for trainers in the style of CleanRL, and in `action_masks()`, which
`MaskablePPO` of sb3-contrib calls. Decisions of the other seats are not steps: `step` returns at the next decision of
this seat or at the end of the game, with the sum of the rewards in between.

**Rewards and ends** are those of `nimmt_lab.rl`. Games end by termination and are never truncated. An illegal action
ends the game with -100, and `info["illegal"]` says why (in a vectorised environment, that it was one); the last
observation is the table as it was, marked as over.

**Opponents** are bots or their names, one for all other seats or by seat. In a vectorised environment they are those of
`VectorEnv`: policies of the core, levels that search, functions, or any `Bot`.

**Seeds.** `SeatEnv.reset(seed=7)` deals `game.deal(7)`, and the next `reset()` the next deal of that stream. The deals
of `SeatVectorEnv` are those of `VectorEnv`, which says how far streams of seeds are apart.

**Autoreset.** `SeatVectorEnv` deals a new game in the step that ends the old one (`AutoresetMode.SAME_STEP`). There,
`info["final_info"]` has the `return` and `length` of each finished game, and `info["final_obs"]` its last observation:
what `SeatEnv` returns at the end of the same game. Nothing is bootstrapped from it, since games are never truncated.

Importing this module registers `nimmt_lab/<game>-v0` for `gymnasium.make` and `gymnasium.make_vec`.
"""

from __future__ import annotations

import secrets
from collections.abc import Mapping, Sequence
from typing import SupportsIndex, TypeAlias, TypeVar, cast

from nimmt_lab.bots.base import Bot, Player, bot_of
from nimmt_lab.engine.cards import Seat
from nimmt_lab.engine.errors import RulesError
from nimmt_lab.engine.extras import wanted
from nimmt_lab.engine.files import shown
from nimmt_lab.engine.game import Game
from nimmt_lab.engine.notation import Position
from nimmt_lab.engine.registry import all_games
from nimmt_lab.engine.rng import Rng

from .match import Match, Rewards, acting_seats, game_of, seed_of, whole
from .opponents import Opponent, by_number
from .vector import VectorEnv

with wanted("rl"):
    import gymnasium
    import numpy as np
    from gymnasium import spaces
    from gymnasium.vector import AutoresetMode
    from gymnasium.vector.utils import batch_space
    from numpy.typing import NDArray

__all__ = ["Opponents", "SeatEnv", "SeatVectorEnv"]

E = TypeVar("E")
#: One opponent for all other seats, one for each of them in order, or opponents by seat.
Opponents: TypeAlias = "Player | Sequence[Player] | Mapping[Seat, Player]"
Infos: TypeAlias = dict[str, object]

#: Bound of observed values.
_MOST = 1e6
_MODES = ("ansi", "html", "rgb_array")


class SeatEnv(gymnasium.Env[NDArray[np.float32], SupportsIndex]):
    """One seat of a game; bots play the others."""

    metadata = {"render_modes": list(_MODES), "render_fps": 2}  # noqa: RUF012 (declared by Gymnasium)

    def __init__(
        self,
        game: Game | str,
        *,
        seat: Seat = 0,
        opponents: Opponents = "edges-first",
        rewards: Rewards = "heads",
        render_mode: str | None = None,
        **options: object,
    ) -> None:
        if render_mode is not None and render_mode not in _MODES:
            raise RulesError("shared.must_one_of", what="render_mode", known=", ".join(_MODES), got=shown(render_mode))
        self.match = Match(game_of(game, options), rewards)
        self.seat = _seat_of(self.match.game, seat)
        self.opponents: dict[Seat, Bot] = _by_seat(self.match.game, self.seat, opponents)
        self.render_mode = render_mode
        self.observation_space = spaces.Box(-_MOST, _MOST, (self.match.observer.size,), np.float32)
        self.action_space = spaces.Discrete(self.match.actions.count)
        self._over_at = self.match.observer.layout["table"].start + 3
        self._bot_seed = secrets.randbits(63)
        self._asked = 0

    def reset(
        self, *, seed: SupportsIndex | None = None, options: Mapping[str, object] | None = None
    ) -> tuple[NDArray[np.float32], Infos]:
        """Deal the game of a seed; `options={"position": "…"}` starts from a position instead."""
        unknown = sorted(map(str, set(options or {}) - {"position"}))
        if unknown:
            raise RulesError("rl.reset_options", known="position", got=", ".join(unknown))
        number = None if seed is None else seed_of(seed)
        super().reset(seed=number)
        position = (options or {}).get("position")
        if position is not None and not isinstance(position, (str, Position)):
            raise RulesError("rl.position_line_text", got=shown(position))
        if number is not None:
            self._bot_seed, self._asked = number, 0
        while True:
            self.match.start(number, position)
            self._others()
            if not self.match.is_over or position is not None:
                return self._seen(), self._info()
            number = None  # a game without a decision of this seat

    def step(self, action: SupportsIndex) -> tuple[NDArray[np.float32], float, bool, bool, Infos]:
        """Take a decision of this seat, and let the others decide until its next one."""
        number = whole(action)
        if number is None:
            raise RulesError("rl.action_not_whole", got=shown(action))
        before = self.match.gained[self.seat]
        chosen = {self.seat: number}
        self.match.step({**chosen, **self._choices()} if self._is_asked() else self._choices())
        self._others()
        reward = self.match.gained[self.seat] - before
        return self._seen(), reward, self.match.is_over, False, self._info()

    def action_masks(self) -> NDArray[np.bool_]:
        """Legal actions, as `MaskablePPO` expects them. All are illegal once the game is over."""
        return np.frombuffer(self.match.mask(self.seat), np.int8).astype(bool)

    def render(self) -> str | NDArray[np.uint8] | None:
        """The table with all hands, as text (`ansi`), as in a notebook (`html`) or as pixels (`rgb_array`)."""
        state = self.match.state
        if self.render_mode == "rgb_array":
            from .pixels import Camera  # training does not need drawing

            return Camera(state.game).photograph(state)
        if self.render_mode == "html":
            return state.game.html(state)
        return str(state) if self.render_mode == "ansi" else None

    def _is_asked(self) -> bool:
        return self.seat in self.match.asked

    def _others(self) -> None:
        while self.match.asked and not self._is_asked():
            self.match.step(self._choices())

    def _choices(self) -> dict[Seat, int]:
        """The actions of the opponents who have a decision."""
        actions: dict[Seat, int] = {}
        state = self.match.state
        for seat in self.match.asked:
            if seat != self.seat:
                self._asked += 1
                choice = self.opponents[seat].choose(state.view(seat), Rng.from_seed(self._bot_seed, self._asked))
                decision = state.pending[seat]
                actions[seat] = self.match.actions.number(decision, decision.accept(seat, choice))
        return actions

    def _seen(self) -> NDArray[np.float32]:
        seen = np.array(self.match.observe(self.seat), np.float32)
        seen[self._over_at] = self.match.is_over  # the engine's game continues after an illegal action
        return seen

    def _info(self) -> Infos:
        info: Infos = {"action_mask": np.frombuffer(self.match.mask(self.seat), np.int8)}
        if self.match.illegal is not None and self.match.illegal.seat == self.seat:
            info["illegal"] = str(self.match.illegal)
        return info


class SeatVectorEnv(gymnasium.vector.VectorEnv["NDArray[np.float32]", "NDArray[np.integer]", "NDArray[np.generic]"]):
    """One seat of many games in the compiled core, with opponents inside.

    >>> from nimmt_lab.native import core
    >>> if core():
    ...     envs = SeatVectorEnv("classic", num_envs=100, players=4, rounds=1)
    ...     observations, infos = envs.reset(seed=1)
    ...     observations, rewards, terminations, truncations, infos = envs.step(infos["action_mask"].argmax(axis=1))
    ...     assert observations.shape == (100, envs.single_observation_space.shape[0])
    """

    metadata = {"render_modes": [], "autoreset_mode": AutoresetMode.SAME_STEP}  # noqa: RUF012 (declared by Gymnasium)

    def __init__(
        self,
        game: Game | str,
        num_envs: int,
        *,
        seat: Seat = 0,
        opponents: Opponent | Sequence[Opponent] | Mapping[Seat, Opponent] = "edges-first",
        rewards: Rewards = "heads",
        **options: object,
    ) -> None:
        chosen = game_of(game, options)
        self.seat = _seat_of(chosen, seat)
        others = [other for other in acting_seats(chosen) if other != self.seat]
        given: dict[Seat, Opponent] = _given(others, opponents)
        #: The games, for everything beyond this interface.
        self.games = VectorEnv(chosen, games=num_envs, rewards=rewards, opponents=given, keep_final=True)
        self.num_envs = num_envs
        self._column = self.games.column(self.seat)
        size, count = self.games.observation_size(), self.games.actions_of.count
        self.single_observation_space: spaces.Box = spaces.Box(-_MOST, _MOST, (size,), np.float32)
        self.single_action_space: spaces.Discrete = spaces.Discrete(count)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self._seen = np.zeros((num_envs, size), np.float32)
        self._returns = np.zeros(num_envs)
        self._lengths = np.zeros(num_envs, np.int64)

    def reset(
        self, *, seed: SupportsIndex | Sequence[int | None] | None = None, options: Mapping[str, object] | None = None
    ) -> tuple[NDArray[np.float32], Infos]:
        """Deal all games from one seed; without a seed, from the next one of the last seed's stream."""
        if options:
            if "reset_mask" in options:
                raise RulesError("rl.no_reset_mask")
            raise RulesError("rl.no_reset_options", got=", ".join(sorted(map(str, options))))
        if seed is not None and whole(seed) is None:
            raise RulesError("rl.one_seed", got=shown(seed))
        number = None if seed is None else seed_of(seed)
        super().reset(seed=number)
        self.games.reset(seed=int(self.np_random.integers(1 << 62)) if number is None else number)
        self._returns[:] = 0
        self._lengths[:] = 0
        return self._observed(), self._infos()

    def step(
        self, actions: NDArray[np.integer]
    ) -> tuple[NDArray[np.float32], NDArray[np.float64], NDArray[np.bool_], NDArray[np.bool_], Infos]:
        """Take a decision of this seat in every game."""
        given = np.asarray(actions)
        if not np.issubdtype(given.dtype, np.integer):
            raise RulesError("rl.actions_whole_numbers", got=given.dtype)
        if given.shape != (self.num_envs,):
            raise RulesError("rl.actions_per_game", shape=(self.num_envs,), got=given.shape)
        # Numbers beyond 16 bits must stay illegal instead of wrapping around.
        self.games.actions[:, self._column] = np.clip(given, -1, self.games.actions_of.count)
        all_rewards, ends = self.games.step()
        rewards = all_rewards[:, self._column].astype(np.float64)
        over = ends != 0
        self._returns += rewards
        self._lengths += 1
        seen, infos = self._observed(), self._infos()
        if over.any():
            final = np.zeros_like(seen)
            final[over] = self.games.observe_final(self.seat)
            finished = {"return": self._returns * over, "length": self._lengths * over, "illegal": ends == 2}
            infos |= {"final_obs": final, "_final_obs": over, "_final_info": over}
            infos["final_info"] = finished | {f"_{name}": over for name in finished}
            self._returns[over] = 0
            self._lengths[over] = 0
        return seen, rewards, over, np.zeros(self.num_envs, bool), infos

    def action_masks(self) -> NDArray[np.bool_]:
        """Legal actions by game."""
        return self.games.masks(self.seat).astype(bool)

    def _observed(self) -> NDArray[np.float32]:
        self.games.observe(self.seat, self._seen)
        return self._seen.copy()

    def _infos(self) -> Infos:
        everywhere = np.ones(self.num_envs, bool)
        return {"action_mask": self.games.masks(self.seat).astype(np.int8), "_action_mask": everywhere}


def _seat_of(game: Game, seat: Seat) -> Seat:
    seats, seat = acting_seats(game), by_number(seat)
    if isinstance(seat, bool) or seat not in seats:
        raise RulesError("rl.no_seat", known=", ".join(map(str, seats)), got=shown(seat))
    return seat


def _given(others: Sequence[Seat], opponents: E | Sequence[E] | Mapping[Seat, E]) -> dict[Seat, E]:
    """Opponents by seat, given for all other seats, one each in order, or by seat. Refuse those that do not fill
    exactly the other seats."""
    known = ", ".join(map(str, others))
    if isinstance(opponents, Mapping):
        given = {by_number(seat): one for seat, one in opponents.items()}
        if set(given) != set(others):
            raise RulesError("rl.opponents_seats", known=known, got=", ".join(map(shown, opponents)))
        return given
    if isinstance(opponents, list | tuple):
        if len(opponents) != len(others):
            raise RulesError("rl.opponents_seats", known=known, got=shown(opponents))
        return dict(zip(others, opponents, strict=True))
    return dict.fromkeys(others, cast(E, opponents))


def _by_seat(game: Game, seat: Seat, opponents: Opponents) -> dict[Seat, Bot]:
    others = [other for other in acting_seats(game) if other != seat]
    given = _given(others, opponents)
    return {other: bot_of(player) for other, player in given.items()}


def _register() -> None:
    for name in all_games():
        gymnasium.register(
            f"nimmt_lab/{name}-v0",
            entry_point=f"{__name__}:SeatEnv",
            vector_entry_point=f"{__name__}:SeatVectorEnv",
            disable_env_checker=True,
            order_enforce=False,
            kwargs={"game": name},
        )


_register()
