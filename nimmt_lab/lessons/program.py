"""Running the program of a lesson: only after its fingerprint was confirmed, in a process of its own, and never longer
than `SECONDS` for a question.

In a browser there are no processes, and the browser's sandbox holds the program; there a trace ends it.
"""

from __future__ import annotations

import atexit
import json
import queue
import subprocess
import sys
import threading
import time
import weakref
from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import lru_cache
from types import FrameType
from typing import IO, Final, Protocol

from nimmt_lab.engine.errors import DataError, RulesError
from nimmt_lab.engine.events import Json
from nimmt_lab.engine.rng import Rng

from .problem import Chart, Trial
from .rules import Lesson
from .trust import confirmed, short
from .worker import Running, reply_to, trouble

#: How long a function may take.
SECONDS: Final = 5.0
#: For starting Python; a slow disk is not the lesson's fault.
TO_START: Final = 30.0
#: Trials asked for at a time.
AT_A_TIME: Final = 64
IN_BROWSER: Final = sys.platform == "emscripten"


@dataclass(frozen=True)
class Drawn:
    """What a function of a lesson's program returned."""

    values: Mapping[str, object]
    answer: Fraction
    slips: Mapping[str, Fraction] = field(default_factory=dict)
    trial: Trial | None = None
    position: str = ""
    chart: Chart | None = None
    slack: Fraction = Fraction(0)


class _Host(Protocol):
    def ask(self, request: Mapping[str, Json]) -> Mapping[str, object]: ...


def not_confirmed(lesson: Lesson) -> RulesError:
    """The refusal to run a lesson's program, with the file that `nimmt-lab lesson check` shows."""
    file = lesson.source or f"{lesson.name}.toml"
    return RulesError("lessons.not_confirmed", name=lesson.name, fingerprint=short(lesson.fingerprint), file=file)


def drawn(lesson: Lesson, function: str, seed: int) -> Drawn:
    """What the function draws for a seed; a `RulesError` if nobody has confirmed this program."""
    if not confirmed(lesson.fingerprint):
        raise not_confirmed(lesson)
    return _drawn(_Key(lesson), function, seed)


@dataclass(frozen=True)
class _Key:
    """A lesson as a key of a cache."""

    lesson: Lesson = field(compare=False)
    fingerprint: str = ""

    def __init__(self, lesson: Lesson) -> None:
        object.__setattr__(self, "lesson", lesson)
        object.__setattr__(self, "fingerprint", lesson.fingerprint)


@lru_cache(maxsize=512)
def _drawn(key: _Key, function: str, seed: int) -> Drawn:
    lesson = key.lesson
    # Every function of a lesson starts from the same numbers, so that questions can share them.
    request: dict[str, Json] = {"function": function, "state": Rng.from_seed(seed, stream=300).state}
    made = _ask(lesson, request)
    if not isinstance(made, dict):
        raise _failed(lesson, function, "no dict", None)
    values, slips, answer = made["values"], made["slips"], made["answer"]
    assert isinstance(values, dict) and isinstance(slips, dict) and isinstance(answer, str)
    trial = _trial(lesson, request) if made["trial"] else None
    exact = {name: Fraction(str(value)) for name, value in slips.items()}
    chart = made["chart"]
    shown = None if chart is None else Chart(tuple(chart[0]), tuple(map(tuple, chart[1])))
    return Drawn(values, Fraction(answer), exact, trial, str(made["position"]), shown, Fraction(str(made["slack"])))


def _trial(lesson: Lesson, request: Mapping[str, Json]) -> Trial:
    """One trial a call, asked for in advance: the stream after a trial is the one before the next."""
    ahead: dict[int, tuple[float | None, int]] = {}

    def trial(rng: Rng) -> tuple[float | None, Rng]:
        if rng.state not in ahead:
            ahead.clear()
            stream = rng.state
            found = _ask(lesson, {**request, "times": AT_A_TIME, "trials": stream})
            assert isinstance(found, list)
            for result, after in found:
                ahead[stream] = (result, after)
                stream = after
        result, after = ahead.pop(rng.state)
        return result, Rng(after)

    return trial


def _ask(lesson: Lesson, request: Mapping[str, Json]) -> object:
    function = str(request["function"])
    try:
        said = _host(_Key(lesson)).ask(request)
    except TimeoutError:
        _host.cache_clear()
        raise DataError(
            "lessons.program_slow", name=function, seconds=int(SECONDS), line=lesson.program_line, source=lesson.source
        ) from None
    except (OSError, EOFError, ValueError):
        _host.cache_clear()
        raise _failed(lesson, function, "the program ended", None) from None
    if "error" in said:
        line = said.get("line")
        raise _failed(lesson, function, str(said["error"]), line if isinstance(line, int) else None)
    return said["reply"]


def _failed(lesson: Lesson, function: str, problem: str, line: int | None) -> DataError:
    at = lesson.program_line + (line or 1) - 1
    return DataError("lessons.program_failed", name=function, problem=problem, line=at, source=lesson.source)


@lru_cache(maxsize=4)
def _host(key: _Key) -> _Host:
    return _Here(key.lesson.program) if IN_BROWSER else _Process(key.lesson.program)


class _Process:
    """The program in a process of its own, which ends with this object."""

    def __init__(self, program: str) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-m", "nimmt_lab.lessons.worker"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            encoding="utf-8",
        )
        end = weakref.finalize(self, _end, self._process)
        atexit.register(end)
        self._replies: queue.SimpleQueue[str] = queue.SimpleQueue()
        assert self._process.stdout is not None
        threading.Thread(target=_read, args=(self._process.stdout, self._replies), daemon=True).start()
        self._problem = ""
        self._say(json.dumps(program))
        self._reply(TO_START)
        first = self._reply(SECONDS)
        if "error" in first:
            self._problem = json.dumps(first)

    def ask(self, request: Mapping[str, Json]) -> Mapping[str, object]:
        if self._problem:
            found: dict[str, object] = json.loads(self._problem)
            return found
        self._say(json.dumps(request))
        return self._reply(SECONDS)

    def _say(self, line: str) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(line + "\n")
        self._process.stdin.flush()

    def _reply(self, seconds: float) -> dict[str, object]:
        try:
            line = self._replies.get(timeout=seconds)
        except queue.Empty:
            _end(self._process)
            raise TimeoutError from None
        if not line:
            raise EOFError
        found: dict[str, object] = json.loads(line)
        return found


def _read(lines: IO[str], replies: queue.SimpleQueue[str]) -> None:
    for line in lines:
        replies.put(line)
    replies.put("")


def _end(process: subprocess.Popen[str]) -> None:
    process.kill()
    process.wait()
    for pipe in (process.stdin, process.stdout):
        if pipe is not None:
            try:
                pipe.close()
            except OSError:
                continue


class _Here:
    """The program in this process; a trace ends what takes too long."""

    def __init__(self, program: str) -> None:
        self._running: Running | None = None
        self._program = program

    def ask(self, request: Mapping[str, Json]) -> Mapping[str, object]:
        until = time.monotonic() + SECONDS

        def watch(frame: FrameType, event: str, arg: object) -> object:
            frame.f_trace_opcodes = True  # a loop on one line has no further lines
            if time.monotonic() > until:
                raise TimeoutError
            return watch

        before = sys.gettrace()
        sys.settrace(watch)  # type: ignore[arg-type]  # a trace that returns itself has no finite type
        try:
            if self._running is None:
                self._running = Running(self._program)
            said = reply_to(self._running, json.dumps(request))
        except BaseException as problem:
            said = trouble(problem)
        finally:
            sys.settrace(before)
        if time.monotonic() > until:
            raise TimeoutError
        found: dict[str, object] = json.loads(said)
        return found
