"""The texts of the rules lessons: short sentences, the goal first, and statements that the engine confirms."""

from __future__ import annotations

import re
from collections.abc import Iterator
from statistics import median

import pytest

from nimmt_lab.engine.events import CardPlaced, RowTaken
from nimmt_lab.games.classic.rules import ClassicRule
from nimmt_lab.lessons.again import skip_question
from nimmt_lab.lessons.question import Question
from nimmt_lab.lessons.rules import Lesson, question_of, rules_lesson, rules_lessons
from nimmt_lab.lessons.shipped import order
from nimmt_lab.lessons.words import LANGUAGES, words
from nimmt_lab.screens.lesson_words import names_traps, simple

#: Words in a sentence, at most, and half of all sentences.
MOST, HALF = 16, 10
#: Sentences in a step, at most: more than this is not one mechanic.
SENTENCES = 5


def sentences(text: str) -> list[str]:
    """A sentence begins with a capital letter or a number; `Stop!` and `7 takes!` are names."""
    parts: list[str] = []
    for part in re.split(r"(?<=[.!?])\s+|(?<=[.!?][)”])\s+", text.strip()):
        if parts and part.lstrip("„“(")[0].islower():
            parts[-1] += f" {part}"
        else:
            parts.append(part)
    return parts


def count(sentence: str) -> int:
    return sum(bool(re.search(r"\w", word)) for word in sentence.split())


def texts(lesson: Lesson, lang: str = "en") -> Iterator[tuple[str, str]]:
    """Everything that a learner of this lesson reads from its file."""
    yield from ((key, text) for key, text in lesson.texts[lang].items() if not key.endswith(".title"))


def asked(lesson: str, name: str) -> Question:
    step = next(step for step in rules_lesson(lesson).steps if step.name == name)
    return question_of(step, lesson)


def test_sentences_are_counted_as_people_do() -> None:
    assert sentences("Watch B. Ouch! You have Stop! on row 2. (Cards are samples.)") == [
        "Watch B.", "Ouch!", "You have Stop! on row 2.", "(Cards are samples.)",
    ]  # fmt: skip
    assert count("(~ means twisted.)") == 2 and count("10·n + 4.") == 2


def test_english_sentences_are_short() -> None:
    lengths = {
        (key, one): count(one) for lesson in rules_lessons() for key, text in texts(lesson) for one in sentences(text)
    }
    assert {where: length for where, length in lengths.items() if length > MOST} == {}
    assert median(lengths.values()) <= HALF and len(lengths) > 400


def test_each_lesson_of_its_own_is_as_short() -> None:
    for lesson in rules_lessons():
        assert median(count(one) for _, text in texts(lesson) for one in sentences(text)) <= HALF, lesson.name


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_step_says_little_and_every_lesson_has_a_closing_line(lang: str) -> None:
    for lesson in rules_lessons():
        for key, text in texts(lesson, lang):
            assert len(sentences(text)) <= SENTENCES, key
        assert lesson.texts[lang][f"{lesson.name}.summary"]


def test_the_goal_comes_first() -> None:
    first = rules_lesson(order()["rules"][0])
    goal = words("en")(f"{first.name}.{first.steps[0].name}")
    assert "penalty" in goal and "fewest win" in goal
    takes = [event for event in first.steps[0].record.events if isinstance(event, RowTaken)]
    assert [(take.seat, take.heads) for take in takes] == [(1, 17)], "what happens to B"
    assert first.steps[0].record.events[-1].card == takes[0].card, "and nothing after it"  # type: ignore[attr-defined]


def test_the_first_lesson_ends_with_a_turn_that_pays_off() -> None:
    """Whatever else the learner plays costs heads; the right card makes B take the row."""
    question = asked("first_turn", "check2")
    assert question is not None and rules_lesson("first_turn").steps[-1].name == "check2"
    (right,) = question.right
    takes = {
        said: [(event.seat, event.heads) for step in line for event in step.events if isinstance(event, RowTaken)]
        for said, line in question.lines.items()
    }
    assert takes.pop(right) == [(1, 7)]
    assert takes and all(seat == 0 for taken in takes.values() for seat, _ in taken)
    for lang in LANGUAGES:
        assert re.findall(r"\d+", question.why(right, words(lang))) == ["45", "7"], lang


def test_the_first_lesson_has_no_card_that_fits_nowhere() -> None:
    for step in rules_lesson("first_turn").questions:
        question = question_of(step)
        for line in (question.proof, *question.lines.values()):
            takes = [event for played in line for event in played.events if isinstance(event, RowTaken)]
            assert all(take.rule is ClassicRule.FULL_ROW for take in takes)


def test_before_the_closest_row_is_taught_only_one_row_is_lower() -> None:
    question = asked("first_turn", "row")
    assert sum(row[-1] < question.card for row in question.state.rows) == 1
    closest = asked("first_turn", "closest")
    lower = [row[-1] for row in closest.state.rows if row[-1] < 55]
    assert lower == [18, 47, 52]
    assert all(re.findall(r"\d+", closest.prompt(words(lang))) == ["18", "47", "52", "55"] for lang in LANGUAGES)


def test_only_one_row_may_be_meant() -> None:
    """A question about who takes is never about a player who may choose between rows with other heads."""
    for lesson in rules_lessons():
        for step in lesson.questions:
            if step.ask != "takes":
                continue
            events = [event for played in question_of(step).proof for event in played.events]
            first = next((event for event in events if isinstance(event, RowTaken)), None)
            assert first is None or first.rule is not ClassicRule.LOW_CARD, f"{lesson.name}.{step.name}"


def test_figures_in_the_first_lessons() -> None:
    """Counts that the texts name: places, cards in a row, cards that come."""
    say = words("en")
    for lesson, name, row, cards in (
        ("first_turn", "full", 1, 5), ("first_turn", "check2", 1, 4), ("traps", "closest_row", 3, 5),
        ("traps", "filled_row", 1, 3), ("traps", "diverted", 1, 5), ("scoring", "limit", 2, 5),
    ):  # fmt: skip
        state = asked(lesson, name).state
        assert len(state.rows[row]) == cards and f"row {row + 1}" in say(f"{lesson}.{name}").lower(), name
    coming = [event.row for step in asked("traps", "filled_row").proof for event in step.events
              if isinstance(event, CardPlaced)]  # fmt: skip
    assert coming == [1, 1, 1], "three cards for two places"
    for lesson, name, row in (
        ("scoring", "limit", 2),
        ("experts_classic", "edition", 2),
        ("experts_classic", "check1", 2),
    ):
        state = asked(lesson, name).state
        assert state.game.heads_in(state.rows[row]) == 10, name


def test_ten_away_from_both() -> None:
    rows = asked("mountain", "tie").state.rows
    assert (50 - rows[1][-1], rows[3][-1] - 50) == (10, 10)


def test_rare_cases_come_last() -> None:
    experts = order()["experts"]
    assert [lesson.name for lesson in rules_lessons()][-len(experts) :] == list(experts)
    rulings = {ruling for name in experts for step in rules_lesson(name).steps for ruling in step.rulings}
    assert rulings >= {"R-C3", "R-F3", "R-F5", "R-O4", "R-O5", "R-P3", "R-P8", "R-P10", "R-P15", "R-P16", "R-B17"}


def test_no_answer_is_always_the_same() -> None:
    """Nobody learns the place of the right answer."""
    for lesson in rules_lessons()[:3]:
        for kind in ("row", "takes"):
            right = [min(question_of(step).right) for step in lesson.questions if step.ask == kind]
            assert len(right) < 2 or len({*right}) > 1, (lesson.name, kind)


@pytest.mark.parametrize("name", [lesson.name for lesson in rules_lessons()])
def test_a_test_asks_three_things_with_other_cards(name: str) -> None:
    lesson = rules_lesson(name)
    for seed in (1, 7):
        made = [skip_question(lesson, seed, number, 3) for number in range(3)]
        assert all(len(question.right) == 1 for question in made)
        assert len({repr(question.state) for question in made}) == len({step.name for step in lesson.questions[:3]})
        own = {repr(question_of(step).state) for step in lesson.questions}
        assert not own & {repr(question.state) for question in made}


def test_traps_have_no_name_before_their_lesson() -> None:
    lessons = [lesson.name for lesson in rules_lessons()]
    assert not names_traps("first_turn") and not names_traps("taking_rows")
    assert all(names_traps(name) for name in lessons[lessons.index("traps") :])
    for lang in LANGUAGES:
        say = words(lang)
        told = simple([{"told": f"A. {say('why.met', trap=say('trap.filled_row'))}"}], say, traps=False)
        assert told == [{"told": "A."}], lang


def test_what_is_best_says_its_price() -> None:
    say = words("en")
    costs = asked("taking_rows", "cheapest")
    assert costs.why("@2", say) == say("wrong.best_costs", heads=say.count("heads", 3))
    assert asked("first_turn", "full").why("63", say) == say("wrong.best_free")
    assert asked("board_cards", "skip").why("!57:skip", say).startswith("This turn brings ")
    for lesson in rules_lessons():
        for step in lesson.questions:
            if step.ask == "best":
                assert question_of(step, lesson.name).why(min(question_of(step).right), say), step.name
