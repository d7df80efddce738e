"""The puzzle of the day: the same for everybody on a date, with the days in a row.

The date comes from the browser. The exact solver judges the puzzle, so it does not depend on the machine.
"""

from __future__ import annotations

import datetime
import re
import zlib
from collections.abc import Mapping
from typing import Final

from nimmt_lab.boards.describe import Obj
from nimmt_lab.engine.errors import NotationError
from nimmt_lab.engine.events import Json
from nimmt_lab.engine.files import shown

#: The difficulty by weekday: easy from Monday, hard at the weekend.
DIFFICULTY: Final = (1, 1, 1, 2, 2, 3, 3)
_DATE: Final = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
FIRST: Final = datetime.date(2020, 1, 1)
LAST: Final = datetime.date(2199, 12, 31)


def read_date(text: object) -> datetime.date:
    """The date in a message.

    >>> read_date("2026-11-19").isoformat()
    '2026-11-19'
    """
    try:
        day = datetime.date.fromisoformat(text) if isinstance(text, str) and _DATE.fullmatch(text) else None
    except ValueError:
        day = None
    if day is None or not FIRST <= day <= LAST:
        raise NotationError("screens.date", got=shown(text))
    return day


def seed_of_day(day: datetime.date) -> int:
    return zlib.crc32(day.isoformat().encode())


def difficulty_of_day(day: datetime.date) -> int:
    return DIFFICULTY[day.weekday()]


class Daily:
    """The last day that was solved, and the number of days in a row.

    >>> daily = Daily()
    >>> for day in ("2026-11-18", "2026-11-19", "2026-11-19"):
    ...     daily = daily.solved(read_date(day))
    >>> daily.plain()
    {'last': '2026-11-19', 'streak': 2, 'best': 2}
    >>> daily.solved(read_date("2026-11-22")).plain()["streak"]
    1
    """

    def __init__(self, kept: Mapping[str, Json] | None = None) -> None:
        self.last: datetime.date | None = None
        self.streak = self.best = 0
        given = kept or {}
        try:
            last = read_date(given.get("last"))
        except NotationError:
            return
        streak, best = given.get("streak"), given.get("best")
        if type(streak) is int and type(best) is int and 1 <= streak <= best:
            self.last, self.streak, self.best = last, streak, best

    def solved(self, day: datetime.date) -> Daily:
        """The streak after this day's puzzle is solved. A day before the last one changes nothing."""
        if self.last is not None and day <= self.last:
            return self
        after = Daily()
        after.last = day
        follows = self.last is not None and day - self.last == datetime.timedelta(days=1)
        after.streak = self.streak + 1 if follows else 1
        after.best = max(self.best, after.streak)
        return after

    def plain(self) -> Obj:
        return {"last": self.last.isoformat() if self.last else "", "streak": self.streak, "best": self.best}
