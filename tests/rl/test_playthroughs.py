"""OpenSpiel's playthroughs: generated again, they equal the stored files (`tools/playthroughs.py` writes them)."""

from __future__ import annotations

import pyspiel
import pytest

from nimmt_lab import all_games
from tools.playthroughs import FOLDER, GAMES, text_of


@pytest.mark.parametrize("name", GAMES)
def test_a_playthrough_is_the_one_in_its_file(name: str) -> None:
    assert text_of(name) == (FOLDER / f"{name}.txt").read_text(encoding="utf-8"), "python tools/playthroughs.py"


def test_every_registered_game_has_one_and_no_file_is_left_over() -> None:
    shown = {pyspiel.load_game(game).get_type().short_name for game in GAMES.values()}
    assert shown == {f"nimmt_{name}" for name in all_games()}
    assert {path.stem for path in FOLDER.glob("*.txt")} == set(GAMES)
