"""The kinds of trap, case by case."""

from __future__ import annotations

import pytest

from nimmt_lab.explain import Trap
from nimmt_lab.explain.traps import trap_of

#: row now, was full, tempted, row, took, taken before, still open → the trap.
CASES = [
    # The row now had room.
    ((0, False, True, 0, False, False, True), None),
    ((0, False, True, 0, True, False, True), Trap.FILLED_ROW),
    ((0, False, True, 0, True, True, True), Trap.FILLED_ROW),  # taken, started again, and filled again
    ((0, False, True, 0, False, True, True), None),  # taken and started again: no harm done
    ((0, False, False, 1, True, True, True), Trap.VANISHED_ROW),
    ((0, False, False, 1, False, True, True), Trap.VANISHED_ROW),
    ((0, False, False, 1, True, False, True), Trap.DIVERTED),
    ((0, False, False, 1, True, False, False), Trap.CLOSED_ROW),
    ((0, False, False, None, True, False, False), Trap.CLOSED_ROW),
    ((0, False, False, None, True, True, False), Trap.VANISHED_ROW),
    # The row now was full.
    ((0, True, True, 0, True, False, True), Trap.CLOSEST_ROW),
    ((0, True, False, 0, True, False, True), None),
    ((0, True, True, 0, True, True, True), Trap.FILLED_ROW),  # somebody else took it, and others filled it again
    ((0, True, True, 0, False, True, True), Trap.CLOSEST_ROW),  # somebody else took it first
    ((0, True, True, 1, False, False, True), Trap.DIVERTED),  # luck
    ((0, True, True, 1, True, False, True), Trap.DIVERTED),
    ((0, True, True, 1, False, True, True), Trap.CLOSEST_ROW),
    ((0, True, True, 1, True, True, True), None),
    ((0, True, False, 1, False, True, True), None),
    # It fitted nowhere.
    ((None, False, False, None, True, False, False), None),
    ((None, False, False, 2, False, False, False), Trap.DIVERTED),
    ((None, False, False, 2, True, False, False), Trap.DIVERTED),
]


@pytest.mark.parametrize(("case", "trap"), CASES)
def test_trap(case: tuple[int | None, bool, bool, int | None, bool, bool, bool], trap: Trap | None) -> None:
    row_now, was_full, tempted, row, took, taken_before, still_open = case
    parts = {"row_now": row_now, "was_full": was_full, "tempted": tempted, "row": row, "took": took}
    found = trap_of(**parts, only_the_cow=False, taken_before=taken_before, still_open=still_open)  # type: ignore[arg-type]
    assert found is trap
    cow = trap_of(**parts, only_the_cow=True, taken_before=taken_before, still_open=still_open)  # type: ignore[arg-type]
    assert cow is Trap.COW_JUMP
