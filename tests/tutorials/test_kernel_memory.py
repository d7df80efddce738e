"""The memory of the Python behind Home: one kernel, for any walk through the screens."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
#: Megabytes, of a kernel that has walked through every lesson.
MOST = 250

WALK = """
import json, sys
import ipykernel.ipkernel  # what a kernel has loaded before us
from nimmt_lab.lessons import lesson_names
from nimmt_lab.screens.exercise import ExerciseScreen
from nimmt_lab.screens.problem import ProblemScreen
from nimmt_lab.screens.sampling import MOST, TIMES, SamplingScreen
from nimmt_lab.widgets import Home

home = Home(folder=sys.argv[1])
def say(path, **message):
    home.screen.handle(json.loads(json.dumps({"path": path, "message": message})))
answered = sampled = 0
def answer(board):
    if isinstance(board, ExerciseScreen):
        say(["screen", "lesson", "board"], type="answer", question=0, choice=min(board.question.right))
    elif isinstance(board, ProblemScreen):
        board.respond(str(board.problem.answer) if board.problem.choices or not board.problem.slack
                      else f"{float(board.problem.answer):.4f}")
        if board.experiment is not None:
            say(["screen", "lesson", "board", "experiment"], type="run", times=100)
    return isinstance(board, ExerciseScreen | ProblemScreen)
for name in lesson_names():
    say([], type="go", to="learn")
    say(["screen"], type="open", lesson=name)
    lesson = home.screen.parts["screen"].parts["lesson"]
    for at in range(len(lesson.questions()) + 1):
        board = lesson.board
        answered += answer(board)
        if isinstance(board, SamplingScreen):  # as many dots as a page can have
            for _ in range(MOST // TIMES[-1]):
                say(["screen", "lesson", "board"], type="run", times=TIMES[-1])
            sampled += len(board.values) == MOST
        say(["screen", "lesson"], type="go", at=at + 1)
    while lesson.data["end"] is None:  # practice, until three in a row are right
        answered += answer(lesson.board)
        assert answered < 2000, (name, lesson.at)
        before = lesson.board
        say(["screen", "lesson"], type="go", at=len(lesson.questions()))
        assert lesson.board is not before, (name, lesson.at)
for name in [door["name"] for door in home.screen.data["doors"]]:
    say([], type="go", to=name)
# Of this program alone: the system's other count begins with what the process that started it had.
[peak] = [line.split()[1] for line in open("/proc/self/status") if line.startswith("VmHWM")]
print(answered, sampled, int(peak) // 1024)
"""


@pytest.mark.exhaustive
@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="kilobytes are counted as Linux does")
def test_a_kernel_that_has_seen_every_lesson_stays_small(tmp_path: Path) -> None:
    done = subprocess.run([sys.executable, "-c", WALK, str(tmp_path)], capture_output=True, text=True, cwd=ROOT)
    assert done.returncode == 0, done.stderr
    answered, sampled, megabytes = map(int, done.stdout.split())
    assert answered > 200 and sampled == 9 and megabytes < MOST, (answered, sampled, megabytes)
