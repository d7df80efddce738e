"""Exact odds of one turn with hidden hands.

Given a visible table, a hand, and `opponents` others whose cards are a uniform random subset of the unseen cards: what
is the exact distribution of the heads each card takes this turn? Low cards (mine included) take the cheapest row
(R-C4).

No sampling is needed. Cards above mine never matter, and in ascending order every card between two row ends goes to the
lower of the two rows, so rows are independent. Let a row have room for n cards (`row_limit`, usually 5):

* Nobody plays low: t of the drawn cards are between my row's end and my card. With c cards in the row I take iff c + t
  is a multiple of n: the row and the t cards if c + t = n, otherwise the n highest drawn cards below mine (someone else
  took the row and restarted it).
* Somebody plays low: only the smallest drawn card y can be low. It takes the cheapest row, which becomes [y]; above y
  the same counting continues with one opponent less.

Counts are integers, probabilities `fractions.Fraction`.

>>> table = [(12, 14, 15), (37,), (41,), (35, 36, 38, 40, 42)]
>>> result = odds(table, [43, 45, 104], opponents=3)
>>> result[43].p_take
Fraction(1, 1)
>>> float(round(result[104].expected_heads, 3))
0.327
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from math import comb
from typing import overload

from nimmt_lab.engine.asked import Table, cards_named, view_of
from nimmt_lab.engine.cards import PRINTED_HEADS, Seat, cheapest, heads, seat_letter
from nimmt_lab.engine.decisions import ChooseCard
from nimmt_lab.engine.errors import PositionError, RulesError, Unsupported
from nimmt_lab.engine.files import shown
from nimmt_lab.engine.game import Game
from nimmt_lab.engine.notation import Position
from nimmt_lab.engine.sheet import Figure, Figures, Sheet, Shown
from nimmt_lab.engine.state import GameState
from nimmt_lab.engine.view import View
from nimmt_lab.games.classic.rules import Classic

Counts = dict[int, int]
"""Heads taken → number of equally likely draws in which that happens."""


@dataclass(frozen=True, slots=True, repr=False)
class CardOdds(Shown):
    """Outcome of playing one card this turn: heads taken → probability (0 is always listed).

    >>> CardOdds(45, {0: Fraction(3, 4), 8: Fraction(1, 4)}).expected_heads
    Fraction(2, 1)
    >>> CardOdds(45, {0: Fraction(3, 4), 8: Fraction(1, 4)})
    45: takes a row in 25.0% of cases, 2.00 heads on average
    heads  probability  exactly
        0        75.0%      3/4
        8        25.0%      1/4
    """

    card: int
    distribution: Mapping[int, Fraction]

    @property
    def p_take(self) -> Fraction:
        """Probability of taking a row."""
        return 1 - self.distribution[0]

    @property
    def expected_heads(self) -> Fraction:
        return sum((value * p for value, p in self.distribution.items()), Fraction(0))

    @property
    def variance(self) -> Fraction:
        return sum((value * value * p for value, p in self.distribution.items()), Fraction(0)) - self.expected_heads**2

    def sheet(self) -> Sheet:
        mean = float(self.expected_heads)
        title = f"{self.card}: takes a row in {float(self.p_take):.1%} of cases, {mean:.2f} heads on average"
        lines = [
            Figure((str(value), f"{float(p):.1%}", str(p)), float(p)) for value, p in self.distribution.items() if p
        ]
        return Sheet(title, [Figures(("heads", "probability", "exactly"), lines)])

    def __repr__(self) -> str:
        return str(self)


class Odds(Shown, dict[int, CardOdds]):
    """The odds of each card of a hand, in hand order.

    >>> print(odds("12 14 15 | 37 | 41 | 35 36 38 40 42 ; A: 43 45 104", players=4))
    A: exact odds this turn, against 3 others
          takes  mean heads
     43  100.0%        8.00
     45   96.7%        7.74
    104    4.1%        0.33
    """

    #: What the seat sees; None if rows and a hand were given.
    view: View | None
    opponents: int

    def __init__(self, cards: Mapping[int, CardOdds], opponents: int, view: View | None = None) -> None:
        super().__init__(cards)
        self.opponents, self.view = opponents, view

    @property
    def best(self) -> int:
        """The card with the fewest expected heads, the lowest of equals."""
        return min(self, key=lambda card: (self[card].expected_heads, card))

    def sheet(self) -> Sheet:
        who = "" if self.view is None else f"{seat_letter(self.view.seat)}: "
        title = f"{who}exact odds this turn, against {self.opponents} other{'' if self.opponents == 1 else 's'}"
        most = max([float(one.expected_heads) for one in self.values()] + [1e-9])
        lines = [
            Figure(
                (str(card), f"{float(one.p_take):.1%}", f"{float(one.expected_heads):.2f}"),
                float(one.expected_heads) / most,
                best=card == self.best,
                card=card,
            )
            for card, one in self.items()
        ]
        game = Classic(players=2) if self.view is None else None
        return Sheet(title, [Figures(("", "takes", "mean heads"), lines)], table=self.view, game=game)

    def __repr__(self) -> str:
        return str(self)


@overload
def odds(
    rows: Table,
    *,
    players: int | None = None,
    opponents: int | None = None,
    seen: Iterable[int] | str = (),
    given: Callable[[int], bool] | None = None,
    seat: Seat | str | None = None,
    game: Game | str | None = None,
) -> Odds: ...


@overload
def odds(
    rows: Sequence[Sequence[int]],
    hand: Iterable[int],
    opponents: int | None = None,
    *,
    players: int | None = None,
    seen: Iterable[int] | str = (),
    given: Callable[[int], bool] | None = None,
    deck: Iterable[int] = range(1, 105),
    row_limit: int = 5,
) -> Odds: ...


def odds(
    rows: Sequence[Sequence[int]] | Table,
    hand: Iterable[int] = (),
    opponents: int | None = None,
    *,
    players: int | None = None,
    seen: Iterable[int] | str = (),
    given: Callable[[int], bool] | None = None,
    seat: Seat | str | None = None,
    game: Game | str | None = None,
    deck: Iterable[int] = range(1, 105),
    row_limit: int = 5,
) -> Odds:
    """Exact odds for every card of a hand, in hand order. `opponents` is `players` - 1.

    From the text of a position, with the other hands hidden (see `nimmt_lab.engine.asked`):

    >>> odds("12 14 | 37 | 43 44 | 58 ; A: 21 26 77", players=5, seen=[1, 2, 3])[21].p_take > 0
    True

    From a state or a view of a game with hidden hands:

    >>> from nimmt_lab import Classic
    >>> view = Classic(players=4).deal(seed=7).view(seat=0)
    >>> {card: round(float(one.expected_heads), 2) for card, one in odds(view).items() if one.p_take}
    {3: 0.93, 10: 0.75}

    From rows, a hand and the number of opponents. `seen`: cards known to be in no opponent's hand now (taken rows,
    earlier turns). `given`: a condition every opponent's card is known to meet this turn, so that the odds are
    conditional on it. `row_limit`: how many cards a row holds.

    >>> table = [(12,), (37,), (43, 44), (58, 61)]
    >>> low = odds(table, [5], opponents=3)[5]
    >>> sorted(low.distribution)
    [0, 1]
    >>> odds(table, [5], opponents=3, given=lambda card: card >= 20)[5].p_take
    Fraction(1, 1)
    >>> odds(table, [5], opponents=3, seen=[1, 2, 3, 4])[5].p_take
    Fraction(1, 1)
    """
    if isinstance(rows, View | GameState | Position | str):
        if hand:
            raise RulesError("solver.view_says_itself")
        view = view_of(rows, seat=seat, players=players, opponents=opponents, seen=cards_named(seen), game=game)
        return _of_view(view, given)
    if players is not None:
        if opponents is not None and players != opponents + 1:
            raise RulesError("engine.players_differ", players=shown(players), opponents=shown(opponents))
        opponents = players - 1
    table = tuple(tuple(row) for row in rows)
    mine = tuple(hand)
    gone = cards_named(seen)
    cards = frozenset(deck)
    _check(table, mine, gone, cards, row_limit)
    known = frozenset(gone).union(mine, *table)
    pool = sorted(card for card in cards - known if given is None or given(card))
    if isinstance(opponents, bool) or not isinstance(opponents, int) or opponents < 0:
        raise PositionError("shared.must_whole_0", what="opponents", got=shown(opponents))
    if opponents > len(pool):
        raise PositionError("solver.opponents_left", opponents=opponents, count=len(pool))
    total = comb(len(pool), opponents)
    result = Odds({}, opponents)
    for card in mine:
        counts = _count(table, card, pool, opponents, row_limit)
        counts[0] = total - sum(counts.values())
        result[card] = CardOdds(card, {value: Fraction(counts[value], total) for value in sorted(counts)})
    return result


def _of_view(view: View, given: Callable[[int], bool] | None) -> Odds:
    game = view.game
    if type(game) is not Classic or game.fan_cards or game.heads != "printed":
        raise Unsupported("solver.odds_known_classic", game=game.name)
    if not isinstance(view.decision, ChooseCard):
        raise PositionError("solver.not_asked_card", who=seat_letter(view.seat))
    unseen = set(view.unseen)
    seen = [card for card in game.deck if card not in unseen]
    opponents, limit = game.players - 1, game.row_limit
    found = odds(view.rows, view.hand, opponents, seen=seen, given=given, deck=game.deck, row_limit=limit)
    found.view = view
    return found


def _check(
    table: tuple[tuple[int, ...], ...], hand: tuple[int, ...], seen: tuple[int, ...], deck: frozenset[int], limit: int
) -> None:
    if not table:
        raise PositionError("solver.table_row")
    for number, row in enumerate(table, start=1):
        if not 1 <= len(row) <= limit:
            raise PositionError("solver.row_holds", number=number, most=limit, count=len(row))
        if any(a >= b for a, b in pairwise(row)):
            raise PositionError("solver.row_ascends", number=number, row=" ".join(map(str, row)))
    where: dict[int, str] = {}
    places = [*((card, f"row {n}") for n, row in enumerate(table, start=1) for card in row)]
    places += [*((card, "the hand") for card in hand), *((card, "the seen cards") for card in seen)]
    for card, place in places:
        if card not in deck:
            raise PositionError("solver.no_card_deck", card=shown(card), place=place)
        # Seen cards may repeat visible ones: callers pass whole histories.
        if card in where and place != "the seen cards":
            raise PositionError("solver.card_twice", card=card, where=where[card], place=place)
        where.setdefault(card, place)


def cheapest_row(rows: Sequence[Sequence[int]], of_card: Sequence[int] = PRINTED_HEADS) -> int:
    """The row a low card takes by R-C4: fewest heads, then the highest last card.

    >>> cheapest_row([(12, 14), (37,), (43,), (58, 61)])
    2
    """
    return cheapest(rows, range(len(rows)), lambda row: sum([of_card[card] for card in rows[row]]))


def _count(table: tuple[tuple[int, ...], ...], card: int, pool: list[int], draws: int, limit: int) -> Counts:
    """Count the draws in which `card` takes, by number of heads."""
    counts: Counts = {}
    lowest_end = min(row[-1] for row in table)
    cheapest = cheapest_row(table)

    if card < lowest_end:
        # As the lowest card, I take the cheapest row. (Otherwise someone lower restarted a row before me; see below.)
        n_above = sum(y > card for y in pool)
        _add(counts, sum(map(heads, table[cheapest])), comb(n_above, draws))
    else:
        home = max((row for row in table if row[-1] < card), key=lambda row: row[-1])
        between = [y for y in pool if home[-1] < y < card]
        elsewhere = sum(y > lowest_end for y in pool) - len(between)
        for t, value, ways in _takes(home, between, draws, limit):
            _add(counts, value, ways * comb(elsewhere, draws - t))

    if draws == 0:
        return counts
    low = [y for y in pool if y < min(card, lowest_end)]
    homes = [row for r, row in enumerate(table) if r != cheapest and row[-1] < card]
    if homes:
        # The low card took another row, so mine is the closest remaining row for any y.
        home = max(homes, key=lambda row: row[-1])
        between = [y for y in pool if home[-1] < y < card]
        # After y (the i-th smallest card) the other draws come from the cards above it.
        outside = [len(pool) - i - 1 - len(between) for i in range(len(low))]
        for t, value, ways in _takes(home, between, draws - 1, limit):
            _add(counts, value, ways * sum(comb(n, draws - 1 - t) for n in outside))
    else:
        # My row is the one y starts: drawn cards between y and mine join it. Moving y down adds a card to the sums.
        below = [y for y in pool if y < card]
        n_above = len(pool) - len(below)
        first = limit - 1
        sums: list[Counts] = [{0: 1}, *({} for _ in range(first))]
        for i in range(len(below) - 1, -1, -1):
            if i < len(low):
                rest = comb(n_above, draws - 1 - first) if draws > first else 0
                for value, ways in sums[first].items():
                    _add(counts, heads(below[i]) + value, ways * rest)
                for t in range(first + limit, draws, limit):
                    for value, ways in _highest(below[i + 1 :], t, limit).items():
                        _add(counts, value, ways * comb(n_above, draws - 1 - t))
            _grow(sums, heads(below[i]))
    return counts


def _add(counts: Counts, value: int, ways: int) -> None:
    if ways:
        counts[value] = counts.get(value, 0) + ways


def _takes(home: tuple[int, ...], between: list[int], draws: int, limit: int) -> Iterator[tuple[int, int, int]]:
    """(t, heads, number of t-subsets of `between`) for every t that makes my card overfill `home`."""
    first = limit - len(home)
    for t in range(first, min(draws, len(between)) + 1, limit):
        if t == first:
            start = sum(map(heads, home))
            for value, ways in _subset_sums(between, t)[t].items():
                yield t, start + value, ways
        else:
            for value, ways in _highest(between, t, limit).items():
                yield t, value, ways


def _subset_sums(cards: Sequence[int], size: int) -> list[Counts]:
    """For each k ≤ size: sum of heads → number of k-subsets. Cards with equal heads are counted together."""
    classes: dict[int, int] = {}
    for card in cards:
        classes[heads(card)] = classes.get(heads(card), 0) + 1
    table: list[Counts] = [{0: 1}, *({} for _ in range(size))]
    for value, number in classes.items():
        grown: list[Counts] = [{} for _ in range(size + 1)]
        for k, sums in enumerate(table):
            for j in range(min(number, size - k) + 1):
                ways = comb(number, j)
                for total, count in sums.items():
                    _add(grown[k + j], total + j * value, count * ways)
        table = grown
    return table


def _highest(cards: list[int], t: int, limit: int) -> Counts:
    """Heads of the `limit` highest cards of a t-subset → number of such subsets (t ≥ `limit`)."""
    result: Counts = {}
    chosen: list[Counts] = [{0: 1}, *({} for _ in range(limit - 1))]
    for below in range(len(cards) - 1, -1, -1):
        value = heads(cards[below])
        # This card is the lowest of them; the other t - limit are below it.
        rest = comb(below, t - limit)
        for total, count in chosen[-1].items():
            _add(result, total + value, count * rest)
        _grow(chosen, value)
    return result


def _grow(sums: list[Counts], value: int) -> None:
    """Add a card with `value` heads to the subset sums."""
    for k in range(len(sums) - 1, 0, -1):
        for total, count in sums[k - 1].items():
            _add(sums[k], total + value, count)
