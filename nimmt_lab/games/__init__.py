"""Every game of the family: a folder per rulebook chapter, one line each here."""

from nimmt_lab.engine.registry import register

from .advanced.rules import Advanced
from .baron.rules import Baron
from .board_game.rules import BoardGame
from .buffalo.rules import Buffalo
from .classic.fan_card import register_fan_card
from .classic.rules import Classic
from .even_odd.rules import EvenOdd
from .jumping_cow.rules import JumpingCow
from .mountain.rules import Mountain
from .number_twister.rules import NumberTwister

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
