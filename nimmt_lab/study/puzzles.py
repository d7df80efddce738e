"""Puzzles: open positions for two players with one clearly best card, proved in exact fractions.

>>> (puzzle,) = puzzles(1, seed=5, progress=False)
>>> puzzle.margin >= 1 and puzzle.best in puzzle.state.hands[puzzle.seat]
True
>>> sorted({puzzle.best, *puzzle.replies}) == sorted(puzzle.state.hands[puzzle.seat])
True
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from fractions import Fraction
from typing import NamedTuple

from nimmt_lab.engine.cards import PRINTED_HEADS, Card, Seat, seat_letter
from nimmt_lab.engine.decisions import Choice
from nimmt_lab.engine.errors import RulesError
from nimmt_lab.engine.files import shown
from nimmt_lab.engine.habits import random_choices
from nimmt_lab.engine.registry import all_games
from nimmt_lab.engine.rng import Rng
from nimmt_lab.engine.state import GameState
from nimmt_lab.solver.exact import Searcher, TurnTable
from nimmt_lab.solver.matrix import column_values, row_values, solve_floats, solve_matrix
from nimmt_lab.solver.open_position import PLAIN, OpenPosition
from nimmt_lab.solver.proof import Prover, TooMuchWork
from nimmt_lab.solver.reference import ReferenceSolver
from nimmt_lab.solver.turn_odds import odds

from .work import check_wanted, first_found

#: With eight cards per hand a puzzle takes about ten seconds, with nine or ten far longer.
FEWEST_CARDS, MOST_CARDS = 2, 10
#: With up to this many cards the reference solver proves everything; with more, a proof starts from search bounds.
PLAIN_UP_TO = 5
#: Tolerated error, in heads, of the estimate by which positions are skipped.
DOUBT = 0.5
#: Positions that a proof may use; positions that need more are skipped.
MOST_PROOF = 5000
#: Positions examined per puzzle before giving up.
POSITIONS_EACH = 3000


class Reply(NamedTuple):
    """The refutation of a wrong card, and how many heads it costs compared with the best card."""

    card: Card
    costs: Fraction


@dataclass(frozen=True)
class Puzzle:
    """A position in which `seat` has one clearly best card.

    `best` guarantees `value` against any reply; without it no card, and no mixed strategy, guarantees more than
    `value` − `margin`. All values are exact.
    """

    state: GameState
    seat: Seat
    best: Card
    #: The opponent's heads minus one's own, from here to the end of the round, with best play by both.
    value: Fraction
    margin: Fraction
    #: The refutation of every other card.
    replies: Mapping[Card, Reply]
    #: 1: the best card also looks best; 2: others look as good; 3: another looks better. Looks are expected heads this
    #: turn against a random card of the opponent.
    difficulty: int

    @property
    def position(self) -> str:
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
    """Find puzzles in random play with open hands: `cards` per hand, the best one better by at least `margin` heads.

    `difficulty` (1 to 3, see `Puzzle`) selects one grade. Equal seeds give equal puzzles. An interrupt returns the
    puzzles found so far; if there are none, it propagates.
    """
    check_wanted(count, margin)
    if isinstance(cards, bool) or cards not in range(FEWEST_CARDS, MOST_CARDS + 1):
        raise RulesError("shared.must_from_to", what="cards", least=FEWEST_CARDS, most=MOST_CARDS, got=shown(cards))
    if difficulty not in (None, 1, 2, 3):
        raise RulesError("shared.difficulty_must_got", got=shown(difficulty))
    searcher = Searcher()

    def candidates() -> Iterator[Puzzle | None]:
        for state, seat in _positions(cards, seed):
            puzzle = None
            if _is_promising(state, seat, margin, searcher):
                with suppress(TooMuchWork):
                    puzzle = as_puzzle(state, seat, margin, searcher=searcher, most=MOST_PROOF)
            yield None if puzzle is None or difficulty not in (None, puzzle.difficulty) else puzzle

    return first_found(candidates(), count, most=count * POSITIONS_EACH, margin=margin, progress=progress)


def as_puzzle(
    state: GameState,
    seat: Seat,
    margin: float | Fraction = 1,
    *,
    searcher: Searcher | None = None,
    most: int | None = None,
) -> Puzzle | None:
    """Make a puzzle of a position for a seat; None if no card is best by the margin.

    A `searcher` that knows the position saves the search. With more than five cards per hand, a proof that needs more
    than `most` positions raises `TooMuchWork`.

    >>> from nimmt_lab import Advanced
    >>> game = Advanced(players=2)
    >>> state = game.from_position("6 18 21 | 3 | 11 14 22 | 15 23 ; A: 10 16 17 24 ; B: 2 13 19 20")
    >>> puzzle = as_puzzle(state, 0)
    >>> puzzle.best, str(puzzle.value), str(puzzle.margin), puzzle.difficulty
    (10, '3', '43/16', 2)
    >>> puzzle.replies[24]
    Reply(card=2, costs=Fraction(5, 1))
    """
    opened = OpenPosition.of(state)
    if opened.kind != PLAIN or opened.heads != PRINTED_HEADS:
        raise RulesError("study.puzzles_proved_plain")
    if opened.cards_each > PLAIN_UP_TO:
        return _Large(state, opened, seat, searcher or Searcher(), most).puzzle(margin)
    mine, theirs = opened.hands[seat], opened.hands[1 - seat]
    table = ReferenceSolver().payoffs(opened.rows, opened.hands[0], opened.hands[1])
    if seat == 1:  # B's point of view: rows are B's cards, positive is good for B
        table = [[-entry for entry in column] for column in zip(*table, strict=True)]
    floors = [min(row) for row in table]
    best = max(range(len(mine)), key=lambda at: floors[at])
    value = solve_matrix(table).value
    if len(mine) < 2 or floors[best] != value:
        return None  # only a mixed strategy is optimal
    less = value - solve_matrix(table[:best] + table[best + 1 :]).value
    if less < margin:
        return None
    replies = {
        card: Reply(theirs[row.index(min(row))], value - min(row))
        for at, (card, row) in enumerate(zip(mine, table, strict=True))
        if at != best
    }
    return Puzzle(state, seat, mine[best], value, less, replies, _grade(opened, seat, mine[best]))


class _Large:
    """Puzzles with larger hands: the search bounds the payoff matrix, and only the numbers that the puzzle states are
    proved exactly."""

    def __init__(
        self, state: GameState, opened: OpenPosition, seat: Seat, searcher: Searcher, most: int | None
    ) -> None:
        self._state, self._opened, self._seat = state, opened, seat
        self._prover = Prover(searcher, most)
        proof = searcher.prove(opened, detail="full")
        if proof.interrupted:
            raise KeyboardInterrupt
        self._table = proof.turn
        self._cards = [[card for card, _ in actions] for actions in self._table.actions]

    def puzzle(self, margin: float | Fraction) -> Puzzle | None:
        seat, sign = self._seat, 1 if self._seat == 0 else -1
        solved = self._prover.turn(self._state, self._table)
        # A card that is needed for the value is in the support of every optimal strategy.
        alone = [at for at in solved.mixes[seat] if self._floor(at)[1] == sign * solved.value]
        if len(alone) != 1:
            return None
        (best,) = alone
        value = sign * solved.value
        less = value - sign * self._prover.turn(self._state, self._without(best)).value
        if less < margin:
            return None
        mine, theirs = self._cards[seat], self._cards[1 - seat]
        floors = {card: self._floor(at) for at, card in enumerate(mine) if at != best}
        replies = {card: Reply(theirs[answer], value - floor) for card, (answer, floor) in floors.items()}
        return Puzzle(self._state, seat, mine[best], value, less, replies, _grade(self._opened, seat, mine[best]))

    def _floor(self, at: int) -> tuple[int, Fraction]:
        """The first best reply to a card of the seat, and the card's value against it."""
        ours, table = self._seat == 0, self._table
        lows = table.lows[at] if ours else [-row[at] for row in table.highs]
        highs = table.highs[at] if ours else [-row[at] for row in table.lows]
        values: dict[int, Fraction] = {}
        for answer, (lo, hi) in enumerate(zip(lows, highs, strict=True)):
            if lo == hi:
                values[answer] = Fraction(lo)
            elif lo <= min(highs):  # too close to call
                pair = (at, answer) if ours else (answer, at)
                choices: dict[Seat, Choice] = {who: self._cards[who][card] for who, card in enumerate(pair)}
                values[answer] = (1 if ours else -1) * self._prover.after(self._state, choices)
        floor = min(values.values())
        return next(answer for answer, value in values.items() if value == floor), floor

    def _without(self, best: int) -> TurnTable:
        """The payoff bounds without one card of the seat, and strategies to start from."""
        table, ours = self._table, self._seat == 0

        def cut(entries: list[list[float]]) -> list[list[float]]:
            if ours:
                return entries[:best] + entries[best + 1 :]
            return [row[:best] + row[best + 1 :] for row in entries]

        lows, highs = cut(table.lows), cut(table.highs)
        middle = [[(lo + hi) / 2 for lo, hi in zip(*rows, strict=True)] for rows in zip(lows, highs, strict=True)]
        start = solve_floats(middle)
        actions = [list(some) for some in table.actions]
        del actions[self._seat][best]
        return TurnTable((actions[0], actions[1]), (list(start.row), list(start.column)), lows, highs)


def _grade(opened: OpenPosition, seat: Seat, best: Card) -> int:
    """The difficulty, by how the best card looks within this turn."""
    mine, theirs = opened.hands[seat], opened.hands[1 - seat]
    deck = sorted({card for part in (*opened.rows, mine, theirs) for card in part})
    looks = odds(opened.rows, mine, 1, seen=set(deck) - set(theirs), deck=deck)
    others = min(looks[card].expected_heads for card in mine if card != best)
    own = looks[best].expected_heads
    return 1 if own < others else 2 if own == others else 3


def _is_promising(state: GameState, seat: Seat, margin: float | Fraction, searcher: Searcher) -> bool:
    """A quick test by the compiled search, a hundred times faster than fractions.

    Against an optimal strategy of the opponent no mixed strategy beats the best card. So regrets of at least the margin
    are sufficient, though not necessary.
    """
    opened = OpenPosition.of(state)
    if opened.cards_each > PLAIN_UP_TO:
        guess = searcher.guess(opened)
        if guess is not None and sorted(guess[seat])[1] < float(margin) - DOUBT:
            return False  # not worth a search
    proof = searcher.prove(opened, detail="regrets")
    if proof.interrupted:  # the search only reports interrupts
        raise KeyboardInterrupt
    turn = proof.turn
    if seat == 0:
        regrets = sorted(proof.hi - worth for worth in row_values(turn.lows, turn.mixes[1]))
    else:
        regrets = sorted(worth - proof.lo for worth in column_values(turn.highs, turn.mixes[0]))
    return regrets[0] < 1e-5 and regrets[1] > float(margin) - 1e-5


def _positions(cards: int, seed: int) -> Iterator[tuple[GameState, Seat]]:
    """Positions between turns of random games with `cards` per hand, and a random seat."""
    game = next(kind for kind in all_games().values() if not kind.hidden_hands)(players=2, rounds=1)
    rng = Rng.from_seed(seed, stream=8)
    while True:
        deal, rng = rng.below(1 << 31)
        state = game.deal(deal)
        while not state.rows or state.queue or len(state.hands[0]) > cards:
            choices, rng = random_choices(state, rng)
            state, _ = state.choose(choices)
        seat, rng = rng.below(2)
        yield state, seat
