"""Node counts ("perft"): the number of lines of play from small starts, and the sums of heads.

The counts in `perft.json` were computed by `count` below, an independent loop over the four rules, and are pinned so
that a change in either shows. `python tests/games/test_perft.py` prints them.
"""

from __future__ import annotations

import itertools
import json
from pathlib import Path

import pytest

from nimmt_lab import Advanced, Classic, GameState

PINNED = Path(__file__).with_name("perft.json")

STARTS = {
    "2 players, 3 cards": "3 | 5 | 7 | 9 ; A: 1 4 10 ; B: 2 6 8",
    "2 players, rows about to fill": "1 2 3 4 | 5 6 7 8 9 | 11 | 12 13 ; A: 10 15 18 ; B: 14 16 17",
    "2 players, 4 cards": "4 8 | 6 | 10 11 | 12 ; A: 1 5 7 14 ; B: 2 3 9 13",
    "3 players, 2 cards": "10 | 20 | 30 | 40 41 42 43 44 ; A: 5 45 ; B: 9 25 ; C: 3 50",
    "4 players, 2 cards": "10 | 20 | 30 | 40 41 42 ; A: 5 45 ; B: 9 25 ; C: 3 50 ; D: 43 44",
}


def heads(card: int) -> int:
    return 7 if card == 55 else 5 if card % 11 == 0 else 3 if card % 10 == 0 else 2 if card % 5 == 0 else 1


def count(rows: list[list[int]], hands: list[list[int]]) -> tuple[int, int]:
    """Lines of play to the end of the round, and the heads taken in all of them together."""
    if not hands[0]:
        return 1, 0
    lines = total = 0
    for plays in itertools.product(*hands):
        rest = [[card for card in hand if card != play] for hand, play in zip(hands, plays, strict=True)]
        for after, cost in place(rows, sorted(plays)):
            more, sum_ = count(after, rest)
            lines += more
            total += sum_ + cost * more
    return lines, total


def place(rows: list[list[int]], cards: list[int]) -> list[tuple[list[list[int]], int]]:
    """Every possible result of the revealed cards: a low card takes any row."""
    if not cards:
        return [(rows, 0)]
    card, rest = cards[0], cards[1:]
    lower = [row for row in rows if row[-1] < card]
    results = []
    if lower:
        target = max(lower, key=lambda row: row[-1])
        full = len(target) == 5
        options = [(target, [card] if full else [*target, card], sum(map(heads, target)) if full else 0)]
    else:
        options = [(row, [card], sum(map(heads, row))) for row in rows]
    for old, new, cost in options:
        after = [new if row is old else row for row in rows]
        results += [(final, cost + more) for final, more in place(after, rest)]
    return results


def engine_count(state: GameState) -> tuple[int, int]:
    """The same through the engine: every combination of options at every decision."""
    if not state.pending:
        return 1, sum(state.totals)
    lines = total = 0
    for choices in itertools.product(*(decision.options for decision in state.pending.values())):
        more, sum_ = engine_count(state.choose(dict(zip(state.pending, choices, strict=True)))[0])
        lines += more
        total += sum_
    return lines, total


def parsed(text: str) -> tuple[list[list[int]], list[list[int]]]:
    first, *hands = text.split(";")
    rows = [[int(word) for word in row.split()] for row in first.split("|")]
    return rows, [[int(word) for word in hand.split(":")[1].split()] for hand in hands]


@pytest.mark.parametrize("name", STARTS)
def test_counts(name: str) -> None:
    rows, hands = parsed(STARTS[name])
    state = Classic(players=len(hands), rounds=1).from_position(STARTS[name])
    lines, total = json.loads(PINNED.read_text())[name]
    assert engine_count(state) == (lines, total)
    assert count(rows, hands) == (lines, total)


def test_drafts() -> None:
    """The picks of the draft of 2 players with h cards each from 2h+4: (2h+4)! / 4! lines."""
    for size, lines in ((1, 30), (2, 1680), (3, 151200)):
        assert picks(Advanced(players=2, hand_size=size, rounds=1).deal(seed=0), 2 * size) == lines


def picks(state: GameState, depth: int) -> int:
    if depth == 0:
        return 1
    [(seat, decision)] = state.pending.items()
    if depth == 1:
        return len(decision.options)
    return sum(picks(state.choose({seat: option})[0], depth - 1) for option in decision.options)


if __name__ == "__main__":
    print(json.dumps({name: count(*parsed(text)) for name, text in STARTS.items()}, indent=1))
