"""The class at work: sockets, pages, bots, the journal and the clock, on one event loop.

The hub knows neither tornado nor the time: `receive` and `tick` get both.
"""

from __future__ import annotations

import hmac
import json
import secrets
import sys
import traceback
from collections import Counter
from collections.abc import Callable
from functools import partial

from nimmt_lab.boards.describe import Obj
from nimmt_lab.engine.errors import NimmtError, NotationError
from nimmt_lab.engine.files import parse_json
from nimmt_lab.engine.sentences import LANGUAGES
from nimmt_lab.explain.errors import translate
from nimmt_lab.screens.base import Screen, as_object

from . import limits
from .core import MOST_WAITING, SYNC_EVERY, Online, Socket, hear, mark_of, tell
from .page import Begin, ClassPage
from .session import Member, Refused
from .table import PLAYING
from .teaching import Teaching
from .wall import WallScreen
from .words import live_words
from .worker import Output, Worker


class Hub(Teaching):
    """Receives messages and ticks; see `Core` for what it is made of."""

    def begin(self) -> None:
        """Continue the games of a class that was begun before."""
        for table in self.session.tables.values():
            self._go_on(table)

    # Sockets ----------------------------------------------------------------------------------------------

    def opened(self, socket: Socket, now: float) -> None:
        self._sockets[socket.number] = socket
        self._strangers[socket.number] = now
        self._buckets[socket.number] = limits.Bucket(limits.RATE, limits.BURST, now)

    def closed(self, socket: Socket) -> None:
        number = socket.number
        self._sockets.pop(number, None)
        self._strangers.pop(number, None)
        self._buckets.pop(number, None)
        who = self._who.pop(number, None)
        if who is not None and who in self._pages:
            self._pages[who].sockets.pop(number, None)
            self._dirty = True

    def connections(self) -> Counter[str]:
        """Open sockets by address."""
        return Counter(socket.address for socket in self._sockets.values())

    def close(self) -> None:
        """End the class; the journal has everything."""
        self._runner.close()
        self.journal.close()

    def receive(self, socket: Socket, text: str, now: float) -> None:
        """Handle a message. Nonsense is ignored, a flood closes the socket."""
        self.now = max(self.now, now)
        number = socket.number
        if number not in self._buckets:
            return
        if not self._buckets[number].spend(now):
            socket.close()
            return
        stranger = number in self._strangers
        if len(text) > (limits.LONGEST_STRANGER if stranger else limits.LONGEST):
            socket.close()
            return
        try:
            said = parse_json(text)
        except NotationError:
            return
        if not isinstance(said, dict):
            return
        message = as_object(said)
        if stranger:
            self._welcome(socket, message, now)
            return
        online = self._pages.get(self._who[number])
        if online is None:
            return
        if message.get("type") == "leave" and self._who[number]:
            self._write(self.session.release(self._who[number]))
            self._show_out(self._who[number])
            return
        if online.worker.waiting > MOST_WAITING:
            socket.close()
            return
        online.worker.put(lambda: hear(online, number, message))

    def _welcome(self, socket: Socket, message: Obj, now: float) -> None:
        """The first message of a page: who it is."""
        kind, lang = message.get("type"), message.get("lang")
        spoken = lang if isinstance(lang, str) and lang in LANGUAGES else self.session.lang
        if (wait := self._door.wait(socket.address, now)) > 0 and kind != "hello":
            text = live_words(spoken)("page.slow_down", seconds=int(wait) + 1)
            tell(socket, {"type": "no", "text": text, "wait": int(wait) + 1})
            return
        token = message.get("token")
        if kind == "wall":
            if isinstance(token, str) and socket.local and _same(token, self.session.wall):
                self._come_in(socket, 0, message)
            else:
                self._door.wrong(socket.address, now)
                tell(socket, {"type": "out"})
        elif kind == "hello":
            member = self.session.with_mark(mark_of(token)) if isinstance(token, str) else None
            if member is None:
                tell(socket, {"type": "out"})
            else:
                self._come_in(socket, member.number, message)
        elif kind == "join":
            self._join(socket, message, spoken, now)

    def _join(self, socket: Socket, message: Obj, lang: str, now: float) -> None:
        code, name = message.get("code"), message.get("name")
        if not isinstance(code, str) or not isinstance(name, str):
            return
        plain = "".join(letter for letter in code.upper() if letter.isalnum())
        if not _same(plain, self.session.code):
            self._door.wrong(socket.address, now)
            tell(socket, {"type": "no", "text": live_words(lang)("page.wrong_code")})
            return
        token = secrets.token_urlsafe(16)
        try:
            entry = self.session.join(name, mark=mark_of(token), lang=lang)
            if entry["who"] not in self.session.members:
                if not socket.local and not self._door.may_name(socket.address):
                    raise Refused("live.too_many_names")
                self._door.named(socket.address)
        except NimmtError as error:
            tell(socket, {"type": "no", "text": translate(error, lang)})
            return
        self._door.right(socket.address)
        self._write(entry)
        tell(socket, {"type": "joined", "token": token})
        who = entry["who"]
        assert isinstance(who, int)
        if who in self._pages:
            self._forget(who)
        self._come_in(socket, who, {"version": -1})

    def _come_in(self, socket: Socket, who: int, message: Obj) -> None:
        online = self._pages.get(who) or self._open(who)
        if len(online.sockets) >= limits.MOST_PAGES:
            oldest = next(iter(online.sockets.values()))
            tell(oldest, {"type": "elsewhere"})
            oldest.close()
            self.closed(oldest)
        self._strangers.pop(socket.number, None)
        self._who[socket.number] = who
        online.sockets[socket.number] = socket
        left = self._left()
        number = socket.number

        def greet() -> None:
            online.page.show(**({"clock": left} if who else {"timer": left}))
            hear(online, number, {"type": "hello", "version": message.get("version")})

        online.worker.put(greet)
        self._dirty = True

    def _open(self, who: int) -> Online:
        """Make the page of a pupil, or the wall (0)."""
        output = Output()
        page: Screen
        if who == 0:
            page = self._make_wall()
        else:
            page = ClassPage(self._begin(self.session.members[who]))
        worker = Worker(
            self._runner, lambda: self._after(who, online), lambda problem: self._failed(who, online, problem)
        )
        online = Online(page, worker, output)
        page.listen(output.emit, worker.drive)
        self._pages[who] = online
        if who:
            table = self.session.table_of(who)
            free = self._free()
            sitting = None if table is None else self._sitting(table, who)

            def settle() -> None:
                assert isinstance(page, ClassPage)
                page.start()
                page.tables(free)
                page.sit(sitting)

            worker.put(settle)
        else:
            self._refresh_wall()
        return online

    def _begin(self, member: Member) -> Begin:
        session, who = self.session, member.number
        held = {
            question: said[who]
            for question, said in session.held.items()
            if who in said and question not in session.revealed
        }
        ran = {question: counts[who] for question, counts in session.ran.items() if who in counts}
        return Begin(member.name, member.lang, self.lesson, session.seed, self._follow(), member.pages, held, ran)

    # What pages have done ---------------------------------------------------------------------------------

    def _after(self, who: int, online: Online) -> None:
        """Journal what a page has changed, then let it speak."""
        if self._pages.get(who) is online:
            self._take(who, online)
        online.say()

    def _take(self, who: int, online: Online) -> None:
        page = online.page
        if isinstance(page, WallScreen):
            for command in page.settle():
                self._safely(online, self.session.lang, partial(self._command, command))
        elif isinstance(page, ClassPage):
            for effect in page.settle():
                lang = self.session.members[who].lang
                self._safely(online, lang, partial(self._effect, who, effect))

    def _safely(self, online: Online, lang: str, act: Callable[[], None]) -> None:
        try:
            act()
        except NimmtError as error:
            online.output.emit({"path": [], "message": {"type": "refused", "text": translate(error, lang)}})
        except Exception as problem:  # a mistake of ours must not stop the class
            print("".join(traceback.format_exception(problem)), file=sys.stderr)

    def _failed(self, who: int, online: Online, problem: BaseException) -> None:
        """Work that was refused says why. After a mistake of ours, the teacher's terminal gets the trace, and the
        pupil a fresh page."""
        if isinstance(problem, NimmtError):
            text = translate(problem, self.session.members[who].lang if who else self.session.lang)
            online.output.emit({"path": [], "message": {"type": "refused", "text": text}})
            return
        print("".join(traceback.format_exception(problem)), file=sys.stderr)
        if self._pages.get(who) is not online:
            return
        del self._pages[who]
        online.worker.stop()
        again = self._open(who)
        again.output.version = online.output.version + 1
        again.sockets = online.sockets
        for number in again.sockets:
            again.worker.put(partial(hear, again, number, {"type": "hello", "version": -1}))

    def _effect(self, who: int, effect: Obj) -> None:
        do = effect["do"]
        session = self.session
        if do == "choose":
            table = session.tables.get(effect["table"]) if isinstance(effect["table"], int) else None
            seat = effect["seat"]
            if table is not None and isinstance(seat, int) and table.may_choose(who, seat):
                self._choose(table, {**effect, "who": who})
        elif do == "sit":
            number = effect.get("table")
            self._write(session.sit(who, number if isinstance(number, int) else 0))
            self._seated(session.table(number))
        elif do == "stand":
            table = session.table_of(who)
            if table is not None and table.phase == PLAYING:
                raise Refused("live.still_playing")
            self._write({"do": "stand", "who": who})
            self._push(who)
            self._offer()
        else:
            entry: Obj = {**effect, "who": who}
            size = len(json.dumps(effect)) if do in ("page", "ran", "said") else 0
            if not session.may_keep(who, size):
                raise Refused("live.too_much_kept")
            self._write({**entry, "size": size} if do == "page" else entry)
        self._dirty = True

    # The clock --------------------------------------------------------------------------------------------

    def tick(self, now: float) -> None:
        """Called a few times a second."""
        self.now = max(self.now, now)
        self._ticks += 1
        for table in self.session.tables.values():
            for seat in table.overdue(now):
                self._think(table, seat, "clock")
        for number, since in list(self._strangers.items()):
            if now - since > limits.PATIENCE and number in self._sockets:
                self._sockets[number].close()
        if self._ticks % SYNC_EVERY == 0:
            self.journal.retry()
            self._runner.run(self.journal.sync, lambda problem: None, pool="bot")
            for table in self._finished():
                if not table.file:
                    self._save(table)
        wall = self._pages.get(0)
        if self._dirty and wall is not None and wall.sockets and not wall.worker.waiting:
            self._refresh_wall()


def _same(one: str, other: str) -> bool:
    return hmac.compare_digest(one.encode("utf-8", "replace"), other.encode("utf-8", "replace"))
