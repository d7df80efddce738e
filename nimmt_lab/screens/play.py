"""Play: choose a game and its players, sit at the table, see how it ended."""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from typing import TYPE_CHECKING, ClassVar

from nimmt_lab.boards.describe import Obj, describer
from nimmt_lab.boards.film import Film
from nimmt_lab.boards.words import board_words
from nimmt_lab.engine.cards import seat_letter
from nimmt_lab.engine.errors import CannotWrite, NimmtError, RulesError
from nimmt_lab.engine.events import Json
from nimmt_lab.engine.files import folder_in, shown
from nimmt_lab.engine.game import Game
from nimmt_lab.engine.record import Record
from nimmt_lab.engine.registry import all_games
from nimmt_lab.explain.judgement import number

from .base import as_object
from .desk import Desk, DeskScreen
from .memory import FILE
from .replay import ReplayScreen
from .rounds import moments, rounds
from .rules import forms, game_of
from .table import TableScreen

if TYPE_CHECKING:
    from nimmt_lab.bots.levels import Strength

#: The level of a person at this screen.
PERSON = "person"
#: The default level of the others.
USUAL_LEVEL = "level-3"
#: A quick game: three opponents of this level, one round of the first game.
QUICK = "level-2"
QUICK_PLAYERS = 4
#: The folder for saved games, in the user's folder.
GAMES = "games"
LONGEST_NAME = 40


class PlayScreen(DeskScreen):
    """The form, the table and the end of a game. A running game is saved and continues after a reload.

    >>> play = PlayScreen(Desk(None))
    >>> play.receive({"type": "start", "setup": {"game": "classic", "players": 3, "seed": 7}})
    >>> play.data["mode"], play.parts["table"].record.seed
    ('table', 7)
    """

    module: ClassVar[str] = "screens/play"

    def __init__(self, desk: Desk) -> None:
        super().__init__(desk)
        kept = desk.memory.get("play")
        #: The game that was left, with its settings.
        self._away: tuple[dict[str, Json], Record] | None = None
        self.setup: dict[str, Json] = {**self._usual(), **_known(kept.get("setup"))}
        self._label("setup")
        text = kept.get("record")
        if isinstance(text, str):
            try:
                self._sit(Record.from_text(text), as_object(kept.get("given")))
            except NimmtError:
                # The next game takes its place, so keep the text of this one.
                desk.memory.put("play unreadable", {"record": text})
                self.show(told=self.say("play.lost", file=FILE))

    def _names(self) -> list[str]:
        return [name.strip() for name in self.say("play.names").split(",")]

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
        self.label(
            mode=mode,
            games=forms(self.desk.lang),
            levels=ladder,
            names=[*self._names()],
            me=self.desk.progress.name,
            setup=self.setup,
            usual=USUAL_LEVEL,
            person=PERSON,
            told="",
            left=self._away is not None,
            end=None,
        )

    def _strength(self, of: Strength) -> str:
        heads, margin = number(of.ahead, self.say), number(of.ahead_margin, self.say)
        return self.say("play.measured", heads=heads, margin=margin, deals=of.deals, players=of.players)

    def receive(self, message: Obj) -> None:
        """`quick` or `start` a game, `again`, `leave` the table and `return` to it, `finish`; then `replay`, `review`,
        `save`, `share`, `back`."""
        kind = message.get("type")
        if kind == "start":
            self.start(as_object(message.get("setup")))
        elif kind == "quick":
            self.quick()
        elif kind == "return":
            self.back()
        elif kind == "again":
            self.start({**self.setup, "seed": None})
        elif kind == "leave":
            self.leave()
        elif kind == "replay":
            self._end("replay")
            table = self.table
            replay = ReplayScreen(table.record, names=table.names, lang=self.desk.lang)
            for seat in replay.scene["seats"]:
                seat["you"] = [seat["seat"]] == list(table.people)  # as at the table
            self.put("replay", replay)
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
        table = self.parts.get("table")
        if not isinstance(table, TableScreen):
            raise RulesError("screens.no_game_started")
        return table

    def start(self, setup: Mapping[str, Json]) -> None:
        """Start a new game; missing settings get their defaults."""
        given = {**self._usual(), **_known(setup)}
        game = game_of(given, self.desk.own)
        seed = given["seed"]
        if seed is None:
            seed = secrets.randbits(32)
        elif isinstance(seed, bool) or not isinstance(seed, int):
            raise RulesError("screens.deal_number", got=shown(seed))
        seats = self._seats(game, given["seats"])
        self.setup = {**given, "seats": [*seats]}
        names = [str(seat["name"]) for seat in seats]
        if names and not names[0] and seats[0]["level"] == PERSON:
            names[0] = self.say("play.somebody")  # the log tells of everybody in the third person
        tags = {seat_letter(at): name for at, name in enumerate(names) if name}
        if all(seat["level"] != PERSON for seat in seats):
            raise RulesError("screens.nobody_plays")
        self._sit(Record(game, seed=seed, tags=tags))

    def quick(self) -> None:
        """Start a short game against easy opponents."""
        opponent: Obj = {"level": QUICK}
        seats: list[Json] = [{"level": PERSON}, *[opponent] * (QUICK_PLAYERS - 1)]
        game = next(iter(all_games()))
        self.start({"game": game, "players": QUICK_PLAYERS, "options": {"rounds": 1}, "seats": seats})

    def back(self) -> None:
        """Return to the table that was left."""
        if self._away is None:
            raise RulesError("screens.no_game_started")
        setup, record = self._away
        self.setup = setup
        self._sit(record)

    def leave(self) -> None:
        """Return from the table to the form. Until another game starts, the way back stays open."""
        table = self.parts.get("table")
        running = isinstance(table, TableScreen) and not table.record.final.is_over
        self._away = (self.setup, table.record) if isinstance(table, TableScreen) and running else None
        self._label("setup")
        self.put("replay", None)
        self.put("table", None)
        self._keep(None)

    def _seats(self, game: Game, given: Json) -> list[dict[str, Json]]:
        from nimmt_lab.bots import levels

        known = {PERSON, *(level.name for level in levels())}
        named = self._names()
        seats: list[dict[str, Json]] = []
        for at in range(game.players):
            seat = as_object(given[at] if isinstance(given, list) and at < len(given) else None)
            level = seat.get("level", USUAL_LEVEL if at else PERSON)
            if not isinstance(level, str) or level not in known:
                raise RulesError("screens.no_level_there", level=shown(level), known=", ".join(sorted(known)))
            name = seat.get("name")
            usual = self.desk.progress.name if not at else named[(at - 1) % len(named)] if len(named) >= at else ""
            seats.append({"name": str(name)[:LONGEST_NAME].strip() if name else usual, "level": level})
        return seats

    def _sit(self, record: Record, given: Obj | None = None) -> None:
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
        self._away = None
        self._label("table")
        self.put("replay", None)
        self.put("table", table)
        if given:
            table.give({letter: str(text) for letter, text in given.items()})
        self._keep(table.record)
        if table.record.final.is_over:
            self._end("end")

    def _keep(self, record: Record | None) -> None:
        kept: dict[str, Json] = {"setup": self.setup}
        if record is not None:
            kept["record"] = record.to_text()
            if (table := self.parts.get("table")) is not None:
                assert isinstance(table, TableScreen)
                kept["given"] = {**table.given}
        self.desk.memory.put("play", kept)

    def _end(self, mode: str) -> None:
        self.show(mode=mode, told="", end=self._result())

    def _result(self) -> Json:
        """The scores, best first, and the winners."""
        table = self.table
        state = table.record.final
        if state.outcome is None:
            return None
        say = describer(table.record.game, board_words(self.desk.lang, table.names))
        better = -1 if state.game.more_is_better else 1
        film = Film(table.record.game, lang=self.desk.lang, names=table.names)
        finished = rounds(table.record, film, table.people)
        gained: dict[Json, list[Json]] = {}
        for one in finished:
            for scored in one["rows"]:  # type: ignore[union-attr]
                assert isinstance(scored, dict) and isinstance(scored["seat"], int)
                gained.setdefault(scored["seat"], []).append(scored["gained"])
        ranked: list[tuple[tuple[bool, int], Obj]] = []
        for seat in say.seats():
            points = say.points(state, seat, True)
            if points is not None:
                won = seat in state.outcome.winners
                you = table.people == (seat,)
                row: Obj = {"name": say.words.who(seat), "letter": seat_letter(seat), "you": you, "won": won}
                row |= {"level": table.levels.get(seat, ""), "points": points, "rounds": gained.get(seat, [])}
                row["at"] = len(ranked)
                ranked.append(((not won, better * points), row))
        rows: list[Json] = [row for _, row in sorted(ranked, key=lambda line: line[0])]
        mine = {table.people: say.words("you_name")}
        winners = [mine.get((seat,)) or say.words.who(seat) for seat in state.outcome.winners]
        alone = len(table.people) == 1 and table.people[0] in state.outcome.winners
        if alone and len(winners) == 1:
            title = self.say("play.you_win")
        elif winners:
            title = say.words("winners", who=winners)
        else:
            title = say.words("nobody_wins")
        review = "analyse" in self.desk.screens
        return {
            "title": title,
            "rows": rows,
            "heads": say.points_are_heads,
            "review": review,
            "moments": moments(film, table.record.steps, table.people),
            "faces": say.faces(),
            "labels": say.labels(),
        }

    def save(self) -> str:
        """Write the game into the user's folder; returns a notice for the player."""
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
        """Send the game to the browser as one page that works from a file."""
        table = self.table
        replay = ReplayScreen(table.record, names=table.names, lang=self.desk.lang)
        self.tell({"type": "file", "name": f"{table.record.game.name}.html", "text": replay.to_html()})
        self.show(told=self.say("play.shared"))


def _known(setup: object) -> dict[str, Json]:
    """The fields of a form that have the right type."""
    given = as_object(setup)
    if not given:
        return {}
    wanted = {"game": str, "players": int, "options": dict, "seats": list, "hints": bool}
    known = {name: given[name] for name, kind in wanted.items() if isinstance(given.get(name), kind)}
    return {**known, "seed": given.get("seed")}
