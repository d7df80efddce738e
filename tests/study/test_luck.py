"""Luck and skill: the baseline plays like its playouts, the parts add up, luck is 0 among equals, nothing leaks."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from math import sqrt
from statistics import mean, pstdev, stdev
from typing import Any

import pytest

from nimmt_lab import Buffalo, Classic, Record
from nimmt_lab.bots import bot, record
from nimmt_lab.bots.company import company_of
from nimmt_lab.bots.yardstick import Worth, usual, worths
from nimmt_lab.engine.decisions import Choice
from nimmt_lab.engine.guess import guess
from nimmt_lab.engine.habits import any_option, habitual_choices
from nimmt_lab.engine.rng import Rng
from nimmt_lab.engine.state import GameState
from nimmt_lab.study import Split, review, reviews
from nimmt_lab.study.luck import Measurement, measure, rounds_of, split
from tests.support import GAMES, random_record

LAST_TURNS = {"buffalo": 7, "all fan cards": 8, "advanced": 8}


def usually(state: GameState, rng: Rng) -> tuple[dict[int, Choice], Rng]:
    """Everybody's choice by the yardstick."""
    choices: dict[int, Choice] = {}
    for seat, decision in state.pending.items():
        found = usual(state.view(seat))
        if found is None:
            found, rng = any_option(decision, rng)
        choices[seat] = found
    return choices, rng


def late(name: str) -> GameState:
    """Some turns before the end of a round: everybody has to choose a card."""
    game = GAMES[name]
    rng = Rng.from_seed(8)
    state = game.deal(4)
    while not state.rows or state.turn < LAST_TURNS.get(name, 7) or set(state.pending) != set(range(game.players)):
        choices, rng = habitual_choices(state, rng)
        state, _ = state.choose(choices)
        assert state.round == 0 and not state.is_over
    return state


@pytest.mark.sampled(5)
@pytest.mark.native
@pytest.mark.parametrize("name", GAMES)
def test_the_yardstick_does_what_its_playouts_do(name: str) -> None:
    """Playouts of the kernel and of the engine, in which everybody plays the usual option, have the same mean."""
    view = late(name).view(0)
    side = view.game.pile_of(0)
    ends = []
    for number in range(60):
        rng = Rng.from_seed(number, 3)
        state = guess(view, rng)
        while not state.is_past_round(view.round):
            choices, rng = usually(state, rng)
            state, _ = state.choose(choices)
        ends.append(state.totals[side])
    (found,) = worths(view, [None], 4000, seed=5)
    assert found.total == pytest.approx(mean(ends), abs=4 * sqrt(found.error**2 + stdev(ends) ** 2 / len(ends)) + 0.02)


def played(seed: int) -> Record:
    return record(Classic(players=4, rounds=1), [bot("closest-safe")] * 3 + [bot("random")], seed)


@pytest.mark.exhaustive
@pytest.mark.native
def test_the_parts_add_up_within_their_error() -> None:
    gaps = []
    for seed in range(24):
        found = review(played(seed), seat=seed % 4, playouts=60, progress=False).splits[seed % 4]
        known = found.expected.value + found.luck.value + found.skill.value
        assert known - found.result == pytest.approx(found.gap.value)
        assert found.luck.value == pytest.approx(found.deal.value + found.turns.value)
        assert found.gap.error > 0.3, "luck and skill are estimates of their own"
        gaps.append(found.gap.value / found.gap.error)
    assert 0.6 < pstdev(gaps) < 1.4 and abs(mean(gaps)) < 0.6


@pytest.mark.exhaustive
def test_splits_are_in_seat_order_whatever_ends_first(monkeypatch: pytest.MonkeyPatch) -> None:
    def last_first(work: Callable[[Any], Any], tasks: Iterable[Any]) -> Iterator[tuple[Any, Any]]:
        for task in sorted(tasks, key=lambda task: -task.seat):
            yield task, work(task)

    monkeypatch.setattr(reviews, "in_portions", last_first)
    game = Classic(players=3, rounds=1, hand_size=2)
    whole = record(game, [bot("closest-safe")] * 3, seed=1)
    assert list(review(whole, playouts=4, progress=False).splits) == [0, 1, 2]


@pytest.mark.exhaustive
@pytest.mark.parametrize("name", [name for name in GAMES if name != "advanced"])
def test_every_game_is_taken_apart(name: str) -> None:
    game = GAMES[name]
    whole = random_record(game, 2)
    ended = next(at for at, step in enumerate(whole.steps) if step.state.is_past_round(0))
    found = review(Record(game, whole.choices[: ended + 1], seed=2), playouts=8, method="search", progress=False)
    assert found.is_complete and set(found.splits) == set(found.seats)
    for seat, one in found.splits.items():
        assert one.rounds == 1 and one.result == found.record.final.totals[game.pile_of(seat)]
        assert abs(one.gap.value) < 5 * one.gap.error + 0.01
    if not isinstance(game, Buffalo) and company_of(found.record) is None:  # without the core
        assert sum(one.luck.value for one in found.splits.values()) == pytest.approx(0, abs=1e-6)
        assert len({round(one.expected.value, 9) for one in found.splits.values()}) == 1


@pytest.mark.exhaustive
@pytest.mark.native
@pytest.mark.parametrize("name", GAMES)
def test_the_parts_add_up_in_every_game(name: str) -> None:
    """Within their error, and not by construction: luck and skill are separate estimates."""
    game, gaps = GAMES[name], list[float]()
    for seed in range(3, 9):
        one = random_record(game, seed)
        ended = next(at for at, step in enumerate(one.steps) if step.state.is_past_round(0))
        one, company = Record(game, one.choices[: ended + 1], seed=seed), company_of(one)
        luck, skill = (
            {seat: {ply: measure(step.before.view(seat), step.choices[seat], 12, 64 * ply + seat, skill=which, company=company)
                    for ply, step in enumerate(one.steps) if seat in step.choices and step.before.rows}
             for seat in range(game.players)}
            for which in (False, True)
        )  # fmt: skip
        for found in split(one, luck, skill, company, rounds_in_company=60, seed=seed).values():
            assert found.expected.value + found.luck.value + found.skill.value - found.result == pytest.approx(
                found.gap.value
            )
            gaps += [found.gap.value / found.gap.error] if found.gap.error else []
    assert len(gaps) > 4 and 0.1 < pstdev(gaps) < 1.6 and abs(mean(gaps)) < 1


def test_a_round_by_hand() -> None:
    """Two players, one choice each: A's differs from the yardstick's, B's does not."""
    game = Classic(players=2, rounds=1)
    start = "12 14 15 16 18 | 37 | 43 44 | 58 61 ; A: 19 ; B: 59"
    one = Record(game, ({0: 19, 1: 59},), start=start)
    assert [round.plies for round in rounds_of(one, 0)] == [(0,)]
    a = one.final.totals[0]
    luck = {
        0: {0: Measurement(Worth(4.0, 0.1), Worth(6.0, 0.2))},
        1: {0: Measurement(Worth(1.0, 0.3), Worth(1.0, 0.3))},
    }
    found = split(one, luck, {0: {0: Measurement(Worth(4.0, 0.1), Worth(6.5, 0.2))}})[0]
    assert isinstance(found, Split) and found.result == a
    # A: 4 after the deal, then from 6 to what it took; B: 1 after the deal, then from 1 to nothing.
    assert found.expected.value == pytest.approx((4 + (a - 6) + 1 + (0 - 1)) / 2)
    assert found.deal.value == pytest.approx(4 - (4 + 1) / 2)
    assert found.skill.value == pytest.approx(2.5)
    assert found.gap.value == pytest.approx(0.5)
    assert found.gap.error == pytest.approx(sqrt(2 * (0.1**2 + 0.2**2)))


@pytest.mark.exhaustive
@pytest.mark.native
def test_luck_is_nothing_on_average_among_equals() -> None:
    """And it is luck: a lucky player takes fewer heads, whatever the choices."""
    found = [
        review(
            record(Classic(players=4, rounds=1), [bot("closest-safe")] * 4, seed), seat=0, playouts=40, progress=False
        )
        for seed in range(30)
    ]
    luck = [one.splits[0].luck.value for one in found]
    results = [one.splits[0].result for one in found]
    assert abs(mean(luck)) < 3 * stdev(luck) / sqrt(len(luck))
    lucky = sorted(range(30), key=lambda at: luck[at])
    assert mean(results[at] for at in lucky[:15]) < mean(results[at] for at in lucky[15:]) - 4


@pytest.mark.exhaustive
@pytest.mark.native
def test_worse_players_have_less_skill() -> None:
    skill = {0: 0.0, 3: 0.0}
    for seed in range(12):
        for seat, one in review(played(seed), playouts=60, progress=False).splits.items():
            if seat in skill:
                skill[seat] += one.skill.value / 12
    assert skill[3] > skill[0] + 1.5  # heads that their choices cost: random against closest-safe


@pytest.mark.parametrize("name", GAMES)
def test_skill_knows_no_more_than_the_seat(name: str) -> None:
    """States that look the same to a seat give the same judgement of the same choice."""
    game = GAMES[name]
    state = late(name)
    for seat in range(2):
        view = state.view(seat)
        choice = next(iter(state.pending[seat].options))
        twin = guess(view, Rng.from_seed(77))
        assert twin != state or not game.hidden_hands
        assert measure(view, choice, 20, 3, skill=True) == measure(twin.view(seat), choice, 20, 3, skill=True)
