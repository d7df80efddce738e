"""Who sits opposite: the kind of player, inferred from the cards that everybody has seen it play.

For every card a seat has played this round: how likely would each kind of player have chosen it, from a hand with that
card, those it played later, and others that nobody has seen? A random player chooses any of `n` cards with 1/n. The
others are asked (`nl_classic_watch`) with hands filled up at random; and every second choice of theirs may be any,
because nobody plays just like a kind. Before a card is seen, five in eight play at random; and in one table of two
everybody is of one kind, so that what one plays also tells of the others. Whole numbers only: the same everywhere.
"""

from __future__ import annotations

from math import prod

from nimmt_lab.engine.rng import Rng
from nimmt_lab.engine.view import View
from nimmt_lab.native.kernel import POLICIES, Searching
from nimmt_lab.native.loader import Core
from nimmt_lab.native.work import KINDS, Work, card_set

#: As it has learned to (`search.c`).
TRAINED = 16
#: The kinds there are where there is a network, and where there is none.
LEARNED = (POLICIES["random"], POLICIES["closest-safe"], POLICIES["edges-first"], TRAINED)
#: Hands that are tried for every card seen.
SAMPLES = 24
#: Odds are given in parts of this.
PARTS = 256
#: One choice in so many may be any.
_STRAY = 2
#: How likely the kinds are before anything is seen.
_BEFORE = (5, 1, 1, 1)


def suspected(view: View, core: Core, kernel: Searching, rng: Rng) -> list[list[int]]:
    """By seat, how likely it is of each of the kinds in `LEARNED`, in parts of `PARTS` (roughly); zeros for the seat
    itself. What was played before a position was set up is not known, and so tells nothing.

    >>> from nimmt_lab import Classic
    >>> from nimmt_lab.native.kernel import searching_kernel
    >>> view = Classic(players=2).deal(seed=1).view(0)
    >>> found = searching_kernel(view.game)
    >>> suspected(view, *found, Rng.from_seed(1)) if found else [[0, 0, 0, 0], [160, 32, 32, 32]]
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
            work.call(kernel.watch, network, SAMPLES)
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
