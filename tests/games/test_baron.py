"""Bull Baron: rules, rulings, counts of lines of play against an independent loop, random walks."""

from __future__ import annotations

import itertools
from collections import Counter
from dataclasses import fields
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from nimmt_lab import GameState, Record
from nimmt_lab.boards.words import board_words
from nimmt_lab.conformance import run_vector
from nimmt_lab.engine.errors import GameOver, NimmtError, PositionError, RulesError, UnknownOption
from nimmt_lab.engine.events import CardPlaced, GameEnded, RoundEnded, RowTaken
from nimmt_lab.engine.habits import random_choices
from nimmt_lab.engine.registry import from_options
from nimmt_lab.engine.rng import Rng
from nimmt_lab.engine.sentences import Phrase
from nimmt_lab.games.baron.deck import COLOURS, LETTERS, SAMPLE_DECK, BaronDeck
from nimmt_lab.games.baron.rules import VARIANTS, Baron, BaronRule, CardTucked, DrawPiles, HandsRefilled
from tests.support import cards_of, random_record, refused

#: Row ends of all colours but white; 60 and 61 go to rows 1 and 5 without a choice.
CARDS = {"10": "r", "20": "bb", "30": "g", "40": "by", "50": "k", "60": "r", "61": "k"}
ROWS = [[10], [20], [30], [40], [50]]


def check(
    reveal: dict[str, int],
    expect: dict[str, object],
    *,
    rows: list[list[int]] | None = None,
    cards: dict[str, str] | None = None,
    choices: list[dict[str, object]] | None = None,
    variant: str = "standard",
    **given: object,
) -> None:
    """Run one vector: a turn and its expected results."""
    vector: dict[str, Any] = {
        "id": "case",
        "why": "",
        "game": {"system": "baron", "players": len(reveal), "variant": variant},
        "given": {"cards": CARDS | (cards or {}), "rows": rows or ROWS, **given},
        "reveal": reveal,
        "choices": choices or [],
        "expect": expect,
    }
    assert run_vector(vector) == ()


# Where a card goes -----------------------------------------------------------------------------------------


def test_numbers_only_decide_the_order() -> None:
    # 5 is lower than every row end and 61 higher than all of them, but only their colours matter.
    check({"1": 61, "2": 5}, {"rows": [[10], [20], [30, 5], [40], [50, 61]], "taken": {}, "placed": [[5, 3], [61, 5]]},
          cards={"5": "g"})  # fmt: skip


def test_the_player_chooses_among_matching_rows_only() -> None:
    for row, after in ((2, [[10], [20, 5], [30], [40], [50, 61]]), (4, [[10], [20], [30], [40, 5], [50, 61]])):
        check({"1": 5, "2": 61}, {"rows": after, "taken": {}}, cards={"5": "b"}, choices=[{"seat": 1, "row": row}])
    with refused(UnknownOption, "engine.cannot_choose", known="@2, @4"):
        check({"1": 5, "2": 61}, {}, cards={"5": "b"}, choices=[{"seat": 1, "row": 1}])


def test_only_the_last_card_of_a_row_matters() -> None:
    # Row 1 begins with white, but ends red: a white card does not match it.
    check({"1": 9, "2": 61}, {"rows": [[8, 10], [9], [30], [40], [50, 61]], "taken": {"1": [20]}},
          rows=[[8, 10], [20], [30], [40], [50]], cards={"8": "w", "9": "w"}, choices=[{"seat": 1, "row": 2}])  # fmt: skip


def test_a_single_matching_row_is_not_asked() -> None:
    check({"1": 60, "2": 61}, {"rows": [[10, 60], [20], [30], [40], [50, 61]], "taken": {}})


def test_a_card_placed_earlier_in_the_turn_is_matched() -> None:
    check({"1": 5, "2": 6}, {"rows": [[10, 5, 6], [20], [30], [40], [50]]}, cards={"5": "rw", "6": "w"})


@pytest.mark.parametrize("baron", [52, 104])
def test_the_barons_match_every_row(baron: int) -> None:
    for row in range(1, 6):
        after = [[*cards, baron] if at == row else cards for at, cards in enumerate(ROWS, start=1)]
        check({"1": baron, "2": 5}, {"rows": [[*after[0][:1], 5, *after[0][1:]], *after[1:]]},
              cards={"5": "rr"}, choices=[{"seat": 1, "row": row}])  # fmt: skip


# The three take rules --------------------------------------------------------------------------------------

FIVE = [[1, 2, 3, 4, 6], [20], [30], [40], [50]]
FIVE_CARDS = {"1": "b", "2": "bg", "3": "g", "4": "gr", "6": "r"}


def test_rule_1_the_sixth_card() -> None:
    check({"1": 7, "2": 61}, {"rows": [[7], [20], [30], [40], [50, 61]], "taken": {"1": [1, 2, 3, 4, 6]},
          "heads": {"1": 7, "2": 0}}, rows=FIVE, cards=FIVE_CARDS | {"7": "r"})  # fmt: skip


def test_rule_1_not_the_fifth() -> None:
    check({"1": 7, "2": 61}, {"rows": [[1, 2, 3, 4, 7], [20], [30], [40], [50, 61]], "taken": {}},
          rows=[[1, 2, 3, 4], [20], [30], [40], [50]], cards=FIVE_CARDS | {"7": "r"})  # fmt: skip


def test_rule_1_is_off_where_colour_counts() -> None:
    check({"1": 7, "2": 61}, {"rows": [[1, 2, 3, 4, 6, 7], [20], [30], [40], [50, 61]], "taken": {}},
          rows=FIVE, cards=FIVE_CARDS | {"7": "r"}, variant="colour_counts")  # fmt: skip
    check({"1": 7, "2": 61}, {"rows": [[1, 2, 3, 4, 6, 8, 7], [20], [30], [40], [50, 61]], "taken": {}},
          rows=[[1, 2, 3, 4, 6, 8], *FIVE[1:]], cards=FIVE_CARDS | {"8": "r", "7": "r"}, variant="colour_counts")  # fmt: skip


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize(("own", "takes"), [("r", False), ("rr", True), ("rrrr", True), ("rw", False)])
def test_rule_2_six_of_a_colour_its_own_included(variant: str, own: str, takes: bool) -> None:
    rows = [[7], [20], [30], [40], [50, 61]] if takes else [[1, 2, 7], [20], [30], [40], [50, 61]]
    check({"1": 7, "2": 61}, {"rows": rows, "taken": {"1": [1, 2]} if takes else {}, "heads": {"1": 4 * takes, "2": 0}},
          rows=[[1, 2], [20], [30], [40], [50]], cards={"1": "rrr", "2": "r", "7": own}, variant=variant,
          draw_piles={"1": [90], "2": [91]})  # fmt: skip


def test_rule_2_with_the_colours_in_different_cards() -> None:
    # Nobody brings six reds, but the row's black reaches six: 3 + 2 + 1.
    check({"1": 9, "2": 60}, {"rows": [[9], [20], [30], [40], [50, 60]], "taken": {"1": [1, 2]}, "heads": {"1": 7, "2": 0}},
          rows=[[1, 2], [20], [30], [40], [50]], cards={"1": "kkkr", "2": "kkw", "9": "kw", "50": "r"})  # fmt: skip


def test_rule_2_where_colour_counts() -> None:
    check({"1": 7, "2": 61}, {"rows": [[7], [20], [30], [40], [50, 61]], "taken": {"1": [1, 2, 3, 4, 6]}},
          rows=FIVE, cards=FIVE_CARDS | {"6": "rrrr", "7": "r"}, variant="colour_counts")  # fmt: skip


def test_r_o3_a_card_with_six_of_a_colour_takes_nothing_by_itself() -> None:
    # It starts a row after rule 3 takes another; the next card of its colour then takes it.
    check({"1": 9, "2": 60}, {"rows": [[10, 60], [9], [30], [40], [50]], "taken": {"1": [20]}},
          cards={"9": "wwwwwww"}, choices=[{"seat": 1, "row": 2}])  # fmt: skip
    check({"1": 9, "2": 61}, {"rows": [[10], [61], [30], [40], [50]], "taken": {"1": [20], "2": [9]}},
          cards={"9": "wwwwww", "61": "w"}, choices=[{"seat": 1, "row": 2}])  # fmt: skip


def test_r_o6_six_that_already_lie_there_do_not_bite_a_card_that_adds_none() -> None:
    # 9 brings no red, although the row's first card alone has six.
    check({"1": 9, "2": 61}, {"rows": [[1, 9], [20], [30], [40], [50, 61]], "taken": {}},
          rows=[[1], [20], [30], [40], [50]], cards={"1": "rrrrrrw", "9": "w"})  # fmt: skip
    # With one red of its own it takes the row.
    check({"1": 9, "2": 61}, {"rows": [[9], [20], [30], [40], [50, 61]], "taken": {"1": [1]}},
          rows=[[1], [20], [30], [40], [50]], cards={"1": "rrrrrrw", "9": "wr"})  # fmt: skip


def test_rule_3_any_row() -> None:
    for row in range(1, 6):
        after = [[9] if at == row else cards for at, cards in enumerate(ROWS, start=1)]
        taken = {"1": ROWS[row - 1]}
        reveal = {"1": 9, "2": 61} if row != 5 else {"1": 9, "2": 60}
        after[0 if row == 5 else 4] = [*after[0 if row == 5 else 4], reveal["2"]]
        check(reveal, {"rows": after, "taken": taken}, cards={"9": "w"}, choices=[{"seat": 1, "row": row}])


def test_rules_are_named_in_the_events() -> None:
    deck = BaronDeck.of(CARDS | FIVE_CARDS | {"7": "r", "9": "w", "12": "bb", "13": "bbb"}, title="test")
    game = Baron(players=4, deck=deck)
    position = "1 2 3 4 6 | 12 20 | 30 | 40 | 50 ; A: 7 ; B: 9 ; C: 13 ; D: 61"
    state = game.from_position(position)
    state, events = state.choose({0: 7, 1: 9, 2: 13, 3: 61})
    assert state.pending[1].rule is BaronRule.NO_COLOUR and state.pending[1].options == (0, 1, 2, 3, 4)
    taken = [event for event in events if isinstance(event, RowTaken)]
    state, more = state.choose({1: 2})
    assert state.pending[2].rule is BaronRule.COLOUR and state.pending[2].options == (1, 3)
    state, last = state.choose({2: 1})
    taken += [event for event in (*more, *last) if isinstance(event, RowTaken)]
    assert [(event.rule, event.seat, event.row, event.heads) for event in taken] == [
        (BaronRule.SIXTH_CARD, 0, 0, 7),
        (BaronRule.NO_COLOUR, 1, 2, 1),
        (BaronRule.SIX_OF_A_COLOUR, 2, 1, 4),
    ]
    assert BaronRule.SIX_OF_A_COLOUR.rulings == ("R-O3", "R-O6")


# Draw piles and the end ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("players", "size"), [(2, 24), (3, 24), (4, 24), (5, 20), (6, 16), (7, 12), (8, 12), (9, 8), (10, 8)]
)
def test_r_o1_the_deal(players: int, size: int) -> None:
    state = Baron(players=players).deal(seed=1)
    assert state.game.turns == size
    assert [len(hand) for hand in state.hands] == [4] * players
    assert [len(pile) for pile in DrawPiles.of(state).piles] == [size - 4] * players
    assert [len(row) for row in state.rows] == [1] * 5
    assert sorted(cards_of(state)) == list(range(1, 111)), "the rest is out, in the box"


def test_r_o1_is_a_parameter() -> None:
    state = Baron(players=10, draw_pile=10).deal(seed=1)
    assert [len(pile) for pile in DrawPiles.of(state).piles] == [6] * 10
    assert Baron(players=10, draw_pile=2).deal(seed=1).hands[9] != ()
    with refused(RulesError, "baron.draw_piles_rows", players=10, pile_size=11, rows=5, need=115, count=110):
        Baron(players=10, draw_pile=11)


def test_hands_are_refilled_by_four_only_when_empty() -> None:
    record = random_record(Baron(players=3, draw_pile=10), seed=4)
    sizes = []
    for step in record.steps:
        if len(step.before.pending) == 3:
            sizes.append(len(step.before.hands[0]))
            assert len({len(hand) for hand in step.before.hands}) == 1
    assert sizes == [4, 3, 2, 1, 4, 3, 2, 1, 2, 1]
    drawn = [event.counts for event in record.events if isinstance(event, HandsRefilled)]
    assert drawn == [(4, 4, 4), (2, 2, 2)]
    assert record.outcome and record.outcome.reason is BaronRule.ALL_PLAYED


@pytest.mark.parametrize("variant", VARIANTS)
def test_a_record_has_a_line_for_each_turn(variant: str) -> None:
    record = random_record(Baron(players=4, variant=variant), seed=6)
    labels = [label for label, _ in record.lines]
    assert labels == [str(turn) for turn in range(1, len(labels) + 1)]
    assert variant == "bulls_are_good" or len(labels) == 24
    assert record.final.turn == len(labels)


def test_cards_are_drawn_from_the_top() -> None:
    game = Baron(players=2)
    state = game.from_position("10 | 20 | 30 | 40 | 50 ; A: 52 ; B: 104 ; draw: A 70 71 72 73 74 B 80 81 82 83 84")
    state, _ = state.choose({0: 52, 1: 104})
    while state.queue:
        state, _ = state.choose({seat: decision.options[0] for seat, decision in state.pending.items()})
    assert state.hands == ((70, 71, 72, 73), (80, 81, 82, 83))
    assert DrawPiles.of(state).piles == ((74,), (84,))


def test_fewest_bulls_win_and_ties_share() -> None:
    game = Baron(players=3)
    reason = BaronRule.ALL_PLAYED
    state = game.from_position("10 | 20 | 30 | 40 | 50 ; totals: 7 3 3 ; over: baron.end")
    assert state.outcome and state.outcome.winners == (1, 2) and state.outcome.reason is reason
    good = Baron(players=3, variant="bulls_are_good").from_position(
        "10 | 20 | 30 | 40 | 50 ; totals: 7 -3 7 ; over: baron.good.end"
    )
    assert good.outcome and good.outcome.winners == (0, 2)


@pytest.mark.parametrize("variant", VARIANTS)
def test_several_games_are_added_up(variant: str) -> None:
    record = random_record(Baron(players=3, variant=variant, games=3), seed=8)
    ended = [event for event in record.events if isinstance(event, RoundEnded)]
    assert [event.round for event in ended] == [0, 1, 2]
    assert record.outcome and record.outcome.rounds == 3
    assert record.outcome.totals == tuple(map(sum, zip(*(event.heads for event in ended), strict=True)))
    assert sum(isinstance(event, GameEnded) for event in record.events) == 1


# Variant 2 -------------------------------------------------------------------------------------------------


def test_variant_2_no_colour_goes_under_the_own_draw_pile() -> None:
    check({"1": 9, "2": 60}, {"rows": [[10, 60], [20], [30], [40], [50]], "taken": {}, "under_pile": {"1": [9]},
          "hands": {"1": [11], "2": [12]}, "draw_piles": {"1": [70, 71, 9], "2": [72]}},
          cards={"9": "w"}, variant="bulls_are_good", hands={"1": [11], "2": [12]},
          draw_piles={"1": [70, 71], "2": [72]})  # fmt: skip


def test_variant_2_the_tucked_card_can_be_drawn_at_once() -> None:
    check({"1": 9, "2": 60}, {"under_pile": {"1": [9]}, "hands": {"1": [70, 71, 9], "2": [72]}, "draw_piles": {}},
          cards={"9": "w"}, variant="bulls_are_good", draw_piles={"1": [70, 71], "2": [72]})  # fmt: skip


def test_variant_2_rules_1_and_2_still_take() -> None:
    check({"1": 7, "2": 61}, {"rows": [[7], [20], [30], [40], [50, 61]], "taken": {"1": [1, 2, 3, 4, 6]}},
          rows=FIVE, cards=FIVE_CARDS | {"7": "r"}, variant="bulls_are_good")  # fmt: skip


def good_game(position: str, **cards: str) -> GameState:
    deck = BaronDeck.of(CARDS | {key[1:]: letters for key, letters in cards.items()}, title="test")
    return Baron(players=2, variant="bulls_are_good", deck=deck).from_position(position)


def test_variant_2_ends_when_somebody_has_placed_the_last_card() -> None:
    state = good_game("10 | 20 | 30 | 40 | 50 ; A: 60 ; B: 61 70 ; A+: 52 ; draw: B 71", c70="bb", c71="ggg")
    state, events = state.choose({0: 60, 1: 61})
    assert state.outcome and state.outcome.reason is BaronRule.LAST_CARD
    assert state.totals == (6, -5), "bulls taken are plus, those left in hand and draw pile minus"
    assert state.outcome.winners == (0,)
    assert isinstance(events[-2], RoundEnded) and events[-2].heads == (6, -5)


def test_variant_2_the_turn_is_finished_first() -> None:
    # A places its last card first, yet B's 61 still takes its row.
    state = good_game(
        "10 | 20 | 30 | 40 | 50 51 53 54 55 ; A: 60 ; B: 61 70", c55="k", c70="b", c51="k", c53="k", c54="g"
    )
    state, events = state.choose({0: 60, 1: 61})
    assert [event.cards for event in events if isinstance(event, RowTaken)] == [(50, 51, 53, 54, 55)]
    assert state.is_over and state.totals == (0, 4)


def test_variant_2_a_last_card_that_goes_under_the_pile_is_not_placed() -> None:
    state = good_game("10 | 20 | 30 | 40 | 50 ; A: 9 ; B: 60 70", c9="w", c70="b")
    state, events = state.choose({0: 9, 1: 60})
    assert any(isinstance(event, CardTucked) and event.card == 9 for event in events)
    assert not state.is_over
    assert state.hands == ((9,), (70,)), "A draws what is there (R-O4)"
    assert HandsRefilled(BaronRule.REFILL, (1, 0)) in events


def test_r_o4_fewer_than_four_are_drawn() -> None:
    state = good_game(
        "10 | 20 | 30 | 40 | 50 ; A: 60 ; B: 61 ; draw: A 70 71 72 B 73", c70="b", c71="b", c72="b", c73="b"
    )
    state, _ = state.choose({0: 60, 1: 61})
    assert state.hands == ((70, 71, 72), (73,)) and not any(DrawPiles.of(state).piles)


def test_r_o5_ends_when_nothing_left_fits() -> None:
    state = good_game("10 | 20 | 30 | 40 | 50 ; A: 60 8 ; B: 61 9 ; draw: A 80", c8="w", c9="ww", c80="w")
    state, _ = state.choose({0: 60, 1: 61})
    assert state.outcome and state.outcome.reason is BaronRule.NOTHING_FITS
    assert state.totals == (-2, -2) and state.outcome.winners == (0, 1)
    assert BaronRule.NOTHING_FITS.rulings == ("R-O5",)
    # A single card that fits keeps the game going, even deep in a draw pile.
    state = good_game("10 | 20 | 30 | 40 | 50 ; A: 60 8 ; B: 61 9 ; draw: A 80 81", c8="w", c9="ww", c80="w", c81="g")
    assert not state.choose({0: 60, 1: 61})[0].is_over


def test_variant_2_games_that_are_stuck_from_the_deal_end_at_once() -> None:
    state = good_game("10 | 20 | 30 | 40 | 50 ; A: 8 ; B: 9", c8="w", c9="ww")
    assert state.outcome and state.totals == (-1, -2)


# Counting lines of play ------------------------------------------------------------------------------------


def count(rows: list[list[int]], hands: list[list[int]], bulls: dict[int, str], sixth: bool) -> tuple[int, int]:
    """Count the lines of play, and the bulls taken in them, independently of the engine."""
    if not any(hands):
        return 1, 0
    lines = total = 0
    for plays in itertools.product(*hands):
        rest = [[card for card in hand if card != play] for hand, play in zip(hands, plays, strict=True)]
        for after, cost in placements(rows, sorted(plays), bulls, sixth):
            more, sum_ = count(after, rest, bulls, sixth)
            lines += more
            total += sum_ + cost * more
    return lines, total


def placements(
    rows: list[list[int]], cards: list[int], bulls: dict[int, str], sixth: bool
) -> list[tuple[list[list[int]], int]]:
    if not cards:
        return [(rows, 0)]
    card, rest = cards[0], cards[1:]
    results = []
    fitting = [at for at, row in enumerate(rows) if set(bulls[row[-1]]) & set(bulls[card])]
    for at in fitting or range(5):
        row = rows[at]
        text = "".join(bulls[other] for other in [*row, card])
        six = any(text.count(colour) > 5 for colour in bulls[card])
        takes = not fitting or six or (sixth and len(row) == 5)
        new = [card] if takes else [*row, card]
        cost = sum(len(bulls[other]) for other in row) if takes else 0
        after = [*rows[:at], new, *rows[at + 1 :]]
        results += [(final, cost + more) for final, more in placements(after, rest, bulls, sixth)]
    return results


def engine_count(state: GameState) -> tuple[int, int]:
    if not state.pending:
        return 1, sum(state.totals)
    lines = total = 0
    for choices in itertools.product(*(decision.options for decision in state.pending.values())):
        more, sum_ = engine_count(state.choose(dict(zip(state.pending, choices, strict=True)))[0])
        lines += more
        total += sum_
    return lines, total


@pytest.mark.parametrize(
    ("position", "variant", "lines", "bulls"),
    [
        ("3 | 5 | 7 | 9 | 11 ; A: 1 4 ; B: 2 6", "standard", 594, 0),
        ("82 | 95 | 90 | 103 | 40 ; A: 88 33 ; B: 93 47", "standard", 431, 2489),
        ("1 2 3 4 6 | 5 | 7 | 9 | 11 ; A: 10 52 ; B: 12 18", "standard", 1070, 13705),
        ("1 2 3 4 6 | 5 | 7 | 9 | 11 ; A: 10 52 ; B: 12 18", "colour_counts", 1070, 12058),
        ("3 43 | 18 | 71 90 | 34 | 11 ; A: 100 52 ; B: 104 6", "standard", 1721, 610),
    ],
)
def test_lines_of_play_are_counted(position: str, variant: str, lines: int, bulls: int) -> None:
    first, *parts = position.split(";")
    rows = [[int(word) for word in row.split()] for row in first.split("|")]
    hands = [[int(word) for word in part.split(":")[1].split()] for part in parts]
    letters = {card: SAMPLE_DECK.letters(card) for card in SAMPLE_DECK}
    assert count(rows, hands, letters, variant == "standard") == (lines, bulls)
    assert engine_count(Baron(players=len(hands), variant=variant).from_position(position)) == (lines, bulls)


# Seeing ----------------------------------------------------------------------------------------------------


def test_nobody_sees_a_draw_pile_not_even_the_own() -> None:
    state = random_record(Baron(players=3, variant="bulls_are_good"), seed=1, choices=20).final
    hidden = {card for pile in DrawPiles.of(state).piles for card in pile}
    assert hidden
    for seat in range(3):
        view = state.view(seat)
        assert [len(pile) for pile in DrawPiles.of(view).piles] == [len(pile) for pile in DrawPiles.of(state).piles]
        assert all(card == 0 for pile in DrawPiles.of(view).piles for card in pile)
        assert hidden <= set(view.unseen)
        others = {card for other, hand in enumerate(state.hands) if other != seat for card in hand}
        assert others <= set(view.unseen) and not set(view.hand) & set(view.unseen)


def test_the_drawing_letters_every_bull_and_says_that_the_deck_is_a_sample() -> None:
    state = random_record(Baron(players=2), seed=2, choices=5).final
    text, html = str(state), state._repr_mimebundle_()["text/html"]
    for shown in (text, html):
        assert str(Phrase("baron.sample_deck")) in shown
    for row in state.rows:
        for card in row:
            assert f"{card}:{SAMPLE_DECK.letters(card)}" in text
    on_table = [card for cards in (*state.rows, *state.hands, [play.card for play in state.queue]) for card in cards]
    words = board_words("en")
    for letter, colour in COLOURS.items():
        bulls = sum(SAMPLE_DECK.bulls_of(card, letter) for card in on_table)
        assert html.count(f">{words(f'look.baron.letter_{colour}')}</text>") == bulls
    own = Baron(players=2, deck=BaronDeck.of({}, title="my own deck"))
    assert "my own deck" in str(own.deal(1)) and "sample" not in str(own.deal(1))
    unsaid = Baron(players=2, deck=BaronDeck.of({}, title="half done", is_sample=True))
    assert "half done (sample)" in str(unsaid.deal(1))


# Positions -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("10 | 20 | 30 | 40 ; A: 1 ; B: 2", Phrase("shared.card_rows", name="baron", rows=5, got=4)),
        ("10 | 20 | 30 | 40 | ; A: 1 ; B: 2", Phrase("shared.row_empty", row=5)),
        (
            "10 | 20 | 30 | 40 | 50 - 51 ; A: 1 ; B: 2",
            Phrase("engine.empty_place", place=Phrase("shared.place_row", row=5)),
        ),
        ("10 11 12 13 14 15 | 20 | 30 | 40 | 50 ; A: 1 ; B: 2", Phrase("shared.row_full", row=1, count=6)),
        ("10 | 20 | 30 | 40 | 50 ; A: 1 2 3 4 5 ; B: 6 7 8 9 11", Phrase("shared.hand_most", most=4, got=5)),
        ("10 | 20 | 30 | 40 | 50", Phrase("shared.nobody_card")),
        ("10 | 20 | 30 | 40 | 50 ; A: 1 ; B: 2 ; draw: A 3", Phrase("baron.equal_cards", words="A has 2, B has 1")),
        (
            "10 | 20 | 30 | 40 | 50 ; A: 1 ; B: 2 ; draw: A 10 B 3",
            Phrase(
                "engine.lies_twice",
                card=10,
                first=Phrase("shared.place_row", row=1),
                second=Phrase("shared.place_special"),
            ),
        ),
        (
            "10 | 20 | 30 | 40 | 50 ; A: 1 ; B: 2 ; draw: A 111 B 3",
            Phrase("engine.not_in_deck", card=111, place=Phrase("shared.place_special")),
        ),
        ("10 | 20 | 30 | 40 | 50 ; A: 1 ; B: 2 ; draw: A xx B 3", Phrase("baron.draw_expected_card", got="'xx'")),
        ("10 | 20 | 30 | 40 | 50 ; A: 1 ; B: 2 ; draw: 3", Phrase("engine.section_letter", word="'3'")),
        ("10 | 20 | 30 | 40 | 50 ; A: 1 ; B: 2 ; draw: C 3", Phrase("engine.section_seat", who="C")),
        ("10 | 20 | 30 | 40 | 50 ; A: 1 ; B: 2 ; moon: 3", Phrase("engine.no_section", key="'moon'")),
        ("10 | 20 | 30 | 40 | 50 ; A: 1 ; B: 2 ; over: moon", Phrase("shared.over_expected_one")),
        ("10 | 20 | 30 | 40 | 50 ; place: A1 ; over: baron.end", Phrase("baron.game_over_but")),
        ("10 | 20 | 30 | 40 | 50 ; place: A1 A2", Phrase("shared.two_to_place")),
        ("10 | 20 | 30 | 40 | 50 ; place: A3 B2", Phrase("shared.lowest_first")),
        ("10 | 20 | 30 | 40 | 50 ; place: A12=21", Phrase("baron.cards_count_their")),
    ],
)
def test_positions_that_cannot_occur(text: str, says: Phrase) -> None:
    with refused(NimmtError, says):
        Baron(players=2).from_position(text)


def same(one: GameState, other: GameState) -> bool:
    """Equal except for the random stream and the history, which positions do not contain."""
    names = [field.name for field in fields(GameState) if field.name not in ("rng", "history")]
    return all(getattr(one, name) == getattr(other, name) for name in names)


@given(
    seed=st.integers(0, 2**32),
    choices=st.integers(0, 130),
    variant=st.sampled_from(VARIANTS),
    players=st.integers(2, 10),
)
@settings(max_examples=60)
def test_every_state_round_trips_through_its_position(seed: int, choices: int, variant: str, players: int) -> None:
    state = random_record(Baron(players=players, variant=variant, games=2), seed, choices).final
    assert same(state.game.from_position(str(state.position)), state)


def test_wrong_options() -> None:
    for options, says in (
        ({"players": 1}, Phrase("engine.for_players", least=2, most=10)),
        ({"players": 2, "variant": "moon"}, Phrase("shared.must_one_of", what="variant", got="'moon'")),
        ({"players": 2, "games": 0}, Phrase("shared.must_from_to", what="games", least=1, got="0")),
        ({"players": 2, "games": True}, Phrase("engine.option_must", option="games")),
        ({"players": 2, "draw_pile": 0}, Phrase("shared.must_whole_from", what="draw_pile", least=1)),
        ({"players": 2, "deck": 5}, Phrase("baron.deck_barondeck_path")),
        ({"players": 2, "deck": {"title": "x"}}, Phrase("baron.deck_barondeck_path")),
    ):
        with refused(RulesError, says):
            from_options({"system": "baron", **options})
    with refused(PositionError, "engine.not_in_deck", place=Phrase("shared.place_row")):
        Baron(players=2).from_position("111 | 20 | 30 | 40 | 50 ; A: 1 ; B: 2")


# Walks -----------------------------------------------------------------------------------------------------


class BaronWalk(RuleBasedStateMachine):
    """Random play with all cards accounted for at every step."""

    @initialize(
        players=st.integers(2, 10),
        variant=st.sampled_from(VARIANTS),
        games=st.integers(1, 2),
        seed=st.integers(0, 2**32),
    )
    def start(self, players: int, variant: str, games: int, seed: int) -> None:
        self.game = Baron(players=players, variant=variant, games=games)
        self.record = Record(self.game, seed=seed)
        self.taken = [0] * players

    @precondition(lambda self: self.record.final.pending)
    @rule(draw=st.integers(0, 2**32))
    def choose(self, draw: int) -> None:
        before = self.record.final
        choices, _ = random_choices(before, Rng.from_seed(draw))
        self.record = self.record.then(choices)
        step = self.record.steps[-1]
        for event in step.events:
            if isinstance(event, RowTaken):
                self.taken[event.seat] += event.heads
                assert event.heads == SAMPLE_DECK.bulls_in(event.cards)
            elif isinstance(event, CardPlaced) and event.rule is BaronRule.COLOUR:
                assert event.slot > 0
            elif isinstance(event, RoundEnded) and self.game.variant != "bulls_are_good":
                assert event.totals == tuple(self.taken)

    @precondition(lambda self: not self.record.final.pending)
    @rule()
    def nothing_is_asked_when_it_is_over(self) -> None:
        with pytest.raises(GameOver):
            self.record.final.choose({0: 1})

    @invariant()
    def every_card_is_somewhere_once(self) -> None:
        assert cards_of(self.record.final) == Counter(range(1, 111))

    @invariant()
    def rows_are_as_the_rules_leave_them(self) -> None:
        for row in self.record.final.rows:
            assert row and (len(row) <= 5 or self.game.variant == "colour_counts")
            if len(row) > 1:
                text = "".join(SAMPLE_DECK.letters(card) for card in row)
                assert max(text.count(letter) for letter in LETTERS) < 6
                assert all(SAMPLE_DECK.share(one, other) for one, other in itertools.pairwise(row))

    @invariant()
    def only_real_choices_are_asked(self) -> None:
        for decision in self.record.final.pending.values():
            assert decision.rule is BaronRule.TURN or len(decision.options) > 1

    def teardown(self) -> None:
        if hasattr(self, "record"):
            again = Record.from_text(self.record.to_text())
            assert again == self.record and again.events_text() == self.record.events_text()


TestBaronWalk = BaronWalk.TestCase
TestBaronWalk.settings = settings(max_examples=40, stateful_step_count=60)


def walk_games(options: dict[str, object], seeds: range) -> None:
    """Complete random games: they end, all cards are accounted for, and scores match the piles."""
    game = from_options(options)
    assert isinstance(game, Baron)
    deck = Counter(range(1, 111))
    for seed in seeds:
        rng = Rng.from_seed(seed, stream=3)
        state = game.deal(seed)
        while state.pending:
            choices, rng = random_choices(state, rng)
            state, _ = state.choose(choices)
            assert cards_of(state) == deck
        assert state.outcome is not None and state.totals == game.points(state)
        best = max(state.totals) if game.bulls_are_good else min(state.totals)
        assert state.outcome.winners == tuple(seat for seat, total in enumerate(state.totals) if total == best)


SETTINGS = [
    {"system": "baron", "players": players, "variant": variant} for variant in VARIANTS for players in range(2, 11)
]


@pytest.mark.parametrize("options", SETTINGS, ids=lambda options: " ".join(map(str, options.values())))
def test_random_games_end(options: dict[str, object]) -> None:
    walk_games(options, range(6))


@pytest.mark.slow
@pytest.mark.parametrize("options", SETTINGS, ids=lambda options: " ".join(map(str, options.values())))
def test_ten_thousand_random_games_end(options: dict[str, object]) -> None:
    walk_games(options, range(10_000))
