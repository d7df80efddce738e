"""The classic family compiled (`kernel.c`): what the kernel must be told of a game, and its deals by the engine.

Every option of the chapter is known to it, and every fan card that brings its part (`kernel.h`, `kernel.py`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cache
from math import comb, isqrt
from typing import Any, Generic, Literal, NamedTuple, TypeVar

from nimmt_lab.engine.capability import Capability
from nimmt_lab.engine.cards import LAST_CARD, Cards
from nimmt_lab.engine.decisions import Choice, ChooseCard, Decision
from nimmt_lab.engine.errors import Unsupported
from nimmt_lab.engine.game import Game
from nimmt_lab.engine.rng import Rng
from nimmt_lab.engine.state import Extra, GameState
from nimmt_lab.engine.table import LiveTable
from nimmt_lab.engine.view import View
from nimmt_lab.native.games import CoreGames, Parts, Record
from nimmt_lab.native.kernel import KERNEL, LOW_CARDS, POLICIES, SEARCH, STEPS, WAYS, Ways
from nimmt_lab.native.loader import Core, Memory, core
from nimmt_lab.native.rounds import CoreRounds
from nimmt_lab.native.seating import SEATING
from nimmt_lab.native.work import CARDS, Work, card_set

from . import network
from .fan_card import AnyFanCard, Marker, Markers
from .rules import Classic
from .search import ClassicSearch
from .seating import ClassicSeating

C = TypeVar("C", bound=AnyFanCard)
M = TypeVar("M", bound=Marker)


class CardKernel(NamedTuple, Generic[C, M]):
    """What a fan card with a kernel brings: its bits in the workspace, and how its marker is laid there; and the rules
    of thumb (`POLICIES`) that go well with it."""

    flags: Callable[[C], int]
    lay: Callable[[Work, M], None]
    thumbs: tuple[str, ...] = ("edges-first",)


#: A fan card's part of the kernel, in its own `kernel.py`.
CARD: Capability[CardKernel[Any, Any]] = Capability("kernel", face="kernel")

#: Policies that look at the estimates of `risks`.
_WEIGHING = (POLICIES["least-risk"], POLICIES["edges-first"])


class ClassicKernel:
    """The classic game, its options and fan cards."""

    code: Literal["B", "i"] = "B"
    #: The class of games, exactly: a subclass may have other rules.
    kind: type[Classic] = Classic

    def plays(self, game: Game) -> bool:
        """Any game of this chapter whose fan cards all have kernels."""
        return type(game) is self.kind and all(CARD.find(card) for card in game.fan_cards)

    def rounds(self, core: Core, game: Game, policies: Sequence[str], low_cards: Sequence[str]) -> CoreRounds:
        """Rounds of this game."""
        work = Work(core)
        self.prepare(work, game, [POLICIES[name] for name in policies], [LOW_CARDS[name] for name in low_cards])
        return CoreRounds(work, "nl_classic_rounds", game.players, "nl_classic_totals")

    def prepare(self, work: Work, game: Game, policies: Sequence[int], low_cards: Sequence[int]) -> None:
        """What is played, and how by whom."""
        assert isinstance(game, Classic)
        work.set("players", game.players)
        work.set("hand", game.hand_size)
        work.set("deck", game.last_card)
        work.set("flags", sum(CARD.of(card).flags(card) for card in game.fan_cards))
        work.set("ascending", int(game.row_order == "ascending"))
        work.set("heads", [0, *(game.heads_in((card,)) for card in range(1, LAST_CARD + 1))])
        work.set("policies", policies)
        work.set("lows", low_cards)
        if any(policy in _WEIGHING for policy in policies):
            self.weigh(work, game)

    def weigh(self, work: Work, game: Game) -> None:
        """What policies that weigh cards look at."""
        work.set("risk", risks(game.players - 1))

    def goes_on(self, work: Work, game: Game, round: int) -> None:
        """What the totals are worth after that round, if the game goes on then (`credit` in `search.c`)."""
        assert isinstance(game, Classic)
        most = game.most_played
        if most is not None and round + 1 >= most:
            return
        limit = game.limit or game.usual_limit
        fixed = None if most is None else most - round - 1
        work.set("limit", _NEVER if game.rounds else limit if game.is_reached(limit) else limit + 1)
        work.set("halves", [halving(game.players, left, fixed, is_limited=not game.rounds) for left in range(CARDS)])

    def lay(self, work: Work, game: Game, rows: Sequence[Cards], extra: Extra) -> None:
        """Rows, and what lies beside them."""
        assert isinstance(game, Classic)
        work.set("end", [row[-1] for row in rows])
        work.set("count", [len(row) for row in rows])
        work.set("sum", [game.heads_in(row) for row in rows])
        work.set("rows", [card for row in rows for card in (*row, *(0,) * (8 - len(row)))])
        markers = extra.all if isinstance(extra, Markers) else ()
        for card, marker in zip(game.fan_cards, markers, strict=True):
            CARD.of(card).lay(work, marker)

    def deal(self, game: Game, seed: int, number: int) -> tuple[GameState, list[list[int]], Rng]:
        """Dealt cards are in random order, so random play is the dealt order."""
        assert isinstance(game, Classic)
        stream = Rng.from_seed(seed, number)
        size, dealt = game.hand_size, game.hand_size * game.players
        cards, after = stream.shuffled(game.deck, take=dealt + game.rows_on_table)
        table = LiveTable(game, stream)
        game.start_round(table)
        return game._run(table), [list(cards[at : at + size]) for at in range(0, dealt, size)], after

    def has_network(self, game: Game) -> bool:
        """The network knows the classic ways of placing only."""
        return isinstance(game, Classic) and not game.fan_cards and game.heads == "printed"

    def thumbs(self, game: Game) -> tuple[int, ...]:
        """The rules of thumb that go well with the fan cards that lie."""
        assert isinstance(game, Classic)
        names = [name for card in game.fan_cards for name in CARD.of(card).thumbs]
        return tuple(POLICIES[name] for name in dict.fromkeys(names or CardKernel._field_defaults["thumbs"]))

    def network(self, work: Work, players: int, unseen: int, turns: int, against: str = "itself") -> Memory:
        """The learned numbers, and the chances of the turns to come."""
        memory = work.core.memory(4 * (network.CHANCES + network.WEIGHTS))
        memory.put(0, network.chances(players - 1, unseen, turns))
        memory.put(4 * network.CHANCES, network.weights(players, against))
        return memory

    def games(self, core: Core, game: Game, wins: bool) -> CoreGames:
        """Games in step (`games.c`)."""
        if not self.plays(game):
            raise Unsupported("shared.core_cannot_play", game=repr(game))
        assert isinstance(game, Classic)
        work = Work(core)
        self.prepare(work, game, [0] * game.players, [0] * game.players)
        limit = game.limit or game.usual_limit
        work.set("limit", _NEVER if game.rounds else limit if game.is_reached(limit) else limit + 1)
        work.set("rounds", game.most_played or 0)
        work.set("once", int(any(self._is_kept(game, card) for card in game.fan_cards)))
        work.set("wins", int(wins))
        return CoreGames(work, "nl_classic", RECORD, PARTS)

    def _is_kept(self, game: Classic, card: AnyFanCard) -> bool:
        """Whether the next round begins with what this one left of the card."""
        state = replace(game, fan_cards=(card,)).deal(0)
        marker = Markers.of(state).all[0] if isinstance(state.extra, Markers) else None
        return marker is not None and card.left_over(marker, game.edition) is not None


class DraftKernel(ClassicKernel):
    """The same with hands drafted at random from open cards."""

    def prepare(self, work: Work, game: Game, policies: Sequence[int], low_cards: Sequence[int]) -> None:
        super().prepare(work, game, policies, low_cards)
        work.set("draft", 1)
        work.set("first_seat", getattr(game, "first", 0))

    def deal(self, game: Game, seed: int, number: int) -> tuple[GameState, list[list[int]], Rng]:
        """Everybody picks at random, clockwise from the seat whose turn it is in that round (R-A1)."""
        n = game.players
        stream = Rng.from_seed(seed, number)
        cards, after = stream.shuffled(game.deck, take=len(game.deck) - 4)
        table = LiveTable(replace(game, first=number % n), stream)
        table.game.start_round(table)
        state = table.game._run(table)
        hands: list[list[int]] = [[] for _ in range(n)]
        for pick, card in enumerate(cards[: len(game.deck) - 4]):
            seat = (number + pick) % n
            hands[seat].append(card)
            state, _ = state.choose({seat: card})
        return state, hands, after


#: More heads than anybody will have.
_NEVER = 1_000_000


def halving(players: int, left: int, rounds: int | None, *, is_limited: bool) -> int:
    """How many heads behind, in parts of 16, halve a chance to win, with so many heads left to the limit for who is
    closest to it, and at most so many rounds to come.

    One round to come: about four heads; r rounds: the root of r times as many. Who is closest to the limit takes about
    6 + 30 / players heads a round, and the last round counts whole. Found by playing on from many totals.

    >>> [halving(4, left, None, is_limited=True) for left in (1, 20, 66)]
    [62, 98, 153]
    """
    # Rounds to come, in parts of 64
    to_come = 64 * (rounds or 1000)
    if is_limited:
        to_come = min(to_come, 58 + 64 * left * players // (30 + 6 * players))
    return 64 * isqrt(to_come << 8) // 128


@cache
def risks(others: int) -> tuple[int, ...]:
    """If every other card falls into a gap of g numbers with chance g/104, the number t of others' cards before mine is
    binomial. At 128·c + g: the chance that they make mine the one too many in a row of c cards; at g, that t is 0.
    In parts of 4096.

    >>> risks(3)[0], risks(3)[128 * 5], risks(3)[128 * 4 + 104]
    (4096, 4096, 0)
    """
    found = [0] * (6 * CARDS)
    for gap in range(LAST_CARD + 1):
        chance = [comb(others, t) * gap**t * (LAST_CARD - gap) ** (others - t) for t in range(others + 1)]
        for count in range(Classic.row_limit + 1):
            due = sum(
                chance[t] for t in range(others + 1) if (t == 0 if count == 0 else (count + t) % Classic.row_limit == 0)
            )
            found[CARDS * count + gap] = int(4096 * due // LAST_CARD**others)
    return tuple(found)


#: A game in step, field by field as `games.c` has it: type code and shape.
RECORD: Record = {
    "seed": ("Q", ()),
    "rng": ("Q", ()),
    "round": ("i", ()),
    "totals": ("i", (10,)),
    "end": ("i", (4,)),
    "count": ("i", (4,)),
    "sum": ("i", (4,)),
    "mark": ("i", (4,)),
    "shows": ("i", (4,)),
    "rows": ("B", (4, 8)),
    "taken": ("h", (10,)),
    "order": ("h", (10,)),
    "log": ("B", (10, 5)),
    "logged": ("B", ()),
    "players": ("B", ()),
    "hand": ("B", ()),
    "deck": ("B", ()),
    "flags": ("B", ()),
    "draft": ("B", ()),
    "phase": ("B", ()),
    "turn": ("B", ()),
    "asked": ("B", ()),
    "queued": ("B", ()),
    "placed": ("B", ()),
    # By seat: its hand, the actions it has, how many these are, whether it has a twister left.
    "seats": ("B", (10, 38)),
    "played": ("B", (10, 10)),
    "starts": ("B", (4,)),
    "stock_size": ("B", ()),
    "stock": ("B", (64,)),
}
#: What is shown of it (`nimmt_lab.native.games`), and `nimmt_lab.rl.vector` tells.
PARTS: Parts = {
    **{name: (name, ()) for name in ("seed", "round", "turn", "phase", "asked", "logged", "starts")},
    **{name: (name, ()) for name in ("end", "count", "sum", "mark", "shows")},
    "rows": ("rows", ((0, 4), (0, 5))),
    "totals": ("totals", ((0, -1),)),
    "taken": ("taken", ((0, -1),)),
    "log": ("log", ()),
    "hands": ("seats", ((0, -1), (0, 10))),
    "options": ("seats", ((0, -1), (16, 36))),
    "counts": ("seats", ((0, -1), (36, 37))),
    "spare": ("seats", ((0, -1), (37, 38))),
    "played": ("played", ((0, 10), (0, -1))),
    "stock": ("stock", ()),
    "stock_size": ("stock_size", ()),
}


class ClassicWays(Ways):
    """What was learned, and levels of its own."""

    def __init__(self, kernel: ClassicKernel) -> None:
        self.kernel = kernel

    def choose(self, policy: str, view: View, decision: Decision) -> Choice | None:
        """The card that the network judges best (`network.h`), where there is one and a core."""
        game, found = view.game, core() if policy == "trained" and isinstance(decision, ChooseCard) else None
        if found is None or not self.kernel.plays(game) or not self.kernel.has_network(game):
            return None
        theirs = (hand for seat, hand in enumerate(view.hands) if seat != view.seat)
        hidden = view.unseen or [card for hand in theirs for card in hand or ()]
        work, turns = Work(found), len(view.hand)
        self.kernel.lay(work, game, view.rows, view.extra)
        work.set("turns", turns)
        work.set("cards", view.hand)
        work.set("unseen", card_set(hidden))
        return view.hand[work.call("nl_classic_judge", self.kernel.network(work, game.players, len(hidden), turns))]

    def level(self, number: int, game: Game) -> str | None:
        """By rules of thumb, and by short searches."""
        return _LEVELS.get(number) if self.kernel.plays(game) else None


#: The levels that play otherwise than in any game, as bots by name.
_LEVELS = {
    **dict.fromkeys((2, 3, 4), "closest-safe"),
    5: "edges-first",
    6: "best:playouts=45",
    7: "best:playouts=140",
}


def provide(kind: type[Classic], kernel: ClassicKernel) -> None:
    """All that the family brings for a game of this class, by its kernel."""
    KERNEL.provide(kind, kernel)
    STEPS.provide(kind, kernel)
    SEARCH.provide(kind, ClassicSearch(kernel))
    SEATING.provide(kind, ClassicSeating(kernel))
    WAYS.provide(kind, ClassicWays(kernel))


CLASSIC = ClassicKernel()
provide(Classic, CLASSIC)
