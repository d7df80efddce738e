"""The Mountain: the page's sentences one by one."""

from __future__ import annotations

from nimmt_lab.engine.events import CardPlaced
from nimmt_lab.engine.play import Play
from nimmt_lab.engine.sentences import Phrase
from nimmt_lab.engine.table import LiveTable
from nimmt_lab.games import Classic, Mountain
from nimmt_lab.games.classic.fan_card import Markers
from nimmt_lab.games.mountain.rules import MountainMarker, MountainMoved, MountainRule

GAME = Classic(players=2, fan_cards=(Mountain(),))


def test_it_starts_at_row_four_with_arrows_up() -> None:
    assert Markers.of(GAME.deal(seed=3))[MountainMarker] == MountainMarker(3, "up")


def test_differences_count_across_both_kinds_of_row() -> None:
    state = GAME.from_position("50 | 60 | 70 | 90 ; A: 81 1 ; B: 2 3")
    # 81 is 11 above 70 and 9 below 90; 79 is 9 above and 11 below; 80 is a tie, which the Mountain wins.
    assert [GAME.row_for(state, value) for value in (81, 79, 80)] == [3, 2, 3]
    # Above the Mountain's end only the others count; below all of them, only the Mountain.
    assert [GAME.row_for(state, value) for value in (95, 3)] == [2, 3]


def test_rows_keep_their_cards_when_the_marker_comes_and_goes() -> None:
    state = GAME.from_position("10 | 20 25 | 30 | 50 40 ; A: 5 1 ; B: 60 24 ; mountain: 4 up")
    state, events = state.choose({0: 5, 1: 60})
    # 5 went below 40; 60 belongs to the closest lower end.
    assert state.rows == ((10,), (20, 25), (30, 60), (50, 40, 5))
    state, events = state.choose({0: 1, 1: 24})
    assert state.queue == () and not state.pending.keys() - {0, 1}
    assert [event.difference for event in events if isinstance(event, CardPlaced)] == [4, 14]


def test_it_walks_to_the_edge_and_back() -> None:
    table = LiveTable.of(GAME.deal(seed=3))
    walk = []
    for _ in range(8):
        GAME.move_fan_cards(table, Play.of(0, 50), 0, took=True)
        moved = table.events[-1]
        assert isinstance(moved, MountainMoved) and moved.taken_row == 0
        assert Markers.of(table)[MountainMarker] == MountainMarker(moved.row, moved.arrows)
        walk.append((moved.old_row, moved.row, moved.arrows, moved.turned))
    assert walk == [
        (3, 2, "up", False), (2, 1, "up", False), (1, 0, "down", True),
        (0, 1, "down", False), (1, 2, "down", False), (2, 3, "up", True),
        (3, 2, "up", False), (2, 1, "up", False),
    ]  # fmt: skip


def test_the_move_says_why() -> None:
    state = GAME.from_position("2 | 8 12 | 70 | 40 36 33 30 26 ; A: 21 1 ; B: 95 3 ; mountain: 4 up")
    _, events = state.choose({0: 21, 1: 95})
    moved = MountainMoved(MountainRule.MOVE, old_row=3, row=2, arrows="up", turned=False, taken_row=3)
    assert [event for event in events if isinstance(event, MountainMoved)] == [moved]


def test_the_board_shows_it() -> None:
    state = GAME.from_position("2 | 8 12 | 70 | 40 ; A: 21 1 ; B: 95 3 ; mountain: 2 down")
    assert GAME.row_notes(state, 1) == (f"▼ {Phrase('mountain.goes_down')}",) and GAME.row_notes(state, 3) == ()
