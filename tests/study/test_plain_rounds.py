"""The plain program against the engine: the same deals, card by card. And the studies' numbers, counted again by the
engine's own bots."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from math import comb

import pytest

from nimmt_lab import Classic
from nimmt_lab.bots import Bot, bot
from nimmt_lab.bots.base import ask
from nimmt_lab.bots.simple import EDGE_BONUS, edges_first, least_risk
from nimmt_lab.engine.decisions import Choice, ChooseCard, ChooseRow
from nimmt_lab.engine.rng import Rng
from nimmt_lab.engine.state import GameState
from nimmt_lab.engine.view import View
from nimmt_lab.study import finding, simulate
from tools.plain_rounds import Player, deal, play, play_games

pytestmark = pytest.mark.native
CAREFUL = bot("closest-safe")


def start(seed: int, number: int, players: int) -> GameState:
    """The engine's state of a deal of the plain program."""
    rows, hands = deal(seed, number, players)
    cards = " ; ".join(f"{'ABCDEFGHIJ'[seat]}: {' '.join(map(str, hand))}" for seat, hand in enumerate(hands))
    return Classic(players=players, rounds=1).from_position(f"{' | '.join(map(str, rows))} ; {cards}")


class Engine(Bot):
    """A player of the plain program, played by the engine: written from its description, with the engine's words."""

    name = "by-engine"

    def __init__(self, player: Player) -> None:
        self.player = player

    def choose(self, view: View, rng: Rng) -> Choice:
        if isinstance(view.decision, ChooseRow):
            return self.row(view)
        assert isinstance(view.decision, ChooseCard)
        hand, turn, plan = sorted(view.hand), view.turn + 1, self.player.plan
        if plan == "on-purpose":
            cheapest = min(view.game.heads_in(row) for row in view.rows)
            if view.game.home_row(view, hand[0]) is None and cheapest <= self.player.turn:
                return hand[0]
        if plan in ("low-in-turn", "high-in-turn") and turn <= self.player.turn and len(hand) > 1:
            kept = hand[0] if plan == "low-in-turn" else hand[-1]
            if turn == self.player.turn:
                return kept
            hand.remove(kept)
        return min(hand, key=lambda card: (self.order(view, card), card))

    def order(self, view: View, card: int) -> float | tuple[float, ...]:
        heads = view.game.heads_in((card,))
        match self.player.rule:
            case "lowest":
                return card
            case "highest":
                return -card
            case "dear-first":
                return -heads
            case "cheap-first":
                return heads
            case "middle-first":
                return abs(card - 52.5)
            case "closest-safe":
                return CAREFUL._cost(view, card, card)  # type: ignore[attr-defined,no-any-return]
            case "least-risk":
                return least_risk(view, card)
            case "edges-first":
                return edges_first(view, card)
            case "counting":
                return counted_risk(view, card) - EDGE_BONUS * abs(card - 52)
        raise AssertionError(self.player.rule)

    def row(self, view: View) -> int:
        rows, game = view.rows, view.game
        if self.player.row == "shortest":
            costs = [(len(row), game.heads_in(row)) for row in rows]
            return min(range(4), key=lambda row: (costs[row], row != game.cheapest_row(view), row))
        usual = game.cheapest_row(view)
        if self.player.row == "cheapest":
            return usual
        return min(range(4), key=lambda row: (self.worth(view, row), (row - usual) % 4))

    def worth(self, view: View, row: int) -> int:
        """60 times the heads that a row costs, with what the choice does to the rest of the hand or to others."""
        game = view.game
        after, heads = foresee(view, row)
        worth = 60 * heads[view.seat]
        others = [seat for seat in range(game.players) if seat != view.seat]
        if self.player.row == "hurt-others":
            worth -= sum(60 * heads[seat] // len(others) for seat in others)
        if self.player.row == "hurt-leader":
            leader = min(others, key=lambda seat: view.totals[seat] + view.pile_heads[seat])
            worth -= 60 * heads[leader] // 2
        if self.player.row == "leave-room":
            seen = replace(view, rows=tuple(map(tuple, after)))
            worth += 60 * sum(least_risk(seen, card) for card in view.hand) // 32768
        return worth


def foresee(view: View, row: int) -> tuple[list[list[int]], list[int]]:
    """The rows and everybody's heads at the end of this turn if the first waiting card takes a row and later low cards
    take the cheapest ones."""
    rows, heads = [list(cards) for cards in view.rows], [0] * view.game.players

    def cost(cards: list[int]) -> int:
        return view.game.heads_in(tuple(cards))

    for number, waiting in enumerate(view.queue):
        ends = [(cards[-1], at) for at, cards in enumerate(rows) if cards[-1] < waiting.card]
        at = max(ends)[1] if ends else min(range(4), key=lambda each: (cost(rows[each]), -rows[each][-1]))
        if number == 0:
            at = row
        if not ends or len(rows[at]) == 5:
            heads[waiting.seat] += cost(rows[at])
            rows[at] = []
        rows[at].append(waiting.card)
    return rows, heads


def counted_risk(view: View, card: int) -> int:
    """`least_risk` with the cards that nobody has seen, instead of all."""
    game, others, row = view.game, view.game.players - 1, view.game.home_row(view, card)
    unseen = set(view.unseen)
    low = 0 if row is None else view.rows[row][-1]
    gap, size = sum(low < one < card for one in unseen), len(unseen)
    count = 0 if row is None else len(view.rows[row])
    due = sum(
        comb(others, t) * gap**t * (size - gap) ** (others - t)
        for t in range(others + 1)
        if (t == 0 if count == 0 else (count + t) % 5 == 0)
    )
    chance = 4096 * due // size**others
    if row is None:
        return int(8 * min(map(game.heads_in, view.rows)) * chance)
    return int((8 * game.heads_in(view.rows[row]) + 13 * (5 - count)) * chance)


def by_engine(seed: int, rounds: Sequence[int], players: Sequence[Player]) -> list[tuple[int, ...]]:
    bots = [Engine(player) for player in players]
    ends = []
    for number in rounds:
        state, step = start(seed, number, len(players)), 0
        while not state.is_over:
            step += 1
            state, _ = state.choose(ask(state, bots, number, 16 * step))
        ends.append(tuple(state.totals))
    return ends


TABLES = {
    "thumbs": [Player("closest-safe"), Player("least-risk"), Player("edges-first"), Player("counting")],
    "orders": [
        Player("dear-first"),
        Player("cheap-first"),
        Player("middle-first"),
        Player("lowest"),
        Player("highest"),
    ],
    "plans": [
        Player("edges-first", "low-in-turn", 3),
        Player("closest-safe", "high-in-turn", 4),
        Player("edges-first", "on-purpose", 2),
        Player("edges-first", row="shortest"),
    ],
    "rows": [
        Player("edges-first", row="hurt-leader"),
        Player("closest-safe", row="leave-room"),
        Player("edges-first", row="hurt-others"),
        Player("closest-safe", row="shortest"),
    ],
    "two": [Player("counting"), Player("edges-first")],
    "ten": [Player("counting"), *[Player("edges-first")] * 9],
}


@pytest.mark.parametrize("name", TABLES)
def test_the_engine_plays_the_same_rounds(name: str) -> None:
    players = TABLES[name]
    rounds = range(4 if len(players) == 10 else 12)
    plain = play(5, len(rounds), players)
    assert list(zip(*plain.heads, strict=True)) == by_engine(5, rounds, players)


@pytest.mark.exhaustive
@pytest.mark.parametrize("name", TABLES)
def test_the_engine_plays_many_of_the_same_rounds(name: str) -> None:
    players = TABLES[name]
    plain = play(6, 300 // len(players), players)
    assert list(zip(*plain.heads, strict=True)) == by_engine(6, range(plain.played), players)


def test_a_game_is_rounds_until_somebody_has_66() -> None:
    """The plain program's games: rounds by the engine, added up."""
    players = [Player("edges-first"), *[Player("closest-safe")] * 3]
    games = play_games(7, 3, players, [30, 20, 40, 10])
    for game in range(3):
        totals = [30, 20, 40, 10]
        rounds = by_engine(7, range(64 * game, 64 * game + games.rounds[game]), players)
        for number, heads in enumerate(rounds):
            assert max(totals) < 66, number
            totals = [total + more for total, more in zip(totals, heads, strict=True)]
        assert max(totals) >= 66 and totals == [seat[game] for seat in games.totals]
    assert sum(games.shares()) <= 3 and play_games(7, 3, players, [0, 65, 65, 65]).shares(0) != games.shares(0)


@pytest.mark.exhaustive
@pytest.mark.parametrize("others", ["random", "closest-safe", "edges-first"])
def test_the_core_takes_as_many_heads_by_the_same_rules(others: str) -> None:
    """The compiled core deals other cards; the means must agree within five standard errors of both."""
    # Not `least-risk`: it has many ties, and the core breaks them by the order of the hand instead of drawing each time.
    for rule in ("random", "lowest", "highest", "closest-safe", "edges-first"):
        totals = simulate(
            Classic(players=4, rounds=1), (rule, *[others] * 3), rounds=100_000, seed=5, progress=False
        ).totals
        stored = finding("rules_of_thumb")[f"{others}:{rule.replace('-', '_')}"]
        error = (totals.error_heads[0] ** 2 + (stored.margin / 1.96) ** 2) ** 0.5
        assert abs(totals.mean_heads[0] - stored.mean) < 5 * error, rule
