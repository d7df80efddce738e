"""Hints for Bull Baron: proofs are checked with the engine for every set of cards and every choice of rows."""

from __future__ import annotations

from functools import cache
from itertools import combinations, permutations

import pytest

from nimmt_lab import Baron, GameState
from nimmt_lab.boards.tell import foretold
from nimmt_lab.boards.words import board_words
from nimmt_lab.engine.decisions import ChooseRow
from nimmt_lab.engine.events import RowTaken
from nimmt_lab.engine.habits import random_choices
from nimmt_lab.engine.rng import Rng
from nimmt_lab.engine.table import LiveTable
from nimmt_lab.explain import LANGUAGES, Verdict, assess, words
from nimmt_lab.games.baron import sweep
from nimmt_lab.lessons import generate
from nimmt_lab.lessons.exercises import kinds_of
from tests.catalogue import explained

#: So few cards in the game that all hands of the others can be listed.
VARIANTS = ("standard", "colour_counts", "bulls_are_good")


def position(game: Baron, seed: int, turns: int) -> GameState:
    """Random play up to the choice of cards."""
    state, rng = game.deal(seed), Rng.from_seed(seed, 1)
    while not state.is_over and (state.queue or state.turn < turns):
        choices, rng = random_choices(state, rng)
        state, _ = state.choose(choices)
    return state


def ends(state: GameState, seat: int, bulls_are_good: bool) -> frozenset[bool]:
    """With the engine: whether the seat takes a row this turn if it chooses as well as possible and the others do
    anything."""

    @cache
    def takes(now: GameState) -> frozenset[bool]:
        if not now.queue:
            return frozenset({False})
        found: set[bool] = set()
        outcomes = []
        ((asked, decision),) = now.pending.items()
        for option in decision.options:
            after, events = now.choose({asked: option})
            mine = any(isinstance(event, RowTaken) and event.seat == seat for event in events)
            outcomes.append(frozenset({True}) if mine else _rest(after, asked))
        if asked != seat:
            for outcome in outcomes:
                found |= outcome
            return frozenset(found)
        # Its own choice: the better one. Nothing after it matters, because it plays one card.
        wanted = [outcome for outcome in outcomes if outcome == frozenset({bulls_are_good})]
        return wanted[0] if wanted else outcomes[0]

    def _rest(after: GameState, asked: int) -> frozenset[bool]:
        return frozenset({False}) if asked == seat or not any(p.seat == seat for p in after.queue) else takes(after)

    return takes(state)


def outcomes(state: GameState, seat: int, card: int) -> set[bool]:
    """Whether the card takes a row, in every possible course of the turn."""
    game = state.game
    assert isinstance(game, Baron)
    others = [other for other in range(game.players) if other != seat and state.hands[other]]
    found: set[bool] = set()
    unseen = state.view(seat).unseen
    for cards in combinations(unseen, len(others)):
        for held in permutations(cards) if len(others) > 1 else [cards]:
            table = LiveTable.of(state)
            for other, one in zip(others, held, strict=True):
                table.hands[other] = (
                    one,
                    *[c for c in table.hands[other] if c not in cards][: len(table.hands[other]) - 1],
                )
            dealt = game._run(table)
            choices = {seat: card, **dict(zip(others, held, strict=True))}
            after, events = dealt.choose(choices)
            mine = [event for event in events if isinstance(event, RowTaken) and event.seat == seat]
            if mine:
                found.add(True)
            elif any(play.seat == seat for play in after.queue):
                found |= ends(after, seat, game.bulls_are_good)
            else:
                found.add(False)
            break  # who holds which card doesn't matter: they are placed by number
    return found


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("seed", range(3))
def test_two_players_against_everything_that_may_happen(variant: str, seed: int) -> None:
    game = Baron(players=2, variant=variant)
    seen = set()
    for turns in (2, 9, 14):
        state = position(game, seed, turns)
        if state.is_over or not state.hands[0]:
            continue
        for card, found in assess(state, 0).items():
            assert isinstance(card, int) and found.proved
            happens = outcomes(state, 0, card)
            assert (found.verdict is Verdict.SAFE) == (happens == {False}), (card, state)
            assert (found.verdict is Verdict.TAKES) == (happens == {True}), (card, state)
            seen.add(found.verdict)
    assert len(seen) > 1


@pytest.mark.exhaustive
@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("most", [60, 6_000])
def test_a_walk_that_stops_early_claims_no_more(variant: str, most: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """With three players, proofs from few tables agree with those from all tables."""
    game = Baron(players=3, variant=variant, draw_pile=12)
    for seed in range(4):
        state = position(game, seed, 7)
        if state.is_over or not state.hands[0]:
            continue
        view = state.view(0)
        monkeypatch.setattr(sweep, "MOST_TABLES", 10**9)
        whole = sweep.fates(view, view.hand, 2)
        monkeypatch.setattr(sweep, "MOST_TABLES", most)
        for card, fate in sweep.fates(view, view.hand, 2).items():
            assert whole[card].proved
            for way, true in ((fate.takes, whole[card].takes), (fate.spared, whole[card].spared)):
                assert way is None or true is not None
                if fate.proved:
                    assert (way is None) == (true is None)
                    if way and true and way.cards:
                        assert way.needed == true.needed and set(way.cards) <= set(true.cards)


def test_the_risk_names_the_cards() -> None:
    """A single lower card decides: only the named ones."""
    checked = 0
    for seed in range(6):
        state = position(Baron(players=2), seed, 10)
        unseen = state.view(0).unseen
        for card, found in assess(state, 0).items():
            if found.verdict is not Verdict.RISK or found.needed != 1:
                continue
            for other in unseen:
                table = LiveTable.of(state)
                table.hands[1] = (other,)
                after, events = state.game._run(table).choose({0: card, 1: other})
                mine = any(isinstance(event, RowTaken) and event.seat == 0 for event in events)
                happens = {True} if mine else ends(after, 0, False) if after.queue else {False}
                assert (True in happens) == (other in found.causes), (state, card, other)
                checked += 1
    assert checked > 100


@pytest.mark.exhaustive
def test_words() -> None:
    """Six of a colour, the sixth card, no colour, the Baron: in every language."""
    said = dict.fromkeys(LANGUAGES, "")
    for variant in VARIANTS:
        game = Baron(players=2, variant=variant)
        for seed in range(60):
            state = position(game, seed, 8)
            odd = any(not game.matching_rows(state, card) or card in (52, 104) for card in state.hands[0])
            if 0 in state.pending and (odd or seed < 6):
                for lang in LANGUAGES:
                    said[lang] += "\n".join(found.text(lang) for found in assess(state, 0).values()) + "\n"
    assert "{" not in "".join(said.values())
    shown = ("rule.baron.1", "rule.baron.2", "baron.nowhere", "baron.every", "baron.good_takes", "baron.fits")
    for lang, text in said.items():
        for key in (*shown, "assess.safe", "assess.risk"):
            assert explained(key, lang).search(text), (lang, key)
        assert f"({words(lang)('look.baron.colour_red')} " in text, lang


def test_a_row_to_choose_says_what_it_does() -> None:
    """Without hidden information the verdict is what happens."""
    looked = 0
    for variant in VARIANTS:
        state, rng = Baron(players=3, variant=variant).deal(5), Rng.from_seed(3)
        while not state.is_over:
            if state.queue:
                ((seat, decision),) = state.pending.items()
                assert isinstance(decision, ChooseRow)
                for row, found in assess(state, seat).items():
                    _, events = state.choose({seat: row})
                    took = [event for event in events if isinstance(event, RowTaken) and event.card == decision.card]
                    assert found.verdict is (Verdict.TAKES if took else Verdict.SAFE)
                    if took:
                        assert f"{took[0].heads} bull" in found.text()
                    looked += 1
            choices, rng = random_choices(state, rng)
            state, _ = state.choose(choices)
    assert looked > 50


def test_the_table_shows_them() -> None:
    state = Baron(players=3).deal(seed=2)
    shown = foretold(state, 0, board_words("en"))
    assert shown and set(shown) <= {str(card) for card in state.hands[0]} and all(shown.values())
    good = Baron(players=2, variant="bulls_are_good").deal(seed=2)
    assert isinstance(good.game, Baron)
    positions = [position(good.game, seed, 6) for seed in range(6)]
    told = {str(one) for state in positions for one in foretold(state, 0, board_words("en")).values()}
    assert told and not any("safe" in one for one in told)  # taking nothing gains nothing there


@pytest.mark.exhaustive
@pytest.mark.parametrize("players", [2, 3, 4])
def test_which_card_is_safe_is_asked_where_everything_is_proved(players: int) -> None:
    for seed in range(3):
        question = generate(Baron(players=players), "safe", seed=seed)
        found = assess(question.state.view(question.seat))
        assert all(one.proved for one in found.values()) and not question.state.queue
        assert question.right == {str(card) for card, one in found.items() if one.verdict is Verdict.SAFE}
        assert 0 < len(question.right) < len(found)
    assert "safe" not in kinds_of(Baron(players=2, variant="bulls_are_good"))
