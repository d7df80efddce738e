"""Two threads with one object: the second gets an error while the first is in the core, for every kind of object.
ctypes lets other threads run during a call, so the core would otherwise work on changing memory. `make check-native`
runs these tests under sanitizers."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from itertools import cycle

import numpy as np
import pytest

from nimmt_lab import Advanced, Baron, BoardGame, Buffalo, Classic, Game
from nimmt_lab.engine.errors import InUse
from nimmt_lab.engine.rng import Rng
from nimmt_lab.native import Core, NativeError, core, loader
from nimmt_lab.native.kernel import kernel_of
from nimmt_lab.native.loader import ERRORS
from nimmt_lab.native.tries import CoreTries
from nimmt_lab.native.work import Workspace
from nimmt_lab.rl.vector import VectorEnv
from nimmt_lab.solver import core as solver_core
from nimmt_lab.solver import learned
from nimmt_lab.solver.exact import Searcher
from nimmt_lab.solver.open_position import OpenPosition
from nimmt_lab.solver.quick import QuickRounds
from nimmt_lab.study.rounds import Simulator
from tests.solver.positions import two_player_advanced
from tests.support import refused

ENVIRONMENTS: dict[str, Game] = {
    "classic": Classic(players=4, rounds=1),
    "advanced": Advanced(players=3, rounds=1),
    "baron": Baron(players=4),
    "buffalo": Buffalo(players=3),
    "board": BoardGame(players=3, mode="advanced", luck=True),
}


def compiled() -> Core:
    found = core()
    assert found is not None
    return found


def together(*works: Callable[[], object], times: int) -> list[BaseException]:
    """Run each function `times` times in its own thread, all at once, and return the exceptions."""
    begin, raised = threading.Barrier(len(works)), []

    def run(work: Callable[[], object]) -> None:
        begin.wait()
        for _ in range(times):
            try:
                work()
            except BaseException as error:
                raised.append(error)

    threads = [threading.Thread(target=run, args=(work,)) for work in works]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return raised


@pytest.mark.exhaustive
@pytest.mark.parametrize("name", ENVIRONMENTS)
def test_threads_on_one_environment_never_meet_in_the_core(name: str) -> None:
    """One thread steps, samples, masks and deals games of an environment while another writes its actions: errors are
    reported, and the games stay valid."""
    env = VectorEnv(ENVIRONMENTS[name], games=64)  # few, so that threads are often at the same game
    env.reset(seed=1)
    lots = cycle([-32768, -1, 0, 1, 50, 104, 105, 108, 109, 32767])
    refused = together(
        *[lambda: env.step(env.sample())] * 3,
        lambda: env.actions.fill(next(lots)),
        lambda: (env.masks(), env.bit_masks(0), env.observe(1), env.observe(compact=True), env.save()),
        times=1500,
    )
    refused += together(lambda: env.step(), lambda: env.reset(2), lambda: env.sample(), times=100)
    assert all(type(error) is InUse for error in refused)
    env.reset(seed=7)
    other = VectorEnv(ENVIRONMENTS[name], games=64)
    other.reset(seed=7)
    for _ in range(20):
        assert np.array_equal(env.sample(), other.sample())
        assert alike(env.step(), other.step())


def alike(some: Sequence[object], others: Sequence[object]) -> bool:
    """Whether arrays are equal, pairwise."""
    return all(np.asarray(one).tolist() == np.asarray(two).tolist() for one, two in zip(some, others, strict=True))


class Gate(Core):
    """A core in which one function waits inside a call until it is released, so that a second thread certainly comes in
    between."""

    def __init__(self, inner: Core, function: str) -> None:
        self.inner, self.name, self.function = inner, inner.name, function
        self.inside, self.go_on = threading.Event(), threading.Event()

    def memory(self, size: int) -> loader.Memory:
        return self.inner.memory(size)

    def ask(self, function: str, *arguments: loader.Argument) -> int:
        if function == self.function and not self.inside.is_set():
            claims = [one.claim for one in arguments if not isinstance(one, int) and one.claim is not None]
            for claim in claims:
                claim.__enter__()
            try:
                self.inside.set()
                assert self.go_on.wait(60)
                return self.inner.ask(function, *arguments)
            finally:
                for claim in claims:
                    claim.__exit__()
        return self.inner.ask(function, *arguments)


@contextmanager
def gated(function: str) -> Iterator[Gate]:
    before = loader._loaded[:]
    gate = Gate(compiled(), function)
    loader._loaded[:] = [gate]
    try:
        yield gate
    finally:
        loader._loaded[:] = before


def tries_of(game: Game) -> Callable[[], object]:
    from nimmt_lab.bots.base import needed
    from nimmt_lab.native.kernel import compiled_tries

    view = game.deal(seed=1).view(0)
    made = compiled_tries(view, Rng.from_seed(1), True)
    assert isinstance(made, CoreTries)
    return lambda: made.run(list(needed(view).options[:3]), 8)


def rounds_of(game: Game) -> Callable[[], object]:
    kernel = kernel_of(game)
    assert kernel is not None
    made = kernel.rounds(compiled(), game, ["random"] * game.players, ["cheapest"] * game.players)
    return lambda: made.play(1, 0, 20)


def counted(game: Game) -> Callable[[], object]:
    kernel = kernel_of(game)
    assert kernel is not None
    made = kernel.rounds(compiled(), game, ["random"] * game.players, ["cheapest"] * game.players)
    return lambda: made.count(1, 0, 20)


def stepped(game: Game) -> Callable[[], object]:
    env = VectorEnv(game, games=5)
    env.reset(seed=1)
    return lambda: [array.tolist() for array in env.step(env.sample())]


def proved() -> Callable[[], object]:
    searcher, position = Searcher(1 << 20), OpenPosition.of(two_player_advanced(4, 1))
    return lambda: (searcher.prove(position).lo, searcher.bounds(position), searcher.table(position))


def drafted() -> Callable[[], object]:
    made = QuickRounds(Rng.from_seed(1), range(1, 25), [1] * 24)
    return lambda: made.play({}, 0, 10)


#: Every object that keeps memory of the core from one call to the next, the function in which it is caught, and what to
#: do with it.
OBJECTS: dict[str, tuple[str, Callable[[], Callable[[], object]]]] = {
    "environment": ("nl_classic_games_step", lambda: stepped(ENVIRONMENTS["classic"])),
    "environment, baron": ("nl_baron_games_step", lambda: stepped(ENVIRONMENTS["baron"])),
    "environment, buffalo": ("nl_buffalo_games_step", lambda: stepped(ENVIRONMENTS["buffalo"])),
    "rounds": ("nl_classic_rounds", lambda: rounds_of(Classic(players=4))),
    "totals": ("nl_classic_totals", lambda: counted(Classic(players=4))),
    "rounds, baron": ("nl_baron_rounds", lambda: rounds_of(Baron(players=4))),
    "rounds, board": ("nl_board_rounds", lambda: rounds_of(BoardGame(players=3))),
    "rounds, buffalo": ("nl_buffalo_rounds", lambda: rounds_of(Buffalo(players=3))),
    "playouts": ("nl_classic_search", lambda: tries_of(Classic(players=4))),
    "playouts, baron": ("nl_baron_search", lambda: tries_of(Baron(players=4))),
    "playouts, board": ("nl_board_search", lambda: tries_of(BoardGame(players=3))),
    "playouts, buffalo": ("nl_buffalo_search", lambda: tries_of(Buffalo(players=3))),
    "searcher": ("nl_solve_run", proved),
    "draft": ("nl_draft_play", drafted),
}


@pytest.mark.parametrize("name", OBJECTS)
def test_a_second_thread_is_refused_and_the_first_is_not_disturbed(name: str) -> None:
    function, make = OBJECTS[name]
    alone = make()()
    with gated(function) as gate:
        use = make()
        found: list[object] = []
        first = threading.Thread(target=lambda: found.append(use()))
        first.start()
        try:
            assert gate.inside.wait(60)
            with refused(InUse, "shared.in_use"):
                use()
        finally:
            gate.go_on.set()
            first.join()
    assert len(found) == 1 and repr(found[0]) == repr(alone)
    use()  # and once it is free, anybody may


def test_every_thread_with_its_own_gets_the_same() -> None:
    """Hidden shared state (caches of the module, weights) disturbs nobody."""
    learned._loaded.clear()
    alone = [repr(make()()) for _, make in OBJECTS.values()]
    learned._loaded.clear()
    found: list[list[str]] = []
    raised = together(*[lambda: found.append([repr(make()()) for _, make in OBJECTS.values()])] * 3, times=2)
    assert raised == [] and found == [alone] * 6


def test_memory_is_neither_written_nor_read_while_a_call_works_on_it() -> None:
    with gated("nl_rng_start") as gate:
        block = compiled().memory(64)
        thread = threading.Thread(target=lambda: gate.ask("nl_rng_start", block))
        thread.start()
        try:
            assert gate.inside.wait(60)
            for use in (lambda: block.put(0, b"x"), lambda: block.get(0, 1), lambda: block.write("i", [1])):
                with pytest.raises(InUse):
                    use()
            part = block.part(8)
            with pytest.raises(InUse):
                gate.ask("nl_rng_start", part)
        finally:
            gate.go_on.set()
            thread.join()
    block.put(0, b"x")


def test_shared_tables_serve_several_threads() -> None:
    tables = solver_core.Tables(compiled(), 1 << 20)
    position = OpenPosition.of(two_player_advanced(5, 1))
    searches = [solver_core.Search(compiled(), tables, position, 24, jitter) for jitter in (0, 3)]
    found: list[list[int]] = []

    def run(search: solver_core.Search) -> None:
        search.ask(solver_core.VALUE)
        while not search.run():
            pass
        found.append(search.result()[: solver_core.HI + 1])

    assert together(*[lambda search=search: run(search) for search in searches], times=1) == []
    assert max(lo for lo, _ in found) <= min(hi for _, hi in found)


def test_a_number_that_does_not_fit_is_refused() -> None:
    """ctypes would cut it off: 2**32 + 1 rounds would be one."""
    work = Workspace(compiled(), "nl_classic")
    for number in (1 << 31, -(1 << 31) - 1, 1 << 32, 10**15):
        with pytest.raises(NativeError, match=r"\b32\b"):
            work.call("nl_classic_rounds", number, work.memory, 0)


def test_what_the_core_trusts_cannot_be_written() -> None:
    env = VectorEnv("classic", games=3, players=2)
    env.reset(seed=1)
    for part in env.games.values():
        with pytest.raises(ValueError, match=r"read-only|WRITEABLE|writeable"):
            part.flags.writeable = True
        with pytest.raises(ValueError, match="read-only"):
            part[...] = 255
        base = part
        while isinstance(base.base, np.ndarray):
            base = base.base
        with pytest.raises(ValueError, match=r"WRITEABLE|writeable"):
            base.flags.writeable = True


def test_arrays_outlive_their_environment_and_hold_their_memory() -> None:
    env = VectorEnv("classic", games=50, players=4, rounds=1)
    env.reset(seed=1)
    env.step(env.sample())
    hands, rewards, masks = env.games["hands"], env.rewards, env.masks()
    before = hands.copy(), rewards.copy(), masks.copy()
    with pytest.raises(BufferError):
        env._games._held.extend(b"x")  # type: ignore[attr-defined]
    del env
    VectorEnv("classic", games=50, players=4, rounds=1).reset(seed=9)
    assert alike((hands, rewards, masks), before)


def test_actions_of_any_layout_are_carried_out_alike() -> None:
    """Other types, strides, byte orders, and arrays that cannot be written."""

    def play(give: Callable[[np.ndarray], np.ndarray]) -> list[float]:
        env = VectorEnv("classic", games=20, players=4, rounds=1)
        env.reset(seed=3)
        found: list[float] = []
        for _ in range(12):
            found += env.step(give(env.sample().copy()))[0].ravel().tolist()
        return found

    def frozen(actions: np.ndarray) -> np.ndarray:
        actions.flags.writeable = False
        return actions

    ways: list[Callable[[np.ndarray], np.ndarray]] = [
        lambda actions: actions.astype(np.int64),
        lambda actions: actions.astype(np.uint8),
        lambda actions: actions.astype(">i4"),
        lambda actions: np.asfortranarray(actions),
        lambda actions: np.repeat(actions, 2, axis=1)[:, ::2],
        lambda actions: actions[::-1].copy()[::-1],
        frozen,
    ]
    usual = play(lambda actions: actions)
    for way in ways:
        assert play(way) == usual


def test_the_plan_makes_rounds_for_each_call() -> None:
    """A plan is a value, so threads may share it: nothing of the core lives in it."""
    plan = Simulator.of(Classic(players=3))
    alone = plan.play(1, 0, 2000)
    found: list[object] = []
    assert together(*[lambda: found.append(plan.play(1, 0, 2000))] * 4, times=5) == []
    assert found == [alone] * 20


def test_a_bound_call_checks_its_arguments_once_and_claims_its_memory_every_time() -> None:
    block, other = compiled().memory(64), compiled().memory(64)
    call = compiled().bound("nl_rng_start", block)
    compiled().ask("nl_rng_start", other)
    assert call() == 0 and block.get(0, 64) == other.get(0, 64) != bytes(64)
    claim, held, go_on = block.claim, threading.Event(), threading.Event()
    assert claim is not None

    def hold(claim: loader.Claim = claim) -> None:
        with claim:
            held.set()
            go_on.wait(60)

    thread = threading.Thread(target=hold)
    thread.start()
    try:
        assert held.wait(60)
        with refused(InUse, "shared.in_use"):
            call()
    finally:
        go_on.set()
        thread.join()
    assert call() == 0 and block.get(0, 64) != other.get(0, 64)
    with pytest.raises(NativeError, match=r"\b32\b"):
        compiled().bound("nl_classic_layout", block, 1 << 31)
    with pytest.raises(NativeError, match=f": {ERRORS[-3]}$"):
        compiled().bound("nl_classic_layout", block, 0)()
