"""Views as numbers: what a seat may know, and nothing else, as a vector of fixed length.

An observation is made from a `View`, never from a state, so it can hold nothing that is hidden. It has one *plane*
after the other (a number for every card of the deck), and then single numbers. Seats are counted from the one that
looks, so a player learns one way to play for all seats. `Observer.layout` says where everything stands:

>>> from nimmt_lab import Classic
>>> observer = Observer(Classic(players=2))
>>> [(name, part.start, part.stop) for name, part in list(observer.layout.items())[:3]]
[('hand', 0, 104), ('row 1', 104, 208), ('row 2', 208, 312)]
>>> seen = observer.see(Classic(players=2).deal(seed=1).view(0))
>>> len(seen) == observer.size, sum(seen[observer.layout["hand"]])
(True, 10.0)

| part | numbers |
|---|---|
| hand, hand +1 … | 1 for each card held; others' hands only where hands lie open |
| row 1 … | place of the card in the row, in parts of what a row holds |
| next, next +1 … | cards still to be placed, by whose they are: the place in the order, in sixteenths |
| turned | 1 for a card to be placed that counts as its twisted number |
| pile 1 … | 1 for a card that lies in that pile, as far as known |
| stock | 1 for a face-up card of a draft |
| played, played +1 … | cards of this round by who played them: the turn, in parts of a round |
| unseen | 1 for a card that this seat has not seen |
| seats | cards in hand (tenths), whether each is asked now, whether a team is, and which seat it is that looks |
| piles | heads in each, then totals, both in hundredths |
| table | round (tenths), turn, cards in the stock, whether the game is over, and what is asked: card, row, other |
| beside | what else lies there, as the chapter's `encode.py` says |
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable

from nimmt_lab.engine.cards import EMPTY, TEAM
from nimmt_lab.engine.decisions import ChooseCard, ChooseRow, PickCard
from nimmt_lab.engine.encode import ENCODING, from_seat
from nimmt_lab.engine.errors import Unsupported
from nimmt_lab.engine.game import Game
from nimmt_lab.engine.view import View

__all__ = ["Observer"]


class Observer:
    """How views of a game are written as numbers."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self._encoding = ENCODING.of(game)
        self._places = {card: at for at, card in enumerate(game.deck)}
        self._seats = game.players + game.extra_seats
        self._piles = len(game.pile_seats)
        #: The part of an observation that each plane or group of numbers has.
        self.layout: dict[str, slice] = {}
        #: How many numbers there are.
        self.size = 0
        cards, rows = len(self._places), self._encoding.rows(game)
        planes = [
            "hand",
            *(_of("hand", seat) for seat in range(1, game.players) if not game.hidden_hands),
            *(f"row {row + 1}" for row in range(rows)),
            *(_of("next", seat) for seat in range(self._seats)),
            "turned",
            *(f"pile {pile + 1}" for pile in range(self._piles)),
            *(["stock"] if game.open_stock else []),
            *(_of("played", seat) for seat in range(self._seats)),
            "unseen",
        ]
        for name in planes:
            self._add(name, cards)
        self._add("seats", 2 * game.players + 1 + self._piles)
        self._add("piles", 2 * self._piles)
        self._add("table", 7)
        self._add("beside", len(self._encoding.beside(game.deal(0).view(0))))

    def _add(self, name: str, count: int) -> None:
        self.layout[name] = slice(self.size, self.size + count)
        self.size += count

    def see(self, view: View) -> array[float]:
        """What the view shows."""
        game, seen, places = self.game, array("f", bytes(4 * self.size)), self._places
        start = {name: part.start for name, part in self.layout.items()}

        def mark(plane: str, cards: Iterable[int]) -> None:
            first = start[plane]
            for card in cards:
                if card != EMPTY:
                    seen[first + places[card]] = 1.0

        mark("hand", view.hand)
        if not game.hidden_hands:
            for step in range(1, game.players):
                mark(_of("hand", step), view.hands[(max(view.seat, 0) + step) % game.players] or ())
        for row, cards in enumerate(view.rows):
            first = start[f"row {row + 1}"]
            for slot, card in enumerate(cards, start=1):
                if card != EMPTY:
                    seen[first + places[card]] = slot / game.places_in_row
        for at, play in enumerate(view.queue, start=1):
            seen[start[_of("next", self._step(play.seat, view))] + places[play.card]] = at / 16
            if not play.plain:
                seen[start["turned"] + places[play.card]] = 1.0
        for at, pile in enumerate(self._own_first(view)):
            mark(f"pile {at + 1}", view.piles[pile] if view.piles else ())
        if game.open_stock:
            mark("stock", view.stock)
        for turn in view.history:
            for play in turn.plays:
                plane = start[_of("played", self._step(play.seat, view))]
                seen[plane + places[play.card]] = (turn.number + 1) / game.turns
        mark("unseen", view.unseen)
        self._write(seen, "seats", self._of_seats(view))
        heads = view.pile_heads or (0,) * self._piles
        own = self._own_first(view)
        self._write(seen, "piles", [heads[at] / 100 for at in own] + [view.totals[at] / 100 for at in own])
        self._write(seen, "table", self._of_table(view))
        self._write(seen, "beside", self._encoding.beside(view))
        return seen

    def _write(self, seen: array[float], part: str, numbers: Iterable[float]) -> None:
        where, found = self.layout[part], array("f", numbers)
        if len(found) != where.stop - where.start:
            raise Unsupported(
                "rl.numbers_not", game=self.game.name, count=len(found), part=repr(part), got=where.stop - where.start
            )
        seen[where] = found

    def _step(self, seat: int, view: View) -> int:
        """How many places after the seat that looks; seats that are nobody's come last."""
        return (seat - max(view.seat, 0)) % self.game.players if seat < self.game.players else seat

    def _own_first(self, view: View) -> list[int]:
        """The piles in the order in which that seat counts."""
        first = self.game.pile_of(view.seat) if view.seat != TEAM else 0
        return [(first + step) % self._piles for step in range(self._piles)]

    def _of_seats(self, view: View) -> list[float]:
        game = self.game
        asked = [float(seat in view.asked) for seat in range(game.players)]
        return [
            *from_seat([size / 10 for size in view.hand_sizes[: game.players]], view.seat),
            *from_seat(asked, view.seat),
            float(TEAM in view.asked),
            *(float(seat == view.seat) for seat in game.pile_seats),
        ]

    def _of_table(self, view: View) -> list[float]:
        decision = view.decision
        card = isinstance(decision, (ChooseCard, PickCard))
        row = isinstance(decision, ChooseRow)
        return [
            view.round / 10,
            view.turn / self.game.turns,
            view.stock_size / len(self._places),
            float(view.is_over),
            float(card),
            float(row),
            float(decision is not None and not card and not row),
        ]


def _of(plane: str, step: int) -> str:
    return f"{plane} +{step}" if step else plane
