"""Vectors of Beat the Buffalo refuse impossible choices with a reason."""

from __future__ import annotations

import json
from typing import Any

import pytest

from nimmt_lab.conformance import run_vector
from nimmt_lab.engine.errors import NimmtError
from nimmt_lab.engine.events import Json
from nimmt_lab.engine.sentences import Phrase
from tests.catalogue import in_error
from tests.support import refused


def run(*choices: dict[str, Json], expect: dict[str, Json] | None = None, **given: Json) -> tuple[str, ...]:
    return run_vector(
        {
            "id": "case",
            "game": {"system": "buffalo", "players": 2},
            "given": {
                "rows": [[3, 5], [7, 9], [60], [70]], "specials_up": ["insert", "push"], "specials_deck": ["stop", "swap"],
                **given,
            },
            "reveal": {"1": 4, "2": 71, "buffalo": 80},
            "choices": list(choices),
            "expect": expect or {},
        }
    )  # fmt: skip


INSERT: dict[str, Json] = {"before": 4, "use": "insert", "row": 1, "position": 2}
PUSH: dict[str, Json] = {"before": 71, "use": "push", "card": 9, "to_row": 1, "position": 3}


def test_what_is_right_passes() -> None:
    expect: dict[str, Json] = {
        "rows": [[3, 4, 5, 9], [7], [60], [70, 71, 80]],
        "specials_up": ["swap", "stop"],
        "specials_deck": [],
        "heads": {"team": 0, "buffalo": 0},
    }
    push = {**PUSH, "position": 4}
    assert run(INSERT, push, expect=expect) == ()
    [said] = run(INSERT, push, expect={**expect, "rows": [[3, 4, 5], [7, 9], [60], [70, 71, 80]]})
    assert said.startswith("rows: expected")


@pytest.mark.parametrize(
    ("choice", "says"),
    [
        ({**INSERT, "position": 3}, Phrase("buffalo.can_only_have", card=4, place=2, row=1, got=3)),
        ({**PUSH, "before": 4, "position": 2}, Phrase("buffalo.can_only_have", card=9, place=3, row=1, got=2)),
        ({**INSERT, "use": "moo"}, Phrase("buffalo.no_special_card", kind="'moo'")),
        ({**INSERT, "use": "stop"}, Phrase("engine.cannot_choose")),
        ({"before": 4, "lift_stop": 1}, Phrase("engine.cannot_choose")),
        ({"before": 4, "use": "push", "card": 9, "to_row": 9}, Phrase("engine.cannot_choose")),
        ({"before": 4, "use": "insert", "row": "1"}, Phrase("conformance.must_whole_number", name="row")),
    ],
)
def test_what_is_wrong_is_refused(choice: dict[str, Json], says: Phrase) -> None:
    with refused(NimmtError, says):
        run(choice, {"seat": 1, "row": 2})


def test_a_use_at_no_moment_of_the_turn_is_reported() -> None:
    unused: dict[str, Json] = {"before": 5, "use": "stop", "row": 1}
    (problem,) = run({"seat": 1, "row": 2}, unused)
    assert in_error("conformance.unused_choice", choice=json.dumps(unused)).fullmatch(problem)


@pytest.mark.parametrize(
    "given",
    [
        {"specials_up": "push"}, {"specials_up": ["cow"]}, {"row_cards": {"1": ["swap"]}}, {"row_cards": {"7": ["stop"]}},
        {"row_cards": [1]}, {"cow": 1}, {"specials_up": [3]},
    ],
)  # fmt: skip
def test_impossible_tables_are_refused(given: dict[str, Any]) -> None:
    with pytest.raises(NimmtError):
        run(**given)
