"""The teacher's wall: who is where, what the class found and answered, the pace, a timer, and the tables."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar, Final

from nimmt_lab.boards.describe import Obj, describer
from nimmt_lab.boards.words import board_words
from nimmt_lab.engine.errors import NotationError
from nimmt_lab.engine.events import Json
from nimmt_lab.engine.files import shown
from nimmt_lab.engine.record import Record
from nimmt_lab.explain.catalogue import number as written
from nimmt_lab.lessons.classroom import find
from nimmt_lab.lessons.problem import Problem
from nimmt_lab.lessons.reply import film_for
from nimmt_lab.lessons.sampling import Sampling, sampling
from nimmt_lab.lessons.worksheet import answer_text, choice_text, localised, question_text, working_text
from nimmt_lab.screens.base import Screen
from nimmt_lab.screens.lesson_page import PRACTICE
from nimmt_lab.screens.own_lesson import START
from nimmt_lab.screens.problem import chart_shown
from nimmt_lab.screens.replay import ReplayScreen
from nimmt_lab.screens.rules import forms
from nimmt_lab.screens.sampling import stacked
from nimmt_lab.screens.words import labels as screen_labels

from .found import Found
from .lesson import BEGINS, Taught, cloud, name_of, number_in, questions_of, said_in, steps_of
from .pool import Counts, Pooled, answers, label, pool
from .seat import SeatScreen
from .session import FREE, Refused
from .table import LIMITS, USUAL_LEVEL, Played, Result
from .words import labels, live_words

#: Clicks that change the class; the hub carries them out.
COMMANDS: Final = (
    "pace", "reveal", "timer", "lock", "release", "remove", "code", "uncode", "tables", "start", "again", "close",
    "unseat", "data",
)  # fmt: skip
VIEWS: Final = ("door", "lesson", "tables")
#: The most bars of a histogram: wider ones are summed up.
MOST_BARS: Final = 40


@dataclass(frozen=True)
class TableLine:
    """A table as the wall lists it."""

    number: int
    phase: str
    game: str
    #: Name, whether a bot sits there, whether somebody waits for that player.
    seats: tuple[tuple[str, bool, bool], ...]
    round: int
    turn: int
    record: Record
    results: tuple[Result, ...]
    games: int


@dataclass(frozen=True)
class Snapshot:
    """The class as the wall shows it, copied on the event loop."""

    members: tuple[Obj, ...]
    pace: str
    at: int
    revealed: frozenset[str]
    answers: Mapping[str, Mapping[int, str]]
    ran: Mapping[str, Mapping[int, Counts]]
    codes: tuple[tuple[str, Found], ...]
    tables: tuple[TableLine, ...]
    played: tuple[Played, ...]
    locked: bool
    keeps: bool


class WallScreen(Screen):
    """`addresses` are those that pupils type, the best first; `qr` draws the code for the first one."""

    module: ClassVar[str] = "screens/class_wall"

    def __init__(
        self,
        *,
        lesson: Taught,
        seed: int,
        lang: str,
        code: str,
        addresses: Sequence[str],
        qr: Obj,
        lan: bool,
        folder: str,
        listed: int,
    ) -> None:
        super().__init__()
        #: Commands for the hub.
        self.effects: list[Obj] = []
        self.lesson, self.seed, self.lang = lesson, seed, lang
        self.say, self.own = said_in(lesson, lang), live_words(lang)
        self._steps = steps_of(lesson, seed) if lesson else []
        self._asked = questions_of(lesson, seed) if lesson else {}
        self._shown = find(lesson).steps if lesson else ()
        self._look, self._watched = 0, 0
        #: The step whose table is on show.
        self._boarded = -1
        self._snapshot: Snapshot | None = None
        from nimmt_lab.bots import levels

        title = self.say(f"{name_of(lesson)}.title") if lesson else ""
        steps: list[Json] = [self._title(at) for at in range(len(self._steps) + 1)] if lesson else []
        ladder: list[Json] = [[level.name, level.title(lang)] for level in levels()]
        limits: list[Json] = [*LIMITS]
        places: list[Json] = [*addresses]
        self.show(
            labels={**labels(lang, "wall")}, choose={**screen_labels(lang, "choose")}, lang=lang, code=code,
            addresses=places, qr=qr, lan=lan, folder=folder, listed=listed, view="door",
            lesson=title, steps=steps, games=forms(lang), levels=ladder,
            limits=limits, usual=USUAL_LEVEL, members=[], pace=FREE, at=0, look=0, question=None, pooled=None,
            clouds=[], timer=None, tables=[], heads=[], codes=[], locked=False, keeps=True, watched=0,
        )  # fmt: skip

    def _title(self, at: int) -> str:
        if at >= len(self._steps):
            return self.own("wall.end")
        name = self._steps[at]
        asked = self._asked.get(name)
        if isinstance(asked, Problem):
            return question_text(asked, self.say)
        if asked is not None:
            return asked.prompt(self.say)
        if name == PRACTICE:
            return self.say("page.practice")
        parts = ("hook", "activity") if name in (BEGINS, START) else (name,)
        keys = [f"{name_of(self.lesson)}.{part}" for part in parts]
        text = "\n".join(self.say(key) for key in keys if self.say.has(key))
        return text or self.own("wall.step", number=at + 1)

    def receive(self, message: Obj) -> None:
        """Look at a `view`, a step (`look`) or a table (`watch`), or give one of `COMMANDS`."""
        kind = message.get("type")
        if kind in COMMANDS:
            if kind == "code":
                self._check_code(str(message.get("code")))
            self.effects.append(message)
        elif kind == "view" and message.get("view") in VIEWS:
            self.show(view=message["view"])
        elif kind == "look":
            at = message.get("at")
            if isinstance(at, int) and 0 <= at <= len(self._steps):
                self._look = at
                self._refresh()
        elif kind == "watch":
            number = message.get("table")
            self._watched = number if isinstance(number, int) else 0
            self._refresh()
        else:
            raise NotationError("screens.no_message", get=shown(kind))

    def _check_code(self, text: str) -> None:
        """A code of another question would count where nobody looks: say where it belongs."""
        found = Found.read(text[:60])
        if found.question == self._number:
            return
        for at, name in enumerate(self._steps):
            asked = self._asked.get(name)
            if isinstance(asked, Problem) and asked.trial and number_in(self.lesson, self.seed, name) == found.question:
                raise Refused("live.code_elsewhere", code=found.code(), step=at + 1)
        raise Refused("live.code_of_no_question", code=found.code())

    @property
    def _number(self) -> int:
        """The number of the question on show."""
        name = self._steps[self._look] if self._look < len(self._steps) else ""
        return number_in(self.lesson, self.seed, name) if self.lesson else 0

    def settle(self) -> list[Obj]:
        made = self.effects[:]
        self.effects.clear()
        return made

    def refresh(self, snapshot: Snapshot) -> None:
        before, self._snapshot = self._snapshot, snapshot
        if before is None or (before.pace, before.at) != (snapshot.pace, snapshot.at):
            self._look = snapshot.at
        self._refresh()

    def _refresh(self) -> None:
        now = self._snapshot
        if now is None:
            return
        new: Obj = {
            "members": [*now.members], "pace": now.pace, "at": now.at, "look": self._look,
            "question": self._question(now), "pooled": self._pooled(now), "clouds": self._clouds(now),
            "tables": [self._table(line) for line in now.tables], "heads": self._heads(now),
            "codes": [text for text, found in now.codes if found.question == self._number],
            "locked": now.locked, "keeps": now.keeps, "watched": self._watched,
        }  # fmt: skip
        self._watch(now)
        self._show_board()
        if changed := {name: value for name, value in new.items() if self.data.get(name) != value}:
            self.show(**changed)

    def _show_board(self) -> None:
        """The table that the question is about, as pupils see it."""
        if self._look == self._boarded:
            return
        self._boarded = self._look
        name = self._steps[self._look] if self._look < len(self._steps) else ""
        asked = self._asked.get(name)
        watched = next((step for step in self._shown if step.name == name and not step.ask), None)
        board: ReplayScreen | None = None
        if isinstance(asked, Problem) and asked.state is not None:
            seats = (0,) if asked.state.game.hidden_hands else None
            board = ReplayScreen(asked.state, seats=seats, lang=self.lang)
        elif asked is not None and not isinstance(asked, Problem):
            board = ReplayScreen(asked.state, seats=film_for(asked, self.lang).open, lang=self.lang)
        elif watched is not None and watched.position:
            board = ReplayScreen(watched.record, lang=self.lang)
        if board is not None or "board" in self.parts:
            self.put("board", board)

    def _watch(self, now: Snapshot) -> None:
        line = next((line for line in now.tables if line.number == self._watched and line.phase != "open"), None)
        part = self.parts.get("watch")
        if line is None:
            self._watched = 0
            if part is not None:
                self.put("watch", None)
        elif isinstance(part, SeatScreen) and part.record.seed == line.record.seed:
            part.advance(line.record)
        else:
            self.put("watch", SeatScreen(line.record, None, lang=self.lang))

    def _question(self, now: Snapshot) -> Json:
        name = self._steps[self._look] if self._look < len(self._steps) else ""
        asked = self._asked.get(name)
        if asked is None:
            return None
        revealed, said = name in now.revealed, now.answers.get(name, {})
        right = why = ""
        if revealed and isinstance(asked, Problem):
            right, why = answer_text(asked, self.say), working_text(asked, self.say)
        elif revealed and not isinstance(asked, Problem):
            right, why = label(asked, min(asked.right), self.say), asked.why(min(asked.right), self.say)
        groups: list[Json] = [
            {"label": group.label, "count": group.count, "right": group.right, "texts": [*group.texts]}
            for group in answers(asked, said, self.say, revealed=revealed)
        ]
        text = self._title(self._look)
        chart: Json = None
        choices: list[Json] = []
        rests: list[Json] = []
        if isinstance(asked, Problem):
            chart = chart_shown(asked, self.say)
            choices = [choice_text(one, self.say) for one in asked.choices]
            # Pages show a pupil the values that a question rests on; the wall shows those that are revealed.
            earlier = [self._asked[key] for key in asked.rests_on if key in self._asked and key in now.revealed]
            rests = [
                [question_text(one, self.say), answer_text(one, self.say)]
                for one in earlier
                if isinstance(one, Problem)
            ]
        count = self.own("wall.answered", count=len(said), all=len(now.members))
        return {
            "name": name, "text": text, "groups": groups, "revealed": revealed, "right": right, "why": why,
            "said": count, "runs": isinstance(asked, Problem) and asked.trial is not None,
            "chart": chart, "choices": choices, "rests": rests,
        }  # fmt: skip

    def _pooled(self, now: Snapshot) -> Json:
        name = self._steps[self._look] if self._look < len(self._steps) else ""
        typed = [found for _, found in now.codes if found.question == self._number]
        asked, made = self._asked.get(name), pool(now.ran.get(name, {}).values(), typed)
        if made is None:
            return None
        known = name in now.revealed and isinstance(asked, Problem) and not isinstance(asked.answer, str)
        exact = float(asked.answer) if known and isinstance(asked, Problem) else None
        return {**drawn(made, self.lang), "exact": exact}

    def _clouds(self, now: Snapshot) -> list[Json]:
        """Everybody's dots at a step to try: a histogram for each way in which somebody has made some."""
        name = self._steps[self._look] if self._look < len(self._steps) else ""
        if name != "try" or not isinstance(self.lesson, str) or not find(self.lesson).questions_by:
            return []
        sampled = sampling(self.lesson)
        if sampled is None:
            return []
        pooled = [pool(now.ran.get(cloud(name, at), {}).values()) for at in range(len(sampled.ways))]
        # Widths can be compared on one scale only.
        values = [value for dots in pooled if dots is not None for value, _ in dots.bars]
        scale: list[Json] = [min([sampled.low, *values]), max([sampled.high, *values])]
        made: list[Json] = []
        for way, dots in zip(sampled.ways, pooled, strict=True):
            if dots is not None:
                title = localised(self.say(f"{self.lesson}.way_{way.name}", **way.parts), self.lang)
                exact = None if way.mean is None else float(way.mean)
                drawing = drawn_dots(dots, sampled, self.lang)
                made.append({**drawing, "exact": exact, "title": title, "scale": scale})
        return made

    def _table(self, line: TableLine) -> Json:
        seats: list[Json] = [{"name": name, "bot": bot, "thinking": wait} for name, bot, wait in line.seats]
        rows: list[Json] = [
            {"name": one.name, "points": one.points, "won": one.won}
            for one in sorted(line.results, key=lambda one: not one.won)
        ]
        place = self.own("wall.round_turn", round=line.round + 1, turn=line.turn + 1) if line.phase == "playing" else ""
        return {
            "number": line.number, "phase": line.phase, "game": line.game, "seats": seats, "place": place,
            "rows": rows, "games": line.games,
        }  # fmt: skip

    def _heads(self, now: Snapshot) -> list[Json]:
        """How many heads (or points) the class took, by game."""
        totals: dict[str, list[int]] = {}
        heads: dict[str, bool] = {}
        for one in now.played:
            say = describer(one.game, board_words(self.lang))
            title = say.title()
            totals.setdefault(title, []).extend(each.points for each in one.results if each.who is not None)
            heads[title] = say.points_are_heads
        made: list[Json] = []
        for game, points in totals.items():
            pooled = pool([[(float(value), 1)] for value in points])
            if pooled is not None:
                title = self.own("wall.heads_of" if heads[game] else "wall.points_of", game=game)
                made.append({**drawn(pooled, self.lang, "taken"), "exact": None, "title": title})
        return made


def drawn_dots(made: Pooled, sampled: Sampling, lang: str) -> Obj:
    """Pooled dots for the browser: stacks of the lesson's width, and the standard deviation if it is taught by then."""
    own, mean = live_words(lang), written(made.mean, ".3f", lang)
    squares = sum(count * (value - made.mean) ** 2 for value, count in made.bars)
    spread = math.sqrt(squares / (made.runs - 1)) if sampled.spread and made.runs > 1 else 0.0
    parts = {"dots": made.runs, "pupils": len(made.dots), "mean": mean, "spread": written(spread, ".3f", lang)}
    stacks: list[Json] = [[middle, count] for middle, count in stacked(made.bars, sampled.width)]
    return {
        "bars": stacks,
        "wide": float(sampled.width),
        "dots": [*made.dots],
        "mean": made.mean,
        "ends": [made.mean - spread, made.mean + spread],
        "text": own("wall.cloud" if spread else "wall.cloud_same", **parts),
    }


def drawn(made: Pooled, lang: str, key: str = "pooled") -> Obj:
    """Pooled results for the browser, with the sentence of that key. Many different values share bars."""
    own = live_words(lang)
    bars, wide = list(made.bars), 1.0
    if len(bars) > MOST_BARS:
        low, high = bars[0][0], bars[-1][0]
        wide = max(1.0, -(-(high - low + 1) // MOST_BARS))
        summed: dict[float, int] = {}
        for value, count in bars:
            at = low + wide * ((value - low) // wide)
            summed[at] = summed.get(at, 0) + count
        bars = sorted(summed.items())
    mean = written(made.mean, ".3f", lang)
    parts = {"runs": made.runs, "pupils": len(made.dots), "mean": mean}
    if made.margin is None:
        text = own(f"wall.{key}_same", **parts)
        low_end, high_end = made.mean, made.mean
    else:
        low_end, high_end = made.mean - made.margin, made.mean + made.margin
        text = own(f"wall.{key}", **parts, low=written(low_end, ".3f", lang), high=written(high_end, ".3f", lang))
    lines: list[Json] = [[value, count] for value, count in bars]
    return {
        "bars": lines,
        "wide": wide,
        "dots": [*made.dots],
        "mean": made.mean,
        "ends": [low_end, high_end],
        "text": text,
    }
