"""Interface to the compiled search (`native/solve.h`): memory, questions, and work in slices."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from nimmt_lab.native import Argument, Claim, Core, Memory, Pace
from nimmt_lab.solver.open_position import Action, OpenPosition

# Layout of questions, results and turns, and question types. As in ``solve.h``.
_ROWS, _HANDS, _HEADS, _QUESTION = 5, 17, 37, 142
LO, HI, ROOT_LO, ROOT_HI, NODES, STORED, DOUBT, SHIFT, CAP, _RESULT = range(10)
_CHOICES, _LOW, _HIGH, _GUESS, _TURN, _WIDE = 2, 42, 442, 842, 1242, 20
VALUE, TURN, REGRETS, ALL, SURVEY = range(5)
#: Added to a card played in the other way a fan card allows.
_OTHER_ACTION = 256
#: Positions of the first slice; `Pace` sets the length of later ones.
_FIRST_SLICE = 2000
#: And of the longest: short questions must not make the slices of a long one too long to interrupt.
_LONGEST_SLICE = 1 << 16

_BUCKET, _WAYS, _SMALL_LOG2, _LEAST_LOG2 = 128, 5, 14, 4
#: Buckets of a growing table: an eighth of a gigabyte.
_FIRST_LOG2 = 20


def _bytes_of(log2: int) -> int:
    """Size of a table of 2**log2 buckets with its header."""
    return ((1 << log2) + min(1 << _SMALL_LOG2, (1 << log2) // 4)) * _BUCKET


def _log2_for(size: int) -> int:
    """The largest table that fits into `size` bytes."""
    log2 = _LEAST_LOG2
    while _bytes_of(log2 + 1) <= size:
        log2 += 1
    return log2


class Tables:
    """Transposition tables: positions by full key, and neighbours that differ only in heads.

    `budget` bounds them. Unless ``whole`` they start smaller and grow in place: untouched memory costs nothing, and
    clearing gigabytes would delay the first answer by seconds.
    """

    def __init__(self, core: Core, budget: int, *, whole: bool = True) -> None:
        self._core = core
        self._most_main = _log2_for(budget * 3 // 4)
        room = _bytes_of(self._most_main)
        self._most_side = _log2_for(min(budget - room, room // 2))
        # The core's threads share them without locks; the `Searcher` controls who may use or grow them.
        self.main, self.side = core.memory(room).share(), core.memory(_bytes_of(self._most_side)).share()
        self.main_log2 = self._most_main if whole else min(self._most_main, _FIRST_LOG2)
        self.side_log2 = self._most_side if whole else min(self._most_side, _FIRST_LOG2 - 1)

    @property
    def size(self) -> int:
        return _bytes_of(self.main_log2) + _bytes_of(self.side_log2)

    @property
    def places(self) -> int:
        return _WAYS << self.main_log2

    def grow(self, stored: int) -> bool:
        """Double the tables if they are half full and may grow; searches must then be reopened."""
        if 2 * stored < self.places or self.main_log2 == self._most_main:
            return False
        self.main_log2 = self._grown(self.main, self.main_log2, 0)
        if self.side_log2 < self._most_side:
            self.side_log2 = self._grown(self.side, self.side_log2, 1)
        return True

    def _grown(self, table: Memory, log2: int, side: int) -> int:
        self._core.call("nl_solve_grow", table, table.size // _BUCKET, log2, side)
        return log2 + 1


@dataclass(frozen=True)
class TurnSearch:
    """The table of a turn in units: choices of A and B, mixes, bounds, estimates."""

    actions: tuple[list[Action], list[Action]]
    mixes: tuple[list[float], list[float]]
    lows: list[list[int]]
    highs: list[list[int]]
    guesses: list[list[int]]


def question(position: OpenPosition, shift: int, jitter: int = 0) -> list[int]:
    """Encode a position for the core."""
    words = [0] * _QUESTION
    words[:_ROWS] = [position.cards_each, shift, position.kind, position.marker, jitter]
    for index, row in enumerate(position.rows):
        words[_ROWS + 3 * index : _ROWS + 3 * index + 3] = [row[-1], len(row), sum(position.heads[c] for c in row)]
    for seat, hand in enumerate(position.hands):
        words[_HANDS + 10 * seat : _HANDS + 10 * seat + len(hand)] = hand
    words[_HEADS:] = position.heads
    return words


def shift_of(position: OpenPosition) -> int:
    """The unit 2**-shift of bounds, so that they fit 32 bits. Few distinct values, so that tables can be kept."""
    total = sum(position.heads[card] for part in (*position.rows, *position.hands) for card in part)
    return 25 if total < 60 else 24 if total < 120 else 23


class Search:
    """One thread's search of one position, on shared tables."""

    def __init__(self, core: Core, tables: Tables, position: OpenPosition, shift: int, jitter: int = 0) -> None:
        self._core, self._tables, self._claim = core, tables, Claim()
        #: Memory whose address the core keeps between calls.
        self._kept: list[Argument] = []
        self._each = position.cards_each
        size = core.call("nl_solve_work", self._each, position.kind)
        self._work = core.memory(size)
        self._words = core.memory(8 * _TURN)
        self._mixes = core.memory(8 * 2 * _WIDE)
        self._pace = Pace(_FIRST_SLICE, _LONGEST_SLICE)
        words = question(position, shift, jitter)
        self._words.write("i", words)
        core.call(
            "nl_solve_open", self._work, size, self._words, len(words),
            tables.main, tables.main_log2, tables.side, tables.side_log2,
        )  # fmt: skip
        result = self.result()
        self.cap = result[CAP]
        self.unit = 2.0 ** -result[SHIFT]

    def ask(self, what: int, alpha: int | None = None, beta: int | None = None) -> None:
        """Set the next question and its window (full by default)."""
        window = -self.cap if alpha is None else alpha, self.cap if beta is None else beta
        with self._claim:
            self._words.write("q", window)
            self._core.call("nl_solve_ask", self._work, what, self._words)

    def run(self, most: int | None = None) -> bool:
        """Work for one slice, of at most ``most`` positions; return whether it is done.

        The slices have no influence on the search, nor on where it is after a given number of positions.
        """
        with self._claim, self._pace:
            amount = self._pace.amount if most is None else max(1, min(self._pace.amount, most))
            return bool(self._core.call("nl_solve_run", self._work, amount))

    def stop(self) -> None:
        """Cancel the question; proved results stay in the tables, bounds in the result."""
        self._core.call("nl_solve_stop", self._work)

    def result(self) -> list[int]:
        """Bounds and counts, by the indices above."""
        with self._claim:
            self._core.call("nl_solve_result", self._work, self._words, _RESULT)
            return self._words.read("q", _RESULT)

    @property
    def nodes(self) -> int:
        """Positions searched."""
        return self.result()[NODES]

    def ask_function(self, function: str, *arguments: Argument) -> int:
        """Call another function of the core on this search."""
        self._kept += [one for one in arguments if not isinstance(one, int)]
        return self._core.ask(function, self._work, *arguments)

    def turn(self) -> TurnSearch:
        """The table of the turn as far as known."""
        with self._claim:
            self._core.call("nl_solve_turn", self._work, self._words, _TURN, self._mixes, 2 * _WIDE)
            words = self._words.read("i", _TURN)
            chances = self._mixes.read("d", 2 * _WIDE)
        sizes = words[:2]
        actions, mixes = [], []
        for who, size in enumerate(sizes):
            first = _CHOICES + _WIDE * who
            actions.append([(word % _OTHER_ACTION, word >= _OTHER_ACTION) for word in words[first : first + size]])
            mix = chances[_WIDE * who : _WIDE * who + size]
            mixes.append([chance / sum(mix) for chance in mix])
        lows, highs, guesses = (
            [words[part + _WIDE * i : part + _WIDE * i + sizes[1]] for i in range(sizes[0])]
            for part in (_LOW, _HIGH, _GUESS)
        )
        return TurnSearch((actions[0], actions[1]), (mixes[0], mixes[1]), lows, highs, guesses)


#: Size of the list of positions being searched: a few per thread, so that few hashes are the same.
_BUSY_LOG2 = 12


def divide(core: Core, searches: Sequence[Search]) -> None:
    """Let searches of one position on the same tables divide the work: each puts off what another is doing."""
    busy = core.memory(4 << _BUSY_LOG2).share()
    for search in searches:
        search.ask_function("nl_solve_share", busy, _BUSY_LOG2)


#: Behaviour of a seat: uniform, always the lowest card, best for the asking seat, or worst for it.
UNIFORM, LOWEST, MINE, UNITED = range(4)
_C_KINDS, _C_ROWS, _C_HANDS, _C_HEADS, _C_QUESTION = 5, 11, 23, 83, 188
_C_WAYS, _C_TURNS, _C_OPTIONS, _C_CARDS, _C_RESULT, _C_CHANCES = 0, 1, 2, 3, 23, 22
_FIRST_TURNS = 10_000


@dataclass(frozen=True)
class CrowdAnswer:
    """Integer heads of each choice times ``ways``; or guaranteed heads, their error and the mix."""

    cards: list[int]
    ways: int
    turns: int
    heads: float
    error: float
    mix: list[float]


@dataclass(frozen=True)
class CrowdQuestion:
    """A position of two to six players between turns, and everybody's behaviour."""

    rows: tuple[tuple[int, ...], ...]
    hands: tuple[tuple[int, ...], ...]
    heads: tuple[int, ...]
    seat: int
    kinds: tuple[int, ...]
    #: The fan card and its state, as in `open_position.fan_card_of`.
    fan: tuple[int, int] = (0, 0)

    def answer(self, core: Core, log2: int) -> CrowdAnswer:
        """Ask the core, with a cache of 2**log2 positions."""
        each = len(self.hands[0])
        words = [0] * _C_QUESTION
        words[:_C_KINDS] = [len(self.hands), each, self.seat, *self.fan]
        words[_C_KINDS : _C_KINDS + len(self.kinds)] = self.kinds
        for index, row in enumerate(self.rows):
            words[_C_ROWS + 3 * index : _C_ROWS + 3 * index + 3] = [row[-1], len(row), sum(self.heads[c] for c in row)]
        for seat, hand in enumerate(self.hands):
            words[_C_HANDS + 10 * seat : _C_HANDS + 10 * seat + each] = hand
        words[_C_HEADS:] = self.heads
        asked = core.memory(4 * _C_QUESTION)
        asked.write("i", words)
        size = core.call("nl_crowd_work", len(self.hands), each, self.fan[0])
        work, known = core.memory(size), core.memory(24 << log2)
        core.call("nl_crowd_open", work, size, asked, _C_QUESTION, known, log2)
        pace = Pace(_FIRST_TURNS)
        while True:
            with pace:
                if core.call("nl_crowd_run", work, pace.amount):
                    break
        chances = core.memory(8 * _C_CHANCES)
        core.call("nl_crowd_result", work, asked, _C_RESULT, chances, _C_CHANCES)
        result, (heads, error, *mix) = asked.read("q", _C_RESULT), chances.read("d", _C_CHANCES)
        options = result[_C_OPTIONS]
        cards = result[_C_CARDS : _C_CARDS + options]
        return CrowdAnswer(cards, result[_C_WAYS], result[_C_TURNS], heads, error, mix[:options])
