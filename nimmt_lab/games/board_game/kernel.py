"""The board game compiled (`kernel.c`, `search.c`): whole games, and playouts from a view.

It knows every option of the chapter, and every board and set of cards that it has room for (`numbers.fits`); what is
larger the engine plays. In playouts seats play as `policy.py` says, or at random.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from nimmt_lab.engine.cards import Card, Cards
from nimmt_lab.engine.decisions import Choice, ChooseCard, ChooseRow, Decision
from nimmt_lab.engine.game import Game
from nimmt_lab.engine.habits import habit as plain_habit
from nimmt_lab.engine.play import Turn
from nimmt_lab.engine.rng import Rng
from nimmt_lab.engine.state import GameState, HasRows
from nimmt_lab.engine.table import LiveTable
from nimmt_lab.engine.view import View
from nimmt_lab.native.kernel import KERNEL, LOW_CARDS, POLICIES, SEARCH, Search
from nimmt_lab.native.loader import Core
from nimmt_lab.native.rounds import CoreRounds
from nimmt_lab.native.seating import SEATING, ByCost
from nimmt_lab.native.tries import CoreTries
from nimmt_lab.native.work import Workspace

from .cards import Tiles
from .numbers import LAYOUT, OPTIONS, Numbers, code_of, fits, laid, settings, unlooked
from .policy import cost_of_tile, promising, sensible, worth_of_tile
from .rules import BoardGame

#: The policy that knows the board (`policy.py`).
SENSIBLE = 16
#: That one or at random.
EITHER = 17
#: What a seat does where something else is asked, whatever its policy (`board_policy.h`).
SENSIBLY, ANYTHING, BY_HABIT, ANY_CARD = 3, 4, 5, 6
#: A playout takes so many times longer than one of the classic game.
WEIGHT = 3


def workspace(core: Core, game: BoardGame, policies: Sequence[int], low_cards: Sequence[int] = (0,) * 6) -> Workspace:
    """A workspace with a game in it, and how everybody plays; nothing is laid yet."""
    work = Workspace(core, LAYOUT, "nl_board_size")
    write(work, settings(game))
    write(work, {"policies": policies, "lows": low_cards})
    return work


def write(work: Workspace, numbers: Numbers) -> None:
    """Write fields into a workspace."""
    for field, values in numbers.items():
        work.set(field, values)


class BoardKernel:
    """The board game, its options, boards and pieces."""

    code: Literal["B", "i"] = "i"

    def plays(self, game: Game) -> bool:
        """This chapter, on a board and with cards that it has room for."""
        return type(game) is BoardGame and fits(game)

    def rounds(self, core: Core, game: Game, policies: Sequence[str], low_cards: Sequence[str]) -> CoreRounds:
        """Rounds of this game, ready to be played."""
        assert isinstance(game, BoardGame)
        work = workspace(core, game, [POLICIES[name] for name in policies], [LOW_CARDS[name] for name in low_cards])
        return CoreRounds(work, "nl_board_rounds", game.players, code=self.code, slice=2048)

    def deal(self, game: Game, seed: int, number: int) -> tuple[GameState, list[list[int]] | None, Rng]:
        """As the engine deals; the choices' chance is apart from the deal's, from which stacks are shuffled later."""
        stream = Rng.from_seed(seed, number)
        table = LiveTable(game, stream)
        game.start_round(table)
        return game._run(table), None, Rng.from_seed(stream.state, 1)


class BoardTries(CoreTries):
    """Playouts of one decision."""

    def __init__(self, work: Workspace, view: View) -> None:
        super().__init__(work, "nl_board_search", code_of, most=OPTIONS, weight=WEIGHT)
        self.view = view

    def promising(self, options: Sequence[Choice], most: int) -> list[Choice] | None:
        """Thirty tiles make 435 pairs: those that look best at once."""
        assert self.view.decision is not None
        return promising(self.view, self.view.decision, most)


class BoardSearch(Search):
    """Playouts for everything that is asked: tiles, cards, luck cards, rows."""

    def tries(self, core: Core, view: View, rng: Rng, skilled: bool) -> CoreTries | None:
        """In them this seat plays sensibly and the others either so or at random, each by a throw of the dice for every
        playout: who sits there is not known. Not `skilled`, all play at random. None for a board that is too large."""
        game = view.game
        if type(game) is not BoardGame or not fits(game) or view.decision is None:
            return None
        others = EITHER if skilled else POLICIES["random"]
        policies = [SENSIBLE if skilled and seat == view.seat else others for seat in range(game.players)]
        return self._laid(core, game, view, rng, policies)

    def even(self, core: Core, view: View, rng: Rng, *, blind: bool = False) -> CoreTries | None:
        """Everybody plays sensibly."""
        game = view.game
        if type(game) is not BoardGame or not fits(game) or view.decision is None:
            return None
        found = self._laid(core, game, view, rng, [SENSIBLE] * game.players)
        if blind:
            write(found.work, unlooked(view))
        return found

    def usual(self, view: View, decision: Decision) -> Choice | None:
        """As `policy.py` says."""
        return sensible(view, view.seat, decision)

    @staticmethod
    def _laid(core: Core, game: BoardGame, view: View, rng: Rng, policies: Sequence[int]) -> CoreTries:
        work = workspace(core, game, policies)
        write(work, laid(view))
        work.set("key", Rng.key(rng.state))
        return BoardTries(work, view)


class BoardSeating(ByCost):
    """Tiles by what they cost; cards, luck cards and new rows sensibly, nothing special, or any."""

    weighing = (SENSIBLE, POLICIES["closest-safe"], POLICIES["least-risk"], POLICIES["edges-first"])
    habits = (SENSIBLY, BY_HABIT, ANY_CARD, ANYTHING)

    def cards(self, decision: Decision, choice: Choice) -> Cards | None:
        """A tile or two each turn."""
        if isinstance(choice, Tiles):
            return choice.low, choice.high
        return (choice,) if isinstance(decision, ChooseCard) and isinstance(choice, int) else None

    def cost(self, game: Game, policy: int, table: HasRows, card: Card) -> int:
        """By `worth_of_tile`, or as the simple policies have it."""
        assert isinstance(game, BoardGame)
        if policy == SENSIBLE:
            return -worth_of_tile(game, table, card)
        return cost_of_tile(game, table, _NAMES[policy], card)

    def by_habit(self, habit: int, view: View, decision: Decision) -> Choice | None:
        """What a seat does that alone is asked."""
        if habit == SENSIBLY:
            return sensible(view, view.seat, decision)
        is_any = habit == ANYTHING or (habit == ANY_CARD and not isinstance(decision, ChooseRow))
        return None if is_any else plain_habit(view, decision)

    def held(self, view: View) -> Sequence[Turn]:
        """All of this round: what was drawn since is not told apart."""
        return view.history


_NAMES = {number: name for name, number in POLICIES.items()}

KERNEL.provide(BoardGame, BoardKernel())
SEARCH.provide(BoardGame, BoardSearch())
SEATING.provide(BoardGame, BoardSeating())
