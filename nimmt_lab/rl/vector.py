"""A vectorised environment: thousands of games stepped at once by the compiled core, without copying arrays.

>>> from nimmt_lab.native import core
>>> if core():
...     env = VectorEnv("classic", games=1000, players=4, rounds=1)
...     env.reset(seed=0)
...     for _ in range(100):
...         rewards, ends = env.step(env.sample())  # or an array of your own: a number per game and seat
...     assert rewards.shape == (1000, 4) and env.games["hands"].shape == (1000, 4, 10)

It plays every game of the family: the classic game with its fan cards, advanced mode, Bull Baron, Beat the Buffalo and
the board game.

**Steps.** One step is one decision of the engine: everybody's card, one seat's row, or a team's choice. Actions and
rewards are those of the other environments (`nimmt_lab.rl`). Arrays have a column for each of `seats`: the players,
then a team that decides together. Seats without a decision wait (0). A finished game is replaced at once by the next
deal (EnvPool and Pgx do the same): `ends` is 1 there, and the observation is the first one of the new game. An
illegal action ends its game with -100 for its seat, and `ends` is 2. With `keep_final=True` the finished games are kept
until the next step, and `observe_final` writes what a seat sees of them.

**Observations.** `observe` writes what a seat, or every seat, sees: byte for byte what `Observer.see` makes of its
view, or the compact layout (`nimmt_lab.rl.observe` describes both). `masks` are legal actions as bytes, `bit_masks`
as bits: action *a* is bit *a* mod 64 of word *a* div 64.

>>> if core():
...     seen, compact = env.observe(seat=0), env.observe(seat=0, compact=True)
...     assert seen.shape == (1000, env.observation_size()) and compact.dtype == np.int8
...     assert env.bit_masks(seat=0).shape == (1000, 2) and env.observe().shape[:2] == (1000, 4)

**Opponents.** `opponents` says who plays which seat: a policy of the core by name (`VectorEnv.policies`; `trained`
is a network), a level that searches (`level-6` to `level-8`), any `Bot`, or your own function. A function is called
once for all games in which its seat is asked, with their observations, masks and numbers, and returns their actions.
Levels and bots are far slower, since the engine plays beside the core. `step` advances each game until a seat that is
left to you is asked, or the game ends; rewards add up.

>>> if core():
...     lowest = lambda seen, masks, games: masks.argmax(axis=1)
...     env = VectorEnv("classic", games=8, players=3, rounds=1, opponents={1: "edges-first", 2: lowest})
...     env.reset(seed=0)
...     rewards, ends = env.step(env.sample())
...     assert env.learners == (0,) and env.asked()[:, 0].all()

**Seeds.** After `reset(seed)`, game *i* is the one that the engine deals from `Rng.from_seed(seed, stream=i).state`,
and each game that ends is followed by the next number of the stream. `games["seed"]` has the engine's seed of each
game. Streams overlap only far from their starts: the first 90 million games of the seeds 0 to 999,999 all have
different engine seeds, and so do the first 12 trillion of the seeds 0 to 999. So train on one seed and test on another.

**Copies.** `save` and `load` store all games in mid-play, `fork` copies the environment, and so do `copy.deepcopy`
and pickle. All copies continue in the same way.

An environment serves one thread at a time; concurrent calls raise `InUse`. Create one environment per thread, or
guard a shared one with a lock.

**Fields.** `games` maps fields to read-only arrays. An agent of seat *s* may use `hands[:, s]`, `options[:, s]`,
`counts[:, s]` and everything public:

| field | meaning |
|---|---|
| `hands` | cards by seat, ascending, padded with 0 |
| `options`, `counts` | legal actions by seat, and their number; for a pick in a draft they are in `stock` |
| `rows`, `end`, `count`, `sum` | cards of each row, its last card, number of cards and heads |
| `taken`, `totals` | heads by seat in this round, and in earlier ones |
| `round`, `turn` | counted from 0 |
| `phase`, `asked` | 0: everybody plays a card, 1: seat `asked` chooses a row, 2: it picks a card |
| `played` | cards of this round by turn and seat; plus 128 if played with the twister |
| `starts` | the first cards of the rows |
| `mark`, `shows`, `spare` | position and state of fan cards, and unused twisters |
| `logged`, `log` | placements of the last step: seat, card, row, how (4: full row, 8: low card), heads taken |

`starts`, `mark`, `shows`, `spare` and `stock` belong to the classic family. **Bull Baron** has no `played`, but:

| field | meaning |
|---|---|
| `rows` | as above, with space for 30 cards each: in one variant a sixth card takes nothing |
| `colours` | bulls by row and colour, in the order of the deck's columns; may be too low above six |
| `held`, `draw` | by seat, cards in hand and in the draw pile |
| `queue`, `queue_seats` | cards of this turn in the order of placing, and their seats |
| `placed`, `queued` | how many of them are placed, and how many there are |
| `played_by`, `played_at` | by card, who played it last (from 1; 0: nobody this round), and in which turn |
| `lies` | by card, its public location: 0 unknown, 1 to 5 that row, 6 + seat taken by it, |
| | 16 + seat under its draw pile (perhaps drawn again), 26 not yet placed |
| `logged`, `log` | how: 0 added, 1 sixth card, 2 six of a colour, 3 no colour, 4 under the draw pile (row -1) |

Where bulls are good and nothing fits from the deal on (R-O5) there is no decision (`phase` 3): everybody waits, and the
step ends the game without a reward.

In **Beat the Buffalo** the team sees no hand. The buffalo's seat follows the players'; 255 means no seat, row or kind.

| field | meaning |
|---|---|
| `options`, `counts` | the team's actions are consecutive: `counts` of them from the first of its `options` |
| `phase`, `asked` | as above; 4: the team (its number: that of players) decides, 5: a seat swaps |
| `taken`, `sizes` | heads and cards in the team's pile and in the buffalo's |
| `pile` | 1 for each card, from 1, in the team's pile |
| `queue`, `queue_seats`, `n_queue` | cards waiting to be placed, in order, and their seats |
| `up`, `n_up`, `n_deck` | kinds of face-up special cards, and how many are face down |
| `used` | number of special cards out of the game, by kind |
| `seven`, `stopped` | rows with a 7 takes! and with a Stop!, as bits |
| `empty`, `n_empty` | rows waiting for a card, in the order of filling |
| `first_card`, `last_card` | set by First card and Last card, or 0 |
| `passed`, `swapping` | whether the team has passed; which seat swaps |
| `played` | revealed cards by turn and seat, the buffalo's last |
| `log` | also how: 16 into an emptied row, 32 inserted, 64 pushed (no seat), 128 swapped in (no row yet) |

Kinds are 7 takes!, Stop!, Swap, Insert, Push, First card, Last card and Sort, from 0. There is one round, and no
`round` or `totals`.

The **board game** has no `log`, and 255 or -1 where there is nothing:

| field | meaning |
|---|---|
| `hands`, `piles` | tiles by seat, as sets: tile *t* is bit *t* mod 64 of word *t* div 64 |
| `options`, `counts` | the first legal action by seat, and their number |
| `asked`, `two` | 1: tiles (if `two`, two of them), 2: cards before a tile, 3: luck cards, 4: a row |
| `rows`, `count`, `end`, `sum` | as above, with 0 for an empty field |
| `totals` | points by seat |
| `luck`, `luck_stacks` | luck cards by seat and kind, and those left |
| `actions` | action cards by seat and kind: a seat may look at its own, and at the sums of the others |
| `n_stock`, `n_deck` | tiles and action cards face down |
| `discards`, `n_discards` | action cards played, in order |
| `queue_tile`, `queue_seat`, `n_queue` | tiles to be placed, in order, and their seats |
| `stops` | rows with a Stop! marker, as bits |
| `skips`, `plan_row`, `at_start` | cards played for the next tile: fields to skip, its row, whether at its start |
| `plan_luck`, `plan_tiles`, `n_plan_tiles` | the luck card played for it, and the tiles whose heads count plus |
| `owed_seat`, `owed` | who draws luck cards now, and how many |
| `starting` | the row that the next tile has taken |
| `played` | by seat and tile, 1 more than the turn of this round in which it was played |
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Mapping
from copy import deepcopy
from math import prod
from typing import TYPE_CHECKING, Any, SupportsIndex, TypeVar

from nimmt_lab.engine.cards import Seat
from nimmt_lab.engine.errors import CoreMissing, DataError, NotStarted, RulesError, Unsupported
from nimmt_lab.engine.extras import wanted
from nimmt_lab.engine.files import parse_json, shown
from nimmt_lab.engine.game import Game
from nimmt_lab.engine.rng import Rng
from nimmt_lab.native.games import Call
from nimmt_lab.native.kernel import STEPS
from nimmt_lab.native.loader import Claim, Memory, core

from .actions import Actions
from .match import Rewards, acting_seats, check_rewards, game_of, seed_of
from .observe import Observer

with wanted("rl"):
    import numpy as np

    from .opponents import Opponent, Opponents

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["MOST_GAMES", "VectorEnv"]

S = TypeVar("S", bound="np.generic")

MOST_GAMES = 1_000_000
#: Largest array that the core accepts.
_MOST_BYTES = (1 << 31) - 1
#: The stream of a seed from which `sample` draws.
_SAMPLES = (1 << 64) - 1
#: First line of saved games.
_MAGIC = b"nimmt_lab.rl.VectorEnv 1\n"


class VectorEnv:
    """Many games of one kind, stepped together. Takes a game, or a name and options, like `parallel_env`."""

    def __init__(
        self,
        game: Game | str,
        *,
        games: int,
        rewards: Rewards = "heads",
        opponents: Mapping[Seat, Opponent] | None = None,
        keep_final: bool = False,
        **options: object,
    ) -> None:
        self.game = game_of(game, options)
        check_rewards(rewards)
        if isinstance(games, bool) or not isinstance(games, int) or not 1 <= games <= MOST_GAMES:
            raise RulesError("shared.whole_to", option="games", most=MOST_GAMES, got=shown(games))
        steps = STEPS.of(self.game)
        native = core()
        if native is None:
            raise CoreMissing("rl.games_step_need")
        self._core = steps.games(native, self.game, rewards == "win")
        self._rewards_are: Rewards = rewards
        self._dealt = False
        self._claim: Claim = self._core.work.claim
        self.actions_of = Actions(self.game)
        self.observer = Observer(self.game)
        #: Policies that the core can play for opponents.
        self.policies = tuple(self._core.policies)
        #: Acting seats in the order of the arrays: the players, then a team that decides together.
        self.seats = acting_seats(self.game)
        seats, size = len(self.seats), self._core.record.size
        # Shared once: only this object passes them to the core, and it claims its workspace to do so.
        self._games, self._actions, self._rewards, self._ends = (
            native.memory(room).share() for room in (games * size, *(games * seats * each for each in (2, 4)), games)
        )
        #: Games that ended in the last step, each in its own place; None if they are not kept.
        self._finals = native.memory(games * size).share() if keep_final else None
        self._kept = False
        self._arrays: dict[tuple[str, Seat | None], tuple[Memory, NDArray[Any]]] = {}
        #: Calls that write to these arrays.
        self._looks: dict[tuple[str, Seat | None], tuple[Call, NDArray[Any]]] = {}
        self._sample = self._core.bound_sample(self._games, self._actions)
        self._step = self._core.bound_step(self._games, self._actions, self._rewards, self._ends, finals=self._finals)
        #: The next action of every seat in every game: write here, then call `step`.
        self.actions: NDArray[np.int16] = _array(self._actions, np.int16).reshape(games, seats)
        #: Rewards of the last step.
        self.rewards: NDArray[np.float32] = _array(self._rewards, np.float32).reshape(games, seats)
        #: Games that ended in the last step.
        self.ends: NDArray[np.uint8] = _array(self._ends, np.uint8)
        #: State of the games, by field.
        self.games: dict[str, NDArray[np.integer]] = {}
        fields = self._core.record.fields
        layout = np.dtype(
            {
                "names": list(fields),
                "formats": [(np.dtype(field.code), field.shape) for field in fields.values()],
                "offsets": [field.offset for field in fields.values()],
                "itemsize": size,
            }
        )
        # Read-only below numpy, so that `setflags` cannot make memory writable that the core trusts.
        records = np.frombuffer(self._games.buffer().toreadonly(), layout)
        ends = {-1: seats, -2: self.game.players}
        for name, (field, stretches) in self._core.parts.items():
            cut = [slice(first, ends.get(last, last)) for first, last in stretches]
            self.games[name] = records[field][(slice(None), *cut)]
        self._first_option = records["options"][:, :seats, 0]
        self._opponents = Opponents(self._core, self.game, self.seats, games, {} if opponents is None else opponents)
        #: The seats that are left to you.
        self.learners = self._opponents.learners

    def __repr__(self) -> str:
        return f"<VectorEnv: {len(self.ends):,} games of {self.game!r}, learners {self.learners}>"

    # Dealing and stepping ---------------------------------------------------------------------------------

    def reset(self, seed: SupportsIndex = 0) -> None:
        """Deal all games: the first ones of that seed's stream."""
        number = seed_of(seed)
        with self._claim:
            self._core.start(self._games, Rng.key(number))
            self._core.work.set("rng", Rng.from_seed(number, stream=_SAMPLES).state)
            self.rewards[:] = 0
            self.ends[:] = 0
            self._dealt = self._kept = True
            if self._opponents:
                self._opponents.deal(self, None)

    def _check_dealt(self) -> None:
        if not self._dealt:
            raise NotStarted("rl.not_dealt")

    def sample(self) -> NDArray[np.int16]:
        """Fill `actions` with uniform random legal actions."""
        with self._claim:
            self._check_dealt()
            self._sample()
        return self.actions

    def asked(self) -> NDArray[np.bool_]:
        """By game and seat, whether the seat has a decision."""
        self._check_dealt()
        asked: NDArray[np.bool_] = self._first_option != 0
        return asked

    def step(self, actions: NDArray[np.integer] | None = None) -> tuple[NDArray[np.float32], NDArray[np.uint8]]:
        """Apply `actions`, or those given, and return `rewards` and `ends`, which are always the same arrays.
        Opponents' columns are overwritten."""
        with self._claim:
            self._check_dealt()
            if actions is not None and actions is not self.actions:
                given = np.asarray(actions)
                if not np.issubdtype(given.dtype, np.integer):
                    raise RulesError("rl.actions_whole_numbers", got=given.dtype)
                if given.shape != self.actions.shape:
                    raise RulesError("rl.actions_number_per", shape=self.actions.shape, got=given.shape)
                # Numbers beyond 16 bits must stay illegal instead of wrapping around.
                np.clip(given, -1, self.actions_of.count, out=self.actions, casting="unsafe")
            if self._opponents:
                self._opponents.step(self)
            else:
                self._step()
            self._kept = True
            return self.rewards, self.ends

    # Observing -------------------------------------------------------------------------------------------

    def observation_size(self, *, compact: bool = False) -> int:
        """Length of an observation."""
        return len(self.observer.compact_scale) if compact else self.observer.size

    def observation_layout(self, *, compact: bool = False) -> dict[str, slice]:
        """Position of each part of an observation."""
        return dict(self.observer.compact_layout if compact else self.observer.layout)

    def observation_scale(self) -> NDArray[np.float32]:
        """What compact observations are multiplied by to be fractions."""
        return np.array(self.observer.compact_scale, np.float32)

    def observe(
        self, seat: Seat | None = None, out: NDArray[Any] | None = None, *, compact: bool = False
    ) -> NDArray[Any]:
        """What a seat sees, by game, or what every seat sees, by game and seat: 32-bit floats, or bytes if `compact`.
        They are written to `out`, or always to the same array."""
        return self._look("compact observations" if compact else "observations", seat, out)

    def observe_final(self, seat: Seat | None = None, *, compact: bool = False) -> NDArray[Any]:
        """What a seat, or every seat, sees at the end of the games that the last step finished: those with a number in
        `ends`, in their order. After an illegal action, the table as it was, marked as over. Needs `keep_final`."""
        kind: type[np.generic] = np.int8 if compact else np.float32
        with self._claim:
            self._check_dealt()
            if self._finals is None or not self._kept:
                raise NotStarted("rl.no_finals")
            first, last = self._columns(seat)
            native, size = self._core.work.core, self._core.record.size
            ended = np.flatnonzero(self.ends)
            seen = np.zeros((len(ended), last - first, self.observation_size(compact=compact)), kind)
            if len(ended):
                records = native.memory(len(ended) * size)
                records.put(0, _array(self._finals, np.uint8).reshape(-1, size)[ended].tobytes())
                self._core.bound_observe(records, native.lend(seen.data), (first, last), compact=compact)()
                seen[self.ends[ended] == 2, :, self.observation_layout(compact=compact)["table"].start + 3] = 1
        return seen if seat is None else seen[:, 0]

    def masks(self, seat: Seat | None = None, out: NDArray[Any] | None = None) -> NDArray[np.uint8]:
        """Legal actions as zeros and ones by game, seat and action; always the same array, or `out`. `bit_masks`, and
        `options` and `counts` in `games`, need less memory."""
        return self._look("masks", seat, out)

    def bit_masks(self, seat: Seat | None = None, out: NDArray[Any] | None = None) -> NDArray[np.uint64]:
        """Legal actions as sets of bits: action *a* is bit *a* mod 64 of word *a* div 64."""
        return self._look("bit masks", seat, out)

    def _look(self, what: str, seat: Seat | None, out: NDArray[Any] | None) -> NDArray[Any]:
        """Let the core write an array: the caller's, or always the same."""
        with self._claim:
            self._check_dealt()
            # True is not a seat, but finds the entry of seat 1.
            known = self._looks.get((what, seat)) if out is None and (seat is None or type(seat) is int) else None
            look, array = known or self._prepared(what, seat, out)
            look()
        return array

    def _prepared(self, what: str, seat: Seat | None, out: NDArray[Any] | None) -> tuple[Call, NDArray[Any]]:
        columns, games = self._columns(seat), self._games
        sizes: dict[str, tuple[int, type[np.generic]]] = {
            "observations": (self.observation_size(), np.float32),
            "compact observations": (self.observation_size(compact=True), np.int8),
            "masks": (self.actions_of.count, np.uint8),
            "bit masks": (-(-self.actions_of.count // 64), np.uint64),
        }
        into, array = self._room(what, seat, *sizes[what], out)
        if what.endswith("masks"):
            look = self._core.bound_masks(games, into, columns, packed=what == "bit masks")
        else:
            look = self._core.bound_observe(games, into, columns, compact=what == "compact observations")
        if out is None:
            self._looks[what, seat] = look, array
        return look, array

    def _columns(self, seat: Seat | None) -> tuple[int, int]:
        """First and last + 1 of the columns that are meant."""
        if seat is None:
            return 0, len(self.seats)
        column = self.column(seat)
        return column, column + 1

    def column(self, seat: Seat) -> int:
        """The column of a seat in the arrays; that of a team is the last."""
        if isinstance(seat, bool) or seat not in self.seats:
            known = ", ".join(map(str, self.seats))
            raise RulesError("rl.no_seat", known=known, got=shown(seat))
        return self.seats.index(seat)

    def _room(
        self, what: str, seat: Seat | None, each: int, kind: type[np.generic], out: NDArray[Any] | None
    ) -> tuple[Memory, NDArray[Any]]:
        """Memory for an array by game, seat (if all are meant) and `each`: the caller's, or always the same."""
        key = what, seat
        if out is None and key in self._arrays:
            return self._arrays[key]
        shape = (len(self.ends), *([len(self.seats)] if seat is None else []), each)
        room = prod(shape) * np.dtype(kind).itemsize
        if room > _MOST_BYTES:
            count = len(self.actions)
            raise Unsupported("rl.array_games_bytes", what=what, count=count, room=room, most_bytes=_MOST_BYTES)
        if out is not None:
            if not isinstance(out, np.ndarray):
                raise RulesError("rl.array_must_be", kind=np.dtype(kind).name, shape=shape, got=shown(out))
            right = out.dtype == kind and out.shape == shape
            if not right or not out.flags.c_contiguous or not out.flags.writeable or not out.flags.aligned:
                kind_name, got = np.dtype(kind).name, f"{out.dtype} {out.shape}"
                raise RulesError("rl.array_must_be", kind=kind_name, shape=shape, got=got)
            return self._core.work.core.lend(out.data), out
        memory = self._core.work.core.memory(room).share()
        self._arrays[key] = memory, _array(memory, kind).reshape(shape)
        return self._arrays[key]

    # Copying ---------------------------------------------------------------------------------------------

    def save(self) -> bytes:
        """All games in mid-play, for `load`."""
        with self._claim:
            self._check_dealt()
            parts = [self._games.get(0, self._games.size), self.rewards.tobytes(), self.ends.tobytes()]
            body = b"".join((*parts, *self._opponents.save()))
            about = {
                **self._about(),
                **{name: self._core.work.one(name) for name in ("key", "first", "rng")},
                "check": zlib.crc32(body),
            }
        return _MAGIC + json.dumps(about).encode() + b"\n" + zlib.compress(body, 1)

    def load(self, data: bytes) -> None:
        """Continue from saved games. The environment must be of the same kind and size; otherwise a `DataError` says
        what differs, and nothing changes."""
        about, body = _opened(data)
        for name, here in self._about().items():
            if about.get(name) != here:
                raise DataError("rl.saved_differs", what=name, here=shown(here), got=shown(about.get(name)))
        if zlib.crc32(body) != about.get("check"):
            raise DataError("rl.saved_damaged")
        size, rewards = self._games.size, self.rewards.nbytes
        ends = size + rewards + len(self.ends)
        with self._claim:
            copy = self._core.work.core.memory(size)
            stream = [about.get(name) for name in ("key", "first", "rng")]
            if len(body) < ends or not all(type(part) is int and 0 <= part < 1 << 64 for part in stream):
                raise DataError("rl.saved_damaged")
            copy.put(0, body[:size])
            if not self._core.check(copy):
                raise DataError("rl.saved_damaged")
            self._opponents.load(body[ends:], copy.get(0, size))
            self._games.put(0, body[:size])
            self.rewards[:] = np.frombuffer(body[size : size + rewards], np.float32).reshape(self.rewards.shape)
            self.ends[:] = np.frombuffer(body[size + rewards : ends], np.uint8)
            for name, value in zip(("key", "first", "rng"), stream, strict=True):
                assert isinstance(value, int)
                self._core.work.set(name, value)
            self._dealt, self._kept = True, False
            self._opponents.loaded(self)

    def _about(self) -> dict[str, object]:
        """What two environments must have in common for one to load the other's games."""
        layout = repr((self._core.record.size, sorted(self._core.record.fields.items())))
        return {
            "game": self.game.to_json(),
            "games": len(self.ends),
            "rewards": self._rewards_are,
            "opponents": self._opponents.kinds,
            "layout": zlib.crc32(layout.encode()),
        }

    def fork(self) -> VectorEnv:
        """An independent copy that continues in the same way; it shares opponents that are functions."""
        return self._copied(self._opponents.given)

    def _copied(self, opponents: Mapping[Seat, Opponent]) -> VectorEnv:
        copy = VectorEnv(
            self.game,
            games=len(self.ends),
            rewards=self._rewards_are,
            opponents=opponents,
            keep_final=self._finals is not None,
        )
        if self._dealt:
            copy.load(self.save())
        return copy

    def __deepcopy__(self, memo: dict[int, object]) -> VectorEnv:
        return self._copied(deepcopy(self._opponents.given, memo))

    def __getstate__(self) -> dict[str, object]:
        return {
            "game": self.game,
            "games": len(self.ends),
            "rewards": self._rewards_are,
            "opponents": self._opponents.given,
            "keep_final": self._finals is not None,
            "saved": self.save() if self._dealt else None,
        }

    def __setstate__(self, state: dict[str, object]) -> None:
        saved = state.pop("saved")
        self.__init__(**state)  # type: ignore[misc]
        if isinstance(saved, bytes):
            self.load(saved)


def _opened(data: bytes) -> tuple[dict[str, object], bytes]:
    """The description and the contents of saved games."""
    if not isinstance(data, (bytes, bytearray, memoryview)):
        raise DataError("rl.saved_not_bytes", got=shown(data))
    line, _, packed = bytes(data).removeprefix(_MAGIC).partition(b"\n")
    try:
        if not bytes(data).startswith(_MAGIC):
            raise DataError("rl.saved_damaged")
        about = parse_json(line.decode(), error=DataError)
        body = zlib.decompressobj().decompress(packed, _MOST_BYTES)
    except (ValueError, zlib.error) as error:
        raise DataError("rl.saved_damaged") from error
    if not isinstance(about, dict):
        raise DataError("rl.saved_damaged")
    return about, body


def _array(memory: Memory, kind: type[S]) -> NDArray[S]:
    return np.frombuffer(memory.buffer(), kind)
