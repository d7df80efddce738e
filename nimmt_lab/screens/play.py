"""Play: choose a game, who sits down and how well they play; then the table; then how it ended."""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from typing import TYPE_CHECKING, ClassVar

from nimmt_lab.boards.describe import Obj, describer
from nimmt_lab.boards.words import board_words
from nimmt_lab.engine.cards import seat_letter
from nimmt_lab.engine.errors import CannotWrite, NimmtError, RulesError
from nimmt_lab.engine.events import Json
from nimmt_lab.engine.files import folder_in, shown
from nimmt_lab.engine.game import Game
from nimmt_lab.engine.record import Record
from nimmt_lab.explain.judgement import number

from . import export
from .base import Screen
from .desk import Desk
from .memory import FILE
from .replay import ReplayScreen
from .rules import forms, game_of
from .table import TableScreen
from .words import labels, screen_words

if TYPE_CHECKING:
    from nimmt_lab.bots.levels import Measured

#: What stands for a person at this screen where a level is chosen.
PERSON = "person"
#: Who sits opposite where nobody says otherwise.
USUAL_LEVEL = "level-3"
#: Where games are saved, in the user's folder.
GAMES = "games"
LONGEST_NAME = 40


class PlayScreen(Screen):
    """The form, the table and the end of a game. The game that runs is kept at the desk and goes on after a reload.

    >>> play = PlayScreen(Desk(None))
    >>> play.receive({"type": "start", "setup": {"game": "classic", "players": 3, "seed": 7}})
    >>> play.data["mode"], play.parts["table"].record.seed
    ('table', 7)
    """

    module: ClassVar[str] = "screens/play"

    def __init__(self, desk: Desk) -> None:
        super().__init__()
        self.desk = desk
        self.say = screen_words(desk.lang)
        kept = desk.memory.get("play")
        self.setup: dict[str, Json] = {**self._usual(), **_known(kept.get("setup"))}
        self._label("setup")
        text = kept.get("record")
        if isinstance(text, str):
            try:
                self._sit(Record.from_text(text))
            except NimmtError:
                # The next game takes its place: what is left of this one stays beside it.
                desk.memory.put("play unreadable", {"record": text})
                self.show(told=self.say("play.lost", file=FILE))

    # What is offered -------------------------------------------------------------------------------------

    def _usual(self) -> dict[str, Json]:
        return {"game": "", "players": 0, "options": {}, "seats": [], "hints": False, "seed": None}

    def _label(self, mode: str) -> None:
        from nimmt_lab.bots import levels

        ladder: list[Json] = [
            {
                "name": level.name,
                "title": level.title(self.desk.lang),
                "text": level.description(self.desk.lang),
                "measured": "" if level.measured is None else self._strength(level.measured),
                "game": "" if level.measured is None else level.measured.game,
            }
            for level in levels()
        ]
        self.show(
            mode=mode,
            labels={**labels(self.desk.lang, "play")},
            lang=self.desk.lang,
            games=forms(self.desk.lang),
            levels=ladder,
            names=[name.strip() for name in self.say("play.names").split(",")],
            me=self.desk.progress.name,
            setup=self.setup,
            usual=USUAL_LEVEL,
            person=PERSON,
            told="",
            end=None,
        )

    def _strength(self, found: Measured) -> str:
        """What was measured about a level, in words."""
        heads, margin = number(found.ahead, self.say), number(found.ahead_margin, self.say)
        return self.say("play.measured", heads=heads, margin=margin, deals=found.deals, players=found.players)

    # What the browser may ask for ------------------------------------------------------------------------

    def receive(self, message: Obj) -> None:
        """`start` a game, `again`, `leave` the table, and at the end `replay`, `review`, `save`, `share`, `back`."""
        kind = message.get("type")
        if kind == "start":
            setup = message.get("setup")
            self.start(setup if isinstance(setup, dict) else {})
        elif kind == "again":
            self.start({**self.setup, "seed": None})
        elif kind == "leave":
            self.leave()
        elif kind == "replay":
            self._end("replay")
            table = self.table
            self.put("replay", ReplayScreen(table.record, names=table.names, lang=self.desk.lang))
        elif kind == "back":
            self._end("end")
            self.put("replay", None)
        elif kind == "finish":
            if self.table.record.final.is_over:
                self._end("end")
        elif kind == "review":
            if self.desk.open is not None:
                people = self.table.people
                self.desk.open("analyse", self.table.record, people[0] if len(people) == 1 else None)
        elif kind == "save":
            self.show(told=self.save())
        elif kind == "share":
            self.share()
        else:
            super().receive(message)

    @property
    def table(self) -> TableScreen:
        """The table one sits at."""
        table = self.parts.get("table")
        if not isinstance(table, TableScreen):
            raise RulesError("screens.no_game_started")
        return table

    def start(self, setup: Mapping[str, Json]) -> None:
        """Sit down to a new game. What is not said is as usual."""
        given = {**self._usual(), **_known(setup)}
        game = game_of(given, self.desk.own)
        seed = given["seed"]
        if seed is None:
            seed = secrets.randbits(32)
        elif isinstance(seed, bool) or not isinstance(seed, int):
            raise RulesError("screens.deal_number", got=shown(seed))
        seats = self._seats(game, given["seats"])
        self.setup = {**given, "seats": [*seats]}
        tags = {seat_letter(at): str(seat["name"]) for at, seat in enumerate(seats) if seat["name"]}
        if all(seat["level"] != PERSON for seat in seats):
            raise RulesError("screens.nobody_plays")
        self._sit(Record(game, seed=seed, tags=tags))

    def leave(self) -> None:
        """Away from the table, back to the form."""
        self._label("setup")
        self.put("replay", None)
        self.put("table", None)
        self._keep(None)

    def _seats(self, game: Game, given: Json) -> list[dict[str, Json]]:
        """Who sits where: a name and a level each."""
        from nimmt_lab.bots import levels

        known = {PERSON, *(level.name for level in levels())}
        named = [name.strip() for name in self.say("play.names").split(",")]
        seats: list[dict[str, Json]] = []
        for at in range(game.players):
            said = given[at] if isinstance(given, list) and at < len(given) else None
            seat: Mapping[str, Json] = said if isinstance(said, dict) else {}
            level = seat.get("level", USUAL_LEVEL if at else PERSON)
            if not isinstance(level, str) or level not in known:
                raise RulesError("screens.no_level_there", level=shown(level), known=", ".join(sorted(known)))
            name = seat.get("name")
            usual = self.desk.progress.name if not at else named[(at - 1) % len(named)] if len(named) >= at else ""
            seats.append({"name": str(name)[:LONGEST_NAME].strip() if name else usual, "level": level})
        return seats

    def _sit(self, record: Record) -> None:
        from nimmt_lab.bots import levels

        titles = {level.name: level.title(self.desk.lang) for level in levels()}
        chosen = [str(seat["level"]) for seat in self._seats(record.game, self.setup["seats"])]
        people = [at for at, level in enumerate(chosen) if level == PERSON]
        table = TableScreen(
            record,
            [level for level in chosen if level != PERSON],
            people=people,
            levels={at: titles[level] for at, level in enumerate(chosen) if level != PERSON},
            hints=bool(self.setup["hints"]),
            lang=self.desk.lang,
            kept=self._keep,
            left=self.leave,
        )
        self._label("table")
        self.put("replay", None)
        self.put("table", table)
        self._keep(table.record)
        if table.record.final.is_over:
            self._end("end")

    def _keep(self, record: Record | None) -> None:
        kept: dict[str, Json] = {"setup": self.setup}
        if record is not None:
            kept["record"] = record.to_text()
        self.desk.memory.put("play", kept)

    # The end ---------------------------------------------------------------------------------------------

    def _end(self, mode: str) -> None:
        self.show(mode=mode, told="", end=self._result())

    def _result(self) -> Json:
        """The table of scores, best first, and who won."""
        table = self.table
        state = table.record.final
        if state.outcome is None:
            return None
        say = describer(table.record.game, board_words(self.desk.lang, table.names))
        better = -1 if state.game.more_is_better else 1
        ranked: list[tuple[tuple[bool, int], Obj]] = []
        for seat in say.seats():
            points = say.points(state, seat, True)
            if points is not None:
                won = seat in state.outcome.winners
                row: Obj = {
                    "name": say.words.who(seat),
                    "letter": seat_letter(seat),
                    "you": seat in table.people and len(table.people) == 1,
                    "level": table.levels.get(seat, ""),
                    "points": points,
                    "won": won,
                }
                ranked.append(((not won, better * points), row))
        rows: list[Json] = [row for _, row in sorted(ranked, key=lambda one: one[0])]
        winners = [say.words.who(seat) for seat in state.outcome.winners]
        alone = len(table.people) == 1 and table.people[0] in state.outcome.winners
        if alone and len(winners) == 1:
            title = self.say("play.you_win")
        elif winners:
            title = say.words("winners", who=", ".join(winners))
        else:
            title = say.words("nobody_wins")
        review = "analyse" in self.desk.screens
        return {"title": title, "rows": rows, "heads": say.points_are_heads, "review": review}

    def save(self) -> str:
        """Write the game into the user's folder; what to tell the player."""
        record = self.table.record
        if self.desk.folder is None:
            self.tell({"type": "file", "name": f"{record.game.name}.nimmt", "text": record.to_text()})
            return self.say("play.downloaded")
        try:
            path = record.save_new(folder_in(self.desk.folder, GAMES))
        except CannotWrite:
            return self.say("play.not_saved", folder=self.desk.folder / GAMES)
        return self.say("play.saved", file=f"{GAMES}/{path.name}")

    def share(self) -> None:
        """The game as one page that works from a file, handed to the browser to keep."""
        table = self.table
        replay = ReplayScreen(table.record, names=table.names, lang=self.desk.lang)
        scene = replay.data["scene"]
        assert isinstance(scene, dict) and isinstance(scene["game"], dict)
        page = export.page("replay", dict(replay.data), f"nimmt_lab: {scene['game']['title']}", self.desk.lang)
        self.tell({"type": "file", "name": f"{table.record.game.name}.html", "text": page})
        self.show(told=self.say("play.shared"))


def _known(setup: object) -> dict[str, Json]:
    """What of a filled-in form can be understood."""
    if not isinstance(setup, dict):
        return {}
    wanted = {"game": str, "players": int, "options": dict, "seats": list, "hints": bool}
    found = {name: setup[name] for name, kind in wanted.items() if isinstance(setup.get(name), kind)}
    return {**found, "seed": setup.get("seed")}
