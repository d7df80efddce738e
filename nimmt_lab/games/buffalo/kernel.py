"""Interface to the compiled Beat the Buffalo (`kernel.c`, `search.c`, `games.c`): its workspace, and how the named
policies use special cards.

The core supports all options of the chapter. It draws the same random numbers as the engine, so both play the same
rounds. Policies that weigh cards use special cards like `team.py`; others never use them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from math import factorial
from typing import Final, Literal

from nimmt_lab.engine.cards import EMPTY, LAST_CARD, TEAM
from nimmt_lab.engine.decisions import Choice, ChooseCard, ChooseRow, Decision
from nimmt_lab.engine.errors import Unsupported
from nimmt_lab.engine.game import Game
from nimmt_lab.engine.guess import mixes_of
from nimmt_lab.engine.play import Play
from nimmt_lab.engine.rng import Rng
from nimmt_lab.engine.state import GameState
from nimmt_lab.engine.view import View
from nimmt_lab.games.classic.kernel import risks
from nimmt_lab.native.games import CoreGames, Parts
from nimmt_lab.native.kernel import KERNEL, LOW_CARDS, POLICIES, SEARCH, STEPS, WAYS, Kernel, Search, Ways
from nimmt_lab.native.layout import layout_of
from nimmt_lab.native.loader import Core, Pace, core
from nimmt_lab.native.rounds import CoreRounds
from nimmt_lab.native.tries import CoreTries, Estimate, summed
from nimmt_lab.native.work import STATS, Workspace

from .parts import ALL_SPECIALS, BuffaloTable, Special
from .rules import Buffalo
from .team import swap_card, team_use
from .uses import (
    ChooseSwap,
    First,
    Insert,
    Last,
    LiftStop,
    Pass,
    Push,
    SevenTakes,
    Sort,
    Sorts,
    Stop,
    Swap,
    Use,
    UseSpecials,
)

OPTIONS: Final = 64
CODES: Final = 6144
MIXES: Final = 256
#: The codes of uses, by group: passing, removing a Stop!, and the kinds of special card.
USES: Final = 8192
NOBODY: Final = 255
KINDS: Final = tuple(Special)
#: The core's number of a solo player's playout policy (`alone.h`), and those of the other policies.
ALONE: Final = "alone"
_NUMBERS: Final = {**POLICIES, ALONE: 6}
#: The policies that use special cards.
WEIGHING: Final = ("closest-safe", "least-risk", "edges-first")
#: The core's numbers for kinds of decisions: a card, a row, a use, a card to swap in.
_USE: Final = 2
#: How many equivalent uses of each kind are searched.
_ALIKE: Final = 3
#: Playouts in the tree: this factor times the budget, divided by the number of cards in hand.
_LONE_SHARE: Final = 20
_PARTS: Final = 1 << 31

#: The fields that `nimmt_lab.rl.vector` shows, without face-down cards.
PARTS: Final[Parts] = {
    **{name: (name, ()) for name in ("seed", "turn", "phase", "asked", "logged", "log", "pile", "sizes")},
    **{name: (name, ()) for name in ("rows", "end", "count", "sum", "seven", "stopped", "empty", "n_empty")},
    **{name: (name, ()) for name in ("up", "n_up", "n_deck", "used", "n_queue", "first_card", "last_card")},
    **{name: (name, ()) for name in ("passed", "swapping")},
    "taken": ("heads", ()),
    "hands": ("hand", ((0, -2),)),
    **{name: (name, ((0, -1),)) for name in ("options", "counts", "queue")},
    "queue_seats": ("seats", ((0, -1),)),
    "played": ("played", ((0, 10), (0, -1))),
}


def workspace(core: Core, game: Buffalo, policies: Sequence[str], low_cards: Sequence[str]) -> Workspace:
    """A workspace with the game and everybody's policy; the first seat's policy decides about special cards."""
    work = Workspace(core, "nl_buffalo")
    work.set("players", game.players)
    work.set("hand_size", game.hand_size)
    work.set("deck_size", game.deck_size)
    work.set("between", int(game.between_turns))
    work.set("takes_at", game.places_in_row + (1 if game.edition == "000" else 0))
    work.set("tie_loses", int(game.tie == "loss"))
    work.set("policies", [_NUMBERS[name] for name in policies])
    work.set("lows", [LOW_CARDS[name] for name in low_cards])
    work.set("team", int(policies[0] in WEIGHING))
    work.set("risk", risks(game.players, game.places_in_row))
    work.set("card_heads", [0, *(game.heads_in((card,)) for card in range(1, LAST_CARD + 1))])
    work.set("swapping", NOBODY)
    return work


def lay(work: Workspace, table: GameState | View) -> None:
    """Write the visible cards into a workspace."""
    extra = BuffaloTable.of(table)
    work.set("rows", [card for row in table.rows for card in (*row, *(0,) * (8 - len(row)))])
    work.set("count", [len(row) for row in table.rows])
    work.set("seven", sum(1 << row for row in extra.seven_takes))
    work.set("stopped", sum(1 << row for row in extra.stopped))
    work.set("n_empty", len(extra.empty))
    work.set("empty", extra.empty)
    work.set("n_up", len(extra.up))
    work.set("up", [KINDS.index(kind) for kind in extra.up])
    work.set("n_deck", len(extra.special_deck))
    work.set("n_queue", len(table.queue))
    work.set("queue", [play.card for play in table.queue])
    work.set("seats", [play.seat for play in table.queue])
    work.set("first_card", extra.first or 0)
    work.set("last_card", extra.last or 0)
    work.set("passed", int(extra.passed))
    work.set("swapping", NOBODY if extra.swapping is None else extra.swapping)
    work.set("n_cards", len(extra.deck))


def code(use: Choice, queue: Sequence[Play]) -> int:
    """A choice as a number: a card or a row is its own number; a use combines its group and its target.

    >>> code(Pass(), ()), code(LiftStop(2), ()), code(Push(7, 3), ()) % USES, code(14, ())
    (0, 8194, 31, 14)
    """
    match use:
        case int():
            return use
        case Pass():
            return 0
        case LiftStop(row):
            return USES + row
        case SevenTakes(row) | Stop(row) | Insert(row):
            what = row
        case Swap(seat):
            what = seat
        case Push(card, row):
            what = 4 * card + row
        case First(seat, second) | Last(seat, second):
            what = 2 * seat + second
        case Sort(order):
            left, what = [play.card for play in queue], 0
            for card in order:
                at = left.index(card)
                what += at * factorial(len(left) - 1)
                del left[at]
        case _:
            raise TypeError(f"{use} is nothing the team does")
    assert use.kind is not None
    return USES * (2 + KINDS.index(use.kind)) + what


def use_of(number: int, queue: Sequence[Play]) -> Use:
    """The inverse of `code`.

    >>> use_of(code(Push(7, 3), ()), ())
    Push(card=7, row=3)
    """
    group, what = divmod(number, USES)
    if group < 2:
        return LiftStop(what) if group else Pass()
    match KINDS[group - 2]:
        case Special.SEVEN_TAKES:
            return SevenTakes(what)
        case Special.STOP:
            return Stop(what)
        case Special.SWAP:
            return Swap(what)
        case Special.INSERT:
            return Insert(what)
        case Special.PUSH:
            return Push(what // 4, what % 4)
        case Special.FIRST:
            return First(what // 2, bool(what % 2))
        case Special.LAST:
            return Last(what // 2, bool(what % 2))
        case Special.SORT:
            order = Sorts(tuple(play.card for play in queue))[what]
            assert isinstance(order, Sort)
            return order


class BuffaloKernel(Kernel):
    """Whole rounds."""

    code: Literal["B", "i"] = "i"

    def plays(self, game: Game) -> bool:
        """Any game of this chapter; a subclass may have other rules."""
        return type(game) is Buffalo

    def rounds(self, core: Core, game: Game, policies: Sequence[str], low_cards: Sequence[str]) -> CoreRounds:
        """Rounds of this game."""
        assert isinstance(game, Buffalo)
        return CoreRounds(workspace(core, game, policies, low_cards), "nl_buffalo_rounds", 2, code=self.code, slice=512)


class BuffaloSteps:
    """Vectorised games (`games.c`)."""

    def games(self, core: Core, game: Game, wins: bool) -> CoreGames:
        """All options of the chapter; a subclass may have other rules."""
        if type(game) is not Buffalo:
            raise Unsupported("shared.core_cannot_play", game=repr(game))
        work = workspace(core, game, ["random"] * game.players, ["cheapest"] * game.players)
        work.set("wins", int(wins))
        return CoreGames(work, "nl_buffalo", layout_of(core, "nl_buffalo_game"), PARTS, POLICIES)


class BuffaloTries(CoreTries):
    """Playouts for a card, a row, a card to swap in, or a team decision, which uses only visible cards."""

    queue: tuple[Play, ...] = ()

    def compare(self) -> Choice | None:
        """Compare with the playout policy's choice. Not for a solo player, who has few options and plays to win."""
        if self.work.one("players") == 1:
            return None
        with self.work.claim:
            number = self.work.call("nl_buffalo_usual")
            self.usual = use_of(number, self.queue) if self.work.one("asked") == _USE else number
        return self.usual

    def promising(self, options: Sequence[Choice], most: int) -> list[Choice] | None:
        """Passing, and the uses that gain most by the end of this turn; only a few of those with the same effect."""
        listed = list(options[: CODES - 1])
        with self.work.claim:
            self.work.set("n_codes", len(listed))
            self.work.set("codes", [code(use, self.queue) for use in listed])
            self.work.call("nl_buffalo_outlooks")
            values = self.work.get("values", len(listed))
        chosen: list[Choice] = [Pass()]
        alike: Counter[tuple[type, int]] = Counter()
        for at in sorted(range(len(listed)), key=lambda at: -values[at]):
            kind = type(listed[at]), values[at]
            alike[kind] += 1
            if alike[kind] <= _ALIKE and not isinstance(listed[at], Pass):
                chosen.append(listed[at])
        return chosen[:most]


class LoneTries(BuffaloTries):
    """Playouts for a solo player's card. Nobody else makes decisions, so a search tree pays off."""

    def deepen(self, options: Sequence[Choice], playouts: int) -> list[Estimate] | None:
        """The cards the tree visited most. With fewer cards left, playouts are shorter and more of them are run."""
        work, count = self.work, len(options)
        tree = work.core.memory(work.core.call("nl_buffalo_tree"))
        with work.claim:
            work.set("options", [self.code(option) for option in options])
            work.set("n_options", count)
            for some in Pace(64).portions(_LONE_SHARE * playouts // count):
                work.call("nl_buffalo_alone", tree, tree.size, some)
            tried, stats = work.get("tried", count), work.get("stats", STATS * count)
        return [
            summed(option, tried[at], stats[STATS * at : STATS * (at + 1)])
            for at, option in enumerate(options)
            if 2 * tried[at] >= max(tried)
        ]


class BuffaloSearch(Search):
    """Playouts from a view."""

    is_plain = True

    def tries(self, core: Core, view: View, rng: Rng, skilled: bool) -> CoreTries | None:
        """Playouts for every decision. Cards far from the middle are best played early, because the middle cards must
        last the team a long time. A solo player searches deeper (`alone.h`)."""
        if skilled and view.game.players == 1 and not _has_specials(BuffaloTable.of(view)):
            return self._tries(core, view, rng, ALONE)
        return self._tries(core, view, rng, "edges-first" if skilled else "random")

    def even(self, core: Core, view: View, rng: Rng, *, blind: bool = False) -> CoreTries | None:
        """Everybody plays by least risk, uses special cards like `team.py` (`WAYS`) and takes the cheapest row. The
        core does not support a team that has not looked at its hands."""
        return None if blind else self._tries(core, view, rng, "least-risk")

    def _tries(self, core: Core, view: View, rng: Rng, policy: str) -> CoreTries | None:
        game, decision, extra = view.game, view.decision, BuffaloTable.of(view)
        asked = _asked(decision)
        if type(game) is not Buffalo or asked is None:
            return None
        work = workspace(core, game, [policy] * game.players, ["cheapest"] * game.players)
        lay(work, view)
        work.set("heads", view.pile_heads)
        work.set("held", view.hand_sizes)
        if view.seat != TEAM:
            work.set("hand", view.hand, at=10 * view.seat)
        work.set("me", view.seat)
        work.set("asked", asked)
        unseen = view.unseen
        work.set("pool", unseen)
        work.set("n_pool", len(unseen))
        self._pile(work, game, view, unseen)
        lying = [Special.SEVEN_TAKES] * len(extra.seven_takes) + [Special.STOP] * len(extra.stopped)
        left = Counter(ALL_SPECIALS) - Counter((*extra.up, *extra.used, *lying))
        pool = [KINDS.index(kind) for kind in sorted(left.elements(), key=KINDS.index)]
        work.set("special_pool", pool)
        work.set("n_special_pool", len(pool))
        work.set("key", rng.state)
        work.set("usual", -1)
        queue = view.queue
        alone = policy == ALONE and isinstance(decision, ChooseCard)
        weight = {"random": 2, ALONE: 2}.get(policy, WEIGHTS[game.players])
        tries = (LoneTries if alone else BuffaloTries)(
            work, "nl_buffalo_search", lambda use: code(use, queue), most=OPTIONS, weight=weight
        )
        tries.queue = queue
        return tries

    @staticmethod
    def _pile(work: Workspace, game: Buffalo, view: View, unseen: Sequence[int]) -> None:
        """The possible cards and heads of the buffalo's face-down pile (`nimmt_lab.engine.guess`)."""
        pile = view.piles[game.pile_of(game.buffalo)]
        if EMPTY not in pile:
            return
        kinds = sorted(Counter(game.heads_in((card,)) for card in unseen).items())
        mixes, sets = mixes_of(tuple(kinds), len(pile), view.pile_heads[game.pile_of(game.buffalo)])
        work.set("n_kinds", len(kinds))
        work.set("kinds", [heads for heads, _ in kinds])
        work.set("n_mixes", len(mixes))
        work.set("mixes", [count for mix in mixes for count in (*mix, *(0,) * (8 - len(mix)))])
        work.set("chance", [min(_PARTS - 1, ways * _PARTS // sets[-1]) for ways in sets])


#: The cost of a playout in classic playouts, by number of players; weighing special cards takes time.
WEIGHTS: Final = {1: 1, 2: 6, 3: 12, 4: 16, 5: 25, 6: 35}


def _has_specials(extra: BuffaloTable) -> bool:
    """Whether any special card is in play; in a position set up by hand, even a solo game may have some."""
    return bool(extra.up or extra.special_deck or extra.seven_takes or extra.stopped or extra.empty)


def _asked(decision: Decision | None) -> int | None:
    match decision:
        case ChooseSwap():
            return 3
        case UseSpecials():
            return _USE
        case ChooseRow():
            return 1
        case ChooseCard():
            return 0
    return None


class BuffaloWays(Ways):
    """Policies that weigh cards also use special cards."""

    def by_core(self, core: Core, view: View) -> Use:
        """A fast version of `team_use`."""
        game = view.game
        assert isinstance(game, Buffalo)
        work = workspace(core, game, ["least-risk"] * game.players, ["cheapest"] * game.players)
        lay(work, view)
        work.set("heads", view.pile_heads)
        work.set("held", view.hand_sizes)
        work.set("me", TEAM)
        return use_of(work.call("nl_buffalo_team"), view.queue)

    def choose(self, policy: str, view: View, decision: Decision) -> Choice | None:
        """The choice by `team.py`; policies that don't weigh cards pass."""
        if policy in WEIGHING and isinstance(decision, UseSpecials):
            native = core()
            return team_use(view, decision) if native is None else self.by_core(native, view)
        if policy in WEIGHING and isinstance(decision, ChooseSwap):
            return swap_card(view, decision)
        return None


KERNEL.provide(Buffalo, BuffaloKernel())
STEPS.provide(Buffalo, BuffaloSteps())
SEARCH.provide(Buffalo, BuffaloSearch())
WAYS.provide(Buffalo, BuffaloWays())
