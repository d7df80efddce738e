"""Core and engine play the same turns, placement by placement: same deals, same rows, same takes, same markers."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import combinations

import pytest

from nimmt_lab import Advanced, Classic
from nimmt_lab.engine.decisions import Choice
from nimmt_lab.engine.events import CardPlaced, RowTaken
from nimmt_lab.engine.rng import Rng
from nimmt_lab.engine.state import GameState
from nimmt_lab.games.classic.fan_card import AnyFanCard
from nimmt_lab.games.classic.kernel import ClassicKernel
from nimmt_lab.games.classic.rules import ClassicRule
from nimmt_lab.games.jumping_cow.rules import JumpingCowRule
from nimmt_lab.games.number_twister.rules import NumberTwister, Twist
from nimmt_lab.native import NativeError, core
from nimmt_lab.native.kernel import LOW_CARDS, POLICIES, kernel_of
from nimmt_lab.native.work import Workspace
from nimmt_lab.study.by_engine import EngineRounds
from nimmt_lab.study.rounds import Simulator
from tests.support import COMPILED_CARDS

CARDS = COMPILED_CARDS
COMBINED = [names for size in range(2, len(CARDS) + 1) for names in combinations(CARDS, size)]


def fan(*names: str | AnyFanCard, kind: type[Classic] = Classic) -> Callable[[int], Classic]:
    return lambda n: kind(players=n, rounds=1, fan_cards=names, combine_fan_cards=len(names) > 1)


def sized(rows: int, limit: int, *names: str, kind: type[Classic] = Classic) -> Callable[[int], Classic]:
    return lambda n: kind(
        players=n, rounds=1, hand_size=9, rows=rows, row_limit=limit, fan_cards=names, combine_fan_cards=len(names) > 1
    )


#: Tables of other sizes, without fan cards, with each of them and with all of them.
SIZES: list[tuple[int, int, tuple[str, ...]]] = [
    *((rows, limit, ()) for rows, limit in ((1, 1), (1, 9), (8, 1), (8, 9), (3, 6), (5, 4), (4, 6), (5, 5))),
    *((rows, limit, (name,)) for rows, limit in ((2, 2), (8, 9), (5, 3)) for name in CARDS),
    *((rows, limit, tuple(CARDS)) for rows, limit in ((2, 2), (3, 9), (8, 2), (6, 4))),
    (1, 5, ("number_twister",)),
]

GAMES: dict[str, Callable[[int], Classic]] = {
    "classic": fan(),
    "advanced": fan(kind=Advanced),
    **{name: fan(name) for name in CARDS},
    **{"+".join(names): fan(*names) for names in COMBINED},
    "advanced+mountain": fan("mountain", kind=Advanced),
    "advanced+all": fan(*CARDS, kind=Advanced),
    "single digits": fan(NumberTwister(single_digits=True)),
    "containing_5": lambda n: Classic(players=n, rounds=1, heads="containing_5"),
    "ascending": lambda n: Classic(players=n, rounds=1, row_order="ascending", fan_cards=("even_odd",)),
    **{f"{rows}x{limit} {'+'.join(names) or 'classic'}": sized(rows, limit, *names) for rows, limit, names in SIZES},
    "advanced 6x3": sized(6, 3, kind=Advanced),
    "advanced 5x4 all": sized(5, 4, *CARDS, kind=Advanced),
    "small": lambda n: Classic(players=n, rounds=1, hand_size=6, deck_size=6 * n + 9),
}
#: Tables of other sizes for longer tests.
SOME_SIZES = ["1x1 classic", "8x9 classic", "5x3 mountain", f"6x4 {'+'.join(CARDS)}"]
RULE_BITS = {ClassicRule.FULL_ROW: 8, ClassicRule.LOW_CARD: 16, JumpingCowRule.MAKES_SIX: 32}


def laid(game: Classic, seed: int, number: int, policy: str = "random", low: str = "cheapest") -> Workspace:
    """A workspace with that round dealt."""
    found, kernel = core(), kernel_of(game)
    assert found is not None and isinstance(kernel, ClassicKernel)
    work = Workspace(found, "nl_classic")
    kernel.prepare(work, game, [POLICIES[policy]] * game.players, [LOW_CARDS[low]] * game.players)
    work.set("key", Rng.key(seed))
    work.set("first", number)
    work.call("nl_classic_deal")
    return work


def turn_of_engine(
    state: GameState, choices: Mapping[int, Choice], rows: dict[int, int], cheapest: bool
) -> tuple[GameState, list[list[int]]]:
    """Play one turn; per placement [seat, card, row, packed takes]. Low cards go to `rows[seat]` or the cheapest row."""
    placements: list[list[int]] = []
    state, events = state.choose(choices)
    seen = list(events)
    while state.queue:
        (seat,) = state.pending
        assert isinstance(state.game, Classic)
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


def same_table(work: Workspace, state: GameState, scratch: Workspace) -> bool:
    """Whether the workspace shows the same table as the engine."""
    game, kernel = state.game, kernel_of(state.game)
    assert isinstance(game, Classic) and isinstance(kernel, ClassicKernel)
    for name in ("mark", "shows", "spare"):
        scratch.set(name, work.get(name))
    kernel.lay(scratch, game, state.rows, state.extra)
    same = all(work.get(name) == scratch.get(name) for name in ("end", "count", "sum", "mark", "shows", "spare"))
    if "jumping_cow" in (names := [card.name for card in game.fan_cards]) and {"mountain", "number_twister"} & {*names}:
        here, there = work.get("rows"), scratch.get("rows")
        same &= all(
            here[10 * r : 10 * r + len(row)] == there[10 * r : 10 * r + len(row)] for r, row in enumerate(state.rows)
        )
    return same


@pytest.mark.sampled(3)
@pytest.mark.parametrize("low", ["cheapest", "random"])
@pytest.mark.parametrize("system", GAMES)
def test_every_placement_agrees(system: str, low: str) -> None:
    turns = 0
    alone = "+" not in system and "x" not in system
    most = 6 if "advanced" in system else 10
    for n in range(2, most + 1):
        game = GAMES[system](n)
        kernel = kernel_of(game)
        assert kernel is not None
        scratch = laid(game, 11, 0)
        for number in range(26 if alone else 10):
            work = laid(game, 11, number, low=low)
            state, orders, stream = kernel.deal(game, 11, number)
            hands, size = work.get("cards"), game.hand_size
            assert [hands[size * seat : size * (seat + 1)] for seat in range(n)] == orders
            assert [tuple(sorted(order)) for order in orders] == list(state.hands)
            assert work.one("rng") == stream.state
            assert same_table(work, state, scratch)
            for _ in range(size):
                work.call("nl_classic_turn")
                plays = dict(enumerate(work.get("plays", n)))
                choices = {s: Twist(c - 128) if c >= 128 else c for s, c in plays.items()}
                logs = work.get("log", n)
                state, placements = turn_of_engine(
                    state,
                    choices,
                    {s: logs[s] & 7 for s in range(n)},
                    low == "cheapest",
                )
                order = [key & 15 for key in work.get("order", n)]
                assert placements == [[s, plays[s] & 127, logs[s] & 7, logs[s] & ~7] for s in order]
                turns += 1
                if state.is_over:
                    break
                assert same_table(work, state, scratch)
            assert state.is_over
    assert turns >= (1200 if alone else 450)


@pytest.mark.sampled(5)
@pytest.mark.parametrize("low", LOW_CARDS)
@pytest.mark.parametrize("policy", POLICIES)
@pytest.mark.parametrize(
    "system",
    ["classic", "advanced", *CARDS, "+".join(CARDS), "single digits", "containing_5", "small", *SOME_SIZES],
)
def test_outcomes_of_whole_rounds_agree(system: str, policy: str, low: str) -> None:
    """The core's counts agree with the engine's events, for every policy."""
    for n in (2, 4, 5):  # two and four have code of their own
        game = GAMES[system](n)
        plan = Simulator.of(game, policy, low)
        assert plan.compiled
        by_engine = EngineRounds(game, plan.policies, plan.low_cards, kernel_of(game))
        assert plan.play(seed=3, first=2, rounds=8) == by_engine.play(seed=3, first=2, rounds=8)
        assert plan.count(seed=3, first=2, rounds=8) == by_engine.count(seed=3, first=2, rounds=8)


def test_seats_may_play_differently() -> None:
    game = GAMES["number_twister"](6)
    plan = Simulator.of(game, tuple(POLICIES), ("cheapest", "random", "shortest") * 2)
    by_engine = EngineRounds(game, plan.policies, plan.low_cards, kernel_of(game))
    assert plan.play(seed=8, first=0, rounds=60) == by_engine.play(seed=8, first=0, rounds=60)


@pytest.mark.parametrize(("row", "step"), [(0, -1), (3, 1), (1, 0), (1, 2), (4, -1), (-1, 1)])
def test_a_mountain_that_points_nowhere_is_refused(row: int, step: int) -> None:
    work = laid(Classic(players=2, fan_cards=("mountain",)), seed=1, number=0)
    work.set("plays", [1, 2])
    work.call("nl_classic_turn")
    work.set("mark", row, at=1)
    work.set("shows", step, at=1)
    with pytest.raises(NativeError):
        work.call("nl_classic_turn")
