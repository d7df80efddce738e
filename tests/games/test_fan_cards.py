"""All fan cards, alone and combined, compared with a second implementation and in complete random games."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from functools import partial
from itertools import chain, combinations
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nimmt_lab.engine.errors import NimmtError, NotInHand, PositionError, RulesError
from nimmt_lab.engine.events import CardPlaced, RowTaken, events_text
from nimmt_lab.engine.game import Game
from nimmt_lab.engine.registry import from_options
from nimmt_lab.engine.rng import Rng
from nimmt_lab.engine.state import GameState
from nimmt_lab.games import Advanced, Classic, NumberTwister
from nimmt_lab.games.classic.fan_card import Markers, fan_cards
from nimmt_lab.games.even_odd.rules import EvenOddMarker
from nimmt_lab.games.jumping_cow.rules import CowMarker
from nimmt_lab.games.mountain.rules import MountainMarker
from nimmt_lab.games.number_twister.rules import Twist
from tests.games.fan_oracle import OracleTable
from tests.support import refused

#: The cards that the second implementation supports.
NAMES = ("even_odd", "mountain", "jumping_cow", "number_twister")
COMBINATIONS = list(chain.from_iterable(combinations(NAMES, size) for size in range(1, 5)))


def fan_game(names: tuple[str, ...], players: int = 2, **options: Any) -> Classic:
    return Classic(players=players, fan_cards=names, combine_fan_cards=True, **options)


def next_row(rows: Iterator[int], seat: int) -> int:
    """The next of the given rows, for any seat."""
    return next(rows)


def oracle_of(state: GameState) -> OracleTable:
    markers = Markers.of(state)
    even_odd, mountain, cow = markers.find(EvenOddMarker), markers.find(MountainMarker), markers.find(CowMarker)
    return OracleTable(
        rows=[list(row) for row in state.rows],
        even_odd=(even_odd.row, even_odd.side) if even_odd else None,
        mountain=(mountain.row, mountain.arrows) if mountain else None,
        cow=cow.row if cow else None,
    )


@st.composite
def tables(draw: st.DrawFn) -> tuple[Classic, str, dict[int, int | Twist]]:
    """A table with random markers, hands of two, and everybody's plays."""
    names = draw(st.sampled_from(COMBINATIONS))
    players = draw(st.integers(2, 5))
    sizes = draw(st.lists(st.integers(1, 5), min_size=4, max_size=4))
    cow = draw(st.integers(0, 3))
    if "jumping_cow" in names:
        sizes[cow] = min(sizes[cow], 4)
    wanted = sum(sizes) + 2 * players
    cards = draw(st.lists(st.integers(1, 104), min_size=wanted, max_size=wanted, unique=True))
    rows, at = [], 0
    for size in sizes:
        rows.append(sorted(cards[at : at + size]) if draw(st.booleans()) else cards[at : at + size])
        at += size
    hands = [cards[at + 2 * seat : at + 2 * seat + 2] for seat in range(players)]
    text = " | ".join(" ".join(map(str, row)) for row in rows)
    text += "".join(f" ; {chr(65 + seat)}: {' '.join(map(str, hand))}" for seat, hand in enumerate(hands))
    if "even_odd" in names:
        text += f" ; even_odd: {draw(st.integers(1, 4))} {draw(st.sampled_from(['even', 'odd']))}"
    if "mountain" in names:
        row = draw(st.integers(1, 4))
        arrows = {1: "down", 4: "up"}.get(row) or draw(st.sampled_from(["up", "down"]))
        text += f" ; mountain: {row} {arrows}"
    if "jumping_cow" in names:
        text += f" ; jumping_cow: {cow + 1}"
    chosen: dict[int, int | Twist] = {}
    for seat, hand in enumerate(hands):
        twist = "number_twister" in names and 10 <= hand[0] <= 99 and draw(st.booleans())
        chosen[seat] = Twist(hand[0]) if twist else hand[0]
    return fan_game(names, players), text, chosen


@given(tables(), st.integers(0, 2**32))
def test_a_turn_agrees_with_the_second_reading(table: tuple[Classic, str, dict[int, int | Twist]], seed: int) -> None:
    game, text, chosen = table
    state = game.from_position(text, ordered=False)
    oracle = oracle_of(state)
    chooser = [Rng.from_seed(seed), Rng.from_seed(seed)]

    def row(which: int) -> int:
        choice, chooser[which] = chooser[which].below(4)
        return choice

    oracle.turn(
        [(seat, c.card, True) if isinstance(c, Twist) else (seat, c, False) for seat, c in chosen.items()],
        lambda seat: row(0),
    )
    state, events = state.choose(chosen)
    while state.queue:
        state, more = state.choose({seat: row(1) for seat in state.pending})
        events += more
    assert [list(cards) for cards in state.rows] == oracle.rows
    assert {seat: list(pile) for seat, pile in enumerate(state.piles) if pile} == oracle.taken
    assert oracle_of(state) == OracleTable(oracle.rows, oracle.even_odd, oracle.mountain, oracle.cow)
    assert [(event.card, event.row) for event in events if isinstance(event, CardPlaced)] == oracle.placed


def check_accounts(state: GameState) -> None:
    """Every card of the deck is in exactly one place; points are the heads taken."""
    game = state.game
    places = [*state.rows, *state.hands, *state.piles, state.stock, tuple(play.card for play in state.queue)]
    assert sorted(card for cards in places for card in cards) == list(game.deck)
    assert all(state.rows) or not state.rows
    assert isinstance(game, Classic)
    for row in range(len(state.rows)):
        assert len(state.rows[row]) + game.occupied(state, row) <= game.row_limit


def play_randomly(game: Game, seed: int, *, check: bool = True) -> tuple[GameState, str]:
    """A complete game of uniformly random choices: its final state and its events as text."""
    rng = Rng.from_seed(seed, stream=1)
    state = game.deal(seed)
    text = []
    heads = [0] * game.players
    while state.pending:
        if check:
            check_accounts(state)
            again = game.from_position(str(state.position), ordered=True)
            assert (again.rows, again.hands, again.piles, again.queue, again.extra, again.pending) == (
                state.rows, state.hands, state.piles, state.queue, state.extra, state.pending
            ), str(state.position)  # fmt: skip
        choices = {}
        for seat, decision in state.pending.items():
            at, rng = rng.below(len(decision.options))
            choices[seat] = decision.options[at]
        state, events = state.choose(choices)
        for event in events:
            if isinstance(event, RowTaken):
                heads[event.seat] += event.heads
        text.append(events_text(events))
    assert list(state.totals) == heads
    return state, "".join(text)


SYSTEMS = [(Classic, players) for players in range(2, 11)] + [(Advanced, players) for players in range(2, 7)]


@pytest.mark.parametrize("names", COMBINATIONS)
@pytest.mark.parametrize(("system", "players"), [(Classic, 2), (Classic, 10), (Advanced, 3)])
def test_random_games_end_with_every_card_accounted_for(
    system: type[Classic], players: int, names: tuple[str, ...]
) -> None:
    game = system(players=players, fan_cards=names, combine_fan_cards=True, rounds=2)
    state, text = play_randomly(game, seed=players)
    assert state.is_over
    assert (state, text) == play_randomly(game, seed=players, check=False)


@pytest.mark.slow
@pytest.mark.parametrize("names", COMBINATIONS)
@pytest.mark.parametrize(("system", "players"), SYSTEMS)
def test_many_random_rounds(system: type[Classic], players: int, names: tuple[str, ...]) -> None:
    game = system(players=players, fan_cards=names, combine_fan_cards=True, rounds=1)
    for seed in range(300):
        assert play_randomly(game, seed, check=seed < 20)[0].is_over


@pytest.mark.parametrize(
    ("names", "expected"),
    [
        (("even_odd",), (42, 528, 1308)),
        (("mountain",), (15, 102, 138)),
        (("jumping_cow",), (30, 273, 540)),
        (("number_twister",), (99, 2181, 8517)),
        (NAMES, (51, 846, 2595)),
    ],
)
def test_perft(names: tuple[str, ...], expected: tuple[int, int, int]) -> None:
    """Lines of play by turn from a small table, counted by the engine and by the second implementation."""
    start = "20 25 | 31 33 35 41 | 52 54 | 63 ; A: 4 23 64 ; B: 17 36 90"
    game = fan_game(names)
    state = game.from_position(start)
    counts = perft(state, 3)
    twisters = {0, 1} if "number_twister" in names else set()
    table = oracle_of(state)
    assert counts == oracle_perft(table, [list(hand) for hand in state.hands], twisters, 3)
    assert tuple(counts) == expected


def perft(state: GameState, turns: int) -> list[int]:
    """How many different lines there are after 1, 2, … turns."""
    states, counts = [state], []
    for _ in range(turns):
        after: list[GameState] = []
        for before in states:
            a, b = before.pending[0].options, before.pending[1].options
            open_ = [before.choose({0: x, 1: y})[0] for x in a for y in b]
            while open_:
                reached = open_.pop()
                if reached.queue:
                    ((seat, decision),) = reached.pending.items()
                    open_ += [reached.choose({seat: row})[0] for row in decision.options]
                else:
                    after.append(reached)
        states = after
        counts.append(len(states))
    return counts


def oracle_perft(table: OracleTable, hands: list[list[int]], twisters: set[int], turns: int) -> list[int]:
    nodes = [(table, hands, twisters)]
    counts = []
    for _ in range(turns):
        after = []
        for before, (mine, yours), left in nodes:
            for a, b in [(x, y) for x in ways(mine, 0 in left) for y in ways(yours, 1 in left)]:
                hand_a, hand_b = [c for c in mine if c != a[0]], [c for c in yours if c != b[0]]
                unused = left - {seat for seat, way in ((0, a), (1, b)) if way[1]}
                answers: list[list[int]] = [[]]  # rows for the low cards of this turn, as far as they are needed
                while answers:
                    rows = answers.pop()
                    copy = OracleTable([list(r) for r in before.rows], before.even_odd, before.mountain, before.cow)
                    given = iter(rows)
                    try:
                        copy.turn([(0, *a), (1, *b)], partial(next_row, given))
                    except StopIteration:
                        answers += [[*rows, row] for row in range(4)]
                    else:
                        after.append((copy, [hand_a, hand_b], unused))
        nodes = after
        counts.append(len(nodes))
    return counts


def ways(hand: list[int], twister: bool) -> list[tuple[int, bool]]:
    return [(card, False) for card in hand] + [(card, True) for card in hand if twister and 10 <= card <= 99]


def test_one_kind_at_a_time_unless_asked_for() -> None:
    with refused(RulesError, "classic.one_fan"):
        Classic(players=3, fan_cards=("even_odd", "mountain"))
    game = fan_game(("number_twister", "jumping_cow", "even_odd"))
    assert [card.name for card in game.fan_cards] == ["even_odd", "jumping_cow", "number_twister"]
    assert [name for name in fan_cards() if name in NAMES] == list(NAMES), "R-F0: in that order"


@pytest.mark.parametrize(
    "bad",
    [
        ("no_such",), ("mountain", "mountain"), (7,),
        ({"name": "mountain", "height": 3},), ({"height": 3},), ({"name": []},),
    ],
)  # fmt: skip
def test_bad_fan_cards_are_refused(bad: tuple[object, ...]) -> None:
    with pytest.raises(RulesError):
        Classic(players=3, fan_cards=bad, combine_fan_cards=True)  # type: ignore[arg-type]


def test_options_survive_as_plain_data() -> None:
    game = Classic(players=3, fan_cards=(NumberTwister(comes_back="game"),))
    assert game.to_json()["fan_cards"] == [{"name": "number_twister", "comes_back": "game"}]
    assert from_options(game.to_json()) == game


@pytest.mark.parametrize(
    "section",
    [
        "even_odd: 5 odd", "even_odd: 4", "even_odd: 4 blue", "even_odd: x odd", "even_odd: 1 odd odd",
        "mountain: 1 up", "mountain: 4 down", "mountain: 0 up", "mountain: 2 left", "mountain:",
        "jumping_cow: 2", "jumping_cow: 9", "jumping_cow: 1 2", "jumping_cow: ²",
        "number_twister: Z", "number_twister: AB", "number_twister: 1", "cow: 1",
    ],
)  # fmt: skip
def test_bad_sections_are_refused(section: str) -> None:
    # Row 2 has five cards: no place for the cow.
    with pytest.raises(NimmtError):
        fan_game(NAMES).from_position(f"20 | 31 33 35 41 45 | 52 | 63 ; A: 4 ; B: 17 ; {section}")


@given(st.sampled_from(NAMES), st.text(max_size=12))
def test_the_section_reader_never_fails_otherwise(name: str, body: str) -> None:
    with contextlib.suppress(NimmtError):
        fan_game(NAMES).from_position(f"20 | 31 33 | 52 | 63 ; A: 4 ; B: 17 ; {name}: {body}")


def test_cards_that_count_as_others_need_a_twister() -> None:
    start = "20 | 31 33 | 52 | 63 ; A: 4 ; B: 17 ; place: A24=42 B70"
    with refused(PositionError, "classic.place_nothing_makes", card=24, number=42):
        Classic(players=2).from_position(start)
    with refused(PositionError, "classic.place_nothing_makes", card=24, number=43):
        fan_game(NAMES).from_position(start.replace("42", "43"))
    assert fan_game(("number_twister",)).from_position(start).rows[1] == (31, 33, 24)


def test_illegal_twists() -> None:
    state = fan_game(("number_twister",)).from_position("20 | 31 | 52 | 63 ; A: 4 24 ; B: 17 90 ; number_twister: A")
    with refused(NotInHand, "engine.cannot_play", who="B", choice="17~", options="17 90"):
        state.choose({0: 4, 1: Twist(17)})
    with pytest.raises(NotInHand):
        state.choose({0: Twist(4), 1: 17})
    assert state.pending[0].read("24~") == Twist(24)
