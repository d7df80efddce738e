"""How the board game looks: rows of fields that do things, tiles on them, luck and action cards, a score track."""

from __future__ import annotations

from collections.abc import Sequence

from nimmt_lab.boards.describe import BOARD, Describer, Obj, runs
from nimmt_lab.engine.cards import Seat
from nimmt_lab.engine.decisions import Choice, ChooseCard, ChooseRow, Decision
from nimmt_lab.engine.events import Event, Json
from nimmt_lab.engine.state import GameState

from .cards import (
    PASS,
    Action,
    BoardExtra,
    ChooseLuck,
    ChooseTiles,
    Kind,
    Luck,
    LuckDraw,
    Use,
    UseCards,
)
from .events import (
    ACTION_RULES,
    LUCK_RULES,
    ActionPlayed,
    FieldActed,
    LuckPlayed,
    OrderChanged,
    PointsScored,
    StopSet,
    StopsLifted,
    TilesMoved,
)
from .material import DRAW_ACTION, DRAW_TILE, HEADS, PLAIN, TAKE, TAKE_TILES, TAKES, TWO
from .rules import BoardGame

_SIGNS = {"g": "+♉", "gg": "+2♉", "r": "−♉", "rr": "−2♉", TWO: "2×", DRAW_TILE: "+▭", DRAW_ACTION: "+★", PLAIN: ""}


#: What the browser says of cards, and of tiles here.
_TILE_LABELS = ("card", "hidden_card", "i_am", "keys_table", "sign_own")


@BOARD.provides(BoardGame)
class BoardDescriber(Describer):
    """Tiles on fields."""

    game: BoardGame

    points_are_heads = False

    marker_events = (StopSet, StopsLifted, ActionPlayed, LuckPlayed, OrderChanged, TilesMoved)

    @property
    def several_rounds(self) -> bool:
        return False

    def labels(self) -> Obj:
        told = self.words.catalogue.message
        return super().labels() | {name: told(f"look.board.{name}") for name in _TILE_LABELS}

    def signs(self) -> list[Json]:
        game = self.game
        printed = dict.fromkeys(field for row in game.layout.rows for field in row if field != PLAIN)
        fields = sorted(map(self._field, printed), key=lambda field: (str(field["kind"]), str(field["sign"])))
        held: list[Kind] = [*(Luck if game.luck else ()), *(Action if DRAW_ACTION in printed else ())]
        tiles: list[Json] = [
            {"kind": "head", "sign": "", "text": self.words("look.board.sign_heads")},
            {"sign": "▯×", "text": self.words("look.board.sign_count")},
        ]
        return [*tiles, *fields, *(self._sign(kind) for kind in held)]

    def _sign(self, kind: Kind) -> Obj:
        rule = LUCK_RULES[kind] if isinstance(kind, Luck) else ACTION_RULES[kind]
        sign = "☘" if isinstance(kind, Luck) else "★"
        return {"sign": sign, "name": self._card(kind), "text": self.words(f"rule_text.{rule.key}")}

    def row(self, state: GameState, row: int) -> Obj:
        fields = self.game.layout.rows[row]
        tiles = state.rows[row]
        return {
            "cards": list(tiles),
            "places": len(fields),
            "lost": [],
            "takes": None,
            "heads": self.game.heads_in(tiles),
            "notes": self.notes(state, row),
            "down": False,
            "fields": [self._field(field) for field in fields],
            "idle": not tiles,
        }

    def _field(self, field: str) -> Obj:
        if field in TAKES:
            sign, text = self.words(f"look.board.sign_{_key(field)}"), self.words(f"look.board.field_{_key(field)}")
            return {"kind": "take", "sign": sign, "text": text}
        if field in _SIGNS:
            kind = "plain" if field == PLAIN else "draw"
            if field in HEADS:
                kind = "good" if HEADS[field] > 0 else "bad"
            return {"kind": kind, "sign": _SIGNS[field], "text": self.words(f"look.board.field_{_key(field)}")}
        good = field.startswith("+")
        words = self.words("look.board.field_plus" if good else "look.board.field_minus", points=field[1:])
        return {"kind": "good" if good else "bad", "sign": field.replace("-", "−"), "text": words}

    def notes(self, state: GameState, row: int) -> list[Json]:
        if row not in BoardExtra.of(state).stops:
            return []
        return [{"sign": "■", "text": self.words("action.stop")}]

    def points(self, state: GameState, seat: Seat, scored: bool) -> int | None:
        return state.totals[seat]

    def badges(self, state: GameState, seat: Seat) -> list[Json]:
        extra = BoardExtra.of(state)
        badges: list[Json] = []
        if extra.actions[seat]:
            count = len(extra.actions[seat])
            badges.append({"sign": f"★{count}", "text": self.words("look.board.action_cards", count=count)})
        for kind in dict.fromkeys(extra.luck[seat]):
            count = extra.luck[seat].count(kind)
            badges.append({"sign": f"☘{count}", "text": f"{self._card(kind)}: {count}"})
        return badges

    def panels(self, state: GameState, seats: frozenset[Seat]) -> list[Json]:
        """The action cards of the hands that lie open, and what is played for the next tile."""
        extra = BoardExtra.of(state)
        items: list[Json] = []
        for seat in sorted(seats):
            cards = [card for card in extra.actions[seat] if card is not None]
            if cards:
                names = ", ".join(self._card(card) for card in cards)
                items.append({"kind": "actions", "sign": self.words.who(seat), "text": names})
        if not items:
            return []
        return [{"kind": "actions", "title": self.words("look.board.actions_title"), "items": items}]

    def _card(self, kind: Kind) -> str:
        return self.words(f"{'action' if isinstance(kind, Action) else 'luck'}.{kind.value}")

    def zones(self, state: GameState) -> list[Json]:
        stops = BoardExtra.of(state).stops
        deck = self.game.deck
        ends = {tiles[-1]: row for row, tiles in enumerate(state.rows) if tiles and row not in stops}
        found = [self.game.row_for(state, tile, stops) for tile in deck]
        return runs(deck, [ends.get(tile, -1 if to is None else to[0]) for tile, to in zip(deck, found, strict=True)])

    def aim(self, state: GameState, seat: Seat, choice: Choice) -> Obj | None:
        if not isinstance(choice, int) or state.queue:
            return None
        stops = BoardExtra.of(state).stops
        found = self.game.row_for(state, choice, stops)
        if found is None:
            return None
        row, _, difference = found
        field = self.game.layout.rows[row][len(state.rows[row])]
        said: Obj = {
            "value": choice,
            "row": row,
            "takes": field in TAKES,
            "heads": self.game.heads_in(state.rows[row]),
            "differences": [
                choice - tiles[-1] if tiles and tiles[-1] < choice and other not in stops else None
                for other, tiles in enumerate(state.rows)
            ],
        }
        if difference is None:
            said["text"] = self.words("look.board.aim_too_low", card=choice, row=row + 1)
        return said

    # What is asked ---------------------------------------------------------------------------------------

    def prompt(self, state: GameState, seat: Seat, decision: Decision, *, you: bool = False) -> str:
        say, who = self.words, self.words.who(seat)
        if isinstance(decision, ChooseCard):
            return say("look.board.you_tile") if you else say("look.board.ask_tile", who=who)
        if isinstance(decision, ChooseTiles):
            return say("look.board.you_two") if you else say("look.board.ask_two", who=who)
        if isinstance(decision, UseCards):
            card = decision.card
            return say("look.board.you_cards", card=card) if you else say("look.board.ask_cards", who=who, card=card)
        if isinstance(decision, ChooseLuck):
            return say("look.board.you_luck") if you else say("look.board.ask_luck", who=who)
        if isinstance(decision, ChooseRow):
            if you:
                return say("look.board.you_new_row", card=decision.card)
            return say("look.board.ask_new_row", who=who, card=decision.card)
        return super().prompt(state, seat, decision, you=you)

    def option(self, state: GameState, seat: Seat, decision: Decision, choice: Choice) -> Obj:
        said: Obj = {"text": decision.write(choice)}
        if isinstance(choice, LuckDraw):
            return said | {"label": " + ".join(self._card(kind) for kind in choice.kinds)}
        if not isinstance(choice, Use):
            return super().option(state, seat, decision, choice)
        if choice == PASS:
            card = decision.card if isinstance(decision, UseCards) else 0
            return said | {"label": self.words("place_it", card=card), "primary": True}
        assert choice.kind is not None
        name = f"{_sign(choice.kind)} {self._card(choice.kind)}"
        if choice.row is not None:
            return said | {"label": self.words("row", row=choice.row + 1), "group": name}
        if choice.tile is not None:
            return said | {"label": self.words("look.board.tile", tile=choice.tile), "group": name}
        if choice.tiles:
            return said | {"label": " + ".join(map(str, choice.tiles)), "group": name}
        return said | {"label": name}

    def listed(self, decision: Decision) -> Sequence[Choice]:
        return () if isinstance(decision, ChooseTiles) else super().listed(decision)

    def composers(self, decision: Decision) -> list[Json]:
        if not isinstance(decision, ChooseTiles):
            return []
        return [{"label": "", "cards": list(decision.hand), "count": 2, "before": "", "join": "+"}]

    def focus(self, event: Event) -> Obj:
        said = super().focus(event)
        if isinstance(event, FieldActed):
            said["kind"] = "field"
        elif isinstance(event, PointsScored):
            said["kind"] = "score"
        return said


def _key(field: str) -> str:
    return {PLAIN: "plain", TAKE: "take", TAKE_TILES: "take_tiles"}.get(field, field)


def _sign(kind: Kind) -> str:
    return "★" if isinstance(kind, Action) else "☘"
