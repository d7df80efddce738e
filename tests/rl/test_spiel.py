"""OpenSpiel games: its own tests for every system, information states, and its solver compared with ours."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pyspiel
import pytest
from open_spiel.python.algorithms import exploitability
from open_spiel.python.policy import UniformRandomPolicy

from nimmt_lab import Baron, BoardGame, Buffalo, Classic, Game, all_games
from nimmt_lab.bots import bot
from nimmt_lab.engine.cards import TEAM
from nimmt_lab.engine.errors import RulesError
from nimmt_lab.engine.rng import Rng
from nimmt_lab.games.baron.deck import BaronDeck
from nimmt_lab.rl.observe import Observer
from nimmt_lab.rl.recall import Recall
from nimmt_lab.rl.rules_text import game_from_text, rules_text
from nimmt_lab.rl.spiel import ENDLESS, SpielBot, SpielState, seen_by, spiel_bots, spiel_game
from nimmt_lab.solver import solve
from tests.engine.test_what_views_hide import SETTINGS, redealt, seats_of
from tests.support import SHOWN, random_record, refused

DUEL = Classic(players=2, rounds=1)
LATE = "12 | 37 | 43 | 58 ; A: 14 60 ; B: 15 70"
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
@pytest.mark.parametrize("label", SHOWN)
def test_their_test_passes_with_serialisation(label: str) -> None:
    pyspiel.random_sim_test(spiel_game(SHOWN[label], deals=5), num_sims=1, serialize=True, verbose=False)


@pytest.mark.slow
@pytest.mark.parametrize("label", SHOWN)
def test_their_test_passes_many_times(label: str) -> None:
    pyspiel.random_sim_test(spiel_game(SHOWN[label]), num_sims=20, serialize=True, verbose=False)


@pytest.mark.parametrize(
    "name",
    [
        "nimmt_classic(players=2,rounds=1)",
        "nimmt_classic(players=10,rounds=1,utility=win)",
        "nimmt_classic(players=5,rounds=2,edition=002,fan_cards=number_twister)",
        "nimmt_advanced(players=6,rounds=1,utility=heads)",
        "nimmt_baron(players=2,variant=colour_counts)",
        "nimmt_baron(players=10)",
        "nimmt_baron(players=2,variant=bulls_are_good,draw_pile=4,games=2)",
        "nimmt_buffalo(players=1)",
        "nimmt_buffalo(players=2,between_turns=True)",
        "nimmt_buffalo(players=4)",
        "nimmt_buffalo(players=6,hand_size=4)",
        "nimmt_board(players=2)",
        "nimmt_board(players=6,luck=True)",
        "nimmt_board(players=5,mode=advanced,luck=True,horizon=40)",
        "nimmt_classic(players=2,hand_size=2,horizon=30)",
        "nimmt_classic(players=2,rounds=1,open=True,position=12 | 37 | 43 | 58 ; A: 14 60 ; B: 15 70)",
    ],
)
def test_their_test_passes_for_several_numbers_of_players(name: str) -> None:
    """It compares lengths and returns with the bounds, among other things, and copies with their originals."""
    pyspiel.random_sim_test(pyspiel.load_game(name), num_sims=1, serialize=True, verbose=False)


@pytest.mark.parametrize("name", all_games())
def test_every_game_is_registered(name: str) -> None:
    game = pyspiel.load_game(f"nimmt_{name}")
    assert game.num_players() == game.rules.players + (TEAM in game.rules.pile_seats) and game.rules.name == name
    assert str(pyspiel.load_game(str(game))) == str(game)


def test_options_are_parameters() -> None:
    game = pyspiel.load_game(
        "nimmt_classic(players=4,rounds=2,edition=002,fan_cards=mountain+jumping_cow,combine_fan_cards=True,row_order=ascending)"
    )
    chosen = Classic(
        players=4, rounds=2, edition="002", fan_cards=("mountain", "jumping_cow"), combine_fan_cards=True,
        row_order="ascending",
    )  # fmt: skip
    assert game.rules == chosen
    assert pyspiel.load_game(str(game)).rules == game.rules
    assert pyspiel.load_game("nimmt_baron", {"players": 3, "games": 2}).rules == Baron(players=3, games=2)
    assert pyspiel.load_game("nimmt_buffalo(tie=loss)").rules == Buffalo(players=2, tie="loss")
    with refused(RulesError, "engine.for_players", name="classic", got=11):
        pyspiel.load_game("nimmt_classic(players=11)")
    with refused(RulesError, "shared.must_one_of", what="row_order"):
        pyspiel.load_game("nimmt_classic(row_order=descending)")
    with pytest.raises(pyspiel.SpielError):
        pyspiel.load_game("nimmt_classic(colour=red)")
    deck = BaronDeck.of({"7": "rrb"}, title="an example")
    own = spiel_game(Baron(players=3, deck=deck))
    assert pyspiel.load_game(str(own)).rules.deck == deck
    with refused(RulesError, "rl.has_options_already", got="players"):
        pyspiel.load_game(f"nimmt_baron(players=3,rules={rules_text(Baron(players=3, deck=deck))})")


def test_bounds_reach_open_spiel() -> None:
    game = spiel_game(Classic(players=3, rounds=1))
    # One seat takes at most 30 cards with 97 heads, and so do the others together.
    assert (game.min_utility(), game.max_utility(), game.max_game_length()) == (-97, 97 / 2, 20)
    duel = spiel_game(DUEL, "12 13 14 15 16 | 37 | 43 | 58 ; A: 17 ; B: 60", utility="heads")
    worst = DUEL.heads_in((12, 15, 16, 37, 60))
    assert (duel.min_utility(), duel.max_utility(), duel.max_game_length()) == (-worst, 0, 2)
    assert spiel_game(BoardGame(players=2, mode="advanced")).max_game_length() == ENDLESS
    won = spiel_game(BoardGame(players=2), utility="win")
    assert (won.min_utility(), won.max_utility()) == (0, 1)


@pytest.mark.parametrize("utility", ["margin", "heads", "win"])
def test_a_horizon_ends_the_game(utility: str) -> None:
    game = spiel_game(Classic(players=3, rounds=1), deals=3, utility=utility, horizon=9)
    state = game.new_initial_state()
    at_random(state, Rng.from_seed(2), 50)
    assert state.is_terminal() and not state.here.is_over and game.max_game_length() == 9
    heads = [-float(state.here.game.heads_in(pile)) for pile in state.here.piles]
    paid = {"heads": heads, "win": [1 / 3] * 3, "margin": [1.5 * mine - sum(heads) / 2 for mine in heads]}
    assert state.returns() == paid[utility]


@pytest.mark.parametrize("label", SHOWN)
def test_tensors_tell_apart_what_strings_tell_apart(label: str) -> None:
    """Two states look the same to a player by tensor if and only if they do by string."""
    game = spiel_game(SHOWN[label], deals=2, horizon=14)
    recalls = game.make_py_observer(pyspiel.IIGObservationType(perfect_recall=True))
    assert recalls is not None
    strings: dict[bytes, str] = {}
    tensors: dict[str, bytes] = {}
    nodes = 0
    for seed in range(6):
        state, rng = game.new_initial_state(), Rng.from_seed(seed // 2)
        for step in range(14):
            # Two games of one pair diverge in the middle.
            rng = at_random(state, Rng.from_seed(seed, step) if step > 8 else rng, 1)
            if state.is_terminal():
                break
            for player in range(state.num_players()):
                recalls.set_from(state, player)
                seen, known = recalls.tensor.tobytes() + bytes([player]), state.known(player) + str(player)
                assert strings.setdefault(seen, known) == known and tensors.setdefault(known, seen) == seen
                nodes += 1
    assert 0 < len(tensors) < nodes


@pytest.mark.parametrize("options", SETTINGS, ids=lambda options: " ".join(map(str, options.values())))
def test_tensors_hide_what_is_hidden(options: dict[str, object]) -> None:
    from nimmt_lab.engine.registry import from_options

    recall = Recall(Observer(from_options(options)), decisions=3)
    for seed in range(6):
        state = random_record(from_options(options), seed, choices=7 * seed).final
        if state.is_over:
            continue
        for seat in seats_of(state.game):
            other = redealt(state, seat, Rng.from_seed(seed, stream=seat + 1))
            if not other.is_over:
                assert (recall.line(other, seat, 1) == recall.line(state, seat, 1)).all()


def test_it_is_remembered_who_played_which_card() -> None:
    """The table and A's hand are the same, but B and C played each other's card."""
    lines, strings = [], []
    for b, c in ((14, 15), (15, 14)):
        state = Classic(players=3).from_position(f"12 | 37 | 43 | 58 ; A: 59 60 ; B: {b} 70 ; C: {c} 80")
        after, _ = state.choose({0: 59, 1: b, 2: c})
        lines.append(Recall(Observer(after.game), decisions=2).line(after, 0, 59))
        strings.append(seen_by(after, 0))
    assert (lines[0] != lines[1]).sum() == 2 and strings[0] != strings[1]


def test_open_hands_are_in_the_tensor() -> None:
    hidden, shown = (spiel_game(DUEL, LATE, open_hands=is_open).new_initial_state() for is_open in (False, True))
    seen = shown.observation_tensor(0)
    assert len(seen) == len(hidden.observation_tensor(0)) + 104
    assert [card for card in range(1, 105) if seen[len(seen) - 105 + card]] == [15, 70]
    assert seen[:-104] == hidden.observation_tensor(0)


def test_a_history_is_written_as_documented() -> None:
    game = spiel_game(DUEL, LATE)
    state = game.new_initial_state()
    state.apply_actions([60, 15])
    recalls = game.make_py_observer(pyspiel.IIGObservationType(perfect_recall=True))
    assert recalls is not None
    recalls.set_from(state, 1)
    lines, places = recalls.dict["history"], game.setting.recall.places
    assert lines.shape == (5, game.setting.recall.shape[1]) and not lines[2:].any()
    plane = {card: float(lines[1][card - 1]) * len(places) for card in (14, 15, 60, 70)}
    assert plane[14] == 0  # still hidden
    assert places[int(plane[15])] == "row 1" and abs(plane[15] % 1 * 8 - 2 / 5) < 1e-5  # the second card of its row
    assert places[int(plane[60])] == "row 4" and places[int(plane[70])] == "hand"
    assert lines[1][104 + 14] == 0.5 and lines[1][104 + 59] == 1.0  # B's own card, and A's
    assert lines[1][-1] == np.float32(15 / game.num_distinct_actions()) and lines[0][-1] == 0
    nothing = pyspiel.IIGObservationType(perfect_recall=False, private_info=pyspiel.PrivateInfoType.NONE)
    assert game.make_py_observer(nothing) is None


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


@pytest.mark.parametrize("label", SHOWN)
def test_it_is_the_engines_game(label: str) -> None:
    """Each node has one decision: of everybody, of one seat, or of chance; and the end has returns."""
    rules = SHOWN[label]
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
    """One table reached in two ways is two information states for a player who can tell them apart."""
    game = spiel_game(DUEL, "12 | 37 | 43 | 58 ; A: 14 60 90 ; B: 15 61 70")
    one, other = game.new_initial_state(), game.new_initial_state()
    for state, actions in ((one, [[14, 15], [60, 61]]), (other, [[60, 61], [14, 15]])):
        for joint in actions:
            state.apply_actions(joint)
    assert one.here == other.here
    # Apart from the last cards, the table is the same.
    assert one.known(0) != other.known(0) and one.known(0).split(" last")[0] == other.known(0).split(" last")[0]
    for state in (one, other):
        state.apply_actions([90, 70])
    assert one.known(0) != other.known(0) and one.observation_string(0) == other.observation_string(0)
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
    # How much a player could still gain by deviating: little compared with random play.
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
    bots = spiel_bots(["level-3", "edges-first", "random"], seed=4)
    copies = [player.clone() for player in bots]
    returns = [pyspiel.evaluate_bots(game.new_initial_state(), players, 4) for players in (bots, copies)]
    assert returns[0] == returns[1]
    # A bot in OpenSpiel makes the same choices as in our own games.
    state = game.new_initial_state()
    state.apply_action(5)
    assert SpielBot(bot("lowest"), 1).step(state) == state.here.hands[1][0]


@pytest.mark.parametrize("game", [DUEL, *list(SHOWN.values())[:8]], ids=repr)
def test_rules_travel_in_a_word(game: Game) -> None:
    text = rules_text(game)
    assert game_from_text(text, game.name) == game
    assert not set(text) & set(",=() ")


def test_what_cannot_be_read_is_refused() -> None:
    with refused(RulesError, "rl.rules_no_game", text="'!!'"):
        game_from_text("!!", "classic")
    with refused(RulesError, "rl.rules_not_those", name="baron"):
        game_from_text(rules_text(DUEL), "baron")
    with refused(RulesError, "shared.must_one_of", what="utility"):
        spiel_game(DUEL, utility="money")
    with refused(RulesError, "shared.must_from_to", what="deals", least=1):
        spiel_game(DUEL, deals=0)


def test_a_game_is_named_as_for_the_other_environments() -> None:
    assert str(spiel_game("classic", players=3, rounds=1)) == str(spiel_game(Classic(players=3, rounds=1)))
    with refused(RulesError, "engine.needs_players", game="classic"):
        spiel_game("classic")
    with refused(RulesError, "rl.has_options_already", got="rounds"):
        spiel_game(Classic(players=3), rounds=1)


def test_unknown_players_and_short_joint_actions_are_refused() -> None:
    state = spiel_game("classic", players=2, rounds=1).new_initial_state()
    state.apply_action(1)
    for wrong in (2, 9):
        with refused(RulesError, "rl.no_player", most=1, got=wrong):
            state.legal_actions(wrong)
    for actions in ([1], [1, 2, 3], []):
        with refused(RulesError, "rl.joint_action", players=2):
            state.apply_actions(actions)


def test_bots_play_the_turn_based_form() -> None:
    game = spiel_game("classic", players=2, rounds=1)
    bots = spiel_bots(["edges-first", "random"], seed=3)
    assert sum(pyspiel.evaluate_bots(pyspiel.convert_to_turn_based(game).new_initial_state(), bots, 5)) == 0
    with refused(RulesError, "rl.not_our_state", got="TicTacToeState"):
        bots[0].step(pyspiel.load_game("tic_tac_toe").new_initial_state())
