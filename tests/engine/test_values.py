"""Values: frozen from outside, whatever makes them fast."""

from __future__ import annotations

import copy
import dataclasses
import pickle

import pytest

from nimmt_lab.engine.events import CardPlaced, RowTaken
from nimmt_lab.engine.values import replace, value
from nimmt_lab.games.classic.rules import ClassicRule

PLACED = CardPlaced(ClassicRule.SMALLEST_DIFFERENCE, 0, 14, 2, 1, 2)


@value
class Pair:
    first: int
    second: int = 2


@value
class Four(Pair):
    third: int = 3
    fourth: tuple[int, ...] = ()


class Noted(Four):
    """Has room for more than its fields."""


@pytest.mark.parametrize("made", [Pair(1), Four(1), Noted(1), PLACED], ids=lambda made: type(made).__name__)
def test_values_are_frozen(made: Pair | CardPlaced) -> None:
    names = [field.name for field in dataclasses.fields(made)]
    for name in names:
        with pytest.raises(dataclasses.FrozenInstanceError):
            setattr(made, name, 5)
        with pytest.raises(dataclasses.FrozenInstanceError):
            delattr(made, name)
    assert made == pickle.loads(pickle.dumps(made)) == copy.deepcopy(made)


def test_a_value_belongs_to_its_own_class() -> None:
    """While its fields are set, it belongs to a twin of that class."""
    assert type(PLACED) is CardPlaced and type(Four(1)) is Four and type(Noted(1, 5)) is Noted
    assert Noted(1, 5) != Four(1, 5) and repr(Four(1)) == "Four(first=1, second=2, third=3, fourth=())"
    noted = Noted(1, fourth=(7,))
    noted.__dict__["note"] = "kept"
    assert (noted.first, noted.third, noted.fourth, vars(noted)) == (1, 3, (7,), {"note": "kept"})


@pytest.mark.parametrize("made", [Pair(1), Four(1, 9, fourth=(4,)), Noted(1, 9)], ids=lambda made: type(made).__name__)
def test_replace_equals_that_of_dataclasses(made: Pair) -> None:
    for changes in ({}, {"first": 6}, {"first": 6, "second": None}):
        theirs = dataclasses.replace(made, **changes)
        ours = replace(made, **changes)
        assert ours == theirs and type(ours) is type(theirs) is type(made)
    with pytest.raises(TypeError):
        replace(made, fifth=5)  # type: ignore[call-arg]


def test_fields_without_a_default_are_needed() -> None:
    with pytest.raises(TypeError):
        RowTaken(ClassicRule.FULL_ROW, 0, 14, 2)  # type: ignore[call-arg]
