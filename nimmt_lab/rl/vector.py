"""Thousands of games in step, played by the compiled core: arrays in, arrays out, and nothing is copied.

>>> from nimmt_lab.native import core
>>> if core():
...     env = VectorEnv("classic", games=1000, players=4, rounds=1)
...     env.reset(seed=0)
...     for _ in range(100):
...         rewards, ends = env.step(env.sample())  # or an array of your own: a number per game and seat
...     print(rewards.shape, env.games["hands"].shape)
... else:
...     print((1000, 4), (1000, 4, 10))
(1000, 4) (1000, 4, 10)

The classic game, its fan cards, advanced mode, Bull Baron and Beat the Buffalo can be played so; other games are
refused by name.

Game number *i* after `reset(seed)` is the one that the engine deals from `seed + i`, and is asked what the engine asks:
one step is one question, everybody's card, one seat's row, or what a team does. What a game that is over makes room for
is dealt from the next seed that no game has had; `games["seed"]` says which one each has.

Actions and rewards are those of the other environments (`nimmt_lab.rl`). Arrays have a column for each of `seats`: the
players, and last a team that decides together. Whoever is not asked waits (0). An action that is not allowed ends its
game with -100 for who chose it: `ends` is 2 there, and 1 where a game ended by its rules.

An environment serves one thread at a time. While one thread deals, samples or steps, another that calls it gets
`InUse`: make an environment for each thread (their games run side by side), or guard a shared one with a lock.

**What is seen.** `games` is an array of records without copies, good for reading. A player of seat *s* may look at
`hands[:, s]`, `options[:, s]` and `counts[:, s]`, and at all that lies open:

| field | is |
|---|---|
| `hands` | cards by seat, ascending, then 0 |
| `options`, `counts` | by seat the actions it has, and how many; of a pick in a draft they are `stock` |
| `rows`, `end`, `count`, `sum` | the rows' cards, last cards, numbers of cards and heads |
| `taken`, `totals` | heads by seat of this round, and of earlier ones |
| `round`, `turn` | counted from 0 |
| `phase`, `asked` | 0: everybody chooses a card, 1: seat `asked` a row, 2: it picks a card |
| `played` | this round's cards by turn and seat, so far; 128 more for a card played with the twister |
| `starts` | the cards with which the rows began |
| `mark`, `shows`, `spare` | where fan cards lie, what they show, who has a twister left |
| `logged`, `log` | the placings of the last step: seat, card, row, how (4: full row, 8: low card), heads taken |

`starts`, `mark`, `shows`, `spare` and `stock` are the classic family's. **Bull Baron** has these, and no `played`:

| field | is |
|---|---|
| `rows` | as above, with room for 30 cards each: in one variant a sixth card takes nothing |
| `colours` | bulls by row and colour, in the order of the deck's columns; past six the number may be less |
| `held`, `draw` | by seat, cards in hand and in the draw pile |
| `queue`, `queue_seats` | this turn's cards in the order of placing, and whose they are |
| `placed`, `queued` | how many of these lie already, and how many they are |
| `played_by`, `played_at` | by card, who played it last (counted from 1; 0: nobody in this round), and in which turn |
| `lies` | by card, where all have seen it go: 0 nowhere yet, 1 to 5 into that row, 6 + seat to what it has taken, |
| | 16 + seat under its draw pile (and perhaps into its hand again), 26 not yet placed |
| `logged`, `log` | how: 0 added, 1 sixth card, 2 six of a colour, 3 no colour, 4 under the draw pile (row -1) |

Where bulls are good and nothing fits from the deal on (R-O5) nobody is asked (`phase` is 3): everybody waits, and that
step ends the game without a reward.

In **Beat the Buffalo** the team sees no hand. The buffalo's seat is the one behind the players'; 255 is no seat, row or
kind.

| field | is |
|---|---|
| `options`, `counts` | the team's actions follow one another: `counts` of them, from the first of its `options` on |
| `phase`, `asked` | as above; 4: the team (its number: as many as play) says what it does, 5: a seat swaps |
| `taken`, `sizes` | heads in the team's pile and in the buffalo's, and cards |
| `pile` | a 1 for each card, from 1 on, that lies in the team's |
| `queue`, `queue_seats`, `n_queue` | cards still to be placed, in order, and whose they are |
| `up`, `n_up`, `n_deck` | special cards: the kinds that lie face up, and how many lie face down |
| `used` | by kind, how many of them have left the game |
| `seven`, `stopped` | rows with a 7 takes! and with a Stop!, a bit each |
| `empty`, `n_empty` | rows that wait for a card, in the order in which they are filled |
| `first_card`, `last_card` | what First card and Last card have set, or 0 |
| `passed`, `swapping` | whether the team has passed; who swaps |
| `played` | the cards that were turned up, by turn and seat, the buffalo's last |
| `log` | how besides: 16: into an emptied row, 32: inserted, 64: pushed (by nobody), 128: swapped in (to no row yet) |

Kinds are 7 takes!, Stop!, Swap, Insert, Push, First card, Last card and Sort, from 0. There is one round: there are no
`round` and `totals`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from nimmt_lab.engine.errors import CoreMissing, NotStarted, RulesError, Unsupported
from nimmt_lab.engine.extras import wanted
from nimmt_lab.engine.files import shown
from nimmt_lab.engine.game import Game
from nimmt_lab.engine.rng import Rng, check_seed
from nimmt_lab.native.kernel import STEPS
from nimmt_lab.native.loader import Claim, Memory, core

from .actions import Actions
from .match import Rewards, acting_seats, check_rewards, game_of

with wanted("rl"):
    import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["MOST_GAMES", "VectorEnv"]


S = TypeVar("S", bound="np.generic")

#: More games than anybody's memory should hold.
MOST_GAMES = 1_000_000
#: What a call of the core can be told of.
_MOST_BYTES = (1 << 31) - 1


class VectorEnv:
    """Many games of one kind in step. The game, or its name with its options, as for `parallel_env`."""

    def __init__(self, game: Game | str, *, games: int, rewards: Rewards = "heads", **options: object) -> None:
        self.game = game_of(game, options)
        check_rewards(rewards)
        if isinstance(games, bool) or not isinstance(games, int) or not 1 <= games <= MOST_GAMES:
            raise RulesError("shared.whole_to", option="games", most=MOST_GAMES, got=shown(games))
        steps = STEPS.of(self.game)
        found = core()
        if found is None:
            raise CoreMissing("rl.games_step_need")
        self._core = steps.games(found, self.game, rewards == "win")
        self._dealt = False
        self._claim: Claim = self._core.work.claim
        self.actions_of = Actions(self.game)
        #: Who acts, in the order of the arrays: the players, and behind them a team that decides together.
        self.seats = acting_seats(self.game)
        seats, size = len(self.seats), self._core.size
        # Only this object hands them to the core, and it claims its workspace for that: once is enough.
        self._games, self._actions, self._rewards, self._ends = (
            found.memory(room).share() for room in (games * size, *(games * seats * each for each in (2, 4)), games)
        )
        self._masks: Memory | None = None
        #: What every seat of every game does next: write here, then `step`.
        self.actions: NDArray[np.int16] = _array(self._actions, np.int16).reshape(games, seats)
        #: What every seat of every game got in the last step.
        self.rewards: NDArray[np.float32] = _array(self._rewards, np.float32).reshape(games, seats)
        #: Which games ended in the last step.
        self.ends: NDArray[np.uint8] = _array(self._ends, np.uint8)
        #: The games as they lie, field by field.
        self.games: dict[str, NDArray[np.integer]] = {}
        fields = [(name, np.dtype(code), shape) for name, (code, shape) in self._core.record.items()]
        offsets, at = [], 0
        for _, kind, shape in fields:
            offsets.append(at)
            at += kind.itemsize * int(np.prod(shape, dtype=np.int64))
        records = np.frombuffer(
            # Read-only below numpy, too: `setflags` must not make what the core trusts writable.
            self._games.buffer().toreadonly(),
            np.dtype(
                {
                    "names": [name for name, _, _ in fields],
                    "formats": [(kind, shape) for _, kind, shape in fields],
                    "offsets": offsets,
                    "itemsize": size,
                }
            ),
        )
        for name, (field, stretches) in self._core.parts.items():
            ends = {-1: seats, -2: self.game.players}
            cut = [first if last == first + 1 else slice(first, ends.get(last, last)) for first, last in stretches]
            self.games[name] = records[field][(slice(None), *cut)]

    def reset(self, seed: int = 0) -> None:
        """Deal all games anew, from `seed`, `seed` + 1 …"""
        check_seed(seed)
        with self._claim:
            self._core.start(self._games, seed)
            self._core.work.set("rng", Rng.from_seed(seed, stream=1).state)
            self.rewards[:] = 0
            self.ends[:] = 0
            self._dealt = True

    def _check_dealt(self) -> None:
        if not self._dealt:
            raise NotStarted("rl.not_dealt")

    def sample(self) -> NDArray[np.int16]:
        """Let chance act for everybody: `actions`, each as likely as the others that are allowed."""
        with self._claim:
            self._check_dealt()
            self._core.sample(self._games, self._actions)
        return self.actions

    def masks(self) -> NDArray[np.uint8]:
        """A 1 for each action that is allowed, by game, seat and action; the same array at each call. `options` and
        `counts` of `games` say the same in less memory."""
        with self._claim:
            if self._masks is None:  # where a team has thousands of actions, masks are most of the memory
                room = self.actions.size * self.actions_of.count
                if room > _MOST_BYTES:
                    raise Unsupported(
                        "rl.masks_games_bytes", count=len(self.actions), room=room, most_bytes=_MOST_BYTES
                    )
                self._masks = self._core.work.core.memory(room).share()
            self._check_dealt()
            self._core.masks(self._games, self._masks)
        return _array(self._masks, np.uint8).reshape(*self.actions.shape, self.actions_of.count)

    def step(self, actions: NDArray[np.integer] | None = None) -> tuple[NDArray[np.float32], NDArray[np.uint8]]:
        """Carry out `actions`, or those given: `rewards` and `ends`, which are the same arrays at each call."""
        with self._claim:
            return self._step(actions)

    def _step(self, actions: NDArray[np.integer] | None) -> tuple[NDArray[np.float32], NDArray[np.uint8]]:
        self._check_dealt()
        if actions is not None and actions is not self.actions:
            given = np.asarray(actions)
            if not np.issubdtype(given.dtype, np.integer):
                raise RulesError("rl.actions_whole_numbers", got=given.dtype)
            if given.shape != self.actions.shape:
                raise RulesError("rl.actions_number_per", shape=self.actions.shape, got=given.shape)
            # What does not fit into 16 bits is not allowed either, and must not become something that is.
            np.clip(actions, -1, self.actions_of.count, out=self.actions, casting="unsafe")
        self._core.step(self._games, self._actions, self._rewards, self._ends)
        return self.rewards, self.ends


def _array(memory: Memory, kind: type[S]) -> NDArray[S]:
    return np.frombuffer(memory.buffer(), kind)
