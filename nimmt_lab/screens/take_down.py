"""Take down a game as it is played at a real table: the rows as they lie, then what everybody plays, turn by turn.

Nobody knows the others' cards before they are played. A hand is therefore completed from cards nobody has seen yet, so
that the game can be followed; as soon as a card is played, it was in that hand from the start. What has not been played
or entered stays unknown, is shown face down, and is judged by nobody.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import fields, replace
from typing import ClassVar

from nimmt_lab.boards.describe import Obj
from nimmt_lab.boards.film import Film
from nimmt_lab.engine.cards import Seat, seat_letter
from nimmt_lab.engine.decisions import Choice, ChooseCard
from nimmt_lab.engine.errors import NimmtError, NotationError, Unsupported
from nimmt_lab.engine.events import Json
from nimmt_lab.engine.files import shown
from nimmt_lab.engine.game import Game
from nimmt_lab.engine.notation import Position
from nimmt_lab.engine.record import Record
from nimmt_lab.engine.rng import Rng
from nimmt_lab.engine.state import GameState

from .base import Screen
from .rules import Own, forms, game_of
from .setup import usual_setup
from .words import labels, screen_words

LONGEST_NAME = 40


def one_round(game: Game) -> Game:
    """The game with a single round: the next deal at a real table is nobody's seed.

    >>> from nimmt_lab import Classic
    >>> one_round(Classic(players=3)).rounds
    1
    """
    return replace(game, rounds=1) if any(one.name == "rounds" for one in fields(game)) else game  # type: ignore


def card_of(text: str) -> int | None:
    """The card of a choice as it is written; None if it is no card but a row, say.

    >>> card_of("24"), card_of("24~"), card_of("@2")
    (24, 24, None)
    """
    number = re.match("[0-9]+", text)
    return int(number.group()) if number else None


class Notes:
    """What was seen so far. `hands` are those that somebody has shown (one's own, say).

    >>> from nimmt_lab import Classic
    >>> notes = Notes(Classic(players=2, rounds=1))
    >>> for card in (12, 37, 43, 58): notes.row(card)
    >>> notes.play({0: 14, 1: 15})
    >>> notes.record().final.rows[0], notes.unknown
    ((12, 14, 15), (0, 1))
    """

    def __init__(self, game: Game) -> None:
        self.game = one_round(game)
        self.rows: list[int] = []
        self.hands: dict[Seat, tuple[int, ...]] = {}
        #: Cards or other choices in the order of the steps, as decisions write them.
        self.choices: list[dict[Seat, str]] = []
        self.names: dict[str, str] = {}
        dealt = self.game.deal(0)
        self.wanted_rows = len(dealt.rows)
        self.hand_size = max(map(len, dealt.hands), default=0)
        if not self.game.hidden_hands:
            self.wanted_rows = 0  # everything lies open from the start: the draft is played
        else:
            stripped = Position(dealt.rows, dict(enumerate(dealt.hands)))
            if self.game.position(self.game.from_position(str(stripped))) != self.game.position(dealt):
                # A record begins with a position, and a position names the cards of every stack in their order.
                raise Unsupported(
                    f"{self.game.name}: cards come from face-down stacks while it is played, and a record must name "
                    "their order from the start; nobody at a table knows it"
                )

    def row(self, card: int) -> None:
        """The next row begins with this card."""
        self._new(card)
        if len(self.rows) == self.wanted_rows:
            raise NotationError(f"there are {self.wanted_rows} rows")
        self.rows.append(card)

    def hand(self, seat: Seat, cards: tuple[int, ...]) -> None:
        """Somebody's hand at the start, as far as the cards are known."""
        if seat not in range(self.game.players) or len(cards) > self.hand_size or len(set(cards)) < len(cards):
            raise NotationError(f"a hand has up to {self.hand_size} different cards")
        before = self.hands.pop(seat, ())
        try:
            for card in cards:
                if card not in self.played(seat):
                    self._new(card)
            self.hands[seat] = tuple(sorted(cards))
        except NimmtError:
            self.hands[seat] = before
            raise

    def _new(self, card: int) -> None:
        if isinstance(card, bool) or not isinstance(card, int) or card not in self.game.deck:
            raise NotationError(f"no card {shown(card)} in the deck ({self.game.deck_words()})")
        if card in self.seen:
            raise NotationError(f"{card} has been seen before")

    @property
    def seen(self) -> frozenset[int]:
        """Every card that has been entered."""
        played = {card for seat in range(self.game.players) for card in self.played(seat)}
        return frozenset(self.rows) | played | {card for hand in self.hands.values() for card in hand}

    def played(self, seat: Seat) -> tuple[int, ...]:
        """The cards a seat has played, in order."""
        found = []
        for given in self.choices:
            if (card := card_of(given.get(seat, ""))) is not None:
                found.append(card)
        return tuple(found)

    def may_play(self, seat: Seat) -> tuple[int, ...]:
        """What a seat may play next, as far as is known: its own cards, and those nobody has seen."""
        played, known = self.played(seat), self.hands.get(seat, ())
        mine = [card for card in known if card not in played]
        if len(set(played) | set(known)) >= self.hand_size:
            return tuple(mine)
        return tuple(sorted([*mine, *(card for card in self.game.deck if card not in self.seen)]))

    @property
    def unknown(self) -> tuple[Seat, ...]:
        """Seats whose hands are not known to the last card."""
        if not self.game.hidden_hands:
            return ()
        return tuple(
            seat
            for seat in range(self.game.players)
            if len(set(self.played(seat)) | set(self.hands.get(seat, ()))) < self.hand_size
        )

    def play(self, choices: Mapping[Seat, Choice]) -> None:
        """What everybody chose; cards must be new, or in a hand that is known."""
        before = self.record(choices).final
        texts: dict[Seat, str] = {}
        for seat, choice in choices.items():
            if seat not in before.pending:
                raise NotationError(f"nothing is asked of {seat_letter(seat)} now")
            texts[seat] = before.pending[seat].write(before.pending[seat].accept(seat, choice))
        before.choose(choices)
        self.choices.append(texts)

    def record(self, extra: Mapping[Seat, Choice] | None = None) -> Record:
        """The game so far. `extra` are cards that are about to be played: they are in those hands, too."""
        tags = {letter: name for letter, name in self.names.items() if name}
        if not self.game.hidden_hands:
            record = Record(self.game, seed=0, tags=tags)
        else:
            record = Record(self.game, start=str(self._start(extra or {})), tags=tags)
        for given in self.choices:
            pending = record.final.pending
            record = record.then({seat: pending[seat].read(text) for seat, text in given.items()})
        return record

    def _start(self, extra: Mapping[Seat, Choice]) -> Position:
        hands: dict[Seat, list[int]] = {}
        taken = set(self.seen)
        for seat in range(self.game.players):
            cards = dict.fromkeys([*self.played(seat), *self.hands.get(seat, ())])
            now = extra.get(seat)
            if now is not None and len(self.rows) == self.wanted_rows:
                number = getattr(now, "card", now)
                if isinstance(number, int) and number in self.may_play(seat):
                    cards[number] = None
                    taken.add(number)
            hands[seat] = list(cards)
        free, _ = Rng.from_seed(0).shuffled([card for card in self.game.deck if card not in taken])
        rest = iter(free)
        for held in hands.values():
            held += [next(rest) for _ in range(self.hand_size - len(held))]
        return Position(tuple((card,) for card in self.rows), {seat: tuple(cards) for seat, cards in hands.items()})

    # Keeping ---------------------------------------------------------------------------------------------

    def to_json(self) -> dict[str, Json]:
        """As plain JSON."""
        return {
            "rows": [*self.rows],
            "hands": {str(seat): [*cards] for seat, cards in self.hands.items()},
            "choices": [{str(seat): text for seat, text in given.items()} for given in self.choices],
            "names": {**self.names},
        }

    def read(self, kept: Mapping[str, Json]) -> None:
        """What was kept; anything that cannot be read is refused."""
        try:
            for card in kept["rows"]:  # type: ignore[union-attr]
                self.row(card)  # type: ignore[arg-type]
            self.names = {str(seat): str(name) for seat, name in kept["names"].items()}  # type: ignore[union-attr]
            for seat, cards in kept["hands"].items():  # type: ignore[union-attr]
                self.hand(int(seat), tuple(cards))  # type: ignore[arg-type]
            for given in kept["choices"]:  # type: ignore[union-attr]
                read: dict[Seat, str] = {int(seat): str(text) for seat, text in given.items()}  # type: ignore[union-attr]
                self.choices.append(read)
            self.record()
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            raise NotationError(f"no notes of a game: {error}") from None


class TakeDownScreen(Screen):
    """Rows, then a card for everybody, then whatever the rules ask (the row of a low card). `done` gets the record and
    the seats whose cards are not known; `kept` is told of every change."""

    module: ClassVar[str] = "screens/take_down"

    def __init__(
        self,
        done: Callable[[Record, tuple[Seat, ...]], None],
        *,
        setup: object = None,
        notes: object = None,
        lang: str = "en",
        kept: Callable[[dict[str, Json]], None] | None = None,
        own: Own | None = None,
    ) -> None:
        super().__init__()
        self._done, self._kept, self._lang, self._own = done, kept, lang, own
        self.say = screen_words(lang)
        self.setup = usual_setup(setup)
        self._given: dict[Seat, Choice] = {}
        self._card_now: int | None = None
        self._several: list[Choice] = []
        self._entering: Seat | None = None
        self.notes = self._begin()
        if isinstance(notes, dict):
            try:
                self.notes.read(notes)
            except NimmtError:
                self.notes = self._begin()
        self._show()

    def _begin(self) -> Notes:
        try:
            return Notes(game_of(self.setup, self._own))
        except Unsupported:
            self.setup = usual_setup()
            return Notes(game_of(self.setup, self._own))

    # What the browser may ask for ------------------------------------------------------------------------

    def receive(self, message: Obj) -> None:
        """`game`, `card` (of a row, of the hand one enters, or played by the seat it is asked of), `choose` an option,
        `hand` to enter somebody's cards (or end doing so), `name`, `undo`, `done`."""
        kind = message.get("type")
        if kind != "choose":
            self._card_now, self._several = None, []
        if kind == "game":
            given = message.get("setup")
            setup = {**self.setup, **(given if isinstance(given, dict) else {})}
            game = game_of(setup, self._own)
            try:
                notes = Notes(game)  # refused before anything is given up
            except Unsupported as error:
                raise Unsupported(self.say("take_down.face_down")) from error
            notes.names = dict(self.notes.names)
            self.setup, self.notes, self._given, self._entering = setup, notes, {}, None
        elif kind == "card":
            self._card(message.get("card"))
        elif kind == "choose":
            self._choose(str(message.get("choice")))
        elif kind == "hand":
            seat = message.get("seat")
            if seat is not None and (not isinstance(seat, int) or seat not in range(self.notes.game.players)):
                raise NotationError(f"there is no seat {shown(seat)}")
            self._entering = seat
        elif kind == "name":
            letter, name = str(message.get("letter")), str(message.get("name"))[:LONGEST_NAME]
            if letter not in [seat_letter(seat) for seat in range(self.notes.game.players)]:
                raise NotationError(f"there is no seat {shown(letter)}")
            self.notes.names[letter] = " ".join(part for part in name.split() if part.isprintable())
        elif kind == "undo":
            self._undo()
        elif kind == "done":
            if not self.notes.choices:
                raise NotationError(self.say("take_down.nothing"))
            self._done(self.notes.record(), self.notes.unknown)
            return
        else:
            super().receive(message)
            return
        self._show()

    def _card(self, card: object) -> None:
        if isinstance(card, bool) or not isinstance(card, int):
            raise NotationError(f"expected a card, got {shown(card)}")
        notes = self.notes
        if self._entering is not None:
            held = notes.hands.get(self._entering, ())
            if card in held and card in notes.played(self._entering):
                raise NotationError(f"{card} has been played")
            now = tuple(one for one in held if one != card) if card in held else (*held, card)
            notes.hand(self._entering, now)
            if len(now) == notes.hand_size:
                self._entering = None
        elif len(notes.rows) < notes.wanted_rows:
            notes.row(card)
        else:
            self._play(card)

    def _play(self, card: int) -> None:
        """The seat that is asked plays this card; if it may count as several numbers, that is asked first."""
        seat = self._asked()
        if seat is None:
            raise NotationError(self.say("take_down.over"))
        if self.notes.game.hidden_hands:
            if card not in self.notes.may_play(seat) or card in self._given_cards():
                raise NotationError(self.say("take_down.not_there", card=card, who=seat_letter(seat)))
            self._card_now = card
        decision = self._state(seat).pending[seat]
        options = [option for option in decision.options if card_of(decision.write(option)) == card]
        if len(options) == 1:
            self._choose(decision.write(options[0]))
        else:
            self._several = options

    def _choose(self, text: str) -> None:
        seat = self._asked()
        if seat is None:
            raise NotationError(self.say("take_down.over"))
        state = self._state(seat)
        decision = state.pending[seat]
        self._given[seat] = decision.accept(seat, decision.read(text))
        self._card_now, self._several = None, []
        if set(self._given) >= set(state.pending):
            self.notes.play(self._given)
            self._given = {}

    def _given_cards(self) -> set[int]:
        return {card for choice in self._given.values() if isinstance(card := getattr(choice, "card", choice), int)}

    def _state(self, seat: Seat) -> GameState:
        """The table now, with the card in that seat's hand which it is about to play."""
        extra: dict[Seat, Choice] = dict(self._given)
        if self._card_now is not None:
            extra[seat] = self._card_now
        return self.notes.record(extra).final

    def _undo(self) -> None:
        if self._entering is not None:
            self._entering = None
        elif self._given:
            self._given.popitem()
        elif self.notes.choices:
            self.notes.choices.pop()
        elif self.notes.rows:
            self.notes.rows.pop()

    def _asked(self) -> Seat | None:
        if len(self.notes.rows) < self.notes.wanted_rows:
            return None
        return next((seat for seat in self.notes.record().final.pending if seat not in self._given), None)

    # Showing ---------------------------------------------------------------------------------------------

    def _show(self) -> None:
        notes = self.notes
        names = {seat: name for seat in range(notes.game.players) if (name := notes.names.get(seat_letter(seat)))}
        laid = len(notes.rows) == notes.wanted_rows
        film = Film(notes.game, lang=self._lang, names=names, seats=() if notes.game.hidden_hands else None)
        seat, cards, options, prompt = self._asked(), list[Json](), list[Json](), ""
        say = film.words
        over = False
        if laid:
            record = notes.record()
            film.position(record.final)
            over = record.final.is_over
        if self._entering is not None:
            held = notes.hands.get(self._entering, ())
            cards = [card for card in notes.game.deck if card not in notes.seen or card in held]
            prompt = self.say("take_down.enter", who=say.who(self._entering), count=len(held), all=notes.hand_size)
        elif not laid:
            cards = [card for card in notes.game.deck if card not in notes.seen]
            prompt = self.say("take_down.row", row=len(notes.rows) + 1)
        elif seat is not None:
            state = self._state(seat)
            decision = state.pending[seat]
            prompt = film.describe.prompt(state, seat, decision)
            if isinstance(decision, ChooseCard) and notes.game.hidden_hands:
                given = self._given_cards()
                cards = [card for card in notes.may_play(seat) if card not in given]
                options = [film.describe.option(state, seat, decision, one) for one in self._several]
            else:
                shown_options = film.describe.listed(decision)
                options = [film.describe.option(state, seat, decision, one) for one in shown_options]
                cards = [one["card"] for one in options if isinstance(one, dict) and "card" in one]
                options = [one for one in options if isinstance(one, dict) and "card" not in one]
        seats: list[Json] = [
            {
                "seat": one,
                "letter": seat_letter(one),
                "name": notes.names.get(seat_letter(one), ""),
                "given": "" if one not in self._given else "✓",
                "cards": [*notes.hands.get(one, ())],
                "known": one not in notes.unknown,
                "asked": one == (self._entering if self._entering is not None else seat),
            }
            for one in range(notes.game.players)
        ]
        scene = film.scene()
        self.show(
            labels={**labels(self._lang, "take_down")},
            choose={**labels(self._lang, "choose")},
            games=forms(self._lang),
            setup=self.setup,
            scene=scene,
            laid=laid,
            rows=[*notes.rows],
            deck=[*notes.game.deck],
            cards=cards,
            options=options,
            prompt=self.say("take_down.over") if over else prompt,
            entering=self._entering,
            seats=seats,
            hidden=notes.game.hidden_hands,
            began=bool(notes.rows or notes.choices or self._given),
            playing=bool(notes.choices),
            told="",
        )
        if self._kept is not None:
            self._kept({"setup": self.setup, "notes": notes.to_json()})
