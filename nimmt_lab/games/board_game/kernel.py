"""Interface to the compiled board game (`kernel.c`, `search.c`): whole games, and playouts from a view.

The core supports every option of the chapter, and every board and set of cards that fits its memory (`numbers.fits`);
the engine plays larger ones. In playouts seats follow `policy.py` or play at random.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from nimmt_lab.engine.cards import Card, Cards
from nimmt_lab.engine.decisions import Choice, ChooseCard, ChooseRow, Decision
from nimmt_lab.engine.errors import Unsupported
from nimmt_lab.engine.game import Game
from nimmt_lab.engine.habits import habit as plain_habit
from nimmt_lab.engine.play import Turn
from nimmt_lab.engine.rng import Rng
from nimmt_lab.engine.state import HasRows
from nimmt_lab.engine.view import View
from nimmt_lab.native.games import CoreGames, Parts
from nimmt_lab.native.kernel import KERNEL, LOW_CARDS, POLICIES, SEARCH, STEPS, Kernel, Search
from nimmt_lab.native.layout import layout_of
from nimmt_lab.native.loader import Core
from nimmt_lab.native.rounds import CoreRounds
from nimmt_lab.native.seating import SEATING, ByCost
from nimmt_lab.native.tries import CoreTries
from nimmt_lab.native.work import Workspace

from .numbers import OPTIONS, Numbers, code_of, fits, laid, settings, unlooked
from .policy import cost_of_tile, promising, sensible, worth_of_tile
from .rules import BoardGame
from .uses import Tiles

#: The policy that knows the board (`policy.py`).
SENSIBLE = 16
#: Either that policy or random play.
EITHER = 17
#: How seats make other decisions, whatever their policy (`board_policy.h`).
SENSIBLY, ANYTHING, BY_HABIT, ANY_CARD = 3, 4, 5, 6
#: The cost of a playout, compared with the classic game.
WEIGHT = 3


def workspace(core: Core, game: BoardGame, policies: Sequence[int], low_cards: Sequence[int] = (0,) * 6) -> Workspace:
    """A workspace with the game and everybody's policy, and an empty table."""
    work = Workspace(core, "nl_board")
    write(work, settings(game))
    write(work, {"policies": policies, "lows": low_cards})
    return work


def write(work: Workspace, numbers: Numbers) -> None:
    """Write fields into a workspace."""
    for field, values in numbers.items():
        work.set(field, values)


class BoardKernel(Kernel):
    """The board game, its options, boards and pieces."""

    code: Literal["B", "i"] = "i"

    def plays(self, game: Game) -> bool:
        """Whether this is a game of the chapter whose board and cards fit."""
        return type(game) is BoardGame and fits(game)

    def rounds(self, core: Core, game: Game, policies: Sequence[str], low_cards: Sequence[str]) -> CoreRounds:
        """Rounds of this game, ready to be played."""
        assert isinstance(game, BoardGame)
        work = workspace(core, game, [POLICIES[name] for name in policies], [LOW_CARDS[name] for name in low_cards])
        return CoreRounds(work, "nl_board_rounds", game.players, code=self.code, slice=2048)


class BoardSteps:
    """Games in step (`games.c`)."""

    def games(self, core: Core, game: Game, wins: bool) -> CoreGames:
        """Every mode of the chapter, on boards that the kernel has room for; a subclass may have other rules."""
        if type(game) is not BoardGame or not fits(game):
            raise Unsupported("shared.core_cannot_play", game=repr(game))
        work = workspace(core, game, [0] * game.players)
        work.set("wins", int(wins))
        policies = {**POLICIES, "sensible": SENSIBLE}
        return CoreGames(work, "nl_board", layout_of(core, "nl_board_game"), parts(game), policies)


def parts(game: BoardGame) -> Parts:
    """Visible parts of a batched game (`nimmt_lab.native.games`): nothing that is face down."""
    rows, seats = (0, len(game.layout.rows)), (0, -1)
    single = ("seed", "round", "turn", "asked", "two", "stops", "owed_seat", "owed", "starting", "luck_stacks")
    plan = ("skips", "at_start", "plan_row", "plan_luck", "n_plan_tiles", "plan_tiles")
    queue = ("n_queue", "queue_tile", "queue_seat", "n_stock", "n_deck", "n_discards", "discards")
    return {
        **{name: (name, ()) for name in (*single, *plan, *queue)},
        **{name: (name, (seats,)) for name in ("totals", "hands", "piles", "actions", "options", "counts", "played")},
        "luck": ("luck_held", (seats,)),
        "rows": ("rows", (rows, (0, max(map(len, game.layout.rows))))),
        "count": ("length", (rows,)),
        **{name: (name, (rows,)) for name in ("end", "sum")},
    }


class BoardTries(CoreTries):
    """Playouts of one decision."""

    def __init__(self, work: Workspace, view: View) -> None:
        super().__init__(work, "nl_board_search", code_of, most=OPTIONS, weight=WEIGHT)
        self.view = view

    def promising(self, options: Sequence[Choice], most: int) -> list[Choice] | None:
        """The pairs that look best immediately: thirty tiles make 435 of them."""
        assert self.view.decision is not None
        return promising(self.view, self.view.decision, most)


class BoardSearch(Search):
    """Playouts for every decision: tiles, cards, luck cards, rows."""

    def tries(self, core: Core, view: View, rng: Rng, skilled: bool) -> CoreTries | None:
        """Playouts in which this seat plays sensibly. Each other seat plays sensibly or at random, drawn for each
        playout, because its skill is unknown. If not `skilled`, all play at random. None if the board is too large."""
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
        tries = self._laid(core, game, view, rng, [SENSIBLE] * game.players)
        if blind:
            write(tries.work, unlooked(view))
        return tries

    def usual(self, view: View, decision: Decision) -> Choice | None:
        """Choices by `policy.py`."""
        return sensible(view, view.seat, decision)

    @staticmethod
    def _laid(core: Core, game: BoardGame, view: View, rng: Rng, policies: Sequence[int]) -> CoreTries:
        work = workspace(core, game, policies)
        write(work, laid(view))
        work.set("key", Rng.key(rng.state))
        return BoardTries(work, view)


class BoardSeating(ByCost):
    """Tiles by their cost; cards, luck cards and new rows sensibly, by default, or at random."""

    weighing = (SENSIBLE, POLICIES["closest-safe"], POLICIES["least-risk"], POLICIES["edges-first"])
    habits = (SENSIBLY, BY_HABIT, ANY_CARD, ANYTHING)

    def cards(self, decision: Decision, choice: Choice) -> Cards | None:
        """A tile or two each turn."""
        if isinstance(choice, Tiles):
            return choice.low, choice.high
        return (choice,) if isinstance(decision, ChooseCard) and isinstance(choice, int) else None

    def cost(self, game: Game, policy: int, table: HasRows, card: Card) -> int:
        """The cost by `worth_of_tile`, or by a simple policy."""
        assert isinstance(game, BoardGame)
        if policy == SENSIBLE:
            return -worth_of_tile(game, table, card)
        return cost_of_tile(game, table, _NAMES[policy], card)

    def by_habit(self, habit: int, view: View, decision: Decision) -> Choice | None:
        """The choice of a seat that decides alone."""
        if habit == SENSIBLY:
            return sensible(view, view.seat, decision)
        is_any = habit == ANYTHING or (habit == ANY_CARD and not isinstance(decision, ChooseRow))
        return None if is_any else plain_habit(view, decision)

    def held(self, view: View) -> Sequence[Turn]:
        """Everything held this round, including tiles drawn later."""
        return view.history


_NAMES = {number: name for name, number in POLICIES.items()}

KERNEL.provide(BoardGame, BoardKernel())
STEPS.provide(BoardGame, BoardSteps())
SEARCH.provide(BoardGame, BoardSearch())
SEATING.provide(BoardGame, BoardSeating())
