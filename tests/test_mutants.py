"""The list of deliberate faults matches the code; `tools/mutants.py` tries them."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from tools.mutants import INNER, Mutant, mutants

ROOT = Path(__file__).resolve().parent.parent


@pytest.mark.parametrize("mutant", mutants(), ids=lambda one: f"{one.area}-{Path(one.file).name}")
def test_a_fault_can_be_made(mutant: Mutant) -> None:
    text = (ROOT / mutant.file).read_text(encoding="utf-8")
    assert mutant.applied(text) != text
    assert all((ROOT / name).exists() for name in mutant.tests)


def test_there_are_faults_of_every_kind() -> None:
    areas = Counter(mutant.area for mutant in mutants())
    assert sum(areas[area] for area in INNER) >= 20 and areas.total() >= 30
    assert min(areas.values()) >= 4
