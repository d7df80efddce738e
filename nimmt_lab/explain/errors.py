"""Errors in a person's own language.

>>> from nimmt_lab.engine.errors import NotationError
>>> translate(NotationError("engine.from_1", column=7), "pl")
'znak 7: liczy się od 1'
"""

from __future__ import annotations

from nimmt_lab.engine.errors import RulesError
from nimmt_lab.engine.files import shown
from nimmt_lab.engine.sentences import LANGUAGES, Told

__all__ = ["translate"]


def translate(error: Exception, lang: str) -> str:
    """The sentence of an error in a language; where it is about a line or a column, that comes first. Errors that are
    not ours, and the few that only programmers meet, stay English."""
    if lang not in LANGUAGES:
        raise RulesError("shared.no_language", lang=shown(lang), known=", ".join(LANGUAGES))
    return error.translate(lang) if isinstance(error, Told) else str(error)
