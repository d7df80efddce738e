"""Kill writers at random moments and check the files they leave. Also a program: `python -m tests.engine.killing FOLDER TIMES
NAME …` (for writers that may not be forked from a process that has used their libraries' threads)."""

from __future__ import annotations

import os
import signal
import sys
import time
import traceback
from collections.abc import Callable, Mapping, Sequence
from functools import cache, partial
from pathlib import Path

from nimmt_lab import Classic, Record
from nimmt_lab.commands.box import kinds
from nimmt_lab.commands.gradebook import _write as write_book
from nimmt_lab.engine.events import Json
from nimmt_lab.engine.files import alone_in, finish, lay_down, write_file
from nimmt_lab.engine.rng import Rng
from nimmt_lab.lessons import progress
from nimmt_lab.lessons.classbook import COLUMNS, Gradebook
from nimmt_lab.lessons.results import Results
from nimmt_lab.lessons.worksheet import class_set, pages, write_folder

#: Makes a writer for a folder; odd turns write one content, even ones another.
Make = Callable[[Path], Callable[[int], object]]


def write_files(folder: Path, files: Mapping[str, str], *, gone: Sequence[str] = ()) -> None:
    with alone_in(folder):
        lay_down(folder, files, gone=gone)


def killed(work: Callable[[int], object], moment: float) -> None:
    """Run `work` repeatedly in another process, and kill it during the second or third run.

    `moment` is a fraction of a run; the first run measures how long one takes on this machine.
    """
    said, say = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            turn = 0
            while True:
                work(turn)
                os.write(say, b".")
                turn += 1
        except BaseException:
            traceback.print_exc()
        finally:
            os._exit(1)
    os.close(say)
    start = time.monotonic()
    os.read(said, 1)
    time.sleep(moment * (time.monotonic() - start))
    os.kill(child, signal.SIGKILL)
    _, status = os.waitpid(child, 0)
    os.close(said)
    assert os.WIFSIGNALED(status), "the writer failed by itself"


def content(folder: Path) -> dict[str, bytes]:
    """All files in a folder except hidden leftovers."""
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and not any(part.startswith(".") for part in path.relative_to(folder).parts)
    }


def _record(seed: int) -> Record:
    game = Classic(players=2, rounds=1)
    state, choices = game.deal(seed), []
    while not state.is_over:
        said = {seat: decision.options[0] for seat, decision in state.pending.items()}
        choices.append(said)
        state, _ = state.choose(said)
    return Record.from_play(game, seed, choices)


def writers() -> dict[str, Make]:
    """Every writer of the package except those that need polars."""
    from nimmt_lab.screens.memory import Memory
    from nimmt_lab.solver.deals import _add, solved_deals
    from nimmt_lab.widgets import Replay

    def remember(folder: Path, what: dict[str, Json]) -> None:
        memory = Memory(folder)
        memory._known = {}  # otherwise it would see that nothing is new
        memory.put("play", what)

    large = [letter.encode() * 300_000 for letter in "ab"]
    records = [_record(1), _record(2)]
    sets = [pages(1, class_set(pupils=2, seed=1)), pages(1, class_set(pupils=1, seed=2))]
    sets = [{name: text + " " * 50_000 for name, text in pages.items()} for pages in sets]
    answers = [Results("Ann", "p2", 7, {"p2.between": (str(n),) * 900}) for n in (1, 2)]
    together = [dict.fromkeys("xyz", text) for text in ("1" * 100_000, "2" * 100_000)]
    boards = [Replay(record) for record in records]
    for board, png in zip(boards, large, strict=True):
        # Drawing a picture takes as long as writing a hundred files.
        board.to_png = partial(bytes, png)  # type: ignore[method-assign]
    templates = list(kinds().values())[:2]
    deals = [_entry(solved_deals()[0].seed, chosen) for chosen in "ab"]
    books = [
        Gradebook(COLUMNS, ((name, "p2", *(None,) * (len(COLUMNS) - 4), "x" * 90_000, ""),)) for name in ("Ann", "Bob")
    ]
    return {
        "file": lambda folder: lambda turn: write_file(folder / "x", large[turn % 2]),
        "files": lambda folder: lambda turn: write_files(folder, together[turn % 2]),
        "record": lambda folder: lambda turn: records[turn % 2].save(folder / "x.nimmt"),
        "record-json": lambda folder: lambda turn: records[turn % 2].save(folder / "x.json"),
        "worksheet": lambda folder: lambda turn: write_folder(sets[turn % 2], folder, force=True),
        "results": lambda folder: lambda turn: answers[turn % 2].save(folder),
        "progress": lambda folder: (
            lambda turn: progress.update(
                folder, lambda now: progress.Progress("pl", "x" * 20_000 * (1 + turn % 2), folder=folder)
            )
        ),
        "png": lambda folder: lambda turn: boards[turn % 2].save(folder / "x.png"),
        "svg": lambda folder: lambda turn: boards[turn % 2].save(folder / "x.svg"),
        "html": lambda folder: lambda turn: boards[turn % 2].save(folder / "x.html"),
        "template": lambda folder: lambda turn: templates[turn % 2].write(folder / "x.toml"),
        "deals": lambda folder: lambda turn: _add(folder / "deals.json", deals[turn % 2]),
        "memory": lambda folder: lambda turn: remember(folder, {"record": "x" * 90_000 * (1 + turn % 2)}),
        "gradebook-csv": lambda folder: lambda turn: write_book(folder / "x.csv", books[turn % 2]),
    }


def _entry(seed: int, chosen: str) -> dict[str, object]:
    """The file of a solved deal, with a lot of content."""
    step = {
        "position": "1 | 2 | 5 | 6 ; A: 3 ; B: 4",
        "value": 0.0,
        "bounds": [0, 0],
        "strategies": {"A": {chosen * 90_000: 1.0}},
    }
    return {"seed": seed, "cards": 1, "exact": True, "states": 1, "seconds": 0.0, "line": [{**step, "chosen": {}}]}


def polars_writers() -> dict[str, Make]:
    """The writers that need polars, whose threads do not survive a fork."""
    import altair as alt

    from nimmt_lab.charts import heads_ecdf
    from nimmt_lab.study import simulate

    books = [
        Gradebook(COLUMNS, ((name, "p2", *(None,) * (len(COLUMNS) - 4), "x", ""),) * 900) for name in ("Ann", "Bob")
    ]

    def simulation(folder: Path) -> Callable[[int], object]:
        def work(turn: int) -> object:
            # The old content is discarded and played again: a portion with its final name is complete.
            for path in folder.glob("rounds-*.parquet"):
                path.unlink()
            return simulate(Classic(players=2), rounds=400, seed=1, progress=False, folder=folder)

        return work

    def chart(folder: Path) -> Callable[[int], object]:
        @cache  # made where it is saved, after the fork
        def drawn(players: int) -> alt.Chart | alt.LayerChart:
            return heads_ecdf(simulate(Classic(players=players), rounds=50, seed=1, progress=False))

        return lambda turn: drawn(2 + turn % 2).save(folder / "x.json")

    return {
        "chart": chart,
        "gradebook-parquet": lambda folder: lambda turn: write_book(folder / "x.parquet", books[turn % 2]),
        "simulation": simulation,
    }


def outcome(work: Callable[[int], object], turn: int, folder: Path) -> dict[str, bytes]:
    """The result of one uninterrupted turn."""
    child = os.fork()
    if child == 0:
        code = 1
        try:
            work(turn)
            code = 0
        except BaseException:
            traceback.print_exc()
        finally:
            os._exit(code)
    _, status = os.waitpid(child, 0)
    assert status == 0, "the writer failed by itself"
    return content(folder)


def kill_often(name: str, make: Make, folder: Path, times: int, rng: Rng) -> Rng:
    """Kill a writer repeatedly. Each time one of the two outcomes must remain, or complete files of both."""
    wholes = []
    for turn in (0, 1):
        place = folder / f"{name}{turn}"
        place.mkdir()
        wholes.append(outcome(make(place), turn, place))
        assert wholes[-1], f"{name} wrote nothing"
    place = folder / name
    place.mkdir()
    work = make(place)
    assert outcome(work, 0, place) == wholes[0]
    for _ in range(times):
        after, rng = rng.below(2000)
        killed(work, after / 1000)
        with alone_in(place):
            finish(place)
        found = content(place)
        if name == "simulation":  # one outcome in several files: each is complete or missing
            assert found.items() <= wholes[0].items(), name
        else:
            assert wholes[0] != wholes[1] and found in wholes, name
    assert outcome(work, 1, place) == wholes[1]
    left = [path.name for path in place.iterdir() if path.name.startswith(".") and not path.name.endswith("lock")]
    assert not left, f"what the killed ones left is swept away by the next: {left}"
    return rng


if __name__ == "__main__":
    where, often, *names = sys.argv[1:]
    dice = Rng.from_seed(17)
    for writer in names:
        dice = kill_often(writer, polars_writers()[writer], Path(where), int(often), dice)
    print("held:", *names)
