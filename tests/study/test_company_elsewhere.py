"""Luck against unequal opponents in the other games, with so few hidden cards that every deal can be enumerated."""

from __future__ import annotations

from collections.abc import Iterator
from math import comb
from statistics import mean
from typing import Any

import pytest

from nimmt_lab import Advanced, Baron, BoardGame, Buffalo, Classic, Record
from nimmt_lab.bots import bot, company, record
from nimmt_lab.bots.company import AT_RANDOM, Company, SeatModel, company_of
from nimmt_lab.bots.yardstick import Worth, average, undealt, usual, worths
from nimmt_lab.engine.game import Game
from nimmt_lab.engine.habits import habitual_choices
from nimmt_lab.engine.rng import Rng
from nimmt_lab.engine.state import GameState
from nimmt_lab.engine.view import View
from nimmt_lab.native import core
from nimmt_lab.native.kernel import LOW_CARDS, POLICIES, kernel_of
from nimmt_lab.native.seating import SEATING, ByCost
from nimmt_lab.study import review
from nimmt_lab.study.luck import Measurement, rounds_of, split
from tests.study.small_decks import hands_of, mean_luck, played

pytestmark = pytest.mark.native

FAN_ROWS = "1 2 4 5 | 6 8 9 11 12 | 13 15 16 18 | 19 21 22 24"
BARON_ROWS = "5 17 33 | 8 20 41 60 | 12 13 | 70 71 72 90 | 100 101"
SMALL: dict[str, Any] = {"players": 2, "hand_size": 3, "deck_size": 24, "rounds": 1}
#: Game, rows, the rest of the position, the hidden cards, and the number of B's habit.
CASES: dict[str, tuple[Game, str, str, tuple[int, ...], int]] = {
    **{
        name: (Classic(**SMALL, fan_cards=(name,)), FAN_ROWS, "", (3, 7, 10, 14, 17, 20, 23), 0)
        for name in ("mountain", "even_odd", "number_twister")
    },
    "baron": (Baron(players=2), BARON_ROWS, "", (3, 25, 37, 44, 58, 81, 95), 0),
    "bulls are good": (Baron(players=2, variant="bulls_are_good"), BARON_ROWS, "", (3, 25, 37, 44, 58, 81, 95), 0),
    "board": (
        *(BoardGame(players=2), "50 | 70 | 20 22 23 | 56 57 59 60 | | | | | |", " ; round: 2"),
        *((3, 25, 37, 44, 58, 81, 95), 5),
    ),
}


def deals(name: str) -> Iterator[GameState]:
    """Every way to deal two hands of three hidden cards; all other cards are in A's pile."""
    game, rows, more, hidden, _ = CASES[name]
    gone = {int(word) for word in rows.replace("|", " ").split()} | set(hidden)
    taken = "" if isinstance(game, Classic) else " ; A+: " + " ".join(str(c) for c in game.deck if c not in gone)
    for hands in hands_of(hidden):
        yield game.from_position(f"{rows} ; {hands}{taken}{more}")


def safe(name: str) -> Company:
    """A plays any card, B the closest safe one."""
    return Company((AT_RANDOM, SeatModel(POLICIES["closest-safe"], 1, CASES[name][4])))


def usually(state: GameState) -> int:
    """A's total if it plays like the yardstick, and B the closest safe card."""
    while not state.is_over:
        choices = {
            seat: usual(state.view(0)) if seat == 0 else bot("closest-safe").choose(state.view(1), Rng(1))
            for seat in state.pending
        }
        state, _ = state.choose(choices)  # type: ignore[arg-type]
    return state.totals[0]


@pytest.fixture(scope="module", params=CASES)
def games(request: pytest.FixtureRequest) -> tuple[str, list[Record]]:
    return request.param, [played(start, ("highest", "closest-safe")) for start in deals(request.param)]


def told(name: str, one: Record) -> Company:
    """Their models, and what was beside the rows in that game."""
    found = company_of(one)
    assert found is not None
    return safe(name)._replace(beside=found.beside)


@pytest.mark.exhaustive
def test_luck_is_nothing_on_average(games: tuple[str, list[Record]]) -> None:
    name, played = games
    luck, error = mean_luck(((one, told(name, one)) for one in played), 90)
    assert abs(luck) < 3.5 * error + 0.02 and error < 0.2


def after_a_turn(played: list[Record]) -> Iterator[tuple[Record, View, float]]:
    """A's view before its second card, if it says something about B's hand, and the mean of its total over the hands
    with which B would have played the same."""
    seen: dict[View, list[tuple[Record, int]]] = {}
    for one in played:
        first = one.steps[0].before.turn
        state = next(
            (step.before for step in one.steps if step.before.turn == 1 + first and not step.before.queue), None
        )
        if state is not None and 0 in state.pending:
            seen.setdefault(state.view(0), []).append((one, usually(state)))
    for view, ends in seen.items():
        if len(ends) < comb(len(view.unseen), view.hand_sizes[1]):
            yield ends[0][0], view, mean(end for _, end in ends)


@pytest.mark.exhaustive
def test_hands_are_dealt_as_likely_as_they_are(
    games: tuple[str, list[Record]], monkeypatch: pytest.MonkeyPatch
) -> None:
    name, played = games
    views = list(after_a_turn(played))
    assert len(views) > 3

    def off(number: int) -> float:
        one, view, value = views[number]
        (found,) = worths(view, [None], 1500, number, told(name, one))
        return abs(found.total - value) / (found.error + 0.05)

    known = [off(number) for number in range(len(views))]
    assert max(known) < 5 and mean(known) < 1.3
    # With any cards in B's hand it is another number.
    monkeypatch.setattr(company, "_suspicions", lambda *_: {})
    assert mean(off(number) for number in range(len(views))) > 2 * mean(known)


@pytest.mark.parametrize("name", [name for name in CASES if not isinstance(CASES[name][0], Classic)])
def test_the_share_is_the_mean_of_all_deals(name: str) -> None:
    every = list(deals(name))
    exact = mean(usually(state) for state in every)
    found = undealt(every[0].view(0), safe(name), 6000, seed=1)
    assert found.total == pytest.approx(exact, abs=4 * found.error) and 0 < found.error < 0.5
    # It doesn't depend on the dealt hand, and belongs to that seat.
    assert undealt(every[-1].view(0), safe(name), 6000, seed=1) == found
    assert abs(undealt(every[0].view(1), safe(name), 6000, seed=1).total - found.total) > 8 * found.error


TABLES = {
    "baron": (Baron(players=3), ("least-risk", "closest-safe", "random"), (4, 3, 0)),
    "bulls are good": (Baron(players=3, variant="bulls_are_good"), ("least-risk", "closest-safe", "random"), (4, 3, 0)),
    "board": (BoardGame(players=3), ("best:playouts=1", "least-risk", "random"), (None, 4, 0)),
    "fan": (Classic(players=3, rounds=2, fan_cards=("mountain",)), ("edges-first", "closest-safe", "random"), (5, 3, 0)),
    "open": (Advanced(players=3, rounds=1), ("edges-first", "closest-safe", "random"), (5, 3, 0)),
}  # fmt: skip


@pytest.mark.parametrize("name", TABLES)
def test_ways_are_told(name: str) -> None:
    game, players, policies = TABLES[name]
    for seed in range(3):
        found = company_of(record(game, [bot(player) for player in players], seed))
        assert found is not None
        for way, policy in zip(found.models, policies, strict=True):
            if policy == 0:
                assert way.policy == 0 or way.stray > 160
            elif policy is not None:
                assert way.policy == policy and way.stray <= 128


def test_hands_are_refilled() -> None:
    """Beliefs about a hand use the turns since it was last refilled, every fourth turn."""
    state, counts = Baron(players=2).deal(seed=1), []
    seating = SEATING.of(state.game)
    assert isinstance(seating, ByCost)
    while state.turn < 10:
        if not state.queue:
            counts.append((state.turn, len(seating.held(state.view(0)))))
        made, _ = habitual_choices(state, Rng(state.turn))
        state, _ = state.choose(made)
    assert counts == [(turn, turn % 4) for turn in range(10)]


def test_rows_are_told() -> None:
    players = [bot(name) for name in ("random:low_card=random", "random", "best:playouts=2")]
    found = company_of(record(Baron(players=3), players, seed=1))
    assert found is not None
    assert [way.habit for way in found.models[:2]] == [LOW_CARDS["random"], LOW_CARDS["cheapest"]]


def test_who_always_strays_plays_at_random() -> None:
    for game, policy in ((Baron(players=3), POLICIES["least-risk"]), (BoardGame(players=4), POLICIES["closest-safe"])):
        view = game.deal(1).view(0)
        never, often, always = (
            undealt(view, Company((SeatModel(policy, stray),) * 3), 12_000).total for stray in (0, 128, 256)
        )
        anything = undealt(view, Company((AT_RANDOM,) * 3), 12_000)
        assert always == pytest.approx(anything.total, abs=6 * anything.error)
        assert abs(never - always) > 4 * anything.error and min(never, always) < often < max(never, always)


@pytest.mark.exhaustive
def test_shares_are_each_seats_own() -> None:
    """From a review: what the yardstick takes in that seat and company."""
    one = record(Baron(players=3), [bot("least-risk"), bot("least-risk"), bot("random")], seed=3)
    company, found = company_of(one), review(one, playouts=30, progress=False).splits
    assert company is not None
    for seat, parts in found.items():
        again = undealt(one.steps[0].before.view(seat), company, 20_000, seed=9)
        assert parts.expected.value == pytest.approx(again.total, abs=5 * (again.error + parts.expected.error))
    # A table with the random player and one of the others is easier than a table with both others.
    assert found[2].expected.value > found[0].expected.value + 2


def test_in_an_open_game_the_draft_is_not_luck() -> None:
    """The share is what the hands promise once they are drafted."""
    one = record(Advanced(players=3, rounds=1), [bot("edges-first"), bot("closest-safe"), bot("random")], seed=3)
    company, begun = company_of(one), next(step.before for step in one.steps if step.before.rows)
    for seat, parts in review(one, playouts=60, method="search", progress=False).splits.items():
        (again,) = worths(begun.view(seat), [None], 2000, 9, company)
        assert parts.expected.value == pytest.approx(again.total, abs=4.5 * (again.error + parts.expected.error))
        assert abs(parts.deal.value) < 4 * parts.deal.error + 0.01


def test_a_partners_choices_are_not_luck() -> None:
    """B's choice cost 3: A's expected result at this table is 3 higher, and its luck is unchanged."""
    one = record(Buffalo(players=2), [bot("random")] * 2, seed=1)
    rounds = {seat: rounds_of(one, seat) for seat in (0, 1)}
    plain = {ply: Measurement(Worth(20.0, 0.1), Worth(20.0, 0.1)) for ply in rounds[0][0].plies}
    other = {ply: Measurement(Worth(20.0, 0.1), Worth(20.0, 0.1)) for ply in rounds[1][0].plies}
    before = split(one, {0: plain, 1: other}, {0: plain})[0]
    worse = {**other, rounds[1][0].plies[0]: Measurement(Worth(20.0, 0.3), Worth(23.0, 0.4))}
    after = split(one, {0: plain, 1: worse}, {0: plain})[0]
    assert after.expected.value == pytest.approx(before.expected.value + 3)
    assert after.luck.value == pytest.approx(before.luck.value - 3) and after.deal.value == before.deal.value
    assert after.luck.error > before.luck.error and after.gap.value == pytest.approx(before.gap.value)


def test_fan_cards_have_a_share() -> None:
    game = Classic(players=3, rounds=1, fan_cards=("mountain",))
    ways = tuple(SeatModel(POLICIES[name]) for name in ("edges-first", "closest-safe", "random"))
    found_core, kernel = core(), kernel_of(game)
    assert found_core is not None and kernel is not None
    names = ["edges-first", "closest-safe", "random"]
    counted = kernel.rounds(found_core, game, names, ["cheapest"] * 3).count(5, 0, 20_000)
    heads = mean(head for head, times in counted.histograms[0].items() for _ in range(times))
    found = average(game, 0, Company(ways), 20_000)
    assert found is not None
    assert found.total == pytest.approx(heads, abs=6 * found.error)
