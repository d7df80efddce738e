"""Luck against unequal opponents: its mean is exactly 0 on a deck small enough to enumerate."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import prod, sqrt
from statistics import mean, stdev

import pytest

from nimmt_lab import BoardGame, Buffalo, Classic, Record
from nimmt_lab.bots import bot, record
from nimmt_lab.bots.company import AT_RANDOM, Company, SeatModel, company_of
from nimmt_lab.bots.yardstick import Worth, average, usual, worths
from nimmt_lab.engine.decisions import ChooseCard
from nimmt_lab.engine.rng import Rng
from nimmt_lab.engine.state import GameState
from nimmt_lab.engine.view import View
from nimmt_lab.games.classic.network import TRAINED
from nimmt_lab.native.kernel import KERNEL, LOW_CARDS, POLICIES
from tests.study.small_decks import hands_of, mean_luck, played

pytestmark = pytest.mark.native

GAME = Classic(players=2, hand_size=3, deck_size=24, rounds=1)
ROWS = "1 2 4 5 | 6 8 9 11 12 | 13 15 16 18 | 19 21 22 24"
HIDDEN = (3, 7, 10, 14, 17, 20, 23)
SAFE = SeatModel(POLICIES["closest-safe"], 1)


def deals() -> Iterator[GameState]:
    """Every way to deal two hands of the hidden cards."""
    for hands in hands_of(HIDDEN):
        yield GAME.from_position(f"{ROWS} ; {hands}")


@pytest.fixture(scope="module")
def games() -> list[Record]:
    return [played(start, ("highest", "closest-safe")) for start in deals()]


@pytest.mark.exhaustive
def test_luck_is_nothing_on_average_in_unequal_company(games: list[Record]) -> None:
    """A plays its highest card, B the closest safe one, and neither is the yardstick. With all deals enumerated, the
    only error is that of the playouts."""
    luck, error = mean_luck((one, Company((AT_RANDOM, SAFE))) for one in games)
    assert abs(luck) < 3.5 * error + 0.02 and error < 0.05
    # The mean with the assumption that everybody plays like the yardstick, with any cards in hand:
    wrong, error = mean_luck((one, None) for one in games)
    assert wrong > 1.5 and error < 0.05


def after_a_turn(games: list[Record]) -> Iterator[tuple[View, float]]:
    """A's view before its second card, and the mean of its total over all hands that B may hold: those with which B
    would have played the same."""
    seen: dict[View, list[int]] = {}
    for one in games:
        state = next(step.before for step in one.steps if step.before.turn == 1 + one.steps[0].before.turn)
        view = state.view(0)
        while not state.is_over:
            choices = {
                seat: usual(state.view(0)) if seat == 0 else bot("closest-safe").choose(state.view(1), Rng(1))
                for seat in state.pending
            }
            state, _ = state.choose(choices)  # type: ignore[arg-type]
        seen.setdefault(view, []).append(state.totals[0])
    yield from ((view, mean(ends)) for view, ends in seen.items() if len(ends) > 2)


def test_hands_are_dealt_as_likely_as_they_are(games: list[Record]) -> None:
    known, blind = list[float](), list[float]()
    for number, (view, value) in enumerate(after_a_turn(games)):
        if view.decision is None or view.queue:
            continue
        for company, off in ((Company((AT_RANDOM, SAFE)), known), (Company((AT_RANDOM, AT_RANDOM)), blind)):
            (found,) = worths(view, [None], 400, number, company)
            off.append((found.total - value) / (found.error + 0.05))
    assert len(known) > 20
    assert max(map(abs, known)) < 5 and mean(abs(one) for one in known) < 1.2
    assert mean(abs(one) for one in blind) > 3


def lying(rows: Sequence[Sequence[int]], mine: Sequence[int], theirs: Sequence[int]) -> GameState:
    """The rows, with those hands."""
    words = [" ".join(map(str, cards)) for cards in (*rows, mine, theirs)]
    return GAME.from_position(f"{' | '.join(words[:4])} ; A: {words[4]} ; B: {words[5]}")


def chance_of(before: GameState, hand: list[int], card: int, stray: float) -> float:
    """The probability that a player of the closest safe card, who sometimes plays any card, plays that card of a hand."""
    gone = {*hand, *(one for row in before.rows for one in row)}
    others = [one for one in GAME.deck if one not in gone][: len(hand)]
    view = lying(before.rows, others, hand).view(1)
    return (1 - stray) * (bot("closest-safe").choose(view, Rng(1)) == card) + stray / len(hand)


@pytest.mark.exhaustive
def test_choices_that_may_be_any_tell_less() -> None:
    """B plays any cards, which its model hardly explains. Before the last card: A's total over all cards that B may
    have left, weighted by how well each explains B's plays."""
    company, checked = Company((AT_RANDOM, SeatModel(POLICIES["closest-safe"], 100))), 0
    for number, start in enumerate(deals()):
        one = played(start, ("highest", "random"))
        turns = {step.before.turn: step for step in one.steps if not step.before.queue}
        first, second, last = (turns[at] for at in sorted(turns))
        view = last.before.view(0)
        if not isinstance(view.decision, ChooseCard):
            continue
        theirs = [step.choices[1] for step in (first, second)]
        assert isinstance(theirs[0], int) and isinstance(theirs[1], int)
        weights, ends = [], []
        for left in view.unseen:
            hands = ([theirs[0], theirs[1], left], [theirs[1], left])
            steps = zip((first, second), hands, strict=True)
            weights.append(prod(chance_of(step.before, sorted(hand), hand[0], 100 / 256) for step, hand in steps))
            end = played(lying(view.rows, view.hand, [left]), ("lowest", "lowest")).final
            ends.append(view.pile_heads[0] + end.totals[0])
        exact = sum(weight * end for weight, end in zip(weights, ends, strict=True)) / sum(weights)
        (found,) = worths(view, [None], 1500, number, company)
        assert found.total == pytest.approx(exact, abs=4.5 * found.error + 0.02)
        checked += len(set(ends)) > 1 and max(weights) > 1.2 * min(weights)
    assert checked > 8, "what B has played makes a difference"


def share(game: Classic, seat: int, company: Company, rounds: int) -> Worth:
    found = average(game, seat, company, rounds)
    assert found is not None
    return found


def test_who_always_strays_plays_at_random() -> None:
    game = Classic(players=3, rounds=1)
    never, often, always = (
        share(game, 0, Company((SeatModel(POLICIES["closest-safe"], stray),) * 3), 20_000).total
        for stray in (0, 128, 256)
    )
    anything = share(game, 0, Company((AT_RANDOM,) * 3), 20_000)
    assert never > often + 1 > always + 1.5
    assert always == pytest.approx(anything.total, abs=6 * anything.error)


@pytest.mark.exhaustive
def test_the_share_is_what_views_promise_on_share() -> None:
    game = Classic(players=3, rounds=1)
    company = Company((AT_RANDOM, SeatModel(TRAINED, 12), SeatModel(POLICIES["closest-safe"], 96)))
    promised = [worths(game.deal(seed).view(0), [None], 30, seed, company)[0].total for seed in range(150)]
    found = share(game, 0, company, 20_000)
    assert found.error < 0.08
    assert found.total == pytest.approx(mean(promised), abs=3.5 * stdev(promised) / sqrt(150))
    # In another seat, or in other company, it is another number.
    assert share(game, 1, company, 20_000).total < found.total - 0.5
    assert share(game, 0, Company((AT_RANDOM,) * 3), 20_000).total < found.total - 1


def test_ways_are_told() -> None:
    """Inferred from two rounds: the policy, the stray rate, and the habit for low cards."""
    game = Classic(players=4, rounds=2)
    names = ["trained", "closest-safe", "level-2", "random:low_card=random"]
    strays = []
    for seed in range(4):
        found = company_of(record(game, [bot(name) for name in names], seed))
        assert found is not None
        trained, safe, sometimes, anything = found.models
        assert (trained.policy, safe.policy) == (TRAINED, POLICIES["closest-safe"])
        assert max(trained.stray, safe.stray) <= 24
        strays.append(sometimes.stray or 256)
        assert anything.policy == POLICIES["random"] or anything.stray > 200
    assert 96 <= mean(strays) <= 224  # every second choice is any card


def test_rows_are_told() -> None:
    game = Classic(players=2, rounds=8)
    found = company_of(record(game, [bot("random:low_card=random"), bot("random")], seed=1))
    assert found is not None
    assert [way.habit for way in found.models] == [LOW_CARDS["random"], LOW_CARDS["cheapest"]]


def test_of_a_team_nothing_is_told() -> None:
    """A seat without others at its table."""
    assert company_of(Record(Buffalo(players=2), ())) is None


def test_where_the_core_does_not_play_nothing_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    """A board that the core has no room for, for example."""
    one = Record(BoardGame(players=2), ())
    assert company_of(one) is not None
    monkeypatch.setattr(KERNEL.of(one.game), "plays", lambda game: False)
    assert company_of(one) is None
