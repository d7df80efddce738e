"""The course of a reviewed game: how everybody stood before each choice, and the mistakes."""

from __future__ import annotations

import altair as alt

from nimmt_lab.engine.cards import seat_letter
from nimmt_lab.engine.errors import RulesError
from nimmt_lab.study.reviews import Review

from .style import colour, dash, table, titled
from .words import speech

#: What is marked, and with which shape: colour is never the only signal.
_MARKS = {"inaccuracy": "triangle-down", "mistake": "diamond", "blunder": "cross"}


def course(found: Review, *, lang: str = "en") -> alt.Chart | alt.LayerChart:
    """Each player's chance to win before every choice, as the search saw it (by the solver: by how many heads A is
    ahead), with inaccuracies, mistakes and blunders marked.

    >>> from nimmt_lab import Classic
    >>> from nimmt_lab.bots import bot, record
    >>> from nimmt_lab.study import review
    >>> played = record(Classic(players=2, rounds=1), [bot("random")] * 2, seed=1)
    >>> course(review(played, playouts=20, progress=False)).to_dict()["title"]["text"]
    'The course of the game'
    """
    say = speech(lang)
    rows = []
    for at, reviewed in enumerate(found.steps):
        for said in reviewed.judgements:
            searched, expected = reviewed.searched.get(said.seat), reviewed.expected
            stands = expected.middle if expected is not None else None
            if searched is not None:
                stands = searched.advice.of(searched.most_wins).wins
            name = found.names.get(said.seat, seat_letter(said.seat))
            verdict = say(f"chart_course.{said.verdict}") if said.verdict in _MARKS else said.verdict
            rows.append((at + 1, reviewed.label, name, stands, verdict, said.choice, said.best))
    if not rows:
        raise RulesError("charts.nothing_game_was")
    labels = list(dict.fromkeys(name for _, _, name, *_ in rows))
    by_search = found.method == "search"
    marked = [say(f"chart_course.{verdict}") for verdict in _MARKS]
    x = alt.X("decision:Q", title=say("chart_course.decision"), axis=alt.Axis(tickMinStep=1, format="d"))
    y = alt.Y(
        "stands:Q",
        title=say("chart_course.chance" if by_search else "chart_course.ahead"),
        axis=alt.Axis(format="%") if by_search else alt.Axis(),
        scale=alt.Scale(domain=[0, 1]) if by_search else alt.Scale(),
    )
    found_rows = table(["decision", "turn", "label", "stands", "verdict", "choice", "best"], rows)
    base = alt.Chart(found_rows).encode(x=x, y=y, color=colour(labels))
    lines = base.mark_line(strokeWidth=2).encode(strokeDash=dash(labels))
    marks = (
        base.transform_filter(alt.FieldOneOfPredicate("verdict", marked))
        .mark_point(filled=True, size=110)
        .encode(
            shape=alt.Shape(
                "verdict:N",
                scale=alt.Scale(domain=marked, range=list(_MARKS.values())),
                legend=alt.Legend(title=None, orient="top"),
            ),
            tooltip=["turn:N", "label:N", "choice:N", "best:N", "verdict:N", alt.Tooltip("stands:Q", format=".2f")],
        )
    )
    about = say("chart_course.by_search" if by_search else "chart_course.by_solver")
    return titled(lines + marks, say("chart_course.title"), about, lang=lang)
