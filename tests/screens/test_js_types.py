"""The shapes in `js/**/types.d.ts` are those of the data that screens really send: tsc compares the two."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from nimmt_lab import Advanced, Classic
from nimmt_lab.engine.events import Json
from nimmt_lab.lessons import problems, words
from nimmt_lab.lessons.exercises import generate
from nimmt_lab.lessons.sampling import sampling
from nimmt_lab.screens.base import Screen
from nimmt_lab.screens.desk import Desk
from nimmt_lab.screens.exercise import ExerciseScreen
from nimmt_lab.screens.home import HomeScreen
from nimmt_lab.screens.problem import ProblemScreen
from nimmt_lab.screens.pupil import PupilScreen
from nimmt_lab.screens.replay import ReplayScreen
from nimmt_lab.screens.sampling import SamplingScreen
from nimmt_lab.screens.solver_panel import SolverScreen
from nimmt_lab.screens.table import TableScreen
from tests.live.support import Room
from tests.widgets.games import SYSTEMS, recorded

ROOT = Path(__file__).resolve().parents[2]
TSC = ROOT / "node_modules" / "typescript" / "bin" / "tsc"
#: The type of a module's data.
TYPES = {
    "replay": "ReplayData", "table": "TableData", "exercise": "ExerciseData", "solver_panel": "SolverData",
    "screens/analyse": "AnalyseData", "screens/odds": "OddsData", "screens/course": "CourseData",
    "screens/experiment": "ExperimentData",
    "screens/sampling": "SamplingData", "screens/home": "HomeData", "screens/judge": "JudgeData",
    "screens/learn": "LearnData", "screens/lesson": "LessonData", "screens/box": "BoxData",
    "screens/notebooks": "NotebooksData", "screens/play": "PlayData", "screens/practise": "PractiseData",
    "screens/problem": "ProblemData", "screens/pupil": "PupilData", "screens/setup": "SetupData",
    "screens/record_game": "RecordGameData", "screens/teach": "TeachData",
    "screens/author": "AuthorData", "screens/class_start": "ClassStartData", "screens/class_page": "ClassPageData", "screens/class_wall": "ClassWallData",
}  # fmt: skip
POSITION = "3 8 13 | 5 10 11 | 15 17 19 21 23 | 22 24 ; A: 12 16 ; B: 1 2"
#: Clicks, by the screen of Home they are for: the path below it, and the message.
CLICKS: dict[str, list[tuple[list[str], dict[str, Any]]]] = {
    "learn": [
        ([], {"type": "open", "lesson": "p2"}),
        (["lesson"], {"type": "go", "at": 1}),
        (["lesson", "board"], {"type": "answer", "text": "1/3"}),
        ([], {"type": "open", "lesson": "first_turn"}),
        (["lesson"], {"type": "go", "at": 1}),
    ],
    "play": [
        ([], {"type": "start", "setup": {"game": "classic", "players": 2, "seed": 7, "options": {"rounds": 1}}}),
        (["table"], {"type": "hints", "on": True}),
    ],
    "analyse": [
        ([], {"type": "setup"}),
        ([], {"type": "record_game"}),
        ([], {"type": "sample"}),
        (["course"], {"type": "run"}),
        (["judge"], {"type": "ask", "way": "search"}),
        ([], {"type": "open", "text": POSITION, "setup": {"game": "advanced", "players": 2, "options": {}}}),
        (["judge"], {"type": "ask", "way": "odds"}),
        ([], {"type": "export", "as": "cell"}),
        ([], {"type": "export", "as": "svg"}),
        ([], {"type": "export", "as": "png"}),
    ],
    "odds": [([], {"type": "run"}), ([], {"type": "mode", "mode": "odds"})],
    "practise": [([], {"type": "start", "setup": {"game": "classic", "players": 2}, "kind": "row", "difficulty": 1})],
    "teach": [
        ([], {"type": "form", "form": {"class_list": "Ann\nBob"}}),
        ([], {"type": "grade", "files": [{"name": "a.json", "text": "{"}]}),
        ([], {"type": "key"}),
        (["author"], {"type": "new"}),
        (["author"], {"type": "save"}),
        (["author"], {"type": "copy", "lesson": "scoring"}),
    ],
    "box": [([], {"type": "open", "kind": "baron"}), ([], {"type": "begin", "sample": True})],
    "notebooks": [],
}


class Sent:
    """Everything that was sent, as typed constants; the same thing only once."""

    def __init__(self) -> None:
        self.lines: dict[str, None] = {}
        self.modules: set[str] = set()
        self.messages: set[str] = set()

    def add(self, kind: str, value: object) -> None:
        self.lines[f"{kind} = {json.dumps(value, ensure_ascii=False)};"] = None

    def screen(self, whole: dict[str, Any]) -> None:
        self.modules.add(whole["module"])
        self.add(TYPES[whole["module"]], whole["data"])
        for part in whole["parts"].values():
            self.screen(part)

    def hear(self, said: dict[str, Any]) -> None:
        if "message" in said:
            self.messages.add(said["message"]["type"])
            self.add("Message", said["message"])

    def listen(self, screen: Screen) -> None:
        def some(work: Any) -> None:
            for _, _ in zip(range(4), work, strict=False):
                self.screen(screen.whole())

        screen.listen(self.hear, some)
        self.screen(screen.whole())


@pytest.fixture(scope="module")
def sent(tmp_path_factory: pytest.TempPathFactory) -> Sent:
    found = Sent()
    for name in SYSTEMS:
        found.screen(ReplayScreen(recorded(name), seats=(0,)).whole())
    replay = ReplayScreen(recorded("classic"))
    found.listen(replay)
    choice: Json = {str(seat): str(card) for seat, card in recorded("classic").choices[0].items()}
    replay.handle({"path": [], "message": {"type": "what_if", "ply": 0, "choices": [choice]}})
    for system in ("classic", "buffalo", "baron", "board-advanced-luck"):
        found.listen(TableScreen(recorded(system), people=(0, 1), hints=True))
    exercise = ExerciseScreen([generate(Classic(players=3), "row", seed=1)])
    found.listen(exercise)
    wrong = next(one for one in exercise.question.choices if one not in exercise.question.right)
    answer: dict[str, Json] = {"type": "answer", "choice": wrong}
    said: tuple[dict[str, Json], ...] = (
        {"type": "hint"},
        answer,
        answer,
        answer,
        {"type": "show"},
        {"type": "x"},
    )
    for message in said:
        exercise.handle({"path": [], "message": {"question": 0, **message}})
    exercise.handle({"path": [], "message": {"type": "answer", "question": 0, "choice": min(exercise.question.right)}})
    state = Advanced(players=2).from_position(POSITION)
    found.listen(SolverScreen(state, seconds=None, progress=False))
    problem = ProblemScreen(problems(1, 7)[2], True, words("en"), lambda said, right: None, seed=1)
    found.listen(problem)
    run: dict[str, Json] = {"type": "run", "times": 100}
    problem.handle({"path": ["experiment"], "message": run})
    found.screen(problem.whole())
    for typed in ("who knows", "1/3"):
        problem.handle({"path": [], "message": {"type": "answer", "text": typed}})
        found.screen(problem.whole())
    found.screen(problem.whole())
    for name in ("p5", "p7", "p8"):  # with a median, a matrix, a tail
        sampled = sampling(name)
        assert sampled is not None
        dots = SamplingScreen(name, sampled, words("en"), seed=1)
        found.listen(dots)
        dots.handle({"path": [], "message": run | {"times": 10}})
        found.screen(dots.whole())
    home = HomeScreen(Desk(tmp_path_factory.mktemp("desk")))
    found.listen(home)
    for screen, clicks in CLICKS.items():
        home.handle({"path": [], "message": {"type": "go", "to": screen}})
        found.screen(home.whole())
        for path, message in clicks:
            home.handle({"path": ["screen", *path], "message": message})
            found.screen(home.whole())
    found.screen(PupilScreen(Desk(None), (), lambda: HomeScreen(Desk(None))).whole())
    class_pages(found, tmp_path_factory.mktemp("class"))
    return found


def class_pages(found: Sent, folder: Path) -> None:
    """A class with a lesson and a table, to the end of its game."""
    room = Room(folder)
    wall, ann = room.wall(), room.join("Ann")
    wall.send(type="pace", pace="wait", at=4)
    ann.send("lesson", "board", "experiment", type="run", times=10)
    ann.send("lesson", "board", type="answer", text="1/3")
    wall.send(type="timer", seconds=60)
    setup = {"game": "classic", "players": 3, "options": {"rounds": 1, "hand_size": 2}}
    wall.send(type="tables", how="open", count=2, setup=setup, limit=20, level="level-1")
    room.tick()
    for page in (wall, ann):
        found.screen(page.part())
    ann.send(type="sit", table=1)
    wall.send(type="start", table=1)
    room.until(lambda: bool(ann.data["result"]))
    wall.send(type="reveal", question="p4.exact")
    room.tick()
    for page in (wall, ann):
        found.screen(page.part())


def test_all_modules_and_messages_are_among_it(sent: Sent) -> None:
    assert sent.modules == set(TYPES)
    assert sent.messages == {"refused", "file", "picture", "cell", "branch", "hint", "verdict"}


@pytest.mark.exhaustive
def test_what_is_sent_has_the_shapes_that_the_scripts_are_checked_with(sent: Sent, tmp_path: Path) -> None:
    node = shutil.which("node")
    if node is None or not TSC.is_file():
        pytest.skip("needs Node and its tools: python tools/check_js.py")
    script = "".join(f"export const sent{at}: {line}\n" for at, line in enumerate(sent.lines))
    (tmp_path / "sent.ts").write_text(script, encoding="utf-8")
    shapes = [path.as_posix() for path in (ROOT / "nimmt_lab" / "screens" / "js").rglob("*.d.ts")]
    settings = {"extends": (ROOT / "tsconfig.json").as_posix(), "include": [], "files": [*shapes, "sent.ts"]}
    (tmp_path / "tsconfig.json").write_text(json.dumps(settings))
    done = subprocess.run([node, TSC, "-p", tmp_path], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout[:4000]
