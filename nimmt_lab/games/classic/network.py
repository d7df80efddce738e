"""A policy trained in self-play: fast enough for playouts, far better than a heuristic.

It values a card by `expected heads now + expected heads later`, the latter from a small network. Inputs: for every card
of the hand its row (index and size) and the number of unseen cards in between; for the card to play the same again and
the heads at stake; and the four rows. Each input has a line of `UNITS` integers; lines are summed, negative sums count
as 0, and the first half is cost, the second half relief. So it is fast and exact everywhere.

`network.h` evaluates it; its weights (in units of 1/1024 head) come from `tools/train_policy.py`.
"""

from __future__ import annotations

from array import array
from functools import cache, lru_cache
from importlib.resources import files
from math import comb

from nimmt_lab.engine.errors import DataError
from nimmt_lab.engine.files import parse_json, shown

#: The core's number of this policy.
TRAINED = 16
#: Cards in a full hand and in a full row.
HAND, ROW_LIMIT = 10, 5
UNITS = 16
SCALE = 1024
LINES = 891
WEIGHTS = LINES * UNITS
#: Sums of numbers up to this one can't overflow; also checked in `network.h`.
LARGEST = 1 << 20
#: Entries of `chances` per number of cards left in hand.
PER_TURN = 128 * 8
CHANCES = (HAND + 1) * PER_TURN


@lru_cache(maxsize=256)
def _chances(others: int, unseen: int) -> tuple[int, ...]:
    """At 8·gap + count: the probability that mine overfills a row of `count` cards with `gap` unseen cards in between,
    or, for count 0, that my low card is the lowest. The others play a random subset of the unseen cards."""
    table = []
    ways = max(1, comb(unseen, others))
    for gap in range(unseen + 1):
        chance = [comb(gap, t) * comb(unseen - gap, others - t) for t in range(others + 1)]
        for count in range(8):
            due = (
                chance[0] if count == 0 else sum(chance[t] for t in range((-count) % ROW_LIMIT, others + 1, ROW_LIMIT))
            )
            table.append(4096 * due // ways if count <= ROW_LIMIT else 0)
    return tuple(table)


@lru_cache(maxsize=64)
def chances(others: int, unseen: int, turns: int) -> bytes:
    """`_chances` for this and later turns, as the core reads them: each turn reveals `others` of the `unseen` cards."""
    table = array("i", bytes(4 * CHANCES))
    for left in range(turns, 0, -1):
        part = _chances(others, max(unseen, others))
        table[left * PER_TURN : left * PER_TURN + len(part)] = array("i", part)
        unseen -= others
    return table.tobytes()


#: Files of weights trained against itself and against random players.
_DATA = {"itself": "self_play.json", "random": "trained.json"}


@cache
def weights(players: int, against: str = "itself") -> bytes:
    """The weights for a number of players, as the core reads them."""
    name = _DATA[against]
    known = read_players((files(__package__) / "data" / name).read_text(encoding="utf-8"), name)
    if str(players) not in known:
        raise DataError("classic.nothing_was_learned", players=players, source=name)
    return array("i", [number for line in known[str(players)] for number in line]).tobytes()


def read_players(text: str, source: str = "") -> dict[str, list[list[int]]]:
    """Parse weights by number of players: a line of numbers for each kind of input."""
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
