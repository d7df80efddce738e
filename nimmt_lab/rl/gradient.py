"""A policy trained by policy gradient, with numpy alone: from random play to beating `edges-first` in a few minutes.

    python -m nimmt_lab.rl.gradient --out policy.json --curve curve.svg

**The policy** scores each option by itself: a network with one hidden layer turns the features of an option (where a
card would go, how full that row is, how many unseen cards fit in between …) into a number, and a softmax turns these
numbers into probabilities. `features` computes them for all options from compact observations, for thousands of games
of a `VectorEnv` as well as for a single view, so training and play cannot differ.

**Training** (`train`) is PPO: a batch of games is played by the current policy at tables with three `edges-first`. The
return of a decision is the seat's lead over the mean of the others, from there to the end of the round; a linear
baseline is fitted to the returns of each batch; and a few epochs of clipped gradient steps (Adam) follow.

**Evaluation** (`evaluate`) plays the most probable options in deals of another seed. `nimmt_lab.rl.vector` says how far
streams of seeds are apart: no engine seed of the evaluation occurs in training.

>>> from nimmt_lab import Classic
>>> from nimmt_lab.bots import bot, play
>>> play(Classic(players=4, rounds=1), [PolicyBot(), *[bot("edges-first")] * 3], seed=1).is_over
True
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import sys
from collections.abc import Callable, Sequence
from functools import cache
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar, NamedTuple, cast

from nimmt_lab.bots.base import Bot, needed
from nimmt_lab.engine.cards import LAST_CARD, PRINTED_HEADS
from nimmt_lab.engine.decisions import Choice
from nimmt_lab.engine.errors import DataError, Unsupported
from nimmt_lab.engine.extras import wanted
from nimmt_lab.engine.files import PathLike, name_of, parse_json, read_text, write_file
from nimmt_lab.engine.game import Game
from nimmt_lab.engine.rng import Rng
from nimmt_lab.engine.view import View

from .actions import Actions
from .observe import Observer
from .vector import MOST_GAMES, VectorEnv

with wanted("rl"):
    import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float32]
    Ints = NDArray[np.int64]
    Flags = NDArray[np.bool_]

__all__ = [
    "Point", "Policy", "PolicyBot", "curve_svg", "evaluate", "features", "kept_policy", "main", "table", "train"
]  # fmt: skip

HAND, ROWS, PLACES = 10, 4, 5
#: The cards of a hand, then the rows.
OPTIONS = HAND + ROWS
FEATURES = 22
HIDDEN = 32
#: The opponent of training, and the number of players.
OPPONENT, PLAYERS = "edges-first", 4
#: Decisions of a batch and game: about a round.
STEPS = 13
_HEADS = np.array(PRINTED_HEADS, np.float32)
_LARGEST = 1_000_000
_MOST_NUMBER = 1 << 62


def features(seen: NDArray[np.int8], layout: dict[str, slice]) -> tuple[Floats, Ints]:
    """Features and actions of all options, by game: the cards of the hand in order, padded with zeros, then the rows.

    `seen` are compact observations of the classic game, and `layout` is theirs.
    """
    tables, at = len(seen), np.arange(len(seen))[:, None]
    in_hand = seen[:, layout["hand"]] > 0
    held = in_hand.sum(axis=1, keepdims=True)
    hands: Ints = np.zeros((tables, HAND), np.int64)
    game, card = np.nonzero(in_hand)
    hands[game, (np.cumsum(in_hand, axis=1) - 1)[game, card]] = card + 1
    rows = np.stack([seen[:, layout[f"row {row + 1}"]] for row in range(ROWS)], axis=1).astype(np.int64)
    counts, heads = (rows > 0).sum(axis=2), _HEADS[rows].sum(axis=2)
    ends = rows.max(axis=2)
    below = np.zeros((tables, LAST_CARD + 1), np.float32)
    np.cumsum(seen[:, layout["unseen"]] > 0, axis=1, out=below[:, 1:])

    fits = ends[:, None, :] < hands[:, :, None]
    low, is_card = ~fits.any(axis=2), hands > 0
    row = np.where(fits, ends[:, None, :], -1).argmax(axis=2)
    end, count, cost = ends[at, row], counts[at, row], heads[at, row]
    between = np.where(low, 0, below[at, np.maximum(hands - 1, 0)] - below[at, end])
    cheapest = heads.min(axis=1, keepdims=True)
    under_all = below[at, ends.min(axis=1)[:, None]] - below[at, hands]
    shared = (row[:, :, None] == row[:, None, :]) & ~low[:, :, None] & ~low[:, None, :] & is_card[:, None, :]
    own_before = (shared & (hands[:, None, :] < hands[:, :, None])).sum(axis=2)
    of_cards = [
        low, np.where(low, 0, hands - end) / 30, between / 10, np.minimum(between, PLACES + 1 - count) / PLACES,
        *(~low & (count == size) for size in range(1, PLACES + 1)),
        np.where(low, 0, cost) / 10, np.where(low, cheapest, 0) / 10, np.where(~low & (count >= PLACES), cost, 0) / 10,
        hands / LAST_CARD, np.arange(HAND) / np.maximum(held, 1), np.broadcast_to(held / HAND, hands.shape),
        np.where(low, under_all, 0) / 20, below[at, hands] / 90, own_before / PLACES,
        np.where(~low & (between + count >= PLACES), cost, 0) / 10,
    ]  # fmt: skip
    of_rows = [heads / 10, ends / LAST_CARD, heads == cheapest]
    numbers = np.zeros((tables, OPTIONS, FEATURES), np.float32)
    numbers[:, :HAND, : len(of_cards)] = np.stack(of_cards, axis=2) * is_card[:, :, None]
    numbers[:, HAND:, len(of_cards) :] = np.stack(of_rows, axis=2)
    of_row = np.broadcast_to(LAST_CARD + 1 + np.arange(ROWS), (tables, ROWS))
    return numbers, np.concatenate([hands, of_row], axis=1)


class Policy:
    """A network that scores options: weights and biases of the hidden layer, and weights of the output.

    >>> policy = Policy.random(seed=1)
    >>> policy.probabilities(np.zeros((1, OPTIONS, FEATURES), np.float32), np.arange(OPTIONS)[None] < 4)[0][0, :5]
    array([0.25, 0.25, 0.25, 0.25, 0.  ], dtype=float32)
    """

    def __init__(self, hidden: Floats, bias: Floats, output: Floats) -> None:
        self.weights = [hidden, bias, output]

    @classmethod
    def random(cls, seed: int) -> Policy:
        dice = np.random.default_rng(seed)
        hidden = dice.normal(0, FEATURES**-0.5, (FEATURES, HIDDEN)).astype(np.float32)
        return cls(hidden, np.zeros(HIDDEN, np.float32), dice.normal(0, 0.1, HIDDEN).astype(np.float32))

    @classmethod
    def load(cls, path: PathLike) -> Policy:
        """Read the file that `save` wrote."""
        return cls.read(read_text(path, largest=_LARGEST, error=DataError, what="JSON"), name_of(path))

    @classmethod
    def read(cls, text: str, source: str) -> Policy:
        parts = parse_json(text, source=source, error=DataError)
        try:
            with np.errstate(over="ignore"):  # too large for float32: infinite, and refused below
                hidden, bias, output = (np.array(part, np.float32) for part in cast("list[object]", parts))
        except (ValueError, TypeError, OverflowError):
            raise DataError("rl.no_policy", source=source) from None
        if (hidden.shape, bias.shape, output.shape) != ((FEATURES, HIDDEN), (HIDDEN,), (HIDDEN,)) or not all(
            np.isfinite(part).all() for part in (hidden, bias, output)
        ):
            raise DataError("rl.no_policy", source=source)
        return cls(hidden, bias, output)

    def save(self, path: PathLike) -> None:
        """Write the weights as JSON, rounded to four digits."""
        write_file(path, self._text())

    def _text(self) -> str:
        # Adding zero turns -0.0 into 0.0.
        return json.dumps([(np.round(part.astype(np.float64), 4) + 0.0).tolist() for part in self.weights]) + "\n"

    @property
    def fingerprint(self) -> str:
        """Eight hexadecimal digits that stay the same when the policy is saved and loaded."""
        return hashlib.sha256(self._text().encode()).hexdigest()[:8]

    def probabilities(self, numbers: Floats, legal: Flags) -> tuple[Floats, Floats]:
        """Probabilities of the options, and the hidden layer."""
        hidden, bias, output = self.weights
        layer = np.tanh(numbers @ hidden + bias)
        scores = np.where(legal, layer @ output, np.float32(-1e9))
        scores -= scores.max(axis=1, keepdims=True)
        powers = np.exp(scores)
        return powers / powers.sum(axis=1, keepdims=True), layer

    def gradient(self, numbers: Floats, layer: Floats, by_score: Floats) -> list[Floats]:
        """Derivatives by the weights, from those by the scores."""
        inner = by_score[..., None] * self.weights[2] * (1 - layer * layer)
        flat = inner.reshape(-1, HIDDEN)
        return [
            numbers.reshape(-1, FEATURES).T @ flat, flat.sum(axis=0),
            layer.reshape(-1, HIDDEN).T @ by_score.reshape(-1),
        ]  # fmt: skip


class PolicyBot(Bot):
    """A policy as a bot, for the classic game without fan cards; by default the packaged one.

    Tables of results show it under `label`. Without one it is called `gradient`, and other policies than the packaged
    one have their fingerprint added, so that a tournament keeps them apart.

    >>> untrained = Policy.random(seed=1)
    >>> PolicyBot(), PolicyBot(untrained, label="untrained")
    (gradient, untrained)
    >>> repr(PolicyBot(untrained)) == f"gradient-{untrained.fingerprint}"
    True
    """

    name: ClassVar[str] = "gradient"

    def __init__(self, policy: Policy | None = None, *, label: str | None = None) -> None:
        self.policy = kept_policy() if policy is None else policy
        if label is None:
            own = self.policy.fingerprint
            label = self.name if own == kept_policy().fingerprint else f"{self.name}-{own}"
        self._label = label

    def __repr__(self) -> str:
        return self._label

    def choose(self, view: View, rng: Rng) -> Choice:
        decision, game = needed(view), view.game
        fits = len(view.rows) == ROWS and game.places_in_row == PLACES and len(game.deck) == LAST_CARD
        if not fits or len(view.hand) > HAND:
            raise Unsupported("rl.bot_plays_classic", name=self)
        observer, actions = _encoders(game)
        seen = np.array(observer.see_compact(view), np.int8)[None]
        numbers, options = features(seen, observer.compact_layout)
        legal = np.isin(options, actions.allowed(decision))
        if not legal.any():
            raise Unsupported("rl.bot_plays_classic", name=self)
        best = self.policy.probabilities(numbers, legal)[0][0].argmax()
        choice = actions.choice(decision, int(options[0, best]))
        assert choice is not None
        return choice


@cache
def _encoders(game: Game) -> tuple[Observer, Actions]:
    return Observer(game), Actions(game)


def table(games: int, opponent: str = OPPONENT, players: int = PLAYERS) -> VectorEnv:
    """Rounds with the learner in seat A among players of one kind."""
    others = dict.fromkeys(range(1, players), opponent)
    return VectorEnv("classic", games=games, players=players, rounds=1, opponents=others)


class _Batch(NamedTuple):
    """Decisions, by step and game."""

    numbers: Floats
    legal: Flags
    option: Ints
    probability: Floats
    #: The mean of the hidden layer: what the baseline is fitted to.
    layer: Floats
    #: The change in the lead over the mean of the others.
    lead: Floats
    over: Flags


def _play(env: VectorEnv, policy: Policy, steps: int, dice: np.random.Generator | None) -> _Batch:
    """Take `steps` decisions in every game: random ones, or the most probable ones without dice."""
    layout, at = env.observation_layout(compact=True), np.arange(len(env.ends))
    taken: list[tuple[object, ...]] = []
    for _ in range(steps):
        seen = env.observe(0, compact=True).astype(np.int8, copy=False)
        numbers, options = features(seen, layout)
        legal = env.masks(0)[at[:, None], options] > 0
        legal &= options > 0
        chances, layer = policy.probabilities(numbers, legal)
        if dice is None:
            option = chances.argmax(axis=1)
        else:
            # Rounding may leave the sum below 1: then the last option with a chance is meant.
            sums = chances.cumsum(axis=1)
            option = (sums < dice.random((len(at), 1), np.float32) * sums[:, -1:]).sum(axis=1)
        env.actions[:, 0] = options[at, option]
        rewards, ends = env.step()
        lead = rewards[:, 0] - rewards[:, 1:].mean(axis=1)
        mean = (chances[..., None] * layer).sum(axis=1)
        taken.append((numbers, legal, option, chances[at, option], mean, lead, ends != 0))
    return _Batch(*(np.stack(part) for part in zip(*taken, strict=True)))


def evaluate(policy: Policy, seed: int, games: int = 4000, opponent: str = OPPONENT) -> tuple[float, float]:
    """The mean lead over the others in a round, in heads, and its 95% margin, over the first deals of a seed."""
    env = table(games, opponent)
    env.reset(seed=seed)
    lead, left = np.zeros(games), np.ones(games, bool)
    while left.any():
        batch = _play(env, policy, 1, None)
        lead[left] += batch.lead[0, left]
        left &= ~batch.over[0]
    return float(lead.mean()), float(1.96 * lead.std(ddof=1) / games**0.5)


class Point(NamedTuple):
    """A point of the learning curve."""

    rounds: int
    lead: float
    margin: float


def train(
    *,
    iterations: int = 150,
    games: int = 1024,
    seed: int = 1,
    rate: float = 0.008,
    epochs: int = 4,
    every: int = 10,
    test_seed: int = 2,
    say: Callable[[str], None] = lambda text: None,
) -> tuple[Policy, list[Point]]:
    """Train a policy, and evaluate it before the first iteration and after every tenth.

    >>> from nimmt_lab.native import core
    >>> if core():
    ...     policy, curve = train(iterations=1, games=20)
    ...     assert len(curve) == 2
    """
    env, dice, policy = table(games), np.random.default_rng(seed), Policy.random(seed)
    env.reset(seed=seed)
    adam = _Adam(policy)
    curve: list[Point] = []
    rounds = 0
    for number in range(iterations + 1):
        if number % every == 0 or number == iterations:
            curve.append(Point(rounds, *evaluate(policy, test_seed)))
            say(f"{curve[-1].rounds:,} rounds: lead {curve[-1].lead:.2f} ± {curve[-1].margin:.2f} heads a round")
        if number == iterations:
            break
        batch = _play(env, policy, STEPS, dice)
        rounds += int(batch.over.sum())
        returns, known = _returns(batch)
        gain = (returns - _baseline(batch, returns, known))[known]
        gain = ((gain - gain.mean()) / (gain.std() + 1e-6)).astype(np.float32)
        numbers, legal, option = batch.numbers[known], batch.legal[known], batch.option[known]
        before = batch.probability[known]
        step = rate * (1 - 0.9 * number / iterations)
        for _ in range(epochs):
            order = dice.permutation(len(gain))
            for first in range(0, len(order), 4096):
                part = order[first : first + 4096]
                slope = _clipped(policy, numbers[part], legal[part], option[part], before[part], gain[part])
                adam.step(policy, slope, step)
    return policy, curve


def _returns(batch: _Batch) -> tuple[NDArray[np.float64], Flags]:
    """The lead from each decision to the end of its round, and whether the batch contains that end."""
    returns, known = np.zeros(batch.lead.shape), np.zeros(batch.lead.shape, bool)
    after, ends = np.zeros(batch.lead.shape[1]), np.zeros(batch.lead.shape[1], bool)
    for step in range(len(returns) - 1, -1, -1):
        after = np.where(batch.over[step], 0, after) + batch.lead[step]
        ends = ends | batch.over[step]
        returns[step], known[step] = after, ends
    return returns, known


def _baseline(batch: _Batch, returns: NDArray[np.float64], known: Flags) -> NDArray[np.float64]:
    """What the hidden layer and the number of cards left say about the return: a ridge regression."""
    held = batch.numbers[:, :, 0, 14:15]
    inputs = np.concatenate([batch.layer, held, held * batch.layer, np.ones_like(held)], axis=2).astype(np.float64)
    rows = inputs[known]
    fitted = np.linalg.solve(rows.T @ rows + 10 * np.eye(rows.shape[1]), rows.T @ returns[known])
    estimate: NDArray[np.float64] = inputs @ fitted
    return estimate


def _clipped(policy: Policy, numbers: Floats, legal: Flags, option: Ints, before: Floats, gain: Floats) -> list[Floats]:
    """The gradient of PPO's clipped loss with a small bonus for entropy."""
    chances, layer = policy.probabilities(numbers, legal)
    at = np.arange(len(option))
    ratio = chances[at, option] / before
    counts = ~(((gain > 0) & (ratio > 1.2)) | ((gain < 0) & (ratio < 0.8)))
    weight = ratio * gain * counts
    by_score = chances * weight[:, None]
    by_score[at, option] -= weight
    logs = np.log(np.maximum(chances, 1e-12))
    entropy = -(chances * logs).sum(axis=1, keepdims=True)
    by_score += 0.003 * chances * (logs + entropy)
    return policy.gradient(numbers, layer, (by_score / len(option)).astype(np.float32))


class _Adam:
    """Adam with the usual constants."""

    def __init__(self, policy: Policy) -> None:
        self._mean = [np.zeros_like(part) for part in policy.weights]
        self._square = [np.zeros_like(part) for part in policy.weights]
        self._steps = 0

    def step(self, policy: Policy, gradient: Sequence[Floats], rate: float) -> None:
        self._steps += 1
        for mean, square, weight, each in zip(self._mean, self._square, policy.weights, gradient, strict=True):
            mean += 0.1 * (each - mean)
            square += 0.001 * (each * each - square)
            scale = np.sqrt(square / (1 - 0.999**self._steps)) + 1e-8
            weight -= (rate / (1 - 0.9**self._steps) * mean / scale).astype(np.float32)


def curve_svg(curve: Sequence[Point], title: str = "Lead over edges-first, in heads a round") -> str:
    """The learning curve with its 95% margins as a picture."""
    width, height, left, top = 640, 320, 56, 40
    last = max(curve[-1].rounds, 1)
    least, most = min(point.lead - point.margin for point in curve), max(point.lead + point.margin for point in curve)
    least, most = min(least, 0.0) - 0.5, max(most, 0.0) + 0.5

    def x(rounds: float) -> float:
        return left + (width - left - 16) * rounds / last

    def y(lead: float) -> float:
        return top + (height - top - 40) * (most - lead) / (most - least)

    band = [(point.rounds, point.lead + point.margin) for point in curve]
    band += [(point.rounds, point.lead - point.margin) for point in reversed(curve)]
    area = " ".join(f"{x(rounds):.1f},{y(lead):.1f}" for rounds, lead in band)
    line = " ".join(f"{x(point.rounds):.1f},{y(point.lead):.1f}" for point in curve)
    ticks = [lead for lead in range(-40, 41) if least < lead < most and (most - least < 12 or lead % 5 == 0)]
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
        'font-family="sans-serif" font-size="13">',
        f'<title>{title}</title><rect width="{width}" height="{height}" fill="#fff"/>',
        f'<text x="{left}" y="24" font-size="15">{title}</text>',
        *(
            f'<line x1="{left}" x2="{width - 16}" y1="{y(lead):.1f}" y2="{y(lead):.1f}" '
            f'stroke="{"#333" if lead == 0 else "#ddd"}"/>'
            f'<text x="{left - 8}" y="{y(lead) + 4:.1f}" text-anchor="end">{lead}</text>'
            for lead in ticks
        ),
        f'<polygon points="{area}" fill="#4477aa" opacity="0.25"/>',
        f'<polyline points="{line}" fill="none" stroke="#4477aa" stroke-width="2"/>',
        f'<text x="{left}" y="{height - 12}">0</text>',
        f'<text x="{width - 16}" y="{height - 12}" text-anchor="end">{last:,} rounds</text>',
        "</svg>",
    ]
    return "\n".join(parts) + "\n"


@cache
def kept_policy() -> Policy:
    """The packaged policy."""
    name = "data/gradient.json"
    return Policy.read(resources.files(__package__).joinpath(name).read_text(encoding="utf-8"), name)


def main(arguments: Sequence[str] | None = None) -> None:
    """Train a policy, store it with its learning curve, and print what it achieves on deals it has never seen."""
    parser = argparse.ArgumentParser(prog="python -m nimmt_lab.rl.gradient", description=main.__doc__)
    parser.add_argument("--out", type=Path, required=True, help="the JSON file to store the weights in")
    parser.add_argument("--curve", type=Path, help="the SVG file to draw the learning curve in (default: none)")
    numbers = {
        "iterations": (150, 1, "batches to learn from"),
        "games": (1024, 1, "games that are played at the same time for a batch"),
        "seed": (1, 0, "seed of the training; its curve uses the next one, and the final evaluation the one after"),
        "deals": (20_000, 2, "deals of the final evaluation"),
    }
    for name, (usual, _, text) in numbers.items():
        parser.add_argument(f"--{name}", type=int, default=usual, help=f"{text} (default: {usual})")
    given = parser.parse_args(arguments)
    for name, (_, least, _) in numbers.items():
        most = MOST_GAMES if name in ("games", "deals") else _MOST_NUMBER
        if not least <= getattr(given, name) <= most:
            parser.error(f"--{name} must be from {least} to {most}")
    for path in filter(None, (given.out, given.curve)):
        # Better now than after the training.
        if path.is_dir() or not path.parent.is_dir() or not os.access(path if path.exists() else path.parent, os.W_OK):
            parser.error(f"{path} cannot be written")
    policy, curve = train(
        iterations=given.iterations,
        games=given.games,
        seed=given.seed,
        test_seed=given.seed + 1,
        say=lambda text: print(text, file=sys.stderr, flush=True),
    )
    policy.save(given.out)
    if given.curve is not None:
        write_file(given.curve, curve_svg(curve))
    lead, margin = evaluate(Policy.load(given.out), given.seed + 2, given.deals)
    print(f"{given.out}: ahead of {OPPONENT} by {lead:.2f} ± {margin:.2f} heads a round in {given.deals:,} new deals")


if __name__ == "__main__":
    main()
