"""The board game's kernel and the engine play the same game, step by step: the same decisions with the same options,
the same table after every answer, and the same answers by policies."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest

from nimmt_lab import BoardGame
from nimmt_lab.bots import bot
from nimmt_lab.bots.by_engine import win_credit
from nimmt_lab.engine.decisions import Choice, ChooseCard, ChooseRow, Decision
from nimmt_lab.engine.guess import guess
from nimmt_lab.engine.habits import any_option, habit, random_choices
from nimmt_lab.engine.play import Play
from nimmt_lab.engine.rng import Rng
from nimmt_lab.engine.state import GameState
from nimmt_lab.engine.view import View
from nimmt_lab.games.board_game.events import BoardRule
from nimmt_lab.games.board_game.kernel import SENSIBLE, workspace, write
from nimmt_lab.games.board_game.material import Board, sample_pieces
from nimmt_lab.games.board_game.numbers import _KINDS, FIELDS, OPTIONS, code_of, laid
from nimmt_lab.games.board_game.parts import Action, Luck
from nimmt_lab.games.board_game.policy import promising, sensible, worth_of_tile
from nimmt_lab.games.board_game.uses import PASS, ChooseLuck, ChooseTiles, LuckDraw, Tiles, Use, UseCards
from nimmt_lab.native import core
from nimmt_lab.native.kernel import LOW_CARDS, POLICIES, compiled_tries, kernel_of
from nimmt_lab.native.seating import SEATING, ByCost
from nimmt_lab.native.work import Workspace
from nimmt_lab.study.by_engine import EngineRounds
from nimmt_lab.study.rounds import Simulator

#: A board on which a lot happens: short rows, takes in the middle, many draws.
BUSY = {
    "basic": (". two take", "g take", "-5 rr . take", ". take . +9 take", ". . two take", "r -9 take"),
    "advanced": (
        ". two take-tiles", "tile action take", "action -5 take-tiles", ". take . +9 take-tiles", "g tile two take", "action rr . . take",
    ),
}  # fmt: skip


_BY_NUMBER = {number: kind for kind, number in _KINDS.items()}


def choice_of(code: int, decision: Decision) -> Choice:
    """The choice that a number stands for."""
    if isinstance(decision, ChooseTiles):
        return Tiles(code & 255, code >> 8)
    if isinstance(decision, ChooseLuck):
        return LuckDraw(code & 255, code >> 8)
    if not isinstance(decision, UseCards):
        return code
    kind, first, second = _BY_NUMBER[code & 255], code >> 8 & 255, code >> 16
    if kind is Luck.POSITIVE_HEADS:
        return Use(kind, tiles=tuple(tile for tile in (first, second) if tile))
    if kind in (Action.STOP, Action.START, Action.ASCENDING):
        return Use(kind, row=first - 1)
    return Use(kind, tile=first or None)


def games(players: int) -> Iterator[BoardGame]:
    few = replace(sample_pieces(), action_cards=(3, 1, 2, 2, 2, 3), luck_cards=(2, 1))
    for mode in ("basic", "advanced"):
        for luck in (False, True):
            yield BoardGame(players, mode=mode, luck=luck)
            rows = tuple(tuple(row.split()) for row in BUSY[mode])
            yield BoardGame(
                players, mode=mode, luck=luck, board=Board("busy", mode, rows, tuple(range(-44, 45, 2))), pieces=few
            )
    yield BoardGame(players, first_field_acts=False, luck=True)


def with_state(game: BoardGame, state: GameState, policy: int = 0) -> Workspace:
    found = core()
    assert found is not None
    work = workspace(found, game, [policy] * game.players)
    write(work, laid(state))
    return work


def same_table(work: Workspace, state: GameState) -> None:
    """Every field of the engine's state."""
    for field, values in laid(state).items():
        if field == "take_turn":
            continue
        here = work.get(field)
        wanted = [values] if isinstance(values, int) else list(values)
        if field == "rows":
            lengths = work.get("length")
            here = [here[FIELDS * r + i] for r in range(len(state.rows)) for i in range(lengths[r])]
            wanted = [tile for row in state.rows for tile in row]
        elif field == "plan_tiles":
            wanted = wanted[: len(wanted) if work.one("n_plan_tiles") else 0]
        assert here[: len(wanted)] == wanted, field
    ends = work.get("end", len(state.rows))
    assert ends == [row[-1] if row else 0 for row in state.rows]
    assert work.get("sum", len(state.rows)) == [state.game.heads_in(row) for row in state.rows]


def answer(work: Workspace, choices: dict[int, Choice], players: int) -> None:
    work.set("choices", [code_of(choices[seat]) if seat in choices else 0 for seat in range(players)])
    work.call("nl_board_step")


@pytest.mark.sampled(2)
@pytest.mark.parametrize("players", range(2, 7))
def test_every_step_agrees(players: int) -> None:
    steps = turns = 0
    for game in games(players):
        for seed in range(6):
            state, rng = game.deal(seed=seed), Rng.from_seed(seed, 5)
            work = with_state(game, state)
            while not state.is_over:
                for seat, decision in state.pending.items():
                    count = work.call("nl_board_list", seat)
                    assert count == min(OPTIONS, len(decision.options))
                    assert work.get("options", count) == [code_of(option) for option in decision.options[:OPTIONS]]
                choices, rng = random_choices(state, rng)
                answer(work, choices, players)
                before = state.turn
                state, _ = state.choose(choices)
                turns += state.turn != before
                steps += 1
                same_table(work, state)
    assert steps > 1800 and turns > 400


@pytest.mark.sampled(3)
@pytest.mark.parametrize("players", range(2, 7))
def test_the_policy_answers_the_same(players: int) -> None:
    """Games of the engine in which one seat plays any option and the others follow the policy."""
    used: set[object] = set()
    for game in games(players):
        for seed in range(4):
            state, rng = game.deal(seed=seed), Rng.from_seed(seed, 6)
            while not state.is_over:
                work = with_state(game, state, SENSIBLE)
                work.call("nl_board_choose")
                found = work.get("choices")
                choices, rng = random_choices(state, rng)
                for seat, decision in state.pending.items():
                    wanted = sensible(state, seat, decision)
                    assert choice_of(found[seat], decision) == wanted == sensible(state.view(seat), seat, decision)
                    if seat != seed % players:
                        choices[seat] = wanted
                        used.add(wanted.kind if isinstance(wanted, Use) else type(wanted))
                state, _ = state.choose(choices)
    assert used >= {None, *Luck, *Action} - {Action.PLAY_TWO} | {int, Tiles, LuckDraw}


@pytest.mark.sampled(5)
@pytest.mark.parametrize("low", LOW_CARDS)
@pytest.mark.parametrize("policy", POLICIES)
def test_outcomes_of_whole_rounds_agree(policy: str, low: str) -> None:
    for players in (2, 3, 5) if policy == "random" else (3, 4):
        for game in games(players):
            plan = Simulator.of(game, policy, low)
            assert plan.compiled
            by_engine = EngineRounds(game, plan.policies, plan.low_cards, kernel_of(game))
            assert plan.play(seed=3, first=2, rounds=2) == by_engine.play(seed=3, first=2, rounds=2)
            assert plan.count(seed=3, first=2, rounds=2) == by_engine.count(seed=3, first=2, rounds=2)


def test_the_engine_alone_plays_the_same_rounds() -> None:
    """Simulations from before the kernel existed keep their results."""
    for mode in ("basic", "advanced"):
        game = BoardGame(4, mode=mode, luck=True)
        alone = EngineRounds(game, ("random",) * 4, ("cheapest",) * 4).play(seed=7, first=0, rounds=5)
        assert Simulator.of(game).play(seed=7, first=0, rounds=5) == alone


def playout(view: View, option: Choice, key: int, number: int, skilled: bool) -> tuple[int, float]:
    """A playout by the engine alone."""
    stream = Rng.from_seed(key, number)
    state, dice = guess(view, stream), Rng.from_seed(stream.state, 1)
    choices: dict[int, Choice] = {view.seat: option}
    clever = {view.seat} if skilled else set()
    for seat in range(view.game.players) if skilled else ():
        if seat != view.seat:
            drawn, dice = dice.below(2)
            clever |= {seat} if drawn else set()
    while not state.is_past_round(view.round):
        for seat, decision in state.pending.items():
            if seat in choices:
                continue
            if seat in clever:
                choices[seat] = sensible(state, seat, decision)
            else:
                found = habit(state, decision)
                choices[seat], dice = (found, dice) if found is not None else any_option(decision, dice)
        state, _ = state.choose(choices)
        choices = {}
    return view.totals[view.seat] - state.totals[view.seat], win_credit(state, view.seat)


@pytest.mark.sampled(5)
@pytest.mark.parametrize("skilled", [True, False])
@pytest.mark.parametrize("players", range(2, 7))
def test_playouts_are_the_engines(players: int, skilled: bool) -> None:
    """Hidden tiles and cards are dealt as in `guess`, and every playout ends like the engine's."""
    asked = set()
    for at, game in enumerate(games(players)):
        state, rng = game.deal(seed=at), Rng.from_seed(at, 7)
        for step in range(40):
            if state.is_over:
                break
            for seat, decision in state.pending.items():
                if (step + seat) % 9 and type(decision) in asked:
                    continue
                view = state.view(seat)
                options = list(decision.options)[:: max(1, len(decision.options) // 3)][:4]
                tries = compiled_tries(view, Rng.from_seed(step), skilled)
                assert tries is not None
                key = Rng.from_seed(step).state
                for estimate in tries.run(options, 2):
                    played = [playout(view, estimate.option, key, number, skilled) for number in (0, 1)]
                    assert estimate.heads == sum(lost for lost, _ in played) / 2
                    assert estimate.credit == pytest.approx(sum(credit for _, credit in played) / 2)
                asked.add(type(decision))
            choices, rng = random_choices(state, rng)
            state, _ = state.choose(choices)
    assert len(asked) >= 4


def test_of_very_many_options_the_promising_ones_are_looked_at() -> None:
    """Two of fifteen tiles make 105 pairs: some are left out, and the result says how many."""
    game = BoardGame(2, mode="advanced")
    hand = " ".join(str(tile) for tile in range(3, 78, 5))
    state = game.from_position(f"1 | 80 | 50 | | | 20 | | | | ; A: {hand} ; B: 2 4")
    decision, view = state.pending[0], state.view(0)
    assert isinstance(decision, ChooseTiles) and len(decision.options) == 105
    advice = bot("best:playouts=20").advise(view)
    looked = [promise.option for promise in advice]
    assert len(looked) == 64 and advice.left_out == 41 and set(looked) <= set(decision.options)
    worths = {tile: worth_of_tile(game, state, tile) for tile in decision.hand}
    worth: dict[Choice, int] = {
        pair: worths[pair.low] + worths[pair.high] for pair in decision.options if isinstance(pair, Tiles)
    }
    assert max(worth[pair] for pair in worth if pair not in looked) <= min(worth[pair] for pair in looked)


def test_passing_is_always_looked_at() -> None:
    state = BoardGame(2, mode="advanced").deal(seed=1)
    hand = [tile for tile in range(1, 101) if tile not in {row[-1] for row in state.rows if row}][:80]
    uses = (PASS, *(Use(Action.SWAP, tile=tile) for tile in hand))
    play = Play.of(0, 90)
    view = replace(state.view(0), queue=(play,), decision=UseCards(BoardRule.BEFORE_PLACING, 90, uses))
    assert view.decision is not None
    found = promising(view, view.decision, 24)
    assert found[0] == PASS and len(found) == 24 and set(found) <= set(uses)


def test_advice_has_errors_everywhere() -> None:
    asked = set()
    for game in games(4):
        state, rng = game.deal(seed=3), Rng.from_seed(3, 8)
        while not state.is_over:
            for seat, decision in state.pending.items():
                if type(decision) not in asked:
                    asked.add(type(decision))
                    advice = bot("best:playouts=60").advise(state.view(seat))
                    assert advice.method == "search" and all(
                        one.playouts > 1 and one.wins is not None for one in advice
                    )
                    assert len(advice) + advice.left_out == len(decision.options)
            choices, rng = random_choices(state, rng)
            state, _ = state.choose(choices)
    assert {kind.__name__ for kind in asked} == {"ChooseCard", "ChooseTiles", "UseCards", "ChooseLuck", "ChooseRow"}


def answers(work: Workspace, state: GameState, times: int) -> set[Choice]:
    """Distinct answers of the first seat to move in `times` tries."""
    seat, decision = next(iter(state.pending.items()))
    found = set()
    for number in range(times):
        work.set("dice", Rng.from_seed(number).state)
        work.call("nl_board_choose")
        found.add(choice_of(work.get("choices")[seat], decision))
    return found


def test_what_else_is_asked_is_answered_by_habit() -> None:
    """Whatever the policy for tiles: sensible play, nothing special, any card, or any option."""
    met = dict.fromkeys((UseCards, ChooseLuck, ChooseRow), 0)
    for game in (game for game in games(3) if game.luck):
        seating, state, rng = SEATING.of(game), game.deal(seed=3), Rng.from_seed(5)
        while not state.is_over:
            seat, decision = next(iter(state.pending.items()))
            if type(decision) in met and 1 < len(decision.options) < 7 and met[type(decision)] < 25:
                met[type(decision)] += 1
                for policy in (SENSIBLE, POLICIES["closest-safe"]):
                    work = with_state(game, state, policy)
                    for low in seating.habits:
                        work.set("lows", [low] * game.players)
                        usual = seating.by_habit(low, state.view(seat), decision)
                        assert answers(work, state, 120) == (set(decision.options) if usual is None else {usual})
            made, rng = random_choices(state, rng)
            state, _ = state.choose(made)
    assert min(met.values()) > 5


def test_policies_minimise_the_same_costs() -> None:
    """The costs used to infer policies are those that the policies minimise."""
    checked = 0
    for game in games(4):
        seating, state, rng = SEATING.of(game), game.deal(seed=4), Rng.from_seed(6)
        assert isinstance(seating, ByCost)
        for _ in range(40):
            if state.is_over:
                break
            seat, decision = next(iter(state.pending.items()))
            for policy in seating.weighing if isinstance(decision, ChooseCard) else ():
                costs = {tile: seating.cost(game, policy, state, tile) for tile in state.hands[seat]}
                (played,) = answers(with_state(game, state, policy), state, 1)
                assert isinstance(played, int)
                assert seating.cards(decision, played) == (played,) and costs[played] == min(costs.values())
                checked += len(set(costs.values())) > 1
            made, rng = random_choices(state, rng)
            state, _ = state.choose(made)
    assert checked > 120
