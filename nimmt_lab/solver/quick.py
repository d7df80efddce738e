"""Quick open-hand play, for estimates.

Both players look one turn ahead: each plays the card with the best average over all cards of the other, plus a little
noise; low cards take the cheapest row. Thousands of such rounds a second separate good hands from bad ones, which is
all the draft adviser needs. Without the compiled core the same rounds are played here, a thousand times slower.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from nimmt_lab.engine.cards import Card, Seat
from nimmt_lab.engine.rng import Rng
from nimmt_lab.native import Claim, Pace
from nimmt_lab.native import core as native_core
from nimmt_lab.solver.reference import Rows, place, row_for
from nimmt_lab.solver.turn_odds import cheapest_row

#: Fractions of a head; less than one head is noise.
NOISE = 1024
#: Noise values per player and turn.
PLACES = 20


class QuickRounds:
    """Rounds after random ends of a two-player draft, on one random stream."""

    def __init__(self, rng: Rng, cards: Sequence[Card], heads: Sequence[int]) -> None:
        self._cards, self._heads = list(cards), list(heads)
        #: Heads by card number.
        self._table = [0] * (max(cards) + 1)
        for card, number in zip(cards, heads, strict=True):
            self._table[card] = number
        self._rng = rng
        self._core = native_core()
        self._claim = Claim()
        if self._core is not None:
            self._state, self._draft = self._core.memory(24), self._core.memory(8 * len(cards))

    def play(self, owners: Mapping[Card, Seat], picker: Seat, rounds: int) -> tuple[int, int]:
        """Play rounds; return sum and sum of squares of heads of B minus heads of A. Unowned cards are drafted."""
        with self._claim:
            return self._play(owners, picker, rounds)

    def _play(self, owners: Mapping[Card, Seat], picker: Seat, rounds: int) -> tuple[int, int]:
        if self._core is None:
            results = [self._round(dict(owners), picker) for _ in range(rounds)]
            return sum(results), sum(result * result for result in results)
        who = (owners.get(card, -1) for card in self._cards)
        self._draft.write("i", [word for pair in zip(who, self._heads, strict=True) for word in pair])
        self._state.write("Q", [self._rng.state])
        self._state.write("q", [0, 0], at=8)
        for some in Pace(200).portions(rounds):
            self._core.call("nl_draft_play", self._draft, len(self._cards), picker, some, self._state)
        self._rng = Rng(*self._state.read("Q", 1))
        total, squares = self._state.read("q", 2, at=8)
        return total, squares

    def _draw(self, below: int) -> int:
        drawn, self._rng = self._rng.below(below)
        return drawn

    def _round(self, owners: dict[Card, Seat], picker: Seat) -> int:
        left = [card for card in self._cards if card not in owners]
        while len(left) > 4:
            owners[left.pop(self._draw(len(left)))] = picker
            picker = 1 - picker
        hand = sorted(owners)
        place_of = {card: at for at, card in enumerate(hand)}
        hands = [[card for card in hand if owners[card] == seat] for seat in (0, 1)]
        rows: Rows = tuple((card,) for card in left)
        total = 0
        while hands[0]:
            noise = [self._draw(NOISE) for _ in range(2 * PLACES)]
            score = [{card: noise[PLACES * seat + place_of[card]] for card in hands[seat]} for seat in (0, 1)]
            for a in hands[0]:
                for b in hands[1]:
                    now = NOISE * self._turn(rows, a, b)[1]
                    score[0][a] += now
                    score[1][b] -= now
            a, b = (max(part, key=lambda card, part=part: part[card]) for part in score)  # type: ignore[misc]
            rows, now = self._turn(rows, a, b)
            total += now
            hands[0].remove(a)
            hands[1].remove(b)
        return total

    def _turn(self, rows: Rows, a: Card, b: Card) -> tuple[Rows, int]:
        """Place A's and B's cards; return the rows and heads of B minus heads of A."""
        first, second = min(a, b), max(a, b)
        low = None if row_for(rows, first) is not None else cheapest_row(rows, self._table)
        between, one = place(rows, first, low, self._table)
        after, two = place(between, second, None, self._table)
        return after, two - one if a < b else one - two
