"""Set up a position by clicking: choose a place, then its cards. Every click checks the position."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from dataclasses import replace
from typing import ClassVar

from nimmt_lab.boards.describe import Obj
from nimmt_lab.boards.film import Film
from nimmt_lab.engine.cards import EMPTY, Seat, seat_letter
from nimmt_lab.engine.errors import NimmtError, NotationError
from nimmt_lab.engine.events import Json
from nimmt_lab.engine.files import shown
from nimmt_lab.engine.game import Game
from nimmt_lab.engine.habits import habitual_choices
from nimmt_lab.engine.notation import Position
from nimmt_lab.engine.rng import Rng
from nimmt_lab.engine.state import GameState
from nimmt_lab.explain.errors import translate

from .base import Screen, as_object
from .rules import Own, forms, game_of
from .words import labels, screen_words


def usual_setup(given: object = None) -> dict[str, Json]:
    """A filled-in form, or the first game with its default options."""
    first = forms("en")[0]
    assert isinstance(first, dict)
    usual: dict[str, Json] = {"game": first["name"], "players": first["usual"], "options": {}}
    setup = usual | {name: value for name, value in as_object(given).items() if name in usual}
    try:
        game_of(setup)
    except NimmtError:
        return usual
    return setup


def with_rows(game: Game) -> GameState:
    """A state of the game whose rows have begun."""
    rng = Rng.from_seed(0)
    state = game.deal(rng.state)
    while not state.rows and state.pending:
        choices, rng = habitual_choices(state, rng)
        state, _ = state.choose(choices)
    return state


def completed(game: Game, position: Position) -> tuple[Position, tuple[Seat, ...]]:
    """The position with empty hands filled from the remaining cards, and the seats of those hands.

    Where hands are hidden, people know one hand and the number of the others.

    >>> from nimmt_lab import Classic
    >>> full, unknown = completed(Classic(players=3), Position.parse("12 | 37 | 43 | 58 ; A: 14 20"))
    >>> [len(full.hands[seat]) for seat in range(3)], unknown
    ([2, 2, 2], (1, 2))
    """
    size = max(map(len, position.hands.values()), default=0)
    empty = tuple(seat for seat in range(game.players) if seat not in position.hands)
    if not game.hidden_hands or not size or not empty:
        return position, ()
    gone = {card for row in position.rows for card in row} | {play.card for play in position.queue}
    gone |= {card for cards in (*position.hands.values(), *position.piles.values(), position.stock) for card in cards}
    gone |= {int(word) for text in position.sections.values() for word in text.split() if word.isdecimal()}
    free, _ = Rng.from_seed(0).shuffled([card for card in game.deck if card not in gone])
    hands = dict(position.hands)
    for at, seat in enumerate(empty):
        hands[seat] = tuple(free[at * size : (at + 1) * size])
    return replace(position, hands=hands), empty


class SetupScreen(Screen):
    """`done` receives the finished state and the seats whose cards are unknown, `kept` every change.

    >>> made = []
    >>> setup = SetupScreen(lambda state, hidden: made.append(state), setup={"game": "classic", "players": 2})
    >>> for row, card in enumerate((12, 37, 43, 58)):
    ...     setup.receive({"type": "put", "place": f"row {row}", "card": card})
    >>> for place, card in (("hand 0", 14), ("hand 1", 15)):
    ...     setup.receive({"type": "put", "place": place, "card": card})
    >>> setup.data["text"], setup.data["told"]
    ('12 | 37 | 43 | 58 ; A: 14 ; B: 15', '')
    >>> setup.receive({"type": "done"})
    >>> made[0].rows[0]
    (12,)
    """

    module: ClassVar[str] = "screens/setup"

    def __init__(
        self,
        done: Callable[[GameState, tuple[Seat, ...]], None],
        *,
        setup: object = None,
        text: object = "",
        lang: str = "en",
        button: str = "analyse",
        kept: Callable[[dict[str, Json]], None] | None = None,
        own: Own | None = None,
    ) -> None:
        super().__init__()
        self._done, self._kept, self._lang, self._own = done, kept, lang, own
        self.say = screen_words(lang)
        self.setup = usual_setup(setup)
        self.game: Game = game_of(self.setup, own)
        self._begun = with_rows(self.game)
        self._button = button
        self._place = "row 0"
        self._clear()
        if isinstance(text, str) and text:
            try:
                self._read(text)
            except NimmtError:  # saved by another version
                self._clear()
        self._show()

    def receive(self, message: Obj) -> None:
        """`game`, a `place` to fill, `put` a card there (or remove it), `clear`, `deal`, `text`, `done`."""
        kind = message.get("type")
        if kind == "game":
            self.setup = self.setup | as_object(message.get("setup"))
            self.game = game_of(self.setup, self._own)
            self._begun = with_rows(self.game)
            self._clear()
        elif kind == "place":
            self._place = self._known(message.get("place"))
        elif kind == "put":
            self._put(self._known(message.get("place", self._place)), message.get("card"))
        elif kind == "clear":
            self._clear()
        elif kind == "deal":
            self._read(str(self.game.position(self.game.deal(secrets.randbits(32)))))
        elif kind == "text":
            self._read(str(message.get("text")))
        elif kind == "done":
            position, hidden = completed(self.game, self.position)
            return self._done(self.game.from_position(str(position)), hidden)
        else:
            return super().receive(message)
        self._show()

    @property
    def position(self) -> Position:
        return replace(
            self._rest,
            rows=tuple(tuple(cards) for cards in self._rows) if any(self._rows) else (),
            hands={seat: tuple(cards) for seat, cards in self._hands.items()},
            piles={seat: tuple(cards) for seat, cards in self._piles.items()},
        )

    def _clear(self) -> None:
        self._rows: list[list[int]] = [[] for _ in self._begun.rows]
        self._hands: dict[Seat, list[int]] = {seat: [] for seat in range(self.game.players)}
        self._piles: dict[Seat, list[int]] = {seat: [] for seat in self.game.pile_seats}
        self._rest = Position(())

    def _read(self, text: str) -> None:
        position = Position.parse(text)
        self._clear()
        rows = [list(row) for row in position.rows]
        self._rows = rows + self._rows[len(rows) :]
        for seats, given, what in ((self._hands, position.hands, "hand"), (self._piles, position.piles, "pile")):
            for seat, cards in given.items():
                if seat not in seats:
                    raise NotationError("screens.there_no_here", what=what, who=seat_letter(seat))
                seats[seat] = list(cards)
        self._rest = replace(position, rows=(), hands={}, piles={})

    def _cards(self, place: str) -> list[int]:
        what, _, number = place.partition(" ")
        at = int(number)
        return self._rows[at] if what == "row" else self._hands[at] if what == "hand" else self._piles[at]

    def _places(self) -> list[str]:
        rows = [f"row {row}" for row in range(len(self._rows))]
        return rows + [f"hand {seat}" for seat in self._hands] + [f"pile {seat}" for seat in self._piles]

    def _known(self, place: object) -> str:
        if not isinstance(place, str) or place not in self._places():
            raise NotationError("screens.no_place", place=shown(place))
        return place

    def _put(self, place: str, card: object) -> None:
        """Move a card to a place, or remove it from there."""
        if isinstance(card, bool) or not isinstance(card, int) or card not in self.game.deck:
            raise NotationError("engine.note_no_card", card=shown(card), game=self.game.deck_words())
        self._place = place
        there = card in self._cards(place)
        for other in self._places():
            cards = self._cards(other)
            if card in cards:
                cards.remove(card)
        if not there:
            self._cards(place).append(card)
            if not place.startswith("row"):
                self._cards(place).sort()

    def _show(self) -> None:
        film = Film(self.game, lang=self._lang)
        say = film.words
        names = {"row": lambda at: say("row", row=at + 1), "hand": lambda at: say("hand_of", who=say.who(at))}
        places: list[Json] = []
        for place in self._places():
            what, _, number = place.partition(" ")
            name = names[what](int(number)) if what in names else self.say("setup.pile_of", who=say.who(int(number)))
            cards: list[Json] = [card for card in self._cards(place) if card != EMPTY]
            spot: dict[str, Json] = {"key": place, "name": name, "cards": cards, "room": 0, "takes": None}
            if what == "row" and int(number) < len(self._begun.rows):
                lane = film.describe.row(self._begun, int(number))
                spot |= {"room": lane["places"], "takes": lane["takes"]}
            places.append(spot)
        told, text = "", str(self.position)
        full, unknown = completed(self.game, self.position)
        try:
            self.game.from_position(str(full))
        except NimmtError as error:
            told = translate(error, self._lang)
        self.show(
            labels={**labels(self._lang, "setup"), "done": self.say(f"setup.{self._button}")},
            choose={**labels(self._lang, "choose")},
            games=forms(self._lang),
            setup=self.setup,
            scene=film.scene(),
            deck=[*self.game.deck],
            places=places,
            place=self._place if self._place in self._places() else "row 0",
            text=text,
            told=told,
            hidden=self.say("setup.hidden", who=say.list(map(say.who, unknown))) if unknown and not told else "",
            empty=not any(place["cards"] for place in places if isinstance(place, dict)),
        )
        if self._kept is not None:
            self._kept({"setup": self.setup, "text": text})
