"""OpenSpiel's games: its own tests for every system, what players know, and its solver beside ours."""

from __future__ import annotations

from fractions import Fraction

import pyspiel
import pytest
from open_spiel.python.algorithms import exploitability
from open_spiel.python.policy import UniformRandomPolicy

from nimmt_lab import Classic, Game, all_games
from nimmt_lab.bots import bot
from nimmt_lab.engine.cards import TEAM
from nimmt_lab.engine.errors import RulesError
from nimmt_lab.engine.rng import Rng
from nimmt_lab.rl.rules_text import game_from_text, rules_text
from nimmt_lab.rl.spiel import SpielBot, SpielState, seen_by, spiel_game
from nimmt_lab.solver import solve
from tests.engine.test_what_views_hide import SETTINGS, redealt, seats_of
from tests.support import GAMES, random_record

DUEL = Classic(players=2, rounds=1)
#: Small open positions in which both must mix, and what they are worth to A.
POSITIONS = {
    "3 12 59 80 | 28 56 58 77 103 | 8 21 67 102 | 5 ; A: 13 83 ; B: 16 86": Fraction(49, 10),
    "4 9 47 71 | 6 42 45 | 14 80 | 24 29 50 89 103 ; A: 88 96 ; B: 83 95": Fraction(-30, 13),
    "2 9 23 27 36 | 10 22 | 40 52 57 58 100 | 31 50 54 ; A: 65 88 ; B: 73 98": Fraction(-5, 12),
}


def at_random(state: SpielState, rng: Rng, steps: int) -> Rng:
    """Play on by chance."""
    for _ in range(steps):
        if state.is_terminal():
            break
        if state.is_chance_node():
            at, rng = rng.below(len(state.chance_outcomes()))
            state.apply_action(at)
        elif state.is_simultaneous_node():
            actions = []
            for player in range(state.num_players()):
                legal = state.legal_actions(player)
                at, rng = rng.below(len(legal))
                actions.append(legal[at])
            state.apply_actions(actions)
        else:
            legal = state.legal_actions()
            at, rng = rng.below(len(legal))
            state.apply_action(legal[at])
    return rng


@pytest.mark.exhaustive
@pytest.mark.parametrize("label", GAMES)
def test_their_test_passes_with_serialisation(label: str) -> None:
    pyspiel.random_sim_test(spiel_game(GAMES[label], deals=5), num_sims=1, serialize=True, verbose=False)


@pytest.mark.slow
@pytest.mark.parametrize("label", GAMES)
def test_their_test_passes_many_times(label: str) -> None:
    pyspiel.random_sim_test(spiel_game(GAMES[label]), num_sims=20, serialize=True, verbose=False)


@pytest.mark.parametrize("name", all_games())
def test_every_game_is_registered(name: str) -> None:
    game = pyspiel.load_game(f"nimmt_{name}")
    assert game.num_players() == game.rules.players + (TEAM in game.rules.pile_seats) and game.rules.name == name
    assert str(pyspiel.load_game(str(game))) == str(game)


def test_states_are_copied_and_come_back_from_text() -> None:
    game = spiel_game(Classic(players=3, rounds=2), deals=9)
    state = game.new_initial_state()
    at_random(state, Rng.from_seed(4), 12)
    copy = state.clone()
    assert copy.here == state.here and copy.known(1) == state.known(1)
    before = state.here
    at_random(copy, Rng.from_seed(5), 3)
    assert state.here == before != copy.here
    again, back = pyspiel.deserialize_game_and_state(pyspiel.serialize_game_and_state(game, state))
    assert back.here == state.here and again.rules == game.rules
    assert [back.information_state_string(player) for player in range(3)] == [
        state.known(player) for player in range(3)
    ]


@pytest.mark.parametrize("label", GAMES)
def test_it_is_the_engines_game(label: str) -> None:
    """One question a node: asked of everybody, of one seat, or of chance; and what it pays at the end."""
    rules = GAMES[label]
    state = spiel_game(rules, deals=7, utility="heads").new_initial_state()
    rng = Rng.from_seed(3)
    if state.is_chance_node():
        state.apply_action(6)
        assert state.here == rules.deal(6)
    for _ in range(400):
        pending = state.here.pending
        if not pending:
            break
        seats = [state.seat(player) for player in range(state.num_players())]
        assert state.is_simultaneous_node() == (len(pending) > 1)
        if len(pending) == 1:
            assert [seats[state.current_player()]] == list(pending)
        for player, seat in enumerate(seats):
            if seat in pending:
                assert len(state.legal_actions(player)) == len(pending[seat].options)
            elif len(pending) > 1:
                assert state.legal_actions(player) == [0]
        rng = at_random(state, rng, 1)
    outcome = state.here.outcome
    if outcome is not None and TEAM not in rules.pile_seats:
        sign = 1 if rules.more_is_better else -1
        assert state.returns() == [float(sign * total) for total in outcome.totals]


@pytest.mark.parametrize("options", SETTINGS, ids=lambda options: " ".join(map(str, options.values())))
def test_hidden_stays_hidden(options: dict[str, object]) -> None:
    from nimmt_lab.engine.registry import from_options

    for seed in range(6):
        state = random_record(from_options(options), seed, choices=7 * seed).final
        if state.is_over:
            continue
        for seat in seats_of(state.game):
            other = redealt(state, seat, Rng.from_seed(seed, stream=seat + 1))
            if not other.is_over:
                assert seen_by(other, seat) == seen_by(state, seat)


def test_what_is_known_is_remembered() -> None:
    """The same table by two ways is two information states to who can tell them apart."""
    game = spiel_game(DUEL, "12 | 37 | 43 | 58 ; A: 14 60 90 ; B: 15 61 70")
    one, other = game.new_initial_state(), game.new_initial_state()
    for state, actions in ((one, [[14, 15], [60, 61]]), (other, [[60, 61], [14, 15]])):
        for joint in actions:
            state.apply_actions(joint)
    assert one.here == other.here
    assert one.known(0) != other.known(0) and one.known(0).split("#")[0] == other.known(0).split("#")[0]
    assert one.observation_string(0) == other.observation_string(0)
    assert "others" not in one.known(0)
    shown = spiel_game(DUEL, "12 | 37 | 43 | 58 ; A: 14 60 90 ; B: 15 61 70", open_hands=True).new_initial_state()
    assert "(15, 61, 70)" in shown.known(0) and "(15, 61, 70)" not in game.new_initial_state().known(0)


def test_utilities() -> None:
    position = "12 13 14 15 16 | 37 | 43 | 58 ; A: 17 ; B: 60"
    paid = {}
    for utility in ("margin", "heads", "win"):
        state = spiel_game(DUEL, position, utility=utility).new_initial_state()
        state.apply_actions([17, 60])
        paid[utility] = state.returns()
    heads = float(DUEL.heads_in((12, 13, 14, 15, 16)))
    assert paid == {"margin": [-heads, heads], "heads": [-heads, 0], "win": [0, 1]}
    three = spiel_game(
        Classic(players=3, rounds=1), "12 13 14 15 16 | 37 | 43 | 58 ; A: 17 ; B: 60 ; C: 61"
    ).new_initial_state()
    three.apply_actions([17, 60, 61])
    assert three.returns() == [-heads, heads / 2, heads / 2]


@pytest.mark.parametrize("position", POSITIONS)
def test_their_solver_comes_to_our_exact_value(position: str) -> None:
    solution = solve(DUEL.from_position(position))
    assert solution.bounds.lo <= POSITIONS[position] <= solution.bounds.hi and solution.bounds.width < 1e-9
    game = pyspiel.convert_to_turn_based(spiel_game(DUEL, position, open_hands=True))
    solver = pyspiel.CFRPlusSolver(game)
    for _ in range(250):
        solver.evaluate_and_update_policy()
    average = solver.average_policy()
    value = pyspiel.expected_returns(game.new_initial_state(), average, -1, False)[0]
    assert abs(value - POSITIONS[position]) < 0.001
    # How much a player could still gain by doing something else: little beside what random play leaves.
    assert pyspiel.nash_conv(game, average) < exploitability.nash_conv(game, UniformRandomPolicy(game)) / 10


def test_our_bots_play_their_games() -> None:
    game = spiel_game(Classic(players=3, rounds=1), utility="heads")
    won = [0.0, 0.0, 0.0]
    for seed in range(8):
        bots = [
            SpielBot(bot("least-risk"), 0, seed),
            SpielBot(bot("random"), 1, seed),
            SpielBot(bot("lowest"), 2, seed),
        ]
        won = [sum(pair) for pair in zip(won, pyspiel.evaluate_bots(game.new_initial_state(), bots, seed), strict=True)]
    assert max(won) == won[0] > won[1]
    # A bot is the bot it is: it does what it does in our own games.
    state = game.new_initial_state()
    state.apply_action(5)
    assert SpielBot(bot("lowest"), 1).step(state) == state.here.hands[1][0]


@pytest.mark.parametrize("game", [DUEL, *list(GAMES.values())[:8]], ids=repr)
def test_rules_travel_in_a_word(game: Game) -> None:
    text = rules_text(game)
    assert game_from_text(text, game.name) == game
    assert not set(text) & set(",=() ")


def test_what_cannot_be_read_is_refused() -> None:
    with pytest.raises(RulesError, match="no game can be read"):
        game_from_text("!!", "classic")
    with pytest.raises(RulesError, match="not those of baron"):
        game_from_text(rules_text(DUEL), "baron")
    with pytest.raises(RulesError, match="utility must be one of"):
        spiel_game(DUEL, utility="money")
    with pytest.raises(RulesError, match="deals must be from 1"):
        spiel_game(DUEL, deals=0)


def test_a_game_is_named_as_for_the_other_environments() -> None:
    assert str(spiel_game("classic", players=3, rounds=1)) == str(spiel_game(Classic(players=3, rounds=1)))
    with pytest.raises(RulesError, match="classic needs 'players'"):
        spiel_game("classic")
    with pytest.raises(RulesError, match="has its options already; got rounds besides"):
        spiel_game(Classic(players=3), rounds=1)
