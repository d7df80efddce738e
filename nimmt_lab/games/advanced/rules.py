"""Advanced mode, 2 to 6 players (rules: advanced): known cards and an open draft, then the classic game."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from nimmt_lab.engine.cards import Card, Seat, cards_text, seat_letter
from nimmt_lab.engine.decisions import Choice, Decision, PickCard
from nimmt_lab.engine.errors import PositionError, RulesError
from nimmt_lab.engine.events import Event
from nimmt_lab.engine.files import shown
from nimmt_lab.engine.game import Game
from nimmt_lab.engine.rule import Rule
from nimmt_lab.engine.state import GameState
from nimmt_lab.engine.table import LiveTable
from nimmt_lab.engine.values import value
from nimmt_lab.games.classic.rules import Classic

__all__ = ["Advanced", "AdvancedRule", "CardPicked", "DraftStarted"]


class AdvancedRule(Rule):
    KNOWN_CARDS = ("advanced.1",)
    DRAFT = ("advanced.2", "R-A1")


@value
class DraftStarted(Event):
    """All cards are face up; `first` picks first."""

    round: int
    cards: tuple[Card, ...]
    first: Seat


@value
class CardPicked(Event):
    """A seat picked a face-up card for its hand."""

    seat: Seat
    card: Card


@dataclass(frozen=True, repr=False)
class Advanced(Classic):
    """Advanced mode: the deck is 1 … 10·n+4, and hands are drafted in the open.

    >>> Advanced(players=3).deck
    range(1, 35)
    >>> state = Advanced(players=2).deal(seed=0)
    >>> state.pending[0].options[-1]
    24
    >>> state, events = state.choose({0: 24})
    >>> events
    (CardPicked(rule=AdvancedRule.DRAFT, seat=0, card=24),)
    >>> list(state.pending)
    [1]
    """

    name: ClassVar[str] = "advanced"
    for_players: ClassVar[tuple[int, int]] = (2, 6)
    hidden_hands: ClassVar[bool] = False
    open_stock: ClassVar[bool] = True

    #: Fixed by the number of cards in hands and rows (rule 1).
    deck_size: int = 0
    #: R-A1: the first picker of round 1; it moves on by one seat each round.
    first: Seat = 0

    def __post_init__(self) -> None:
        Game.__post_init__(self)
        if self.deck_size != 0:
            raise RulesError("advanced.advanced_mode_uses")
        if self.first not in range(self.players):
            raise RulesError("advanced.first_must_seat", most=self.players - 1, got=shown(self.first))
        super().__post_init__()

    @property
    def last_card(self) -> int:
        return self.hand_size * self.players + self.rows

    def start_round(self, table: LiveTable) -> None:
        table.rows = []
        table.hands = [()] * self.players
        table.piles = [()] * self.players
        table.stock = tuple(self.deck)
        table.turn = 0
        table.emit(DraftStarted(AdvancedRule.DRAFT, table.round, table.stock, self.picker(table)))

    def picker(self, table: LiveTable) -> Seat:
        """The picking seat, clockwise from the round's first."""
        picks = sum(map(len, table.hands))
        return (self.first + table.round + picks) % self.players

    def go_on(self, table: LiveTable) -> None:
        if table.rows:
            super().go_on(table)
        elif len(table.stock) > self.rows:
            table.ask(self.picker(table), PickCard(AdvancedRule.DRAFT, table.stock))
        else:
            # R-A2: the stock is ascending, so the lowest card starts the top row.
            cards, table.stock = table.stock, ()
            self.start_rows(table, cards)

    def answer(self, table: LiveTable, asked: Mapping[Seat, Decision], answers: Mapping[Seat, Choice]) -> None:
        if table.rows:
            super().answer(table, asked, answers)
            return
        for seat, card in answers.items():
            assert isinstance(card, int)
            at = table.stock.index(card)
            table.stock = table.stock[:at] + table.stock[at + 1 :]
            table.hands[seat] = self.sort_hand((*table.hands[seat], card))
            table.emit(CardPicked(AdvancedRule.DRAFT, seat, card))

    def line_label(self, state: GameState) -> str:
        """One line per lap of picks: `d1`, `d2`, …"""
        if state.rows:
            return super().line_label(state)
        label = f"d{sum(map(len, state.hands)) // self.players + 1}"
        return f"{state.round + 1}/{label}" if state.round else label

    def usual_turn(self, table: LiveTable | GameState) -> int:
        """During the draft the first turn is still ahead."""
        return super().usual_turn(table) if table.rows else 0

    def check_position(self, table: LiveTable, ordered: bool) -> None:
        """With rows as in the classic game; without rows, in mid-draft."""
        if table.rows:
            if table.stock:
                raise PositionError("advanced.there_no_stock")
            super().check_position(table, ordered)
            table.stock = ()
            return
        if table.queue or any(table.piles):
            raise PositionError("advanced.cards_place_piles")
        left = set(self.deck) - {card for hand in table.hands for card in hand}
        if table.stock and set(table.stock) != left:
            raise PositionError("advanced.stock_draft_every", left=cards_text(sorted(left)))
        table.stock = tuple(sorted(left))
        start = (self.first + table.round) % self.players
        sizes = [len(table.hands[(start + place) % self.players]) for place in range(self.players)]
        if max(sizes) > self.hand_size or max(sizes) - min(sizes) > 1 or sizes != sorted(sizes, reverse=True):
            raise PositionError(
                "advanced.picks_go_round",
                start=seat_letter(start),
                most=self.hand_size,
                hands=" ".join(str(len(hand)) for hand in table.hands),
            )
