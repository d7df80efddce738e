"""The process that runs the program of one lesson: requests and replies are lines of JSON.

`python -m nimmt_lab.lessons.worker` reads the program, then requests, until its input ends. The parent ends it when a
request takes too long (`program.py`).
"""

from __future__ import annotations

import contextlib
import json
import os
import sys
import traceback
from collections.abc import Mapping
from fractions import Fraction
from typing import Final

from nimmt_lab.engine.events import Json
from nimmt_lab.engine.rng import Rng

from .draw import Draw

#: The name under which a program's lines appear in a traceback.
FILE: Final = "<lesson>"
#: Bytes of memory: a program that needs more has lost its way.
MOST_MEMORY: Final = 2 * 1024**3
#: Letters of a drawn value or an answer.
LONGEST: Final = 400


class Running:
    """A program that has been run, and answers requests."""

    def __init__(self, source: str) -> None:
        self.names: dict[str, object] = {"__name__": "lesson", "Fraction": Fraction}
        exec(compile(source, FILE, "exec"), self.names)

    def answer(self, request: Mapping[str, Json]) -> Json:
        """`function` and `state` of the stream, then the drawn numbers; with `times`, the results of that many trials
        from the stream `trials`."""
        function = self.names.get(str(request["function"]))
        if not callable(function):
            raise LookupError(f"there is no function {request['function']}")
        made = function(Draw(Rng(_whole(request["state"]))))
        if not isinstance(made, Mapping):
            raise TypeError(f"{request['function']} must return a dict, not {type(made).__name__}")
        if "times" not in request:
            return _drawn(made)
        trial, stream = made.get("trial"), _whole(request["trials"])
        if not callable(trial):
            raise TypeError("there is no trial")
        found: list[Json] = []
        for _ in range(_whole(request["times"])):
            draw = Draw(Rng(stream))
            result = trial(draw)
            stream = draw.rng.state
            found.append([None if result is None else float(result), stream])
        return found


def _whole(value: Json) -> int:
    if not isinstance(value, int):
        raise TypeError("expected a whole number")
    return value


def _drawn(made: Mapping[object, object]) -> Json:
    known = {"values", "answer", "slips", "trial", "position", "chart", "slack"}
    if further := sorted(str(key) for key in made.keys() - known):
        raise KeyError(f"unknown: {', '.join(further)}; known: {', '.join(sorted(known))}")
    values, slips = made.get("values", {}), made.get("slips", {})
    if not isinstance(values, Mapping) or not isinstance(slips, Mapping):
        raise TypeError("values and slips must be dicts")
    if "answer" not in made:
        raise KeyError("there is no answer")
    position = made.get("position", "")
    if not isinstance(position, str):
        raise TypeError("position must be text in notation")
    return {
        "values": {str(name): _value(value) for name, value in values.items()},
        "answer": _number(made["answer"]),
        "slips": {str(name): _number(value) for name, value in slips.items()},
        "trial": callable(made.get("trial")),
        "position": position,
        "chart": _chart(made.get("chart")),
        "slack": _number(made.get("slack", 0)),
    }


def _chart(chart: object) -> Json:
    """A chart: its head, and its lines of cells."""
    if chart is None:
        return None
    if not isinstance(chart, (list, tuple)) or len(chart) != 2:
        raise TypeError("a chart must be a list of its head and its lines")
    head, lines = chart
    return [[str(cell) for cell in head], [[str(cell) for cell in line] for line in lines]]


def _value(value: object) -> Json:
    if isinstance(value, bool) or not isinstance(value, (int, float, Fraction, str, list, tuple)):
        raise TypeError(f"a value must be a number, a text or a list, not {type(value).__name__}")
    if isinstance(value, (list, tuple)):
        return ", ".join(map(str, value))[:LONGEST]
    return value if isinstance(value, (int, float)) else str(value)[:LONGEST]


def _number(value: object) -> str:
    """A number exactly, as text."""
    if isinstance(value, bool) or not isinstance(value, (int, Fraction)):
        raise TypeError(f"an answer must be a whole number or a Fraction, not {type(value).__name__}")
    return str(value)[: 2 * LONGEST]


def reply_to(running: Running, line: str) -> str:
    try:
        return json.dumps({"reply": running.answer(json.loads(line))})
    except BaseException as problem:
        return trouble(problem)


def trouble(problem: BaseException) -> str:
    """What went wrong, and on which line of the program."""
    places = [frame.lineno for frame in traceback.extract_tb(problem.__traceback__) if frame.filename == FILE]
    line = places[-1] if places else problem.lineno if isinstance(problem, SyntaxError) else None
    said = str(problem.args[0]) if isinstance(problem, KeyError) and problem.args else str(problem)
    return json.dumps({"error": f"{type(problem).__name__}: {said}"[:LONGEST], "line": line})


def main() -> None:
    with contextlib.suppress(ImportError, ValueError, OSError):
        import resource  # not on Windows

        resource.setrlimit(resource.RLIMIT_AS, (MOST_MEMORY, MOST_MEMORY))
    # What the program prints must not be taken for a reply.
    replies = os.fdopen(os.dup(sys.stdout.fileno()), "w", encoding="utf-8")
    sys.stdout = sys.stderr
    source = json.loads(sys.stdin.readline())
    print(json.dumps({"reply": "started"}), file=replies, flush=True)
    try:
        running = Running(source)
    except BaseException as problem:
        print(trouble(problem), file=replies, flush=True)
        return
    print(json.dumps({"reply": "ready"}), file=replies, flush=True)
    for line in sys.stdin:
        print(reply_to(running, line), file=replies, flush=True)


if __name__ == "__main__":
    main()
