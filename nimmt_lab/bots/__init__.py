"""Players, from random to search. A bot is given a view, never the state: it cannot know what is hidden.

>>> from nimmt_lab import Classic
>>> final = play(Classic(players=3, rounds=1), [bot("random"), bot("lowest"), bot("odds")], seed=1)
>>> final.is_over
True
"""

from __future__ import annotations

from .advice import Advice, Promise
from .base import Bot, bot, bot_names, play, record
from .levels import Level, LevelBot, levels
from .search import BestBot, FirstBestBot, FlatBot
from .simple import ClosestSafeBot, EdgesFirstBot, HighestBot, LeastRiskBot, LowestBot, OddsBot, RandomBot, TrainedBot
from .turn import TurnBot

__all__ = [
    "Advice",
    "BestBot",
    "Bot",
    "ClosestSafeBot",
    "EdgesFirstBot",
    "FirstBestBot",
    "FlatBot",
    "HighestBot",
    "LeastRiskBot",
    "Level",
    "LevelBot",
    "LowestBot",
    "OddsBot",
    "Promise",
    "RandomBot",
    "TrainedBot",
    "TurnBot",
    "bot",
    "bot_names",
    "levels",
    "play",
    "record",
]
