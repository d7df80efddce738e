"""A second implementation of Beat the Buffalo, written from the table on its page, to check the engine.

It shares no code with the package. Uses are tuples: ("stop", row), ("push", card, row, position), ("sort", cards) …;
seats, rows and positions count from 0, and the buffalo's seat is the number of players.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import pairwise, permutations

KINDS = ("seven_takes", "stop", "swap", "insert", "push", "first", "last", "sort")


def heads(cards: list[int]) -> int:
    return sum(7 if c == 55 else 5 if c % 11 == 0 else 3 if c % 10 == 0 else 2 if c % 5 == 0 else 1 for c in cards)


@dataclass
class Oracle:
    players: int
    rows: list[list[int]]
    hands: list[list[int]]
    up: list[str]
    deck: list[str]
    seven: set[int] = field(default_factory=set)
    stop: set[int] = field(default_factory=set)
    gone: list[str] = field(default_factory=list)
    team: list[int] = field(default_factory=list)
    buffalo: list[int] = field(default_factory=list)
    #: (seat, card), next first
    queue: list[tuple[int, int]] = field(default_factory=list)
    emptied: list[int] = field(default_factory=list)
    set_first: int | None = None
    set_last: int | None = None
    at_once: bool = False
    swapping: int | None = None

    def reveal(self, cards: dict[int, int]) -> None:
        for seat, card in cards.items():
            if seat < self.players:
                self.hands[seat].remove(card)
        self.queue = sorted(cards.items(), key=lambda play: play[1])

    # Legal actions

    def uses(self, *, sorts: bool = True) -> Iterator[tuple[object, ...]]:
        yield ("pass",)
        for row in self.stop:
            yield ("lift", row)
        if self.queue:
            for kind in set(self.up):
                if kind != "sort" or sorts:
                    yield from getattr(self, f"uses_of_{kind}")()

    def players_cards(self) -> list[tuple[int, int]]:
        return [(seat, card) for seat, card in self.queue if seat != self.players]

    def uses_of_seven_takes(self) -> Iterator[tuple[object, ...]]:
        return (("seven_takes", row) for row in range(4) if self.rows[row] != [] and row not in self.seven)

    def uses_of_stop(self) -> Iterator[tuple[object, ...]]:
        return (("stop", row) for row in range(4) if self.rows[row] != [] and row not in self.stop)

    def uses_of_swap(self) -> Iterator[tuple[object, ...]]:
        return (("swap", seat) for seat, _ in self.players_cards() if self.hands[seat])

    def places(self, card: int, row: int) -> list[int]:
        """Every place where the card keeps the row ascending."""
        cards = self.rows[row]
        longer = [cards[:at] + [card] + cards[at:] for at in range(len(cards) + 1)]
        return [at for at, new in enumerate(longer) if all(a < b for a, b in pairwise(new))]

    def uses_of_insert(self) -> Iterator[tuple[object, ...]]:
        seat, card = self.queue[0]
        if seat == self.players or [] in self.rows:
            return
        for row in range(4):
            for at in self.places(card, row):
                if row not in self.stop and at != len(self.rows[row]):
                    yield ("insert", row, at)

    def uses_of_push(self) -> Iterator[tuple[object, ...]]:
        for source in range(4):
            for card in self.rows[source]:
                for row in range(4):
                    if row != source and not {row, source} & self.stop:
                        for at in self.places(card, row):
                            yield ("push", card, row, at)

    def uses_of_first(self) -> Iterator[tuple[object, ...]]:
        for seat, card in self.players_cards():
            yield ("first", seat, False)
            if self.set_first is not None and self.set_first != card:
                yield ("first", seat, True)

    def uses_of_last(self) -> Iterator[tuple[object, ...]]:
        for seat, card in self.players_cards():
            yield ("last", seat, False)
            if self.set_last is not None and self.set_last != card:
                yield ("last", seat, True)

    def uses_of_sort(self) -> Iterator[tuple[object, ...]]:
        return (("sort", order) for order in permutations([card for _, card in self.queue]))

    # Effects of actions

    def use(self, use: tuple[object, ...]) -> None:
        kind, *what = use
        if kind == "lift":
            (row,) = what
            assert isinstance(row, int)
            self.stop.remove(row)
            self.gone.append("stop")
            return
        assert isinstance(kind, str)
        self.up.remove(kind)
        if self.deck:
            self.up.append(self.deck.pop(0))
        if kind not in ("seven_takes", "stop"):
            self.gone.append(kind)
        getattr(self, f"do_{kind}")(*what)

    def do_seven_takes(self, row: int) -> None:
        self.seven.add(row)

    def do_stop(self, row: int) -> None:
        self.stop.add(row)

    def out_of_queue(self, seat: int) -> tuple[int, int]:
        play = next(play for play in self.queue if play[0] == seat)
        self.queue.remove(play)
        self.no_longer_set(play[1])
        return play

    def no_longer_set(self, card: int) -> None:
        if self.set_first == card:
            self.set_first = None
        if self.set_last == card:
            self.set_last = None

    def do_swap(self, seat: int) -> None:
        if len(self.hands[seat]) == 1:
            self.swap_in(seat, self.hands[seat][0])
        else:
            self.swapping = seat

    def swap_in(self, seat: int, card: int) -> None:
        self.swapping = None
        _, back = self.out_of_queue(seat)
        self.hands[seat] = sorted([c for c in self.hands[seat] if c != card] + [back])
        self.queue.insert(0, (seat, card))
        self.at_once = True

    def do_insert(self, row: int, at: int) -> None:
        _, card = self.queue.pop(0)
        self.no_longer_set(card)
        self.rows[row].insert(at, card)
        self.one_too_many(row)

    def do_push(self, card: int, row: int, at: int) -> None:
        source = next(r for r in range(4) if card in self.rows[r])
        self.rows[row].insert(at, card)
        self.rows[source].remove(card)
        if row in self.emptied:
            self.emptied.remove(row)
        if not self.rows[source]:
            self.emptied.append(source)
        self.one_too_many(row)

    def one_too_many(self, row: int) -> None:
        if len(self.rows[row]) > self.limit(row):
            *taken, last = self.rows[row]
            self.team += taken
            self.rows[row] = [last]
            self.seven_goes(row)

    def do_first(self, seat: int, second: bool) -> None:
        first = self.set_first
        play = self.out_of_queue(seat)
        if second:
            assert first is not None
            at = [card for _, card in self.queue].index(first) + 1
            self.queue.insert(at, play)
        else:
            self.queue.insert(0, play)
            self.set_first = play[1]

    def do_last(self, seat: int, second: bool) -> None:
        last = self.set_last
        play = self.out_of_queue(seat)
        if second:
            assert last is not None
            at = [card for _, card in self.queue].index(last)
            self.queue.insert(at, play)
        else:
            self.queue.append(play)
            self.set_last = play[1]

    def do_sort(self, order: tuple[int, ...]) -> None:
        seats = {card: seat for seat, card in self.queue}
        self.queue = [(seats[card], card) for card in order]
        self.set_first = self.set_last = None

    # Placing

    def limit(self, row: int) -> int:
        return 6 if row in self.seven else 5

    def seven_goes(self, row: int) -> None:
        if row in self.seven:
            self.seven.remove(row)
            self.gone.append("seven_takes")

    def lower_rows(self, card: int) -> list[int]:
        return [row for row in range(4) if self.rows[row] and self.rows[row][-1] < card and row not in self.stop]

    def needs_a_row(self) -> bool:
        seat, card = self.queue[0]
        return not self.emptied and not self.lower_rows(card) and seat != self.players

    def place(self, chosen: int | None = None) -> None:
        seat, card = self.queue.pop(0)
        self.no_longer_set(card)
        self.at_once = False
        if self.emptied:
            self.rows[self.emptied.pop(0)] = [card]
            return
        lower = self.lower_rows(card)
        if lower:
            row = max(lower, key=lambda r: self.rows[r][-1])
            if len(self.rows[row]) < self.limit(row):
                self.rows[row].append(card)
                return
        elif seat == self.players:
            free = [r for r in range(4) if self.rows[r] and r not in self.stop]
            fewest = min(heads(self.rows[r]) for r in free)
            row = max((r for r in free if heads(self.rows[r]) == fewest), key=lambda r: self.rows[r][-1])
        else:
            assert chosen is not None and chosen not in self.stop
            row = chosen
        pile = self.buffalo if seat == self.players else self.team
        pile += self.rows[row]
        self.rows[row] = [card]
        self.seven_goes(row)
