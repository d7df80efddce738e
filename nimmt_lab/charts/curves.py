"""Means of a study along an axis of numbers, with their 95% intervals."""

from __future__ import annotations

from collections.abc import Sequence

import altair as alt

from nimmt_lab.study.findings import Finding

from .style import COLOURS, DASHES, SHAPES, Chart, table, titled

#: More points than this would hide the line.
_MOST_POINTS = 12


def curves(study: Finding, series: Sequence[str], *, percent: bool = False, most: int | None = None) -> Chart:
    """Chart the lines of a study whose names end in a number, a curve for each beginning in `series`: in colours that
    also differ in their dashes. `most` is the highest number to show.

    >>> from nimmt_lab.study import finding
    >>> chart = curves(finding("low_cards"), ["closest:closest", "edges:edges"])
    """
    rows = []
    for start in series:
        numbers = [line.rpartition(":")[2] for line in study.lines if line.rpartition(":")[0] == start]
        wanted = sorted(int(number) for number in numbers if number.isdecimal())
        lines = [f"{start}:{number}" for number in wanted if most is None or number <= most]
        for line, row in zip(lines, study.rows(lines, start.count(":") + 1), strict=True):
            rows.append((int(line.rpartition(":")[2]), *row[1:]))
    groups = list(dict.fromkeys(group for _, group, *_ in rows))
    few = len({x for x, *_ in rows}) <= _MOST_POINTS
    legend = (
        alt.Legend(title=None, orient="top", labelLimit=460, symbolSize=240, columns=1) if len(groups) > 1 else None
    )
    x = alt.X(
        "x:Q", title=study.say(f"{study.name}.x"), axis=alt.Axis(tickMinStep=1), scale=alt.Scale(nice=False, zero=False)
    )
    axis = alt.Axis(format=".0%") if percent else alt.Axis()
    scale = alt.Scale(zero=percent)
    y = alt.Y("low:Q", title=study.axis, axis=axis, scale=scale)
    base = alt.Chart(table(("x", "series", "mean", "low", "high", "count"), rows)).encode(
        x=x,
        color=alt.Color("series:N", scale=alt.Scale(domain=groups, range=list(COLOURS[: len(groups)])), legend=legend),
    )
    dashes = alt.Scale(domain=groups, range=[list(dash) for dash in DASHES[: len(groups)]])
    path = base.mark_line(strokeWidth=2).encode(
        y=alt.Y("mean:Q", title=study.axis, axis=axis, scale=scale),
        strokeDash=alt.StrokeDash("series:N", scale=dashes, legend=legend),
    )
    bars = base.mark_rule(strokeWidth=3).encode(y=y, y2="high:Q")
    marks = base.mark_point(filled=True, size=60 if few else 25).encode(
        y="mean:Q",
        shape=alt.Shape("series:N", scale=alt.Scale(domain=groups, range=list(SHAPES[: len(groups)])), legend=legend),
        tooltip=["x:Q", "series:N", alt.Tooltip("mean:Q", format=".3f"), "count:Q"],
    )
    layers = bars + path + marks
    if any(low < 0 for *_, low, _, _ in rows) and any(high > 0 for *_, high, _ in rows):
        layers = alt.Chart(table(("y",), [(0,)])).mark_rule(strokeDash=[4, 4]).encode(y="y:Q") + layers
    return titled(layers, study.title, study.say("figure.intervals"), height=280, lang=study.say.lang)
