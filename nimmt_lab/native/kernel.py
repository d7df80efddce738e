"""Which chapters have a kernel, and what one is asked. A chapter without is complete: the engine does the work."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol, cast

from nimmt_lab.engine.capability import Capability
from nimmt_lab.engine.cards import Cards
from nimmt_lab.engine.game import Game
from nimmt_lab.engine.rng import Rng
from nimmt_lab.engine.state import Extra, GameState

from .loader import Core, core

if TYPE_CHECKING:
    from .loader import Memory
    from .work import Work

#: How a seat chooses its card; the core's numbers for it (`policy.h`).
POLICIES = {"random": 0, "lowest": 1, "highest": 2, "closest-safe": 3, "least-risk": 4, "edges-first": 5}
#: Which row a card that fits nowhere takes: `cheapest` is R-C4, `shortest` the one with the fewest cards.
LOW_CARDS = {"cheapest": 0, "random": 1, "shortest": 2}


class Kernel(Protocol):
    """A chapter's rules once more, compiled."""

    #: Functions of `nimmt.h`: rounds as outcomes, and as totals.
    rounds: str
    totals: str

    def plays(self, game: Game) -> bool:
        """Whether it knows these rules, with all their options."""

    def prepare(self, work: Work, game: Game, policies: Sequence[int], low_cards: Sequence[int]) -> None:
        """Write into a workspace what is played, and how by whom."""

    def lay(self, work: Work, game: Game, rows: Sequence[Cards], extra: Extra) -> None:
        """Write a table of the engine into a workspace."""

    def deal(self, game: Game, seed: int, number: int) -> tuple[GameState, list[list[int]], Rng]:
        """Round `number` of a seed as the kernel deals it, by the engine: the state, every hand in the order in which
        random play plays it, and the stream from which further chance comes."""


class Searching(Kernel, Protocol):
    """A kernel that can also search from a view."""

    #: Functions of `nimmt.h`: playouts, and the card a network plays.
    search: str
    judge: str
    #: Whether the bot `best-1` searches with it; it goes without the kernels that came later.
    is_first: bool

    def has_network(self, game: Game) -> bool:
        """Whether there is a learned way to play this game."""

    def network(self, work: Work, players: int, unseen: int, turns: int) -> Memory:
        """What was learned, for so many players, unseen cards and turns to come."""


#: A game's kernel, in its chapter's `kernel.py`.
KERNEL: Capability[Kernel] = Capability("kernel", face="kernel")


def kernel_of(game: Game) -> Kernel | None:
    """The kernel that plays this game, if its chapter has one that knows all its options.

    >>> from nimmt_lab import Classic
    >>> kernel_of(Classic(players=4)).rounds
    'nl_classic_rounds'
    """
    kernel = KERNEL.find(game)
    return kernel if kernel and kernel.plays(game) else None


def searching_kernel(game: Game) -> tuple[Core, Searching] | None:
    """The core and the kernel with which a bot can search this game, if there are both."""
    kernel = kernel_of(game)
    if kernel is None or not hasattr(kernel, "search"):
        return None
    found = core()
    return (found, cast(Searching, kernel)) if found else None
