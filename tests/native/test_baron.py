"""Bull Baron: core and engine play the same turns, placement by placement, in every variant; playouts fit the view;
invalid input raises an error."""

from __future__ import annotations

import pytest

from nimmt_lab import Baron
from nimmt_lab.bots import bot, play
from nimmt_lab.bots.by_engine import EnginePlayouts
from nimmt_lab.engine.decisions import ChooseCard, ChooseRow
from nimmt_lab.engine.events import CardPlaced, RowTaken
from nimmt_lab.engine.rng import Rng
from nimmt_lab.engine.rule import Rule
from nimmt_lab.engine.state import GameState
from nimmt_lab.games.baron import kernel
from nimmt_lab.games.baron.deck import LETTERS, BaronDeck
from nimmt_lab.games.baron.rules import VARIANTS, BaronRule, CardTucked, DrawPiles
from nimmt_lab.native import core
from nimmt_lab.native.kernel import LOW_CARDS, POLICIES, compiled_tries, kernel_of
from nimmt_lab.native.work import Workspace
from nimmt_lab.study.by_engine import EngineRounds
from nimmt_lab.study.rounds import Simulator

from .dice import Dice

RULES: dict[Rule, int] = {
    BaronRule.COLOUR: 0,
    BaronRule.SIXTH_CARD: 1,
    BaronRule.SIX_OF_A_COLOUR: 2,
    BaronRule.NO_COLOUR: 3,
}
#: Few colours and many bulls, so that colours fill up and cards fit nowhere; and one deck with far too many.
NARROW = BaronDeck.of({str(n): LETTERS[n % 6] * (1 + n % 5) for n in range(1, 111) if n % 50}, title="narrow")
CROWDED = BaronDeck.of({str(n): LETTERS[n % 6] * (1 + 90 * (n % 7 == 0)) for n in range(1, 111)}, title="crowded")
GAMES = [
    *(Baron(players=n, variant=variant) for variant in VARIANTS for n in range(2, 11)),
    *(Baron(players=n, variant=variant, deck=NARROW) for variant in VARIANTS for n in (2, 4)),
    *(Baron(players=3, variant=variant, deck=CROWDED) for variant in VARIANTS),
    *(Baron(players=2, variant=variant, draw_pile=52) for variant in VARIANTS),
    *(Baron(players=4, variant=variant, draw_pile=6, games=2) for variant in VARIANTS),
    Baron(players=3, draw_pile=3),
]


def dealt(game: Baron, seed: int, number: int, policy: str = "random", low: str = "random") -> Workspace:
    found = core()
    assert found is not None
    n = game.players
    work = kernel.workspace(found, game, [POLICIES[policy]] * n, [LOW_CARDS[low]] * n)
    work.set("key", Rng.key(seed))
    work.set("first", number)
    work.call("nl_baron_deal")
    return work


def hands_of(work: Workspace, game: Baron) -> tuple[list[tuple[int, ...]], list[tuple[int, ...]]]:
    hand, pile, start = work.get("hand"), work.get("pile"), work.get("start")
    hands = [tuple(hand[4 * s : 4 * s + work.get("held")[s]]) for s in range(game.players)]
    piles = [tuple(pile[64 * s + (start[s] + i) % 64] for i in range(work.get("size")[s])) for s in range(game.players)]
    return hands, piles


def assert_same(work: Workspace, state: GameState) -> None:
    game = state.game
    assert isinstance(game, Baron)
    found = core()
    assert found is not None
    scratch = kernel.workspace(found, game, [0] * game.players, [0] * game.players)
    kernel.lay(scratch, game, state.rows)
    for name in ("end", "count", "bulls"):
        assert work.get(name) == scratch.get(name)
    for here, there in zip(work.get("lanes"), scratch.get("lanes"), strict=True):
        for lane in range(6):  # they may differ above six: a row's first card counts for at most six
            assert min(here >> 8 * lane & 255, 6) == min(there >> 8 * lane & 255, 6)
    hands, piles = hands_of(work, game)
    assert hands == list(state.hands) and piles == list(DrawPiles.of(state).piles)
    assert work.get("taken", game.players) == [game.heads_in(pile) for pile in state.piles]


@pytest.mark.sampled(3)
@pytest.mark.parametrize("policy", ["random", "least-risk"])
@pytest.mark.parametrize("game", GAMES, ids=repr)
def test_every_placement_agrees(game: Baron, policy: str) -> None:
    seen = set[int]()
    for number in range(6):
        work = dealt(game, 11, number, policy)
        found = kernel_of(game)
        assert found is not None
        state, _, stream = found.deal(game, 11, number)
        assert work.one("rng") == stream.state
        while True:
            assert_same(work, state)
            work.call("nl_baron_turn")
            log = work.get("log")
            notes = [log[4 * i : 4 * i + 4] for i in range(work.one("n_log"))]
            cards = {seat: card for seat, card, _, _ in notes}
            assert {s for s, d in state.pending.items() if isinstance(d, ChooseCard)} == set(cards)
            turn = state.turn
            state, events = state.choose(cards)
            happened = list(events)
            asked = set()
            while state.queue:
                ((seat, decision),) = state.pending.items()
                assert isinstance(decision, ChooseRow)
                asked.add(seat)
                row = next(note[2] for note in notes if note[0] == seat)
                state, events = state.choose({seat: row})
                happened += events
            placed, taken = [], 0
            for event in happened:
                if isinstance(event, RowTaken):
                    taken = event.heads
                elif isinstance(event, CardPlaced):
                    what = RULES[event.rule] | 8 * (event.seat in asked) | taken << 4
                    placed.append([event.seat, event.card, event.row, what])
                    taken = 0
                elif isinstance(event, CardTucked):
                    placed.append([event.seat, event.card, -1, 4])
            assert placed == notes
            seen.update(note[3] & 7 for note in notes)
            over = state.is_over or state.round > 0
            assert bool(work.one("over")) == over
            if over:
                break
            assert state.turn == turn + 1
    assert 0 in seen


def test_every_rule_was_met() -> None:
    seen = {variant: set[int]() for variant in VARIANTS}
    for game in GAMES:
        for number in range(6):
            work = dealt(game, 11, number)
            while not work.one("over"):
                work.call("nl_baron_turn")
                log = work.get("log")
                seen[game.variant].update(log[4 * i + 3] & 7 for i in range(work.one("n_log")))
    assert seen == {"standard": {0, 1, 2, 3}, "colour_counts": {0, 2, 3}, "bulls_are_good": {0, 1, 2, 4}}


@pytest.mark.parametrize("low", LOW_CARDS)
@pytest.mark.parametrize("policy", POLICIES)
@pytest.mark.parametrize("game", [GAMES[1], GAMES[10], GAMES[19], GAMES[28], GAMES[35], GAMES[41]], ids=repr)
def test_outcomes_of_whole_rounds_agree(game: Baron, policy: str, low: str) -> None:
    plan = Simulator.of(game, policy, low)
    assert plan.compiled
    by_engine = EngineRounds(game, plan.policies, plan.low_cards, kernel_of(game))
    assert plan.play(seed=3, first=2, rounds=3) == by_engine.play(seed=3, first=2, rounds=3)
    assert plan.count(seed=3, first=2, rounds=3) == by_engine.count(seed=3, first=2, rounds=3)


def views(game: Baron, seed: int, kind: type) -> list[GameState]:
    """States of a random game in which seat 0 is asked that."""
    found, state, stream = [], game.deal(seed), 0
    while not state.is_over:
        if isinstance(state.pending.get(0), kind):
            found.append(state)
        stream += 16
        choices = {s: bot("random").choose(state.view(s), Rng.from_seed(seed, stream + s)) for s in state.pending}
        state, _ = state.choose(choices)
    return found


@pytest.mark.parametrize("kind", [ChooseCard, ChooseRow])
@pytest.mark.parametrize("variant", VARIANTS)
def test_playouts_promise_what_the_engines_do(variant: str, kind: type) -> None:
    """Random playouts of the core and of the engine have the same means, within their errors."""
    game = Baron(players=3, variant=variant, draw_pile=8)
    state = views(game, 5, kind)[2]
    view = state.view(0)
    assert view.decision is not None
    tries = compiled_tries(view, Rng.from_seed(4), skilled=False)
    assert tries is not None
    options = list(view.decision.options)
    quick = tries.run(options, 4000)
    slow = EnginePlayouts(view, Rng.from_seed(9)).run(options, 250)
    for one, other in zip(quick, slow, strict=True):
        assert abs(one.heads - other.heads) < 4.5 * (one.error**2 + other.error**2) ** 0.5 + 1e-9
        assert abs(one.credit - other.credit) < 4.5 * (one.credit_error**2 + other.credit_error**2) ** 0.5 + 0.02


def test_with_nothing_hidden_playouts_are_exact() -> None:
    """In the last turn, with one seat to choose, the core's result is the engine's."""
    game = Baron(players=2, draw_pile=4)
    for state in views(game, 3, ChooseRow):
        if any(state.hands):
            continue
        view = state.view(0)
        tries = compiled_tries(view, Rng.from_seed(1), skilled=True)
        assert tries is not None and view.decision is not None
        for one in tries.run(list(view.decision.options), 5):
            after, _ = state.choose({0: one.option})
            if after.is_over:
                assert one.heads == after.totals[0] and one.error == 0


def test_the_same_playouts_in_any_portions() -> None:
    view = Baron(players=4).deal(seed=2).view(1)
    whole = compiled_tries(view, Rng.from_seed(4), skilled=True)
    parts = compiled_tries(view, Rng.from_seed(4), skilled=True)
    assert whole is not None and parts is not None
    parts.run(view.hand, 30)
    assert whole.run(view.hand, 100) == parts.run(view.hand, 70)


def test_the_best_bot_beats_random_players() -> None:
    table = [bot("best:playouts=60"), bot("random")]
    ends = [play(Baron(players=2), table, seed).outcome for seed in range(8)]
    assert sum(end is not None and 0 in end.winners for end in ends) >= 6


@pytest.mark.exhaustive
def test_nonsense_is_refused_and_nothing_crashes() -> None:
    """Numbers out of range in any field: a refusal or an answer, but never a crash (nor, with sanitizers, a complaint)."""
    source = Dice(5)
    found = core()
    assert found is not None
    refused = 0
    states = [
        state
        for variant in VARIANTS
        for kind in (ChooseCard, ChooseRow)
        for state in views(Baron(players=3, variant=variant), 4, kind)[:4]
    ]
    for trial in range(1500):
        view = states[trial % len(states)].view(0)
        tries = compiled_tries(view, Rng.from_seed(1), skilled=True)
        assert tries is not None and view.decision is not None
        work = tries.work
        work.set("options", [option for option in view.decision.options if isinstance(option, int)])
        work.set("n_options", len(view.decision.options))
        work.set("settle", 20)
        work.set("clash", [at % 5 for at in range(16 * 128)])
        for _ in range(source.choice((1, 1, 2, 5))):
            name = source.choice([name for name in work.layout.fields if name not in ("key", "first", "rng", "stats")])
            code, count = work.layout.field(name).code, work.layout.field(name).count
            bits = {"B": 8, "H": 16, "i": 32, "Q": 64}[code]
            number = source.choice((source.bits(bits), source.below(130), 0, 2**bits - 1))
            if code == "i" and number >= 2**31:
                number -= 2**32
            work.set(name, number, at=source.below(count))
        function = source.choice(("nl_baron_search", "nl_baron_turn", "nl_baron_deal", "nl_baron_rounds"))
        if function == "nl_baron_rounds":
            answer = found.ask(function, work.memory, 1, found.memory(240), source.choice((240, 10, -1)))
        else:
            answer = found.ask(function, work.memory, *([3] if function == "nl_baron_search" else []))
        assert answer in (0, -1, -2, -3)
        refused += answer < 0
    assert refused > 300
