"""Record a game at a real table: the first card of each row, then everybody's cards turn by turn.

Unknown cards (see `notes`) are shown face down and never judged.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar

from nimmt_lab.boards.describe import Obj
from nimmt_lab.boards.film import Film
from nimmt_lab.engine.cards import Seat, seat_letter
from nimmt_lab.engine.decisions import Choice, Decision
from nimmt_lab.engine.errors import NimmtError, NotationError, Unsupported
from nimmt_lab.engine.events import Json
from nimmt_lab.engine.files import shown
from nimmt_lab.engine.notes import Notes, cards_of
from nimmt_lab.engine.record import Record
from nimmt_lab.engine.state import GameState

from .base import Screen, as_object
from .rules import Own, forms, game_of
from .setup import usual_setup
from .words import labels, screen_words

LONGEST_NAME = 40


class RecordGameScreen(Screen):
    """The rows, a card for everybody, and other choices that the rules ask for. `done` gets the record and the seats
    whose cards are unknown, `kept` every change."""

    module: ClassVar[str] = "screens/record_game"

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
        self._cards_now: list[int] = []
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

    def receive(self, message: Obj) -> None:
        """`game`, `card` (of a row, of a hand, or played), `choose` an option, `hand` (to enter it), `name`,
        `undo`, `done`."""
        kind = message.get("type")
        if kind not in ("choose", "card"):
            self._cards_now, self._several = [], []
        if kind == "game":
            setup = self.setup | as_object(message.get("setup"))
            game = game_of(setup, self._own)
            try:
                notes = Notes(game)  # refused before anything is lost
            except Unsupported as error:
                raise Unsupported("screens.face_down_here") from error
            notes.names = dict(self.notes.names)
            self.setup, self.notes, self._given, self._entering = setup, notes, {}, None
        elif kind == "card":
            self._card(message.get("card"))
        elif kind == "choose":
            self._choose(str(message.get("choice")))
        elif kind == "hand":
            seat = message.get("seat")
            if seat is not None and (not isinstance(seat, int) or seat not in range(self.notes.game.players)):
                raise NotationError("screens.no_seat", who=shown(seat))
            self._entering = seat
        elif kind == "name":
            letter, name = str(message.get("letter")), str(message.get("name"))[:LONGEST_NAME]
            if letter not in [seat_letter(seat) for seat in range(self.notes.game.players)]:
                raise NotationError("screens.no_seat", who=shown(letter))
            self.notes.names[letter] = " ".join(part for part in name.split() if part.isprintable())
        elif kind == "undo":
            self._undo()
        elif kind == "done":
            if not self.notes.choices:
                raise NotationError("screens.nothing_recorded")
            return self._done(self.notes.record(), self.notes.unknown)
        else:
            return super().receive(message)
        self._show()

    def _card(self, card: object) -> None:
        if isinstance(card, bool) or not isinstance(card, int):
            raise NotationError("screens.expected_card", got=shown(card))
        notes = self.notes
        if self._entering is not None:
            held = notes.hands.get(self._entering, ())
            if card in held and card in notes.played(self._entering):
                raise NotationError("screens.been_played", card=card)
            now = tuple(one for one in held if one != card) if card in held else (*held, card)
            notes.hand(self._entering, now)
            if len(now) == notes.hand_size:
                self._entering = None
        elif len(notes.rows) < notes.wanted_rows:
            notes.row(card)
        else:
            self._play(card)

    def _play(self, card: int) -> None:
        """Play a card of the seat to move. A card with several values needs a choice, a pair its second card."""
        seat = self._asked()
        if seat is None:
            raise NotationError("screens.record_over")
        if card in self._cards_now:  # clicked again: put it back
            self._cards_now, self._several = [one for one in self._cards_now if one != card], []
            return
        if self.notes.game.hidden_hands and (card not in self.notes.may_play(seat) or card in self._given_cards()):
            raise NotationError("screens.card_not_there", card=card, who=seat_letter(seat))
        wanted = _cards_at_once(self._state(seat).pending[seat])
        self._several = []
        self._cards_now = [*self._cards_now[: wanted - 1], card]
        if len(self._cards_now) < wanted:
            return
        decision = self._state(seat).pending[seat]
        asked = sorted(self._cards_now)
        options = [option for option in decision.options if sorted(cards_of(decision.write(option))) == asked]
        if len(options) == 1:
            self._choose(decision.write(options[0]))
        else:
            self._several = options

    def _choose(self, text: str) -> None:
        seat = self._asked()
        if seat is None:
            raise NotationError("screens.record_over")
        state = self._state(seat)
        decision = state.pending[seat]
        self._given[seat] = decision.accept(seat, decision.read(text))
        self._cards_now, self._several = [], []
        if set(self._given) >= set(state.pending):
            self.notes.play(self._given)
            self._given = {}

    def _given_cards(self) -> set[int]:
        pending = self.notes.record().final.pending
        return {card for seat, choice in self._given.items() for card in cards_of(pending[seat].write(choice))}

    def _state(self, seat: Seat) -> GameState:
        """The current state, with the picked cards in the seat's hand."""
        return self.notes.holding({seat: self._cards_now})

    def _undo(self) -> None:
        if self._entering is not None:
            self._entering = None
        elif self._given:
            self._given.popitem()
        elif self.notes.choices:
            self.notes.undo()
        elif self.notes.rows:
            self.notes.rows.pop()

    def _asked(self) -> Seat | None:
        if len(self.notes.rows) < self.notes.wanted_rows:
            return None
        return next((seat for seat in self.notes.record().final.pending if seat not in self._given), None)

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
            prompt = self.say("record_game.enter", who=say.who(self._entering), count=len(held), all=notes.hand_size)
        elif not laid:
            cards = [card for card in notes.game.deck if card not in notes.seen]
            prompt = self.say("record_game.row", row=len(notes.rows) + 1)
        elif seat is not None:
            state = self._state(seat)
            decision = state.pending[seat]
            prompt = film.describe.prompt(state, seat, decision)
            if _cards_at_once(decision) and notes.game.hidden_hands:
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
        self.show(
            labels={**labels(self._lang, "record_game")},
            choose={**labels(self._lang, "choose")},
            games=forms(self._lang),
            setup=self.setup,
            scene=film.scene(),
            laid=laid,
            rows=[*notes.rows],
            deck=[*notes.game.deck],
            cards=cards,
            picked=[*self._cards_now],
            options=options,
            prompt=self.say("record_game.over") if over else prompt,
            entering=self._entering,
            seats=seats,
            hidden=notes.game.hidden_hands,
            began=bool(notes.rows or notes.choices or self._given),
            playing=bool(notes.choices),
            told="",
        )
        if self._kept is not None:
            self._kept({"setup": self.setup, "notes": notes.to_json()})


def _cards_at_once(decision: Decision) -> int:
    """The number of cards in a choice; 0 if it is not one of cards."""
    return len(cards_of(decision.write(decision.options[0])))
