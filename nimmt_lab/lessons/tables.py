"""Small random tables for classroom questions, and experiments on them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from nimmt_lab.engine.cards import Card, Cards, Seat, cards_text, seat_letter
from nimmt_lab.engine.decisions import Choice, ChooseCard, ChooseRow
from nimmt_lab.engine.rng import Rng
from nimmt_lab.engine.state import GameState
from nimmt_lab.engine.view import View
from nimmt_lab.games.classic.rules import Classic

from .problem import Trial
from .question import heads_won, play_turn

#: The classroom deck is small enough to list the unseen cards.
DECK = 40
HAND = 3


@dataclass(frozen=True)
class Scenario:
    """A table on which A plays `card` to the row `home` and may have to take it.

    The first row is a single 1, so that no card is too low for every row.
    """

    rows: tuple[Cards, ...]
    hand: Cards
    card: Card
    home: int

    @property
    def end(self) -> Card:
        return self.rows[self.home][-1]

    @property
    def unseen(self) -> Cards:
        seen = {*self.hand, *(card for row in self.rows for card in row)}
        return tuple(card for card in range(1, DECK + 1) if card not in seen)

    @property
    def between(self) -> Cards:
        """Unseen cards that would go to the same row before A's card."""
        return tuple(card for card in self.unseen if self.end < card < self.card)

    def state(self, opponents: int, hidden: Sequence[Card] | None = None) -> GameState:
        """The table with opponents who hold the `hidden` cards, by default the first unseen ones."""
        cards = self.unseen if hidden is None else hidden
        hands = [self.hand, *(cards[at * HAND : (at + 1) * HAND] for at in range(opponents))]
        rows = " | ".join(cards_text(row) for row in self.rows)
        dealt = [f"{seat_letter(seat)}: {cards_text(hand)}" for seat, hand in enumerate(hands)]
        game = Classic(players=opponents + 1, deck_size=DECK, hand_size=HAND, rounds=1)
        return game.from_position(" ; ".join([rows, *dealt]))


def scenario(rng: Rng, held: int, at_least: int = 3) -> tuple[Scenario, Rng]:
    """A random scenario whose row has `held` cards, with at least that many unseen cards between."""
    while True:
        cards, rng = rng.shuffled(range(2, DECK + 1), take=held + 5)
        row = tuple(sorted(cards[:held]))
        others = cards[held : held + 2]
        hand = tuple(sorted(cards[held + 2 : held + 5]))
        mine = [card for card in hand if card > row[-1]]
        if not mine or row[-1] < 6 or row[-1] > DECK - 10:
            continue
        card = mine[-1]
        # The two single cards are higher, so that they do not matter.
        if any(other < card for other in others):
            continue
        # The rows are in random order below the 1.
        order, rng = rng.shuffled([row, (others[0],), (others[1],)])
        rows = ((1,), *order)
        table = Scenario(rows, hand, card, rows.index(row))
        if at_least <= len(table.between) <= 12:
            return table, rng


def heads_taken(state: GameState, choices: Mapping[Seat, Choice], seat: Seat) -> int:
    """The heads that a seat takes this turn; low cards take the cheapest row (R-C4)."""
    return -heads_won(play_turn(state, choices), seat)


def turn_trial(
    table: Scenario,
    opponents: int,
    *,
    of: Callable[[int], float],
    card: Card | None = None,
    gone: Sequence[Card] = (),
    given: Callable[[Sequence[Card], Sequence[Card]], bool] | None = None,
) -> Trial:
    """Deal the unseen cards to the opponents and let each play one at random; the result is a function of A's heads.

    `gone` are cards that nobody holds. `given` is a condition on the cards played and on those dealt.
    """
    deck = [unseen for unseen in table.unseen if unseen not in gone]

    def trial(rng: Rng) -> tuple[float | None, Rng]:
        cards, rng = rng.shuffled(deck, take=opponents * HAND)
        hidden = cards[: opponents * HAND]
        played = [hidden[at * HAND] for at in range(opponents)]  # the first card of a shuffled hand is random
        if given is not None and not given(played, hidden):
            return None, rng
        choices: dict[Seat, Choice] = {0: table.card if card is None else card}
        choices |= {seat + 1: chosen for seat, chosen in enumerate(played)}
        return of(heads_taken(table.state(opponents, hidden), choices, 0)), rng

    return trial


def took(heads: int) -> float:
    """1 if a row was taken (every row has heads), otherwise 0."""
    return float(heads > 0)


# Whole rounds --------------------------------------------------------------------------------------------


def random_card(view: View, rng: Rng) -> tuple[Choice, Rng]:
    assert isinstance(view.decision, ChooseCard)
    at, rng = rng.below(len(view.decision.options))
    return view.decision.options[at], rng


def closest_card(view: View, rng: Rng) -> tuple[Choice, Rng]:
    """The card closest above the end of a row that is not full; otherwise the highest card."""
    best: tuple[int, Card] | None = None
    for card in view.hand:
        ends = [(row[-1], len(row)) for row in view.rows if row[-1] < card]
        if ends and max(ends)[1] < view.game.places_in_row:
            close = (card - max(ends)[0], card)
            best = close if best is None else min(best, close)
    return (best[1] if best else max(view.hand)), rng


Policy = Callable[[View, Rng], tuple[Choice, Rng]]


def play_round(seed: int, policies: Sequence[Policy], rng: Rng) -> tuple[tuple[int, ...], Rng]:
    """Everybody's heads after one round dealt from `seed`; low cards take the cheapest row (R-C4)."""
    state = Classic(players=len(policies), rounds=1).deal(seed)
    while not state.is_over:
        choices, rng = chosen(state, policies, rng)
        state, _ = state.choose(choices)
    return state.totals, rng


def chosen(state: GameState, policies: Sequence[Policy], rng: Rng) -> tuple[dict[Seat, Choice], Rng]:
    """The choices of all seats: cards by their policies, the cheapest row for a low card (R-C4)."""
    choices: dict[Seat, Choice] = {}
    for seat, decision in state.pending.items():
        if isinstance(decision, ChooseRow):
            choices[seat] = state.game.cheapest_row(state)
        else:
            choices[seat], rng = policies[seat](state.view(seat), rng)
    return choices, rng


def streams(seed: int, lesson: int) -> Rng:
    return Rng.from_seed(seed, stream=100 + lesson)
