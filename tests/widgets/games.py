"""A recorded game of every system, which all boards must be able to show."""

from __future__ import annotations

from functools import cache

from nimmt_lab import Advanced, Classic, Game, Record
from nimmt_lab.games.baron.rules import Baron
from nimmt_lab.games.board_game.rules import BoardGame
from nimmt_lab.games.buffalo.rules import Buffalo
from tests.support import FAN_CARDS, random_record

SYSTEMS: dict[str, Game] = {
    "classic": Classic(players=4, rounds=1),
    "classic-10": Classic(players=10, rounds=1),
    "advanced": Advanced(players=3, rounds=1),
    **{name: Classic(players=4, rounds=1, fan_cards=(name,)) for name in FAN_CARDS},
    "mountain": Classic(players=4, rounds=2, fan_cards=("mountain",)),
    "buffalo": Buffalo(players=4),
    "baron": Baron(players=4),
    "baron-colour_counts": Baron(players=3, variant="colour_counts"),
    "baron-bulls_are_good": Baron(players=3, variant="bulls_are_good"),
    "board-basic": BoardGame(players=4),
    "board-advanced-luck": BoardGame(players=3, mode="advanced", luck=True),
}


@cache
def recorded(name: str) -> Record:
    return random_record(SYSTEMS[name], 3)
