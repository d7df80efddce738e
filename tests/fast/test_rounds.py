"""Known means, the same numbers however the work is split and with or without numba, and clear errors."""

from __future__ import annotations

import json
import pickle
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nimmt_lab import Advanced, Classic
from nimmt_lab.engine.errors import RulesError
from nimmt_lab.engine.rng import Rng
from nimmt_lab.fast import COMPILED, Plan, Totals
from nimmt_lab.fast import kernels as k
from nimmt_lab.fast.rounds import LOW_CARDS, POLICIES, stream_key
from nimmt_lab.games import Baron, NumberTwister

ROOT = Path(__file__).parents[2]


@given(st.integers(0, 2**64 - 1), st.integers(0, 2**40), st.integers(1, 104), st.integers(0, 104))
@settings(max_examples=50, deadline=None)
def test_streams_and_shuffles_are_the_engines(seed: int, stream: int, size: int, take: int) -> None:
    _, rng = k.memory(2)
    k.start_stream(rng, stream_key(seed), stream)
    cards = k.zeros(104)
    cards[:] = list(range(1, 105))
    k.shuffle(cards, 0, size, take, rng)
    expected, after = Rng.from_seed(seed, stream).shuffled(range(1, size + 1), take=take)
    assert tuple(cards[:size]) == expected
    assert int(rng[0]) == after.state


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
    totals = Plan.of(Classic(players=players), low_card=low).count(seed=1, first=0, rounds=400_000)
    everybody = sum(totals.mean_heads) / players
    assert abs(everybody - mean) < 0.015  # the known values are rounded to 0.01
    assert all(
        abs(mean - everybody) < 5 * error for mean, error in zip(totals.mean_heads, totals.error_heads, strict=True)
    )
    assert abs(sum(totals.win_credit) - 1) < 1e-12
    assert sum(totals.turns_with_take) == sum(totals.full_rows) + sum(totals.low_cards)


def test_known_takes_of_four_players() -> None:
    totals = Plan.of(Classic(players=4)).count(seed=2, first=0, rounds=400_000)
    assert abs(sum(totals.full_rows) / totals.rounds - 3.96) < 0.015
    assert abs(sum(totals.low_cards) / totals.rounds - 6.28) < 0.015
    assert sum(totals.cow_rows) == 0


@given(st.lists(st.integers(1, 5000), min_size=1, max_size=5), st.integers(0, 2**63))
@settings(max_examples=20, deadline=None)
def test_portions_add_up(sizes: list[int], seed: int) -> None:
    plan = Plan.of(Classic(players=3), ("random", "lowest", "least-risk"), ("cheapest", "random", "shortest"))
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


def plan_of(name: str, players: int, policy: str, low: str) -> Plan:
    if name == "advanced":
        return Plan.of(Advanced(players=players), policy, low)
    return Plan.of(Classic(players=players, fan_cards=() if name == "classic" else (name,)), policy, low)


def test_without_numba_and_numpy_the_numbers_are_the_same() -> None:
    plans = [plan_of(*case) for case in CASES]
    code = (
        "import json, sys\n"
        "sys.modules['numba'] = sys.modules['numpy'] = None\n"
        "from nimmt_lab.fast import COMPILED, Plan\n"
        "assert not COMPILED\n"
        "for fields in json.load(sys.stdin):\n"
        "    plan = Plan(*fields[:2], *map(tuple, fields[2:]))\n"
        "    print(plan.play(7, 3, 6).data.hex(), *plan.count(7, 3, 6).data, flush=True)\n"
    )
    fields = [[plan.system, plan.players, plan.policies, plan.low_cards] for plan in plans]
    done = subprocess.run(
        [sys.executable, "-c", code], input=json.dumps(fields), capture_output=True, text=True, cwd=ROOT, check=True
    )
    lines = done.stdout.splitlines()
    assert len(lines) == len(plans)
    for plan, line in zip(plans, lines, strict=True):
        data, *totals = line.split()
        assert data == plan.play(7, 3, 6).data.hex()
        assert tuple(map(int, totals)) == plan.count(7, 3, 6).data


def test_compiled_here() -> None:
    # Otherwise the comparison above compares nothing.
    assert COMPILED


def test_plans_travel() -> None:
    plan = Plan.of(Classic(players=4), "lowest")
    assert pickle.loads(pickle.dumps(plan)) == plan


@pytest.mark.parametrize(
    ("game", "message"),
    [
        (Baron(players=3), "no kernel plays baron"),
        (Classic(players=3, fan_cards=("mountain", "even_odd"), combine_fan_cards=True), "one fan card at a time"),
        (Advanced(players=3, fan_cards=("mountain",)), "one fan card at a time"),
        (Classic(players=3, heads="containing_5"), "printed"),
        (Classic(players=3, row_order="ascending"), "no kernel starts rows"),
        (Classic(players=3, hand_size=9), "no kernel deals hands of 9"),
        (Classic(players=3, fan_cards=(NumberTwister(single_digits=True),)), "two digits only"),
    ],
)
def test_games_without_a_kernel_are_named(game: Classic, message: str) -> None:
    with pytest.raises(RulesError, match=message):
        Plan.of(game)


def test_wrong_names_are_named() -> None:
    with pytest.raises(RulesError, match="one for each of 3 seats; got 2"):
        Plan.of(Classic(players=3), ("random", "random"))
    with pytest.raises(RulesError, match="no low-card policy 'dear'"):
        Plan.of(Classic(players=3), low_card="dear")
    with pytest.raises(RulesError, match="seed must be"):
        Plan.of(Classic(players=3)).play(-1, 0, 1)
    with pytest.raises(RulesError, match="cannot be added"):
        Totals.nothing(2) + Totals.nothing(3)
