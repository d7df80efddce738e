"""The course of a game: what every choice cost, decision by decision, with the mistakes marked.

What is found is what `nimmt_lab.study.review` finds: by the exact solver where both hands lie open, else by a search
from what each player could see. It comes a decision at a time, the last ones first, and may be stopped.
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
from nimmt_lab.explain.judgement import (
    IN_POINTS,
    IN_WINS,
    VERDICTS,
    Judgement,
    accuracy,
    lost_line,
    number,
    review_title,
    standing,
)

from .base import Screen, Work
from .words import labels, screen_words

if TYPE_CHECKING:
    from nimmt_lab.study.reviews import ReviewedStep

#: The signs of choices that have a bad name, from an inaccuracy to a blunder.
MARKS: Final = dict(zip(VERDICTS[2:], ("?!", "?", "??"), strict=True))
#: What each option of a decision gets, and the most seconds for a position that is solved.
PLAYOUTS = 1500
SECONDS: Final = 1.0


def mark_of(judgement: Judgement) -> str:
    """A choice's sign; none where it may have been good.

    >>> mark_of(Judgement(0, 6, 0, "card", "18", "20", 3.5, 3.5, solved=True))
    '??'
    >>> mark_of(Judgement(0, 6, 0, "card", "18", "20", 0.0, 2.5, solved=False))
    ''
    """
    return MARKS.get(judgement.verdict, "")


class CourseScreen(Screen):
    """`frames` says at which frame of the replay each step of the record begins; `go` shows one of them.

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
        #: Seats whose cards are not known: there is nothing to judge.
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
            seat=None,  # whose choices are shown first; everybody's, if None
            all=len(self._plies),
            running=False,
            title="",
            totals=[],
            told="",
        )

    def _legend(self, lang: str) -> str:
        """What the signs mean: from which loss on a choice has which name."""
        if TEAM in {seat for _, step in self._plies for seat in step.choices}:
            bounds = [f"{100 * part:.0f} %" for part in IN_WINS]
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
        from nimmt_lab.study.reviews import ReviewedStep, is_solvable, look
        from nimmt_lab.study.searched import search_choice

        solvable = is_solvable(self._record.game, self._plies)
        self._method = "solver" if solvable else "search"
        searcher, bot = Searcher(1 << 26), BestBot(PLAYOUTS, "heads")
        self._tell(running=True)
        yield
        for ply, step in reversed(self._plies):
            if ply in self.reviewed:
                continue  # it was stopped, and goes on
            if solvable:
                piles = [self._record.game.heads_in(pile) for pile in step.before.piles]
                found = look(step.before, seconds=SECONDS, searcher=searcher)
                taken, heads = piles[1] - piles[0], heads_difference(step.events)
                self.reviewed[ply] = ReviewedStep(ply, step, taken, heads, found)
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
        found = [self.reviewed[ply] for ply, _ in self._plies if ply in self.reviewed]
        by_seat: dict[Seat, list[Judgement]] = {}
        for reviewed in found:
            for judgement in reviewed.judgements:
                by_seat.setdefault(judgement.seat, []).append(judgement)
        points = self._record.game.more_is_better
        title = review_title(say, searched=self._method == "search", points=points) if found else ""
        self.show(
            running=running,
            steps=[self._step(reviewed) for reviewed in found],
            title=title,
            totals=[line for seat in sorted(by_seat) for line in self._totals(seat, by_seat[seat])],
        )

    def _totals(self, seat: Seat, judgements: Sequence[Judgement]) -> list[str]:
        """What a seat's choices lost in all, and how much of what could be lost they kept."""
        kept = accuracy(judgements)
        lines = [lost_line(seat, judgements, self.say)]
        if kept is not None:
            lines.append(self.say("review.accuracy", who=self.say.who(seat), accuracy=f"{kept:.0f}"))
        return lines

    def _step(self, reviewed: ReviewedStep) -> Json:
        expected, say = reviewed.expected, self.say
        said: list[Json] = [
            {
                "seat": judgement.seat,
                "who": say.who(judgement.seat),
                "text": judgement.text(say),
                "lost": _lost(judgement),
                "mark": mark_of(judgement),
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


def _lost(judgement: Judgement) -> float:
    """What a choice cost, as far as is known."""
    middle = (judgement.least + judgement.most) / 2
    return max(0.0, middle if judgement.about is None else judgement.about)
