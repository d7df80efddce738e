"""Proofs for hints: every set of lower cards the others can play, and every row they may choose, number by number.

Tables with equal rows are merged. Among many players there are too many tables; then the walk stops at few cards, and a
table where the card takes a row plus one where it does not still prove a risk. A lower card changes one row: so a card
with more safe rows than there are lower cards of others keeps one, and if a different lower card can spoil each safe
row, all of them can be spoiled.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from typing import Final, NamedTuple

from nimmt_lab.engine.cards import Card, Cards
from nimmt_lab.engine.view import View
from nimmt_lab.engine.ways import Needed, TooMany, shortest

from .rules import Baron

#: The walk stops at this number of tables.
MOST_TABLES: Final = 6_000
#: The walk covers at least this many cards of others, so that hints name all that matter.
_FEW: Final = 2


class Row(NamedTuple):
    """The relevant part of a row: last card, length, and bulls of each colour (six or more count as six)."""

    end: Card
    length: int
    bulls: tuple[int, ...]


Table = tuple[Row, ...]


class Fate(NamedTuple):
    """The possible fates of a card, whose player avoids taking rows, or prefers it if bulls are good."""

    #: How it can take a row; None if it never does.
    takes: Needed | None
    #: How it can avoid that; None if it always takes one.
    spared: Needed | None
    #: Whether the other fates are excluded.
    proved: bool


class Colours:
    """The effect of cards on rows."""

    def __init__(self, game: Baron) -> None:
        self.game, self.deck = game, game.deck
        self.counts = {card: self._bulls(card) for card in game.deck}
        self.limit = game.row_limit if game.variant != "colour_counts" else len(game.deck)
        self.added = cache(self._added)
        self.is_wanted = cache(self._is_wanted)

    def _bulls(self, card: Card) -> tuple[int, ...]:
        letters = self.deck.letters(card)
        return tuple(min(6, letters.count(colour)) for colour in "bygrkw")

    def row(self, cards: Sequence[Card]) -> Row:
        bulls: tuple[int, ...] = (0,) * 6
        for card in cards:
            bulls = self._sum(bulls, card)
        return Row(cards[-1], min(len(cards), self.limit), bulls)

    def _sum(self, bulls: tuple[int, ...], card: Card) -> tuple[int, ...]:
        return tuple([min(6, count + more) for count, more in zip(bulls, self.counts[card], strict=True)])

    def fits(self, row: Row, card: Card) -> bool:
        return self.deck.share(card, row.end)

    def takes(self, row: Row, card: Card) -> bool:
        """Rules 1 and 2: whether the card takes the row."""
        if row.length >= self.limit:
            return True
        return any(more and count + more >= 6 for count, more in zip(row.bulls, self.counts[card], strict=True))

    def _added(self, row: Row, card: Card) -> Row:
        """The row after the card was added or took it."""
        if self.takes(row, card):
            return self.row((card,))
        return Row(card, min(row.length + 1, self.limit), self._sum(row.bulls, card))

    def after(self, table: Table, card: Card) -> Iterator[Table]:
        """The possible tables after a card of another player."""
        rows = [at for at, row in enumerate(table) if self.fits(row, card)]
        if rows:
            for at in rows:
                yield (*table[:at], self.added(table[at], card), *table[at + 1 :])
        elif self.game.bulls_are_good:
            yield table  # the card goes under the draw pile
        else:
            for at in range(len(table)):
                yield (*table[:at], self.row((card,)), *table[at + 1 :])

    def _is_wanted(self, row: Row, card: Card) -> bool:
        return self.fits(row, card) and self.takes(row, card) == self.game.bulls_are_good

    def wanted(self, table: Table, card: Card) -> list[int]:
        """The rows where the player wants to add the card."""
        return [at for at, row in enumerate(table) if self.is_wanted(row, card)]


def fates(view: View, cards: Cards, others: int) -> dict[Card, Fate]:
    """The fate of each card, with that many others playing a card each.

    >>> state = Baron(players=2).deal(seed=4)
    >>> by_card = fates(state.view(0), state.hands[0], 1)
    >>> list(by_card) == list(state.hands[0]), all(fate.proved for fate in by_card.values())
    (True, True)
    """
    game = view.game
    assert isinstance(game, Baron)
    return _Sweep(Colours(game), view, others).run(cards)


class _Sweep:
    def __init__(self, colours: Colours, view: View, others: int) -> None:
        self.colours, self.unseen, self.others = colours, frozenset(view.unseen), others
        self.start: Table = tuple(colours.row(row) for row in view.rows)

    def run(self, cards: Cards) -> dict[Card, Fate]:
        results: dict[Card, Fate] = {}
        for at_most in range(self.others + 1):
            try:
                results = self._walk(cards, at_most)
            except TooMany:
                break
            if at_most >= _FEW and all(fate.proved for fate in results.values()):
                break
        return results

    def _walk(self, cards: Cards, at_most: int) -> dict[Card, Fate]:
        """Walk with at most `at_most` lower cards of others."""
        tables: dict[tuple[Table, int], int] = {(self.start, 0): 0}
        results = {}
        for number in range(1, max(cards) + 1):
            if number in cards:
                results[number] = self._fate(number, tables, at_most)
            elif number in self.unseen:
                more: dict[tuple[Table, int], int] = {}
                for (table, count), played in tables.items():
                    if count < at_most:
                        for after in self.colours.after(table, number):
                            key = after, count + 1
                            more[key] = more.get(key, 0) | played | 1 << number
                for key, played in more.items():
                    tables[key] = tables.get(key, 0) | played
                if len(tables) > MOST_TABLES:
                    raise TooMany
        return {card: results[card] for card in cards}

    def _fate(self, card: Card, tables: dict[tuple[Table, int], int], at_most: int) -> Fate:
        below, above = sum(other < card for other in self.unseen), sum(other > card for other in self.unseen)
        takes: dict[int, int] = {}
        spared: dict[int, int] = {}
        for (table, count), played in tables.items():
            if self.others - count > above:
                continue  # the remaining cards of the others must be higher
            wanted = bool(self.colours.wanted(table, card))
            ways = takes if wanted == self.colours.game.bulls_are_good else spared
            ways[count] = ways.get(count, 0) | played
        most = min(self.others, below)
        rows = self.colours.wanted(self.start, card)
        good, bad = (takes, spared) if self.colours.game.bulls_are_good else (spared, takes)
        if len(rows) > most and not good:
            good[0] = 0  # whatever comes before it, one of these rows remains
        if rows and not bad and at_most < len(rows) <= most and self.others - len(rows) <= above:
            spoilers = self._spoilers(card, rows)
            if spoilers:
                bad[len(rows)] = spoilers
        proved = bool(takes and spared) or most <= at_most or len(rows) > most
        return Fate(shortest(takes), shortest(spared), proved)

    def _spoilers(self, card: Card, rows: list[int]) -> int:
        """Lower cards, one per row, that spoil all of these rows: all that can take part, as bits; 0 if impossible."""
        able = {
            at: [
                other
                for other in sorted(self.unseen)
                if other < card
                and self.colours.fits(self.start[at], other)
                and not self.colours.is_wanted(self.colours.added(self.start[at], other), card)
            ]
            for at in rows
        }
        spoilers = 0
        for at in rows:
            rest = [able[other] for other in rows if other != at]
            for other in able[at]:
                if _matched(rest, {other}):
                    spoilers |= 1 << other
        return spoilers


def _matched(able: list[list[Card]], used: set[Card]) -> bool:
    """Whether each row can get a different unused card. Rows are few."""
    if not able:
        return True
    return any(_matched(able[1:], {*used, card}) for card in able[0] if card not in used)
