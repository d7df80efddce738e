"""Advanced mode: known cards, open draft, and positions in the middle of either phase."""

from __future__ import annotations

from typing import Any

import pytest

from nimmt_lab import Advanced, Record
from nimmt_lab.engine.decisions import ChooseCard, PickCard
from nimmt_lab.engine.errors import PositionError, RulesError, UnknownOption
from nimmt_lab.engine.events import CardsRevealed, RoundStarted
from nimmt_lab.engine.sentences import Phrase
from nimmt_lab.games.advanced.rules import AdvancedRule, CardPicked, DraftStarted
from nimmt_lab.games.classic.fan_card import FanCardLaid
from tests.support import FAN_CARDS, play, random_record, refused


@pytest.mark.parametrize("players", range(2, 7))
def test_known_cards(players: int) -> None:
    game = Advanced(players=players)
    assert list(game.deck) == list(range(1, 10 * players + 5))
    assert game.heads_in(tuple(game.deck)) == {2: 38, 3: 55, 4: 72, 5: 85, 6: 103}[players]


@pytest.mark.parametrize("fan_card", FAN_CARDS)
def test_r_a3_fan_cards_may_be_combined_with_advanced_mode(fan_card: str) -> None:
    """The draft is unchanged; the fan card is laid after it, before anybody plays."""
    plain, fan = (random_record(Advanced(players=2, rounds=1, fan_cards=cards), seed=4) for cards in ((), (fan_card,)))
    assert fan.outcome is not None
    kinds = [type(event) for event in fan.events]
    assert kinds.count(FanCardLaid) == 1
    picked = [at for at, kind in enumerate(kinds) if kind is CardPicked]
    assert len(picked) == 20 and max(picked) < kinds.index(FanCardLaid) < kinds.index(CardsRevealed)
    drafted = [[event for event in record.events if isinstance(event, CardPicked)] for record in (plain, fan)]
    assert drafted[0] == drafted[1]


def test_open_draft_goes_round_clockwise() -> None:
    state = Advanced(players=3).deal(seed=0)
    order = []
    while isinstance(next(iter(state.pending.values())), PickCard):
        [(seat, decision)] = state.pending.items()
        order.append(seat)
        state = play(state, {seat: decision.options[-1]})
    assert order == [0, 1, 2] * 10
    assert [len(hand) for hand in state.hands] == [10, 10, 10]
    assert state.rows == ((1,), (2,), (3,), (4,)), "R-A2: the four left start the rows, lowest on top"
    assert state.stock == ()
    assert all(isinstance(decision, ChooseCard) for decision in state.pending.values())


def test_first_picker_moves_on_each_round_and_can_be_set() -> None:
    """R-A1."""
    for first in range(3):
        record = random_record(Advanced(players=3, rounds=4, first=first), seed=9)
        starts = [event.first for event in record.events if isinstance(event, DraftStarted)]
        assert starts == [(first + number) % 3 for number in range(4)]
        picks = [event.seat for event in record.events if isinstance(event, CardPicked)]
        assert picks[:3] == [(first + number) % 3 for number in range(3)]
        assert picks[30:33] == [(first + 1 + number) % 3 for number in range(3)]


def test_draft_events() -> None:
    game = Advanced(players=2)
    state, events = game.opening(seed=0)
    assert events == (DraftStarted(AdvancedRule.DRAFT, 0, tuple(range(1, 25)), 0),)
    _, events = state.choose({0: 7})
    assert events == (CardPicked(AdvancedRule.DRAFT, 0, 7),)
    record = random_record(game, seed=1, choices=20)
    assert isinstance(record.events[-1], RoundStarted)


def test_a_card_cannot_be_picked_twice() -> None:
    state = play(Advanced(players=2).deal(seed=0), {0: 7})
    left = ", ".join(str(card) for card in range(1, 25) if card != 7)
    with refused(UnknownOption, "engine.cannot_choose", who="B", choice="7", known=left):
        state.choose({1: 7})


def test_hands_are_common_knowledge() -> None:
    state = random_record(Advanced(players=3), seed=4, choices=33).final
    for seat in range(3):
        view = state.view(seat)
        assert view.hands == state.hands
        assert view.unseen == ()
    drafting = random_record(Advanced(players=3), seed=4, choices=12).final
    assert drafting.view(1).stock == drafting.stock and drafting.view(1).unseen == ()


def test_position_in_the_middle_of_a_draft() -> None:
    state = Advanced(players=2).from_position(" ; A: 24 20 ; B: 23")
    assert list(state.pending) == [1]
    assert state.stock == tuple(card for card in range(1, 25) if card not in (20, 23, 24))
    assert Advanced(players=2).from_position(str(state.position)) == state
    later = Advanced(players=2).from_position(" ; B: 24 ; round: 2")
    assert list(later.pending) == [0], "B picked first in round 2"


@pytest.mark.parametrize(
    ("position", "reason"),
    [
        (" ; A: 24 20 ; B: ", Phrase("advanced.picks_go_round", start="A", hands="2 0")),
        (" ; B: 24", Phrase("advanced.picks_go_round", start="A", hands="0 1")),
        (" ; A: 24 ; stock: 1 2 3", Phrase("advanced.stock_draft_every")),
        ("1 | 2 | 3 | 4 ; A: 5 ; B: 6 ; stock: 7", Phrase("advanced.there_no_stock")),
        (
            "1 | 2 | 3 | 4 ; A: 5 ; B: 25",
            Phrase("engine.not_in_deck", card=25, place=Phrase("shared.place_hand", who="B")),
        ),
        (" ; A: 24 ; place: B3", Phrase("advanced.cards_place_piles")),
    ],
    ids=str,
)
def test_impossible_drafts(position: str, reason: Phrase) -> None:
    with refused(PositionError, reason):
        Advanced(players=2).from_position(position)


@pytest.mark.parametrize(
    "options", [{"players": 7}, {"players": 1}, {"players": 3, "first": 3}, {"players": 2, "deck_size": 30}]
)
def test_invalid_rules(options: dict[str, Any]) -> None:
    with pytest.raises(RulesError):
        Advanced(**options)


def test_small_decks_for_study() -> None:
    game = Advanced(players=2, hand_size=3)
    assert list(game.deck) == list(range(1, 11))
    record = random_record(game, seed=2, choices=6)
    assert [len(hand) for hand in record.final.hands] == [3, 3]
    assert [label for label, _ in record.lines] == ["d1", "d2", "d3"]
    assert Record.from_text(record.to_text()) == record
