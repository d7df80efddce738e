"""Observations: what a seat may know, as a vector of fixed length.

An observation is made from a `View`, never from a state, so it cannot contain hidden information. It consists of
*planes* (a number for every card of the deck), followed by single numbers. Seats are relative to the observer, so one
policy serves all seats. `Observer.layout` gives the position of each part:

>>> from nimmt_lab import Classic
>>> observer = Observer(Classic(players=2))
>>> [(name, part.start, part.stop) for name, part in list(observer.layout.items())[:3]]
[('hand', 0, 104), ('row 1', 104, 208), ('row 2', 208, 312)]
>>> seen = observer.see(Classic(players=2).deal(seed=1).view(0))
>>> len(seen) == observer.size, sum(seen[observer.layout["hand"]])
(True, 10.0)

| part | numbers |
|---|---|
| hand, hand +1 … | 1 for each card in hand; others' hands only in open games |
| row 1 … | place of the card in the row, as a fraction of a full row |
| next, next +1 … | cards waiting to be placed, by owner: the place in the order, in sixteenths |
| turned | 1 for a waiting card that counts as its twisted number |
| pile 1 … | 1 for a card known to be in that pile |
| stock | 1 for a face-up card of a draft |
| played, played +1 … | cards played this round, by player: the turn, as a fraction of a round |
| unseen | 1 for a card that this seat has not seen |
| seats | cards in hand (tenths), whether each seat has a decision, whether a team has, and which seat observes |
| piles | heads in each pile, then totals, both in hundredths |
| table | round (tenths), turn, stock, whether the game is over, and the kind of decision: card, row, other |
| beside | the chapter's own features (`encode.py`) |

**Compact observations** are shorter and consist of bytes (`compact_layout`, `see_compact`). They leave out who took and
who played which card. Every number is whole; times its number in `compact_scale` it is the fraction above. Numbers stop
at -127 and 127.

| part | numbers | scale |
|---|---|---|
| hand, hand +1 … | as above | 1 |
| row 1 … | its cards in order, 0 for an empty place; of a row longer than its places, the last ones | 1 / cards |
| next | for each waiting card, its owner's seat: 1 for the observer, 2 for the next seat … | 1 / seats |
| turned | as above, only where cards can be turned | 1 |
| stock, unseen | as above | 1 |
| seats | cards in hand | 1 / 10 |
| | whether each seat has a decision, whether a team has, and which seat observes | 1 |
| piles | heads in each pile, then totals | 1 / 100 |
| table | round | 1 / 10 |
| | turn | 1 / turns |
| | stock | 1 / cards |
| | whether the game is over, and the kind of decision: card, row, other | 1 |
| | the card that is placed next, or 0 | 1 / cards |
| beside | as above | 1 / `Encoding.fractions` |
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
    """The observation encoding of a game."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self._encoding = ENCODING.of(game)
        self._places = {card: at for at, card in enumerate(game.deck)}
        self._seats = game.players + game.extra_seats
        self._piles = len(game.pile_seats)
        #: Position of each plane and group of numbers.
        self.layout: dict[str, slice] = {}
        #: Length of an observation.
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

        #: Position of each part of a compact observation, and what its numbers are multiplied by.
        self.compact_layout: dict[str, slice] = {}
        self.compact_scale: array[float] = array("f")
        for name, over in self._compact_parts(rows):
            first = len(self.compact_scale)
            self.compact_scale.extend([1 / each for each in over])
            self.compact_layout[name] = slice(first, len(self.compact_scale))

    def _compact_parts(self, rows: int) -> Iterable[tuple[str, list[int]]]:
        """The parts of a compact observation, with what each number is a fraction of."""
        game, cards = self.game, len(self._places)
        ones = [1] * cards
        yield "hand", ones
        if not game.hidden_hands:
            yield from ((_of("hand", seat), ones) for seat in range(1, game.players))
        yield from ((f"row {row + 1}", [cards] * game.places_in_row) for row in range(rows))
        yield "next", [self._seats] * cards
        if self._encoding.turned(game):
            yield "turned", ones
        if game.open_stock:
            yield "stock", ones
        yield "unseen", ones
        yield "seats", [*[10] * game.players, *[1] * (game.players + 1 + self._piles)]
        yield "piles", [100] * (2 * self._piles)
        yield "table", [10, game.turns, cards, 1, 1, 1, 1, cards]
        yield "beside", [*self._encoding.fractions(game)]

    def _add(self, name: str, count: int) -> None:
        self.layout[name] = slice(self.size, self.size + count)
        self.size += count

    def see(self, view: View) -> array[float]:
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

    def see_compact(self, view: View) -> array[int]:
        """The compact observation of a view.

        >>> from nimmt_lab import Classic
        >>> observer = Observer(Classic(players=2))
        >>> seen = observer.see_compact(Classic(players=2).deal(seed=1).view(0))
        >>> len(seen), list(seen[observer.compact_layout["row 1"]])
        (351, [32, 0, 0, 0, 0])
        """
        full, where = self.see(view), self.compact_layout
        seen = array("b", bytes(len(self.compact_scale)))
        for name in where.keys() & self.layout.keys() - {"next"}:
            if not name.startswith("row "):
                numbers, over = full[self.layout[name]], self.compact_scale[where[name]]
                whole = [round(number / each) for number, each in zip(numbers, over, strict=False)]
                seen[where[name]] = array(
                    "b", [max(-127, min(127, number)) for number in whole] + [0] * (len(over) - len(whole))
                )
        places = self.game.places_in_row
        for row, cards in enumerate(view.rows):
            first = where[f"row {row + 1}"].start
            shown = cards[-places:]
            seen[first : first + len(shown)] = array("b", [0 if card == EMPTY else card for card in shown])
        for play in view.queue:
            seen[where["next"].start + self._places[play.card]] = self._step(play.seat, view) + 1
        if view.queue:
            seen[where["table"].stop - 1] = view.queue[0].card
        return seen

    def _write(self, seen: array[float], part: str, numbers: Iterable[float]) -> None:
        where, values = self.layout[part], array("f", numbers)
        size = where.stop - where.start
        if len(values) != size:
            raise Unsupported("rl.numbers_not", game=self.game.name, count=len(values), part=repr(part), got=size)
        seen[where] = values

    def _step(self, seat: int, view: View) -> int:
        """A seat relative to the observer; seats without a player come last."""
        return (seat - max(view.seat, 0)) % self.game.players if seat < self.game.players else seat

    def _own_first(self, view: View) -> list[int]:
        """The piles, the observer's first."""
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
        card, row = isinstance(decision, (ChooseCard, PickCard)), isinstance(decision, ChooseRow)
        other = decision is not None and not card and not row
        clock = [view.round / 10, view.turn / self.game.turns, view.stock_size / len(self._places)]
        return [*clock, *map(float, (view.is_over, card, row, other))]


def _of(plane: str, step: int) -> str:
    return f"{plane} +{step}" if step else plane
