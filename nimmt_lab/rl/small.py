"""A small linear player, and how it was trained: how far one gets in a minute without a network.

It estimates the heads that a seat will still take in the round after playing a card, as a sum of learned weights: one
for the card's destination (how full that row is, how many unseen cards fit in between), one for the card itself, one
for each card left in the hand, and the cost of the row. It plays the card with the lowest sum, and takes the cheapest
row (R-C4).

**Training** (`train`) is Monte Carlo with least squares: all four seats play a few thousand rounds with the current
weights and one random card in ten, and the weights are refitted to the heads that each seat went on to take. Weights
are rounded to thousandths and summed as integers, so that the player is the same on every machine. The packaged ones
come from `python -m nimmt_lab.rl.small`, which trains and stores them again.
"""

from __future__ import annotations

import hashlib
import json
import sys
from collections.abc import Callable
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from nimmt_lab.bots.base import Bot, needed
from nimmt_lab.engine.cards import LAST_CARD
from nimmt_lab.engine.decisions import Choice, ChooseCard
from nimmt_lab.engine.errors import Unsupported
from nimmt_lab.engine.extras import wanted
from nimmt_lab.engine.files import write_file
from nimmt_lab.engine.habits import habit
from nimmt_lab.engine.rng import Rng
from nimmt_lab.engine.view import View

from .vector import VectorEnv

with wanted("rl"):
    import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Ints = NDArray[np.int64]

__all__ = ["SmallBot", "kept_numbers", "main", "of_games", "parts", "train"]

HAND, ROWS, PLACES = 10, 4, 5
#: Lower bounds of the groups of unseen cards in between, and of row costs.
GAPS = np.array([1, 2, 3, 5, 9, 16])
DEAR = np.array([2, 3, 4, 6])
#: Bounds of the three stages of a round, by turns left.
STAGES = np.array([4, 7])
#: Cards are grouped by eights.
EIGHTS = LAST_CARD // 8 + 1
WHERE = 3 * (PLACES + 1) * (len(GAPS) + 1)
CARD = 3 * EIGHTS
#: Number of weights: destination, card, cards left, cost of the row in three cases.
COUNT = WHERE + CARD + EIGHTS + 3
_THOUSANDTHS = 1000


def parts(ends: Ints, counts: Ints, sums: Ints, hands: Ints, unseen: NDArray[np.bool_]) -> tuple[Ints, Ints]:
    """Features of each card of each hand: the indices of its weights and their multiplicities, by table, card and part.

    Tables have `ends`, `counts` and `sums` of four rows, a hand padded with 0 to ten cards, and an `unseen` mask.
    """
    tables, left = len(hands), (hands > 0).sum(axis=1)
    stage = np.searchsorted(STAGES, left, side="right")
    fits = ends[:, None, :] < hands[:, :, None]
    row = np.where(fits, ends[:, None, :], -1).argmax(axis=2)
    low = ~fits.any(axis=2)
    at = np.arange(tables)[:, None]
    end, count, cost = ends[at, row], counts[at, row], sums[at, row]
    below = np.cumsum(unseen, axis=1)
    between = below[at, np.maximum(hands - 1, 0)] - below[at, end]
    cheapest = sums.min(axis=1)[:, None]
    group = np.where(low, np.searchsorted(DEAR, cheapest, side="right"), np.searchsorted(GAPS, between, side="right"))
    where = (stage[:, None] * (PLACES + 1) + np.where(low, 0, count)) * (len(GAPS) + 1) + group
    eighth = hands // 8
    card = WHERE + stage[:, None] * EIGHTS + eighth
    stays = np.broadcast_to(WHERE + CARD + eighth[:, None, :], (tables, HAND, HAND))
    is_held = (hands > 0)[:, None, :] & ~np.eye(HAND, dtype=bool)
    heads = WHERE + CARD + EIGHTS + np.where(low, 0, np.where(count >= PLACES, 1, 2))
    paid = np.where(low, cheapest, cost)
    one = np.ones_like(hands)
    which = np.concatenate([where[..., None], card[..., None], heads[..., None], stays], axis=2)
    often = np.concatenate([one[..., None], one[..., None], paid[..., None], is_held], axis=2)
    return which, often


def of_games(env: VectorEnv, seat: int) -> tuple[Ints, Ints, Ints, Ints, NDArray[np.bool_]]:
    """The arguments of `parts` for a seat of a vectorised environment."""
    games = env.games
    hands = games["hands"][:, seat].astype(np.int64)
    unseen = np.ones((len(hands), LAST_CARD + 1), dtype=bool)
    at = np.arange(len(hands))[:, None]
    for seen in (hands, games["starts"], games["played"].reshape(len(hands), -1)):
        unseen[at, seen] = False
    unseen[:, 0] = False
    ends, counts, sums = (games[name].astype(np.int64) for name in ("end", "count", "sum"))
    return ends, counts, sums, hands, unseen


class SmallBot(Bot):
    """The small player as a bot, for the classic game without fan cards.

    >>> from nimmt_lab import Classic
    >>> from nimmt_lab.bots import bot, play
    >>> play(Classic(players=4, rounds=1), [SmallBot(), *[bot("random")] * 3], seed=1).is_over
    True
    """

    name: ClassVar[str] = "small"

    def __init__(self, numbers: Ints | None = None) -> None:
        self.numbers = kept_numbers() if numbers is None else numbers
        own = hashlib.sha256(json.dumps(self.numbers.tolist()).encode()).hexdigest()[:8]
        # Other weights have their fingerprint added, so that a tournament keeps them apart.
        self._label = self.name if np.array_equal(self.numbers, kept_numbers()) else f"{self.name}-{own}"

    def __repr__(self) -> str:
        return self._label

    def choose(self, view: View, rng: Rng) -> Choice:
        decision = needed(view)
        if not isinstance(decision, ChooseCard):
            usual = habit(view, decision)
            return decision.options[0] if usual is None else usual
        if len(view.rows) != ROWS or len(view.hand) > HAND or decision.options != view.hand:
            raise Unsupported("rl.bot_plays_classic", name=self)
        rows = [(row[-1], len(row), view.game.heads_in(row)) for row in view.rows]
        unseen = np.zeros((1, LAST_CARD + 1), dtype=bool)
        unseen[0, list(view.unseen)] = True
        hand = np.array([[*view.hand, *[0] * (HAND - len(view.hand))]])
        ends, counts, sums = (np.array([column]) for column in zip(*rows, strict=True))
        which, often = parts(ends, counts, sums, hand, unseen)
        costs = (self.numbers[which] * often).sum(axis=2)[0][: len(view.hand)]
        return view.hand[int(costs.argmin())]


def train(
    *, rounds: int = 12, games: int = 2048, seed: int = 1, say: Callable[[str], None] = lambda text: None
) -> Ints:
    """Train for `rounds` iterations of self-play, `games` rounds at four-player tables each.

    >>> from nimmt_lab.native import core
    >>> len(train(rounds=1, games=50)) == COUNT if core() else True
    True
    """
    env = VectorEnv("classic", games=games, players=4, rounds=1)
    dice, numbers = np.random.default_rng(seed), np.zeros(COUNT, dtype=np.int64)
    for number in range(rounds):
        wants, squares = np.zeros(COUNT), np.zeros((COUNT, COUNT))
        env.reset(seed=1 + seed * 1_000_000 + number * games)
        noted: list[tuple[NDArray[np.float32], Ints, int, NDArray[np.float64]]] = []
        taken = np.zeros((games, 4))
        alive = np.ones(games, dtype=bool)
        while alive.any():
            asked = env.games["phase"] == 0
            env.actions[:] = 0
            for seat in range(4):
                table = of_games(env, seat)
                which, often = parts(*table)
                hands = table[3]
                costs = (numbers[which] * often).sum(axis=2)
                costs[hands == 0] = np.iinfo(np.int64).max
                # The first iteration has no weights yet, and plays at random.
                strays = dice.random(games) < (1.0 if number == 0 else 0.1)
                by_chance = (dice.random(games) * (hands > 0).sum(axis=1)).astype(np.int64)
                place = np.where(strays, by_chance, costs.argmin(axis=1))
                env.actions[asked, seat] = hands[asked, place[asked]]
                at = np.flatnonzero(asked & alive)
                chosen = np.zeros((len(at), COUNT), dtype=np.float32)
                np.add.at(chosen, (np.arange(len(at))[:, None], which[at, place[at]]), often[at, place[at]])
                noted.append((chosen, at, seat, taken[at, seat]))
            rows = np.flatnonzero(~asked)
            cheapest = np.lexsort((-env.games["end"][rows], env.games["sum"][rows]), axis=1)[:, 0]
            env.actions[rows, env.games["asked"][rows]] = LAST_CARD + 1 + cheapest
            rewards, ends = env.step()
            taken[alive] -= rewards[alive]
            alive &= ends == 0
        for chosen, at, seat, before in noted:
            result = taken[at, seat] - before
            wants += chosen.T @ result
            squares += chosen.T @ chosen
        fitted = np.linalg.solve(squares + 10.0 * np.eye(COUNT), wants)
        numbers = np.rint(_THOUSANDTHS * fitted).astype(np.int64)
        say(f"{number + 1} of {rounds}: {taken.mean():.2f} heads a seat and round")
    return numbers


def kept_numbers() -> Ints:
    """The packaged weights."""
    text = resources.files(__package__).joinpath("data/small.json").read_text(encoding="utf-8")
    return np.array(json.loads(text), dtype=np.int64)


def main() -> None:
    """Train and store the weights, in a minute or two."""
    numbers = train(say=lambda text: print(text, file=sys.stderr, flush=True))
    write_file(Path(__file__).parent / "data" / "small.json", json.dumps(numbers.tolist()) + "\n")


if __name__ == "__main__":
    main()
