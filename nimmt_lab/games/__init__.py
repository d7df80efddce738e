"""Every game of the family: one module per rulebook chapter, one line each here."""

from __future__ import annotations

from nimmt_lab.engine.registry import register

from .advanced import Advanced
from .baron import Baron
from .board_game import BoardGame
from .buffalo import Buffalo
from .classic import Classic
from .even_odd import EvenOdd
from .fan_card import register_fan_card
from .jumping_cow import JumpingCow
from .mountain import Mountain
from .number_twister import NumberTwister

register(Classic)
register(Advanced)
register(Buffalo)
register(Baron)
register(BoardGame)

register_fan_card(EvenOdd)
register_fan_card(Mountain)
register_fan_card(JumpingCow)
register_fan_card(NumberTwister)

__all__ = ["Advanced", "Baron", "BoardGame", "Buffalo", "Classic", "EvenOdd", "JumpingCow", "Mountain", "NumberTwister"]
