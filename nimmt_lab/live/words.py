"""The texts of a class, in the language of each reader.

>>> live_words("pl")("page.join")
'Dołącz'
"""

from __future__ import annotations

from typing import Final

from nimmt_lab.explain.catalogue import Words, catalogue, own_catalogue, words

__all__ = ["PACKAGE", "labels", "live_words"]

PACKAGE: Final = "nimmt_lab.live"


def live_words(lang: str) -> Words:
    return words(lang, package=PACKAGE)


def labels(lang: str, section: str) -> dict[str, str]:
    """The messages of a section by name, for the browser to fill."""
    template = catalogue(lang, PACKAGE).template
    keys = (key.partition(".") for key in own_catalogue(PACKAGE, lang).messages)
    return {name: template(f"{own}.{name}") for own, _, name in keys if own == section}
