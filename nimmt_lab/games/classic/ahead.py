"""Players that learned to end a round ahead of the others, by playing (`tools/train_ahead.py`).

`network.py` says how many heads a card costs; these networks say how much they like it. For each card they see
`SIGNALS` numbers (`_looks`): where the card goes, what that may cost and how likely, what else is in the hand, who
leads. A network with *lines* also has a line of numbers for each row, for each card of the hand and for where the
card goes, which it adds up. Two layers follow. All numbers are whole, so the core (`ahead.h`), a browser and `likes`
below find the same.

Two networks are packaged: `ahead`, and `gradient`, a small one without lines that learned for minutes, as a
yardstick.
"""

from __future__ import annotations

import base64
import binascii
import json
from array import array
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from nimmt_lab.engine.cards import Cards
from nimmt_lab.engine.errors import DataError
from nimmt_lab.engine.files import parse_json
from nimmt_lab.engine.view import View

from .network import ROW_LIMIT, _chances

SIGNALS, WIDE, LATE, LINES = 32, 32, 16, 1168
#: No number is larger; nor, in a file, a line's.
LARGEST, LARGEST_IN_LINE = 1000, 127
#: One, in signals and numbers; in lines.
ONE, ONE_IN_LINE = 64, 32
#: How many numbers each part has, in the core's order.
PARTS = {"signals": WIDE * SIGNALS, "late": LATE * WIDE, "base": LATE, "out": LATE, "lines": LINES * WIDE}
#: Bytes of the core's structure `nl_ahead`.
SIZE = 8 + 2 * sum(PARTS.values())
NAMES = ("ahead", "gradient")
#: With six or more players `trained` is as strong.
MOST_PLAYERS = 4
#: The core's number of such a player.
AHEAD = 17
_FORMAT = "nimmt-ahead/1"
# Where kinds of lines begin, as in `ahead.h`
_GAPS, _STAKES, _COUNTS, _ROWS, _MOST_LEAD = 12, 8, ROW_LIMIT + 1, 4, 30
_HELD = (_ROWS + 1) * _COUNTS * _GAPS
_SUMS = _ROWS * _COUNTS
_ROW_GAPS = _SUMS + _ROWS * _STAKES
_LEFT = _ROW_GAPS + _ROWS * _GAPS
_PLAYERS = _LEFT + 11
_LEADS = _PLAYERS + 11
_HOLDS = _LEADS + 16
_GOES = _HOLDS + _HELD
_MAY_TAKE = _GOES + _HELD
_LIKELY = _MAY_TAKE + _COUNTS * _STAKES
_IN_HAND = _LIKELY + 16 * _COUNTS
_BELOW = _IN_HAND + 110
_ABOVE = _BELOW + 2 * (_GAPS + 1)
# Where classes begin
_GAP_FROM = (1, 2, 3, 4, 5, 7, 9, 12, 16, 22, 30)
_STAKE_FROM = (2, 3, 4, 6, 9, 13, 18)
_CHANCE_FROM = (1, 24, 64, 112, 180, 260, 370, 520, 720, 980, 1300, 1750, 2300, 2900, 3500)


@dataclass(frozen=True)
class Mind:
    """A network: its numbers by part, without lines if it has none."""

    signals: tuple[int, ...]
    late: tuple[int, ...]
    base: tuple[int, ...]
    out: tuple[int, ...]
    lines: tuple[int, ...] = ()

    def to_bytes(self) -> bytes:
        """As the core reads it."""
        lines = self.lines or (0,) * PARTS["lines"]
        first = (*_in_pairs(self.signals, SIGNALS), *_in_pairs(self.late, WIDE))
        numbers = (int(bool(self.lines)), 0, 0, 0, *first, *self.base, *self.out, *lines)
        return array("h", numbers).tobytes()

    def to_text(self) -> str:
        """As a file: lines take a byte for each number, the others two."""
        parts = {name: _packed("b" if name == "lines" else "h", getattr(self, name)) for name in PARTS}
        return json.dumps({"format": _FORMAT, **{name: part for name, part in parts.items() if part}}, indent=1) + "\n"

    @classmethod
    def read(cls, text: str, source: str = "") -> Mind:
        """Read a file.

        >>> Mind.read(kept("gradient").to_text()) == kept("gradient")
        True
        """
        data = parse_json(text, source=source, error=DataError)
        if not isinstance(data, dict) or data.get("format") != _FORMAT:
            raise DataError("classic.expected_a_mind", format=_FORMAT, source=source)
        found = {name: _numbers(data.get(name, ""), name, source) for name in PARTS}
        return cls(**found)


def _in_pairs(weights: Sequence[int], inputs: int) -> list[int]:
    """The weights of two inputs after the other, unit by unit.

    >>> _in_pairs([1, 2, 3, 4, 5, 6, 7, 8], inputs=4)
    [1, 2, 5, 6, 3, 4, 7, 8]
    """
    units = range(0, len(weights), inputs)
    return [weights[unit + at + i] for at in range(0, inputs, 2) for unit in units for i in (0, 1)]


def _packed(code: str, numbers: Sequence[int]) -> str:
    return base64.b64encode(array(code, numbers).tobytes()).decode()


def _numbers(text: object, name: str, source: str) -> tuple[int, ...]:
    most, numbers = (LARGEST_IN_LINE, array("b")) if name == "lines" else (LARGEST, array("h"))
    try:
        numbers.frombytes(base64.b64decode(text, validate=True) if isinstance(text, str) else b"-")
    except (binascii.Error, ValueError):
        raise DataError("classic.expected_mind_part", part=name, source=source) from None
    right = len(numbers) == PARTS[name] or (name == "lines" and not numbers)
    if not right or any(abs(number) > most for number in numbers):
        raise DataError("classic.expected_mind_part", part=name, source=source)
    return tuple(numbers)


@cache
def kept(name: str) -> Mind:
    """A packaged network."""
    file = f"{name}.json"
    return Mind.read((files(__package__) / "data" / file).read_text(encoding="utf-8"), file)


@cache
def packed(name: str) -> bytes:
    """A packaged network as the core reads it."""
    return kept(name).to_bytes()


@dataclass(frozen=True)
class Sight:
    """What a seat sees: rows and their heads, its hand, what the others may hold, heads taken in this round by seat."""

    rows: tuple[Cards, ...]
    heads: tuple[int, ...]
    hand: Cards
    unseen: tuple[int, ...]
    players: int
    seat: int
    taken: tuple[int, ...]


def sight_of(view: View) -> Sight:
    """What the seat of a view sees."""
    heads_in = view.game.heads_in
    rows, taken = tuple(view.rows), tuple(heads_in(pile) for pile in view.piles)
    heads = tuple(heads_in(row) for row in rows)
    return Sight(rows, heads, tuple(view.hand), tuple(view.unseen), view.game.players, view.seat, taken)


def likes(mind: Mind, sight: Sight) -> list[int]:
    """How much the network likes each card of the hand."""
    table, cards = _looks(sight)
    sums = [0] * WIDE
    if mind.lines:
        _add(sums, mind, [*table, *(held for held, _, _ in cards)])
    found = []
    for held, played, signals in cards:
        mine = list(sums)
        if mind.lines:
            _add(mine, mind, [held], -1)
            _add(mine, mind, played)
        wide = []
        for j in range(WIDE):
            weights = mind.signals[j * SIGNALS : (j + 1) * SIGNALS]
            wide.append(_unit(mine[j] * 128 + sum(map(int.__mul__, weights, signals))))
        late = []
        for j in range(LATE):
            weights = mind.late[j * WIDE : (j + 1) * WIDE]
            late.append(_unit(mind.base[j] * 64 + sum(map(int.__mul__, weights, wide))))
        found.append(sum(map(int.__mul__, mind.out, late)))
    return found


def favourite(mind: Mind, sight: Sight) -> int:
    """The card it likes best; the lowest of equals."""
    liked = dict(zip(sight.hand, likes(mind, sight), strict=True))
    return min(liked, key=lambda card: (-liked[card], card))


def _add(sums: list[int], mind: Mind, lines: Sequence[int], sign: int = 1) -> None:
    for line in lines:
        for j in range(WIDE):
            sums[j] += sign * mind.lines[line * WIDE + j]


def _unit(number: int) -> int:
    return max(0, min(number >> 6, 511))


def _whole(number: int, over: int) -> int:
    """A quotient rounded towards zero, as in C."""
    return number // over if number >= 0 else -(-number // over)


def _within(number: int, most: int) -> int:
    return max(-most, min(number, most))


def _looks(sight: Sight) -> tuple[list[int], list[tuple[int, list[int], list[int]]]]:
    """The lines of the table; for each card its line if held, its lines if played, and its signals."""
    left, players, others = len(sight.hand), sight.players, sight.players - 1
    unseen = sorted(sight.unseen)
    every = len(unseen)
    rows = sorted(range(_ROWS), key=lambda row: sight.rows[row][-1])
    ends = [sight.rows[row][-1] for row in rows]
    counts = [len(sight.rows[row]) for row in rows]
    heads = [sight.heads[row] for row in rows]
    below = [bisect_right(unseen, end) for end in ends]
    rest = [taken for seat, taken in enumerate(sight.taken) if seat != sight.seat]
    mine = sight.taken[sight.seat]
    behind = _within(mine - min(rest), _MOST_LEAD)
    more = _within(mine * others - sum(rest), _MOST_LEAD * others)
    table = [_LEFT + left, _PLAYERS + players, _LEADS + (behind + 32) // 4]
    for at, (count, sum_) in enumerate(zip(counts, heads, strict=True)):
        gap = [*below, every][at + 1] - below[at]
        table += [at * _COUNTS + count, _SUMS + at * _STAKES + _class(_STAKE_FROM, sum_)]
        table.append(_ROW_GAPS + at * _GAPS + _class(_GAP_FROM, gap))
    hand = sorted(sight.hand)
    chances = _chances(others, max(every, others))
    cheap = min(zip(heads, [-end for end in ends], strict=True))[0]
    places = [_Place.of(card, ends, counts, heads, below, unseen, cheap, chances) for card in hand]
    nows = [place.now for place in places]
    cards = {}
    for rank, (card, place) in enumerate(zip(hand, places, strict=True)):
        line = (place.slot * _COUNTS + place.count) * _GAPS + _class(_GAP_FROM, place.gap)
        under, alike_under = _next(place, places[rank - 1] if rank else None)
        over, alike_over = _next(place, places[rank + 1] if rank + 1 < left else None)
        played = [
            _GOES + line,
            _MAY_TAKE + place.count * _STAKES + _class(_STAKE_FROM, place.heads),
            _LIKELY + place.count * 16 + _class(_CHANCE_FROM, place.due),
            _IN_HAND + left * 10 + rank,
            _BELOW + alike_under * (_GAPS + 1) + (_class(_GAP_FROM, under) if under < 64 else _GAPS),
            _ABOVE + alike_over * (_GAPS + 1) + (_class(_GAP_FROM, over) if over < 64 else _GAPS),
        ]
        x = [0] * SIGNALS
        x[0:4] = [place.due >> 6, place.now, min(4 * place.heads, 127), min(place.gap, 64)]
        x[4 + place.count] = ONE
        x[10:12] = [6 * left, 6 * players]
        x[12] = 16 * sum(other.slot == place.slot for other in places[:rank])
        x[13] = 16 * sum(other.slot == place.slot for other in places[rank + 1 :])
        x[14:18] = [under, over, card * 5 // 8, 64 * place.lower // max(1, every)]
        x[18:20] = [min(nows), place.now - min(nows)]
        x[20:22] = [64 * rank // left, 64 * sum(now < place.now for now in nows) // left]
        x[22:24] = [sum(nows) // left, min(4 * cheap, 127)]
        x[24:26] = [2 * behind, _whole(2 * more, others)]
        x[26:28] = [16 * counts.count(ROW_LIMIT), 16 * counts.count(ROW_LIMIT - 1)]
        x[28:30] = [min(4 * max(heads), 127), min(16 * place.gap * others // max(1, every), 127)]
        x[30:32] = [12 * (ROW_LIMIT - place.count), ONE]
        cards[card] = _HOLDS + line, played, x
    return table, [cards[card] for card in sight.hand]


@dataclass(frozen=True)
class _Place:
    """Where a card goes: how many rows end below it; the unseen cards before it and those below it; the row's cards and
    heads; the chance that it takes them (in 4096ths), and the heads that means (in eighths)."""

    slot: int
    gap: int
    lower: int
    count: int
    heads: int
    due: int
    now: int

    @classmethod
    def of(
        cls,
        card: int,
        ends: Sequence[int],
        counts: Sequence[int],
        heads: Sequence[int],
        below: Sequence[int],
        unseen: Sequence[int],
        cheap: int,
        chances: Sequence[int],
    ) -> _Place:
        slot, lower = sum(end < card for end in ends), bisect_right(unseen, card)
        gap = lower - below[slot - 1] if slot else lower
        count, at_stake = (counts[slot - 1], heads[slot - 1]) if slot else (0, cheap)
        due = chances[8 * gap + count]
        # Cards that come before it carry about 13/8 heads each.
        now = 8 * at_stake + (13 * (ROW_LIMIT - count) if slot else 0)
        return cls(slot, gap, lower, count, at_stake, due, min(now * due >> 12, 127))


def _next(place: _Place, other: _Place | None) -> tuple[int, int]:
    """Unseen cards up to the next card of the hand (64: there is none), and whether it goes to the same row."""
    if other is None:
        return 64, 0
    return min(abs(place.lower - other.lower), 63), int(other.slot == place.slot)


def _class(begins: Sequence[int], number: int) -> int:
    return bisect_right(begins, number)
