"""What the two-player search needs to know of a game: rows, two hands, heads, one fan card at most."""

from __future__ import annotations

from dataclasses import dataclass, field

from nimmt_lab.engine.cards import LAST_CARD, PRINTED_HEADS, Cards, Seat
from nimmt_lab.engine.decisions import CardOption, Choice
from nimmt_lab.engine.errors import PositionError, Unsupported
from nimmt_lab.engine.events import Event, RowTaken
from nimmt_lab.engine.play import Play
from nimmt_lab.engine.state import GameState
from nimmt_lab.games.advanced.rules import Advanced
from nimmt_lab.games.classic.fan_card import AnyFanCard, Marker, Markers
from nimmt_lab.games.classic.rules import Classic
from nimmt_lab.games.even_odd.rules import EvenOddMarker
from nimmt_lab.games.jumping_cow.rules import CowMarker
from nimmt_lab.games.mountain.rules import MountainMarker
from nimmt_lab.games.number_twister.rules import NumberTwister, TwisterMarker

# As in ``solve_fan.h``.
PLAIN, EVEN_ODD, MOUNTAIN, JUMPING_COW, NUMBER_TWISTER = range(5)
MOST_CARDS = 10


#: A way to play a card: its number, and whether it is played in the other way a fan card allows.
Way = tuple[int, bool]


def way_of(option: Choice, seat: Seat) -> Way:
    """An option of the engine as the search knows it."""
    return (option, False) if isinstance(option, int) else (_play(option, seat).card, True)


def _play(option: Choice, seat: Seat) -> Play:
    if not isinstance(option, CardOption):
        raise Unsupported("solver.solver_does_not_know", option=option)
    return option.play(seat)


@dataclass(frozen=True)
class OpenPosition:
    """A two-player position between two turns, both hands known.

    ``kind`` and ``marker`` describe the fan card on the table, in the packed form of the search.

    >>> game = Advanced(players=2)
    >>> OpenPosition.of(game.from_position("1 | 2 4 7 14 | 16 19 22 | 23 24 ; A: 17 ; B: 8")).hands
    ((17,), (8,))
    """

    rows: tuple[Cards, ...]
    hands: tuple[Cards, Cards]
    heads: tuple[int, ...] = PRINTED_HEADS
    kind: int = PLAIN
    marker: int = 0
    #: The state it was made from, where there is one: with a fan card the plain half plays it on.
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
        """How many cards each player holds."""
        return len(self.hands[0])

    @property
    def ways(self) -> tuple[list[Way], list[Way]]:
        """What A and B may play, in ascending order."""
        if self.kind == PLAIN or self.state is None:
            return [(card, False) for card in sorted(self.hands[0])], [(card, False) for card in sorted(self.hands[1])]
        both = [sorted(way_of(option, seat) for option in self.state.pending[seat].options) for seat in (0, 1)]
        return both[0], both[1]


def two_player_game(state: GameState) -> Classic:
    """The game of a state the two-player solver can work on, or an error that says why it cannot."""
    game = state.game
    if not isinstance(game, Classic) or type(game) not in (Classic, Advanced):
        raise Unsupported("solver.solver_plays_classic", got=game.name)
    if game.players != 2:
        raise Unsupported("solver.two", players=game.players)
    if not state.rows:
        raise PositionError("solver.draft")
    return game


def fan_card_of(game: Classic, state: GameState) -> tuple[int, int]:
    """The fan card on the table and where it lies, in the packed form of the search."""
    if not game.fan_cards:
        return PLAIN, 0
    if len(game.fan_cards) > 1:
        raise Unsupported("solver.solver_knows_fan")
    if any(isinstance(card, NumberTwister) and card.single_digits for card in game.fan_cards):
        raise Unsupported("solver.solver_twists_cards")
    return _packed(game.fan_cards[0], Markers.of(state).all[0])


def _packed(card: AnyFanCard, marker: Marker) -> tuple[int, int]:
    """Which fan card it is, and where it lies, as the search has it. A marker stands for the card of its own chapter:
    one from elsewhere that builds on it may do something else."""
    if type(card).__module__ != type(marker).__module__:
        raise Unsupported("solver.solver_does_not", card=card.name)
    if isinstance(marker, EvenOddMarker):
        return EVEN_ODD, marker.row | (4 if marker.side == "odd" else 0)
    if isinstance(marker, MountainMarker):
        return MOUNTAIN, marker.row | (4 if marker.arrows == "down" else 0)
    if isinstance(marker, CowMarker):
        return JUMPING_COW, marker.row
    if isinstance(marker, TwisterMarker):
        return NUMBER_TWISTER, sum(8 << seat for seat in marker.unused)
    raise Unsupported("solver.solver_does_not", card=card.name)


def heads_difference(events: tuple[Event, ...]) -> int:
    """Heads B took minus heads A took in these events."""
    taken: dict[Seat, int] = {0: 0, 1: 0}
    for event in events:
        if isinstance(event, RowTaken):
            taken[event.seat] += event.heads
    return taken[1] - taken[0]
