"""Compiled capabilities of chapters. A chapter without them is complete: the engine does the work."""

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
from nimmt_lab.engine.table import LiveTable
from nimmt_lab.engine.view import View

from .loader import Core, core

if TYPE_CHECKING:
    from .choices import CoreChoices
    from .games import CoreGames
    from .rounds import CoreRounds
    from .tries import CoreTries

#: Card policies and the core's numbers for them (`policy.h`).
POLICIES = {"random": 0, "lowest": 1, "highest": 2, "closest-safe": 3, "least-risk": 4, "edges-first": 5}
#: Row policies of low cards: `cheapest` is R-C4, `shortest` the row with the fewest cards.
LOW_CARDS = {"cheapest": 0, "random": 1, "shortest": 2}


class Kernel(ABC):
    """A chapter's rules in compiled form."""

    #: Type code of its outcomes (`nimmt_lab.native.outcomes`).
    code: Literal["B", "i"]

    @abstractmethod
    def plays(self, game: Game) -> bool:
        """Whether it supports these rules with all their options."""

    @abstractmethod
    def rounds(self, core: Core, game: Game, policies: Sequence[str], low_cards: Sequence[str]) -> CoreRounds:
        """Rounds of this game, ready to play; each seat's policies by the names in `POLICIES` and `LOW_CARDS`."""

    def choices(self, core: Core, game: Game) -> CoreChoices | None:
        """Rounds of this game choice by choice (`nimmt_lab.study.dataset`); None if unsupported."""
        return None

    def deal(self, game: Game, seed: int, number: int) -> tuple[GameState, list[list[int]] | None, Rng]:
        """Round `number` of a seed as the kernel deals it: the state, every hand in random playing order (None if
        random play draws each turn), and the stream of further chance, separate from the deal's."""
        stream = Rng.from_seed(seed, number)
        table = LiveTable(game, stream)
        game.start_round(table)
        return game._run(table), None, Rng.from_seed(stream.state, 1)

    def draws_card(self, state: GameState, seat: Seat) -> bool:
        """Whether random play must draw a card although hands are shuffled: some can be played in several ways."""
        return False


class Search(ABC):
    """A chapter's compiled playouts from a view, for search bots, advice, reviews and luck."""

    #: Whether its random playouts equal the engine's (`bots.by_engine`), choice for choice.
    is_plain: bool = False

    def thorough(self, core: Core, view: View) -> Search:
        """This search for several calls about one view: how the others seem to play is found out once, by more samples,
        so that it doesn't depend on a call's random numbers."""
        return self

    @abstractmethod
    def tries(self, core: Core, view: View, rng: Rng, skilled: bool) -> CoreTries | None:
        """Playouts for the pending decision, by strong policies (`skilled`) or at random; None if unsupported."""

    def among_random(self, core: Core, view: View, rng: Rng) -> CoreTries | None:
        """Playouts in which this seat plays well, but quickly, and the others at random; None if unsupported."""
        return None

    def by_network(self, core: Core, view: View, rng: Rng) -> CoreTries | None:
        """Playouts in which everybody follows the chapter's strongest network, which names the usual choice
        (`CoreTries.compare`); None if it has none."""
        return None

    @abstractmethod
    def even(self, core: Core, view: View, rng: Rng, *, blind: bool = False) -> CoreTries | None:
        """Playouts in which everybody, including this seat, plays by `usual`: the baseline of luck. `blind`: before
        anybody has looked at a hand; the only option is then `PLAY_ON`."""

    def anew(self, core: Core, game: Game, seat: Seat, rng: Rng) -> CoreTries | None:
        """Newly dealt rounds in which everybody plays by `usual`, if their value before the deal is the same for all;
        the only option is `PLAY_ON`. None: use the round's first view (`blind`)."""
        return None

    def knows(self, view: View) -> bool:
        """Whether playouts by `usual` can start from the pending decision."""
        return True

    def usual(self, view: View, decision: Decision) -> Choice | None:
        """A seat's choice in those playouts; None: as the bot `plays_as`."""
        return None

    def plays_as(self, game: Game) -> str:
        """The name of the bot (`nimmt_lab.bots`) that seats follow in those playouts."""
        return "least-risk"

    def is_settled(self, view: View) -> bool:
        """Whether nothing hidden affects the outcome of any option until the seat's next choice or the end of the
        round, so that the next view is searched instead. (Its playouts count from the seat's pile.)"""
        return False


#: The only option of a seat that hasn't looked at its hand.
PLAY_ON: Final = -1


class Steps(Protocol):
    """Batches of a chapter's games, each asking the same questions as the engine."""

    def games(self, core: Core, game: Game, wins: bool) -> CoreGames:
        """Games of these rules; rewards are wins, or heads. Raises `Unsupported` for unknown rules."""


class Ways(ABC):
    """Bots' play in a chapter where it differs from the default."""

    @abstractmethod
    def choose(self, policy: str, view: View, decision: Decision) -> Choice | None:
        """The choice of the named policy; None for the default."""

    def level(self, number: int, game: Game) -> str | None:
        """The bot of that level (`nimmt_lab.bots.levels`); None for the default."""
        return None


#: The compiled capabilities of a chapter, all in its `kernel.py`.
KERNEL: Capability[Kernel] = Capability("kernel", face="kernel")
SEARCH: Capability[Search] = Capability("compiled search", face="kernel", inherited=False)
STEPS: Capability[Steps] = Capability("vectorised games", face="kernel", inherited=False)
WAYS: Capability[Ways] = Capability("policies of its own", face="kernel")


def kernel_of(game: Game) -> Kernel | None:
    """The kernel of a game, if its chapter has one that supports all its options.

    >>> from nimmt_lab import Classic
    >>> kernel_of(Classic(players=4)).plays(Classic(players=5))
    True
    """
    kernel = KERNEL.find(game)
    return kernel if kernel and kernel.plays(game) else None


def search_of(game: Game) -> tuple[Core, Search] | None:
    """The core and a game's search, if both exist."""
    search = SEARCH.find(game)
    native = core() if search is not None else None
    return None if search is None or native is None else (native, search)


def compiled_tries(view: View, rng: Rng, skilled: bool) -> CoreTries | None:
    """Compiled playouts for the seat's pending decision, if its chapter and the core support them.

    >>> from nimmt_lab import Classic
    >>> missing = compiled_tries(Classic(players=2).deal(seed=1).view(0), Rng.from_seed(1), True) is None
    >>> missing == (core() is None)
    True
    """
    compiled = search_of(view.game)
    return None if compiled is None else compiled[1].tries(compiled[0], view, rng, skilled)
