"""How Bull Baron looks: bulls in six colours, each with its letter; colours, not numbers, say where a card goes."""

from __future__ import annotations

from nimmt_lab.boards.describe import BOARD, Describer, Obj
from nimmt_lab.engine.cards import Card, Seat
from nimmt_lab.engine.decisions import Choice, ChooseRow, Decision
from nimmt_lab.engine.events import Json
from nimmt_lab.engine.state import GameState

from .deck import COLOURS, LETTERS
from .rules import Baron, BaronRule, CardTucked, DrawPiles, HandsRefilled

#: Each colour, and what is written on it.
PAINT = {
    "blue": ("#0b5394", "#ffffff"),
    "yellow": ("#ffd94a", "#1b1f23"),
    "green": ("#1d6b37", "#ffffff"),
    "red": ("#b3261e", "#ffffff"),
    "black": ("#1b1f23", "#ffffff"),
    "white": ("#ffffff", "#1b1f23"),
}
#: From so many bulls on, a colour of a row is worth a warning.
NEARLY_SIX = 4


@BOARD.provides(Baron)
class BaronDescriber(Describer):
    """Coloured bulls."""

    game: Baron

    marker_events = (CardTucked, HandsRefilled)

    @property
    def several_rounds(self) -> bool:
        return self.game.games > 1

    def labels(self) -> Obj:
        return super().labels() | {"heads": self.words.catalogue.message("look.baron.heads")}

    def faces(self) -> Obj:
        deck = self.game.deck
        return super().faces() | {"colours": {str(card): self._bulls(card) for card in deck}}

    def _bulls(self, card: Card) -> list[Json]:
        """Paint, letter, how many, and the colour's name, of each colour on a card."""
        letters = self.game.deck.letters(card)
        return [
            {
                "fill": PAINT[COLOURS[letter]][0],
                "ink": PAINT[COLOURS[letter]][1],
                "letter": self._letter(letter),
                "count": letters.count(letter),
                "name": self.words(f"look.baron.colour_{COLOURS[letter]}"),
            }
            for letter in LETTERS
            if letter in letters
        ]

    def signs(self) -> list[Json]:
        colours: list[Json] = [
            {
                "kind": "colour",
                "sign": self._letter(letter),
                "text": self.words(f"look.baron.colour_{name}"),
                "fill": PAINT[name][0],
                "ink": PAINT[name][1],
            }
            for letter, name in COLOURS.items()
        ]
        return [*super().signs(), *colours, {"sign": "▤", "text": self.words("look.baron.sign_draw_pile")}]

    def _letter(self, letter: str) -> str:
        return self.words(f"look.baron.letter_{COLOURS[letter]}")

    def row(self, state: GameState, row: int) -> Obj:
        said = super().row(state, row)
        if self.game.variant == "colour_counts":  # no sixth card: the lane grows
            said |= {"takes": None, "places": len(state.rows[row]) + 1}
        return said

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
        return [{"sign": f"▤{left}", "text": self.words("look.baron.draw_pile", count=left)}] if left else []

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
            text = self.words("look.baron.aim_colours", card=choice, rows=", ".join(str(row + 1) for row in rows))
        elif self.game.bulls_are_good:
            text = self.words("look.baron.aim_tucked", card=choice)
        else:
            text = self.words("look.baron.aim_no_colour", card=choice)
        return {
            "value": choice,
            "row": rows[0] if len(rows) == 1 else -1,
            "takes": len(rows) == 1 and self._takes(state, rows[0], choice),
            "heads": 0,
            "marks": marks,
            "text": text,
        }

    def _takes(self, state: GameState, row: int, card: Card) -> bool:
        cards = state.rows[row]
        sixth = len(cards) >= self.game.row_limit and self.game.variant != "colour_counts"
        return sixth or self.game.deck.reaches_six(cards, card)

    def _shared(self, one: Card, other: Card) -> str:
        deck = self.game.deck
        both = [letter for letter in LETTERS if letter in deck.letters(one) and letter in deck.letters(other)]
        return " ".join(self._letter(letter) for letter in both)
