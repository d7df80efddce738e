"""Chart of a reviewed game: everybody's prospects before each choice, and the mistakes."""

from __future__ import annotations

import altair as alt

from nimmt_lab.engine.cards import seat_letter
from nimmt_lab.engine.errors import RulesError
from nimmt_lab.study.reviews import Review

from .style import Chart, colour, dash, table, titled
from .words import speech

#: Shapes of marked verdicts, since colour alone is not enough.
_MARKS = {"inaccuracy": "triangle-down", "mistake": "diamond", "blunder": "cross"}


def course(review: Review, *, lang: str = "en") -> Chart:
    """Each player's win probability before every choice (with the solver: A's lead in heads), with inaccuracies,
    mistakes and blunders marked.

    >>> from nimmt_lab import Classic
    >>> from nimmt_lab.bots import bot, record
    >>> from nimmt_lab.study import review
    >>> played = record(Classic(players=2, rounds=1), [bot("random")] * 2, seed=1)
    >>> chart = course(review(played, playouts=20, progress=False))
    """
    say = speech(lang)
    rows = []
    for at, reviewed in enumerate(review.steps):
        for judgement in reviewed.judgements:
            searched, expected = reviewed.searched.get(judgement.seat), reviewed.expected
            stands = expected.middle if expected is not None else None
            if searched is not None:
                stands = searched.advice.of(searched.most_wins).wins
            name = review.record.names.get(judgement.seat, seat_letter(judgement.seat))
            verdict = judgement.verdict
            label = say(f"chart_course.{verdict}") if verdict in _MARKS else verdict
            rows.append((at + 1, reviewed.label, name, stands, label, judgement.choice, judgement.best))
    if not rows:
        raise RulesError("charts.nothing_game_was")
    names = list(dict.fromkeys(name for _, _, name, *_ in rows))
    by_search = review.method == "search"
    marked = [say(f"chart_course.{verdict}") for verdict in _MARKS]
    x = alt.X("decision:Q", title=say("chart_course.decision"), axis=alt.Axis(tickMinStep=1, format="d"))
    y = alt.Y(
        "stands:Q",
        title=say("chart_course.chance" if by_search else "chart_course.ahead"),
        axis=alt.Axis(format="%") if by_search else alt.Axis(),
        scale=alt.Scale(domain=[0, 1]) if by_search else alt.Scale(),
    )
    data = table(["decision", "turn", "label", "stands", "verdict", "choice", "best"], rows)
    base = alt.Chart(data).encode(x=x, y=y, color=colour(names))
    lines = base.mark_line(strokeWidth=2).encode(strokeDash=dash(names))
    shapes = alt.Scale(domain=marked, range=list(_MARKS.values()))
    marks = (
        base.transform_filter(alt.FieldOneOfPredicate("verdict", marked))
        .mark_point(filled=True, size=110)
        .encode(
            shape=alt.Shape("verdict:N", scale=shapes, legend=alt.Legend(title=None, orient="top")),
            tooltip=["turn:N", "label:N", "choice:N", "best:N", "verdict:N", alt.Tooltip("stands:Q", format=".2f")],
        )
    )
    about = say("chart_course.by_search" if by_search else "chart_course.by_solver")
    return titled(lines + marks, say("chart_course.title"), about, lang=lang)
