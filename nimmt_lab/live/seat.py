"""A live table on one device: the table of Play, with the hand of one seat, and moves that come from elsewhere."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from nimmt_lab.boards.describe import Obj
from nimmt_lab.boards.film import Film
from nimmt_lab.engine.cards import TEAM, Seat
from nimmt_lab.engine.decisions import Choice
from nimmt_lab.engine.errors import NotationError
from nimmt_lab.engine.record import Record
from nimmt_lab.screens.base import Work, at_once
from nimmt_lab.screens.table import TableScreen

from .session import Refused


def _nobody(ply: int, seat: Seat, choice: str) -> None:
    raise Refused("live.only_watching")


class SeatScreen(TableScreen):
    """`seat` sees its own hand and chooses for itself (`chosen`); without a seat, the screen shows what everybody sees.

    >>> from nimmt_lab import Classic
    >>> sent = []
    >>> seat = SeatScreen(Record(Classic(players=3, rounds=1), seed=7), 1, lambda *choice: sent.append(choice))
    >>> [one["hand"] is not None for one in (seat.scene["pool"][at] for at in seat.scene["frames"][-1]["seats"])]
    [False, True, False]
    >>> card = seat.record.final.pending[1].options[0]
    >>> seat.handle({"path": [], "message": {"type": "choose", "choice": str(card), "ply": 0, "given": 0}})
    >>> sent == [(0, 1, str(card))], seat.asked
    (True, None)
    """

    def __init__(
        self,
        record: Record,
        seat: Seat | None,
        chosen: Callable[[int, Seat, str], None] = _nobody,
        *,
        lang: str = "en",
        given: Mapping[Seat, Choice] | None = None,
    ) -> None:
        self.seat, self._chosen = seat, chosen
        self._given_before = dict(given or {})
        people = tuple(range(record.game.players)) if seat is None else (seat,)
        super().__init__(record, people=people, lang=lang, left=lambda: None)

    def begin(self, record: Record) -> None:
        super().begin(record)
        if self._given_before:  # chosen before a reload
            self._given |= self._given_before
            self._still()

    def receive(self, message: Obj) -> None:
        """`choose`, and nothing else that a table alone can do: nobody takes back a choice here."""
        if message.get("type") == "leave":
            return
        if message.get("type") != "choose":
            raise Refused("live.not_at_live_table")
        # Ignore a second click that was on its way while the first one was answered.
        if message.get("ply") == len(self.record.choices) and message.get("given") in (None, len(self._given)):
            at_once(self._choose(str(message.get("choice"))))

    @property
    def asked(self) -> Seat | None:
        if self.seat is None:
            return None
        pending = self.record.final.pending
        mine = (seat for seat in (self.seat, TEAM) if seat in pending and seat not in self._given)
        return next((seat for seat in mine if len(pending[seat].options) > 1), None)

    def advance(self, record: Record) -> None:
        """Show the steps that this screen has not shown yet."""
        known = len(self.record.choices)
        steps = record.steps[known:]
        if not steps:
            self.record = record
            return
        self.stop()
        self._given = {}
        film = self._film()
        for step in steps:
            self._advance(film, step.choices)
        self.record = record  # shared by all devices
        self._show(film, moving=True)

    def answered(self, seat: Seat) -> None:
        """Somebody else has chosen for this seat: a bot whose time it was, another page, or a teammate."""
        pending = self.record.final.pending
        if self.asked == seat and seat in pending:
            self._given[seat] = pending[seat].options[0]  # any: it only ends the question
            self._still()

    def _choose(self, text: str) -> Work:
        mine = self.asked
        if mine is None:
            raise NotationError("screens.not_you")
        decision = self.record.final.pending[mine]
        choice = decision.accept(mine, decision.read(text))
        self._chosen(len(self.record.choices), mine, decision.write(choice))
        self._given[mine] = choice
        self._still()
        yield

    def _forced(self) -> None:
        """The class's table makes forced choices."""

    def _play_on(self, film: Film) -> Work:
        self._show(film, moving=True)
        yield

    def _film(self) -> Film:
        if self.seat is None:
            return Film(self.record.game, lang=self._lang, names=self.names, seats=())
        return super()._film()

    def _foretells(self, seat: Seat) -> bool:
        """Nothing is foretold: everybody plays with the same eyes, and thirty proofs a turn would keep all waiting."""
        return False

    def _asides(self) -> Obj:
        return super()._asides() | {"undoable": False, "runs": False, "hints": {}, "hinting": False}
