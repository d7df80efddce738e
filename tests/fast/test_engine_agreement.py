"""Kernels and engine play the same turns, placement by placement: same deal, same rows, same takes, same markers."""

from __future__ import annotations

import pytest

from nimmt_lab import Advanced, Classic
from nimmt_lab.engine.events import CardPlaced, RowTaken
from nimmt_lab.engine.rng import Rng
from nimmt_lab.engine.state import GameState
from nimmt_lab.engine.table import Table
from nimmt_lab.fast import kernels as k
from nimmt_lab.fast.rounds import FIELDS, LOW_CARDS, POLICIES, Plan, stream_key
from nimmt_lab.fast.table import lay_table, system_of
from nimmt_lab.games.classic.rules import ClassicRule
from nimmt_lab.games.jumping_cow.rules import JumpingCowRule
from nimmt_lab.games.number_twister.rules import Twist

GAMES = {
    "classic": lambda n: Classic(players=n, rounds=1),
    "advanced": lambda n: Advanced(players=n, rounds=1),
    "even_odd": lambda n: Classic(players=n, rounds=1, fan_cards=("even_odd",)),
    "mountain": lambda n: Classic(players=n, rounds=1, fan_cards=("mountain",)),
    "jumping_cow": lambda n: Classic(players=n, rounds=1, fan_cards=("jumping_cow",)),
    "number_twister": lambda n: Classic(players=n, rounds=1, fan_cards=("number_twister",)),
}
RULE_BITS = {ClassicRule.FULL_ROW: 4, ClassicRule.LOW_CARD: 8, JumpingCowRule.MAKES_SIX: 16}


def dealt(game: Classic, seed: int, number: int, m: k.Array) -> GameState:
    """The engine's state for round `number`, by the engine's own dealing; a draft picks what the kernel picked."""
    table = Table(game, Rng.from_seed(seed, stream=number))
    game.start_round(table)
    state = game._run(table)
    if isinstance(game, Advanced):
        for pick in range(10 * game.players):
            seat = (number + pick) % game.players
            assert list(state.pending) == [(pick) % game.players]
            picked = int(m[k.DECK + 10 * seat + pick // game.players])
            # The engine's round 1 starts with seat A: turn the kernel's seats accordingly.
            state, _ = state.choose({pick % game.players: picked})
    return state


def turn_of_engine(
    state: GameState, choices: dict[int, object], rows: dict[int, int], cheapest: bool
) -> tuple[GameState, list[list[int]]]:
    """Play one turn; per placement [seat, card, row, packed takes]. Low cards go to `rows[seat]` or the cheapest row."""
    placements: list[list[int]] = []
    state, events = state.choose(choices)
    seen = list(events)
    while state.queue:
        (seat,) = state.pending
        row = state.game.cheapest_row(state) if cheapest else rows[seat]
        state, events = state.choose({seat: row})
        seen += events
    takes = 0
    for event in seen:
        if isinstance(event, RowTaken):
            code = RULE_BITS[event.rule] + (event.heads << 8)
            if event.rule is JumpingCowRule.MAKES_SIX:
                placements[-1][3] += code
            else:
                takes = code
        elif isinstance(event, CardPlaced):
            placements.append([event.seat, event.card, event.row, takes])
            takes = 0
    return state, placements


@pytest.mark.parametrize("low", ["cheapest", "random"])
@pytest.mark.parametrize("system", GAMES)
def test_every_placement_agrees(system: str, low: str) -> None:
    turns = 0
    for n in range(2, 7 if system == "advanced" else 11):
        game = GAMES[system](n)
        code = system_of(game)
        m, rng = k.memory(n)
        expected, _ = k.memory(n)
        lows = k.zeros(16)
        lows[:] = [LOW_CARDS[low]] * 16
        for number in range(0, 60 * n, n):  # multiples of n: the same seat picks first in a draft
            k.start_stream(rng, stream_key(11), number)
            k.start_round(code, n, number, m, rng)
            state = dealt(game, 11, number, m)
            for seat in range(n):
                assert sorted(m[k.DECK + 10 * seat : k.DECK + 10 * seat + 10]) == list(state.hands[seat])
                m[k.TWISTERS + seat] = 1
            for turn in range(10):
                for seat in range(n):
                    first = k.DECK + 10 * seat
                    play = k.choose(code, k.RANDOM, m, first + turn, first + 10, m[k.TWISTERS + seat], rng)
                    m[k.PLAYS + seat] = play
                    if play >= 128:
                        m[k.TWISTERS + seat] = 0
                k.play_turn(code, n, lows, m, rng)
                plays = {s: int(m[k.PLAYS + s]) for s in range(n)}
                choices = {s: Twist(c - 128) if c >= 128 else c for s, c in plays.items()}
                logs = {s: int(m[k.LOG + s]) for s in range(n)}
                state, placements = turn_of_engine(
                    state, choices, {s: logs[s] & 3 for s in range(n)}, low == "cheapest"
                )
                order = [int(m[k.ORDER + i]) & 15 for i in range(n)]
                assert placements == [[s, plays[s] & 127, logs[s] & 3, logs[s] & ~3] for s in order]
                turns += 1
                if state.is_over:
                    break
                lay_table(expected, state.rows, state.extra, n)
                shows = 14 if system in ("even_odd", "mountain") else 13
                assert list(m[:shows]) == list(expected[:shows])
                if system == "number_twister":
                    assert list(m[k.TWISTERS : k.TWISTERS + n]) == list(expected[k.TWISTERS : k.TWISTERS + n])
            assert state.is_over
    assert turns >= 3000


@pytest.mark.parametrize("policy", POLICIES)
@pytest.mark.parametrize("system", GAMES)
def test_outcomes_of_whole_rounds_agree(system: str, policy: str) -> None:
    """`simulate` counts what the engine's events say, whatever the policy."""
    n = 4
    game = GAMES[system](n)
    plan = Plan.of(game, policy)
    rounds = 40
    data = plan.play(seed=3, first=0, rounds=rounds).data
    code, lows, policies = plan.system, k.zeros(16), k.zeros(16)
    policies[:] = [POLICIES[policy]] * 16
    m, rng = k.memory(n)
    for number in range(0, rounds, n):
        k.start_stream(rng, stream_key(3), number)
        k.start_round(code, n, number, m, rng)
        state = dealt(game, 3, number, m)
        counted = [[0] * len(FIELDS) for _ in range(n)]
        for seat in range(n):
            m[k.TWISTERS + seat] = 1
        for turn in range(10):
            for seat in range(n):
                first = k.DECK + 10 * seat
                play = k.choose(code, policies[seat], m, first + turn, first + 10, m[k.TWISTERS + seat], rng)
                m[k.PLAYS + seat] = play
                if play >= 128:
                    m[k.TWISTERS + seat] = 0
            choices = {s: int(m[k.PLAYS + s]) for s in range(n)}
            k.play_turn(code, n, lows, m, rng)
            state, placements = turn_of_engine(
                state, {s: Twist(c - 128) if c >= 128 else c for s, c in choices.items()}, {}, True
            )
            for seat, _card, _row, takes in placements:
                parts = (takes >> 8, takes >> 2 & 1, takes >> 3 & 1, takes >> 4 & 15, int(takes > 0))
                counted[seat] = [a + b for a, b in zip(counted[seat], parts, strict=True)]
        assert state.outcome is not None
        assert [seat[0] for seat in counted] == list(state.outcome.totals)
        size = n * len(FIELDS)
        assert list(data[number * size : (number + 1) * size]) == [value for seat in counted for value in seat]
