"""Analyse: open, paste, set up or record a game or a position.

Then step through it, with what-if lines, the cost of every choice, and the value of every option.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import ClassVar

from nimmt_lab.boards.describe import Obj
from nimmt_lab.engine.cards import Seat, seat_letter
from nimmt_lab.engine.errors import NimmtError, NotationError, RulesError
from nimmt_lab.engine.events import Json
from nimmt_lab.engine.files import leads_out, shown
from nimmt_lab.engine.notation import Position
from nimmt_lab.engine.notes import one_round
from nimmt_lab.engine.notes_text import is_notes, record_of
from nimmt_lab.engine.record import HIDDEN, Record, Step
from nimmt_lab.engine.share import PLACE, is_shared, read_shared, share
from nimmt_lab.engine.state import GameState
from nimmt_lab.explain.errors import translate

from .base import Screen, as_object, whole_number
from .course import CourseScreen
from .desk import Desk, DeskScreen
from .explore import ExploreScreen
from .judge import JudgeScreen
from .memory import name_now
from .my_games import MOST_GAMES, MyGamesScreen
from .play import GAMES
from .record_game import RecordGameScreen
from .replay import ReplayScreen
from .rules import forms, game_of, title_of
from .setup import SetupScreen, completed, usual_setup
from .words import labels

#: The longest pasted text, and the most what-if lines of a game.
LONGEST = 2_000_000
MOST_LINES = 40
#: The seed of the sample game.
SAMPLE = 11
#: Endings of the files that are offered.
ENDINGS = (".nimmt", ".json", ".txt", ".notes")


class AnalysedReplay(ReplayScreen):
    """A replay whose what-ifs become lines of their own (`branch`); `moved` is called for every step."""

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
    def starts(self) -> dict[int, int]:
        """The frame of each decision, by ply."""
        return {ply: at for at, frame in enumerate(self.frames) if isinstance(ply := frame.get("ply"), int)}

    @property
    def ply(self) -> int:
        """The next decision from the frame on show."""
        later = [ply for ply, frame in self.starts.items() if frame >= self.at]
        return min(later, default=len(self._record.choices))

    @property
    def state(self) -> GameState:
        return self._state(self.ply)

    def receive(self, message: Obj) -> None:
        if message.get("type") != "what_if":
            super().receive(message)
            return
        ply, lines = message.get("ply"), message.get("choices")
        if not isinstance(ply, int) or not 0 <= ply <= len(self._record.choices) or not isinstance(lines, list):
            raise NotationError("screens.expected_decision_game", got=shown(ply))
        record = replace(self._record, choices=self._record.choices[:ply], comments={})
        for at, said in enumerate(lines):
            record = record.then(self._read(record.final, said, ply + at))
        self._branched(record, ply)

    def was_set(self, data: Obj) -> None:
        super().was_set(data)
        self.data["at"] = self.at
        self._moved()


class AnalyseScreen(DeskScreen):
    """`take` opens a record, `open` the text of a record or a position.

    >>> analyse = AnalyseScreen(Desk(None))
    >>> text = "12 | 37 | 43 | 58 ; A: 14 20 ; B: 15 30"
    >>> analyse.receive({"type": "open", "text": text, "setup": {"game": "classic"}})
    >>> analyse.data["mode"], analyse.record.final.rows[0]
    ('game', (12,))
    """

    module: ClassVar[str] = "screens/analyse"

    def __init__(self, desk: Desk) -> None:
        super().__init__(desk)
        #: The game and its what-if lines: the first ply that differs, and the record.
        self.lines: list[tuple[int, Record]] = []
        self.line = 0
        self._hidden: tuple[Seat, ...] = ()
        #: A shared game that waits for a yes, with its text.
        self.offered: tuple[str, Record] | None = None
        kept = desk.memory.get("analyse")
        self.setup = usual_setup(kept.get("setup"))
        self._label("open")
        self._resume(kept)

    def receive(self, message: Obj) -> None:
        """`open` a text, `load` a saved game, `setup` a position, `record_game`, `my_games`, `explore`, or a `sample`;
        then a `line`, `drop` one, `export`, or `back`."""
        kind = message.get("type")
        if kind == "open":
            self.open(str(message.get("text")), message.get("setup"))
        elif kind == "load":
            self.load(str(message.get("file")))
        elif kind == "sample":
            self.sample(secrets.randbits(32))
        elif kind == "show":
            self.show_sample()
        elif kind in ("setup", "record_game") and isinstance(kind, str):
            self._edit(kind)
        elif kind == "my_games":
            self.my_games()
        elif kind == "explore":
            self.explore()
        elif kind == "back":
            self._label("open")
            for name in ("board", "course", "judge", "editor"):
                self.put(name, None)
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
        elif kind in ("accept", "decline"):
            offered, self.offered = self.offered, None
            self.show(offer=None)
            if kind == "accept" and offered is not None:
                self.take(offered[1])
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
        board = self.parts.get("board")
        if not isinstance(board, AnalysedReplay):
            raise RulesError("screens.no_game_open")
        return board

    @property
    def place(self) -> str:
        """The shared game that waits for a yes, for the browser's address."""
        return "" if self.offered is None else self.offered[0]

    def visit(self, place: str) -> None:
        """Offer the game at the end of a link: it opens when the reader says yes. Say what is wrong with a bad link."""
        self.offered = None
        if not place:
            self.show(offer=None)
            return
        try:
            record = read_shared(place)
        except NimmtError as error:
            self.show(offer=None, told=translate(error, self.desk.lang))
            return
        self.offered = place, record
        offer: dict[str, Json] = {"title": self._offer(record), "open": bool(self.lines)}
        self.show(offer=offer, told="")

    def _offer(self, record: Record) -> str:
        name = title_of(record.game.name, self.desk.lang)
        told: dict[str, object] = {"game": name, "players": record.game.players}
        if not record.choices:
            return self.say("analyse.offer_position", **told)
        return self.say("analyse.offer_game", turns=len(record.lines), **told)

    def take(self, record: Record, hidden: Iterable[Seat] | None = None) -> None:
        """Open a game; the cards of `hidden` seats are unknown, by default of those that the record names."""
        self.lines, self._hidden = [(0, record)], tuple(sorted(record.hidden if hidden is None else hidden))
        self._line(0)

    def review(self, seat: Seat) -> None:
        course = self.parts.get("course")
        if isinstance(course, CourseScreen):
            course.show(seat=seat)
            course.receive({"type": "run"})

    def open(self, text: str, setup: object = None) -> None:
        """Open a record as text or JSON, notes, a shared text, or a position of the game in the form. Hands that a
        position leaves out are hidden."""
        text = text.strip()
        if not text or len(text) > LONGEST:
            raise NotationError("screens.analyse_nothing")
        if text.startswith("{"):
            self.take(Record.from_json(text))
        elif text.startswith("nimmt-game"):
            self.take(Record.from_text(text + "\n"))
        elif is_shared(text):
            self.take(read_shared(text))
        elif is_notes(text):
            self.take(Record.from_notes(text))
        else:
            position = Position.parse(text)
            form = self.setup | as_object(setup)
            seats = sorted(position.hands)
            hides = game_of(form, self.desk.own).hidden_hands
            if hides and (len(seats) < 2 or seats != [*range(len(seats))]):
                form["players"] = max([whole_number(form["players"], 1, 99) or 1, *(seat + 1 for seat in seats)])
            elif seats:
                form["players"] = seats[-1] + 1
            game = game_of(form, self.desk.own)
            full, unknown = completed(game, position)
            self.setup = {name: form[name] for name in ("game", "players", "options")}
            self.take(Record(game, start=str(full)), unknown)

    def load(self, file: str) -> None:
        """Open a game of the user's folder."""
        if self.desk.folder is None or file not in self._saved():
            raise NotationError("screens.no_saved", file=shown(file))
        self.take(record_of(self.desk.folder / GAMES / file))

    def _own_games(self) -> tuple[dict[str, Record], int]:
        """The latest games of the user's folder by file, and how many could not be read."""
        games: dict[str, Record] = {}
        unread = 0
        for file in self._saved()[-MOST_GAMES:]:
            assert self.desk.folder is not None
            try:
                games[file] = record_of(self.desk.folder / GAMES / file)
            except NimmtError:
                unread += 1
        return games, unread

    def explore(self) -> None:
        """How often cards are played and what they cost."""
        self._label("explore")
        self.put("editor", ExploreScreen(self.desk, self._own_games()[0]))
        self.desk.memory.put("analyse", {"setup": self.setup, "mode": "explore"})

    def my_games(self) -> None:
        """What the games of the user's folder have in common."""
        games, unread = self._own_games()

        def go(record: Record, seat: Seat) -> None:
            self.take(record)
            self.review(seat)

        def practise() -> None:
            if self.desk.send is not None:
                self.desk.send("practise", {"type": "own"})

        self._label("my_games")

        def enter() -> None:
            self.receive({"type": "record_game"})

        self.put("editor", MyGamesScreen(self.desk, games, unread=unread, go=go, practise=practise, enter=enter))
        self.desk.memory.put("analyse", {"setup": self.setup, "mode": "my_games"})

    def show_sample(self) -> None:
        """The sample game, with the review of its first seat under way."""
        self.setup = usual_setup()
        self.sample(SAMPLE)
        self.review(0)

    def sample(self, seed: int) -> None:
        from nimmt_lab.bots import bot
        from nimmt_lab.bots.base import record

        game = one_round(game_of(self.setup, self.desk.own))
        self.take(record(game, [bot(f"level-{2 + seat % 3}") for seat in range(game.players)], seed))

    def _saved(self) -> list[str]:
        folder = None if self.desk.folder is None else self.desk.folder / GAMES
        if folder is None or not folder.is_dir() or leads_out(folder.parent, folder):
            return []
        # Errors quote the file, and a link could lead to any file.
        files = sorted(path.name for path in folder.glob("*") if path.suffix in ENDINGS and not path.is_symlink())
        return files[:200]

    def _edit(self, mode: str) -> None:
        kept = self.desk.memory.get(f"analyse {mode}")

        def keep(what: dict[str, Json]) -> None:
            self.desk.memory.put(f"analyse {mode}", what)

        def take(state: GameState, hidden: tuple[Seat, ...]) -> None:
            self.take(Record(state.game, start=str(state.game.position(state))), hidden)

        editor: Screen
        setup, own, lang = kept.get("setup", self.setup), self.desk.own, self.desk.lang
        if mode == "setup":
            editor = SetupScreen(take, setup=setup, text=kept.get("text"), lang=lang, kept=keep, own=own)
        else:
            editor = RecordGameScreen(self.take, setup=setup, notes=kept.get("notes"), lang=lang, kept=keep, own=own)
        self._label(mode)
        self.put("editor", editor)
        self.desk.memory.put("analyse", {"setup": self.setup, "mode": mode})

    def _branch(self, record: Record, ply: int) -> None:
        """Show the line that contains these choices, extend the line that they continue, or add a line."""
        choices = record.choices
        known = [at for at, (_, other) in enumerate(self.lines) if other.choices[: len(choices)] == choices]
        continued = [
            at for at, (_, other) in enumerate(self.lines) if at and other.choices == choices[: len(other.choices)]
        ]
        if continued and not known:
            self.lines[continued[0]] = (self.lines[continued[0]][0], record)
        elif not known:
            if len(self.lines) > MOST_LINES:
                raise RulesError("screens.many_lines", most=MOST_LINES)
            self.lines.append((ply, record))
        self._line([*known, *continued, len(self.lines) - 1][0], ply + 1)

    def _line(self, at: int, ply: int | None = None, *, frame: int | None = None) -> None:
        """Show a line at a decision or a frame."""
        self.line = at
        begins, record = self.lines[at]
        known = [seat for seat in range(record.game.players) if seat not in self._hidden]
        replay = AnalysedReplay(
            record, branch=self._branch, moved=self._moved, seats=known if self._hidden else None, lang=self.desk.lang
        )
        first = begins if ply is None and at else ply
        starts = replay.starts
        if frame is None:
            frame = starts.get(first or 0, 0)
        replay.data["at"] = frame
        replay.data["at"] = replay.at
        course = CourseScreen(
            record, starts, self.go, names=record.names, hidden=self._hidden, scene=replay.scene, lang=self.desk.lang
        )
        self._label("game")
        self.put("editor", None)
        self.put("course", course if record.choices else None)
        self.put("judge", None)
        self.put("board", replay)
        self._judged = -1
        self._moved()

    def go(self, frame: int) -> None:
        self.replay.at = frame
        self._moved()

    def _moved(self) -> None:
        """Judge the options of the decision that is now on show."""
        ply = self.replay.ply
        if ply != self._judged:
            self._judged = ply
            state = self.replay.state
            asked = bool(state.pending) and bool(state.rows)
            judge = JudgeScreen(state, names=self.record.names, hidden=self._hidden, lang=self.desk.lang)
            self.put("judge", judge if asked and judge.data["ways"] else None)
            self._tell_judge()
        self._keep()

    def _tell_judge(self) -> None:
        """What the review has found about the options of now."""
        course, judge = self.parts.get("course"), self.parts.get("judge")
        if not isinstance(course, CourseScreen) or not isinstance(judge, JudgeScreen):
            return
        reviewed = course.reviewed.get(self.replay.ply)
        searched = {} if reviewed is None else reviewed.searched
        seat = course.data["seat"]
        seats = [seat] if seat in searched else [*searched]
        if seats and isinstance(first := seats[0], int):
            judge.known(first, searched[first].advice)

    def _keep(self) -> None:
        self.desk.memory.put(
            "analyse",
            {
                "setup": self.setup,
                "mode": "game",
                "lines": [[begins, record.to_text()] for begins, record in self.lines],
                "line": self.line,
                "at": self.replay.at,
                "hidden": [*self._hidden],
            },
        )

    def _resume(self, kept: dict[str, Json]) -> None:
        """Continue after a reload; what cannot be read is dropped with a notice."""
        mode = name_now(str(kept.get("mode")))
        if mode in ("setup", "record_game"):
            self._edit(mode)
        elif mode == "my_games":
            self.my_games()
        elif mode == "explore":
            self.explore()
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
        """Send the line, or a picture of the board, to the browser as a file."""
        record, replay = self.record, self.replay
        if form == "link":
            hidden = " ".join(map(seat_letter, self._hidden))
            tags = {**record.tags, **({HIDDEN: hidden} if hidden else {})}
            text = share(record.noted(tags, {}))
            self.tell({"type": "link", "text": text, "place": PLACE, "said": self.say("analyse.link_text")})
            return
        if form == "cell":
            self.tell({"type": "cell", "text": cell(record, replay.at), "said": self.say("analyse.cell_text")})
            return
        forms = {"html": replay.to_html, "svg": replay.to_svg, "png": replay.to_svg}
        write = {**forms, "nimmt": record.to_text, "json": record.to_json}.get(form)
        if write is None:
            raise NotationError("screens.no_export_there", form=shown(form))
        name = f"{record.game.name}.{form}"
        self.tell({"type": "picture" if form == "png" else "file", "name": name, "text": write()})
        self.show(told=self.say("analyse.downloaded", file=name))

    def _label(self, mode: str, told: str = "") -> None:
        lines: list[Json] = []
        for at, (begins, record) in enumerate(self.lines if mode == "game" else []):
            lines.append(self.say("analyse.game") if not at else self._line_name(begins, record))
        self.label(
            mode=mode,
            choose={**labels(self.desk.lang, "choose")},
            games=forms(self.desk.lang),
            setup=self.setup,
            saved=[*self._saved()],
            lines=lines,
            line=self.line,
            told=told,
            offer=None,
        )

    def _line_name(self, begins: int, record: Record) -> str:
        step: Step = record.steps[begins]
        label = record.game.line_label(step.before)
        said = " ".join(
            f"{self.say.who(seat)}{step.before.pending[seat].write(choice)}" for seat, choice in step.choices.items()
        )
        return f"{label}. {said}"[:60]


def cell(record: Record, at: int) -> str:
    """The source of a notebook cell that shows a record at a frame.

    >>> from nimmt_lab import Classic
    >>> print(cell(Record(Classic(players=2), seed=1), 0).splitlines()[0])
    from nimmt_lab import Record
    """
    return (
        "from nimmt_lab import Record\nfrom nimmt_lab.widgets import Replay\n\n"
        f"record = Record.from_text({record.to_text()!r})\nReplay(record, at={at})\n"
    )
