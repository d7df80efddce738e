"""How the seats of a classic table play, told while they play (`suspected`) and from a whole game (`ClassicSeating`).

While a round is played: for every card a seat has played in it, how likely would each kind of player have chosen it,
from a hand with that card, those it played later, and others that nobody has seen? A random player chooses any of `n`
cards with 1/n. The others are asked (`nl_classic_watch`) with hands filled up at random; and every second choice of
theirs may be any, because nobody plays just like a kind. Before a card is seen, five in eight play at random; and in
one table of two everybody is of one kind, so that what one plays also tells of the others. Whole numbers only: the
same everywhere.

At the end of a round all hands have been seen. What a network likes best depends on the whole hand, so a card has no
cost of its own: policies are asked in the core (`nl_classic_clash`) which cards they like better than the one played.
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
from nimmt_lab.native.seating import PARTS, Fields, Laid, Seen, Suspicions, Way, laid_beside
from nimmt_lab.native.work import CARDS, KINDS, Work, card_set

from .network import TRAINED

if TYPE_CHECKING:
    from .kernel import ClassicKernel

#: The kinds of player that there are where there is a network.
LEARNED = (POLICIES["random"], POLICIES["closest-safe"], POLICIES["edges-first"], TRAINED)
#: Policies that a seat may be found to have where there is none.
_SIMPLE = (POLICIES["closest-safe"], POLICIES["edges-first"], POLICIES["least-risk"])
#: Hands that are tried for every card seen.
SAMPLES = 24
#: Hands in which a network's liking of a card is tried.
_LIKING_SAMPLES = 5
#: One choice in so many may be any.
_STRAY = 2
#: How likely the kinds are before anything is seen.
_BEFORE = (5, 1, 1, 1)
#: To it many cards are as good as others: nothing to fear from any.
_OFTEN_EQUAL = POLICIES["least-risk"]
#: How much a card's code grows when it is played the other way.
_TWISTED = 128


def suspected(view: View, core: Core, kernel: ClassicKernel, rng: Rng) -> list[list[int]]:
    """By seat, how likely it is of each of the kinds in `LEARNED`, in parts of `PARTS` (roughly); zeros for the seat
    itself. What was played before a position was set up is not known, and so tells nothing.

    >>> from nimmt_lab import Classic
    >>> from nimmt_lab.games.classic.kernel import CLASSIC
    >>> from nimmt_lab.native.loader import core
    >>> view, found = Classic(players=2).deal(seed=1).view(0), core()
    >>> suspected(view, found, CLASSIC, Rng.from_seed(1)) if found else [[0, 0, 0, 0], [160, 32, 32, 32]]
    [[0, 0, 0, 0], [160, 32, 32, 32]]
    """
    game, n = view.game, view.game.players
    chances = [[1] * KINDS for _ in range(n)]
    hidden = {*view.unseen, *view.hand, *(card for hand in view.hands for card in hand or ())}
    pool = sorted(hidden - set(view.hand))
    later: list[list[int]] = [[] for _ in range(n)]
    work = Work(core)
    kernel.prepare(work, game, [POLICIES["random"]] * n, [0] * n)
    kernel.weigh(work, game)
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
            work.call("nl_classic_watch", network, SAMPLES)
            seen = work.get("stats", KINDS)
            for kind, policy in enumerate(LEARNED):
                if policy == POLICIES["random"]:
                    chances[seat][kind] *= _STRAY * SAMPLES
                else:
                    chances[seat][kind] *= (_STRAY - 1) * left * seen[kind] + SAMPLES
    return _odds(chances, view.seat)


def _odds(chances: list[list[int]], me: int) -> list[list[int]]:
    """From how likely each kind would have played so: how likely each seat is of each kind.

    >>> _odds([[1, 1, 1, 1], [1, 1, 1, 1]], 0)
    [[0, 0, 0, 0], [160, 32, 32, 32]]
    >>> one, other = _odds([[1] * 4, [1, 1, 1, 9], [1, 1, 1, 1]], 0)[1:]
    >>> one[3] > other[3] > 32
    True
    """
    others = [row for seat, row in enumerate(chances) if seat != me]
    # All in the same parts: the independent seats' common denominator, and that of a table of one kind.
    apart = prod(sum(before * chance for before, chance in zip(_BEFORE, row, strict=True)) for row in others)
    alike = [
        before * prod(row[kind] for row in others) * sum(_BEFORE) ** (len(others) - 1)
        for kind, before in enumerate(_BEFORE)
    ]
    odds = []
    for seat, row in enumerate(chances):
        own = [before * chance for before, chance in zip(_BEFORE, row, strict=True)]
        both = [alike[kind] * sum(own) + apart * own[kind] for kind in range(KINDS)]
        odds.append([0] * KINDS if seat == me else [PARTS * part // sum(both) for part in both])
    return odds


class ClassicSeating:
    """Cards by policies that are asked in the core, a network among them; the cheapest row for a low card, or any."""

    habits = (LOW_CARDS["cheapest"], LOW_CARDS["random"])

    def __init__(self, kernel: ClassicKernel) -> None:
        self.kernel = kernel

    def policies(self, game: Game) -> tuple[int, ...]:
        """Those of the kinds, or simple ones where nothing was learned."""
        return LEARNED[1:] if self.kernel.has_network(game) else _SIMPLE

    def cards(self, decision: Decision, choice: Choice) -> Cards | None:
        """A card each turn; a draft turns up none of a hand, and only low cards leave something else to decide."""
        if isinstance(choice, CardOption):
            return (choice.play(0).card,)
        if isinstance(decision, ChooseCard) and isinstance(choice, int):
            return (choice,)
        return None if isinstance(decision, ChooseRow) else ()

    def by_habit(self, habit: int, view: View, decision: Decision) -> Choice | None:
        """The row that a low card takes."""
        assert isinstance(decision, ChooseRow)
        return view.game.cheapest_row(view, decision.options) if habit == LOW_CARDS["cheapest"] else None

    def seen(self, core: Core, game: Game, steps: Sequence[Step]) -> Iterator[Seen]:
        """The cards played in a round, the last turn's first, of which there was a choice."""
        number = steps[-1].before.round
        turns = [turn for turn in steps[-1].state.history if turn.round == number]
        beside = dict(laid_beside(game, steps))
        hands: list[list[int]] = [[] for _ in range(game.players)]
        dealt = {play.card for turn in turns for play in turn.plays}
        gone = {card for turn in turns for row in turn.rows for card in row} - dealt
        never = set(game.deck) - dealt - gone
        work = self._asking(core, game)
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

    def suspicions(self, core: Core, view: View, ways: Mapping[Seat, Way], table: Callable[[Turn], Laid]) -> Fields:
        """What a network likes is tried in a few hands; others like a card whatever else they hold."""
        suspicions = Suspicions()
        later: dict[Seat, list[Card]] = {seat: [] for seat in ways}
        hidden, pool = {*view.unseen, *view.hand}, view.unseen
        asked = self._asking(core, view.game)
        asked.set("pool", len(pool))
        for turn in reversed(view.history if ways else ()):
            left = view.game.turns - turn.number
            played = {play.seat: play for play in turn.plays}
            hidden |= {play.card for play in turn.plays}
            network = self._about(asked, view.game, table(turn), left, hidden)
            for seat, way in ways.items():
                samples = _LIKING_SAMPLES if way.policy == TRAINED else 1
                asked.set("kinds", way.policy)
                asked.set("n_options", 1 + len(later[seat]))
                asked.set("cards", [_code(played[seat]), *later[seat], *pool])
                asked.call("nl_classic_clash", network, samples)
                better = [card for card, times in enumerate(asked.get("stats", CARDS)) if 2 * times > samples]
                suspicions.note(seat, turn.number, better, later[seat], way, left)
                later[seat].append(played[seat].card)
        return suspicions.fields(len(view.hand) * len(ways))

    def _asking(self, core: Core, game: Game) -> Work:
        """A workspace to ask policies in."""
        work = Work(core)
        self.kernel.prepare(work, game, [POLICIES["random"]] * game.players, [0] * game.players)
        self.kernel.weigh(work, game)
        return work

    def _about(self, work: Work, game: Game, table: Laid, left: int, hidden: set[int]) -> Memory:
        """The table of a turn laid in it; what the network knows then."""
        kernel = self.kernel
        kernel.lay(work, game, table.rows, table.extra)
        work.set("turns", left)
        work.set("unseen", card_set(hidden))
        return kernel.network(work, game.players, len(hidden) - left, left) if kernel.has_network(game) else work.memory


def _code(play: Play) -> int:
    return play.card if play.plain else play.card + _TWISTED
