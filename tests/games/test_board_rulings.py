"""Rulings R-P9 and R-P13 to R-P20 of the board game, with an example each."""

from __future__ import annotations

import pytest

from nimmt_lab.engine.cards import EMPTY
from nimmt_lab.engine.errors import RulesError
from nimmt_lab.engine.sentences import Phrase
from nimmt_lab.engine.state import GameState
from nimmt_lab.games.board_game.material import Board
from nimmt_lab.games.board_game.parts import Action, Luck
from nimmt_lab.games.board_game.rules import BoardGame
from nimmt_lab.games.board_game.uses import PASS, Use, UseCards
from tests.games.test_board_game import board, state_of
from tests.support import refused


def options(state: GameState, kind: Action) -> list[Use]:
    """The legal uses of that action card."""
    ((_, decision),) = state.pending.items()
    assert isinstance(decision, UseCards)
    return [use for use in decision.options if isinstance(use, Use) and use.kind is kind]


@pytest.mark.parametrize(("first_field_acts", "points"), [(True, -8 - 7), (False, -8)])
def test_r_p9_a_new_rows_first_field_acts_in_basic_mode_unless_played_otherwise(
    first_field_acts: bool, points: int
) -> None:
    rows = tuple(tuple(fields) for fields in board(r1=". . . take", r5="-7 . . take"))
    game = BoardGame(players=2, board=Board("test", "basic", rows), first_field_acts=first_field_acts)
    heads = game.heads_in((15, 18, 19))
    assert heads == 8
    state = game.from_position("15 18 19 | 70 | 44 | 56 | | | | | | ; A: 41 ; B: 71")
    state, _ = state.choose({0: 41, 1: 71})
    assert state.rows[4] == (41,) and state.totals[0] == points


def test_r_p9_is_no_option_of_advanced_mode() -> None:
    with refused(RulesError, "board_game.advanced_mode_first"):
        BoardGame(players=2, mode="advanced", first_field_acts=False)
    with refused(RulesError, "engine.option_must", expected=Phrase("shared.either", first="true", second="false")):
        BoardGame(players=2, first_field_acts=0)  # type: ignore[arg-type]


def test_r_p13_place_at_the_start_is_refused_on_a_stopped_row_even_with_a_gap() -> None:
    position = "50 - 52 | 70 | 20 | 60 | | | | | | ; A: 10 1 ; B: 71 2 ; actions: A start"
    state, _ = state_of("advanced", position=position).choose({0: 10, 1: 71})
    assert {use.row for use in options(state, Action.START)} == {0, 1, 2, 3}
    state, _ = state_of("advanced", position=position + " ; stops: 1").choose({0: 10, 1: 71})
    assert {use.row for use in options(state, Action.START)} == {1, 2, 3}


def test_r_p14_place_at_the_start_shifts_tiles_up_to_the_first_gap() -> None:
    position = "50 - 52 - 54 | 70 | 20 | 60 | | | | | | ; A: 10 1 ; B: 71 2 ; actions: A start"
    state = state_of("advanced", position=position, r1=". +9 +8 +7 . . take")
    state, _ = state.choose({0: 10, 1: 71})
    state, _ = state.choose({0: Use(Action.START, row=0)})
    assert state.rows[0] == (10, 50, 52, EMPTY, 54) and state.totals[0] == 9, "only the gap newly covered acts"


def test_r_p15_two_skips_for_one_tile_skip_two_fields() -> None:
    position = "50 | 70 | 20 | 60 | | | | | | ; A: 25 1 ; B: 71 2 ; actions: A skip skip"
    state, _ = state_of("advanced", position=position, r3=". -7 -6 +4 . take").choose({0: 25, 1: 71})
    state, _ = state.choose({0: Use(Action.SKIP)})
    state, _ = state.choose({0: Use(Action.SKIP)})
    assert state.rows[2] == (20, EMPTY, EMPTY, 25) and state.totals[0] == 4


def test_r_p16_a_luck_card_with_place_at_the_start_acts_on_the_field_newly_covered() -> None:
    position = (
        "50 51 | 70 | 20 | 60 | | | | | | ; A: 10 1 ; B: 71 2 ; actions: A start ; luck: A plus_five ; stacks: 0 0"
    )
    state = state_of("advanced", position=position, luck=True, r1="-3 . -7 . take")
    state, _ = state.choose({0: 10, 1: 71})
    state, _ = state.choose({0: Use(Action.START, row=0)})
    state, _ = state.choose({0: Use(Luck.PLUS_FIVE)})
    assert state.rows[0] == (10, 50, 51) and state.totals[0] == 5, "+5 instead of the -7 that 51 now covers"


def test_r_p17_stop_goes_on_active_rows_only() -> None:
    position = "50 | 70 | 20 | 60 | | | | | | ; A: 25 1 ; B: 71 2 ; actions: A stop"
    state, _ = state_of("advanced", position=position).choose({0: 25, 1: 71})
    assert {use.row for use in options(state, Action.STOP)} == {0, 1, 2, 3}


@pytest.mark.parametrize("first", [Use(Action.SKIP), Use(Action.ASCENDING, row=2), Use(Action.START, row=0)])
def test_r_p18_swap_comes_before_any_other_card_for_the_same_tile(first: Use) -> None:
    position = "50 | 70 | 20 | 60 | | | | | | ; A: 25 1 ; B: 71 2 ; actions: A skip swap ascending start"
    state, _ = state_of("advanced", position=position).choose({0: 25, 1: 71})
    assert options(state, Action.SWAP) == [Use(Action.SWAP, tile=1)]
    planned, _ = state.choose({0: first})
    assert options(planned, Action.SWAP) == []
    swapped, _ = state.choose({0: Use(Action.SWAP, tile=1)})
    assert options(swapped, Action.SKIP) == [Use(Action.SKIP)]


def test_r_p19_being_asked_does_not_tell_what_a_hand_holds() -> None:
    # Both markers are on the table and A has no other tile: only a Skip could be used.
    position = "50 | 70 | 20 | 60 | | | | | | ; A: 25 ; B: 71 2 ; actions: A {} ; stops: 1 2"
    useless, _ = state_of("advanced", position=position.format("stop swap")).choose({0: 25, 1: 71})
    useful, _ = state_of("advanced", position=position.format("skip swap")).choose({0: 25, 1: 71})
    assert useless.pending[0].options == (PASS,) and len(useful.pending[0].options) > 1
    assert useless.view(1) == useful.view(1)
    # A seat without action cards is not asked, and everybody knows why.
    nothing, _ = state_of("advanced", position=position.replace(" ; actions: A {}", "")).choose({0: 25, 1: 71})
    assert not any(isinstance(decision, UseCards) for decision in nothing.pending.values())


def test_r_p19_after_each_card_that_leaves_another_one_is_asked_again() -> None:
    position = "50 | 70 | 20 | 60 | | | | | | ; A: 25 1 ; B: 71 2 ; actions: A stop stop ; stops: 1"
    state, _ = state_of("advanced", position=position).choose({0: 25, 1: 71})
    state, _ = state.choose({0: Use(Action.STOP, row=1)})
    assert state.pending[0].options == (PASS,), "both markers are out now, but another card is in hand"
    state, _ = state.choose({0: PASS})
    assert not state.queue


def test_r_p20_how_many_tiles_are_left_in_the_stock_is_public() -> None:
    for mode, size in (("advanced", 100 - 3 * 12 - 4), ("basic", 100 - 3 * 12 - 4)):
        view = BoardGame(players=3, mode=mode).deal(seed=1).view(2)
        assert view.stock == () and view.stock_size == size
    assert BoardGame(players=4).deal(seed=1).view(0).stock_size == 0
