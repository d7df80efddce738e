"""Bots, from random play to search. A bot sees the view of its seat, never the state, so it cannot cheat.

>>> from nimmt_lab import Classic
>>> final = play(Classic(players=3, rounds=1), [bot("random"), bot("lowest"), bot("odds")], seed=1)
>>> final.is_over
True
"""

from .advice import Advice, Promise
from .advising import advise
from .base import Bot, Player, bot, bot_names, play, record, register
from .levels import Level, LevelBot, levels
from .search import FirstBestBot, FlatBot, SecondBestBot
from .second import BestBot, SecondThoughtsBot
from .simple import (
    AheadBot,
    ClosestSafeBot,
    EdgesFirstBot,
    GradientBot,
    HighestBot,
    LeastRiskBot,
    LowestBot,
    OddsBot,
    RandomBot,
    TrainedBot,
)
from .turn import TurnBot

__all__ = [
    "Advice",
    "AheadBot",
    "BestBot",
    "Bot",
    "ClosestSafeBot",
    "EdgesFirstBot",
    "FirstBestBot",
    "FlatBot",
    "GradientBot",
    "HighestBot",
    "LeastRiskBot",
    "Level",
    "LevelBot",
    "LowestBot",
    "OddsBot",
    "Player",
    "Promise",
    "RandomBot",
    "SecondBestBot",
    "SecondThoughtsBot",
    "TrainedBot",
    "TurnBot",
    "advise",
    "bot",
    "bot_names",
    "levels",
    "play",
    "record",
    "register",
]
