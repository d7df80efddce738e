"""Three to six players: small positions compared with enumeration, and properties that hold by definition."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from itertools import permutations, product

import pytest

from nimmt_lab import Advanced, Classic
from nimmt_lab.engine.decisions import Choice, ChooseRow
from nimmt_lab.engine.errors import NimmtError, RulesError
from nimmt_lab.engine.events import RowTaken
from nimmt_lab.engine.inflect import Figure
from nimmt_lab.engine.state import GameState
from nimmt_lab.native import Core
from nimmt_lab.native.loader import Argument, Memory
from nimmt_lab.solver import several
from nimmt_lab.solver.core import MINE, UNITED, CrowdQuestion
from nimmt_lab.solver.deals import random_state
from nimmt_lab.solver.reference import EngineSolver
from nimmt_lab.solver.several import (
    MOST_TURNS,
    best_response,
    expected_by_engine,
    expected_heads,
    exploitability,
    lowest,
    paranoid,
    paranoid_by_engine,
    response_by_engine,
    turns_to_play,
    uniform,
)
from tests.support import refused

from .positions import compiled, low_card_state


def brute_force(state: GameState) -> list[Fraction]:
    """Everybody plays cards in a random order, low cards take the cheapest row: the mean over all orders."""
    totals = [Fraction(0)] * state.game.players
    orders = list(product(*(permutations(hand) for hand in state.hands)))
    for order in orders:
        now, left = state, [list(cards) for cards in order]
        while now.round == state.round and not now.is_over:
            choices: dict[int, Choice] = {}
            for seat, decision in now.pending.items():
                if isinstance(decision, ChooseRow):
                    choices[seat] = state.game.cheapest_row(now)
                else:
                    choices[seat] = left[seat].pop(0)
            now, events = now.choose(choices)
            for event in events:
                if isinstance(event, RowTaken):
                    totals[event.seat] += event.heads
    return [total / len(orders) for total in totals]


@pytest.mark.parametrize(("players", "left"), [(2, 3), (3, 2), (4, 2), (6, 1)])
def test_random_play_is_the_mean_over_all_orders(players: int, left: int) -> None:
    for seed in range(4):
        state = random_state(Advanced(players=players, rounds=1), left, seed)
        assert list(expected_heads(state, [uniform] * players)) == brute_force(state)


@pytest.mark.parametrize(("players", "left"), [(3, 2), (3, 3), (4, 2), (5, 2), (6, 2)])
def test_what_must_hold(players: int, left: int) -> None:
    state = random_state(Advanced(players=players, rounds=1), left, 5)
    policies = [uniform] * players
    result = exploitability(state, policies)
    assert all(gain >= 0 for gain in result.gains)
    assert result.total == sum(result.gains)
    response = best_response(state, 1, policies)
    assert response.heads == result.best[1] == response.choices[response.best]
    guarantee = paranoid(state, 1)
    # Random opponents can't hurt me more than opponents who try to.
    assert guarantee.heads >= float(response.heads) - 1e-9
    assert sum(guarantee.strategy.values()) == pytest.approx(1)
    assert guarantee.error <= 1e-6


@pytest.mark.exhaustive
@pytest.mark.parametrize(("players", "left"), [(2, 3), (3, 3), (4, 2), (6, 2)])
def test_the_quick_way_is_the_engines(players: int, left: int) -> None:
    """Rows given as ends, lengths and heads produce the same as game states, for every seat, mixing included."""
    for game in (Advanced(players=players, rounds=1), Classic(players=players, rounds=1)):
        for seed in range(4):
            state = random_state(game, left, seed)
            seat = seed % players
            quick, slow = paranoid(state, seat), paranoid_by_engine(state, seat)
            assert quick.heads == pytest.approx(slow.heads, abs=1e-9)
            assert quick.strategy == pytest.approx(slow.strategy, abs=1e-6)


@pytest.mark.exhaustive
@pytest.mark.parametrize(("players", "left"), [(2, 4), (3, 3), (4, 2), (5, 2), (6, 2)])
def test_answers_to_known_policies_are_the_engines(players: int, left: int) -> None:
    """Integers added up by the compiled code give the same fractions as game states, for every choice."""
    for seed in range(6):
        game = (Advanced if seed % 2 else Classic)(players=players, rounds=1)
        state = random_state(game, left, seed)
        policies = [lowest if (seed >> seat) & 1 else uniform for seat in range(players)]
        assert expected_heads(state, policies) == expected_by_engine(state, policies)
        seat = seed % players
        assert best_response(state, seat, policies) == response_by_engine(state, seat, policies)


def test_a_best_response_is_not_improved_by_itself() -> None:
    state = random_state(Advanced(players=3, rounds=1), 2, 8)
    answers: dict[tuple[object, ...], Choice] = {}

    def answering(now: GameState, seat: int) -> Mapping[Choice, Fraction]:
        key = (now.rows, now.hands, now.queue)
        if key not in answers:
            answers[key] = best_response(now, seat, [uniform] * 3).best
        return {answers[key]: Fraction(1)}

    best = best_response(state, 0, [uniform] * 3)
    assert expected_heads(state, [answering, uniform, uniform])[0] == best.heads


def test_two_players_agree_with_the_two_player_solver() -> None:
    """With B's heads out of the game, 'everybody against A' is B against A, but only A's heads count."""
    for seed in range(6):
        state = random_state(Advanced(players=2, rounds=1), 2, seed)
        value = EngineSolver().value(state)
        # B minus A is at least minus what A takes at most, and at most what B takes at most.
        assert -paranoid(state, 0).heads - 1e-9 <= value <= paranoid(state, 1).heads + 1e-9


def test_in_the_middle_of_a_turn_and_with_fan_cards() -> None:
    game = Classic(players=3, rounds=1, fan_cards=("jumping_cow",))
    state = random_state(game, 2, 3)
    assert list(expected_heads(state, [uniform] * 3)) == brute_force(state)
    game = Advanced(players=3, rounds=1)
    low = game.from_position("5 | 6 | 7 | 8 9 ; A: 20 ; B: 21 ; C: 22 ; place: A1 B10 C11")
    assert best_response(low, 0, [lowest] * 3).choices.keys() == {0, 1, 2, 3}
    assert paranoid(low, 0).heads == pytest.approx(1)


@pytest.mark.native
@pytest.mark.parametrize(("players", "left"), [(2, 3), (3, 2), (3, 1), (4, 2), (5, 1), (6, 1)])
def test_in_the_middle_of_a_turn_the_core_says_what_the_engine_says(
    players: int, left: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also in the last turn, for the seat that takes a row and for the others."""
    game, asked = Advanced(players=players, rounds=1), set()
    mixed = [lowest if seat % 2 else uniform for seat in range(players)]
    states = [low_card_state(game, left, seed) for seed in (1, 50, 90)]
    states += [low_card_state(game, 0, 3)]
    right = [
        (
            expected_by_engine(state, mixed),
            [response_by_engine(state, seat, mixed) for seat in range(players)],
            [paranoid_by_engine(state, seat) for seat in range(players)],
        )
        for state in states
    ]
    for name in ("expected_by_engine", "response_by_engine", "paranoid_by_engine"):
        monkeypatch.setattr(several, name, None)  # nobody else may answer
    for state, (heads, responses, guarantees) in zip(states, right, strict=True):
        asked |= {(seat in state.pending) for seat in range(players)}
        assert expected_heads(state, mixed) == heads
        for seat in range(players):
            assert best_response(state, seat, mixed) == responses[seat]
            found = paranoid(state, seat)
            assert found.heads == pytest.approx(guarantees[seat].heads, abs=1e-6)
            assert found.strategy.keys() == guarantees[seat].strategy.keys()
            assert found.error <= 1e-6
    assert asked == {True, False}


FAN_CARDS = ("even_odd", "mountain", "jumping_cow", "number_twister")


@pytest.mark.exhaustive
@pytest.mark.native
@pytest.mark.parametrize("fan_card", FAN_CARDS)
@pytest.mark.parametrize(("players", "left"), [(2, 3), (3, 2), (4, 2), (6, 1)])
def test_with_a_fan_card_the_core_says_what_the_engine_says(
    fan_card: str, players: int, left: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Every fraction is the same, and choices are in the same order; before a turn and in mid-turn."""
    for game in (Classic, Advanced):
        rules = game(players=players, rounds=1, fan_cards=(fan_card,))
        states = [random_state(rules, left, seed) for seed in (1, 2)]
        if players < 4 and game is Classic:
            states += [low_card_state(rules, left - 1, seed) for seed in (10, 20)]
        for number, state in enumerate(states):
            seat = number % players if not state.queue else next(iter(state.pending))
            policies = [lowest if (number + other) % 3 == 0 else uniform for other in range(players)]
            heads = expected_by_engine(state, policies)
            answer, united = response_by_engine(state, seat, policies), paranoid_by_engine(state, seat)
            with monkeypatch.context() as only:
                for name in ("expected_by_engine", "response_by_engine", "paranoid_by_engine"):
                    only.setattr(several, name, None)  # nobody else may answer
                assert expected_heads(state, policies) == heads
                found = best_response(state, seat, policies)
                assert found == answer and list(found.choices) == list(answer.choices)
                guarantee = paranoid(state, seat)
            assert guarantee.heads == pytest.approx(united.heads, abs=1e-6)
            assert list(guarantee.strategy) == list(united.strategy)
            assert guarantee.error <= 1e-6


def two_low_cards(fan_card: str) -> GameState:
    """A position before a turn in which two seats may have to take a row, one after the other."""
    game = Classic(players=3, rounds=1, fan_cards=(fan_card,))
    for seed in range(200):
        state = random_state(game, 2, seed)
        for cards in product(*(state.pending[seat].options for seat in range(3))):
            one, _ = state.choose(dict(enumerate(cards)))
            if one.queue and any(one.choose({seat: row})[0].queue for seat in one.pending for row in range(4)):
                return state
    raise AssertionError("no such position")


@pytest.mark.native
@pytest.mark.parametrize("fan_card", ["even_odd", "number_twister"])
def test_two_may_take_a_row_in_one_turn(fan_card: str) -> None:
    """Each knows the earlier choices, and wants the asking seat to take few heads or many."""
    state = two_low_cards(fan_card)
    for seat in range(3):
        assert paranoid(state, seat).heads == pytest.approx(paranoid_by_engine(state, seat).heads, abs=1e-6)
        assert best_response(state, seat, [uniform] * 3) == response_by_engine(state, seat, [uniform] * 3)


@pytest.mark.exhaustive
@pytest.mark.native
def test_a_used_twister_and_cards_that_cannot_be_twisted() -> None:
    """The number of actions of a seat depends on its remaining cards, and the probabilities are still exact."""
    game = Classic(players=3, rounds=1, fan_cards=("number_twister",))
    text = "5 | 15 17 19 21 23 | 60 | 38 41 ; A: 9 24 103 ; B: 90 8 32 ; C: 100 1 99 ; number_twister: "
    for unused in ("A B C", "B", "-"):
        state = game.from_position(text + unused)
        policies = [uniform, uniform, uniform]
        assert expected_heads(state, policies) == expected_by_engine(state, policies)
        assert best_response(state, 0, policies) == response_by_engine(state, 0, policies)


@pytest.mark.native
@pytest.mark.parametrize("hands", ["A: 90 ; B: 9 ; C: 100", "A: 9 ; B: 90 ; C: 100", "A: 100 ; B: 90 ; C: 9"])
def test_of_equal_values_the_twisted_card_is_placed_first(hands: str) -> None:
    """90 as 9 ends the row with 90, so 9 then fits nowhere; the other way round 90 would fit nowhere (R-F4)."""
    game = Classic(players=3, rounds=1, fan_cards=("number_twister",))
    state = game.from_position(f"1 2 3 5 | 60 | 70 | 80 81 ; {hands} ; number_twister: A B C")
    for seat in range(3):
        found = best_response(state, seat, [uniform] * 3)
        assert found == response_by_engine(state, seat, [uniform] * 3)
        assert paranoid(state, seat).heads == pytest.approx(paranoid_by_engine(state, seat).heads, abs=1e-9)
    ((plain, whole), (_, twisted)) = best_response(state, hands.index("90") // 8, [lowest] * 3).choices.items()
    assert plain == 90 and whole == twisted == 0


@pytest.mark.native
@pytest.mark.parametrize("fan_cards", [(), ("even_odd",), ("number_twister",)])
def test_a_policy_of_ones_own_is_asked_once_about_a_position(fan_cards: tuple[str, ...]) -> None:
    """The core doesn't support it, although it behaves like a supported one: the answers are the same."""
    asked: list[tuple[object, ...]] = []

    def own(state: GameState, seat: int) -> Mapping[Choice, Fraction]:
        asked.append((state.rows, state.hands, state.extra, state.queue, seat))
        return uniform(state, seat)

    game = Classic(players=3, rounds=1, fan_cards=fan_cards)
    for state in (random_state(game, 3, 4), low_card_state(game, 1, 30)):
        asked.clear()
        assert best_response(state, 1, [own, lowest, own]) == best_response(state, 1, [uniform, lowest, uniform])
        assert len(asked) == len(set(asked)) >= 3 and {key[-1] for key in asked} == {0, 2}


def test_fan_cards_the_core_does_not_know_are_played_by_the_engine() -> None:
    game = Classic(players=3, rounds=1, fan_cards=("even_odd", "jumping_cow"), combine_fan_cards=True)
    state = random_state(game, 2, 3)
    assert list(expected_heads(state, [uniform] * 3)) == brute_force(state)


def test_turns_are_counted_with_twisters() -> None:
    """Orders of the cards of three seats, where one card of each may be twisted."""
    game = Classic(players=3, rounds=1, fan_cards=("number_twister",))
    state = game.from_position("5 | 15 | 60 | 38 ; A: 9 24 ; B: 90 32 ; C: 100 1 ; number_twister: A B C")
    assert turns_to_play(state) == (3 * 4 * 2) + (4 * 6 * 2)


def test_a_crowded_memory_costs_time_only(monkeypatch: pytest.MonkeyPatch) -> None:
    """Positions in the same slot are distinguished by their whole key."""
    states = [random_state(Advanced(players=3, rounds=1), 4, seed) for seed in range(2)]
    roomy = [(best_response(state, 0, [uniform] * 3), paranoid(state, 1).heads) for state in states]
    roomy_answer = CrowdQuestion.answer
    monkeypatch.setattr(CrowdQuestion, "answer", lambda self, core, log2: roomy_answer(self, core, 3))
    tight = [(best_response(state, 0, [uniform] * 3), paranoid(state, 1).heads) for state in states]
    for (answer, heads), (other, bound) in zip(roomy, tight, strict=True):
        assert answer == other
        assert heads == pytest.approx(bound, abs=1e-6)


class Tiring(Core):
    """A core that plays one turn per call and is interrupted after a number of calls."""

    def __init__(self, calls: int | None = None) -> None:
        self.core, self.calls, self.left = compiled(), 0, calls

    def memory(self, size: int) -> Memory:
        return self.core.memory(size)

    def ask(self, function: str, *arguments: Argument) -> int:
        if function == "nl_crowd_run":
            self.calls += 1
            if self.calls == self.left:
                raise KeyboardInterrupt
            arguments = (arguments[0], 1)
        return self.core.ask(function, *arguments)


def crowd_question(state: GameState, seat: int) -> CrowdQuestion:
    game = state.game
    heads = (0, *(game.heads_in((card,)) for card in range(1, 105)))
    kinds = tuple(MINE if other == seat else UNITED for other in range(game.players))
    return CrowdQuestion(state.rows, state.hands, heads, seat, kinds)


def test_work_on_several_players_comes_in_slices() -> None:
    """One turn at a time is the same work and gives the same answer, and the interrupt key stops it."""
    question = crowd_question(random_state(Advanced(players=3, rounds=1), 3, 1), 1)
    whole, slow = question.answer(compiled(), 12), Tiring()
    assert question.answer(slow, 12) == whole
    assert slow.calls > 20
    with pytest.raises(KeyboardInterrupt):
        question.answer(Tiring(5), 12)


def test_the_work_is_as_much_as_it_was() -> None:
    """The number of turns played out: a change here means that the search has changed."""
    assert (
        crowd_question(random_state(Advanced(players=3, rounds=1), 4, 1), 0).answer(compiled(), 19).turns == 1_255_847
    )
    assert crowd_question(random_state(Advanced(players=5, rounds=1), 3, 1), 2).answer(compiled(), 19).turns == 125_146


def test_too_large_and_bad_questions() -> None:
    for players, left in ((3, 5), (4, 4), (5, 4), (6, 3)):
        assert turns_to_play(random_state(Advanced(players=players, rounds=1), left, 1)) <= MOST_TURNS
    state = random_state(Advanced(players=4, rounds=1), 6, 1)
    assert turns_to_play(state) > MOST_TURNS
    with refused(RulesError, "solver.up_turns_would", most=Figure(turns_to_play(state))):
        paranoid(state, 0)
    small = random_state(Advanced(players=3, rounds=1), 1, 1)
    with pytest.raises(NimmtError):
        best_response(small, 3, [uniform] * 3)
    with pytest.raises(NimmtError):
        expected_heads(small, [uniform] * 2)
    with pytest.raises(NimmtError):
        paranoid(Advanced(players=3).deal(seed=1), 0)
    with refused(RulesError, "solver.chances_s_policy", who="A"):
        expected_heads(small, [lambda state, seat: {state.hands[seat][0]: Fraction(1, 2)}] * 3)


def test_answers_for_several_players_have_no_value() -> None:
    """With two players there is one value, and no warning."""
    for players in (2, 3, 4):
        state = random_state(Advanced(players=players, rounds=1), 2, 1)
        policies = [uniform] * players
        answers = (
            best_response(state, 0, policies).caveat, paranoid(state, 0).caveat, exploitability(state, policies).caveat,
            response_by_engine(state, 0, policies).caveat, paranoid_by_engine(state, 0).caveat,
        )  # fmt: skip
        assert all(("not unique" in caveat) == (players > 2) for caveat in answers)
