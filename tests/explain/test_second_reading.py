"""Proofs place cards exactly as the engine does, with every fan card."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

import pytest

from nimmt_lab import Classic
from nimmt_lab.engine.errors import Unsupported
from nimmt_lab.engine.events import RowTaken
from nimmt_lab.engine.play import Play
from nimmt_lab.engine.rng import Rng
from nimmt_lab.engine.table import LiveTable
from nimmt_lab.explain.assess import HINTS
from nimmt_lab.explain.sketch import Placed, Sketch
from nimmt_lab.games import NumberTwister
from nimmt_lab.games.classic.rules import ClassicRule
from nimmt_lab.games.classic.tell import INFLUENCES, ClassicReading, Influence
from nimmt_lab.games.number_twister.rules import twisted
from tests.support import refused

from .oracle import random_position
from .test_assess import KINDS, MIXES


def seen(reading: ClassicReading, sketch: Sketch) -> tuple[object, ...]:
    return sketch.ends, sketch.counts, list(reading.markers(sketch))


def read(table: LiveTable) -> ClassicReading:
    """The table as proofs see it."""
    reading = HINTS.of(table.game)(table.freeze().view(0))
    assert isinstance(reading, ClassicReading)
    return reading


def shown(table: LiveTable) -> tuple[object, ...]:
    reading = read(table)
    return seen(reading, reading.sketch)


def by_the_engine(game: Classic, table: LiveTable, play: Play) -> list[tuple[LiveTable, bool]]:
    """Every table that may result from placing the card, and whether its player takes a row."""
    row = game.row_for(table, play.value)
    full = row is not None and game.is_full(table, row)
    ways = []
    for taken in [row] if row is not None else list(game.rows_to_take(table)):
        after = LiveTable.of(table.freeze())
        if row is None or full:
            game.take_and_start(after, play, taken, ClassicRule.FULL_ROW if full else ClassicRule.LOW_CARD)
        else:
            after.put(play, row, ClassicRule.SMALLEST_DIFFERENCE)
            game.after_placing(after, play, row, took=False)
        ways.append((after, any(isinstance(event, RowTaken) for event in after.events)))
    return ways


@pytest.mark.parametrize(
    "fan_cards", [(), *((kind,) for kind in KINDS), *MIXES], ids=lambda kinds: "+".join(kinds) or "plain"
)
@pytest.mark.parametrize(("rows", "limit", "number"), [(4, 5, 60), (2, 3, 10), (8, 6, 10), (5, 2, 10)])
def test_every_placement_is_read_as_the_engine_plays_it(
    fan_cards: tuple[str, ...], rows: int, limit: int, number: int
) -> None:
    game = Classic(players=3, fan_cards=fan_cards, combine_fan_cards=True, rows=rows, row_limit=limit)
    rng = Rng.from_seed(len(fan_cards))
    for _ in range(number):
        state, rng = random_position(game, 4, rng)
        table = LiveTable.of(state)
        reading = read(table)
        sketch = reading.sketch
        for at, card in enumerate(card for hand in state.hands for card in hand):
            # Sometimes a card counts as another number, where a fan card allows it.
            other = "number_twister" in fan_cards and at % 2 == 0 and 10 <= card <= 99
            play = Play(twisted(card) if other else card, not other, 0, card)
            read_ways: list[Placed] = reading.place(sketch, play.value, card)
            fate = reading.fate(sketch, play.value)
            real_ways = by_the_engine(game, table, play)
            assert [seen(reading, way.sketch) for way in read_ways] == [shown(after) for after, _ in real_ways]
            assert [way.took for way in read_ways] == [took for _, took in real_ways]
            assert fate[0] == game.row_for(table, play.value)
            if not other:
                assert fate[1] == real_ways[0][1] and fate[2] is read_ways[0].knock_on
            table, sketch = real_ways[0][0], read_ways[0].sketch
            table.events.clear()


def test_the_cow_leaves_the_highest_card_even_where_it_is_not_the_last() -> None:
    """With a twister rows need not ascend: 60 is before 24 in row 2, and stays when the cow makes six."""
    game = Classic(players=2, fan_cards=("jumping_cow", "number_twister"), combine_fan_cards=True)
    state = game.from_position("3 | 20 21 22 60 24 | 101 | 90 ; A: 5 77 ; B: 99 98 ; jumping_cow: 1")
    reading = HINTS.of(game)(state.view(0))
    assert reading.place(reading.sketch, 5, 5)[0].sketch.ends[1] == 60
    assert state.choose({0: 5, 1: 99})[0].rows[1] == (60,)


@dataclass(frozen=True)
class Doubler(NumberTwister):
    """Another fan card that lets cards count as other numbers."""

    name: ClassVar[str] = "doubler"


@pytest.fixture
def doubler() -> Iterator[None]:
    INFLUENCES.provide(Doubler, Influence())
    yield
    del INFLUENCES._provided[Doubler]


@pytest.mark.usefixtures("doubler")
def test_two_things_that_let_cards_be_other_numbers_are_refused() -> None:
    game = Classic(players=2, fan_cards=(NumberTwister(), Doubler()), combine_fan_cards=True)
    with refused(Unsupported, "explain.hints_all_lies"):
        HINTS.of(game)(game.deal(seed=1).view(0))


@pytest.mark.usefixtures("doubler")
def test_an_influence_that_says_nothing_about_forgetting_forgets_nothing() -> None:
    for fan_cards, forgets in (((), True), ((NumberTwister(),), True), ((Doubler(),), False)):
        game = Classic(players=2, fan_cards=fan_cards)
        assert HINTS.of(game)(game.deal(seed=1).view(0)).forgets is forgets
