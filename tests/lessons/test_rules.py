"""The rules lessons: answers come from the engine, and every step has a text in every language."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace

import pytest

from nimmt_lab import BoardGame
from nimmt_lab.engine.cards import TEAM
from nimmt_lab.engine.errors import DataError, PositionError, RulesError
from nimmt_lab.engine.events import CardPlaced, RowTaken
from nimmt_lab.engine.habits import usual_choice
from nimmt_lab.games.baron.rules import Baron
from nimmt_lab.lessons.question import play_turn, worth
from nimmt_lab.lessons.rules import LessonStep, question_of, rules_lesson, rules_lessons
from tests.support import refused

QUESTIONS = [(lesson.name, step) for lesson in rules_lessons() for step in lesson.questions]
WATCHED = [(lesson.name, step) for lesson in rules_lessons() for step in lesson.steps if not step.ask]

by_name = pytest.mark.parametrize(
    ("lesson", "step"), QUESTIONS, ids=[f"{name}-{step.name}" for name, step in QUESTIONS]
)


def test_every_chapter_has_a_lesson_that_shows_asks_and_checks() -> None:
    systems = {step.game.name for lesson in rules_lessons() for step in lesson.steps}
    assert systems == {"classic", "advanced", "buffalo", "baron", "board"}
    fans = {card.name for _, step in QUESTIONS for card in getattr(step.game, "fan_cards", ())}
    assert fans == {"even_odd", "mountain", "jumping_cow", "number_twister"}
    assert {getattr(step.game, "variant", "") for _, step in QUESTIONS} >= {
        "standard",
        "colour_counts",
        "bulls_are_good",
    }
    boards = [step.game for _, step in QUESTIONS if isinstance(step.game, BoardGame)]
    modes = {(game.mode, game.luck) for game in boards}
    assert modes == {("basic", False), ("basic", True), ("advanced", False), ("advanced", True)}
    uses = {step.name for name in ("buffalo_cards", "buffalo_order") for step in rules_lesson(name).questions}
    assert uses >= {"seven_takes", "stop", "swap", "insert", "push", "first", "last", "sort"}
    seen = {step.name.removesuffix("_see") for _, step in WATCHED if step.name.endswith("_see")}
    assert seen >= {"seven", "stop", "swap", "insert", "push", "first", "last", "sort"}, "shown, then done"
    for lesson in rules_lessons():
        assert lesson.steps[-1].check and sum(step.check for step in lesson.steps) >= 2
        assert 4 <= len(lesson.steps) <= 12, "short"


@by_name
def test_there_is_one_right_answer_among_several(lesson: str, step: LessonStep) -> None:
    task = question_of(step)
    texts = [option.text for option in task.options]
    assert len(task.right) == 1 and len(texts) == len(set(texts)) >= 2


@by_name
def test_the_proof_replays_and_shows_the_answer(lesson: str, step: LessonStep) -> None:
    """A second reading of each answer, from the events and the final state of the proof alone."""
    task = question_of(step)
    (right,) = task.right
    for played in task.proof:
        after, events = played.before.choose(played.choices)
        assert (after, events) == (played.state, played.events)
    happened = [event for played in task.proof for event in played.events]
    end = task.proof[-1].state if task.proof else step.state
    takes = [event for event in happened if isinstance(event, RowTaken)]
    if step.ask == "row":
        assert step.card in end.rows[int(right) - 1] or any(
            isinstance(e, CardPlaced) and e.card == step.card and e.row == int(right) - 1 for e in happened
        )
    elif step.ask == "takes":
        assert right == (f"{'ABCDEFGHIJ'[takes[0].seat]} {takes[0].heads}" if takes else "-")
    elif step.ask == "winner":
        assert end.outcome is not None and right == (" ".join("ABCDEFG"[seat] for seat in end.outcome.winners) or "-")
    elif step.ask == "over":
        assert right == ("yes" if end.is_over else "no")
    elif step.ask == "marker":
        assert end.position.sections[step.marker].split()[0] == right
    elif step.ask == "starts":
        assert end.rows[step.row] == (int(right),)
    elif step.ask == "heads":
        assert int(right) == sum(step.game.heads_in((card,)) for card in step.state.hands[step.seat])
    elif step.ask == "score":
        assert int(right) == end.totals[step.seat] - step.state.totals[step.seat]
    elif step.ask == "match":
        assert isinstance(step.game, Baron)
        sharing = [bool({*step.game.deck.letters(row[-1])} & {*step.game.deck.letters(step.card)}) for row in end.rows]
        assert sharing == [str(row + 1) == right for row in range(len(end.rows))]
    else:
        assert step.ask == "best"


@pytest.mark.parametrize(
    ("lesson", "step"), [(n, s) for n, s in QUESTIONS if s.ask == "best"], ids=lambda x: getattr(x, "name", x)
)
def test_the_best_answer_is_better_than_each_other_one(lesson: str, step: LessonStep) -> None:
    task = question_of(step)
    (right,) = task.right
    gained = {}
    for option in task.options:
        assert option.choice is not None
        others = (
            {}
            if step.reveal is None
            else {
                "ABCD".index(letter): step.state.pending["ABCD".index(letter)].read(text)
                for letter, text in step.reveal.items()
            }
        )
        steps = play_turn(step.state, {**others, step.seat: option.choice})
        gained[option.text] = worth(steps, step.seat)
        heads = [e for played in steps for e in played.events if isinstance(e, RowTaken)]
        if step.seat >= 0 and step.game.name != "board":
            assert abs(gained[option.text]) == sum(e.heads for e in heads if e.seat == step.seat)
        elif step.seat == TEAM:
            ours = sum(e.heads for e in heads if e.seat < step.game.players)
            assert gained[option.text] == sum(e.heads for e in heads) - 2 * ours
    assert all(value < gained[right] for text, value in gained.items() if text != right)


@pytest.mark.parametrize(("lesson", "step"), WATCHED, ids=[f"{name}-{step.name}" for name, step in WATCHED])
def test_what_is_watched_is_a_record_with_something_to_see(lesson: str, step: LessonStep) -> None:
    assert len(step.record.steps) >= 1 and not step.check
    assert step.record.final == step.state


def test_the_rulebooks_tips_are_there() -> None:
    """Tip 1: 45 goes to the full row that ends in 42; tip 2: a low card takes the row away."""
    closest = next(step for step in rules_lesson("traps").steps if step.name == "closest_row")
    assert question_of(closest).right == {"4"} and len(closest.state.rows[3]) == 5 and len(closest.state.rows[2]) < 5
    vanished = next(step for step in rules_lesson("traps").steps if step.name == "vanished_row")
    takes = [event for event in vanished.record.events if isinstance(event, RowTaken)]
    assert [(event.seat, event.row) for event in takes] == [(1, 0), (0, 3)]


def test_usual_choice_takes_the_cheapest_row() -> None:
    step = next(step for step in rules_lesson("taking_rows").steps if step.name == "cheapest")
    assert usual_choice(step.state, 0) == 1


@contextmanager
def step_refused(key: str) -> Iterator[None]:
    """Expect a step to be rejected for this reason."""
    with refused(DataError, "lessons.step") as caught:
        yield
    reason = caught.value.fields["error"]
    assert isinstance(reason, PositionError) and reason.key == key


def test_a_question_that_cannot_be_decided_is_refused() -> None:
    step = next(step for step in rules_lesson("taking_rows").steps if step.ask == "best")
    with step_refused("lessons.every_answer_good"):
        question_of(replace(step, options=step.options[:1] or ("@1",)))
    with refused(RulesError, "lessons.step_asks_there", ask="'moon'"):
        question_of(replace(step, ask="moon"))
    with step_refused("lessons.everybodys_choice_must"):
        question_of(replace(step, ask="takes", reveal=None))
    first = rules_lesson("first_turn").steps[1]
    with step_refused("lessons.not_placed_before"):
        question_of(replace(first, card=99))
