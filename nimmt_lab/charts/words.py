"""Texts on charts, and number formats by language."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import altair as alt

from nimmt_lab.explain.catalogue import LANGUAGES, Words, words

__all__ = ["LANGUAGES", "NUMBERS", "PACKAGE", "in_language", "speech"]

PACKAGE: Final = "nimmt_lab.charts"
_BLANK: Final = "\N{NO-BREAK SPACE}"
#: Vega number locales.
NUMBERS: Final[Mapping[str, Mapping[str, object]]] = {
    "en": {"decimal": ".", "thousands": ",", "grouping": [3], "currency": ["", ""]},
    "pl": {"decimal": ",", "thousands": _BLANK, "grouping": [3], "currency": ["", ""], "percent": f"{_BLANK}%"},
    "cs": {"decimal": ",", "thousands": _BLANK, "grouping": [3], "currency": ["", ""], "percent": f"{_BLANK}%"},
}


def speech(lang: str) -> Words:
    """The catalogue of chart texts in a language."""
    return words(lang, package=PACKAGE)


def in_language(
    chart: alt.Chart | alt.LayerChart | alt.FacetChart, lang: str
) -> alt.Chart | alt.LayerChart | alt.FacetChart:
    """Return any chart with the number format of a language; other settings stay.

    >>> chart = in_language(alt.Chart().mark_point(), "cs")
    >>> chart.to_dict()["config"]["locale"]["number"]["decimal"]
    ','
    """
    speech(lang)  # raises for an unknown language
    made = chart.copy(deep=False)
    kept = {} if made.config is alt.Undefined else made.config.to_dict()
    made.config = alt.Config.from_dict({**kept, "locale": {"number": dict(NUMBERS[lang])}})
    return made
