"""Ask a step again with other cards, and make practice questions: from a seed, so that every learner gets their own.

A step is asked again by renumbering its cards in the same order. The engine decides whether the idea is the same: the
same rule must settle the question, and there must still be right and wrong answers.

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
from .shipped import order

#: How many renumberings to try. Where a card's heads or colours count, few of them keep the idea: after `ALL_OTHERS`
#: tries half of the cards keep their numbers.
TRIES: Final = 4000
ALL_OTHERS: Final = 100
#: This many right answers in a row end a lesson's practice.
IN_A_ROW: Final = 3
#: A special card has many uses; this many are offered, the right one among them.
MOST_OPTIONS: Final = 6
_NUMBER = re.compile(r"(?<![@\w])\d+")


def again(step: LessonStep, seed: int, lesson: str = "") -> Question:
    """A step's question with other cards, worded by its kind: the lesson's own words may name its cards."""
    asked = question_of(step, lesson)
    idea = _idea(asked)
    for other in _others(step, seed):
        try:
            question = question_of(other, lesson)
        except NimmtError:
            continue
        if _idea(question) == idea and question.state != asked.state:
            return replace(_fewer(question), asks=question.asks[1:], hints=question.hints[1:])
    raise RulesError("lessons.step_no_other", step=step.name, seed=seed)


def _idea(question: Question) -> tuple[object, ...]:
    """The features that a variation must keep: the rule, and the types of the right choices."""
    kinds = {type(option.choice) for option in question.options if option.text in question.right}
    return (question.kind, question.rule, kinds, len(question.right))


def _fewer(question: Question) -> Question:
    """Offer a few options only: the right one and its neighbours."""
    if len(question.options) <= MOST_OPTIONS or any(option.choice is None for option in question.options):
        return question
    at = next(at for at, option in enumerate(question.options) if option.text in question.right)
    first = max(0, min(at - MOST_OPTIONS // 2, len(question.options) - MOST_OPTIONS))
    # The first option, to do nothing, is always offered.
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
        # Offer every option first; if several are right then, only the step's.
        yield replace(other, options=())
        if step.options:
            yield other


def _cards(position: Position) -> set[Card]:
    """Every card on the table, in hands and piles, and in those of the chapter's own sections that list cards."""
    cards = {card for cards in (*position.rows, *position.hands.values(), *position.piles.values()) for card in cards}
    cards |= {*position.stock}
    for text in position.sections.values():
        if _has_cards(text, position):
            cards |= {int(number) for number in _NUMBER.findall(text)}
    return cards - {EMPTY}


def _has_cards(text: str, position: Position) -> bool:
    """Whether a section lists cards, not rows or heaps: then some number is larger than any row's."""
    return any(int(number) > max(len(position.rows), 4) for number in _NUMBER.findall(text))


def _some_others(mine: list[Card], deck: list[Card], rng: Rng) -> tuple[dict[Card, Card], Rng]:
    """Keep half of the cards; renumber the others between the same kept neighbours."""
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
    def cards(old: tuple[Card, ...]) -> tuple[Card, ...]:
        return tuple(names.get(card, card) for card in old)

    def text(old: str) -> str:
        return _NUMBER.sub(lambda match: str(names.get(int(match[0]), int(match[0]))), old)

    other = replace(
        position,
        rows=tuple(map(cards, position.rows)),
        hands={seat: cards(hand) for seat, hand in position.hands.items()},
        piles={seat: cards(pile) for seat, pile in position.piles.items()},
        stock=cards(position.stock),
        sections={name: text(old) if _has_cards(old, position) else old for name, old in position.sections.items()},
    )
    return replace(
        step,
        position=str(other),
        plays=tuple({seat: text(play) for seat, play in plays.items()} for plays in step.plays),
        reveal=None if step.reveal is None else {seat: text(play) for seat, play in step.reveal.items()},
        card=names.get(step.card, step.card),
        options=tuple(map(text, step.options)),
    )


def practice(lesson: Lesson, seed: int, number: int) -> Question:
    """A practice question for the end of a lesson, of one of the lesson's kinds: from a random game if exercises of
    that kind exist, otherwise one of the lesson's own with other cards. `number` counts the questions.

    >>> from nimmt_lab.lessons.rules import rules_lesson
    >>> one, two = (practice(rules_lesson("first_turn"), 5, number) for number in (0, 1))
    >>> one.kind, one.state != two.state
    ('best', True)
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


def skip_question(lesson: Lesson, seed: int, number: int, count: int) -> Question:
    """Question `number` (from 0) of a test with `count` questions: the lesson's own, from its first to its last, with
    other cards.

    >>> from nimmt_lab.lessons.rules import rules_lesson
    >>> [skip_question(rules_lesson("traps"), 1, number, 3).kind for number in range(3)]
    ['row', 'takes', 'takes']
    """
    steps = lesson.questions
    return again(steps[(len(steps) - 1) * number // max(1, count - 1)], count * seed + number, lesson.name)


def _takes(lesson: Lesson) -> bool:
    """Whether the lesson has taught both ways of taking a row; before that, practice avoids them. The first lesson
    shows full rows only."""
    if lesson.name == order()["rules"][0]:
        return False
    proofs = [step for asked in lesson.questions for step in question_of(asked).proof]
    return any(isinstance(event, RowTaken) for step in proofs for event in step.events)
