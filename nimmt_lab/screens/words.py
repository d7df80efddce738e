"""The texts of the screens, in the reader's language.

>>> screen_words("cs")("home.learn")
'Učení'
"""

from __future__ import annotations

from typing import Final

from nimmt_lab.explain.catalogue import LANGUAGES, Words, catalogue, own_catalogue, words

__all__ = ["LANGUAGES", "LANGUAGE_NAMES", "PACKAGE", "labels", "screen_words"]

PACKAGE: Final = "nimmt_lab.screens"
LANGUAGE_NAMES: Final = {"en": "English", "pl": "Polski", "cs": "Čeština"}


def screen_words(lang: str) -> Words:
    return words(lang, package=PACKAGE)


def labels(lang: str, *sections: str) -> dict[str, str]:
    """The messages of these sections by name, for the browser to fill.

    >>> labels("en", "home")["learn"]
    'Learn'
    """
    template = catalogue(lang, PACKAGE).template
    keys = (key.partition(".") for key in own_catalogue(PACKAGE, lang).messages)
    return {name: template(f"{section}.{name}") for section, _, name in keys if section in sections}
