"""The probability lessons: exact answers, agreeing with an independent count and with the engine's experiments."""

from __future__ import annotations

import contextlib
import math
import statistics
from collections.abc import Mapping
from fractions import Fraction
from itertools import combinations, islice, product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nimmt_lab import GameState
from nimmt_lab.engine.cards import heads
from nimmt_lab.engine.decisions import Choice
from nimmt_lab.engine.errors import NotationError, RulesError
from nimmt_lab.engine.rng import Rng
from nimmt_lab.lessons.asked import problems_of
from nimmt_lab.lessons.chance import _odds, _same_mean, _variance
from nimmt_lab.lessons.classroom import CLASSROOM, find, grade, judges, lesson_names, problems
from nimmt_lab.lessons.problem import Problem, mean, read_number, root, run, sample_variance, show
from nimmt_lab.lessons.skill import _one as signed_place
from nimmt_lab.lessons.strategy import _without_saddle, matrix_of
from nimmt_lab.lessons.tables import (
    HAND,
    Scenario,
    closest_card,
    heads_taken,
    play_round,
    random_card,
    scenario,
    streams,
)
from tests.support import refused

SEEDS = (0, 7, 7001, 123_456)
ALL = [(number, seed) for number in CLASSROOM for seed in SEEDS]


@pytest.mark.parametrize(("number", "seed"), ALL)
def test_problems_depend_on_their_seed_alone(number: int, seed: int) -> None:
    made = problems_of(find(number), seed)
    again = problems_of(find(number), seed)
    assert [(p.key, p.answer, dict(p.parts), p.chart) for p in made] == [
        (p.key, p.answer, dict(p.parts), p.chart) for p in again
    ]
    others = [(p.key, p.answer, dict(p.parts), p.chart) for p in problems_of(find(number), seed + 1)]
    assert [(p.key, p.answer, dict(p.parts), p.chart) for p in made] != others
    assert len({p.key for p in made}) == len(made) >= 5


@pytest.mark.sampled(5)
@pytest.mark.parametrize("number", CLASSROOM)
def test_experiments_come_to_the_exact_answer(number: int) -> None:
    """By the engine, 1,500 times: within five standard errors."""
    for problem in problems(number, 7):
        if problem.trial is None:
            continue
        assert isinstance(problem.answer, Fraction)
        results = list(run(problem.trial, 1500, seed=11))
        middle = math.fsum(results) / len(results)
        spread = math.sqrt(math.fsum((result - middle) ** 2 for result in results) / len(results))
        assert abs(middle - problem.answer) <= 5 * spread / math.sqrt(len(results)) + 1e-12, problem.key


@pytest.mark.parametrize("seed", [7, 9])
def test_the_experiment_tells_the_careful_from_the_others(seed: int) -> None:
    """If everybody were careful in the experiment, it would come to the prior: 4,000 runs tell the two apart."""
    problem = problems(3, seed)[4]
    assert problem.key == "p3.bayes" and problem.trial is not None and isinstance(problem.answer, Fraction)
    results = list(run(problem.trial, 4000, seed=2))
    middle = math.fsum(results) / len(results)
    error = math.sqrt(middle * (1 - middle) / len(results))
    prior = problem.parts["prior"]
    assert isinstance(prior, Fraction)
    assert abs(middle - problem.answer) < 4 * error < abs(middle - prior)


def test_numbers_with_their_sign_and_one_place() -> None:
    said = [signed_place(Fraction(value, 100)) for value in (-154, -3, 0, 3, 98, 1540)]
    assert said == ["−1.5", "0.0", "0.0", "0.0", "+1.0", "+15.4"]


def brute_force(table: Scenario, opponents: int, of: str) -> Fraction:
    """Every set of cards the opponents can play, placed by the engine."""
    total = count = 0
    for played in combinations(table.unseen, opponents):
        rest = [card for card in table.unseen if card not in played]
        hidden = []
        for seat, card in enumerate(played):
            hidden += [card, *rest[seat * (HAND - 1) : (seat + 1) * (HAND - 1)]]
        found = heads_taken(
            table.state(opponents, hidden), {0: table.card, **{seat + 1: card for seat, card in enumerate(played)}}, 0
        )
        total += found if of == "heads" else found > 0
        count += 1
    return Fraction(total, count)


@pytest.mark.parametrize("seed", [0, 7])
def test_safe_cards_by_enumeration(seed: int) -> None:
    by_key = {problem.key: problem.answer for problem in problems(2, seed)}
    four, _rng = scenario(streams(seed, 2), held=4, at_least=4)
    assert by_key["p2.between"] == len(four.between)
    assert by_key["p2.one"] == brute_force(four, 1, "take")
    assert by_key["p2.heads"] == brute_force(four, 1, "heads")
    assert by_key["p2.two"] == brute_force(four, 2, "take")


def test_three_opponents_by_enumeration() -> None:
    _four, rng = scenario(streams(7, 2), held=4, at_least=4)
    three, _ = scenario(rng, held=3, at_least=4)
    takes = sum(len({*drawn} & {*three.between}) == 2 for drawn in combinations(three.unseen, 3))
    assert {p.key: p.answer for p in problems(2, 7)}["p2.three"] == Fraction(takes, math.comb(len(three.unseen), 3))


@pytest.mark.parametrize("seed", [0, 7])
def test_conditional_by_enumeration(seed: int) -> None:
    table, _ = scenario(streams(seed, 3), held=4, at_least=5)
    by_key = {problem.key: problem for problem in problems(3, seed)}
    hands = list(combinations(table.unseen, HAND))
    having = [hand for hand in hands if {*hand} & {*table.between}]
    assert by_key["p3.holds"].answer == Fraction(len(having), len(hands))
    # Bayes, hand by hand: how likely each hand, with each kind of player, leads to a card that is not between.
    prior = by_key["p3.bayes"].parts["prior"]
    assert isinstance(prior, Fraction)
    seen = careful = still = Fraction(0)
    for hand in hands:
        apart = len({*hand} - {*table.between})
        ways = {True: prior * bool(apart), False: (1 - prior) * Fraction(apart, HAND)}
        seen += sum(ways.values())
        careful += ways[True]
        still += sum(ways.values()) if apart < HAND else 0
    assert (by_key["p3.bayes"].answer, by_key["p3.still"].answer) == (careful / seen, still / seen)
    bayes = by_key["p3.bayes"].answer
    assert isinstance(bayes, Fraction) and bayes > prior, "p3.notes: a careful B is likelier then"
    limit = by_key["p3.above"].parts["limit"]
    assert isinstance(limit, int) and 2 <= limit < table.end
    above = [card for card in table.unseen if card > limit]
    assert by_key["p3.above"].answer == Fraction(sum(card in table.between for card in above), len(above))


@pytest.mark.parametrize("seed", [0, 7, 8])
def test_two_cards_have_the_same_mean_and_different_spread(seed: int) -> None:
    table, calm, wild = _same_mean(seed)
    found = {}
    for card in (calm, wild):
        results = []
        for other in table.unseen:
            rest = [unseen for unseen in table.unseen if unseen != other][: HAND - 1]
            results.append(heads_taken(table.state(1, [other, *rest]), {0: card, 1: other}, 0))
        found[card] = results
        assert mean(results) == sum(value * chance for value, chance in _odds(table, card).distribution.items())
        assert _variance(_odds(table, card).distribution) == mean([value**2 for value in results]) - mean(results) ** 2
    assert mean(found[calm]) == mean(found[wild]) > 0
    by_key = {problem.key: problem for problem in problems(6, seed)}
    assert by_key["p6.spread"].answer == str(wild)
    limit = by_key["p6.limit"].parts["limit"]
    assert isinstance(limit, int)
    worse = {card: sum(value >= limit for value in found[card]) for card in found}
    assert by_key["p6.limit"].answer == str(min(worse, key=lambda card: worse[card])) and len(set(worse.values())) == 2


def test_matrix_entries_are_played_out_by_the_engine() -> None:
    state = _without_saddle(7)
    game = state.game
    (a1, a2), (b1, b2) = state.hands
    rows = matrix_of(state)
    for i, (mine, last) in enumerate(((a1, a2), (a2, a1))):
        for j, (theirs, their_last) in enumerate(((b1, b2), (b2, b1))):

            def best(now: object, plays: list[tuple[int, int]]) -> int:
                """B's heads minus A's if the player of a low card takes the best row."""
                from nimmt_lab.engine.state import GameState

                assert isinstance(now, GameState)
                if now.is_over:
                    return 0
                if now.queue:
                    (seat,) = now.pending
                    values = [after(now, {seat: row}, plays) for row in now.pending[seat].options]
                    return max(values) if seat == 0 else min(values)
                return after(now, dict(enumerate(plays[0])), plays[1:])

            def after(now: GameState, choices: Mapping[int, Choice], plays: list[tuple[int, int]]) -> int:
                from nimmt_lab.engine.events import RowTaken
                from nimmt_lab.engine.state import GameState

                assert isinstance(now, GameState)
                later, events = now.choose(choices)
                takes = [event for event in events if isinstance(event, RowTaken)]
                return sum(event.heads if event.seat else -event.heads for event in takes) + best(later, plays)

            assert rows[i][j] == best(state, [(mine, theirs), (last, their_last)]), (game, mine, theirs)


def test_matrix_lesson_answers_hold() -> None:
    by_key = {problem.key: problem for problem in problems(7, 7)}
    rows = matrix_of(_without_saddle(7))
    p, value = by_key["p7.mix"].answer, by_key["p7.value"].answer
    assert isinstance(p, Fraction) and isinstance(value, Fraction)
    for column in range(2):  # whatever B does, the mix gets the value
        assert p * rows[0][column] + (1 - p) * rows[1][column] == value
    floor, ceiling = by_key["p7.floor"].answer, by_key["p7.ceiling"].answer
    assert isinstance(floor, Fraction) and isinstance(ceiling, Fraction) and floor < value < ceiling
    assert floor == max(min(row) for row in rows) and ceiling == min(max(column) for column in zip(*rows, strict=True))


def paired_difference(rng: Rng) -> tuple[int, Rng]:
    """One deal played twice by seat A, at random and with the closest card; the others play at random, the same way."""
    deal, rng = rng.below(1 << 31)
    at_random, after = play_round(deal, [random_card] * 4, rng)
    careful, _ = play_round(deal, [closest_card, random_card, random_card, random_card], rng)
    return at_random[0] - careful[0], after


@pytest.mark.exhaustive
def test_the_careful_rule_is_better_in_the_long_run() -> None:
    """Lesson 8's claim, settled: 600 pairs."""
    rng = Rng.from_seed(1)
    differences = []
    for _ in range(600):
        result, rng = paired_difference(rng)
        differences.append(result)
    assert mean(differences) > 3 * root(sample_variance(differences) / len(differences))


@pytest.mark.parametrize("seed", SEEDS)
def test_counting_by_counting(seed: int) -> None:
    by_key = {problem.key: problem for problem in problems(1, seed)}
    deck, draws = by_key["p1.deck"].parts["cards"], by_key["p1.several"].parts["draws"]
    assert isinstance(deck, int) and isinstance(draws, int) and 44 <= deck <= 104 and 3 <= draws <= 8
    total = sum(heads(card) for card in range(1, deck + 1))
    assert by_key["p1.deck"].answer == Fraction(total, deck) and by_key["p1.several"].answer == Fraction(
        draws * total, deck
    )
    assert by_key["p1.several"].parts["cards"] == deck
    number = by_key["p1.count"].parts["number"]
    assert isinstance(number, int) and by_key["p1.count"].answer == {2: 9, 3: 10, 5: 8}[number]
    cards = [int(card) for card in str(by_key["p1.row"].parts["cards"]).split()]
    assert by_key["p1.row"].answer == sum(map(heads, cards))


# Answers as people write them ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("said", "right"),
    [
        ("0 3/14", True), ("3 / 14", True), ("1 3/14", False), ("13/14", False),
        ("3/14", True), ("6/28", True), (" 3 / 14 ", True), ("0.214", True), ("0,2143", True), ("21.4 %", True), ("21%", True), ("0.21", True),
        ("0.2", False), ("0.22", False), ("20%", False), ("3/15", False), ("-3/14", False), ("0.2142", False), ("3", False),
    ],
)  # fmt: skip
def test_fractions_and_rounded_decimals_count(said: str, right: bool) -> None:
    assert Problem("p2.one", Fraction(3, 14)).is_right(said) is right


def test_whole_and_terminating_answers_must_be_exact() -> None:
    assert Problem("x", Fraction(10)).is_right("10") and Problem("x", Fraction(10)).is_right("10.0")
    assert not Problem("x", Fraction(10)).is_right("11") and not Problem("x", Fraction(10)).is_right("9")
    assert Problem("x", Fraction(5, 2)).is_right("2.5") and not Problem("x", Fraction(5, 2)).is_right("2.4")
    assert Problem("x", Fraction(-15, 7)).is_right("-2.14") and Problem("x", Fraction(-15, 7)).is_right("−15/7")
    assert Problem("x", root(Fraction(2)), slack=Fraction(1, 100)).is_right("1.41")


def test_a_whole_number_may_stand_before_a_fraction() -> None:
    number = 8 + Fraction(23, 104)
    average = Problem("p1.several", number)
    assert average.is_right("8 23/104") and average.is_right("855/104") and not average.is_right("823/104")
    assert read_number("-8 23/104").value == -number
    assert read_number("2 400").value == read_number("2\u00a0400").value == 2400


@pytest.mark.parametrize("said", ["8 230/104", "1 02", "3 4", "0. 5", "1 2.5", "2 40", "1 0000", "8 23 /104 5"])
def test_blanks_never_glue_numbers_together(said: str) -> None:
    with pytest.raises(NotationError):
        read_number(said)


@pytest.mark.parametrize("said", ["", "x", "1/0", "1/", "--1", "1e5", "nan", "٣", "9" * 20, "1.2.3", "50 percent", "%"])
def test_text_that_is_not_a_number_is_reported(said: str) -> None:
    with pytest.raises(NotationError):
        read_number(said)


@pytest.mark.exhaustive
@given(st.text(max_size=12))
def test_any_text_is_read_or_refused(said: str) -> None:
    with contextlib.suppress(NotationError):
        read_number(said)


@given(st.fractions(min_value=-10_000, max_value=10_000, max_denominator=500))
def test_every_exact_answer_is_right_as_the_key_prints_it(value: Fraction) -> None:
    problem = Problem("x", value)
    printed = show(value).split(" ")
    assert problem.is_right(printed[0])
    if len(printed) == 3 and abs(value) < 1000:
        assert problem.is_right(f"{float(value):.4f}")


@pytest.mark.parametrize("name", lesson_names())
def test_grading_tells_right_from_wrong(name: str) -> None:
    number = int(name[1]) if name[0] == "p" and name[1:].isdigit() else None
    if number is not None:
        key = {p.key: [str(p.answer) if not p.slack else f"{float(p.answer):.4f}"] for p in problems(number, 7)}
    else:
        from nimmt_lab.lessons import question_of, rules_lesson

        key = {step.name: [*question_of(step).right] for step in rules_lesson(name).questions}
    marks = grade(name, 7, key)
    assert all(mark.right and mark.first and mark.tries == 1 for mark in marks) and len(marks) == len(judges(name, 7))
    wrong = grade(name, 7, {question: ["no such answer", *said] for question, said in key.items()})
    assert all(mark.right and not mark.first and mark.tries == 2 for mark in wrong)
    assert not any(mark.right for mark in grade(name, 7, {}))


def test_no_other_lessons() -> None:
    with refused(RulesError, "shared.no_lesson_of", lesson="10"):
        problems(10, 0)


def test_trials_that_do_not_count_are_left_out() -> None:
    def every_other(rng: Rng) -> tuple[float | None, Rng]:
        number, rng = rng.below(2)
        return (1.0 if number else None), rng

    assert list(islice(run(every_other, 50, 1), 60)) == [1.0] * 50


# Samples: read off the printed table, worked out with the standard library ---------------------------------


def table_of(problem: Problem) -> list[list[str]]:
    assert problem.chart is not None
    return [list(line) for line in problem.chart.lines]


@pytest.mark.parametrize("seed", SEEDS)
def test_distributions_from_the_printed_table(seed: int) -> None:
    by_key = {problem.key: problem for problem in problems(5, seed)}
    sample = [int(cell) for cell in table_of(by_key["p5.mean"])[0]]
    assert by_key["p5.mean"].answer == Fraction(statistics.mean(map(Fraction, sample)))
    assert by_key["p5.median"].answer == statistics.median(sample)
    middle, median = statistics.mean(map(Fraction, sample)), statistics.median(sample)
    assert by_key["p5.larger"].answer == ("mean" if middle > median else "median" if middle < median else "equal")
    assert by_key["p5.below"].answer == Fraction(sum(value < middle for value in sample), len(sample))
    assert by_key["p5.worse"].answer == statistics.mean(map(Fraction, [*sample, 30])) * (len(sample) + 1) / len(sample)


@pytest.mark.parametrize("seed", SEEDS)
def test_the_claim_from_the_printed_table(seed: int) -> None:
    by_key = {problem.key: problem for problem in problems(8, seed)}
    at_random, closest, differences = (
        [int(cell.replace("−", "-")) for cell in line] for line in table_of(by_key["p8.null"])
    )
    assert differences == [one - other for one, other in zip(at_random, closest, strict=True)]
    uneven = [value for value in differences if value]
    wins, trials = sum(value > 0 for value in uneven), len(uneven)
    assert by_key["p8.null"].answer == Fraction(trials, 2)
    # Every row of coins, counted.
    heads_of = [sum(coins) for coins in product((0, 1), repeat=trials)]
    assert by_key["p8.sign"].answer == Fraction(sum(count >= wins for count in heads_of), 2**trials)
    level, chance = (by_key["p8.power"].parts[name] for name in ("level", "chance"))
    assert isinstance(level, int) and isinstance(chance, int)
    least = by_key["p8.critical"].answer
    assert isinstance(least, Fraction)
    for count in range(trials + 1):
        assert (100 * sum(found >= count for found in heads_of) <= level * 2**trials) == (count >= least)
    others = by_key["p8.decide"].parts["others"]
    assert isinstance(others, int) and others != wins
    assert by_key["p8.decide"].answer == ("reject" if others >= least else "keep")
    right = math.fsum(
        math.comb(trials, count) * (chance / 100) ** count * (1 - chance / 100) ** (trials - count)
        for count in range(int(least), trials + 1)
    )
    assert by_key["p8.power"].is_right(f"{right:.3f}") and not by_key["p8.power"].is_right(f"{right + 0.02:.3f}")
    apart = sum(abs(2 * count - trials) >= abs(2 * wins - trials) for count in heads_of)
    assert by_key["p8.both"].answer == Fraction(apart, 2**trials)


@pytest.mark.parametrize("seed", SEEDS)
def test_the_simulation_from_the_printed_table(seed: int) -> None:
    by_key = {problem.key: problem for problem in problems(4, seed)}
    marks = "".join(table_of(by_key["p4.estimate"])[0])
    assert len(marks) == 40 and by_key["p4.estimate"].answer == Fraction(marks.count("×"), 40)
    exact = by_key["p4.exact"].answer
    assert isinstance(exact, Fraction)
    error = math.sqrt(exact * (1 - exact) / 40)
    assert by_key["p4.error"].is_right(f"{error:.3f}") and not by_key["p4.error"].is_right(f"{error + 0.01:.3f}")
    assert by_key["p4.inside"].answer == ("yes" if abs(marks.count("×") / 40 - exact) <= error else "no")
    need = by_key["p4.need"].answer
    assert isinstance(need, Fraction)
    small = Fraction(str(by_key["p4.need"].parts["small"]))
    assert exact * (1 - exact) / need <= small**2 < exact * (1 - exact) / (need - 1)
