"""Hints for Beat the Buffalo: certain claims hold for all cards of the others and the buffalo, and predicted effects of
special cards are the engine's."""

from __future__ import annotations

from itertools import combinations

import pytest

from nimmt_lab import Buffalo, GameState
from nimmt_lab.boards.tell import foretold
from nimmt_lab.boards.words import board_words
from nimmt_lab.engine.cards import TEAM
from nimmt_lab.engine.decisions import ChooseRow
from nimmt_lab.engine.events import RowTaken
from nimmt_lab.engine.guess import guess
from nimmt_lab.engine.habits import habitual_choices, random_choices
from nimmt_lab.engine.rng import Rng
from nimmt_lab.engine.table import LiveTable
from nimmt_lab.explain import LANGUAGES, Verdict, assess, words
from nimmt_lab.games.buffalo.parts import BuffaloTable
from nimmt_lab.games.buffalo.uses import Pass, Swap, UseSpecials
from nimmt_lab.lessons import generate


def position(game: Buffalo, seed: int, turns: int) -> GameState:
    """Random play without special cards up to the choice of cards."""
    state, rng = game.deal(seed), Rng.from_seed(seed, 1)
    while state.queue or state.turn < turns:
        choices, rng = habitual_choices(state, rng)
        state, _ = state.choose(choices)
    return state


def takes(state: GameState, seat: int, choices: dict[int, int], buffalo: int) -> set[bool]:
    """Whether the seat's card takes a row, with any row for others' low cards and no special cards used."""
    table = LiveTable.of(state)
    extra = BuffaloTable.of(state)
    for other, card in choices.items():
        table.hands[other] = (card, *state.hands[other][1:]) if card not in state.hands[other] else state.hands[other]
    table.extra = BuffaloTable(
        (buffalo, *extra.deck[1:]), extra.up, extra.special_deck, extra.used, extra.seven_takes, extra.stopped,
    )  # fmt: skip
    after, events = state.game._run(table).choose(choices)
    found: set[bool] = set()

    def go_on(now: GameState, took: bool) -> None:
        if not now.queue or took:
            found.add(took)
            return
        ((asked, decision),) = now.pending.items()
        options = decision.options if isinstance(decision, ChooseRow) else [Pass()]
        for option in options:
            then, happened = now.choose({asked: option})
            go_on(then, any(isinstance(event, RowTaken) and event.card == choices[seat] for event in happened))

    go_on(after, any(isinstance(event, RowTaken) and event.card == choices[seat] for event in events))
    return found


@pytest.mark.parametrize("seed", range(4))
def test_alone_against_every_card_of_the_buffalo(seed: int) -> None:
    seen = set()
    for turns in (0, 4, 7):
        state = position(Buffalo(players=1), seed, turns)
        unseen = state.view(0).unseen
        for card, found in assess(state, 0).items():
            assert isinstance(card, int)
            by = {other: takes(state, 0, {0: card}, other) for other in unseen}
            happens = set().union(*by.values())
            assert (found.verdict is Verdict.SAFE) == (happens == {False})
            assert (found.verdict is Verdict.TAKES) == (happens == {True})
            seen.add(found.verdict)
            if found.verdict is Verdict.RISK and found.needed == 1:
                assert {other for other, took in by.items() if took == {True}} == set(found.causes)
            assert words("en")("buffalo.hint_with_buffalo") in found.text()
    assert len(seen) >= 2


def test_the_buffalos_low_card_takes_the_cheapest_row_and_no_other() -> None:
    """Row 1 is full and dear: the buffalo never takes it before 19. A player's low card might."""
    rows = "10 12 14 16 18 | 31 | 51 | 71"
    alone = Buffalo(players=1).from_position(f"{rows} ; A: 19 80 ; buffalo: 3 90")
    assert assess(alone, 0)[19].verdict is Verdict.TAKES
    assert {took for other in alone.view(0).unseen for took in takes(alone, 0, {0: 19}, other)} == {True}
    two = Buffalo(players=2).from_position(f"{rows} ; A: 19 80 ; B: 4 81 ; buffalo: 3 90 ; specials: stop push")
    assert assess(two, 0)[19].verdict is Verdict.RISK
    assert takes(two, 0, {0: 19, 1: 4}, 90) == {True, False}


def test_in_a_team_nothing_is_certain_that_may_fail() -> None:
    """Two players: proofs checked against all pairs of cards of the partner and the buffalo."""
    certain = 0
    for seed in range(12):
        state = position(Buffalo(players=2), seed, 7)
        unseen = state.view(0).unseen[seed % 5 :: 7]
        for card, found in assess(state, 0).items():
            assert isinstance(card, int)
            if found.verdict is Verdict.RISK:
                continue
            certain += 1
            for one, other in combinations(unseen, 2):
                for partner, buffalo in ((one, other), (other, one)):
                    happens = takes(state, 0, {0: card, 1: partner}, buffalo)
                    assert happens == {found.verdict is Verdict.TAKES}
    assert certain > 3


def test_with_special_cards_at_the_rows_nothing_is_proved() -> None:
    game = Buffalo(players=3)
    state = game.from_position(
        "10 12 14 16 18 | 20 22 | 60 | 70 ; A: 61 80 ; B: 71 81 ; C: 72 82 ; buffalo: 25 90 ; specials: sort push ; stop: 2"
    )
    state, _ = state.choose({TEAM: Pass()})
    for found in assess(state, 0).values():
        assert found.verdict is Verdict.RISK and not found.proved and words("en")("buffalo.hint_beside") in found.text()


@pytest.mark.parametrize("players", [3, 4])
def test_uses_come_to_what_the_engine_does(players: int) -> None:
    looked = 0
    for seed in range(3):
        state, rng = Buffalo(players=players).deal(seed), Rng.from_seed(seed)
        while not state.is_over and looked < 120:
            for seat, decision in state.pending.items():
                if isinstance(decision, UseSpecials):
                    assert seat == TEAM
                    for use, found in list(assess(state, TEAM).items())[:8]:
                        if isinstance(use, Swap) or state.turn == 9:
                            continue
                        had = [state.game.heads_in(pile) for pile in state.piles]
                        after, _ = state.choose({TEAM: use})
                        while after.queue:
                            after, _ = after.choose(habitual_choices(after, Rng(0))[0])
                        team, buffalo = (
                            after.game.heads_in(pile) - was for pile, was in zip(after.piles, had, strict=True)
                        )
                        assert f"team {team} head" in found.text() and f"buffalo {buffalo} head" in found.text()
                        assert found.verdict is (Verdict.TAKES if team else Verdict.SAFE)
                        looked += 1
            choices, rng = random_choices(state, rng)
            state, _ = state.choose(choices)
    assert looked > 50


def test_a_stop_that_saves_is_told_with_what_it_saves() -> None:
    """The example of the rulebook: Stop! on row 2 sends the buffalo's 25 to full row 1."""
    game = Buffalo(players=3)
    state = game.from_position(
        "10 12 14 16 18 | 20 22 | 60 | 70 ; A: 61 80 ; B: 71 81 ; C: 72 82 ; buffalo: 25 90 ; specials: stop push"
    )
    state, _ = state.choose({0: 61, 1: 71, 2: 72})
    found = {str(use): one.text() for use, one in assess(state, TEAM).items()}
    say = words("en")
    none, row = say.count("heads", 0), say.count("heads", game.heads_in((10, 12, 14, 16, 18)))
    without = say("buffalo.hint_instead", team=none, buffalo=none)
    assert found["stop@2"] == f"{say('buffalo.hint_rest', team=none, buffalo=row)} {without}"
    assert found["pass"] == say("buffalo.hint_rest", team=none, buffalo=none)
    for lang in LANGUAGES:
        assert all("{" not in one.text(lang) for one in assess(state, TEAM).values())


def test_hints_know_no_more_than_the_team() -> None:
    """R-B18: hints do not depend on other hands or on the pile of the buffalo."""
    state = position(Buffalo(players=4), 3, 2)
    for seat in range(2):
        twin = guess(state.view(seat), Rng.from_seed(5))
        assert twin != state and assess(twin, seat) == assess(state, seat)
    choices, _ = habitual_choices(state, Rng.from_seed(2))
    asked, _ = state.choose(choices)
    if TEAM in asked.pending:
        twin = guess(asked.view(TEAM), Rng.from_seed(6))
        one, other = ({str(use): said.text() for use, said in assess(now, TEAM).items()} for now in (twin, asked))
        assert twin != asked and one == other


def test_the_table_shows_them() -> None:
    state = position(Buffalo(players=2), 1, 3)
    found = foretold(state, 0, board_words("pl"))
    assert found and set(found) <= {str(card) for card in state.hands[0]} and all(found.values())


@pytest.mark.parametrize("players", [1, 2, 3])
def test_which_card_is_safe_is_asked_before_the_reveal(players: int) -> None:
    for seed in range(12):
        question = generate(Buffalo(players=players), "safe", seed=seed)
        found = assess(question.state.view(question.seat))
        assert not question.state.queue and all(one.proved for one in found.values())
        assert question.right == {str(card) for card, one in found.items() if one.verdict is Verdict.SAFE}
