"""Screenshots of every screen and every step of every lesson: python tools/page_screenshots.py [FOLDER]. Look at
each."""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from nimmt_lab import all_games
from nimmt_lab.lessons import lesson_names
from nimmt_lab.screens import odds
from nimmt_lab.screens.exercise import ExerciseScreen
from nimmt_lab.screens.lesson_page import LessonScreen
from nimmt_lab.screens.problem import ProblemScreen
from nimmt_lab.screens.replay import ReplayScreen
from nimmt_lab.screens.sampling import SamplingScreen
from nimmt_lab.widgets import Home
from tools.browser import Stage, open_browser
from tools.ensure_chromium import ADVICE, find_chromium

#: A school laptop, a square window, a phone.
SIZES = {"1366": (1366, 768), "900": (900, 900), "400": (400, 800)}


def settle(stage: Stage) -> None:
    for _ in range(3):
        stage.page.wait_for_timeout(20)
        stage.settle()


def lesson_steps(stage: Stage, home: Any, name: str) -> Iterator[str]:
    """Every step of a lesson, with each question before and after the answer."""
    home.screen.open("learn")
    learn = home.screen.parts["screen"]
    learn.open(name)
    lesson = learn.parts["lesson"]
    assert isinstance(lesson, LessonScreen)
    for at in range(len(lesson.questions()) + 1):
        settle(stage)
        yield f"{name}-{at + 1}"
        board = lesson.board
        if isinstance(board, ReplayScreen):
            # A lesson hides the controls: its own button steps.
            stage.page.evaluate("document.querySelector('.nl-control[data-do=last]').click()")
            settle(stage)
            yield f"{name}-{at + 1}-last"
        elif isinstance(board, ExerciseScreen):
            board.receive({"type": "answer", "question": 0, "choice": min(board.question.right)})
            settle(stage)
            yield f"{name}-{at + 1}-answered"
        elif isinstance(board, ProblemScreen):
            board.respond(str(board.problem.answer))
            if board.experiment is not None:
                board.experiment.run(100)
            settle(stage)
            yield f"{name}-{at + 1}-answered"
        elif isinstance(board, SamplingScreen):
            for way in range(len(board.sampled.ways)):
                board.receive({"type": "way", "at": way})
                board.run(200)
                settle(stage)
                yield f"{name}-{at + 1}-way{way + 1}"
        lesson.go(at + 1)


def screens(stage: Stage, home: Any) -> Iterator[str]:
    """Every screen; of Play, the form, each game in progress, and a final table."""
    for name in (door["name"] for door in home.screen.data["doors"]):
        home.screen.open(name)
        settle(stage)
        yield f"screen-{name}"
    for name, game in all_games().items():
        home.screen.open("play")
        play = home.screen.parts["screen"]
        players = min(4, game.for_players[1])
        play.start({"game": name, "players": players, "seed": 5, "hints": True})
        for _ in range(4):
            table = play.table
            if table.asked is None:
                break
            decision = table.record.final.pending[table.asked]
            options = decision.options
            table.play(decision.write(options[len(options) // 2]))
        settle(stage)
        yield f"table-{name}"
    play.start({"game": "classic", "players": 3, "seed": 5, "options": {"rounds": 1}})
    while not play.table.record.final.is_over:
        pending = play.table.record.final.pending[play.table.asked]
        play.table.play(pending.write(pending.options[0]))
    play.receive({"type": "finish"})
    settle(stage)
    yield "end"
    people = [{"level": "person", "name": "Ann"}, {"level": "person", "name": "Bob"}]
    play.start({"game": "classic", "players": 2, "seed": 5, "seats": people})
    settle(stage)
    yield "cover"
    play.leave()


def tools(stage: Stage, home: Any) -> Iterator[str]:
    """The other screens in use."""
    odds.MOST, odds.MOST_SLOW = 20_000, 20

    def shown(name: str, *messages: dict[str, Any], part: str = "") -> str:
        screen = home.screen.parts["screen"]
        for message in messages:
            (screen.parts[part] if part else screen).receive(message)
        settle(stage)
        return name

    home.screen.open("practise")
    yield shown("practise-task", {"type": "start", "kind": "takes", "difficulty": 2})
    home.screen.open("analyse")
    analyse = home.screen.parts["screen"]
    for name, game in all_games().items():
        analyse.setup = {"game": name, "players": min(4, game.for_players[1]), "options": {}}
        analyse.sample(5)
        yield shown(f"analyse-{name}", {"type": "run"}, part="course")
    analyse.setup = {"game": "classic", "players": 4, "options": {}}
    analyse.sample(5)
    yield shown("analyse-search", {"type": "ask", "way": "search"}, part="judge")
    analyse.open("3 8 13 | 5 10 11 | 15 17 19 21 23 | 22 24 ; A: 12 16 20 ; B: 1 2 18", {"game": "advanced"})
    yield shown("analyse-solved", {"type": "ask", "way": "solve"}, part="judge")
    analyse.receive({"type": "setup"})
    yield shown("analyse-setup", {"type": "deal"}, part="editor")
    analyse.receive({"type": "record_game"})
    cards = [{"type": "card", "card": card} for card in (12, 37, 43, 58, 14, 15)]
    yield shown("analyse-record-game", *cards, part="editor")
    analyse.receive({"type": "back"})
    home.screen.open("odds")
    forms = ({"type": "compare", "on": True}, {"type": "form", "at": 1, "form": {"mine": "highest"}})
    yield shown("odds-rounds", *forms, {"type": "run"})
    shown("", {"type": "mode", "mode": "odds"})
    table = "12 14 15 | 37 | 41 | 35 36 38 40 42 ; A: 43 45 104"
    yield shown("odds-hand", {"type": "text", "text": table}, {"type": "done"}, part="editor")
    home.screen.open("box")
    for kind in [one["name"] for one in home.screen.parts["screen"].data["kinds"]]:
        yield shown(f"box-{kind}", {"type": "open", "kind": kind}, {"type": "begin", "sample": True})


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", nargs="?", default="screenshots", type=Path)
    parser.add_argument("--only", default="", help="only lessons and screens whose names contain this")
    parser.add_argument("--size", choices=SIZES, help="only this size")
    parser.add_argument("--theme", choices=("light", "dark"), default="light")
    parser.add_argument("--lang", default="en")
    options = parser.parse_args()
    chromium = find_chromium()
    if chromium is None:
        print(ADVICE, file=sys.stderr, end="")
        return 1
    options.folder.mkdir(parents=True, exist_ok=True)
    wrong = 0
    with open_browser(chromium) as browser, tempfile.TemporaryDirectory() as folder:
        context = browser.new_context(reduced_motion="reduce")
        stage = Stage(context.new_page())
        home = Home(folder=folder, lang=options.lang)
        stage.show(home, theme=options.theme)
        names = [name for name in ("screens", "tools", *lesson_names()) if options.only in name]
        for name in names:
            groups = {"screens": screens, "tools": tools}
            shots = groups[name](stage, home) if name in groups else lesson_steps(stage, home, name)
            for shot in shots:
                for size, (width, height) in SIZES.items():
                    if options.size not in (None, size):
                        continue
                    stage.page.set_viewport_size({"width": width, "height": height})
                    stage.page.wait_for_timeout(30)
                    stage.page.screenshot(path=options.folder / f"{shot}-{size}.png", full_page=size != "1366")
                    if stage.page.evaluate("document.documentElement.scrollWidth > window.innerWidth"):
                        print(f"{shot}-{size}: scrolls sideways")
                        wrong += 1
                    over = stage.page.evaluate("document.documentElement.scrollHeight - window.innerHeight")
                    if size == "1366" and over > 0:
                        print(f"{shot}-{size}: {over} px higher than the screen", flush=True)
                for error in (*stage.errors, *stage.left):
                    print(shot, error)
                    wrong += 1
                stage.errors.clear()
                stage.left.clear()
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
