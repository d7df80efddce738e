"""The course of a game: the cost of every choice, with the mistakes marked.

The figures are those of `nimmt_lab.study.review`: by the exact solver for two open hands, otherwise by a search from
what each player could see. They come a decision at a time, the last ones first, and can be stopped.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping, Sequence
from typing import TYPE_CHECKING, ClassVar, Final

from nimmt_lab.boards.describe import Obj
from nimmt_lab.boards.picture import Scene
from nimmt_lab.boards.review_picture import Costly, ReviewPicture, review_svg
from nimmt_lab.engine.cards import TEAM, Seat
from nimmt_lab.engine.errors import NimmtError, NotationError
from nimmt_lab.engine.events import Json
from nimmt_lab.engine.files import shown
from nimmt_lab.engine.record import Record
from nimmt_lab.engine.rng import Rng
from nimmt_lab.explain import words
from nimmt_lab.explain.catalogue import number as written
from nimmt_lab.explain.judgement import (
    IN_POINTS,
    IN_WINS,
    NOTHING,
    VERDICTS,
    Judgement,
    Z,
    accuracy,
    accuracy_line,
    lost_line,
    number,
    review_title,
    standing,
)

from .base import Screen, Work
from .words import labels, screen_words

if TYPE_CHECKING:
    from nimmt_lab.bots import BestBot
    from nimmt_lab.study.luck import Split
    from nimmt_lab.study.reviews import ReviewedStep

#: The signs of an inaccuracy, a mistake and a blunder; a choice that may have been good has none.
MARKS: Final = dict(zip(VERDICTS[2:], ("?!", "?", "??"), strict=True))
#: How many of the costliest choices are listed.
COSTLIEST: Final = 3
#: The picture of all players lists the losses of this many.
MOST_LINES: Final = 4
#: Playouts of each option, and the time limit of the solver for a position.
PLAYOUTS = 1500
SECONDS: Final = 1.0
#: Rounds for the expected result at a table, from which luck is counted.
ROUNDS: Final = 4000


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
        scene: Scene | None = None,
        lang: str = "en",
    ) -> None:
        self._scene = scene
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
            players=[],
            luck="",
            now=None,
            why="",
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
        """`run`, `stop`, `go` to a decision, or make a `picture`."""
        kind, ply = message.get("type"), message.get("ply")
        if kind == "run":
            self.work(self._run())
        elif kind == "stop":
            self.stop()
            self._tell(running=False)
        elif kind == "go":
            if not isinstance(ply, int) or ply not in self._frames:
                raise NotationError("screens.no_decision_game", ply=shown(ply))
            seat = message.get("seat")
            self.show(now=ply, why=self._why(ply, seat if isinstance(seat, int) else None))
            self._go(self._frames[ply])
        elif kind == "picture":
            seat = message.get("seat")
            if not self.reviewed or self._scene is None:
                raise NotationError("screens.nothing_reviewed")
            drawn = review_svg(self._scene, self.picture(seat if isinstance(seat, int) else None))
            self.tell({"type": "picture", "name": f"{self._record.game.name}-review.png", "text": drawn})
        else:
            super().receive(message)

    def picture(self, seat: Seat | None) -> ReviewPicture:
        """What the picture of this review says, of one seat or of all."""
        assert self._scene is not None
        say, text, judged = self.say, screen_words(self.say.lang), self._judged_of(seat)
        by_loss = sorted((-one.loss, ply, one) for ply, step in judged for one in step if one.verdict in MARKS)
        worst = []
        for _, ply, one in by_loss[:COSTLIEST]:
            choices = {"choice": one.named(one.choice, say), "best": one.named(one.best, say)}
            line = text("course.worst_line", turn=self._turn(ply), **choices)
            who = f"{say.who(one.seat)}: " if seat is None else ""
            worst.append(Costly(MARKS[one.verdict], who + line, number(one.loss, say)))
        costs = []
        for _, step in judged:
            dearest = max(step, key=lambda one: one.loss, default=None)
            costs.append((0.0, "") if dearest is None else (max(0.0, dearest.loss), MARKS.get(dearest.verdict, "")))
        seats = sorted({one.seat for _, step in judged for one in step})
        every = [one for _, step in judged for one in step]
        figures = [lost_line(who, [one for one in every if one.seat == who], say) for who in seats[:MOST_LINES]]
        kept = None if seat is None else accuracy(every)
        if seat is not None and seat == self.data["seat"] and self.data["luck"]:
            figures.append(str(self.data["luck"]))
        costliest = by_loss[0][1] if by_loss else None
        return ReviewPicture(
            title=text("course.picture_title", game=self._scene["game"]["title"]),
            who=", ".join(map(say.who, seats)),
            figures=figures,
            worst=worst,
            costs=costs,
            strip=text("course.strip"),
            accuracy=None if kept is None else round(kept),
            accuracy_label="" if kept is None else text("course.accuracy"),
            caption=text("course.none_bad")
            if costliest is None
            else text("course.picture_board", turn=self._turn(costliest)),
            frame=-1 if costliest is None else self._frames.get(costliest, -1),
        )

    def _turn(self, ply: int) -> str:
        """The number of a decision's turn: its label may begin with that of the round."""
        return self.reviewed[ply].label.split("/")[-1]

    def _judged_of(self, seat: Seat | None) -> list[tuple[int, list[Judgement]]]:
        """The judgements of every decision, of one seat or of all."""
        return [
            (ply, [one for one in self.reviewed[ply].judgements if seat in (None, one.seat)])
            for ply, _ in self._plies
            if ply in self.reviewed
        ]

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
        mine = self.data["seat"]
        if not solvable and isinstance(mine, int) and not self._hidden:
            yield from self._measure_luck(mine, bot)
        self._tell(running=False)

    def _measure_luck(self, seat: Seat, bot: BestBot) -> Work:
        """Luck of a seat over the finished rounds, as `nimmt_lab.study.review` splits it."""
        found = yield from luck_of(self._record, seat, bot)
        if found is None:
            return
        value, margin = found.luck.value, Z * found.luck.error
        # Heads are bad in most games: luck that brought more of them cost something.
        cost = -value if self._record.game.more_is_better else value
        key = "luck_even" if abs(cost) <= margin else "luck_bad" if cost > 0 else "luck_good"
        say = screen_words(self.say.lang)
        amount, error = number(abs(value), self.say), number(margin, self.say)
        self.show(luck=say(f"course.{key}", amount=amount, margin=error))

    def _why(self, ply: int, seat: Seat | None) -> str:
        """One sentence about the costliest choice of a decision: what the turn alone costs, and what the rest adds."""
        from nimmt_lab.solver.turn_odds import odds

        reviewed = self.reviewed.get(ply)
        if reviewed is None:
            return ""
        judged = [one for one in reviewed.judgements if (seat is None or one.seat == seat) and one.loss >= NOTHING]
        worst = max(judged, key=lambda judgement: judgement.loss, default=None)
        searched = None if worst is None else reviewed.searched.get(worst.seat)
        if worst is None or searched is None or worst.choice == worst.best:
            return ""
        step, say = reviewed.step, screen_words(self.say.lang)
        played, best = step.choices[worst.seat], searched.best
        later = {
            "played": worst.named(worst.choice, self.say),
            "best": worst.named(worst.best, self.say),
            "played_later": number(searched.advice.of(played).points, self.say),
            "best_later": number(searched.advice.of(best).points, self.say),
        }
        unit = "points" if self._record.game.more_is_better else "heads"
        try:
            cards = odds(step.before.view(worst.seat))
            now, then = (cards[card] for card in (played, best) if isinstance(card, int))
        except (NimmtError, KeyError, ValueError):
            return say(f"course.why_{unit}", **later)
        costs = {
            "played_now": number(float(now.expected_heads), self.say),
            "best_now": number(float(then.expected_heads), self.say),
        }
        key = "why_now" if then.expected_heads < now.expected_heads else "why_later"
        return say(f"course.{key}", **later, **costs)

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
            players=[
                {
                    "seat": seat,
                    "accuracy": None if (kept := accuracy(judgements)) is None else round(kept),
                    "lost": lost_line(seat, judgements, say),
                }
                for seat, judgements in sorted(by_seat.items())
            ],
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
                "choice": judgement.named(judgement.choice, say),
                "best": judgement.named(judgement.best, say),
                "cost": number(max(0.0, judgement.loss), say),
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


def luck_of(record: Record, seat: Seat, bot: BestBot) -> Generator[None, None, Split | None]:
    """The luck and skill of a seat over the finished rounds of a game, measured in slices."""
    from nimmt_lab.bots.company import company_of
    from nimmt_lab.study.luck import Measurement, measure, split

    company = company_of(record)
    luck: dict[Seat, dict[int, Measurement]] = {}
    skill: dict[Seat, dict[int, Measurement]] = {seat: {}}
    for ply, step in enumerate(record.steps):
        for other, choice in step.choices.items():
            if company is not None and other != seat:
                continue
            view, count = step.before.view(other), PLAYOUTS // (2 if other == seat else 10)
            own = Rng.from_seed(0, 64 * ply + other + 1).state  # as in a review
            luck.setdefault(other, {})[ply] = measure(view, choice, count, own, company=company)
            if other == seat:
                skill[seat][ply] = measure(view, choice, count, own, skill=True, company=company)
            yield
    return split(record, luck, skill, company, rounds_in_company=ROUNDS).get(seat)
