"""Which chapters have a kernel, and what one is asked. A chapter without is complete: the engine does the work."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal, Protocol, cast

from nimmt_lab.engine.capability import Capability
from nimmt_lab.engine.cards import Card, Cards
from nimmt_lab.engine.decisions import Choice, Decision
from nimmt_lab.engine.game import Game
from nimmt_lab.engine.play import Turn
from nimmt_lab.engine.rng import Rng
from nimmt_lab.engine.state import Extra, GameState, HasRows
from nimmt_lab.engine.view import View

from .loader import Core, core

if TYPE_CHECKING:
    from .games import CoreGames
    from .loader import Memory
    from .rounds import CoreRounds
    from .tries import CoreTries
    from .work import Work

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


class Search(Protocol):
    """A chapter's playouts from a view, for bots that search: hidden cards are dealt out and the round is played on,
    all in the core."""

    #: Whether its playouts of random play are the engine's (`bots.by_engine`), choice for choice from the same stream.
    is_plain: bool

    def tries(self, core: Core, view: View, rng: Rng, skilled: bool) -> CoreTries | None:
        """Playouts for what the view's seat is asked; None where the core does not know that question. In them
        everybody plays as well as the chapter knows (`skilled`), or any card."""

    def even(self, core: Core, view: View, rng: Rng, *, blind: bool = False) -> CoreTries | None:
        """The same with everybody, this seat too, playing on as `usual` says: what luck is measured by. `blind`: before
        anybody has looked at a hand, this seat's own among them; there is one option then, -1, to play on."""

    def usual(self, view: View, decision: Decision) -> Choice | None:
        """What a seat does in those playouts; None: as the bot `least-risk` plays."""


class Seating(Protocol):
    """How seats may be found to play a chapter whose playouts (`Search.even`) let each play in a way of its own: the
    workspace's `policies`, `stray`, `lows` and what is believed of hidden hands (`belief.h`)."""

    #: Policies for cards, by the core's numbers, besides any card (0).
    @property
    def policies(self) -> tuple[int, ...]: ...

    #: What a seat may be found to do where something else is asked, by the numbers of `lows`: the usual one first.
    @property
    def habits(self) -> tuple[int, ...]: ...

    def cards(self, decision: Decision, choice: Choice) -> Cards | None:
        """The cards of the hand that the choice turns up; None where something else is asked."""

    def cost(self, game: Game, policy: int, table: HasRows, card: Card) -> int:
        """What that policy minimises over the cards of a hand."""

    def by_habit(self, habit: int, view: View, decision: Decision) -> Choice | None:
        """What is done by that habit; None: any option, each as likely."""

    def held(self, view: View) -> Sequence[Turn]:
        """The turns before which others may have held what is hidden in their hands now."""


class Steps(Protocol):
    """A chapter's games in step: thousands at a time, each asked what the engine asks."""

    def games(self, core: Core, game: Game, wins: bool) -> CoreGames:
        """Games of these rules; rewards are wins, or heads. A game that it does not know is refused."""


class Ways(Protocol):
    """How the named policies play a chapter whose cards or questions are not the classic ones."""

    def choose(self, policy: str, view: View, decision: Decision) -> Choice | None:
        """What that policy does; None: as in any other game."""


class Searching(Kernel, Protocol):
    """The classic family's kernel, which can also search from a view."""

    #: Functions of `nimmt.h`: playouts, and the card a network plays.
    search: str
    judge: str
    #: And how often ways to play would have played a card that was seen.
    watch: str
    #: And which cards one of them likes better than that card.
    clash: str
    #: And whole rounds in which everybody plays in some way.
    company: str
    #: Whether the bot `best-1` searches with it; it goes without the kernels that came later.
    is_first: bool

    def prepare(self, work: Work, game: Game, policies: Sequence[int], low_cards: Sequence[int]) -> None:
        """Write into a workspace what is played, and how by whom."""

    def lay(self, work: Work, game: Game, rows: Sequence[Cards], extra: Extra) -> None:
        """Write a table of the engine into a workspace."""

    def weigh(self, work: Work, game: Game) -> None:
        """Write into it what policies that weigh cards look at."""

    def goes_on(self, work: Work, game: Game, round: int) -> None:
        """Write into it what totals are worth after that round, if the game goes on then."""

    def has_network(self, game: Game) -> bool:
        """Whether there is a learned way to play this game."""

    def thumbs(self, game: Game) -> tuple[int, ...]:
        """Where there is none: rules of thumb that are as good as each other there."""

    def network(self, work: Work, players: int, unseen: int, turns: int, against: str = "itself") -> Memory:
        """What was learned against `itself` or `random` players; for so many players, unseen cards, turns to come."""


#: A game's kernel, in its chapter's `kernel.py`.
KERNEL: Capability[Kernel] = Capability("kernel", face="kernel")
#: Its playouts from a view, and how the named policies play it; both in the same file.
SEARCH: Capability[Search] = Capability("compiled search", face="kernel", inherited=False)
#: And how its seats may be found to play.
SEATING: Capability[Seating] = Capability("ways to play", face="kernel", inherited=False)
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


def compiled_tries(view: View, rng: Rng, skilled: bool) -> CoreTries | None:
    """Playouts by the core for what the view's seat is asked, where its chapter brings them and there is a core.

    >>> from nimmt_lab import Classic
    >>> compiled_tries(Classic(players=2).deal(seed=1).view(0), Rng.from_seed(1), True) is None
    True
    """
    search = SEARCH.find(view.game)
    found = core() if search is not None else None
    return None if search is None or found is None else search.tries(found, view, rng, skilled)


def searching_kernel(game: Game) -> tuple[Core, Searching] | None:
    """The core and the kernel with which a bot can search this game, if there are both."""
    kernel = kernel_of(game)
    if kernel is None or not hasattr(kernel, "search"):
        return None
    found = core()
    return (found, cast(Searching, kernel)) if found else None
