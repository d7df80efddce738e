"""Opponent models: the policies seats may follow and the hands they then hold (`Seating`), usually by a policy's cost
of each card (`ByCost`).

A model is a policy and a rate of straying from it, at which any card is played. A seat is unlikely to hold a card its
policy would have played before; the fields of `belief.h` in a workspace encode this.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache
from math import comb
from typing import NamedTuple, Protocol, TypeAlias

from nimmt_lab.engine.capability import Capability
from nimmt_lab.engine.cards import TEAM, Card, Cards, Seat
from nimmt_lab.engine.decisions import Choice, Decision
from nimmt_lab.engine.game import Game
from nimmt_lab.engine.play import Turn
from nimmt_lab.engine.record import Step
from nimmt_lab.engine.state import NOTHING, Extra, HasRows
from nimmt_lab.engine.view import View

from .kernel import LOW_CARDS, POLICIES
from .loader import Core
from .work import CARDS, SEATS

#: Unit of the straying rate: 1/256.
PARTS = 256
#: Swaps per hidden card before a sample is used.
_SETTLE = 12

#: Fields of a workspace, by name.
Fields: TypeAlias = Mapping[str, list[int] | int]


class SeatModel(NamedTuple):
    """A model of a seat: a policy, its straying rate in units of 1/`PARTS`, and a habit for other decisions."""

    policy: int
    stray: int = 0
    habit: int = LOW_CARDS["cheapest"]


AT_RANDOM = SeatModel(POLICIES["random"])


class Laid(NamedTuple):
    """A table as everybody saw it: rows and everything beside them."""

    rows: Sequence[Cards]
    extra: Extra


class Seen(NamedTuple):
    """A seat's choice among a number of options, and its likelihood under each policy (or habit): 1/n if n are best."""

    seat: Seat
    options: int
    chances: Sequence[float]


class Seating(Protocol):
    """Opponent modelling of a chapter whose playouts (`Search.even`) give each seat its own model: the workspace's
    `policies`, `stray`, `lows` and beliefs about hidden hands (`belief.h`)."""

    #: Habits for decisions other than cards, by the numbers of `lows`, the default first.
    @property
    def habits(self) -> tuple[int, ...]: ...

    def policies(self, game: Game) -> tuple[int, ...]:
        """The core's numbers of card policies, except uniform random (0)."""

    def cards(self, decision: Decision, choice: Choice) -> Cards | None:
        """The hand cards that a choice reveals; None for decisions made by habit."""

    def by_habit(self, habit: int, view: View, decision: Decision) -> Choice | None:
        """The choice by that habit; None for a uniformly random one."""

    def seen(self, core: Core, game: Game, steps: Sequence[Step]) -> Iterator[Seen]:
        """The genuine card choices of a finished round, for each of the policies."""

    def suspicions(
        self, core: Core, view: View, models: Mapping[Seat, SeatModel], table: Callable[[Turn], Laid]
    ) -> Fields:
        """Evidence against cards in the hidden hands of seats with these models: for every past turn and card, would
        the seat have played the card if it had held it? `table` returns the table before a turn."""


SEATING: Capability[Seating] = Capability("ways to play", face="kernel", inherited=False)


class Suspicions:
    """Evidence against hidden cards, by the names of the workspace's fields."""

    def __init__(self) -> None:
        self.clash, self.clashed, self.doubt = [0] * (SEATS * CARDS), [0] * SEATS, [0] * (SEATS * SEATS)

    def note(
        self, seat: Seat, turn: int, better: Sequence[Card], later: Sequence[Card], model: SeatModel, options: int
    ) -> None:
        """Note that the policy prefers `better` to the card played; a seat that plays one of them later strayed."""
        for card in better:
            if card in later:
                self.clashed[seat] |= 1 << turn
            else:
                self.clash[CARDS * seat + card] |= 1 << turn
        anything = model.stray / options
        self.doubt[SEATS * seat + turn] = max(1, int(65536 * anything / (PARTS - model.stray + anything)))

    def fields(self, hidden: int) -> Fields:
        """The workspace's fields, for `hidden` cards in the hands of seats with a policy."""
        settle = min(4096, _SETTLE * hidden)
        return {"clash": self.clash, "clashed": self.clashed, "doubt": self.doubt, "settle": settle}


def laid_beside(game: Game, steps: Sequence[Step]) -> Iterator[tuple[tuple[int, int], Extra]]:
    """The public extra before each turn (round, turn)."""
    for step in steps:
        before = step.before
        if before.rows and not before.queue and before.extra != NOTHING:
            yield (before.round, before.turn), game.public_extra(before.extra, TEAM)


class ByCost(ABC):
    """A seating whose policies assign each card a cost, independent of the hand, and play the cheapest."""

    def policies(self, game: Game) -> tuple[int, ...]:
        return self.weighing

    #: The core's numbers of the policies with costs.
    weighing: tuple[int, ...]

    @abstractmethod
    def cards(self, decision: Decision, choice: Choice) -> Cards | None:
        """The hand cards that a choice reveals; None for other decisions."""

    @abstractmethod
    def cost(self, game: Game, policy: int, table: HasRows, card: Card) -> int:
        """The cost that the policy minimises."""

    @abstractmethod
    def held(self, view: View) -> Sequence[Turn]:
        """Turns before which others may have held their present hidden cards."""

    def seen(self, core: Core, game: Game, steps: Sequence[Step]) -> Iterator[Seen]:
        """The genuine card choices of a round."""
        for step in steps:
            before = step.before
            table = Laid(tuple(before.rows), game.public_extra(before.extra, TEAM))
            for seat, choice in step.choices.items():
                played, hand = self.cards(before.pending[seat], choice), before.hands[seat]
                if played is None or len(played) == len(hand):
                    continue
                costs = [_costs(self, game, policy, table) for policy in self.weighing]
                chances = [chance([by[card] for card in hand], [by[card] for card in played]) for by in costs]
                yield Seen(seat, comb(len(hand), len(played)), chances)

    def suspicions(
        self, core: Core, view: View, models: Mapping[Seat, SeatModel], table: Callable[[Turn], Laid]
    ) -> Fields:
        """A card cheaper than the one played was probably not held."""
        suspicions, pool = Suspicions(), view.unseen
        later: dict[Seat, list[Card]] = {seat: [] for seat in models}
        turns = self.held(view)[-SEATS:]
        for number, turn in reversed(list(enumerate(turns if models else ()))):
            lay = table(turn)
            for seat, model in models.items():
                played = [play.card for play in turn.plays if play.seat == seat]
                held = view.hand_sizes[seat] + len(later[seat]) + len(played)
                if not played or held == len(played):
                    continue
                costs = _costs(self, view.game, model.policy, lay)
                most = max(costs[card] for card in played)
                better = [card for card in (*later[seat], *pool) if costs[card] < most]
                suspicions.note(seat, number, better, later[seat], model, comb(held, len(played)))
                later[seat] += played
        return suspicions.fields(sum(view.hand_sizes[seat] for seat in models) if turns else 0)


@lru_cache(maxsize=512)  # later views ask about the same turns
def _costs(seating: ByCost, game: Game, policy: int, table: Laid) -> Mapping[Card, int]:
    """The policy's cost of every card."""
    return {card: seating.cost(game, policy, table, card) for card in game.deck}


def chance(hand: Sequence[int], played: Sequence[int]) -> float:
    """Probability that a policy with these card costs plays `played` from `hand`.

    >>> chance([5, 7, 9], [5]), chance([5, 7, 9], [9]), chance([5, 5, 9], [5]), chance([5, 7, 7, 8], [5, 7])
    (1.0, 0.0, 0.5, 0.5)
    """
    if sorted(played) != sorted(hand)[: len(played)]:
        return 0.0
    last = max(played)
    return 1 / comb(hand.count(last), played.count(last))
