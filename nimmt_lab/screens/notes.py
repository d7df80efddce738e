"""What was seen of a game at a real table, and a record of it.

Nobody knows the others' cards before they are played, nor the order of a face-down stack. The record therefore begins
with some deal. Two cards that nobody has seen may change places in it without anything becoming different that was
seen: so whoever plays a card held it all the time, and what has not been played or entered stays unknown.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import fields, replace
from typing import Final

from nimmt_lab.engine.cards import Card, Cards, Seat, seat_letter
from nimmt_lab.engine.decisions import Choice
from nimmt_lab.engine.errors import NimmtError, NotationError, Unsupported
from nimmt_lab.engine.events import Json
from nimmt_lab.engine.files import shown
from nimmt_lab.engine.game import Game
from nimmt_lab.engine.notation import Position
from nimmt_lab.engine.record import Record
from nimmt_lab.engine.state import GameState

#: A card, two cards, a card that counts as another number; anything else is no choice of cards.
_CARDS: Final = re.compile(r"([0-9]+)(?:\+([0-9]+))?~?")
#: Deals that are compared to see what is different in each of them.
DEALS: Final = 3


def one_round(game: Game) -> Game:
    """The game with a single round: the next deal at a real table is nobody's seed.

    >>> from nimmt_lab import Classic
    >>> one_round(Classic(players=3)).rounds
    1
    """
    single = {one.name: 1 for one in fields(game) if one.name in ("rounds", "games")}
    return replace(game, **single) if single else game


def cards_of(text: str) -> Cards:
    """The cards of a choice as it is written; none if it is a row, say.

    >>> cards_of("24"), cards_of("24~"), cards_of("3+14"), cards_of("@2")
    ((24,), (24,), (3, 14), ())
    """
    found = _CARDS.fullmatch(text)
    return tuple(int(number) for number in found.groups() if number) if found else ()


def swapped(position: Position, one: Card, other: Card, stacks: Iterable[str]) -> Position:
    """The position with two cards in each other's places, in those of its sections, too, that are `stacks` of cards.

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
    """What was seen so far. `hands` are those that somebody has shown (one's own, say).

    >>> from nimmt_lab import Classic
    >>> notes = Notes(Classic(players=2, rounds=1))
    >>> for card in (12, 37, 43, 58): notes.row(card)
    >>> notes.play({0: 14, 1: 15})
    >>> notes.record().final.rows[0], notes.unknown
    ((12, 14, 15), (0, 1))
    """

    def __init__(self, game: Game) -> None:
        self.game = one_round(game)
        self.rows: list[int] = []
        self.hands: dict[Seat, tuple[int, ...]] = {}
        #: Cards or other choices in the order of the steps, as decisions write them.
        self.choices: list[dict[Seat, str]] = []
        self.names: dict[str, str] = {}
        deals = [self.game.deal(seed) for seed in range(DEALS)]
        self.hand_size = max(map(len, deals[0].hands), default=0)
        # Where everything lies open from the start, the draft is played.
        self.wanted_rows = sum(map(bool, deals[0].rows)) if self.game.hidden_hands else 0
        self._start = self.game.position(deals[0])
        self._known: Record | None = None
        if self.game.hidden_hands:
            self._start = self._unnamed([self.game.position(deal) for deal in deals])

    def _unnamed(self, deals: list[Position]) -> Position:
        """The first deal without what follows from the rows (a marker's place). Stacks of numbered cards can be told
        from what is played; of other cards a record must name the order."""
        first = deals[0].sections
        same = {name for name in first if all(one.sections.get(name) == first[name] for one in deals)}
        found = []
        for deal in deals:
            kept = {name: text for name, text in deal.sections.items() if name in {*same, *self.game.card_sections}}
            found.append(replace(deal, sections=kept))
            if self.game.position(self.game.from_position(str(found[-1]))) != deal:
                raise Unsupported("screens.face_down_stacks", game=self.game.name)
        return found[0]

    def row(self, card: int) -> None:
        """The next row begins with this card."""
        self._new(card)
        if len(self.rows) == self.wanted_rows:
            raise NotationError("screens.rows_wanted", wanted_rows=self.wanted_rows)
        begun = [row[0] for row in self._start.rows if row]
        self._swap(card, begun[len(self.rows)])
        self.rows.append(card)

    def hand(self, seat: Seat, cards: tuple[int, ...]) -> None:
        """Somebody's hand at the start, as far as the cards are known."""
        if seat not in range(self.game.players) or len(cards) > self.hand_size or len(set(cards)) < len(cards):
            raise NotationError("screens.hand_up_to", most=self.hand_size)
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
            raise NotationError("screens.no_card", card=shown(card), game=self.game.deck_words())
        if card in self.seen:
            raise NotationError("screens.seen_before", card=card)

    def _swap(self, one: Card, other: Card) -> None:
        self._start = swapped(self._start, one, other, self.game.card_sections)
        self._known = None

    def _hold(self, wanted: Iterable[Card], hand: Cards) -> dict[Card, Card]:
        """These cards are in that hand: each takes the place of one that nobody has seen. What changed places."""
        wanted, seen, moved = [*wanted], self.seen, dict[Card, Card]()
        spare = [card for card in hand if card not in seen and card not in wanted]
        for card in wanted:
            if card not in hand:
                self._new(card)
                if not spare:
                    raise NotationError("screens.not_in_hand", card=card)
                other = spare.pop()
                self._swap(card, other)
                moved |= {card: other, other: card}
        return moved

    def holding(self, held: Mapping[Seat, Iterable[Card]]) -> GameState:
        """The table now, with these cards in those hands: they are about to be played."""
        hands = dict(self.now)
        for seat, cards in held.items() if self.game.hidden_hands else ():
            moved = self._hold(cards, hands.get(seat, ()))
            hands = {one: tuple(moved.get(card, card) for card in hand) for one, hand in hands.items()}
        return self.record().final

    @property
    def now(self) -> Mapping[Seat, Cards]:
        """The hands as they may be now."""
        if len(self.rows) < self.wanted_rows:
            return self._start.hands
        return dict(enumerate(self.record().final.hands))

    @property
    def seen(self) -> frozenset[int]:
        """Every card that has been entered."""
        played = {card for seat in range(self.game.players) for card in self.played(seat)}
        return frozenset(self.rows) | played | {card for hand in self.hands.values() for card in hand}

    def played(self, seat: Seat) -> tuple[int, ...]:
        """The cards a seat has played, in order."""
        return tuple(card for given in self.choices for card in cards_of(given.get(seat, "")))

    def may_play(self, seat: Seat) -> tuple[int, ...]:
        """What a seat may play next, as far as is known: its own cards, and those nobody has seen."""
        hand, seen = self.now.get(seat, ()), self.seen
        mine = [card for card in hand if card in seen]
        if len(mine) == len(hand):
            return tuple(mine)
        return tuple(sorted([*mine, *(card for card in self.game.deck if card not in seen)]))

    @property
    def unknown(self) -> tuple[Seat, ...]:
        """Seats that hold cards which nobody has seen."""
        if not self.game.hidden_hands:
            return ()
        seen = self.seen
        return tuple(seat for seat, hand in sorted(self.now.items()) if not seen.issuperset(hand))

    def play(self, choices: Mapping[Seat, Choice]) -> None:
        """What everybody chose; cards must be new, or in a hand that is known."""
        pending = self.record().final.pending
        for seat in choices:
            if seat not in pending:
                raise NotationError("screens.not_asked_of", who=seat_letter(seat))
        texts = {seat: pending[seat].write(choice) for seat, choice in choices.items()}
        now = self.holding({seat: cards_of(text) for seat, text in texts.items()})
        for seat, choice in choices.items():
            now.pending[seat].accept(seat, choice)
        record = self.record().then(choices)
        self.choices.append(texts)
        self._known = record

    def undo(self) -> None:
        """The last choices were never made."""
        self.choices.pop()
        self._known = None

    def record(self) -> Record:
        """The game so far."""
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

    # Keeping ---------------------------------------------------------------------------------------------

    def to_json(self) -> dict[str, Json]:
        """As plain JSON."""
        return {
            "rows": [*self.rows],
            "hands": {str(seat): [*cards] for seat, cards in self.hands.items()},
            "choices": [{str(seat): text for seat, text in given.items()} for given in self.choices],
            "names": {**self.names},
        }

    def read(self, kept: Mapping[str, Json]) -> None:
        """What was kept; anything that cannot be read is refused."""
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
            raise NotationError("screens.no_notes_game", error=error) from None
