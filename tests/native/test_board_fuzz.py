"""Numbers out of range are refused by the board game's kernel, and never crash it (under sanitizers: `make
check-native`)."""

from __future__ import annotations

from array import array

import pytest

from nimmt_lab import BoardGame
from nimmt_lab.engine.habits import random_choices
from nimmt_lab.engine.rng import Rng
from nimmt_lab.engine.state import GameState
from nimmt_lab.games.board_game.kernel import SENSIBLE, workspace, write
from nimmt_lab.games.board_game.numbers import code_of, laid
from nimmt_lab.native import core
from nimmt_lab.native.loader import Memory
from nimmt_lab.native.work import Workspace

ODD = (
    -1,
    0,
    1,
    2,
    5,
    6,
    7,
    15,
    16,
    17,
    24,
    25,
    63,
    64,
    65,
    99,
    100,
    101,
    104,
    127,
    128,
    255,
    256,
    512,
    513,
    65535,
    2**31 - 1,
    -(2**31),
)
#: Fields that are not read, or may have any value.
FREE = {"key", "first", "dice", "rng", "state_rng", "stats", "piles", "wins"}


def some_state(seed: int) -> GameState:
    game = BoardGame(2 + seed % 5, mode="advanced" if seed % 3 else "basic", luck=bool(seed % 2))
    state, rng = game.deal(seed=seed), Rng.from_seed(seed, 3)
    for _ in range(seed % 40):
        choices, rng = random_choices(state, rng)
        after, _ = state.choose(choices)
        if after.is_over:
            break
        state = after
    return state


def searching(state: GameState) -> Workspace:
    """A workspace for searches and steps."""
    found = core()
    assert found is not None and isinstance(state.game, BoardGame)
    seat, decision = next(iter(state.pending.items()))
    work = workspace(found, state.game, [SENSIBLE] * state.game.players)
    write(work, laid(state.view(seat)))
    options = [code_of(option) for option in decision.options[:8]]
    write(work, {"options": options, "n_options": len(options)})
    write(work, {"settle": 20, "doubt": [9000] * 256, "clash": [at % 5 for at in range(16 * 128)]})
    return work


def asked_all(work: Workspace, out: Memory) -> None:
    """Every function returns a count or a refusal."""
    ask, memory = work.core.ask, work.memory
    assert ask("nl_board_search", memory, 2) >= -3
    assert ask("nl_board_list", memory, 0) >= -3
    assert ask("nl_board_choose", memory) >= -3
    assert ask("nl_board_step", memory) >= -3
    assert ask("nl_board_rounds", memory, 1, out, 24 * 6) >= -3
    assert ask("nl_board_deal", memory) >= -3


@pytest.mark.parametrize("seed", range(60))
def test_odd_numbers_anywhere(seed: int) -> None:
    state, rng = some_state(seed), Rng.from_seed(seed, 9)
    work = searching(state)
    whole, out = work.memory.get(0, work.size), work.core.memory(24 * 6)
    assert work.core.ask("nl_board_search", work.memory, 3) == 0
    refused = 0
    fields = [name for name in work.layout.fields if name not in FREE]
    for _ in range(120):
        work.memory.put(0, whole)
        wrong, rng = rng.below(3)
        for _ in range(1 + wrong):
            at, rng = rng.below(len(fields))
            code, field = work.layout.field(fields[at]).code, work.layout.field(fields[at])
            place, rng = rng.below(field.count)
            which, rng = rng.below(len(ODD))
            size = array(code).itemsize
            number = ODD[which] & (256**size - 1)
            if code.islower() and number >= 256**size // 2:
                number -= 256**size
            work.set(fields[at], number, place)
        refused += work.core.ask("nl_board_search", work.memory, 1) < 0
        asked_all(work, out)
    assert refused > 10


def test_whole_games_of_any_answers() -> None:
    """Illegal answers are refused, and leave the table unchanged."""
    for seed in range(20):
        state = some_state(seed)
        assert isinstance(state.game, BoardGame)
        found = core()
        assert found is not None
        work = workspace(found, state.game, [0] * state.game.players)
        write(work, laid(state))
        # The check itself writes ends and heads of rows.
        work.core.ask("nl_board_list", work.memory, next(iter(state.pending)))
        rng = Rng.from_seed(seed, 4)
        for _ in range(300):
            which, rng = rng.below(len(ODD))
            some, rng = rng.below(1 << 20)
            seat, rng = rng.below(state.game.players)
            options = {code_of(option) for option in state.pending[seat].options} if seat in state.pending else {0}
            code = ODD[which] if some & 1 else some
            if code in options:
                continue
            choices = [0] * 6
            for other, decision in state.pending.items():
                choices[other] = code_of(decision.options[0])
            choices[seat] = code
            work.set("choices", choices)
            before = work.memory.get(0, work.size)
            assert work.core.ask("nl_board_step", work.memory) == -2
            assert work.memory.get(0, work.size) == before


def test_sizes_out_of_range_are_refused() -> None:
    work = searching(some_state(2))
    out = work.core.memory(24 * 6)
    for playouts in (-1, (1 << 24) + 1):
        assert work.core.ask("nl_board_search", work.memory, playouts) == -1
    for rounds in (-1, (1 << 20) + 1):
        assert work.core.ask("nl_board_rounds", work.memory, rounds, out, 24 * 6) == -1
    assert work.core.ask("nl_board_rounds", work.memory, 2, out, 24 * 6) == -3
    for seat in (-1, 6, 2**31 - 1):
        assert work.core.ask("nl_board_list", work.memory, seat) == -2
