"""A chart of cards played: how often, or how costly, by card, gap, turn, place in the hand or row."""

from __future__ import annotations

import altair as alt

from nimmt_lab.engine.errors import RulesError
from nimmt_lab.engine.files import shown
from nimmt_lab.study.explorer import BY, Exploration

from .style import COLOURS, Chart, table, titled
from .words import speech

#: The measures, each with the name of its margin and its format.
MEASURES = {"heads": ("heads_margin", ".1f"), "takes": ("takes_margin", "%"), "share": (None, "%")}


def explored(found: Exploration, measure: str = "heads", *, lang: str = "en") -> Chart:
    """Bars of the mean heads taken, the share that took a row (`takes`) or the `share` of all cards, with 95%
    intervals.

    >>> from nimmt_lab.study import explore
    >>> chart = explored(explore(by="gap", players=4, row=5), "takes")
    """
    if measure not in MEASURES:
        raise RulesError("shared.must_one_of", what="measure", known=", ".join(MEASURES), got=shown(measure))
    margin, form = MEASURES[measure]
    say = speech(lang)
    rows = []
    # All larger gaps count as the largest: no bar of its own.
    for line in (line for line in found.lines if (found.by, line.value) != ("gap", BY["gap"])):
        middle, half = getattr(line, measure), 0.0 if margin is None else getattr(line, margin)
        rows.append((line.value, middle, max(0.0, middle - half), middle + half, line.count))
    base = alt.Chart(table(["value", "middle", "low", "high", "count"], rows)).encode(
        x=alt.X("value:Q", title=say(f"chart_explored.{found.by}"), scale=alt.Scale(nice=False, padding=8))
    )
    bars = base.mark_bar(size=4, color=COLOURS[0]).encode(
        y=alt.Y("middle:Q", title=say(f"chart_explored.{measure}_axis"), axis=alt.Axis(format=form)),
        tooltip=["value:Q", alt.Tooltip("middle:Q", format=".3f"), "count:Q"],
    )
    chart = bars if margin is None else bars + base.mark_rule(color=COLOURS[3]).encode(y="low:Q", y2="high:Q")
    subtitle = say("chart_explored.cards", count=found.count)
    return titled(chart, say(f"chart_explored.{measure}"), subtitle, lang=lang)
