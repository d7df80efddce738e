"""Practise: endless exercises and puzzles by game and kind, with spaced repetition of the missed ones.

A task (game, kind, difficulty, seed) always gives the same question, and is all that is saved of a missed one. The
spacing counts tasks, not days.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterator, Mapping
from datetime import date
from typing import ClassVar, Final

from nimmt_lab.boards.describe import Obj
from nimmt_lab.engine.cards import Seat
from nimmt_lab.engine.decisions import Choice
from nimmt_lab.engine.errors import NimmtError, NotationError, RulesError
from nimmt_lab.engine.events import Json
from nimmt_lab.engine.files import shown
from nimmt_lab.engine.game import Game
from nimmt_lab.engine.habits import habitual_choices
from nimmt_lab.engine.record import Step
from nimmt_lab.engine.registry import all_games
from nimmt_lab.engine.rng import Rng
from nimmt_lab.lessons import Question, generate, kinds_of
from nimmt_lab.lessons.puzzle import best_card, best_choice
from nimmt_lab.lessons.question import play_turn

from .base import Work, as_object, whole_number
from .daily import Daily, difficulty_of_day, read_date, seed_of_day
from .desk import Desk, DeskScreen
from .exercise import ExerciseScreen
from .rules import forms, game_of
from .setup import usual_setup
from .words import labels, screen_words

#: Puzzles: the best choice from what a seat may know, and the best card against best play (two open hands).
CHOICE: Final = "best_choice"
SAFE: Final = "safe"
CARD: Final = "best_card"
#: Puzzles from one's own mistakes, and where Analyse keeps them.
OWN: Final = "own"
OWN_PAGE: Final = "own puzzles"
#: Tasks until a missed one returns: the first time, and after each right answer.
AGAIN: Final = (3, 10, 30)
MOST_MISSED: Final = 200
LARGEST_SEED: Final = 2**32
#: For a puzzle: playouts of each option, the lead of the best one, and positions tried per seed.
PLAYOUTS: Final = 200
OWN_PLAYOUTS: Final = 1500
LEAD: Final = 1.0
TRIES: Final = 400
#: The most decisions of a line that is played out.
LONGEST_LINE: Final = 24


def kinds_for(game: Game) -> tuple[str, ...]:
    """The kinds of tasks of a game: its exercises, then its puzzles.

    >>> from nimmt_lab import Advanced, Classic
    >>> kinds_for(Classic(players=4)), kinds_for(Advanced(players=2))[-1]
    (('row', 'takes', 'safe', 'best_choice'), 'best_card')
    """
    puzzles = (CARD,) if not game.hidden_hands and game.players == 2 else (CHOICE,)
    return (*kinds_of(game), *puzzles)


def made(game: Game, kind: str, difficulty: int, seed: int) -> Iterator[Question | None]:
    """The question of a task, after a None for each slice of the search."""
    if kind == CARD:
        from nimmt_lab.study import puzzles

        yield None
        yield best_card(puzzles(1, seed=seed, difficulty=difficulty, progress=False)[0])
    elif kind == CHOICE:
        yield from _choice(game, seed)
    else:
        yield generate(game, kind, seed=seed, difficulty=difficulty)


def _choice(game: Game, seed: int) -> Iterator[Question | None]:
    """A decision with one clearly best option, from what the seat may know."""
    from nimmt_lab.bots import BestBot
    from nimmt_lab.study import as_clear_choice

    adviser, rng = BestBot(PLAYOUTS, "heads"), Rng.from_seed(seed, 1)
    state = game.deal(rng.state)
    for at in range(TRIES):
        if state.is_over:
            rng = Rng.from_seed(seed, at + 1)
            state = game.deal(rng.state)
        skip, rng = rng.below(3)  # not always the first turn of a game
        for seat in state.pending if not skip else ():
            choice = as_clear_choice(state, seat, adviser=adviser, seed=seed, margin=LEAD) if seat >= 0 else None
            if choice is not None:
                yield best_choice(choice)
                return
            yield None
        choices, rng = habitual_choices(state, rng)
        state, _ = state.choose(choices)
    raise RulesError("screens.no_clear", game=game.name, seed=seed)


def own_tasks(kept: Mapping[str, Json]) -> list[dict[str, Json]]:
    """The puzzles from one's own mistakes that Analyse kept."""
    tasks = kept.get("tasks")
    return [
        task
        for task in map(as_object, tasks if isinstance(tasks, list) else [])
        if isinstance(task.get("position"), str) and whole_number(task.get("seat"), 0, 99) is not None
    ]


def _own(game: Game, position: str, seat: Seat) -> Iterator[Question | None]:
    """The question of a position in which somebody made a mistake."""
    from nimmt_lab.bots import BestBot
    from nimmt_lab.study import as_clear_choice

    yield None
    choice = as_clear_choice(game.from_position(position), seat, adviser=BestBot(OWN_PLAYOUTS, "heads"), margin=0.0)
    if choice is None:
        raise RulesError("screens.no_clear", game=game.name, seed=0)
    yield best_choice(choice)


class Missed:
    """Missed tasks as plain JSON, each with its box (right answers since) and the number of the task when it is due.

    >>> missed = Missed()
    >>> missed.wrong({"kind": "row"}, 10)
    >>> missed.due(12), missed.due(13)
    (None, {'kind': 'row'})
    >>> missed.right({"kind": "row"}, 13); missed.due(22), missed.due(23)
    (None, {'kind': 'row'})
    """

    def __init__(self, kept: object = None) -> None:
        self.items: list[dict[str, Json]] = []
        for item in kept if isinstance(kept, list) else []:
            known = isinstance(item, dict) and isinstance(item.get("task"), dict)
            if known and isinstance(item.get("box"), int) and isinstance(item.get("due"), int):
                self.items.append({name: item[name] for name in ("task", "box", "due")})
        del self.items[MOST_MISSED:]

    def _at(self, task: Mapping[str, Json]) -> int | None:
        return next((at for at, item in enumerate(self.items) if item["task"] == task), None)

    def wrong(self, task: Mapping[str, Json], now: int) -> None:
        """A miss: back to the first box."""
        if (at := self._at(task)) is not None:
            del self.items[at]
        self.items.append({"task": dict(task), "box": 0, "due": now + AGAIN[0]})
        del self.items[:-MOST_MISSED]

    def right(self, task: Mapping[str, Json], now: int) -> None:
        """Right on the first try: move the task to the next box, and drop it after the last."""
        if (at := self._at(task)) is None:
            return
        box = int(str(self.items[at]["box"])) + 1
        if 0 <= box < len(AGAIN):
            self.items[at] = {**self.items[at], "box": box, "due": now + AGAIN[box]}
        else:
            del self.items[at]

    def forget(self, task: Mapping[str, Json]) -> None:
        self.items = [item for item in self.items if item["task"] != task]

    def due(
        self, now: int, wanted: Callable[[Mapping[str, Json]], bool] = lambda task: True, *, early: bool = False
    ) -> Obj | None:
        """The task that has been due longest; with `early`, the next one even if it is not due yet."""
        items = [item for item in self.items if wanted(as_object(item["task"]))]
        first = min(items, key=lambda item: int(str(item["due"])), default=None)
        if first is None or (not early and int(str(first["due"])) > now):
            return None
        return as_object(first["task"])


class PractiseExercise(ExerciseScreen):
    panels = ()
    counted = False

    def __init__(self, question: Question, lang: str, practise: PractiseScreen) -> None:
        self._practise = practise
        #: Whether the learner has seen the solution.
        self.shown = False
        super().__init__([question], lang=lang)

    def answer(self, said: str, *, seconds: float = 0.0) -> bool:
        right = super().answer(said, seconds=seconds)
        self._practise.heard(right and len(self.answers) == 1 and not self._hinted)
        if right and not self.shown:
            self._practise.solved()
        return right

    def receive(self, message: Obj) -> None:
        if message.get("type") == "show" and message.get("question") == 0:
            self.shown = True
            self._practise.heard(False)
        super().receive(message)

    def next(self) -> None:
        self._practise.next()

    @property
    def free(self) -> bool:
        return False  # the answer can be shown, which counts as missed

    def is_you(self, question: Question) -> bool:
        return question.kind in (CARD, CHOICE, SAFE)

    def prompt(self) -> str:
        key = f"practise.ask_{self.question.kind}"
        say = screen_words(self._lang)
        return say(key) if say.has(key) else super().prompt()

    def line(self) -> tuple[Step, ...]:
        """The best play of both from here on; where hands are hidden, the turn with what the others usually play."""
        question = self.question
        if question.kind == CHOICE:
            best = next(option.choice for option in question.options if option.text in question.right)
            assert best is not None
            others, _ = habitual_choices(question.state, Rng.from_seed(0))
            return play_turn(question.state, {**others, question.seat: best})
        if question.kind != CARD:
            return ()
        from nimmt_lab.solver import solve

        best = next(option.card for option in question.options if option.text in question.right)
        assert best is not None
        steps: list[Step] = []
        state = question.state
        while state.pending and not state.is_over and len(steps) < LONGEST_LINE and state.round == question.state.round:
            played = solve(state).strategies
            chosen: dict[Seat, Choice] = {
                seat: max(mix, key=lambda choice: mix[choice]) for seat, mix in played.items()
            }
            step = Step.of(state, chosen if steps else {**chosen, question.seat: best})
            steps.append(step)
            state = step.state
        return tuple(steps)

    def labels(self) -> Mapping[str, str]:
        return {"exercise_of": ""}


class PractiseScreen(DeskScreen):
    """The form and the current task. A task counts once: right on the first try without a hint, or missed.

    >>> practise = PractiseScreen(Desk(None))
    >>> practise.receive({"type": "start", "setup": {"game": "classic", "players": 4}, "kind": "row", "difficulty": 1})
    >>> question = practise.exercise.question
    >>> practise.exercise.answer(min(question.right)), practise.data["streak"]
    (True, 1)
    """

    module: ClassVar[str] = "screens/practise"

    def __init__(self, desk: Desk) -> None:
        super().__init__(desk)
        kept = desk.memory.get("practise")
        self.setup = usual_setup(kept.get("setup"))
        self.kind = str(kept.get("kind", ""))
        self.difficulty = _number(kept.get("difficulty"), 1, 3, 1)
        self.only_missed = kept.get("only_missed") is True
        self.count = _number(kept.get("count"), 0, 10**9, 0)
        self.right = _number(kept.get("right"), 0, self.count, 0)
        self.streak = _number(kept.get("streak"), 0, self.count, 0)
        self.best = _number(kept.get("best"), 0, self.count, self.streak)
        self.missed = Missed(kept.get("missed"))
        #: Puzzles from one's own mistakes.
        self.mistakes = own_tasks(desk.memory.get(OWN_PAGE))
        self.task: dict[str, Json] | None = None
        #: The day whose puzzle is open.
        self.day: date | None = None
        self._heard = False
        self._label()
        task = kept.get("task")
        if isinstance(task, dict):
            try:
                self._check(task)
            except NimmtError:
                return  # saved by another version
            self._pose(task)
        elif kept.get("open") is True:  # the last task was answered
            self.next()

    def receive(self, message: Obj) -> None:
        """`start` (a `setup`, a `kind` or all, a `difficulty`, or the `missed` ones), `form`, `next`, `leave`."""
        kind = message.get("type")
        if kind == "start":
            self._start(
                self.setup | as_object(message.get("setup")),
                str(message.get("kind") or ""),
                message.get("difficulty", self.difficulty),
                message.get("missed") is True,
            )
        elif kind == "form":
            changed = usual_setup(self.setup | as_object(message.get("setup")))
            game_of(changed)
            self.setup = changed
            self._label()
        elif kind == "next":
            self.next()
        elif kind == "own":
            self.own()
        elif kind == "daily":
            self.daily(read_date(message.get("date")))
        elif kind == "leave":
            self.stop()
            self.task = self.day = None
            self.put("exercise", None)
            self._label()
            self._keep()
        else:
            super().receive(message)

    @property
    def exercise(self) -> PractiseExercise:
        part = self.parts.get("exercise")
        if not isinstance(part, PractiseExercise):
            raise RulesError("screens.no_task_open")
        return part

    def _start(self, setup: dict[str, Json], kind: str, difficulty: object, only_missed: bool) -> None:
        game = game_of(setup, self.desk.own)
        if kind and kind not in kinds_for(game):
            raise RulesError("screens.has_no_task", game=game.name, kind=shown(kind), known=", ".join(kinds_for(game)))
        level = whole_number(difficulty, 1, 3)
        if level is None:
            raise RulesError("shared.difficulty_must_got", got=shown(difficulty))
        if only_missed and not self.missed.items:
            raise RulesError("screens.none_missed")
        self.setup, self.kind, self.difficulty, self.only_missed = usual_setup(setup), kind, level, only_missed
        self.next()

    def own(self) -> None:
        """Ask puzzles from one's own mistakes, one after the other."""
        if not self.mistakes:
            raise RulesError("screens.none_own")
        self.kind, self.only_missed = OWN, False
        self.next()

    def daily(self, day: date) -> None:
        """Ask the puzzle of a day."""
        games = (name for name, game in all_games().items() if game.for_players[0] <= 2 <= game.for_players[1])
        setups: Iterator[dict[str, Json]] = ({"game": name, "players": 2, "options": {}} for name in games)
        setup = next(setup for setup in setups if CARD in kinds_for(game_of(setup)))
        self._pose({**setup, "kind": CARD, "difficulty": difficulty_of_day(day), "seed": seed_of_day(day)}, day)

    def solved(self) -> None:
        """The right answer was found: if it is the puzzle of a day, the day counts."""
        if self.day is not None:
            self.desk.memory.put("daily", Daily(self.desk.memory.get("daily")).solved(self.day).plain())
            self._figures()

    def next(self) -> None:
        """Ask the next task: a missed one that is due, or a new one."""
        game = game_of(self.setup, self.desk.own)
        system = {name: self.setup[name] for name in ("game", "players", "options")}
        if self.kind == OWN and not self.mistakes:
            self.kind = ""
        if self.kind == OWN:
            task = self.missed.due(self.count, lambda task: task.get("kind") == OWN)
            self._pose(self.mistakes[self.count % len(self.mistakes)] if task is None else task)
            return

        def wanted(task: Mapping[str, Json]) -> bool:
            same = all(task.get(name) == value for name, value in system.items())
            return self.only_missed or (same and self.kind in ("", task.get("kind")))

        task = self.missed.due(self.count, wanted, early=self.only_missed)
        if task is None:
            self.only_missed = False  # none is left
            kinds = (self.kind,) if self.kind else kinds_for(game)
            kind = kinds[secrets.randbelow(len(kinds))]
            task = {**system, "kind": kind, "difficulty": self.difficulty, "seed": secrets.randbelow(LARGEST_SEED)}
        self._pose(task)

    def _check(self, task: Mapping[str, Json]) -> tuple[Game, str, int, int]:
        """The values of a valid task."""
        game, kind = game_of(task, self.desk.own), task.get("kind")
        if kind == OWN and isinstance(task.get("position"), str):
            state, seat = game.from_position(str(task["position"])), whole_number(task.get("seat"), 0, 99)
            if seat in state.pending:
                return game, OWN, 1, 0
        if not isinstance(kind, str) or kind not in kinds_for(game):
            raise NotationError("screens.no_task", kind=shown(kind))
        difficulty = whole_number(task.get("difficulty"), 1, 3)
        seed = whole_number(task.get("seed"), 0, LARGEST_SEED)
        if difficulty is None or seed is None:
            raise NotationError("screens.task_has_difficulty")
        return game, kind, difficulty, seed

    def _pose(self, task: dict[str, Json], day: date | None = None) -> None:
        self.day = day
        try:
            self._check(task)
        except NimmtError:  # saved by another version, or edited
            self.missed.forget(task)
            self._keep()
            raise
        self.work(self._make(task))

    def _make(self, task: dict[str, Json]) -> Work:
        self.show(waiting=True)
        yield
        question = None
        while question is None:
            try:
                for candidate in self._candidates(task):
                    question = candidate
                    yield
            except (RulesError, NotationError):
                # This seed has no question: try another one, and forget the task if it was a missed one.
                self.missed.forget(task)
                if task.get("kind") == OWN:  # another version of the search sees no clear answer
                    self.mistakes = [other for other in self.mistakes if other != task]
                    if not self.mistakes:
                        self._label()
                        raise
                    task = self.mistakes[0]
                else:
                    task = {**task, "seed": secrets.randbelow(LARGEST_SEED)}
        self.task, self._heard = task, False
        again = any(item["task"] == task for item in self.missed.items)
        self._label(again=again)
        self.put("exercise", PractiseExercise(question, self.desk.lang, self), waiting=False)
        self._keep()

    def _candidates(self, task: Mapping[str, Json]) -> Iterator[Question | None]:
        checked, seat = self._check(task), task.get("seat")
        if checked[1] == OWN and isinstance(seat, int):
            return _own(checked[0], str(task["position"]), seat)
        return made(*checked)

    def heard(self, right: bool) -> None:
        """Count the first answer, or a look at the solution; later tries do not count."""
        if self._heard or self.task is None:
            return
        self._heard = True
        self.count += 1
        if right:
            self.right += 1
            self.streak += 1
            self.best = max(self.best, self.streak)
            self.missed.right(self.task, self.count)
        else:
            self.streak = 0
            self.missed.wrong(self.task, self.count)
        self._figures()
        self._keep()

    def _figures(self) -> None:
        self.show(
            streak=self.streak,
            best=self.best,
            daily=Daily(self.desk.memory.get("daily")).plain(),
            day=self.day.isoformat() if self.day else "",
            score=self.say("practise.score", right=self.right, count=self.count) if self.count else "",
            missed=len(self.missed.items),
            own=len(self.mistakes),
        )

    def _label(self, *, again: bool = False) -> None:
        game = game_of(self.setup, self.desk.own)
        kinds: list[Json] = [[kind, self.say(f"kind.{kind}")] for kind in kinds_for(game)]
        self.label(
            choose={**labels(self.desk.lang, "choose")},
            games=forms(self.desk.lang),
            setup=self.setup,
            kinds=kinds,
            kind=self.kind if self.kind in kinds_for(game) else "",
            difficulty=self.difficulty,
            open=self.task is not None,
            again=again,
            waiting=False,
        )
        self._figures()

    def _keep(self) -> None:
        kept: dict[str, Json] = {
            "setup": self.setup,
            "kind": self.kind,
            "difficulty": self.difficulty,
            "only_missed": self.only_missed,
            "count": self.count,
            "right": self.right,
            "streak": self.streak,
            "best": self.best,
            "missed": [*self.missed.items],
        }
        if self.task is not None and not self._heard:
            kept["task"] = self.task
        elif self.task is not None:
            kept["open"] = True
        self.desk.memory.put("practise", kept)


def _number(value: object, least: int, most: int, usual: int) -> int:
    number = whole_number(value, least, most)
    return usual if number is None else number
