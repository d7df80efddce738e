"""The classic game, 2 to 10 players (rules: classic).

A round is dealt (`start_round`), everybody chooses a card (`ask_cards`), the cards are revealed (`reveal`) and placed
in ascending order (`place`) by the four rules, and the round is scored (`end_round`).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, ClassVar, Final

from nimmt_lab.engine.cards import CONTAINING_5_HEADS, LAST_CARD, PRINTED_HEADS, Cards, Seat, seat_letter
from nimmt_lab.engine.decisions import CardOption, Choice, ChooseCard, ChooseRow, Decision
from nimmt_lab.engine.errors import NotationError, PositionError, RulesError
from nimmt_lab.engine.events import RoundEnded, RoundStarted
from nimmt_lab.engine.files import shown
from nimmt_lab.engine.game import Game
from nimmt_lab.engine.play import Play
from nimmt_lab.engine.rule import Rule
from nimmt_lab.engine.state import NOTHING, GameState, HasRows
from nimmt_lab.engine.table import LiveTable

from .fan_card import AnyFanCard, FanCardLaid, FanCards, Marker, Markers, TableEnds, fan_cards, in_order

if TYPE_CHECKING:
    from nimmt_lab.engine.options import Converted

__all__ = ["EDITIONS", "MOST_IN_ROW", "MOST_ROWS", "Classic", "ClassicRule", "Edition"]


class ClassicRule(Rule):
    """The rules of the classic chapter, by their numbers on its page."""

    SETUP = ("classic.setup", "R-C5")
    TURN = ("classic.turn",)
    ASCENDING = ("classic.1",)
    SMALLEST_DIFFERENCE = ("classic.2",)
    FULL_ROW = ("classic.3",)
    LOW_CARD = ("classic.4", "R-C5")
    SCORING = ("classic.scoring",)
    LIMIT = ("classic.limit", "R-C3")
    ROUNDS = ("classic.rounds",)
    TIE = ("classic.tie", "R-C1")


TURN: Final = ClassicRule.TURN
FULL_ROW: Final = ClassicRule.FULL_ROW
LOW_CARD: Final = ClassicRule.LOW_CARD


@dataclass(frozen=True, slots=True)
class Edition:
    title: str
    #: Whether the game ends only above the limit, not at it.
    over_the_limit: bool


EDITIONS: Final = {
    "002": Edition("Rebel 2.6", over_the_limit=True),
    "000": Edition("Rebel jubilee", over_the_limit=False),
    "003": Edition("Albi jubilee", over_the_limit=False),
}

#: Limit of rounds and heads.
MOST_ROUNDS: Final = 1_000_000

#: Largest number of rows, and of cards per row.
MOST_ROWS: Final = 8
MOST_IN_ROW: Final = 9
#: All row indices, by number of rows.
_ALL_ROWS: Final = tuple(tuple(range(rows)) for rows in range(MOST_ROWS + 1))

_HEADS: Final = {"printed": PRINTED_HEADS, "containing_5": CONTAINING_5_HEADS}


@dataclass(frozen=True, repr=False)
class Classic(Game):
    """The classic game.

    >>> game = Classic(players=4)
    >>> state = game.from_position("12 | 37 | 43 | 58 ; A: 14 1 ; B: 15 2 ; C: 44 3 ; D: 61 4")
    >>> state, events = state.choose({0: 14, 1: 15, 2: 44, 3: 61})
    >>> state.rows
    ((12, 14, 15), (37,), (43, 44), (58, 61))
    >>> events[1]
    CardPlaced(rule=ClassicRule.SMALLEST_DIFFERENCE, seat=0, card=14, row=0, slot=1, difference=2)

    The game lasts until someone reaches the limit at the end of a round. `limit` sets another limit, `rounds` a fixed
    number of rounds instead, and `most_rounds` a maximum in addition.

    >>> Classic(players=11)
    Traceback (most recent call last):
    nimmt_lab.engine.errors.RulesError: classic is for 2 to 10 players, got 11
    """

    name: ClassVar[str] = "classic"
    for_players: ClassVar[tuple[int, int]] = (2, 10)
    usual_limit: ClassVar[int] = 66
    #: The rule that `row_for` follows. A game that overrides it names its own.
    joining_rule: ClassVar[Rule] = ClassicRule.SMALLEST_DIFFERENCE
    allowed: ClassVar = {
        "edition": tuple(EDITIONS),
        **dict.fromkeys(("limit", "rounds", "most_rounds"), range(1, MOST_ROUNDS + 1)),
        "fan_cards": lambda: tuple(fan_cards()),
        "row_order": ("drawn", "ascending"),
        "heads": tuple(_HEADS),
        "hand_size": range(1, 11),
        "rows": range(1, MOST_ROWS + 1),
        "row_limit": range(1, MOST_IN_ROW + 1),
    }

    players: int
    edition: str = "000"
    #: The limit if not 66.
    limit: int | None = None
    #: Play exactly this many rounds, whatever the totals.
    rounds: int | None = None
    #: A maximum number of rounds in addition to the limit (003).
    most_rounds: int | None = None
    #: Fan special cards (or their names); more than one kind only if `combine_fan_cards` (R-F0).
    if TYPE_CHECKING:
        fan_cards: Converted[Iterable[AnyFanCard | str | Mapping[str, object]], tuple[AnyFanCard, ...]] = Converted()
    else:
        fan_cards: tuple[AnyFanCard, ...] = ()
    combine_fan_cards: bool = False
    #: `drawn`: the first cards start rows 1 to 4 in the order drawn (R-C5); `ascending`: lowest first.
    row_order: str = "drawn"
    #: `printed`: bull heads as on the cards (R-C2); `containing_5`: edition 002's wording taken literally.
    heads: str = "printed"
    #: Smaller games for study: cards in a hand, and the highest card of the deck.
    hand_size: int = 10
    deck_size: int = LAST_CARD
    #: Other tables: the number of rows, and the cards that fill a row.
    rows: int = 4
    row_limit: int = 5

    _heads: tuple[int, ...] = field(init=False, repr=False, compare=False)
    _fan: FanCards = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.rounds is not None and (self.limit is not None or self.most_rounds is not None):
            raise RulesError("classic.rounds_alone")
        need = self.hand_size * self.players + self.rows
        if not need <= self.last_card <= LAST_CARD:
            raise RulesError(
                "classic.need_deck",
                players=self.players,
                hand_size=self.hand_size,
                rows=self.rows,
                need=need,
                most=LAST_CARD,
                got=shown(self.last_card),
            )
        object.__setattr__(self, "fan_cards", in_order(self.fan_cards))
        object.__setattr__(self, "_fan", FanCards(self.fan_cards))
        if len(self.fan_cards) > 1 and not self.combine_fan_cards:
            raise RulesError("classic.one_fan")
        for card in self.fan_cards:
            if self.rows < card.least_rows or self.row_limit < card.least_limit:
                raise RulesError(
                    "classic.fan_table",
                    card=card.name,
                    need_rows=card.least_rows,
                    need_limit=card.least_limit,
                    rows=self.rows,
                    row_limit=self.row_limit,
                )
        object.__setattr__(self, "_heads", _HEADS[self.heads])

    @property
    def deck(self) -> Sequence[int]:
        return range(1, self.last_card + 1)

    @property
    def last_card(self) -> int:
        return self.deck_size

    @property
    def turns(self) -> int:
        return self.hand_size

    @property
    def places_in_row(self) -> int:
        return self.row_limit

    def heads_in(self, cards: Cards) -> int:
        table = self._heads
        return sum([table[card] for card in cards])

    def start_round(self, table: LiveTable) -> None:
        size = self.hand_size
        dealt = size * self.players
        cards, table.rng = table.rng.shuffled(self.deck, take=dealt + self.rows)
        table.hands = [self.sort_hand(cards[seat * size : (seat + 1) * size]) for seat in range(self.players)]
        table.stock = tuple(sorted(cards[dealt + self.rows :]))
        self.start_rows(table, cards[dealt : dealt + self.rows])

    def start_rows(self, table: LiveTable, cards: Cards) -> None:
        """Start the rows and set up the fan cards."""
        table.rows = [(card,) for card in (cards if self.row_order == "drawn" else sorted(cards))]
        table.piles = [()] * self.players
        table.emit(RoundStarted(ClassicRule.SETUP, table.round, tuple(table.rows)))
        if self.fan_cards:
            last = table.extra if isinstance(table.extra, Markers) else Markers()
            laid = tuple(card.setup(table, last.find(card.marker), self.edition) for card in self.fan_cards)
            table.extra = Markers(laid)
            for card, marker in zip(self.fan_cards, laid, strict=True):
                table.emit(FanCardLaid(card.setup_rule, card.name, marker))

    def with_markers(self, table: HasRows) -> Iterable[tuple[AnyFanCard, Marker]]:
        """The fan cards in play with their markers."""
        return zip(self.fan_cards, Markers.of(table).all, strict=True) if self.fan_cards and table.rows else ()

    def clear_fan_cards(self, table: LiveTable) -> None:
        """Keep only what the next round needs: during a draft no marker is on the table."""
        left = [card.left_over(marker, self.edition) for card, marker in self.with_markers(table)]
        kept = tuple(marker for marker in left if marker is not None)
        table.extra = Markers(kept) if kept else NOTHING

    def go_on(self, table: LiveTable) -> None:
        if table.queue:
            self.place(table)
        elif any(table.hands):
            self.ask_cards(table)
        else:
            self.end_round(table)

    def ask_cards(self, table: LiveTable) -> None:
        """Ask everybody for a hand card, even the last one, because all are revealed together."""
        table.turn = self.hand_size - max([len(hand) for hand in table.hands])
        for seat, hand in enumerate(table.hands):
            if hand:
                options: tuple[Choice, ...] = hand
                if self.fan_cards:
                    options += self.special_plays(table, seat, hand)
                table.pending[seat] = ChooseCard(TURN, options)

    def special_plays(self, table: HasRows, seat: Seat, hand: Cards) -> tuple[CardOption, ...]:
        """Ways to play a card that a fan card adds."""
        return tuple(option for card, marker in self.with_markers(table) for option in card.plays(marker, seat, hand))

    def answer(self, table: LiveTable, asked: Mapping[Seat, Decision], answers: Mapping[Seat, Choice]) -> None:
        if table.queue:
            play = table.queue.pop(0)
            row = answers[play.seat]
            assert isinstance(row, int)
            self.take_and_start(table, play, row, LOW_CARD)
        else:
            self.reveal(table, answers)

    def reveal(self, table: LiveTable, answers: Mapping[Seat, Choice]) -> None:
        """Reveal all cards and queue them in ascending order."""
        plays = [
            Play.of(seat, choice) if isinstance(choice, int) else _play(choice, seat)
            for seat, choice in answers.items()
        ]
        table.reveal(plays, TURN)
        if self.fan_cards:
            for card, marker in self.with_markers(table):
                card.revealed(table, marker, plays)

    def place(self, table: LiveTable) -> None:
        """Place the cards by rules 1 to 4, lowest first, until done or a low card's row must be chosen."""
        queue, rows, fan_cards = table.queue, table.rows, self.fan_cards
        # Saves a call per card in the plain game; overrides of `is_full` are respected.
        counted = not fan_cards and type(self).is_full is Classic.is_full
        limit, joining = self.row_limit, self.joining_rule
        while queue:
            play = queue[0]
            value = play.value
            row = self.row_for(table, value)
            if row is None:
                table.ask(play.seat, ChooseRow(LOW_CARD, play.card, self.rows_to_take(table)))
                return
            del queue[0]
            cards = rows[row]
            if len(cards) >= limit if counted else self.is_full(table, row):
                self.take_and_start(table, play, row, FULL_ROW)
            else:
                difference = value - cards[-1]
                table.put(play, row, joining, difference if difference > 0 else -difference)
                if fan_cards:
                    self.after_placing(table, play, row, took=False)

    def row_for(self, table: HasRows, value: int) -> int | None:
        """Rules 1 and 2: the row with the closest lower end; None if the card fits nowhere (rule 4)."""
        if self.fan_cards:
            return self._fan.row_for(Markers.of(table).all, [cards[-1] for cards in table.rows], value)
        closest = None
        highest = 0
        for row, cards in enumerate(table.rows):
            # The highest of the lower ends has the smallest difference.
            end = cards[-1]
            if highest < end < value:
                closest = row
                highest = end
        return closest

    def home_row(self, table: HasRows, value: int) -> int | None:
        return self.row_for(table, value)  # also if a variant overrides it

    def difference(self, table: HasRows, row: int, value: int) -> int | None:
        """Distance of a value from a row's end; None if the row doesn't accept it (rule 1, R-F1)."""
        distance = self.distance(table, row, value)
        if self.fan_cards and self._fan.closes(Markers.of(table).all, row, value):
            return None
        return distance if distance > 0 else None

    def distance(self, table: HasRows, row: int, value: int) -> int:
        """Distance from the row's end alone, closed or not; negative on the wrong side."""
        end = table.rows[row][-1]
        return self._fan.distance(Markers.of(table).all, row, end, value) if self.fan_cards else value - end

    def descends(self, table: HasRows, row: int) -> bool:
        """Whether a fan card reverses that row."""
        return bool(self.fan_cards) and self._fan.descends(Markers.of(table).all, row)

    def occupied(self, table: HasRows, row: int) -> int:
        return self._fan.occupied(Markers.of(table).all, row) if self.fan_cards else 0

    def is_full(self, table: HasRows, row: int) -> bool:
        """Rule 3: whether the next card takes that row."""
        count = len(table.rows[row])
        if self.fan_cards:
            count += self.occupied(table, row)
        return count >= self.row_limit

    def rows_to_take(self, table: HasRows) -> tuple[int, ...]:
        return _ALL_ROWS[self.rows]

    def take_and_start(self, table: LiveTable, play: Play, row: int, rule: Rule) -> None:
        """Rules 3 and 4: the player takes the row, and the card restarts it."""
        table.take(play.seat, play.card, row, rule)
        table.put(play, row, rule)
        if self.fan_cards:
            self.after_placing(table, play, row, took=True)

    def after_placing(self, table: LiveTable, play: Play, row: int, *, took: bool) -> None:
        """Let fan cards act after a placement."""
        for card in self.fan_cards:
            card.landed(table, play, row)
        self.move_fan_cards(table, play, row, took=took)

    def move_fan_cards(self, table: LiveTable, play: Play, row: int, *, took: bool) -> None:
        """Move fan cards in the order of R-F0; a take caused by a move moves them all again."""
        rows = TableEnds(table.rows, self.row_limit)
        for at, card in enumerate(self.fan_cards):
            markers = Markers.of(table)
            move = card.moves(markers.all[at], rows, row, took=took)
            if move is None:
                continue
            table.extra = markers.moved(move.marker)
            table.emit(card.moved(markers.all[at], move.marker, rows, row, took=took))
            if move.take is not None:
                taken, keeps, rule = move.take
                table.take(play.seat, play.card, taken, rule, keep=(keeps,))
                self.move_fan_cards(table, play, taken, took=True)

    def end_round(self, table: LiveTable) -> None:
        heads = tuple(self.heads_in(pile) for pile in table.piles)
        table.totals = tuple(total + more for total, more in zip(table.totals, heads, strict=True))
        table.emit(RoundEnded(ClassicRule.SCORING, table.round, heads, table.totals))
        reason = self.reason_to_end(table)
        if reason is None:
            if self.fan_cards:
                self.clear_fan_cards(table)
            table.round += 1
            self.start_round(table)
        else:
            self.end_game(table, reason)

    def reason_to_end(self, table: LiveTable) -> Rule | None:
        """Checked between rounds only (R-C3)."""
        if self.rounds is not None:
            return ClassicRule.ROUNDS if table.round + 1 >= self.rounds else None
        if self.is_reached(max(table.totals)):
            return ClassicRule.LIMIT
        return ClassicRule.ROUNDS if self.most_rounds is not None and table.round + 1 >= self.most_rounds else None

    def is_reached(self, most: int) -> bool:
        """Whether that many heads reach the limit, by the edition's wording."""
        limit = self.limit or self.usual_limit
        return most > limit if EDITIONS[self.edition].over_the_limit else most >= limit

    def places(self, state: GameState, row: int) -> int:
        return self.row_limit - (self.occupied(state, row) if self.fan_cards else 0)

    def row_notes(self, state: GameState, row: int, lang: str = "en") -> tuple[str, ...]:
        return tuple(note for card, marker in self.with_markers(state) if (note := card.note(marker, row, lang)))

    def table_notes(self, state: GameState, lang: str = "en") -> tuple[str, ...]:
        return tuple(note for card, marker in self.with_markers(state) if (note := card.table_note(marker, lang)))

    def write_sections(self, state: GameState) -> dict[str, str]:
        markers = state.extra if isinstance(state.extra, Markers) else Markers()
        laid = ((card, markers.find(card.marker)) for card in self.fan_cards)
        return {card.name: card.write(marker) for card, marker in laid if marker is not None}

    def read_sections(self, table: LiveTable, sections: Mapping[str, str]) -> None:
        left = dict(sections)
        markers = []
        if all(table.rows) and len(table.rows) in (0, self.rows):  # `check_rows` rejects the rest
            for card in self.fan_cards:
                if card.name in left:
                    markers.append(card.read(left.pop(card.name), table))
                elif table.rows:
                    markers.append(card.setup(table, None, self.edition))
        table.extra = Markers(tuple(markers)) if markers else NOTHING
        super().read_sections(table, left)

    @property
    def most_played(self) -> int | None:
        return self.rounds or self.most_rounds

    def check_totals(self, totals: Sequence[int]) -> None:
        super().check_totals(totals)
        if self.rounds is None and self.is_reached(max(totals)):
            raise PositionError("classic.over_at", total=max(totals), rule="classic.limit")

    def check_position(self, table: LiveTable, ordered: bool) -> None:
        self.check_rows(table, ordered)
        self.check_hands(table, ordered)
        table.stock = self.undealt(table)

    def check_rows(self, table: LiveTable, ordered: bool) -> None:
        """Check for the right number of rows, none empty or overfull, ascending unless a fan card reverses them."""
        if len(table.rows) != self.rows:
            raise PositionError("shared.card_rows", name=self.name, rows=self.rows, got=len(table.rows))
        if not all(table.rows):
            raise PositionError("shared.row_empty", row=table.rows.index(()) + 1)
        ascending = ordered and all(card.keeps_rows_ascending for card in self.fan_cards)
        for row, cards in enumerate(table.rows):
            if len(cards) > (holds := self.row_limit - (self.occupied(table, row) if self.fan_cards else 0)):
                raise PositionError("shared.row_full", row=row + 1, count=len(cards), row_limit=holds, rule="classic.3")
            if ascending and list(cards) != sorted(cards):
                raise PositionError("shared.row_descends", row=row + 1, rule="classic.1")

    def check_hands(self, table: LiveTable, ordered: bool) -> None:
        """Check that all hands have equal sizes and something is left to play."""
        sizes = [len(hand) for hand in table.hands]
        if max(sizes) + bool(table.queue) > self.hand_size:
            raise PositionError("shared.hand_most", most=self.hand_size, got=max(sizes))
        if not table.queue and max(sizes) == 0:
            raise PositionError("shared.nobody_card")
        if ordered and len(set(sizes)) > 1:
            words = ", ".join(f"{seat_letter(seat)} has {size}" for seat, size in enumerate(sizes))
            raise PositionError("classic.hands_equal", words=words)
        placing = [play.seat for play in table.queue]
        if len(set(placing)) < len(placing):
            raise PositionError("shared.two_to_place")
        for play in table.queue:
            ways = [way.play(play.seat) for card in self.fan_cards for way in card.ways((play.card,))]
            if not play.plain and play not in ways:
                raise PositionError("classic.place_nothing_makes", play=repr(play), card=play.card, number=play.value)
        if ordered and sorted(table.queue) != table.queue:
            raise PositionError("shared.lowest_first")


def _play(choice: Choice, seat: Seat) -> Play:
    if not isinstance(choice, CardOption):
        raise NotationError("classic.not_way_play", choice=shown(choice))
    return choice.play(seat)
