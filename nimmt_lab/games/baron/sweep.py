"""What may become of a card before it is placed: every set of lower cards the others can play, and every row they may
choose, walked through number by number.

A table is told by its rows alone, so sets of cards that lead to the same rows need not be told apart any more. Among
many players there are too many tables; then the walk stops at few cards, and what it has seen still counts: a way to
take and a way to get away, both shown, prove a risk. A lower card changes one row: so who has more safe rows than there
are others below keeps one; and if each of them has a card of its own that spoils it, all of them may be spoiled.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from typing import Final, NamedTuple

from nimmt_lab.engine.cards import Card, Cards
from nimmt_lab.engine.view import View

from .rules import Baron

#: More tables than this, and the walk goes no further.
MOST_TABLES: Final = 6_000
#: So many cards are walked through in any case, if there are no more tables than that: all that take part are named.
_FEW: Final = 2


class Row(NamedTuple):
    """A row as far as it matters: its end, how many cards it has, the bulls of each colour (six or more are six)."""

    end: Card
    length: int
    bulls: tuple[int, ...]


Table = tuple[Row, ...]


class Way(NamedTuple):
    """At least so many of these cards must come before it."""

    needed: int
    cards: Cards


class Fate(NamedTuple):
    """What may become of a card. Whoever can put it where it takes nothing does so; where bulls are good, whoever can
    take a row does."""

    #: How it comes to take a row; None: it never does.
    takes: Way | None
    #: How it comes not to; None: it always takes one.
    spared: Way | None
    #: Whether nothing else is possible.
    proved: bool


class Colours:
    """What a card does to a row, by the rules of a game."""

    def __init__(self, game: Baron) -> None:
        self.game, self.deck = game, game.deck
        self.counts = {card: self._bulls(card) for card in game.deck}
        self.limit = game.row_limit if game.variant != "colour_counts" else len(game.deck)
        # Rows come again and again.
        self.added = cache(self._added)
        self.is_wanted = cache(self._is_wanted)

    def _bulls(self, card: Card) -> tuple[int, ...]:
        letters = self.deck.letters(card)
        return tuple(min(6, letters.count(colour)) for colour in "bygrkw")

    def row(self, cards: Sequence[Card]) -> Row:
        """A row of the engine."""
        bulls: tuple[int, ...] = (0,) * 6
        for card in cards:
            bulls = self._sum(bulls, card)
        return Row(cards[-1], min(len(cards), self.limit), bulls)

    def _sum(self, bulls: tuple[int, ...], card: Card) -> tuple[int, ...]:
        return tuple([min(6, one + more) for one, more in zip(bulls, self.counts[card], strict=True)])

    def fits(self, row: Row, card: Card) -> bool:
        """Whether the card may be added there."""
        return self.deck.share(card, row.end)

    def takes(self, row: Row, card: Card) -> bool:
        """Rules 1 and 2: whether it takes the row it is added to."""
        if row.length >= self.limit:
            return True
        return any(more and one + more >= 6 for one, more in zip(row.bulls, self.counts[card], strict=True))

    def _added(self, row: Row, card: Card) -> Row:
        """The row after the card was added to it, or took it."""
        if self.takes(row, card):
            return self.row((card,))
        return Row(card, min(row.length + 1, self.limit), self._sum(row.bulls, card))

    def after(self, table: Table, card: Card) -> Iterator[Table]:
        """The tables that somebody's card may leave."""
        rows = [at for at, row in enumerate(table) if self.fits(row, card)]
        if rows:
            for at in rows:
                yield (*table[:at], self.added(table[at], card), *table[at + 1 :])
        elif self.game.bulls_are_good:
            yield table  # it goes under the draw pile
        else:
            for at in range(len(table)):
                yield (*table[:at], self.row((card,)), *table[at + 1 :])

    def _is_wanted(self, row: Row, card: Card) -> bool:
        """Whether the card's player would like to add it there: to take nothing, or, where bulls are good, to take."""
        return self.fits(row, card) and self.takes(row, card) == self.game.bulls_are_good

    def wanted(self, table: Table, card: Card) -> list[int]:
        """The rows where that is so."""
        return [at for at, row in enumerate(table) if self.is_wanted(row, card)]


def fates(view: View, cards: Cards, others: int) -> dict[Card, Fate]:
    """What may become of each of the cards, with so many others playing a card each.

    >>> state = Baron(players=2).deal(seed=4)
    >>> found = fates(state.view(0), state.hands[0], 1)
    >>> list(found) == list(state.hands[0]), all(fate.proved for fate in found.values())
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
        found: dict[Card, Fate] = {}
        for at_most in range(self.others + 1):
            try:
                found = self._walk(cards, at_most)
            except _TooManyError:
                break
            if at_most >= _FEW and all(fate.proved for fate in found.values()):
                break
        return found

    def _walk(self, cards: Cards, at_most: int) -> dict[Card, Fate]:
        """The sweep, with at most so many of the others below."""
        tables: dict[tuple[Table, int], int] = {(self.start, 0): 0}
        found = {}
        for number in range(1, max(cards) + 1):
            if number in cards:
                found[number] = self._fate(number, tables, at_most)
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
                    raise _TooManyError
        return {card: found[card] for card in cards}

    def _fate(self, card: Card, tables: dict[tuple[Table, int], int], at_most: int) -> Fate:
        below, above = sum(one < card for one in self.unseen), sum(one > card for one in self.unseen)
        takes: dict[int, int] = {}
        spared: dict[int, int] = {}
        for (table, count), played in tables.items():
            if self.others - count > above:
                continue  # the others' cards that are left must be higher ones
            well = bool(self.colours.wanted(table, card))
            ways = takes if well == self.colours.game.bulls_are_good else spared
            ways[count] = ways.get(count, 0) | played
        most = min(self.others, below)
        wanted = self.colours.wanted(self.start, card)
        good, bad = (takes, spared) if self.colours.game.bulls_are_good else (spared, takes)
        if len(wanted) > most and not good:
            good[0] = 0  # whatever must come before it, one of these rows is left
        if wanted and not bad and at_most < len(wanted) <= most and self.others - len(wanted) <= above:
            spoilers = self._spoilers(card, wanted)
            if spoilers:
                bad[len(wanted)] = spoilers
        proved = bool(takes and spared) or most <= at_most or len(wanted) > most
        return Fate(_way(takes), _way(spared), proved)

    def _spoilers(self, card: Card, rows: list[int]) -> int:
        """Lower cards, a row's each, after which none of these rows is wanted any more: all that may take part, as
        bits; 0 if there are none."""
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
        found = 0
        for at in rows:
            rest = [able[other] for other in rows if other != at]
            for other in able[at]:
                if _matched(rest, {other}):
                    found |= 1 << other
        return found


def _matched(able: list[list[Card]], used: set[Card]) -> bool:
    """Whether each row can have a card of its own, besides those used. Rows are few."""
    if not able:
        return True
    return any(_matched(able[1:], {*used, card}) for card in able[0] if card not in used)


class _TooManyError(Exception):
    """There are too many tables to walk through them all."""


def _way(ways: dict[int, int]) -> Way | None:
    if not ways:
        return None
    needed = min(ways)
    return Way(needed, tuple(card for card in range(ways[needed].bit_length()) if ways[needed] >> card & 1))
