"""Narration and hints for the board game."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from nimmt_lab.engine.cards import EMPTY, Card, Cards, Seat
from nimmt_lab.engine.decisions import Choice, ChooseCard, ChooseRow
from nimmt_lab.engine.events import CardPlaced, Event, RowTaken
from nimmt_lab.engine.game import Game
from nimmt_lab.engine.inflect import signed
from nimmt_lab.engine.rule import Rule
from nimmt_lab.engine.view import View
from nimmt_lab.engine.ways import TooMany
from nimmt_lab.explain.assess import ASSESSES, Assessment, Verdict, Way
from nimmt_lab.explain.catalogue import Words
from nimmt_lab.explain.report import LOSSES
from nimmt_lab.explain.shared import placed_as, taken_as
from nimmt_lab.explain.teller import UNITS, Part, Teller, rule_name, tells, tells_by_rule

from . import events
from .events import BoardRule
from .material import DRAW_ACTION, DRAW_TILE, TAKE, TAKES, TWO, points_of
from .parts import NO_PLAN, Action, BoardExtra, Luck, Plan
from .plays import landing, sort_cards
from .rules import BoardGame
from .sweep import Fate, fates, is_open_to_proof, tiles_of_others
from .uses import ChooseLuck, ChooseTiles, LuckDraw, Tiles, Use, UseCards

UNITS.provide(BoardGame, "tile_heads")
UNITS.provide(BoardRule, "tile_heads")

tells_by_rule(
    CardPlaced,
    {
        BoardRule.TOO_LOW: placed_as("placed.too_low"),
        BoardRule.START: placed_as("placed.at_start"),
        BoardRule.ASCENDING: placed_as("placed.ascending"),
        BoardRule.SKIP: placed_as("placed.skipping"),
    },
)
tells_by_rule(
    RowTaken,
    {
        BoardRule.TAKE_HEADS: taken_as("taken.tiles_for_heads"),
        BoardRule.TAKE_TILES: taken_as("taken.tiles"),
    },
)


@LOSSES.provides(BoardGame)
def losses(game: Game, event: Event) -> Iterable[tuple[Seat, Rule, int]]:
    """Only points on the track count; taken tiles cost nothing by themselves."""
    if isinstance(event, events.PointsScored) and event.after < event.before:
        yield event.seat, event.rule, event.before - event.after


tells(events.StopSet)(lambda tell, event: tell.say("board.stop_set", row=event.row + 1))
tells(events.StopsLifted)(lambda tell, event: tell.say("board.stops_lifted"))
tells(events.OrderChanged)(lambda tell, event: tell.say("table.order", plays=tell.plays(event.plays)))
tells(events.TilesMoved)(lambda tell, event: tell.say("board.moved", row=event.row + 1, place=event.slot + 1))


@tells(events.FieldActed)
def field_acted(tell: Teller, event: events.FieldActed) -> str:
    return tell.say("board.field", row=event.row + 1, place=event.slot + 1, what=rule_name(event.rule, tell.say))


@tells(events.PointsScored)
def points_scored(tell: Teller, event: events.PointsScored) -> str:
    points = f"{event.points:+d}".replace("-", "−")
    parts = {"who": tell.who(event.seat), "points": points, "total": str(event.after).replace("-", "−")}
    if event.rule is BoardRule.TILES_LEFT:
        return tell.say("board.tiles_left", **parts)
    if event.rule is BoardRule.ACTIONS_LEFT:
        return tell.say("board.actions_left", **parts)
    # Points beyond the end of the track are lost, and the sentence says so.
    lost = event.before + event.points != event.after
    scored = tell.say("board.scored_to_the_end" if lost else "board.scored", **parts)
    if event.clovers:
        scored += " " + tell.say("board.clovers", number=len(event.clovers))
    return scored


@tells(events.TilesDrawn)
def tiles_drawn(tell: Teller, event: events.TilesDrawn) -> str:
    if not event.count:
        return tell.say("board.no_tiles", who=tell.who(event.seat))
    return tell.say("board.drew", who=tell.who(event.seat), what=tell.say.count("tiles", event.count))


@tells(events.ActionDrawn)
def action_drawn(tell: Teller, event: events.ActionDrawn) -> str:
    if not event.count:
        return tell.say("board.no_actions", who=tell.who(event.seat))
    drew = tell.say("board.drew", who=tell.who(event.seat), what=tell.say.count("actions", event.count))
    return f"{tell.say('board.reshuffled')} {drew}" if event.reshuffled else drew


@tells(events.LuckGranted)
def luck_granted(tell: Teller, event: events.LuckGranted) -> str:
    cards = tell.say.list(tell.say(f"luck.{luck.value}") for luck in event.luck)
    return tell.say("board.granted", who=tell.who(event.seat), cards=cards) if event.luck else tell.say("board.no_luck")


@tells(events.LuckPlayed, Part.BEFORE)
def luck_played(tell: Teller, event: events.LuckPlayed) -> str:
    parts = {"who": tell.who(event.seat), "card": tell.say(f"luck.{event.luck.value}"), "tile": event.tile}
    if event.tiles:
        return tell.say("board.luck_for", **parts, tiles=tell.say.list(event.tiles))
    return tell.say("board.card_played", **parts)


@tells(events.ActionPlayed, Part.BEFORE)
def action_played(tell: Teller, event: events.ActionPlayed) -> str:
    parts = {"who": tell.who(event.seat), "card": tell.say(f"action.{event.action.value}"), "tile": event.tile}
    if event.other is not None:
        return tell.say("board.action_tile", **parts, other=event.other)
    if event.row is not None:
        return tell.say("board.action_row", **parts, row=event.row + 1)
    return tell.say("board.card_played", **parts)


# Hints -------------------------------------------------------------------------------------------------------


@ASSESSES.provides(BoardGame)
def assessments(view: View) -> dict[Choice, Assessment]:
    """Assess every option: for tiles their place now and what is certain, for others the immediate effect."""
    return dict(_Hints(view).all())


class _Hints:
    def __init__(self, view: View) -> None:
        assert isinstance(view.game, BoardGame)
        self.view, self.game, self.extra = view, view.game, BoardExtra.of(view)
        self.ends = tuple(tiles[-1] if tiles else EMPTY for tiles in view.rows)
        self.others = tiles_of_others(view)
        self.proves = is_open_to_proof(view)

    def all(self) -> Iterator[tuple[Choice, Assessment]]:
        decision = self.view.decision
        if isinstance(decision, ChooseCard):
            known = self.known(self.view.hand)
            for tile in self.view.hand:
                yield tile, self.tile(tile, known.get(tile))
        elif isinstance(decision, ChooseTiles):
            yield from self.pairs(decision)
        elif isinstance(decision, UseCards):
            for use in decision.options:
                assert isinstance(use, Use)
                yield use, self.use(decision.card, use)
        elif isinstance(decision, ChooseRow):
            for row in decision.options:
                yield row, self.settled(decision.card, row, 0, decision.card, ahead=True)
        elif isinstance(decision, ChooseLuck):
            for draw in decision.options:
                yield draw, self.luck(draw)

    def known(self, tiles: Cards, before: Cards = ()) -> dict[Card, Fate]:
        """The proved fates; empty if nothing can be proved."""
        try:
            return fates(self.view, tiles, before) if self.proves and tiles else {}
        except TooMany:
            return {}

    # Tiles -----------------------------------------------------------------------------------------------

    def tile(self, tile: Card, fate: Fate | None, first: Card | None = None) -> Assessment:
        """A tile before the reveal; `first` is another tile that the seat plays before it."""
        home = self.game.row_for(self.view, tile, self.extra.stops)
        assert home is not None
        row, _, difference = home
        slot = len(self.view.rows[row])
        takes = self.game.layout.rows[row][slot] in TAKES
        verdict, risks, escape = Verdict.RISK, [], None
        if fate is not None:
            if fate.spared is None:
                verdict = Verdict.TAKES
            elif fate.takes is None:
                verdict = Verdict.SAFE
            else:
                risks = [Way(None, fate.takes.needed, fate.takes.cards)]
                escape = Way(None, fate.spared.needed, fate.spared.cards)

        def own(say: Words) -> str:
            sentences = [] if first is None else [say("hint.first", tile=first)]
            key = "hint.lands" if difference is not None else "hint.too_low"
            if first is None:
                sentences.append(say(key, row=row + 1, place=slot + 1, what=self.what(row, slot, tile, say)))
                if not takes:
                    sentences.append(say("hint.ahead", place=self.take_field(row) + 1))
            if fate is not None and fate.points:
                least, most = fate.points[0], fate.points[-1]
                if least < most:
                    sentences.append(say("hint.between", least=signed(least), most=signed(most)))
                elif verdict is Verdict.SAFE and (least or not self.game.advanced):
                    # In advanced mode a field without points may give a tile or card.
                    what = signed(least) if least else say("hint.nothing")
                    sentences.append(say("hint.certain", what=what))
            elif fate is None and self.game.advanced:
                sentences.append(say("hint.cards"))
            if first is None and self.game.plays_two(self.view):
                sentences.append(say("hint.two"))
            return " ".join(sentences)

        unseen = len(self.view.unseen)
        return Assessment(
            tile, tile, row, difference, takes, (), self.ends, verdict, tuple(risks), escape,
            unseen, self.others, fate is not None, _own=own,
        )  # fmt: skip

    def pairs(self, decision: ChooseTiles) -> Iterator[tuple[Choice, Assessment]]:
        lower = self.known(self.view.hand)
        for at, low in enumerate(self.view.hand):
            higher = self.view.hand[at + 1 :]
            known = self.known(higher, (low,))
            for high in higher:
                yield Tiles(low, high), self.both(self.tile(low, lower.get(low)), self.tile(high, known.get(high), low))

    def both(self, low: Assessment, high: Assessment) -> Assessment:
        """Combine two tiles: a take is certain if it is for one of them."""
        verdicts = (low.verdict, high.verdict)
        verdict = next((worst for worst in (Verdict.TAKES, Verdict.RISK) if worst in verdicts), Verdict.SAFE)
        risks = low.risks + high.risks if verdict is Verdict.RISK else ()

        def own(say: Words) -> str:
            return " ".join(say("hint.other", tile=tile.card, text=tile.text(say.lang)) for tile in (low, high))

        return replace(
            low, verdict=verdict, risks=tuple(sorted(risks, key=lambda way: way.needed)), escape=None,
            proved=low.proved and high.proved, _own=own, settled=True,
        )  # fmt: skip

    # What follows at once ----------------------------------------------------------------------------------

    def use(self, tile: Card, use: Use) -> Assessment:
        """The tile after playing that card and no other."""
        plan, stops, placed = self.extra.plan, self.extra.stops, tile
        if use.kind is Luck.PLUS_FIVE or use.kind is Luck.POSITIVE_HEADS:
            plan = replace(plan, luck=use.kind, tiles=use.tiles)
        elif use.kind is Action.STOP and use.row is not None:
            stops = (*stops, use.row)
        elif use.kind is Action.SKIP:
            plan = replace(plan, skips=plan.skips + 1)
        elif use.kind in (Action.START, Action.ASCENDING):
            plan = replace(plan, row=use.row, at_start=use.kind is Action.START)
        elif use.tile is not None:
            waiting = [play.card for play in self.view.queue if play.seat == self.view.seat]
            placed = use.tile if use.kind is Action.SWAP else min(use.tile, *waiting)
        to = landing(self.game, self.view, plan, placed, stops)
        assert to is not None
        acting = self.view.rows[to.row][to.slot - 1] if plan.at_start else placed
        return self.settled(placed, to.row, to.slot, acting, plan, ahead=use.kind is None, first=placed != tile)

    def settled(
        self, tile: Card, row: int, slot: int, acting: Card, plan: Plan = NO_PLAN, *, ahead: bool, first: bool = False
    ) -> Assessment:
        """A tile that is placed at once."""
        takes = self.game.layout.rows[row][slot] in TAKES and plan.luck is not Luck.PLUS_FIVE

        def own(say: Words) -> str:
            what = self.what(row, slot, acting, say, plan, tile)
            sentences = [say("hint.first", tile=tile)] if first else []
            sentences.append(say("hint.lands", row=row + 1, place=slot + 1, what=what))
            if ahead and not takes:
                sentences.append(say("hint.ahead", place=self.take_field(row, slot) + 1))
            return " ".join(sentences)

        verdict = Verdict.TAKES if takes else Verdict.SAFE
        return Assessment(tile, tile, row, None, takes, (), self.ends, verdict, (), None, 0, 0, _own=own, settled=True)

    def luck(self, draw: LuckDraw) -> Assessment:
        cards = (*self.extra.luck[self.view.seat], *draw.kinds)

        def own(say: Words) -> str:
            return say("hint.held", cards=say.list(say(f"luck.{card.value}") for card in sort_cards(cards)))

        return Assessment(0, 0, None, None, False, (), self.ends, Verdict.SAFE, (), None, 0, 0, _own=own, settled=True)

    # In words ----------------------------------------------------------------------------------------------

    def take_field(self, row: int, slot: int | None = None) -> int:
        """The next field that takes the row."""
        fields = self.game.layout.rows[row]
        start = len(self.view.rows[row]) if slot is None else slot
        return next(at for at in range(start, len(fields)) if fields[at] in TAKES)

    def what(self, row: int, slot: int, tile: Card, say: Words, plan: Plan = NO_PLAN, own: Card | None = None) -> str:
        """Describe the effect of a field on the tile that covers it."""
        field = self.game.layout.rows[row][slot]
        if plan.luck is Luck.PLUS_FIVE:
            return say("hint.points", points=signed(5))
        if field in TAKES:
            others = tuple(other for other in self.view.rows[row] if other not in (EMPTY, own))
            plus, heads = self.game.heads_in(plan.tiles), self.game.heads_in(others)
            tiles = say.count("tiles", len(others))
            if field == TAKE:
                return say("hint.take", points=signed(2 * plus - heads))
            if plan.tiles:
                return say("hint.take_plus", points=signed(plus), tiles=tiles)
            return say("hint.take_tiles", tiles=tiles)
        points = points_of(field, self.game.box.heads(tile))
        if points is not None:
            return say("hint.points", points=signed(points))
        if field == DRAW_TILE:
            return say("hint.draw_tile" if self.view.stock_size else "hint.empty")
        if field == DRAW_ACTION:
            return say("hint.draw_action" if self.extra.action_deck or self.extra.discards else "hint.empty")
        return say("hint.covers" if field == TWO else "hint.nothing")
