"""Observations, opponents, seeds and copies of vectorised games, for every chapter."""

from __future__ import annotations

import copy
import pickle
import threading
from collections.abc import Iterable
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from nimmt_lab import Advanced, Baron, BoardGame, Buffalo, Classic, Game
from nimmt_lab.bots import Bot, bot
from nimmt_lab.engine.cards import TEAM
from nimmt_lab.engine.decisions import Choice, PickCard
from nimmt_lab.engine.errors import DataError, InUse, NotInHand, NotStarted, RulesError, Unsupported
from nimmt_lab.engine.rng import _GAMMA, Rng, _mix
from nimmt_lab.engine.view import View
from nimmt_lab.games.board_game.policy import sensible
from nimmt_lab.rl import vector
from nimmt_lab.rl.gym import SeatEnv
from nimmt_lab.rl.match import Match
from nimmt_lab.rl.vector import VectorEnv
from tests.support import refused

pytestmark = pytest.mark.native
_DOCS = Path(__file__).resolve().parents[2] / "docs"
TRAIN, START = ((_DOCS / name).read_text(encoding="utf-8") for name in ("train.md", "start/researcher.md"))

GAMES: dict[str, Game] = {
    "classic": Classic(players=4, rounds=1),
    "fan cards": Classic(players=3, rounds=2, fan_cards=("mountain", "number_twister"), combine_fan_cards=True),
    "advanced": Advanced(players=3, rounds=1),
    "baron": Baron(players=3),
    "buffalo": Buffalo(players=3),
    "board": BoardGame(players=3, mode="advanced", luck=True),
}


def first_legal(seen: NDArray[np.float32], masks: NDArray[np.uint8], games: NDArray[np.intp]) -> NDArray[np.intp]:
    assert len(seen) == len(masks) == len(games)
    return np.asarray(masks.argmax(axis=1))


def played(env: VectorEnv, steps: int) -> Iterable[tuple[bytes, ...]]:
    """Everything that an environment shows during random play."""
    for _ in range(steps):
        seen = env.observe(compact=True).tobytes()
        actions = env.sample().tobytes()
        yield (seen, actions, *(part.tobytes() for part in env.step()), env.games["seed"].tobytes())


# Seeds ---------------------------------------------------------------------------------------------------


def mixed(numbers: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """SplitMix64's output function."""
    numbers = (numbers ^ (numbers >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    numbers = (numbers ^ (numbers >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return numbers ^ (numbers >> np.uint64(31))


def test_streams_of_a_thousand_seeds_have_different_engine_seeds() -> None:
    keys = np.array([Rng.key(seed) for seed in range(1000)], np.uint64)
    with np.errstate(over="ignore"):
        seeds = mixed(keys[:, None] + np.arange(1000, dtype=np.uint64) * np.uint64(_GAMMA))
    assert int(seeds[3, 7]) == Rng.from_seed(3, 7).state and np.unique(seeds).size == 1_000_000


@pytest.mark.parametrize(
    ("seeds", "games", "claims"),
    [
        (1000, 12 * 10**12, {vector.__doc__: "12 trillion of the seeds 0 to 999", TRAIN: "first 12 trillion games"}),
        (10**6, 90 * 10**6, dict.fromkeys([vector.__doc__, START], "first 90 million games of the seeds 0 to 999,999")),
    ],
)
def test_how_far_streams_of_seeds_are_apart(seeds: int, games: int, claims: dict[str, str]) -> None:
    """Game *i* of a seed is at place key / gamma + i of one circle of 2**64 numbers, and the output function is a
    bijection. So two streams of `games` games share an engine seed only if their starts are closer than that."""
    keys = mixed(np.arange(seeds, dtype=np.uint64) + np.uint64(_GAMMA))
    assert [int(key) for key in keys[:20]] == [Rng.key(seed) for seed in range(20)]
    inverse = pow(_GAMMA, -1, 1 << 64)
    assert inverse * _GAMMA % (1 << 64) == 1
    with np.errstate(over="ignore"):
        starts = np.sort(keys * np.uint64(inverse))
        apart = np.diff(starts, append=starts[:1])
    assert games <= apart.min() < 2 * games
    for text, claim in claims.items():
        assert claim in " ".join(text.split())


def test_the_output_function_is_a_bijection() -> None:
    """Each of its steps can be reversed: multiplication by an odd number, and a shift combined by exclusive or."""

    def unshifted(number: int, by: int) -> int:
        result = number
        for _ in range(64 // by + 1):
            result = number ^ (result >> by)
        return result

    for at in range(1000):
        number = z = Rng.from_seed(5, at).state
        z = unshifted(_mix(z), 31) * pow(0x94D049BB133111EB, -1, 1 << 64) % (1 << 64)
        z = unshifted(z, 27) * pow(0xBF58476D1CE4E5B9, -1, 1 << 64) % (1 << 64)
        assert unshifted(z, 30) == number


@pytest.mark.parametrize("name", GAMES)
def test_a_game_is_dealt_from_its_seed(name: str) -> None:
    env = VectorEnv(GAMES[name], games=40)
    dealt = set()
    for seed in (0, 1, 2**64 - 1):
        env.reset(seed)
        for at in range(40):
            engine = int(env.games["seed"][at])
            assert engine == Rng.from_seed(seed, at).state
            if name != "advanced":  # a draft starts without hands
                dealt.add(env.games["hands"][at].tobytes() + env.games["rows"][at].tobytes())
        match = Match(env.game)
        match.start(int(env.games["seed"][7]))
        assert env.observe(0)[7].tobytes() == match.observe(0).tobytes()
    assert len(dealt) == (0 if name == "advanced" else 120)


# Observations --------------------------------------------------------------------------------------------


def seen_by(env: VectorEnv, seat: int) -> list[bytes]:
    """Everything that a seat is shown."""
    shown = env.observe(seat), env.observe(seat, compact=True), env.masks(seat), env.bit_masks(seat)
    return [array.tobytes() for array in shown]


def records_of(env: VectorEnv) -> NDArray[np.void]:
    """The games themselves, hidden cards included, writable."""
    fields = env._core.record.fields
    layout = {
        "names": list(fields),
        "formats": [(np.dtype(field.code), field.shape) for field in fields.values()],
        "offsets": [field.offset for field in fields.values()],
        "itemsize": env._core.record.size,
    }
    kind: np.dtype[np.void] = np.dtype(layout)  # type: ignore[call-overload]
    return np.frombuffer(env._games.buffer(), kind)


def reshuffle(env: VectorEnv, one: int, two: int) -> None:
    """Turn face-down stacks over. Where two seats hold as many cards, they exchange what is hidden."""
    records = records_of(env)
    fields = set(records.dtype.names or ())
    same = np.ones(len(records), bool)
    for name in fields & {"held", "size", "counts", "spare"}:
        same &= records[name][:, one] == records[name][:, two]
    if "luck_held" in fields:  # the board game: sets of tiles, and numbers of action cards, while everybody chooses
        same &= records["asked"] == 1
        tiles = [
            [bin(int(low)).count("1") + bin(int(high)).count("1") for low, high in hands] for hands in records["hands"]
        ]
        same &= np.array(tiles)[:, one] == np.array(tiles)[:, two]
        same &= records["actions"].sum(axis=2)[:, one] == records["actions"].sum(axis=2)[:, two]
    for name in ("hand", "hands", "in_hand", "pile", "start", "options", "actions"):
        if name in fields and records[name].ndim > 1 and records[name].shape[1] < 20:
            for at in np.flatnonzero(same).tolist():
                records[name][at, [one, two]] = records[name][at, [two, one]].copy()
    for name, count in (("stock", "n_stock"), ("deck", "n_deck"), ("cards", "n_cards")):
        for at in range(len(records)) if count in fields else ():
            stack = records[name][at, : records[count][at]]
            stack[:] = stack[::-1].copy()


@pytest.mark.parametrize("name", [name for name in GAMES if name != "advanced"])
def test_hidden_cards_do_not_change_what_a_seat_sees(name: str) -> None:
    env = VectorEnv(GAMES[name], games=30)
    env.reset(seed=4)
    changed = 0
    for _ in range(8):
        kept = env._games.get(0, env._games.size)
        for seat in env.seats:
            one, two = [other for other in range(env.game.players) if other != seat][:2]
            before, theirs = seen_by(env, seat), seen_by(env, one)
            reshuffle(env, one, two)
            assert env._core.check(env._games)
            assert seen_by(env, seat) == before
            changed += seen_by(env, one) != theirs
            env._games.put(0, kept)
        env.step(env.sample())
    assert changed > 4


def test_observations_go_to_the_callers_array() -> None:
    env = VectorEnv("classic", games=5, players=3)
    with refused(NotStarted, "rl.not_dealt"):
        env.observe()
    env.reset(seed=1)
    out = np.full((5, 3, env.observation_size()), 7, np.float32)
    assert env.observe(out=out) is out and (out == env.observe()).all()
    assert env.observe() is not out and np.shares_memory(env.observe(1), env.observe(1))
    small = np.zeros((5, env.observation_size(compact=True)), np.int8)
    assert env.observe(2, small, compact=True) is small and small.any()
    bits = np.zeros((5, 2), np.uint64)
    assert env.bit_masks(0, bits) is bits and bits.any() and env.masks(0, np.zeros((5, 109), np.uint8)).any()
    for wrong in (
        np.zeros((5, 3), np.float32),
        out.astype(np.float64),
        out[::-1],
        np.zeros((3, 5, out.shape[2]), np.float32),
    ):
        with refused(RulesError, "rl.array_must_be"):
            env.observe(out=wrong)
    out.setflags(write=False)
    with refused(RulesError, "rl.array_must_be"):
        env.observe(out=out)
    for seat in (3, -1, True):
        with refused(RulesError, "rl.no_seat", known="0, 1, 2"):
            env.observe(seat)


@pytest.mark.parametrize("name", GAMES)
def test_compact_numbers_times_their_scale_are_fractions(name: str) -> None:
    env = VectorEnv(GAMES[name], games=20)
    env.reset(seed=2)
    shared = ("hand", "unseen", "seats", "piles", "beside")
    for _ in range(10):
        full, scaled = env.observe(), env.observe(compact=True) * env.observation_scale()
        for part in shared:
            here, there = env.observation_layout()[part], env.observation_layout(compact=True)[part]
            assert np.allclose(full[..., here], scaled[..., there], atol=1e-6)
        assert np.abs(scaled).max() <= 24  # turns of a long game, in multiples of a usual one
        env.step(env.sample())


# Opponents -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("policy", ["lowest", "highest", "closest-safe", "edges-first", "trained"])
@pytest.mark.parametrize("name", [name for name in GAMES if name != "board"])
def test_a_policy_in_the_core_plays_as_the_bot_of_its_name(name: str, policy: str) -> None:
    """The engine's bot answers the same; only its picks in a draft are random, and equally good cards of one policy."""
    env = VectorEnv(GAMES[name], games=6)
    if policy not in env.policies:
        assert policy == "trained" and name not in ("classic", "advanced")
        return
    player, columns = bot(policy), {1, len(env.seats) - 1}
    active = env._core.work.core.memory(6)
    active.write("B", [1] * 6)
    for column in columns:
        env._core.set_policy(column, policy)
    env.reset(seed=3)
    matches = [Match(env.game) for _ in env.ends]
    for at, match in enumerate(matches):
        match.start(int(env.games["seed"][at]))
    answers: list[bool] = []
    for _ in range(60 if name == "advanced" else 20):
        env.sample()
        env._core.bound_choose(env._games, env._actions, active, sum(1 << column for column in columns))()
        for at, match in enumerate(matches):
            for column in columns:
                decision = match.state.pending.get(env.seats[column])
                if decision is not None and not isinstance(decision, PickCard):
                    choice = player.choose(match.state.view(env.seats[column]), Rng.from_seed(1))
                    answers.append(match.actions.number(decision, choice) == env.actions[at, column])
        actions = env.actions.copy()
        env.step()
        for at, match in enumerate(matches):
            match.step({seat: int(actions[at, column]) for column, seat in enumerate(match.seats)})
            if match.is_over:
                match.start(int(env.games["seed"][at]))
    assert len(answers) > 60 and sum(answers) >= (0.95 if policy == "edges-first" else 1) * len(answers)


@pytest.mark.parametrize(("mode", "luck"), [("basic", True), ("advanced", True)])
def test_the_sensible_policy_plays_the_board_game_as_in_the_engine(mode: str, luck: bool) -> None:
    env = VectorEnv(BoardGame(players=3, mode=mode, luck=luck), games=4)
    active = env._core.work.core.memory(4)
    active.write("B", [1] * 4)
    env._core.set_policy(2, "sensible")
    env.reset(seed=5)
    matches = [Match(env.game) for _ in env.ends]
    for at, match in enumerate(matches):
        match.start(int(env.games["seed"][at]))
    asked = 0
    for _ in range(50):
        env.sample()
        env._core.bound_choose(env._games, env._actions, active, 1 << 2)()
        actions = env.actions.copy()
        for at, match in enumerate(matches):
            decision = match.state.pending.get(2)
            if decision is not None:
                asked += 1
                wanted = sensible(match.state.view(2), 2, decision)
                assert wanted is not None and match.actions.number(decision, wanted) == actions[at, 2]
        env.step()
        for at, match in enumerate(matches):
            match.step({seat: int(actions[at, seat]) for seat in range(3)})
            if match.is_over:
                match.start(int(env.games["seed"][at]))
    assert asked > 60


@pytest.mark.parametrize("name", GAMES)
def test_a_step_lasts_until_a_learner_is_asked(name: str) -> None:
    game = GAMES[name]
    calls = 0

    def counted(seen: NDArray[np.float32], masks: NDArray[np.uint8], games: NDArray[np.intp]) -> NDArray[np.intp]:
        nonlocal calls
        calls += 1
        return first_legal(seen, masks, games)

    env = VectorEnv(game, games=50, opponents={1: "closest-safe", 2: counted})
    alone = VectorEnv(game, games=50)
    assert env.learners == tuple(seat for seat in env.seats if seat not in (1, 2))
    env.reset(seed=6)
    columns = [env.column(seat) for seat in env.learners]
    ended, gained = 0, np.zeros(len(env.seats))
    for _ in range(60):
        assert env.asked()[:, columns].any(axis=1).all()
        rewards, ends = env.step(env.sample())
        assert not (ends == 2).any()
        ended += int((ends == 1).sum())
        gained += rewards.sum(axis=0)
    assert ended > 5 and calls and gained.any()
    alone.reset(seed=6)
    assert set(env.games["seed"].tolist()) != set(alone.games["seed"].tolist())


def test_rewards_of_several_steps_add_up() -> None:
    """The heads that seat A takes in whole games against lowest cards equal those of its engine games."""
    game = Classic(players=3, rounds=1)
    env = VectorEnv(game, games=4, opponents={1: "lowest", 2: first_legal})
    env.reset(seed=2)
    match, seeds, sums = Match(game), env.games["seed"].copy(), np.zeros((4, 3))
    done: dict[int, NDArray[np.float64]] = {}
    while len(done) < 4:
        rewards, ends = env.step(env.masks().argmax(axis=2))
        sums += rewards
        for at in np.flatnonzero(ends).tolist():
            done.setdefault(at, sums[at].copy())
    for at, total in done.items():
        match.start(int(seeds[at]))
        while not match.is_over:
            state = match.state
            low = bot("lowest")
            chosen = {seat: match.allowed(seat)[0] for seat in match.asked if seat != 1}
            if 1 in match.asked:
                decision = state.pending[1]
                chosen[1] = match.actions.number(decision, low.choose(state.view(1), Rng.from_seed(0)))
            match.step(chosen)
        assert total.tolist() == [match.gained[seat] for seat in range(3)]


def test_a_level_that_searches_plays_a_seat() -> None:
    env = VectorEnv("classic", games=2, players=2, rounds=1, opponents={1: "level-6"})
    env.reset(seed=1)
    for _ in range(4):
        assert not (env.step(env.sample())[1] == 2).any()
    other = env.fork()
    assert [list(played(env, 3))] == [list(played(other, 3))]


class _Middle(Bot):
    """Takes the option in the middle of its list."""

    def choose(self, view: View, rng: Rng) -> Choice:
        assert view.decision is not None
        return view.decision.options[len(view.decision.options) // 2]


class _Wrong(Bot):
    def choose(self, view: View, rng: Rng) -> Choice:
        return 999


def test_a_bot_that_breaks_the_rules_is_named() -> None:
    env = VectorEnv("classic", games=2, players=2, rounds=1, opponents={1: _Wrong()})
    env.reset(seed=1)
    with refused(NotInHand, "engine.cannot_play", who="B"):
        env.step(env.sample())
    alone = SeatEnv("classic", players=2, rounds=1, opponents=_Wrong())
    _, info = alone.reset(seed=1)
    with refused(NotInHand, "engine.cannot_play", who="B"):
        alone.step(int(np.argmax(info["action_mask"])))  # type: ignore[call-overload]
    assert repr(env) == "<VectorEnv: 2 games of Classic(players=2, rounds=1), learners (0,)>"


class _Duck:
    """Not a `Bot`, but with its method."""

    choose = _Middle.choose


@pytest.mark.parametrize("name", GAMES)
def test_any_bot_plays_a_seat_as_in_the_engine(name: str) -> None:
    """Two bots and a learner who always plays the first legal action produce the engine's games."""
    game = GAMES[name]
    env = VectorEnv(game, games=3, opponents={0: _Middle(), 2: _Duck()})  # type: ignore[dict-item]
    assert env.learners == tuple(seat for seat in env.seats if seat not in (0, 2))
    env.reset(seed=4)
    matches = [Match(game) for _ in env.ends]

    def turn(match: Match) -> None:
        """Everybody's decision in the engine."""
        chosen = {seat: match.allowed(seat)[0] for seat in match.asked}
        for seat in {0, 2} & set(match.asked):
            options = match.state.pending[seat].options
            chosen[seat] = match.actions.number(match.state.pending[seat], options[len(options) // 2])
        match.step(chosen)

    def compare() -> None:
        for at, match in enumerate(matches):
            while not set(match.asked) & set(env.learners):
                turn(match)
            for seat in env.seats:
                assert env.observe(seat)[at].tobytes() == match.observe(seat).tobytes()

    for at, match in enumerate(matches):
        match.start(int(env.games["seed"][at]))
    compare()
    steps = 0
    while not env.step(env.masks().argmax(axis=2))[1].any() and steps < 9:
        for match in matches:
            turn(match)
        compare()
        steps += 1
    assert steps >= 3
    other = pickle.loads(pickle.dumps(env)) if name == "classic" else env.fork()
    assert list(played(env, 3)) == list(played(other, 3))


def test_unknown_opponents_are_refused_by_name() -> None:
    for wrong in ("odds", "level-3", "nobody"):
        with refused(Unsupported, "rl.no_opponent", name=repr(wrong), game="classic"):
            VectorEnv("classic", games=1, players=2, opponents={1: wrong})
    with refused(RulesError, "rl.no_learner"):
        VectorEnv("classic", games=1, players=2, opponents={0: "random", 1: "random"})
    with refused(RulesError, "rl.no_seat", known="0, 1", got="2"):
        VectorEnv("classic", games=1, players=2, opponents={2: "random"})
    env = VectorEnv("classic", games=3, players=2, opponents={1: lambda seen, masks, games: games[:2]})
    env.reset()
    with refused(RulesError, "rl.function_actions", who="B", count=3):
        env.step(env.sample())


def test_a_team_is_a_seat() -> None:
    env = VectorEnv("buffalo", games=30, players=3, opponents={0: "least-risk", 1: "least-risk", 2: "edges-first"})
    env.reset(seed=1)
    assert env.learners == (TEAM,)
    for _ in range(40):
        assert env.asked()[:, -1].all()
        env.step(env.sample())
    lone = VectorEnv("buffalo", games=4, players=1, opponents={0: "lowest"})
    lone.reset(seed=1)  # this team never has a decision: a step is a game
    assert lone.step(lone.sample())[1].all()


# Copies --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", GAMES)
def test_copies_go_on_alike(name: str) -> None:
    env = VectorEnv(GAMES[name], games=5, opponents={1: "random", 2: first_legal})
    env.reset(seed=8)
    list(played(env, 9))
    saved = env.save()
    copies = [env.fork(), copy.deepcopy(env), pickle.loads(pickle.dumps(env))]
    late = VectorEnv(GAMES[name], games=5, opponents={1: "random", 2: first_legal})
    late.load(saved)
    expected = list(played(env, 12))
    for other in (*copies, late):
        assert list(played(other, 12)) == expected
    env.load(saved)
    assert list(played(env, 12)) == expected


def test_other_saved_games_are_refused() -> None:
    env = VectorEnv("classic", games=5, players=2)
    with refused(NotStarted, "rl.not_dealt"):
        env.save()
    assert pickle.loads(pickle.dumps(env)).learners == (0, 1)
    env.reset(seed=1)
    saved = env.save()
    before = list(played(env.fork(), 3))
    for game, games, rewards, what in (
        (Classic(players=3), 5, "heads", "game"),
        (Classic(players=2), 4, "heads", "games"),
        (Classic(players=2), 5, "win", "rewards"),
    ):
        other = VectorEnv(game, games=games, rewards=rewards)  # type: ignore[arg-type]
        with refused(DataError, "rl.saved_differs", what=what):
            other.load(saved)
    for wrong in (b"", saved[:-9], saved.replace(b"VectorEnv 1", b"VectorEnv 2"), b"x" + saved, saved[:60]):
        with refused(DataError, "rl.saved_damaged"):
            env.load(wrong)
    assert list(played(env, 3)) == before


@pytest.mark.parametrize("name", GAMES)
def test_records_that_cannot_be_are_not_loaded(name: str) -> None:
    """Change any byte of a record: the core rejects it, or the games can continue."""
    env = VectorEnv(GAMES[name], games=1)
    env.reset(seed=3)
    list(played(env, 7))
    size, kept, refusals = env._games.size, env._games.get(0, env._games.size), 0
    rng = Rng.from_seed(5)
    for _ in range(400):
        at, rng = rng.below(size)
        value, rng = rng.below(256)
        env._games.put(0, kept[:at] + bytes([value]) + kept[at + 1 :])
        if env._core.check(env._games):
            for _ in range(3):
                env.observe()
                env.masks()
                env.step(env.sample())
        else:
            refusals += 1
        env._games.put(0, kept)
    assert refusals > 20


def test_a_second_thread_is_refused_while_a_function_chooses() -> None:
    inside, leave = threading.Event(), threading.Event()

    def slow(seen: NDArray[np.float32], masks: NDArray[np.uint8], games: NDArray[np.intp]) -> NDArray[np.intp]:
        inside.set()
        assert leave.wait(60)
        return np.asarray(masks.argmax(axis=1))

    env = VectorEnv("classic", games=3, players=2, opponents={1: slow})
    env.reset()
    stepping = threading.Thread(target=lambda: env.step(env.sample()))
    stepping.start()
    assert inside.wait(60)
    for call in (env.step, env.sample, env.observe, env.masks, env.bit_masks, env.save, env.fork, env.reset):
        with pytest.raises(InUse):
            call()
    leave.set()
    stepping.join()
    env.step(env.sample())


@pytest.mark.native
def test_finished_games_are_kept_until_the_next_step() -> None:
    env = VectorEnv("classic", games=5, players=3, rounds=1, keep_final=True, opponents={1: "lowest", 2: "random"})
    with refused(NotStarted, "rl.not_dealt"):
        env.observe_final(0)
    env.reset(seed=1)
    assert env.observe_final(0).shape == (0, env.observation_size())
    while not env.ends.any():
        env.step(env.sample())
    seen = env.observe_final(compact=True)
    assert seen.shape == (np.count_nonzero(env.ends), 3, env.observation_size(compact=True))
    assert (seen[:, :, env.observation_layout(compact=True)["table"].start + 3] == 1).all()
    # A copy has the games in mid-play, and keeps those that it finishes itself.
    for other in (env.fork(), pickle.loads(pickle.dumps(env))):
        with refused(NotStarted, "rl.no_finals"):
            other.observe_final(0)
        other.step(other.sample())
        assert other.observe_final(0).shape[0] == np.count_nonzero(other.ends)
    plain = VectorEnv("classic", games=1, players=3)
    plain.reset(seed=1)
    with refused(NotStarted, "rl.no_finals"):
        plain.observe_final(0)
