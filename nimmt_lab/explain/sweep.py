"""Everything that can happen before a card is placed, followed at once.

A turn's cards are placed in ascending order. So walk up the numbers from 1, keeping every sketch that some choice of
the others' cards (and of the rows that low cards take) can have led to, with the ways of having got there: how many
cards were played, or which players have played where hands are open. At a card's own number, what can happen to it is
read off these sketches.

What keeps this small is forgetting. Once the walk is past a row's end, later cards only ask which ends are higher, not
what they are: such ends become ranks. So a few dozen sketches stand for millions of turns, and nothing is left out:
tests hold the results against every possible turn on small decks.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, TypeAlias

from .sketch import NOWHERE, Reading, Sketch

#: Ranks are negative, below every card: `_RANK + 32 * segment + 2 * place`, plus the end's parity.
_RANK: Final = -4096
#: A set of ways to have got to a sketch, as bits.
Ways: TypeAlias = int


class TooMuch(Exception):
    """The walk would take too long."""


class Budget:
    """How many steps may still be made, over several walks."""

    def __init__(self, steps: int) -> None:
        self.left = steps

    def spend(self, steps: int) -> None:
        """Take from it, or stop."""
        self.left -= steps
        if self.left < 0:
            raise TooMuch


@dataclass(frozen=True)
class Others:
    """What the others may play: the cards, by who may hold them.

    With hidden hands they are one pool from which `players` cards come: bit k of the ways says "k cards so far". With
    open hands each player plays one of the own cards: bit s says "the players of the set s so far".
    """

    players: int
    #: Card → the player who holds it (0 for all cards of a hidden pool).
    cards: Mapping[int, int]
    hidden: bool
    #: Of a hidden pool, follow only what can happen with at most so many cards before the one asked about.
    at_most: int

    def played(self, ways: Ways, card: int) -> Ways:
        """The ways with that card played as well."""
        if self.hidden:
            return ways << 1 & (1 << self.at_most + 1) - 1
        shift = 1 << self.cards[card]
        return (ways & _lacking(self.cards[card], self.players)) << shift

    def unplayed(self, ways: Ways, card: int) -> Ways:
        """The ways from which playing that card leads to these."""
        if self.hidden:
            return ways >> 1
        owner = self.cards[card]
        return ways >> (1 << owner) & _lacking(owner, self.players)

    def possible(self, above: Iterable[int]) -> Ways:
        """The ways that can be completed with cards of `above`: everybody plays."""
        if self.hidden:
            need = max(0, self.players - len(list(above)))
            return (1 << self.players + 1) - (1 << need)  # none of them followed, if that is more than `at_most`
        later = sum({1 << self.cards[card] for card in above})
        everybody = (1 << self.players) - 1
        return sum(1 << done for done in range(everybody + 1) if done | later == everybody)

    def fewest(self, ways: Ways) -> tuple[int, Ways]:
        """The smallest number of cards played in any of these ways, and the ways with that number."""
        if self.hidden:
            lowest = ways & -ways
            return lowest.bit_length() - 1, lowest
        by_number: dict[int, int] = {}
        for done in range(1 << self.players):
            if ways >> done & 1:
                number = done.bit_count()
                by_number[number] = by_number.get(number, 0) | 1 << done
        return min(by_number.items())


def _lacking(owner: int, players: int) -> int:
    """The sets of players without `owner`, as bits."""
    return sum(1 << done for done in range(1 << players) if not done >> owner & 1)


@dataclass
class _Layer:
    """One step of the walk. `card` is the card that could be played; 0 for a step that everybody makes."""

    card: int
    before: Mapping[Sketch, Ways]
    #: Sketches after → the sketches before that lead to them.
    back: Mapping[Sketch, Sequence[Sketch]]


@dataclass
class Walk:
    """A walk up the numbers.

    `forced` are cards that are played as another number for certain: value while placed → own number.
    """

    reading: Reading
    others: Others
    forced: Mapping[int, int]
    #: The cards that will be asked about: their values and rows now. What no question needs is forgotten.
    asked: Sequence[tuple[int, int | None]]
    budget: Budget

    _layers: list[_Layer] = field(default_factory=list)
    _frontier: dict[Sketch, Ways] = field(default_factory=dict)
    _at: int = 0
    _others_done: set[int] = field(default_factory=set)
    _steps: dict[tuple[int, int, int], tuple[dict[Sketch, tuple[Sketch, ...]], dict[Sketch, list[Sketch]]]] = field(
        default_factory=dict
    )

    def __post_init__(self) -> None:
        # Cards played as another number that land below their value need to know which ends are below their own number.
        self._fixed = sorted(own for value, own in self.forced.items() if own < value)
        self._place = self.reading.place
        start = self.reading.sketch
        self._ends = {*start.ends, *self.forced.values()}
        self._numbers = sorted({*self.others.cards, *(value for value, _ in self.asked)})
        self._watched = self._watched_at(1)
        self._frontier = {self._forgotten(start, 1, 0): 1}

    def _watched_at(self, number: int) -> int:
        """The rows that a card of that value or a higher one had as its row now, as bits."""
        return sum({1 << row for value, row in self.asked if row is not None and value >= number})

    def up_to(self, number: int, *, plain: bool) -> None:
        """Walk on until everything placed before a card of that value has been placed; a plain card waits for a
        card of equal value that is another number."""
        while self._at < number:
            if self._at:
                self._as_another(self._at)
                self._plain(self._at)
            self._at += 1
        if plain:
            self._as_another(number)

    def sketches(self) -> Mapping[Sketch, Ways]:
        """Every sketch there can be now, with the ways that lead to it."""
        return self._frontier

    @property
    def place_in_walk(self) -> int:
        """Where the walk is, for `played_cards`."""
        return len(self._layers)

    def value_seen(self, value: int) -> int:
        """How these sketches see a card of that value: where ends are ranks, as 0 (or 1 for an odd one, if asked)."""
        if not self._ranks:
            return value
        return value & 1 if self.reading.asks_parity else 0

    @property
    def _ranks(self) -> bool:
        return self.reading.forgets and not self.reading.turns

    # Steps -----------------------------------------------------------------------------------------------

    def _as_another(self, number: int) -> None:
        own = self.forced.get(number)
        if own is None or number in self._others_done:
            return
        self._others_done.add(number)
        end = own
        if self._ranks and own <= number:
            end = _RANK + 32 * bisect_left(self._fixed, own) + 16 + (own & 1) if own < number else self.value_seen(own)
        value = self.value_seen(number)
        self._everybody(lambda sketch: {way.sketch for way in self._place(sketch, value, end)}, number)

    def _plain(self, number: int) -> None:
        if number in self.others.cards:
            self._choice(number)
        watched = self._watched_at(number + 1)
        tidy = self.reading.turns and number % 4 == 0 and len(self._frontier) > 64
        if self.reading.forgets and (tidy or watched != self._watched or number in self._ends):
            # The walk passes a row's end, or the last card that asks about a row, or many half-ways to the row
            # that goes down: there is more to forget.
            self._watched = watched
            self._everybody(lambda sketch: {sketch}, number + 1)

    def _everybody(self, step: Callable[[Sketch], Iterable[Sketch]], number: int) -> None:
        """A step that happens whatever is chosen."""
        after: dict[Sketch, Ways] = {}
        back: dict[Sketch, list[Sketch]] = {}
        self.budget.spend(4 * len(self._frontier))
        for sketch, ways in self._frontier.items():
            for way in step(sketch):
                way = self._forgotten(way, number, number)
                after[way] = after.get(way, 0) | ways
                back.setdefault(way, []).append(sketch)
        self._layers.append(_Layer(0, self._frontier, back))
        self._frontier = after

    def _choice(self, card: int) -> None:
        """A card that may or may not be played."""
        segment = bisect_left(self._fixed, card)
        value = self.value_seen(card)
        # Boards of ranks see only a card's parity and segment, so steps can be looked up.
        steps, back = self._steps.setdefault((value, segment, self._watched), ({}, {}))
        before = self._frontier
        after = dict(before)
        self.budget.spend(len(before))
        for sketch, ways in before.items():
            ways = self.others.played(ways, card)
            if not ways:
                continue
            found = steps.get(sketch)
            if found is None:
                self.budget.spend(4)
                reached = {self._forgotten(way.sketch, card + 1, card) for way in self._place(sketch, value, value)}
                steps[sketch] = found = tuple(reached)
                for way in found:
                    back.setdefault(way, []).append(sketch)
            for way in found:
                after[way] = after.get(way, 0) | ways
        self._layers.append(_Layer(card, before, back))
        self._frontier = after

    def _forgotten(self, sketch: Sketch, walked: int, number: int) -> Sketch:
        """The sketch without what no later card can ask: ends below `walked` keep their order (and parity) only.

        `number` is the card just placed, where sketches see it as 0 or 1.
        """
        reading = self.reading
        if not reading.forgets:
            return sketch
        old, counts, taken, marks, tops = sketch
        ends = list(old)
        below = sorted([(end, row) for row, end in enumerate(ends) if end < walked])
        parity = reading.asks_parity
        taken &= self._watched
        reach = len(below)
        if not reading.asks_lowest and not self.forced:
            # Only so many ends can be closed to a card: what is below the first open one gets no card any more.
            reach = min(reach, 1 + reading.closing)
            out = [row for _, row in below[: len(below) - reach]]
            if out:
                counts = tuple([1 if row in out else count for row, count in enumerate(counts)])
                if marks:
                    marks = tuple(
                        [beside.out_of_reach(mark, out) for beside, mark in zip(reading.beside, marks, strict=True)]
                    )
            # With such a row what asks for parity, when it moves, goes to it or to the one above it. It will not close
            # the highest end again, where all cards go that may; so no end's parity is asked any more.
            parity = parity and not out
        down = reading.down(sketch) if reading.turns else NOWHERE
        above = down != NOWHERE and ends[down] >= walked
        if above:
            # The way down to that row is measured, so the highest end below it must be known.
            end, row = below.pop() if below else (0, NOWHERE)
            if row != NOWHERE:
                ends[row] = self._as_good(end, ends[down], walked)
        segment, at = -1, 0
        for rank, (end, row) in enumerate(below):
            mine = (end - _RANK) // 32 if end < 0 else bisect_left(self._fixed, end if end > 1 else number)
            at = at + 1 if mine == segment else 0
            segment = mine
            reached = rank >= len(below) + above - reach
            ends[row] = _RANK + 32 * segment + 2 * at + (end & 1 if parity and reached else 0)
        if not self._watched and not reading.turns:
            # Nobody will ask which row is which.
            order = sorted(range(len(ends)), key=ends.__getitem__)
            ends.sort()
            counts = tuple([counts[row] for row in order])
            marks = tuple([(order.index(mark[0]), *mark[1:]) for mark in marks])
        return Sketch(tuple(ends), counts, taken, marks, tops)

    def _as_good(self, end: int, down: int, walked: int) -> int:
        """The highest end that all later cards tell from that of the row that goes down as they tell this one: a card
        goes up there if it is at least half way."""
        half_way = (down + end + 1) // 2
        at = bisect_left(self._numbers, max(half_way, walked))
        return min(2 * self._numbers[at] - down if at < len(self._numbers) else walked - 1, walked - 1)

    # Looking back ----------------------------------------------------------------------------------------

    def played_cards(self, at: int, goal: Mapping[Sketch, Ways]) -> set[int]:
        """Every card that was played in one of the given ways to one of the given sketches of place `at`."""
        alive = dict(goal)
        found = set()
        for layer in reversed(self._layers[:at]):
            earlier: dict[Sketch, Ways] = {}
            for sketch, ways in alive.items():
                if layer.card and (same := ways & layer.before.get(sketch, 0)):
                    earlier[sketch] = earlier.get(sketch, 0) | same
                wanted = self.others.unplayed(ways, layer.card) if layer.card else ways
                for previous in layer.back.get(sketch, ()):
                    if came := wanted & layer.before.get(previous, 0):
                        earlier[previous] = earlier.get(previous, 0) | came
                        if layer.card:
                            found.add(layer.card)
            alive = earlier
        return found
