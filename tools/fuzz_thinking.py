"""Messages to Home while it is at work, as targets of `tools/fuzz.py`: bots think, a search runs, a task is being made.

Work advances one step at a time, as it does between two messages of a browser. No message may leave anything waiting
forever: once the work is done or stopped, no screen is still busy, an unfinished table waits for somebody's choice, and
every screen can be opened.
"""

from __future__ import annotations

import inspect
import json
import re
from collections.abc import Callable, Iterator

from nimmt_lab import Classic, Record
from nimmt_lab.boards.describe import Obj
from nimmt_lab.engine.record import Choices
from nimmt_lab.screens.base import Screen, Work
from nimmt_lab.screens.desk import Desk
from nimmt_lab.screens.home import SCREENS, HomeScreen
from nimmt_lab.screens.table import TableScreen
from tools.fuzz import Target

_KINDS = re.compile(r'(?:kind|\("type"\)) (?:==|!=|in) (\("[^)]*\)|"\w+")')
#: Steps of each piece of work before it is stopped; simulations and experiments never finish within them.
STEPS = 80
FEW_STEPS = {"odds": 3, "learn": 10}

SETUP: Obj = {
    "game": "classic", "players": 3, "seed": 7, "options": {"rounds": 1},
    "seats": [{"name": "Ann", "level": "person"}, {"name": "", "level": "level-1"}, {"name": "", "level": "level-1"}],
}  # fmt: skip


class Thinking:
    """Home, and its unfinished work."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.works: list[Work] = []
        self.home = HomeScreen(Desk(None))
        self.home.listen(lambda said: None, self._drive)
        self.say([], type="go", to=name)
        for path, message in _begins(name, self.home):
            self.say(path, **message)

    def _drive(self, work: Work) -> None:
        if self._step(work):
            self.works.append(work)

    def _step(self, work: Work) -> bool:
        return next(work, StopIteration) is not StopIteration

    def say(self, path: list[str], **message: object) -> None:
        self.home.handle({"path": [*path], "message": message})  # type: ignore[dict-item]

    def finish(self) -> None:
        """Continue all work, and stop long work as a person would."""
        for _ in range(FEW_STEPS.get(self.name, STEPS)):
            self.works = [work for work in self.works if self._step(work)]
            if not self.works:
                break
        for path, part in _parts(self.home):
            if part.data.get("running") is True and self.works:
                self.say(path, type="stop")
        self.works.clear()

    def check(self) -> None:
        """Check that nothing hangs."""
        for path, part in _parts(self.home):
            assert part.data.get("running") is not True and part.data.get("waiting") is not True, f"{path} is busy"
            if isinstance(part, TableScreen):
                assert part.asked is not None or part.record.final.is_over, "nobody is asked, and nobody thinks"
        json.dumps(self.home.whole(), ensure_ascii=False, allow_nan=False).encode()
        for name in ("learn", self.name):
            self.say([], type="go", to=name)
            assert self.home.data["now"] == name


def _parts(screen: Screen, path: tuple[str, ...] = ()) -> Iterator[tuple[list[str], Screen]]:
    yield [*path], screen
    for name, part in list(screen.parts.items()):
        yield from _parts(part, (*path, name))


def _begins(name: str, home: HomeScreen) -> Iterator[tuple[list[str], dict[str, object]]]:
    """The messages that start work on a screen."""
    here = ["screen"]
    if name == "play":
        yield here, {"type": "start", "setup": SETUP}
        table = home.parts["screen"].parts["table"]
        assert isinstance(table, TableScreen)
        yield [*here, "table"], {"type": "choose", "ply": 0, "choice": str(table.record.final.pending[0].options[0])}
    elif name == "analyse":
        yield here, {"type": "open", "text": _some_record().to_text()}
        yield [*here, "judge"], {"type": "ask", "way": "search", "seat": 0}
        yield [*here, "course"], {"type": "run"}
    elif name == "odds":
        yield here, {"type": "mode", "mode": "rounds"}
        yield here, {"type": "run"}
    elif name == "practise":
        yield here, {"type": "start", "setup": {"game": "classic", "players": 2}, "kind": "row", "difficulty": 1}
    elif name == "learn":
        yield here, {"type": "open", "lesson": "p2"}
        yield [*here, "lesson"], {"type": "go", "at": 2}
        yield [*here, "lesson", "board", "experiment"], {"type": "go"}


def _some_record() -> Record:
    """The first turns of a two-player game."""
    game = Classic(players=2, rounds=1, hand_size=5)
    choices: list[Choices] = []
    state = game.deal(1)
    for _ in range(2):
        said = {seat: decision.options[0] for seat, decision in state.pending.items()}
        choices.append(said)
        state, _ = state.choose(said)
    return Record(game, tuple(choices), 1)


def _heard_by(part: Screen) -> set[str]:
    """Every kind of message in this screen's code."""
    text = "".join(inspect.getsource(kind) for kind in type(part).__mro__ if issubclass(kind, Screen))
    return {word for found in _KINDS.findall(text) for word in re.findall(r'"(\w+)"', found)}


def _seeds(begun: Thinking) -> list[str]:
    """Messages for each part, about its current moment."""
    usual: Obj = {
        "ply": 0, "given": 1, "choice": "14", "at": 1, "seat": 0, "way": "odds", "times": 10, "lang": "pl", "on": True,
        "to": begun.name, "setup": SETUP, "kind": "row", "difficulty": 1, "mode": "odds", "seed": 7, "lesson": "p2",
        "text": "3/14", "line": 0, "as": "svg", "form": {"players": 3}, "name": "Ann", "question": 0, "frame": 1,
    }  # fmt: skip
    found: list[str] = []
    for path, part in _parts(begun.home):
        for kind in sorted(_heard_by(part)):
            for given in (1, None):
                message = {"type": kind, **usual, "given": given}
                if kind in ("choose", "run") or given:
                    found.append(json.dumps({"path": path, "message": message}))
    return found


def of_thinking() -> dict[str, Target]:
    """Every screen of Home, working if it has work to do."""
    return {f"thinking-{name}": Target(_thinking(name), _seeds(Thinking(name))) for name in SCREENS}


def _thinking(name: str) -> Callable[[str], object]:
    def read(text: str) -> None:
        try:
            said = json.loads(text)
        except (ValueError, RecursionError):
            said = text
        if isinstance(said, dict):
            begun = Thinking(name)
            begun.home.handle(said)
            begun.finish()
            begun.check()

    return read
