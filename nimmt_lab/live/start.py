"""Starting a class, or continuing it: the folder, the journal, the addresses."""

from __future__ import annotations

import asyncio
import os
import secrets
import webbrowser
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from nimmt_lab.boards.describe import Obj
from nimmt_lab.engine.errors import CannotWrite, NimmtError, RulesError
from nimmt_lab.engine.events import Json
from nimmt_lab.engine.files import make_folder, name_of, read_text, shown, write_file
from nimmt_lab.lessons.class_list import LARGEST, parse_class_list
from nimmt_lab.lessons.classroom import lesson_names
from nimmt_lab.lessons.codes import SIGNS
from nimmt_lab.lessons.results import file_name
from nimmt_lab.lessons.rules import Lesson
from nimmt_lab.site.qr import code as qr_code

from .core import GAMES, RESULTS
from .hub import Hub
from .journal import Journal, read
from .lesson import questions_of
from .network import PORT, lan_addresses
from .session import MOST_MEMBERS, Session
from .wall import WallScreen
from .words import live_words
from .worker import Threads

JOURNAL: Final = "journal.jsonl"
#: A page that leads to the wall.
DOOR: Final = "wall.html"
#: The letters of a class code.
LETTERS: Final = 5
DEFAULT_FOLDER: Final = Path("~/nimmt-lab/class")
#: Earlier classes of the same name, kept by --new.
_MOST_BEFORE: Final = 1000


@dataclass(frozen=True)
class Options:
    """What the teacher asks for: a lesson of the package by name, or the `own` lesson of a file."""

    lesson: str = ""
    own: Lesson | None = None
    names: Path | None = None
    folder: Path = DEFAULT_FOLDER
    lang: str = "en"
    seed: int = 1
    port: int = PORT
    lan: bool = False
    new: bool = False
    browser: bool = True

    @property
    def place(self) -> Path:
        """The folder of this class: the same arguments lead to the same folder."""
        names = file_name(self.names.stem) if self.names is not None else "class"
        return self.folder.expanduser().absolute() / f"{names}-{self.lesson or 'tables'}"


def class_code() -> str:
    return "".join(SIGNS[secrets.randbelow(len(SIGNS))] for _ in range(LETTERS))


def listed_names(path: Path | None) -> dict[str, int]:
    """Names and own seeds of a class list; plain names, one a line, get no seeds of their own (-1)."""
    if path is None:
        return {}
    text = read_text(path, largest=LARGEST)
    first = text.strip().partition("\n")[0].casefold()
    if first.startswith("name") and any(mark in first for mark in ",;\t"):
        return dict(parse_class_list(text, source=name_of(path)).pupils)
    names = [" ".join(line.split()) for line in text.splitlines() if line.strip()]
    if not names:
        raise RulesError("live.no_names", file=name_of(path))
    checked = Session.begin(lesson="", lang="en", code="", wall="", seed=0)
    for name in names:
        checked.identify(name)  # raises for what can't be a name
    if len(names) > MOST_MEMBERS:
        raise RulesError("live.full", most=MOST_MEMBERS)
    return dict.fromkeys(names, -1)


def begin(options: Options) -> tuple[Session, Journal, bool]:
    """The class of these options: a new one, or the one that was begun before (True)."""
    if options.own is not None:
        questions_of(options.own, options.seed)  # raises if they can't be made: nobody confirmed the program, …
    elif options.lesson and options.lesson not in lesson_names():
        raise RulesError("shared.no_lesson_of", lesson=shown(options.lesson), known=", ".join(lesson_names()))
    mark = "" if options.own is None else options.own.mark
    listed = listed_names(options.names)
    place = options.place
    make_folder(place, private=True)
    if options.new:
        put_aside(place)
    path = place / JOURNAL
    journal = Journal(path)  # first the lock, so that nobody else writes while we read
    try:
        entries = read(path)
        if entries:
            before = Session.read(entries, name_of(path))
            if before.mark != mark:
                raise RulesError("live.lesson_changed", lesson=before.lesson)
            return before, journal, True
        session = Session.begin(
            lesson=options.lesson, lang=options.lang, code=class_code(), wall=secrets.token_urlsafe(24),
            seed=options.seed, listed=listed, mark=mark,
        )  # fmt: skip
        journal.append(session.first)
        if not journal.keeps:
            raise CannotWrite("live.disk_full", folder=str(place))
        return session, journal, False
    except NimmtError:
        journal.close()
        raise


def put_aside(place: Path) -> None:
    """Keep the class of before under another name."""
    if not (place / JOURNAL).exists():
        return
    Journal(place / JOURNAL).close()  # refuses if the class is running
    for number in range(1, _MOST_BEFORE):
        other = place.with_name(f"{place.name}-before-{number}")
        if not os.path.lexists(other):
            try:
                os.rename(place, other)
                make_folder(place, private=True)
            except OSError as problem:
                raise CannotWrite("shared.cannot_write", path=name_of(other), problem=problem.strerror) from None
            return


def delete(options: Options) -> bool:
    """Delete what is stored of a class, and nothing else; whether there was anything."""
    place = options.place
    path = place / JOURNAL
    if not path.is_file():
        return False
    Journal(path).close()  # refuses if the class is running
    try:
        games = place / GAMES
        if games.is_dir() and not games.is_symlink():
            for file in games.glob("*.nimmt"):
                file.unlink()
            if not any(games.iterdir()):
                games.rmdir()
        for name in (RESULTS, DOOR):
            (place / name).unlink(missing_ok=True)
        path.unlink()
        if not any(place.iterdir()):
            place.rmdir()
    except OSError as problem:
        raise CannotWrite("shared.cannot_write", path=name_of(place), problem=problem.strerror) from None
    return True


def addresses(options: Options) -> list[str]:
    """What pupils type, the best first."""
    hosts = lan_addresses() if options.lan else ["127.0.0.1"]
    if not hosts:
        raise RulesError("live.no_network")
    return [f"http://{host}:{options.port}/" for host in hosts]


def drawn_code(text: str) -> Obj:
    """A QR code as the path of its dark modules."""
    square = qr_code(text)
    path = "".join(
        f"M{column + 4} {row + 4}h1v1h-1z"
        for row, line in enumerate(square)
        for column, dark in enumerate(line)
        if dark
    )
    return {"size": len(square) + 8, "path": path}


def open_class(options: Options, say: Callable[[str, Mapping[str, object]], None]) -> None:
    """Run a class until it is interrupted. `say` prints a message by its key."""
    from .server import bind, serve

    places = addresses(options)
    sockets = bind(options.port, lan=options.lan)  # before anything is stored
    try:
        session, journal, resumed = begin(options)
    except NimmtError:
        for one in sockets:
            one.close()
        raise
    wall_address = f"http://127.0.0.1:{options.port}/wall#{session.wall}"

    def wall() -> WallScreen:
        # Scanning the code fills in the class code: it is behind the #, which browsers send to nobody.
        return WallScreen(
            lesson=options.own or session.lesson, seed=session.seed, lang=options.lang, code=session.code,
            addresses=places, qr=drawn_code(f"{places[0]}#{session.code}"), lan=options.lan, folder=str(options.place),
            listed=len(session.listed),
        )  # fmt: skip

    def make(soon: Callable[[Callable[[], None]], object], now: float) -> Hub:
        hub = Hub(session, journal, options.place, Threads(soon), wall, now, options.own)
        hub.begin()
        return hub

    door = options.place / DOOR

    def ready() -> None:
        parts: dict[str, object] = {"code": session.code, "count": len(session.members)}
        say("resumed" if resumed else "begun", parts)
        for place in places:
            say("address", {"address": place})
        say("wall", {"address": wall_address})
        say("plain" if options.lan else "local", {})
        say("folder", {"folder": options.place})
        say("delete", {})
        say("end", {})
        if options.browser:
            # Other users of this machine can read command lines, so the browser gets a private file.
            with suppress(CannotWrite):
                write_file(door, f'<meta http-equiv="refresh" content="0;url={wall_address}">', follow=False)
                webbrowser.open(door.as_uri())

    asyncio.run(serve(make, sockets, lan=options.lan, ready=ready))


def texts(lang: str) -> Callable[[str, Mapping[str, object]], str]:
    """What the command prints, in a language."""
    say = live_words(lang)
    return lambda key, parts: say(f"class.{key}", **parts)


__all__ = ["Json", "Options", "begin", "delete", "open_class", "texts"]
