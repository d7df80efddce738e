"""Beat the Buffalo: the page's table and rulings R-B1 to R-B17, one by one (`test_buffalo_rulings` has the rest)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

import pytest

from nimmt_lab import GameState, Record
from nimmt_lab.boards.words import board_words
from nimmt_lab.engine.cards import EMPTY, TEAM
from nimmt_lab.engine.decisions import Choice
from nimmt_lab.engine.errors import IllegalChoice, NimmtError, NotationError, PositionError, RulesError, WrongSeat
from nimmt_lab.engine.events import CardPlaced, Event, RowTaken
from nimmt_lab.engine.sentences import Phrase
from nimmt_lab.engine.shapes import ICONS
from nimmt_lab.games import Buffalo
from nimmt_lab.games.buffalo.parts import (
    ALL_SPECIALS,
    SPECIALS_IN_PLAY,
    BuffaloRule,
    BuffaloTable,
    CardPushed,
    CardSwapped,
    OrderChanged,
    RowEmptied,
    RowStopped,
    SevenTakesLaid,
    SevenTakesLeft,
    Special,
    SpecialUsed,
    StopLifted,
)
from nimmt_lab.games.buffalo.uses import (
    First,
    Insert,
    Last,
    LiftStop,
    Pass,
    Push,
    SevenTakes,
    Sort,
    Stop,
    Swap,
    Use,
    UseSpecials,
)
from tests.support import refused

GAME = Buffalo(players=2)


def turn(
    text: str, *choices: Use | tuple[int, int], game: Buffalo = GAME, plays: Mapping[int, Choice] | None = None
) -> tuple[GameState, tuple[Event, ...]]:
    """Reveal the lowest card of every seat, then make these choices as soon as possible, passing otherwise.

    Special cards are used at once; `(seat, row)` is a low card's row. Everybody passes for the rest of the turn.
    """
    state = game.from_position(text, ordered=False)
    if TEAM in state.pending:
        state, _ = state.choose({TEAM: Pass()})
    state, events = state.choose(plays or {seat: decision.options[0] for seat, decision in state.pending.items()})
    left = list(choices)
    while state.queue:
        if TEAM in state.pending:
            use = left.pop(0) if left and isinstance(left[0], Use) else Pass()
            assert isinstance(use, Use)
            state, more = state.choose({TEAM: use})
        else:
            low = left.pop(0)
            assert isinstance(low, tuple)
            state, more = state.choose([low])
        events += more
    assert not left
    return state, events


def of(events: tuple[Event, ...], *kinds: type[Event]) -> list[Event]:
    return [event for event in events if isinstance(event, kinds)]


def asked(state: GameState) -> UseSpecials:
    decision = state.pending[TEAM]
    assert isinstance(decision, UseSpecials)
    return decision


def revealed(text: str, game: Buffalo = GAME) -> GameState:
    """The state at the first decision of the team."""
    state = game.from_position(text, ordered=False)
    if TEAM in state.pending:
        state, _ = state.choose({TEAM: Pass()})
    return state.choose({seat: decision.options[0] for seat, decision in state.pending.items()})[0]


# Setup ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("players", range(1, 7))
def test_setup(players: int) -> None:
    game = Buffalo(players=players)
    seen: Counter[Special] = Counter()
    for seed in range(20):
        state = game.deal(seed)
        extra = BuffaloTable.of(state)
        assert [len(hand) for hand in state.hands] == [10] * players and len(extra.deck) == 10
        assert list(extra.deck) != sorted(extra.deck)
        specials = [*extra.up, *extra.special_deck]
        assert len(specials) == SPECIALS_IN_PLAY[players] and len(extra.up) == min(2, len(specials))
        assert not Counter(specials) - Counter(ALL_SPECIALS)
        seen.update(extra.up)
    # Shuffled: over twenty deals every kind comes up.
    assert players == 1 or set(seen) == set(Special)


def test_number_of_players() -> None:
    for players in (0, 7, True, "3"):
        with pytest.raises(RulesError):
            Buffalo(players=players)  # type: ignore[arg-type]
    for options in ({"edition": "002"}, {"tie": "win"}, {"hand_size": 0}, {"deck_size": 33}, {"deck_size": 105}):
        with pytest.raises(RulesError):
            Buffalo(players=2, **options)


def test_the_smallest_deck_is_dealt_out() -> None:
    state = Buffalo(players=2, deck_size=34).deal(seed=1)
    assert state.stock == () and len(BuffaloTable.of(state).deck) == 10


# The special cards ---------------------------------------------------------------------------------------


def test_seven_takes_holds_six_and_leaves_with_its_row() -> None:
    text = "3 8 11 14 17 | 30 | 50 | 70 ; A: 20 31 ; B: 21 32 ; buffalo: 90 91 ; specials: seven_takes stop"
    state, events = turn(text, SevenTakes(0))
    assert state.rows[0] == (21,) and state.piles[0] == (3, 8, 11, 14, 17, 20)
    assert [type(event) for event in events] == [
        type(events[0]), SpecialUsed, SevenTakesLaid, CardPlaced, RowTaken, CardPlaced, SevenTakesLeft, CardPlaced
    ]  # fmt: skip
    taken = events[4]
    assert isinstance(taken, RowTaken) and taken.rule is BuffaloRule.SEVEN_TAKES
    assert BuffaloTable.of(state).used == (Special.SEVEN_TAKES,) and BuffaloTable.of(state).seven_takes == ()


def test_seven_takes_leaves_also_when_a_low_card_takes_the_row() -> None:
    text = "30 | 40 | 50 | 70 ; A: 5 31 ; B: 60 61 ; buffalo: 90 91 ; seven_takes: 2"
    state, events = turn(text, (0, 1))
    assert state.piles[0] == (40,) and of(events, SevenTakesLeft) == [SevenTakesLeft(BuffaloRule.SEVEN_TAKES, 1)]


def test_one_seven_takes_and_one_stop_a_row_and_none_on_an_empty_one() -> None:
    # R-B2
    text = (
        "30 | 40 |  | 70 ; A: 75 76 ; B: 77 78 ; buffalo: 90 91 ; specials: seven_takes stop ; seven_takes: 1 ; stop: 2"
    )
    options = asked(revealed(text)).options
    assert [o for o in options if isinstance(o, SevenTakes)] == [SevenTakes(1), SevenTakes(3)]
    assert [o for o in options if isinstance(o, Stop)] == [Stop(0), Stop(3)]


def test_stop_closes_a_row_until_it_is_lifted() -> None:
    text = "10 | 20 22 | 60 | 70 ; A: 25 80 ; B: 26 81 ; buffalo: 27 82 ; specials: stop push"
    state = revealed(text)
    state, events = state.choose({TEAM: Stop(1)})
    assert of(events, RowStopped) == [RowStopped(BuffaloRule.STOP, 1)]
    state, _ = state.choose({TEAM: Pass()})
    assert state.rows[:2] == ((10, 25), (20, 22))
    state, events = state.choose({TEAM: LiftStop(1)})
    assert of(events, StopLifted) == [StopLifted(BuffaloRule.STOP, 1)]
    assert BuffaloTable.of(state).used == (Special.STOP,)
    assert not any(isinstance(option, LiftStop) for option in asked(state).options)
    state, _ = state.choose({TEAM: Pass()})
    # 26 is closer to 25 than to 22.
    assert state.rows[:2] == ((10, 25, 26), (20, 22))


def test_stop_may_be_lifted_between_turns() -> None:
    # R-B12: one decision before the turn, only because of the Stop!; nothing else can be used then.
    state = GAME.from_position("10 | 20 | 60 | 70 ; A: 25 ; B: 26 ; buffalo: 27 ; specials: sort ; stop: 2")
    assert list(state.pending) == [TEAM] and asked(state).before is None
    assert list(asked(state).options) == [Pass(), LiftStop(1)]
    lifted, events = state.choose({TEAM: LiftStop(1)})
    assert list(lifted.pending) == [0, 1] and isinstance(events[0], StopLifted)
    kept, _ = state.choose({TEAM: Pass()})
    assert list(kept.pending) == [0, 1] and BuffaloTable.of(kept).stopped == (1,)
    kept, _ = kept.choose({0: 25, 1: 26})
    assert LiftStop(1) in asked(kept).options and asked(kept).before == 25


def test_low_cards_choose_among_rows_that_are_not_stopped() -> None:
    # R-B3, R-B14: row 1 ends lower but is stopped, so 25 counts as a low card.
    text = "20 | 40 | 50 | 71 ; A: 25 80 ; B: 90 81 ; buffalo: 30 82 ; stop: 1"
    state, _ = turn(text, (0, 1), plays={0: 25, 1: 90})
    assert state.piles == ((40,), ())
    state = revealed(text)
    state, _ = state.choose({TEAM: Pass()})
    assert state.pending[0].options == (1, 2, 3)
    with pytest.raises(IllegalChoice):
        state.choose({0: 0})
    # The buffalo's: row 1 has the fewest heads but is stopped; of 40 (3), 50 (3) and 71 (1) it takes 71.
    state, _ = turn(text.replace("A: 25", "A: 85").replace("; buffalo: 30", "; buffalo: 10"), plays={0: 85, 1: 90})
    assert state.piles == ((), (71,))


def test_the_buffalo_takes_fewest_heads_then_the_highest_end() -> None:
    state, events = turn("20 | 30 | 41 | 52 ; A: 61 62 ; B: 71 72 ; buffalo: 5 6")
    assert state.piles == ((), (52,))
    taken = of(events, RowTaken)[0]
    assert isinstance(taken, RowTaken) and taken.rule is BuffaloRule.BUFFALOS_LOW_CARD and taken.seat == GAME.buffalo
    # Nobody may look through its pile (R-B12), so 52 counts as unseen although everybody saw it being taken.
    view = state.view(0)
    assert view.piles == ((), (EMPTY,)) and view.pile_heads == (0, 1) and 52 in view.unseen
    assert not {5, 61, 71} & set(view.unseen)


def test_swap_is_placed_at_once() -> None:
    text = "5 10 | 11 13 14 16 17 | 60 | 70 ; A: 25 15 80 ; B: 61 90 91 ; buffalo: 71 72 73 ; specials: swap sort"
    state = GAME.from_position(text)
    state, _ = state.choose({0: 25, 1: 61})
    state, events = state.choose({TEAM: Swap(0)})
    assert [type(event) for event in events] == [SpecialUsed] and state.pending[0].options == (15, 80)
    state, events = state.choose({0: 15})
    assert of(events, CardSwapped, CardPlaced) == [
        CardSwapped(BuffaloRule.SWAP, seat=0, back=25, card=15),
        CardPlaced(events[-1].rule, 0, 15, 0, 2, 5),
    ]
    assert state.rows[0] == (5, 10, 15) and state.hands[0] == (25, 80)
    assert asked(state).before == 61


def test_swap_leaves_the_order_of_the_others() -> None:
    # B's 61 is last in line; its other card is placed first of all, though 25 would be next.
    text = "5 10 | 30 | 60 | 95 ; A: 25 80 ; B: 61 99 ; buffalo: 35 72 ; specials: swap sort"
    state, events = turn(text, Swap(1), plays={0: 25, 1: 61})
    assert [event.card for event in events if isinstance(event, CardPlaced)] == [99, 25, 35]
    assert state.hands[1] == (61,)


def test_a_swapped_low_card_chooses_its_row_with_no_word_between() -> None:
    text = "5 10 | 30 | 60 | 95 ; A: 25 2 ; B: 61 99 ; buffalo: 35 72 ; specials: swap sort"
    state = GAME.from_position(text).choose({0: 25, 1: 61})[0]
    state, _ = state.choose({TEAM: Swap(0)})
    assert list(state.pending) == [0] and state.queue[0].card == 2
    again = GAME.from_position(str(state.position))
    assert again.pending == state.pending
    state, _ = state.choose({0: 1})
    assert list(state.pending) == [TEAM] and state.piles[0] == (30,)


def test_swap_needs_another_card_and_an_unplaced_one() -> None:
    # R-B4: in the last turn nobody has another card, so there is no choice.
    state = GAME.from_position("5 | 30 | 60 | 95 ; A: 25 ; B: 61 ; buffalo: 35 ; specials: swap swap")
    state, _ = state.choose({0: 25, 1: 61})
    assert state.is_over
    # R-B16: once A's card is placed, only B can swap.
    state = revealed("5 | 30 | 60 | 95 ; A: 25 26 ; B: 61 62 ; buffalo: 35 36 ; specials: swap swap")
    state, _ = state.choose({TEAM: Pass()})
    assert list(asked(state).options) == [Pass(), Swap(1)]


def test_insert_goes_anywhere_but_the_end() -> None:
    # R-B7, R-B9: rows 1 and 2 have a higher card; in row 3 it would be last; row 4 is stopped (R-B10).
    text = "5 11 30 | 20 | 7 9 | 12 ; A: 10 80 ; B: 61 81 ; buffalo: 71 82 ; specials: insert insert ; stop: 4"
    assert [o for o in asked(revealed(text)).options if isinstance(o, Insert)] == [Insert(0), Insert(1)]
    state, events = turn(text, Insert(1))
    assert state.rows[:2] == ((5, 11, 30, 61, 71), (10, 20))
    assert of(events, CardPlaced)[0] == CardPlaced(BuffaloRule.INSERT, 0, 10, 1, 0, None)


def test_insert_is_not_for_the_buffalos_card() -> None:
    # R-B16: the buffalo's 10 is next; A's 15 only after it.
    text = "5 11 30 | 20 | 7 9 | 12 ; A: 15 80 ; B: 61 81 ; buffalo: 10 82 ; specials: insert push"
    state = revealed(text)
    assert not any(isinstance(option, Insert) for option in asked(state).options)
    state, _ = state.choose({TEAM: Pass()})
    assert Insert(0) in asked(state).options


@pytest.mark.parametrize(
    ("edition", "row", "left", "taken"),
    [
        ("000", "5 11 30 40", (5, 10, 11, 30, 40), ()),
        ("000", "5 11 30 40 50", (50,), (5, 10, 11, 30, 40)),
        # 003 words it as a row that *becomes* full.
        ("003", "5 11 30 40", (40,), (5, 10, 11, 30)),
        ("003", "5 11 30", (5, 10, 11, 30), ()),
    ],
)
def test_insert_into_a_full_row(edition: str, row: str, left: tuple[int, ...], taken: tuple[int, ...]) -> None:
    # R-B11
    text = f"{row} | 60 | 70 | 80 ; A: 10 83 ; B: 61 84 ; buffalo: 71 82 ; specials: insert push"
    state, events = turn(text, Insert(0), game=Buffalo(players=2, edition=edition))
    assert (state.rows[0], state.piles) == (left, (taken, ()))
    for event in of(events, RowTaken):
        assert isinstance(event, RowTaken) and (event.seat, event.rule) == (TEAM, BuffaloRule.FULL_ROW)


def test_a_row_with_seven_takes_holds_six_for_insert_and_push() -> None:
    # R-B8; if Insert takes the row, the 7 takes! goes too.
    six = "5 11 30 40 50 | 60 | 70 | 80 ; A: 10 83 ; B: 61 84 ; buffalo: 71 82 ; specials: insert push ; seven_takes: 1"
    state, _ = turn(six, Insert(0))
    assert state.rows[0] == (5, 10, 11, 30, 40, 50) and state.piles[0] == ()
    seven = six.replace("40 50 |", "40 50 51 |")
    state, events = turn(seven, Insert(0))
    assert state.rows[0] == (51,) and of(events, SevenTakesLeft)
    state, events = turn(seven, Push(60, 0))
    assert state.rows[0] == (60, 61) and state.piles[0] == (5, 11, 30, 40, 50, 51)


def test_push_moves_a_card_to_its_place() -> None:
    text = "3 5 10 13 | 7 9 | 60 | 70 ; A: 61 83 ; B: 71 84 ; buffalo: 15 82 ; specials: insert push"
    state, events = turn(text, Push(7, 0))
    assert state.rows[1] == (9,) and state.piles == ((), (3, 5, 7, 10, 13))
    assert of(events, CardPushed) == [CardPushed(BuffaloRule.PUSH, card=7, old_row=1, row=0, slot=2)]
    assert not of(events, RowEmptied)


def test_a_card_pushed_to_the_end_of_a_full_row_stays() -> None:
    # R-B11
    text = "3 5 10 13 20 | 7 29 | 60 | 70 ; A: 61 83 ; B: 71 84 ; buffalo: 75 82 ; specials: insert push"
    state, _ = turn(text, Push(29, 0))
    assert state.rows[:2] == ((29,), (7,)) and state.piles[0] == (3, 5, 10, 13, 20)


def test_stopped_rows_are_left_alone_by_push() -> None:
    # R-B10
    text = "3 5 | 7 29 | 60 | 70 ; A: 61 83 ; B: 71 84 ; buffalo: 75 82 ; specials: push push ; stop: 2"
    pushes = [option for option in asked(revealed(text)).options if isinstance(option, Push)]
    assert {push.row for push in pushes} == {0, 2, 3}
    assert {push.card for push in pushes} == {3, 5, 60, 70}
    assert len(pushes) == 4 * 2 == len(set(pushes))
    with pytest.raises(IllegalChoice):
        revealed(text).choose({TEAM: Push(7, 0)})


def test_the_next_card_must_fill_an_emptied_row() -> None:
    # R-B13: it may be the buffalo's; R-B15: 7 takes! stays on the emptied row.
    text = "3 5 | 7 | 60 | 70 ; A: 61 83 ; B: 71 84 ; buffalo: 50 82 ; specials: insert push ; seven_takes: 2"
    state, events = turn(text, Push(7, 0))
    assert state.rows == ((3, 5, 7), (50,), (60, 61), (70, 71))
    assert of(events, RowEmptied) == [RowEmptied(BuffaloRule.EMPTY_ROW, 1)]
    assert BuffaloTable.of(state).seven_takes == (1,) and not of(events, SevenTakesLeft)
    filled = of(events, CardPlaced)[0]
    assert isinstance(filled, CardPlaced) and filled.rule is BuffaloRule.EMPTY_ROW and filled.seat == GAME.buffalo


def test_while_an_empty_row_waits() -> None:
    # R-B6: no Insert; a Push may fill the row.
    text = "3 5 | 7 | 60 | 70 ; A: 4 83 ; B: 71 84 ; buffalo: 50 82 ; specials: push push ; special_deck: insert seven_takes"
    state = revealed(text)
    state, _ = state.choose({TEAM: Push(7, 0)})
    assert not any(isinstance(option, (Insert, Stop)) for option in asked(state).options)
    assert Push(60, 1) in asked(state).options
    state, _ = state.choose({TEAM: Push(60, 1)})
    # Now row 3 is the empty one, and 4 must go there.
    assert BuffaloTable.of(state).empty == (2,) and state.rows[1] == (60,)
    state, _ = state.choose({TEAM: Pass()})
    assert state.rows[2] == (4,)


def test_two_emptied_rows_are_filled_in_the_order_they_were_emptied() -> None:
    text = "3 | 7 | 60 | 70 ; A: 65 83 ; B: 71 84 ; buffalo: 75 82 ; specials: push push ; special_deck: seven_takes"
    state = revealed(text)
    state, _ = state.choose({TEAM: Push(60, 3)})
    state, _ = state.choose({TEAM: Push(3, 1)})
    assert BuffaloTable.of(state).empty == (2, 0)
    assert " ; empty: 3 1" in str(state.position)
    assert BuffaloTable.of(GAME.from_position(str(state.position), ordered=False)).empty == (2, 0)
    while state.queue:
        state, _ = state.choose({TEAM: Pass()})
    assert state.rows == ((71, 75), (3, 7), (65,), (60, 70))


def test_an_empty_row_can_wait_for_the_next_turn() -> None:
    text = "3 | 7 | 60 | 70 ; A: 80 5 ; B: 81 6 ; buffalo: 82 9 ; specials: push push"
    state = GAME.from_position(text).choose({0: 80, 1: 81})[0]
    while len(state.queue) > 1:
        state, _ = state.choose({TEAM: Pass()})
    state, _ = state.choose({TEAM: Push(3, 1)})
    state, _ = state.choose({TEAM: Push(60, 1)})
    state, _ = state.choose({TEAM: Pass()}) if TEAM in state.pending else (state, ())
    assert state.rows[0] == (82,) and state.rows[2] == () and not state.queue
    state, _ = state.choose({0: 5, 1: 6})
    # 5 is lower than every end but one, yet it must go to the empty row.
    assert state.is_over and state.rows[2][:1] == (5,)


ORDER = "10 | 20 | 30 | 40 ; A: 50 1 ; B: 60 2 ; C: 70 3 ; buffalo: 55 4 ; specials: {} ; special_deck: {}"
THREE = Buffalo(players=3)


def order_after(specials: str, deck: str, *uses: Use) -> list[int]:
    state = THREE.from_position(ORDER.format(specials, deck), ordered=False).choose({0: 50, 1: 60, 2: 70})[0]
    order: list[int] = []
    for use in uses:
        state, events = state.choose({TEAM: use})
        changed = of(events, OrderChanged)[0]
        assert isinstance(changed, OrderChanged) and changed.kind == use.kind
        order = [play.card for play in changed.plays]
    return order


def test_first_and_last_card() -> None:
    # R-B5
    assert order_after("first push", "", First(2)) == [70, 50, 55, 60]
    assert order_after("last push", "", Last(0)) == [55, 60, 70, 50]
    assert order_after("first last", "", First(2), Last(0)) == [70, 55, 60, 50]
    with pytest.raises(IllegalChoice):
        order_after("first push", "", First(THREE.buffalo))


def test_a_second_first_or_last_card() -> None:
    # R-B17: it overrides the first one, or goes directly after (before) it.
    assert order_after("first first", "", First(2), First(1)) == [60, 70, 50, 55]
    assert order_after("first first", "", First(2), First(1, second=True)) == [70, 60, 50, 55]
    assert order_after("last last", "", Last(0), Last(1)) == [55, 70, 50, 60]
    assert order_after("last last", "", Last(0), Last(1, second=True)) == [55, 70, 60, 50]
    for uses in (
        (First(1, second=True),),  # nothing was set first
        (First(2), First(2, second=True)),  # not behind itself
        (First(2), Sort((50, 55, 60, 70)), First(1, second=True)),  # Sort has overridden it
        (First(2), Last(2), First(1, second=True)),  # so has Last card
    ):
        with pytest.raises(IllegalChoice):
            order_after("first first", "sort last", *uses) if len(uses) < 3 else order_after(
                f"first {uses[1].kind}", "first", *uses
            )


def test_a_placed_first_card_is_no_longer_first() -> None:
    state = THREE.from_position(ORDER.format("first first", ""), ordered=False).choose({0: 50, 1: 60, 2: 70})[0]
    state, _ = state.choose({TEAM: First(2)})
    assert First(1, second=True) in asked(state).options and BuffaloTable.of(state).first == 70
    state, _ = state.choose({TEAM: Pass()})
    assert [o for o in asked(state).options if isinstance(o, First)] == [First(0), First(1)]


def test_sort_orders_all_cards_the_buffalos_too() -> None:
    assert order_after("sort push", "", Sort((70, 55, 60, 50))) == [70, 55, 60, 50]
    state = THREE.from_position(ORDER.format("sort push", "")).choose({0: 50, 1: 60, 2: 70})[0]
    for wrong in ((70, 55, 60), (70, 55, 60, 60), (70, 55, 60, 51), ()):
        with pytest.raises(IllegalChoice):
            state.choose({TEAM: Sort(wrong)})


def test_a_used_card_is_replaced_at_once_and_leaves_the_game() -> None:
    text = "10 | 20 | 30 | 40 ; A: 50 1 ; B: 60 2 ; buffalo: 55 4 ; specials: first last ; special_deck: sort push"
    state = GAME.from_position(text, ordered=False).choose({0: 50, 1: 60})[0]
    state, events = state.choose({TEAM: First(1)})
    assert events[0] == SpecialUsed(BuffaloRule.SPECIALS, Special.FIRST, card=50, turned_up=Special.SORT)
    extra = BuffaloTable.of(state)
    assert (extra.up, extra.special_deck, extra.used) == (("last", "sort"), ("push",), ("first",))
    # Any number in a turn.
    for use in (Last(1), Sort((55, 60, 50)), Push(10, 1)):
        state, events = state.choose({TEAM: use})
    assert events[0] == SpecialUsed(BuffaloRule.SPECIALS, Special.PUSH, card=55, turned_up=None)
    assert BuffaloTable.of(state).up == () and TEAM not in state.pending


def test_uses_need_the_card_to_lie_face_up() -> None:
    state = revealed(
        "10 | 20 | 30 | 40 ; A: 50 1 ; B: 60 2 ; buffalo: 55 4 ; specials: first last ; special_deck: sort push"
    )
    for use in (Sort((50, 55, 60)), Push(10, 1), SevenTakes(0), Swap(0), LiftStop(0), Insert(0)):
        with pytest.raises(IllegalChoice):
            state.choose({TEAM: use})
    with refused(WrongSeat, "engine.not_asked_now", who=Phrase("shared.seat")):
        state.choose({0: 1})


# The end -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("players", "piles", "tie", "totals", "winners"),
    [
        (3, "T+: 1 2 ; D+: 5 3", "draw", (2, 3), (0, 1, 2)),
        (3, "T+: 5 2 ; D+: 1 3", "draw", (3, 2), (3,)),
        (3, "T+: 5 ; D+: 1 3", "draw", (2, 2), ()),
        (3, "T+: 5 ; D+: 1 3", "loss", (2, 2), (3,)),
        # With 1 or 2 players the team's heads are doubled.
        (2, "T+: 1 ; C+: 2 3", "draw", (2, 2), ()),
        (2, "T+: 1 ; C+: 2 5", "draw", (2, 3), (0, 1)),
        (1, "T+: 1 2 ; B+: 5 3", "draw", (4, 3), (1,)),
    ],
)
def test_the_end(players: int, piles: str, tie: str, totals: tuple[int, int], winners: tuple[int, ...]) -> None:
    game = Buffalo(players=players, tie=tie)
    hands = " ; ".join(f"{'ABC'[seat]}: {101 + seat}" for seat in range(players))
    state = game.from_position(f"10 | 20 | 30 | 40 ; {hands} ; {piles} ; buffalo: 104")
    state, _ = state.choose({seat: 101 + seat for seat in range(players)})
    outcome = game.outcome(state)
    assert outcome is not None and (outcome.totals, outcome.winners) == (totals, winners)
    assert (str(Phrase("drawn.nobody_wins")) in str(state)) == (winners == ())


# Views, drawings -----------------------------------------------------------------------------------------


def test_views_hide_hands_the_buffalos_cards_and_the_special_deck() -> None:
    state = THREE.deal(seed=4)
    for seat in range(3):
        view = state.view(seat)
        assert [hand is None for hand in view.hands] == [other != seat for other in range(3)]
        extra = BuffaloTable.of(view)
        assert extra.deck == (EMPTY,) * 10 and extra.special_deck == (None, None)
        assert extra.up == BuffaloTable.of(state).up
        assert len(view.unseen) == 104 - 10 - 4
    assert state.view(TEAM).hands == (None, None, None) and state.view(TEAM).hand == ()
    with pytest.raises(RulesError):
        state.view(3)


def test_after_the_reveal_the_team_decides_from_the_open_cards() -> None:
    text = ORDER.format("swap push", "")
    state = THREE.from_position(text).choose({0: 50, 1: 60, 2: 70})[0]
    view = state.view(TEAM)
    assert view.hands == (None, None, None) and view.decision == state.pending[TEAM]
    assert BuffaloTable.of(view).deck == (EMPTY,)
    assert state.view(0).hands == ((1,), None, None) and state.view(0).decision is None
    # The decision of the team reveals nothing about face-down cards.
    other = THREE.from_position(text.replace("buffalo: 55 4", "buffalo: 55 9")).choose({0: 50, 1: 60, 2: 70})[0]
    assert other.view(TEAM) == view


def test_drawings_show_the_special_cards() -> None:
    state = GAME.from_position(
        "10 | 20 | 30 | 40 ; A: 50 1 ; B: 60 2 ; C+: 55 ; buffalo: 56 4 ; specials: first last ; seven_takes: 1 ; stop: 1 3",
        ordered=False,
    )
    words, shown = board_words("en"), state._repr_mimebundle_()
    for kind, icon in ((Special.SEVEN_TAKES, ICONS["seven"].line), (Special.STOP, ICONS["stop"].fill)):
        assert f">{words(f'special.{kind}')}</text>" in shown["text/html"]
        assert icon in shown["text/html"]
    assert "seven_takes: 1" in shown["text/plain"] and "stop: 1 3" in shown["text/plain"]
    for kind in (Special.FIRST, Special.LAST):
        assert words(f"special.{kind}") in shown["text/html"]
    assert f"{words('who.buffalo')} (7)" in shown["text/html"]
    assert words("queue") not in shown["text/html"]
    state = GAME.from_position("10 | 20 | 30 | 40 ; A: 50 1 ; B: 60 2 ; buffalo: 56 4 ; specials: first last")
    state, _ = state.choose({0: 50, 1: 60})
    assert words("queue") in state._repr_mimebundle_()["text/html"]
    assert str(Phrase("drawn.to_place", plays="A50 C56 B60")) in str(state)


# Notation ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "use",
    [
        Pass(), SevenTakes(0), Stop(3), LiftStop(2), Swap(1), Insert(1), Push(104, 2), First(0), First(1, True),
        Last(2), Last(0, True), Sort((78, 80, 55, 72, 68)),
    ],
)  # fmt: skip
def test_uses_are_written_and_read(use: Use) -> None:
    for text in (ORDER.format("swap push", ""), ORDER.format("swap push", "") + " ; stop: 1"):
        state = THREE.from_position(text, ordered=False)
        state = state.choose({0: 50, 1: 60, 2: 70})[0] if TEAM not in state.pending else state
        decision = asked(state)
        written = decision.write(use)
        assert written == f"{decision.before or '-'}!{use}" and decision.read(written) == use
        assert decision.read(str(use)) == use
        with refused(NotationError, "buffalo.another_moment_next"):
            decision.read(f"104!{use}")


@pytest.mark.parametrize(
    "text",
    ["", "50!", "!", "50!stop", "50!stop@", "50!stop:2", "50!push@1", "50!push:x@1", "50!swap:15", "50!swap:B15", "50!swap@1",
     "50!first:", "50!first:A++", "50!sort:", "50!sort:1--2", "50!pass@1", "50!fly@1", "50!first:A@2", "50!sort:1-x"],
)  # fmt: skip
def test_bad_uses_are_refused(text: str) -> None:
    state = THREE.from_position(ORDER.format("swap push", "")).choose({0: 50, 1: 60, 2: 70})[0]
    with pytest.raises(NotationError):
        state.pending[TEAM].read(text)


def test_records_leave_passes_out() -> None:
    game = Buffalo(players=2)
    start = "10 12 14 16 18 | 20 22 | 60 | 70 ; A: 61 80 ; B: 71 81 ; buffalo: 25 90 ; specials: stop push"
    record = Record(game, start=start)
    for choices in ({0: 61, 1: 71}, {TEAM: Pass()}, {TEAM: Pass()}, {TEAM: Stop(3)}, {TEAM: Pass()}):
        record = record.then(choices)
    # Stop! is used before 71, where only the notation shows that the team passed twice before.
    assert record.final.rows[3] == (70,)
    record = record.then({TEAM: Pass()}).then({0: 80, 1: 81})
    while record.final.pending:
        record = record.then({TEAM: Pass()})
    text = record.to_text()
    assert "9. A61 B71 T71!stop@4 #" in text and "pass" not in text
    assert Record.from_text(text) == record and Record.from_json(record.to_json()) == record


BASE = "10 | 20 | 30 | 40 ; A: 50 1 ; B: 60 2"


@pytest.mark.parametrize(
    "sections",
    [
        "buffalo: 55", "buffalo: 55 0", "buffalo: 55 x", "buffalo: 55 50", "buffalo: 55 105", "buffalo: 55 4 ; specials: cow",
        "buffalo: 55 4 ; specials: stop stop ; stop: 1", "buffalo: 55 4 ; specials: stop push sort",
        "buffalo: 55 4 ; stop: 5", "buffalo: 55 4 ; stop: 1 1", "buffalo: 55 4 ; stop: 0", "buffalo: 55 4 ; first: 50",
        "buffalo: 55 4 ; passed: no", "buffalo: 55 4 ; empty: 1", "buffalo: 55 4 ; moo: 1", "buffalo: 55 4 ; last: x",
        "buffalo: 55 4 ; specials: stop ; special_deck: push", "buffalo: 55 4 ; used: sort push swap",
        "A+: 7 ; buffalo: 55 4", "D+: 7 ; buffalo: 55 4", "totals: 1 2 3 ; buffalo: 55 4",
        "place: D7 ; buffalo: 55 4", "place: A7=70 ; buffalo: 55 4", "place: A7 A8 ; buffalo: 55 4",
    ],
)  # fmt: skip
def test_impossible_positions_are_refused(sections: str) -> None:
    with pytest.raises(NimmtError):
        GAME.from_position(f"{BASE} ; {sections}")


@pytest.mark.parametrize(
    "text",
    [
        "10 | 20 | 30 ; A: 50 ; B: 60 ; buffalo: 7",
        "10 9 | 20 | 30 | 40 ; A: 50 ; B: 60 ; buffalo: 7",
        "1 2 3 4 5 6 | 20 | 30 | 40 ; A: 50 ; B: 60 ; buffalo: 7",
        "10 |  | 30 | 40 ; A: 50 ; B: 60 ; buffalo: 7 ; stop: 2",
        "10 | 20 | 30 | 40 ; buffalo: -",
        "10 | 20 | 30 | 40 ; A: 50 51 ; B: 60 ; buffalo: 7 8",
        "10 - 11 | 20 | 30 | 40 ; A: 50 ; B: 60 ; buffalo: 7",
        "10 | 20 | 30 | 40 ; A: 50 51 52 53 54 55 56 57 58 59 61 ; B: 60 ; buffalo: 7",
    ],
)
def test_impossible_tables_are_refused(text: str) -> None:
    with pytest.raises(PositionError):
        GAME.from_position(text)


def test_a_hand_is_never_too_large() -> None:
    eleven = "A: 50 51 52 53 54 55 56 57 58 59 61"
    with refused(PositionError, "shared.hand_most", most=10, got=11):
        GAME.from_position(f"10 | 20 | 30 | 40 ; {eleven} ; B: 60 ; buffalo: 7", ordered=False)


def test_an_unknown_buffalo_is_dealt_from_unseen_cards() -> None:
    decks = {BuffaloTable.of(GAME.from_position(BASE, seed=seed)).deck for seed in range(10)}
    assert len(decks) == 10
    uneven = GAME.from_position(f"{BASE} 3", ordered=False)
    assert len(BuffaloTable.of(uneven).deck) == 3
    for deck in decks:
        assert len(deck) == 2 and not set(deck) & {10, 20, 30, 40, 50, 60, 1, 2}
