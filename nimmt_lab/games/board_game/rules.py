"""The board game, 2 to 6 players (rules: board-game): tiles instead of cards, fields with effects, most points win.

Read it beside the rulebook: tiles are dealt (`start_round`), chosen, revealed and placed in ascending order (`place`)
on the next field of an active row, which acts at once (`act`). Before each tile its player may play luck and action
cards (`plays.py`). After it the player may have to choose luck cards for clovers passed (`grant`), or the row that the
tile starts after taking one (`start_row`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import TYPE_CHECKING, ClassVar

from nimmt_lab.engine.cards import EMPTY, Card, Cards, Seat, seat_letter
from nimmt_lab.engine.decisions import Choice, ChooseCard, ChooseRow, Decision
from nimmt_lab.engine.errors import PositionError, RulesError
from nimmt_lab.engine.events import CardPlaced, RoundStarted, RowTaken
from nimmt_lab.engine.game import Game
from nimmt_lab.engine.notation import Position
from nimmt_lab.engine.play import Play
from nimmt_lab.engine.rule import Rule
from nimmt_lab.engine.state import Extra, GameState, HasRows
from nimmt_lab.engine.table import LiveTable
from nimmt_lab.engine.values import replace

from . import draw, events, material, notation, plays
from .events import BoardRule
from .material import Board, Pieces
from .parts import NO_PLAN, Action, BoardExtra, Luck, Plan
from .plays import given, sort_cards
from .uses import PASS, ChooseLuck, ChooseTiles, LuckDraw, Tiles, Use, UseCards

if TYPE_CHECKING:
    from os import PathLike

    from nimmt_lab.engine.options import Converted

__all__ = ["BoardGame", "field_rule"]


@dataclass(frozen=True, repr=False)
class BoardGame(Game):
    """The board game: basic or advanced, each with or without luck cards.

    >>> game = BoardGame(players=2)
    >>> game.layout.title
    'sample board, basic side (not the printed one)'
    >>> state = game.from_position("50 | 70 | 20 | 56 | | | | | | ; A: 57 1 ; B: 93 2")
    >>> state, events = state.choose({0: 57, 1: 93})
    >>> state.rows[3], state.rows[1], state.totals
    ((56, 57), (70, 93), (3, 1))
    >>> events[-1]
    PointsScored(rule=BoardRule.HEADS_FIELD, seat=1, points=1, before=0, after=1, clovers=())

    `board` and `pieces` are a `Board` and `Pieces`, or the paths of their TOML files; the defaults are samples.
    """

    name: ClassVar[str] = "board"
    for_players: ClassVar[tuple[int, int]] = (2, 6)
    hand_size: ClassVar[int] = 12
    action_hand: ClassVar[int] = 2
    skips_fields: ClassVar[bool] = True
    markers: ClassVar[int] = 2
    allowed: ClassVar = {"mode": material.SIDES}

    players: int
    mode: str = "basic"
    #: Whether luck cards are in the game.
    luck: bool = False
    if TYPE_CHECKING:
        board: Converted[Board | str | PathLike[str] | Mapping[str, object] | None, Board | None] = Converted()
        pieces: Converted[Pieces | str | PathLike[str] | Mapping[str, object] | None, Pieces | None] = Converted()
    else:
        board: Board | None = None
        pieces: Pieces | None = None
    #: Whether the first field of a new row acts in basic mode, too (R-P9); in advanced mode it always does.
    first_field_acts: bool = True

    #: The board and the pieces in use.
    layout: Board = field(init=False, repr=False, compare=False)
    box: Pieces = field(init=False, repr=False, compare=False)
    #: Row and slot of each "play two tiles" field.
    _twos: tuple[tuple[int, int], ...] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.advanced and not self.first_field_acts:
            raise RulesError("board_game.advanced_mode_first")
        layout = material.sample_board(self.mode) if self.board is None else Board.made(self.board)
        box = material.sample_pieces() if self.pieces is None else Pieces.made(self.pieces)
        if layout.side != self.mode:
            raise RulesError("board_game.mode_played_side", mode=self.mode, side=layout.side)
        object.__setattr__(self, "layout", layout)
        twos = (
            (r, slot) for r, row in enumerate(layout.rows) for slot, shown in enumerate(row) if shown == material.TWO
        )
        object.__setattr__(self, "_twos", tuple(twos))
        object.__setattr__(self, "box", box)
        # A game with explicit samples equals one with the default.
        object.__setattr__(self, "board", None if layout == material.sample_board(self.mode) else layout)
        object.__setattr__(self, "pieces", None if box == material.sample_pieces() else box)

    @property
    def advanced(self) -> bool:
        """Whether the red side is used, with action cards."""
        return self.mode == "advanced"

    @property
    def more_is_better(self) -> bool:
        return True

    @property
    def deck(self) -> Sequence[Card]:
        return range(1, material.TILES + 1)

    @property
    def turns(self) -> int:
        return self.hand_size * (2 if self.refills else 1)

    @property
    def refills(self) -> bool:
        """Whether all players draw twelve more tiles after the first twelve."""
        return not self.advanced and self.players <= 3

    @property
    def places_in_row(self) -> int:
        return max(map(len, self.layout.rows)) - 1

    def heads_in(self, cards: Cards) -> int:
        heads = self.box.heads
        return sum([heads(tile) for tile in cards if tile != EMPTY])

    # Setup -----------------------------------------------------------------------------------------------

    def start_round(self, table: LiveTable) -> None:
        tiles, table.rng = table.rng.shuffled(self.deck)
        size = self.hand_size
        dealt = size * self.players
        table.hands = [self.sort_hand(tiles[at : at + size]) for at in range(0, dealt, size)]
        rows: list[Cards] = [()] * len(self.layout.rows)
        # The top rows; in advanced mode with 4 to 6 players the bottom ones.
        first = len(rows) - material.ACTIVE_ROWS if self.advanced and self.players > 3 else 0
        for row, tile in enumerate(tiles[dealt : dealt + material.ACTIVE_ROWS], start=first):
            rows[row] = (tile,)
        table.rows = rows
        table.stock = tiles[dealt + material.ACTIVE_ROWS :] if self.advanced or self.refills else ()
        actions: tuple[Action, ...] = ()
        if self.advanced:
            cards = [kind for kind, count in zip(Action, self.box.action_cards, strict=True) for _ in range(count)]
            actions, table.rng = table.rng.shuffled(cards)
        given = self.action_hand * self.players if self.advanced else 0
        plus_five, positive_heads = self.box.luck_cards if self.luck else (0, 0)
        table.extra = BoardExtra(
            luck=((),) * self.players,
            luck_stacks=(plus_five, positive_heads),
            actions=tuple(sort_cards(actions[2 * seat : 2 * seat + 2]) for seat in range(self.players)),
            action_deck=actions[given:],
        )
        table.emit(RoundStarted(BoardRule.SETUP, table.round, tuple(rows)))

    # A turn ----------------------------------------------------------------------------------------------

    def go_on(self, table: LiveTable) -> None:
        extra = BoardExtra.of(table)
        if extra.owed is not None:
            self.grant(table)
        elif extra.starting is not None:
            self.start_row(table)
        elif table.queue:
            play = table.queue[0]
            uses = plays.uses(self, table, play)
            # R-P19: only the number of action cards is public, so the question must not reveal their kinds.
            if len(uses) > 1 or extra.actions[play.seat]:
                table.ask(play.seat, UseCards(BoardRule.BEFORE_PLACING, play.card, uses))
            else:
                self.place(table)
        else:
            self.ask_tiles(table)

    def answer(self, table: LiveTable, asked: Mapping[Seat, Decision], answers: Mapping[Seat, Choice]) -> None:
        extra = BoardExtra.of(table)
        if extra.owed is None and extra.starting is None and not table.queue:
            self.reveal(table, answers)
            return
        (choice,) = answers.values()
        if isinstance(choice, LuckDraw):
            self.give_luck(table, choice)
        elif isinstance(choice, int):
            self.start_in(table, choice)
        elif choice == PASS:
            self.place(table)
        else:
            assert isinstance(choice, Use)
            plays.use(self, table, table.queue[0], choice)

    def ask_tiles(self, table: LiveTable) -> None:
        """All players choose a tile, or two while a "play two tiles" field is uncovered; or the game ends."""
        if self.advanced:
            if not all(table.hands):
                self.end(table, BoardRule.OUT_OF_TILES)
                return
        elif not any(table.hands):
            if not (self.refills and table.round == 0 and table.stock):
                self.end(table, BoardRule.ALL_PLAYED)
                return
            self.refill(table)
        two = self.plays_two(table)
        for seat, hand in enumerate(table.hands):
            if two and len(hand) > 1:
                table.ask(seat, ChooseTiles(BoardRule.PLAY_TWO_FIELD, hand))
            elif hand:  # R-P8: a player with a single tile plays that
                table.ask(seat, ChooseCard(BoardRule.TURN, hand))

    def refill(self, table: LiveTable) -> None:
        """Deal twelve more tiles to each player, as the second round."""
        table.round += 1
        for seat in range(self.players):
            self.draw_tiles(table, seat, self.hand_size, BoardRule.REFILL)

    def plays_two(self, table: HasRows) -> bool:
        """Whether an active row has an uncovered "play two tiles" field, even skipped or stopped (R-P10)."""
        for row, slot in self._twos:
            tiles = table.rows[row]
            if tiles and (slot >= len(tiles) or tiles[slot] == EMPTY):
                return True
        return False

    def reveal(self, table: LiveTable, answers: Mapping[Seat, Choice]) -> None:
        """Reveal all tiles, to be placed in one ascending order."""
        plays = []
        for seat, choice in answers.items():
            tiles = (choice.low, choice.high) if isinstance(choice, Tiles) else (choice,)
            plays += [Play.of(seat, tile) for tile in tiles if isinstance(tile, int)]
        table.reveal(plays, BoardRule.TURN)

    def settle(self, table: LiveTable) -> None:
        """End the turn when all tiles are placed and nothing is left to choose."""
        extra = BoardExtra.of(table)
        if not table.queue and extra.owed is None and extra.starting is None:
            table.turn += 1

    # Placing a tile --------------------------------------------------------------------------------------

    def row_for(self, table: HasRows, tile: Card, stops: Sequence[int]) -> tuple[int, Rule, int | None] | None:
        """Rules 1 to 3: the row of a tile, the rule, and its distance from the end. Stopped rows are out (R-P4)."""
        home, home_end, other, other_end = None, -1, None, -1
        for row, tiles in enumerate(table.rows):
            if not tiles or row in stops:
                continue
            end = tiles[-1]
            if end >= tile:
                if end > other_end:
                    other, other_end = row, end
            elif end > home_end:
                home, home_end = row, end
        if home is not None:
            return home, BoardRule.SMALLEST_DIFFERENCE, tile - home_end
        return None if other is None else (other, BoardRule.TOO_LOW, None)

    def home_row(self, table: HasRows, value: int) -> int | None:
        home = self.row_for(table, value, BoardExtra.of(table).stops)
        return None if home is None else home[0]

    def place(self, table: LiveTable) -> None:
        """Place the next tile by the rules and its plan; then the field acts."""
        play = table.queue[0]
        plan = BoardExtra.of(table).plan
        landing = plays.landing(self, table, plan, play.card)
        assert landing is not None
        del table.queue[0]
        if plan != NO_PLAN:
            table.extra = replace(BoardExtra.of(table), plan=NO_PLAN)
        row, slot = landing.row, landing.slot
        tiles = table.rows[row]
        if plan.at_start:
            # Tiles move up to the first free field, which then acts for the last of them.
            moved = tiles[:slot]
            table.rows[row] = (play.card, *moved, *tiles[slot + 1 :])
            table.emit(events.TilesMoved(landing.rule, row, moved, slot))
            table.emit(CardPlaced(landing.rule, play.seat, play.card, row, 0, None))
            acting = moved[-1]
        else:
            table.rows[row] = tiles + (EMPTY,) * plan.skips
            table.put(play, row, landing.rule, landing.difference)
            acting = play.card
        self.act(table, play, row, slot, acting, plan)
        self.settle(table)

    def act(self, table: LiveTable, play: Play, row: int, slot: int, tile: Card, plan: Plan = NO_PLAN) -> None:
        """The field that `tile` covers acts for the player."""
        shown = self.layout.rows[row][slot]
        seat = play.seat
        if plan.luck is Luck.PLUS_FIVE:
            self.score(table, seat, 5, BoardRule.PLUS_FIVE)
            return
        if shown in (material.PLAIN, material.TWO):
            return
        rule = field_rule(shown)
        table.emit(events.FieldActed(rule, seat, row, slot, shown, tile))
        points = material.points_of(shown, self.box.heads(tile))
        if points is not None:
            self.score(table, seat, points, rule)
        elif shown == material.DRAW_TILE:
            self.draw_tiles(table, seat, 1, rule)
        elif shown == material.DRAW_ACTION:
            self.draw_action(table, seat)
        else:
            self.take_row(table, play, row, rule, plan.tiles)

    def take_row(self, table: LiveTable, play: Play, row: int, rule: Rule, plus: Cards) -> None:
        """The other tiles of the row leave the game for minus points, or go to the player's hand; the heads of `plus`
        count as plus points. All markers are removed, and the tile will start a new row."""
        seat, tile = play.seat, play.card
        others = tuple(other for other in table.rows[row] if other not in (EMPTY, tile))
        table.rows[row] = ()
        table.emit(RowTaken(rule, seat, tile, row, others, self.heads_in(others)))
        extra = BoardExtra.of(table)
        table.extra = replace(extra, stops=(), starting=row)
        if extra.stops:
            table.emit(events.StopsLifted(BoardRule.STOPS_OFF, extra.stops))
        table.queue.insert(0, play)
        points = self.heads_in(plus)
        if rule is BoardRule.TAKE_TILES:
            table.hands[seat] = self.sort_hand(table.hands[seat] + others)
        else:
            table.piles[seat] += others
            points -= self.heads_in(others) - self.heads_in(plus)
        if plus or rule is not BoardRule.TAKE_TILES:
            self.score(table, seat, points, BoardRule.POSITIVE_HEADS if plus else rule)

    def start_row(self, table: LiveTable) -> None:
        """Basic: the next empty row below, or else the topmost one. Advanced: the player chooses."""
        taken = BoardExtra.of(table).starting
        assert taken is not None
        empty = tuple(row for row, tiles in enumerate(table.rows) if not tiles)
        below = [row for row in empty if row > taken]
        if not self.advanced:
            self.start_in(table, (below or empty)[0])
        elif len(empty) == 1:
            self.start_in(table, empty[0])
        else:
            play = table.queue[0]
            table.ask(play.seat, ChooseRow(BoardRule.NEW_ROW, play.card, empty))

    def start_in(self, table: LiveTable, row: int) -> None:
        """The tile starts that row, and its first field acts (R-P9)."""
        play = table.queue.pop(0)
        table.extra = replace(BoardExtra.of(table), starting=None)
        table.put(play, row, BoardRule.NEW_ROW)
        if self.first_field_acts:
            self.act(table, play, row, 0, play.card)
        self.settle(table)

    # Points, luck and drawing ------------------------------------------------------------------------------

    def score(self, table: LiveTable, seat: Seat, points: int, rule: Rule, *, clovers: bool = True) -> None:
        """Score points within the track; a loss may pass clovers (R-P5)."""
        before = table.totals[seat]
        after = max(-material.TRACK, min(material.TRACK, before + points))
        table.totals = (*table.totals[:seat], after, *table.totals[seat + 1 :])
        passed: Cards = ()
        if self.luck and clovers and after < before:
            passed = tuple(clover for clover in self.layout.clovers if after <= clover < before)
            extra = BoardExtra.of(table)
            owed = min(len(passed), sum(extra.luck_stacks))
            if owed:
                table.extra = replace(extra, owed=(seat, owed))
        table.emit(events.PointsScored(rule, seat, points, before, after, passed))

    def grant(self, table: LiveTable) -> None:
        """The player draws luck cards for clovers from either stack, while they last (R-P11)."""
        extra = BoardExtra.of(table)
        assert extra.owed is not None
        seat, count = extra.owed
        fives, heads = extra.luck_stacks
        splits = range(min(count, fives), -1, -1)
        draws = tuple(LuckDraw(five, count - five) for five in splits if count - five <= heads)
        if len(draws) > 1:
            table.ask(seat, ChooseLuck(BoardRule.CLOVERS, draws))
        else:
            self.give_luck(table, draws[0])

    def give_luck(self, table: LiveTable, draw: LuckDraw) -> None:
        extra = BoardExtra.of(table)
        assert extra.owed is not None
        seat = extra.owed[0]
        fives, heads = extra.luck_stacks
        table.extra = replace(
            extra,
            luck=given(extra.luck, seat, sort_cards((*extra.luck[seat], *draw.kinds))),
            luck_stacks=(fives - draw.plus_five, heads - draw.positive_heads),
            owed=None,
        )
        table.emit(events.LuckGranted(BoardRule.CLOVERS, seat, draw.kinds))
        self.settle(table)

    def draw_tiles(self, table: LiveTable, seat: Seat, count: int, rule: Rule) -> None:
        """Draw tiles from the stock, while it lasts (R-P3)."""
        drawn, table.stock = table.stock[:count], table.stock[count:]
        table.hands[seat] = self.sort_hand(table.hands[seat] + drawn)
        table.emit(events.TilesDrawn(rule, seat, len(drawn)))

    def draw_action(self, table: LiveTable, seat: Seat) -> None:
        """Draw an action card; an empty stack is replaced by the shuffled discards."""
        extra = BoardExtra.of(table)
        deck, discards = extra.action_deck, extra.discards
        reshuffled = not deck and bool(discards)
        if reshuffled:
            deck, table.rng = table.rng.shuffled(discards)
            discards = ()
        actions = given(extra.actions, seat, sort_cards(extra.actions[seat] + deck[:1]))
        table.extra = replace(extra, actions=actions, action_deck=deck[1:], discards=discards)
        table.emit(events.ActionDrawn(BoardRule.DRAW_ACTION, seat, len(deck[:1]), reshuffled))

    # The end -----------------------------------------------------------------------------------------------

    def end(self, table: LiveTable, reason: Rule) -> None:
        """Advanced: subtract the heads of tiles left, then add 1 for each action card, within the track (R-P12)."""
        if self.advanced:
            actions = BoardExtra.of(table).actions
            for seat, hand in enumerate(table.hands):
                if hand:
                    self.score(table, seat, -self.heads_in(hand), BoardRule.TILES_LEFT, clovers=False)
                if actions[seat]:
                    self.score(table, seat, len(actions[seat]), BoardRule.ACTIONS_LEFT, clovers=False)
        self.end_game(table, reason)

    # Seeing and writing --------------------------------------------------------------------------------------

    def public_extra(self, extra: Extra, seat: Seat) -> Extra:
        assert isinstance(extra, BoardExtra)
        return replace(
            extra,
            actions=tuple(
                cards if other == seat else (None,) * len(cards) for other, cards in enumerate(extra.actions)
            ),
            action_deck=(None,) * len(extra.action_deck),
        )

    def text(self, state: GameState, lang: str = "en") -> str:
        return draw.text(state, self, lang)

    @property
    def notice(self) -> str:
        return "; ".join(data.full_title for data in (self.layout, self.box) if data.is_sample)

    def position(self, state: GameState) -> Position:
        # The stock is face down, but its order matters.
        return replace(super().position(state), stock=state.stock)

    @property
    def shows_stock(self) -> bool:
        return True

    @property
    def most_played(self) -> int:
        return 2 if self.refills else 1

    def turn_fits(self, table: LiveTable) -> bool:
        return table.turn < material.TILES  # at least one tile is played each turn

    def check_totals(self, totals: Sequence[int]) -> None:
        for seat, total in enumerate(totals):
            if not -material.TRACK <= total <= material.TRACK:
                raise PositionError(
                    "board_game.track", who=seat_letter(seat), total=total, least=-material.TRACK, most=material.TRACK
                )

    def usual_turn(self, table: LiveTable | GameState) -> int:
        """Hands do not determine the turn, because a turn has one or two tiles."""
        return 0

    def write_sections(self, state: GameState) -> dict[str, str]:
        return notation.write_sections(state)

    def read_sections(self, table: LiveTable, sections: Mapping[str, str]) -> None:
        super().read_sections(table, notation.read_sections(self, table, sections))

    def check_position(self, table: LiveTable, ordered: bool) -> None:
        notation.check(self, table, ordered)


@cache
def field_rule(shown: str) -> Rule:
    if shown in material.HEADS:
        return BoardRule.HEADS_FIELD
    if shown in material.TAKES:
        return BoardRule.TAKE_TILES if shown == material.TAKE_TILES else BoardRule.TAKE_HEADS
    return {material.DRAW_TILE: BoardRule.DRAW_TILE, material.DRAW_ACTION: BoardRule.DRAW_ACTION}.get(
        shown, BoardRule.POINTS_FIELD
    )
