"""The classic game: every rule of its page, and known numbers about it."""

from __future__ import annotations

from typing import Any

import pytest

from nimmt_lab import Classic, GameState
from nimmt_lab.engine.cards import CONTAINING_5_HEADS, PRINTED_HEADS
from nimmt_lab.engine.decisions import Choice, ChooseCard, ChooseRow
from nimmt_lab.engine.errors import (
    ChosenTwice,
    GameOver,
    MissingSeat,
    NotInHand,
    PositionError,
    RulesError,
    UnknownOption,
    WrongSeat,
)
from nimmt_lab.engine.events import CardPlaced, CardsRevealed, GameEnded, RoundEnded, RoundStarted, RowTaken
from nimmt_lab.engine.rng import Rng
from nimmt_lab.engine.rule import Rule
from nimmt_lab.engine.sentences import Listed, Phrase
from nimmt_lab.games.classic.rules import EDITIONS, ClassicRule
from tests.support import play, random_record, refused

FOUR = "12 14 15 | 37 | 43 44 | 58 61 ; A: 21 3 ; B: 26 9 ; C: 30 68 ; D: 36 83"


def test_heads_of_the_deck() -> None:
    assert sum(PRINTED_HEADS) == 171
    assert [sum(PRINTED_HEADS[: 10 * n + 5]) for n in range(2, 7)] == [38, 55, 72, 85, 103]
    assert {card for card, heads in enumerate(PRINTED_HEADS) if heads == 7} == {55}
    assert {card for card, heads in enumerate(PRINTED_HEADS) if heads == 5} == {11, 22, 33, 44, 66, 77, 88, 99}
    assert {card for card, heads in enumerate(PRINTED_HEADS) if heads == 3} == set(range(10, 101, 10))
    assert {card for card, heads in enumerate(PRINTED_HEADS) if heads == 2} == set(range(5, 105, 10)) - {55}


def test_wording_of_edition_002_taken_literally_is_an_option() -> None:
    """R-C2: 51, 52, … contain a 5."""
    differ = {card for card in range(105) if PRINTED_HEADS[card] != CONTAINING_5_HEADS[card]}
    assert differ == {51, 52, 53, 54, 56, 57, 58, 59}
    assert Classic(players=2, heads="containing_5").heads_in((51, 50, 55)) == 2 + 3 + 7
    assert Classic(players=2).heads_in((51, 50, 55)) == 1 + 3 + 7


def test_setup() -> None:
    """Ten cards each and four rows of one card in the order drawn (R-C5); the other cards are out of the game."""
    game = Classic(players=5)
    state = game.deal(seed=11)
    drawn = Rng.from_seed(11).shuffled(range(1, 105), take=54)[0]
    assert state.rows == tuple((card,) for card in drawn[50:54])
    assert state.hands == tuple(tuple(sorted(drawn[10 * seat : 10 * seat + 10])) for seat in range(5))
    assert len(state.stock) == 50
    assert Classic(players=5, row_order="ascending").deal(seed=11).rows == tuple(sorted(state.rows))


def test_rule_2_smallest_difference() -> None:
    state = Classic(players=2).from_position("10 | 20 | 30 | 40 ; A: 25 1 ; B: 99 2")
    after, events = state.choose({0: 25, 1: 99})
    assert after.rows == ((10,), (20, 25), (30,), (40, 99))
    assert isinstance(events[0], CardsRevealed)
    assert events == (
        CardsRevealed(ClassicRule.TURN, 8, events[0].plays),
        CardPlaced(ClassicRule.SMALLEST_DIFFERENCE, 0, 25, 1, 1, 5),
        CardPlaced(ClassicRule.SMALLEST_DIFFERENCE, 1, 99, 3, 1, 59),
    )


def test_rule_3_full_row() -> None:
    state = Classic(players=4).from_position(FOUR)
    after, events = state.choose({0: 21, 1: 26, 2: 30, 3: 36})
    assert after.rows[0] == (30, 36)
    assert after.piles == ((), (), (12, 14, 15, 21, 26), ())
    assert RowTaken(ClassicRule.FULL_ROW, 2, 30, 0, (12, 14, 15, 21, 26), 6) in events
    assert CardPlaced(ClassicRule.FULL_ROW, 2, 30, 0, 0, None) in events


@pytest.mark.parametrize("row", range(4))
def test_rule_4_low_card_takes_the_row_its_player_chooses(row: int) -> None:
    state = Classic(players=4).from_position(FOUR)
    before, events = state.choose({0: 3, 1: 9, 2: 68, 3: 83})
    assert [type(event) for event in events] == [CardsRevealed]
    assert before.pending == {0: ChooseRow(ClassicRule.LOW_CARD, 3, (0, 1, 2, 3))}
    assert [play.card for play in before.queue] == [3, 9, 68, 83]
    after, events = before.choose({0: row})
    assert after.piles[0] == state.rows[row]
    assert after.rows[row][:2] == (3, 9), "once the low card has started a row, the next one follows it"
    assert events[0] == RowTaken(ClassicRule.LOW_CARD, 0, 3, row, state.rows[row], state.game.heads_in(state.rows[row]))
    assert events[1] == CardPlaced(ClassicRule.LOW_CARD, 0, 3, row, 0, None)


def test_at_most_one_low_card_in_a_turn() -> None:
    for seed in range(60):
        record = random_record(Classic(players=10, rounds=1), seed)
        for label, steps in record.lines:
            assert len(steps) <= 2, f"seed {seed}, turn {label}"


def test_a_round_has_ten_turns_and_every_pile_is_scored() -> None:
    record = random_record(Classic(players=4, rounds=3), seed=5)
    assert sum(isinstance(event, CardsRevealed) for event in record.events) == 30
    ends = [event for event in record.events if isinstance(event, RoundEnded)]
    assert [end.round for end in ends] == [0, 1, 2]
    totals = [0] * 4
    for end in ends:
        totals = [total + heads for total, heads in zip(totals, end.heads, strict=True)]
        assert end.totals == tuple(totals)
    taken = [0] * 4
    for event in record.events:
        if isinstance(event, RowTaken):
            taken[event.seat] += event.heads
    assert tuple(taken) == record.final.totals
    assert sum(isinstance(event, RoundStarted) for event in record.events) == 3


def reason(state: GameState) -> Rule:
    """The rule that ended a game."""
    assert state.outcome is not None
    return state.outcome.reason


def ended(edition: str, totals: str, **options: Any) -> GameState:
    """The last turn of a round in which nobody takes anything, with these totals at its end: a row is already in A's
    pile, and one in B's."""
    game = Classic(players=2, edition=edition, **options)
    a, b = map(int, totals.split())
    piles = (" ; A+: 55", 7) if a >= 7 else ("", 0), (" ; B+: 1 2 3", 3) if b >= 3 else ("", 0)
    before = f"{a - piles[0][1]} {b - piles[1][1]}"
    state = game.from_position(f"10 | 20 | 30 | 40 ; A: 41 ; B: 42{piles[0][0]}{piles[1][0]} ; totals: {before}")
    return play(state, {0: 41, 1: 42})


@pytest.mark.parametrize(
    ("edition", "most", "over"),
    [
        ("002", 66, False),
        ("002", 67, True),
        ("000", 65, False),
        ("000", 66, True),
        ("003", 65, False),
        ("003", 66, True),
    ],
)
def test_editions_end_the_game_at_their_limit(edition: str, most: int, over: bool) -> None:
    assert ended(edition, f"{most} 3").is_over is over


def test_own_limit_and_fixed_rounds() -> None:
    assert ended("000", "30 3", limit=30).is_over
    assert not ended("000", "29 3", limit=30).is_over
    assert not ended("002", "30 3", limit=30).is_over, "more than the limit, as edition 002 puts it"
    assert ended("000", "1 3", rounds=1).is_over
    assert not ended("000", "100 3", rounds=2).is_over
    assert set(EDITIONS) == {"000", "002", "003"}


def test_a_limit_and_a_most_number_of_rounds_whichever_comes_first() -> None:
    """Edition 003 mentions a limit together with a maximum number of rounds."""
    first = ended("003", "30 3", most_rounds=2)
    assert not first.is_over and first.round == 1, "one of two rounds, and nobody is near 66"
    assert reason(ended("003", "66 3", most_rounds=2)) is ClassicRule.LIMIT
    assert reason(ended("003", "30 3", limit=30, most_rounds=2)) is ClassicRule.LIMIT
    last = ended("003", "30 3", most_rounds=1).outcome
    assert last is not None and last.reason is ClassicRule.ROUNDS and last.winners == (1,)
    # Whole games never have more rounds than that, and the limit ends some of them earlier.
    rounds = []
    for seed in range(12):
        outcome = random_record(Classic(players=4, limit=40, most_rounds=3), seed).outcome
        assert outcome is not None
        rounds.append(outcome.rounds)
        assert (outcome.reason is ClassicRule.LIMIT) == (max(outcome.totals) >= 40)
    assert max(rounds) == 3 and min(rounds) < 3


def test_fewest_heads_win() -> None:
    outcome = ended("000", "66 3").outcome
    assert outcome is not None
    assert (outcome.winners, outcome.totals, outcome.reason, outcome.rounds) == ((1,), (66, 3), ClassicRule.LIMIT, 1)
    assert outcome.credit(1) == 1 and outcome.credit(0) == 0
    assert reason(ended("000", "1 1", rounds=1)) is ClassicRule.ROUNDS


@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize("options", [{}, {"rounds": 1}, {"most_rounds": 1}])
def test_r_c1_a_tie_is_a_shared_win_in_every_edition(edition: str, options: dict[str, int]) -> None:
    tie = ended(edition, "68 68", **options).outcome
    assert tie is not None and tie.winners == (0, 1) and tie.credit(0) == tie.credit(1) == 0.5


def test_the_limit_is_looked_at_between_rounds_only() -> None:
    """R-C3: A is far over the limit in the middle of the round, and the round continues."""
    state = Classic(players=2).from_position(
        "10 | 20 | 30 | 40 ; A: 41 43 ; B: 42 44 ; A+: 55 11 22 33 66 ; totals: 65 0"
    )
    assert state.game.heads_in(state.piles[0]) + state.totals[0] > 66
    middle = play(state, {0: 41, 1: 42})
    assert not middle.is_over
    assert play(middle, {0: 43, 1: 44}).is_over


def test_the_next_round_is_dealt_from_the_same_stream() -> None:
    game = Classic(players=3)
    first = random_record(game, seed=3)
    second = random_record(game, seed=3)
    assert first.events_text() == second.events_text()
    starts = [event.rows for event in first.events if isinstance(event, RoundStarted)]
    assert len(set(starts)) == len(starts) > 1
    assert isinstance(first.events[-1], GameEnded)


# Illegal choices ---------------------------------------------------------------------------------------------


def table() -> GameState:
    return Classic(players=4).from_position(FOUR)


def test_not_in_hand() -> None:
    with refused(NotInHand, "engine.cannot_play", who="A", choice="99", options="3 21", rule="classic.turn") as caught:
        table().choose({0: 99, 1: 26, 2: 30, 3: 36})
    assert caught.value.seat == 0 and caught.value.allowed == (3, 21)
    with refused(NotInHand, "engine.cannot_play", who="B", choice="21"):
        table().choose({0: 21, 1: 21, 2: 30, 3: 36})


@pytest.mark.parametrize("odd", [True, 21.0, "21", None, (21,), -1, 0, 10**30])
def test_something_that_is_not_a_card(odd: object) -> None:
    with refused(NotInHand, "engine.cannot_play", who="A"):
        table().choose({0: odd, 1: 26, 2: 30, 3: 36})  # type: ignore[dict-item]


def seats(names: str) -> Listed:
    return Listed(Phrase("shared.seat", who=name) for name in names)


def test_wrong_seat_missing_seat_and_twice() -> None:
    with refused(WrongSeat, "engine.not_asked_now", who=Phrase("shared.seat", who="E"), known=seats("ABCD")):
        table().choose({0: 21, 1: 26, 2: 30, 3: 36, 4: 50})
    with refused(MissingSeat, "engine.no_choice_all", missing=seats("CD"), asked=seats("ABCD")):
        table().choose({0: 21, 1: 26})
    with refused(ChosenTwice, "engine.chose_twice", who=Phrase("shared.seat", who="A"), first=21, second=3):
        table().choose([(0, 21), (0, 3), (1, 26), (2, 30), (3, 36)])
    low = play(table(), {0: 3, 1: 9, 2: 68, 3: 83})
    with refused(WrongSeat, "engine.not_asked_now", who=Phrase("shared.seat", who="B"), known=seats("A")):
        low.choose({1: 2})


def test_unknown_row() -> None:
    low = play(table(), {0: 3, 1: 9, 2: 68, 3: 83})
    for row in (4, -1):
        fields = {"who": "A", "choice": f"@{row + 1}", "known": "@1, @2, @3, @4", "rule": "classic.4 R-C5"}
        with refused(UnknownOption, "engine.cannot_choose", **fields):
            low.choose({0: row})


def test_finished_game() -> None:
    over = ended("000", "66 3")
    assert not over.pending
    for choices in ({}, {0: 5}):
        with refused(GameOver, "engine.game_over_nothing"):
            over.choose(choices)


def test_a_refused_choice_changes_nothing() -> None:
    state = table()
    before = repr(state)
    with pytest.raises(NotInHand):
        state.choose({0: 21, 1: 26, 2: 30, 3: 35})
    assert repr(state) == before and state == table()


def test_numbers_of_other_libraries_are_taken_as_what_they_are() -> None:
    class Index:
        def __index__(self) -> int:
            return 21

    after = play(table(), {0: Index(), 1: 26, 2: 30, 3: 36})  # type: ignore[dict-item]
    assert type(after.rows[0][0]) is int and 21 in after.piles[2]


@pytest.mark.parametrize(
    "options",
    [
        {"players": 1}, {"players": 11}, {"players": "4"}, {"players": True}, {"players": 4, "edition": "001"},
        {"players": 4, "limit": 0}, {"players": 4, "rounds": 0}, {"players": 4, "rounds": 1.5},
        {"players": 4, "limit": 50, "rounds": 2}, {"players": 4, "most_rounds": 2, "rounds": 2},
        {"players": 4, "most_rounds": 0}, {"players": 4, "most_rounds": True},
        {"players": 4, "hand_size": 0}, {"players": 4, "hand_size": 11},
        {"players": 10, "deck_size": 103}, {"players": 2, "deck_size": 105}, {"players": 2, "heads": "two"},
        {"players": 2, "row_order": "up"}, {"players": 2, "fan_cards": ("no_such_card",)}, {"players": 2, "fan_cards": (3,)},
    ],
)  # fmt: skip
def test_invalid_rules(options: dict[str, Any]) -> None:
    with pytest.raises(RulesError):
        Classic(**options)


@pytest.mark.parametrize("seed", [-1, 2**64, "7", 1.0, True, None])
def test_invalid_seeds(seed: object) -> None:
    with refused(RulesError, "engine.seed_range", got=repr(seed)):
        Classic(players=2).deal(seed=seed)  # type: ignore[arg-type]


# Positions ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("position", "reason"),
    [
        ("10 | 20 | 30 ; A: 41 ; B: 42", Phrase("shared.card_rows", rows=4, got=3)),
        ("10 | 20 | 30 | ; A: 41 ; B: 42", Phrase("shared.row_empty", row=4)),
        (
            "10 | 20 | 30 | 40 ; A: 41 ; B: 40",
            Phrase(
                "engine.lies_twice",
                card=40,
                first=Phrase("shared.place_row", row=4),
                second=Phrase("shared.place_hand", who="B"),
            ),
        ),
        (
            "10 | 20 | 30 | 40 ; A: 41 ; B: 105",
            Phrase("engine.not_in_deck", card=105, place=Phrase("shared.place_hand", who="B")),
        ),
        (
            "10 | 20 | 30 | 40 ; A: 41 ; B: 42 ; C: 43",
            Phrase("engine.has_but", who="C", what="a hand", game="classic", players=2),
        ),
        ("1 2 3 4 5 6 | 20 | 30 | 40 ; A: 41 ; B: 42", Phrase("shared.row_full", row=1, count=6, row_limit=5)),
        ("10 9 | 20 | 30 | 40 ; A: 41 ; B: 42", Phrase("shared.row_descends", row=1)),
        ("10 | 20 | 30 | 40 ; A: 41 43 ; B: 42", Phrase("classic.hands_equal", words="A has 2, B has 1")),
        ("10 | 20 | 30 | 40", Phrase("shared.nobody_card")),
        ("10 | 20 | 30 | 40 ; A: 41 ; B: 42 ; totals: 1 2 3", Phrase("engine.totals_players", count=3, players=2)),
        ("10 | 20 | 30 | 40 ; A: 41 ; B: 42 ; moon: 4", Phrase("engine.no_section", key="'moon'")),
        ("10 | 20 | 30 | 40 ; place: A42 B41", Phrase("shared.lowest_first")),
        ("10 | 20 | 30 | 40 ; place: A41 A42", Phrase("shared.two_to_place")),
        ("10 | 20 | 30 | 40 ; place: C41", Phrase("engine.place_there_no", play="C41", who="C")),
    ],
    ids=str,
)
def test_impossible_positions(position: str, reason: Phrase) -> None:
    with refused(PositionError, reason):
        Classic(players=2).from_position(position)


def test_position_in_the_middle_of_a_turn() -> None:
    state = Classic(players=2).from_position("10 | 20 | 30 | 40 ; A: 41 ; B: 42 ; place: B5 A6 ; A+: 50 51")
    assert state.pending == {1: ChooseRow(ClassicRule.LOW_CARD, 5, (0, 1, 2, 3))}
    assert state.turn == 8
    after = play(state, {1: 3})
    assert after.rows[3] == (5, 6) and after.piles == ((50, 51), (40,))
    assert isinstance(after.pending[0], ChooseCard)


def test_cheapest_row_policy() -> None:
    """R-C4: fewest heads, then the highest last card."""
    game = Classic(players=2)
    state = game.from_position("20 | 31 | 42 | 55 ; A: 1 ; B: 99")
    assert game.cheapest_row(state) == 2
    assert game.cheapest_row(state, rows=(0, 1)) == 1


# Known numbers -----------------------------------------------------------------------------------------------

#: Mean heads per player and round under uniformly random play, with low cards taking the cheapest row.
MEANS = {2: 8.21, 3: 10.84, 4: 12.17, 5: 13.00, 6: 13.58, 10: 14.68}


def mean_heads(players: int, rounds: int, cheapest: bool = True) -> tuple[float, float]:
    """Mean heads per player and round of random play, and its standard error."""
    game = Classic(players=players, rounds=1)
    rng = Rng.from_seed(2024, stream=players)
    total = squares = 0.0
    for number in range(rounds):
        state = game.deal(seed=number)
        while state.pending:
            choices: dict[int, Choice] = {}
            for seat, decision in state.pending.items():
                if cheapest and isinstance(decision, ChooseRow):
                    choices[seat] = game.cheapest_row(state)
                else:
                    at, rng = rng.below(len(decision.options))
                    choices[seat] = decision.options[at]
            state, _ = state.choose(choices)
        mean = sum(state.totals) / players
        total += mean
        squares += mean * mean
    average = total / rounds
    return average, ((squares / rounds - average**2) / rounds) ** 0.5


@pytest.mark.sampled(3)
@pytest.mark.parametrize("players", MEANS)
def test_mean_heads_of_random_play(players: int) -> None:
    mean, error = mean_heads(players, rounds=1500)
    assert abs(mean - MEANS[players]) < 4 * error
    assert error < 0.2, "or the test says nothing"


@pytest.mark.exhaustive
def test_a_low_card_that_takes_any_row_costs_more() -> None:
    mean, error = mean_heads(4, rounds=2000, cheapest=False)
    assert abs(mean - 13.34) < 4 * error and mean - 12.17 > 4 * error


@pytest.mark.slow
@pytest.mark.parametrize("players", MEANS)
def test_mean_heads_of_random_play_to_three_hundredths(players: int) -> None:
    mean, error = mean_heads(players, rounds=150_000)
    assert error < 0.012
    assert abs(mean - MEANS[players]) < 0.03
