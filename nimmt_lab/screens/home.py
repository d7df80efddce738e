"""Home: all screens behind one menu, over one connection.

To add a screen: list its class (a `DeskScreen` with a `module`) in `SCREENS`, its ES module in
`js/page.js`, its texts in `locale/`, and its name on the menu in the section `home` there.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from typing import ClassVar, Final

from nimmt_lab.boards.describe import Obj
from nimmt_lab.engine.cards import Seat
from nimmt_lab.engine.errors import CannotWrite, NotationError, RulesError
from nimmt_lab.engine.events import Json
from nimmt_lab.engine.files import name_of, shown
from nimmt_lab.engine.record import Record
from nimmt_lab.engine.share import LONGEST
from nimmt_lab.lessons.words import LANGUAGES

from .analyse import AnalyseScreen
from .base import Screen
from .box import BoxScreen
from .desk import Desk
from .learn import LearnScreen
from .memory import FOLDER, LOCKED, PAST, TOO_LARGE, name_now
from .notebooks import NotebooksScreen
from .odds import OddsScreen
from .play import PlayScreen
from .practise import PractiseScreen
from .teach import TeachScreen
from .words import LANGUAGE_NAMES, labels, screen_words

#: The screens in the order of the menu.
SCREENS: Final[Mapping[str, Callable[[Desk], Screen]]] = {
    "learn": LearnScreen,
    "play": PlayScreen,
    "practise": PractiseScreen,
    "analyse": AnalyseScreen,
    "odds": OddsScreen,
    "teach": TeachScreen,
    "box": BoxScreen,
    "notebooks": NotebooksScreen,
}
#: The screens that the menu names at once; the others are under More.
FIRST: Final = ("learn", "play", "practise", "analyse")
#: The longest place in an address: a shared game.
MOST_PLACE: Final = LONGEST + 100
#: The notice for each reason why something cannot be saved.
NOTICES: Final[Mapping[str, str]] = {
    FOLDER: "home.not_kept",
    LOCKED: "home.locked",
    TOO_LARGE: "home.too_large",
    PAST: "home.past",
}


class HomeScreen(Screen):
    """The menu, and the open screen.

    >>> home = HomeScreen(Desk(None))
    >>> home.data["now"]
    'learn'
    >>> home.handle({"path": [], "message": {"type": "go", "to": "play"}})
    >>> home.parts["screen"].module
    'screens/play'
    """

    module: ClassVar[str] = "screens/home"

    def __init__(self, desk: Desk | None = None, without: Collection[str] = ()) -> None:
        """`without` names screens to leave out."""
        super().__init__()
        self.desk = Desk.found() if desk is None else desk
        self._screens = {name: screen for name, screen in SCREENS.items() if name not in without}
        self.desk.open, self.desk.send, self.desk.screens = self.open, self.pass_on, frozenset(self._screens)
        self.desk.trouble = self._unkept
        #: A notice; that something cannot be saved comes before it.
        self._told = ""
        place = name_now(str(self.desk.memory.get("home").get("screen")))
        self.open(place if place in self._screens else next(iter(self._screens)))
        self._placed()

    def open(self, name: str, record: Record | None = None, seat: Seat | None = None) -> None:
        """Open a screen, with a game if it takes one; the choices of `seat` in it are reviewed at once."""
        name = name_now(name)
        if name not in self._screens:
            raise RulesError("screens.no_screen_there", name=shown(name), known=", ".join(self._screens))
        self._told = ""
        screen = self._screens[name](self.desk)
        if record is not None:
            take = getattr(screen, "take", None)
            if take is None:
                raise RulesError("screens.screen_shows_no", name=name)
            take(record)
        self.desk.memory.put("home", {"screen": name})
        self._label(name)
        self.put("screen", screen)
        if seat is not None and isinstance(screen, AnalyseScreen):
            screen.review(seat)

    def pass_on(self, name: str, message: Obj) -> None:
        """Open a screen and pass it a message."""
        self.open(name)
        self.parts["screen"].receive(message)

    @property
    def place(self) -> str:
        """Where the page is, for the browser's address: the screen, and a place inside it."""
        inside = getattr(self.parts.get("screen"), "place", "")
        return f"{self.data['now']}/{inside}" if inside else str(self.data["now"])

    def visit(self, place: str) -> None:
        """Go to a place; an unknown one is the first screen. A screen that is open already is not opened again."""
        name, _, inside = place.partition("/")
        name = name_now(name)
        if name not in self._screens:
            name, inside = next(iter(self._screens)), ""
        if name != self.data["now"]:
            self.open(name)
        go = getattr(self.parts["screen"], "visit", None)
        if go is not None and inside != getattr(self.parts["screen"], "place", ""):
            go(inside)

    def receive(self, message: Obj) -> None:
        """`go` to a screen, `visit` a place, change `lang`, or `leave` (which asks first, until `sure`)."""
        kind = message.get("type")
        if kind == "go":
            self.open(str(message.get("to")))
            if isinstance(screen := self.parts["screen"], LearnScreen):
                screen.visit("")  # its name on the menu means the first page, and Continue is there
        elif kind == "visit":
            self.visit(str(message.get("place"))[:MOST_PLACE])
        elif kind == "lang":
            lang = message.get("lang")
            if lang not in LANGUAGES or not isinstance(lang, str):
                raise NotationError("shared.no_language", lang=shown(lang), known=", ".join(LANGUAGES))
            self.desk.lang = lang  # a refusal is in the new language
            self.open(str(self.data["now"]))
            self.desk.switch(lang)
        elif kind == "leave":
            if message.get("sure") is True:
                self._leave()
            else:
                self.show(asks=message.get("sure") is None)
        else:
            super().receive(message)

    def _leave(self) -> None:
        """Put this person's work away and open the first screen for the next one."""
        try:
            if self.desk.leaver is not None:
                self.desk.leaver()
                return
            where = self.desk.leave()
        except CannotWrite:
            self._told = screen_words(self.desk.lang)("home.not_left")
            self.show(asks=False, told=self._told)
            return
        self.open(next(iter(self._screens)))
        if where:
            self._told = screen_words(self.desk.lang)("home.left", folder=where)
            self.show(told=self._told)

    def _label(self, now: str) -> None:
        say = screen_words(self.desk.lang)
        doors: list[Json] = [
            {"name": name, "title": say(f"home.{name}"), "more": name not in FIRST} for name in self._screens
        ]
        self.show(
            now=now,
            doors=doors,
            lang=self.desk.lang,
            languages=[[lang, LANGUAGE_NAMES[lang]] for lang in LANGUAGES],
            labels={**labels(self.desk.lang, "home")},
            told=self._not_kept() or self._told,
            asks=False,
        )

    def handle(self, said: Obj) -> None:
        """Handle a message. While something cannot be saved, every click tries again, so that the notice is true. After
        this person has left in another tab, show nothing of theirs and do nothing more."""
        if self.desk.is_past:
            self._end()
            return
        super().handle(said)
        if self.desk.why:
            self.desk.retry()
        self._unkept()
        self._placed()

    def _placed(self) -> None:
        if self.parts and self.data.get("place") != (place := self.place):
            self.show(place=place)

    def _end(self) -> None:
        if self.parts:
            self.put("screen", None, told=screen_words(self.desk.lang)(NOTICES[PAST]), asks=False)

    def _unkept(self) -> None:
        if self.data.get("told") != (told := self._not_kept() or self._told):
            self.show(told=told)

    def _not_kept(self) -> str:
        why = self.desk.why
        return screen_words(self.desk.lang)(NOTICES[why], folder=name_of(self.desk.folder or "")) if why else ""
