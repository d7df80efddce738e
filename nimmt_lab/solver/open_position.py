"""An open two-player position for the search: rows, hands, heads, at most one fan card."""

from __future__ import annotations

from dataclasses import dataclass, field

from nimmt_lab.engine.cards import LAST_CARD, PRINTED_HEADS, Cards, Seat
from nimmt_lab.engine.decisions import CardOption, Choice
from nimmt_lab.engine.errors import PositionError, Unsupported
from nimmt_lab.engine.events import Event, RowTaken
from nimmt_lab.engine.play import Play
from nimmt_lab.engine.state import GameState
from nimmt_lab.games.advanced.rules import Advanced
from nimmt_lab.games.classic.fan_card import PACKED, Markers
from nimmt_lab.games.classic.rules import Classic

#: The kind of a position without a fan card.
PLAIN = 0
MOST_CARDS = 10

#: A card to play, and whether it is played in the other way that a fan card allows.
Action = tuple[int, bool]


def action_of(option: Choice, seat: Seat) -> Action:
    """Convert an engine option for the search."""
    return (option, False) if isinstance(option, int) else (_play(option, seat).card, True)


def _play(option: Choice, seat: Seat) -> Play:
    if not isinstance(option, CardOption):
        raise Unsupported("solver.solver_does_not_know", option=option)
    return option.play(seat)


@dataclass(frozen=True)
class OpenPosition:
    """A two-player position between turns, with both hands known.

    ``kind`` and ``marker`` describe the fan card on the table, packed for the search.

    >>> game = Advanced(players=2)
    >>> OpenPosition.of(game.from_position("1 | 2 4 7 14 | 16 19 22 | 23 24 ; A: 17 ; B: 8")).hands
    ((17,), (8,))
    """

    rows: tuple[Cards, ...]
    hands: tuple[Cards, Cards]
    heads: tuple[int, ...] = PRINTED_HEADS
    kind: int = PLAIN
    marker: int = 0
    #: The source state, if any: with a fan card the plain solver plays it on.
    state: GameState | None = field(default=None, compare=False, repr=False)

    def __post_init__(self) -> None:
        if len(self.rows) != 4 or not all(1 <= len(row) <= 5 for row in self.rows):
            raise PositionError("solver.rows")
        if len(self.hands[0]) != len(self.hands[1]) or len(self.hands[0]) > MOST_CARDS:
            raise PositionError("solver.hands", most=MOST_CARDS, first=len(self.hands[0]), second=len(self.hands[1]))
        cards = [card for part in (*self.rows, *self.hands) for card in part]
        if len(set(cards)) != len(cards) or not all(1 <= card <= LAST_CARD for card in cards):
            raise PositionError("solver.once")

    @classmethod
    def of(cls, state: GameState) -> OpenPosition:
        """The position of a state in which both players are to choose a card."""
        game = two_player_game(state)
        if state.queue:
            raise PositionError("solver.between")
        heads = (0, *(game.heads_in((card,)) for card in range(1, LAST_CARD + 1)))
        kind, marker = fan_card_of(game, state)
        return cls(state.rows, (state.hands[0], state.hands[1]), heads, kind, marker, state)

    @property
    def cards_each(self) -> int:
        return len(self.hands[0])

    @property
    def actions(self) -> tuple[list[Action], list[Action]]:
        """The plays of A and B, in ascending order."""
        if self.kind == PLAIN or self.state is None:
            return [(card, False) for card in sorted(self.hands[0])], [(card, False) for card in sorted(self.hands[1])]
        both = [sorted(action_of(option, seat) for option in self.state.pending[seat].options) for seat in (0, 1)]
        return both[0], both[1]


def two_player_game(state: GameState) -> Classic:
    """The game of a state, if the two-player solver supports it; otherwise an error with the reason."""
    game = state.game
    if not isinstance(game, Classic) or type(game) not in (Classic, Advanced):
        raise Unsupported("solver.solver_plays_classic", got=game.name)
    check_table(game)
    if game.players != 2:
        raise Unsupported("solver.two", players=game.players)
    if (game.rows, game.row_limit) != (4, 5):
        raise Unsupported("solver.table", rows=game.rows, row_limit=game.row_limit)
    if not state.rows:
        raise PositionError("solver.draft")
    return game


def check_table(game: Classic) -> None:
    """Reject tables whose size the search can't pack."""
    if (game.rows, game.row_limit) != (4, 5):
        raise Unsupported("solver.table", rows=game.rows, row_limit=game.row_limit)


def fan_card_of(game: Classic, state: GameState) -> tuple[int, int]:
    """The fan card on the table and its position, packed for the search (`solve_marked.c`)."""
    if not game.fan_cards:
        return PLAIN, 0
    if len(game.fan_cards) > 1:
        raise Unsupported("solver.solver_knows_fan")
    (card,) = game.fan_cards
    packed = PACKED.find(card)
    if packed is None:
        raise Unsupported("solver.solver_does_not", card=card.name)
    return packed(card, Markers.of(state).all[0])


def heads_difference(events: tuple[Event, ...]) -> int:
    """Heads B took minus heads A took in these events."""
    taken: dict[Seat, int] = {0: 0, 1: 0}
    for event in events:
        if isinstance(event, RowTaken):
            taken[event.seat] += event.heads
    return taken[1] - taken[0]
