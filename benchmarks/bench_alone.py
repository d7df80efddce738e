"""How far the bots are from perfect play, for one player against the buffalo, in games small enough to solve.

    python benchmarks/bench_alone.py                      # 100 positions: three cards each, from a deck of thirty
    python benchmarks/bench_alone.py --positions 300 --bots best random --keep alone.jsonl

In each position the chance to win is computed twice, as an exact fraction, over all cards that the buffalo may still
have: if the player always chooses what is best (`chances`), and if a bot chooses (`kept_by`, which plays on in the
engine). Rows are of any length, so that cards take rows. A bot is asked once wherever it can get to.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from functools import cache, partial
from pathlib import Path
from statistics import fmean, stdev
from typing import TypeAlias

from kept import over

from nimmt_lab import Buffalo
from nimmt_lab.bots import bot
from nimmt_lab.engine.cards import Cards
from nimmt_lab.engine.decisions import Choice, ChooseCard, ChooseRow
from nimmt_lab.engine.rng import Rng
from nimmt_lab.engine.state import GameState
from nimmt_lab.engine.view import View
from nimmt_lab.games.buffalo.parts import BuffaloTable

CARDS, DECK = 3, 30
GAME = Buffalo(players=1, hand_size=CARDS, deck_size=DECK)


def position(number: int) -> GameState:
    """Rows of one to five cards, in ascending order, and three cards each.

    >>> len(position(1).hands[0])
    3
    """
    rng, sizes = Rng.from_seed(number, stream=32), []
    for _ in range(GAME.rows):
        size, rng = rng.below(5)
        sizes.append(1 + size)
    cards, _ = rng.shuffled(GAME.deck)
    rows = []
    for size in sizes:
        rows.append(sorted(cards[:size]))
        cards = cards[size:]
    lines = [*(" ".join(map(str, row)) for row in rows)]
    mine, theirs = (" ".join(map(str, sorted(cards[at : at + CARDS]))) for at in (0, CARDS))
    return GAME.from_position(f"{' | '.join(lines)} ; A: {mine} ; buffalo: {theirs}")


def chances(view: View, unseen: Cards) -> dict[Choice, Fraction]:
    """The probability to win with each option, a card or a row, if the best one is chosen ever after; the buffalo's
    cards are among the `unseen` ones. It shares no code with the package. A low card of the buffalo takes the cheapest
    row, the one with the highest end among equals."""
    heads = {card: view.game.heads_in((card,)) for card in view.game.deck}
    Rows: TypeAlias = tuple[Cards, ...]

    def worth(row: Cards) -> int:
        return sum(heads[card] for card in row)

    @cache
    def best(rows: Rows, hand: Cards, unseen: Cards, lead: int) -> Fraction:
        return max(after(rows, hand, unseen, lead, card) for card in hand) if hand else Fraction(lead > 0)

    def after(rows: Rows, hand: Cards, unseen: Cards, lead: int, card: int) -> Fraction:
        hand, total = tuple(c for c in hand if c != card), Fraction(0)
        for theirs in unseen:
            left = tuple(c for c in unseen if c != theirs)
            total += placed(rows, tuple(sorted((card, theirs))), card, hand, left, lead)
        return total / len(unseen)

    def placed(rows: Rows, cards: Cards, mine: int, hand: Cards, unseen: Cards, lead: int) -> Fraction:
        if not cards:
            return best(tuple(sorted(rows)), hand, unseen, lead)
        card = cards[0]
        under = [row for row in rows if row[-1] < card]
        if under:
            row = max(under, key=lambda row: row[-1])
            return put(rows, row, len(row) == 5, cards, mine, hand, unseen, lead)
        low = rows if card == mine else (min(rows, key=lambda row: (worth(row), -row[-1])),)
        return max(put(rows, row, True, cards, mine, hand, unseen, lead) for row in low)

    def put(
        rows: Rows, row: Cards, takes: bool, cards: Cards, mine: int, hand: Cards, unseen: Cards, lead: int
    ) -> Fraction:
        others = tuple(other for other in rows if other is not row)
        lead += (-2 if cards[0] == mine else 1) * worth(row) * takes
        return placed((*others, (cards[0],) if takes else (*row, cards[0])), cards[1:], mine, hand, unseen, lead)

    lead, decision = view.pile_heads[1] - 2 * view.pile_heads[0], view.decision
    if isinstance(decision, ChooseCard):
        return {card: after(view.rows, view.hand, unseen, lead, card) for card in view.hand}
    card, *later = (play.card for play in sorted(view.queue, key=lambda play: play.value))
    cards = card, *later
    return {
        row: put(view.rows, view.rows[row], True, cards, card, view.hand, unseen, lead)
        for row in (decision.options if isinstance(decision, ChooseRow) else ())
        if isinstance(row, int)
    }


def kept_by(choose: Callable[[View, Cards], Choice], state: GameState, unseen: Cards) -> Fraction:
    """The probability that such a player wins from here, over all unseen cards that the buffalo may have. Those in
    its pile lie face down, but a player who remembers has seen them."""
    view = state.view(0)
    if len(view.hand) == 1:
        return chances(view, unseen)[view.hand[0]]  # the last card leaves a choice only if it is low, for the best row
    card, total = choose(view, unseen), Fraction(0)
    for theirs in unseen:
        extra, left = BuffaloTable.of(state), tuple(other for other in unseen if other != theirs)
        deck = (theirs, *left[: len(extra.deck) - 1])
        after, _ = replace(state, extra=replace(extra, deck=deck)).choose({0: card})
        while not isinstance(after.view(0).decision, ChooseCard):
            after, _ = after.choose({0: choose(after.view(0), left)})
        total += kept_by(choose, after, left)
    return total / len(unseen)


def perfect(view: View, unseen: Cards) -> Choice:
    """A best choice."""
    worth = chances(view, unseen)
    return max(worth, key=lambda option: worth[option])


def one_position(name: str, number: int) -> tuple[float, float]:
    """The best chance to win in a position, and the bot's."""
    state, player = position(number), bot(name)
    unseen = state.view(0).unseen
    kept = kept_by(lambda view, _: player.choose(view, Rng.from_seed(1)), state, unseen)
    return float(max(chances(state.view(0), unseen).values())), float(kept)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--positions", type=int, default=100)
    parser.add_argument("--bots", nargs="+", default=["best", "best-1"])
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--keep", type=Path, help="a file from which the same command resumes")
    given = parser.parse_args()
    for name in given.bots:
        numbers = range(given.positions)
        found = over(partial(one_position, name), numbers, f"{name} alone", workers=given.workers, keep=given.keep)
        lost = [best - kept for best, kept in found]
        margin = 1.96 * stdev(lost) / len(lost) ** 0.5 if len(lost) > 1 else 0.0
        same = sum(one < 1e-9 for one in lost)
        print(
            f"{name}, {len(found)} positions: perfect play wins {fmean(best for best, _ in found):.4f}, "
            f"the bot loses {fmean(lost):.4f} ± {margin:.4f} of that, at most {max(lost):.3f}; nothing in {same}"
        )


if __name__ == "__main__":
    main()
