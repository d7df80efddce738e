"""Time a click in Home's Python: every answer of every lesson, as a ratio to dealing and filming one game.

python benchmarks/bench_home.py
"""

from __future__ import annotations

import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from nimmt_lab import Classic, Record
from nimmt_lab.boards.film import film_of
from nimmt_lab.lessons import lesson_names
from nimmt_lab.screens.desk import Desk
from nimmt_lab.screens.exercise import ExerciseScreen
from nimmt_lab.screens.home import HomeScreen


def main() -> None:
    """Go through all lessons and every screen."""
    with tempfile.TemporaryDirectory() as folder:
        home = HomeScreen(Desk(Path(folder)))
        took: list[float] = []

        def click(path: list[str], **message: object) -> None:
            begun = time.process_time()
            home.handle({"path": [*path], "message": {**message}})  # type: ignore[dict-item]
            took.append(time.process_time() - begun)

        for name in lesson_names():
            click([], type="go", to="learn")
            click(["screen"], type="open", lesson=name)
            lesson = home.parts["screen"].parts["lesson"]
            for at in range(len(lesson.questions())):  # type: ignore[attr-defined]
                board = lesson.parts.get("board")
                if isinstance(board, ExerciseScreen):
                    click(["screen", "lesson", "board"], type="answer", question=0, choice=min(board.question.right))
                click(["screen", "lesson"], type="go", at=at + 1)
        for door in home.data["doors"]:  # type: ignore[union-attr]
            assert isinstance(door, dict)
            click([], type="go", to=door["name"])
    begun = time.process_time()
    record = Record(Classic(players=4, rounds=1), seed=1)
    while record.final.pending:
        record = record.then({seat: asked.options[0] for seat, asked in record.final.pending.items()})
    film_of(record)
    game = time.process_time() - begun
    mean = sum(took) / len(took)
    print(f"{len(took)} clicks: {1000 * mean:.1f} ms of Python on average, {1000 * max(took):.0f} ms at most")
    print(f"a click takes {mean / game:.2f} times what playing and filming a whole game takes ({1000 * game:.0f} ms)")


if __name__ == "__main__":
    main()
