"""What a game looks like, as plain data a browser can draw. One small describer per chapter.

A board knows lanes with slots and notes, cards with faces, hands, a queue, panels at the side, and options that are a
card, a row, or a line in a list. A describer says these things about a table of its game; it decides nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, TypeAlias

from nimmt_lab.engine.cards import EMPTY, Cards, Seat
from nimmt_lab.engine.decisions import CardOption, Choice, ChooseCard, ChooseRow, Decision, PickCard
from nimmt_lab.engine.events import CardPlaced, CardsRevealed, Event, GameEnded, Json, RoundEnded, RowTaken
from nimmt_lab.engine.game import Game
from nimmt_lab.engine.state import GameState
from nimmt_lab.games.classic.fan_card import Markers
from nimmt_lab.games.classic.rules import Classic
from nimmt_lab.games.even_odd.rules import EvenOddMarker
from nimmt_lab.games.jumping_cow.rules import CowMarker
from nimmt_lab.games.mountain.rules import MountainMarker
from nimmt_lab.games.number_twister.rules import TwisterMarker

from .words import Words

Obj: TypeAlias = dict[str, Json]

class Describer:
    """What every game has in common."""

    #: Whether the points beside a seat are bull heads.
    points_are_heads: ClassVar[bool] = True

    def __init__(self, game: Game, words: Words) -> None:
        self.game = game
        self.words = words

    # What never changes ----------------------------------------------------------------------------------

    def labels(self) -> Obj:
        """The words on the board."""
        return dict(self.words.labels)

    def seats(self) -> list[Seat]:
        """The seats that have a hand, a pile or points, in the order shown."""
        return list(range(self.game.players + self.game.extra_seats))

    def face_down(self, seat: Seat) -> bool:
        """Whether nobody at all may see that seat's cards."""
        return False

    def faces(self) -> Obj:
        """What is printed on the cards besides the number: bull heads by card."""
        return {"heads": {str(card): self.game.heads_in((card,)) for card in self.game.deck}}

    # The table -------------------------------------------------------------------------------------------

    def row(self, state: GameState, row: int) -> Obj:
        """One lane: its cards, how many it holds, the number of the card that takes it, what is at stake, notes."""
        cards = state.rows[row]
        holds = self.places(state, row)
        return {
            "cards": list(cards),
            "places": holds,
            "takes": self.game.places_in_row + 1,
            "heads": self.game.heads_in(tuple(card for card in cards if card != EMPTY)),
            "notes": self.notes(state, row),
        }

    def places(self, state: GameState, row: int) -> int:
        """How many cards a row holds now."""
        return self.game.places(state, row)

    def notes(self, state: GameState, row: int) -> list[Json]:
        """What lies beside a row: a sign, a word, and what kind of thing it is."""
        return []

    def panels(self, state: GameState, seats: frozenset[Seat]) -> list[Json]:
        """What lies beside the rows: cards to pick from, special cards, a score track."""
        if self.game.open_stock and state.stock:
            return [{"kind": "stock", "title": self.words("to_pick_from"), "cards": list(state.stock)}]
        return []

    def pile(self, state: GameState, seat: Seat) -> Cards:
        """What a seat has taken this round; a team shares one pile."""
        return state.piles[self.game.pile_of(seat)] if seat in self.game.pile_seats else ()

    def points(self, state: GameState, seat: Seat, scored: bool) -> int | None:
        """What stands beside a seat: earlier rounds, and this round's pile unless it has been added already."""
        if seat not in self.game.pile_seats:
            return None
        total = state.totals[self.game.pile_of(seat)]
        return total if scored else total + self.game.heads_in(self.pile(state, seat))

    def badges(self, state: GameState, seat: Seat) -> list[Json]:
        """Small signs beside a seat."""
        return []

    def hand(self, state: GameState, seat: Seat) -> Cards:
        """The cards a seat holds."""
        return state.hands[seat] if seat < len(state.hands) else ()

    # Where cards go --------------------------------------------------------------------------------------

    def zones(self, state: GameState) -> list[Json]:
        """The number line: runs of values `[first, last, row]` that would go to the same row; row -1 fits nowhere."""
        return []

    def aim(self, state: GameState, seat: Seat, choice: Choice) -> Obj | None:
        """Where a card would go if it were placed now: the row, and the difference to every row that may take it."""
        return None

    # What is asked ---------------------------------------------------------------------------------------

    def prompt(self, state: GameState, seat: Seat, decision: Decision) -> str:
        """The question in words."""
        who = self.words.seat(seat)
        if isinstance(decision, ChooseCard):
            return self.words("ask_card", who=who)
        if isinstance(decision, ChooseRow):
            return self.words("ask_row", who=who, card=decision.card)
        if isinstance(decision, PickCard):
            return self.words("ask_pick", who=who)
        return self.words("ask", who=who)

    def option(self, state: GameState, seat: Seat, decision: Decision, choice: Choice) -> Obj:
        """One thing that may be chosen: its notation, and the card, the row or the words that stand for it."""
        said: Obj = {"text": decision.write(choice)}
        if isinstance(decision, (ChooseCard, PickCard)) and isinstance(choice, int):
            said["card"] = choice
        elif isinstance(decision, ChooseRow) and isinstance(choice, int):
            said["row"] = choice
        elif isinstance(choice, CardOption):
            play = choice.play(seat)
            said |= {"of": play.card, "label": self.words("card_as", card=play.card, value=play.value)}
        else:
            said["label"] = str(choice)
        return said

    def listed(self, decision: Decision) -> Sequence[Choice]:
        """The options that are shown one by one."""
        return decision.options

    def composers(self, decision: Decision) -> list[Json]:
        """Choices that are put together from cards, where a list would be too long: which cards, how many of them,
        and how notation writes them (`before` the first, `join` between)."""
        return []

    # What happened ---------------------------------------------------------------------------------------

    def focus(self, event: Event) -> Obj:
        """What of the board an event is about: the kind of thing, and the cards, rows and seat to ring."""
        rows = [getattr(event, name, None) for name in ("row", "old_row", "to_row", "from_row")]
        cards = [getattr(event, name, None) for name in ("card", "tile", "other")]
        said: Obj = {
            "type": type(event).__name__,
            "kind": self.kind(event),
            "rows": [row for row in rows if isinstance(row, int)],
            "cards": [card for card in cards if isinstance(card, int)],
        }
        for name in ("seat", "slot", "difference", "heads"):
            number = getattr(event, name, None)
            if isinstance(number, int):
                said[name] = number
        if isinstance(event, RowTaken):
            said["taken"] = list(event.cards)
        if isinstance(event, CardsRevealed):
            said["revealed"] = [play.card for play in event.plays]
        return said


    #: Events that move or change something beside the rows.
    marker_events: ClassVar[frozenset[str]] = frozenset()

    def kind(self, event: Event) -> str:
        """What sort of thing happened, which is how it is shown."""
        return "marker" if type(event).__name__ in self.marker_events else _kind(event)


def _kind(event: Event) -> str:
    if isinstance(event, CardPlaced):
        return "place"
    if isinstance(event, RowTaken):
        return "take"
    if isinstance(event, CardsRevealed):
        return "reveal"
    if isinstance(event, (RoundEnded, GameEnded)):
        return "score"
    return "other"


def runs(values: Sequence[int], row_of: Sequence[int]) -> list[Json]:
    """Neighbouring values that go to the same row, as `[first, last, row]`.

    >>> runs([1, 2, 3, 4], [-1, -1, 2, 2])
    [[1, 2, -1], [3, 4, 2]]
    """
    found: list[list[int]] = []
    for value, row in zip(values, row_of, strict=True):
        if found and found[-1][2] == row and found[-1][1] == value - 1:
            found[-1][1] = value
        else:
            found.append([value, value, row])
    return [list(run) for run in found]


class ClassicDescriber(Describer):
    """The classic game, advanced mode, and the fan cards beside them."""

    game: Classic

    def places(self, state: GameState, row: int) -> int:
        return self.game.places(state, row) if self._laid(state) else self.game.places_in_row

    def notes(self, state: GameState, row: int) -> list[Json]:
        notes: list[Json] = []
        for marker in self._markers(state):
            if isinstance(marker, EvenOddMarker) and marker.row == row:
                sign = "◑" if marker.side == "odd" else "◐"
                notes.append({"kind": "parity", "sign": sign, "text": self.words(f"only_{marker.side}")})
            elif isinstance(marker, MountainMarker) and marker.row == row:
                sign = "▲" if marker.arrows == "up" else "▼"
                notes.append({"kind": "mountain", "sign": sign, "text": self.words("goes_down")})
            elif isinstance(marker, CowMarker) and marker.row == row:
                notes.append({"kind": "cow", "sign": "♉", "text": self.words("cow")})
        return notes

    def badges(self, state: GameState, seat: Seat) -> list[Json]:
        return [
            {"sign": "⇄", "text": self.words("twister")}
            for marker in self._markers(state)
            if isinstance(marker, TwisterMarker) and seat in marker.unused
        ]

    def zones(self, state: GameState) -> list[Json]:
        if not self._laid(state):
            return []
        deck = self.game.deck
        # A row's end cannot be played any more; on the line it is where the row's own interval begins.
        ends = {cards[-1]: row for row, cards in enumerate(state.rows)}
        found = [ends.get(value, self.game.row_for(state, value)) for value in deck]
        return runs(deck, [-1 if row is None else row for row in found])

    def aim(self, state: GameState, seat: Seat, choice: Choice) -> Obj | None:
        if state.queue or not self._laid(state) or not isinstance(choice, (int, CardOption)):
            return None
        value = choice if isinstance(choice, int) else choice.play(seat).value
        row = self.game.row_for(state, value)
        takes = row is not None and self.game.is_full(state, row)
        return {
            "value": value,
            "row": -1 if row is None else row,
            "takes": takes,
            "heads": self.game.heads_in(state.rows[row]) if takes and row is not None else 0,
            "differences": [self.game.difference(state, other, value) for other in range(len(state.rows))],
        }

    marker_events = frozenset({"EvenOddMoved", "MountainMoved", "CowJumped", "CardTwisted", "CardRegainedValue"})

    def _laid(self, state: GameState) -> bool:
        """Whether the rows and all fan cards lie on the table: between rounds they do not yet."""
        return bool(state.rows) and all(state.rows) and len(self._markers(state)) == len(self.game.fan_cards)

    def _markers(self, state: GameState) -> tuple[object, ...]:
        return state.extra.all if isinstance(state.extra, Markers) else ()
