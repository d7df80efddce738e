"""The words of the screens, in the reader's language.

>>> screen_words("cs")("home.learn")
'Učit se'
"""

from __future__ import annotations

from typing import Final

from nimmt_lab.explain.catalogue import LANGUAGES, Words, own_catalogue, words

__all__ = ["LANGUAGES", "LANGUAGE_NAMES", "ROOM", "labels", "screen_words"]

ROOM: Final = "nimmt_lab.screens"
LANGUAGE_NAMES: Final = {"en": "English", "pl": "Polski", "cs": "Čeština"}


def screen_words(lang: str) -> Words:
    """What screens may say in a language."""
    return words(lang, room=ROOM)


def labels(lang: str, *sections: str) -> dict[str, str]:
    """The messages of these sections by name, which the browser fills in itself.

    >>> labels("en", "home")["learn"]
    'Learn'
    """
    messages = own_catalogue(ROOM, lang).messages
    found = {}
    for key, text in messages.items():
        section, _, name = key.partition(".")
        if section in sections:
            found[name] = text
    return found
