"""What Python says to the compiled search (`native/solve.h`): memory, questions, and work in slices.

Nothing here decides anything. Where there is no compiled core none of it is used (see `exact` and `plain`).
"""

from __future__ import annotations

from dataclasses import dataclass

from nimmt_lab.native import Argument, Claim, Core, Memory, Pace
from nimmt_lab.solver.open_position import OpenPosition, Way

# Places in a question, a result and a turn; what can be asked. As in ``solve.h``.
_ROWS, _HANDS, _HEADS, _QUESTION = 5, 17, 37, 142
LO, HI, ROOT_LO, ROOT_HI, NODES, STORED, DOUBT, SHIFT, CAP, _RESULT = range(10)
_CHOICES, _LOW, _HIGH, _GUESS, _TURN, _WIDE = 2, 42, 442, 842, 1242, 20
VALUE, TURN, REGRETS, ALL, SURVEY = range(5)
#: Added to a card that is played in the other way a fan card allows.
_OTHER_WAY = 256
#: Positions of the first slice; slices are about as long as `Pace` says.
_FIRST_SLICE = 2000

_BUCKET, _WAYS, _SMALL_LOG2, _LEAST_LOG2 = 128, 5, 14, 4
#: Buckets of a table that may grow: an eighth of a gigabyte.
_FIRST_LOG2 = 20


def _bytes_of(log2: int) -> int:
    """What a table of 2**log2 buckets takes, with the small part before them."""
    return ((1 << log2) + min(1 << _SMALL_LOG2, (1 << log2) // 4)) * _BUCKET


def _log2_for(size: int) -> int:
    """The largest table that fits so many bytes."""
    log2 = _LEAST_LOG2
    while _bytes_of(log2 + 1) <= size:
        log2 += 1
    return log2


class Tables:
    """The memory of a search: positions by their whole key, and neighbours that differ in heads only.

    `budget` bounds them. They begin smaller (unless ``whole``) and grow where they lie: memory that nobody has touched
    costs nothing, and clearing gigabytes takes seconds that a first answer does not have.
    """

    def __init__(self, core: Core, budget: int, *, whole: bool = True) -> None:
        self._core = core
        self._most_main = _log2_for(budget * 3 // 4)
        room = _bytes_of(self._most_main)
        self._most_side = _log2_for(min(budget - room, room // 2))
        # The core's threads share them without locks; who may use or grow them at a time is the `Searcher`'s to say.
        self.main, self.side = core.memory(room).share(), core.memory(_bytes_of(self._most_side)).share()
        self.main_log2 = self._most_main if whole else min(self._most_main, _FIRST_LOG2)
        self.side_log2 = self._most_side if whole else min(self._most_side, _FIRST_LOG2 - 1)

    @property
    def size(self) -> int:
        """Bytes in use."""
        return _bytes_of(self.main_log2) + _bytes_of(self.side_log2)

    @property
    def places(self) -> int:
        """How many positions fit."""
        return _WAYS << self.main_log2

    def grow(self, stored: int) -> bool:
        """Twice as large, if they are half full and may be; searches must then be opened again."""
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
class Turn:
    """The table of a turn in units: what A and B may play, mixes, bounds, estimates."""

    ways: tuple[list[Way], list[Way]]
    mixes: tuple[list[float], list[float]]
    lows: list[list[int]]
    highs: list[list[int]]
    guesses: list[list[int]]


def question(position: OpenPosition, shift: int, jitter: int = 0) -> list[int]:
    """A position as the core takes it."""
    words = [0] * _QUESTION
    words[:_ROWS] = [position.cards_each, shift, position.kind, position.marker, jitter]
    for index, row in enumerate(position.rows):
        words[_ROWS + 3 * index : _ROWS + 3 * index + 3] = [row[-1], len(row), sum(position.heads[c] for c in row)]
    for seat, hand in enumerate(position.hands):
        words[_HANDS + 10 * seat : _HANDS + 10 * seat + len(hand)] = hand
    words[_HEADS:] = position.heads
    return words


def shift_of(position: OpenPosition) -> int:
    """Bounds are in units of 2**-shift heads: they must fit 32 bits. Few different ones, so that tables can be kept."""
    total = sum(position.heads[card] for part in (*position.rows, *position.hands) for card in part)
    return 25 if total < 60 else 24 if total < 120 else 23


class Search:
    """One thread's search of one position, on tables that others may share."""

    def __init__(self, core: Core, tables: Tables, position: OpenPosition, shift: int, jitter: int = 0) -> None:
        self._core, self._tables, self._claim = core, tables, Claim()
        #: Memory whose address the core keeps from one call to the next: it must live as long as this.
        self._kept: list[Argument] = []
        self._each = position.cards_each
        size = core.call("nl_solve_work", self._each, position.kind)
        self._work = core.memory(size)
        self._words = core.memory(8 * _TURN)
        self._mixes = core.memory(8 * 2 * _WIDE)
        self._pace = Pace(_FIRST_SLICE)
        words = question(position, shift, jitter)
        self._words.write("i", words)
        core.call(
            "nl_solve_open", self._work, size, self._words, len(words),
            tables.main, tables.main_log2, tables.side, tables.side_log2,
        )  # fmt: skip
        found = self.result()
        self.cap = found[CAP]
        self.unit = 2.0 ** -found[SHIFT]

    def ask(self, what: int, alpha: int | None = None, beta: int | None = None) -> None:
        """What to find out next, for a window (all of it, unless said)."""
        window = -self.cap if alpha is None else alpha, self.cap if beta is None else beta
        with self._claim:
            self._words.write("q", window)
            self._core.call("nl_solve_ask", self._work, what, self._words)

    def run(self) -> bool:
        """Work for a moment; whether it is done."""
        with self._claim, self._pace:
            return bool(self._core.call("nl_solve_run", self._work, self._pace.amount))

    def stop(self) -> None:
        """Give up what was asked; what is proved stays in the tables, and bounds in the result."""
        self._core.call("nl_solve_stop", self._work)

    def result(self) -> list[int]:
        """Bounds and counts, by the names above."""
        with self._claim:
            self._core.call("nl_solve_result", self._work, self._words, _RESULT)
            return self._words.read("q", _RESULT)

    def ask_function(self, function: str, *arguments: Argument) -> int:
        """Another function of the core on this work; what it returns."""
        self._kept += [one for one in arguments if not isinstance(one, int)]
        return self._core.ask(function, self._work, *arguments)

    def turn(self) -> Turn:
        """The table of the turn as far as it is known."""
        with self._claim:
            self._core.call("nl_solve_turn", self._work, self._words, _TURN, self._mixes, 2 * _WIDE)
            words = self._words.read("i", _TURN)
            chances = self._mixes.read("d", 2 * _WIDE)
        sizes = words[:2]
        ways, mixes = [], []
        for who, size in enumerate(sizes):
            first = _CHOICES + _WIDE * who
            ways.append([(word % _OTHER_WAY, word >= _OTHER_WAY) for word in words[first : first + size]])
            mix = chances[_WIDE * who : _WIDE * who + size]
            mixes.append([chance / sum(mix) for chance in mix])
        lows, highs, guesses = (
            [words[part + _WIDE * i : part + _WIDE * i + sizes[1]] for i in range(sizes[0])]
            for part in (_LOW, _HIGH, _GUESS)
        )
        return Turn((ways[0], ways[1]), (mixes[0], mixes[1]), lows, highs, guesses)


# Several players -----------------------------------------------------------------------------------------------------

#: What a seat does: any card with the same chance, always the lowest, what is best for the one who asks, or worst.
UNIFORM, LOWEST, MINE, UNITED = range(4)
_C_KINDS, _C_ROWS, _C_HANDS, _C_HEADS, _C_QUESTION = 5, 11, 23, 83, 188
_C_WAYS, _C_TURNS, _C_OPTIONS, _C_CARDS, _C_RESULT, _C_CHANCES = 0, 1, 2, 3, 23, 22
_FIRST_TURNS = 10_000


@dataclass(frozen=True)
class CrowdAnswer:
    """Heads of each way to play times ``ways``, whole numbers; or heads guaranteed, their error, and the mix for it."""

    cards: list[int]
    ways: int
    turns: int
    heads: float
    error: float
    mix: list[float]


@dataclass(frozen=True)
class CrowdQuestion:
    """A position of two to six players between two turns, and what everybody does."""

    rows: tuple[tuple[int, ...], ...]
    hands: tuple[tuple[int, ...], ...]
    heads: tuple[int, ...]
    seat: int
    kinds: tuple[int, ...]
    #: The fan card and what lies on the table for it, as `open_position.fan_card_of` has them.
    fan: tuple[int, int] = (0, 0)

    def answer(self, core: Core, log2: int) -> CrowdAnswer:
        """Ask the core; 2**log2 positions are remembered."""
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
        found, (heads, error, *mix) = asked.read("q", _C_RESULT), chances.read("d", _C_CHANCES)
        options = found[_C_OPTIONS]
        cards = found[_C_CARDS : _C_CARDS + options]
        return CrowdAnswer(cards, found[_C_WAYS], found[_C_TURNS], heads, error, mix[:options])
