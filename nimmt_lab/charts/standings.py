"""Chart of a tournament."""

from __future__ import annotations

import altair as alt

from nimmt_lab.engine.errors import RulesError
from nimmt_lab.engine.files import shown
from nimmt_lab.explain.catalogue import number
from nimmt_lab.explain.teller import score_unit
from nimmt_lab.study.tournaments import Tournament

from .style import COLOURS, Chart, titled, tooltips
from .words import speech

_MEASURES = ("win_credit", "mean_heads")


def standings(tournament: Tournament, measure: str = "win_credit", *, lang: str = "en") -> Chart:
    """Every bot's share of wins (or `measure="mean_heads"`) with its 95% interval, best first.

    >>> from nimmt_lab import Classic
    >>> from nimmt_lab.study import tournament
    >>> chart = standings(tournament(Classic(players=2, rounds=1), ["highest", "random"], deals=5, progress=False))
    """
    if measure not in _MEASURES:
        raise RulesError("shared.must_one_of", what="measure", known=", ".join(_MEASURES), got=shown(measure))
    if not tournament.results:
        raise RulesError("charts.no_deal_was")
    say, game = speech(lang), tournament.game
    frame = tournament.summary
    base = alt.Chart(frame).encode(y=alt.Y("bot:N", title=None, sort=None, axis=alt.Axis(labelLimit=300)))
    rules = base.mark_rule(strokeWidth=2, color=COLOURS[0]).encode(
        x=alt.X(f"{measure}_low:Q", title=say(f"chart_standings.{measure}", unit=say.many(score_unit(game)))),
        x2=f"{measure}_high:Q",
    )
    points = base.mark_point(filled=True, size=90, color=COLOURS[0]).encode(
        x=f"{measure}:Q", tooltip=["bot:N", "games:Q", *tooltips(*_MEASURES, "rating")]
    )
    numbers = base.mark_text(dy=-12).encode(x=f"{measure}:Q", text=alt.Text(f"{measure}:Q", format=".3f"))
    about = say(
        "chart_standings.about",
        game=say(f"title.{game.name}") if say.has(f"title.{game.name}") else game.name,
        players=say("chart.players", count=game.players),
        deals=number(tournament.deals, ",d", lang),
    )
    height = max(100, 44 * len(frame))
    return titled(rules + points + numbers, say("chart_standings.title"), about, height=height, lang=lang)
