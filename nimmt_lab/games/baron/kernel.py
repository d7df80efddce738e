"""Interface to the compiled Bull Baron (`kernel.c`, `search.c`, `games.c`): its workspace, and the costs by which
policies choose cards and rows.

The core supports all variants, piles and decks. It draws the same random numbers as the engine, so both play the same
rounds. In playouts everybody plays by least risk and puts a card where it takes the fewest bulls (the most, if bulls
are good).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, Literal

from nimmt_lab.engine.cards import Card, Cards
from nimmt_lab.engine.decisions import Choice, ChooseCard, ChooseRow, Decision
from nimmt_lab.engine.errors import Unsupported
from nimmt_lab.engine.game import Game
from nimmt_lab.engine.play import Turn
from nimmt_lab.engine.rng import Rng
from nimmt_lab.engine.state import HasRows
from nimmt_lab.engine.view import View
from nimmt_lab.native.games import CoreGames, Parts
from nimmt_lab.native.kernel import KERNEL, LOW_CARDS, POLICIES, SEARCH, STEPS, WAYS, Kernel, Search, Ways
from nimmt_lab.native.layout import layout_of
from nimmt_lab.native.loader import Core
from nimmt_lab.native.rounds import CoreRounds
from nimmt_lab.native.seating import SEATING, ByCost
from nimmt_lab.native.tries import CoreTries
from nimmt_lab.native.work import Workspace

from .deck import CARDS, COLOURS, BaronDeck
from .rules import VARIANTS, Baron, DrawPiles

OPTIONS: Final = 8
#: The core's number for placing a card where it takes least, after those of `LOW_CARDS`.
CAREFUL: Final = 3
#: The value of a step away from the middle of the deck to `edges-first`, and that middle.
EDGE_BONUS: Final = 40
MIDDLE: Final = CARDS // 2


def workspace(core: Core, game: Baron, policies: Sequence[int], low_cards: Sequence[int]) -> Workspace:
    """A workspace with the game and everybody's policy."""
    work = Workspace(core, "nl_baron")
    cards = range(1, CARDS + 1)
    work.set("players", game.players)
    work.set("dealt", game.pile_size)
    work.set("variant", VARIANTS.index(game.variant))
    work.set("policies", policies)
    work.set("lows", low_cards)
    work.set("card_lanes", [0, *(_lanes(game.deck, (card,), 6) for card in cards)])
    work.set("card_bulls", [0, *(game.heads_in((card,)) for card in cards)])
    work.set("colours", [0, *(game.deck.colours(card) for card in cards)])
    return work


def _lanes(deck: BaronDeck, cards: Sequence[Card], most: int) -> int:
    """Bulls of each colour, a byte each, capped at `most` (six or more)."""
    return sum(
        min(most, sum(deck.bulls_of(card, colour) for card in cards)) << 8 * at for at, colour in enumerate(COLOURS)
    )


def lay(work: Workspace, game: Baron, rows: Sequence[Sequence[Card]]) -> None:
    """Write the rows into a workspace."""
    work.set("lanes", [_lanes(game.deck, row, 7) for row in rows])
    work.set("end", [row[-1] for row in rows])
    work.set("count", [len(row) for row in rows])
    work.set("bulls", [game.heads_in(tuple(row)) for row in rows])


class BaronKernel(Kernel):
    """Whole rounds."""

    code: Literal["B", "i"] = "i"

    def plays(self, game: Game) -> bool:
        """Any game of this chapter; a subclass may have other rules."""
        return type(game) is Baron

    def rounds(self, core: Core, game: Game, policies: Sequence[str], low_cards: Sequence[str]) -> CoreRounds:
        """Rounds of this game."""
        assert isinstance(game, Baron)
        work = workspace(core, game, [POLICIES[name] for name in policies], [LOW_CARDS[name] for name in low_cards])
        return CoreRounds(work, "nl_baron_rounds", game.players, code=self.code, slice=2048)


class BaronSearch(Search):
    """Playouts from a view."""

    def tries(self, core: Core, view: View, rng: Rng, skilled: bool) -> CoreTries | None:
        """For a card, and for a row."""
        game, decision = view.game, view.decision
        if type(game) is not Baron or not isinstance(decision, (ChooseCard, ChooseRow)):
            return None
        piles = DrawPiles.of(view).piles
        policy, low = ("least-risk", CAREFUL) if skilled else ("random", LOW_CARDS["cheapest"])
        work = workspace(core, game, [POLICIES[policy]] * game.players, [low] * game.players)
        lay(work, game, view.rows)
        work.set("taken", view.pile_heads)
        work.set("held", view.hand_sizes)
        work.set("size", [len(pile) for pile in piles])
        work.set("hand", view.hand, at=4 * view.seat)
        work.set("points", view.totals)
        work.set("pool", view.unseen)
        work.set("n_pool", len(view.unseen))
        work.set("me", view.seat)
        work.set("for_row", int(isinstance(decision, ChooseRow)))
        work.set("n_queue", len(view.queue))
        work.set("queue", [play.card for play in view.queue])
        work.set("seats", [play.seat for play in view.queue])
        work.set("key", rng.state)
        return CoreTries(work, "nl_baron_search", _number, most=OPTIONS, weight=3)

    def even(self, core: Core, view: View, rng: Rng, *, blind: bool = False) -> CoreTries | None:
        """Everybody plays alike anyway."""
        tries = self.tries(core, view, rng, True)
        if blind and tries is not None:
            pool = sorted((*view.unseen, *view.hand))
            tries.work.set("pool", pool)
            tries.work.set("n_pool", len(pool))
            tries.work.set("blind", 1)
        return tries

    def usual(self, view: View, decision: Decision) -> Choice | None:
        """Cards by least risk; of several rows the one where the card takes least."""
        game = view.game
        if not isinstance(decision, ChooseRow):
            return None
        assert isinstance(game, Baron)
        return min(decision.options, key=lambda row: careful(view, game, row, decision.card))


def careful(table: HasRows, game: Baron, row: int, card: Card) -> tuple[int, int, int]:
    """The number by which a card chooses between rows, lowest first; equal to `CAREFUL` in `turn.h`. It prefers the
    fewest bulls (the most, if they are good), then the row with the fewest cards, then the highest end.

    >>> state = Baron(players=2).deal(seed=4)
    >>> len({careful(state, state.game, row, state.hands[0][0]) for row in range(5)})
    5
    """
    cards = table.rows[row]
    bulls = game.heads_in(tuple(cards)) * (-1 if game.bulls_are_good else 1)
    if not game.matching_rows(table, card):
        return bulls, 0, -cards[-1]
    return bulls if _takes(table, game, row, card) else 0, len(cards), -cards[-1]


def _number(option: Choice) -> int:
    assert isinstance(option, int)
    return option


def cost(table: HasRows, game: Baron, policy: str, card: Card) -> int:
    """The number that the weighing policies minimise; equal to `cost_of` in `turn.h`.

    A card that takes a row wherever it goes costs the bulls it would take now. Any other card costs less the lower it
    is (fewer cards go before it) and the more rows it can safely join. If bulls are good, the cost counts the bulls the
    card takes and those on the card itself, which leave the hand.

    >>> state = Baron(players=2).deal(seed=4)
    >>> [cost(state, state.game, "least-risk", card) for card in state.hands[0]] != [0, 0, 0, 0]
    True
    """
    fitting = game.matching_rows(table, card)
    bulls = [game.heads_in(row) for row in table.rows]
    taking = [bulls[row] for row in fitting if _takes(table, game, row, card)]
    safe = len(fitting) - len(taking)
    now = min(taking if fitting else bulls, default=0)
    own = game.heads_in((card,))
    if game.bulls_are_good:
        cost = -60 * max(taking) - 30 * own if taking else -30 * own if fitting else 30 * own
        if policy == "closest-safe":
            return -128 * max(taking) + card if taking else card if fitting else 128 + card
    else:
        cost = (game.players - 1) * (card - 1) * sum(bulls) // ((1 + safe) ** 2 * 5) if safe else 110 * now
        if policy == "closest-safe":
            return 128 * (5 - safe) + card if safe else 1024 + 128 * now + card
    return cost - (EDGE_BONUS * abs(card - MIDDLE) if policy == "edges-first" else 0)


def _takes(table: HasRows, game: Baron, row: int, card: Card) -> bool:
    cards = table.rows[row]
    full = len(cards) >= game.row_limit and game.variant != "colour_counts"
    return full or game.deck.reaches_six(cards, card)


class BaronSeating(ByCost):
    """Cards by their cost; rows by the fewest bulls, or by the yardstick's choice."""

    weighing = (POLICIES["least-risk"], POLICIES["closest-safe"], POLICIES["edges-first"])
    habits = (LOW_CARDS["cheapest"], CAREFUL, LOW_CARDS["random"])

    def cards(self, decision: Decision, choice: Choice) -> Cards | None:
        """A card each turn."""
        return (choice,) if isinstance(decision, ChooseCard) and isinstance(choice, int) else None

    def cost(self, game: Game, policy: int, table: HasRows, card: Card) -> int:
        """By `cost`, with the number of a policy."""
        assert isinstance(game, Baron)
        return cost(table, game, _NAMES[policy], card)

    def by_habit(self, habit: int, view: View, decision: Decision) -> Choice | None:
        """One of several rows."""
        game = view.game
        assert isinstance(game, Baron) and isinstance(decision, ChooseRow)
        if habit == CAREFUL:
            return min(decision.options, key=lambda row: careful(view, game, row, decision.card))
        return game.cheapest_row(view, decision.options) if habit == LOW_CARDS["cheapest"] else None

    def held(self, view: View) -> Sequence[Turn]:
        """Cards played since the hands were last refilled. Draw piles stay hidden."""
        size = Baron.hand_size
        return [turn for turn in view.history if turn.number // size == view.turn // size]


_NAMES = {number: name for name, number in POLICIES.items()}


class BaronWays(Ways):
    """Policies that weigh cards also weigh colours here."""

    def choose(self, policy: str, view: View, decision: Decision) -> Choice | None:
        """The card with the lowest cost; the lowest card in a tie."""
        game = view.game
        if policy not in ("closest-safe", "least-risk", "edges-first") or not isinstance(decision, ChooseCard):
            return None
        assert isinstance(game, Baron)
        return min(view.hand, key=lambda card: cost(view, game, policy, card))


class BaronSteps:
    """Vectorised games (`games.c`)."""

    def games(self, core: Core, game: Game, wins: bool) -> CoreGames:
        """Any game of this chapter; a subclass may have other rules."""
        if type(game) is not Baron:
            raise Unsupported("shared.core_cannot_play", game=repr(game))
        work = workspace(core, game, [0] * game.players, [0] * game.players)
        work.set("games", game.games)
        work.set("wins", int(wins))
        return CoreGames(work, "nl_baron", layout_of(core, "nl_baron_game").as_bytes("lanes"), PARTS, POLICIES)


#: The fields that `nimmt_lab.rl.vector` shows (`nimmt_lab.native.games`). Draw piles are hidden.
PARTS: Final[Parts] = {
    **{name: (name, ()) for name in ("seed", "round", "turn", "phase", "asked", "logged", "log", "queued", "placed")},
    **{name: (name, ()) for name in ("end", "count")},
    "sum": ("bulls", ()),
    **{name: (name, ((0, -1),)) for name in ("totals", "taken", "held", "counts", "queue")},
    "rows": ("rows", ((0, 5), (0, 30))),
    "colours": ("lanes", ((0, 5), (0, len(COLOURS)))),
    "hands": ("hand", ((0, -1), (0, 4))),
    "options": ("options", ((0, -1), (0, 5))),
    "queue_seats": ("seats", ((0, -1),)),
    "draw": ("size", ((0, -1),)),
    "played_by": ("by", ((0, CARDS + 1),)),
    "played_at": ("when", ((0, CARDS + 1),)),
    "lies": ("lies", ((0, CARDS + 1),)),
}

KERNEL.provide(Baron, BaronKernel())
SEARCH.provide(Baron, BaronSearch())
SEATING.provide(Baron, BaronSeating())
STEPS.provide(Baron, BaronSteps())
WAYS.provide(Baron, BaronWays())
