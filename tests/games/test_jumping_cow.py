"""The Jumping Cow: the page's sentences one by one."""

from __future__ import annotations

from nimmt_lab.engine.errors import PositionError
from nimmt_lab.engine.events import RowTaken
from nimmt_lab.engine.sentences import Phrase
from nimmt_lab.games import Classic, JumpingCow
from nimmt_lab.games.classic.fan_card import Markers
from nimmt_lab.games.even_odd.rules import EvenOddMoved
from nimmt_lab.games.jumping_cow.rules import CowJumped, CowMarker, JumpingCowRule
from nimmt_lab.games.mountain.rules import MountainMoved
from tests.support import refused

GAME = Classic(players=2, fan_cards=(JumpingCow(),))


def test_it_starts_at_the_lowest_first_card() -> None:
    for seed in range(30):
        state = GAME.deal(seed)
        assert state.rows[Markers.of(state)[CowMarker].row][0] == min(row[0] for row in state.rows)


def test_four_numbers_and_the_cow_are_a_full_row() -> None:
    state = GAME.from_position("3 6 9 13 | 70 78 | 101 104 | 50 53 ; A: 43 1 ; B: 103 2 ; jumping_cow: 1")
    assert GAME.is_full(state, 0) and not GAME.is_full(state, 1)
    assert GAME.places(state, 0) == 4 and GAME.places(state, 1) == 5
    with refused(PositionError, "shared.row_full", row=1, count=5, row_limit=4):
        GAME.from_position("3 6 9 13 14 | 70 78 | 101 104 | 50 53 ; A: 43 ; B: 103 ; jumping_cow: 1")


def test_a_chain_tells_every_jump_and_take() -> None:
    state = GAME.from_position("90 | 20 21 22 23 24 | 30 31 32 33 34 | 50 53 ; A: 95 1 ; B: 103 2 ; jumping_cow: 1")
    state, events = state.choose({0: 95, 1: 103})
    steps = [event for event in events if isinstance(event, (CowJumped, RowTaken))]
    assert steps == [
        CowJumped(JumpingCowRule.JUMP, old_row=0, row=1, end=24, taken=False),
        RowTaken(JumpingCowRule.MAKES_SIX, seat=0, card=95, row=1, cards=(20, 21, 22, 23), heads=10),
        CowJumped(JumpingCowRule.JUMP, old_row=1, row=2, end=34, taken=True),
        RowTaken(JumpingCowRule.MAKES_SIX, seat=0, card=95, row=2, cards=(30, 31, 32, 33), heads=10),
        CowJumped(JumpingCowRule.JUMP, old_row=2, row=1, end=24, taken=True),
    ]


def test_a_take_by_the_cow_moves_the_other_cards_too() -> None:
    # R-F0 with three kinds: 5 joins the cow, which jumps onto five numbers: one take, so each marker moves once.
    game = Classic(players=2, fan_cards=("jumping_cow", "mountain", "even_odd"), combine_fan_cards=True)
    state = game.from_position(
        "3 | 20 21 22 23 24 | 101 | 90 ; A: 5 1 ; B: 103 2 ; even_odd: 3 odd ; mountain: 4 up ; jumping_cow: 1"
    )
    state, events = state.choose({0: 5, 1: 103})
    kinds = [type(event) for event in events[1:]]
    first = kinds.index(CowJumped)
    assert kinds[first : first + 5] == [CowJumped, RowTaken, EvenOddMoved, MountainMoved, CowJumped]


def test_the_highest_stays_even_when_it_is_not_the_last() -> None:
    game = Classic(players=2, fan_cards=("jumping_cow", "mountain"), combine_fan_cards=True)
    state = game.from_position("30 | 25 24 23 22 21 | 101 | 50 ; A: 31 1 ; B: 103 2 ; mountain: 2 up ; jumping_cow: 1")
    state, _ = state.choose({0: 31, 1: 103})
    assert state.rows[1] == (25,) and state.piles[0] == (24, 23, 22, 21)


def test_the_board_shows_it() -> None:
    state = GAME.from_position("3 | 70 78 | 101 104 | 50 53 ; A: 43 1 ; B: 103 2 ; jumping_cow: 4")
    assert GAME.row_notes(state, 3) == (f"♉ {Phrase('jumping_cow.cow')}",) and GAME.row_notes(state, 0) == ()
    assert "|5" in str(state).splitlines()[4] and "|6" in str(state).splitlines()[1]
