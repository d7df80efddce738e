"""Random walks through every registered game, looking after each step at everything that must always hold.

A game that is registered is walked; `WALKS` only adds settings worth walking besides the plain ones.
"""

from __future__ import annotations

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from nimmt_lab import Game, GameState, Record, all_games
from nimmt_lab.engine.errors import GameOver, IllegalChoice
from nimmt_lab.engine.events import CardPlaced, CardsRevealed, Event, RowTaken
from nimmt_lab.engine.habits import random_choices
from nimmt_lab.engine.registry import from_options
from nimmt_lab.engine.rng import Rng
from nimmt_lab.games.classic.fan_card import fan_cards
from nimmt_lab.games.classic.rules import Classic
from tests.support import cards_of

WALKS: list[dict[str, object]] = [
    {"system": name, "players": players}
    for name, game in all_games().items()
    for players in sorted({game.for_players[0], min(4, game.for_players[1]), game.for_players[1]})
]
WALKS += [
    {"system": system, "players": 3, "fan_cards": [name], "rounds": 2}
    for system in ("classic", "advanced")
    for name in fan_cards()
]
WALKS += [{"system": "classic", "players": 4, "fan_cards": list(fan_cards()), "combine_fan_cards": True, "rounds": 1}]


def check_transition(before: GameState, events: tuple[Event, ...], after: GameState) -> None:
    """What every transition of the family must do to the cards."""
    assert cards_of(after) == cards_of(before) or after.round != before.round
    for event in events:
        assert event.rule.key
        if isinstance(event, RowTaken):
            assert event.heads == before.game.heads_in(event.cards)
        elif isinstance(event, CardPlaced):
            assert (event.slot >= 0 and (event.difference is None) == (event.slot == 0)) or event.difference is None
        elif isinstance(event, CardsRevealed):
            assert list(event.plays) == sorted(event.plays)


class Walk(RuleBasedStateMachine):
    """One game, played by random choices."""

    @initialize(at=st.integers(0, len(WALKS) - 1), seed=st.integers(0, 2**32))
    def start(self, at: int, seed: int) -> None:
        self.game: Game = from_options(WALKS[at])
        self.record = Record(self.game, seed=seed)
        self.deck = cards_of(self.record.final)

    @precondition(lambda self: self.record.final.pending)
    @rule(draw=st.integers(0, 2**32))
    def choose(self, draw: int) -> None:
        state = self.record.final
        choices, _ = random_choices(state, Rng.from_seed(draw))
        self.record = self.record.then(choices)
        step = self.record.steps[-1]
        check_transition(step.before, step.events, step.state)
        again, events = state.choose(choices)
        assert again == self.record.final and events == step.events, "a transition is a pure function"

    @precondition(lambda self: self.record.final.pending)
    @rule(seat=st.integers(-3, 12), choice=st.integers(-2, 130))
    def choose_nonsense(self, seat: int, choice: int) -> None:
        state = self.record.final
        asked = state.pending
        if seat in asked and choice in asked[seat].options:
            return
        good, _ = random_choices(state, Rng.from_seed(1))
        with pytest.raises(IllegalChoice):
            state.choose({**good, seat: choice})

    @precondition(lambda self: not self.record.final.pending)
    @rule()
    def choose_when_it_is_over(self) -> None:
        with pytest.raises(GameOver):
            self.record.final.choose({0: 1})

    @invariant()
    def everything_is_accounted_for(self) -> None:
        state = self.record.final
        if isinstance(self.game, Classic):
            counted = cards_of(state)
            assert set(counted) == set(self.game.deck), "every card of the deck is somewhere"
            assert max(counted.values()) == 1, "and nowhere else"

    @invariant()
    def scores_equal_heads_taken(self) -> None:
        state = self.record.final
        if isinstance(self.game, Classic) and state.outcome:
            taken = [0] * len(state.totals)
            for event in self.record.events:
                if isinstance(event, RowTaken) and event.seat < len(taken):
                    taken[event.seat] += event.heads
            if len(state.piles) == self.game.players:
                assert tuple(taken) == state.totals

    @invariant()
    def the_game_is_over_or_asks_something(self) -> None:
        state = self.record.final
        assert bool(state.pending) != state.is_over
        for decision in state.pending.values():
            assert len(decision.options) > 0
            for at in {0, len(decision.options) - 1}:
                option = decision.options[at]
                assert decision.accept(0, option) == option
                assert decision.accept(0, decision.read(decision.write(option))) == option

    @invariant()
    def views_hide_what_is_hidden(self) -> None:
        state = self.record.final
        for seat in range(self.game.players):
            view = state.view(seat)
            assert view.hand == state.hands[seat]
            assert view.rows == state.rows
            for other, hand in enumerate(view.hands):
                if other != seat and self.game.hidden_hands:
                    assert hand is None
            if isinstance(self.game, Classic) and self.game.hidden_hands:
                hidden = {card for other, hand in enumerate(state.hands) if other != seat for card in hand}
                assert hidden <= set(view.unseen)
                assert not set(view.hand) & set(view.unseen)

    @invariant()
    def it_can_be_drawn(self) -> None:
        state = self.record.final
        assert str(state) and repr(state)
        assert set(state._repr_mimebundle_()) == {"text/plain", "text/html"}

    def teardown(self) -> None:
        if hasattr(self, "record"):
            for read in (Record.from_text(self.record.to_text()), Record.from_json(self.record.to_json())):
                assert read == self.record
                assert read.events_text() == self.record.events_text()


TestWalk = Walk.TestCase
TestWalk.settings = settings(max_examples=100, stateful_step_count=40)


@pytest.mark.parametrize("options", WALKS, ids=lambda options: " ".join(map(str, options.values())))
def test_random_games_end(options: dict[str, object]) -> None:
    """A few whole games of every setting, every card accounted for after every choice."""
    walk_games(options, range(4))


@pytest.mark.slow
@pytest.mark.parametrize(
    "options",
    [
        {"system": name, "players": players}
        for name, game in all_games().items()
        for players in range(game.for_players[0], game.for_players[1] + 1)
    ]
    + [
        {"system": "classic", "players": players, "fan_cards": [name], "rounds": 1}
        for name in fan_cards()
        for players in range(2, 11)
    ],
    ids=lambda options: " ".join(map(str, options.values())),
)
def test_ten_thousand_random_games_end(options: dict[str, object]) -> None:
    walk_games({"rounds": 1, **options} if options["system"] in ("classic", "advanced") else options, range(10_000))


def walk_games(options: dict[str, object], seeds: range) -> None:
    game = from_options(options)
    for seed in seeds:
        rng = Rng.from_seed(seed, stream=2)
        state = game.deal(seed)
        while state.pending:
            choices, rng = random_choices(state, rng)
            after, events = state.choose(choices)
            check_transition(state, events, after)
            state = after
        assert state.outcome is not None
