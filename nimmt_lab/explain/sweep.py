"""Follow everything that can happen before a card is placed, all at once.

Cards are placed in ascending order. So walk up the numbers from 1 and keep every sketch that some choice of the others'
cards (and of rows for low cards) can lead to, with the ways to reach it: the number of cards played, or, with open
hands, the set of players who have played. At a card's own number, read its possible outcomes off these sketches.

Forgetting keeps this small. Beyond a row's end, later cards only compare ends, so ends become ranks. A few dozen
sketches then represent millions of turns without losing any; tests compare the results with full enumeration on small
decks.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, TypeAlias

from .sketch import NOWHERE, Reading, Sketch

#: Ranks are negative, below every card: `_RANK + 32 * segment + 2 * place`, plus the end's parity.
_RANK: Final = -4096
#: A set of ways to reach a sketch, as bits.
Ways: TypeAlias = int


class TooMuch(Exception):
    """The walk would take too long."""


class Budget:
    """Steps left, shared by several walks."""

    def __init__(self, steps: int) -> None:
        self.left = steps

    def spend(self, steps: int) -> None:
        self.left -= steps
        if self.left < 0:
            raise TooMuch


@dataclass(frozen=True)
class Others:
    """The cards the others may play, by owner.

    Hidden hands form one pool of which `players` cards are played: bit k of the ways means "k cards so far". With open
    hands everyone plays one card: bit s means "the players in set s so far".
    """

    players: int
    #: Card → owner (0 for all cards of a hidden pool).
    cards: Mapping[int, int]
    hidden: bool
    #: With a hidden pool, follow at most this many cards before the card in question.
    at_most: int

    def played(self, ways: Ways, card: int) -> Ways:
        """The ways after playing that card."""
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
        """The ways that cards of `above` can complete, so that everyone plays."""
        if self.hidden:
            need = max(0, self.players - len(list(above)))
            return (1 << self.players + 1) - (1 << need)  # none are followed if that exceeds `at_most`
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
    """One step of the walk. `card` may be played; 0 marks a forced step."""

    card: int
    before: Mapping[Sketch, Ways]
    #: Sketch after → sketches before that lead to it.
    back: Mapping[Sketch, Sequence[Sketch]]


@dataclass
class Walk:
    """A walk up the numbers. `forced` maps values to own numbers of cards certainly played as other numbers."""

    reading: Reading
    others: Others
    forced: Mapping[int, int]
    #: The cards in question: values and current rows. Everything they don't need is forgotten.
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
        # A card that lands below its value must know which ends are below its own number.
        self._fixed = sorted(own for value, own in self.forced.items() if own < value)
        self._place = self.reading.place
        start = self.reading.sketch
        self._ends = {*start.ends, *self.forced.values()}
        self._numbers = sorted({*self.others.cards, *(value for value, _ in self.asked)})
        self._watched = self._watched_at(1)
        self._frontier = {self._forgotten(start, 1, 0): 1}

    def _watched_at(self, number: int) -> int:
        """Rows that are the current row of a card of that value or higher, as bits."""
        return sum({1 << row for value, row in self.asked if row is not None and value >= number})

    def up_to(self, number: int, *, plain: bool) -> None:
        """Walk up to a card of that value. On equal values a plain card goes after one played as another number."""
        while self._at < number:
            if self._at:
                self._as_another(self._at)
                self._plain(self._at)
            self._at += 1
        if plain:
            self._as_another(number)

    def sketches(self) -> Mapping[Sketch, Ways]:
        """Every possible sketch now, with the ways to reach it."""
        return self._frontier

    @property
    def place_in_walk(self) -> int:
        """Position in the walk, for `played_cards`."""
        return len(self._layers)

    def value_seen(self, value: int) -> int:
        """A card's value as these sketches see it: 0 (or, if parity matters, 1 for odd cards) once ends are ranks."""
        if not self._ranks:
            return value
        return value & 1 if self.reading.asks_parity else 0

    @property
    def _ranks(self) -> bool:
        return self.reading.forgets and not self.reading.turns

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
            # Past a row's end, the last question about a row, or many midpoints to the descending row: forget more.
            self._watched = watched
            self._everybody(lambda sketch: {sketch}, number + 1)

    def _everybody(self, step: Callable[[Sketch], Iterable[Sketch]], number: int) -> None:
        """A step that happens in any case."""
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
        # Sketches of ranks depend only on a card's parity and segment, so steps are cached.
        steps, back = self._steps.setdefault((value, segment, self._watched), ({}, {}))
        before = self._frontier
        after = dict(before)
        self.budget.spend(len(before))
        for sketch, ways in before.items():
            ways = self.others.played(ways, card)
            if not ways:
                continue
            next_sketches = steps.get(sketch)
            if next_sketches is None:
                self.budget.spend(4)
                reached = {self._forgotten(way.sketch, card + 1, card) for way in self._place(sketch, value, value)}
                steps[sketch] = next_sketches = tuple(reached)
                for way in next_sketches:
                    back.setdefault(way, []).append(sketch)
            for way in next_sketches:
                after[way] = after.get(way, 0) | ways
        self._layers.append(_Layer(card, before, back))
        self._frontier = after

    def _forgotten(self, sketch: Sketch, walked: int, number: int) -> Sketch:
        """Reduce ends below `walked` to their order (and parity). `number` is the card just placed, seen as 0 or 1."""
        reading = self.reading
        if not reading.forgets:
            return sketch
        old, counts, limit, taken, marks, tops = sketch
        ends = list(old)
        below = sorted([(end, row) for row, end in enumerate(ends) if end < walked])
        parity = reading.asks_parity
        taken &= self._watched
        reach = len(below)
        if not reading.asks_lowest and not self.forced:
            # Only `closing` ends can be closed to a card, so rows below the first open end get no more cards.
            reach = min(reach, 1 + reading.closing)
            out = [row for _, row in below[: len(below) - reach]]
            if out:
                counts = tuple([1 if row in out else count for row, count in enumerate(counts)])
                marks = reading.out_of_reach(marks, out)
            # With a descending row, a marker that depends on parity moves to it or to the row above. It won't close the
            # highest end again, where every accepted card goes, so parity no longer matters.
            parity = parity and not out
        down = reading.down(sketch) if reading.turns else NOWHERE
        above = down != NOWHERE and ends[down] >= walked
        if above:
            # The distance to the descending row counts, so keep the highest end below it.
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
            # Row numbers no longer matter.
            order = sorted(range(len(ends)), key=ends.__getitem__)
            ends.sort()
            counts = tuple([counts[row] for row in order])
            marks = reading.reordered(marks, order)
        return Sketch(tuple(ends), counts, limit, taken, marks, tops)

    def _as_good(self, end: int, down: int, walked: int) -> int:
        """The highest end that all later cards compare alike with the descending row (a card goes up from halfway)."""
        half_way = (down + end + 1) // 2
        at = bisect_left(self._numbers, max(half_way, walked))
        return min(2 * self._numbers[at] - down if at < len(self._numbers) else walked - 1, walked - 1)

    def played_cards(self, at: int, goal: Mapping[Sketch, Ways]) -> set[int]:
        """Every card played in one of the given ways to one of the given sketches at position `at`."""
        alive = dict(goal)
        cards = set()
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
                            cards.add(layer.card)
            alive = earlier
        return cards
