"""Known means; the same numbers however the work is divided and with or without the core; every game; clear errors."""

from __future__ import annotations

import json
import os
import pickle
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nimmt_lab import Advanced, Classic
from nimmt_lab.bots import bot
from nimmt_lab.engine.errors import RulesError
from nimmt_lab.engine.game import Game
from nimmt_lab.engine.registry import all_games
from nimmt_lab.engine.rng import Rng
from nimmt_lab.engine.sentences import Phrase
from nimmt_lab.engine.table import LiveTable
from nimmt_lab.games import Baron, BoardGame, Buffalo
from nimmt_lab.games.board_game.material import Board
from nimmt_lab.games.classic.fan_card import FanCard, Marker
from nimmt_lab.games.classic.rules import ClassicRule
from nimmt_lab.native import build, core
from nimmt_lab.native.kernel import LOW_CARDS, POLICIES, kernel_of
from nimmt_lab.native.outcomes import FIELDS, Totals
from nimmt_lab.study.by_engine import EngineRounds
from nimmt_lab.study.rounds import Simulator
from tests.support import check_translated, refused

ROOT = Path(__file__).parents[2]


def summed(totals: Totals, field: str) -> int:
    """A field summed over rounds and sides."""
    return sum(side[FIELDS.index(field) - 1] for side in totals.sums)


@pytest.mark.exhaustive
@pytest.mark.native
@pytest.mark.parametrize(
    ("players", "low", "mean"),
    [
        (2, "cheapest", 8.21),
        (3, "cheapest", 10.84),
        (4, "cheapest", 12.17),
        (5, "cheapest", 13.00),
        (6, "cheapest", 13.58),
        (10, "cheapest", 14.68),
        (4, "random", 13.34),
    ],
)
def test_known_means(players: int, low: str, mean: float) -> None:
    totals = Simulator.of(Classic(players=players), low_card=low).count(seed=1, first=0, rounds=400_000)
    everybody = sum(totals.mean_heads) / players
    assert abs(everybody - mean) < 0.015  # the known values are rounded to 0.01
    assert all(
        abs(mean - everybody) < 5 * error for mean, error in zip(totals.mean_heads, totals.error_heads, strict=True)
    )
    assert abs(sum(totals.win_credit) - 1) < 1e-12
    assert summed(totals, "turns_with_take") == sum(totals.full_rows) + sum(totals.low_cards)


@pytest.mark.native
def test_known_takes_of_four_players() -> None:
    totals = Simulator.of(Classic(players=4)).count(seed=2, first=0, rounds=400_000)
    assert abs(sum(totals.full_rows) / totals.rounds - 3.96) < 0.015
    assert abs(sum(totals.low_cards) / totals.rounds - 6.28) < 0.015
    assert summed(totals, "cow_rows") == 0


@pytest.mark.native
@given(st.lists(st.integers(1, 5000), min_size=1, max_size=5), st.integers(0, 2**63))
@settings(max_examples=20, deadline=None)
def test_portions_add_up(sizes: list[int], seed: int) -> None:
    plan = Simulator.of(Classic(players=3), ("random", "lowest", "least-risk"), ("cheapest", "random", "shortest"))
    whole = plan.count(seed, 5, sum(sizes))
    parts = Totals.nothing(3)
    at = 5
    for size in sizes:
        parts += plan.count(seed, at, size)
        at += size
    assert parts == whole


CASES = [
    (name, players, policy, low)
    for name, players in (("classic", 2), ("classic", 10), ("advanced", 3), ("even_odd", 4), ("mountain", 4), ("jumping_cow", 5), ("number_twister", 6))
    for policy in POLICIES
    for low in LOW_CARDS
]  # fmt: skip


def plan_of(name: str, players: int, policy: str, low: str) -> Simulator:
    if name == "advanced":
        return Simulator.of(Advanced(players=players), policy, low)
    return Simulator.of(Classic(players=players, fan_cards=() if name == "classic" else (name,)), policy, low)


@pytest.mark.exhaustive
@pytest.mark.native
def test_without_the_core_the_numbers_are_the_same() -> None:
    code = (
        "import json, sys\n"
        "from nimmt_lab.engine.registry import from_options\n"
        "from nimmt_lab.study.rounds import Simulator\n"
        "for game, policy, low in json.load(sys.stdin):\n"
        "    plan = Simulator.of(from_options(game), policy, low)\n"
        "    assert not plan.compiled\n"
        "    print(plan.play(7, 3, 4).data.hex(), repr(plan.count(7, 3, 4)), sep='|', flush=True)\n"
    )
    plans = [plan_of(*case) for case in CASES]
    given = [[plan.game.to_json(), plan.policies[0], plan.low_cards[0]] for plan in plans]
    done = subprocess.run(
        [sys.executable, "-c", code], input=json.dumps(given), capture_output=True, text=True, cwd=ROOT, check=True,
        env={**os.environ, "NIMMT_NATIVE": "off"},
    )  # fmt: skip
    lines = done.stdout.splitlines()
    assert len(lines) == len(plans)
    for plan, line in zip(plans, lines, strict=True):
        assert line == f"{plan.play(7, 3, 4).data.hex()}|{plan.count(7, 3, 4)!r}"
    assert done.stderr.count(build.WITHOUT) == 1


@pytest.mark.native
@pytest.mark.parametrize("hand_size", [2, 4, 6, 9])
def test_hands_without_a_card_to_twist_are_the_same_by_the_engine(hand_size: int) -> None:
    """While a seat has its twister, the kernel draws a random number for it, even if it can't twist any card."""
    game = Advanced(players=2, rounds=1, hand_size=hand_size, fan_cards=("number_twister",))
    policies, low_cards = ("random",) * 2, ("cheapest",) * 2
    by_engine = EngineRounds(game, policies, low_cards, kernel_of(game)).count(7, 0, 30)
    assert by_engine == Simulator.of(game, policies, low_cards).count(7, 0, 30)


def test_plans_travel() -> None:
    plan = Simulator.of(Classic(players=4), "lowest")
    assert pickle.loads(pickle.dumps(plan)) == plan


#: More rows than the kernel supports.
LARGE = BoardGame(players=3, board=Board("large", "basic", ((".", "g", "take"),) * 17))
OTHERS = [
    Baron(players=3),
    Baron(players=2, variant="bulls_are_good"),
    Buffalo(players=2),
    Buffalo(players=4),
    BoardGame(players=3),
    LARGE,
]


@pytest.mark.parametrize("game", OTHERS, ids=repr)
@pytest.mark.parametrize("policy", ["random", "lowest", "closest-safe", "least-risk"])
def test_other_chapters_are_played_by_their_kernel_or_the_engine(game: Game, policy: str) -> None:
    plan = Simulator.of(game, policy, "cheapest")
    assert plan.compiled == (core() is not None and kernel_of(game) is not None)
    outcomes = plan.play(seed=5, first=0, rounds=6)
    assert outcomes.players == len(game.pile_seats) and len(outcomes.column("heads")) == 6 * outcomes.players
    totals = plan.count(seed=5, first=0, rounds=6)
    assert totals == outcomes.totals() == plan.count(5, 0, 2) + plan.count(5, 2, 4)
    assert summed(totals, "turns_with_take") <= sum(totals.full_rows) + sum(totals.low_cards) + summed(
        totals, "cow_rows"
    )
    assert sum(totals.win_credit) <= 1 + 1e-12


def test_a_round_by_the_engine_is_the_games_own() -> None:
    """Points and winner of a round are those of the game dealt from the same stream."""
    game = Baron(players=3, variant="bulls_are_good")
    sides = EngineRounds(game, ("random",) * 3, ("cheapest",) * 3).round(seed=4, number=0)
    points = [side[0] for side in sides]
    assert [side[-1] for side in sides] == [
        2520 // points.count(max(points)) if p == max(points) else 0 for p in points
    ]
    assert len(set(points)) > 1


def test_every_game_has_a_plan() -> None:
    for name, kind in all_games().items():
        plan = Simulator.of(kind(players=2))
        assert plan.count(seed=1, first=0, rounds=2).rounds == 2, name


def test_a_fan_card_without_a_kernel_is_played_by_the_engine() -> None:
    @dataclass(frozen=True)
    class Slow(FanCard[Marker]):
        name = "slow"
        marker = Marker
        setup_rule = ClassicRule.SETUP

        def setup(self, table: LiveTable, last_round: Marker | None, edition: str) -> Marker:
            return Marker()

    game = Classic(players=3, fan_cards=(Slow(),))
    plan = Simulator.of(game)
    assert not plan.compiled
    # It has no effect, but random numbers are drawn differently, so only invariants are compared.
    assert plan.count(seed=1, first=0, rounds=20).rounds == 20


def test_wrong_names_are_named() -> None:
    with refused(RulesError, "study.one_name", what=Phrase("study.policy"), players=3, got=2) as number:
        Simulator.of(Classic(players=3), ("random", "random"))
    with refused(RulesError, "study.no_such", what=Phrase("study.low_card_policy"), name="'dear'") as name:
        Simulator.of(Classic(players=3), low_card="dear")
    for error in (number.value, name.value):
        check_translated(error)
    with refused(RulesError, "engine.seed_range", got="-1"):
        Simulator.of(Classic(players=3)).play(-1, 0, 1)
    with refused(RulesError, "native.totals_players_cannot", players=2, others=3):
        Totals.nothing(2) + Totals.nothing(3)


def test_ties_go_to_the_card_dealt_first_or_to_the_lowest() -> None:
    """Each card comes directly after the end of a row with room, so none can take anything. The bot draws."""
    state = Classic(players=2).from_position("10 | 30 | 50 | 70 ; A: 11 31 51 ; B: 12 32 52")
    plan = EngineRounds(state.game, ["least-risk"] * 2, ["cheapest"] * 2)
    hands = [[51, 11, 31], [12, 32, 52]]
    assert plan._choose(state, 0, state.pending[0], hands, Rng(0))[0] == 51 and hands[0] == [11, 31]
    assert plan._choose(state, 0, state.pending[0], None, Rng(0))[0] == 11
    drawn = {bot("least-risk").choose(state.view(0), Rng.from_seed(seed)) for seed in range(30)}
    assert drawn == {11, 31, 51}
