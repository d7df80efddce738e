"""What a game looks like, as plain data a browser can draw. One small describer per chapter.

A board knows lanes with slots and notes, cards with faces, hands, a queue, panels at the side, and options that are a
card, a row, or a line in a list. A describer says these things about a table of its game; it decides nothing. A game
whose chapter brings none is described from its rules alone: plainly, and right.
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
    """What every game has in common: all that its rules and events say by themselves."""

    #: Whether the points beside a seat are bull heads.
    points_are_heads: ClassVar[bool] = True
    #: Events that move or change something beside the rows.
    marker_events: ClassVar[tuple[type[Event], ...]] = ()

    def __init__(self, game: Game, words: Words) -> None:
        self.game = game
        self.words = replace(words, names={**self.seat_names(words), **words.names})

    # What never changes ----------------------------------------------------------------------------------

    def labels(self) -> Obj:
        """The words on the board that the browser fills in."""
        return {**labels(self.words.lang)}

    def title(self) -> str:
        """What people call the game."""
        return self.name_of(self.game.name)

    def name_of(self, chapter: str) -> str:
        """What people call a game or a fan card, where its chapter says it."""
        key = f"title.{chapter}"
        return self.words(key) if self.words.has(key) else chapter

    @property
    def several_rounds(self) -> bool:
        """Whether there may be more than one round, so that its number is worth saying."""
        return True

    def seat_names(self, words: Words) -> Mapping[Seat, str]:
        """What seats are called that no player sits in, unless somebody names them."""
        return {}

    def seats(self) -> list[Seat]:
        """The seats that have a hand, a pile or points, in the order shown."""
        return list(range(self.game.players + self.game.extra_seats))

    def face_down(self, seat: Seat) -> bool:
        """Whether nobody at all may see that seat's cards."""
        return False

    def faces(self) -> Obj:
        """What is printed on the cards besides the number: bull heads by card."""
        return {"heads": {str(card): self.game.heads_in((card,)) for card in self.game.deck}}

    def signs(self) -> list[Json]:
        """What stands on the board and is no word, with what it says: `sign` and `text`, a `name` where it has one, a
        `kind` where it is painted. Rows say themselves which card takes them."""
        return [
            {"kind": "head", "sign": "", "text": self.words("sign_heads")},
            {"sign": "▯×", "text": self.words("sign_count")},
        ]

    # The table -------------------------------------------------------------------------------------------

    def row(self, state: GameState, row: int) -> Obj:
        """One lane: its cards, how many it holds, places it has lost to something, the number of the card that takes it
        (None: no card does by being one too many), what is at stake, notes, and whether it goes down."""
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
        """How many cards a row holds now."""
        return self.game.places(state, row)

    def lost(self, state: GameState, row: int) -> list[Json]:
        """What takes up places of a row: a sign and a word each."""
        return []

    def notes(self, state: GameState, row: int) -> list[Json]:
        """What lies beside a row: a sign and a word each."""
        return [note(text) for text in self.game.row_notes(state, row)]

    def panels(self, state: GameState, seats: frozenset[Seat]) -> list[Json]:
        """What lies beside the rows: cards to pick from, special cards, a score track."""
        panels: list[Json] = []
        if self.game.open_stock and state.stock:
            panels.append({"kind": "stock", "title": self.words("to_pick_from"), "cards": list(state.stock)})
        if notes := self.table_notes(state):
            panels.append({"kind": "notes", "title": self.words("on_the_table"), "items": notes})
        return panels

    def table_notes(self, state: GameState) -> list[Json]:
        """What else lies on the table, a sign and a word each."""
        return [note(text) for text in self.game.table_notes(state)]

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

    def prompt(self, state: GameState, seat: Seat, decision: Decision, *, you: bool = False) -> str:
        """The question in words: about the one who is asked, or said to them."""
        words, who = self.words, self.words.who(seat)
        if isinstance(decision, ChooseCard):
            return words("you_card") if you else words("ask_card", who=who)
        if isinstance(decision, ChooseRow):
            return words("you_row", card=decision.card) if you else words("ask_row", who=who, card=decision.card)
        if isinstance(decision, PickCard):
            return words("you_pick") if you else words("ask_pick", who=who)
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

    def kind(self, event: Event) -> str:
        """What sort of thing happened, which is how it is shown."""
        return "marker" if isinstance(event, self.marker_events) else _kind(event)


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


def note(text: str) -> Obj:
    """What rules write beside a row, as a sign (if it begins with one) and words.

    >>> note("◐ only odd"), note("closed")
    ({'sign': '◐', 'text': 'only odd'}, {'sign': '', 'text': 'closed'})
    """
    sign, _, rest = text.partition(" ")
    return {"sign": "", "text": text} if sign[:1].isalnum() or not rest else {"sign": sign, "text": rest}


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


#: How a chapter's board looks.
BOARD: Capability[type[Describer]] = Capability("board of its own", face="describe")


def describer(game: Game, words: Words) -> Describer:
    """The describer of a game's chapter; a game whose chapter brings none has what all games have in common.

    >>> from nimmt_lab import Classic
    >>> from nimmt_lab.boards.words import board_words
    >>> describer(Classic(players=2), board_words("cs")).title()
    'Klasická hra'
    """
    return (BOARD.find(game) or Describer)(game, words)
