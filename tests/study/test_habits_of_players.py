"""What players of a folder of games tend to do, against what their bots certainly do."""

from __future__ import annotations

from pathlib import Path

import pytest

from nimmt_lab import Baron, Buffalo, Classic, Record
from nimmt_lab.bots import record
from nimmt_lab.engine.decisions import ChooseRow
from nimmt_lab.study import habits

GAME = Classic(players=3, rounds=1)


def test_habits_of_bots_with_one_habit(tmp_path: Path) -> None:
    for seed in range(3):
        played = record(GAME, ["lowest", "highest", "random"], seed)
        played.noted({"A": "Ann", "B": "Bob"}, {}).save(tmp_path / f"{seed}.nimmt")
    found = habits(tmp_path)
    assert list(found) == ["Ann", "Bob", "C"] and [one.games for one in found.values()] == [3, 3, 3]
    ann, bob = found["Ann"], found["Bob"]
    assert (ann.lowest, ann.highest, bob.lowest, bob.highest) == (1, 0, 0, 1)
    assert ann.cards == 3 * 9 and ann.openings == 3  # the last card of a round is forced
    assert ann.opening is not None and bob.opening is not None and ann.opening < bob.opening
    text = str(found)
    assert "100%" in text and text.splitlines()[1].split()[:2] == ["games", "lowest"]


def test_rows_are_counted_against_the_cheapest() -> None:
    played = record(GAME, ["lowest", "lowest", "lowest"], 3)
    asked = [
        (step.before.rows, choice, step.before.game)
        for step in played.steps
        for seat, choice in step.choices.items()
        if isinstance(step.before.pending[seat], ChooseRow)
    ]
    assert asked
    cheapest = sum(
        game.heads_in(rows[choice]) == min(map(game.heads_in, rows))  # type: ignore[index]
        for rows, choice, game in asked
    )
    found = habits([played])
    assert sum(one.rows for one in found.values()) == len(asked)
    assert sum(one.cheapest_rows for one in found.values()) == cheapest


def test_unknown_hands_are_left_out_and_every_game_is_read() -> None:
    played = record(GAME, ["lowest"] * 3, 1)
    assert set(habits([played.noted({"hidden": "B C"}, {})])) == {"A"}
    assert habits([Record(GAME, seed=1)]) == {}
    for game in (Baron(players=3), Buffalo(players=2)):
        found = habits([record(game, ["random"] * game.players, 2)])
        assert all(0 <= (one.lowest or 0) <= 1 for one in found.values())


@pytest.mark.parametrize("seat", [0, 1, 2])
def test_a_low_card_is_below_every_row(seat: int) -> None:
    played = record(GAME, ["random"] * 3, 8)
    count = 0
    for step in played.steps:
        decision = step.before.pending.get(seat)
        if decision is not None and not decision.prefix and len(decision.options) > 1:
            count += step.choices[seat] < min(row[-1] for row in step.before.rows)  # type: ignore[operator]
    assert habits([played])["ABC"[seat]].low_cards == count
