"""Compiled playouts (`search.c`) for the classic game, advanced mode and fan cards."""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt
from typing import TYPE_CHECKING, TypeAlias

from nimmt_lab.engine.cards import Seat
from nimmt_lab.engine.decisions import CardOption, Choice, ChooseCard, ChooseRow, Decision
from nimmt_lab.engine.game import Game
from nimmt_lab.engine.habits import habit
from nimmt_lab.engine.rng import Rng
from nimmt_lab.engine.view import View
from nimmt_lab.native.kernel import LOW_CARDS, POLICIES, Search
from nimmt_lab.native.loader import Argument, Core, Memory
from nimmt_lab.native.tries import CoreTries, Estimate
from nimmt_lab.native.work import Workspace, card_set

from . import ahead
from .network import TRAINED
from .seating import BEFORE, KINDS, LEARNED, MANY_SAMPLES, odds_of, suspected, watched

if TYPE_CHECKING:
    from .kernel import ClassicKernel

RANDOM, LEAST_RISK, EDGES_FIRST = POLICIES["random"], POLICIES["least-risk"], POLICIES["edges-first"]
#: Options compared in one call (`workspace.h`).
OPTIONS = 32
#: Speed of playouts without a network, relative to those with one.
_QUICK = 4
#: The size of a full hand; a card that can be played in two ways counts once.
_MOST_CARDS = 10


#: By seat and kind of player, how likely it would have played the seat's cards (`seating.watched`).
Chances: TypeAlias = list[list[int]]


class Playouts(CoreTries):
    """Playouts from one view. `own` is this seat's policy; the others play at random."""

    work: Workspace

    def __init__(self, view: View, core: Core, kernel: ClassicKernel, rng: Rng, own: int = RANDOM) -> None:
        work = Workspace(core, "nl_classic")
        super().__init__(work, "nl_classic_search", lambda option: _code(option, view.seat), most=OPTIONS)
        game, seats = view.game, range(view.game.players)
        kernel.prepare(
            work, game, [own if seat == view.seat else RANDOM for seat in seats], [LOW_CARDS["cheapest"]] * len(seats)
        )
        kernel.lay(work, game, view.rows, view.extra)
        is_open = all(hand is not None for hand in view.hands)
        theirs = [hand for seat, hand in enumerate(view.hands) if seat != view.seat]
        pool = [card for hand in theirs for card in hand or ()] if is_open else list(view.unseen)
        self.cards = [*view.hand, *pool]
        self.already = game.heads_in(view.piles[view.seat])
        work.set("key", rng.state)
        work.set("me", view.seat)
        work.set("turns", len(view.hand))
        work.set("pool", len(pool))
        work.set("open", int(is_open))
        work.set("points", [view.totals[seat] + game.heads_in(view.piles[seat]) for seat in seats])
        work.set("unseen", card_set(pool))
        if own == TRAINED:
            self.network = kernel.network(work, game.players, len(pool), len(view.hand), "random")
        else:
            self.network = work.memory  # unused

    def begin(self) -> tuple[Argument, ...]:
        # Each run starts from the same card order, so results depend only on the playout numbers.
        self.work.set("cards", self.cards)
        return (self.network,)

    def budget(self, playouts: int, options: int) -> int:
        """Hands are small, so every option gets the full number."""
        return playouts * options


class SkilledPlayouts(Playouts):
    """Everybody plays by the inferred policies (`suspected`), this seat by a network, with an eye on later rounds."""

    def __init__(self, view: View, core: Core, kernel: ClassicKernel, rng: Rng, chances: Chances | None = None) -> None:
        super().__init__(view, core, kernel, rng, TRAINED)
        game, work = view.game, self.work
        kernel.weigh(work, game)
        kernel.goes_on(work, game, view.round)
        work.set("kinds", LEARNED)
        odds = suspected(view, core, kernel, rng) if chances is None else odds_of(chances, view.seat, BEFORE)
        work.set("odds", [part for row in odds for part in row])
        if 2 * sum(row[0] for row in odds) <= sum(map(sum, odds)):
            # If most of the others play well, use the network trained against itself.
            self.network = kernel.network(work, game.players, len(self.cards) - len(view.hand), len(view.hand))


class ThumbPlayouts(Playouts):
    """Playouts without a network: this seat follows a heuristic suited to the fan cards. If several suit, each playout
    draws one, because a single one repeats its mistakes in all playouts."""

    def __init__(self, view: View, core: Core, kernel: ClassicKernel, rng: Rng) -> None:
        super().__init__(view, core, kernel, rng, EDGES_FIRST)
        thumbs = kernel.thumbs(view.game)
        self.work.set("kinds", thumbs)
        self.work.set("odds", [1] * len(thumbs), at=KINDS * view.seat)

    def budget(self, playouts: int, options: int) -> int:
        """Heuristic playouts are quick. Cards that can be twisted must not take twice as long."""
        return playouts * _QUICK * min(options, _MOST_CARDS)


class EvenPlayouts(Playouts):
    """Everybody plays alike: by the network or a heuristic."""

    def __init__(self, view: View, core: Core, kernel: ClassicKernel, rng: Rng) -> None:
        game, learned = view.game, kernel.has_network(view.game)
        own = TRAINED if learned else EDGES_FIRST
        super().__init__(view, core, kernel, rng, own)
        self.work.set("policies", [own] * game.players)
        kernel.weigh(self.work, game)  # for seats with an inferred policy
        if learned:
            unseen = len(self.cards) - len(view.hand)
            self.network = kernel.network(self.work, game.players, unseen, len(view.hand))


#: What others are taken for before they have played, by kind: most likely for players who want to end ahead.
_EXPECTED = (1, 1, 1, 9)


class AheadPlayouts(CoreTries):
    """Everybody plays by the network that learned to end ahead (`ahead.py`), except seats that have played otherwise:
    they play by the policies that `suspected` finds."""

    def __init__(self, view: View, core: Core, kernel: ClassicKernel, rng: Rng, chances: Chances | None = None) -> None:
        super().__init__(
            Workspace(core, "nl_classic"), "nl_classic_ponder", lambda option: _code(option, 0), most=OPTIONS
        )
        self.view, self.cards = view, [*view.hand, *view.unseen]
        self.network = kernel.lay_ahead(self.work, view)
        self.mind = core.memory(ahead.SIZE)
        self.mind.put(0, ahead.packed("ahead"))
        self.already = view.game.heads_in(view.piles[view.seat])
        kernel.goes_on(self.work, view.game, view.round)
        self.work.set("key", rng.state)
        self.work.set("usual", -1)
        if view.history:
            kernel.weigh(self.work, view.game)
            self.work.set("kinds", [ahead.AHEAD if kind == TRAINED else kind for kind in LEARNED])
            if chances is None:
                odds = suspected(view, core, kernel, rng, _EXPECTED)
            else:
                odds = odds_of(chances, view.seat, _EXPECTED)
            self.work.set("odds", [part for row in odds for part in row])

    def begin(self) -> tuple[Argument, ...]:
        self.work.set("cards", self.cards)
        return self.network, self.mind

    def compare(self) -> Choice:
        """The network's own card; a gain is in parts of `CREDIT`."""
        self.usual = self.view.hand[self.work.call("nl_classic_ahead", self.network, self.mind)]
        return self.usual


class RoundTries(CoreTries):
    """Newly dealt rounds in which everybody plays alike."""

    def __init__(self, core: Core, kernel: ClassicKernel, game: Game, seat: Seat, rng: Rng) -> None:
        work, hand, learned = Workspace(core, "nl_classic"), game.turns, kernel.has_network(game)
        super().__init__(work, "nl_classic_company", lambda option: 0, most=1)
        own = TRAINED if learned else EDGES_FIRST
        kernel.prepare(work, game, [own] * game.players, [LOW_CARDS["cheapest"]] * game.players)
        kernel.weigh(work, game)
        work.set("key", rng.state)
        work.set("me", seat)
        unseen = len(game.deck) - len(game.deal(0).rows) - hand
        self.network: Memory = kernel.network(work, game.players, unseen, hand) if learned else work.memory

    def run(self, options: Sequence[Choice], playouts: int) -> list[Estimate]:
        """Mean heads of the seat per round."""
        with self.work.claim:
            self.work.call(self.function, self.network, playouts)
            total, squares = self.work.get("stats", 2)
        mean = total / playouts
        error = sqrt(max(0.0, squares / playouts - mean**2) / playouts)
        return [Estimate(option, playouts, mean, 0.0, error) for option in options]


def _code(option: Choice, seat: int) -> int:
    """A card, plus 128 if twisted."""
    if isinstance(option, CardOption):
        return option.play(seat).card + 128
    assert isinstance(option, int)
    return option


class ClassicSearch(Search):
    """Playouts for cards. Row choices depend only on visible cards. `watched`: a view and what it says about the
    others, as `thorough` finds it."""

    def __init__(self, kernel: ClassicKernel, watched: tuple[View, Chances] | None = None) -> None:
        self.kernel = kernel
        self.watched = watched

    def thorough(self, core: Core, view: View) -> ClassicSearch:
        if not self._has_card(view) or not self.kernel.has_network(view.game):
            return self
        chances = watched(view, core, self.kernel, Rng.from_seed(MANY_SAMPLES), MANY_SAMPLES)
        return ClassicSearch(self.kernel, (view, chances))

    def _chances(self, view: View) -> Chances | None:
        return self.watched[1] if self.watched is not None and self.watched[0] == view else None

    def knows(self, view: View) -> bool:
        decision = view.decision
        is_known = isinstance(decision, ChooseCard | ChooseRow) and len(decision.options) <= OPTIONS
        return is_known and self.kernel.plays(view.game)

    def tries(self, core: Core, view: View, rng: Rng, skilled: bool) -> CoreTries | None:
        """Playouts by inferred policies if a network exists, otherwise by heuristics."""
        if not self._has_card(view):
            return None
        if not skilled:
            return Playouts(view, core, self.kernel, rng)
        if self.kernel.has_network(view.game):
            return SkilledPlayouts(view, core, self.kernel, rng, self._chances(view))
        return ThumbPlayouts(view, core, self.kernel, rng)

    def among_random(self, core: Core, view: View, rng: Rng) -> CoreTries | None:
        """This seat plays by the network trained against random players, or by least risk."""
        own = TRAINED if self.kernel.has_network(view.game) else LEAST_RISK
        return Playouts(view, core, self.kernel, rng, own) if self._has_card(view) else None

    def by_network(self, core: Core, view: View, rng: Rng) -> CoreTries | None:
        """Everybody follows the network that learned to end ahead."""
        return (
            AheadPlayouts(view, core, self.kernel, rng, self._chances(view)) if self.kernel.sees_ahead(view) else None
        )

    def even(self, core: Core, view: View, rng: Rng, *, blind: bool = False) -> CoreTries | None:
        """Values before the deal come from whole rounds instead."""
        return EvenPlayouts(view, core, self.kernel, rng) if self._has_card(view) and not blind else None

    def anew(self, core: Core, game: Game, seat: Seat, rng: Rng) -> CoreTries | None:
        """Not with a draft, where hands are open."""
        return RoundTries(core, self.kernel, game, seat, rng) if game.hidden_hands and self.kernel.plays(game) else None

    def usual(self, view: View, decision: Decision) -> Choice | None:
        return habit(view, decision)

    def plays_as(self, game: Game) -> str:
        return "trained" if self.kernel.has_network(game) else "edges-first"

    def is_settled(self, view: View) -> bool:
        """Placing the revealed cards involves nothing hidden."""
        return isinstance(view.decision, ChooseRow) and self.knows(view)

    def _has_card(self, view: View) -> bool:
        return isinstance(view.decision, ChooseCard) and self.knows(view)
