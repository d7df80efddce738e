"""Random games of the board game: tiles, cards and points are accounted for at every step, in every mode.

Lines of play of the basic game are also counted by an independent loop.
"""

from __future__ import annotations

import itertools
from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from nimmt_lab import Baron, Game, GameState, Record
from nimmt_lab.engine.cards import EMPTY
from nimmt_lab.engine.decisions import ChooseCard
from nimmt_lab.engine.errors import GameOver, NimmtError
from nimmt_lab.engine.events import CardPlaced, Event
from nimmt_lab.engine.habits import random_choices
from nimmt_lab.engine.registry import from_options
from nimmt_lab.engine.rng import Rng
from nimmt_lab.games.board_game.events import FieldActed, PointsScored
from nimmt_lab.games.board_game.material import Board, Pieces
from nimmt_lab.games.board_game.parts import Action, BoardExtra
from nimmt_lab.games.board_game.rules import BoardGame
from nimmt_lab.games.board_game.uses import ChooseTiles, Tiles, UseCards
from tests.games.test_baron import same
from tests.support import cards_of, random_record

SETTINGS: list[dict[str, object]] = [
    {"system": "board", "players": players, "mode": mode, "luck": luck}
    for mode in ("basic", "advanced")
    for luck in (False, True)
    for players in range(2, 7)
]
IDS = [" ".join(map(str, options.values())) for options in SETTINGS]


def check_state(game: BoardGame, state: GameState, tiles: Counter[int]) -> None:
    """Invariants of every state with pending decisions, and of the end."""
    extra = BoardExtra.of(state)
    assert cards_of(state) == tiles, "every tile is somewhere, once"
    actions = Counter([*itertools.chain(*extra.actions), *extra.action_deck, *extra.discards])
    counts = game.box.action_cards if game.advanced else (0,) * 6
    assert actions == +Counter(dict(zip(Action, counts, strict=True))), "every action card is somewhere"
    luck = Counter(kind.value for cards in extra.luck for kind in cards)
    assert (
        luck["plus_five"] + extra.luck_stacks[0], luck["positive_heads"] + extra.luck_stacks[1]
    ) == (game.box.luck_cards if game.luck else (0, 0))  # fmt: skip
    assert all(-44 <= total <= 44 for total in state.totals)
    assert sum(map(bool, state.rows)) == (4 if extra.starting is None else 3), "four rows are always active"
    for row, fields in zip(state.rows, game.layout.rows, strict=True):
        assert len(row) < len(fields)
        assert not row or EMPTY not in (row[0], row[-1])
        assert game.advanced or EMPTY not in row
    assert not state.is_over or (extra.owed is None and extra.starting is None and not state.queue)
    assert len(extra.stops) <= 2 and all(state.rows[row] for row in extra.stops)
    for decision in state.pending.values():
        # Forced moves are not asked, except of seats with an action card (R-P19).
        forced = len(decision.options) == 1 and not isinstance(decision, ChooseCard | ChooseTiles)
        assert not forced or (isinstance(decision, UseCards) and extra.actions[state.queue[0].seat])
        assert len(set(decision.options)) == len(decision.options)


def check_events(game: BoardGame, before: GameState, events: tuple[Event, ...], after: GameState) -> None:
    """Only events change scores; losses count clovers; fields match the board."""
    totals = list(before.totals)
    for event in events:
        if isinstance(event, PointsScored):
            assert totals[event.seat] == event.before
            assert event.after == max(-44, min(44, event.before + event.points))
            final = event.rule.key in ("board.tiles-left", "board.actions-left")
            down = [c for c in game.layout.clovers if event.after <= c < event.before]
            assert list(event.clovers) == (down if game.luck and not final else [])
            totals[event.seat] = event.after
        elif isinstance(event, FieldActed):
            assert game.layout.rows[event.row][event.slot] == event.field not in (".", "two")
        elif isinstance(event, CardPlaced):
            assert event.slot < len(game.layout.rows[event.row])
    assert tuple(totals) == after.totals


def all_tiles(game: BoardGame, state: GameState) -> Counter[int]:
    """The tiles in play: all, or only those dealt in the basic game of four to six."""
    tiles = cards_of(state)
    out = 0 if game.advanced or game.players <= 3 else 100 - 12 * game.players - 4
    assert len(tiles) == 100 - out and set(tiles) <= set(range(1, 101)) and max(tiles.values()) == 1
    return tiles


class BoardWalk(RuleBasedStateMachine):
    """Random play, checked after every choice."""

    @initialize(at=st.integers(0, len(SETTINGS) - 1), seed=st.integers(0, 2**32))
    def start(self, at: int, seed: int) -> None:
        game = from_options(SETTINGS[at])
        assert isinstance(game, BoardGame)
        self.game = game
        self.record = Record(self.game, seed=seed)
        self.tiles = all_tiles(self.game, self.record.final)

    @precondition(lambda self: self.record.final.pending)
    @rule(draw=st.integers(0, 2**32))
    def choose(self, draw: int) -> None:
        choices, _ = random_choices(self.record.final, Rng.from_seed(draw))
        self.record = self.record.then(choices)
        step = self.record.steps[-1]
        check_events(self.game, step.before, step.events, step.state)

    @precondition(lambda self: not self.record.final.pending)
    @rule()
    def nothing_is_asked_when_it_is_over(self) -> None:
        with pytest.raises(GameOver):
            self.record.final.choose({0: 1})

    @invariant()
    def everything_is_accounted_for(self) -> None:
        check_state(self.game, self.record.final, self.tiles)

    @invariant()
    def positions_round_trip(self) -> None:
        state = self.record.final
        assert same(self.game.from_position(str(state.position)), state)

    @invariant()
    def options_are_written_and_read(self) -> None:
        for seat, decision in self.record.final.pending.items():
            for option in decision.options[:40]:
                assert decision.accept(seat, decision.read(decision.write(option))) == option

    def teardown(self) -> None:
        if hasattr(self, "record"):
            for again in (Record.from_text(self.record.to_text()), Record.from_json(self.record.to_json())):
                assert again == self.record and again.events_text() == self.record.events_text()


TestBoardWalk = BoardWalk.TestCase
TestBoardWalk.settings = settings(max_examples=40, stateful_step_count=40)


def walk_games(options: dict[str, object], seeds: range) -> None:
    """Complete random games, checked after every choice."""
    game = from_options(options)
    assert isinstance(game, BoardGame)
    for seed in seeds:
        rng = Rng.from_seed(seed, stream=4)
        state = game.deal(seed)
        tiles = all_tiles(game, state)
        while state.pending:
            choices, rng = random_choices(state, rng)
            after, events = state.choose(choices)
            check_events(game, state, events, after)
            check_state(game, after, tiles)
            state = after
        assert state.outcome and state.outcome.totals == state.totals
        best = max(state.totals)
        assert state.outcome.winners == tuple(seat for seat, total in enumerate(state.totals) if total == best)
        assert any(not hand for hand in state.hands)


@pytest.mark.parametrize("options", SETTINGS, ids=IDS)
def test_random_games_end(options: dict[str, object]) -> None:
    walk_games(options, range(8))


@pytest.mark.slow
@pytest.mark.parametrize("options", SETTINGS, ids=IDS)
def test_ten_thousand_random_games_end(options: dict[str, object]) -> None:
    walk_games(options, range(10_000))


@given(seed=st.integers(0, 2**32), choices=st.integers(0, 90), at=st.integers(0, len(SETTINGS) - 1))
@settings(max_examples=60)
def test_unfinished_records_round_trip(seed: int, choices: int, at: int) -> None:
    record = random_record(from_options(SETTINGS[at]), seed, choices)
    assert Record.from_text(record.to_text()) == record
    assert Record.from_json(record.to_json()) == record


WORDS = st.sampled_from(
    ["A", "B", "C", "T", "a", "0", "1", "2", "3", "5", "10", "11", "99", "101", "-1", "-", "x", "+", "|", "²", "٣"]
    + ["skip", "row", "start", "luck", "stop", "swap", "plus_five", "positive_heads", "board.end", "B99", "A1"]
)
SECTION = st.tuples(
    st.sampled_from(
        ["A", "B", "A+", "place", "stock", "totals", "round", "turn", "luck", "stacks", "actions", "deck", "discards"]
        + ["stops", "plan", "starting", "owed", "over", "draw"]
    ),
    st.lists(WORDS, max_size=5).map(" ".join),
).map(": ".join)


@given(
    rows=st.sampled_from(
        ["50 | 70 | 20 | 60 | | | | | | ", "50 | 70 - 71 | 20 | | | | | | | ", "10 | 20 | 30 | 40 | 50"]
    ),
    sections=st.lists(SECTION, max_size=5),
    game=st.sampled_from([BoardGame(2), BoardGame(2, "advanced", luck=True), Baron(2), Baron(2, "bulls_are_good")]),
)
@settings(max_examples=400)
def test_no_position_text_breaks_the_reader(rows: str, sections: list[str], game: Game) -> None:
    try:
        state = game.from_position(" ; ".join([rows, *sections]))
    except NimmtError:
        return
    assert same(game.from_position(str(state.position)), state)


@pytest.mark.parametrize("options", SETTINGS, ids=IDS)
def test_a_record_has_a_line_for_each_turn(options: dict[str, object]) -> None:
    record = random_record(from_options(options), seed=6)
    labels = [label.removeprefix("2/") for label, _ in record.lines]
    assert labels == [str(turn) for turn in range(1, len(labels) + 1)]
    assert record.final.turn == len(labels)


def test_a_pass_for_the_first_of_two_tiles_is_not_mistaken() -> None:
    """Notation omits passes: a card for a seat's second tile must not be read as one for its first."""
    rows = ((".", "two", ".", ".", "take"),) + ((".", ".", ".", ".", ".", "take"),) * 5
    game = BoardGame(players=2, mode="advanced", board=Board("test", "advanced", rows))
    start = "50 | 70 | 20 | 60 | | ; A: 21 71 1 ; B: 22 72 2 ; actions: A skip"
    record = Record(game, start=start)
    record = record.then({0: Tiles(21, 71), 1: Tiles(22, 72)})
    options = record.final.pending[0].options
    record = record.then({0: options[0]})  # not for 21
    record = record.then({0: record.final.pending[0].options[1]})  # but for 71
    assert record.final.rows[1] == (70, EMPTY, 71, 72) and record.final.rows[2] == (20, 21, 22)
    assert "1. A21+71!71:skip B22+72 " in record.to_text()
    assert Record.from_text(record.to_text()) == record


# Counting lines of play of the basic game ------------------------------------------------------------------

FIELDS = (". g . take", ". rr +5 . take", "r . take", "gg two -3 take", "-2 . take", ". . . take")
HEADS = {tile: 1 + tile % 3 for tile in range(1, 101)}


def count(rows: list[list[int]], hands: list[list[int]], scores: list[int]) -> tuple[int, int]:
    """Lines of play to the end, and the sum of all scores at their ends."""
    if not any(hands):
        return 1, sum(scores)
    fields = [row.split() for row in FIELDS]
    two = any(row and "two" in board[len(row) :] for row, board in zip(rows, fields, strict=True))
    lines = total = 0
    for plays in itertools.product(*(itertools.combinations(hand, min(2 if two else 1, len(hand))) for hand in hands)):
        table = [list(row) for row in rows]
        points = list(scores)
        for tile, seat in sorted((tile, seat) for seat, chosen in enumerate(plays) for tile in chosen):
            place(table, fields, points, tile, seat)
        rest = [[tile for tile in hand if tile not in chosen] for hand, chosen in zip(hands, plays, strict=True)]
        more, sum_ = count(table, rest, points)
        lines += more
        total += sum_
    return lines, total


def place(table: list[list[int]], fields: list[list[str]], points: list[int], tile: int, seat: int) -> None:
    ends = sorted((row[-1], at) for at, row in enumerate(table) if row)
    lower = [at for end, at in ends if end < tile]
    land(table, fields, points, tile, seat, lower[-1] if lower else ends[-1][1])


def land(table: list[list[int]], fields: list[list[str]], points: list[int], tile: int, seat: int, at: int) -> None:
    field = fields[at][len(table[at])]
    gain = {"g": HEADS[tile], "gg": 2 * HEADS[tile], "r": -HEADS[tile], "rr": -2 * HEADS[tile]}.get(field, 0)
    if field[0] in "+-":
        gain = int(field)
    if field == "take":
        points[seat] = max(-44, points[seat] - sum(HEADS[other] for other in table[at]))
        table[at].clear()
        empty = [row for row in range(len(table)) if not table[row]]
        land(table, fields, points, tile, seat, next((row for row in empty if row > at), empty[0]))
        return
    table[at].append(tile)
    points[seat] = max(-44, min(44, points[seat] + gain))


def engine_count(state: GameState) -> tuple[int, int]:
    if not state.pending:
        return 1, sum(state.totals)
    lines = total = 0
    for choices in itertools.product(*(decision.options for decision in state.pending.values())):
        more, sum_ = engine_count(state.choose(dict(zip(state.pending, choices, strict=True)))[0])
        lines += more
        total += sum_
    return lines, total


@pytest.mark.parametrize(
    ("rows", "hands", "lines", "points"),
    [
        ("50 | 70 | 20 | 60 | | ", [[5, 21, 71], [22, 61, 99]], 9, -98),
        ("50 51 | 70 3 | | 60 62 | | 9 10", [[5, 21, 71], [22, 61, 99]], 36, -381),
        ("50 51 52 | 70 3 4 | 20 21 | | 60 | ", [[5, 22, 71], [23, 61, 99], [1, 53, 54]], 62, -1114),
        ("50 51 52 | 70 3 4 | 20 21 | 60 | | ", [[5, 22, 71, 72], [23, 61, 99, 100]], 144, -3234),
    ],
)
def test_lines_of_play_are_counted(rows: str, hands: list[list[int]], lines: int, points: int) -> None:
    pieces = Pieces("test", tuple(HEADS[tile] for tile in range(1, 101)))
    board = Board("test", "basic", tuple(tuple(row.split()) for row in FIELDS))
    text = "; ".join([rows, *(f"{'ABC'[seat]}: {' '.join(map(str, hand))}" for seat, hand in enumerate(hands))])
    state = BoardGame(players=len(hands), board=board, pieces=pieces).from_position(text)
    table = [[int(word) for word in row.split()] for row in rows.split("|")]
    assert count(table, hands, [0] * len(hands)) == (lines, points)
    assert engine_count(state) == (lines, points)
