"""Replies to wrong answers: played out by the engine, with the rule that applies, and without giving the answer away."""

from __future__ import annotations

from typing import Any

import pytest

from nimmt_lab import Advanced, Classic
from nimmt_lab.engine.cards import TEAM
from nimmt_lab.engine.errors import PositionError
from nimmt_lab.engine.events import CardPlaced, RowTaken
from nimmt_lab.engine.game import Game
from nimmt_lab.engine.record import Step
from nimmt_lab.engine.rng import Rng
from nimmt_lab.explain import rule_text
from nimmt_lab.explain.rows import comparing
from nimmt_lab.explain.teller import unit
from nimmt_lab.games.baron.rules import Baron, BaronRule
from nimmt_lab.games.board_game.rules import BoardGame
from nimmt_lab.games.buffalo.rules import Buffalo
from nimmt_lab.games.classic.rules import ClassicRule
from nimmt_lab.lessons.again import IN_A_ROW, _some_others, again, practice
from nimmt_lab.lessons.exercises import generate, kinds_of
from nimmt_lab.lessons.puzzle import BestCard, BestChoice
from nimmt_lab.lessons.question import Question, Spot, ask, moments, play_turn, worth
from nimmt_lab.lessons.reply import MISSES, answered, hints
from nimmt_lab.lessons.rules import LessonStep, question_of, rules_lesson, rules_lessons
from nimmt_lab.lessons.words import LANGUAGES, words
from nimmt_lab.screens.desk import Desk
from nimmt_lab.screens.lesson import RulesLesson
from nimmt_lab.screens.lesson_exercise import LessonExercise, PracticeExercise
from tests.support import dig, refused

QUESTIONS = [(lesson.name, step) for lesson in rules_lessons() for step in lesson.questions]
by_name = pytest.mark.parametrize(
    ("lesson", "step"), QUESTIONS, ids=[f"{name}-{step.name}" for name, step in QUESTIONS]
)
GAMES: list[Game] = [
    Classic(players=4), Classic(players=2), Advanced(players=2), Buffalo(players=2), Baron(players=3), BoardGame(players=2),
    *(Classic(players=2, fan_cards=(fan,)) for fan in ("even_odd", "mountain", "jumping_cow", "number_twister")),
]  # fmt: skip

SAY = words("en")


def wrong(question: Question) -> list[str]:
    return [choice for choice in question.choices if choice not in question.right]


def met_by_the_engine(question: Question, said: str) -> None:
    """Check a reply: it shows moments of the engine, has a text, and does not reveal the right answer."""
    say = words("en")
    met = question.refute(said, say)
    assert met.said or met.rule, "something is said"
    for step in met.steps:
        assert step.before.choose(step.choices) == (step.state, step.events)
    shown = moments(met.steps)[: met.until]
    assert shown == moments(met.steps)[: len(shown)]
    if met.rule is not None:
        assert rule_text(met.rule, say), f"{met.rule} has words"
    reply: Any = answered(question, said, 1)
    assert reply["right"] is False and "answers" not in reply and "solution" not in reply
    assert len(reply["frames"]) in (len(shown), len(shown) - 1)
    last: Any = answered(question, said, MISSES)
    assert set(last["answers"]) == question.right and set(last["solution"]["answers"]) == question.right
    assert last["frames"] == reply["frames"] and len(last["solution"]["frames"]) >= len(moments(question.proof)) - 1


@by_name
def test_every_wrong_answer_of_every_lesson_is_met(lesson: str, step: LessonStep) -> None:
    question = question_of(step, lesson)
    for said in wrong(question):
        met_by_the_engine(question, said)
    for lang in LANGUAGES:
        found = hints(question, words(lang))
        assert len(found) == len(set(found)) == 3 and all(found), "look here, the rule, nearly the answer"


@pytest.mark.exhaustive
@pytest.mark.parametrize("game", GAMES, ids=repr)
def test_every_wrong_answer_of_every_kind_of_exercise_is_met(game: Game) -> None:
    for kind in kinds_of(game):
        for seed, difficulty in ((1, 1), (2, 2)):
            question = generate(game, kind, seed=seed, difficulty=difficulty)
            for said in wrong(question):
                met_by_the_engine(question, said)
            assert len(hints(question, words("pl"))) == 3


@by_name
def test_what_is_shown_stops_before_the_answer(lesson: str, step: LessonStep) -> None:
    question = question_of(step, lesson)
    for said in wrong(question):
        met = question.refute(said, words("en"))
        shown = [moment.event for moment in moments(met.steps)[: met.until]]
        if step.ask == "row":
            assert not any(isinstance(e, CardPlaced | RowTaken) and e.card == step.card for e in shown)
        elif step.ask == "takes":
            assert not any(isinstance(event, RowTaken) for event in shown)
        elif step.ask == "best":
            # The answer itself is played to its end, and is worth less.
            assert met.until is None and met.steps == question.lines[said]
            assert worth(met.steps, question.seat) < worth(question.proof, question.seat)
            number = worth(met.steps, question.seat)
            if question.seat == TEAM:
                ours, theirs = team_and_buffalo(met.steps)
                assert theirs - ours == number
                assert met.said == SAY("wrong.team", ours=ours, theirs=theirs)
            elif step.game.heads_are_good or step.game.more_is_better:
                sign = "−" if number < 0 else "+" if number else ""
                assert f" {sign}{SAY.count('points', abs(number))}." in met.said
            else:
                assert f" {SAY.count(unit(step.game), -number)}." in met.said


def team_and_buffalo(steps: tuple[Step, ...]) -> tuple[int, int]:
    """The heads that both piles gained in the turn."""
    before, after = steps[0].before, steps[-1].state
    gained = [after.game.heads_in(new) - before.game.heads_in(old)
              for new, old in zip(after.piles, before.piles, strict=True)]  # fmt: skip
    return gained[0], gained[1]


def test_what_a_team_gains_is_told_of_both_sides() -> None:
    for name, right in (("stop", "stop@2"), ("seven_takes", "seven_takes@1")):
        question = question_of(next(step for step in rules_lesson("buffalo_cards").steps if step.name == name))
        ours, theirs = team_and_buffalo(question.lines[right])
        assert question.why(right, SAY) == SAY("wrong.best_team", ours=ours, theirs=theirs)
    lift = question_of(next(step for step in rules_lesson("buffalo_cards").steps if step.name == "lift"))
    (said,) = wrong(lift)
    ours, theirs = team_and_buffalo(lift.lines[said])
    option = lift.asked.worded(lift, lift.options[lift.choices.index(said)], SAY)
    assert hints(lift, SAY)[-1] == SAY("hint.team", other=option, ours=ours, theirs=theirs)
    free = question_of(next(step for step in rules_lesson("first_turn").steps if step.name == "full"))
    assert hints(free, SAY)[-1] == "42 costs 9 heads."


def test_a_number_in_play_is_the_one_that_is_compared() -> None:
    """A twisted 61 is 16 until it is placed."""
    twisted = question_of(next(step for step in rules_lesson("number_twister").steps if step.name == "where"))
    assert twisted.refute("1", SAY).said == SAY("wrong.not_closest", row=1, end=7, difference=9, card=16)
    reply: Any = answered(twisted, "2", 0)
    assert "row 2" in reply["told"]


def test_the_rule_is_the_one_that_bites() -> None:
    trap = question_of(rules_lesson("traps").steps[0])
    say = words("en")
    near, far = trap.refute("3", say), trap.refute("1", say)
    assert near.rule is far.rule is ClassicRule.SMALLEST_DIFFERENCE
    assert near.said == say("wrong.not_closest", row=3, end=41, difference=4, card=45)
    high = question_of(rules_lesson("first_turn").steps[1]).refute("3", say)
    assert high.rule is ClassicRule.ASCENDING and high.said == say("wrong.not_open", row=3, end=40, card=25)
    state = Classic(players=2).from_position("12 | 37 | 43 | 58 ; A: 5 20 ; B: 15 30")
    low = ask("row", Spot(state, {0: 5, 1: 15}, card=5, plays_on=True))
    for said in wrong(low):
        met = low.refute(said, say)
        assert met.rule is ClassicRule.LOW_CARD and met.said == say("wrong.fits_nowhere", card=5, row=said)
    odd = next(step for step in rules_lesson("even_odd").steps if step.name == "parity")
    closed = question_of(odd).refute("4", say)
    assert closed.rule is None and "odd" in closed.said, "what closes the row says so itself"


def test_what_is_said_of_a_row_is_true() -> None:
    """ "Closer" and "as close" are true, and the game itself rejects an illegal card."""
    asked = [question_of(step, lesson) for lesson, step in QUESTIONS if step.ask == "row"]
    asked += [
        generate(game, "row", seed=seed, difficulty=2) for game in GAMES for seed in range(6) if "row" in kinds_of(game)
    ]
    told = set()
    for question in asked:
        reader = comparing(question.state.game)
        if reader is None:
            continue
        for said in wrong(question):
            met = question.refute(said, words("en"))
            assert met.until is not None
            before = moments(met.steps)[met.until - 1].state if met.until else met.steps[0].before
            value = next(play.value for play in before.queue if play.card == question.card)
            options = {option.row: option.difference for option in reader.options(before, value)}
            open_to_it = [difference for difference in options.values() if difference is not None]
            mine = options.get(int(said) - 1)
            parts = {
                "row": said,
                "card": value,
                "end": (before.rows[int(said) - 1] or (0,))[-1],
                "difference": mine,
            }
            if met.said == SAY("wrong.not_closest", **parts):
                assert mine is not None and min(open_to_it) < mine
            elif met.said == SAY("wrong.tie", **parts):
                assert mine is not None and min(open_to_it) == mine
            elif met.said == SAY("wrong.fits_nowhere", **parts):
                assert not open_to_it
            else:
                assert mine is None and open_to_it
            told.add(met.said.split()[0])
    tie = question_of(next(step for step in rules_lesson("mountain").steps if step.name == "tie"))
    parts = {"row": "2", "card": tie.card, "end": tie.state.rows[1][-1]}
    difference = abs(tie.card - tie.state.rows[1][-1])
    assert tie.refute("2", SAY).said == SAY("wrong.tie", **parts, difference=difference) and len(told) >= 2


def test_a_row_that_changes_in_the_turn_is_judged_as_it_is_then() -> None:
    """Row 1 has room for 63 until B's 28 takes it: then it ends in 28, and the reply says so."""
    step = next(step for step in rules_lesson("traps").steps if step.name == "vanished")
    met = question_of(step).refute("1", words("en"))
    assert met.said == SAY("wrong.not_closest", row=1, end=28, difference=35, card=63) and met.until


def test_who_takes_nothing_is_shown_to_do_so() -> None:
    step = next(step for step in rules_lesson("traps").steps if step.name == "filled_row")
    question = question_of(step)
    met = question.refute("A 13", words("en"))
    last = moments(met.steps)[: met.until][-1].event
    assert (
        isinstance(last, CardPlaced)
        and (last.seat, last.card) == (0, 55)
        and met.said.endswith(SAY("wrong.takes_nothing", who="A", told="").strip())
    )
    assert question.refute("B 3", SAY).said == SAY("wrong.heads_of_row", who="B")
    assert question.refute("-", SAY).said == SAY("wrong.somebody_takes")


def test_a_card_that_is_not_safe_takes_in_the_turn_that_is_shown() -> None:
    shown = 0
    for seed in range(8):
        question = generate(Classic(players=3), "safe", seed=seed, difficulty=2)
        for said in wrong(question):
            met = question.refute(said, words("en"))
            takes = [
                e for step in met.steps for e in step.events if isinstance(e, RowTaken) and e.seat == question.seat
            ]
            shown += bool(takes)
            assert bool(met.steps) == bool(takes)
            if met.steps:
                assert met.steps[0].before.view(question.seat) == question.state.view(question.seat), (
                    "nothing is known more"
                )
    assert shown > 10


def test_a_chance_that_is_missed_is_met_with_a_card() -> None:
    question = generate(Classic(players=2), "chance", seed=4, difficulty=2)
    for said in wrong(question):
        met = question.refute(said, words("en"))
        takes = [e for step in met.steps for e in step.events if isinstance(e, RowTaken) and e.seat == question.seat]
        assert bool(takes) == (int(said) < int(min(question.right)))


def test_colours_that_are_not_shared() -> None:
    question = next(
        found for seed in range(20) if "-" not in (found := generate(Baron(players=3), "match", seed=seed)).right
    )
    for said in wrong(question):
        met = question.refute(said, words("en"))
        assert met.rule is BaronRule.COLOUR and str(question.card) in met.said


def test_puzzles_are_refuted_by_the_reply() -> None:
    game = Advanced(players=2, rounds=1)
    state = game.from_position("1 2 4 | 8 9 10 11 12 | 18 | 22 ; A: 13 19 ; B: 14 23")
    question = BestCard(1, 3.0, {"13": (14, 11.0)}).ask(Spot(state))
    met = question.refute("13", words("en"))
    assert met.steps == play_turn(state, {0: 13, 1: 14}) and "11" in met.said
    hidden = BestChoice({"13": 2.5, "19": 0.0}).ask(Spot(state))
    assert "2.5" in hidden.refute("13", words("en")).said and hidden.why("19", words("en"))


# The same idea, and practice ------------------------------------------------------------------------------------


@by_name
def test_the_same_idea_with_other_cards(lesson: str, step: LessonStep) -> None:
    asked, other = question_of(step, lesson), again(step, 11, lesson)
    assert other.kind == asked.kind and other.rule is asked.rule and other.state != asked.state
    assert other.right < set(other.choices) and len(other.options) <= 7
    assert other == again(step, 11, lesson)
    assert any(other.state != again(step, seed, lesson).state for seed in (12, 13, 14))
    assert sum(map(len, other.state.rows)) == sum(map(len, asked.state.rows))
    for lang in LANGUAGES:
        assert other.prompt(words(lang)) and len(hints(other, words(lang))) == 3
    met_by_the_engine(other, wrong(other)[0])


@pytest.mark.exhaustive
def test_other_cards_are_found_soon(monkeypatch: pytest.MonkeyPatch) -> None:
    """Few tries are needed, even where colours must match; the test counts tries, not time."""
    from nimmt_lab.lessons import again as module

    for lesson, step in QUESTIONS:
        if lesson == "baron" and step.name in ("choose", "six_bulls"):
            for seed in range(4):
                tried: list[LessonStep] = []

                def noted(one: LessonStep, name: str = "", tried: list[LessonStep] = tried) -> Question:
                    tried.append(one)
                    return question_of(one, name)

                monkeypatch.setattr(module, "question_of", noted)
                again(step, seed, lesson)
                assert len(tried) < 400, (lesson, step.name, seed)


def test_cards_that_stay_and_those_between_them() -> None:
    mine, deck = [3, 8, 20, 21, 22, 60, 99], list(range(1, 105))
    rng = Rng.from_seed(4)
    for _ in range(50):
        names, rng = _some_others(mine, deck, rng)
        assert sorted(names) == mine and sorted(names.values()) == [names[card] for card in mine]
        assert len(set(names.values())) == len(mine) and set(names.values()) <= {*deck}
        assert sum(card == other for card, other in names.items()) >= len(mine) // 2
        assert any(card != other for card, other in names.items())


@pytest.mark.exhaustive
@pytest.mark.parametrize("name", [lesson.name for lesson in rules_lessons()])
def test_practice_is_of_the_lessons_kinds_and_ones_own(name: str) -> None:
    lesson = rules_lesson(name)
    made = [practice(lesson, 5, number) for number in range(6)]
    assert made == [practice(lesson, 5, number) for number in range(6)]
    assert len({question.state for question in made}) == 6, "never the same twice"
    assert made != [practice(lesson, 6, number) for number in range(6)], "every learner has others"
    assert {question.kind for question in made} <= {step.ask for step in lesson.questions}
    for question in made:
        met_by_the_engine(question, wrong(question)[0])


def test_practice_of_the_first_lesson_has_no_card_that_fits_nowhere() -> None:
    """Only full rows are taken: a card that is too low is the next lesson's."""
    kinds = set()
    for number in range(24):
        question = practice(rules_lesson("first_turn"), 3, number)
        kinds.add(question.kind)
        lines = [question.proof, *question.lines.values()]
        takes = [e for line in lines for step in line for e in step.events if isinstance(e, RowTaken)]
        assert all(take.rule is ClassicRule.FULL_ROW and len(take.cards) == 5 for take in takes)
    assert kinds == {"row", "best"}


def test_a_seat_that_is_not_asked_has_no_best_answer() -> None:
    with refused(PositionError, "lessons.not_asked_anything", who="C"):
        ask("best", Spot(Classic(players=2).deal(1), seat=2))


# In the lesson -------------------------------------------------------------------------------------------


def click(page: RulesLesson, **message: Any) -> list[Any]:
    heard: list[Any] = []
    page.listen(heard.append)
    page.handle({"path": ["board"], "message": message})
    return [said["message"] for said in heard if said.get("path") == ["board"] and "message" in said]


def exercise(page: RulesLesson) -> LessonExercise:
    assert isinstance(page.board, LessonExercise)
    return page.board


@pytest.mark.parametrize("name", [lesson.name for lesson in rules_lessons()])
def test_a_whole_lesson_with_three_wrong_answers_first(name: str) -> None:
    page = RulesLesson(name, Desk(None))
    rng = Rng.from_seed(len(name))
    for step in page.lesson.steps:
        if step.ask:
            board = exercise(page)
            first = board.question
            for miss in range(1, MISSES + 1):
                at, rng = rng.below(len(wrong(first)))
                (verdict,) = click(page, type="answer", question=0, choice=wrong(first)[at])
                assert verdict["right"] is False and ("solution" in verdict) == (miss == MISSES)
                assert verdict["why"] == first.refute(wrong(first)[at], words("en")).said
            assert verdict["then"] == words("en")("page.same_again") and page.ready
            at = page.at
            page.go(page.at + 1)
            assert page.at == at and not page.ready, "first the same idea again"
            assert board.question.state != first.state and board.question.rule is first.rule
            page.go(page.at + 1)
            assert page.at == at
            click(page, type="answer", question=1, choice=min(board.question.right))
            assert page.ready and len(page.tries[step.name]) == MISSES, "what is practised is not graded"
        page.go(page.at + 1)
    assert page.first_tries[0] == 0


def solve(page: RulesLesson, *, right: bool = True) -> None:
    board = page.board
    assert isinstance(board, PracticeExercise)
    if not right:
        click(page, type="answer", question=0, choice=wrong(board.question)[0])
    click(page, type="answer", question=0, choice=min(board.question.right))
    page.go(page.at + 1)


def practising(desk: Desk) -> RulesLesson:
    page = RulesLesson("first_turn", desk)
    for step in page.lesson.steps:
        if step.ask:
            exercise(page).answer(min(question_of(step).right))
        page.go(page.at + 1)
    assert dig(page.data, "text", "title") == words("en")("page.practice")
    return page


def test_practice_ends_when_three_in_a_row_are_right() -> None:
    page = practising(Desk(None))
    end = len(page.questions())
    page.go(end)
    assert page.at == end - 1, "it comes before the end"
    solve(page)
    solve(page)
    solve(page, right=False)
    assert page.at == end - 1 and page.streak == 0
    for number in range(IN_A_ROW):
        assert page.at == end - 1 and page.streak == number
        solve(page)
    assert page.at == end and page.data["end"] is not None and page.count == 5


def test_help_does_not_count_as_right() -> None:
    page = practising(Desk(None))
    assert isinstance(page.board, PracticeExercise)
    click(page, type="hint", question=0)
    solve(page)
    assert page.streak == 0 and page.count == 1
    click(page, type="show", question=0)
    page.go(page.at + 1)
    assert page.streak == 0 and page.count == 2


def test_practice_continues_where_it_was_left() -> None:
    desk = Desk(None)
    page = practising(desk)
    solve(page)
    again_there = RulesLesson("first_turn", desk)
    assert (again_there.at, again_there.count, again_there.streak) == (page.at, 1, 1)
    assert isinstance(again_there.board, PracticeExercise) and isinstance(page.board, PracticeExercise)
    assert again_there.board.question == page.board.question


def test_hints_come_in_three_steps() -> None:
    page = RulesLesson("traps", Desk(None))
    told = [click(page, type="hint", question=0)[0] for _ in range(4)]
    assert [(one["number"], one["of"]) for one in told] == [(1, 3), (2, 3), (3, 3), (3, 3)]
    assert tuple(one["text"] for one in told[:3]) == hints(exercise(page).question, words("en"))


def test_heads_on_cards_are_counted_out() -> None:
    asked = [question_of(step, "scoring") for step in rules_lesson("scoring").questions]
    counts = [question for question in asked if question.kind == "heads"]
    assert counts
    for question in counts:
        told = question.why(min(question.right), words("en"))
        each = [int(part.split(": ")[1]) for part in told.split(". ")[0].split("; ")]
        assert sum(each) == int(min(question.right)) and told.endswith(f"Together: {sum(each)}.")
        assert len(each) == len(question.state.hands[question.seat])


def test_a_solution_says_what_settles_the_question() -> None:
    """Not the last sentence of the turn, which may be about another card."""
    kinds = set()
    for name, step in QUESTIONS:
        question = question_of(step, name)
        answer = min(question.right)
        reply: Any = answered(question, answer, 0)
        told, at = reply["why"] or reply["told"], question.asked.settled(question)
        events = [moment.event for moment in moments(question.proof)]
        if step.ask == "takes" and answer == "-":
            assert told == SAY("wrong.nobody_takes") and not any(isinstance(event, RowTaken) for event in events)
        elif step.ask == "takes":
            letter, count = answer.split()
            taken = SAY.count(unit(step.game), int(count))
            assert isinstance(events[at or 0], RowTaken) and f"{letter} takes" in told and taken in told, told
        elif step.ask in ("winner", "over"):
            totals = question.proof[-1].state.totals
            assert all(str(abs(total)) in told for total in totals), told
        elif step.ask == "score":
            before, after = (
                state.totals[question.seat] for state in (question.proof[0].before, question.proof[-1].state)
            )
            assert told.startswith("A:") and "B:" not in told and after - before == int(answer)
            assert told.endswith(f" {after}.".replace("-", "−")), told
        elif step.ask == "marker":
            assert f"row {answer}" in told or f"Row {answer}" in told, told
        else:
            continue
        kinds.add(step.ask)
    assert kinds == {"takes", "winner", "over", "score", "marker"}
