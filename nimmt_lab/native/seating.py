"""How the seats of a table may be found to play, and what they may then hold: what a chapter brings for it
(`Seating`), and the way in which most do, by what a card costs a policy (`ByCost`).

A way to play is a policy and how often a seat strays from it: one choice in so many is any card. Who plays by a policy
hardly holds a card that it would have played before; a workspace is told so in the fields of `belief.h`.
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

#: How often a seat strays is given in parts of this.
PARTS = 256
#: Two cards change places so many times for each card that the others hold.
_SETTLE = 12

#: Fields of a workspace, by name.
Fields: TypeAlias = Mapping[str, list[int] | int]


class Way(NamedTuple):
    """How a seat plays: a policy of the kernel, how often it strays from it (in parts of `PARTS`), and what it does
    where something else is asked (a row that its low card takes, say)."""

    policy: int
    stray: int = 0
    habit: int = LOW_CARDS["cheapest"]


AT_RANDOM = Way(POLICIES["random"])


class Laid(NamedTuple):
    """A table as everybody saw it: rows, and what lay beside them."""

    rows: Sequence[Cards]
    extra: Extra


class Seen(NamedTuple):
    """A seat's choice: out of so many, and how likely each of some policies (or habits) would have made it: not at all
    if it likes another better, and one in so many if it likes so many best."""

    seat: Seat
    ways: int
    chances: Sequence[float]


class Seating(Protocol):
    """How seats may be found to play a chapter whose playouts (`Search.even`) let each play in a way of its own: the
    workspace's `policies`, `stray`, `lows` and what is believed of hidden hands (`belief.h`)."""

    #: What a seat may be found to do where something else than cards is asked, by the numbers of `lows`: the usual one
    #: first.
    @property
    def habits(self) -> tuple[int, ...]: ...

    def policies(self, game: Game) -> tuple[int, ...]:
        """Policies for cards, by the core's numbers, besides any card (0)."""

    def cards(self, decision: Decision, choice: Choice) -> Cards | None:
        """The cards of the hand that the choice turns up; None where something else is asked that habits decide."""

    def by_habit(self, habit: int, view: View, decision: Decision) -> Choice | None:
        """What is done by that habit; None: any option, each as likely."""

    def seen(self, core: Core, game: Game, steps: Sequence[Step]) -> Iterator[Seen]:
        """The cards played in a finished round of which there was a choice, for each of the policies."""

    def suspicions(self, core: Core, view: View, ways: Mapping[Seat, Way], table: Callable[[Turn], Laid]) -> Fields:
        """What speaks against cards in the hidden hands of seats that play in these ways: of every turn so far and
        every card, would that seat have played the card, if it had held it? `table` is how it lay before a turn."""


#: How the seats of a game may be found to play, in its chapter's `kernel.py`.
SEATING: Capability[Seating] = Capability("ways to play", face="kernel", inherited=False)


class Suspicions:
    """What speaks against the others' holding cards, by the names of the workspace's fields."""

    def __init__(self) -> None:
        self.clash, self.clashed, self.doubt = [0] * (SEATS * CARDS), [0] * SEATS, [0] * (SEATS * SEATS)

    def note(self, seat: Seat, turn: int, better: Sequence[Card], later: Sequence[Card], way: Way, ways: int) -> None:
        """In that turn, out of so many ways to choose, the seat played something that its policy likes less than these
        cards. Those it has played later it held then: so it strayed, whatever else it holds."""
        for card in better:
            if card in later:
                self.clashed[seat] |= 1 << turn
            else:
                self.clash[CARDS * seat + card] |= 1 << turn
        anything = way.stray / ways
        self.doubt[SEATS * seat + turn] = max(1, int(65536 * anything / (PARTS - way.stray + anything)))

    def fields(self, hidden: int) -> Fields:
        """With so many cards in the hands of those who have a policy."""
        settle = min(4096, _SETTLE * hidden)
        return {"clash": self.clash, "clashed": self.clashed, "doubt": self.doubt, "settle": settle}


def laid_beside(game: Game, steps: Sequence[Step]) -> Iterator[tuple[tuple[int, int], Extra]]:
    """What lay beside the rows before each turn (round, turn), as far as everybody could see it."""
    for step in steps:
        before = step.before
        if before.rows and not before.queue and before.extra != NOTHING:
            yield (before.round, before.turn), game.public_extra(before.extra, TEAM)


class ByCost(ABC):
    """A seating whose policies give every card a cost, whatever else is in the hand, and play the cheapest."""

    def policies(self, game: Game) -> tuple[int, ...]:
        """The same whatever the options of the game."""
        return self.weighing

    #: Policies that weigh cards, by the core's numbers.
    weighing: tuple[int, ...]

    @abstractmethod
    def cards(self, decision: Decision, choice: Choice) -> Cards | None:
        """The cards of the hand that the choice turns up; None where something else is asked."""

    @abstractmethod
    def cost(self, game: Game, policy: int, table: HasRows, card: Card) -> int:
        """What that policy minimises over the cards of a hand."""

    @abstractmethod
    def held(self, view: View) -> Sequence[Turn]:
        """The turns before which others may have held what is hidden in their hands now."""

    def seen(self, core: Core, game: Game, steps: Sequence[Step]) -> Iterator[Seen]:
        """The cards played in a round of which there was a choice."""
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

    def suspicions(self, core: Core, view: View, ways: Mapping[Seat, Way], table: Callable[[Turn], Laid]) -> Fields:
        """A card that costs less than one that was played was hardly held then."""
        suspicions, pool = Suspicions(), view.unseen
        later: dict[Seat, list[Card]] = {seat: [] for seat in ways}
        turns = self.held(view)[-SEATS:]
        for number, turn in reversed(list(enumerate(turns if ways else ()))):
            lay = table(turn)
            for seat, way in ways.items():
                played = [play.card for play in turn.plays if play.seat == seat]
                held = view.hand_sizes[seat] + len(later[seat]) + len(played)
                if not played or held == len(played):
                    continue
                costs = _costs(self, view.game, way.policy, lay)
                most = max(costs[card] for card in played)
                better = [card for card in (*later[seat], *pool) if costs[card] < most]
                suspicions.note(seat, number, better, later[seat], way, comb(held, len(played)))
                later[seat] += played
        return suspicions.fields(sum(view.hand_sizes[seat] for seat in ways) if turns else 0)


@lru_cache(maxsize=512)  # the next views ask about the same turns
def _costs(seating: ByCost, game: Game, policy: int, table: Laid) -> Mapping[Card, int]:
    """Of every card, what that policy minimises."""
    return {card: seating.cost(game, policy, table, card) for card in game.deck}


def chance(hand: Sequence[int], played: Sequence[int]) -> float:
    """How likely these are played of a hand by a policy to which its cards cost so much.

    >>> chance([5, 7, 9], [5]), chance([5, 7, 9], [9]), chance([5, 5, 9], [5]), chance([5, 7, 7, 8], [5, 7])
    (1.0, 0.0, 0.5, 0.5)
    """
    if sorted(played) != sorted(hand)[: len(played)]:
        return 0.0
    last = max(played)
    return 1 / comb(hand.count(last), played.count(last))
