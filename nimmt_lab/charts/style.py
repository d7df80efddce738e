"""One look for all charts: colours that colour-blind readers can tell apart, sizes that can be read from afar."""

from __future__ import annotations

import io
import os
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import IO, Any

import altair as alt

from nimmt_lab.engine.errors import RulesError
from nimmt_lab.engine.files import shown, write_file
from nimmt_lab.study.simulate import Simulation

from .words import NUMBERS, speech

#: Okabe and Ito's palette, told apart with every common kind of colour vision.
COLOURS = ("#0072B2", "#E69F00", "#009E73", "#D55E00", "#CC79A7", "#56B4E9", "#000000", "#F0E442")
#: Marks differ in shape as well: colour is never the only signal.
SHAPES = ("circle", "square", "triangle-up", "diamond", "cross", "triangle-down", "triangle-left", "triangle-right")
DASHES = ((1, 0), (6, 3), (2, 2), (8, 3, 2, 3), (4, 4), (10, 4), (1, 3), (6, 2, 2, 2))

#: Named, not left to the reader: a chart that is saved as a drawing is measured where it is made and read elsewhere.
#: These are wide, so that a narrower one in their place leaves room and cuts nothing off.
FONT = "DejaVu Sans, Verdana, sans-serif"

WIDTH = 520
HEIGHT = 300

#: What is compared: one simulation, or several by label.
Simulations = Simulation | Mapping[str, Simulation]


def table(names: Sequence[str], rows: Iterable[Sequence[object]]) -> alt.InlineData:
    """Rows of values as a chart takes them, without a data frame: such charts are drawn where there is no polars, too.

    >>> table(["card", "heads"], [(55, 7), (10, 3)]).to_dict()
    {'values': [{'card': 55, 'heads': 7}, {'card': 10, 'heads': 3}]}
    """
    return alt.InlineData(values=[dict(zip(names, row, strict=True)) for row in rows])


def labelled(simulations: Simulations, lang: str = "en") -> dict[str, Simulation]:
    """Simulations by label; a single one is labelled by its players.

    >>> from nimmt_lab import Classic
    >>> from nimmt_lab.study import simulate
    >>> list(labelled(simulate(Classic(players=3), rounds=10, progress=False)))
    ['3 players']
    """
    if isinstance(simulations, Simulation):
        return {speech(lang)("chart.players", count=simulations.game.players): simulations}
    return dict(simulations)


def colour(labels: list[str], title: str = "") -> alt.Color:
    """A colour per label."""
    scale = alt.Scale(domain=labels, range=[COLOURS[at % len(COLOURS)] for at in range(len(labels))])
    legend = alt.Legend(title=title or None, orient="top", labelLimit=400) if len(labels) > 1 else None
    return alt.Color("label:N", scale=scale, legend=legend)


def dash(labels: list[str]) -> alt.StrokeDash:
    """A line pattern per label."""
    scale = alt.Scale(domain=labels, range=[list(DASHES[at % len(DASHES)]) for at in range(len(labels))])
    return alt.StrokeDash("label:N", scale=scale, legend=None)


#: The newest charts that JupyterLab draws by itself.
_LAB_DRAWS = "application/vnd.vegalite.v5+json"


def drawn_by_the_lab(spec: dict[str, Any], **_: object) -> dict[str, Any]:
    """A chart for JupyterLab's own drawing code, older than Altair's. What we use is the same in both.

    >>> drawn_by_the_lab({"mark": "bar"})["text/plain"]
    'a chart'
    """
    return {_LAB_DRAWS: spec, "text/plain": "a chart"}


#: How a chart is saved, and whether that is text.
FORMATS = {"svg": True, "png": False, "html": True, "json": True, "pdf": False}


class _SavedWhole(alt.TopLevelMixin):
    """A chart that is saved as a whole or not at all, like every file of ours; a page needs no network to show it."""

    def save(self, fp: str | os.PathLike[str] | IO[Any], format: str | None = None, **options: Any) -> None:  # type: ignore[override]
        """Write the chart to a file: .svg, .png, .html, .json or .pdf."""
        if not isinstance(fp, (str, os.PathLike)):
            super().save(fp, format=format, **options)  # type: ignore[arg-type]
            return
        wanted = format or Path(fp).suffix[1:].lower()
        if wanted not in FORMATS:
            raise RulesError("charts.chart_saved_not", formats=", ".join(FORMATS), got=shown(wanted or Path(fp).name))
        content: io.StringIO | io.BytesIO = io.StringIO() if FORMATS[wanted] else io.BytesIO()
        page = {"inline": True} if wanted == "html" else {}
        super().save(content, format=wanted, **{**page, **options})  # type: ignore[arg-type]
        write_file(fp, content.getvalue())


class OneChart(_SavedWhole, alt.Chart):
    """A chart of one layer."""


class LayeredChart(_SavedWhole, alt.LayerChart):
    """A chart of several."""


def titled(
    chart: alt.Chart | alt.LayerChart, title: str, subtitle: str, height: int = HEIGHT, *, lang: str = "en"
) -> alt.Chart | alt.LayerChart:
    """The chart with its title, size, letters large enough to read, and numbers as the language writes them."""
    sized = chart.properties(
        width=WIDTH, height=height, title=alt.TitleParams(title, subtitle=subtitle, anchor="start", offset=8)
    )
    parts = {name: value for name, value in sized._kwds.items() if value is not alt.Undefined}
    made = LayeredChart(**parts) if isinstance(sized, alt.LayerChart) else OneChart(**parts)
    styled: alt.Chart | alt.LayerChart = (
        made.configure(font=FONT, locale={"number": dict(NUMBERS[lang])})
        .configure_axis(labelFontSize=12, titleFontSize=13, grid=True, gridOpacity=0.4)
        .configure_title(fontSize=16, subtitleFontSize=12)
        .configure_legend(labelFontSize=12, titleFontSize=12, symbolSize=120)
        .configure_view(strokeOpacity=0.3)
    )
    return styled
