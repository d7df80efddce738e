"""A lesson in a notebook cell: see it happen, do it yourself, a check at the end. Everything is done by clicking.

`show("first_turn")` is all that a tutorial's code cell says; what is shown, asked and right is data in
`nimmt_lab.lessons`.
"""

from __future__ import annotations

import secrets
import zlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from html import escape
from pathlib import Path

import ipywidgets

from nimmt_lab.boards.describe import Obj
from nimmt_lab.engine.errors import CannotWrite, NotationError, RulesError
from nimmt_lab.lessons import progress as memory
from nimmt_lab.lessons.classroom import COUNTS_HEADS, grade, number_of, problems
from nimmt_lab.lessons.notebooks import contents
from nimmt_lab.lessons.problem import Problem
from nimmt_lab.lessons.question import Question
from nimmt_lab.lessons.results import MOST_TRIES, Results, check_name
from nimmt_lab.lessons.rules import LessonStep, question_of, rules_lesson
from nimmt_lab.lessons.words import LANGUAGES, words
from nimmt_lab.lessons.worksheet import chart_html, choice_text, question_text, table_svg, working_text

from .entry import Entry
from .exercise import Exercise
from .experiment import Experiment
from .replay import Replay

_LANGUAGE_NAMES = {"en": "English", "pl": "Polski", "cs": "Čeština"}
_STYLE = """<style>
.nimmt-lesson { max-width: 62rem; }
.nimmt-lesson .nl-button[data-do="next"] { display: none; }
.nimmt-lesson h2 { margin: 0; font-size: 1.3em; }
.nimmt-lesson .say { font-size: 1.08em; line-height: 1.45; margin: .3em 0; }
.nimmt-lesson .dots { letter-spacing: .25em; } .nimmt-lesson .right { font-weight: 600; }
.nimmt-lesson .drawing svg { max-width: 24rem; height: auto; }
.nimmt-lesson table { border-collapse: collapse; margin: .3em 0; }
.nimmt-lesson td, .nimmt-lesson th { border: 1px solid currentColor; padding: .1em .5em; text-align: center; }
</style>"""


class LessonExercise(Exercise):
    """One question of a lesson. It tells the page of every try, and goes on with the page."""

    def __init__(self, question: Question, step: LessonStep, lang: str, page: Page) -> None:
        self._step, self._page = step, page
        super().__init__([question], lang=lang)

    def answer(self, said: str, *, seconds: float = 0.0) -> bool:
        right = super().answer(said, seconds=seconds)
        self._page.heard(self._step.name, said, right)
        return right

    def next(self) -> None:
        self._page.go(self._page.at + 1)

    def _ask(self, number: int) -> None:
        super()._ask(number)
        labels = {**self.scene["labels"], "exercise_of": self._page.place(self._step.name)}
        self.scene = {**self.scene, "labels": labels}

    def receive(self, message: Obj) -> None:
        super().receive(message)
        if message.get("type") == "hint":
            self._page.hinted.add(self._step.name)
        elif message.get("type") == "show":
            self._page.hinted.add(self._step.name)
            self._page.solved(self._step.name)


class Page(ipywidgets.VBox):  # type: ignore[misc]
    """Steps one after the other, with a language switch, progress, and answers to hand in."""

    def __init__(self, name: str, *, seed: int = 0, lang: str | None = None, folder: Path | None = None) -> None:
        self.name, self.seed = name, seed
        self.progress = memory.load(folder if folder is not None else memory.find_folder())
        self.say = words(lang or self.progress.lang)
        #: Every try by question, in order, and the questions for which a hint was asked.
        self.tries: dict[str, list[str]] = {}
        self.hinted: set[str] = set()
        #: For the teacher: which opening of the lesson this is, how often it was begun, and the sheets looked at.
        self.sitting = secrets.token_hex(8)
        self.starts = 1
        self.looked_at: set[int] = set()
        self.at = 0
        self._open: set[str] = set()  # questions that may be left behind
        self._made: dict[int, Sequence[ipywidgets.Widget]] = {}
        self._build()
        super().__init__([self._style, self._head, self._nav, self._text, self._body, self._notice])
        self.add_class("nimmt-lesson")
        self.go(0)

    # What a lesson says ----------------------------------------------------------------------------------

    def questions(self) -> list[str]:
        """The names of the steps; the last one, the end, is not among them."""
        raise TypeError(f"{type(self).__name__} has no steps")

    def make(self, at: int) -> tuple[str, Sequence[ipywidgets.Widget]]:
        """The text of a step, and the widgets below it."""
        raise TypeError(f"{type(self).__name__} has no steps")

    def asks(self, at: int) -> str | None:
        """The question a step waits for; None if one may go on at once."""
        return None

    # Moving ----------------------------------------------------------------------------------------------

    def go(self, at: int) -> None:
        """Show a step; a question on the way that still waits for its answer comes first."""
        steps = self.questions()
        at = max(0, min(at, len(steps)))
        at = next((step for step in range(self.at, at) if self._waits(step)), at)
        if at == self.at and self._made:
            return
        self.at = at
        if at:
            self.looked_at.add(self.seed)
        if at == len(steps):
            self._end()
        else:
            if at not in self._made:
                text, body = self.make(at)
                self._made[at] = (ipywidgets.HTML(text), *body)
            text_widget, *body = self._made[at]
            self._text.children, self._body.children = (text_widget,), tuple(body)
        dots = "".join("●" if step <= at else "○" for step in range(len(steps) + 1))
        place = escape(self.place(steps[at]) if at < len(steps) else "")
        title = escape(self.say(f"{self.name}.title"))
        self._title.value = f"<h2>{title}</h2><span class='dots' aria-hidden='true'>{dots}</span> {place}"
        self._back.disabled = at == 0
        self._update_next()

    def place(self, step: str) -> str:
        """`Step 2 of 6`."""
        steps = self.questions()
        return self.say("page.step", at=steps.index(step) + 1, all=len(steps))

    def _waits(self, at: int) -> bool:
        """Whether a step's question has still to be answered."""
        question = self.asks(at)
        return question is not None and question not in self._open

    def _update_next(self) -> None:
        self._next.disabled = self.at == len(self.questions()) or self._waits(self.at)
        self._next.button_style = "" if self._next.disabled else "primary"

    def heard(self, question: str, said: str, right: bool) -> None:
        """A try."""
        said_before = self.tries.setdefault(question, [])
        if len(said_before) < MOST_TRIES:
            said_before.append(said)
        if right:
            self.solved(question)

    def solved(self, question: str) -> None:
        """The question may be left behind."""
        self._open.add(question)
        self._update_next()

    @property
    def results(self) -> Results:
        """What there is to hand in."""
        tries = {question: tuple(said) for question, said in self.tries.items()}
        return Results(
            self.progress.name or "?",
            self.name,
            self.seed,
            tries,
            frozenset(self.hinted),
            sitting=self.sitting,
            starts=self.starts,
            sheets=len(self.looked_at),
        )

    @property
    def first_tries(self) -> tuple[int, int]:
        """Questions right at the first try, without a hint having been the answer, and how many there are."""
        grades = grade(self.name, self.seed, self.tries)
        return sum(mark.first for mark in grades), len(grades)

    def _end(self) -> None:
        right, of = self.first_tries
        self._remember(lambda now: now.with_lesson(self.name, right, of))
        done = escape(self.say("page.done", right=right, all=of))
        self._text.children = (ipywidgets.HTML(f"<p class='say right' role='status'>✓ {done}</p>"),)
        name = ipywidgets.Text(value=self.progress.name, placeholder=self.say("page.name"), description="")
        save = ipywidgets.Button(description=self.say("page.save"), layout={"width": "auto"})
        again = ipywidgets.Button(description=self.say("page.again"), layout={"width": "auto"})
        told = ipywidgets.HTML()
        name.add_class("nimmt-name")

        def save_clicked(_button: object) -> None:
            told.value = f"<p role='status'>{escape(self.save(name.value))}</p>"

        save.on_click(save_clicked)
        again.on_click(lambda _button: self.restart())
        self._body.children = (ipywidgets.HBox([name, save, again]), told)

    def save(self, name: str) -> str:
        """Write the answers into the learner's folder (or here, where there is none); what to tell the learner."""
        if not check_name(name):
            return self.say("page.name_first")
        self._remember(lambda now: replace(now, name=name.strip()))
        folder = (self.progress.folder or Path.cwd()) / memory.HAND_IN
        try:
            path = self.results.save(folder)
        except CannotWrite:
            return self.say("page.not_saved", folder=folder)
        return self.say("page.saved", file=f"{memory.HAND_IN}/{path.name}")

    def _remember(self, change: Callable[[memory.Progress], memory.Progress]) -> None:
        """Keep something for the next lessons. A folder that is full or may not be written is no reason to stop here:
        the learner is told, and this page goes on knowing it."""
        folder = self.progress.folder
        told = ""
        try:
            self.progress = memory.update(folder, change)
        except CannotWrite:
            self.progress = change(self.progress)
            told = f"<p role='alert'>{escape(self.say('page.not_saved', folder=folder))}</p>"
        self._notice.value = told

    def restart(self) -> None:
        """Forget the tries and begin again."""
        self.tries, self.hinted, self._open, self._made = {}, set(), set(), {}
        self.starts += 1
        self.at = 0
        self.go(0)

    def switch(self, lang: str) -> None:
        """Change the language of everything on the page, for this and every other lesson."""
        self.say = words(lang)
        self._remember(lambda now: replace(now, lang=lang))
        self._made = {}
        self._label()
        self.go(self.at)

    def _build(self) -> None:
        self._style = ipywidgets.HTML(_STYLE)
        self._notice = ipywidgets.HTML()
        self._title = ipywidgets.HTML()
        self._lang = ipywidgets.Dropdown(
            options=[(_LANGUAGE_NAMES[lang], lang) for lang in LANGUAGES], value=self.say.lang, layout={"width": "8rem"}
        )
        self._lang.observe(lambda change: self.switch(change["new"]), names="value")
        self._head = ipywidgets.HBox([self._title, self._lang], layout={"justify_content": "space-between"})
        self._text = ipywidgets.VBox()
        self._body = ipywidgets.VBox()
        self._back = ipywidgets.Button(layout={"width": "auto"})
        self._next = ipywidgets.Button(layout={"width": "auto"})
        self._back.on_click(lambda _button: self.go(self.at - 1))
        self._next.on_click(lambda _button: self.go(self.at + 1))
        self._nav = ipywidgets.HBox([self._back, self._next])
        self._next.add_class("nimmt-next")
        self._label()

    def _label(self) -> None:
        self._back.description = f"← {self.say('page.back')}"
        self._next.description = f"{self.say('page.next')} →"
        self._lang.tooltip = self.say("page.language")

    def verify(self) -> None:
        """Answer every question as the engine says and see that it counts; raises what is wrong with the lesson."""
        raise TypeError(f"{type(self).__name__} cannot be verified")


class RulesPage(Page):
    """A rules lesson."""

    def __init__(self, name: str, *, lang: str | None = None, folder: Path | None = None) -> None:
        self.lesson = rules_lesson(name)
        super().__init__(name, lang=lang, folder=folder)

    def questions(self) -> list[str]:
        return [step.name for step in self.lesson.steps]

    def asks(self, at: int) -> str | None:
        steps = self.lesson.steps
        return steps[at].name if at < len(steps) and steps[at].ask else None

    def make(self, at: int) -> tuple[str, Sequence[ipywidgets.Widget]]:
        step, say = self.lesson.steps[at], self.say
        if step.ask:
            question = question_of(step, self.name)
            title = f"<p class='say'><b>{escape(say('page.check'))}</b></p>" if step.check else ""
            return title, (LessonExercise(question, step, say.lang, self),)
        text = f"<p class='say'>{escape(say(f'{self.name}.{step.name}'))}</p><p>{escape(say('page.see'))}</p>"
        return text, (Replay(step.record, lang=say.lang),)

    def verify(self) -> None:
        for at, step in enumerate(self.lesson.steps):
            _, (board,) = self.make(at)
            if step.ask:
                assert isinstance(board, LessonExercise)
                right = next(iter(board.question.right))
                wrong = [choice for choice in board.question.choices if choice not in board.question.right]
                assert wrong and not Exercise.answer(board, wrong[0]) and Exercise.answer(board, right), step.name


class ClassroomPage(Page):
    """A probability lesson: aims and activity, then its questions, each with an experiment where there is one."""

    def __init__(
        self,
        number: int,
        *,
        seed: int = 0,
        lang: str | None = None,
        folder: Path | None = None,
        draws: int | None = None,
    ) -> None:
        self.number = number
        #: What the experiments are drawn from. Every page has its own, so that no two pupils see the same runs.
        self.draws = secrets.randbits(62) if draws is None else draws
        super().__init__(f"p{number}", seed=seed, lang=lang, folder=folder)

    @property
    def problems(self) -> tuple[Problem, ...]:
        """The questions of this sheet."""
        return problems(self.number, self.seed)

    def questions(self) -> list[str]:
        return ["start", *(problem.key for problem in self.problems)]

    def make(self, at: int) -> tuple[str, Sequence[ipywidgets.Widget]]:
        return self._start() if at == 0 else self._problem(self.problems[at - 1])

    def _start(self) -> tuple[str, Sequence[ipywidgets.Widget]]:
        say = self.say

        def part(name: str) -> str:
            return f"<p class='say'><b>{escape(say(f'page.{name}'))}.</b> {escape(say(f'{self.name}.{name}'))}</p>"

        sheet = ipywidgets.BoundedIntText(
            value=self.seed, min=0, max=10**9, description=say("page.other"), style={"description_width": "initial"}
        )
        sheet.observe(lambda change: self._other(change["new"]), names="value")
        # The notes for the teacher are in the key to the worksheets: they tell what pupils should find.
        return part("aims") + part("activity"), (sheet,)

    def _other(self, seed: int) -> None:
        self.seed = seed
        start = self._made[0]
        self.tries, self.hinted, self._open = {}, set(), set()
        self._made = {0: start}  # the field that was just typed into stays where it is

    def restart(self) -> None:
        self.draws += 1
        super().restart()

    def _problem(self, problem: Problem) -> tuple[str, Sequence[ipywidgets.Widget]]:
        say = self.say
        parts = [f"<p class='say'>{escape(question_text(problem, say))}</p>"]
        if self.number in COUNTS_HEADS:
            parts.append(f"<p>{escape(say('sheet.heads'))}</p>")
        if problem.state is not None:
            if problem.state.game.hidden_hands:
                parts.append(f"<p>{escape(say('sheet.unseen', deck=problem.state.game.deck[-1]))}</p>")
            parts.append(f"<div class='drawing'>{table_svg(problem.state, say)}</div>")
        if problem.chart is not None:
            parts.append(chart_html(problem.chart, say))
        told = ipywidgets.HTML()

        experiments = []
        if problem.trial is not None:
            draws = zlib.crc32(f"{self.draws} {problem.key}".encode())
            experiments.append(Experiment(problem, say, known=lambda: problem.key in self._open, seed=draws))

        def answered(said: str) -> None:
            told.value = self.respond(problem, said)
            for experiment in experiments:
                experiment.tell()

        if problem.choices:
            field = self._choices(problem, answered)
        else:
            field = Entry(say("page.your_answer"), say("page.answer"), answered)
        return "".join(parts), [field, told, *experiments]

    def respond(self, problem: Problem, said: str) -> str:
        """Judge an answer; what to tell the pupil, as HTML."""
        try:
            right = problem.is_right(said)
        except NotationError:
            return f"<p role='status'>{escape(self.say('page.not_read'))}</p>"
        self.heard(problem.key, said, right)
        if not right:
            return f"<p role='status'>✗ {escape(self.say('page.wrong'))}</p>"
        why = working_text(problem, self.say)
        return f"<p role='status' class='right'>✓ {escape(self.say('page.right'))} {escape(why)}</p>"

    def _choices(self, problem: Problem, answered: Callable[[str], None]) -> ipywidgets.Widget:
        buttons = []
        for choice in problem.choices:
            button = ipywidgets.Button(description=choice_text(choice, self.say), layout={"width": "auto"})
            button.on_click(lambda _button, choice=choice: answered(choice))
            buttons.append(button)
        return ipywidgets.HBox(buttons)

    def verify(self) -> None:
        for at, problem in enumerate(self.problems, 1):
            self.make(at)
            answer = problem.answer
            said = f"{float(answer):.4f}" if problem.slack and not isinstance(answer, str) else str(answer)
            assert problem.is_right(said), problem.key
            if problem.trial is not None:
                experiment = Experiment(problem, self.say, seed=len(problem.key))  # the same whenever it is verified
                experiment.run(200)
                assert isinstance(problem.answer, Fraction)
                # Five standard errors: a right answer fails once in a million lessons, a wrong one soon.
                assert abs(experiment.mean - float(problem.answer)) <= 5 * experiment.error + 1e-9, problem.key


def show(name: str, *, seed: int = 0, lang: str | None = None) -> Page:
    """A lesson to click through: a rules lesson by name, or a probability lesson as p1 to p8.

    >>> page = show("first_turn", lang="pl")
    >>> page.questions()[:3]
    ['see', 'row', 'closest']
    >>> page.go(1); page.at
    1
    >>> page.go(2); page.at  # the question comes first
    1
    """
    number = number_of(name)
    if number is not None:
        return ClassroomPage(number, seed=seed, lang=lang)
    if seed:
        raise RulesError("only probability lessons (p1 to p8) have a seed")
    return RulesPage(name, lang=lang)


@dataclass(frozen=True)
class Contents:
    """The list of lessons with what is done, for the index page."""

    markdown: str

    def _repr_markdown_(self) -> str:
        return self.markdown


def progress() -> Contents:
    """What has been done so far, with links to every lesson.

    >>> "first_turn.ipynb" in progress().markdown
    True
    """
    now = memory.current()
    return Contents(contents(now.lang, now.done))
