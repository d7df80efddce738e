"""The board of Bull Baron: bulls in six colours, each with its letter."""

from __future__ import annotations

from nimmt_lab.boards.describe import BOARD, Describer, Obj
from nimmt_lab.engine.cards import Card, Seat
from nimmt_lab.engine.decisions import Choice, ChooseRow, Decision
from nimmt_lab.engine.events import Json
from nimmt_lab.engine.state import GameState

from .deck import COLOURS, LETTERS
from .rules import Baron, BaronRule, CardTucked, DrawPiles, HandsRefilled

#: Background and text colour of each colour.
PAINT = {
    "blue": ("#0b5394", "#ffffff"),
    "yellow": ("#ffd94a", "#1b1f23"),
    "green": ("#1d6b37", "#ffffff"),
    "red": ("#b3261e", "#ffffff"),
    "black": ("#1b1f23", "#ffffff"),
    "white": ("#ffffff", "#1b1f23"),
}
#: A colour with at least this many bulls in a row gets a warning.
NEARLY_SIX = 4


@BOARD.provides(Baron)
class BaronDescriber(Describer):
    game: Baron

    marker_events = (CardTucked, HandsRefilled)

    @property
    def icon(self) -> str:
        return "crown"

    @property
    def several_rounds(self) -> bool:
        return self.game.games > 1

    def labels(self) -> Obj:
        return super().labels() | {"heads": self.words.catalogue.template("look.baron.heads")}

    def faces(self) -> Obj:
        deck = self.game.deck
        return super().faces() | {"colours": {str(card): self._bulls(card) for card in deck}}

    def _bulls(self, card: Card) -> list[Json]:
        """The colours of a card, with the number of bulls."""
        letters = self.game.deck.letters(card)
        return [
            self._paint(name)
            | {
                "letter": self._letter(letter),
                "count": letters.count(letter),
                "name": self.words(f"look.baron.colour_{name}"),
            }
            for letter, name in COLOURS.items()
            if letter in letters
        ]

    def signs(self) -> list[Json]:
        colours: list[Json] = [
            self._paint(name)
            | {"kind": "colour", "sign": self._letter(letter), "text": self.words(f"look.baron.colour_{name}")}
            for letter, name in COLOURS.items()
        ]
        return [*super().signs(), *colours, self._pile() | {"text": self.words("look.baron.sign_draw_pile")}]

    def _paint(self, colour: str) -> Obj:
        fill, ink = PAINT[colour]
        return {"fill": fill, "ink": ink}

    def _pile(self, left: int | None = None) -> Obj:
        count = "" if left is None else str(left)
        return {"sign": f"▤{count}", "icon": "pile", "after": count}

    def _letter(self, letter: str) -> str:
        return self.words(f"look.baron.letter_{COLOURS[letter]}")

    def row(self, state: GameState, row: int) -> Obj:
        lane = super().row(state, row)
        if self.game.variant == "colour_counts":  # no sixth card: the lane grows
            lane |= {"takes": None, "places": len(state.rows[row]) + 1}
        return lane

    def notes(self, state: GameState, row: int) -> list[Json]:
        deck = self.game.deck
        counts = {letter: sum(deck.bulls_of(card, letter) for card in state.rows[row]) for letter in LETTERS}
        return [
            {"sign": self._letter(letter), "text": f"{count}/6"}
            for letter, count in counts.items()
            if count >= NEARLY_SIX
        ]

    def badges(self, state: GameState, seat: Seat) -> list[Json]:
        left = len(DrawPiles.of(state).piles[seat])
        return [self._pile(left) | {"text": self.words("look.baron.draw_pile", count=left)}] if left else []

    def prompt(self, state: GameState, seat: Seat, decision: Decision, *, you: bool = False) -> str:
        if isinstance(decision, ChooseRow) and decision.rule is BaronRule.COLOUR:
            if you:
                return self.words("look.baron.you_row", card=decision.card)
            return self.words("look.baron.ask_row", who=self.words.who(seat), card=decision.card)
        return super().prompt(state, seat, decision, you=you)

    def aim(self, state: GameState, seat: Seat, choice: Choice) -> Obj | None:
        if not isinstance(choice, int) or state.queue:
            return None
        rows = self.game.matching_rows(state, choice)
        marks: list[Json] = [self._shared(choice, cards[-1]) or None for cards in state.rows]
        if rows:
            text = self.words("look.baron.aim_colours", card=choice, rows=self.words.list(row + 1 for row in rows))
        elif self.game.bulls_are_good:
            text = self.words("look.baron.aim_tucked", card=choice)
        else:
            text = self.words("look.baron.aim_no_colour", card=choice)
        return {
            "value": choice,
            "row": rows[0] if len(rows) == 1 else -1,
            "takes": len(rows) == 1 and self.game.taken_by(state.rows[rows[0]], choice) is not None,
            "heads": 0,
            "marks": marks,
            "text": text,
        }

    def _shared(self, card: Card, end: Card) -> str:
        both = set(self.game.deck.letters(card)) & set(self.game.deck.letters(end))
        return " ".join(self._letter(letter) for letter in LETTERS if letter in both)
