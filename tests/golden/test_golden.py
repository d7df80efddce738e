"""Golden playthroughs: recorded games whose every event must stay as it was (`tools/golden.py` writes them)."""

from __future__ import annotations

from pathlib import Path

import pytest

from nimmt_lab import Record, all_games
from nimmt_lab.games.classic.fan_card import fan_cards
from nimmt_lab.games.classic.rules import Classic

GOLDEN = sorted(Path(__file__).parent.glob("*.nimmt"))


@pytest.mark.parametrize("path", GOLDEN, ids=lambda path: path.stem)
def test_golden_playthrough(path: Path) -> None:
    record = Record.load(path)
    assert record.events_text() == path.with_suffix(".events").read_text(encoding="utf-8")
    assert record.to_text() == path.read_text(encoding="utf-8")
    assert record.outcome is not None, "a golden playthrough goes to the end"


def test_every_registered_game_and_fan_card_has_one() -> None:
    games = [Record.load(path).game for path in GOLDEN]
    assert {game.name for game in games} == set(all_games())
    shown = {card.name for game in games if isinstance(game, Classic) for card in game.fan_cards}
    assert shown == set(fan_cards())
