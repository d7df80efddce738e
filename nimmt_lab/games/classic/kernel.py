"""The compiled classic family (`kernel.c`): encoding of games and fan cards, and the kernel's deals by the engine."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cache
from math import comb, isqrt
from typing import Any, Generic, Literal, NamedTuple, TypeVar

from nimmt_lab.engine.capability import Capability
from nimmt_lab.engine.cards import LAST_CARD, Cards, Seat
from nimmt_lab.engine.decisions import Choice, ChooseCard, Decision
from nimmt_lab.engine.errors import Unsupported
from nimmt_lab.engine.game import Game
from nimmt_lab.engine.rng import Rng
from nimmt_lab.engine.state import Extra, GameState
from nimmt_lab.engine.table import LiveTable
from nimmt_lab.engine.view import View
from nimmt_lab.native.choices import CoreChoices
from nimmt_lab.native.games import CoreGames, Parts
from nimmt_lab.native.kernel import KERNEL, LOW_CARDS, POLICIES, SEARCH, STEPS, WAYS, Kernel, Ways
from nimmt_lab.native.layout import layout_of
from nimmt_lab.native.loader import Core, Memory, core
from nimmt_lab.native.rounds import CoreRounds
from nimmt_lab.native.seating import SEATING
from nimmt_lab.native.work import CARDS, Workspace, card_set

from . import ahead, network
from .fan_card import PACKED, AnyFanCard, Marker, Markers
from .rules import MOST_IN_ROW, Classic
from .search import ClassicSearch
from .seating import ClassicSeating

C = TypeVar("C", bound=AnyFanCard)
M = TypeVar("M", bound=Marker)


class CardKernel(NamedTuple, Generic[C, M]):
    """The kernel part of a fan card: flags, marker in the workspace, marker packed for the solver, and heuristics."""

    flags: Callable[[C], int]
    lay: Callable[[Workspace, M], None]
    pack: Callable[[C, M], int]
    thumbs: tuple[str, ...] = ("edges-first",)


#: Not inherited: a derived card may have other rules.
CARD: Capability[CardKernel[Any, Any]] = Capability("kernel", face="kernel", inherited=False)


def provide_card(kind: type[C], kernel: CardKernel[C, M]) -> None:
    """Register a fan card's kernel, and the packing of its marker for the solver."""
    CARD.provide(kind, kernel)
    PACKED.provide(kind, lambda card, marker: (kernel.flags(card), kernel.pack(card, marker)))


#: Policies that use the estimates of `risks`.
_WEIGHING = (POLICIES["least-risk"], POLICIES["edges-first"])

#: The rows, their places and their order of the usual table.
_PLAIN = 4, 5, "drawn"


class ClassicKernel(Kernel):
    code: Literal["B", "i"] = "B"
    #: The exact class of games: a subclass may have other rules.
    kind: type[Classic] = Classic

    def plays(self, game: Game) -> bool:
        return type(game) is self.kind and all(CARD.find(card) for card in game.fan_cards)

    def rounds(self, core: Core, game: Game, policies: Sequence[str], low_cards: Sequence[str]) -> CoreRounds:
        work = Workspace(core, "nl_classic")
        self.prepare(work, game, [POLICIES[name] for name in policies], [LOW_CARDS[name] for name in low_cards])
        return CoreRounds(work, "nl_classic_rounds", game.players, "nl_classic_totals")

    def choices(self, core: Core, game: Game) -> CoreChoices | None:
        if type(game) is not Classic or game.fan_cards or (game.rows, game.row_limit, game.row_order) != _PLAIN:
            return None
        work = Workspace(core, "nl_classic")
        self.prepare(work, game, [0] * game.players, [LOW_CARDS["cheapest"]] * game.players)
        self.weigh(work, game)
        return CoreChoices(work, "nl_classic_choices", game.players, game.hand_size)

    def prepare(self, work: Workspace, game: Game, policies: Sequence[int], low_cards: Sequence[int]) -> None:
        """Write the game and the seats' policies."""
        assert isinstance(game, Classic)
        work.set("players", game.players)
        work.set("hand", game.hand_size)
        work.set("deck", game.last_card)
        work.set("n_rows", game.rows)
        work.set("places", game.row_limit)
        work.set("flags", sum(CARD.of(card).flags(card) for card in game.fan_cards))
        work.set("ascending", int(game.row_order == "ascending"))
        work.set("heads", [0, *(game.heads_in((card,)) for card in range(1, LAST_CARD + 1))])
        work.set("policies", policies)
        work.set("lows", low_cards)
        if any(policy in _WEIGHING for policy in policies):
            self.weigh(work, game)

    def weigh(self, work: Workspace, game: Game) -> None:
        """Write the estimates for policies that weigh cards."""
        assert isinstance(game, Classic)
        work.set("risk", risks(game.players - 1, game.row_limit))

    def goes_on(self, work: Workspace, game: Game, round: int) -> None:
        """Write the value of totals after that round if the game continues (`credit` in `search.c`)."""
        assert isinstance(game, Classic)
        most = game.most_played
        if most is not None and round + 1 >= most:
            return
        limit = game.limit or game.usual_limit
        fixed = None if most is None else most - round - 1
        work.set("limit", _NEVER if game.rounds else limit if game.is_reached(limit) else limit + 1)
        work.set("halves", [halving(game.players, left, fixed, is_limited=not game.rounds) for left in range(CARDS)])

    def lay(self, work: Workspace, game: Game, rows: Sequence[Cards], extra: Extra) -> None:
        """Write rows and fan cards."""
        assert isinstance(game, Classic)
        work.set("n_rows", len(rows))
        work.set("places", game.row_limit)
        work.set("end", [row[-1] for row in rows])
        work.set("count", [len(row) for row in rows])
        work.set("sum", [game.heads_in(row) for row in rows])
        work.set("rows", [card for row in rows for card in (*row, *(0,) * (MOST_IN_ROW + 1 - len(row)))])
        markers = extra.all if isinstance(extra, Markers) else ()
        for card, marker in zip(game.fan_cards, markers, strict=True):
            CARD.of(card).lay(work, marker)

    def draws_card(self, state: GameState, seat: Seat) -> bool:
        # The kernel draws while a seat has its twister, even if no card in hand can be twisted.
        assert isinstance(state.game, Classic)
        return bool(state.game.special_plays(state, seat, tuple(range(1, LAST_CARD + 1))))

    def deal(self, game: Game, seed: int, number: int) -> tuple[GameState, list[list[int]], Rng]:
        """Dealt cards are in random order, so random play is the dealt order."""
        assert isinstance(game, Classic)
        stream = Rng.from_seed(seed, number)
        size, dealt = game.hand_size, game.hand_size * game.players
        cards, after = stream.shuffled(game.deck, take=dealt + game.rows)
        table = LiveTable(game, stream)
        game.start_round(table)
        return game._run(table), [list(cards[at : at + size]) for at in range(0, dealt, size)], after

    def has_network(self, game: Game) -> bool:
        """The network supports only the standard table without fan cards."""
        assert isinstance(game, Classic)
        return not game.fan_cards and game.heads == "printed" and (game.rows, game.row_limit) == (4, 5)

    def sees_ahead(self, view: View) -> bool:
        """Whether the networks of `ahead.py` know the decision: a card of a hidden hand on the standard table, not too
        many players."""
        game = view.game
        known = isinstance(view.decision, ChooseCard) and self.plays(game) and self.has_network(game)
        known = known and game.players <= ahead.MOST_PLAYERS
        return known and all(hand is None for seat, hand in enumerate(view.hands) if seat != view.seat)

    def lay_ahead(self, work: Workspace, view: View) -> Memory:
        """Write a view for the networks of `ahead.py`; return the probabilities of later turns."""
        game, turns, seats = view.game, len(view.hand), range(view.game.players)
        self.prepare(work, game, [0] * game.players, [LOW_CARDS["cheapest"]] * game.players)
        self.lay(work, game, view.rows, view.extra)
        taken = [game.heads_in(view.piles[seat]) for seat in seats]
        work.set("me", view.seat)
        work.set("turns", turns)
        work.set("cards", [*view.hand, *view.unseen])
        work.set("pool", len(view.unseen))
        work.set("unseen", card_set(view.unseen))
        work.set("taken", taken)
        work.set("points", [view.totals[seat] + taken[seat] for seat in seats])
        return self.network(work, game.players, len(view.unseen), turns)

    def thumbs(self, game: Game) -> tuple[int, ...]:
        """The heuristics suited to the fan cards."""
        assert isinstance(game, Classic)
        names = [name for card in game.fan_cards for name in CARD.of(card).thumbs]
        return tuple(POLICIES[name] for name in dict.fromkeys(names or CardKernel._field_defaults["thumbs"]))

    def network(self, work: Workspace, players: int, unseen: int, turns: int, against: str = "itself") -> Memory:
        """Write the weights and the probabilities of later turns."""
        memory = work.core.memory(4 * (network.CHANCES + network.WEIGHTS))
        memory.put(0, network.chances(players - 1, unseen, turns))
        memory.put(4 * network.CHANCES, network.weights(players, against))
        return memory

    def games(self, core: Core, game: Game, wins: bool) -> CoreGames:
        if not self.plays(game):
            raise Unsupported("shared.core_cannot_play", game=repr(game))
        assert isinstance(game, Classic)
        work = Workspace(core, "nl_classic")
        self.prepare(work, game, [0] * game.players, [LOW_CARDS["cheapest"]] * game.players)
        limit = game.limit or game.usual_limit
        work.set("limit", _NEVER if game.rounds else limit if game.is_reached(limit) else limit + 1)
        work.set("rounds", game.most_played or 0)
        work.set("once", int(any(self._is_kept(game, card) for card in game.fan_cards)))
        work.set("wins", int(wins))
        self.weigh(work, game)
        policies, mind = dict(POLICIES), None
        if self.has_network(game):
            policies["trained"] = network.TRAINED
            hands = (game.players - 1) * game.hand_size
            unseen = game.last_card - game.rows - game.hand_size if game.hidden_hands else hands
            mind = self.network(work, game.players, unseen, game.hand_size)
        return CoreGames(work, "nl_classic", layout_of(core, "nl_classic_game"), parts(game), policies, mind)

    def _is_kept(self, game: Classic, card: AnyFanCard) -> bool:
        """Whether the next round starts with this round's state of the card."""
        state = replace(game, fan_cards=(card,)).deal(0)
        marker = Markers.of(state).all[0] if isinstance(state.extra, Markers) else None
        return marker is not None and card.left_over(marker, game.edition) is not None


#: Out of reach.
_NEVER = 1_000_000


def halving(players: int, left: int, rounds: int | None, *, is_limited: bool) -> int:
    """The deficit in heads, in units of 1/16, that halves the chance to win, given the leader's distance to the limit
    and the maximum of rounds left.

    About four heads for one round, times the root of the number of rounds. The seat closest to the limit takes about 6
    + 30 / players heads a round, and the last round counts in full. Fitted by playing on from many totals.

    >>> [halving(4, left, None, is_limited=True) for left in (1, 20, 66)]
    [62, 98, 153]
    """
    # Rounds left, in units of 1/64
    to_come = 64 * (rounds or 1000)
    if is_limited:
        to_come = min(to_come, 58 + 64 * left * players // (30 + 6 * players))
    return 64 * isqrt(to_come << 8) // 128


@cache
def risks(others: int, row_limit: int) -> tuple[int, ...]:
    """At 128·c + g: the probability that mine overfills a row of c cards if each other card falls into a gap of g
    numbers with probability g/104 (binomial); at g, that none does. In units of 1/4096.

    >>> risks(3, 5)[0], risks(3, 5)[128 * 5], risks(3, 5)[128 * 4 + 104]
    (4096, 4096, 0)
    """
    table = [0] * ((row_limit + 1) * CARDS)
    for gap in range(LAST_CARD + 1):
        chance = [comb(others, t) * gap**t * (LAST_CARD - gap) ** (others - t) for t in range(others + 1)]
        for count in range(row_limit + 1):
            due = chance[0] if count == 0 else sum(chance[-count % row_limit :: row_limit])
            table[CARDS * count + gap] = int(4096 * due // LAST_CARD**others)
    return tuple(table)


def parts(game: Classic) -> Parts:
    """Visible parts of a batched game (`nimmt_lab.native.games`), for `nimmt_lab.rl.vector`."""
    rows, seats = (0, game.rows), (0, -1)
    return {
        **{name: (name, ()) for name in ("seed", "round", "turn", "phase", "asked", "logged", "log", "mark", "shows")},
        **{name: (name, (rows,)) for name in ("end", "count", "sum", "starts")},
        **{name: (name, (seats,)) for name in ("totals", "taken", "options", "counts", "spare")},
        "rows": ("rows", (rows, (0, game.row_limit))),
        "hands": ("hands", (seats, (0, 10))),
        "played": ("played", ((0, 10), seats)),
        "stock": ("stock", ()),
        "stock_size": ("stock_size", ()),
    }


class ClassicWays(Ways):
    """Bots that learned, and levels of the classic family."""

    def __init__(self, kernel: ClassicKernel) -> None:
        self.kernel = kernel

    def choose(self, policy: str, view: View, decision: Decision) -> Choice | None:
        """The best card: of `trained` (`network.h`) if there is a core, of the networks in `ahead.py` in any case."""
        if policy in ahead.NAMES:
            return self._ahead(policy, view) if self.kernel.sees_ahead(view) else None
        game, found = view.game, core() if policy == "trained" and isinstance(decision, ChooseCard) else None
        if found is None or not self.kernel.plays(game) or not self.kernel.has_network(game):
            return None
        theirs = (hand for seat, hand in enumerate(view.hands) if seat != view.seat)
        hidden = view.unseen or [card for hand in theirs for card in hand or ()]
        work, turns = Workspace(found, "nl_classic"), len(view.hand)
        self.kernel.lay(work, game, view.rows, view.extra)
        work.set("turns", turns)
        work.set("cards", view.hand)
        work.set("unseen", card_set(hidden))
        return view.hand[work.call("nl_classic_judge", self.kernel.network(work, game.players, len(hidden), turns))]

    def _ahead(self, name: str, view: View) -> Choice:
        found = core()
        if found is None:
            return ahead.favourite(ahead.kept(name), ahead.sight_of(view))
        work, mind = Workspace(found, "nl_classic"), found.memory(ahead.SIZE)
        mind.put(0, ahead.packed(name))
        return view.hand[work.call("nl_classic_ahead", self.kernel.lay_ahead(work, view), mind)]

    def level(self, number: int, game: Game) -> str | None:
        return _LEVELS.get(number) if self.kernel.plays(game) else None


#: Levels that differ from other games, as bot names.
_LEVELS = {
    **dict.fromkeys((2, 3, 4), "closest-safe"),
    5: "edges-first",
    6: "best-2:playouts=45",
    7: "best:playouts=140",
    8: "best",
}


def provide(kind: type[Classic], kernel: ClassicKernel) -> None:
    """Provide all compiled capabilities for a game of this class."""
    KERNEL.provide(kind, kernel)
    STEPS.provide(kind, kernel)
    SEARCH.provide(kind, ClassicSearch(kernel))
    SEATING.provide(kind, ClassicSeating(kernel))
    WAYS.provide(kind, ClassicWays(kernel))


CLASSIC = ClassicKernel()
provide(Classic, CLASSIC)
