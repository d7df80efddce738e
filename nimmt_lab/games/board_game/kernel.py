"""The board game compiled (`kernel.c`, `search.c`): whole games, and playouts from a view.

It knows every option of the chapter, and every board and set of cards that it has room for (`numbers.fits`); what is
larger the engine plays. In playouts seats play as `policy.py` says, or at random.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from nimmt_lab.engine.decisions import Choice, Decision
from nimmt_lab.engine.game import Game
from nimmt_lab.engine.rng import Rng
from nimmt_lab.engine.state import GameState
from nimmt_lab.engine.table import LiveTable
from nimmt_lab.engine.view import View
from nimmt_lab.native.kernel import KERNEL, LOW_CARDS, POLICIES, SEARCH
from nimmt_lab.native.loader import Core
from nimmt_lab.native.rounds import CoreRounds
from nimmt_lab.native.tries import CoreTries
from nimmt_lab.native.work import Workspace

from .numbers import LAYOUT, OPTIONS, Numbers, code_of, fits, laid, settings
from .policy import promising, sensible
from .rules import BoardGame

#: The policy that knows the board (`policy.py`).
SENSIBLE = 16
#: That one or at random.
EITHER = 17
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


class BoardSearch:
    """Playouts for everything that is asked: tiles, cards, luck cards, rows."""

    is_plain = False

    def tries(self, core: Core, view: View, rng: Rng, skilled: bool) -> CoreTries | None:
        """In them this seat plays sensibly and the others either so or at random, each by a throw of the dice for every
        playout: who sits there is not known. Not `skilled`, all play at random. None for a board that is too large."""
        game = view.game
        if type(game) is not BoardGame or not fits(game) or view.decision is None:
            return None
        others = EITHER if skilled else POLICIES["random"]
        policies = [SENSIBLE if skilled and seat == view.seat else others for seat in range(game.players)]
        return self._laid(core, game, view, rng, policies)

    def even(self, core: Core, view: View, rng: Rng) -> CoreTries | None:
        """Everybody plays sensibly."""
        game = view.game
        if type(game) is not BoardGame or not fits(game) or view.decision is None:
            return None
        return self._laid(core, game, view, rng, [SENSIBLE] * game.players)

    def usual(self, view: View, decision: Decision) -> Choice | None:
        """As `policy.py` says."""
        return sensible(view, view.seat, decision)

    @staticmethod
    def _laid(core: Core, game: BoardGame, view: View, rng: Rng, policies: Sequence[int]) -> CoreTries:
        work = workspace(core, game, policies)
        write(work, laid(view))
        work.set("key", Rng.key(rng.state))
        return BoardTries(work, view)


KERNEL.provide(BoardGame, BoardKernel())
SEARCH.provide(BoardGame, BoardSearch())
