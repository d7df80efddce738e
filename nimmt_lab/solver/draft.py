"""The open two-player draft of advanced mode: exact if small, estimated if not.

Picks alternate with everything visible, so a draft is a game tree whose leaves are deals, valued by the solver. Small
decks (up to four or five cards a hand) are solved from the first pick, larger ones for the last picks. The full draft
has 2·10⁹ leaves of ten cards a hand. There `estimate_picks` estimates every pick by many quick rounds, with a margin;
`draft_adviser` values finished drafts by good play, takes longer and picks better.

>>> from nimmt_lab import Advanced
>>> state = Advanced(players=2, hand_size=3).deal(seed=0)
>>> draft = solve_draft(state)
>>> draft.value
0.0
>>> state, _ = state.choose({0: draft.best})
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from math import comb, sqrt

from nimmt_lab.engine.cards import Card, Cards, Seat
from nimmt_lab.engine.errors import PositionError, RulesError, Unsupported
from nimmt_lab.engine.files import shown
from nimmt_lab.engine.inflect import Figure
from nimmt_lab.engine.rng import Rng
from nimmt_lab.engine.state import GameState
from nimmt_lab.games.advanced.rules import Advanced
from nimmt_lab.solver.exact import Searcher
from nimmt_lab.solver.open_position import OpenPosition, check_table
from nimmt_lab.solver.quick import QuickRounds

__all__ = [
    "DraftSolution",
    "Drafter",
    "Estimate",
    "Judge",
    "advised",
    "at_random",
    "by_heads",
    "deals_left",
    "draft_match",
    "estimate_picks",
    "quick_value",
    "solve_draft",
]


#: Deals that `solve_draft` may have to solve, by cards a hand.
MOST_DEALS = {1: 10**6, 2: 10**6, 3: 10**6, 4: 10**6, 5: 300_000, 6: 3_000, 7: 300, 8: 30, 9: 5}


@dataclass(frozen=True)
class DraftSolution:
    """Exact solution of a draft: value (heads of B minus heads of A, positive good for A), overall and by pick."""

    value: float
    #: Picks searched completely; the others are certainly no better than ``best``.
    picks: Mapping[Card, float]
    best: Card
    deals: int


def deals_left(state: GameState) -> int:
    """Number of different deals the rest of a draft can lead to."""
    game = _game(state)
    left, picks = len(state.stock), len(state.stock) - 4
    mine = game.hand_size - len(state.hands[next(iter(state.pending))])
    return comb(left, 4) * comb(picks, mine)


def solve_draft(state: GameState) -> DraftSolution:
    """Solve the rest of a draft exactly, by alpha-beta over the picks; raise an error if that would take too long."""
    game = _game(state)
    if (deals := deals_left(state)) > MOST_DEALS.get(game.hand_size, 0):
        raise RulesError("solver.deals_cards_hand", deals=Figure(deals), hand_size=game.hand_size)
    searcher = Searcher()
    # Pick order is irrelevant, so bounds [lo, hi] are cached by hands and picking seat.
    known: dict[tuple[Cards, Cards], tuple[float, float]] = {}
    solved = 0

    def value(hands: tuple[Cards, Cards], stock: Cards, alpha: float, beta: float) -> float:
        nonlocal solved
        lo, hi = known.get(hands, (-1000.0, 1000.0))
        if lo >= beta or lo == hi:
            return lo
        if hi <= alpha:
            return hi
        if len(stock) == 4:
            solved += 1
            rows = tuple((card,) for card in stock)
            low, high = searcher.bounds(OpenPosition(rows, hands, heads))
            exact = (low + high) / 2
            known[hands] = exact, exact
            return exact
        picker = (first + len(hands[0]) + len(hands[1])) % 2
        best = -1000.0 if picker == 0 else 1000.0
        a, b = alpha, beta
        for card in stock:
            result = value(_pick(hands, picker, card), tuple(c for c in stock if c != card), a, b)
            if picker == 0:
                best = max(best, result)
                a = max(a, best)
            else:
                best = min(best, result)
                b = min(b, best)
            if a >= b:
                break
        lo, hi = known.get(hands, (-1000.0, 1000.0))
        known[hands] = max(lo, best) if best > alpha else lo, min(hi, best) if best < beta else hi
        return best

    heads = (0, *(game.heads_in((card,)) for card in range(1, 105)))
    first = (game.first + state.round) % 2
    seat = next(iter(state.pending))
    hands = (state.hands[0], state.hands[1])
    picks: dict[Card, float] = {}
    best: float | None = None
    for card in state.stock:
        rest = tuple(c for c in state.stock if c != card)
        a, b = (-1000.0, 1000.0) if best is None else (best, 1000.0) if seat == 0 else (-1000.0, best)
        result = value(_pick(hands, seat, card), rest, a, b)
        if best is None or (result > best if seat == 0 else result < best):
            best = result
            picks[card] = result
    assert best is not None
    return DraftSolution(best, picks, next(card for card, result in picks.items() if result == best), solved)


def _pick(hands: tuple[Cards, Cards], seat: Seat, card: Card) -> tuple[Cards, Cards]:
    a, b = hands
    return (tuple(sorted((*a, card))), b) if seat == 0 else (a, tuple(sorted((*b, card))))


@dataclass(frozen=True)
class Estimate:
    """Mean over playouts for the picking seat (heads the other takes more), with a margin of 1.96 standard errors,
    which says nothing about the quality of play in the playouts."""

    mean: float
    margin: float
    playouts: int

    def __str__(self) -> str:
        return f"{self.mean:+.2f} ± {self.margin:.2f}"


def estimate_picks(state: GameState, *, playouts: int = 20_000, seed: int = 0) -> dict[Card, Estimate]:
    """Estimate every pick of a draft, best first.

    After each round of playouts the worse half of the cards drops out, so that most work goes into comparing the best.
    Each playout finishes the draft at random and plays the deal by a quick rule.

    >>> from nimmt_lab import Advanced
    >>> advice = estimate_picks(Advanced(players=2).deal(seed=0), playouts=2_000)
    >>> len(advice), next(iter(advice.values())).playouts >= 100
    (24, True)
    """
    game = _game(state)
    if playouts < 1:
        raise RulesError("solver.playouts_must_at", got=shown(playouts))
    seat = next(iter(state.pending))
    sign = 1.0 if seat == 0 else -1.0
    cards = sorted((*state.stock, *state.hands[0], *state.hands[1]))
    owners = {card: player for player in (0, 1) for card in state.hands[player]}
    rounds = QuickRounds(
        Rng.from_seed(seed, stream=len(state.stock)), cards, [game.heads_in((card,)) for card in cards]
    )
    sums = {card: [0.0, 0.0, 0.0] for card in state.stock}
    racing = list(state.stock)
    stages = max(1, len(racing).bit_length() - 1)
    while True:
        share = max(2, playouts // (stages * len(racing)))
        for card in racing:
            total, squares = rounds.play(owners | {card: seat}, 1 - seat, share)
            sums[card][0] += share
            sums[card][1] += total
            sums[card][2] += squares
        racing.sort(key=lambda card: -sign * sums[card][1] / sums[card][0])
        if len(racing) <= 2:
            break
        racing = racing[: (len(racing) + 1) // 2]
    estimates = {card: _estimate(sign, *sums[card]) for card in state.stock}
    # The cards that stayed longest come first: their estimates are the most reliable.
    return dict(sorted(estimates.items(), key=lambda item: (-item[1].playouts, -item[1].mean)))


def _estimate(sign: float, count: float, total: float, squares: float) -> Estimate:
    mean = total / count
    variance = max(0.0, squares / count - mean * mean) * count / max(1.0, count - 1)
    return Estimate(sign * mean, 1.96 * sqrt(variance / count), int(count))


#: A drafting policy: state and random stream in, card and next stream out.
Drafter = Callable[[GameState, Rng], tuple[Card, Rng]]


def at_random(state: GameState, rng: Rng) -> tuple[Card, Rng]:
    """Pick any open card, each with the same probability."""
    index, rng = rng.below(len(state.stock))
    return state.stock[index], rng


def by_heads(state: GameState, rng: Rng) -> tuple[Card, Rng]:
    """A random card among those with the fewest heads."""
    game = _game(state)
    fewest = min(game.heads_in((card,)) for card in state.stock)
    among = [card for card in state.stock if game.heads_in((card,)) == fewest]
    index, rng = rng.below(len(among))
    return among[index], rng


def advised(playouts: int) -> Drafter:
    """The adviser's first choice, with ``playouts`` playouts per pick."""

    def pick(state: GameState, rng: Rng) -> tuple[Card, Rng]:
        seed, rng = rng.below(1 << 31)
        return next(iter(estimate_picks(state, playouts=playouts, seed=seed))), rng

    return pick


#: Value of a finished draft: heads of B minus heads of A.
Judge = Callable[[GameState], float]


def draft_match(
    one: Drafter,
    other: Drafter,
    *,
    drafts: int,
    seed: int = 0,
    hand_size: int = 10,
    judge: Searcher | Judge | None = None,
) -> Estimate:
    """Let two policies draft against each other in both seats; return the first one's gain per deal, with interval.

    ``judge`` values each deal: a searcher exactly (at most seven cards a hand, to take only seconds), a function as it
    likes, None by the mean of quick rounds.
    """
    if isinstance(judge, Searcher) and hand_size > 7:
        raise RulesError("solver.judging_deals_cards", hand_size=hand_size)
    total, squares = 0.0, 0.0
    for number in range(drafts):
        rng = Rng.from_seed(seed, stream=number)
        mine = number % 2
        state = Advanced(players=2, hand_size=hand_size, rounds=1).deal(seed=number)
        while not state.rows:
            seat = next(iter(state.pending))
            card, rng = (one if seat == mine else other)(state, rng)
            state, _ = state.choose({seat: card})
        if judge is None:
            worth = quick_value(state, seed=number)
        elif isinstance(judge, Searcher):
            low, high = judge.bounds(OpenPosition.of(state))
            worth = (low + high) / 2
        else:
            worth = judge(state)
        gain = worth if mine == 0 else -worth
        total += gain
        squares += gain * gain
    return _estimate(1.0, float(drafts), total, squares)


def quick_value(state: GameState, *, playouts: int = 400, seed: int = 0) -> float:
    """Estimate heads of B minus heads of A in a complete deal by quick rounds."""
    cards = sorted((*state.hands[0], *state.hands[1], *(row[0] for row in state.rows)))
    owners = {card: player for player in (0, 1) for card in state.hands[player]}
    rounds = QuickRounds(Rng.from_seed(seed), cards, [state.game.heads_in((card,)) for card in cards])
    total, _ = rounds.play(owners, 0, playouts)
    return total / playouts


def _game(state: GameState) -> Advanced:
    game = state.game
    if not isinstance(game, Advanced) or game.players != 2:
        raise Unsupported("solver.draft_solver_advanced")
    check_table(game)
    if game.fan_cards:
        raise Unsupported("solver.draft_solver_knows")
    if state.rows or not state.pending:
        raise PositionError("solver.draft_over_solve")
    return game
