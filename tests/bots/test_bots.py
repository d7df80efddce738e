"""Bots make legal moves, use no hidden information, agree with the compiled policies and play better with more search."""

from __future__ import annotations

from collections import Counter

import pytest

from nimmt_lab import Advanced, Classic, all_games
from nimmt_lab.bots import BestBot, Bot, FlatBot, LeastRiskBot, OddsBot, bot, bot_names, play, record
from nimmt_lab.bots.base import needed
from nimmt_lab.bots.by_engine import EnginePlayouts
from nimmt_lab.bots.simple import least_risk
from nimmt_lab.engine.decisions import ChooseCard, ChooseRow
from nimmt_lab.engine.errors import RulesError
from nimmt_lab.engine.game import Game
from nimmt_lab.engine.guess import guess
from nimmt_lab.engine.habits import habit, random_choices
from nimmt_lab.engine.rng import Rng
from nimmt_lab.engine.state import GameState
from nimmt_lab.games import Baron, Buffalo
from nimmt_lab.games.buffalo.parts import BuffaloTable, Special
from nimmt_lab.games.classic.kernel import ClassicKernel
from nimmt_lab.games.number_twister.rules import Twist
from nimmt_lab.native import core
from nimmt_lab.native.kernel import POLICIES, kernel_of
from nimmt_lab.native.work import Workspace
from nimmt_lab.solver.turn_odds import odds
from tests.support import COMPILED_CARDS, FAN_CARDS, refused

GAMES: dict[str, Game] = {
    "classic": Classic(players=4, rounds=1),
    "advanced": Advanced(players=3, rounds=1),
    **{name: Classic(players=3, rounds=1, fan_cards=(name,)) for name in FAN_CARDS},
    "combined": Classic(players=3, rounds=1, fan_cards=FAN_CARDS, combine_fan_cards=True),
    "loose heads": Classic(players=3, rounds=1, heads="containing_5"),
    "small": Classic(players=3, rounds=1, hand_size=4, deck_size=30),
    "five rows of three": Classic(players=3, rounds=1, rows=5, row_limit=3),
    "eight rows of nine": Classic(
        players=3, rounds=1, rows=8, row_limit=9, fan_cards=COMPILED_CARDS, combine_fan_cards=True
    ),
    "buffalo alone": Buffalo(players=1),
    "buffalo": Buffalo(players=3),
    "buffalo for six": Buffalo(players=6),
    "baron": Baron(players=3),
}


SEARCHERS = ("flat", "best", "best-1", "best-2", "second-thoughts")


def quick(name: str) -> Bot:
    return bot(f"{name}:playouts=20") if name in SEARCHERS else bot(name)


#: Levels are wrappers of other bots, which are tested here; `test_levels.py` tests the rest.
NAMES = [name for name in bot_names() if not name.startswith("level-")]


@pytest.mark.sampled(5)
@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("game", [game for game in GAMES if game != "buffalo for six"])
def test_every_bot_plays_every_card_system_to_its_end(game: str, name: str) -> None:
    rules = GAMES[game]
    table = [quick(name), *[bot("random")] * (rules.players - 1)]
    final = play(rules, table, seed=3)
    assert final.is_over
    assert play(rules, table, seed=3).outcome == final.outcome  # nothing but the seed decides


@pytest.mark.parametrize(
    "game", [game for game in all_games() if game not in ("classic", "advanced", "buffalo", "baron")]
)
@pytest.mark.parametrize("name", NAMES)
def test_other_games_too(game: str, name: str) -> None:
    rules = all_games()[game](players=2)
    assert play(rules, [quick(name), bot("random")], seed=1).is_over


def same_to(state: GameState, seat: int, stream: int) -> GameState:
    """Another state that looks the same from that seat."""
    return guess(state.view(seat), Rng.from_seed(99, stream))


@pytest.mark.parametrize("game", GAMES)
def test_guesses_fit_the_view(game: str) -> None:
    """Sampled states match the seat's view, contain every card once, and vary the hidden hands."""
    state = GAMES[game].deal(seed=8)
    changed = steps = 0
    while not state.is_over and steps < 40:
        steps += 1
        for seat in state.pending:
            guessed = same_to(state, seat, steps)
            assert guessed.view(seat) == state.view(seat)
            cards = [c for part in (guessed.rows, guessed.hands, guessed.piles) for cards in part for c in cards]
            cards += [*guessed.stock, *(play.card for play in guessed.queue), *state.game.seen_extra(guessed.extra)]
            assert len(cards) == len(set(cards)) and set(cards) <= set(state.game.deck)
            if isinstance(guessed.extra, BuffaloTable):
                extra = guessed.extra
                kinds = Counter([*extra.up, *extra.special_deck, *extra.used])
                kinds.update({Special.STOP: len(extra.stopped), Special.SEVEN_TAKES: len(extra.seven_takes)})
                assert None not in kinds and max(kinds.values(), default=0) <= 2  # the box has two cards of each kind
            changed += guessed.hands != state.hands
        choices = {s: d.options[Rng.from_seed(steps, s + 1).below(len(d.options))[0]] for s, d in state.pending.items()}
        state, _ = state.choose(choices)
    assert changed or not GAMES[game].hidden_hands or GAMES[game].players == 1


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("game", ["classic", "jumping_cow", "buffalo", "baron"])
def test_hidden_cards_do_not_matter(game: str, name: str) -> None:
    """A bot's choice doesn't depend on hidden cards: states that look the same get the same choice."""
    state = GAMES[game].deal(seed=5)
    seat = min(state.pending)
    chosen = {str(quick(name).choose(same_to(state, seat, n).view(seat), Rng.from_seed(1))) for n in range(4)}
    assert len(chosen) == 1


@pytest.mark.native
@pytest.mark.parametrize("policy", ["lowest", "highest", "closest-safe", "least-risk", "edges-first"])
@pytest.mark.parametrize("game", ["classic", "advanced", *COMPILED_CARDS, "five rows of three", "eight rows of nine"])
def test_bots_play_like_the_compiled_policies(game: str, policy: str) -> None:
    rules = GAMES[game]
    assert isinstance(rules, Classic)
    found, kernel = core(), kernel_of(rules)
    assert found is not None and isinstance(kernel, ClassicKernel)
    work, n = Workspace(found, "nl_classic"), rules.players
    kernel.prepare(work, rules, [POLICIES[policy]] * n, [0] * n)
    state, stream, compared = rules.deal(seed=2), 0, 0
    while not state.is_over:
        asked = [seat for seat, decision in state.pending.items() if isinstance(decision, ChooseCard)]
        if asked:
            kernel.lay(work, rules, state.rows, state.extra)
            work.set("turn", state.turn)
            for seat in range(n):
                work.set("cards", state.hands[seat], at=rules.hand_size * seat + state.turn)
            work.call("nl_classic_turn")
            for seat, play in enumerate(work.get("plays", n)):
                mine = bot(policy).choose(state.view(seat), Rng.from_seed(7, stream))
                if policy == "least-risk":  # equal risks, so any of them
                    assert isinstance(mine, int)
                    assert least_risk(state.view(seat), mine) == least_risk(state.view(seat), play)
                else:
                    assert mine == (Twist(play - 128) if play >= 128 else play)
                compared += 1
        stream += 10
        choices = {s: bot("random").choose(state.view(s), Rng.from_seed(3, stream + s)) for s in state.pending}
        state, _ = state.choose(choices)
    assert compared == 10 * n


def test_odds_bot_takes_the_smallest_expectation() -> None:
    state = Classic(players=5).deal(seed=12)
    view = state.view(2)
    chosen = OddsBot().choose(view, Rng.from_seed(1))
    result = odds(view.rows, view.hand, 4)
    assert isinstance(chosen, int)
    assert result[chosen].expected_heads == min(one.expected_heads for one in result.values())


def test_cheapest_row_is_the_engines() -> None:
    game = Classic(players=2)
    state = game.from_position("12 13 | 37 | 43 | 58 61 ; A: 5 ; B: 99")
    state, _ = state.choose({0: 5, 1: 99})
    (seat, decision), *_ = state.pending.items()
    assert isinstance(decision, ChooseRow)
    assert habit(state.view(seat), decision) == game.cheapest_row(state) == 2


@pytest.mark.native
@pytest.mark.parametrize(
    "searcher", [FlatBot(300, "heads"), FlatBot(300), BestBot(300, "heads"), BestBot(300), bot("best-1:playouts=300")]
)
def test_searches_see_the_obvious(searcher: FlatBot | BestBot) -> None:
    # Whatever B plays, 19 takes ten heads now. After 60 it would take no less, but then 60 takes nothing now and 17, a
    # low card,
    # costs one head. So the card that takes ten is the worst of the three.
    game = Classic(players=2, rounds=1, deck_size=70)
    state = game.from_position("11 12 15 16 18 | 37 | 43 44 | 58 ; A: 17 19 60 ; B: 65 66 67")
    view = state.view(0)
    estimates = {e.option: e for e in searcher.estimates(view, needed(view), Rng.from_seed(4))}
    assert all(0 <= e.credit <= 1 and e.heads >= 0 and e.playouts >= 100 for e in estimates.values())
    assert searcher.choose(view, Rng.from_seed(4)) != 19


def test_playouts_agree_with_the_engine() -> None:
    """With open hands and one card left the playout is the turn itself, so kernel and engine must agree."""
    game = Advanced(players=2, rounds=1)
    state = game.from_position("3 4 5 6 7 | 9 | 11 12 | 20 21 ; A: 8 10 ; B: 13 22", ordered=False)
    view = state.view(0)
    estimates = {
        e.option: e for e in FlatBot(playouts=4000, goal="heads").estimates(view, needed(view), Rng.from_seed(2))
    }
    for slow in EnginePlayouts(view, Rng.from_seed(3)).run(needed(view).options, 200):
        fast = estimates[slow.option]
        assert abs(fast.heads - slow.heads) < 1.5
        assert abs(fast.credit - slow.credit) < 0.15


@pytest.mark.parametrize(("rows", "row_limit"), [(1, 1), (2, 3), (6, 2), (8, 9)])
def test_playouts_agree_on_other_tables(rows: int, row_limit: int) -> None:
    """With open hands and one card left, the kernel's playout is the engine's turn."""
    game = Advanced(players=3, rounds=1, rows=rows, row_limit=row_limit, hand_size=1)
    for seed in range(6):
        state, rng = game.deal(seed=seed), Rng.from_seed(seed)
        while not state.rows:
            choices, rng = random_choices(state, rng)
            state, _ = state.choose(choices)
        view = state.view(seed % 3)
        (fast,) = FlatBot(playouts=20, goal="heads").estimates(view, needed(view), Rng.from_seed(2))
        (slow,) = EnginePlayouts(view, Rng.from_seed(3)).run(needed(view).options, 2)
        assert fast.heads == slow.heads and fast.credit == pytest.approx(slow.credit)


@pytest.mark.exhaustive
@pytest.mark.native
def test_more_thought_wins_more() -> None:
    game = Classic(players=4, rounds=1)
    heads = {}
    for name in ("random", "odds", "trained", "best:playouts=60,goal=heads"):
        table = [bot(name), *[bot("random")] * 3]
        ends = [play(game, table, seed=seed).outcome for seed in range(60)]
        heads[name] = sum(end.totals[0] for end in ends if end is not None)
    assert heads["best:playouts=60,goal=heads"] < heads["trained"] < heads["odds"] < heads["random"]


def test_records_of_bots() -> None:
    game = record(Buffalo(players=2), [bot("random"), bot("best:playouts=10")], seed=2)
    assert game.outcome is not None


def test_names_and_options() -> None:
    for name in bot_names():
        assert repr(bot(repr(bot(name)))) == repr(bot(name))
    assert isinstance(bot("least-risk"), LeastRiskBot)
    assert repr(bot("random:low_card=random")) == "random:low_card=random"
    with refused(RulesError, "bots.low_card_must", got="'dear'"):
        bot("random:low_card=dear")
    with refused(RulesError, "bots.needed", players=3, need=3, got=1):
        play(Classic(players=3), [bot("random")], seed=1)
    state = Classic(players=2).from_position("12 | 37 | 43 | 58 ; A: 5 ; B: 99")
    state, _ = state.choose({0: 5, 1: 99})
    with refused(RulesError, "bots.not_this_seat"):
        bot("random").choose(state.view(1), Rng.from_seed(1))


def test_best_takes_the_row_that_promises_most() -> None:
    game = Classic(players=2, rounds=1)
    state = game.from_position("19 | 6 7 8 9 13 | 95 96 97 | 99 100 101 ; A: 5 21 ; B: 102 103")
    state, _ = state.choose({0: 5, 1: 102})
    view = state.view(0)
    assert isinstance(view.decision, ChooseRow)
    # Row 1 costs one head now, but then 21 goes to the full row 2 and costs five more. Row 3 costs four, and 21 is safe
    # after 19.
    assert game.cheapest_row(view) == 0
    assert BestBot(200, "heads").choose(view, Rng.from_seed(1)) == 2
