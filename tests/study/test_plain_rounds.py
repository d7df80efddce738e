"""The plain program against the engine: the same deals, card by card. And the studies' numbers, counted again by the
engine's own bots."""

from __future__ import annotations

import math
from collections.abc import Sequence
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
        return game.cheapest_row(view)


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
    "orders": [Player("dear-first"), Player("cheap-first"), Player("middle-first"), Player("lowest"), Player("highest")],
    "plans": [
        Player("edges-first", "low-in-turn", 3),
        Player("closest-safe", "high-in-turn", 4),
        Player("edges-first", "on-purpose", 2),
        Player("edges-first", row="shortest"),
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
