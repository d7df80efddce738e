"""The base of all games: frozen rules, and pure transitions between states."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import Field, fields
from html import escape
from typing import TYPE_CHECKING, Any, ClassVar, Protocol, TypeVar, cast

from . import draw
from .cards import EMPTY, Cards, Seat, cheapest, seat_letter
from .decisions import Choice, Decision
from .errors import PositionError, RulesError
from .events import Event, GameEnded, Json
from .files import shown
from .notation import Position
from .options import check_options
from .outcome import Outcome
from .rng import Rng
from .rule import Rule
from .sentences import Phrase
from .state import Extra, GameState, HasRows
from .table import LiveTable, Moment, WatchedTable
from .view import View

__all__ = ["Game", "check_game"]


T = TypeVar("T", bound=LiveTable)


class Game(ABC):
    """Frozen, validated rules of one game. Chapters subclass it as frozen dataclasses and define how a round starts,
    what a choice does and how a card is placed. Validation, views, positions and display are shared."""

    #: The name in the registry, in records and on the command line.
    name: ClassVar[str]
    #: The smallest and largest number of players.
    for_players: ClassVar[tuple[int, int]]
    #: The values of options that can be listed (see `options.allowed`), or functions that return them.
    allowed: ClassVar[Mapping[str, Sequence[object] | Callable[[], Sequence[object]]]] = {}

    players: int

    if TYPE_CHECKING:
        # Every chapter is a dataclass: type checkers accept `game_named("classic")(players=4)` and `fields(game)`.
        __dataclass_fields__: ClassVar[dict[str, Field[Any]]]

        def __init__(self, players: int, **options: object) -> None: ...

    @property
    @abstractmethod
    def deck(self) -> Sequence[int]:
        """Every card in the game."""

    @property
    @abstractmethod
    def turns(self) -> int:
        """The planned number of turns in a round; some chapters can end earlier."""

    @abstractmethod
    def heads_in(self, cards: Cards) -> int:
        """The total heads on some cards."""

    @abstractmethod
    def start_round(self, table: LiveTable) -> None:
        """Shuffle, deal and start the rows."""

    @abstractmethod
    def answer(self, table: LiveTable, asked: Mapping[Seat, Decision], answers: Mapping[Seat, Choice]) -> None:
        """Carry out the choices of the seats."""

    @abstractmethod
    def go_on(self, table: LiveTable) -> None:
        """Take one step: place the next card, ask for a choice, or end the turn, round or game."""

    @property
    @abstractmethod
    def places_in_row(self) -> int:
        """The capacity of a row; the next card takes it."""

    #: Whether hands are hidden from the other seats.
    hidden_hands: ClassVar[bool] = True
    #: The number of seats without a player, such as the buffalo.
    extra_seats: ClassVar[int] = 0
    #: Whether the stock is face up (a draft).
    open_stock: ClassVar[bool] = False
    #: Sections of a position that are face-down stacks of numbered cards.
    card_sections: ClassVar[tuple[str, ...]] = ()
    #: Whether rows may have empty fields.
    skips_fields: ClassVar[bool] = False

    @property
    def shows_stock(self) -> bool:
        """Whether positions include the stock."""
        return self.open_stock

    @property
    def most_played(self) -> int | None:
        """The largest number of rounds; None if only the totals end the game."""
        return None

    @property
    def more_is_better(self) -> bool:
        """Whether the most points win. In most chapters points are heads, and the fewest win."""
        return False

    @property
    def pile_seats(self) -> Sequence[Seat]:
        """The seats with a pile and a total, in that order."""
        return range(self.players)

    @property
    def heads_are_good(self) -> bool:
        """Whether players want to take heads."""
        return False

    def pile_of(self, seat: Seat) -> int:
        """The index of a seat's pile and total."""
        return seat

    def rows_to_take(self, table: HasRows) -> Sequence[int]:
        """The rows that a card without a home row may take."""
        return tuple(row for row, cards in enumerate(table.rows) if cards)

    def row_cost(self, table: HasRows, row: int) -> int:
        """The cost of taking a row: its heads, negative if heads are good."""
        heads = self.heads_in(table.rows[row])
        return -heads if self.heads_are_good else heads

    def cheapest_row(self, table: HasRows, rows: Sequence[int] | None = None) -> int:
        """The cheapest-row policy (R-C4) among `rows`, or all that may be taken: least cost, then highest last card.

        Bots, odds and simulations use it for low cards; in most games it is not a rule.

        >>> from nimmt_lab import Classic
        >>> state = Classic(players=2).from_position("12 14 | 37 | 43 | 58 61 ; A: 20 ; B: 30")
        >>> state.game.cheapest_row(state)
        2
        """
        among = self.rows_to_take(table) if rows is None else rows
        if not among:
            raise RulesError("engine.no_row")
        return cheapest(table.rows, among, lambda row: self.row_cost(table, row))

    def low_card_row(self, table: HasRows) -> int | None:
        """The row that a low card takes by the cheapest-row policy; None if there is none."""
        rows = self.rows_to_take(table)
        return self.cheapest_row(table, rows) if rows else None

    def home_row(self, table: HasRows, value: int) -> int | None:
        """The row that a card of that value joins now: usually the one with the closest lower end. None: no row."""
        ends = [(cards[-1], row) for row, cards in enumerate(table.rows) if cards and cards[-1] < value]
        return max(ends)[1] if ends else None

    def occupied(self, table: HasRows, row: int) -> int:
        """The places of a row that a marker occupies."""
        return 0

    def public_extra(self, extra: Extra, seat: Seat) -> Extra:
        """The extra as `seat` sees it."""
        return extra

    def seen_extra(self, extra: Extra) -> Cards:
        """The visible cards of the deck in the extra."""
        return ()

    def places(self, state: GameState, row: int) -> int:
        """The current capacity of a row."""
        return self.places_in_row

    def row_notes(self, state: GameState, row: int, lang: str = "en") -> tuple[str, ...]:
        """Markers beside a row, each as a sign and a word."""
        return ()

    def table_notes(self, state: GameState, lang: str = "en") -> tuple[str, ...]:
        """Other things on the table, one short line each."""
        return ()

    def write_sections(self, state: GameState) -> dict[str, str]:
        """The extra as sections of position notation."""
        return {}

    def read_sections(self, table: LiveTable, sections: Mapping[str, str]) -> None:
        """Read the extra from its sections; an unknown section is an error."""
        for key in sections:
            raise PositionError("engine.no_section", name=self.name, key=shown(key))

    def usual_turn(self, table: LiveTable | GameState) -> int:
        """The turn inferred from the hands, which positions leave out."""
        return max(0, self.turns - max(map(len, table.hands), default=0) - (1 if table.queue else 0))

    def turn_fits(self, table: LiveTable) -> bool:
        """Whether the turn of a table agrees with its hands."""
        return table.turn == self.usual_turn(table)

    def check_totals(self, totals: Sequence[int]) -> None:
        """Refuse totals that are impossible or would have ended the game."""
        if min(totals) < 0:
            raise PositionError("engine.below_0", name=self.name, got=" ".join(map(str, totals)))

    def check_position(self, table: LiveTable, ordered: bool) -> None:
        """Refuse an impossible table. `ordered` also requires rows and hands that play can lead to."""

    def deal(self, seed: int) -> GameState:
        """A new game. Equal seeds give equal games, on every machine and Python version."""
        return self.opening(seed)[0]

    def opening(self, seed: int) -> tuple[GameState, tuple[Event, ...]]:
        """A new game, and the events of dealing it."""
        table = LiveTable(self, Rng.from_seed(seed))
        return self._deal(table), tuple(table.events)

    def from_position(self, position: Position | str, *, seed: int = 0, ordered: bool = True) -> GameState:
        """A game that starts from a given table. `seed` deals the later rounds; `ordered=False` also accepts rows and
        hand sizes that play cannot lead to.

        >>> from nimmt_lab import Classic
        >>> Classic(players=2).from_position("12 | 37 | 43 | 58 ; A: 14 20 ; B: 15 30").turn
        8
        """
        return self.opening_from(position, seed=seed, ordered=ordered)[0]

    def opening_from(
        self, position: Position | str, *, seed: int = 0, ordered: bool = True
    ) -> tuple[GameState, tuple[Event, ...]]:
        """`from_position`, and the events up to the first decision."""
        table = self._laid(LiveTable(self, Rng.from_seed(seed)), position, ordered)
        return self._run(table), tuple(table.events)

    def advance(self, state: GameState, answers: Mapping[Seat, Choice]) -> tuple[GameState, tuple[Event, ...]]:
        """The transition behind `GameState.choose`, for legal choices."""
        table = LiveTable.of(state)
        self.answer(table, state.pending, answers)
        after = self._run(table)
        return after, tuple(table.events)

    def moments(self, state: GameState, answers: Mapping[Seat, Choice]) -> tuple[Moment, ...]:
        """`advance` as a sequence of events, each with the state after it."""
        table = WatchedTable.of(state)
        self.answer(table, state.pending, answers)
        return table.moments(self._run(table))

    def opening_moments(self, seed: int, position: Position | str | None = None) -> tuple[Moment, ...]:
        """`opening` (or `opening_from`, with a position) as a sequence of events; a position comes first."""
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
        """The outcome, or None until the game ends."""
        return state.outcome

    def end_game(self, table: LiveTable, reason: Rule) -> None:
        table.outcome = self.final_outcome(table, reason)
        table.emit(GameEnded(reason, table.outcome))

    def final_outcome(self, table: LiveTable, reason: Rule) -> Outcome:
        """The outcome by totals. A tie is a shared win (R-C1)."""
        best = max(table.totals) if self.more_is_better else min(table.totals)
        return Outcome.of(table.totals, best, reason, table.round + 1)

    def undealt(self, table: LiveTable, *elsewhere: Cards) -> Cards:
        """The cards of the deck that are neither on the table nor `elsewhere`."""
        used = {card for cards in (*table.rows, *table.hands, *table.piles, *elsewhere) for card in cards}
        used.update(play.card for play in table.queue)
        return tuple(card for card in self.deck if card not in used)

    def sort_hand(self, cards: Cards) -> Cards:
        """Sort a hand, in ascending order."""
        return tuple(sorted(cards))

    def view(self, state: GameState, seat: Seat) -> View:
        """The state as `seat` sees it."""
        if not 0 <= seat < self.players:
            raise RulesError("shared.no_seat_to", who=seat, last=seat_letter(self.players - 1), most=self.players - 1)
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
        return Position.of(state, self.write_sections(state))

    def text(self, state: GameState, lang: str = "en") -> str:
        """A state for the terminal."""
        return draw.text(state, lang)

    def view_text(self, view: View, lang: str = "en") -> str:
        """A view for the terminal, with `?` for each hidden card."""
        return draw.view_text(view, lang)

    #: Draws a state as HTML; the package's front door sets it, because pictures are made above the engine.
    painter: ClassVar[Callable[[GameState], str] | None] = None

    def html(self, state: GameState) -> str:
        """A state for a notebook: a picture of the table."""
        return f"<pre>{escape(self.text(state))}</pre>" if Game.painter is None else Game.painter(state)

    @property
    def notice(self) -> str:
        """The notice on every picture of this game, for example that its deck is a sample."""
        return ""

    def options(self) -> dict[str, object]:
        """The options that differ from their defaults."""
        return {f.name: getattr(self, f.name) for f in fields(self) if f.init and getattr(self, f.name) != f.default}

    def to_json(self) -> dict[str, Json]:
        """The game as plain data, which `registry.from_options` reads back."""
        return {"system": self.name} | {name: _plain(value) for name, value in self.options().items()}

    def renewed(self, state: GameState, seat: Seat, text: str) -> Mapping[Seat, str]:
        """Translate a choice from a record of an earlier format into today's texts by seat; empty if not needed."""
        return {}

    def line_label(self, state: GameState) -> str:
        """The label of the next choice in a record: the turn, after `2/` in round 2."""
        turn = str(state.turn + 1)
        return f"{state.round + 1}/{turn}" if state.round else turn

    def __repr__(self) -> str:
        options = ", ".join(f"{name}={shown(value)}" for name, value in self.options().items())
        return f"{type(self).__name__}({options})"

    def __post_init__(self) -> None:
        """Check the options and the number of players. A chapter's own `__post_init__` calls this first."""
        check_options(self, self.name)
        fewest, most = self.for_players
        if not fewest <= self.players <= most:
            raise RulesError("engine.for_players", name=self.name, least=fewest, most=most, got=self.players)

    def _check_counts(self, position: Position) -> None:
        """Check the round, the totals and the stock of a position."""
        most = self.most_played
        if most is not None and position.round >= most:
            raise PositionError("engine.round_over", round=position.round + 1, name=self.name, most=most)
        if position.stock and not self.shows_stock:
            raise PositionError("engine.no_stock", name=self.name)
        if position.totals:
            self.check_totals(position.totals)

    def _check_cards(self, table: LiveTable, special: Cards) -> None:
        """Check that every card is in the deck and occurs once."""
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
        """The deck in words."""
        return f"{self.deck[0]} to {self.deck[-1]}"


class _HasJson(Protocol):
    def to_json(self) -> Json: ...


def _plain(option: object) -> Json:
    if option is None or isinstance(option, (bool, int, float, str)):
        return option
    if isinstance(option, Sequence) and not hasattr(option, "to_json"):
        return [_plain(item) for item in option]
    return cast(_HasJson, option).to_json()


def check_game(game: object) -> Game:
    """Return a game, or raise an error that shows how to make one.

    >>> check_game("classic")
    Traceback (most recent call last):
    nimmt_lab.engine.errors.RulesError: expected a game, for example Classic(players=4), got 'classic'
    """
    if not isinstance(game, Game):
        raise RulesError("engine.not_game", got=shown(game))
    return game
