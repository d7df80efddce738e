"""Every number that a command accepts, with absurd values: a typed error, or work that begins at once and can be
interrupted. Never a traceback, and never a list as long as the number: memory is limited here.

The options are read from the parsers, so that a new one cannot be forgotten.
"""

from __future__ import annotations

import argparse
import importlib
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from nimmt_lab import Classic
from nimmt_lab.cli import COMMANDS, main
from nimmt_lab.commands.words import say
from nimmt_lab.engine.errors import RulesError
from nimmt_lab.engine.inflect import Figure
from nimmt_lab.engine.limits import MOST_COUNTED, MOST_SECONDS, check_count, check_seconds
from nimmt_lab.solver.two_players import solve
from nimmt_lab.study.ladders import ladder
from nimmt_lab.study.reviews import review
from nimmt_lab.study.simulate import simulate
from nimmt_lab.study.tournaments import tournament
from nimmt_lab.study.work import in_portions
from tests.support import random_record, refused

resource = pytest.importorskip("resource", reason="memory can be bounded on Unix only")

POSITION = "1 | 2 | 3 | 4 ; A: 5 7 ; B: 6 8"
TABLE = "12 14 | 37 | 43 | 58 ; A: 21 45"
#: Arguments with which each command does little work, unless the tested number asks for more. If an
#: option is given twice, the second one counts.
ENOUGH: dict[str, list[str]] = {
    "advise": [POSITION, "--playouts", "2"],
    "class": ["absent.txt", "--no-browser"],  # numbers are read first; a class would wait for its pupils
    "dataset": ["data", "--rounds", "2", "--players", "2"],
    "explain": ["good.nimmt"],
    "gradebook": ["nobody"],
    "ladder": ["--deals", "1", "--levels", "1", "2", "--players", "2", "--rules", "rounds=1"],
    "lesson": ["check", "own.toml", "--seeds", "1"],
    "odds": [TABLE, "--opponents", "2"],
    "review": ["good.nimmt", "--playouts", "2"],
    "share": [POSITION],
    "class-list": ["names.txt", "--out", "class.csv"],
    "show": ["good.nimmt"],
    "simulate": ["--rounds", "3"],
    "solve": [POSITION],
    "tournament": ["random", "lowest", "--deals", "1"],
    "worksheet": ["--lesson", "1", "--out", "sheets", "--force"],
}
VALUES = [
    *("0", "-1", "1", "2", str(10**9), str(10**15), str(2**31), str(2**32 + 1), str(2**63), str(2**64), str(10**40)),
    *(str(-(10**15)), "9" * 5000, "1e300", "-1e300", "1e-300", "nan", "-nan", "inf", "-inf"),
]
#: Bytes of address space: Python with all its modules uses a quarter of that.
MEMORY = 3 << 30

#: Runs a command with each list of arguments. Progress bars interrupt the work at the first progress, so
#: no clock is needed to know that it has begun.
DRIVER = """
import contextlib, io, json, resource, sys, traceback
from nimmt_lab.cli import main

class Interrupting:
    def update(self, n):
        if n:
            raise KeyboardInterrupt
    def close(self): ...

import nimmt_lab.study.datasets, nimmt_lab.study.ladders, nimmt_lab.study.reviews, nimmt_lab.study.simulate, nimmt_lab.study.tournaments
for name in ("datasets", "ladders", "reviews", "simulate", "tournaments"):
    sys.modules[f"nimmt_lab.study.{name}"].bar = lambda *_given: Interrupting()
resource.setrlimit(resource.RLIMIT_AS, (int(sys.argv[1]),) * 2)
for words in json.load(sys.stdin):
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        try:
            code = main(words)
        except SystemExit as error:
            code = error.code
        except BaseException:
            code = traceback.format_exc()
    print(json.dumps([words, code, err.getvalue()[-2000:]]), flush=True)
"""


def numeric(command: str) -> list[argparse.Action]:
    """The numeric arguments of a command."""
    parser = argparse.ArgumentParser()
    importlib.import_module(f"nimmt_lab.commands.{command.replace('-', '_')}").arguments(parser)
    return [action for action in parser._actions if action.type in (int, float)]


def test_every_number_of_the_command_line_is_tried() -> None:
    assert {command for command in COMMANDS if numeric(command)} == set(ENOUGH)
    kinds = {action.type for command in COMMANDS for action in numeric(command)}
    assert kinds == {int, float}
    # A type of another kind that makes numbers would be missed above.
    for command in COMMANDS:
        parser = argparse.ArgumentParser()
        importlib.import_module(f"nimmt_lab.commands.{command.replace('-', '_')}").arguments(parser)
        assert {action.type for action in parser._actions} <= {None, int, float, Path}, command


def given(command: str, action: argparse.Action, value: str) -> list[str]:
    """The command line with that value."""
    option = action.option_strings[-1]
    words = [option, "1", value] if action.nargs == "+" else [f"{option}={value}"]
    if (command, option) == ("lesson", "--pupils"):
        return [command, "worksheet", "own.toml", "--out", "own", "--force", *words]
    return [command, *ENOUGH[command], *words]


@pytest.mark.exhaustive
@pytest.mark.parametrize("command", ENOUGH)
def test_numbers_are_refused_or_work_begins_at_once(command: str, tmp_path: Path) -> None:
    import json

    random_record(Classic(players=2, rounds=1), seed=1).save(tmp_path / "good.nimmt")
    (tmp_path / "names.txt").write_text("Ann\nBob\n", encoding="utf-8")
    (tmp_path / "nobody").mkdir()
    assert main(["lesson", "new", str(tmp_path / "own.toml")]) == 0
    calls = [given(command, action, value) for action in numeric(command) for value in VALUES]
    root = str(Path(__file__).resolve().parent.parent)
    path = os.pathsep.join(part for part in (root, os.environ.get("PYTHONPATH", "")) if part)
    done = subprocess.run(
        [sys.executable, "-c", DRIVER, str(MEMORY)],
        input=json.dumps(calls),
        capture_output=True,
        text=True,
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": path, "NIMMT_LANG": "en"},
        timeout=120,
        check=False,
    )
    told = [json.loads(line) for line in done.stdout.splitlines()]
    assert [words for words, _, _ in told] == calls, (calls[len(told)], done.stderr[-2000:])
    for words, code, said in told:
        assert code in (0, 1, 2, 130), (words, code)
        assert "Traceback" not in said and say("out.no_memory") not in said, (words, said)
        if code == 2:
            last = said.splitlines()[-1]
            assert last.startswith("nimmt-lab") and len(last) < 1200, (words, last)


def test_a_large_number_of_rounds_begins_to_be_played() -> None:
    """Accepted: an interrupt returns what was played so far."""

    played = []

    def portion(number: int) -> int:
        played.append(number)
        return number

    work = in_portions(portion, range(10**30))
    assert sorted(next(work)[0] for _ in range(5))[0] < 40
    work.close()
    assert len(played) < 200


@pytest.mark.parametrize("count", [10**40, MOST_COUNTED + 1])
def test_more_than_can_be_numbered_is_refused_with_the_largest_number(count: int) -> None:
    game = Classic(players=2, rounds=1)
    for call in (
        lambda: simulate(game, rounds=count, progress=False),
        lambda: tournament(game, ["random", "lowest"], deals=count, progress=False),
        lambda: ladder(game, deals=count, levels=[1, 2], progress=False),
    ):
        with refused(RulesError, "shared.at_most", most=Figure(9_223_372_036_854_775_807)):
            call()
    assert check_count(MOST_COUNTED, "rounds", 0) == MOST_COUNTED


@pytest.mark.parametrize(
    ("seconds", "key"),
    [
        (float("nan"), "shared.must_number"),
        (0.0, "shared.more_than_0"),
        (-1.0, "shared.more_than_0"),
        (float("-inf"), "shared.more_than_0"),
        (1e300, "engine.at_most_seconds"),
        (float("inf"), "engine.at_most_seconds"),
    ],
)
def test_seconds_are_refused_for_the_right_reason(seconds: float, key: str) -> None:
    record = random_record(Classic(players=2, rounds=1), seed=1)
    calls: list[Callable[[], object]] = [lambda: check_seconds(seconds), lambda: solve(POSITION, seconds=seconds)]
    if seconds != 0:  # a review may be limited to nothing
        calls.append(lambda: review(record, seconds=seconds, playouts=2, progress=False))
    for call in calls:
        with refused(RulesError, key, name="seconds", got=f"{seconds}"):
            call()
    assert check_seconds(MOST_SECONDS) == MOST_SECONDS


def test_playouts_are_bounded() -> None:
    record = random_record(Classic(players=2, rounds=1), seed=1)
    with refused(RulesError, "shared.at_most", name="playouts", most=Figure(10_000_000), got=f"{10**15}"):
        review(record, playouts=10**15, progress=False)
