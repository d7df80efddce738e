"""A second implementation of Bull Baron that plays one random turn and writes it as a rule vector.

It shares no code with the package. Cards have up to six bulls of one colour, more than in our sample deck.
"""

from __future__ import annotations

from collections import Counter
from typing import Any

COLOURS = "bygrkw"
VARIANTS = ["standard", "colour_counts", "bulls_are_good"]


class BaronReading:
    def __init__(self, random: Any) -> None:
        self.random = random
        self.variant = random.choice(VARIANTS)
        self.players = random.randint(2, 6)
        numbers = random.sample(range(1, 111), 110)
        colours = random.randint(2, 6)
        self.cards = {value: self.some_bulls(colours) for value in numbers} | {52: COLOURS, 104: COLOURS}
        longest = 8 if self.variant == "colour_counts" else 5
        self.rows = [[numbers.pop() for _ in range(random.randint(1, longest))] for _ in range(5)]
        more = random.choice([0, 0, 1, 3])
        self.hands = [[numbers.pop() for _ in range(more)] for _ in range(self.players)]
        self.piles = [[numbers.pop() for _ in range(random.randint(0, 6))] for _ in range(self.players)]
        self.played = {seat: numbers.pop() for seat in range(self.players)}
        self.taken: dict[str, list[int]] = {}
        self.under: dict[str, list[int]] = {}
        self.placed: list[list[int]] = []
        self.choices: list[dict[str, int]] = []

    def some_bulls(self, colours: int) -> str:
        shown = self.random.sample(COLOURS[:colours], self.random.randint(1, min(2, colours)))
        return "".join(colour * self.random.choice([1, 1, 2, 3, 6]) for colour in shown)

    def vector(self, name: str) -> dict[str, Any]:
        """Play a turn and return its vector."""
        given = {"cards": {str(value): bulls for value, bulls in self.cards.items()},
                 "rows": [list(row) for row in self.rows], **self.facts()}  # fmt: skip
        for card, seat in sorted((card, seat) for seat, card in self.played.items()):
            self.place(card, seat)
        self.end_of_turn()
        game = {"system": "baron", "players": self.players, "variant": self.variant}
        heads = {str(s + 1): sum(len(self.cards[c]) for c in self.taken.get(str(s + 1), [])) for s in self.played}
        expect = {
            "rows": self.rows,
            "placed": self.placed,
            "taken": self.taken,
            "under_pile": self.under,
            "heads": heads,
        }
        reveal = {str(seat + 1): card for seat, card in self.played.items()}
        return {"id": name, "game": game, "given": given, "reveal": reveal, "choices": self.choices,
                "expect": expect | self.facts()}  # fmt: skip

    def facts(self) -> dict[str, Any]:
        return {
            "hands": {str(seat + 1): list(hand) for seat, hand in enumerate(self.hands)},
            "draw_piles": {str(seat + 1): list(pile) for seat, pile in enumerate(self.piles)},
        }

    def place(self, card: int, seat: int) -> None:
        bulls = Counter(self.cards[card])
        able = [at for at, row in enumerate(self.rows) if bulls.keys() & set(self.cards[row[-1]])]
        if not able and self.variant == "bulls_are_good":
            self.piles[seat].append(card)
            self.under[str(seat + 1)] = [card]
            return
        at = self.random.choice(able or range(5))
        if len(able) != 1:
            self.choices.append({"seat": seat + 1, "row": at + 1})
        there = Counter(bull for other in self.rows[at] for bull in self.cards[other])
        sixth = len(self.rows[at]) == 5 and self.variant != "colour_counts"
        # Only a colour of the card itself is brought to six by it.
        if not able or sixth or any(there[colour] + bulls[colour] >= 6 for colour in bulls):
            self.taken.setdefault(str(seat + 1), []).extend(self.rows[at])
            self.rows[at] = []
        self.rows[at].append(card)
        self.placed.append([card, at + 1])

    def end_of_turn(self) -> None:
        """Refill empty hands with up to four cards (R-O4), unless the game is over."""
        left = [hand + pile for hand, pile in zip(self.hands, self.piles, strict=True)]
        if self.variant == "bulls_are_good":
            ends = {bull for row in self.rows for bull in self.cards[row[-1]]}
            fits = any(ends & set(self.cards[card]) for cards in left for card in cards)
            if not all(left) or not fits:  # somebody has placed the last card, or R-O5
                return
        for seat, pile in enumerate(self.piles):
            if not self.hands[seat]:
                self.hands[seat], self.piles[seat] = pile[:4], pile[4:]
