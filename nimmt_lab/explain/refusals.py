"""What is refused, in a person's own language.

Errors are written in English where they are raised, for people who program. Whoever clicks or types a command reads
them in their language: `refused` in the catalogues has their texts, the English one as the code says it. What is said
in between (a card, a name, another error) is put into the other language's text; a text that no catalogue has stays
English, rather than being lost.

>>> told("there is no seat Q; there are: A, B", "cs")
'místo Q není; jsou: A, B'
>>> told(NotationError("counting starts at 1", column=7), "pl")
'znak 7: liczy się od 1'
"""

from __future__ import annotations

import re
from functools import cache
from typing import Final

from nimmt_lab.engine.errors import NotationError
from nimmt_lab.engine.registry import chapters

from .catalogue import Words, catalogue, words

SECTION: Final = "refused."
#: Errors inside errors inside errors: deeper than any is.
_DEEPEST: Final = 4
_PLACE = re.compile(r"\{(\w)\}")


def told(error: Exception | str, lang: str) -> str:
    """The text of an error in a language; where it is about a line or a column, that comes first."""
    say = words(lang)
    if not isinstance(error, NotationError):
        return error_text(str(error), say)
    line, column = error.line, error.column
    parts = [
        error.source,
        "" if line is None else say("refusal.line", line=line),
        "" if column is None else say("refusal.column", column=column),
    ]
    place = ", ".join(part for part in parts if part)
    text = error_text(error.message, say)
    return f"{place}: {text}" if place else text


def error_text(text: str, say: Words, deep: int = 0) -> str:
    """A text that the code raised, in another language."""
    if say.lang == "en" or deep > _DEEPEST:
        return text
    for key, pattern in _patterns(tuple(chapters())):
        if match := pattern.fullmatch(text):
            parts = {name: error_text(said, say, deep + 1) for name, said in match.groupdict().items()}
            return say(key, **parts)
    return text


@cache
def _patterns(known: tuple[str, ...]) -> tuple[tuple[str, re.Pattern[str]], ...]:
    """What each English text looks like, of the chapters that are known; those that say most come first, so that none
    is taken for a shorter one."""
    found = [(key, text) for key, text in catalogue("en").messages.items() if key.startswith(SECTION)]
    found.sort(key=lambda item: (-len(_PLACE.sub("", item[1])), item[0]))
    return tuple((key, _pattern(text)) for key, text in found)


def _pattern(text: str) -> re.Pattern[str]:
    # Every other piece is the name of a place. A place takes little, and whatever lines it has.
    pieces = _PLACE.split(text)
    parts = [
        f"(?P<{piece}>.+?)" if at % 2 else re.escape(piece.replace("{{", "{").replace("}}", "}"))
        for at, piece in enumerate(pieces)
    ]
    return re.compile("".join(parts), re.DOTALL)
