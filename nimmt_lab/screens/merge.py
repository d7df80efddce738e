"""Merge what two pages of one learner save, without undoing anything.

Three versions of a record meet: `base`, which this page started from; `mine`, which it wants to write; and `theirs`,
which is stored by now.

- A record changed on one side only is taken from that side. A deleted record stays deleted.
- A lesson changed on both: the newer start wins; of the same start, solved steps, tries and the furthest step are
  united. Different sheets are different lessons, and the latest change wins.
- Practice: the answers of both count, the best streak stays, and missed tasks are united.
- Anything else (settings, the running game): the latest change wins, which is `mine`.

The web page merges in the same way in the browser (`js/host/merge.js`); `tests/screens/merge.json` tests both.

>>> merge_page("play", {"a": 1}, {"a": 1}, {"a": 2}), merge_page("play", {"a": 1}, {}, {"a": 1})
({'a': 2}, {})
"""

from __future__ import annotations

from typing import Final, TypeAlias

from nimmt_lab.engine.events import Json
from nimmt_lab.lessons.results import MOST_TRIES

from .base import as_object

Page: TypeAlias = dict[str, Json]

LESSON: Final = "lesson "
PRACTISE: Final = "practise"


def merge_page(name: str, base: Page, mine: Page, theirs: Page) -> Page:
    """Merge three versions of a record; an empty one does not exist."""
    if mine == base:
        return theirs
    if theirs in (base, mine) or not mine or not theirs:
        return mine
    if name.startswith(LESSON):
        return _merge_lesson(base, mine, theirs)
    if name == PRACTISE:
        return _merge_practice(base, mine, theirs)
    return mine


def _merge_lesson(base: Page, mine: Page, theirs: Page) -> Page:
    if mine.get("seed") != theirs.get("seed"):
        return mine
    starts = _number(mine, "starts"), _number(theirs, "starts")
    if starts[0] != starts[1]:
        return mine if starts[0] > starts[1] else theirs
    if mine.get("sitting") != theirs.get("sitting"):  # opened twice, independently
        return theirs if _progress(theirs) > _progress(mine) else mine
    same = _number(base, "starts") == starts[0] and base.get("sitting") == mine.get("sitting")
    further = theirs if _number(theirs, "practised") > _number(mine, "practised") else mine
    equal = _number(theirs, "practised") == _number(mine, "practised")
    streak = max(_number(mine, "streak"), _number(theirs, "streak")) if equal else _number(further, "streak")
    return {
        **theirs,
        **mine,
        "at": max(_number(mine, "at"), _number(theirs, "at")),
        "tries": _merge_tries(_tries(base) if same else {}, _tries(mine), _tries(theirs)),
        "hinted": _united(mine, theirs, "hinted"),
        "open": _united(mine, theirs, "open"),
        "sheets": _united(mine, theirs, "sheets"),
        "practised": _number(further, "practised"),
        "streak": streak,
    }


def _merge_tries(base: Page, mine: Page, theirs: Page) -> Page:
    """The stored tries, then those of this page."""
    merged = dict(theirs)
    for question in mine:
        before, own, other = (_list(tries, question) for tries in (base, mine, theirs))
        added = own[len(before) :] if own[: len(before)] == before else own
        merged[question] = [*other, *added][:MOST_TRIES]
    return merged


def _merge_practice(base: Page, mine: Page, theirs: Page) -> Page:
    def total(key: str) -> int:
        return _number(theirs, key) + max(0, _number(mine, key) - _number(base, key))

    before, own, other = (_list(page, "missed") for page in (base, mine, theirs))
    # A missed task is taken from this page if it changed here, otherwise as stored.
    changed = [item for item in own if item not in before]
    tasks = [_task(item) for item in changed]
    gone = [_task(item) for item in before if _task(item) not in map(_task, own)]
    kept = [item for item in other if _task(item) not in tasks and _task(item) not in gone]
    best = max(_number(mine, "best"), _number(theirs, "best"))
    return {**mine, "count": total("count"), "right": total("right"), "best": best, "missed": [*kept, *changed]}


def _task(item: Json) -> Json:
    return item.get("task") if isinstance(item, dict) else item


def _progress(page: Page) -> tuple[int, int, int]:
    """The step of a lesson, its solved steps, and its tries."""
    tries = _tries(page)
    return _number(page, "at"), len(_list(page, "open")), sum(len(_list(tries, question)) for question in tries)


def _united(mine: Page, theirs: Page, key: str) -> list[Json]:
    """The texts or numbers of both, sorted, without duplicates."""
    both = [*_list(mine, key), *_list(theirs, key)]
    texts = sorted({one for one in both if isinstance(one, str)})
    numbers = sorted({one for one in both if isinstance(one, int) and not isinstance(one, bool)})
    return [*numbers, *texts]


def _number(page: Page, key: str) -> int:
    value = page.get(key)
    return value if isinstance(value, int) and not isinstance(value, bool) else 0


def _list(page: Page, key: str) -> list[Json]:
    value = page.get(key)
    return value if isinstance(value, list) else []


def _tries(page: Page) -> Page:
    return as_object(page.get("tries"))
