"""Even/Odd: the page's sentences one by one."""

from __future__ import annotations

from nimmt_lab.engine.sentences import Phrase
from nimmt_lab.games import Classic, EvenOdd
from nimmt_lab.games.classic.fan_card import FanCardLaid, Markers
from nimmt_lab.games.even_odd.rules import EvenOddMarker, EvenOddMoved, EvenOddRule

GAME = Classic(players=2, fan_cards=(EvenOdd(),))


def test_it_starts_at_the_lowest_first_card() -> None:
    for seed in range(30):
        state, events = GAME.opening(seed)
        first = min(row[0] for row in state.rows)
        marker = Markers.of(state)[EvenOddMarker]
        assert state.rows[marker.row] == (first,)
        assert marker.side == ("odd" if first % 2 else "even")
        assert events[-1] == FanCardLaid(EvenOddRule.SETUP, "even_odd", marker)


def test_the_marker_does_not_count_towards_the_five() -> None:
    state = GAME.from_position("20 22 24 26 | 40 | 60 | 80 ; A: 28 1 ; B: 81 2 ; even_odd: 1 even")
    state, _ = state.choose({0: 28, 1: 81})
    assert state.rows[0] == (20, 22, 24, 26, 28) and state.piles == ((), ())


def test_the_move_says_why() -> None:
    state = GAME.from_position("20 31 | 40 44 48 50 52 | 88 92 | 85 ; A: 90 1 ; B: 99 2 ; even_odd: 4 odd")
    _, events = state.choose({0: 90, 1: 99})
    assert [event for event in events if isinstance(event, EvenOddMoved)] == [
        EvenOddMoved(EvenOddRule.MOVE, old_row=3, row=0, side="odd", end=31, taken_row=1)
    ]


def test_it_leaves_its_row_even_when_that_row_ends_lowest() -> None:
    state = GAME.from_position("20 | 40 | 60 | 70 71 72 73 74 ; A: 75 1 ; B: 99 2 ; even_odd: 1 even")
    state, _ = state.choose({0: 75, 1: 99})
    assert Markers.of(state)[EvenOddMarker] == EvenOddMarker(1, "even")


def test_a_card_kept_out_of_its_row_can_take_another() -> None:
    # 29 would be the second card of row 1; odd, it is sent to full row 2.
    state = GAME.from_position("28 | 12 14 16 18 20 | 60 | 80 ; A: 29 1 ; B: 30 2 ; even_odd: 1 even")
    state, _ = state.choose({0: 29, 1: 30})
    assert state.piles == ((12, 14, 16, 18, 20), ())
    # The marker went to row 2 (29, odd), so 30 fits row 1 again.
    assert state.rows[:2] == ((28, 30), (29,))


def test_the_board_shows_it() -> None:
    state = GAME.from_position("20 | 40 | 60 | 70 ; A: 75 ; B: 99 ; even_odd: 2 even")
    assert "even_odd: 2 even" in str(state)
    assert GAME.row_notes(state, 1) == (f"◐ {Phrase('even_odd.only_even')}",) and GAME.row_notes(state, 0) == ()
