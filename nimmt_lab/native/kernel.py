"""Which chapters have a kernel, and what one is asked. A chapter without is complete: the engine does the work."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final, Literal, Protocol

from nimmt_lab.engine.capability import Capability
from nimmt_lab.engine.cards import Seat
from nimmt_lab.engine.decisions import Choice, Decision
from nimmt_lab.engine.game import Game
from nimmt_lab.engine.rng import Rng
from nimmt_lab.engine.state import GameState
from nimmt_lab.engine.view import View

from .loader import Core, core

if TYPE_CHECKING:
    from .games import CoreGames
    from .rounds import CoreRounds
    from .tries import CoreTries

#: How a seat chooses its card; the core's numbers for it (`policy.h`).
POLICIES = {"random": 0, "lowest": 1, "highest": 2, "closest-safe": 3, "least-risk": 4, "edges-first": 5}
#: Which row a card that fits nowhere takes: `cheapest` is R-C4, `shortest` the one with the fewest cards.
LOW_CARDS = {"cheapest": 0, "random": 1, "shortest": 2}


class Kernel(Protocol):
    """A chapter's rules once more, compiled."""

    #: How its outcomes are written (`nimmt_lab.native.outcomes`).
    code: Literal["B", "i"]

    def plays(self, game: Game) -> bool:
        """Whether it knows these rules, with all their options."""

    def rounds(self, core: Core, game: Game, policies: Sequence[str], low_cards: Sequence[str]) -> CoreRounds:
        """Rounds of this game, ready to be played; how each seat plays, by the names in `POLICIES` and `LOW_CARDS`."""

    def deal(self, game: Game, seed: int, number: int) -> tuple[GameState, list[list[int]] | None, Rng]:
        """Round `number` of a seed as the kernel deals it, by the engine: the state, every hand in the order in which
        random play plays it (None: random play draws a card each time), and the stream from which further chance
        comes."""


class Search(ABC):
    """A chapter's playouts from a view, for bots that search, for advice, reviews and luck: hidden cards are dealt out
    and the round is played on, all in the core. A chapter states what it brings; the rest is as it is in most."""

    #: Whether its playouts of random play are the engine's (`bots.by_engine`), choice for choice from the same stream.
    is_plain: bool = False

    @abstractmethod
    def tries(self, core: Core, view: View, rng: Rng, skilled: bool) -> CoreTries | None:
        """Playouts for what the view's seat is asked; None where the core does not know that question. In them
        everybody plays as well as the chapter knows (`skilled`), or any card."""

    def among_random(self, core: Core, view: View, rng: Rng) -> CoreTries | None:
        """The same with this seat playing on as well as it is quick to, and the others any card; None: the chapter has
        none."""
        return None

    @abstractmethod
    def even(self, core: Core, view: View, rng: Rng, *, blind: bool = False) -> CoreTries | None:
        """The same with everybody, this seat too, playing on as `usual` says: what luck is measured by. `blind`: before
        anybody has looked at a hand, this seat's own among them; there is one option then, `PLAY_ON`."""

    def anew(self, core: Core, game: Game, seat: Seat, rng: Rng) -> CoreTries | None:
        """Whole rounds dealt anew in which everybody plays so, where what a round is worth before the deal is the same
        for all of them; there is one option, `PLAY_ON`. None: it is told from the round's first view (`blind`)."""
        return None

    def knows(self, view: View) -> bool:
        """Whether playouts in which everybody plays as `usual` says go on from what is asked there."""
        return True

    def usual(self, view: View, decision: Decision) -> Choice | None:
        """What a seat does in those playouts; None: as the bot plays that `plays_as` names."""
        return None

    def plays_as(self, game: Game) -> str:
        """The bot (`nimmt_lab.bots`) as which seats play in those playouts, by name."""
        return "least-risk"

    def is_settled(self, view: View) -> bool:
        """Whether nothing hidden takes part in what follows any of the options, up to the seat's next choice or the end
        of the round: then it is the next view that is searched. (Its playouts count from the seat's pile.)"""
        return False


#: The one option of who has not looked at a hand.
PLAY_ON: Final = -1


class Steps(Protocol):
    """A chapter's games in step: thousands at a time, each asked what the engine asks."""

    def games(self, core: Core, game: Game, wins: bool) -> CoreGames:
        """Games of these rules; rewards are wins, or heads. A game that it does not know is refused."""


class Ways(ABC):
    """How bots play a chapter in which they do not play as everywhere."""

    @abstractmethod
    def choose(self, policy: str, view: View, decision: Decision) -> Choice | None:
        """What the policy of that name does; None: as in any other game."""

    def level(self, number: int, game: Game) -> str | None:
        """The bot as which that level (`nimmt_lab.bots.levels`) plays; None: as in any other game."""
        return None


#: A game's kernel, in its chapter's `kernel.py`.
KERNEL: Capability[Kernel] = Capability("kernel", face="kernel")
#: Its playouts from a view, and how the named policies play it; both in the same file.
SEARCH: Capability[Search] = Capability("compiled search", face="kernel", inherited=False)
#: Its games in step, there too.
STEPS: Capability[Steps] = Capability("games in step", face="kernel", inherited=False)
WAYS: Capability[Ways] = Capability("policies of its own", face="kernel")


def kernel_of(game: Game) -> Kernel | None:
    """The kernel that plays this game, if its chapter has one that knows all its options.

    >>> from nimmt_lab import Classic
    >>> kernel_of(Classic(players=4)).plays(Classic(players=5))
    True
    """
    kernel = KERNEL.find(game)
    return kernel if kernel and kernel.plays(game) else None


def search_of(game: Game) -> tuple[Core, Search] | None:
    """The core and a game's playouts in it, where there are both."""
    search = SEARCH.find(game)
    found = core() if search is not None else None
    return None if search is None or found is None else (found, search)


def compiled_tries(view: View, rng: Rng, skilled: bool) -> CoreTries | None:
    """Playouts by the core for what the view's seat is asked, where its chapter brings them and there is a core.

    >>> from nimmt_lab import Classic
    >>> missing = compiled_tries(Classic(players=2).deal(seed=1).view(0), Rng.from_seed(1), True) is None
    >>> missing == (core() is None)
    True
    """
    found = search_of(view.game)
    return None if found is None else found[1].tries(found[0], view, rng, skilled)
