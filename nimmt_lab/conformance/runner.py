"""Run rule vectors and report differences."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

from nimmt_lab.engine.errors import NimmtError, NotationError
from nimmt_lab.engine.events import Event, Json
from nimmt_lab.engine.files import name_of, parse_json, read_text, shown
from nimmt_lab.engine.registry import all_games
from nimmt_lab.engine.sentences import sentence
from nimmt_lab.engine.state import GameState

from .adapter import VECTORS, Adapter, Object, VectorError, as_object

FORMAT = "nimmt-vectors/1"
#: Open two-player positions with their exact values, for the solver.
VALUES = "nimmt-values/1"
#: The game that the format names for all its positions.
_VALUES_OF = "advanced"


class VectorFileError(NimmtError):
    """A file that cannot be read as a file of vectors."""


@dataclass(frozen=True)
class Failure:
    """A vector that failed, and why."""

    id: str
    what: str

    def __str__(self) -> str:
        return f"{self.id}: {self.what}"


@dataclass(frozen=True)
class Checked:
    """The result of running a set of vectors."""

    passed: int
    failures: tuple[Failure, ...]

    def __str__(self) -> str:
        return "\n".join([*map(str, self.failures), f"{self.passed} passed, {len(self.failures)} failed"])


def adapter_for(system: Json) -> Adapter:
    """The adapter of a system; an unknown one is an error and never skipped."""
    games = all_games()
    if not isinstance(system, str) or system not in games:
        raise VectorError("conformance.no_system_here", system=shown(system), known=", ".join(games))
    return VECTORS.of(games[system])()


def check_value(entry: Object) -> tuple[str, ...]:
    """Solve one position of a file of values and return the differences; empty if the value is proved."""
    from nimmt_lab.solver.two_players import solve

    position, value = entry.get("position"), entry.get("value")
    if not isinstance(position, str):
        raise VectorError("conformance.position_must_text")
    try:
        # No exponent: the text of 1e3000000000 is short, its value is not.
        plain = isinstance(value, str) and len(value) <= 60 and "e" not in value.lower()
        expected = Fraction(str(value) if plain else "")
    except (ValueError, ZeroDivisionError) as error:
        raise VectorError("conformance.value_must_fraction", got=shown(value)) from error
    solution = solve(position, game=_VALUES_OF)
    if solution.fraction == expected:
        return ()
    if solution.fraction is None and solution.exact and solution.bounds.lo <= expected <= solution.bounds.hi:
        return (sentence("conformance.not_proved", {"value": expected}),)
    got = solution.value if solution.fraction is None else solution.fraction
    return (_difference("value", str(expected), str(got)),)


def run_vector(vector: Object) -> tuple[str, ...]:
    """Play one vector and return its differences from the expectations."""
    options = as_object(vector.get("game"), "game")
    given = as_object(vector.get("given"), "given")
    reveal = as_object(vector.get("reveal"), "reveal")
    expect = as_object(vector.get("expect"), "expect")
    choices = vector.get("choices", [])
    if not isinstance(choices, list):
        raise VectorError("conformance.choices_must_list")
    listed = [as_object(choice, "a choice") for choice in choices]
    adapter = adapter_for(options.get("system"))
    game = adapter.game(options, given)
    before = adapter.start(game, given, reveal)
    state, events = before.choose(adapter.reveal(before, reveal))
    first: tuple[str, ...] | NimmtError | None = None
    for ended in _readings(adapter, state, listed, events):
        if isinstance(ended, NimmtError):
            first = first or ended
            continue
        after, left, happened = ended
        problems = [sentence("conformance.unused_choice", {"choice": json.dumps(choice)}) for choice in left]
        facts = adapter.facts(before, after, happened)
        for key, expected in expect.items():
            if key not in facts:
                problems.append(sentence("conformance.unknown_fact", {"key": shown(key), "known": ", ".join(facts)}))
            elif not _same(expected, facts[key], key in adapter.unordered, key in adapter.partial):
                problems.append(_difference(key, json.dumps(expected), json.dumps(facts[key])))
        if not problems:
            return ()
        first = first or tuple(problems)
    if isinstance(first, NimmtError):
        raise first
    return first or ()


def _difference(key: str, expected: str, got: str) -> str:
    return sentence("shared.expected_got", {"key": key, "words": expected, "got": got})


def _readings(
    adapter: Adapter, state: GameState, listed: list[Object], happened: tuple[Event, ...]
) -> Iterator[tuple[GameState, list[Object], tuple[Event, ...]] | NimmtError]:
    """Play every reading of the listed choices, most likely first; nearly always there is one."""
    if not adapter.in_turn(state):
        yield state, listed, happened
        return
    try:
        steps = [(state.choose(choices), left) for choices, left in adapter.alternatives(state, listed)]
    except NimmtError as error:
        yield error
        return
    for (after, events), left in steps:
        yield from _readings(adapter, after, left, happened + events)


def _same(expected: Json, got: Json, unordered: bool, partial: bool) -> bool:
    if isinstance(expected, dict) and isinstance(got, dict):
        keys = expected if partial else {*expected, *got}
        # A seat or row that is not listed has nothing.
        return all(_same(expected.get(key, []), got.get(key, []), unordered, partial) for key in keys)
    if unordered and isinstance(expected, list) and isinstance(got, list):
        return sorted(map(str, expected)) == sorted(map(str, got))
    return type(expected) is type(got) and expected == got


def load(path: str | Path) -> list[Json]:
    """The vectors of a file, or its positions with their text as id."""
    try:
        data: Any = parse_json(read_text(path), source=name_of(path))
    except NotationError as error:
        raise VectorFileError("shared.inner", error=error) from None
    form = data.get("format") if isinstance(data, dict) else None
    if form not in (FORMAT, VALUES):
        raise VectorFileError(
            "conformance.expected_format_got",
            path=name_of(path),
            format=repr(FORMAT),
            values=repr(VALUES),
            got=shown(form),
        )
    key = "vectors" if form == FORMAT else "positions"
    entries = data.get(key)
    if not isinstance(entries, list):
        raise VectorFileError("conformance.expected_list_under", path=name_of(path), key=shown(key))
    if form == FORMAT:
        return entries
    return [{**entry, "id": entry.get("position")} if isinstance(entry, dict) else entry for entry in entries]


def check_files(paths: Iterable[str | Path]) -> Checked:
    passed = 0
    failures: list[Failure] = []
    seen: set[str] = set()
    for number, vector in enumerate(vector for path in list(paths) for vector in load(path)):
        name = vector.get("id") if isinstance(vector, dict) else None
        label = name if isinstance(name, str) and name else f"vector {number + 1}"
        try:
            if label in seen:
                raise VectorError("conformance.another_vector_has")
            if label != name:
                raise VectorError("conformance.vector_needs_id")
            entry = as_object(vector, "a vector")
            problems = check_value(entry) if "position" in entry else run_vector(entry)
        except NimmtError as error:
            problems = (str(error),)
        except ImportError:  # without the solver nothing is known about the vector
            raise
        except Exception as error:  # a broken engine fails the vector, not the run
            problems = (f"{type(error).__name__}: {error}",)
        seen.add(label)
        if problems:
            failures.append(Failure(label, "; ".join(problems)))
        else:
            passed += 1
    return Checked(passed, tuple(failures))
