"""The sketches that proofs are made on, held against the engine: every placement, with every fan card."""

from __future__ import annotations

import pytest

from nimmt_lab import Classic
from nimmt_lab.engine.errors import Unsupported
from nimmt_lab.engine.events import RowTaken
from nimmt_lab.engine.play import Play
from nimmt_lab.engine.rng import Rng
from nimmt_lab.engine.table import LiveTable
from nimmt_lab.explain.assess import HINTS
from nimmt_lab.explain.sketch import Influence, Placed, Reading, Sketch
from nimmt_lab.games.classic.rules import ClassicRule
from nimmt_lab.games.number_twister.rules import twisted

from .oracle import random_position
from .test_assess import KINDS, MIXES


def seen(sketch: Sketch) -> tuple[object, ...]:
    return sketch.ends, sketch.counts, sketch.marks


def read(table: LiveTable) -> Reading:
    """The table as the second reading sees it."""
    return HINTS.of(table.game)(table.freeze().view(0))


def by_the_engine(game: Classic, table: LiveTable, play: Play) -> list[tuple[LiveTable, bool]]:
    """Every table that placing the card may lead to, and whether its player takes."""
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
def test_every_placement_is_read_as_the_engine_plays_it(fan_cards: tuple[str, ...]) -> None:
    game = Classic(players=3, fan_cards=fan_cards, combine_fan_cards=True)
    rng = Rng.from_seed(len(fan_cards))
    for _ in range(60):
        state, rng = random_position(game, 4, rng)
        table = LiveTable.of(state)
        sketch = read(table).sketch
        for number, card in enumerate(card for hand in state.hands for card in hand):
            # Now and then a card counts as another number, where a fan card lets it.
            other = "number_twister" in fan_cards and number % 2 == 0 and 10 <= card <= 99
            play = Play(twisted(card) if other else card, not other, 0, card)
            reading = read(table)
            read_ways: list[Placed] = reading.place(sketch, play.value, card)
            fate = reading.fate(sketch, play.value)
            real_ways = by_the_engine(game, table, play)
            assert [seen(way.sketch) for way in read_ways] == [seen(read(after).sketch) for after, _ in real_ways]
            assert [way.took for way in read_ways] == [took for _, took in real_ways]
            assert fate[0] == game.row_for(table, play.value)
            if not other:
                assert fate[1] == real_ways[0][1] and fate[2] is read_ways[0].knock_on
            table, sketch = real_ways[0][0], read_ways[0].sketch
            table.events.clear()


def test_the_cow_leaves_the_highest_card_even_where_it_is_not_the_last() -> None:
    """With a twister rows need not ascend: 60 lies before 24 in row 2, and stays when the cow makes six."""
    game = Classic(players=2, fan_cards=("jumping_cow", "number_twister"), combine_fan_cards=True)
    state = game.from_position("3 | 20 21 22 60 24 | 101 | 90 ; A: 5 77 ; B: 99 98 ; jumping_cow: 1")
    reading = HINTS.of(game)(state.view(0))
    assert reading.place(reading.sketch, 5, 5)[0].sketch.ends[1] == 60
    assert state.choose({0: 5, 1: 99})[0].rows[1] == (60,)


def test_two_things_that_let_cards_be_other_numbers_are_refused() -> None:
    with pytest.raises(Unsupported, match="only one thing"):
        Reading([(1,), (2,)], 5, [Influence(users=(1,)), Influence(users=(0,))], True)


def test_an_influence_that_says_nothing_about_forgetting_forgets_nothing() -> None:
    assert Reading([(1,), (2,)], 5, [], True).forgets
    assert not Reading([(1,), (2,)], 5, [Influence((0,))], True).forgets
