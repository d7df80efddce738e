"""Infer the policies of the seats during a round (`suspected`) and from a finished game (`ClassicSeating`).

During a round: for every card a seat has played, how likely would each kind of player have chosen it from a hand with
that card, the cards played later, and unknown ones? A random player chooses among `n` cards with 1/n. The other kinds
are sampled (`nl_classic_watch`) with random hands, and stray every second time, because nobody follows a policy
exactly. The prior has five in eight playing at random; at every second table everybody is of one kind, so that each
seat is evidence about the others. All arithmetic is in integers, for equal results everywhere.

At the end of a round all hands are known. A network's preference depends on the whole hand, so cards have no cost of
their own: the core (`nl_classic_clash`) returns the cards a policy prefers to the one played.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from math import prod
from typing import TYPE_CHECKING

from nimmt_lab.engine.cards import Card, Cards, Seat
from nimmt_lab.engine.decisions import CardOption, Choice, ChooseCard, ChooseRow, Decision
from nimmt_lab.engine.game import Game
from nimmt_lab.engine.play import Play, Turn
from nimmt_lab.engine.record import Step
from nimmt_lab.engine.rng import Rng
from nimmt_lab.engine.state import NOTHING
from nimmt_lab.engine.view import View
from nimmt_lab.native.kernel import LOW_CARDS, POLICIES
from nimmt_lab.native.loader import Core, Memory
from nimmt_lab.native.seating import PARTS, Fields, Laid, SeatModel, Seen, Suspicions, laid_beside
from nimmt_lab.native.work import CARDS, Workspace, card_set

from .network import TRAINED

if TYPE_CHECKING:
    from .kernel import ClassicKernel

#: Kinds of player if a network exists.
LEARNED = (POLICIES["random"], POLICIES["closest-safe"], POLICIES["edges-first"], TRAINED)
KINDS = len(LEARNED)
#: Policies considered without a network.
_SIMPLE = (POLICIES["closest-safe"], POLICIES["edges-first"], POLICIES["least-risk"])
#: Sampled hands per card seen, in a search of its own and for several searches of one view.
SAMPLES, MANY_SAMPLES = 24, 96
#: Sampled hands for a network's preference.
_LIKING_SAMPLES = 5
#: One choice in this many is random.
_STRAY = 2
#: Prior weights of the kinds.
BEFORE = (5, 1, 1, 1)
#: It considers many cards equal, none of them risky.
_OFTEN_EQUAL = POLICIES["least-risk"]
#: Added to a card's code if played the other way.
_TWISTED = 128


def suspected(
    view: View, core: Core, kernel: ClassicKernel, rng: Rng, before: Sequence[int] = BEFORE
) -> list[list[int]]:
    """By seat, the probability of each kind in `LEARNED`, in units of 1/`PARTS` (roughly); zeros for the seat itself.
    Turns before a position was set up are unknown and don't count.

    >>> from nimmt_lab import Classic
    >>> from nimmt_lab.games.classic.kernel import CLASSIC
    >>> from nimmt_lab.native.loader import core
    >>> view, found = Classic(players=2).deal(seed=1).view(0), core()
    >>> suspected(view, found, CLASSIC, Rng.from_seed(1)) if found else [[0, 0, 0, 0], [160, 32, 32, 32]]
    [[0, 0, 0, 0], [160, 32, 32, 32]]
    """
    return odds_of(watched(view, core, kernel, rng, SAMPLES), view.seat, before)


def watched(view: View, core: Core, kernel: ClassicKernel, rng: Rng, samples: int) -> list[list[int]]:
    """By seat, how likely each kind in `LEARNED` would have played its cards (up to a factor)."""
    game, n = view.game, view.game.players
    chances = [[1] * KINDS for _ in range(n)]
    hidden = {*view.unseen, *view.hand, *(card for hand in view.hands for card in hand or ())}
    pool = sorted(hidden - set(view.hand))
    later: list[list[int]] = [[] for _ in range(n)]
    work = _asking(kernel, core, game)
    work.set("kinds", LEARNED)
    work.set("key", rng.state)
    for turn in reversed(view.history):
        hidden.update(play.card for play in turn.plays)
        kernel.lay(work, game, turn.rows, view.extra)
        left = game.turns - turn.number
        network = kernel.network(work, n, len(hidden) - left, left)
        work.set("turns", left)
        work.set("unseen", card_set(hidden))
        for play in turn.plays:
            seat = play.seat
            later[seat].insert(0, play.card)
            if seat == view.seat or left == 1:
                continue
            held = view.hands[seat]
            known = later[seat] if held is None else [*later[seat], *held]
            work.set("n_options", len(known))
            work.set("cards", [*known, *pool])
            work.set("pool", len(pool))
            work.set("first", n * turn.number + seat)
            work.set("stats", [0] * KINDS)
            work.call("nl_classic_watch", network, samples)
            seen = work.get("stats", KINDS)
            for kind, policy in enumerate(LEARNED):
                if policy == POLICIES["random"]:
                    chances[seat][kind] *= _STRAY * samples
                else:
                    chances[seat][kind] *= (_STRAY - 1) * left * seen[kind] + samples
    return chances


def _asking(kernel: ClassicKernel, core: Core, game: Game) -> Workspace:
    """A workspace for evaluating policies."""
    work = Workspace(core, "nl_classic")
    kernel.prepare(work, game, [POLICIES["random"]] * game.players, [0] * game.players)
    kernel.weigh(work, game)
    return work


def odds_of(chances: list[list[int]], me: int, before: Sequence[int] = BEFORE) -> list[list[int]]:
    """Posterior of each seat's kind from the likelihoods.

    >>> odds_of([[1, 1, 1, 1], [1, 1, 1, 1]], 0)
    [[0, 0, 0, 0], [160, 32, 32, 32]]
    >>> one, other = odds_of([[1] * 4, [1, 1, 1, 9], [1, 1, 1, 1]], 0)[1:]
    >>> one[3] > other[3] > 32
    True
    """
    others = [row for seat, row in enumerate(chances) if seat != me]
    # Common denominator of independent seats and of a table of one kind.
    apart = prod(sum(prior * chance for prior, chance in zip(before, row, strict=True)) for row in others)
    alike = [
        prior * prod(row[kind] for row in others) * sum(before) ** (len(others) - 1)
        for kind, prior in enumerate(before)
    ]
    odds = []
    for seat, row in enumerate(chances):
        own = [prior * chance for prior, chance in zip(before, row, strict=True)]
        both = [alike[kind] * sum(own) + apart * own[kind] for kind in range(KINDS)]
        odds.append([0] * KINDS if seat == me else [PARTS * part // sum(both) for part in both])
    return odds


class ClassicSeating:
    """Card policies evaluated in the core, including a network; low cards take the cheapest row, or a random one."""

    habits = (LOW_CARDS["cheapest"], LOW_CARDS["random"])

    def __init__(self, kernel: ClassicKernel) -> None:
        self.kernel = kernel

    def policies(self, game: Game) -> tuple[int, ...]:
        return LEARNED[1:] if self.kernel.has_network(game) else _SIMPLE

    def cards(self, decision: Decision, choice: Choice) -> Cards | None:
        """One card a turn; drafting reveals no hand cards, and only low cards involve another choice."""
        if isinstance(choice, CardOption):
            return (choice.play(0).card,)
        if isinstance(decision, ChooseCard) and isinstance(choice, int):
            return (choice,)
        return None if isinstance(decision, ChooseRow) else ()

    def by_habit(self, habit: int, view: View, decision: Decision) -> Choice | None:
        assert isinstance(decision, ChooseRow)
        return view.game.cheapest_row(view, decision.options) if habit == LOW_CARDS["cheapest"] else None

    def seen(self, core: Core, game: Game, steps: Sequence[Step]) -> Iterator[Seen]:
        """The genuine card choices of a round, last turn first."""
        number = steps[-1].before.round
        turns = [turn for turn in steps[-1].state.history if turn.round == number]
        beside = dict(laid_beside(game, steps))
        hands: list[list[int]] = [[] for _ in range(game.players)]
        dealt = {play.card for turn in turns for play in turn.plays}
        gone = {card for turn in turns for row in turn.rows for card in row} - dealt
        never = set(game.deck) - dealt - gone
        work = _asking(self.kernel, core, game)
        for turn in reversed(turns):
            for play in turn.plays:
                hands[play.seat].insert(0, play.card)
            left = len(hands[0])
            hidden = {*never, *(card for hand in hands for card in hand)}
            if left == 1:
                continue
            table = Laid(turn.rows, beside.get((turn.round, turn.number), NOTHING))
            network = self._about(work, game, table, left, hidden)
            work.set("n_options", left)
            played = {play.seat: play for play in turn.plays}
            for seat, hand in enumerate(hands):
                work.set("cards", [_code(played[seat]), *hand[1:]])
                chances = []
                for policy in self.policies(game):
                    work.set("kinds", [policy, 0, 0, 0])
                    work.call("nl_classic_clash", network, 1)
                    best = [] if any(work.get("stats")) else [hand[0]]
                    for card in hand[1:] if best and policy == _OFTEN_EQUAL else ():
                        work.set("cards", [card, *(other for other in hand if other != card)])
                        work.call("nl_classic_clash", network, 1)
                        best += [] if any(work.get("stats")) else [card]
                    work.set("cards", [_code(played[seat]), *hand[1:]])
                    chances.append(1 / len(best) if best else 0.0)
                yield Seen(seat, left, chances)

    def suspicions(
        self, core: Core, view: View, models: Mapping[Seat, SeatModel], table: Callable[[Turn], Laid]
    ) -> Fields:
        """Networks are sampled with a few hands; other policies judge a card independently of the hand."""
        suspicions = Suspicions()
        later: dict[Seat, list[Card]] = {seat: [] for seat in models}
        hidden, pool = {*view.unseen, *view.hand}, view.unseen
        asked = _asking(self.kernel, core, view.game)
        asked.set("pool", len(pool))
        for turn in reversed(view.history if models else ()):
            left = view.game.turns - turn.number
            played = {play.seat: play for play in turn.plays}
            hidden |= {play.card for play in turn.plays}
            network = self._about(asked, view.game, table(turn), left, hidden)
            for seat, model in models.items():
                samples = _LIKING_SAMPLES if model.policy == TRAINED else 1
                asked.set("kinds", model.policy)
                asked.set("n_options", 1 + len(later[seat]))
                asked.set("cards", [_code(played[seat]), *later[seat], *pool])
                asked.call("nl_classic_clash", network, samples)
                better = [card for card, times in enumerate(asked.get("stats", CARDS)) if 2 * times > samples]
                suspicions.note(seat, turn.number, better, later[seat], model, left)
                later[seat].append(played[seat].card)
        return suspicions.fields(len(view.hand) * len(models))

    def _about(self, work: Workspace, game: Game, table: Laid, left: int, hidden: set[int]) -> Memory:
        """Set up the table of a turn; return the network's input."""
        kernel = self.kernel
        kernel.lay(work, game, table.rows, table.extra)
        work.set("turns", left)
        work.set("unseen", card_set(hidden))
        return kernel.network(work, game.players, len(hidden) - left, left) if kernel.has_network(game) else work.memory


def _code(play: Play) -> int:
    return play.card if play.plain else play.card + _TWISTED
