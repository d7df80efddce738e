"""Eight levels of play, from beginner to master, with the same names in every game.

A chapter may map levels to policies of its own (`Ways.level`). Otherwise levels use bots that play any game: a
one-turn lookahead (`turn`) and the search.

>>> [level.title() for level in levels()][::3]
['Beginner', 'Cautious', 'Searcher']
>>> levels()[2].title("pl"), levels()[2].bot()
('Uczeń', level-3)
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, partial
from importlib import resources
from typing import NamedTuple

from nimmt_lab.engine.decisions import Choice
from nimmt_lab.engine.errors import RulesError
from nimmt_lab.engine.files import shown
from nimmt_lab.engine.game import Game
from nimmt_lab.engine.habits import any_option
from nimmt_lab.engine.limits import is_whole
from nimmt_lab.engine.rng import Rng
from nimmt_lab.engine.view import View
from nimmt_lab.native.kernel import WAYS

from .advice import Advice
from .base import BOTS, Bot, bot, needed, shared_bot


class Strength(NamedTuple):
    """Results of one player of a level among players of the level below, with 95% margins."""

    game: str
    players: int
    deals: int
    win_credit: float
    margin: float
    chance: float
    #: Mean lead over the others, in heads.
    ahead: float
    ahead_margin: float


@cache
def _strengths() -> Mapping[int, Strength]:
    """The packaged ladder by level, made with `nimmt-lab ladder --deals 200 --json`."""
    data = json.loads(resources.files(__package__).joinpath("data/ladder.json").read_text(encoding="utf-8"))
    setup = data["game"], data["players"], data["deals"]
    return {step["level"]: Strength(*setup, *(step[name] for name in Strength._fields[3:])) for step in data["steps"]}


@dataclass(frozen=True)
class Level:
    """A level of play. `bot` creates its player; `title` and `description` are for people."""

    number: int
    #: The bot it plays as unless the chapter names another.
    general: str
    #: Make one choice in this many at random; 0: none.
    overlooks: int = 0

    @property
    def name(self) -> str:
        return f"level-{self.number}"

    def title(self, lang: str = "en") -> str:
        return _message(lang, f"level.title_{self.number}")

    def description(self, lang: str = "en") -> str:
        """How it plays, in a sentence.

        >>> levels()[0].description("cs")
        'Hraje náhodnou kartu.'
        """
        return _message(lang, f"level.says_{self.number}")

    @property
    def measured(self) -> Strength | None:
        """Its measured strength among players of the level below; None for level 1."""
        return _strengths().get(self.number)

    def bot(self) -> Bot:
        return bot(self.name)

    def plays(self, game: Game) -> str:
        """The bot, by name, that it plays as in a game.

        >>> from nimmt_lab import Baron, Classic
        >>> levels()[3].plays(Classic(players=4)), levels()[3].plays(Baron(players=4))
        ('closest-safe', 'turn:guesses=2')
        """
        ways = WAYS.find(game)
        return (ways.level(self.number, game) if ways else None) or self.general


#: By strength; `nimmt_lab.study.ladder` measures each level against the one before.
_LEVELS = (
    Level(1, "random:low_card=random"),
    Level(2, "turn:guesses=1", overlooks=2),
    Level(3, "turn:guesses=1", overlooks=5),
    Level(4, "turn:guesses=2"),
    Level(5, "turn:guesses=6"),
    Level(6, "turn:guesses=20"),
    Level(7, "best:playouts=300"),
    Level(8, "best"),
)


def levels() -> tuple[Level, ...]:
    """All levels, weakest first."""
    return _LEVELS


class LevelBot(Bot):
    """The player of a level."""

    def __init__(self, number: int) -> None:
        if not is_whole(number, 1, len(_LEVELS)):
            raise RulesError("bots.levels_to", most=len(_LEVELS), got=shown(number))
        self.level = _LEVELS[number - 1]

    def choose(self, view: View, rng: Rng) -> Choice:
        decision = needed(view)
        if len(decision.options) == 1:
            return decision.options[0]
        if self.level.overlooks:
            at, rng = rng.below(self.level.overlooks)
            if at == 0:
                return any_option(decision, rng)[0]
        return shared_bot(self.level.plays(view.game)).choose(view, rng)

    def advise(self, view: View, *, seed: int = 0) -> Advice:
        """The advice of the bot it plays as; the lower levels have none."""
        return shared_bot(self.level.plays(view.game)).advise(view, seed=seed)

    def __repr__(self) -> str:
        return self.level.name


def _message(lang: str, key: str) -> str:
    from nimmt_lab.explain import words

    return words(lang, package="nimmt_lab.bots")(key)


BOTS |= {level.name: partial(LevelBot, level.number) for level in _LEVELS}
