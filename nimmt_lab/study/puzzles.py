"""Puzzles: open positions for two with one clearly best card, found by the solver and proved in exact fractions.

>>> (puzzle,) = puzzles(1, seed=5, progress=False)
>>> puzzle.margin >= 1 and puzzle.best in puzzle.state.hands[puzzle.seat]
True
>>> sorted({puzzle.best, *puzzle.replies}) == sorted(puzzle.state.hands[puzzle.seat])
True
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import NamedTuple

from nimmt_lab.engine.cards import PRINTED_HEADS, Card, Seat, seat_letter
from nimmt_lab.engine.errors import RulesError
from nimmt_lab.engine.files import shown
from nimmt_lab.engine.habits import random_choices
from nimmt_lab.engine.registry import all_games
from nimmt_lab.engine.rng import Rng
from nimmt_lab.engine.state import GameState
from nimmt_lab.solver.exact import Searcher
from nimmt_lab.solver.matrix import solve_matrix
from nimmt_lab.solver.open_position import PLAIN, OpenPosition
from nimmt_lab.solver.proof import Prover
from nimmt_lab.solver.reference import ReferenceSolver
from nimmt_lab.solver.turn_odds import odds
from nimmt_lab.solver.two_players import solve

from .work import check_wanted, first_found

#: With more than seven cards a hand a whole table in exact fractions takes too long to look for one that will do.
FEWEST_CARDS, MOST_CARDS = 2, 7
#: Up to so many the plain solver proves everything; beyond, the search finds bounds that the proof starts from.
PLAIN_UP_TO = 5
#: Heads by which an estimate may be off before a position is passed over on its word.
DOUBT = 1.5
#: Positions looked at for each puzzle before the search is given up.
TRIES = 3000


class Reply(NamedTuple):
    """The answer that refutes a wrong card, and how many heads that costs against what the best card holds."""

    card: Card
    costs: Fraction


@dataclass(frozen=True)
class Puzzle:
    """One position in which `seat` has one clearly best card.

    `best` alone holds `value` whatever the other one plays; without it no card, and no mix of cards, can hold more than
    `value` − `margin`. All of it is exact.
    """

    state: GameState
    seat: Seat
    best: Card
    #: Heads of the other one minus own heads, from here to the end of the round, with best play by both.
    value: Fraction
    margin: Fraction
    #: For every other card, the reply that shows what is wrong with it.
    replies: Mapping[Card, Reply]
    #: 1: the best card also looks best; 2: others look as good; 3: another one looks better. A card looks as good as
    #: the odds of this turn say, against any card of the other hand alike.
    difficulty: int

    @property
    def position(self) -> str:
        """The position as people write it."""
        return str(self.state.position)

    def __repr__(self) -> str:
        text = f"{self.position}, {seat_letter(self.seat)} to find a card"
        return f"<Puzzle: {text}, difficulty {self.difficulty}, margin {float(self.margin):.2f}>"


def puzzles(
    count: int = 10,
    *,
    seed: int = 0,
    cards: int = 3,
    margin: float | Fraction = 1,
    difficulty: int | None = None,
    progress: bool = True,
) -> tuple[Puzzle, ...]:
    """Make puzzles from random play with open hands: `cards` a hand, the best one better by `margin` heads or more.

    `difficulty` (1 to 3, see `Puzzle`) keeps only those of one grade. The same seed gives the same puzzles. An
    interrupt returns those found so far; if there are none yet, it goes on to the caller.
    """
    check_wanted(count, margin)
    if isinstance(cards, bool) or cards not in range(FEWEST_CARDS, MOST_CARDS + 1):
        raise RulesError(f"cards must be from {FEWEST_CARDS} to {MOST_CARDS}, got {shown(cards)}")
    if difficulty not in (None, 1, 2, 3):
        raise RulesError(f"difficulty must be 1, 2 or 3, got {shown(difficulty)}")
    searcher = Searcher()

    def tried() -> Iterator[Puzzle | None]:
        for state, seat in _positions(cards, seed):
            puzzle = as_puzzle(state, seat, margin) if _is_promising(state, seat, margin, searcher) else None
            yield None if puzzle is None or difficulty not in (None, puzzle.difficulty) else puzzle

    return first_found(tried(), count, most=count * TRIES, margin=margin, progress=progress)


def as_puzzle(state: GameState, seat: Seat, margin: float | Fraction = 1) -> Puzzle | None:
    """The puzzle a position makes for a seat, proved in fractions; None if no card is best by the margin.

    >>> from nimmt_lab import Advanced
    >>> game = Advanced(players=2)
    >>> state = game.from_position("6 18 21 | 3 | 11 14 22 | 15 23 ; A: 10 16 17 24 ; B: 2 13 19 20")
    >>> puzzle = as_puzzle(state, 0)
    >>> puzzle.best, str(puzzle.value), str(puzzle.margin), puzzle.difficulty
    (10, '3', '43/16', 2)
    >>> puzzle.replies[24]  # 24 is answered by 2, and five heads more are lost
    Reply(card=2, costs=Fraction(5, 1))
    """
    opened = OpenPosition.of(state)
    if opened.kind != PLAIN or opened.heads != PRINTED_HEADS:
        raise RulesError("puzzles are proved for the plain deck, without fan cards")
    mine, theirs = opened.hands[seat], opened.hands[1 - seat]
    if opened.cards_each <= PLAIN_UP_TO:
        table = ReferenceSolver().payoffs(opened.rows, opened.hands[0], opened.hands[1])
    else:
        table = _proved(state, opened)
    if seat == 1:  # seen from B: rows are B's cards, and what is good for B is positive
        table = [[-entry for entry in column] for column in zip(*table, strict=True)]
    floors = [min(row) for row in table]
    best = max(range(len(mine)), key=lambda at: floors[at])
    value = solve_matrix(table).value
    if len(mine) < 2 or floors[best] != value:
        return None  # a mix is needed: no card alone is right
    less = value - solve_matrix(table[:best] + table[best + 1 :]).value
    if less < margin:
        return None
    replies = {
        card: Reply(theirs[row.index(min(row))], value - min(row))
        for at, (card, row) in enumerate(zip(mine, table, strict=True))
        if at != best
    }
    return Puzzle(state, seat, mine[best], value, less, replies, _grade(opened, seat, mine[best]))


def _proved(state: GameState, opened: OpenPosition) -> list[list[Fraction]]:
    """The whole table of a turn in fractions, from the bounds of the search."""
    searcher = Searcher()
    bounds, prover = searcher.table(opened), Prover(searcher)
    solved = prover.turn(state, bounds)
    prover.complete(state, bounds, solved)
    size = range(opened.cards_each)
    return [[solved.entries[i, j] for j in size] for i in size]


def _grade(opened: OpenPosition, seat: Seat, best: Card) -> int:
    """How the best card looks to somebody who thinks of this turn only."""
    mine, theirs = opened.hands[seat], opened.hands[1 - seat]
    deck = sorted({card for part in (*opened.rows, mine, theirs) for card in part})
    looks = odds(opened.rows, mine, 1, seen=set(deck) - set(theirs), deck=deck)
    others = min(looks[card].expected_heads for card in mine if card != best)
    own = looks[best].expected_heads
    return 1 if own < others else 2 if own == others else 3


def _is_promising(state: GameState, seat: Seat, margin: float | Fraction, searcher: Searcher) -> bool:
    """A quick look by the compiled search: fractions take a hundred times as long.

    Against an optimal strategy of the other one, no mix of cards loses less than the card that loses least: so regrets
    of at least the margin are enough (not necessary) for a puzzle.
    """
    opened = OpenPosition.of(state)
    if opened.cards_each > PLAIN_UP_TO:
        guess = searcher.guess(opened)
        if guess is not None and sorted(guess[seat])[1] < float(margin) - DOUBT:
            return False  # not worth a search
    solution = solve(state, detail="full", searcher=searcher)
    if solution.interrupted:  # the solver answers an interrupt with what it knows; here it is meant for all the work
        raise KeyboardInterrupt
    regrets = sorted(bounds.hi for bounds in solution.regrets[seat].values())
    return regrets[0] < 1e-5 and regrets[1] > float(margin) - 1e-5


def _positions(cards: int, seed: int) -> Iterator[tuple[GameState, Seat]]:
    """Positions between two turns of random games, with so many cards a hand, and the seat to ask."""
    game = next(kind for kind in all_games().values() if not kind.hidden_hands)(players=2, rounds=1)  # type: ignore[call-arg]
    rng = Rng.from_seed(seed, stream=8)
    while True:
        deal, rng = rng.below(1 << 31)
        state = game.deal(deal)
        while not state.rows or state.queue or len(state.hands[0]) > cards:
            choices, rng = random_choices(state, rng)
            state, _ = state.choose(choices)
        seat, rng = rng.below(2)
        yield state, seat
