"""Charts of simulated rounds."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import accumulate

import altair as alt

from nimmt_lab.engine.errors import RulesError
from nimmt_lab.engine.extras import wanted
from nimmt_lab.explain.catalogue import Words, number
from nimmt_lab.study.simulate import Simulation

from .style import Simulations, colour, dash, labelled, table, titled
from .words import speech


def _shares(simulations: dict[str, Simulation]) -> Iterator[tuple[str, range, list[float]]]:
    """Share of rounds (over all seats) by label and heads, heads without a gap from 0 (or the least, if negative)
    to the most that occurred."""
    for label, simulation in simulations.items():
        if not simulation.totals.rounds:
            raise RulesError("charts.no_rounds_were", label=label)
        counts: Counter[int] = Counter()
        for histogram in simulation.totals.histograms:
            counts.update(histogram)
        numbers = range(min(0, *counts), max(counts) + 1)
        yield label, numbers, [counts[heads] / counts.total() for heads in numbers]


def _rounds_text(simulations: dict[str, Simulation], say: Words) -> str:
    counts = sorted({simulation.totals.rounds for simulation in simulations.values()})
    few, many = (number(count, ",d", say.lang) for count in (counts[0], counts[-1]))
    return say("chart.rounds", count=few) if few == many else say("chart.rounds_to", few=few, many=many)


def heads_distribution(simulations: Simulations, *, lang: str = "en") -> alt.Chart | alt.LayerChart:
    """How many heads a seat takes in a round: the share of rounds for each number.

    >>> from nimmt_lab import Classic
    >>> from nimmt_lab.study import simulate
    >>> by_players = {f"{n} players": simulate(Classic(players=n), rounds=500, progress=False) for n in (2, 4)}
    >>> chart = heads_distribution(by_players)
    >>> chart.to_dict()["title"]["text"]
    'Heads taken in a round'
    """
    say, found = speech(lang), labelled(simulations, lang)
    labels = list(found)
    rows = [(label, *one) for label, heads, shares in _shares(found) for one in zip(heads, shares, strict=True)]
    chart = (
        alt.Chart(table(["label", "heads", "share"], rows))
        .mark_line(interpolate="step", strokeWidth=2)
        .encode(
            x=alt.X("heads:Q", title=say("chart_rounds.heads")),
            y=alt.Y("share:Q", title=say("chart_rounds.share"), axis=alt.Axis(format="%")),
            color=colour(labels),
            strokeDash=dash(labels),
            tooltip=["label:N", "heads:Q", alt.Tooltip("share:Q", format=".3%")],
        )
    )
    about = say("chart.every_seat", rounds=_rounds_text(found, say))
    return titled(chart, say("chart_rounds.distribution"), about, lang=lang)


def heads_ecdf(simulations: Simulations, *, lang: str = "en") -> alt.Chart | alt.LayerChart:
    """In what share of rounds a seat takes at most so many heads.

    >>> from nimmt_lab import Classic
    >>> from nimmt_lab.study import simulate
    >>> chart = heads_ecdf(simulate(Classic(players=4), rounds=500, progress=False))
    >>> chart.to_dict()["title"]["text"]
    'At most so many heads'
    """
    say, found = speech(lang), labelled(simulations, lang)
    labels = list(found)
    rows = [
        (label, *one) for label, heads, shares in _shares(found) for one in zip(heads, accumulate(shares), strict=True)
    ]
    chart = (
        alt.Chart(table(["label", "heads", "share"], rows))
        .mark_line(interpolate="step-after", strokeWidth=2)
        .encode(
            x=alt.X("heads:Q", title=say("chart_rounds.heads_at_most")),
            y=alt.Y(
                "share:Q",
                title=say("chart_rounds.share"),
                axis=alt.Axis(format="%"),
                scale=alt.Scale(domain=[0, 1]),
            ),
            color=colour(labels),
            strokeDash=dash(labels),
            tooltip=["label:N", "heads:Q", alt.Tooltip("share:Q", format=".2%")],
        )
    )
    about = say("chart.every_seat", rounds=_rounds_text(found, say))
    return titled(chart, say("chart_rounds.at_most"), about, lang=lang)


def mean_heads(simulations: Simulations, *, lang: str = "en") -> alt.Chart | alt.LayerChart:
    """Mean heads of every seat with its 95 % interval.

    >>> from nimmt_lab import Classic
    >>> from nimmt_lab.study import simulate
    >>> policies = ("highest", "random", "lowest")
    >>> chart = mean_heads(simulate(Classic(players=3), policies, rounds=500, progress=False))
    >>> chart.to_dict()["title"]["text"]
    'Mean heads in a round'
    """
    with wanted("lab"):
        import polars as pl

    say, found = speech(lang), labelled(simulations, lang)
    frame = pl.concat(
        simulation.summary.select("seat", "policy", "mean_heads", "low", "high").with_columns(
            label=pl.lit(label), who=pl.format("{} · {} · {}", pl.lit(label), "seat", "policy")
        )
        for label, simulation in found.items()
    )
    base = alt.Chart(frame).encode(
        y=alt.Y("who:N", title=None, sort=None, axis=alt.Axis(labelLimit=300)),
        color=colour(list(found)).legend(None),  # every line says whose it is
    )
    points = base.mark_point(filled=True, size=80).encode(
        x=alt.X("mean_heads:Q", title=say("chart_rounds.mean_interval"), scale=alt.Scale(zero=False)),
        tooltip=["who:N", *(alt.Tooltip(f"{name}:Q", format=".3f") for name in ("mean_heads", "low", "high"))],
    )
    bars = base.mark_rule(strokeWidth=2).encode(x="low:Q", x2="high:Q")
    height = max(80, 26 * len(frame))
    return titled(bars + points, say("chart_rounds.means"), _rounds_text(found, say), height=height, lang=lang)


def convergence(
    simulation: Simulation, seat: int = 0, points: int = 200, *, lang: str = "en"
) -> alt.Chart | alt.LayerChart:
    """How the mean of one seat settles as rounds go by, with its 95 % band. Needs every round kept.

    >>> from nimmt_lab import Classic
    >>> from nimmt_lab.study import simulate
    >>> chart = convergence(simulate(Classic(players=4), rounds=2000, progress=False))
    >>> chart.to_dict()["title"]["text"]
    'The mean settles'
    """
    with wanted("lab"):
        import polars as pl

    say = speech(lang)
    letter, _ = simulation.sides[seat]
    heads = simulation.frame.filter(pl.col("seat") == letter).sort("round")["heads"].cast(pl.Float64)
    if len(heads) < 2:
        raise RulesError("charts.convergence_needs_at")
    rounds = len(heads)
    at = sorted({min(rounds, max(2, round(2 * (rounds / 2) ** (i / (points - 1))))) for i in range(points)})
    played = pl.int_range(1, rounds + 1, eager=True).cast(pl.Float64)
    mean = heads.cum_sum() / played
    spread = ((heads * heads).cum_sum() / played - mean * mean).clip(0)
    frame = (
        pl.DataFrame({"rounds": played, "mean": mean, "error": (spread / played).sqrt()})
        .filter(pl.col("rounds").is_in([float(n) for n in at]))
        .with_columns(low=pl.col("mean") - 1.96 * pl.col("error"), high=pl.col("mean") + 1.96 * pl.col("error"))
    )
    base = alt.Chart(frame).encode(x=alt.X("rounds:Q", title=say("chart_rounds.played"), scale=alt.Scale(type="log")))
    band = base.mark_area(opacity=0.3).encode(
        y=alt.Y("low:Q", title=say("chart_rounds.mean"), scale=alt.Scale(zero=False)), y2="high:Q"
    )
    line = base.mark_line(strokeWidth=2).encode(
        y="mean:Q", tooltip=["rounds:Q", *(alt.Tooltip(f"{name}:Q", format=".3f") for name in ("mean", "low", "high"))]
    )
    about = say(
        "chart_rounds.band",
        seat=say("chart.seat", seat=letter),
        rounds=say("chart.rounds", count=number(rounds, ",d", lang)),
    )
    return titled(band + line, say("chart_rounds.settles"), about, lang=lang)
