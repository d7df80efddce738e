"""Learn: Home's first page with the next lesson, a quick game and the puzzle of the day; a box of lessons; a lesson."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import ClassVar, Final

from nimmt_lab.boards.describe import Obj
from nimmt_lab.engine.errors import RulesError
from nimmt_lab.engine.events import Json
from nimmt_lab.engine.files import shown
from nimmt_lab.lessons.asked import words_of
from nimmt_lab.lessons.classroom import find, lesson_names, number_of
from nimmt_lab.lessons.program import not_confirmed
from nimmt_lab.lessons.rules import rules_lesson
from nimmt_lab.lessons.shipped import order
from nimmt_lab.lessons.trust import confirmed
from nimmt_lab.lessons.words import words

from . import reading
from .base import Screen
from .daily import Daily
from .desk import Desk
from .lesson import TEST_QUESTIONS, RulesLesson, lesson
from .lesson_page import stars
from .rules import box as game_box
from .rules import title_of
from .words import labels, screen_words

#: The lessons that come first, outside any box.
FIRST_STEPS: Final = 4
#: The boxes of the first game's other lessons, and of the lessons on probability.
EXTRAS: Final = "extras"
#: The box of rare cases, after the games.
EXPERTS: Final = "experts"
PROBABILITY: Final = "probability"
#: The box of the learner's own lessons.
OWN: Final = "own"
#: The pictograms of the boxes that belong to no single game. A game has its own.
SIGNS: Final[Mapping[str, str]] = {EXTRAS: "cow", EXPERTS: "rising", PROBABILITY: "dice", OWN: "star"}


class LearnScreen(Screen):
    """The first page, a box of lessons, or the open lesson.

    >>> learn = LearnScreen(Desk(None))
    >>> [step["title"] for step in learn.data["steps"]][:2]
    ['The first turn', 'Taking rows']
    >>> learn.receive({"type": "open", "lesson": "traps"})
    >>> learn.data["open"], learn.parts["lesson"].data["title"], learn.place
    ('traps', 'The traps', 'traps')
    """

    module: ClassVar[str] = "screens/learn"

    def __init__(self, desk: Desk) -> None:
        super().__init__()
        self.desk = desk
        #: The open box, if any. A lesson opened from a box returns to it.
        self._box = ""
        self._map()
        kept = desk.memory.get("learn")
        place, box = kept.get("lesson"), kept.get("box")
        if isinstance(box, str) and box in self._boxes():
            self._box = box
        self.open(place if isinstance(place, str) and place in desk.library.names() and self._runs(place) else "")

    @property
    def place(self) -> str:
        return str(self.data["open"]) or (f"box-{self._box}" if self._box else "")

    def visit(self, place: str) -> None:
        """Open what the address names; something unknown is the first page."""
        box = place.removeprefix("box-")
        if place in self.desk.library.names() and self._runs(place):
            self.open(place)
        else:
            self._box = box if place != box and box in self._boxes() else ""
            self.open("")

    def open(self, name: str, *, test: bool = False) -> None:
        """Open a lesson or the test that skips it, or the page it was opened from ("")."""
        if name and not self._runs(name):  # otherwise it would stop at its first question
            raise not_confirmed(self.desk.library.find(name))
        if name:
            self._box = next((box for box, names in self._boxes().items() if name in names), "")
        self._keep(name)
        self._map()
        screen = lesson(name, self.desk, leave=self.open) if name else None
        if test and isinstance(screen, RulesLesson):
            screen.start_test()
        self.put("lesson", screen, open=name)

    def _runs(self, name: str) -> bool:
        """Whether the lesson has no program, or one that was confirmed; raises if there is no such lesson."""
        own = self.desk.library.find(name)
        return not own.program or confirmed(own.fingerprint)

    def open_box(self, box: str) -> None:
        """Open a box of lessons, or the first page ("")."""
        if box and box not in self._boxes():
            raise RulesError("screens.no_box", box=shown(box), known=", ".join(self._boxes()))
        self._box = box
        self._keep("")
        self._map()

    def receive(self, message: Obj) -> None:
        """`open` a lesson (or its `test`) or a `box`; start a `quick` game, or the `daily` puzzle of a date."""
        kind = message.get("type")
        if kind == "open":
            self.open(str(message.get("lesson") or ""), test=message.get("test") is True)
        elif kind == "box":
            self.open_box(str(message.get("box") or ""))
        elif kind == "quick" and self.desk.send is not None:
            self.desk.send("play", {"type": "quick"})
        elif kind == "daily" and self.desk.send is not None:
            self.desk.send("practise", {"type": "daily", "date": message.get("date")})
        else:
            super().receive(message)

    def _keep(self, name: str) -> None:
        kept: dict[str, Json] = {"lesson": name} if name else {}
        self.desk.memory.put("learn", kept | ({"box": self._box} if self._box else {}))

    def _map(self) -> None:
        own = screen_words(self.desk.lang)
        names = lesson_names()
        first = [name for name in names if number_of(name) is None][:FIRST_STEPS]
        done = sum(name in self.desk.progress.done for name in first)
        following = next((name for name in names if name not in self.desk.progress.done), "")
        begun = [name for name in names if self._begun(name)]
        go_on = begun[0] if begun and following not in begun else following
        box = self._box
        self.show(
            labels={**labels(self.desk.lang, "learn")},
            hero=self._hero(go_on),
            daily=Daily(self.desk.memory.get("daily")).plain(),
            steps=[self._card(name, at, name == go_on) for at, name in enumerate(first, 1)],
            progress=own("learn.first_progress", done=done, all=len(first)),
            boxes=[self._shelf(name, lessons) for name, lessons in self._boxes().items()],
            box=None if not box else self._opened(box, go_on),
            open=self.data.get("open", ""),
            plays="play" in self.desk.screens,
            puzzles="practise" in self.desk.screens,
        )

    def _boxes(self) -> dict[str, list[str]]:
        own = [*self.desk.library.own()]
        return {**boxes(), **({OWN: own} if own else {})}

    def _title(self, name: str) -> str:
        return words_of(self.desk.library.find(name), self.desk.lang)(f"{name}.title")

    def _steps_of(self, name: str) -> int:
        return steps_of(name) if name in lesson_names() else len(self.desk.library.find(name).steps) + 1

    def _begun(self, name: str) -> bool:
        at = self.desk.memory.get(f"lesson {name}").get("at", 0)
        return name not in self.desk.progress.done and isinstance(at, int) and at > 0

    def _hero(self, name: str, title: str = "") -> Obj:
        """The lesson to continue with, or to start, under its title or another."""
        own = screen_words(self.desk.lang)
        if not name:
            done = own("learn.all_done"), own("learn.all_done_text")
            return {"lesson": "", "title": done[0], "text": done[1], "button": "", "test": ""}
        title = title or self._title(name)
        key = "go_on_with" if self._begun(name) else "start_with"
        fresh = not self.desk.progress.done and not self._begun(name)
        say = own("learn.hero_first") if fresh else own("learn.hero_next")
        return {
            "lesson": name,
            "title": say,
            "text": own("learn.steps_long", title=title, count=self._steps_of(name)),
            "button": own(f"learn.{key}", title=title),
            "test": self._test_words(name),
        }

    def _test_words(self, name: str) -> str:
        """The offer to skip a lesson by a test; probability lessons have none."""
        if name in self.desk.progress.done or name not in lesson_names() or number_of(name) is not None:
            return ""
        return words(self.desk.lang)("page.skip_lesson", count=TEST_QUESTIONS)

    def _card(self, name: str, number: int, following: bool) -> Obj:
        own, done = screen_words(self.desk.lang), self.desk.progress.done
        if name in done:
            right, of = done[name]
            return {
                "name": name,
                "number": number,
                "title": self._title(name),
                "state": "done",
                "stars": stars(right, of),
                "words": own("learn.result", right=right, all=of),
                "test": "",
            }
        state = "begun" if self._begun(name) else "next" if following else ""
        return {
            "name": name,
            "number": number,
            "title": self._title(name),
            "state": state,
            "stars": 0,
            "words": own("learn.steps", count=self._steps_of(name)) + (f" · {own(f'learn.{state}')}" if state else ""),
            "test": self._test_words(name),
        }

    def _shelf(self, name: str, lessons: list[str]) -> Obj:
        own = screen_words(self.desk.lang)
        done = sum(lesson in self.desk.progress.done for lesson in lessons)
        said = own("learn.lessons", count=len(lessons))
        return {
            "name": name,
            "title": self._box_title(name),
            "icon": SIGNS[name] if name in SIGNS else game_box(name, self.desk.lang).icon,
            "words": f"{said} · {own('learn.done_of', done=done)}" if done else said,
            "done": done,
            "all": len(lessons),
        }

    def _box_title(self, name: str) -> str:
        own = screen_words(self.desk.lang)
        return own(f"learn.{name}") if name in (EXTRAS, EXPERTS, PROBABILITY, OWN) else title_of(name, self.desk.lang)

    def _opened(self, name: str, following: str) -> Obj:
        lessons = self._boxes()[name]
        cards = [self._card(each, at, each == following) for at, each in enumerate(lessons, 1)]
        for card, title in zip(cards, apart([str(card["title"]) for card in cards]), strict=True):
            card["title"] = title
        now = next((card for card in cards if card["state"] != "done"), cards[0])
        hero = self._hero(str(now["name"]), str(now["title"])) | {"title": self._box_title(name)}
        return {"name": name, "hero": hero, "icon": self._shelf(name, lessons)["icon"], "lessons": [*cards]}


def apart(titles: list[str]) -> list[str]:
    """Titles without the words before the colon that all of them share.

    >>> apart(["Fan card: Mountain", "Fan card: a twist"]), apart(["The table: rows", "Odds"])
    (['Mountain', 'A twist'], ['The table: rows', 'Odds'])
    """
    heads = {title.partition(": ")[0] for title in titles}
    if len(heads) > 1 or not all(": " in title for title in titles):
        return titles
    return [(rest := title.partition(": ")[2])[:1].upper() + rest[1:] for title in titles]


def boxes() -> dict[str, list[str]]:
    """The lessons after the first steps by the game they teach, then those on probability.

    >>> list(boxes())[0], boxes()["extras"][0], boxes()["probability"][0]
    ('advanced', 'even_odd', 'p1')
    """
    return {box: [name for name, own in _boxed() if own == box] for box in dict.fromkeys(own for _, own in _boxed())}


def _boxed() -> Iterator[tuple[str, str]]:
    rules = [name for name in lesson_names() if number_of(name) is None]
    usual = rules_lesson(rules[0]).steps[0].game.name
    experts = order()["experts"]
    for name in rules[FIRST_STEPS:]:
        game = rules_lesson(name).steps[0].game.name
        yield name, EXPERTS if name in experts else EXTRAS if game == usual else game
    for name in lesson_names():
        if number_of(name) is not None:
            yield name, PROBABILITY


def steps_of(name: str) -> int:
    """The number of steps of a lesson."""
    number = number_of(name)
    return (len(rules_lesson(name).steps) if number is None else len(reading.steps_of(find(name)))) + 1
