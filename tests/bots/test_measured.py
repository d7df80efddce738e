"""The strengths shipped with the package match the ladder's results."""

from __future__ import annotations

import pytest

from nimmt_lab import game_named
from nimmt_lab.bots import levels
from nimmt_lab.study import ladder

KNOWN = {level.number: level.measured for level in levels()}


def test_every_level_but_the_first_was_measured_in_one_game() -> None:
    assert KNOWN.pop(1, None) is None
    found = [one for one in KNOWN.values() if one is not None]
    assert len(found) == len(levels()) - 1 and len({(one.game, one.players, one.deals) for one in found}) == 1


def test_every_level_ends_ahead_of_the_one_below() -> None:
    """The README's claims hold beyond the margin."""
    assert all(one.ahead > one.ahead_margin for one in KNOWN.values() if one is not None)


@pytest.mark.exhaustive
@pytest.mark.parametrize("level", [2, 4, 5])
def test_measuring_again_gives_the_same(level: int) -> None:
    said = levels()[level - 1].measured
    assert said is not None
    game = game_named(said.game)(players=said.players, rounds=1)
    (rung,) = ladder(game, said.deals, 0, levels=[level - 1, level], progress=False).steps
    assert said[3:] == pytest.approx(
        (rung.win_credit, rung.margin, rung.chance, rung.ahead, rung.ahead_margin), abs=1e-4
    )
