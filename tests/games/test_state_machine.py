"""Random walks through every registered game that check the invariants after each step.

Every registered game is walked; `WALKS` only adds settings to the plain ones.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from nimmt_lab import Baron, BoardGame, Classic, Game, GameState, Record, all_games
from nimmt_lab.engine.errors import GameOver, IllegalChoice
from nimmt_lab.engine.events import CardPlaced, CardsRevealed, Event, RoundEnded, RoundStarted, RowTaken
from nimmt_lab.engine.habits import random_choices
from nimmt_lab.engine.registry import from_options
from nimmt_lab.engine.rng import Rng
from nimmt_lab.engine.rule import Rule
from nimmt_lab.games.board_game.events import BoardRule, LuckPlayed, PointsScored
from nimmt_lab.games.classic.fan_card import fan_cards
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
WALKS += [
    {"system": "classic", "players": 4, "fan_cards": list(fan_cards()), "combine_fan_cards": True, "rounds": 1},
    {"system": "classic", "players": 3, "limit": 40, "most_rounds": 2, "fan_cards": [
        {"name": "number_twister", "single_digits": True}
    ]},
    *(dict[str, object](system="buffalo", players=players) for players in (2, 3)),
    {"system": "buffalo", "players": 4, "edition": "003", "between_turns": True},
    *(dict[str, object](system="baron", players=3, variant=variant, games=2) for variant in ("colour_counts", "bulls_are_good")),
    {"system": "board", "players": 3, "luck": True, "first_field_acts": False},
    *(dict[str, object](system="board", players=n, mode="advanced", luck=n > 2) for n in (2, 4)),
]  # fmt: skip


def check_transition(before: GameState, events: tuple[Event, ...], after: GameState) -> None:
    """What every transition of the classic family must do to the cards."""
    assert cards_of(after) == cards_of(before) or after.round != before.round
    for event in events:
        assert event.rule.key
        if isinstance(event, RowTaken):
            assert event.heads == before.game.heads_in(event.cards)
        elif isinstance(event, CardPlaced):
            assert (event.slot >= 0 and (event.difference is None) == (event.slot == 0)) or event.difference is None
        elif isinstance(event, CardsRevealed):
            assert list(event.plays) == sorted(event.plays)


# The source of points by chapter; a game that is not listed scores the heads its seats have taken.


def heads_taken(events: Iterable[Event], game: Game, *, of: Rule | None = None) -> list[int]:
    """The heads of every row that went to a pile, by pile."""
    taken = [0] * len(game.pile_seats)
    for event in events:
        if isinstance(event, RowTaken) and of in (None, event.rule):
            taken[game.pile_of(event.seat)] += game.heads_in(event.cards)
    return taken


def buffalo_points(record: Record) -> list[int]:
    """One or two players count theirs twice; nothing counts before the end."""
    team, buffalo = heads_taken(record.events, record.game)
    return [team * (2 if record.game.players <= 2 else 1), buffalo] if record.outcome else [0, 0]


def rounds_points(record: Record) -> list[int]:
    """The heads taken in finished rounds, minus (where bulls are good) those left in hands and draw piles."""
    game = record.game
    totals = [0] * game.players
    taken: list[Event] = []
    moments = [*record.opening_moments, *(moment for step in record.steps for moment in step.moments)]
    for moment in moments:
        if isinstance(moment.event, RoundEnded):
            for seat, heads in enumerate(heads_taken(taken, game)):
                left = game.left(moment.state)[seat] if isinstance(game, Baron) and game.bulls_are_good else ()
                totals[seat] += heads - game.heads_in(left)
            taken = []
        elif moment.event is not None:
            taken.append(moment.event)
    return totals


def board_points(record: Record) -> list[int]:
    """Every field, row taken and card by the rules of the page, with each step limited by the track."""
    game = record.game
    assert isinstance(game, BoardGame)
    totals = [0] * game.players
    taken = plus = 0
    for event in record.events:
        if isinstance(event, RowTaken):
            taken = game.heads_in(event.cards)
        elif isinstance(event, LuckPlayed):
            plus = game.heads_in(event.tiles)
        elif isinstance(event, PointsScored):
            points = event.points
            if event.rule is BoardRule.TAKE_HEADS:
                points = -taken
            elif event.rule is BoardRule.POSITIVE_HEADS:
                assert event.points in (plus, 2 * plus - taken), "tiles go behind the screen, or heads are lost"
            elif event.rule is BoardRule.PLUS_FIVE:
                points = 5
            totals[event.seat] = max(-44, min(44, totals[event.seat] + points))
    return totals


POINTS: dict[str, Callable[[Record], list[int]]] = {"buffalo": buffalo_points, "board": board_points}
#: Tiles out of the game from the start; in other games every card of the deck is somewhere.
OUT: dict[str, Callable[[Game], int]] = {
    "board": lambda game: 0 if game.turns == 24 or game.deal(0).stock else len(game.deck) - 12 * game.players - 4
}


def check_cards(state: GameState, dealt: Counter[int]) -> None:
    """Every card of the deck is in exactly one place; cards not dealt at the start stay out."""
    counted = cards_of(state)
    assert max(counted.values()) == 1, "every card is in one place"
    assert set(counted) <= set(state.game.deck)
    counts_out = OUT.get(state.game.name)
    out = counts_out(state.game) if counts_out else 0
    assert len(counted) == len(state.game.deck) - out, "and no card is nowhere"
    assert not out or counted == dealt, "what is out stays out"


def check_points(record: Record) -> None:
    """Points follow from what happened, and the piles hold what was taken."""
    game, state = record.game, record.final
    assert list(state.totals) == POINTS.get(game.name, rounds_points)(record)
    events = list(record.events)
    begun = max((at for at, event in enumerate(events) if isinstance(event, RoundStarted)), default=len(events))
    ended = max((at for at, event in enumerate(events) if isinstance(event, RoundEnded)), default=-1)
    # With a draft first, the rows of the new round don't exist yet: nothing has been taken.
    since = events[begun:] if begun > ended or state.is_over else []
    of = BoardRule.TAKE_HEADS if isinstance(game, BoardGame) else None
    assert [game.heads_in(pile) for pile in state.piles] == heads_taken(since, game, of=of)


@st.composite
def other_tables(draw: st.DrawFn) -> dict[str, object]:
    """A classic game or advanced mode with other numbers, and sometimes a fan card."""
    system = draw(st.sampled_from(("classic", "advanced")))
    names = draw(st.sampled_from(((), *((name,) for name in fan_cards()), tuple(fan_cards()))))
    least = 2 if names else 1
    players, rows, hand = draw(st.integers(2, 6)), draw(st.integers(least, 8)), draw(st.integers(1, 10))
    need = players * hand + rows
    deck = {"deck_size": draw(st.integers(need, 104))} if system == "classic" else {}
    table = {"rows": rows, "row_limit": draw(st.integers(least, 9)), "hand_size": hand, **deck}
    return {"system": system, "players": players, "rounds": 1, **table, "fan_cards": names, "combine_fan_cards": True}


class Walk(RuleBasedStateMachine):
    """One game, played by random choices."""

    @initialize(options=st.sampled_from(WALKS) | other_tables(), seed=st.integers(0, 2**32))
    def start(self, options: dict[str, object], seed: int) -> None:
        self.game: Game = from_options(options)
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
        check_cards(self.record.final, self.deck)

    @invariant()
    def scores_equal_heads_taken(self) -> None:
        check_points(self.record)

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
            if self.game.hidden_hands:
                hidden = {card for other, hand in enumerate(state.hands) if other != seat for card in hand}
                assert hidden <= set(view.unseen)
                assert not set(view.hand) & set(view.unseen)

    @invariant()
    def a_classic_table_keeps_to_its_numbers(self) -> None:
        game, state = self.game, self.record.final
        if isinstance(game, Classic) and state.rows:
            assert len(state.rows) == game.rows
            assert all(1 <= len(cards) <= game.row_limit for cards in state.rows)
            if state.pending and (len(state.pending) == game.players) and not state.queue:
                again = game.from_position(str(state.position), ordered=False)
                assert (again.rows, again.hands, again.extra) == (state.rows, state.hands, state.extra)

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
TestWalk.settings = settings(max_examples=25, stateful_step_count=40)


@pytest.mark.exhaustive
class TestMoreWalks(TestWalk):  # type: ignore[misc,valid-type]  # a class that Hypothesis makes
    settings = settings(max_examples=60, stateful_step_count=40)


@pytest.mark.slow
class TestManyWalks(TestWalk):  # type: ignore[misc,valid-type]
    settings = settings(max_examples=1000, stateful_step_count=40)


@pytest.mark.parametrize("options", WALKS, ids=lambda options: " ".join(map(str, options.values())))
def test_random_games_end(options: dict[str, object]) -> None:
    """A few complete games with every setting, with all cards accounted for after every choice."""
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
        dealt = cards_of(state)
        made = []
        while state.pending:
            choices, rng = random_choices(state, rng)
            after, events = state.choose(choices)
            check_transition(state, events, after)
            check_cards(after, dealt)
            made.append(choices)
            state = after
        assert state.outcome is not None
        if seed < 4:  # they are replayed for it
            check_points(Record(game, tuple(made), seed))
