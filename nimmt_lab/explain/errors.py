"""Translated error messages.

>>> from nimmt_lab.engine.errors import NotationError
>>> translate(NotationError("engine.from_1", column=7), "pl")
'znak 7: numeracja zaczyna się od 1'
"""

from __future__ import annotations

from nimmt_lab.engine.errors import RulesError
from nimmt_lab.engine.files import shown
from nimmt_lab.engine.sentences import LANGUAGES, Told

__all__ = ["translate"]


def translate(error: Exception, lang: str) -> str:
    """Translate an error. A line or column prefix comes first. Foreign and programmer errors stay in English."""
    if lang not in LANGUAGES:
        raise RulesError("shared.no_language", lang=shown(lang), known=", ".join(LANGUAGES))
    return error.translate(lang) if isinstance(error, Told) else str(error)
