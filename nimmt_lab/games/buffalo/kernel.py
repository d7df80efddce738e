"""Beat the Buffalo compiled (`kernel.c`, `search.c`, `games.c`): what the core must be told of a game or a view, and
how the named policies use special cards.

All options of the chapter are known to it. Chance is drawn as the engine draws it, so a round is the same whoever plays
it. Policies that weigh cards use special cards as `team.py` states; others never do.
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
from nimmt_lab.engine.table import LiveTable
from nimmt_lab.engine.view import View
from nimmt_lab.games.classic.kernel import risks
from nimmt_lab.native.games import CoreGames, Parts, Record
from nimmt_lab.native.kernel import KERNEL, LOW_CARDS, POLICIES, SEARCH, STEPS, WAYS, Search, Ways
from nimmt_lab.native.loader import Core, Pace, core
from nimmt_lab.native.rounds import CoreRounds
from nimmt_lab.native.tries import CoreTries, Estimate, summed
from nimmt_lab.native.work import CARDS, STATS, Layout, Workspace

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
#: The codes of uses, by group: to pass, to lift, and the kinds of special card.
USES: Final = 8192
NOBODY: Final = 255
KINDS: Final = tuple(Special)
#: How one player plays on in playouts, as `alone.h` has it; the core's numbers of this and the other policies.
ALONE: Final = "alone"
_NUMBERS: Final = {**POLICIES, ALONE: 6}
#: The policies that use special cards.
WEIGHING: Final = ("closest-safe", "least-risk", "edges-first")
#: What is asked, in the core's numbers: a card, a row, a use, a card to swap in.
_USE: Final = 2
#: Uses that come to the same this turn: so many of each kind are looked at.
_ALIKE: Final = 3
#: Playouts in the tree: those that were to be shared out, times this, by the cards in hand.
_LONE_SHARE: Final = 20
_PARTS: Final = 1 << 31

#: The fields of `buffalo_table`, `nl_buffalo` and `nl_buffalo_game` (`kernel.h`).
TABLE: Final[Layout] = {
    "heads": ("i", 2),
    "rows": ("B", 32),
    "count": ("B", 4),
    "seven": ("B", 1),
    "stopped": ("B", 1),
    "n_empty": ("B", 1),
    "empty": ("B", 4),
    "n_up": ("B", 1),
    "up": ("B", 2),
    "n_deck": ("B", 1),
    "deck": ("B", 16),
    "n_queue": ("B", 1),
    "queue": ("B", 8),
    "seats": ("B", 8),
    "first_card": ("B", 1),
    "last_card": ("B", 1),
    "passed": ("B", 1),
    "swapping": ("B", 1),
    "held": ("B", 6),
    "hand": ("B", 60),
    "n_cards": ("B", 1),
    "cards": ("B", 10),
    "filler": ("B", 3),
}
LAYOUT: Final[Layout] = {
    "key": ("Q", 1),
    "first": ("Q", 1),
    "rng": ("Q", 1),
    "stats": ("q", STATS * OPTIONS),
    "gains": ("q", 2 * OPTIONS),
    "players": ("i", 1),
    "hand_size": ("i", 1),
    "deck_size": ("i", 1),
    "between": ("i", 1),
    "takes_at": ("i", 1),
    "policies": ("i", 8),
    "lows": ("i", 8),
    "tie_loses": ("i", 1),
    "wins": ("i", 1),
    "team": ("i", 1),
    "risk": ("i", 6 * CARDS),
    "log": ("i", 4),
    "plays": ("i", 8),
    "me": ("i", 1),
    "asked": ("i", 1),
    "n_options": ("i", 1),
    "options": ("i", OPTIONS),
    "tried": ("i", OPTIONS),
    "usual": ("i", 1),
    "n_pool": ("i", 1),
    "n_special_pool": ("i", 1),
    "n_mixes": ("i", 1),
    "n_kinds": ("i", 1),
    "kinds": ("i", 8),
    "mixes": ("i", 8 * MIXES),
    "chance": ("i", MIXES),
    "n_codes": ("i", 1),
    "codes": ("i", CODES),
    "values": ("i", CODES),
    **TABLE,
    "card_heads": ("B", CARDS),
    "pool": ("B", CARDS),
    "special_pool": ("B", 16),
}
_SHAPES: Final[dict[str, tuple[int, ...]]] = {"rows": (4, 8), "hand": (6, 10)}
RECORD: Final[Record] = {
    "seed": ("Q", ()),
    **{name: (kind, _SHAPES.get(name, (count,) if count > 1 else ())) for name, (kind, count) in TABLE.items()},
    "options": ("h", (7, 10)),
    "counts": ("h", (7,)),
    "players": ("B", ()),
    "hand_size": ("B", ()),
    "deck_size": ("B", ()),
    "between": ("B", ()),
    "takes_at": ("B", ()),
    "phase": ("B", ()),
    "asked": ("B", ()),
    "turn": ("B", ()),
    "end": ("B", (4,)),
    "sum": ("B", (4,)),
    "used": ("B", (8,)),
    "sizes": ("B", (2,)),
    "logged": ("B", ()),
    "log": ("B", (8, 5)),
    "played": ("B", (10, 7)),
    "pile": ("B", (104,)),
}
#: What is shown of a game in step, and `nimmt_lab.rl.vector` tells: nothing that lies face down.
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
    """A workspace with what is played, and how by whom; special cards are for the first seat's policy to use."""
    work = Workspace(core, LAYOUT, "nl_buffalo_size")
    work.set("players", game.players)
    work.set("hand_size", game.hand_size)
    work.set("deck_size", game.deck_size)
    work.set("between", int(game.between_turns))
    work.set("takes_at", game.places_in_row + (1 if game.edition == "000" else 0))
    work.set("tie_loses", int(game.tie == "loss"))
    work.set("policies", [_NUMBERS[name] for name in policies])
    work.set("lows", [LOW_CARDS[name] for name in low_cards])
    work.set("team", int(policies[0] in WEIGHING))
    work.set("risk", risks(game.players))
    work.set("card_heads", [0, *(game.heads_in((card,)) for card in range(1, LAST_CARD + 1))])
    work.set("swapping", NOBODY)
    return work


def lay(work: Workspace, table: GameState | View) -> None:
    """Write what lies open into a workspace."""
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
    """A choice as a number: a card or a row as it is; a use by its group and what it is used on.

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
    """The other way round.

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
            order = Sorts(tuple(play.card for play in queue)).nth(what)
            assert isinstance(order, Sort)
            return order


class BuffaloKernel:
    """Whole rounds."""

    code: Literal["B", "i"] = "i"

    def plays(self, game: Game) -> bool:
        """Any game of this chapter; a subclass may have other rules."""
        return type(game) is Buffalo

    def rounds(self, core: Core, game: Game, policies: Sequence[str], low_cards: Sequence[str]) -> CoreRounds:
        """Rounds of this game."""
        assert isinstance(game, Buffalo)
        return CoreRounds(workspace(core, game, policies, low_cards), "nl_buffalo_rounds", 2, code=self.code, slice=512)

    def deal(self, game: Game, seed: int, number: int) -> tuple[GameState, list[list[int]] | None, Rng]:
        """The deal from its own stream, choices from another."""
        stream = Rng.from_seed(seed, number)
        table = LiveTable(game, stream)
        game.start_round(table)
        return game._run(table), None, Rng.from_seed(stream.state, 1)


class BuffaloSteps:
    """Games in step (`games.c`)."""

    def games(self, core: Core, game: Game, wins: bool) -> CoreGames:
        """All options of the chapter; a subclass may have other rules."""
        if type(game) is not Buffalo:
            raise Unsupported("shared.core_cannot_play", game=repr(game))
        work = workspace(core, game, ["random"] * game.players, ["cheapest"] * game.players)
        work.set("wins", int(wins))
        return CoreGames(work, "nl_buffalo", RECORD, PARTS)


class BuffaloTries(CoreTries):
    """Playouts for a card, a row, a card to swap in, or what the team does: as one mind that sees what lies open."""

    queue: tuple[Play, ...] = ()

    def compare(self) -> Choice | None:
        """With what is done in the playouts. Alone there are few options, and what counts is the chance to win."""
        if self.work.one("players") == 1:
            return None
        with self.work.claim:
            found = self.work.call("nl_buffalo_usual")
            self.usual = use_of(found, self.queue) if self.work.one("asked") == _USE else found
        return self.usual

    def promising(self, options: Sequence[Choice], most: int) -> list[Choice] | None:
        """To pass, and what brings most by the end of this turn; of uses that come to the same, a few."""
        listed = list(options[: CODES - 1])
        with self.work.claim:
            self.work.set("n_codes", len(listed))
            self.work.set("codes", [code(use, self.queue) for use in listed])
            self.work.call("nl_buffalo_outlooks")
            values = self.work.get("values", len(listed))
        found: list[Choice] = [Pass()]
        alike: Counter[tuple[type, int]] = Counter()
        for at in sorted(range(len(listed)), key=lambda at: -values[at]):
            kind = type(listed[at]), values[at]
            alike[kind] += 1
            if alike[kind] <= _ALIKE and not isinstance(listed[at], Pass):
                found.append(listed[at])
        return found[:most]


class LoneTries(BuffaloTries):
    """Playouts for the card of one player: nobody else decides anything, so that a tree of what comes next pays."""

    def deepen(self, options: Sequence[Choice], playouts: int) -> list[Estimate] | None:
        """The cards that the tree came to look at most. With fewer cards left playouts are shorter: there are more."""
        work, count = self.work, len(options)
        tree = work.core.memory(work.core.call("nl_buffalo_tree"))
        left, pace = _LONE_SHARE * playouts // count, Pace(64)
        with work.claim:
            work.set("options", [self.code(option) for option in options])
            work.set("n_options", count)
            while left:
                with pace:
                    some = min(pace.amount, left)
                    work.call("nl_buffalo_alone", tree, tree.size, some)
                    left -= some
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
        """For everything that is asked. Cards far from the middle are best played early: the team has to live with its
        middle cards for long. Who is alone looks closer (`alone.h`)."""
        if skilled and view.game.players == 1 and not _has_specials(BuffaloTable.of(view)):
            return self._tries(core, view, rng, ALONE)
        return self._tries(core, view, rng, "edges-first" if skilled else "random")

    def even(self, core: Core, view: View, rng: Rng, *, blind: bool = False) -> CoreTries | None:
        """Everybody by least risk, special cards as `team.py` states it (`WAYS`), the cheapest row. A team
        that has not looked at its hands is not known to the core."""
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
        """What the buffalo's face-down pile may hold: so many cards with so many heads (`nimmt_lab.engine.guess`)."""
        pile = view.piles[game.pile_of(game.buffalo)]
        if EMPTY not in pile:
            return
        kinds = sorted(Counter(game.heads_in((card,)) for card in unseen).items())
        found, sets = mixes_of(tuple(kinds), len(pile), view.pile_heads[game.pile_of(game.buffalo)])
        work.set("n_kinds", len(kinds))
        work.set("kinds", [heads for heads, _ in kinds])
        work.set("n_mixes", len(found))
        work.set("mixes", [count for mix in found for count in (*mix, *(0,) * (8 - len(mix)))])
        work.set("chance", [min(_PARTS - 1, ways * _PARTS // sets[-1]) for ways in sets])


#: How many classic playouts one of these takes, by number of players: special cards are weighed in it.
WEIGHTS: Final = {1: 1, 2: 6, 3: 12, 4: 16, 5: 25, 6: 35}


def _has_specials(extra: BuffaloTable) -> bool:
    """Whether any special card lies about (in a position that somebody set up, also where one plays alone)."""
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
    """Policies that weigh cards use special cards, too."""

    def by_core(self, core: Core, view: View) -> Use:
        """`team_use`, quickly."""
        game = view.game
        assert isinstance(game, Buffalo)
        work = workspace(core, game, ["least-risk"] * game.players, ["cheapest"] * game.players)
        lay(work, view)
        work.set("heads", view.pile_heads)
        work.set("held", view.hand_sizes)
        work.set("me", TEAM)
        return use_of(work.call("nl_buffalo_team"), view.queue)

    def choose(self, policy: str, view: View, decision: Decision) -> Choice | None:
        """As `team.py` states it; the others pass."""
        if policy in WEIGHING and isinstance(decision, UseSpecials):
            found = core()
            return team_use(view, decision) if found is None else self.by_core(found, view)
        if policy in WEIGHING and isinstance(decision, ChooseSwap):
            return swap_card(view, decision)
        return None


KERNEL.provide(Buffalo, BuffaloKernel())
STEPS.provide(Buffalo, BuffaloSteps())
SEARCH.provide(Buffalo, BuffaloSearch())
WAYS.provide(Buffalo, BuffaloWays())
