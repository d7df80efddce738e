"""The compiled search called directly: compared with fractions, in slices, on several threads, and with invalid input."""

from __future__ import annotations

import threading
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nimmt_lab import Classic
from nimmt_lab.native import Core
from nimmt_lab.solver import core
from nimmt_lab.solver.core import Search, Tables, question, shift_of
from nimmt_lab.solver.deals import random_state
from nimmt_lab.solver.open_position import OpenPosition
from nimmt_lab.solver.reference import ReferenceSolver

from .positions import compiled, two_player_advanced

pytestmark = pytest.mark.native

QUESTION, TURN, RESULT = 142, 1242, 9


def search(position: OpenPosition, tables: Tables | None = None, jitter: int = 0) -> Search:
    return Search(compiled(), tables or Tables(compiled(), 1 << 22), position, shift_of(position), jitter)


def run(asked: Search) -> tuple[Fraction, Fraction]:
    """Bounds in heads, as fractions."""
    while not asked.run():
        pass
    found = asked.result()
    return found[core.LO] * Fraction(asked.unit), found[core.HI] * Fraction(asked.unit)


@pytest.mark.exhaustive
@pytest.mark.parametrize(("left", "count"), [(1, 60), (2, 120), (3, 100), (4, 6)])
def test_bounds_and_mixes_against_fractions(left: int, count: int) -> None:
    """Value, every entry of the turn and the guarantees of the mixes, over random positions of both decks."""
    for seed in range(1000, 1000 + count):
        state = (
            random_state(Classic(players=2, rounds=1), left, seed) if seed % 3 == 0 else two_player_advanced(left, seed)
        )
        position = OpenPosition.of(state)
        oracle = ReferenceSolver()
        table = oracle.payoffs(position.rows, *position.hands)
        value = oracle.value(position.rows, *position.hands)
        asked = search(position)
        asked.ask(core.TURN)
        lo, hi = run(asked)
        assert lo <= value <= hi <= lo + Fraction(1, 10**6)
        asked.ask(core.ALL)
        run(asked)
        turn = asked.turn()
        unit = Fraction(asked.unit)
        for i, row in enumerate(table):
            for j, entry in enumerate(row):
                assert turn.lows[i][j] * unit <= entry <= turn.highs[i][j] * unit
                assert turn.highs[i][j] - turn.lows[i][j] <= 3 * left
        x, y = ([Fraction(chance) for chance in mix] for mix in turn.mixes)
        assert min(sum(p * row[j] for p, row in zip(x, table, strict=True)) for j in range(left)) >= value - Fraction(
            1, 10**6
        )
        assert max(sum(p * entry for p, entry in zip(y, row, strict=True)) for row in table) <= value + Fraction(
            1, 10**6
        )


@pytest.mark.parametrize(
    ("left", "seed", "nodes", "stored"),
    [(5, 0, 1443, 64), (6, 0, 13083, 844), (6, 4, 12915, 567), (7, 0, 173176, 11081), (7, 3, 72952, 4243)],
)
def test_the_work_is_as_much_as_it_was(left: int, seed: int, nodes: int, stored: int) -> None:
    """Positions searched and stored: a change here means that the search has changed."""
    position = OpenPosition.of(two_player_advanced(left, seed))
    asked = search(position, Tables(compiled(), 1 << 24 if left == 7 else 1 << 22))
    asked.ask(core.VALUE)
    run(asked)
    found = asked.result()
    assert (found[core.NODES], found[core.STORED], found[core.DOUBT]) == (nodes, stored, 0)


def call(native: Core, asked: Search, positions: int) -> int:
    """Run one slice of the search, `positions` long."""
    return native.call("nl_solve_run", asked._work, positions)


@pytest.mark.parametrize("slice_of", [1, 7, 100])
def test_slices_change_nothing(slice_of: int) -> None:
    position = OpenPosition.of(two_player_advanced(6, 1))
    whole, sliced = search(position), search(position)
    for one in (whole, sliced):
        one.ask(core.VALUE)
    run(whole)
    slices = 0
    while not call(compiled(), sliced, slice_of):
        slices += 1
        assert sliced.result()[core.NODES] <= (slices + 1) * (slice_of + 64), "a slice is about as long as asked"
    assert slices > 50
    assert sliced.result() == whole.result()


def test_a_stopped_search_keeps_its_proofs_and_resumes() -> None:
    """Stop again and again, anywhere: bounds contain the value, and the table still leads to the end."""
    position = OpenPosition.of(two_player_advanced(7, 3))
    tables = Tables(compiled(), 1 << 22)
    exact = search(position)
    exact.ask(core.VALUE)
    lo, hi = run(exact)
    work, last = 0, 0
    for attempt in range(400):
        asked = search(position, tables)
        asked.ask(core.VALUE)
        done = call(compiled(), asked, 200 + 37 * attempt)
        if not done:
            asked.stop()
        found = asked.result()
        unit = Fraction(asked.unit)
        assert found[core.LO] * unit <= hi and found[core.HI] * unit >= lo
        assert max(found[core.LO], found[core.ROOT_LO]) <= min(found[core.HI], found[core.ROOT_HI])
        work += found[core.NODES]
        last = attempt
        if done:
            break
    else:
        raise AssertionError("never finished")
    assert last > 3
    assert (found[core.LO] * unit, found[core.HI] * unit) == (lo, hi) or hi - lo <= Fraction(1, 10**6)


def test_threads_on_one_small_table_agree() -> None:
    """Four threads constantly overwrite each other's entries; a half-written entry is never used."""
    positions = [OpenPosition.of(two_player_advanced(6, seed)) for seed in range(4)]
    exact = []
    for position in positions:
        asked = search(position)
        asked.ask(core.VALUE)
        exact.append(run(asked))
    tables = Tables(compiled(), 1 << 16)
    answers: list[tuple[int, tuple[Fraction, Fraction]]] = []

    def work(thread: int) -> None:
        for at, position in enumerate(positions):
            # one shift for all, or their units would differ
            asked = Search(compiled(), tables, position, 23, 2 * thread + 1)
            asked.ask(core.VALUE)
            answers.append((at, run(asked)))

    threads = [threading.Thread(target=work, args=(thread,)) for thread in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(answers) == 16
    for at, (lo, hi) in answers:
        assert hi - lo <= Fraction(1, 10**5)
        assert lo <= exact[at][1] and exact[at][0] <= hi


def test_a_table_of_another_unit_is_not_used() -> None:
    """The same position in two units: bounds in one must not be read as bounds in the other."""
    from nimmt_lab.solver.exact import Searcher

    position = OpenPosition.of(two_player_advanced(5, 0))
    searcher = Searcher()
    fine, coarse = searcher.bounds(position), searcher.bounds(position, 20)
    assert coarse[0] <= fine[1] and fine[0] <= coarse[1]
    assert fine[1] - fine[0] < coarse[1] - coarse[0] < 1e-3


@pytest.mark.exhaustive
def test_tables_grow_in_place(monkeypatch: pytest.MonkeyPatch) -> None:
    """Everything stored is found again: asking the same question again takes just as little work."""
    monkeypatch.setattr(core, "_FIRST_LOG2", 17)
    position = OpenPosition.of(two_player_advanced(7, 2))
    work = []
    for times in (0, 1, 2):
        tables = Tables(compiled(), 1 << 27, whole=False)
        asked = search(position, tables)
        asked.ask(core.VALUE)
        bounds = run(asked)
        size = tables.size
        assert not tables.grow(tables.places // 2 - 1)
        for _ in range(times):
            assert tables.grow(tables.places)
        assert (tables.size > size) == (times > 0) and tables.size <= 1 << 27
        again = search(position, tables)
        again.ask(core.TURN)
        assert run(again) == bounds
        work.append((again.result()[core.NODES], again.result()[core.STORED]))
    assert work[0] == work[1] == work[2]
    assert not tables.grow(tables.places), "no further than the budget"


def test_tables_that_cannot_grow_are_refused() -> None:
    native = compiled()
    table = native.memory(1 << 20)
    for size, log2 in ((1 << 13, 15), (1 << 13, -1), (1 << 13, 26), (1 << 13, 16), (-1, 16)):
        assert native.ask("nl_solve_grow", table, size, log2, 0) < 0


GOOD = question(OpenPosition.of(two_player_advanced(4, 1)), 24)


@pytest.mark.exhaustive
@settings(max_examples=400, deadline=None)
@given(
    st.lists(
        st.tuples(st.integers(0, QUESTION - 1), st.integers(-(2**31), 2**31 - 1) | st.integers(-2, 110)), max_size=4
    ),
    st.integers(-3, QUESTION + 2),
    st.integers(-1, 40),
    st.integers(-1, 40),
    st.integers(0, 30_000),
)
def test_nonsense_is_refused_or_answered(
    changes: list[tuple[int, int]], words: int, main_log2: int, side_log2: int, less: int
) -> None:
    """Questions with random content: an error code or an answer, but never a crash or an endless search."""
    native = compiled()
    asked = list(GOOD)
    for place, word in changes:
        asked[place] = word
    memory = native.memory(4 * QUESTION)
    memory.write("i", asked)
    size = native.ask("nl_solve_work", asked[0], asked[2])
    room = max(0, size - less if less % 3 == 0 else size)
    work = native.memory(max(room, 1 << 16))
    # Larger tables than there is memory for are not tried: the caller is responsible for the memory.
    logs = [log2 if not 4 <= log2 <= 26 else 4 for log2 in (main_log2, side_log2)]
    tables = native.memory(20 * 128), native.memory(20 * 128)
    opened = native.ask("nl_solve_open", work, room, memory, words, tables[0], logs[0], tables[1], logs[1])
    assert opened <= 0
    if words < QUESTION or any(not 4 <= log2 <= 26 for log2 in (main_log2, side_log2)) or size < 0 or room < size:
        assert opened < 0
    result = native.memory(8 * TURN)
    if opened:
        assert native.ask("nl_solve_run", work, 10) < 0
        assert native.ask("nl_solve_result", work, result, RESULT) < 0
        return
    window = native.memory(16)
    window.write("q", [-(1 << 40), 1 << 40])
    assert native.ask("nl_solve_ask", work, 2, window) < 0, "nothing is there to refine yet"
    assert native.ask("nl_solve_turn", work, result, TURN, result, 40) < 0
    assert native.ask("nl_solve_ask", work, 1, window) == 0
    for _ in range(2000):
        if native.ask("nl_solve_run", work, 500):
            break
    native.ask("nl_solve_stop", work)
    mixes = native.memory(8 * 40)
    assert native.ask("nl_solve_turn", work, result, TURN, mixes, 40) == 0
    assert native.ask("nl_solve_result", work, result, RESULT) == 0
    lo, hi = result.read("q", 2)
    assert lo <= hi


def test_bad_codes_and_sizes_are_refused() -> None:
    native, position = compiled(), OpenPosition.of(two_player_advanced(3, 1))
    asked = search(position)
    words, window = native.memory(8 * TURN), native.memory(16)
    for what in (-1, 5, 99):
        assert native.ask("nl_solve_ask", asked._work, what, window) < 0
    for alpha, beta in ((0, 0), (5, -5)):
        window.write("q", [alpha, beta])
        assert native.ask("nl_solve_ask", asked._work, 0, window) < 0
    for amount in (0, -1):
        assert native.ask("nl_solve_run", asked._work, amount) < 0
    assert native.ask("nl_solve_result", asked._work, words, RESULT - 1) < 0
    asked.ask(core.SURVEY)
    assert native.ask("nl_solve_turn", asked._work, words, TURN - 1, words, 40) < 0
    assert native.ask("nl_solve_turn", asked._work, words, TURN, words, 39) < 0
    assert native.ask("nl_solve_ask", asked._work, 2, window) < 0, "a survey proves nothing that could be refined"
    for size in (0, 11, -1):
        assert native.ask("nl_solve_work", size, 0) < 0
    fresh = native.memory(1 << 20)
    for function in ("nl_solve_run", "nl_crowd_run"):
        assert native.ask(function, fresh, 10) < 0, "memory that nobody has opened"


@settings(max_examples=300, deadline=None)
@given(
    st.lists(st.tuples(st.integers(0, 187), st.integers(-(2**31), 2**31 - 1) | st.integers(-2, 110)), max_size=4),
    st.integers(-2, 190),
    st.integers(-1, 30),
    st.sampled_from([(0, 0), (1, 6), (2, 3), (3, 1), (4, 56), (4, 64), (5, 0), (2, 7)]),
)
def test_nonsense_about_several_players(
    changes: list[tuple[int, int]], words: int, log2: int, fan: tuple[int, int]
) -> None:
    native = compiled()
    state = random_state(Classic(players=3, rounds=1), 2, 1)
    asked = [0] * 188
    asked[:8] = [3, 2, 1, *fan, 0, 2, 0]
    for index, row in enumerate(state.rows):
        asked[11 + 3 * index : 14 + 3 * index] = [row[-1], len(row), state.game.heads_in(row)]
    for seat, hand in enumerate(state.hands):
        asked[23 + 10 * seat : 25 + 10 * seat] = hand
    asked[83:] = [0, *(state.game.heads_in((card,)) for card in range(1, 105))]
    for place, word in changes:
        asked[place] = word
    memory, size = native.memory(4 * 188), native.ask("nl_crowd_work", *asked[:2], asked[3])
    memory.write("i", asked)
    work, known = native.memory(max(size, 8)), native.memory(24 << 5)
    opened = native.ask("nl_crowd_open", work, size, memory, words, known, log2 if not 3 <= log2 <= 24 else 5)
    assert opened <= 0 and (opened < 0 or (words >= 188 and size > 0))
    if fan in ((4, 64), (5, 0), (2, 7)) and not changes:
        assert opened < 0, "no such fan card, or it cannot lie so"
    if size > 8:
        assert native.ask("nl_crowd_open", work, size - 1, memory, words, known, 5) < 0
        assert native.ask("nl_crowd_open", work, size, memory, words, known, 5) == opened or not 3 <= log2 <= 24
    results, guarantee = native.memory(8 * 23), native.memory(8 * 22)
    if not opened:
        assert native.ask("nl_crowd_result", work, results, 23, guarantee, 22) < 0, "not done yet"
        for _ in range(500):
            if native.ask("nl_crowd_run", work, 1000):
                assert native.ask("nl_crowd_result", work, results, 23, guarantee, 22) == 0
                break
    else:
        assert native.ask("nl_crowd_result", work, results, 23, guarantee, 22) < 0


@pytest.mark.exhaustive
@settings(max_examples=200, deadline=None)
@given(
    st.lists(st.integers(-3, 9), min_size=48, max_size=48), st.integers(-2, 30), st.integers(-1, 3), st.integers(-1, 20)
)
def test_nonsense_about_a_draft(words: list[int], cards: int, picker: int, rounds: int) -> None:
    native = compiled()
    draft, state = native.memory(4 * 48), native.memory(24)
    draft.write("i", words)
    found = native.ask("nl_draft_play", draft, cards, picker, rounds, state)
    assert found <= 0
    if not 6 <= cards <= 24 or rounds < 1 or picker not in (0, 1):
        assert found < 0
