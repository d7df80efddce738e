"""Eight levels, from a beginner to the best player there is: the same names in every game.

They differ as people do. A beginner plays anything; who knows the rules sees what a card would do now, and overlooks it
often, then seldom; then one plays safe, weighs what the others may play, counts cards, and at last plays the round on
in thought. A chapter may have ways to play of its own for these (`Ways.level`); otherwise levels are built from parts
that need rules alone: a look at this turn (`turn`), and the search.

>>> for level in levels():
...     print(level.name, level.title())
level-1 Beginner
level-2 Daydreamer
level-3 Learner
level-4 Cautious
level-5 Weigher
level-6 Counter
level-7 Searcher
level-8 Master
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
from nimmt_lab.engine.rng import Rng
from nimmt_lab.engine.view import View
from nimmt_lab.native.kernel import WAYS

from .advice import Advice
from .base import Bot, bot, needed, register_as


class Measured(NamedTuple):
    """What `nimmt-lab ladder` found: one player of a level among players of the one below, with 95 % margins."""

    game: str
    players: int
    deals: int
    win_credit: float
    margin: float
    chance: float
    #: By how many heads it ended ahead of the others, on average.
    ahead: float
    ahead_margin: float


@cache
def _measured() -> Mapping[int, Measured]:
    """The ladder that comes with the package, by level: `nimmt-lab ladder --deals 200 --json` made it."""
    text = resources.files(__package__).joinpath("data/ladder.json").read_text(encoding="utf-8")
    kept = json.loads(text)
    return {
        step["level"]: Measured(
            kept["game"], kept["players"], kept["deals"], *(step[name] for name in Measured._fields[3:])
        )
        for step in kept["steps"]
    }


@dataclass(frozen=True)
class Level:
    """One of the eight. `bot` makes its player; `title` and `description` are for people."""

    number: int
    #: How it plays where the chapter does not say: a bot by name.
    general: str
    #: One choice in so many is made without a look; 0: none is.
    overlooks: int = 0

    @property
    def name(self) -> str:
        """The name by which `bot` knows it."""
        return f"level-{self.number}"

    def title(self, lang: str = "en") -> str:
        """What it is called."""
        return _words(lang, f"level.title_{self.number}")

    def description(self, lang: str = "en") -> str:
        """How it plays, in a sentence.

        >>> levels()[0].description("cs")
        'Zahraje cokoli.'
        """
        return _words(lang, f"level.says_{self.number}")

    @property
    def measured(self) -> Measured | None:
        """How strong it is among players of the level below; None for the first, which has none below.

        >>> levels()[0].measured is None, levels()[7].measured.ahead > 0
        (True, True)
        """
        return _measured().get(self.number)

    def bot(self) -> Bot:
        """A player of this level."""
        return bot(self.name)

    def plays(self, game: Game) -> str:
        """The bot (see `nimmt_lab.bots.bot`) that it plays as where it does not overlook anything.

        >>> from nimmt_lab import Baron, Classic
        >>> levels()[3].plays(Classic(players=4)), levels()[3].plays(Baron(players=4))
        ('closest-safe', 'turn:guesses=2')
        """
        ways = WAYS.find(game)
        return (ways.level(self.number, game) if ways else None) or self.general


#: In the order of strength; `nimmt_lab.study.ladder` measures each against the one before.
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
    """The levels, from the beginner to the best."""
    return _LEVELS


class LevelBot(Bot):
    """The player of a level."""

    def __init__(self, number: int) -> None:
        if isinstance(number, bool) or not isinstance(number, int) or not 1 <= number <= len(_LEVELS):
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
        return self._player(view).choose(view, rng)

    def advise(self, view: View, *, seed: int = 0) -> Advice:
        """What the way it plays has to say; the lower levels cannot tell."""
        return self._player(view).advise(view, seed=seed)

    def _player(self, view: View) -> Bot:
        return _made(self.level.plays(view.game))

    def __repr__(self) -> str:
        return self.level.name


@cache
def _made(text: str) -> Bot:
    return bot(text)


def _words(lang: str, key: str) -> str:
    from nimmt_lab.explain import words

    return words(lang, room="nimmt_lab.bots")(key)


for _level in _LEVELS:
    register_as(_level.name, partial(LevelBot, _level.number))
