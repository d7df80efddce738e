"""Reviews: regrets compared with an oracle, turning points, time limits and interrupts, and all of it in the report."""

from __future__ import annotations

import importlib
from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest

from nimmt_lab import Advanced, Classic, Record
from nimmt_lab.engine.errors import RulesError, Unsupported
from nimmt_lab.engine.habits import random_choices
from nimmt_lab.engine.rng import Rng
from nimmt_lab.engine.state import GameState
from nimmt_lab.explain import LANGUAGES, Judgement, report, words
from nimmt_lab.explain.judgement import lost_line, standing
from nimmt_lab.solver.deals import random_state
from nimmt_lab.solver.open_position import heads_difference
from nimmt_lab.solver.reference import EngineSolver
from nimmt_lab.solver.solution import Bounds
from nimmt_lab.study import Review, review
from tests.support import random_record, refused

GAME = Advanced(players=2, rounds=1)
#: The name `review` in the package is the function.
MODULE = importlib.import_module("nimmt_lab.study.reviews")
#: Random play in which the lead changes hands, with low cards of both players.
START = "20 | 3 9 12 | 19 22 | 2 4 ; A: 6 8 18 24 ; B: 1 5 10 13"
CHOICES: tuple[dict[int, Any], ...] = (
    {0: 24, 1: 10}, {0: 8, 1: 13}, {0: 3}, {0: 6, 1: 1}, {1: 1}, {0: 18, 1: 5}, {1: 0},
)  # fmt: skip


@pytest.fixture(scope="module")
def found() -> Review:
    return review(Record(GAME, CHOICES, start=START, tags={"A": "Ola"}), seconds=None, progress=False)


def played(game: Advanced, left: int, seed: int) -> Record:
    """Random play from a random position to the end."""
    record = Record(game, start=str(random_state(game, left, seed).position))
    rng = Rng.from_seed(seed)
    while record.final.pending:
        choices, rng = random_choices(record.final, rng)
        record = record.then(choices)
    return record


def worth(state: GameState, choices: dict[int, Any], oracle: EngineSolver) -> Fraction:
    """The value of these choices by the plain solver."""
    after, events = state.choose(choices)
    over = after.is_past_round(state.round)
    return heads_difference(events) + (Fraction(0) if over else oracle.value(after))


@pytest.mark.parametrize(
    ("game", "seed"), [(GAME, 2), (GAME, 3), (GAME, 4), (Advanced(players=2, rounds=1, fan_cards=("mountain",)), 5)]
)
def test_regrets_are_those_of_the_plain_solver(game: Advanced, seed: int) -> None:
    oracle = EngineSolver()
    result = review(played(game, 3, seed), seconds=None, progress=False)
    assert result.is_complete and not result.unsolved
    rows = 0
    for reviewed in result.steps:
        state, solution = reviewed.step.before, reviewed.solution
        assert solution is not None
        value = oracle.value(state)
        assert solution.value == pytest.approx(float(value), abs=1e-6)
        for judgement in reviewed.judgements:
            seat = judgement.seat
            sign = 1 if seat == 0 else -1
            mine = reviewed.step.choices[seat]
            if len(reviewed.step.choices) == 1:
                rows += 1
                earns = float(worth(state, {seat: mine}, oracle))
                assert isinstance(mine, int)
                assert judgement.choice == f"@{mine + 1}" and judgement.kind == "row"
            else:
                # Against the other's strategy that was found: several may be optimal.
                mix = solution.strategies[1 - seat]
                earns = sum(p * float(worth(state, {seat: mine, 1 - seat: c}, oracle)) for c, p in mix.items() if p)
                assert judgement.choice == str(mine) and judgement.kind == "card"
            assert judgement.most == pytest.approx(sign * (float(value) - earns), abs=1e-5)
            assert judgement.least == pytest.approx(judgement.most, abs=1e-5)
    assert rows or game.fan_cards


def test_the_result_is_what_was_expected_first_and_what_the_choices_changed(found: Review) -> None:
    assert found.record.outcome is not None
    a, b = found.record.outcome.totals
    last = found.steps[-1]
    assert last.taken + last.heads == b - a
    # A row choice changes the expected value by exactly its regret, because nobody else chooses there.
    for reviewed, after in zip(found.steps, found.steps[1:], strict=False):
        if len(reviewed.judgements) == 1:
            (judgement,) = reviewed.judgements
            sign = -1 if judgement.seat == 0 else 1
            assert reviewed.expected is not None and after.expected is not None
            assert after.expected.middle - reviewed.expected.middle == pytest.approx(sign * judgement.most, abs=1e-5)


def test_turning_points_are_where_another_one_comes_to_lead(found: Review) -> None:
    assert [reviewed.ply for reviewed in found.turning_points] == [1, 2, 4, 6]
    leads = [reviewed.expected.middle for reviewed in found.steps if reviewed.expected is not None]
    assert [round(lead, 2) for lead in leads] == [3.0, 3.57, 0.0, -2.0, -2.0, 0.0, 0.0]


def test_what_is_not_solved_is_not_level(found: Review) -> None:
    """Bounds on both sides of 0 say nothing about who is ahead: they neither make a turning point nor hide one."""
    steps = list(found.steps)
    at = 3  # B is ahead here and afterwards; before it, the position was level
    assert [reviewed.ply for reviewed in found.turning_points] == [1, 2, 4, 6]
    solution = steps[at].solution
    assert solution is not None
    wide = replace(solution, bounds=Bounds(-5.0, 5.0), exact=False)
    steps[at] = replace(steps[at], solution=wide)
    assert [reviewed.ply for reviewed in Review(found.record, tuple(steps)).turning_points] == [1, 4, 6]
    # Bounds on one side of 0 are enough to know the leader.
    steps[at] = replace(steps[at], solution=replace(solution, bounds=Bounds(-5.0, -1.0), exact=False))
    assert [reviewed.ply for reviewed in Review(found.record, tuple(steps)).turning_points] == [1, 2, 4, 6]


def test_the_text_in_every_language(found: Review) -> None:
    say, english = words("en", found.record.names), found.to_text()
    lines = english.splitlines()
    seventh = next(line for line in lines if line.startswith("1/7"))
    eighth = next(line for line in lines if line.startswith("1/8") and "row 4" in line)
    assert "Ola 24: 1.13 " in seventh and say("verdict.inaccuracy") in seventh
    assert say("review.turning") not in seventh
    assert f"B {say('review.best', choice='10')}" in seventh
    assert "Ola row 4: 2.00 " in eighth and say("verdict.mistake") in eighth and say("review.turning") in eighth
    totals = [lost_line(seat, found.of_seat(seat), say) for seat in (0, 1)]
    assert "3.13" in totals[0] and "4.00" in totals[1] and "\n".join(totals) in english
    texts = [found.to_text(lang) for lang in LANGUAGES]
    assert len(set(texts)) == 3 and not any("{" in text for text in texts)
    assert "3,13" in found.to_text("pl") and "3.13" not in found.to_text("cs")


def test_the_frame_has_a_row_per_choice(found: Review) -> None:
    frame = found.frame
    assert len(frame) == 4 * 2 + 3
    first = frame.row(0, named=True)
    assert (first["round"], first["turn"], first["seat"], first["choice"], first["best"]) == (1, 7, "A", "24", "8")
    assert first["exact"] and first["regret_lo"] == pytest.approx(first["regret_hi"], abs=1e-5)
    assert frame.filter(frame["kind"] == "row")["choice"].to_list() == ["@4", "@2", "@1"]
    assert set(frame.filter(frame["turning_point"])["turn"].to_list()) == {8, 9, 10}


def test_the_report_gains_what_the_choices_cost(found: Review) -> None:
    joined = found.report()
    plain = report(found.record)
    assert [row.judged for row in plain.rows] == [()] * len(plain.rows)
    assert [judgement for row in joined.rows for judgement in row.judged if row.seat != judgement.seat] == []
    assert sorted(map(repr, found.judgements)) == sorted(repr(j) for row in joined.rows for j in row.judged)
    text, say = joined.to_text(), words("en", found.record.names)
    assert found.record.names[0] == "Ola" and all(judgement.text(say) in text for judgement in found.judgements)
    total = lost_line(0, found.of_seat(0), say)
    assert "Ola" in total and "3.13" in total and total in text and total not in plain.to_text()


def test_what_was_not_solved_in_time_is_said_to_be_so() -> None:
    record = played(GAME, 8, 3)
    short = Record(GAME, record.choices[:1], start=record.start)
    result = review(short, seconds=1e-4, progress=False)
    (reviewed,) = result.unsolved
    assert result.is_complete and reviewed.expected is not None and reviewed.expected.width > 0.01
    assert all(not judgement.solved and not judgement.is_known for judgement in reviewed.judgements)
    for lang in LANGUAGES:
        say = words(lang)
        assert standing(*reviewed.expected, False, say) in result.to_text(lang)
        assert all(judgement.text(say) in result.to_text(lang) for judgement in reviewed.judgements)
    assert result.frame["exact"].to_list() == [False, False] and result.turning_points == ()
    assert all(judgement.text(words("en")) in result.report().to_text() for judgement in reviewed.judgements)


def test_an_interrupt_keeps_what_is_done(monkeypatch: pytest.MonkeyPatch) -> None:
    calls: list[Any] = []
    real = MODULE.solve

    def interrupted(*args: Any, **options: Any) -> Any:
        calls.append(args)
        if len(calls) == 4:
            raise KeyboardInterrupt
        return real(*args, **options)

    monkeypatch.setattr(MODULE, "solve", interrupted)
    result = review(Record(GAME, CHOICES, start=START), progress=False)
    assert [reviewed.solution is not None for reviewed in result.steps] == [False] * 4 + [True] * 3
    assert not result.is_complete and len(result.unsolved) == 4
    assert len(result.frame) == 1 + 2 + 1
    skipped = [words("en")("review.not_looked_at", turn=reviewed.label) for reviewed in result.steps[:4]]
    assert result.to_text().splitlines()[1:5] == skipped
    assert [reviewed.ply for reviewed in result.turning_points] == [4, 6]


def test_a_search_that_was_interrupted_ends_the_review(monkeypatch: pytest.MonkeyPatch) -> None:
    real = MODULE.solve
    monkeypatch.setattr(MODULE, "solve", lambda *a, **o: replace(real(*a, **o), interrupted=True, exact=False))
    result = review(Record(GAME, CHOICES, start=START), progress=False)
    assert [reviewed.solution is not None for reviewed in result.steps] == [False] * 6 + [True]
    assert not result.is_complete


def test_the_solver_judges_open_games_for_two() -> None:
    with refused(Unsupported, "study.hidden_hands", game="classic"):
        review(random_record(Classic(players=2, rounds=1), 1), method="solver", progress=False)
    with refused(Unsupported, "solver.two", players=3):
        review(random_record(Advanced(players=3, rounds=1), 1), method="solver", progress=False)
    draft = Record(GAME, seed=1)
    assert review(draft, progress=False).steps == ()
    with refused(RulesError, "study.method", got="'oracle'"):
        review(draft, method="oracle")
    with refused(RulesError, "shared.no_seat_to", who="2", most=1):
        review(draft, seat=2)


def test_words_of_a_judgement() -> None:
    say = words("en")
    wide = Judgement(0, 0, 0, "card", "7", "9", 0.5, 2.0, solved=True)
    bounds = say("review.bounded", choice="7", least="0.50", most="2.00", best="9")
    assert wide.text(say) == f"{bounds} {say('verdict.inaccuracy')}"
    assert standing(-1.0, 3.0, False, say) == say("review.standing_open", who="A", least="−1.00", most="3.00")
