"""The common style of all charts: colour-blind safe, and readable from a distance."""

from __future__ import annotations

import io
import os
from collections.abc import Iterable, Mapping, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import IO, Any

import altair as alt

from nimmt_lab.engine.errors import RulesError
from nimmt_lab.engine.files import shown, write_file
from nimmt_lab.study.simulate import Simulation

from .words import NUMBERS, speech

#: The palette of Okabe and Ito, distinct for every common kind of colour vision.
COLOURS = ("#0072B2", "#E69F00", "#009E73", "#D55E00", "#CC79A7", "#56B4E9", "#000000", "#F0E442")
#: Series differ in shape or dash too: colour is never the only signal.
SHAPES = ("circle", "square", "triangle-up", "diamond", "cross", "triangle-down", "triangle-left", "triangle-right")
DASHES = ((1, 0), (6, 3), (2, 2), (8, 3, 2, 3), (4, 4), (10, 4), (1, 3), (6, 2, 2, 2))

#: Named explicitly, because saved drawings are laid out here and shown elsewhere. Wide fonts, so that a narrower
#: substitute does not cut anything off.
FONT = "DejaVu Sans, Verdana, sans-serif"

WIDTH = 520
HEIGHT = 300

Chart = alt.Chart | alt.LayerChart
#: One simulation, or several by label.
Simulations = Simulation | Mapping[str, Simulation]


def table(names: Sequence[str], rows: Iterable[Sequence[object]]) -> alt.InlineData:
    """Inline chart data from rows, for charts that work without polars.

    >>> table(["card", "heads"], [(55, 7), (10, 3)]).to_dict()
    {'values': [{'card': 55, 'heads': 7}, {'card': 10, 'heads': 3}]}
    """
    return alt.InlineData(values=[dict(zip(names, row, strict=True)) for row in rows])


def labelled(simulations: Simulations, lang: str = "en") -> dict[str, Simulation]:
    """Simulations by label; a single one is labelled with its number of players."""
    if isinstance(simulations, Simulation):
        return {speech(lang)("chart.players", count=simulations.game.players): simulations}
    return dict(simulations)


def colour(labels: list[str]) -> alt.Color:
    """A colour per label, with a legend if there are several."""
    scale = alt.Scale(domain=labels, range=[COLOURS[at % len(COLOURS)] for at in range(len(labels))])
    legend = alt.Legend(title=None, orient="top", labelLimit=400) if len(labels) > 1 else None
    return alt.Color("label:N", scale=scale, legend=legend)


def dash(labels: list[str]) -> alt.StrokeDash:
    """A dash pattern per label."""
    scale = alt.Scale(domain=labels, range=[list(DASHES[at % len(DASHES)]) for at in range(len(labels))])
    return alt.StrokeDash("label:N", scale=scale, legend=None)


def tooltips(*names: str) -> list[alt.Tooltip]:
    """Tooltips of numbers with three decimals."""
    return [alt.Tooltip(f"{name}:Q", format=".3f") for name in names]


def drawn_by_the_lab(spec: dict[str, Any], **_: object) -> dict[str, Any]:
    """An Altair renderer that leaves drawing to JupyterLab's older Vega-Lite, which has all that we use."""
    return {"application/vnd.vegalite.v5+json": spec, "text/plain": "a chart"}


def use_offline() -> Any:
    """Let Altair draw all charts without the network. As a context manager, until the end of the block.

    Altair's default renderer loads scripts from the network. This uses the installed ones, or in a web page
    JupyterLab's own.
    """
    if find_spec("vl_convert"):
        return alt.renderers.enable("jupyter", offline=True)
    alt.renderers.register("nimmt-lab", drawn_by_the_lab)
    return alt.renderers.enable("nimmt-lab")


#: File formats, and whether they are text.
FORMATS = {"svg": True, "png": False, "html": True, "json": True, "pdf": False}


class _SavedWhole(alt.TopLevelMixin):
    """A chart that is saved atomically; as a page, with all scripts inline."""

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

    def _repr_mimebundle_(self, *included: Any, **options: Any) -> Any:
        """Drawn without the network, unless the reader has enabled a renderer."""
        if alt.renderers.active != "default":
            return super()._repr_mimebundle_(*included, **options)
        with use_offline():
            return super()._repr_mimebundle_(*included, **options)


class OneChart(_SavedWhole, alt.Chart):
    """A chart of one layer."""


class LayeredChart(_SavedWhole, alt.LayerChart):
    """A chart of several layers."""


def titled(chart: Chart, title: str, subtitle: str, height: int = HEIGHT, *, lang: str = "en") -> Chart:
    """Give a chart its title, size, fonts and number format."""
    sized = chart.properties(
        width=WIDTH, height=height, title=alt.TitleParams(title, subtitle=subtitle, anchor="start", offset=8)
    )
    parts = {name: value for name, value in sized._kwds.items() if value is not alt.Undefined}
    made = LayeredChart(**parts) if isinstance(sized, alt.LayerChart) else OneChart(**parts)
    styled: Chart = (
        made.configure(font=FONT, locale={"number": dict(NUMBERS[lang])})
        .configure_axis(labelFontSize=12, titleFontSize=13, grid=True, gridOpacity=0.4)
        .configure_title(fontSize=16, subtitleFontSize=12)
        .configure_legend(labelFontSize=12, titleFontSize=12, symbolSize=120)
        .configure_view(strokeOpacity=0.3)
    )
    return styled
