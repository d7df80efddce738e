"""The words on the controls, in the reader's language. What happened in the game is told by `nimmt_lab.explain`."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from pathlib import Path

from nimmt_lab.engine.cards import TEAM, Seat, seat_letter
from nimmt_lab.engine.errors import RulesError
from nimmt_lab.explain import words as tutor_words

_LOCALE = Path(__file__).parent / "locale"


def languages() -> tuple[str, ...]:
    """The languages there are.

    >>> languages()
    ('cs', 'en', 'pl')
    """
    return tuple(sorted(path.stem for path in _LOCALE.glob("*.json")))


@cache
def catalogue(lang: str) -> dict[str, str]:
    """Every label of one language by its key.

    >>> catalogue("pl")["row"]
    'rząd {row}'
    """
    if lang not in languages():
        raise RulesError(f"no language {lang!r}; there are: {', '.join(languages())}")
    labels: dict[str, str] = json.loads((_LOCALE / f"{lang}.json").read_text(encoding="utf-8"))
    return labels


class Words:
    """Labels in one language, and what the seats are called.

    >>> words = Words("en", {0: "Ann"})
    >>> words("row", row=2), words.seat(0), words.seat(1)
    ('row 2', 'Ann', 'B')
    """

    def __init__(self, lang: str, names: Mapping[Seat, str] | None = None) -> None:
        self.lang = lang
        self.labels = catalogue(lang)
        self.names = dict(names or {})
        #: What seats are called that no player sits in (the buffalo's), unless `names` says otherwise.
        self.others: dict[Seat, str] = {}

    def __call__(self, key: str, **values: object) -> str:
        return self.labels[key].format(**values)

    def seat(self, seat: Seat) -> str:
        """What people call a seat: its name, else its letter."""
        if seat in self.names:
            return self.names[seat]
        return self.others.get(seat) or (self.tutor("who.team") if seat == TEAM else seat_letter(seat))

    def tutor(self, key: str) -> str:
        """What the tutor calls a thing of the game, so that boards and sentences use the same names.

        >>> Words("pl").tutor("special.seven_takes")
        '7. bierze!'
        """
        return tutor_words(self.lang)(key)
