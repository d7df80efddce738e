"""The words on charts, and numbers as a language writes them.

>>> speech("cs")("chart_standings.title"), NUMBERS["pl"]["decimal"]
('Turnaj', ',')
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import altair as alt

from nimmt_lab.explain.catalogue import LANGUAGES, Words, words

__all__ = ["LANGUAGES", "NUMBERS", "ROOM", "in_language", "speech"]

ROOM: Final = "nimmt_lab.charts"
_BLANK: Final = "\N{NO-BREAK SPACE}"
#: How axes, labels and tooltips write numbers, as Vega is told.
NUMBERS: Final[Mapping[str, Mapping[str, object]]] = {
    "en": {"decimal": ".", "thousands": ",", "grouping": [3], "currency": ["", ""]},
    "pl": {"decimal": ",", "thousands": _BLANK, "grouping": [3], "currency": ["", ""]},
    "cs": {"decimal": ",", "thousands": _BLANK, "grouping": [3], "currency": ["", ""], "percent": f"{_BLANK}%"},
}


def speech(lang: str) -> Words:
    """What charts may say in a language."""
    return words(lang, room=ROOM)


def in_language(
    chart: alt.Chart | alt.LayerChart | alt.FacetChart, lang: str
) -> alt.Chart | alt.LayerChart | alt.FacetChart:
    """Any chart, its numbers written as the language does; other settings stay as they are.

    >>> chart = in_language(alt.Chart().mark_point(), "cs")
    >>> chart.to_dict()["config"]["locale"]["number"]["decimal"]
    ','
    """
    speech(lang)  # refuses a language that is not there
    made = chart.copy(deep=False)
    kept = {} if made.config is alt.Undefined else made.config.to_dict()
    made.config = alt.Config.from_dict({**kept, "locale": {"number": dict(NUMBERS[lang])}})
    return made
