"""What the teacher can do from the wall, and what the wall shows."""

from __future__ import annotations

import secrets
from functools import partial

from nimmt_lab.boards.describe import Obj, describer
from nimmt_lab.boards.words import board_words
from nimmt_lab.engine.events import Json
from nimmt_lab.engine.rng import Rng
from nimmt_lab.screens.base import as_object, whole_number

from .core import LONGEST_TIMER, RESULTS
from .floor import Floor
from .found import Found
from .lesson import questions_of
from .page import ClassPage
from .session import FREE, WAIT, Refused
from .table import LIMITS, OPEN, USUAL_LEVEL, LiveTable, games_csv
from .wall import Snapshot, TableLine, WallScreen
from .words import live_words


class Teaching(Floor):
    """Carries out the commands of the wall."""

    def _command(self, message: Obj) -> None:
        kind, session = message.get("type"), self.session
        if kind in ("pace", "start") and self._until is not None and self._until <= self.now:
            self._until = None  # the class moves on: "Time is up" has been seen
            self._ring()
        if kind == "pace":
            at = whole_number(message.get("at", session.at), 0, 1000)
            pace = WAIT if message.get("pace") == WAIT else FREE
            self._write({"do": "pace", "pace": pace, "at": session.at if at is None else at})
            self._in_step()
        elif kind == "reveal":
            question = message.get("question")
            if question in questions_of(self.lesson, session.seed) and question not in session.revealed:
                self._write({"do": "reveal", "question": question})
                self._in_step()
        elif kind == "timer":
            seconds = whole_number(message.get("seconds"), 0, LONGEST_TIMER) or 0
            self._until = self.now + seconds if seconds else None
            self._ring()
        elif kind == "lock":
            self._write({"do": "lock", "on": message.get("on") is True})
        elif kind == "release":
            who = message.get("who")
            self._write(session.release(who if isinstance(who, int) else 0))
            assert isinstance(who, int)
            self._show_out(who)
        elif kind == "remove":
            self._remove(whole_number(message.get("who"), 1, 10**6) or 0)
        elif kind == "code":
            found = Found.read(str(message.get("code"))[:60])
            self._write({"do": "code", "code": found.code()})
        elif kind == "uncode":
            self._write({"do": "uncode", "code": str(message.get("code"))[:60]})
        elif kind == "data":
            text = games_csv(self.session.played)
            self._pages[0].output.emit({"path": [], "message": {"type": "file", "name": RESULTS, "text": text}})
        else:
            self._table_command(message)

    def _remove(self, who: int) -> None:
        table = self.session.table_of(who)
        self._write(self.session.remove(who, live_words(self.session.lang)("page.bot")))
        self._show_out(who)
        if table is not None:
            self._go_on(table)
        self._offer()

    def _table_command(self, message: Obj) -> None:
        kind, session = message.get("type"), self.session
        number = message.get("table")
        if kind == "tables":
            self._set_tables(message)
        elif kind == "start":
            for table in list(session.tables.values()):
                if table.phase == OPEN and (number is None or table.number == number):
                    names: list[Json] = [*session.names_at(table, live_words(session.lang)("page.bot"))]
                    self._write({"do": "start", "table": table.number, "names": names})
                    self._go_on(table)
            self._offer()
        elif kind == "again":
            for table in self._finished():
                if (number is None or table.number == number) and table.file:
                    self._write({"do": "again", "table": table.number, "seed": secrets.randbits(62)})
                    self._go_on(table)
        elif kind == "close":
            table = session.table(number)
            people = [who for who in table.seats if who is not None]
            self._write({"do": "close", "table": table.number})
            for who in people:
                self._push(who)
            self._offer()
        elif kind == "unseat":
            who = whole_number(message.get("who"), 1, 10**6) or 0
            self._write({"do": "stand", "who": who})
            self._push(who)
            self._offer()

    def _set_tables(self, message: Obj) -> None:
        session, setup = self.session, as_object(message.get("setup"))
        size = whole_number(setup.get("players"), 2, 10)
        if size is None:
            raise Refused("live.table_seats", least=2, most=10, got=str(setup.get("players"))[:20])
        limit, level = message.get("limit"), message.get("level")
        limit = limit if isinstance(limit, int) and limit in LIMITS else 60
        level = level if isinstance(level, str) and level.startswith("level-") else USUAL_LEVEL
        seats: list[list[int | None]]
        if message.get("how") == "deal":
            here = [who for who in session.unseated() if who in self._pages and self._pages[who].sockets]
            if not here:
                raise Refused("live.nobody_to_deal")
            seats = session.deal(here, size, Rng.from_seed(secrets.randbits(62)))
        else:
            count = whole_number(message.get("count", 1), 1, 60) or 1
            seats = [[None] * size for _ in range(count)]
        for own in seats:
            entry = session.new_table(setup, seed=secrets.randbits(62), limit=limit, level=level, seats=own)
            self._write(entry)
            self._push_table(session.table(entry["table"]))
        self._offer()

    def _in_step(self) -> None:
        follow = self._follow()
        for online in self._pages.values():
            if isinstance(page := online.page, ClassPage):
                online.worker.put(partial(page.keep_in_step, follow))

    def _left(self) -> float | None:
        return None if self._until is None else max(0.0, self._until - self.now)

    def _ring(self) -> None:
        left = self._left()
        for who, online in self._pages.items():
            name = "clock" if who else "timer"
            online.worker.put(partial(online.page.show, **{name: left}))

    def _snapshot(self) -> Snapshot:
        session = self.session
        page = f"lesson {session.lesson}"
        members: list[Obj] = []
        for member in session.members.values():
            online = self._pages.get(member.number)
            at = member.pages.get(page, {}).get("at", 0)
            table = session.table_of(member.number)
            members.append(
                {
                    "who": member.number,
                    "name": member.name,
                    "here": online is not None and bool(online.sockets),
                    "free": not member.mark,
                    "at": at if isinstance(at, int) else 0,
                    "table": None if table is None else table.number,
                    "said": [question for question, said in session.answers.items() if member.number in said],
                }
            )
        word = live_words(session.lang)("page.bot")
        lines = [self._line(table, word) for table in session.tables.values()]
        return Snapshot(
            tuple(members), session.pace, session.at, frozenset(session.revealed),
            {question: dict(said) for question, said in session.answers.items()},
            {question: dict(ran) for question, ran in session.ran.items()},
            tuple(session.codes.items()), tuple(lines), tuple(session.played), session.locked,
            self.journal.keeps and not self._unsaved,
        )  # fmt: skip

    def _line(self, table: LiveTable, word: str) -> TableLine:
        names = self.session.names_at(table, word)
        thinking, free = set(table.thinking), set(table.free)
        seats = tuple((name, at in free, at in thinking) for at, name in enumerate(names))
        state = table.state
        title = describer(table.game, board_words(self.session.lang)).title()
        return TableLine(
            table.number, table.phase, title, seats, state.round, state.turn, table.record,
            tuple(table.results(self.session.lang)), table.games,
        )  # fmt: skip

    def _refresh_wall(self) -> None:
        online = self._pages.get(0)
        if online is None:
            return
        snapshot, page = self._snapshot(), online.page
        assert isinstance(page, WallScreen)
        online.worker.put(lambda: page.refresh(snapshot))
        self._dirty = False
