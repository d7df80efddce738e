"""Means of a study with their 95% intervals."""

from __future__ import annotations

from collections.abc import Sequence

import altair as alt

from nimmt_lab.study.findings import COLUMNS, Finding

from .style import COLOURS, SHAPES, Chart, table, titled


def intervals(study: Finding, lines: Sequence[str], *, series: int = 0, percent: bool = False) -> Chart:
    """Chart lines of a study. With `series`, the first parts of their names become series, told apart by colour and
    shape.

    >>> from nimmt_lab.study import finding
    >>> chart = intervals(finding("low_cards"), ["edges:random:1", "edges:random:10"])
    """
    rows = study.rows(lines, series)
    groups = list(dict.fromkeys(group for _, group, *_ in rows))
    columns = 1 if sum(map(len, groups)) > 90 else 0  # long names one below the other
    axis = alt.Axis(format=".0%") if percent else alt.Axis()  # an empty format would write 10 as 1e+1
    # An interval may exceed 100%, the axis must not.
    scale = alt.Scale(domainMax=1, clamp=True) if percent and any(high > 1 for *_, high, _ in rows) else alt.Scale()
    base = alt.Chart(table(COLUMNS, rows)).encode(
        y=alt.Y("line:N", sort=None, title=None, axis=alt.Axis(labelLimit=320)),
        color=alt.Color(
            "series:N",
            scale=alt.Scale(domain=groups, range=list(COLOURS[: len(groups)])),
            legend=alt.Legend(title=None, orient="top", labelLimit=400, columns=columns) if len(groups) > 1 else None,
        ),
    )
    if len(groups) > 1:
        base = base.encode(yOffset=alt.YOffset("series:N", sort=groups))
    x = alt.X("low:Q", title=study.axis, axis=axis, scale=scale)
    rules = base.mark_rule(strokeWidth=3).encode(x=x, x2="high:Q")
    points = base.mark_point(filled=True, size=80).encode(
        x="mean:Q",
        shape=alt.Shape("series:N", scale=alt.Scale(domain=groups, range=list(SHAPES[: len(groups)])), legend=None),
        tooltip=["line:N", "series:N", alt.Tooltip("mean:Q", format=".3f"), "count:Q"],
    )
    height = max(110, 26 * len({line for line, *_ in rows}) * max(1, len(groups)))
    return titled(rules + points, study.title, study.say("figure.intervals"), height=height, lang=study.say.lang)
