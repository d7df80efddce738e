"""The kinds of trap, case by case."""

from __future__ import annotations

from typing import Any

import pytest

from nimmt_lab.explain import RowTrap, Trap
from nimmt_lab.explain.traps import trap_of
from nimmt_lab.games.jumping_cow.tell import CowTrap

#: row now, was full, tempted, row, took, taken before, still open → the trap.
CASES = [
    # The row now had room.
    ((0, False, True, 0, False, False, True), None),
    ((0, False, True, 0, True, False, True), RowTrap.FILLED_ROW),
    ((0, False, True, 0, True, True, True), RowTrap.FILLED_ROW),  # taken, started again, and filled again
    ((0, False, True, 0, False, True, True), None),  # taken and started again: no harm done
    ((0, False, False, 1, True, True, True), RowTrap.VANISHED_ROW),
    ((0, False, False, 1, False, True, True), RowTrap.VANISHED_ROW),
    ((0, False, False, 1, True, False, True), RowTrap.DIVERTED),
    ((0, False, False, 1, True, False, False), RowTrap.CLOSED_ROW),
    ((0, False, False, None, True, False, False), RowTrap.CLOSED_ROW),
    ((0, False, False, None, True, True, False), RowTrap.VANISHED_ROW),
    # The row now was full.
    ((0, True, True, 0, True, False, True), RowTrap.CLOSEST_ROW),
    ((0, True, False, 0, True, False, True), None),
    ((0, True, True, 0, True, True, True), RowTrap.FILLED_ROW),  # somebody else took it, and others filled it again
    ((0, True, True, 0, False, True, True), RowTrap.CLOSEST_ROW),  # somebody else took it first
    ((0, True, True, 1, False, False, True), RowTrap.DIVERTED),  # luck
    ((0, True, True, 1, True, False, True), RowTrap.DIVERTED),
    ((0, True, True, 1, False, True, True), RowTrap.CLOSEST_ROW),
    ((0, True, True, 1, True, True, True), None),
    ((0, True, False, 1, False, True, True), None),
    # It fitted nowhere.
    ((None, False, False, None, True, False, False), None),
    ((None, False, False, 2, False, False, False), RowTrap.DIVERTED),
    ((None, False, False, 2, True, False, False), RowTrap.DIVERTED),
]


@pytest.mark.parametrize(("case", "trap"), CASES)
def test_trap(case: tuple[int | None, bool, bool, int | None, bool, bool, bool], trap: Trap | None) -> None:
    row_now, was_full, tempted, row, took, taken_before, still_open = case
    parts: dict[str, Any] = {"row_now": row_now, "was_full": was_full, "tempted": tempted, "row": row, "took": took}
    found = trap_of(**parts, knock_on=None, taken_before=taken_before, still_open=still_open)
    assert found is trap
    cow = trap_of(**parts, knock_on=CowTrap.COW_JUMP, taken_before=taken_before, still_open=still_open)
    assert cow is CowTrap.COW_JUMP
