"""My games: results over time, mistakes by kind, everybody's habits, and puzzles from one's mistakes.

The figures are those of `nimmt_lab.study.review_games`, `kinds_of_mistakes` and `habits`. They come a game at a time,
can be stopped, and are kept, so that next week only new games are looked at.
"""

from __future__ import annotations

import zlib
from collections import Counter
from collections.abc import Callable, Generator, Mapping, Sequence
from typing import TYPE_CHECKING, ClassVar, Final

from nimmt_lab.boards.describe import Obj
from nimmt_lab.engine.cards import Seat
from nimmt_lab.engine.errors import NimmtError, NotationError, RulesError
from nimmt_lab.engine.events import Json
from nimmt_lab.engine.files import shown
from nimmt_lab.engine.record import Record
from nimmt_lab.explain.catalogue import number

from .base import Screen, Work, as_object
from .course import PLAYOUTS, luck_of
from .desk import Desk
from .practise import LEAD, OWN, OWN_PAGE
from .rules import game_of
from .words import labels, screen_words

if TYPE_CHECKING:
    from nimmt_lab.bots import BestBot
    from nimmt_lab.study.own import Mistake

#: Where the results are kept: by file, with a checksum of the game.
PAGE: Final = "my games"
#: The most games that are looked at, the newest, and the most puzzles that are kept.
MOST_GAMES: Final = 100
MOST_PUZZLES: Final = 100
MOST_PLAYERS: Final = 20


class MyGamesScreen(Screen):
    """`games` by file name. `go` opens a game with the review of a seat under way, `practise` leads to Puzzles, `enter`
    to recording a game."""

    module: ClassVar[str] = "screens/my_games"

    def __init__(
        self,
        desk: Desk,
        games: Mapping[str, Record],
        *,
        unread: int = 0,
        go: Callable[[Record, Seat], None],
        practise: Callable[[], None],
        enter: Callable[[], None],
    ) -> None:
        self.desk, self._games, self._open, self._practise, self._enter = desk, dict(games), go, practise, enter
        self.say = screen_words(desk.lang)
        counts = Counter(name for record in games.values() for name in self._players(record).values())
        kept = desk.memory.get(PAGE)
        who = str(kept.get("who", ""))
        names = [name for name, _ in counts.most_common(MOST_PLAYERS)]
        self.who = who if who in counts else (names[0] if names else "")
        if self.who and self.who not in names:
            names.append(self.who)
        self._results = {file: as_object(result) for file, result in as_object(kept.get("results")).items()}
        super().__init__(
            labels={**labels(desk.lang, "my_games")},
            names=[[name, counts[name]] for name in names],
            who=self.who,
            running=False,
            unread=self.say("my_games.unread", count=unread) if unread else "",
            all=0,
            lines=[],
            kinds=[],
            habits=[],
            puzzles=0,
            told="",
        )
        self._tell()

    def receive(self, message: Obj) -> None:
        """`who` plays as me, `run`, `stop`, `go` to a game, `practise` the puzzles; `play` or `record` one."""
        kind = message.get("type")
        if kind == "who":
            if message.get("who") not in self._names():
                raise NotationError(
                    "engine.log_player", got=shown(message.get("who")), known=", ".join(sorted(self._names()))
                )
            self.stop()
            self.who = str(message["who"])
            self.show(running=False)
            self._keep()
            self._tell()
        elif kind == "run":
            self.work(self._run())
        elif kind == "stop":
            self.stop()
            self.show(running=False)
        elif kind == "go":
            file = str(message.get("file"))
            if file not in self._games:
                raise NotationError("screens.no_saved", file=shown(file))
            self._open(self._games[file], self._seat(self._games[file]) or 0)
        elif kind == "practise":
            if not self._puzzles():
                raise RulesError("screens.none_own")
            self._practise()
        elif kind == "play" and self.desk.open is not None:
            self.desk.open("play", None, None)
        elif kind == "record":
            self._enter()
        else:
            super().receive(message)

    def _names(self) -> set[str]:
        return {name for record in self._games.values() for name in self._players(record).values()}

    def _players(self, record: Record) -> dict[Seat, str]:
        """The named players whose hands are known; letters stand for nobody in particular."""
        return {seat: name for seat, name in record.names.items() if seat not in record.hidden}

    def _seat(self, record: Record) -> Seat | None:
        return next((seat for seat, name in self._players(record).items() if name == self.who), None)

    def _own_games(self) -> dict[str, tuple[Record, Seat]]:
        """The player's games, by file."""
        found = {file: (record, self._seat(record)) for file, record in self._games.items()}
        return {file: (record, seat) for file, (record, seat) in found.items() if seat is not None}

    def _result(self, file: str, record: Record) -> dict[str, Json] | None:
        """The kept result of a game, if the game is still the same."""
        result = self._results.get(file, {})
        return result if result.get("check") == _check(record, self.who) else None

    def _run(self) -> Work:
        self.show(running=True)
        yield
        for file, (record, seat) in self._own_games().items():
            if self._result(file, record) is None:
                result = yield from self._look(record, seat)
                self._results[file] = {"check": _check(record, self.who), **result}
                self._keep()
                self._tell()
                yield
        self.show(running=False)

    def _look(self, record: Record, seat: Seat) -> Generator[None, None, dict[str, Json]]:
        from nimmt_lab.bots import BestBot
        from nimmt_lab.study.own import mistakes
        from nimmt_lab.study.reviews import Review, ReviewedStep
        from nimmt_lab.study.searched import search_choice

        bot, steps = BestBot(PLAYOUTS, "heads"), []
        for ply, step in enumerate(record.steps):
            if step.before.rows and seat in step.choices:
                steps.append(ReviewedStep(ply, step, searched={seat: search_choice(step, ply, seat, bot, 0)}))
                yield
        review = Review(record, tuple(steps), "search")
        split = yield from luck_of(record, seat, bot)
        found = mistakes(review, seat)
        puzzles: list[Json] = []
        for mistake in found:
            task = self._task(record, mistake, bot)
            yield
            if task is not None:
                puzzles.append(task)
        return {
            "accuracy": review.accuracy(seat),
            "luck": None if split is None else split.luck.value,
            "skill": None if split is None else split.skill.value,
            "kinds": [mistake.kind for mistake in found],
            "puzzles": puzzles,
        }

    def _task(self, record: Record, mistake: Mistake, adviser: BestBot) -> dict[str, Json] | None:
        """A mistake as a task of Puzzles, if one option is clearly best."""
        from nimmt_lab.study import as_clear_choice

        state, seat = mistake.reviewed.step.before, mistake.judged.seat
        rules = record.game.to_json()
        setup: dict[str, Json] = {"game": rules.pop("system"), "players": rules.pop("players"), "options": rules}
        try:
            if game_of(setup) != record.game or seat < 0:
                return None
            position = str(record.game.position(state))
            again = record.game.from_position(position)  # as Puzzles will see it
            if as_clear_choice(again, seat, adviser=adviser, seed=0, margin=LEAD) is None:
                return None
        except NimmtError:
            return None
        return {**setup, "kind": OWN, "difficulty": 1, "seed": 0, "position": position, "seat": seat}

    def _puzzles(self) -> list[Json]:
        tasks: list[Json] = []
        for file, (record, _) in self._own_games().items():
            found = (self._result(file, record) or {}).get("puzzles")
            tasks += found if isinstance(found, list) else []
        return tasks[-MOST_PUZZLES:]

    def _keep(self) -> None:
        results: dict[str, Json] = {file: self._results[file] for file in self._games if file in self._results}
        self.desk.memory.put(PAGE, {"who": self.who, "results": results})
        self.desk.memory.put(OWN_PAGE, {"tasks": self._puzzles()} if self._puzzles() else {})

    def _tell(self) -> None:
        from nimmt_lab.study.own import KINDS

        mine = self._own_games()
        results = [(file, result) for file, (record, _) in mine.items() if (result := self._result(file, record))]
        kinds = Counter(str(kind) for _, result in results for kind in _list(result.get("kinds")))
        self.show(
            who=self.who,
            all=len(mine),
            lines=[self._line(file, result) for file, result in results],
            kinds=[[self.say(f"my_games.kind_{kind}"), kinds[kind]] for kind in KINDS] if results else [],
            habits=self._habits([record for record, _ in mine.values()]),
            puzzles=len(self._puzzles()),
            told=self._summary(results),
        )

    def _line(self, file: str, result: Mapping[str, Json]) -> Json:
        def said(name: str, form: str) -> str:
            value = result.get(name)
            return number(value, form, self.desk.lang) if isinstance(value, (int, float)) else ""

        accuracy = result.get("accuracy")
        return {
            "file": file,
            "accuracy": accuracy if isinstance(accuracy, (int, float)) else None,
            "said": said("accuracy", ".0f"),
            "luck": said("luck", "+.1f"),
            "skill": said("skill", "+.1f"),
            "mistakes": len(_list(result.get("kinds"))),
        }

    def _summary(self, results: Sequence[tuple[str, Mapping[str, Json]]]) -> str:
        """The mean accuracy of the latest games, next to that of all."""
        known = [value for _, result in results if isinstance(value := result.get("accuracy"), (int, float))]
        if not known:
            return ""
        every, late = sum(known) / len(known), known[-5:]
        told = {"count": len(known), "accuracy": number(every, ".0f", self.desk.lang)}
        if len(known) <= len(late):
            return self.say("my_games.mean", **told)
        recent = number(sum(late) / len(late), ".0f", self.desk.lang)
        return self.say("my_games.means", last=len(late), recent=recent, **told)

    def _habits(self, records: Sequence[Record]) -> list[Json]:
        from nimmt_lab.study import habits

        found, names = habits(records), {name for record in records for name in self._players(record).values()}
        lines: list[Json] = []
        for name, one in sorted(found.items(), key=lambda item: (item[0] != self.who, -item[1].games))[:MOST_PLAYERS]:
            if name in names:
                shares = (one.lowest, one.highest, one.low, one.sixth, one.cheapest)
                said = ["" if share is None else number(share, ".0%", self.desk.lang) for share in shares]
                lines.append([name, str(one.games), *said])
        return lines


def _check(record: Record, who: str) -> int:
    """What changes when the game, the player or the search does."""
    return zlib.crc32(f"{PLAYOUTS} {who} {record.to_text()}".encode())


def _list(value: Json) -> list[Json]:
    return value if isinstance(value, list) else []
