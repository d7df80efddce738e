"""The board of Beat the Buffalo: the team, the buffalo with its face-down cards, and the special cards."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from nimmt_lab.boards.describe import BOARD, Describer, Obj, runs
from nimmt_lab.engine.cards import TEAM, Cards, Seat
from nimmt_lab.engine.decisions import Choice, Decision
from nimmt_lab.engine.events import Json
from nimmt_lab.engine.state import GameState
from nimmt_lab.explain.catalogue import Words

from . import parts, uses
from .parts import BuffaloTable, Special
from .rules import Buffalo

SIGNS = {
    Special.SEVEN_TAKES: "⑦",
    Special.STOP: "■",
    Special.SWAP: "⇄",
    Special.INSERT: "↧",
    Special.PUSH: "↷",
    Special.FIRST: "⇤",
    Special.LAST: "⇥",
    Special.SORT: "⇅",
}
ICONS = {
    Special.SEVEN_TAKES: "seven",
    Special.STOP: "stop",
    Special.SWAP: "swap",
    Special.INSERT: "insert",
    Special.PUSH: "push",
    Special.FIRST: "first",
    Special.LAST: "last",
    Special.SORT: "sort",
}
#: Longer orders are composed card by card instead of chosen from a list.
LISTED_ORDERS = 6


@BOARD.provides(Buffalo)
class BuffaloDescriber(Describer):
    """The team against the buffalo."""

    game: Buffalo

    marker_events = (
        *(parts.RowEmptied, parts.RowStopped, parts.StopLifted, parts.SevenTakesLaid, parts.SevenTakesLeft),
        *(parts.SpecialsTurnedUp, parts.SpecialUsed),
    )

    @property
    def icon(self) -> str:
        return "horns"

    @property
    def several_rounds(self) -> bool:
        return False

    def faces(self) -> Obj:
        return super().faces() | {"backs": {str(self.game.buffalo): "horns"}}

    def signs(self) -> list[Json]:
        specials: list[Json] = [
            {"sign": sign, "icon": ICONS[kind], "name": self.words(f"special.{kind}"), "text": self._help(kind)}
            for kind, sign in SIGNS.items()
        ]
        return [*super().signs(), *specials]

    def seat_names(self, words: Words) -> Mapping[Seat, str]:
        return {self.game.buffalo: words("who.buffalo")}

    def seats(self) -> list[Seat]:
        return [*range(self.game.players), TEAM, self.game.buffalo]

    def face_down(self, seat: Seat) -> bool:
        return seat == self.game.buffalo

    def hand(self, state: GameState, seat: Seat) -> Cards:
        if seat == self.game.buffalo:
            return BuffaloTable.of(state).deck
        return state.hands[seat] if seat != TEAM else ()

    def notes(self, state: GameState, row: int) -> list[Json]:
        extra = BuffaloTable.of(state)
        notes: list[Json] = []
        if row in extra.seven_takes:
            notes.append(self._note(Special.SEVEN_TAKES))
        if row in extra.stopped:
            notes.append(self._note(Special.STOP))
        if row in extra.empty:
            notes.append({"sign": "↓", "icon": "down", "text": self.words("look.buffalo.next_card_here")})
        return notes

    def _note(self, kind: Special) -> Obj:
        return {"sign": SIGNS[kind], "icon": ICONS[kind], "text": self.words(f"special.{kind}")}

    def _help(self, kind: Special) -> str:
        return self.words(f"rule_text.buffalo.{kind}")

    def panels(self, state: GameState, seats: frozenset[Seat]) -> list[Json]:
        extra = BuffaloTable.of(state)
        if not extra.up and not extra.special_deck and not extra.used:
            return []
        items: list[Json] = [{"kind": "special", **self._note(kind), "help": self._help(kind)} for kind in extra.up]
        items.append({"kind": "count", "text": self.words("look.buffalo.face_down", count=len(extra.special_deck))})
        return [{"kind": "specials", "title": self.words("look.buffalo.specials"), "items": items}]

    def zones(self, state: GameState) -> list[Json]:
        extra = BuffaloTable.of(state)
        deck = self.game.deck
        if extra.empty:
            return runs(deck, [extra.empty[0]] * len(deck))
        if not all(state.rows):  # a row is just being taken
            return []
        ends = {cards[-1]: row for row, cards in enumerate(state.rows) if row not in extra.stopped}
        rows = [ends.get(value, self.game.row_for(state, value)) for value in deck]
        return runs(deck, [-1 if row is None else row for row in rows])

    def aim(self, state: GameState, seat: Seat, choice: Choice) -> Obj | None:
        extra = BuffaloTable.of(state)
        if not isinstance(choice, int) or extra.empty or state.queue:
            return None
        row = self.game.row_for(state, choice)
        takes = row is not None and len(state.rows[row]) >= self.places(state, row)
        return {
            "value": choice,
            "row": -1 if row is None else row,
            "takes": takes,
            "heads": self.game.heads_in(state.rows[row]) if takes and row is not None else 0,
            "differences": [
                choice - cards[-1] if cards and cards[-1] < choice and other not in extra.stopped else None
                for other, cards in enumerate(state.rows)
            ],
        }

    # The team's special cards ----------------------------------------------------------------------------

    def prompt(self, state: GameState, seat: Seat, decision: Decision, *, you: bool = False) -> str:
        if isinstance(decision, uses.UseSpecials):
            if decision.before is not None:
                return self.words("look.buffalo.ask_specials", card=decision.before)
            lays = any(isinstance(use, (uses.SevenTakes, uses.Stop)) for use in decision.options)
            return self.words("look.buffalo.ask_lay_between" if lays else "look.buffalo.ask_specials_between")
        if isinstance(decision, uses.ChooseSwap):
            if you:
                return self.words("look.buffalo.you_swap", card=decision.back)
            return self.words("look.buffalo.ask_swap", who=self.words.who(seat), card=decision.back)
        return super().prompt(state, seat, decision, you=you)

    def option(self, state: GameState, seat: Seat, decision: Decision, choice: Choice) -> Obj:
        if not isinstance(choice, uses.Use):
            return super().option(state, seat, decision, choice)
        option: Obj = {"text": decision.write(choice)}
        if isinstance(choice, uses.Pass):
            before = decision.before if isinstance(decision, uses.UseSpecials) else None
            label = self.words("look.buffalo.go_on") if before is None else self.words("place_it", card=before)
            return option | {"label": label, "primary": True}
        return option | {"label": self._use(state, choice), "group": self._group(choice)}

    def _group(self, use: uses.Use) -> str:
        if isinstance(use, uses.LiftStop):
            return self.words("look.buffalo.lift_stop")
        assert use.kind is not None
        return f"{SIGNS[use.kind]} {self.words(f'special.{use.kind}')}"

    def _use(self, state: GameState, use: uses.Use) -> str:
        if isinstance(use, uses.RowUse):
            return self.words("row", row=use.row + 1)
        if isinstance(use, uses.Push):
            return self.words("look.buffalo.to_row", card=use.card, row=use.row + 1)
        if isinstance(use, (uses.OrderUse, uses.Swap)):
            card = next(play.card for play in state.queue if play.seat == use.seat)
            who = self.words.who(use.seat)
            second = not isinstance(use, uses.Swap) and use.second
            return self.words("look.buffalo.second_to" if second else "look.buffalo.of_seat", who=who, card=card)
        assert isinstance(use, uses.Sort)
        return " → ".join(map(str, use.order))

    def listed(self, decision: Decision) -> Sequence[Choice]:
        if not isinstance(decision, uses.UseSpecials):
            return super().listed(decision)
        groups = [part for part in decision.options.parts if not _is_long(part)]
        return [use for uses in groups for use in (uses[at] for at in range(len(uses)))]

    def composers(self, decision: Decision) -> list[Json]:
        if not isinstance(decision, uses.UseSpecials):
            return []
        return [
            {
                "label": f"{SIGNS[Special.SORT]} {self.words('special.sort')}",
                "cards": list(part.cards),
                "count": len(part.cards),
                "before": f"{decision.before}!sort:",
                "join": "-",
            }
            for part in decision.options.parts
            if isinstance(part, uses.Sorts) and _is_long(part)
        ]


def _is_long(part: object) -> bool:
    return isinstance(part, uses.Sorts) and len(part) > LISTED_ORDERS
