"""Puzzles: one best card, proved again by another solver; grades; as exercises with a refutation for each wrong card."""

from __future__ import annotations

import importlib
from fractions import Fraction
from typing import Any

import pytest

from nimmt_lab import Advanced
from nimmt_lab.engine.decisions import ChooseRow
from nimmt_lab.engine.errors import RulesError
from nimmt_lab.engine.state import GameState
from nimmt_lab.lessons import words as lesson_words
from nimmt_lab.solver.deals import random_state
from nimmt_lab.solver.exact import Searcher
from nimmt_lab.solver.matrix import solve_matrix
from nimmt_lab.solver.open_position import heads_difference
from nimmt_lab.solver.reference import EngineSolver
from nimmt_lab.solver.two_players import solve
from nimmt_lab.study import Puzzle, as_puzzle, puzzles
from nimmt_lab.widgets import Exercise, best_card
from tests.support import refused

GAME = Advanced(players=2)


@pytest.fixture(scope="module")
def some() -> tuple[Puzzle, ...]:
    return puzzles(6, seed=1, cards=3, progress=False)


def table(state: GameState, seat: int) -> dict[int, dict[int, Fraction]]:
    """The value of each pair of cards for a seat, by the plain solver, which plays with the engine."""
    oracle, sign = EngineSolver(), 1 if seat == 0 else -1

    def worth(choices: dict[int, Any]) -> Fraction:
        after, events = state.choose(choices)
        left = Fraction(0) if after.is_past_round(state.round) else oracle.value(after)
        return sign * (heads_difference(events) + left)

    return {
        mine: {other: worth({seat: mine, 1 - seat: other}) for other in state.hands[1 - seat]}
        for mine in state.hands[seat]
    }


def test_the_best_card_is_best_by_the_margin_stated(some: tuple[Puzzle, ...]) -> None:
    assert len(some) == 6 and {puzzle.seat for puzzle in some} == {0, 1}
    for puzzle in some:
        worth = table(puzzle.state, puzzle.seat)
        whole = solve_matrix([list(row.values()) for row in worth.values()]).value
        without = solve_matrix([list(row.values()) for card, row in worth.items() if card != puzzle.best]).value
        assert puzzle.value == whole == min(worth[puzzle.best].values())
        assert puzzle.margin == whole - without >= 1
        assert puzzle.replies.keys() == worth.keys() - {puzzle.best}
        for card, reply in puzzle.replies.items():
            assert worth[card][reply.card] == min(worth[card].values()) == whole - reply.costs
            assert reply.costs >= puzzle.margin


def one_turn(state: GameState, seat: int, card: int) -> Fraction:
    """Mean heads of a card this turn, with the other hand's cards equally likely and low cards at the cheapest row."""
    other = 1 - seat
    heads = Fraction(0)
    for reply in state.hands[other]:
        after, _ = state.choose({seat: card, other: reply})
        while after.queue:
            ((asked, decision),) = after.pending.items()
            assert isinstance(decision, ChooseRow)
            cheapest = min(decision.options, key=lambda row: after.game.heads_in(after.rows[row]))
            after, _ = after.choose({asked: cheapest})
        heads += after.game.heads_in(after.piles[seat]) - state.game.heads_in(state.piles[seat])
    return heads / len(state.hands[other])


@pytest.mark.parametrize("difficulty", [1, 2, 3])
def test_grades_say_how_the_best_card_looks(difficulty: int) -> None:
    for puzzle in puzzles(2, seed=4, cards=3, difficulty=difficulty, progress=False):
        looks = {card: one_turn(puzzle.state, puzzle.seat, card) for card in puzzle.state.hands[puzzle.seat]}
        best = looks.pop(puzzle.best)
        others = min(looks.values())
        assert puzzle.difficulty == difficulty == (1 if best < others else 2 if best == others else 3)


def test_the_same_seed_gives_the_same_puzzles(some: tuple[Puzzle, ...]) -> None:
    assert puzzles(6, seed=1, cards=3, progress=False) == some
    assert puzzles(1, seed=2, cards=3, progress=False)[0] != some[0]
    assert all(len(puzzle.state.hands[0]) == 2 for puzzle in puzzles(2, seed=1, cards=2, margin=3, progress=False))
    assert all(puzzle.margin >= 3 for puzzle in puzzles(2, seed=1, cards=2, margin=3, progress=False))


@pytest.mark.exhaustive
def test_a_position_with_a_mixed_solution_is_not_a_puzzle() -> None:
    mixed = GAME.from_position("3 8 13 | 5 10 11 | 15 17 19 21 23 | 22 24 ; A: 12 16 20 ; B: 1 2 18")
    assert as_puzzle(mixed, 0) is None and as_puzzle(mixed, 1) is None
    clear = GAME.from_position("6 18 21 | 3 | 11 14 22 | 15 23 ; A: 10 16 17 24 ; B: 2 13 19 20")
    assert as_puzzle(clear, 0, Fraction(43, 16)) is not None
    assert as_puzzle(clear, 0, Fraction(44, 16)) is None
    with refused(RulesError, "study.puzzles_proved_plain"):
        as_puzzle(random_state(Advanced(players=2, rounds=1, fan_cards=("mountain",)), 2, 1), 0)


@pytest.mark.parametrize(
    ("options", "key"),
    [
        ({"count": 0}, "study.count_must_whole"),
        ({"count": True}, "study.count_must_whole"),
        ({"cards": 1}, "shared.must_from_to"),
        ({"cards": 11}, "shared.must_from_to"),
        ({"difficulty": 4}, "shared.difficulty_must_got"),
        ({"margin": 0}, "shared.more_than_0"),
    ],
)
def test_what_cannot_be_made_is_refused(options: dict[str, Any], key: str) -> None:
    with refused(RulesError, key, got=str(*options.values())):
        puzzles(**options, progress=False)


def test_giving_up_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(importlib.import_module("nimmt_lab.study.puzzles"), "POSITIONS_EACH", 3)
    with refused(RulesError, "study.only_such_puzzles", count=0, wanted=1, positions=3, margin=1000):
        puzzles(1, cards=2, margin=1000, progress=False)


def test_an_interrupt_keeps_what_is_found(monkeypatch: pytest.MonkeyPatch, some: tuple[Puzzle, ...]) -> None:
    module = importlib.import_module("nimmt_lab.study.puzzles")
    real, made = module.as_puzzle, list[Puzzle]()

    def interrupted(*args: Any, **options: Any) -> Any:
        if len(made) == 2:
            raise KeyboardInterrupt
        if (puzzle := real(*args, **options)) is not None:
            made.append(puzzle)
        return puzzle

    monkeypatch.setattr(module, "as_puzzle", interrupted)
    assert puzzles(6, seed=1, cards=3, progress=False) == some[:2]


@pytest.mark.parametrize("lang", ["en", "pl", "cs"])
def test_puzzles_are_exercises(lang: str, some: tuple[Puzzle, ...]) -> None:
    exercise = Exercise([best_card(puzzle) for puzzle in some], lang=lang)
    words = lesson_words(lang)
    for puzzle in some:
        question = exercise.question
        assert question.state == puzzle.state and question.choices == tuple(map(str, puzzle.state.hands[puzzle.seat]))
        assert [option["card"] for option in exercise.scene["question"]["options"]] == list(
            puzzle.state.hands[puzzle.seat]
        )
        wrong = next(iter(puzzle.replies))
        assert exercise.answer(str(wrong)) is False
        assert str(puzzle.replies[wrong].card) in question.refute(str(wrong), words).said
        assert exercise.answer(str(puzzle.best)) is True
        assert str(puzzle.best) in question.why(str(puzzle.best), words)
        assert "{" not in question.prompt(words) + question.hint(words)
        exercise.next()
    assert exercise.score == (0, 6) and len(exercise.answers) == 12


def test_the_tutor_answers_by_message(some: tuple[Puzzle, ...]) -> None:
    exercise = Exercise([best_card(some[0])])
    sent: list[Any] = []
    exercise.send = lambda content, buffers=None: sent.append(content)
    wrong = next(iter(some[0].replies))
    for message in ({"type": "answer", "choice": str(wrong)}, {"type": "hint"}, {"type": "show"}):
        exercise._handle_custom_msg({"path": [], "message": {"question": 0, "seconds": 1.0, **message}}, [])
    replies = [content["message"] for content in sent if content.get("type") != "heard"]
    assert [reply["type"] for reply in replies] == ["verdict", "hint", "verdict"]
    assert replies[0]["right"] is False and f"{float(some[0].replies[wrong].costs):.2f}" in replies[0]["why"]
    assert replies[2]["answers"] == [str(some[0].best)] and f"{float(some[0].margin):.2f}" in replies[2]["why"]


@pytest.mark.native
def test_larger_hands_are_proved_the_same_way(monkeypatch: pytest.MonkeyPatch) -> None:
    """Fractions from the bounds of a search are those of the plain solver, for puzzles of both seats and for none."""
    module = importlib.import_module("nimmt_lab.study.puzzles")
    states = [(random_state(GAME, 3, seed), seed % 2) for seed in range(24)]
    small = [as_puzzle(state, seat, Fraction(1, 2)) for state, seat in states]
    assert {puzzle.seat for puzzle in small if puzzle} == {0, 1} and None in small
    monkeypatch.setattr(module, "PLAIN_UP_TO", 2)
    assert [as_puzzle(state, seat, Fraction(1, 2)) for state, seat in states] == small


@pytest.mark.exhaustive
@pytest.mark.native
def test_seven_cards_a_hand_are_found_and_proved() -> None:
    (large,) = puzzles(1, seed=1, cards=7, progress=False)
    assert len(large.state.hands[large.seat]) == 7 and len(large.replies) == 6
    solution = solve(large.state, detail="full")
    sign = 1 if large.seat == 0 else -1
    assert solution.bounds.lo <= sign * large.value <= solution.bounds.hi and solution.best(large.seat) == large.best
    for card, reply in large.replies.items():
        worth = solution.payoffs[card] if large.seat == 0 else {a: row[card] for a, row in solution.payoffs.items()}
        held = min(bounds.middle * sign for bounds in worth.values())
        assert reply.costs >= large.margin and float(large.value - reply.costs) == pytest.approx(held, abs=1e-5)
        assert worth[reply.card].middle * sign == pytest.approx(held, abs=1e-5)


@pytest.mark.exhaustive
@pytest.mark.native
def test_a_proof_that_takes_too_much_work_is_skipped(monkeypatch: pytest.MonkeyPatch) -> None:
    module = importlib.import_module("nimmt_lab.study.puzzles")
    (first,) = puzzles(1, seed=1, cards=6, progress=False)
    real, tried = module.as_puzzle, []

    def counted(state: GameState, *args: Any, **options: Any) -> Any:
        tried.append(state)
        return real(state, *args, **options | ({"most": 0} if state == first.state else {}))

    monkeypatch.setattr(module, "as_puzzle", counted)
    assert puzzles(1, seed=1, cards=6, progress=False) != (first,) and first.state in tried


@pytest.mark.exhaustive
@pytest.mark.native
def test_an_estimate_far_from_the_margin_saves_the_search(monkeypatch: pytest.MonkeyPatch) -> None:
    """Most positions are not searched at all, and still every puzzle is proved."""
    counts = {"guess": 0, "prove": 0}
    for name in counts:
        real = getattr(Searcher, name)

        def counted(self: Searcher, *args: Any, name: str = name, real: Any = real, **options: Any) -> Any:
            counts[name] += 1
            return real(self, *args, **options)

        monkeypatch.setattr(Searcher, name, counted)
    (puzzle,) = puzzles(1, seed=1, cards=6, progress=False)
    assert 2 <= counts["prove"] < counts["guess"] / 2  # first to see whether it is suitable, then for the whole table
    assert as_puzzle(puzzle.state, puzzle.seat) == puzzle
