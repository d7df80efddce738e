"""Complete games of Beat the Buffalo: compared with a second implementation, counted, written and checked."""

from __future__ import annotations

import contextlib
from collections import Counter
from collections.abc import Iterator
from itertools import permutations, product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from nimmt_lab import GameState, Record
from nimmt_lab.engine.cards import TEAM
from nimmt_lab.engine.decisions import Choice
from nimmt_lab.engine.errors import NimmtError, NotationError
from nimmt_lab.engine.events import RowTaken, events_text
from nimmt_lab.engine.rng import Rng
from nimmt_lab.games import Buffalo
from nimmt_lab.games.buffalo.parts import ALL_SPECIALS, SPECIALS_IN_PLAY, BuffaloRule, BuffaloTable, Special
from nimmt_lab.games.buffalo.uses import (
    AllUses,
    First,
    Insert,
    Last,
    LiftStop,
    Pass,
    Push,
    Pushes,
    SevenTakes,
    Sort,
    Sorts,
    Swap,
    Use,
    UseSpecials,
)
from tests.games.buffalo_oracle import Oracle, heads


def oracle_of(state: GameState) -> Oracle:
    extra = BuffaloTable.of(state)
    return Oracle(
        players=state.game.players,
        rows=[list(row) for row in state.rows],
        hands=[list(hand) for hand in state.hands],
        up=[kind.value for kind in extra.up],
        deck=[kind.value for kind in extra.special_deck if kind],
        seven=set(extra.seven_takes),
        stop=set(extra.stopped),
        gone=[kind.value for kind in extra.used],
        team=list(state.piles[0]),
        buffalo=list(state.piles[1]),
        queue=[(play.seat, play.card) for play in state.queue],
        emptied=list(extra.empty),
        set_first=extra.first,
        set_last=extra.last,
        swapping=extra.swapping,
    )


def as_tuple(use: Use, oracle: Oracle) -> tuple[object, ...]:
    """Translate a choice of the engine for the second implementation, which also names the position."""
    match use:
        case Pass():
            return ("pass",)
        case LiftStop(row):
            return ("lift", row)
        case Swap(seat):
            return ("swap", seat)
        case Insert(row):
            return ("insert", row, oracle.places(oracle.queue[0][1], row)[0])
        case Push(card, row):
            return ("push", card, row, oracle.places(card, row)[0])
        case First(seat, second) | Last(seat, second):
            return (str(use.kind), seat, second)
        case Sort(order):
            return ("sort", order)
    return (str(use.kind), use.row)  # type: ignore[attr-defined]


def check_options(state: GameState, oracle: Oracle) -> None:
    """The lazy options are exactly the legal uses; of a long Sort only the number is compared."""
    decision = state.pending[TEAM]
    assert isinstance(decision, UseSpecials)
    options = decision.options
    short = len(state.queue) <= 4
    expected = list(oracle.uses(sorts=short))
    mine = [as_tuple(use, oracle) for use in options if short or not isinstance(use, Sort)]  # type: ignore[arg-type]
    assert len(set(mine)) == len(mine) and set(mine) == set(expected)
    if short:
        assert len(options) == len(expected)
    assert len(options) > 1 and options[0] == Pass()


def drive(state: GameState, choices: dict[int, Choice], oracle: Oracle) -> GameState:
    """Make one choice in both implementations."""
    before = state
    state, _ = state.choose(choices)
    if TEAM in choices:
        use = choices[TEAM]
        assert isinstance(use, Use)
        if not isinstance(use, Pass):
            oracle.use(as_tuple(use, oracle))
        elif oracle.queue:
            oracle.at_once = True
    elif oracle.swapping is not None:
        [(seat, card)] = choices.items()
        assert seat == oracle.swapping and isinstance(card, int)
        oracle.swap_in(seat, card)
    elif before.queue:
        [row] = choices.values()
        assert isinstance(row, int)
        oracle.place(row)
    else:
        cards = {seat: card for seat, card in choices.items() if isinstance(card, int)}
        oracle.reveal(cards | {before.game.players: BuffaloTable.of(before).deck[0]})
    # Continue to the next decision.
    while (
        oracle.queue
        and oracle.swapping is None
        and (oracle.at_once or len(list(oracle.uses(sorts=len(oracle.queue) < 3))) == 1)
    ):
        if not oracle.at_once and "sort" in oracle.up:
            break
        if oracle.needs_a_row():
            break
        oracle.place()
    return state


def same(state: GameState, oracle: Oracle) -> None:
    mine = oracle_of(state)
    mine.at_once = oracle.at_once
    assert mine == oracle


def pick(state: GameState, rng: Rng) -> tuple[dict[int, Choice], Rng]:
    """Random choices; the team first picks a kind of use, because nearly all options are Sorts."""
    choices: dict[int, Choice] = {}
    for seat, decision in state.pending.items():
        options = decision.options
        if isinstance(options, AllUses):
            which, rng = rng.below(len(options.parts) + 1)
            if which == len(options.parts):
                choices[seat] = Pass()
            else:
                part = options.parts[which]
                at, rng = rng.below(len(part))
                choices[seat] = part[at]
        else:
            at, rng = rng.below(len(options))
            choices[seat] = options[at]
    return choices, rng


def check_accounts(state: GameState) -> None:
    """Every card and every special card is in exactly one place."""
    extra = BuffaloTable.of(state)
    places = [*state.rows, *state.hands, *state.piles, state.stock, extra.deck, [play.card for play in state.queue]]
    assert sorted(card for cards in places for card in cards) == list(state.game.deck)
    lying = [Special.SEVEN_TAKES] * len(extra.seven_takes) + [Special.STOP] * len(extra.stopped)
    specials = Counter([*extra.up, *extra.special_deck, *extra.used, *lying])
    assert specials.total() == SPECIALS_IN_PLAY[state.game.players] and not specials - Counter(ALL_SPECIALS)
    for row, cards in enumerate(state.rows):
        assert list(cards) == sorted(cards) and len(cards) <= (6 if row in extra.seven_takes else 5)
        assert bool(cards) != (row in extra.empty)


def random_game(game: Buffalo, seed: int, *, checked: bool) -> tuple[GameState, str]:
    rng = Rng.from_seed(seed, stream=1)
    state = game.deal(seed)
    oracle = oracle_of(state)
    taken = [0, 0]
    text = []
    while state.pending:
        choices, rng = pick(state, rng)
        if checked:
            check_accounts(state)
            again = game.from_position(str(state.position))
            for part in ("rows", "hands", "piles", "queue", "extra", "pending", "turn", "stock"):
                assert getattr(again, part) == getattr(state, part), (part, str(state.position))
            if TEAM in state.pending:
                check_options(state, oracle)
            state = drive(state, choices, oracle)
            same(state, oracle)
        else:
            state, events = state.choose(choices)
            text.append(events_text(events))
            for event in events:
                if isinstance(event, RowTaken):
                    taken[game.pile_of(event.seat)] += event.heads
    if checked:
        taken = [heads(oracle.team), heads(oracle.buffalo)]
    assert state.totals == (taken[0] * (2 if game.players <= 2 else 1), taken[1])
    return state, "".join(text)


@pytest.mark.parametrize("players", range(1, 7))
def test_games_agree_with_the_second_reading(players: int) -> None:
    game = Buffalo(players=players)
    for seed in range(8 if players < 5 else 3):
        state, _ = random_game(game, seed, checked=True)
        assert state.is_over
        # The choices of a record lead to the same events and the same end.
        once, twice = (random_game(game, seed, checked=False) for _ in range(2))
        assert once == twice and once[0] == state


@pytest.mark.slow
@pytest.mark.parametrize("players", range(1, 7))
def test_ten_thousand_random_games(players: int) -> None:
    for seed in range(10_000):
        assert random_game(Buffalo(players=players), seed, checked=seed < 200)[0].is_over


class Walk(RuleBasedStateMachine):
    """A game in which the team uses special cards at random."""

    @initialize(players=st.integers(2, 6), seed=st.integers(0, 2**32))
    def start(self, players: int, seed: int) -> None:
        self.record = Record(Buffalo(players=players), seed=seed)
        self.oracle = oracle_of(self.record.final)

    @precondition(lambda self: TEAM not in self.record.final.pending and self.record.final.pending)
    @rule(draw=st.integers(0, 2**32))
    def cards_or_row(self, draw: int) -> None:
        self.step(pick(self.record.final, Rng.from_seed(draw))[0])

    @precondition(lambda self: TEAM in self.record.final.pending)
    @rule()
    def the_team_passes(self) -> None:
        self.step({TEAM: Pass()})

    @precondition(lambda self: TEAM in self.record.final.pending)
    @rule(draw=st.integers(0, 2**32))
    def the_team_acts(self, draw: int) -> None:
        self.step(pick(self.record.final, Rng.from_seed(draw))[0])

    @precondition(lambda self: self.record.final.is_over)
    @rule()
    def the_game_is_over(self) -> None:
        assert self.record.final.outcome is not None and not self.oracle.queue

    def step(self, choices: dict[int, Choice]) -> None:
        state = drive(self.record.final, choices, self.oracle)
        self.record = self.record.then(choices)
        assert self.record.final == state

    @invariant()
    def both_readings_agree(self) -> None:
        if hasattr(self, "record"):
            same(self.record.final, self.oracle)
            check_accounts(self.record.final)
            if TEAM in self.record.final.pending:
                check_options(self.record.final, self.oracle)

    def teardown(self) -> None:
        if hasattr(self, "record"):
            assert Record.from_text(self.record.to_text()) == self.record
            assert Record.from_json(self.record.to_json()) == self.record


TestWalk = Walk.TestCase
TestWalk.settings = settings(max_examples=25, stateful_step_count=30)


# Node counts ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("specials", "lines"),
    [
        ("", (10, 16)),
        ("stop", (346, 1784)),
        ("seven_takes", (130, 400)),
        ("swap", (50, 80)),
        ("insert", (20, 61)),
        ("push", (418, 1768)),
        ("first", (50, 136)),
        ("last", (50, 136)),
        ("sort", (100, 304)),
        ("first first", (160, 696)),
    ],
)
def test_perft(specials: str, lines: tuple[int, int]) -> None:
    """Lines of play after one and two turns, counted by both implementations."""
    game = Buffalo(players=2)
    state = game.from_position(f"9 14 | 20 | 31 | 44 ; A: 12 33 ; B: 50 71 ; buffalo: 40 60 ; specials: {specials}")
    first = list(engine_lines(state, 1))
    assert len(first) == sum(1 for _ in oracle_lines(oracle_of(state), [40], 1))
    second = sum(1 for after in first for _ in engine_lines(after, 1))
    assert second == sum(1 for _ in oracle_lines(oracle_of(state), [40, 60], 2))
    assert (len(first), second) == lines


def engine_lines(state: GameState, turns: int) -> Iterator[GameState]:
    """All courses of one turn; decisions between turns belong to the next one."""
    if TEAM in state.pending and not state.queue:
        for option in state.pending[TEAM].options:
            yield from engine_lines(state.choose({TEAM: option})[0], turns)
        return
    for cards in product(*(decision.options for decision in state.pending.values())):
        open_ = [state.choose(dict(zip(state.pending, cards, strict=True)))[0]]
        while open_:
            reached = open_.pop()
            if not reached.queue:
                yield reached
                continue
            [(seat, decision)] = reached.pending.items()
            open_ += [reached.choose({seat: option})[0] for option in decision.options]


def copy_of(oracle: Oracle) -> Oracle:
    return Oracle(
        oracle.players, [list(row) for row in oracle.rows], [list(hand) for hand in oracle.hands], list(oracle.up),
        list(oracle.deck), set(oracle.seven), set(oracle.stop), list(oracle.gone), list(oracle.team),
        list(oracle.buffalo), list(oracle.queue), list(oracle.emptied), oracle.set_first, oracle.set_last, oracle.at_once,
        oracle.swapping,
    )  # fmt: skip


def oracle_lines(oracle: Oracle, buffalo: list[int], turns: int) -> Iterator[Oracle]:
    if turns == 0:
        yield oracle
        return
    starts = [oracle]
    for row in sorted(oracle.stop):  # between turns a Stop! may be lifted
        lifted = copy_of(oracle)
        lifted.use(("lift", row))
        starts.append(lifted)
    for start in starts:
        for a, b in product(*start.hands):
            table = copy_of(start)
            table.reveal({0: a, 1: b, 2: buffalo[0]})
            for after in oracle_turn(table):
                yield from oracle_lines(after, buffalo[1:], turns - 1)


def oracle_turn(table: Oracle) -> Iterator[Oracle]:
    if not table.queue:
        yield table
        return
    if table.swapping is not None:
        for card in table.hands[table.swapping]:
            after = copy_of(table)
            after.swap_in(table.swapping, card)
            yield from oracle_turn(after)
        return
    uses = [("pass",)] if table.at_once else list(table.uses())
    for use in uses:
        after = copy_of(table)
        if use != ("pass",):
            after.use(use)
            yield from oracle_turn(after)
        elif after.needs_a_row():
            for row in range(4):
                if row not in after.stop:
                    low = copy_of(after)
                    low.place(row)
                    yield from oracle_turn(low)
        else:
            after.place()
            yield from oracle_turn(after)


# The lazy options ----------------------------------------------------------------------------------------

CARDS = st.lists(st.integers(1, 104), min_size=1, max_size=7, unique=True).map(tuple)


@given(CARDS)
def test_sorts_are_all_orders(cards: tuple[int, ...]) -> None:
    sorts = Sorts(cards[:5])
    listed = [sorts[at] for at in range(len(sorts))]
    assert {use.order for use in listed if isinstance(use, Sort)} == set(permutations(cards[:5]))
    assert len(listed) == len(set(listed)) and all(use in sorts for use in listed)
    assert len(Sorts(tuple(range(1, 8)))) == 5040
    assert Sort((*cards[:5], 105)) not in sorts and Pass() not in sorts


@given(st.lists(st.integers(0, 104), max_size=8), st.integers(-40, 40), st.integers(-40, 40), st.integers(-40, 40))
def test_options_behave_as_a_sequence(cards: list[int], at: int, start: int, stop: int) -> None:
    uses = AllUses(
        (
            (Pass(), LiftStop(2)),
            (Swap(0), Swap(2), SevenTakes(3)),
            Pushes(((0, (1, 4)), (1, ()), (3, (2,)))),
            Sorts((7, 8, 9)),
        )
    )
    listed = list(uses)
    assert len(uses) == len(listed) == 2 + 3 + 6 + 6 == len(set(listed))
    assert uses[start:stop] == tuple(listed[start:stop]) and uses[::-2] == tuple(listed[::-2])
    if -len(listed) <= at < len(listed):
        assert uses[at] == listed[at]
    else:
        with pytest.raises(IndexError):
            uses[at]
    assert all(use in uses for use in listed)
    for other in (0, 7, None, "pass", Push(1, 0), Push(1, 2), Push(3, 0), Swap(1), Sort((7, 8)), LiftStop(1)):
        assert other not in uses
    assert {(use.card, use.row) for use in listed if isinstance(use, Push)} == {
        (1, 1), (1, 3), (4, 1), (4, 3), (2, 0), (2, 1)
    }  # fmt: skip


# Reading typed input --------------------------------------------------------------------------------------------


@given(st.text(alphabet="0123456789!:@-+abcdefilnoprstuvw_AB ", max_size=16))
def test_reading_a_use_never_fails_otherwise(text: str) -> None:
    decision = UseSpecials(BuffaloRule.SPECIALS, 50, AllUses(((Pass(),),)))
    with contextlib.suppress(NotationError):
        use = decision.read(text)
        assert decision.read(decision.write(use)) == use


@given(
    st.sampled_from(["buffalo", "specials", "special_deck", "used", "seven_takes", "stop", "empty", "first", "passed"]),
    st.one_of(
        st.text(max_size=12), st.lists(st.sampled_from(["1", "2", "25", "stop", "push", "-", "yes"])).map(" ".join)
    ),
)
def test_reading_a_section_never_fails_otherwise(name: str, body: str) -> None:
    with contextlib.suppress(NimmtError):
        Buffalo(players=3).from_position(f"10 |  | 30 | 40 ; A: 50 ; B: 60 ; C: 70 ; {name}: {body}")
