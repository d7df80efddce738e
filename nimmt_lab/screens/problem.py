"""A question of a probability lesson: its text, a line or buttons for the answer, and an experiment."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import ClassVar

from nimmt_lab.boards.describe import Obj
from nimmt_lab.boards.film import Film
from nimmt_lab.engine.errors import NotationError
from nimmt_lab.engine.events import Json
from nimmt_lab.engine.table import Moment
from nimmt_lab.lessons.feedback import missed, slip_of
from nimmt_lab.lessons.problem import Problem, read_as
from nimmt_lab.lessons.reply import MISSES
from nimmt_lab.lessons.words import Words
from nimmt_lab.lessons.worksheet import answer_text, choice_text, localised, question_text, working_text

from .base import Screen
from .experiment import ExperimentScreen

#: The longest answer.
LONGEST = 200


def chart_shown(problem: Problem, say: Words) -> Json:
    """The table of numbers that a question is about, for the browser; None if it has none."""
    if problem.chart is None:
        return None
    return {
        "head": [*problem.chart.head] if any(problem.chart.head) else [],
        "lines": [[localised(cell, say.lang) for cell in line] for line in problem.chart.lines],
        "names": [say(name) for name in problem.chart.names],
    }


class ProblemScreen(Screen):
    """`heard` gets every readable answer and whether it is right. Of the `earlier` questions, by number, those that
    this one rests on are shown with their answers.

    >>> from nimmt_lab.lessons import problems, words
    >>> heard = []
    >>> def hear(said, right): heard.append((said, right))
    >>> screen = ProblemScreen(problems(2, 7)[1], True, words("en"), hear, seed=1)
    >>> for said in ("who knows", "1/3", "1/3"):  # twice the same is one answer
    ...     screen.receive({"type": "answer", "text": said})
    >>> heard, screen.data["verdict"]
    ([('1/3', True)], 'right')
    """

    module: ClassVar[str] = "screens/problem"

    def __init__(
        self,
        problem: Problem,
        heads: bool,
        say: Words,
        heard: Callable[[str, bool], None],
        *,
        seed: int,
        solved: bool = False,
        earlier: Mapping[int, Problem] | None = None,
    ) -> None:
        self.problem, self.say, self._heard = problem, say, heard
        self._last = ""
        self._known = solved
        self.misses = 0
        notes: list[Json] = [say("sheet.heads")] if heads else []
        scene: Json = None
        if (state := problem.state) is not None:
            if state.game.hidden_hands:
                notes.append(say("sheet.unseen", deck=state.game.deck[-1]))
            film = Film(state.game, lang=say.lang, seats=(0,) if state.game.hidden_hands else None)
            film.still(Moment(None, state))
            scene = film.scene()
        choices: list[Json] = [{"text": choice, "label": choice_text(choice, say)} for choice in problem.choices]
        super().__init__(
            text=question_text(problem, say),
            lang=say.lang,
            notes=notes,
            scene=scene,
            chart=chart_shown(problem, say),
            # Their numbers: a text may say "your value of question 2".
            found=[
                [f"{number}. {question_text(one, say)}", answer_text(one, say)]
                for number, one in (earlier or {}).items()
                if one.key in problem.rests_on
            ],
            choices=choices,
            prompt=say("page.your_answer"),
            button=say("page.answer"),
            told="",
            verdict="",
        )
        if problem.trial is not None:
            self.put("experiment", ExperimentScreen(problem, say, known=lambda: self._known, seed=seed))

    @property
    def experiment(self) -> ExperimentScreen | None:
        part = self.parts.get("experiment")
        return part if isinstance(part, ExperimentScreen) else None

    def receive(self, message: Obj) -> None:
        """`answer`; an empty, repeated or overlong one is ignored."""
        said = message.get("text")
        if message.get("type") != "answer":
            super().receive(message)
        elif isinstance(said, str) and len(said) <= LONGEST and said.strip() and said.strip() != self._last:
            self._last = said.strip()
            self.respond(self._last)

    def respond(self, said: str) -> None:
        """Judge an answer and reply."""
        try:
            right = self.problem.is_right(said)
        except NotationError as error:
            unequal = error.key == "lessons.answer_unequal"
            text = self.say("page.unequal", **error.fields) if unequal else self.say("page.not_read")
            self.show(told=localised(text, self.say.lang), verdict="unread")
            return
        self.misses += not right
        how = working_text(self.problem, self.say)
        read = "" if self.problem.choices else read_as(said)
        seen = localised(self.say("page.read_as", value=read), self.say.lang) + " " if read else ""
        if right:
            self._known = True
            text = f"{seen}{self.say('page.right')} {how}"
        else:
            again = "" if self.problem.choices and not slip_of(self.problem, said) else f" {self.say('page.wrong')}"
            text = f"{seen}{missed(self.problem, said, self.say)}{again}"  # without an idea, `missed` says to try again
        if not right and self.misses >= MISSES:
            self._known = True
            answer = self.say("page.shown", answer=answer_text(self.problem, self.say))
            text = f"{seen}{missed(self.problem, said, self.say)} {answer} {how}"
        self._heard(said, right)
        self.show(told=text, verdict="right" if right else "wrong")
        if self.experiment is not None:
            self.experiment.found()

    def solve(self) -> None:
        """Show the solution without an answer."""
        self._known = True
        answer = self.say("page.shown", answer=answer_text(self.problem, self.say))
        self.show(told=f"{answer} {working_text(self.problem, self.say)}", verdict="")
        if self.experiment is not None:
            self.experiment.found()
