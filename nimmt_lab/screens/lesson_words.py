"""The tutor's sentences inside a rules lesson.

A lesson shows single turns, so the number of the turn would only puzzle, and a trap has no name before it is taught.

>>> from nimmt_lab.lessons.words import words
>>> for told in ("Turn 9: A 45, B 60.", "A takes 8 heads. Trap: closest row."):
...     print(simple({"text": told}, words("en"), traps=False))
{'text': 'The cards: A 45, B 60.'}
{'text': 'A takes 8 heads.'}
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TypeVar

from nimmt_lab.lessons.shipped import order
from nimmt_lab.lessons.words import Words, words

#: The lesson that teaches the traps' names.
TRAPS = "traps"
T = TypeVar("T")


def names_traps(lesson: str) -> bool:
    """Whether the learner of a lesson knows the traps by name."""
    taught = order()["rules"]
    return lesson not in taught or taught.index(lesson) >= taught.index(TRAPS)


def simple(shown: T, say: Words, *, traps: bool) -> T:
    """What a board shows, as JSON, with simpler sentences under `text` and `told`."""
    if isinstance(shown, list):
        return [simple(item, say, traps=traps) for item in shown]  # type: ignore[return-value]
    if not isinstance(shown, dict):
        return shown
    return {  # type: ignore[return-value]
        key: _sentence(item, say, traps) if key in ("text", "told") and isinstance(item, str)
        else simple(item, say, traps=traps)
        for key, item in shown.items()
    }  # fmt: skip


def _sentence(text: str, say: Words, traps: bool) -> str:
    turn, trap = _patterns(say.lang)
    text = turn.sub(lambda found: say("page.cards_shown", plays=found["plays"]), text)
    return text if traps else trap.sub("", text)


@lru_cache
def _patterns(lang: str) -> tuple[re.Pattern[str], re.Pattern[str]]:
    """The sentence with the number of the turn, and the one that names a trap."""
    say = words(lang)
    turn = re.escape(say("table.revealed", turn="TURN", plays="PLAYS")).replace("TURN", r"\d+")
    names = "|".join(re.escape(say("why.met", trap=name)) for name in _traps(say))
    return re.compile(turn.replace("PLAYS", "(?P<plays>.*)")), re.compile(rf"\s*(?:{names})$")


def _traps(say: Words) -> list[str]:
    return [say(key) for key in say.catalogue.messages if key.startswith("trap.")]
