"""The board of the board game: rows of fields with tiles, luck and action cards, a score track."""

from __future__ import annotations

from collections.abc import Sequence

from nimmt_lab.boards.describe import BOARD, Describer, Obj, runs
from nimmt_lab.engine.cards import Seat
from nimmt_lab.engine.decisions import Choice, ChooseCard, ChooseRow, Decision
from nimmt_lab.engine.events import Event, Json
from nimmt_lab.engine.state import GameState

from . import events
from .draw import FACES
from .material import DRAW_ACTION, DRAW_TILE, PLAIN, TAKES, TWO, field_key
from .parts import Action, BoardExtra, Kind, Luck
from .rules import BoardGame
from .uses import PASS, ChooseLuck, ChooseTiles, LuckDraw, Use, UseCards

#: The sign of a field where nothing can be drawn.
_SIGNS = {"g": "+♉", "gg": "+2♉", "r": "−♉", "rr": "−2♉", TWO: "2×", DRAW_TILE: "+▭", DRAW_ACTION: "+★", PLAIN: ""}
#: The pictogram of each luck and action card.
ICONS: dict[Kind, str] = {
    Luck.PLUS_FIVE: "plus_five", Luck.POSITIVE_HEADS: "plus_bull", Action.STOP: "stop", Action.SWAP: "swap",
    Action.SKIP: "skip", Action.START: "flag", Action.ASCENDING: "rising", Action.PLAY_TWO: "two_cards",
}  # fmt: skip


#: Labels that say tile instead of card.
_TILE_LABELS = ("card", "heads", "hidden_card", "i_am", "keys_table", "sign_own")


_PROMPTS: dict[type[Decision], str] = {
    ChooseCard: "tile", ChooseTiles: "two", UseCards: "cards", ChooseLuck: "luck", ChooseRow: "new_row"
}  # fmt: skip


@BOARD.provides(BoardGame)
class BoardDescriber(Describer):
    game: BoardGame

    points_are_heads = False

    marker_events = (
        events.StopSet,
        events.StopsLifted,
        events.ActionPlayed,
        events.LuckPlayed,
        events.OrderChanged,
        events.TilesMoved,
    )

    @property
    def icon(self) -> str:
        return "bull_tile"

    @property
    def several_rounds(self) -> bool:
        return False

    def labels(self) -> Obj:
        told = self.words.catalogue.template
        return super().labels() | {name: told(f"look.board.{name}") for name in _TILE_LABELS}

    def faces(self) -> Obj:
        return super().faces() | {"shape": "tile"}

    def signs(self) -> list[Json]:
        game = self.game
        printed = dict.fromkeys(field for row in game.layout.rows for field in row if field != PLAIN)
        fields = sorted(map(self._field, printed), key=lambda field: (str(field["kind"]), str(field["sign"])))
        held: list[Kind] = [*(Luck if game.luck else ()), *(Action if DRAW_ACTION in printed else ())]
        tiles: list[Json] = [
            {"kind": "head", "sign": "", "icon": "bull", "text": self.words("look.board.sign_heads")},
            {"sign": "▯×", "icon": "tile", "after": "×", "text": self.words("look.board.sign_count")},
        ]
        return [*tiles, *fields, *(self._sign(kind) for kind in held)]

    def _sign(self, kind: Kind) -> Obj:
        rule = events.LUCK_RULES[kind] if isinstance(kind, Luck) else events.ACTION_RULES[kind]
        told = {"name": self._card(kind), "text": self.words(f"rule_text.{rule.key}")}
        return {"sign": _sign(kind), "icon": ICONS[kind], **told}

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
        kind, before, icon = FACES.get(field, ("", "", ""))
        drawn: Obj = {"icon": icon, "before": before} if icon else {}
        if field in TAKES:
            key = field_key(field)
            sign, text = self.words(f"look.board.sign_{key}"), self.words(f"look.board.field_{key}")
            return {"kind": kind, "sign": sign, "text": text} | drawn
        if field in _SIGNS:
            text = self.words(f"look.board.field_{field_key(field)}")
            return {"kind": kind, "sign": _SIGNS[field], "text": text} | drawn
        good = field.startswith("+")
        words = self.words("look.board.field_plus" if good else "look.board.field_minus", points=field[1:])
        return {"kind": "good" if good else "bad", "sign": field.replace("-", "−"), "text": words}

    def notes(self, state: GameState, row: int) -> list[Json]:
        if row not in BoardExtra.of(state).stops:
            return []
        return [{"sign": "■", "icon": "stop", "text": self.words("action.stop")}]

    def points(self, state: GameState, seat: Seat, scored: bool) -> int | None:
        return state.totals[seat]

    def badges(self, state: GameState, seat: Seat) -> list[Json]:
        extra = BoardExtra.of(state)
        badges: list[Json] = []
        if extra.actions[seat]:
            count = len(extra.actions[seat])
            words = self.words("look.board.action_cards", count=count)
            badges.append({"sign": f"★{count}", "icon": "star", "after": str(count), "text": words})
        for kind in dict.fromkeys(extra.luck[seat]):
            count = extra.luck[seat].count(kind)
            words = f"{self._card(kind)}: {count}"
            badges.append({"sign": f"☘{count}", "icon": ICONS[kind], "after": f"×{count}", "text": words})
        return badges

    def panels(self, state: GameState, seats: frozenset[Seat]) -> list[Json]:
        """The action cards of the visible hands."""
        extra = BoardExtra.of(state)
        items: list[Json] = []
        for seat in sorted(seats):
            cards = [card for card in extra.actions[seat] if card is not None]
            if cards:
                names = ", ".join(self._card(card) for card in cards)
                faces: list[Json] = [
                    {"kind": "action", "icon": ICONS[card], "text": self._card(card)} for card in cards
                ]
                items.append({"kind": "actions", "sign": self.words.who(seat), "text": names, "faces": faces})
        if not items:
            return []
        return [{"kind": "actions", "title": self.words("look.board.actions_title"), "items": items}]

    def _card(self, kind: Kind) -> str:
        return self.words(f"{'action' if isinstance(kind, Action) else 'luck'}.{kind.value}")

    def zones(self, state: GameState) -> list[Json]:
        stops = BoardExtra.of(state).stops
        deck = self.game.deck
        ends = {tiles[-1]: row for row, tiles in enumerate(state.rows) if tiles and row not in stops}
        homes = [self.game.row_for(state, tile, stops) for tile in deck]
        return runs(deck, [ends.get(tile, -1 if to is None else to[0]) for tile, to in zip(deck, homes, strict=True)])

    def aim(self, state: GameState, seat: Seat, choice: Choice) -> Obj | None:
        if not isinstance(choice, int) or state.queue:
            return None
        stops = BoardExtra.of(state).stops
        home = self.game.row_for(state, choice, stops)
        if home is None:
            return None
        row, _, difference = home
        field = self.game.layout.rows[row][len(state.rows[row])]
        aim: Obj = {
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
            aim["text"] = self.words("look.board.aim_too_low", card=choice, row=row + 1)
        return aim

    # Decisions -------------------------------------------------------------------------------------------

    def prompt(self, state: GameState, seat: Seat, decision: Decision, *, you: bool = False) -> str:
        name = _PROMPTS.get(type(decision))
        if name is None:
            return super().prompt(state, seat, decision, you=you)
        parts: dict[str, object] = {} if you else {"who": self.words.who(seat)}
        if isinstance(decision, (UseCards, ChooseRow)):
            parts["card"] = decision.card
        return self.words(f"look.board.{'you' if you else 'ask'}_{name}", **parts)

    def option(self, state: GameState, seat: Seat, decision: Decision, choice: Choice) -> Obj:
        option: Obj = {"text": decision.write(choice)}
        if isinstance(choice, LuckDraw):
            return option | {"label": " + ".join(self._card(kind) for kind in choice.kinds)}
        if not isinstance(choice, Use):
            return super().option(state, seat, decision, choice)
        if choice == PASS:
            card = decision.card if isinstance(decision, UseCards) else 0
            return option | {"label": self.words("place_it", card=card), "primary": True}
        assert choice.kind is not None
        name = f"{_sign(choice.kind)} {self._card(choice.kind)}"
        if choice.row is not None:
            return option | {"label": self.words("row", row=choice.row + 1), "group": name}
        if choice.tile is not None:
            return option | {"label": self.words("look.board.tile", tile=choice.tile), "group": name}
        if choice.tiles:
            return option | {"label": " + ".join(map(str, choice.tiles)), "group": name}
        return option | {"label": name}

    def listed(self, decision: Decision) -> Sequence[Choice]:
        return () if isinstance(decision, ChooseTiles) else super().listed(decision)

    def composers(self, decision: Decision) -> list[Json]:
        if not isinstance(decision, ChooseTiles):
            return []
        return [{"label": "", "cards": list(decision.hand), "count": 2, "before": "", "join": "+"}]

    def focus(self, event: Event) -> Obj:
        kinds = {events.FieldActed: "field", events.PointsScored: "score"}
        focus = super().focus(event)
        return focus | {"kind": kinds.get(type(event), focus["kind"])}


def _sign(kind: Kind) -> str:
    return "★" if isinstance(kind, Action) else "☘"
