"""Class lists: which pupil has which sheet. A CSV file (name, seed, code) that spreadsheets open.

`make_class_list` gives each new name the next free seed of the class; pupils who are already in the list keep theirs.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from nimmt_lab.engine.errors import NotationError, RulesError
from nimmt_lab.engine.files import name_of, read_text, shown

from .codes import code_of, seed_of
from .results import check_name
from .tablefile import harmless, to_csv
from .worksheet import LARGEST_SEED, MOST_PUPILS, Sheet, pupil_seed

COLUMNS = ("name", "seed", "code")
#: Bytes: more than any school needs.
LARGEST = 200_000


def who(name: str) -> str:
    """Normalise a name for comparing: people vary spaces and capitals.

    >>> who(" Jan  NOWAK ")
    'jan nowak'
    """
    return " ".join(name.casefold().split())


@dataclass(frozen=True)
class ClassList:
    """The pupils of a class, each with the seed of a sheet.

    >>> print(ClassList(7, {"Ann": 7001, "Bob": 7002}).to_csv(), end="")
    name,seed,code
    Ann,7001,PFKS
    Bob,7002,PFLV
    """

    seed: int
    pupils: Mapping[str, int]

    @property
    def sheets(self) -> tuple[Sheet, ...]:
        return tuple(Sheet(seed % 1000, seed, name) for name, seed in self.pupils.items())

    def to_csv(self) -> str:
        return to_csv(COLUMNS, ((name, seed, code_of(seed)) for name, seed in self.pupils.items()))


def make_class_list(names: Iterable[str], seed: int, before: ClassList | None = None) -> ClassList:
    """Give each pupil a seed; pupils in the list from before keep theirs.

    >>> first = make_class_list(["Ann", "Bob"], seed=7)
    >>> dict(make_class_list(["Cyd", "Ann"], seed=7, before=first).pupils)
    {'Ann': 7001, 'Bob': 7002, 'Cyd': 7003}
    """
    if before is not None and before.seed != seed:
        raise RulesError("lessons.class_list_seed", seed=before.seed, got=shown(seed))
    if not 0 <= seed <= LARGEST_SEED:
        raise RulesError("lessons.seed_12", got=shown(seed))
    pupils = dict(before.pupils) if before is not None else {}
    known = {who(name) for name in pupils}
    given = set()
    for name in names:
        name = " ".join(name.split())
        _check(name)
        if who(name) in given:
            raise RulesError("lessons.class_list_twice", name=shown(name))
        given.add(who(name))
        if who(name) not in known:
            pupils[name] = 0
    free = iter(sorted({pupil_seed(seed, at) for at in range(1, MOST_PUPILS + 1)} - set(pupils.values())))
    if len(pupils) > MOST_PUPILS:
        raise RulesError("lessons.class_most", most=MOST_PUPILS, got=len(pupils))
    return ClassList(seed, {name: own or next(free) for name, own in pupils.items()})


def read_names(path: Path) -> list[str]:
    """The names in a plain list, one a line; empty lines are skipped."""
    return [line.strip() for line in read_text(path, largest=LARGEST).splitlines() if line.strip()]


def read_class_list(path: Path) -> ClassList:
    """Read a class list; errors name the line."""
    return parse_class_list(read_text(path, largest=LARGEST), source=name_of(path))


def parse_class_list(text: str, source: str = "") -> ClassList:
    """Read a class list's text. Spreadsheets may have separated the columns by semicolons or tabs."""
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    first = text.lstrip().partition("\n")[0]
    mark = next((mark for mark in (",", ";", "\t") if mark in first), ",")
    pupils: dict[str, int] = {}
    classes, begun = set(), False
    try:
        lines = list(csv.reader(io.StringIO(text), delimiter=mark))
    except csv.Error as error:  # a cell of a hundred thousand letters
        raise NotationError("lessons.class_list_table", error=error, source=source) from None
    for number, cells in enumerate(lines, 1):
        cells = [cell.strip() for cell in cells]
        if not any(cells):
            continue
        try:
            if not begun:
                if tuple(cell.casefold() for cell in cells[:3]) != COLUMNS:
                    raise NotationError("lessons.class_list_begins", columns=",".join(COLUMNS))
                begun = True
                continue
            name, own, code = (*cells, "", "", "")[:3]
            _check(name)
            seed = seed_of(own)
            if code and seed_of(code) != seed:
                raise NotationError("lessons.class_list_code", code=shown(code), seed=seed)
            if who(name) in {who(other) for other in pupils} or seed in pupils.values():
                raise NotationError("lessons.class_list_again", name=shown(name), seed=seed)
            if not seed % 1000 or seed // 1000 > LARGEST_SEED:
                raise NotationError("lessons.class_list_sheet", seed=seed)
        except (NotationError, RulesError) as error:
            raise NotationError.of(error, line=number, source=source) from None
        pupils[name] = seed
        classes.add(seed // 1000)
    if len(classes) != 1:
        raise NotationError(
            "lessons.class_list_one", got=", ".join(map(str, sorted(classes)[:3])) or "-", source=source
        )
    return ClassList(classes.pop(), pupils)


def _check(name: str) -> None:
    if not check_name(name):
        raise RulesError("lessons.class_list_name", got=shown(name))
    if harmless(name) != name:
        raise RulesError("lessons.class_list_formula", name=shown(name))
