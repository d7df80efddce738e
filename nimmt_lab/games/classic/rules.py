"""The classic game, 2 to 10 players (rules: classic).

Read it beside the rulebook: a round is dealt (`start_round`), everybody chooses a card (`ask_cards`), the
cards are revealed (`reveal`) and placed in ascending order (`place`) by the four rules, and the round is
scored (`end_round`).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, ClassVar, Final

from nimmt_lab.engine.cards import CONTAINING_5_HEADS, LAST_CARD, PRINTED_HEADS, Cards, Seat, seat_letter
from nimmt_lab.engine.decisions import CardOption, Choice, ChooseCard, ChooseRow, Decision
from nimmt_lab.engine.errors import NotationError, PositionError, RulesError
from nimmt_lab.engine.events import GameEnded, RoundEnded, RoundStarted
from nimmt_lab.engine.files import shown
from nimmt_lab.engine.game import Game
from nimmt_lab.engine.outcome import Outcome
from nimmt_lab.engine.play import Play
from nimmt_lab.engine.rule import Rule
from nimmt_lab.engine.state import NOTHING, GameState, HasRows
from nimmt_lab.engine.table import LiveTable

from .fan_card import AnyFanCard, FanCardLaid, Markers, fan_cards, in_order

if TYPE_CHECKING:
    from nimmt_lab.engine.options import Converted

__all__ = [
    "EDITIONS",
    "FULL_ROW",
    "LOW_CARD",
    "MOST_ROUNDS",
    "SMALLEST_DIFFERENCE",
    "TURN",
    "Classic",
    "ClassicRule",
    "Edition",
]


class ClassicRule(Rule):
    """The rules of the classic chapter, as its page numbers them."""

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
SMALLEST_DIFFERENCE: Final = ClassicRule.SMALLEST_DIFFERENCE
FULL_ROW: Final = ClassicRule.FULL_ROW
LOW_CARD: Final = ClassicRule.LOW_CARD


@dataclass(frozen=True, slots=True)
class Edition:
    """Where the rulebooks differ."""

    title: str
    #: Whether the game ends only when somebody has *more* than the limit, not when it is reached.
    over_the_limit: bool


EDITIONS: Final = {
    "002": Edition("Rebel 2.6", over_the_limit=True),
    "000": Edition("Rebel jubilee", over_the_limit=False),
    "003": Edition("Albi jubilee", over_the_limit=False),
}

#: More rounds (or a limit of more heads) than anybody plays.
MOST_ROUNDS: Final = 1_000_000

_ALL_ROWS: Final = (0, 1, 2, 3)
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

    Play goes on over several rounds until somebody reaches the limit, as the edition puts it; `limit` sets
    another one, `rounds` plays a fixed number of rounds instead, and `most_rounds` ends the game after so many rounds
    at the latest.

    >>> Classic(players=11)
    Traceback (most recent call last):
    nimmt_lab.engine.errors.RulesError: classic is for 2 to 10 players, got 11
    """

    name: ClassVar[str] = "classic"
    for_players: ClassVar[tuple[int, int]] = (2, 10)
    rows_on_table: ClassVar[int] = 4
    row_limit: ClassVar[int] = 5
    #: The limit of every edition.
    usual_limit: ClassVar[int] = 66
    allowed: ClassVar = {
        "edition": tuple(EDITIONS),
        **dict.fromkeys(("limit", "rounds", "most_rounds"), range(1, MOST_ROUNDS + 1)),
        "fan_cards": lambda: tuple(fan_cards()),
        "row_order": ("drawn", "ascending"),
        "heads": tuple(_HEADS),
        "hand_size": range(1, 11),
    }

    players: int
    #: One of `EDITIONS`.
    edition: str = "000"
    #: Another limit than 66.
    limit: int | None = None
    #: Play exactly so many rounds, whatever the totals.
    rounds: int | None = None
    #: Beside the limit, a most number of rounds (003): whichever comes first ends the game.
    most_rounds: int | None = None
    #: Fan special cards (or their names); more than one kind only if `combine_fan_cards` (R-F0).
    if TYPE_CHECKING:
        fan_cards: Converted[Iterable[AnyFanCard | str | Mapping[str, object]], tuple[AnyFanCard, ...]] = Converted()
    else:
        fan_cards: tuple[AnyFanCard, ...] = ()
    combine_fan_cards: bool = False
    #: `drawn`: the first cards make rows 1 to 4 in the order drawn (R-C5); `ascending`: lowest on top.
    row_order: str = "drawn"
    #: `printed`: bull heads as on the cards (R-C2); `containing_5`: edition 002's wording taken literally.
    heads: str = "printed"
    #: Smaller games for study: cards in a hand, and the highest card of the deck.
    hand_size: int = 10
    deck_size: int = LAST_CARD

    _heads: tuple[int, ...] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.edition not in EDITIONS:
            raise RulesError("classic.no_edition", edition=shown(self.edition), known=", ".join(EDITIONS))
        if self.heads not in _HEADS:
            raise RulesError("shared.must_one_of", what="heads", known=", ".join(_HEADS), got=shown(self.heads))
        if self.row_order not in ("drawn", "ascending"):
            raise RulesError("classic.row_order_must", got=shown(self.row_order))
        for option in ("limit", "rounds", "most_rounds"):
            value = getattr(self, option)
            if value is not None and not 1 <= value <= MOST_ROUNDS:
                raise RulesError("shared.whole_to", option=option, most=MOST_ROUNDS, got=value)
        if self.rounds is not None and (self.limit is not None or self.most_rounds is not None):
            raise RulesError("classic.rounds_alone")
        if not 1 <= self.hand_size <= 10:
            raise RulesError("shared.hand_size", got=shown(self.hand_size))
        need = self.hand_size * self.players + self.rows_on_table
        if not need <= self.last_card <= LAST_CARD:
            raise RulesError(
                "classic.need_deck",
                players=self.players,
                hand_size=self.hand_size,
                rows_on_table=self.rows_on_table,
                need=need,
                most=LAST_CARD,
                got=shown(self.last_card),
            )
        object.__setattr__(self, "fan_cards", in_order(self.fan_cards))
        if len(self.fan_cards) > 1 and not self.combine_fan_cards:
            raise RulesError("classic.one_fan")
        object.__setattr__(self, "_heads", _HEADS[self.heads])

    @property
    def deck(self) -> Sequence[int]:
        return range(1, self.last_card + 1)

    @property
    def last_card(self) -> int:
        """The highest card of the deck."""
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

    # Setup of a round ------------------------------------------------------------------------------------

    def start_round(self, table: LiveTable) -> None:
        size = self.hand_size
        dealt = size * self.players
        cards, table.rng = table.rng.shuffled(self.deck, take=dealt + self.rows_on_table)
        table.hands = [self.sort_hand(cards[seat * size : (seat + 1) * size]) for seat in range(self.players)]
        table.stock = tuple(sorted(cards[dealt + self.rows_on_table :]))
        self.start_rows(table, cards[dealt : dealt + self.rows_on_table])

    def start_rows(self, table: LiveTable, cards: Cards) -> None:
        """The first card of each row, and the fan cards beside them."""
        table.rows = [(card,) for card in (cards if self.row_order == "drawn" else sorted(cards))]
        table.piles = [()] * self.players
        table.emit(RoundStarted(ClassicRule.SETUP, table.round, tuple(table.rows)))
        if self.fan_cards:
            self.lay_fan_cards(table)

    def lay_fan_cards(self, table: LiveTable) -> None:
        """Each fan card's own setup; some remember the last round."""
        last = table.extra if isinstance(table.extra, Markers) else Markers()
        table.extra = Markers(tuple(card.setup(table, last.find(card.marker), self.edition) for card in self.fan_cards))
        for card, marker in zip(self.fan_cards, table.extra.all, strict=True):
            table.emit(FanCardLaid(card.setup_rule, card.name, marker))

    def clear_fan_cards(self, table: LiveTable) -> None:
        """After a round only what the next one must know is kept: mid-draft, no marker lies anywhere."""
        left = [
            card.left_over(marker, self.edition)
            for card, marker in zip(self.fan_cards, Markers.of(table).all, strict=True)
        ]
        kept = tuple(marker for marker in left if marker is not None)
        table.extra = Markers(kept) if kept else NOTHING

    # A turn ----------------------------------------------------------------------------------------------

    def go_on(self, table: LiveTable) -> None:
        if table.queue:
            self.place(table)
        elif any(table.hands):
            self.ask_cards(table)
        else:
            self.end_round(table)

    def ask_cards(self, table: LiveTable) -> None:
        """Everybody chooses one hand card. It is asked even when only one is left: the reveal is for all."""
        table.turn = self.hand_size - max([len(hand) for hand in table.hands])
        for seat, hand in enumerate(table.hands):
            if hand:
                options: tuple[Choice, ...] = hand
                if self.fan_cards:
                    options += self.special_plays(table, seat, hand)
                table.pending[seat] = ChooseCard(TURN, options)

    def special_plays(self, table: LiveTable, seat: Seat, hand: Cards) -> tuple[CardOption, ...]:
        """Ways to play a card that a fan card adds."""
        return tuple(
            option
            for card, marker in zip(self.fan_cards, Markers.of(table).all, strict=True)
            for option in card.plays(marker, seat, hand)
        )

    def answer(self, table: LiveTable, asked: Mapping[Seat, Decision], answers: Mapping[Seat, Choice]) -> None:
        if table.queue:
            play = table.queue.pop(0)
            row = answers[play.seat]
            assert isinstance(row, int)
            self.take_and_start(table, play, row, LOW_CARD)
        else:
            self.reveal(table, answers)

    def reveal(self, table: LiveTable, answers: Mapping[Seat, Choice]) -> None:
        """All cards are turned up; they will be placed in ascending order."""
        plays = [
            Play(choice, True, seat, choice) if isinstance(choice, int) else _play(choice, seat)
            for seat, choice in answers.items()
        ]
        table.reveal(plays, TURN)
        if self.fan_cards:
            for card, marker in zip(self.fan_cards, Markers.of(table).all, strict=True):
                card.revealed(table, marker, plays)

    def place(self, table: LiveTable) -> None:
        """Place the cards by rules 1 to 4, lowest first, until all lie or a low card's row must be chosen."""
        queue, rows, fan_cards = table.queue, table.rows, self.fan_cards
        while queue:
            play = queue[0]
            value = play.value
            row = self.row_for(table, value)
            if row is None:
                table.ask(play.seat, ChooseRow(LOW_CARD, play.card, self.rows_to_take(table)))
                return
            del queue[0]
            cards = rows[row]
            if self.is_full(table, row) if fan_cards else len(cards) >= self.row_limit:
                self.take_and_start(table, play, row, FULL_ROW)
            else:
                difference = value - cards[-1]
                table.put(play, row, SMALLEST_DIFFERENCE, difference if difference > 0 else -difference)
                if fan_cards:
                    self.after_placing(table, play, row, took=False)

    def row_for(self, table: HasRows, value: int) -> int | None:
        """Rules 1 and 2: the row whose end is the closest lower one. None: it fits nowhere (rule 4)."""
        if self.fan_cards:
            return self._row_with_fan_cards(table, value)
        closest = None
        highest = 0
        for row, cards in enumerate(table.rows):
            # The highest of the lower ends has the smallest difference.
            if highest < cards[-1] < value:
                closest = row
                highest = cards[-1]
        return closest

    home_row = row_for

    def _row_with_fan_cards(self, table: HasRows, value: int) -> int | None:
        closest = None
        smallest = 0
        for row in range(len(table.rows)):
            difference = self.difference(table, row, value)
            if difference is None:
                continue
            # The Mountain's row wins a tie; ascending rows cannot tie with each other.
            if closest is None or difference < smallest or (difference == smallest and self.descends(table, row)):
                closest, smallest = row, difference
        return closest

    def difference(self, table: HasRows, row: int, value: int) -> int | None:
        """How far that value is from a row's end; None if the row may not receive it (rule 1, R-F1)."""
        difference = value - table.rows[row][-1]
        if self.fan_cards:
            for card, marker in zip(self.fan_cards, Markers.of(table).all, strict=True):
                if card.closes(marker, row, value):
                    return None
            if self.descends(table, row):
                difference = -difference
        return difference if difference > 0 else None

    def descends(self, table: HasRows, row: int) -> bool:
        """Whether a fan card turns that row round."""
        return any(
            card.descends(marker, row)
            for card, marker in zip(self.fan_cards, Markers.of(table).all if self.fan_cards else (), strict=True)
        )

    def occupied(self, table: HasRows, row: int) -> int:
        """Places of a row that fan cards take up."""
        if not self.fan_cards:
            return 0
        cards = zip(self.fan_cards, Markers.of(table).all, strict=True)
        return sum(card.occupies(marker, row) for card, marker in cards)

    def is_full(self, table: HasRows, row: int) -> bool:
        """Rule 3: whether the next card added to that row takes it."""
        return len(table.rows[row]) + self.occupied(table, row) >= self.row_limit

    def rows_to_take(self, table: HasRows) -> tuple[int, ...]:
        """Rule 4: any row."""
        return _ALL_ROWS

    def take_and_start(self, table: LiveTable, play: Play, row: int, rule: Rule) -> None:
        """Rules 3 and 4: the row goes to the player's pile, and the card starts it again."""
        table.take(play.seat, play.card, row, rule)
        table.put(play, row, rule)
        if self.fan_cards:
            self.after_placing(table, play, row, took=True)

    def after_placing(self, table: LiveTable, play: Play, row: int, *, took: bool) -> None:
        """What fan cards do once the played card lies in its row."""
        for card in self.fan_cards:
            card.landed(table, play, row)
        self.move_fan_cards(table, play, row, took=took)

    def move_fan_cards(self, table: LiveTable, play: Play, row: int, *, took: bool) -> None:
        """They move in the order of R-F0; a take that a move brings about moves them again."""
        for at, card in enumerate(self.fan_cards):
            taken = card.moves(table, Markers.of(table).all[at], play, row, took=took)
            if taken is not None:
                self.move_fan_cards(table, play, taken, took=True)

    # Scoring ---------------------------------------------------------------------------------------------

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
            table.outcome = self.final_outcome(table, reason)
            table.emit(GameEnded(reason, table.outcome))

    def reason_to_end(self, table: LiveTable) -> Rule | None:
        """Looked at between rounds only (R-C3)."""
        if self.rounds is not None:
            return ClassicRule.ROUNDS if table.round + 1 >= self.rounds else None
        if self.is_reached(max(table.totals)):
            return ClassicRule.LIMIT
        return ClassicRule.ROUNDS if self.most_rounds is not None and table.round + 1 >= self.most_rounds else None

    def is_reached(self, most: int) -> bool:
        """Whether somebody with that many heads has reached the limit, as the edition puts it."""
        limit = self.limit or self.usual_limit
        return most > limit if EDITIONS[self.edition].over_the_limit else most >= limit

    def final_outcome(self, table: LiveTable, reason: Rule) -> Outcome:
        """Fewest in total wins; a tie is a shared win (R-C1)."""
        return Outcome.of(table.totals, min(table.totals), reason, table.round + 1)

    # Boards ----------------------------------------------------------------------------------------------

    def places(self, state: GameState, row: int) -> int:
        return self.row_limit - (self.occupied(state, row) if self.fan_cards else 0)

    def row_notes(self, state: GameState, row: int) -> tuple[str, ...]:
        if not state.rows or not self.fan_cards:
            return ()
        notes = [card.note(marker, row) for card, marker in zip(self.fan_cards, Markers.of(state).all, strict=True)]
        return tuple(note for note in notes if note)

    def table_notes(self, state: GameState) -> tuple[str, ...]:
        if not state.rows or not self.fan_cards:
            return ()
        notes = [card.table_note(marker) for card, marker in zip(self.fan_cards, Markers.of(state).all, strict=True)]
        return tuple(note for note in notes if note)

    # Positions -------------------------------------------------------------------------------------------

    def write_sections(self, state: GameState) -> dict[str, str]:
        markers = state.extra if isinstance(state.extra, Markers) else Markers()
        found = ((card, markers.find(card.marker)) for card in self.fan_cards)
        return {card.name: card.write(marker) for card, marker in found if marker is not None}

    def read_sections(self, table: LiveTable, sections: Mapping[str, str]) -> None:
        left = dict(sections)
        markers = []
        if all(table.rows) and len(table.rows) in (0, self.rows_on_table):  # `check_rows` refuses what is not
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
        used = {card for cards in (*table.rows, *table.hands, *table.piles) for card in cards}
        used.update(play.card for play in table.queue)
        table.stock = tuple(card for card in self.deck if card not in used)

    def check_rows(self, table: LiveTable, ordered: bool) -> None:
        """Four rows of one to five cards, ascending unless a fan card turns them."""
        if len(table.rows) != self.rows_on_table:
            raise PositionError(
                "shared.card_rows", name=self.name, rows_on_table=self.rows_on_table, got=len(table.rows)
            )
        if not all(table.rows):
            raise PositionError("shared.row_empty", row=table.rows.index(()) + 1)
        ascending = ordered and all(card.keeps_rows_ascending for card in self.fan_cards)
        for row, cards in enumerate(table.rows):
            if len(cards) > (holds := self.row_limit - (self.occupied(table, row) if self.fan_cards else 0)):
                raise PositionError("shared.row_full", row=row + 1, count=len(cards), row_limit=holds, rule="classic.3")
            if ascending and list(cards) != sorted(cards):
                raise PositionError("shared.row_descends", row=row + 1, rule="classic.1")

    def check_hands(self, table: LiveTable, ordered: bool) -> None:
        """Everybody holds as many cards as everybody else, and somebody has something to play."""
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
