"""Exercises: questions the engine can prove, answered right and wrong, by mouse and by keyboard."""

from __future__ import annotations

from typing import Any

import pytest

from nimmt_lab import Advanced, Classic
from nimmt_lab.engine.cards import seat_letter
from nimmt_lab.engine.errors import NotationError, PositionError, RulesError
from nimmt_lab.engine.events import CardPlaced, RowTaken
from nimmt_lab.explain import Verdict, assess
from nimmt_lab.games.baron.rules import Baron
from nimmt_lab.lessons import Spot, ask, words
from nimmt_lab.widgets import Exercise, generate, kinds_of
from tests.catalogue import on_board
from tests.support import refused

from .conftest import Open
from .games import SYSTEMS

# Questions -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", SYSTEMS)
@pytest.mark.parametrize("difficulty", [1, 2, 3])
def test_questions_of_every_system_are_proved_by_their_step(name: str, difficulty: int) -> None:
    game = SYSTEMS[name]
    for kind in {"row", "takes"} & set(kinds_of(game)):
        question = generate(game, kind, seed=11, difficulty=difficulty)
        assert question == generate(game, kind, seed=11, difficulty=difficulty)
        assert question.right <= set(question.choices)
        (step,) = question.proof
        assert step.before.choose(step.choices) == (step.state, step.events)
        if kind == "row":
            (placed,) = [e for e in step.events if isinstance(e, CardPlaced) and e.card == question.card][:1]
            assert question.right == {str(placed.row + 1)}
        else:
            takes = [event for event in step.events if isinstance(event, RowTaken)]
            assert question.right == {f"{seat_letter(takes[0].seat)} {takes[0].heads}" if takes else "-"}
        assert question.state.queue and len(question.choices) > 1


def test_a_harder_question_is_about_a_turn_with_takes() -> None:
    easy = generate(Classic(players=5), "takes", seed=2, difficulty=1)
    hard = generate(Classic(players=5), "takes", seed=2, difficulty=3)
    assert easy.right == {"-"}
    (step,) = hard.proof
    assert sum(isinstance(event, RowTaken) for event in step.events) >= 2


@pytest.mark.parametrize("game", [Classic(players=4), Advanced(players=2), Classic(players=3, fan_cards=("mountain",))])
def test_safe_cards_are_those_the_tutor_proves_safe(game: Classic) -> None:
    question = generate(game, "safe", seed=5)
    found = assess(question.state.view(question.seat))
    safe = {str(card) for card, said in found.items() if isinstance(card, int) and said.verdict is Verdict.SAFE}
    assert question.right == safe
    assert question.right < set(question.choices)


def test_the_chance_is_counted_over_every_card_the_other_may_hold() -> None:
    game = Classic(players=2, deck_size=24)
    state = game.from_position("5 | 9 | 12 | 14 16 17 19 ; A: 22 1 ; B: 23 24")
    question = ask("chance", Spot(state, card=22))
    # Row 4 has one free place: 22 takes it only behind a card that fits between 19 and 22.
    takes = [card for card in state.view(0).unseen if 19 < card < 22]
    assert question.right == {str(len(takes))} == {"2"}
    full = game.from_position("5 | 9 | 12 | 14 16 17 18 19 ; A: 22 1 ; B: 23 24")
    # The row is full: only a card between 19 and 22, which takes it away before, saves A.
    saving = [card for card in full.view(0).unseen if 19 < card < 22]
    assert ask("chance", Spot(full, card=22)).right == {str(len(full.view(0).unseen) - len(saving))}


def test_a_card_may_join_each_row_that_shares_a_colour() -> None:
    game = Baron(players=4)
    for seed in range(6):
        question = generate(game, "match", seed=seed)
        ends = {str(row + 1): cards[-1] for row, cards in enumerate(question.state.rows)}
        letters = game.deck.letters
        sharing = {row for row, end in ends.items() if set(letters(end)) & set(letters(question.card))}
        assert question.right == (sharing or {"-"})


def test_questions_that_make_no_sense_are_refused() -> None:
    state = Classic(players=2).from_position("12 | 37 | 43 | 58 ; A: 14 20 ; B: 15 30")
    with refused(PositionError, "lessons.not_placed_before", card=99):
        ask("row", Spot(state, {0: 14, 1: 15}, card=99))
    with refused(RulesError, "classic.chance_one_hidden"):
        ask("chance", Spot(Classic(players=3).deal(1), card=1))
    low = Classic(players=2).from_position("12 | 37 | 43 | 58 ; A: 1 20 ; B: 15 30")
    with refused(PositionError, "lessons.something_asked_before"):
        ask("takes", Spot(low, {0: 1, 1: 15}))
    with refused(PositionError, "lessons.everybodys_choice_must"):
        ask("takes", Spot(low, {0: 20}))
    with refused(PositionError, "classic.some_cards_must"):
        ask("safe", Spot(Classic(players=2, rounds=1).from_position("12 | 37 | 43 | 58 ; A: 13 ; B: 15")))
    with refused(RulesError, "shared.difficulty_must_got"):
        generate(Classic(players=2), "row", seed=1, difficulty=4)
    with refused(RulesError, "lessons.no_exercise", game="classic", kind="'colour'"):
        generate(Classic(players=2), "colour", seed=1)
    with refused(RulesError, "screens.exercise_needs_question"):
        Exercise([])


def test_given_questions_repeat_and_generated_ones_continue() -> None:
    state = Classic(players=2).from_position("12 | 37 | 43 | 58 ; A: 14 20 ; B: 15 30")
    spot = Spot(state, {0: 14, 1: 15}, card=14)
    given = Exercise([ask("row", spot), ask("takes", spot)])
    first = given.question
    given.next()
    assert given.question.kind == "takes"
    given.next()
    assert given.question is first
    made = Exercise(Classic(players=2), kinds=["row"], seed=1)
    before = made.question
    made.next()
    assert made.question != before


def test_tries_answers_and_score_are_kept() -> None:
    exercise = Exercise(Classic(players=4), kinds=["takes"], seed=3)
    right = next(iter(exercise.question.right))
    wrong = next(choice for choice in exercise.question.choices if choice != right)
    assert exercise.answer(wrong, seconds=2.5) is False
    assert exercise.answer(right) is True
    exercise.next()
    assert exercise.answer(next(iter(exercise.question.right))) is True
    assert [(a.question, a.said, a.right) for a in exercise.answers[:2]] == [(0, wrong, False), (0, right, True)]
    assert exercise.answers[0].seconds == 2.5
    assert exercise.score == (1, 2)  # right the first time
    with refused(NotationError, "shared.expected_one", got="'banana'"):
        exercise.answer("banana")


@pytest.mark.parametrize(
    "message", [{}, {"type": "answer", "question": 0, "choice": "x"}, {"type": "fly", "question": 0}]
)
def test_invalid_browser_messages_are_refused_or_ignored(message: dict[str, Any]) -> None:
    exercise = Exercise(Classic(players=4), seed=3)
    said: list[Any] = []
    exercise.send = lambda content, buffers=None: said.append(content)
    exercise._handle_custom_msg({"path": [], "message": message}, [])
    assert exercise.answers == []
    assert all(answer["message"]["type"] == "refused" for answer in said if answer.get("type") != "heard")


@pytest.mark.parametrize("name", ["even_odd", "mountain", "jumping_cow", "number_twister"])
def test_the_hint_about_the_closest_end_is_for_games_in_which_it_is_all(name: str) -> None:
    """A closed row, or one that goes down, makes it false: the hint with fan cards says only where to look."""
    closest = words("en")("hint.row_closest")
    plain = generate(Classic(players=4), "row", seed=1)
    fan = generate(Classic(players=4, fan_cards=(name,)), "row", seed=1)
    assert plain.hint(words("en")) == closest != fan.hint(words("en"))


def test_every_kind_is_offered_where_it_makes_sense() -> None:
    assert kinds_of(Classic(players=2)) == ("row", "takes", "safe", "chance")
    assert kinds_of(Classic(players=3)) == ("row", "takes", "safe")
    assert kinds_of(SYSTEMS["baron"]) == ("row", "match", "safe")
    assert kinds_of(SYSTEMS["buffalo"]) == ("row", "takes")


# In a browser --------------------------------------------------------------------------------------------


@pytest.mark.smoke
@pytest.mark.browser
def test_an_exercise_answered_wrong_and_then_right_by_mouse(stage: Open) -> None:
    exercise = Exercise(Classic(players=4), kinds=["takes"], seed=5, difficulty=2)
    opened = stage(exercise)
    page = opened.page
    right = next(iter(exercise.question.right))
    wrong = next(choice for choice in exercise.question.choices if choice != right)
    page.locator(f"[data-option='{wrong}']").click()
    opened.hear(1)
    met = exercise.question.refute(wrong, words("en"))
    said = page.locator(".nl-feedback").inner_text()
    assert on_board("retry").match(said) and met.said in said
    assert page.locator(".nl-was-right").count() == 0
    page.locator(f"[data-option='{right}']").click()
    opened.hear(2)
    told = page.locator(".nl-feedback").inner_text()
    assert on_board("right").match(told) and len(told) > len(on_board("right").pattern)
    assert page.locator(".nl-was-right").get_attribute("data-option") == right
    assert [(a.said, a.right) for a in exercise.answers] == [(wrong, False), (right, True)]
    assert all(a.seconds >= 0 for a in exercise.answers)
    assert "0/1" in page.locator(".nl-place").inner_text()


@pytest.mark.browser
def test_the_tutor_says_why_a_card_is_safe_or_not(stage: Open) -> None:
    exercise = Exercise(Classic(players=3), kinds=["safe"], seed=5)
    question = exercise.question
    why = assess(question.state.view(question.seat))
    opened = stage(exercise)
    right = min(question.right)
    wrong = next(card for card in question.choices if card not in question.right)
    for count, said in enumerate((wrong, right), 1):
        opened.page.locator(f"[data-option='{said}']").click()
        opened.hear(count)
        assert why[int(said)].text("en") in opened.page.locator(".nl-feedback").inner_text()
    assert "0/1" in opened.page.locator(".nl-place").inner_text()


@pytest.mark.browser
def test_exercises_by_keys_alone(stage: Open) -> None:
    exercise = Exercise(Classic(players=4), kinds=["row"], seed=5, difficulty=1)
    opened = stage(exercise)
    page = opened.page
    page.locator(".nl-option").first.focus()
    for _ in range(int(next(iter(exercise.question.right))) - 1):
        page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    opened.hear(1)
    assert exercise.answers[0].right
    page.keyboard.press("n")
    opened.hear(2)
    assert on_board("exercise_of", number=2).match(page.locator(".nl-prompt").inner_text())
    page.keyboard.press("h")
    opened.hear(3)
    assert exercise.question.hint(words("en")) in page.locator(".nl-feedback").inner_text()
    page.keyboard.press("Enter")
    opened.hear(4)
    assert exercise.answers[-1].hinted and exercise.answers[-1].said == "1"


@pytest.mark.browser
def test_a_row_is_answered_on_the_board_and_the_answer_can_be_shown(stage: Open) -> None:
    exercise = Exercise(Classic(players=4), kinds=["row"], seed=8)
    opened = stage(exercise)
    page = opened.page
    page.locator("[data-do=show]").click()
    opened.hear(1)
    assert page.locator(".nl-was-right").count() == 1
    assert exercise.answers == []
    page.locator("[data-do=next]").click()
    opened.hear(2)
    right = next(iter(exercise.question.right))
    page.locator(f".nl-lane[data-row='{int(right) - 1}']").click(position={"x": 5, "y": 5})
    opened.hear(3)
    assert exercise.answers[0].right and exercise.answers[0].said == right


@pytest.mark.browser
def test_a_hint_does_not_hide_the_answer(stage: Open) -> None:
    exercise = Exercise(Classic(players=4), kinds=["row"], seed=8)
    opened = stage(exercise)
    page = opened.page
    page.locator("[data-do=hint]").click()
    opened.hear(1)
    page.locator("[data-do=show]").click()
    opened.hear(2)
    assert page.locator("[data-do=hint]").is_hidden() and page.locator("[data-do=show]").is_hidden()
    page.keyboard.press("h")
    page.keyboard.press("n")
    opened.hear(3)  # the key for a hint said nothing, the one for the next exercise did
    assert [said["type"] for said in opened.clicks] == ["hint", "show", "next"]


@pytest.mark.browser
def test_numbers_pick_and_enter_goes_on(stage: Open) -> None:
    exercise = Exercise(Classic(players=4), kinds=["row"], seed=8)
    opened = stage(exercise)
    page = opened.page
    right = exercise.question.choices.index(min(exercise.question.right))
    page.locator(".nl-row-option").first.focus()
    page.keyboard.press("ArrowDown")
    assert page.evaluate("document.activeElement.dataset.option") == exercise.question.choices[1]
    page.keyboard.press(str((right + 1) % 4 + 1))
    opened.hear(1)
    assert page.locator(".nl-feedback.nl-wrong").count() == 1
    assert page.evaluate("document.activeElement.dataset.do") == "retry"
    page.keyboard.press("Enter")
    assert page.locator(".nl-feedback.nl-wrong").count() == 0, "Try again puts the table back"
    page.keyboard.press(str(right + 1))
    opened.hear(2)
    assert page.locator(".nl-feedback.nl-right").count() == 1 and exercise.answers[-1].right
    page.keyboard.press("Enter")
    opened.hear(3)
    assert opened.clicks[-1]["type"] == "next"


@pytest.mark.browser
def test_an_answer_shown_says_that_it_is_the_answer(stage: Open) -> None:
    opened = stage(Exercise(Classic(players=4), kinds=["row"], seed=8))
    page = opened.page
    page.locator("[data-do=show]").click()
    opened.hear(1)
    assert on_board("answer_is").match(page.locator(".nl-feedback").inner_text())


@pytest.mark.browser
@pytest.mark.parametrize("name", SYSTEMS)
def test_every_system_makes_exercises_for_the_page(stage: Open, name: str) -> None:
    exercise = Exercise(SYSTEMS[name], seed=2, lang="pl")
    opened = stage(exercise)
    for number in range(2):
        if number:
            opened.page.locator("[data-do=next]").click()
            opened.hear(2 * number)
        right = next(iter(exercise.question.right))
        opened.page.locator(f"[data-option='{right}']").click()
        opened.hear(2 * number + 1)
        assert on_board("right", "pl").match(opened.page.locator(".nl-feedback").inner_text())
    assert exercise.score == (2, 2)
