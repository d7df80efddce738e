"""Notes of a game at a real table, and a record made from them.

The other hands and the order of a face-down stack are unknown, so the record starts from an arbitrary deal. Swapping
two unseen cards in it changes nothing that was seen. Whenever a seat plays a card, that card is swapped into its hand.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import fields, replace
from typing import Final

from .cards import Card, Cards, Seat, seat_letter
from .decisions import Choice
from .errors import NimmtError, NotationError, Unsupported
from .events import Json
from .files import shown
from .game import Game
from .notation import Position
from .record import Record
from .state import GameState

#: A choice of a card, of two cards, or of a card with another value.
_CARDS: Final = re.compile(r"([0-9]+)(?:\+([0-9]+))?~?")
#: Deals to compare, to find the sections that differ between deals.
DEALS: Final = 3


__all__ = ["Notes", "cards_of", "one_round", "swapped"]


def one_round(game: Game) -> Game:
    """The game with a single round: the next deal of a real table has no seed.

    >>> from nimmt_lab import Classic
    >>> one_round(Classic(players=3)).rounds
    1
    """
    single = {option.name: 1 for option in fields(game) if option.name in ("rounds", "games")}
    return replace(game, **single) if single else game


def cards_of(text: str) -> Cards:
    """The cards of a choice in notation; none for a row, for example.

    >>> cards_of("24"), cards_of("24~"), cards_of("3+14"), cards_of("@2")
    ((24,), (24,), (3, 14), ())
    """
    match = _CARDS.fullmatch(text)
    return tuple(int(number) for number in match.groups() if number) if match else ()


def swapped(position: Position, one: Card, other: Card, stacks: Iterable[str]) -> Position:
    """The position with two cards swapped, also in the sections that are `stacks` of cards.

    >>> start = Position.parse("5 | 9 ; A: 1 7 ; B: 3 4 ; draw: A 2 B 6")
    >>> str(swapped(start, 7, 6, ["draw"]))
    '5 | 9 ; A: 1 6 ; B: 3 4 ; draw: A 2 B 7'
    """
    exchange = {one: other, other: one}

    def cards(before: Cards) -> Cards:
        return tuple(exchange.get(card, card) for card in before)

    def words(text: str) -> str:
        return " ".join(str(exchange.get(int(word), word)) if word.isdigit() else word for word in text.split())

    return replace(
        position,
        rows=tuple(map(cards, position.rows)),
        hands={seat: cards(hand) for seat, hand in position.hands.items()},
        stock=cards(position.stock),
        sections={name: words(text) if name in stacks else text for name, text in position.sections.items()},
    )


class Notes:
    """The choices and cards seen so far; `hands` are the known ones.

    >>> from nimmt_lab import Classic
    >>> notes = Notes(Classic(players=2, rounds=1))
    >>> for card in (12, 37, 43, 58): notes.row(card)
    >>> notes.play({0: 14, 1: 15})
    >>> notes.record().final.rows[0], notes.unknown
    ((12, 14, 15), (0, 1))
    """

    def __init__(self, game: Game, totals: Sequence[int] = ()) -> None:
        self.game = one_round(game)
        self.rows: list[int] = []
        self.hands: dict[Seat, tuple[int, ...]] = {}
        #: The choices of each step, in notation.
        self.choices: list[dict[Seat, str]] = []
        self.names: dict[str, str] = {}
        deals = [self.game.deal(seed) for seed in range(DEALS)]
        self.hand_size = max(map(len, deals[0].hands), default=0)
        # Open games are recorded from their draft.
        self.wanted_rows = sum(map(bool, deals[0].rows)) if self.game.hidden_hands else 0
        self._start = self.game.position(deals[0])
        self._known: Record | None = None
        if self.game.hidden_hands:
            self._start = self._unnamed([self.game.position(deal) for deal in deals])
        if any(totals):
            self._start = replace(self._start, totals=tuple(totals))

    def _unnamed(self, deals: list[Position]) -> Position:
        """The first deal without the sections that follow from the rows, such as a marker's place. Stacks of numbered
        cards follow from the plays; the order of other stacks would have to be known."""
        first = deals[0].sections
        same = {name for name in first if all(deal.sections.get(name) == first[name] for deal in deals)}
        stripped = []
        for deal in deals:
            kept = {name: text for name, text in deal.sections.items() if name in {*same, *self.game.card_sections}}
            stripped.append(replace(deal, sections=kept))
            if self.game.position(self.game.from_position(str(stripped[-1]))) != deal:
                raise Unsupported("engine.face_down_stacks", game=self.game.name)
        return stripped[0]

    def row(self, card: int) -> None:
        self._new(card)
        if len(self.rows) == self.wanted_rows:
            raise NotationError("engine.rows_wanted", wanted_rows=self.wanted_rows)
        begun = [row[0] for row in self._start.rows if row]
        self._swap(card, begun[len(self.rows)])
        self.rows.append(card)

    def hand(self, seat: Seat, cards: tuple[int, ...]) -> None:
        """Set the known cards of a starting hand."""
        if seat not in range(self.game.players) or len(cards) > self.hand_size or len(set(cards)) < len(cards):
            raise NotationError("engine.hand_up_to", most=self.hand_size)
        before = self.hands.pop(seat, ())
        try:
            for card in cards:
                if card not in self.played(seat):
                    self._new(card)
            self._hold(cards, self._start.hands.get(seat, ()))
        except NimmtError:
            self.hands[seat] = before
            raise
        self.hands[seat] = tuple(sorted(cards))

    def _new(self, card: int) -> None:
        if isinstance(card, bool) or not isinstance(card, int) or card not in self.game.deck:
            raise NotationError("engine.note_no_card", card=shown(card), game=self.game.deck_words())
        if card in self.seen:
            raise NotationError("engine.seen_before", card=card)

    def _swap(self, one: Card, other: Card) -> None:
        self._start = swapped(self._start, one, other, self.game.card_sections)
        self._known = None

    def _hold(self, wanted: Iterable[Card], hand: Cards) -> dict[Card, Card]:
        """Swap these cards into a hand for unseen ones; returns the swaps."""
        wanted, seen, moved = [*wanted], self.seen, dict[Card, Card]()
        spare = [card for card in hand if card not in seen and card not in wanted]
        for card in wanted:
            if card not in hand:
                self._new(card)
                if not spare:
                    raise NotationError("engine.note_not_in_hand", card=card)
                other = spare.pop()
                self._swap(card, other)
                moved |= {card: other, other: card}
        return moved

    def holding(self, held: Mapping[Seat, Iterable[Card]]) -> GameState:
        """The current state, with these cards in those hands."""
        hands = dict(self.now)
        for seat, cards in held.items() if self.game.hidden_hands else ():
            moved = self._hold(cards, hands.get(seat, ()))
            hands = {one: tuple(moved.get(card, card) for card in hand) for one, hand in hands.items()}
        return self.record().final

    @property
    def now(self) -> Mapping[Seat, Cards]:
        """The current hands of the assumed deal."""
        if len(self.rows) < self.wanted_rows:
            return self._start.hands
        return dict(enumerate(self.record().final.hands))

    @property
    def seen(self) -> frozenset[int]:
        """Every card entered."""
        played = {card for seat in range(self.game.players) for card in self.played(seat)}
        return frozenset(self.rows) | played | {card for hand in self.hands.values() for card in hand}

    def played(self, seat: Seat) -> tuple[int, ...]:
        return tuple(card for given in self.choices for card in cards_of(given.get(seat, "")))

    def may_play(self, seat: Seat) -> tuple[int, ...]:
        """The cards a seat may play next: its known cards, and the unseen ones."""
        hand, seen = self.now.get(seat, ()), self.seen
        mine = [card for card in hand if card in seen]
        if len(mine) == len(hand):
            return tuple(mine)
        return tuple(sorted([*mine, *(card for card in self.game.deck if card not in seen)]))

    @property
    def unknown(self) -> tuple[Seat, ...]:
        """Seats with unseen cards."""
        if not self.game.hidden_hands:
            return ()
        seen = self.seen
        return tuple(seat for seat, hand in sorted(self.now.items()) if not seen.issuperset(hand))

    def play(self, choices: Mapping[Seat, Choice]) -> None:
        """Make a step; cards must be unseen or in a known hand."""
        pending = self.record().final.pending
        for seat in choices:
            if seat not in pending:
                raise NotationError("engine.note_not_asked_of", who=seat_letter(seat))
        texts = {seat: pending[seat].write(choice) for seat, choice in choices.items()}
        now = self.holding({seat: cards_of(text) for seat, text in texts.items()})
        for seat, choice in choices.items():
            now.pending[seat].accept(seat, choice)
        record = self.record().then(choices)
        self.choices.append(texts)
        self._known = record

    def undo(self) -> None:
        self.choices.pop()
        self._known = None

    def record(self) -> Record:
        tags = {letter: name for letter, name in self.names.items() if name}
        if self._known is None or self._known.tags != tags:
            self._known = self._replayed(tags)
        return self._known

    def _replayed(self, tags: Mapping[str, str]) -> Record:
        start = str(self._start) if self.game.hidden_hands else None
        record = Record(self.game, seed=0, start=start, tags=tags)
        for given in self.choices:
            pending = record.final.pending
            record = record.then({seat: pending[seat].read(text) for seat, text in given.items()})
        return record

    def to_json(self) -> dict[str, Json]:
        return {
            "rows": [*self.rows],
            "hands": {str(seat): [*cards] for seat, cards in self.hands.items()},
            "choices": [{str(seat): text for seat, text in given.items()} for given in self.choices],
            "names": {**self.names},
        }

    def read(self, kept: Mapping[str, Json]) -> None:
        """Load saved notes; raises if they do not fit."""
        try:
            for card in kept["rows"]:  # type: ignore[union-attr]
                self.row(card)  # type: ignore[arg-type]
            self.names = {str(seat): str(name) for seat, name in kept["names"].items()}  # type: ignore[union-attr]
            for seat, cards in kept["hands"].items():  # type: ignore[union-attr]
                self.hand(int(seat), tuple(cards))  # type: ignore[arg-type]
            for given in kept["choices"]:  # type: ignore[union-attr]
                texts: dict[Seat, str] = {int(seat): str(text) for seat, text in given.items()}  # type: ignore[union-attr]
                pending = self.holding({seat: cards_of(text) for seat, text in texts.items()}).pending
                self.play({seat: pending[seat].read(text) for seat, text in texts.items()})
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            raise NotationError("engine.notes_unfit", error=error) from None
