"""What it takes to be a game of the family: frozen rules, and pure transitions between states."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import Field, fields
from typing import TYPE_CHECKING, Any, ClassVar, Protocol, TypeVar, cast

from . import draw
from .cards import EMPTY, Cards, Seat, cheapest, seat_letter
from .decisions import Choice, Decision
from .errors import PositionError, RulesError
from .events import Event, Json
from .files import shown
from .notation import Position
from .options import check_options
from .outcome import Outcome
from .rng import Rng
from .sentences import Phrase
from .state import Extra, GameState, HasRows
from .table import LiveTable, Moment, WatchedTable
from .view import View

__all__ = ["Game"]


T = TypeVar("T", bound=LiveTable)


class Game(ABC):
    """Frozen, validated rules of one game. Chapters subclass it as frozen dataclasses.

    A chapter says how a round starts, what a choice does, and how one revealed card is placed; what all
    chapters share (validation, views, positions, display) is here.
    """

    #: The name in the registry, records and on the command line.
    name: ClassVar[str]
    #: The fewest and the most players.
    for_players: ClassVar[tuple[int, int]]
    #: What options may be, where that can be listed (see `options.allowed`); a function, where it is not known yet.
    allowed: ClassVar[Mapping[str, Sequence[object] | Callable[[], Sequence[object]]]] = {}

    players: int

    if TYPE_CHECKING:
        # Every chapter is a dataclass. This lets type checkers accept `game_named("classic")(players=4)`, and
        # `dataclasses.fields(game)`, for a game of which they know no more than that it is one.
        __dataclass_fields__: ClassVar[dict[str, Field[Any]]]

        def __init__(self, players: int, **options: object) -> None: ...

    # What a chapter must say -----------------------------------------------------------------------------

    @property
    @abstractmethod
    def deck(self) -> Sequence[int]:
        """Every card in the game."""

    @property
    @abstractmethod
    def turns(self) -> int:
        """Turns in a round (as planned: some chapters can end earlier)."""

    @abstractmethod
    def heads_in(self, cards: Cards) -> int:
        """Penalty of some cards."""

    @abstractmethod
    def start_round(self, table: LiveTable) -> None:
        """Shuffle, deal, start the rows."""

    @abstractmethod
    def answer(self, table: LiveTable, asked: Mapping[Seat, Decision], answers: Mapping[Seat, Choice]) -> None:
        """Carry out what the seats chose."""

    @abstractmethod
    def go_on(self, table: LiveTable) -> None:
        """One step: place the next card, ask for something, end the turn, the round or the game."""

    @property
    @abstractmethod
    def places_in_row(self) -> int:
        """How many cards a row holds before the next one takes it."""

    # What a chapter may say ------------------------------------------------------------------------------

    #: Whether hands are face down to the other seats.
    hidden_hands: ClassVar[bool] = True
    #: Seats that play cards besides the players (the buffalo).
    extra_seats: ClassVar[int] = 0
    #: Whether the stock lies face up (a draft).
    open_stock: ClassVar[bool] = False
    #: Sections of a position that are stacks of numbered cards, face down.
    card_sections: ClassVar[tuple[str, ...]] = ()

    #: Whether a row may have fields without a card.
    skips_fields: ClassVar[bool] = False

    @property
    def shows_stock(self) -> bool:
        """Whether positions say what lies in the stock."""
        return self.open_stock

    @property
    def most_played(self) -> int | None:
        """After how many rounds the game is over in any case; None if that is for the totals to say."""
        return None

    @property
    def more_is_better(self) -> bool:
        """Whether who has most wins. In most chapters points are heads taken, and who has fewest wins."""
        return False

    @property
    def pile_seats(self) -> Sequence[Seat]:
        """Whose piles and totals there are, in that order: everybody's own, unless a team shares one."""
        return range(self.players)

    @property
    def heads_are_good(self) -> bool:
        """Whether players want to take heads, not to avoid them."""
        return False

    def pile_of(self, seat: Seat) -> int:
        """Which of the piles (and totals) is that seat's."""
        return seat

    def rows_to_take(self, table: HasRows) -> Sequence[int]:
        """The rows that a card which fits nowhere may take."""
        return tuple(row for row, cards in enumerate(table.rows) if cards)

    def row_cost(self, table: HasRows, row: int) -> int:
        """What a row costs who takes it: its heads; where heads are good, so much less than nothing."""
        heads = self.heads_in(table.rows[row])
        return -heads if self.heads_are_good else heads

    def cheapest_row(self, table: HasRows, rows: Sequence[int] | None = None) -> int:
        """The cheapest-row policy (R-C4), of some rows or of all that may be taken: fewest heads (where heads are good,
        most), then the highest last card. What bots, odds and simulations do with a low card; no rule of most games.

        >>> from nimmt_lab import Classic
        >>> state = Classic(players=2).from_position("12 14 | 37 | 43 | 58 61 ; A: 20 ; B: 30")
        >>> state.game.cheapest_row(state)
        2
        """
        found = self.rows_to_take(table) if rows is None else rows
        if not found:
            raise RulesError("engine.no_row")
        return cheapest(table.rows, found, lambda row: self.row_cost(table, row))

    def low_card_row(self, table: HasRows) -> int | None:
        """The row that a card which fits nowhere would take now, by the cheapest-row policy; None: there is none."""
        rows = self.rows_to_take(table)
        return self.cheapest_row(table, rows) if rows else None

    def home_row(self, table: HasRows, value: int) -> int | None:
        """The row to which a card of that value would go now: the one that ends closest below it, unless a chapter says
        otherwise. None: it fits nowhere."""
        ends = [(cards[-1], row) for row, cards in enumerate(table.rows) if cards and cards[-1] < value]
        return max(ends)[1] if ends else None

    def occupied(self, table: HasRows, row: int) -> int:
        """Places of a row that something beside it takes up."""
        return 0

    def public_extra(self, extra: Extra, seat: Seat) -> Extra:
        """The extra as `seat` may see it."""
        return extra

    def seen_extra(self, extra: Extra) -> Cards:
        """Cards of the deck that lie open in the extra, as far as a view shows it."""
        return ()

    def places(self, state: GameState, row: int) -> int:
        """How many cards that row holds now, where something beside it changes that."""
        return self.places_in_row

    def row_notes(self, state: GameState, row: int) -> tuple[str, ...]:
        """What lies beside that row, for boards: a symbol and a word each."""
        return ()

    def table_notes(self, state: GameState) -> tuple[str, ...]:
        """What else lies on the table, for boards: a short line each."""
        return ()

    def write_sections(self, state: GameState) -> dict[str, str]:
        """The extra as sections of position notation."""
        return {}

    def read_sections(self, table: LiveTable, sections: Mapping[str, str]) -> None:
        """Lay the extra as written; a section the chapter does not know is an error."""
        for key in sections:
            raise PositionError("engine.no_section", name=self.name, key=shown(key))

    def usual_turn(self, table: LiveTable | GameState) -> int:
        """The turn that such a table belongs to (positions leave it out): everybody plays one card a turn."""
        return max(0, self.turns - max(map(len, table.hands), default=0) - (1 if table.queue else 0))

    def turn_fits(self, table: LiveTable) -> bool:
        """Whether it can be that turn: hands tell which one it is."""
        return table.turn == self.usual_turn(table)

    def check_totals(self, totals: Sequence[int]) -> None:
        """Refuse totals with which the game would be over, or that nobody can have."""
        if min(totals) < 0:
            raise PositionError("engine.below_0", name=self.name, got=" ".join(map(str, totals)))

    def check_position(self, table: LiveTable, ordered: bool) -> None:
        """Refuse a table that cannot occur. `ordered` asks for rows in the order of the rules, too."""

    # Playing ---------------------------------------------------------------------------------------------

    def deal(self, seed: int) -> GameState:
        """A new game. Equal seeds give equal games, on every machine and Python version."""
        return self.opening(seed)[0]

    def opening(self, seed: int) -> tuple[GameState, tuple[Event, ...]]:
        """A new game, and the events of dealing it."""
        table = LiveTable(self, Rng.from_seed(seed))
        return self._deal(table), tuple(table.events)

    def from_position(self, position: Position | str, *, seed: int = 0, ordered: bool = True) -> GameState:
        """A game that starts from a given table. `seed` deals the rounds after this one; `ordered=False` lets rows
        stand in an order, and hands be of sizes, that play could not have led to.

        >>> from nimmt_lab import Classic
        >>> Classic(players=2).from_position("12 | 37 | 43 | 58 ; A: 14 20 ; B: 15 30").turn
        8
        """
        return self.opening_from(position, seed=seed, ordered=ordered)[0]

    def opening_from(
        self, position: Position | str, *, seed: int = 0, ordered: bool = True
    ) -> tuple[GameState, tuple[Event, ...]]:
        """`from_position`, and the events until something is asked."""
        table = self._laid(LiveTable(self, Rng.from_seed(seed)), position, ordered)
        return self._run(table), tuple(table.events)

    def advance(self, state: GameState, answers: Mapping[Seat, Choice]) -> tuple[GameState, tuple[Event, ...]]:
        """The transition behind `GameState.choose`; the choices have been checked."""
        table = LiveTable.of(state)
        self.answer(table, state.pending, answers)
        after = self._run(table)
        return after, tuple(table.events)

    # The same in slow motion -----------------------------------------------------------------------------

    def moments(self, state: GameState, answers: Mapping[Seat, Choice]) -> tuple[Moment, ...]:
        """What `advance` does, one event at a time, each with the state right after it."""
        table = WatchedTable.of(state)
        self.answer(table, state.pending, answers)
        return table.moments(self._run(table))

    def opening_moments(self, seed: int, position: Position | str | None = None) -> tuple[Moment, ...]:
        """What `opening` does (with a position, `opening_from`), one event at a time. A position is there before
        anything happens on it."""
        table = WatchedTable(self, Rng.from_seed(seed))
        if position is None:
            return table.moments(self._deal(table))
        self._laid(table, position, True)
        table.note(None)
        return table.moments(self._run(table))

    def _deal(self, table: LiveTable) -> GameState:
        self.start_round(table)
        return self._run(table)

    def _laid(self, table: T, position: Position | str, ordered: bool) -> T:
        if isinstance(position, str):
            position = Position.parse(position)
        position.lay(table)
        self._check_cards(table, ())
        self._check_counts(position)
        self.read_sections(table, position.sections)
        table.turn = self.usual_turn(table) if position.turn is None else position.turn
        self._check_cards(table, self.seen_extra(table.extra))
        if not self.turn_fits(table):
            raise PositionError("engine.turn_hands", turn=table.turn + 1, table=self.usual_turn(table) + 1)
        self.check_position(table, ordered)
        return table

    def _run(self, table: LiveTable) -> GameState:
        go_on = self.go_on
        while not table.pending and table.outcome is None:
            go_on(table)
        return table.freeze()

    def outcome(self, state: GameState) -> Outcome | None:
        """How the game ended, or None while it goes on."""
        return state.outcome

    def sort_hand(self, cards: Cards) -> Cards:
        """Hands are kept in ascending order."""
        return tuple(sorted(cards))

    # Seeing ----------------------------------------------------------------------------------------------

    def view(self, state: GameState, seat: Seat) -> View:
        """What `seat` may know of a state."""
        if not 0 <= seat < self.players:
            raise RulesError("shared.no_seat_to", who=seat, most=self.players - 1)
        return View(
            game=self,
            seat=seat,
            round=state.round,
            turn=state.turn,
            rows=state.rows,
            hands=tuple(
                hand if other == seat or not self.hidden_hands else None for other, hand in enumerate(state.hands)
            ),
            hand_sizes=tuple(len(hand) for hand in state.hands),
            piles=state.piles,
            pile_heads=tuple([self.heads_in(pile) for pile in state.piles]),
            stock=state.stock if self.open_stock else (),
            stock_size=len(state.stock),
            totals=state.totals,
            queue=state.queue,
            extra=self.public_extra(state.extra, seat),
            decision=state.pending.get(seat),
            asked=tuple(state.pending),
            is_over=state.is_over,
            history=tuple([turn for turn in state.history if turn.round == state.round]),
        )

    def position(self, state: GameState) -> Position:
        """A state as position notation writes it."""
        return Position.of(state, self.write_sections(state))

    def text(self, state: GameState) -> str:
        """A state for the terminal."""
        return draw.text(state)

    def html(self, state: GameState) -> str:
        """A state for a notebook: our own drawing, as HTML with inline SVG."""
        return draw.html(state)

    # Options as data -------------------------------------------------------------------------------------

    def options(self) -> dict[str, object]:
        """The options that differ from their defaults: what it takes to make this game again."""
        return {f.name: getattr(self, f.name) for f in fields(self) if f.init and getattr(self, f.name) != f.default}

    def to_json(self) -> dict[str, Json]:
        """The game as plain data, which `registry.from_options` reads back."""
        return {"system": self.name} | {name: _plain(value) for name, value in self.options().items()}

    def renewed(self, state: GameState, seat: Seat, text: str) -> Mapping[Seat, str]:
        """What a choice in a record of an earlier format says today, as texts by seat, that of `seat` among them; empty
        where the text is none of that kind."""
        return {}

    def line_label(self, state: GameState) -> str:
        """What a record calls the line that the next choice belongs to: the turn, behind `2/` in round 2."""
        turn = str(state.turn + 1)
        return f"{state.round + 1}/{turn}" if state.round else turn

    def __repr__(self) -> str:
        said = ", ".join(f"{name}={shown(value)}" for name, value in self.options().items())
        return f"{type(self).__name__}({said})"

    def __post_init__(self) -> None:
        """The checks of every chapter: options of the right type, and a possible number of players. A chapter's own
        `__post_init__` begins with this one."""
        check_options(self, self.name)
        fewest, most = self.for_players
        if not fewest <= self.players <= most:
            raise RulesError("engine.for_players", name=self.name, least=fewest, most=most, got=self.players)

    def _check_counts(self, position: Position) -> None:
        """A round there is, totals with which the game goes on, and a stock only where one lies open."""
        most = self.most_played
        if most is not None and position.round >= most:
            raise PositionError("engine.round_over", round=position.round + 1, name=self.name, most=most)
        if position.stock and not self.shows_stock:
            raise PositionError("engine.no_stock", name=self.name)
        if position.totals:
            self.check_totals(position.totals)

    def _check_cards(self, table: LiveTable, special: Cards) -> None:
        """Every card at most once, and in the deck."""
        deck = set(self.deck)
        seen: dict[int, Phrase] = {}
        places = [(Phrase("shared.place_row", row=row + 1), cards) for row, cards in enumerate(table.rows)]
        places += [
            (Phrase("shared.place_hand", who=seat_letter(seat)), cards) for seat, cards in enumerate(table.hands)
        ]
        piles = zip(self.pile_seats, table.piles, strict=True)
        places += [(Phrase("shared.place_pile", who=seat_letter(seat)), cards) for seat, cards in piles]
        places += [(Phrase("shared.place_to_place"), tuple(play.card for play in table.queue))]
        places += [(Phrase("shared.place_stock"), table.stock)]
        places += [(Phrase("shared.place_special"), special)]
        for place, cards in places:
            for card in cards:
                if card == EMPTY and self.skips_fields:
                    continue
                if card == EMPTY:
                    raise PositionError("engine.empty_place", place=place, name=self.name)
                if card not in deck:
                    raise PositionError("engine.not_in_deck", card=card, place=place, deck=self.deck_words())
                if card in seen:
                    raise PositionError("engine.lies_twice", card=card, first=seen[card], second=place)
                seen[card] = place

    def deck_words(self) -> str:
        """The deck in words, for messages."""
        return f"{self.deck[0]} to {self.deck[-1]}"


class _HasJson(Protocol):
    def to_json(self) -> Json: ...


def _plain(option: object) -> Json:
    """An option as JSON: numbers and texts as they are, lists, and values that know their own form."""
    if option is None or isinstance(option, (bool, int, float, str)):
        return option
    if isinstance(option, Sequence) and not hasattr(option, "to_json"):
        return [_plain(item) for item in option]
    return cast(_HasJson, option).to_json()
