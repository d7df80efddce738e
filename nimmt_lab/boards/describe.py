"""A game's board as plain data for the browser, with one small describer per chapter.

A board has lanes with slots and notes, cards, hands, a queue, side panels, and options (a card, a row or a list entry).
A describer decides nothing. Games without one get a plain board from their rules alone.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import ClassVar, TypeAlias

from nimmt_lab.engine.capability import Capability
from nimmt_lab.engine.cards import EMPTY, Cards, Seat
from nimmt_lab.engine.decisions import CardOption, Choice, ChooseCard, ChooseRow, Decision, PickCard
from nimmt_lab.engine.events import CardPlaced, CardsRevealed, Event, GameEnded, Json, RoundEnded, RowTaken
from nimmt_lab.engine.game import Game
from nimmt_lab.engine.state import GameState
from nimmt_lab.explain.catalogue import Words

from .words import labels

__all__ = ["BOARD", "Describer", "Obj", "describer", "note", "runs"]


Obj: TypeAlias = dict[str, Json]


class Describer:
    """Board data common to all games, from rules and events alone."""

    #: Whether points are bull heads.
    points_are_heads: ClassVar[bool] = True
    #: Events that move or change a marker.
    marker_events: ClassVar[tuple[type[Event], ...]] = ()

    def __init__(self, game: Game, words: Words) -> None:
        self.game = game
        self.words = replace(words, names={**self.seat_names(words), **words.names})

    def labels(self) -> Obj:
        """Messages for the browser to fill."""
        return {**labels(self.words.lang)}

    def title(self) -> str:
        return self.name_of(self.game.name)

    @property
    def icon(self) -> str:
        """The pictogram of the game, as on a box."""
        return "bull"

    def name_of(self, chapter: str) -> str:
        """The display name of a game or fan card, if its chapter has one."""
        key = f"title.{chapter}"
        return self.words(key) if self.words.has(key) else chapter

    @property
    def several_rounds(self) -> bool:
        """Whether the game may last several rounds, so that the round number matters."""
        return True

    @property
    def limit(self) -> int | None:
        """The points that end the game, if points end it."""
        return None

    @property
    def scale(self) -> int | None:
        """The points that fill a player's bar, if there are bars."""
        return self.limit

    def seat_names(self, words: Words) -> Mapping[Seat, str]:
        """Default names of seats without a player."""
        return {}

    def seats(self) -> list[Seat]:
        """Seats with a hand, a pile or points, in display order."""
        return list(range(self.game.players + self.game.extra_seats))

    def face_down(self, seat: Seat) -> bool:
        """Whether nobody may see that seat's cards."""
        return False

    def faces(self) -> Obj:
        """Bull heads by card."""
        return {"heads": {str(card): self.game.heads_in((card,)) for card in self.game.deck}}

    def signs(self) -> list[Json]:
        """Legend of the symbols: `sign` and `text`, a `name` if it has one, a `kind` if painted, and the `icon` that is
        drawn for the sign, with what stands `before` and `after` it. Rows have labels."""
        return [
            {"kind": "head", "sign": "", "icon": "bull", "text": self.words("sign_heads")},
            {"sign": "▯×", "icon": "card", "after": "×", "text": self.words("sign_count")},
        ]

    def row(self, state: GameState, row: int) -> Obj:
        """One lane. `takes` is the number of the card that takes the row, or None."""
        cards = state.rows[row]
        places, lost = self.places(state, row), self.lost(state, row)
        return {
            "cards": list(cards),
            "places": places,
            "lost": lost,
            "takes": places + len(lost) + 1,
            "heads": self.game.heads_in(tuple(card for card in cards if card != EMPTY)),
            "notes": self.notes(state, row),
            "down": False,
        }

    def places(self, state: GameState, row: int) -> int:
        """Current capacity of a row."""
        return self.game.places(state, row)

    def lost(self, state: GameState, row: int) -> list[Json]:
        """Things that fill places of a row, each a sign and a word."""
        return []

    def notes(self, state: GameState, row: int) -> list[Json]:
        """Notes beside a row, each a sign and a word."""
        return [note(text) for text in self.game.row_notes(state, row, self.words.lang)]

    def panels(self, state: GameState, seats: frozenset[Seat]) -> list[Json]:
        """Panels beside the rows: cards to pick from, special cards, a score track."""
        panels: list[Json] = []
        if self.game.open_stock and state.stock:
            panels.append({"kind": "stock", "title": self.words("to_pick_from"), "cards": list(state.stock)})
        if notes := self.table_notes(state):
            panels.append({"kind": "notes", "title": self.words("on_the_table"), "items": notes})
        return panels

    def table_notes(self, state: GameState) -> list[Json]:
        """Other things on the table, each a sign and a word."""
        return [note(text) for text in self.game.table_notes(state, self.words.lang)]

    def pile(self, state: GameState, seat: Seat) -> Cards:
        """Cards a seat took this round; a team shares one pile."""
        return state.piles[self.game.pile_of(seat)] if seat in self.game.pile_seats else ()

    def points(self, state: GameState, seat: Seat, scored: bool) -> int | None:
        """Points of a seat: earlier rounds, plus this round's pile unless already scored."""
        if seat not in self.game.pile_seats:
            return None
        total = state.totals[self.game.pile_of(seat)]
        return total if scored else total + self.game.heads_in(self.pile(state, seat))

    def badges(self, state: GameState, seat: Seat) -> list[Json]:
        return []

    def hand(self, state: GameState, seat: Seat) -> Cards:
        return state.hands[seat] if seat < len(state.hands) else ()

    def zones(self, state: GameState) -> list[Json]:
        """The number line: runs `[first, last, row]` of values that go to the same row; -1 if they fit nowhere."""
        return []

    def aim(self, state: GameState, seat: Seat, choice: Choice) -> Obj | None:
        """Where a card would go if placed now: the row, and the difference to every row that accepts it."""
        return None

    def prompt(self, state: GameState, seat: Seat, decision: Decision, *, you: bool = False) -> str:
        """The question, about the deciding player or addressed to them."""
        words, who = self.words, self.words.who(seat)
        if isinstance(decision, ChooseCard):
            return words("you_card") if you else words("ask_card", who=who)
        if isinstance(decision, ChooseRow):
            return words("you_row", card=decision.card) if you else words("ask_row", who=who, card=decision.card)
        if isinstance(decision, PickCard):
            return words("you_pick") if you else words("ask_pick", who=who)
        return self.words("ask", who=who)

    def option(self, state: GameState, seat: Seat, decision: Decision, choice: Choice) -> Obj:
        """An option: its notation and its card, row or text."""
        shown: Obj = {"text": decision.write(choice)}
        if isinstance(decision, (ChooseCard, PickCard)) and isinstance(choice, int):
            shown["card"] = choice
        elif isinstance(decision, ChooseRow) and isinstance(choice, int):
            shown["row"] = choice
        elif isinstance(choice, CardOption):
            play = choice.play(seat)
            shown |= {"of": play.card, "label": self.words("card_as", card=play.card, value=play.value)}
        else:
            shown["label"] = str(choice)
        return shown

    def listed(self, decision: Decision) -> Sequence[Choice]:
        """The options shown one by one."""
        return decision.options

    def composers(self, decision: Decision) -> list[Json]:
        """Choices composed of cards, if too many to list: cards, counts and notation (`before` the first, `join`
        between)."""
        return []

    def focus(self, event: Event) -> Obj:
        """The parts of the board an event concerns: kind, and cards, rows and seat to highlight."""
        rows = [getattr(event, name, None) for name in ("row", "old_row", "to_row", "from_row")]
        cards = [getattr(event, name, None) for name in ("card", "tile", "other")]
        shown: Obj = {
            "type": type(event).__name__,
            "kind": self.kind(event),
            "rows": [row for row in rows if isinstance(row, int)],
            "cards": [card for card in cards if isinstance(card, int)],
        }
        for name in ("seat", "slot", "difference", "heads"):
            number = getattr(event, name, None)
            if isinstance(number, int):
                shown[name] = number
        if isinstance(event, RowTaken):
            shown["taken"] = list(event.cards)
        if isinstance(event, CardsRevealed):
            shown["revealed"] = [play.card for play in event.plays]
        return shown

    def kind(self, event: Event) -> str:
        """The kind of an event, which decides how it is shown."""
        if isinstance(event, self.marker_events):
            return "marker"
        return next((kind for shared, kind in _KINDS.items() if isinstance(event, shared)), "other")


_KINDS = {CardPlaced: "place", RowTaken: "take", CardsRevealed: "reveal", RoundEnded: "score", GameEnded: "score"}


def note(text: str) -> Obj:
    """Split a note of the rules into its leading sign (if any) and words.

    >>> note("◐ only odd"), note("closed")
    ({'sign': '◐', 'text': 'only odd'}, {'sign': '', 'text': 'closed'})
    """
    sign, _, rest = text.partition(" ")
    return {"sign": "", "text": text} if sign[:1].isalnum() or not rest else {"sign": sign, "text": rest}


def runs(values: Sequence[int], row_of: Sequence[int]) -> list[Json]:
    """Runs of neighbouring values that go to the same row, as `[first, last, row]`.

    >>> runs([1, 2, 3, 4], [-1, -1, 2, 2])
    [[1, 2, -1], [3, 4, 2]]
    """
    merged: list[list[int]] = []
    for value, row in zip(values, row_of, strict=True):
        if merged and merged[-1][2] == row and merged[-1][1] == value - 1:
            merged[-1][1] = value
        else:
            merged.append([value, value, row])
    return [list(run) for run in merged]


BOARD: Capability[type[Describer]] = Capability("board of its own", face="describe")


def describer(game: Game, words: Words) -> Describer:
    """The describer of a game's chapter, or the common one.

    >>> from nimmt_lab import Classic
    >>> from nimmt_lab.boards.words import board_words
    >>> describer(Classic(players=2), board_words("cs")).title()
    'Klasická hra'
    """
    return (BOARD.find(game) or Describer)(game, words)
