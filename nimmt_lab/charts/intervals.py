"""Means with their 95 % intervals, one below the other: what a study found."""

from __future__ import annotations

from collections.abc import Sequence

import altair as alt

from nimmt_lab.study.findings import COLUMNS, Finding

from .style import COLOURS, SHAPES, table, titled


def intervals(
    study: Finding, lines: Sequence[str], *, series: int = 0, percent: bool = False
) -> alt.Chart | alt.LayerChart:
    """The lines of a study. With `series`, the first parts of their names tell series apart by colour and shape.

    >>> from nimmt_lab.study import finding
    >>> intervals(finding("low_cards"), ["1", "5", "10"]).to_dict()["title"]["text"]
    'When to play the lowest card'
    """
    found = study.rows(lines, series)
    groups = list(dict.fromkeys(group for _, group, *_ in found))
    axis = alt.Axis(format=".0%") if percent else alt.Axis()  # an empty format would write 10 as 1e+1
    # A share is never more than all, however wide its interval.
    scale = alt.Scale(domainMax=1, clamp=True) if percent and any(high > 1 for *_, high, _ in found) else alt.Scale()
    base = alt.Chart(table(COLUMNS, found)).encode(
        y=alt.Y("line:N", sort=None, title=None, axis=alt.Axis(labelLimit=320)),
        color=alt.Color(
            "series:N",
            scale=alt.Scale(domain=groups, range=list(COLOURS[: len(groups)])),
            legend=alt.Legend(title=None, orient="top", labelLimit=400) if len(groups) > 1 else None,
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
    rows = len({line for line, *_ in found}) * max(1, len(groups))
    about, height = study.say("figure.intervals"), max(110, 26 * rows)
    return titled(rules + points, study.title, about, height=height, lang=study.say.lang)
