"""The same idea with other cards, and fresh practice: made from a seed, so that every learner has their own.

A step of a lesson is asked again by giving its cards other numbers in the same order. Whether it is still the same idea
is for the engine to say: the same rule must settle it, and an answer must be right and another one wrong.

>>> from nimmt_lab.lessons.rules import question_of, rules_lesson
>>> step = rules_lesson("traps").steps[0]
>>> other = again(step, seed=3)
>>> other.kind, other.rule is question_of(step).rule, other.card == step.card
('row', True, False)
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import pairwise
from typing import Final

from nimmt_lab.engine.cards import EMPTY, Card
from nimmt_lab.engine.errors import NimmtError, RulesError
from nimmt_lab.engine.events import RowTaken
from nimmt_lab.engine.notation import Position
from nimmt_lab.engine.rng import Rng

from .exercises import generate, kinds_of
from .question import Question
from .rules import Lesson, LessonStep, question_of

#: Sets of other cards that are tried. Where what is on a card counts (colours, say) few sets of other cards keep the
#: idea: after so many tries some of the cards stay as they are.
TRIES: Final = 4000
ALL_OTHERS: Final = 100
#: So many right answers in a row end the practice of a lesson.
IN_A_ROW: Final = 3
#: A special card's choices are many: so many of them are offered, the right one among them.
MOST_OPTIONS: Final = 6
_NUMBER = re.compile(r"(?<![@\w])\d+")


def again(step: LessonStep, seed: int, lesson: str = "") -> Question:
    """The question of a step with other cards. Its words are those of its kind: the lesson's speak of other cards."""
    asked = question_of(step, lesson)
    idea = _idea(asked)
    for other in _others(step, seed):
        try:
            question = question_of(other, lesson)
        except NimmtError:
            continue
        if _idea(question) == idea and question.state != asked.state:
            return replace(_fewer(question), asks=(), hints=question.hints[1:])
    raise RulesError("lessons.step_no_other", step=step.name, seed=seed)


def _idea(question: Question) -> tuple[object, ...]:
    """What must stay as it is: the rule, and (where an answer is a choice) what kind of choice is right."""
    kinds = {type(option.choice) for option in question.options if option.text in question.right}
    return (question.kind, question.rule, kinds, len(question.right))


def _fewer(question: Question) -> Question:
    """Not more answers than one can look at: the right one, and those next to it."""
    if len(question.options) <= MOST_OPTIONS or any(option.choice is None for option in question.options):
        return question
    at = next(at for at, option in enumerate(question.options) if option.text in question.right)
    first = max(0, min(at - MOST_OPTIONS // 2, len(question.options) - MOST_OPTIONS))
    # To do nothing comes first, and is always offered.
    options = (question.options[0], *question.options[max(1, first) : first + MOST_OPTIONS])
    return replace(question, options=options)


def _others(step: LessonStep, seed: int) -> Iterator[LessonStep]:
    position = Position.parse(step.position)
    mine = sorted(_cards(position))
    deck = sorted(card for card in step.game.deck)
    rng = Rng.from_seed(seed, stream=12)
    for attempt in range(TRIES):
        if attempt < ALL_OTHERS:
            drawn, rng = rng.shuffled(deck, take=len(mine))
            names = dict(zip(mine, sorted(drawn[: len(mine)]), strict=True))
        else:
            names, rng = _some_others(mine, deck, rng)
        other = _with(step, position, names)
        # All answers there are; where then several are right, those of the step.
        yield replace(other, options=())
        if step.options:
            yield other


def _cards(position: Position) -> set[Card]:
    """Every card on the table, in a hand or a pile, and in a chapter's own section that has cards."""
    found = {card for cards in (*position.rows, *position.hands.values(), *position.piles.values()) for card in cards}
    found |= {*position.stock}
    for text in position.sections.values():
        if _has_cards(text, position):
            found |= {int(number) for number in _NUMBER.findall(text)}
    return found - {EMPTY}


def _has_cards(text: str, position: Position) -> bool:
    """A section names rows (and heaps, which are fewer) or cards: then some number is larger than any row's."""
    return any(int(number) > max(len(position.rows), 4) for number in _NUMBER.findall(text))


def _some_others(mine: list[Card], deck: list[Card], rng: Rng) -> tuple[dict[Card, Card], Rng]:
    """Half of the cards stay as they are; the others become cards that lie between the same ones that stay."""
    shuffled, rng = rng.shuffled(mine)
    stay = {*shuffled[: len(mine) // 2]}
    names = {card: card for card in stay}
    ends = [deck[0] - 1, *sorted(stay), deck[-1] + 1]
    for low, high in pairwise(ends):
        run = [card for card in mine if low < card < high]
        drawn, rng = rng.shuffled([card for card in deck if low < card < high])
        names |= zip(run, sorted(drawn[: len(run)]), strict=True)
    return names, rng


def _with(step: LessonStep, position: Position, names: Mapping[Card, Card]) -> LessonStep:
    def cards(found: tuple[Card, ...]) -> tuple[Card, ...]:
        return tuple(names.get(card, card) for card in found)

    def text(found: str) -> str:
        return _NUMBER.sub(lambda match: str(names.get(int(match[0]), int(match[0]))), found)

    other = replace(
        position,
        rows=tuple(map(cards, position.rows)),
        hands={seat: cards(hand) for seat, hand in position.hands.items()},
        piles={seat: cards(pile) for seat, pile in position.piles.items()},
        stock=cards(position.stock),
        sections={
            name: text(found) if _has_cards(found, position) else found for name, found in position.sections.items()
        },
    )
    return replace(
        step,
        position=str(other),
        plays=tuple({seat: text(said) for seat, said in play.items()} for play in step.plays),
        reveal=None if step.reveal is None else {seat: text(said) for seat, said in step.reveal.items()},
        card=names.get(step.card, step.card),
        options=tuple(map(text, step.options)),
    )


def practice(lesson: Lesson, seed: int, number: int) -> Question:
    """A question for the end of a lesson: of one of its kinds, from a random game where such are made, else one of its
    own with other cards. `number` counts them.

    >>> from nimmt_lab.lessons.rules import rules_lesson
    >>> one, two = (practice(rules_lesson("first_turn"), 5, number) for number in (0, 1))
    >>> one.kind, one.state != two.state
    ('row', True)
    """
    steps = lesson.questions
    rng = Rng.from_seed(seed, stream=13)
    for _ in range(number + 1):
        at, rng = rng.below(len(steps))
        fresh, rng = rng.below(1 << 30)
    step = steps[at]
    if step.ask in kinds_of(step.game):
        question = generate(step.game, step.ask, seed=fresh, difficulty=2 if _takes(lesson) else 1)
        return replace(question, hints=(f"{lesson.name}.{step.ask}_hint",))
    return again(step, fresh, lesson.name)


def _takes(lesson: Lesson) -> bool:
    """Whether rows are taken in the lesson: before that is taught, practice is without."""
    proofs = [step for asked in lesson.questions for step in question_of(asked).proof]
    return any(isinstance(event, RowTaken) for step in proofs for event in step.events)
