"""A way to play that was learned by playing: quick enough for playouts, far better than a rule of thumb.

It judges a card by `expected heads now + what a small network expects later`. The network sees, for every card of the
hand, the row it would go to (which of the four, how many cards lie there) and how many unseen cards would fit
between; for the card to be played the same once more and the heads at stake; and the four rows themselves. Each of
these facts has a line of `UNITS` whole numbers; the lines are added up, negative sums count as nothing, and the first
half of the sums is cost, the second half relief. There are no other operations: it is fast, and exact everywhere.

`network.h` does that; here are its numbers (in parts of 1024 heads), which `learn.py` finds.
"""

from __future__ import annotations

from array import array
from functools import cache, lru_cache
from importlib.resources import files
from math import comb

from nimmt_lab.engine.errors import DataError
from nimmt_lab.engine.files import parse_json, shown

#: The core's number of this way to play, besides the policies.
TRAINED = 16
#: Cards in a full hand, and in a full row.
HAND, ROW_LIMIT = 10, 5
UNITS = 16
SCALE = 1024
LINES = 891
WEIGHTS = LINES * UNITS
#: No sum of numbers up to this one overflows; `network.h` checks the same.
LARGEST = 1 << 20
#: Chances: places per number of cards left in hand, see `chances`.
PER_TURN = 128 * 8
CHANCES = (HAND + 1) * PER_TURN


@lru_cache(maxsize=256)
def _chances(others: int, unseen: int) -> tuple[int, ...]:
    """For each gap (unseen cards that fit between) and count, at 8·gap + count: the chance that mine is one too many.

    The others play a random choice of the unseen cards. Count 0 stands for a low card: the chance that it is lowest.
    """
    found = []
    ways = max(1, comb(unseen, others))
    for gap in range(unseen + 1):
        chance = [comb(gap, t) * comb(unseen - gap, others - t) for t in range(others + 1)]
        for count in range(8):
            due = (
                chance[0] if count == 0 else sum(chance[t] for t in range((-count) % ROW_LIMIT, others + 1, ROW_LIMIT))
            )
            found.append(4096 * due // ways if count <= ROW_LIMIT else 0)
    return tuple(found)


@lru_cache(maxsize=64)
def chances(others: int, unseen: int, turns: int) -> bytes:
    """`_chances` for now and the turns to come, as the core reads them: of `unseen` cards `others` are seen in every
    turn."""
    table = array("i", bytes(4 * CHANCES))
    for left in range(turns, 0, -1):
        part = _chances(others, max(unseen, others))
        table[left * PER_TURN : left * PER_TURN + len(part)] = array("i", part)
        unseen -= others
    return table.tobytes()


#: Where the numbers are that were learned against itself, and against random players.
_DATA = {"itself": "self_play.json", "random": "trained.json"}


@cache
def weights(players: int, against: str = "itself") -> bytes:
    """What was learned for so many players, as the core reads it."""
    name = _DATA[against]
    known = read_players((files(__package__) / "data" / name).read_text(encoding="utf-8"), name)
    if str(players) not in known:
        raise DataError("classic.nothing_was_learned", players=players, source=name)
    return array("i", [number for line in known[str(players)] for number in line]).tobytes()


def read_players(text: str, source: str = "") -> dict[str, list[list[int]]]:
    """What was learned, by the number of players: a line of numbers for each kind of input."""
    data = parse_json(text, source=source, error=DataError)
    known = data.get("players") if isinstance(data, dict) else None
    if not isinstance(known, dict):
        raise DataError("classic.expected_what_was", source=source)
    for players, lines in known.items():
        if not isinstance(lines, list) or not all(isinstance(line, list) for line in lines):
            raise DataError("classic.expected_lines_numbers", players=shown(players), source=source)
        numbers = [number for line in lines for number in line]
        if len(numbers) != WEIGHTS or not all(type(number) is int and abs(number) <= LARGEST for number in numbers):
            raise DataError(
                "classic.expected_whole_numbers", weights=WEIGHTS, most=LARGEST, players=shown(players), source=source
            )
    return known
