"""The board game's kernel and the engine play the same game, step by step: the same questions with the same options, the
same table after every answer, and the same answers of the policies."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest

from nimmt_lab import BoardGame
from nimmt_lab.engine.decisions import Choice
from nimmt_lab.engine.habits import random_choices
from nimmt_lab.engine.rng import Rng
from nimmt_lab.engine.state import GameState
from nimmt_lab.games.board_game.kernel import workspace, write
from nimmt_lab.games.board_game.material import Board, stand_in_pieces
from nimmt_lab.games.board_game.numbers import FIELDS, OPTIONS, code_of, laid
from nimmt_lab.native import core
from nimmt_lab.native.work import Workspace

#: A board on which a great deal happens: short rows, takes in the middle, many draws.
BUSY = {
    "basic": (". two take", "g take", "-5 rr . take", ". take . +9 take", ". . two take", "r -9 take"),
    "advanced": (
        ". two take-tiles", "tile action take", "action -5 take-tiles", ". take . +9 take-tiles", "g tile two take", "action rr . . take",
    ),
}  # fmt: skip


def games(players: int) -> Iterator[BoardGame]:
    few = replace(stand_in_pieces(), action_cards=(3, 1, 2, 2, 2, 3), luck_cards=(2, 1))
    for mode in ("basic", "advanced"):
        for luck in (False, True):
            yield BoardGame(players, mode=mode, luck=luck)
            rows = tuple(tuple(row.split()) for row in BUSY[mode])
            yield BoardGame(players, mode=mode, luck=luck, board=Board("busy", mode, rows, tuple(range(-44, 45, 2))), pieces=few)
    yield BoardGame(players, first_field_acts=False, luck=True)


def with_state(game: BoardGame, state: GameState, policy: int = 0) -> Workspace:
    found = core()
    assert found is not None
    work = workspace(found, game, [policy] * game.players)
    write(work, laid(state))
    return work


def same_table(work: Workspace, state: GameState) -> None:
    """Every field that the engine's state has."""
    for field, values in laid(state).items():
        if field == "take_turn":
            continue
        here = work.get(field)
        wanted = [values] if isinstance(values, int) else list(values)
        if field == "rows":
            lengths = work.get("length")
            here = [here[FIELDS * r + i] for r in range(len(state.rows)) for i in range(lengths[r])]
            wanted = [tile for row in state.rows for tile in row]
        elif field == "plan_tiles":
            wanted = wanted[: len(wanted) if work.one("n_plan_tiles") else 0]
        assert here[: len(wanted)] == wanted, field
    ends = work.get("end", len(state.rows))
    assert ends == [row[-1] if row else 0 for row in state.rows]
    assert work.get("sum", len(state.rows)) == [state.game.heads_in(row) for row in state.rows]


def answer(work: Workspace, choices: dict[int, Choice], players: int) -> None:
    work.set("choices", [code_of(choices[seat]) if seat in choices else 0 for seat in range(players)])
    work.call("nl_board_step")


@pytest.mark.parametrize("players", range(2, 7))
def test_every_step_agrees(players: int) -> None:
    steps = turns = 0
    for game in games(players):
        for seed in range(12):
            state, rng = game.deal(seed=seed), Rng.from_seed(seed, 5)
            work = with_state(game, state)
            while not state.is_over:
                for seat, decision in state.pending.items():
                    count = work.call("nl_board_list", seat)
                    assert count == min(OPTIONS, len(decision.options))
                    assert work.get("options", count) == [code_of(option) for option in decision.options[:OPTIONS]]
                choices, rng = random_choices(state, rng)
                answer(work, choices, players)
                before = state.turn
                state, _ = state.choose(choices)
                turns += state.turn != before
                steps += 1
                same_table(work, state)
    assert steps > 5000 and turns > 1000
