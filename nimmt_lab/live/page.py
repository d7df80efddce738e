"""A pupil's page: the lesson, the table, and how the game ended.

Everything here runs in a thread of its own, one message at a time. What it changes in the class is in `effects`; what
the class changes here comes through `follow`, `sit` and `clock`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import ClassVar

from nimmt_lab.boards.describe import Obj, describer
from nimmt_lab.boards.words import board_words
from nimmt_lab.engine.cards import Seat
from nimmt_lab.engine.decisions import Choice
from nimmt_lab.engine.errors import NotationError
from nimmt_lab.engine.events import Json
from nimmt_lab.engine.files import shown
from nimmt_lab.engine.record import Record
from nimmt_lab.engine.sentences import LANGUAGES
from nimmt_lab.screens.base import Screen
from nimmt_lab.screens.course import CourseScreen
from nimmt_lab.screens.desk import Desk
from nimmt_lab.screens.replay import ReplayScreen
from nimmt_lab.screens.words import LANGUAGE_NAMES

from .found import Found
from .lesson import ClassMemory, Follow, InClass, Taught, class_lesson, number_in
from .pool import Counts
from .seat import SeatScreen
from .session import WAIT, Refused
from .table import OPEN, OVER, LiveTable, Result
from .words import labels, live_words


@dataclass(frozen=True)
class Sitting:
    """A table as one device may know it: no hand of another seat, and no seed of the deal, leaves `record` here."""

    number: int
    games: int
    phase: str
    seat: Seat
    record: Record
    #: Names by seat, whether a bot sits there, and who is still to choose.
    names: tuple[str, ...]
    bots: frozenset[Seat]
    thinking: tuple[Seat, ...]
    given: Mapping[Seat, Choice]
    left: float | None
    results: tuple[Result, ...] = ()

    @classmethod
    def of(cls, table: LiveTable, who: int, names: Sequence[str], now: float, lang: str) -> Sitting:
        seat = table.seat_of(who)
        assert seat is not None
        mine = {at: choice for at, choice in table.given.items() if table.may_choose(who, at)}
        return cls(
            table.number, table.games, table.phase, seat, table.record,
            tuple(names), frozenset(table.free),
            tuple(table.thinking), mine, table.left(seat, now), tuple(table.results(lang)),
        )  # fmt: skip


@dataclass(frozen=True)
class Begin:
    """What a page starts from."""

    name: str
    lang: str
    lesson: Taught
    seed: int
    follow: Follow
    pages: Mapping[str, Obj] = field(default_factory=dict)
    held: Mapping[str, str] = field(default_factory=dict)
    ran: Mapping[str, Counts] = field(default_factory=dict)


class ClassPage(Screen):
    """The page of one pupil.

    >>> page = ClassPage(Begin("Ann", "en", "p2", 7, Follow()))
    >>> page.start()
    >>> page.handle({"path": ["lesson"], "message": {"type": "go", "at": 3}})
    >>> page.handle({"path": ["lesson", "board"], "message": {"type": "answer", "text": "10"}})
    >>> [effect for effect in page.effects if effect["do"] == "said"]
    [{'do': 'said', 'question': 'p2.between', 'said': '10'}]
    """

    module: ClassVar[str] = "screens/class_page"

    def __init__(self, begin: Begin) -> None:
        super().__init__()
        #: Journal entries, without the pupil's number, that are not written yet.
        self.effects: list[Obj] = []
        self.begin = begin
        self.lang = begin.lang
        self.follow = begin.follow
        self.desk = Desk(None, lang=begin.lang)
        self.desk.memory = ClassMemory(begin.pages, self._keep)
        self.sitting: Sitting | None = None
        self._open: list[Json] = []
        self._tab = "lesson" if begin.lesson else "table"
        self._held, self._ran = dict(begin.held), dict(begin.ran)
        self._label()

    def start(self) -> None:
        """Open the lesson."""
        self._put_lesson()
        self._label()

    def _keep(self, name: str, changed: Obj) -> None:
        self.effects.append({"do": "page", "name": name, "set": changed})

    def _put_lesson(self) -> None:
        begin = self.begin
        if begin.lesson:
            part = class_lesson(
                begin.lesson, self.desk, seed=begin.seed, follow=self.follow, effects=self.effects,
                held=self._held, ran=self._ran,
            )  # fmt: skip
            self._held, self._ran = part.held, part.ran
            self.put("lesson", part)

    @property
    def lesson(self) -> InClass | None:
        part = self.parts.get("lesson")
        return part if isinstance(part, InClass) else None

    @property
    def seat(self) -> SeatScreen | None:
        part = self.parts.get("table")
        return part if isinstance(part, SeatScreen) else None

    def receive(self, message: Obj) -> None:
        """`tab`, `lang`, `sit`, `stand`; at the end of a game `replay`, `review` and `back`."""
        kind = message.get("type")
        if kind == "tab":
            tab = message.get("tab")
            if tab in ("lesson", "table"):
                self._tab = str(tab)
                self.show(tab=self._tab)
        elif kind == "lang":
            self.switch(str(message.get("lang")))
        elif kind in ("sit", "stand"):
            self.effects.append({"do": str(kind), "table": message.get("table")})
        elif kind == "replay":
            self._replay()
        elif kind == "review":
            self._replay()
            course = self.parts.get("course")
            if isinstance(course, CourseScreen):
                course.receive({"type": "run"})
        elif kind == "back":
            self.put("course", None)
            self.put("replay", None, looking=False)
        else:
            super().receive(message)

    def switch(self, lang: str) -> None:
        if lang not in LANGUAGES:
            raise NotationError("shared.no_language", lang=shown(lang), known=", ".join(LANGUAGES))
        if lang == self.lang:
            return
        self.lang = lang
        self.effects.append({"do": "lang", "lang": lang})
        self.desk.switch(lang)
        self._put_lesson()
        sitting, self.sitting = self.sitting, None
        self.sit(sitting)
        self._label()

    def _label(self) -> None:
        self.show(
            labels={**labels(self.lang, "page")},
            lang=self.lang,
            languages=[[lang, LANGUAGE_NAMES[lang]] for lang in LANGUAGES],
            name=self.begin.name,
            tab=self._tab,
            lesson=bool(self.begin.lesson),
            pace=self.follow.pace,
            open=self._open,
            found=self._found(),
            looking="replay" in self.parts,
            clock=self.data.get("clock"),
            **self._about(),
        )

    # What the class changes -------------------------------------------------------------------------------

    def keep_in_step(self, follow: Follow) -> None:
        """The teacher has set the pace, or revealed an answer."""
        moved = (self.follow.pace, self.follow.at) != (follow.pace, follow.at)
        self.follow = follow
        if self.lesson is not None:
            self.lesson.keep_in_step(follow)
        if moved and follow.pace == WAIT and self.begin.lesson:
            self._tab = "lesson"
        self.show(pace=follow.pace, tab=self._tab)

    def tables(self, free: Sequence[Obj]) -> None:
        """The tables with free seats."""
        if self._open != [*free]:
            self._open = [*free]
            self.show(open=self._open)

    def clock(self, left: float | None) -> None:
        """The teacher's timer: seconds left, or None."""
        self.show(clock=left)

    def sit(self, sitting: Sitting | None) -> None:
        """The table has changed, or this pupil's place."""
        before, self.sitting = self.sitting, sitting
        seat = self.seat
        if sitting is None or sitting.phase == OPEN:
            if seat is not None:
                self.put("table", None)
        else:
            same = before is not None and seat is not None and before.seat == sitting.seat
            same = same and (before.number, before.games) == (sitting.number, sitting.games)  # type: ignore[union-attr]
            if seat is None or not same:
                self._leave_replay()
                screen = SeatScreen(sitting.record, sitting.seat, self._chosen, lang=self.lang, given=sitting.given)
                self._tab = "table"
                self.put("table", screen, tab=self._tab)
            else:
                seat.advance(sitting.record)
                for mine in sitting.given:
                    seat.answered(mine)
        if changed := {name: value for name, value in self._about().items() if self.data.get(name) != value}:
            self.show(**changed)

    def _leave_replay(self) -> None:
        if "replay" in self.parts:
            self.put("course", None)
            self.put("replay", None, looking=False)

    def _chosen(self, ply: int, seat: Seat, choice: str) -> None:
        assert self.sitting is not None
        table = self.sitting.number
        self.effects.append({"do": "choose", "table": table, "ply": ply, "seat": seat, "choice": choice})

    def _about(self) -> Obj:
        """What the page says about the table."""
        sitting = self.sitting
        if sitting is None:
            return {"table": None, "result": None}
        seats: list[Json] = [
            {
                "name": name,
                "bot": seat in sitting.bots,
                "you": seat == sitting.seat,
                "thinking": seat in sitting.thinking,
            }
            for seat, name in enumerate(sitting.names)
        ]
        card = sitting.given.get(sitting.seat)
        chosen = live_words(self.lang)("page.chosen", card=card) if isinstance(card, int) else ""
        table: Obj = {
            "number": sitting.number, "phase": sitting.phase, "seats": seats, "left": sitting.left, "chosen": chosen,
        }  # fmt: skip
        return {"table": table, "result": self._result(sitting)}

    def _result(self, sitting: Sitting) -> Json:
        if sitting.phase != OVER:
            return None
        game = sitting.record.game
        rows = sorted(sitting.results, key=lambda one: (not one.won, one.points * (-1 if game.more_is_better else 1)))
        lines: list[Json] = [
            {"name": one.name, "points": one.points, "won": one.won, "you": one.seat == sitting.seat} for one in rows
        ]
        return {"rows": lines, "heads": describer(game, board_words(self.lang)).points_are_heads}

    def _replay(self) -> None:
        """The finished game, with all hands open, and what each choice cost."""
        sitting = self.sitting
        if sitting is None or sitting.phase != OVER:
            raise Refused("live.no_finished_game")
        record = sitting.record
        if "replay" in self.parts:
            return
        replay = ReplayScreen(record, seat=sitting.seat, lang=self.lang)
        starts = {ply: at for at, frame in enumerate(replay.frames) if isinstance(ply := frame.get("ply"), int)}

        def go(at: int) -> None:
            replay.at = at

        self.put("replay", replay, looking=True)
        others = [seat for seat in range(record.game.players) if seat != sitting.seat]
        course = CourseScreen(record, starts, go, names=record.names, hidden=others, lang=self.lang)
        course.show(seat=sitting.seat)
        self.put("course", course)

    # What a pupil found, without a network ----------------------------------------------------------------

    def _found(self) -> Json:
        """Short codes of this pupil's results, with the questions they belong to."""
        if not self.begin.lesson:
            return []
        say = live_words(self.lang)
        made: list[Json] = []
        for question, counts in self._ran.items():
            number = number_in(self.begin.lesson, self.begin.seed, question)
            found = Found.of(number, counts) if number else None
            if found is not None:
                made.append(say("page.found_code", number=number, code=found.code()))
        return made

    def settle(self) -> list[Obj]:
        """Called after every message: the effects so far, which are handed over."""
        if self._ran and (found := self._found()) != self.data.get("found"):
            self.show(found=found)
        made = self.effects[:]
        self.effects.clear()  # the lesson appends to the same list
        return made
