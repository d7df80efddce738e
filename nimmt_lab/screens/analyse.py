"""Analyse: a game or a position, opened, pasted, set up by clicking or taken down at a table.

Then it is stepped through, with what-if lines that are kept, what every choice cost, and what the options are worth.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterable
from typing import ClassVar

from nimmt_lab.boards import picture
from nimmt_lab.boards.describe import Obj
from nimmt_lab.boards.film import names_of
from nimmt_lab.engine.cards import Seat
from nimmt_lab.engine.errors import NimmtError, NotationError, RulesError
from nimmt_lab.engine.events import Json
from nimmt_lab.engine.files import leads_out, shown
from nimmt_lab.engine.notation import Position
from nimmt_lab.engine.record import Record, Step
from nimmt_lab.engine.state import GameState

from . import export
from .base import Screen
from .course import CourseScreen
from .desk import Desk
from .judge import JudgeScreen
from .notes import one_round
from .play import GAMES
from .replay import ReplayScreen
from .rules import forms, game_of
from .setup import SetupScreen, usual_setup
from .take_down import TakeDownScreen
from .words import labels, screen_words

#: Pasted text is no longer than this, and no more lines of play are kept beside a game.
LONGEST = 2_000_000
MOST_LINES = 40
#: Files that are offered to open.
ENDINGS = (".nimmt", ".json", ".txt")


class AnalysedReplay(ReplayScreen):
    """A replay in which a what-if becomes a line of its own; `moved` is told where one looks."""

    def __init__(
        self,
        record: Record,
        *,
        branch: Callable[[Record, int], None],
        moved: Callable[[], None],
        at: int = 0,
        seats: Iterable[Seat] | None = None,
        lang: str = "en",
    ) -> None:
        self._record, self._branched, self._moved = record, branch, moved
        super().__init__(record, at=at, seats=seats, lang=lang)

    @property
    def frames(self) -> list[Obj]:
        """The frames of the game."""
        scene = self.data["scene"]
        assert isinstance(scene, dict) and isinstance(scene["frames"], list)
        return [frame for frame in scene["frames"] if isinstance(frame, dict)]

    @property
    def starts(self) -> dict[int, int]:
        """At which frame each step of the record is asked about."""
        return {ply: at for at, frame in enumerate(self.frames) if isinstance(ply := frame.get("ply"), int)}

    @property
    def ply(self) -> int:
        """The decision that the frame on show leads to."""
        at = self.data["at"]
        assert isinstance(at, int)
        later = [ply for ply, frame in self.starts.items() if frame >= at]
        return min(later, default=len(self._record.choices))

    @property
    def state(self) -> GameState:
        """The table of that decision."""
        return self._state(self.ply)

    def receive(self, message: Obj) -> None:
        if message.get("type") != "what_if":
            super().receive(message)
            return
        ply, lines = message.get("ply"), message.get("choices")
        if not isinstance(ply, int) or not 0 <= ply <= len(self._record.choices) or not isinstance(lines, list):
            raise NotationError("screens.expected_decision_game", got=shown(ply))
        record = Record(
            self._record.game, self._record.choices[:ply], self._record.seed, self._record.start, self._record.tags
        )
        for at, said in enumerate(lines):
            record = record.then(self._read(record.final, said, ply + at))
        self._branched(record, ply)

    def was_set(self, data: Obj) -> None:
        super().was_set(data)
        at = self.data["at"]
        self.data["at"] = min(max(at, 0), len(self.frames) - 1) if isinstance(at, int) else 0
        self._moved()


class AnalyseScreen(Screen):
    """`take` opens a record; `open` whatever text holds one, or a position.

    >>> analyse = AnalyseScreen(Desk(None))
    >>> text = "12 | 37 | 43 | 58 ; A: 14 20 ; B: 15 30"
    >>> analyse.receive({"type": "open", "text": text, "setup": {"game": "classic"}})
    >>> analyse.data["mode"], analyse.record.final.rows[0]
    ('game', (12,))
    """

    module: ClassVar[str] = "screens/analyse"

    def __init__(self, desk: Desk) -> None:
        super().__init__()
        self.desk = desk
        self.say = screen_words(desk.lang)
        #: The game, and the lines that branch off it or off each other: the step they differ from, and the record.
        self.lines: list[tuple[int, Record]] = []
        self.line = 0
        self._hidden: tuple[Seat, ...] = ()
        kept = desk.memory.get("analyse")
        self.setup = usual_setup(kept.get("setup"))
        self._label("open")
        self._resume(kept)

    # What the browser may ask for ------------------------------------------------------------------------

    def receive(self, message: Obj) -> None:
        """`open` a text, `load` a saved game, `setup` a position, `take_down` a game, go `back`;
        look at a `sample`; of the game on show: a `line`, `drop` one, and `export`."""
        kind = message.get("type")
        if kind == "open":
            self.open(str(message.get("text")), message.get("setup"))
        elif kind == "load":
            self.load(str(message.get("file")))
        elif kind == "sample":
            self.sample(secrets.randbits(32))
        elif kind in ("setup", "take_down") and isinstance(kind, str):
            self._edit(kind)
        elif kind == "back":
            self._label("open")
            self.put("board", None)
            self.put("course", None)
            self.put("judge", None)
            self.put("editor", None)
            self.desk.memory.put("analyse", {"setup": self.setup})
        elif kind in ("line", "drop"):
            at = message.get("line")
            if not isinstance(at, int) or not 0 <= at < len(self.lines):
                raise NotationError("screens.no_line", at=shown(at))
            if kind == "line":
                self._line(at)
            elif at:
                del self.lines[at]
                self._line(0)
        elif kind == "export":
            self.export(str(message.get("as")))
        else:
            super().receive(message)

    @property
    def record(self) -> Record:
        """The line on show."""
        if not self.lines:
            raise RulesError("screens.no_game_open")
        return self.lines[self.line][1]

    @property
    def replay(self) -> AnalysedReplay:
        """The board."""
        board = self.parts.get("board")
        if not isinstance(board, AnalysedReplay):
            raise RulesError("screens.no_game_open")
        return board

    # Opening ---------------------------------------------------------------------------------------------

    def take(self, record: Record, hidden: Iterable[Seat] = ()) -> None:
        """Look at this game. `hidden` are seats whose cards nobody knows to the end."""
        self.lines, self._hidden = [(0, record)], tuple(hidden)
        self._line(0)

    def review(self, seat: Seat) -> None:
        """Say what the choices of a seat cost; the others' are a click away."""
        course = self.parts.get("course")
        if isinstance(course, CourseScreen):
            course.show(seat=seat)
            course.receive({"type": "run"})

    def open(self, text: str, setup: object = None) -> None:
        """A record as text or JSON; or a position, of the game that the form names."""
        text = text.strip()
        if not text or len(text) > LONGEST:
            raise NotationError("screens.analyse_nothing")
        if text.startswith("{"):
            self.take(Record.from_json(text))
        elif text.startswith("nimmt-game"):
            self.take(Record.from_text(text + "\n"))
        else:
            position = Position.parse(text)
            form = {**self.setup, **(setup if isinstance(setup, dict) else {})}
            if position.hands:
                form["players"] = max(position.hands) + 1
            game = game_of(form, self.desk.own)
            self.setup = {name: form[name] for name in ("game", "players", "options")}
            self.take(Record(game, start=str(position)))

    def load(self, file: str) -> None:
        """A game of the user's folder."""
        if self.desk.folder is None or file not in self._saved():
            raise NotationError("screens.no_saved", file=shown(file))
        self.take(Record.load(self.desk.folder / GAMES / file))

    def sample(self, seed: int) -> None:
        """A round between bots, for who has no game at hand."""
        from nimmt_lab.bots import bot
        from nimmt_lab.bots.base import record

        game = one_round(game_of(self.setup, self.desk.own))
        self.take(record(game, [bot(f"level-{2 + seat % 3}") for seat in range(game.players)], seed))

    def _saved(self) -> list[str]:
        if self.desk.folder is None:
            return []
        folder = self.desk.folder / GAMES
        if not folder.is_dir() or leads_out(self.desk.folder, folder):
            return []
        # What is wrong with a game quotes it: a link could lead to any file.
        found = sorted(path.name for path in folder.glob("*") if path.suffix in ENDINGS and not path.is_symlink())
        return found[:200]

    def _edit(self, mode: str) -> None:
        kept = self.desk.memory.get(f"analyse {mode}")

        def keep(what: dict[str, Json]) -> None:
            self.desk.memory.put(f"analyse {mode}", what)

        editor: Screen
        if mode == "setup":
            text = kept.get("text")
            setup = kept.get("setup", self.setup)
            options = {"setup": setup, "lang": self.desk.lang, "kept": keep, "own": self.desk.own}
            try:
                editor = SetupScreen(self._set_up, text=text if isinstance(text, str) else "", **options)  # type: ignore[arg-type]
            except NimmtError:
                editor = SetupScreen(self._set_up, **options)  # type: ignore[arg-type]
        else:
            setup, notes = kept.get("setup", self.setup), kept.get("notes")
            own, lang = self.desk.own, self.desk.lang
            editor = TakeDownScreen(self.take, setup=setup, notes=notes, lang=lang, kept=keep, own=own)
        self._label(mode)
        self.put("editor", editor)
        self.desk.memory.put("analyse", {"setup": self.setup, "mode": mode})

    def _set_up(self, state: GameState, hidden: tuple[Seat, ...]) -> None:
        self.take(Record(state.game, start=str(state.game.position(state))), hidden)

    # Lines of play ---------------------------------------------------------------------------------------

    def _branch(self, record: Record, ply: int) -> None:
        """Keep what was tried out: it goes on the line it began, or is a line of its own."""
        same = [
            at
            for at, (_, other) in enumerate(self.lines)
            if at and other.choices == record.choices[: len(other.choices)]
        ]
        if any(other.choices[: len(record.choices)] == record.choices for _, other in self.lines):
            known = next(
                at for at, (_, other) in enumerate(self.lines) if other.choices[: len(record.choices)] == record.choices
            )
            self._line(known, ply + 1)
            return
        if same:
            self.lines[same[0]] = (self.lines[same[0]][0], record)
            self._line(same[0], ply + 1)
            return
        if len(self.lines) > MOST_LINES:
            raise RulesError("screens.many_lines", most=MOST_LINES)
        self.lines.append((ply, record))
        self._line(len(self.lines) - 1, ply + 1)

    def _line(self, at: int, ply: int | None = None, *, frame: int | None = None) -> None:
        """Show one of the lines, at a decision of it."""
        self.line = at
        begins, record = self.lines[at]
        known = [seat for seat in range(record.game.players) if seat not in self._hidden]
        replay = AnalysedReplay(
            record,
            branch=self._branch,
            moved=self._moved,
            seats=known if self._hidden else None,
            lang=self.desk.lang,
        )
        first = begins if ply is None and at else ply
        starts = replay.starts
        if frame is None:
            frame = starts.get(first or 0, 0)
        replay.data["at"] = min(max(frame, 0), len(replay.frames) - 1)
        course = CourseScreen(record, starts, self.go, names=names_of(record), hidden=self._hidden, lang=self.desk.lang)
        self._label("game")
        self.put("editor", None)
        self.put("course", course if record.choices else None)
        self.put("judge", None)
        self.put("board", replay)
        self._judged = -1
        self._moved()

    def go(self, frame: int) -> None:
        """Show a frame of the line."""
        self.replay.show(at=frame)
        self._moved()

    def _moved(self) -> None:
        """Somewhere else in the game: what is asked there is another question."""
        ply = self.replay.ply
        if ply != self._judged:
            self._judged = ply
            state = self.replay.state
            asked = bool(state.pending) and bool(state.rows)
            judge = JudgeScreen(state, names=names_of(self.record), hidden=self._hidden, lang=self.desk.lang)
            self.put("judge", judge if asked and judge.data["ways"] else None)
        self._keep()

    # Keeping and handing out -----------------------------------------------------------------------------

    def _keep(self) -> None:
        self.desk.memory.put(
            "analyse",
            {
                "setup": self.setup,
                "mode": "game",
                "lines": [[begins, record.to_text()] for begins, record in self.lines],
                "line": self.line,
                "at": self.replay.data["at"],
                "hidden": [*self._hidden],
            },
        )

    def _resume(self, kept: dict[str, Json]) -> None:
        """Where somebody was before a reload; what cannot be read is passed over, and said."""
        mode = kept.get("mode")
        if mode in ("setup", "take_down") and isinstance(mode, str):
            self._edit(mode)
        elif mode == "game":
            try:
                lines, line, at, hidden = (kept[name] for name in ("lines", "line", "at", "hidden"))
                assert isinstance(lines, list) and isinstance(hidden, list)
                self.lines = [(int(begins), Record.from_text(text)) for begins, text in lines]  # type: ignore
                self._hidden = tuple(int(seat) for seat in hidden)  # type: ignore[arg-type]
                self._line(range(len(self.lines))[int(line)], frame=int(at))  # type: ignore[arg-type]
            except (NimmtError, KeyError, TypeError, ValueError, IndexError, AssertionError):
                self.lines = []
                self._label("open", told=self.say("analyse.lost"))

    def export(self, form: str) -> None:
        """The line, or the board as it stands, as a file for the browser to keep."""
        record, replay = self.record, self.replay
        name, at = record.game.name, replay.data["at"]
        assert isinstance(at, int)
        scene = replay.data["scene"]
        assert isinstance(scene, dict) and isinstance(scene["game"], dict)
        if form == "html":
            title = f"nimmt_lab: {scene['game']['title']}"
            text = export.page("replay", dict(replay.data), title, self.desk.lang)
        elif form in ("svg", "png"):
            text = picture.svg(scene, at)
        elif form == "cell":
            text = cell(record, at)
        elif form == "nimmt":
            text = record.to_text()
        elif form == "json":
            text = record.to_json()
        else:
            raise NotationError("screens.no_export_there", form=shown(form))
        if form == "cell":
            self.tell({"type": "cell", "text": text, "said": self.say("analyse.cell_text")})
            return
        self.tell({"type": "picture" if form == "png" else "file", "name": f"{name}.{form}", "text": text})
        self.show(told=self.say("analyse.downloaded", file=f"{name}.{form}"))

    # Showing ---------------------------------------------------------------------------------------------

    def _label(self, mode: str, told: str = "") -> None:
        lines: list[Json] = []
        for at, (begins, record) in enumerate(self.lines if mode == "game" else []):
            lines.append(self.say("analyse.game") if not at else self._line_name(begins, record))
        self.show(
            mode=mode,
            labels={**labels(self.desk.lang, "analyse")},
            choose={**labels(self.desk.lang, "choose")},
            lang=self.desk.lang,
            games=forms(self.desk.lang),
            setup=self.setup,
            saved=[*self._saved()],
            lines=lines,
            line=self.line,
            told=told,
        )

    def _line_name(self, begins: int, record: Record) -> str:
        """A line of play, by the choices it begins with."""
        step: Step = record.steps[begins]
        label = record.game.line_label(step.before)
        said = " ".join(
            f"{self.say.who(seat)}{step.before.pending[seat].write(choice)}" for seat, choice in step.choices.items()
        )
        return f"{label}. {said}"[:60]


def cell(record: Record, at: int) -> str:
    """A notebook cell that shows the record at that frame.

    >>> from nimmt_lab import Classic
    >>> print(cell(Record(Classic(players=2), seed=1), 0).splitlines()[0])
    from nimmt_lab import Record
    """
    return (
        "from nimmt_lab import Record\nfrom nimmt_lab.widgets import Replay\n\n"
        f"record = Record.from_text({record.to_text()!r})\nReplay(record, at={at})\n"
    )
