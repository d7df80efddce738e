"""Tables of named players for a data set: who sits where, and the rounds they play.

The compiled core plays rules of thumb and the levels 1 to 5; any other player is asked by the engine, which can also
play the same rounds as the core, choice for choice.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import NamedTuple

from nimmt_lab.bots import levels
from nimmt_lab.bots.base import shared_bot
from nimmt_lab.bots.simple import CARD_COSTS, ClosestSafeBot
from nimmt_lab.engine import halt
from nimmt_lab.engine.cards import Seat
from nimmt_lab.engine.decisions import Choice, ChooseCard, ChooseRow, Decision
from nimmt_lab.engine.game import Game
from nimmt_lab.engine.record import Step
from nimmt_lab.engine.registry import game_named
from nimmt_lab.engine.rng import Rng
from nimmt_lab.engine.state import GameState
from nimmt_lab.native.choices import ELSEWHERE, NUMBERS, WIDE
from nimmt_lab.native.kernel import LOW_CARDS, POLICIES, kernel_of
from nimmt_lab.native.loader import core

from .choice_rows import ChoiceRow, choice_rows

#: Streams of a round's seed, beside that of the deal: the choices that are left to chance, and who sits where.
_CHANCE, _SEATS = 1, 2
#: Slow players draw from a stream for each decision and seat, from here on.
_DECISIONS = 16


class Quick(NamedTuple):
    """A player that the core knows: its policies, and one in how many of its choices is random (0: none)."""

    policy: str
    low_card: str = "cheapest"
    overlooks: int = 0

    @property
    def code(self) -> bytes:
        return bytes((POLICIES[self.policy], LOW_CARDS[self.low_card], self.overlooks))


@cache
def _quick(name: str) -> Quick | None:
    if name in POLICIES:
        return Quick(name)
    for level in levels():
        if level.name == name:
            policy, _, low_card = level.plays(_game(4)).partition(":low_card=")
            if policy in POLICIES:
                return Quick(policy, low_card or "cheapest", level.overlooks)
    return None


def is_quick(name: str) -> bool:
    """Whether the core plays this player.

    >>> [name for name in ("lowest", "level-3", "level-6") if is_quick(name)]
    ['lowest', 'level-3']
    """
    return _quick(name) is not None


@cache
def _game(players: int) -> Game:
    return game_named("classic")(players=players, rounds=1)


@dataclass(frozen=True, slots=True)
class Tables:
    """Tables of one size. A small value, so that it can be sent to other processes.

    >>> Tables(3, ("lowest", "random"), seed=1).seats(1)
    ('lowest', 'random', 'random')
    """

    players: int
    bots: tuple[str, ...]
    seed: int

    def seed_of(self, number: int) -> int:
        """The seed that round `number` (from 0) is dealt from."""
        return Rng.from_seed(self.seed, number).state

    def seats(self, number: int) -> tuple[str, ...]:
        """The players of a round by seat: the same one everywhere, or one drawn for each."""
        rng, drawn = Rng.from_seed(self.seed_of(number), _SEATS), list[str]()
        for _ in range(self.players if number % 2 else 1):
            at, rng = rng.below(len(self.bots))
            drawn.append(self.bots[at])
        return tuple(drawn) if number % 2 else (drawn[0],) * self.players

    def play(self, first: int, rounds: int) -> Mapping[str, Sequence[int]]:
        """Every choice of these rounds: the columns of `NUMBERS`, those with several numbers as `end_1`, …; `round`
        counts from `first`."""
        game = _game(self.players)
        kernel, native = kernel_of(game), core()
        compiled = None if kernel is None or native is None else kernel.choices(native, game)
        drawn = [self.seats(first + at) for at in range(rounds)]
        by_core = b"" if compiled is None else compiled.play(self.seed, first, b"".join(map(_codes, drawn)))
        columns = _columns(by_core, first)
        for at, seats in enumerate(drawn):
            if compiled is None or not all(map(is_quick, seats)):
                for row in self.by_engine(first + at, seats):
                    _append(columns, row, at)
        return columns

    def by_engine(self, number: int, seats: Sequence[str] | None = None) -> list[ChoiceRow]:
        """A round played by the engine."""
        return list(choice_rows(_steps(self.players, seats or self.seats(number), self.seed_of(number))))


def _codes(seats: Sequence[str]) -> bytes:
    known = [_quick(name) for name in seats]
    return b"".join(bytes((ELSEWHERE, 0, 0)) if each is None else each.code for each in known)


def _names() -> dict[str, int]:
    """The columns with the place of each in a choice of the core, after the two bytes of its round."""
    names, at = {}, 2
    for name, count in list(NUMBERS.items())[1:]:
        for number in range(count):
            names[name if count == 1 else f"{name.removesuffix('s') if name != 'heads' else name}_{number + 1}"] = at
            at += 1
    return names


_NAMES = _names()


def _columns(data: bytes, first: int) -> dict[str, list[int]]:
    columns = {name: list(data[at::WIDE]) for name, at in _NAMES.items()}
    low, high = data[0::WIDE], data[1::WIDE]
    return {"round": [(a + 256 * b - first) % 65536 for a, b in zip(low, high, strict=True)]} | columns


def _append(columns: Mapping[str, list[int]], row: ChoiceRow, at: int) -> None:
    columns["round"].append(at)
    fields = row._asdict()
    for name in _NAMES:
        stem, _, number = name.rpartition("_")
        plural = stem if stem == "heads" else f"{stem}s"
        columns[name].append(fields[plural][int(number) - 1] if number.isdigit() else fields[name])


# By the engine ----------------------------------------------------------------------------------------------


def _steps(players: int, seats: Sequence[str], seed: int) -> list[Step]:
    """Play a round, as the core does where it knows the player."""
    game = _game(players)
    state, steps, rng = game.deal(seed), list[Step](), Rng.from_seed(seed, _CHANCE)
    hands = _dealt(game, seed)
    while not state.is_over:
        halt.check()
        choices: dict[Seat, Choice] = {}
        for seat, decision in state.pending.items():
            quick = _quick(seats[seat])
            if quick is None:
                stream = Rng.from_seed(seed, _DECISIONS * (len(steps) + 1) + seat)
                choices[seat] = shared_bot(seats[seat]).choose(state.view(seat), stream)
            else:
                choices[seat], rng = _choose(quick, state, seat, decision, hands[seat], rng)
        for seat, choice in choices.items():
            if isinstance(choice, int) and isinstance(state.pending[seat], ChooseCard):
                hand = hands[seat]  # the first card takes the place of the one played
                hand[hand.index(choice)] = hand[0]
                hand.pop(0)
        steps.append(Step.of(state, choices))
        state = steps[-1].state
    return steps


def _dealt(game: Game, seed: int) -> list[list[int]]:
    """Every hand in the order in which it was dealt."""
    size = len(game.deal(seed).hands[0])
    cards, _ = Rng.from_seed(seed).shuffled(game.deck, take=game.players * size)
    return [list(cards[at : at + size]) for at in range(0, game.players * size, size)]


def _choose(
    quick: Quick, state: GameState, seat: Seat, decision: Decision, hand: Sequence[int], rng: Rng
) -> tuple[Choice, Rng]:
    """A quick player's choice, and the stream after it."""
    rows = isinstance(decision, ChooseRow)
    if quick.overlooks and (rows or len(hand) > 1):
        overlooked, rng = rng.below(quick.overlooks)
        if overlooked == 0:
            at, rng = rng.below(len(state.rows) if rows else len(hand))
            return (at if rows else hand[at]), rng
    if rows:
        if quick.low_card == "random":
            return rng.below(len(state.rows))
        return state.game.cheapest_row(state, range(len(state.rows))), rng
    assert isinstance(decision, ChooseCard)
    if quick.policy in ("lowest", "highest"):
        return (min(hand) if quick.policy == "lowest" else max(hand)), rng
    if quick.policy == "random":
        return hand[0], rng  # the hand is in random order
    view = state.view(seat)
    if quick.policy == "closest-safe":
        return ClosestSafeBot().card(view, decision, rng), rng
    cost = CARD_COSTS[quick.policy]
    return min(hand, key=lambda card: cost(view, card)), rng
