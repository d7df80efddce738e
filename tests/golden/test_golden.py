"""Golden playthroughs: recorded games whose events must not change (`tools/golden.py` writes them).

`format1` has the same games in the first format of records, some as JSON, some cut off in mid-turn (with the position
reached): they are read and converted.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from nimmt_lab import Record, all_games
from nimmt_lab.engine.notation import Position
from nimmt_lab.games.classic.fan_card import fan_cards
from nimmt_lab.games.classic.rules import Classic

GOLDEN = sorted(Path(__file__).parent.glob("*.nimmt"))
FORMAT_1 = sorted(path for path in (Path(__file__).parent / "format1").iterdir() if path.suffix != ".position")


@pytest.mark.parametrize("path", GOLDEN, ids=lambda path: path.stem)
def test_golden_playthrough(path: Path) -> None:
    record = Record.load(path)
    assert record.events_text() == path.with_suffix(".events").read_text(encoding="utf-8")
    assert record.to_text() == path.read_text(encoding="utf-8")
    assert record.outcome is not None, "a golden playthrough goes to the end"


@pytest.mark.parametrize("path", FORMAT_1, ids=lambda path: path.name)
def test_records_of_format_1_are_converted(path: Path) -> None:
    record = Record.load(path)
    old = path.read_text(encoding="utf-8")
    assert "nimmt-game/1\n" in old or '"nimmt-record/1"' in old
    if path.with_suffix(".position").exists():
        assert record.final.position == Position.parse(path.with_suffix(".position").read_text(encoding="utf-8"))
    else:
        assert record == Record.load(GOLDEN[0].parent / f"{path.stem}.nimmt")
    assert record.to_text().startswith("nimmt-game/2\n") and Record.from_text(record.to_text()) == record
    assert '"nimmt-record/2"' in record.to_json() and Record.from_json(record.to_json()) == record


def test_every_registered_game_and_fan_card_has_one() -> None:
    games = [Record.load(path).game for path in GOLDEN]
    write = "write it: python tools/golden.py tests/golden/NAME.nimmt system=NAME players=4 rounds=1"
    assert {game.name for game in games} == set(all_games()), write
    shown = {card.name for game in games if isinstance(game, Classic) for card in game.fan_cards}
    assert shown == set(fan_cards()), write.replace("system=NAME", "system=classic 'fan_cards=[\"NAME\"]'")
