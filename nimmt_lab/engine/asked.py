"""A question about a table, given as text: which game it is of, who plays, and what the seat that asks can see.

Everything that takes a position (odds, advice, solutions, panels, commands) reads it here, so that one text means one
table. The game is the classic one unless `game` names another. `players` says how many play; without it every hand must
be in the text. A hand that is not in the text is hidden: nobody's answer rests on it.

>>> view = view_of("12 14 | 37 | 43 44 | 58 ; A: 21 26 77", players=5, seen=[1, 2, 3])
>>> view.game.players, view.hand_sizes, len(view.unseen)
(5, (3, 3, 3, 3, 3), 92)
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import TypeAlias

from .cards import Card, Cards, Seat, seat_letter, seat_number
from .errors import NotationError, PositionError, RulesError
from .files import shown
from .game import Game
from .limits import is_whole
from .notation import Position
from .registry import all_games, game_named
from .rng import Rng
from .state import GameState
from .view import View

__all__ = ["Table", "cards_named", "how_many", "only_for_text", "open_state", "state_of", "usual_game", "view_of"]

#: A table to ask about: a state, a view of one, or the text of a position.
Table: TypeAlias = GameState | View | Position | str


def usual_game() -> type[Game]:
    """The default game of a text: the classic one, registered first.

    >>> usual_game().name
    'classic'
    """
    return next(iter(all_games().values()))


def view_of(
    table: Table,
    *,
    seat: Seat | str | None = None,
    players: int | None = None,
    opponents: int | None = None,
    seen: Iterable[Card] | str = (),
    game: Game | str | None = None,
) -> View:
    """What a seat sees of a table: by default the only seat whose hand is in the text, or the first that must choose.

    `seen`: cards that are in nobody's hand now, such as those of taken rows.
    """
    if isinstance(table, View):
        only_for_text(players=players, opponents=opponents, game=game)
        if seat is not None and seat_number(seat, table.game.players, team=True) != table.seat:
            raise RulesError("engine.view_of_other", who=seat_letter(table.seat))
        return _with_seen(table, cards_named(seen))
    gone = cards_named(seen)
    state, given = state_of(table, players=players, opponents=opponents, seen=gone, game=game)
    if seat is None:
        asked = [one for one in state.pending if one in given or one < 0 or not state.game.hidden_hands]
        chosen = next(iter(asked or state.pending), None)
        if chosen is None:
            raise PositionError("engine.nobody_asked")
    else:
        chosen = seat_number(seat, state.game.players, team=True)
        if chosen >= 0 and chosen not in given:
            raise PositionError("engine.hand_unknown", who=seat_letter(chosen))
    return _with_seen(state.view(chosen), gone)


def _with_seen(view: View, seen: Cards) -> View:
    if not seen:
        return view
    deck, held = set(view.game.deck), set(view.hand)
    for card in seen:
        if card not in deck:
            raise PositionError("engine.seen_not_in_deck", card=card, deck=view.game.deck_words())
        if card in held:
            raise PositionError("engine.seen_in_hand", card=card, who=seat_letter(view.seat))
    new = set(seen).intersection(view.unseen)
    # They lie in the stock, the place for cards that are in nobody's hand.
    wider = replace(view, seen=tuple(sorted({*view.seen, *seen})), stock_size=max(0, view.stock_size - len(new)))
    hidden = sum(size for hand, size in zip(view.hands, view.hand_sizes, strict=True) if hand is None)
    if len(wider.unseen) < hidden:
        raise PositionError("engine.hands_hidden", need=hidden, got=len(wider.unseen))
    return wider


def open_state(table: Table, *, players: int | None = None, game: Game | str | None = None) -> GameState:
    """The state of a table whose hands are all given, as a solver needs it."""
    if isinstance(table, View):
        raise PositionError("engine.view_hides")
    if isinstance(table, str):
        table = Position.parse(table)
    if isinstance(table, Position) and players is None and len(table.hands) < 2 and not isinstance(game, Game):
        players = 2
    state, given = state_of(table, players=players, game=game)
    for seat, hand in enumerate(state.hands):
        if hand and seat not in given:
            raise PositionError("engine.hand_not_given", who=seat_letter(seat))
    return state


def state_of(
    table: GameState | Position | str,
    *,
    players: int | None = None,
    opponents: int | None = None,
    seen: Iterable[Card] = (),
    game: Game | str | None = None,
) -> tuple[GameState, frozenset[Seat]]:
    """A state with this table, and the seats whose hands were given. Hidden hands are dealt from the unseen cards: only
    what a seat sees of such a state means anything."""
    if isinstance(table, GameState):
        only_for_text(players=players, opponents=opponents, game=game)
        return table, frozenset(range(table.game.players))
    if isinstance(table, str):
        position = Position.parse(table)
    elif isinstance(table, Position):
        position = table
    else:
        raise NotationError("engine.position_text_got", got=shown(table))
    if not position.hands and not position.stock:
        raise PositionError("engine.no_hand")
    rules = _rules(position, players, opponents, game)
    given = frozenset(position.hands)
    dealt = _dealt(position, rules, cards_named(seen)) if rules.hidden_hands else position
    return rules.from_position(dealt), given


def cards_named(seen: Iterable[Card] | str) -> Cards:
    """Cards as numbers, also from text such as `"1 2, 33"`.

    >>> cards_named("1 2, 33"), cards_named([5])
    ((1, 2, 33), (5,))
    """
    if isinstance(seen, str):
        words = seen.replace(",", " ").split()
        for word in words:
            if not (word.isascii() and word.isdigit() and len(word) < 7):
                raise NotationError("engine.number", got=shown(word))
        return tuple(map(int, words))
    cards = tuple(seen)
    for card in cards:
        if not is_whole(card, 0):
            raise PositionError("engine.holds_numbers_cards", place="seen", got=shown(card))
    return cards


def how_many(players: int | None, opponents: int | None) -> int | None:
    """The number of players, given as such or as the number of opponents; None if neither was given.

    >>> how_many(5, None), how_many(None, 4), how_many(None, None)
    (5, 5, None)
    """
    if opponents is None:
        return players
    if not is_whole(opponents, 0):
        raise PositionError("shared.must_whole_0", what="opponents", got=shown(opponents))
    if players is not None and players != opponents + 1:
        raise RulesError("engine.players_differ", players=shown(players), opponents=opponents)
    return opponents + 1


def only_for_text(**options: object) -> None:
    """Refuse options that a state or a view has settled already."""
    for name, value in options.items():
        if value is not None:
            raise RulesError("engine.says_itself", option=name)


def _rules(position: Position, players: int | None, opponents: int | None, game: Game | str | None) -> Game:
    """The game of a position: the one that was named, with as many players as were named or have a hand."""
    players = how_many(players, opponents)
    if isinstance(game, Game):
        if players is not None and players != game.players:
            raise RulesError("engine.game_players", got=shown(players), players=game.players)
        return game
    kind = usual_game() if game is None else game_named(game)
    if players is None:
        seats = sorted(position.hands)
        if len(seats) < 2 or seats != list(range(len(seats))):
            raise PositionError("engine.how_many", names=", ".join(map(seat_letter, seats)))
        players = len(seats)
    return kind(players=players)


def _dealt(position: Position, game: Game, seen: Cards) -> Position:
    """The position with cards in the hands that it does not have."""
    hidden = [seat for seat in range(game.players) if seat not in position.hands]
    if not hidden or not position.hands:
        return position
    size = max(map(len, position.hands.values()))
    known = {*seen, *position.stock, *(play.card for play in position.queue)}
    for cards in (*position.rows, *position.hands.values(), *position.piles.values()):
        known.update(cards)
    for name, text in position.sections.items():
        if name in game.card_sections:
            known.update(int(word) for word in text.split() if word.isdigit())
    pool = [card for card in game.deck if card not in known]
    if len(pool) < size * len(hidden):
        raise PositionError("engine.hands_hidden", need=size * len(hidden), got=len(pool))
    cards, _ = Rng.from_seed(0).shuffled(pool)
    hands: dict[Seat, Cards] = dict(position.hands)
    for at, seat in enumerate(hidden):
        hands[seat] = tuple(sorted(cards[at * size : (at + 1) * size]))
    return replace(position, hands=hands)
