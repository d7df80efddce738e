"""Beat the Buffalo's later rulings: R-B12 as an option, R-B18 to R-B21, and the buffalo's face-down pile."""

from __future__ import annotations

import pytest

from nimmt_lab import GameState, Record
from nimmt_lab.engine.cards import EMPTY, TEAM
from nimmt_lab.engine.errors import IllegalChoice, NotInHand, PositionError, RulesError, WrongSeat
from nimmt_lab.engine.events import CardPlaced
from nimmt_lab.engine.guess import guess
from nimmt_lab.engine.rng import Rng
from nimmt_lab.games import Buffalo
from nimmt_lab.games.buffalo.parts import BuffaloTable, CardSwapped, RowStopped, SevenTakesLaid, Special, SpecialUsed
from nimmt_lab.games.buffalo.uses import ChooseSwap, LiftStop, Pass, Push, SevenTakes, Sort, Stop, Swap
from tests.games.test_buffalo import asked, of, revealed, turn
from tests.support import refused

SWAP = "5 10 | 30 | 60 | 95 ; A: 25 80 {} ; B: 61 99 {} ; buffalo: 35 72 73 ; specials: swap sort"


def swap_state(a: int = 4, b: int = 90) -> GameState:
    return Buffalo(players=2).from_position(SWAP.format(a, b)).choose({0: 25, 1: 61})[0]


def test_r_b18_the_team_names_a_seat_and_the_seat_alone_its_card() -> None:
    state = swap_state()
    assert [use for use in asked(state).options if isinstance(use, Swap)] == [Swap(0), Swap(1)]
    state, events = state.choose({TEAM: Swap(1)})
    assert events == (SpecialUsed(events[0].rule, Special.SWAP, 25, None),)
    decision = state.pending[1]
    assert list(state.pending) == [1] and isinstance(decision, ChooseSwap)
    assert decision.options == (90, 99) and decision.back == 61
    assert state.view(1).decision == decision and state.view(0).decision is None and state.view(TEAM).decision is None
    with pytest.raises(NotInHand):
        state.choose({1: 61})
    with pytest.raises(WrongSeat):
        state.choose({TEAM: Pass()})
    state, events = state.choose({1: 99})
    assert of(events, CardSwapped, CardPlaced)[0] == CardSwapped(events[0].rule, seat=1, back=61, card=99)
    assert state.rows[3] == (95, 99) and state.hands[1] == (61, 90)


def test_r_b18_what_the_team_is_shown_and_offered_never_depends_on_a_hand() -> None:
    one, other = swap_state(4, 90), swap_state(101, 1)
    assert one.hands != other.hands
    assert one.view(TEAM) == other.view(TEAM) and one.pending == other.pending
    assert one.view(TEAM).hands == (None, None)
    naming, differently = (state.choose({TEAM: Swap(1)})[0] for state in (one, swap_state(4, 1)))
    assert naming.view(TEAM) == differently.view(TEAM) and naming.view(0) == differently.view(0)


def test_r_b18_in_notation_and_positions() -> None:
    record = Record(Buffalo(players=2), start=SWAP.format(4, 90))
    for choices in ({0: 25, 1: 61}, {TEAM: Swap(1)}):
        record = record.then(choices)
    state = record.final
    assert str(state.position).endswith("swapping: B")
    assert state.game.from_position(str(state.position)).pending == state.pending
    record = record.then({1: 99})
    while record.final.pending and record.final.turn == state.turn:
        record = record.then({seat: decision.options[0] for seat, decision in record.final.pending.items()})
    assert "8. A25 B61>99 T25!swap:B #" in record.to_text()
    assert Record.from_text(record.to_text()) == record == Record.from_json(record.to_json())
    # Users may type both halves as one word.
    start = Record(record.game, start=record.start)
    assert start.play("A25 B61 T25!swap:B99").final.rows[3] == (95, 99)
    for seat in ("C", "T", "A B"):
        with refused(PositionError, "buffalo.swapping_expected_seat"):
            state.game.from_position(str(state.position).replace("swapping: B", f"swapping: {seat}"))


def test_r_b18_who_has_one_other_card_is_not_asked_which() -> None:
    text = "5 10 | 30 | 60 | 95 ; A: 25 80 ; B: 61 99 ; buffalo: 35 72 ; specials: swap sort"
    _, events = revealed(text).choose({TEAM: Swap(1)})
    assert of(events, CardSwapped) == [CardSwapped(events[1].rule, seat=1, back=61, card=99)]


def test_the_buffalos_pile_is_face_down_and_its_heads_are_known() -> None:
    game = Buffalo(players=2)
    text = "10 | 20 | 30 | 40 ; A: 50 1 ; B: 60 2 ; T+: 7 11 ; C+: {} ; buffalo: 56 4"
    one, other = (game.from_position(text.format(pile)) for pile in ("55 5", "22 33"))
    for seat in (0, 1, TEAM):
        view = one.view(seat)
        assert view.piles == ((7, 11), (EMPTY, EMPTY)) and view.pile_heads == (6, 9)
        assert {55, 5} <= set(view.unseen) and not {7, 11} & set(view.unseen)
        assert view != other.view(seat), "22 and 33 have ten heads"
    same = game.from_position(text.format("15 55"))
    assert same.view(TEAM) == one.view(TEAM) and same.view(0) == one.view(0)


def test_a_guess_deals_the_buffalos_pile_with_as_many_heads() -> None:
    game = Buffalo(players=2)
    view = game.from_position("10 | 20 | 30 | 40 ; A: 50 1 ; B: 60 2 ; C+: 5 15 ; buffalo: 56 4").view(TEAM)
    piles = {guess(view, Rng.from_seed(seed)).piles[1] for seed in range(200)}
    assert all(game.heads_in(pile) == 4 and len(set(pile)) == 2 for pile in piles)
    # Two cards of two heads, or one of three (there are five left) and one of one: both mixes occur.
    assert {tuple(sorted(game.heads_in((card,)) for card in pile)) for pile in piles} == {(1, 3), (2, 2)}
    assert len(piles) > 100, "and any of them"


BETWEEN = "10 | 20 | 30 | 40 ; A: 50 1 ; B: 60 2 ; buffalo: 55 4 ; specials: seven_takes stop"


def test_r_b12_between_turns_nothing_is_laid_unless_played_so() -> None:
    assert TEAM not in Buffalo(players=2).from_position(BETWEEN).pending
    state = Buffalo(players=2, between_turns=True).from_position(BETWEEN)
    rows = range(4)
    assert list(asked(state).options) == [Pass(), *map(SevenTakes, rows), *map(Stop, rows)]
    state, events = state.choose({TEAM: Stop(3)})
    assert events == (
        SpecialUsed(events[0].rule, Special.STOP, None, None), RowStopped(events[1].rule, 3)
    )  # fmt: skip
    state, events = state.choose({TEAM: SevenTakes(0)})
    assert of(events, SevenTakesLaid)
    state, _ = state.choose({TEAM: LiftStop(3)})
    assert set(state.pending) == {0, 1}, "nothing is left to lay or lift, so the cards are chosen"
    assert BuffaloTable.of(state).seven_takes == (0,)


def test_r_b12_only_cards_at_a_row_are_laid_between_turns() -> None:
    game = Buffalo(players=3, between_turns=True)
    text = "10 | 20 | 30 | 40 ; A: 50 1 ; B: 60 2 ; C: 70 3 ; buffalo: 55 4 ; specials: push {} ; special_deck: sort"
    assert TEAM not in game.from_position(text.format("swap")).pending
    state = game.from_position(text.format("stop"))
    assert not any(isinstance(use, Push) for use in asked(state).options)
    state, _ = state.choose({TEAM: Stop(0)})
    with pytest.raises(IllegalChoice):
        state.choose({TEAM: Sort(())})  # Sort has come up, but there is nothing to sort yet
    record = Record(game, start=text.format("stop")).then({TEAM: Stop(0)}).then({TEAM: Pass()})
    record = record.then({0: 50, 1: 60, 2: 70})
    assert Record.from_text(record.to_text()) == record and "T-!stop@1" in record.to_text()


def test_r_b12_is_true_or_false() -> None:
    with refused(RulesError, "engine.option_must", option="between_turns"):
        Buffalo(players=2, between_turns="yes")  # type: ignore[arg-type]


PUSHES = "3 | 7 | 60 | 70 ; A: 61 83 ; B: 71 84 ; buffalo: 50 82 ; specials: push push"


@pytest.mark.parametrize("edition", ["000", "003"])
def test_r_b19_r_b21_emptied_rows_are_filled_in_the_order_they_were_emptied(edition: str) -> None:
    game = Buffalo(players=2, edition=edition)
    state, _ = turn(PUSHES, Push(7, 2), Push(3, 3), game=game)
    assert state.rows == ((61,), (50,), (7, 60), (3, 70, 71)), "row 2 was emptied first, then row 1"
    state, _ = turn(PUSHES, Push(3, 3), Push(7, 2), game=game)
    assert state.rows == ((50,), (61,), (7, 60), (3, 70, 71))


def test_r_b20_a_push_elsewhere_is_allowed_while_an_emptied_row_waits() -> None:
    state, _ = revealed(PUSHES).choose({TEAM: Push(7, 2)})
    assert BuffaloTable.of(state).empty == (1,)
    assert Push(60, 3) in asked(state).options and Push(60, 1) in asked(state).options
    state, _ = state.choose({TEAM: Push(60, 3)})
    assert state.rows == ((3,), (50, 61), (7,), (60, 70, 71)), "50 has filled the row that waited"
