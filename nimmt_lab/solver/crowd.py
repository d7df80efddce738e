"""Three to six players with open hands, compiled: what ``several.py`` asks, between two turns and without fan cards.

Cards and rows are packed as in ``packed.py``. A hand is a mask of cards. Of all cards of a turn at most the lowest
fits nowhere; its owner takes a row, and after that every other card fits.

Against stated policies nothing is rounded: with equal chances a position that has ``k`` cards a hand is worth a whole
number of heads divided by the number of ways the others can play on, so that number is multiplied in, and whole numbers
are added up.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from nimmt_lab.engine.cards import Seat
from nimmt_lab.engine.decisions import Choice
from nimmt_lab.engine.state import GameState
from nimmt_lab.games.classic.rules import Classic
from nimmt_lab.solver.compiled import Floats, Words, jit, lowest_bit
from nimmt_lab.solver.packed import ROW, add, hash_two, heads_at, row_below, take
from nimmt_lab.solver.programme import solve_game

MOST_CARDS, MOST_PLAYERS = 20, 6
#: What a seat does: any card with the same chance, always the lowest, what is best for the one who asks, or worst.
UNIFORM, LOWEST, MINE, UNITED = range(4)
# Words of ``setup``: packed heads, number of players, who asks, "stop now", what each seat does, and its cards.
HEADS, PLAYERS, SEAT, STOP, KINDS, HANDS = 0, 1, 2, 3, 4, 10
SETUP = HANDS + MOST_PLAYERS
#: Entries of a table are scaled so that the quarter unit ``solve_game`` allows is small.
SCALE = float(1 << 24)
#: Columns of the small game the guarantee is found in; the least useful one makes room for the next.
COLUMNS = 18


@dataclass(frozen=True)
class Crowd:
    """A position as the compiled code takes it."""

    cards: list[int]
    cards_each: int
    rows: int
    setup: Words

    @classmethod
    def of(cls, state: GameState) -> Crowd | None:
        """The position, or None where this form does not fit: fan cards, the middle of a turn, very many cards."""
        game = state.game
        sizes = {len(hand) for hand in state.hands}
        if not isinstance(game, Classic) or game.fan_cards or state.queue or len(sizes) != 1:
            return None
        if len(state.rows) != 4 or game.row_limit != 5 or game.players > MOST_PLAYERS:
            return None
        cards = sorted(card for hand in state.hands for card in hand)
        if len(cards) > MOST_CARDS:
            return None
        place = {card: index for index, card in enumerate(cards)}
        setup = np.zeros(SETUP, dtype=np.int64)
        setup[PLAYERS] = game.players
        for index, card in enumerate(cards):
            setup[HEADS] |= game.heads_in((card,)) << (3 * index)
        for seat, hand in enumerate(state.hands):
            setup[HANDS + seat] = sum(1 << place[card] for card in hand)
        rows = 0
        for slot, row in enumerate(sorted(state.rows, key=lambda row: row[-1])):
            end = 2 * sum(card < row[-1] for card in cards)
            rows |= (end | len(row) << 6 | game.heads_in(row) << 9) << (16 * slot)
        return cls(cards, sizes.pop(), rows, setup)

    def _ask(self, seat: Seat, kinds: list[int]) -> Words:
        setup = self.setup.copy()
        setup[SEAT] = seat
        setup[KINDS : KINDS + len(kinds)] = kinds
        return setup

    def _memory(self) -> Words:
        # Positions with one card a hand are not kept, which leaves few.
        return np.zeros((1 << (19 if self.cards_each > 3 else 14), 3), dtype=np.int64)

    def _table(self) -> Floats:
        width = self.cards_each ** (int(self.setup[PLAYERS]) - 1)
        return np.zeros((self.cards_each + 1, self.cards_each, width), dtype=np.float64)

    def _hand(self, seat: Seat) -> list[int]:
        return [card for index, card in enumerate(self.cards) if int(self.setup[HANDS + seat]) >> index & 1]

    def response(self, seat: Seat, kinds: list[int]) -> dict[Choice, Fraction]:
        """Expected heads of a seat for each card it may play now; ``kinds``: what everybody does (UNIFORM, LOWEST, and
        for the seat itself MINE: what is best for it)."""
        setup = self._ask(seat, kinds)
        results = np.zeros(self.cards_each, dtype=np.int64)
        left = (1 << len(self.cards)) - 1
        known = self._memory()
        _interruptible(lambda: respond(self.cards_each, left, self.rows, setup, results, known), setup)
        ways = int(ways_of(self.cards_each, setup))
        own = self.cards_each if kinds[seat] == UNIFORM else 1
        return {card: Fraction(int(total) * own, ways) for card, total in zip(self._hand(seat), results, strict=True)}

    def guarantee(self, seat: Seat) -> tuple[float, dict[Choice, float], float]:
        """Heads a seat takes at most against all others united, the mix that guarantees it, and the largest error of
        one turn."""
        kinds = [UNITED] * int(self.setup[PLAYERS])
        kinds[seat] = MINE
        setup = self._ask(seat, kinds)
        mix, errors = np.zeros((self.cards_each + 1, self.cards_each)), np.zeros(1)
        left, game = (1 << len(self.cards)) - 1, np.zeros((4, 24, 44))
        table, known = self._table(), self._memory()
        heads = _interruptible(
            lambda: guard(self.cards_each, left, self.rows, setup, table, mix, game, errors, known), setup
        )
        chances: dict[Choice, float] = dict(zip(self._hand(seat), map(float, mix[self.cards_each]), strict=True))
        return heads, chances, float(errors[0])


def _interruptible(work: Callable[[], float], setup: Words) -> float:
    """Do compiled work that the interrupt key can end: it is passed on once the work has stopped."""
    with ThreadPoolExecutor(1) as thread:
        doing = thread.submit(work)
        try:
            return float(doing.result())
        except KeyboardInterrupt:
            setup[STOP] = 1
            raise


@jit
def ways_of(k: int, setup: Words) -> int:
    """In how many equally likely ways those with a policy can play from k cards a hand on."""
    ways = 1
    for size in range(2, k + 1):
        for seat in range(setup[PLAYERS]):
            if setup[KINDS + seat] == UNIFORM:
                ways *= size
    return ways


@jit
def options_of(k: int, seat: int, setup: Words) -> int:
    """How many of its k cards a seat considers."""
    return 1 if setup[KINDS + seat] == LOWEST else k


@jit
def nth_card(mask: int, n: int) -> int:
    """The n-th lowest card of a mask."""
    for _ in range(n):
        mask &= mask - 1
    return lowest_bit(mask)


@jit
def cheapest(rows: int) -> int:
    """The row a policy takes with a low card: fewest heads, then the highest end (R-C4)."""
    best, fewest = 0, 1000
    for index in range(4):
        heads = ((rows >> (16 * index)) & ROW) >> 9
        if heads <= fewest:  # rows are sorted by their ends
            best, fewest = index, heads
    return best


@jit
def draw_turn(k: int, mine: int, joint: int, left: int, setup: Words) -> tuple[int, int, int]:
    """Which cards are played: ``mine``-th of the one who asks, the others by the digits of ``joint``.

    Gives: all cards as a mask, the card of the one who asks, who owns the lowest one.
    """
    played, own, low, owner = 0, -1, 64, -1
    for seat in range(setup[PLAYERS]):
        hand = setup[HANDS + seat] & left
        if seat == setup[SEAT]:
            card = nth_card(hand, mine)
            own = card
        else:
            options = options_of(k, seat, setup)
            card = nth_card(hand, joint % options)
            joint //= options
        played |= 1 << card
        if card < low:
            low, owner = card, seat
    return played, own, owner


@jit
def place_all(played: int, own: int, rows: int, heads: int) -> tuple[int, int]:
    """Place cards that all fit, lowest first: rows after it, heads the owner of ``own`` takes."""
    mine = 0
    while played:
        card = lowest_bit(played)
        played &= played - 1
        rows, taken = add(rows, row_below(rows, 2 * card + 1), 2 * card + 1, heads_at(heads, card))
        if card == own:
            mine += taken
    return rows, mine


@jit
def joints_of(k: int, setup: Words) -> int:
    """In how many ways the others can choose their cards together."""
    joints = 1
    for seat in range(setup[PLAYERS]):
        if seat != setup[SEAT]:
            joints *= options_of(k, seat, setup)
    return joints


@jit
def slot_of(left: int, rows: int, known: Words) -> int:
    """Where a position is kept or may be; −1: no room. The first word of a slot in use is not 0."""
    size = known.shape[0]
    at = int(hash_two(left, rows) >> np.uint64(1)) & (size - 1)
    for _ in range(16):
        if known[at, 0] == 0 or (known[at, 0] == left and known[at, 1] == rows):
            return int(at)
        at = (at + 1) & (size - 1)
    return -1


@jit
def respond(k: int, left: int, rows: int, setup: Words, results: Words, known: Words) -> int:
    """Heads of the one who asks to the end, times ``ways_of(k)``; each card's part goes to ``results`` at the root."""
    if k == 0 or setup[STOP] != 0:
        return 0
    slot = -1
    at_root = results.shape[0] == k
    if k > 1 and not at_root:
        slot = slot_of(left, rows, known)
        if slot >= 0 and known[slot, 0] != 0:
            return int(known[slot, 2])
    seat, heads = setup[SEAT], setup[HEADS]
    kind = setup[KINDS + seat]
    later = ways_of(k - 1, setup)
    fewest, total = 1 << 62, 0
    for mine in range(k):
        if mine > 0 and kind == LOWEST and not at_root:
            break
        worth = 0
        for joint in range(joints_of(k, setup)):
            played, own, owner = draw_turn(k, mine, joint, left, setup)
            low = lowest_bit(played)
            if row_below(rows, 2 * low + 1) >= 0:
                after, taken = place_all(played, own, rows, heads)
                worth += taken * later + respond(k - 1, left & ~played, after, setup, results, known)
            else:
                best = 1 << 62
                choose = owner == seat and kind == MINE
                for row in range(4):
                    if choose or row == cheapest(rows):
                        after, cost = take(rows, row, 2 * low + 1, heads_at(heads, low))
                        after, taken = place_all(played & ~(1 << low), own, after, heads)
                        taken += cost if owner == seat else 0
                        then = respond(k - 1, left & ~played, after, setup, results, known)
                        best = min(best, taken * later + then)
                worth += best
        if at_root:
            results[mine] = worth
        fewest = min(fewest, worth)
        if kind == UNIFORM or mine == 0:
            total += worth
    answer = fewest if kind == MINE else total
    if slot >= 0:
        # the slot may have been filled by a position below this one
        slot = slot_of(left, rows, known)
        if slot >= 0:
            known[slot, 0], known[slot, 1], known[slot, 2] = left, rows, answer
    return answer


@jit
def guard(
    k: int,
    left: int,
    rows: int,
    setup: Words,
    table: Floats,
    mixes: Floats,
    game: Floats,
    errors: Floats,
    known: Words,
) -> float:
    """Heads the one who asks takes at most, to the end; the mix for it goes to ``mixes[k]``."""
    if k == 0 or setup[STOP] != 0:
        return 0.0
    slot = -1
    if k > 1:
        slot = slot_of(left, rows, known)
        if slot >= 0 and known[slot, 0] != 0:
            return float(known[slot, 2]) / SCALE
    seat, heads = setup[SEAT], setup[HEADS]
    joints = joints_of(k, setup)
    for mine in range(k):
        for joint in range(joints):
            played, own, owner = draw_turn(k, mine, joint, left, setup)
            low = lowest_bit(played)
            rest = left & ~played
            if row_below(rows, 2 * low + 1) >= 0:
                after, taken = place_all(played, own, rows, heads)
                worth = taken + guard(k - 1, rest, after, setup, table, mixes, game, errors, known)
            else:
                worth = 1e9 if owner == seat else -1.0
                for row in range(4):
                    after, cost = take(rows, row, 2 * low + 1, heads_at(heads, low))
                    after, taken = place_all(played & ~(1 << low), own, after, heads)
                    taken += cost if owner == seat else 0
                    then = taken + guard(k - 1, rest, after, setup, table, mixes, game, errors, known)
                    worth = min(worth, then) if owner == seat else max(worth, then)
            table[k, mine, joint] = worth
    answer = settle(k, joints, table[k], mixes[k], game, errors)
    if slot >= 0:
        slot = slot_of(left, rows, known)
        if slot >= 0:
            # rounded up to a whole unit: still a guarantee
            units = int(np.ceil(answer * SCALE))
            errors[0] = max(errors[0], units / SCALE - answer)
            known[slot, 0], known[slot, 1], known[slot, 2] = left, rows, units
    return answer


@jit
def settle(m: int, n: int, table: Floats, mix: Floats, game: Floats, errors: Floats) -> float:
    """The least heads a mix of m cards guarantees against n answers; the mix, and the gap to the others' guarantee.

    A pure card if one is best; otherwise the mix is found in a game of few answers, to which the best answer to the
    mix is added until it is among them.
    """
    pure, first, column = 1e9, 0, 0
    for i in range(m):
        most, worst = -1.0, 0
        for j in range(n):
            if table[i, j] > most:
                most, worst = table[i, j], j
        if most < pure:
            pure, first, column = most, i, worst
    spared = -1.0
    for j in range(n):
        least = 1e9
        for i in range(m):
            least = min(least, table[i, j])
        spared = max(spared, least)
    for i in range(m):
        mix[i] = 0.0
    mix[first] = 1.0
    if spared >= pure:
        return pure
    x, y, columns = game[1, 0], game[1, 1], game[1, 2]
    count = 1
    columns[0] = column
    bound = -1.0
    best = pure
    for _ in range(60 * m):
        for c in range(count):
            for i in range(m):
                game[0, i, c] = -table[i, int(columns[c])] * SCALE
        solve_game(game[0], m, count, x, y, game[2], game[3])
        total, weight = 0.0, 0.0
        for i in range(m):
            total += x[i]
        for c in range(count):
            weight += y[c]
        sure = 1e9  # what the others' mix of these columns takes at least
        for i in range(m):
            s = 0.0
            for c in range(count):
                s += y[c] * table[i, int(columns[c])]
            sure = min(sure, s / weight)
        bound = max(bound, sure)
        most, worst = -1.0, 0
        for j in range(n):
            s = 0.0
            for i in range(m):
                s += x[i] * table[i, j]
            if s / total > most:
                most, worst = s / total, j
        if most < best:
            best = most
            for i in range(m):
                mix[i] = x[i] / total
        inside = False
        for c in range(count):
            inside = inside or int(columns[c]) == worst
        if inside:
            break
        if count < COLUMNS:
            columns[count] = worst
            count += 1
        else:
            idle = 0
            for c in range(count):
                if y[c] < y[idle]:
                    idle = c
            columns[idle] = worst
    errors[0] = max(errors[0], best - bound)
    return best
