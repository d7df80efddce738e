"""The course of a game: the cost of every choice, with the mistakes marked.

The figures are those of `nimmt_lab.study.review`: by the exact solver for two open hands, otherwise by a search from
what each player could see. They come a decision at a time, the last ones first, and can be stopped.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, ClassVar, Final

from nimmt_lab.boards.describe import Obj
from nimmt_lab.engine.cards import TEAM, Seat
from nimmt_lab.engine.errors import NotationError
from nimmt_lab.engine.events import Json
from nimmt_lab.engine.files import shown
from nimmt_lab.engine.record import Record
from nimmt_lab.explain import words
from nimmt_lab.explain.catalogue import number as written
from nimmt_lab.explain.judgement import (
    IN_POINTS,
    IN_WINS,
    VERDICTS,
    Judgement,
    accuracy_line,
    lost_line,
    number,
    review_title,
    standing,
)

from .base import Screen, Work
from .words import labels, screen_words

if TYPE_CHECKING:
    from nimmt_lab.study.reviews import ReviewedStep

#: The signs of an inaccuracy, a mistake and a blunder; a choice that may have been good has none.
MARKS: Final = dict(zip(VERDICTS[2:], ("?!", "?", "??"), strict=True))
#: Playouts of each option, and the time limit of the solver for a position.
PLAYOUTS = 1500
SECONDS: Final = 1.0


class CourseScreen(Screen):
    """`frames` are the frames of the replay by ply; `go` shows one.

    >>> from nimmt_lab import Advanced
    >>> start = "3 8 13 | 5 10 11 | 15 17 19 21 23 | 22 24 ; A: 12 16 20 ; B: 1 2 18"
    >>> record = Record(Advanced(players=2), ({0: 16, 1: 18},), start=start)
    >>> course = CourseScreen(record, {0: 0}, lambda at: None)
    >>> course.receive({"type": "run"})
    >>> [(one["who"], one["mark"]) for one in course.data["steps"][0]["said"]]
    [('A', '??'), ('B', '')]
    """

    module: ClassVar[str] = "screens/course"

    def __init__(
        self,
        record: Record,
        frames: Mapping[int, int],
        go: Callable[[int], None],
        *,
        names: Mapping[Seat, str] | None = None,
        hidden: Sequence[Seat] = (),
        lang: str = "en",
    ) -> None:
        self._record, self._frames, self._go = record, dict(frames), go
        self.say = words(lang, names)
        #: Seats whose cards are unknown, and whose choices are not judged.
        self._hidden = frozenset(hidden)
        self._plies = [(ply, step) for ply, step in enumerate(record.steps) if step.before.rows]
        self.reviewed: dict[int, ReviewedStep] = {}
        self._method = ""
        seats: list[Json] = [
            {"seat": seat, "name": self.say.who(seat)}
            for seat in sorted({seat for _, step in self._plies for seat in step.choices} - self._hidden)
        ]
        super().__init__(
            labels={**labels(lang, "course")},
            legend=self._legend(lang),
            steps=[],
            seats=seats,
            seat=None,  # whose choices are shown; None: everybody's
            all=len(self._plies),
            running=False,
            title="",
            totals=[],
            told="",
        )

    def _legend(self, lang: str) -> str:
        """The signs with the loss from which each applies."""
        if TEAM in {seat for _, step in self._plies for seat in step.choices}:
            bounds = [written(part, ".0%", lang) for part in IN_WINS]
        else:
            bounds = [number(points, self.say) for points in IN_POINTS]
        return screen_words(lang)("course.legend", **dict(zip(MARKS, bounds, strict=True)))

    def receive(self, message: Obj) -> None:
        """`run`, `stop`, or `go` to a decision."""
        kind, ply = message.get("type"), message.get("ply")
        if kind == "run":
            self.work(self._run())
        elif kind == "stop":
            self.stop()
            self._tell(running=False)
        elif kind == "go":
            if not isinstance(ply, int) or ply not in self._frames:
                raise NotationError("screens.no_decision_game", ply=shown(ply))
            self._go(self._frames[ply])
        else:
            super().receive(message)

    def _run(self) -> Work:
        from nimmt_lab.bots import BestBot
        from nimmt_lab.solver.exact import Searcher
        from nimmt_lab.solver.open_position import heads_difference
        from nimmt_lab.study.reviews import ReviewedStep, is_solvable, solve_position
        from nimmt_lab.study.searched import search_choice

        solvable = is_solvable(self._record.game, self._plies)
        self._method = "solver" if solvable else "search"
        searcher, bot = Searcher(1 << 26), BestBot(PLAYOUTS, "heads")
        self._tell(running=True)
        yield
        for ply, step in reversed(self._plies):
            if ply in self.reviewed:
                continue  # already reviewed before the search was stopped
            if solvable:
                piles = [self._record.game.heads_in(pile) for pile in step.before.piles]
                solution = solve_position(step.before, seconds=SECONDS, searcher=searcher)
                taken, heads = piles[1] - piles[0], heads_difference(step.events)
                self.reviewed[ply] = ReviewedStep(ply, step, taken, heads, solution)
            else:
                searched = {}
                for seat in step.choices:
                    if seat not in self._hidden:
                        searched[seat] = search_choice(step, ply, seat, bot, 0)
                        yield
                self.reviewed[ply] = ReviewedStep(ply, step, searched=searched)
            self._tell(running=True)
            yield
        self._tell(running=False)

    def _tell(self, *, running: bool) -> None:
        say = self.say
        known = [self.reviewed[ply] for ply, _ in self._plies if ply in self.reviewed]
        by_seat: dict[Seat, list[Judgement]] = {}
        for reviewed in known:
            for judgement in reviewed.judgements:
                by_seat.setdefault(judgement.seat, []).append(judgement)
        points = self._record.game.more_is_better
        title = review_title(say, searched=self._method == "search", points=points) if known else ""
        self.show(
            running=running,
            steps=[self._step(reviewed) for reviewed in known],
            title=title,
            totals=[
                line
                for seat, judgements in sorted(by_seat.items())
                for line in (lost_line(seat, judgements, say), accuracy_line(seat, judgements, say))
                if line is not None
            ],
        )

    def _step(self, reviewed: ReviewedStep) -> Json:
        expected, say = reviewed.expected, self.say
        said: list[Json] = [
            {
                "seat": judgement.seat,
                "who": say.who(judgement.seat),
                "text": judgement.text(say),
                "lost": max(0.0, judgement.loss),
                "mark": MARKS.get(judgement.verdict, ""),
            }
            for judgement in reviewed.judgements
        ]
        stands = "" if expected is None else standing(*expected, reviewed.solved, say)
        return {
            "ply": reviewed.ply,
            "at": self._frames.get(reviewed.ply, 0),
            "label": reviewed.label,
            "standing": stands,
            "expected": None if expected is None else [*expected],
            "said": said,
        }
