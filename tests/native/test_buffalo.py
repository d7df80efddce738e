"""Beat the Buffalo: core and engine make the same steps, special cards included; the team follows its stated policy;
playouts use only what the view shows; invalid input raises an error."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import pytest

from nimmt_lab import Buffalo
from nimmt_lab.bots import bot
from nimmt_lab.bots.by_engine import EnginePlayouts
from nimmt_lab.bots.simple import edges_first
from nimmt_lab.engine.cards import EMPTY, TEAM
from nimmt_lab.engine.decisions import Choice, ChooseCard, ChooseRow
from nimmt_lab.engine.events import RowTaken
from nimmt_lab.engine.guess import guess
from nimmt_lab.engine.habits import any_option, habitual_choices
from nimmt_lab.engine.play import Play
from nimmt_lab.engine.rng import Rng
from nimmt_lab.engine.state import GameState
from nimmt_lab.engine.view import View
from nimmt_lab.games.buffalo import kernel
from nimmt_lab.games.buffalo.parts import BuffaloTable
from nimmt_lab.games.buffalo.team import swap_card, team_use
from nimmt_lab.games.buffalo.uses import AllUses, ChooseSwap, LiftStop, Pass, Push, Sorts, Swap, Use, UseSpecials
from nimmt_lab.native import core
from nimmt_lab.native.kernel import LOW_CARDS, POLICIES, compiled_tries, kernel_of
from nimmt_lab.native.layout import layout_of
from nimmt_lab.native.work import CREDIT, Workspace
from nimmt_lab.study.by_engine import EngineRounds
from nimmt_lab.study.rounds import Simulator

from .dice import Dice

GAMES = [
    *(Buffalo(players=n) for n in range(1, 7)),
    Buffalo(players=5, edition="003"),
    Buffalo(players=4, between_turns=True, tie="loss"),
    Buffalo(players=3, hand_size=5, deck_size=40),
    Buffalo(players=6, hand_size=4, deck_size=32, edition="003", between_turns=True),
]


def dealt(game: Buffalo, seed: int, number: int, policy: str = "random") -> Workspace:
    found = core()
    assert found is not None
    work = kernel.workspace(found, game, [policy] * game.players, ["cheapest"] * game.players)
    work.set("key", Rng.key(seed))
    work.set("first", number)
    work.call("nl_buffalo_deal")
    return work


def assert_same(work: Workspace, state: GameState) -> None:
    """The workspace shows the engine's state, hidden cards included."""
    game, extra = state.game, BuffaloTable.of(state)
    rows, count, hand, held = work.get("rows"), work.get("count"), work.get("hand"), work.get("held")
    assert [tuple(rows[8 * r : 8 * r + count[r]]) for r in range(4)] == list(state.rows)
    assert [tuple(hand[10 * s : 10 * s + held[s]]) for s in range(game.players)] == list(state.hands)
    assert work.get("heads") == [game.heads_in(pile) for pile in state.piles]
    bits = {"seven": extra.seven_takes, "stopped": extra.stopped}
    assert {name: work.one(name) for name in bits} == {name: sum(1 << row for row in on) for name, on in bits.items()}
    for size, name, there in (
        ("n_empty", "empty", extra.empty),
        ("n_up", "up", [kernel.KINDS.index(kind) for kind in extra.up]),
        ("n_deck", "deck", [kernel.KINDS.index(kind) for kind in extra.special_deck if kind]),
        ("n_cards", "cards", extra.deck),
        ("n_queue", "queue", [play.card for play in state.queue]),
        ("n_queue", "seats", [play.seat for play in state.queue]),
    ):
        assert work.get(name, work.one(size)) == list(there), name
    assert (work.one("first_card"), work.one("last_card")) == (extra.first or 0, extra.last or 0)
    assert work.one("swapping") == (kernel.NOBODY if extra.swapping is None else extra.swapping)


def listed(options: AllUses, queue: tuple[Play, ...]) -> set[int]:
    """Codes of all uses except the orders of Sort."""
    uses = [part[at] for part in options.parts if not isinstance(part, Sorts) for at in range(len(part))]
    return {kernel.code(use, queue) for use in uses}


SMALL = [
    kernel.USES * group + what
    for group in range(10)
    for what in range(-2, 430)
    if group != 9 and group * kernel.USES + what >= 0
]


def pick_use(options: AllUses, dice: Dice) -> Use:
    """Every kind of use with equal probability: the many orders of Sort must not crowd out the others."""
    part = dice.choice(options.parts)
    found = part[dice.below(len(part))]
    assert isinstance(found, Use)
    return found


@pytest.mark.sampled(3)
@pytest.mark.parametrize("game", GAMES, ids=repr)
def test_every_step_agrees(game: Buffalo) -> None:
    """Random play with random uses: the same state after every step, and the same legal uses before it."""
    met: Counter[type] = Counter()
    for number in range(14):
        dice = Dice(100 + number)
        work = dealt(game, 5, number)
        found = kernel_of(game)
        assert found is not None
        state, _, stream = found.deal(game, 5, number)
        assert work.one("rng") == stream.state
        steps = 0
        while not state.is_over:
            assert_same(work, state)
            steps += 1
            (seat, decision), *_ = state.pending.items()
            if isinstance(decision, UseSpecials):
                if steps % 9 == 0:
                    allowed = {use for use in SMALL if work.call("nl_buffalo_legal", use)}
                    assert allowed == listed(decision.options, state.queue)
                use = pick_use(decision.options, dice) if dice.below(3) else Pass()
                met[type(use)] += 1
                before = state
                state, _ = state.choose({TEAM: use})
                work.call("nl_buffalo_use", kernel.code(use, before.queue))
                swapping = BuffaloTable.of(state).swapping
                if work.one("swapping") != kernel.NOBODY and swapping is None:
                    assert isinstance(use, Swap)
                    work.call("nl_buffalo_swap", before.hands[use.seat][0])
            elif isinstance(decision, ChooseSwap):
                card = dice.choice(decision.options)
                state, _ = state.choose({seat: card})
                assert isinstance(card, int)
                work.call("nl_buffalo_swap", card)
            elif isinstance(decision, ChooseRow):
                row = dice.choice(decision.options)
                state, events = state.choose({seat: row})
                work.call("nl_buffalo_place", row)
                assert work.get("log")[:2] == [0, 2]
                assert work.get("log")[2] == next(e.heads for e in events if isinstance(e, RowTaken))
            else:
                cards = {s: dice.choice(d.options) for s, d in state.pending.items()}
                state, _ = state.choose(cards)
                work.set("plays", [cards.get(s, 0) for s in range(8)])  # type: ignore[misc]
                work.call("nl_buffalo_reveal")
            # The engine places cards until somebody has a decision; the core places them one by one.
            while work.one("n_queue") > len(state.queue):
                work.call("nl_buffalo_place", -1)
        assert_same(work, state)
    if game.players > 3 and game.hand_size == 10:
        assert len(met) >= 9, met


@pytest.mark.sampled(5)
@pytest.mark.parametrize("low", LOW_CARDS)
@pytest.mark.parametrize("policy", POLICIES)
@pytest.mark.parametrize("game", [GAMES[0], GAMES[1], GAMES[7], GAMES[8], GAMES[9]], ids=repr)
def test_outcomes_of_whole_rounds_agree(game: Buffalo, policy: str, low: str, monkeypatch: pytest.MonkeyPatch) -> None:
    plan = Simulator.of(game, policy, low)
    assert plan.compiled
    rounds = 1 if policy in kernel.WEIGHING and game.players > 2 else 3
    by_engine = EngineRounds(game, plan.policies, plan.low_cards, kernel_of(game))
    monkeypatch.setattr(kernel, "core", lambda: None)  # the team's policy as stated in Python
    assert plan.play(seed=4, first=2, rounds=rounds) == by_engine.play(seed=4, first=2, rounds=rounds)
    assert plan.count(seed=4, first=2, rounds=1) == by_engine.count(seed=4, first=2, rounds=1)


def test_stopped_rows_are_not_what_a_low_card_would_take() -> None:
    """R-B3 in the estimate of policies that weigh cards: it matters in this round (found by trying)."""
    game = Buffalo(players=6)
    plan = Simulator.of(game, "least-risk", "cheapest")
    by_engine = EngineRounds(game, plan.policies, plan.low_cards, kernel_of(game))
    assert plan.play(seed=4, first=6, rounds=1) == by_engine.play(seed=4, first=6, rounds=1)


def states(game: Buffalo, seed: int, kind: type, name: str = "random") -> list[tuple[int, GameState]]:
    """Positions with that decision, from games of random players who sometimes use special cards."""
    found, state, dice = [], game.deal(seed), Dice(seed)
    while not state.is_over:
        choices: dict[int, Choice] = {}
        for seat, decision in state.pending.items():
            if type(decision) is kind:
                found.append((seat, state))
            if not isinstance(decision, UseSpecials):
                choices[seat] = dice.choice(decision.options)
            else:
                choices[seat] = pick_use(decision.options, dice) if dice.below(4) == 0 else Pass()
        state, _ = state.choose(choices)
    return found


@pytest.mark.parametrize("players", [2, 3, 4, 6])
def test_the_team_does_what_its_policy_says(players: int) -> None:
    """The same uses, in the middle of games with special cards in play."""
    game, used = Buffalo(players=players), 0
    for seed in range(2):
        for _, state in states(game, seed, UseSpecials)[::5]:
            view, decision = state.view(TEAM), state.pending[TEAM]
            assert isinstance(decision, UseSpecials)
            mine = team_use(view, decision)
            found = core()
            assert found is not None
            assert kernel.BuffaloWays().by_core(found, view) == mine
            used += mine != Pass()
    assert used or players < 4  # few special cards, few opportunities


def laid(state: GameState) -> Workspace:
    """A workspace with the complete state."""
    found, game, extra = core(), state.game, BuffaloTable.of(state)
    assert found is not None and isinstance(game, Buffalo)
    work = kernel.workspace(found, game, ["least-risk"] * game.players, ["cheapest"] * game.players)
    kernel.lay(work, state)
    work.set("heads", [game.heads_in(pile) for pile in state.piles])
    work.set("held", [len(hand) for hand in state.hands])
    for seat, hand in enumerate(state.hands):
        work.set("hand", hand, at=10 * seat)
    work.set("cards", extra.deck)
    work.set("deck", [kernel.KINDS.index(kind) for kind in extra.special_deck if kind])
    work.set("me", TEAM)
    return work


def test_the_swapping_seat_looks_at_this_turn() -> None:
    found = states(Buffalo(players=6), 3, ChooseSwap)
    assert found
    for seat, state in found:
        decision = state.pending[seat]
        assert isinstance(decision, ChooseSwap)
        assert swap_card(state.view(seat), decision) in state.hands[seat]


@pytest.mark.parametrize("kind", [ChooseCard, ChooseRow, UseSpecials, ChooseSwap])
def test_playouts_promise_what_the_engines_do(kind: type) -> None:
    """Random playouts of the core and of the engine have the same means, within their errors."""
    game = Buffalo(players=4)
    found = [one for seed in (1, 2, 5) for one in states(game, seed, kind)]
    seat, state = found[2 * len(found) // 3]
    view = state.view(seat)
    assert view.decision is not None
    tries = compiled_tries(view, Rng.from_seed(4), skilled=False)
    assert tries is not None
    options = [view.decision.options[at] for at in range(min(3, len(view.decision.options)))]
    quick = tries.run(options, 4000)
    slow = EnginePlayouts(view, Rng.from_seed(9)).run(options, 120)
    for one, other in zip(quick, slow, strict=True):
        assert abs(one.heads - other.heads) < 4.5 * (one.error**2 + other.error**2) ** 0.5 + 1e-9
        assert abs(one.credit - other.credit) < 4.5 * (one.credit_error**2 + other.credit_error**2) ** 0.5 + 0.03


def replayed(view: View, option: Choice, stream: Rng) -> tuple[int, ...]:
    """The totals of the engine's playout with that stream: hidden cards are dealt, then everybody chooses by
    `habitual_choices`."""
    state, extra = guess(view, stream), BuffaloTable.of(view)
    # Choices are drawn after the deal; the core draws no more special cards than there are face down.
    _, rng = stream.shuffled(view.unseen)
    if EMPTY in view.piles[1]:
        _, rng = rng.below(1 << 31)
    hidden = 16 - len(extra.up) - len(extra.used) - len(extra.seven_takes) - len(extra.stopped)
    _, rng = rng.shuffled(range(hidden), take=len(extra.special_deck))
    choices = {view.seat: option}
    for seat, decision in state.pending.items():
        if seat != view.seat:
            choices[seat], rng = any_option(decision, rng)
    state, _ = state.choose(choices)
    while not state.is_over:
        choices, rng = habitual_choices(state, rng)
        state, _ = state.choose(choices)
    return state.totals


@pytest.mark.parametrize("kind", [ChooseCard, ChooseRow, UseSpecials, ChooseSwap])
@pytest.mark.parametrize("players", [3, 4, 6])
def test_random_playouts_are_the_engines(players: int, kind: type) -> None:
    """The same cards from the same stream: the yardstick of `best-1` is the engine's search, only faster."""
    game, compared = Buffalo(players=players), 0
    found = [one for seed in (1, 2, 5) for one in states(game, seed, kind)]
    for seat, state in found[:: max(1, len(found) // 4)]:
        view = state.view(seat)
        decision = view.decision
        assert decision is not None
        count = len(decision.options)
        options = [decision.options[at] for at in sorted({0, count // 3, count - 1})]
        options += [
            use
            for use in (Swap(s) for s in range(players))
            if isinstance(decision, UseSpecials) and use in decision.options
        ][:1]
        for number in range(3):
            stream = Rng.from_seed(0, number)
            for option in dict.fromkeys(options):
                tries = compiled_tries(view, Rng(Rng.key(0)), skilled=False)
                assert tries is not None
                tries.done[option] = number, [0] * 4
                tries.run([option], 1)
                heads, theirs = replayed(view, option, stream)
                won = heads < theirs
                assert tries.done[option][1] == [heads, heads**2, CREDIT * won, CREDIT**2 * won], (option, number)
                compared += 1
    assert compared >= 9


@pytest.mark.parametrize("kind", [ChooseCard, ChooseRow, UseSpecials, ChooseSwap])
def test_what_is_usual_is_what_playouts_do(kind: type) -> None:
    """Cards by `edges_first`, the cheapest row, special cards and swaps as stated in `team.py`."""
    met: Counter[bool] = Counter()
    for players in (3, 6):
        for seat, state in [one for seed in (3, 4) for one in states(Buffalo(players=players), seed, kind)][::4]:
            view, decision = state.view(seat), state.pending[seat]
            tries = compiled_tries(view, Rng.from_seed(1), skilled=True)
            assert tries is not None
            usual = tries.compare()
            if isinstance(decision, UseSpecials):
                assert usual == team_use(view, decision)
                met[usual != Pass()] += 1
            elif isinstance(decision, ChooseSwap):
                assert usual == swap_card(view, decision)
            elif isinstance(decision, ChooseRow):
                assert usual == view.game.cheapest_row(view, decision.options)
            else:
                least = min(edges_first(view, card) for card in view.hand)
                assert isinstance(usual, int) and edges_first(view, usual) == least
                assert usual == min(card for card in view.hand if edges_first(view, card) == least)
    assert kind is not UseSpecials or len(met) == 2, met


def test_gains_are_counted_on_the_same_hidden_cards() -> None:
    """The gain of each playout over the usual one: heads up to 20 either way, counted twice so that a draw (R-B1) is
    half a head behind and a win by one half a head ahead."""

    def lead(totals: Sequence[int]) -> int:
        return max(-40, min(40, 2 * (totals[1] - totals[0]) - 1))

    far = set()
    for players, at, playouts in ((1, 0, 12), (4, 0, 60), (6, 30, 12)):
        seat, state = states(Buffalo(players=players), 2, ChooseCard)[at]
        view = state.view(seat)
        usual, other = view.hand[0], view.hand[-1]
        tries = compiled_tries(view, Rng(Rng.key(0)), skilled=False)
        assert tries is not None
        assert tries.run([other], 1)[0].gain is None  # nobody asked for it
        tries.done.clear()
        tries.usual = usual
        one, same = tries.run([other, usual], playouts)
        streams = [Rng.from_seed(0, number) for number in range(playouts)]
        leads = [[lead(replayed(view, card, stream)) for stream in streams] for card in (other, usual)]
        gains = [a - b for a, b in zip(*leads, strict=True)]
        assert tries.gained[other] == (sum(gains), sum(gain**2 for gain in gains))
        assert (one.gain, same.gain, same.gain_error) == (sum(gains) / playouts, 0.0, 0.0)
        assert tries.run([view.hand[1]], 1)[0].gain is None  # nothing to compare with
        more = tries.run([usual, other], playouts)[1]
        assert more.playouts == 2 * playouts and more.gain == tries.gained[other][0] / more.playouts
        far |= {number for row in leads for number in row}
    assert -40 in far and {abs(number) % 2 for number in far} == {0, 1}


@pytest.mark.parametrize("kind", [ChooseCard, ChooseRow, UseSpecials, ChooseSwap])
def test_nobody_knows_more_than_the_open_cards(kind: type) -> None:
    """R-B18: states that look the same get the same values, to the last digit."""
    found = [one for seed in (1, 5) for one in states(Buffalo(players=5), seed, kind)]
    seat, state = found[len(found) // 2]
    view = state.view(seat)
    figures = set()
    for stream in range(3):
        same = guess(view, Rng.from_seed(stream, 8))
        assert stream == 0 or same.hands != state.hands or same.extra != state.extra
        tries = compiled_tries(same.view(seat), Rng.from_seed(4), skilled=True)
        assert tries is not None and view.decision is not None
        figures.add(str(tries.run(view.decision.options[:2], 25)))
    assert len(figures) == 1


def test_promising_uses_come_first() -> None:
    state = Buffalo(players=3).from_position(
        "10 12 14 16 18 | 20 22 | 60 | 70 ; A: 61 80 ; B: 71 81 ; C: 72 82 ; buffalo: 25 90 ; specials: sort push"
    )
    state, _ = state.choose({0: 61, 1: 71, 2: 72})
    view = state.view(TEAM)
    tries = compiled_tries(view, Rng.from_seed(1), skilled=True)
    assert tries is not None and view.decision is not None
    found = tries.promising(view.decision.options, 10)
    assert found is not None and found[0] == Pass() and len(found) == 10
    assert all(use in view.decision.options for use in found) and {type(use) for use in found} >= {Push}
    assert bot("best:playouts=30").choose(view, Rng.from_seed(1)) in view.decision.options
    advice = bot("best:playouts=30").advise(view)
    assert advice.left_out == 0 and len(advice) == len(view.decision.options) and not advice.is_exact
    assert advice.method == "search" and any(promise.points_error > 0 for promise in advice)


def test_codes_are_all_different() -> None:
    for _, state in states(Buffalo(players=6), 2, UseSpecials)[::7]:
        decision = state.pending[TEAM]
        assert isinstance(decision, UseSpecials)
        uses = [use for part in decision.options.parts for use in (part[at] for at in range(min(len(part), 400)))]
        codes = [kernel.code(use, state.queue) for use in uses]
        assert len(set(codes)) == len(uses) and [kernel.use_of(code, state.queue) for code in codes] == uses
    assert kernel.code(LiftStop(1), ()) == kernel.USES + 1


@pytest.mark.exhaustive
def test_nonsense_is_refused_and_nothing_crashes() -> None:
    """Numbers out of range in any field: a refusal or an answer, but never a crash (nor, with sanitizers, a complaint)."""
    dice, found, refused, answered = Dice(5), core(), 0, 0
    assert found is not None
    kinds = (ChooseCard, ChooseRow, UseSpecials, ChooseSwap)
    places = [one for kind in kinds for one in states(Buffalo(players=5), 3, kind)[:5]]
    places += states(Buffalo(players=1), 3, ChooseCard)[:6]
    names = [
        name
        for name in layout_of(found, "nl_buffalo").fields
        if name not in ("key", "first", "rng", "stats", "gains", "codes", "values", "chance")
    ]
    for trial in range(1200):
        seat, state = places[trial % len(places)]
        view = state.view(seat)
        tries = compiled_tries(view, Rng.from_seed(1), skilled=True)
        assert tries is not None and view.decision is not None
        step = dice.below(3) == 0
        work = laid(state) if step else tries.work
        options = [view.decision.options[at] for at in range(min(3, len(view.decision.options)))]
        work.set("options", [kernel.code(option, view.queue) for option in options])
        work.set("n_options", len(options))
        for _ in range(dice.choice((0, 1, 1, 1, 2, 5))):
            name = dice.choice(names)
            field = work.layout.field(name)
            letter, count = field.code, field.count
            width = {"B": 8, "i": 32}[letter]
            number = dice.choice((dice.bits(width), dice.below(110), dice.below(8), 2**width - 1))
            work.set(name, number - 2**32 if letter == "i" and number >= 2**31 else number, at=dice.below(count))
        use = dice.choice((dice.bits(17), 0, kernel.USES * dice.below(10) + dice.below(12)))
        if step:
            call = dice.choice(("legal", "use", "swap", "place", "reveal", "team"))
            extra = [] if call in ("reveal", "team") else [use]
            answer = found.ask(f"nl_buffalo_{call}", work.memory, *extra)
        elif dice.below(5) == 0:
            answer = found.ask("nl_buffalo_rounds", work.memory, 1, found.memory(48), dice.choice((48, 40, -1)))
        elif dice.below(5) == 0:
            work.set("n_codes", dice.choice((1, 3, -1, 7000)))
            work.set("codes", [use, 0, dice.bits(31)])
            answer = found.ask("nl_buffalo_outlooks", work.memory)
        elif dice.below(5) == 0:
            answer = found.ask("nl_buffalo_usual", work.memory)
        elif view.game.players == 1:
            size = found.ask("nl_buffalo_tree")
            work.set("options", view.hand)
            work.set("n_options", dice.choice((len(view.hand), len(view.hand), 1)))
            answer = found.ask("nl_buffalo_alone", work.memory, found.memory(size), dice.choice((size, size, 8)), 20)
        else:
            answer = found.ask("nl_buffalo_search", work.memory, 2)
        assert answer >= -3
        refused += answer < 0
        answered += answer >= 0
    assert refused > 200 and answered > 200
