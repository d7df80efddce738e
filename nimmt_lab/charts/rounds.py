"""Charts of simulated rounds."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from itertools import accumulate
from typing import Literal

import altair as alt

from nimmt_lab.engine.errors import RulesError
from nimmt_lab.engine.extras import wanted
from nimmt_lab.explain.catalogue import Words, number
from nimmt_lab.explain.teller import score_unit
from nimmt_lab.study.simulate import Simulation

from .style import Chart, Simulations, colour, dash, labelled, table, titled, tooltips
from .words import speech


def _shares(simulations: dict[str, Simulation]) -> Iterator[tuple[str, range, list[float]]]:
    """The distribution of heads over all seats, by label, from 0 (or the minimum, if negative) to the maximum."""
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


def _unit(simulations: Iterable[Simulation], say: Words) -> str:
    """The word for what these rounds are counted in; points if they differ."""
    units = {score_unit(simulation.game) for simulation in simulations}
    return say.many(units.pop() if len(units) == 1 else "points")


def _lines(
    simulations: Simulations,
    lang: str,
    shares_of: Callable[[list[float]], Iterable[float]],
    keys: tuple[str, str],
    *,
    step: Literal["step", "step-after"],
    places: str,
    scale: alt.Scale | alt.UndefinedType = alt.Undefined,
) -> Chart:
    """Step lines of shares by heads; `keys` are the texts of the title and the axis of heads."""
    say, by_label = speech(lang), labelled(simulations, lang)
    unit = _unit(by_label.values(), say)
    rows = [
        (label, *pair)
        for label, heads, shares in _shares(by_label)
        for pair in zip(heads, shares_of(shares), strict=True)
    ]
    chart = (
        alt.Chart(table(["label", "heads", "share"], rows))
        .mark_line(interpolate=step, strokeWidth=2)
        .encode(
            x=alt.X("heads:Q", title=say(keys[1], unit=unit)),
            y=alt.Y("share:Q", title=say("chart_rounds.share"), axis=alt.Axis(format="%"), scale=scale),
            color=colour(list(by_label)),
            strokeDash=dash(list(by_label)),
            tooltip=["label:N", "heads:Q", alt.Tooltip("share:Q", format=places)],
        )
    )
    return titled(
        chart, say(keys[0], unit=unit), say("chart.every_seat", rounds=_rounds_text(by_label, say)), lang=lang
    )


def heads_distribution(simulations: Simulations, *, lang: str = "en") -> Chart:
    """The distribution of heads that a seat takes in a round.

    >>> from nimmt_lab import Classic
    >>> from nimmt_lab.study import simulate
    >>> by_players = {f"{n} players": simulate(Classic(players=n), rounds=500, progress=False) for n in (2, 4)}
    >>> chart = heads_distribution(by_players)
    """
    keys = "chart_rounds.distribution", "chart_rounds.heads"
    return _lines(simulations, lang, list, keys, step="step", places=".3%")


def heads_ecdf(simulations: Simulations, *, lang: str = "en") -> Chart:
    """The cumulative distribution: the share of rounds with at most a given number of heads."""
    keys, scale = ("chart_rounds.at_most", "chart_rounds.heads_at_most"), alt.Scale(domain=[0, 1])
    return _lines(simulations, lang, accumulate, keys, step="step-after", places=".2%", scale=scale)


def mean_heads(simulations: Simulations, *, lang: str = "en") -> Chart:
    """Mean heads of every seat with its 95% interval."""
    with wanted("lab"):
        import polars as pl

    say, by_label = speech(lang), labelled(simulations, lang)
    unit = _unit(by_label.values(), say)
    frame = pl.concat(
        simulation.summary.select("seat", "policy", "mean_heads", "low", "high").with_columns(
            label=pl.lit(label), who=pl.format("{} · {} · {}", pl.lit(label), "seat", "policy")
        )
        for label, simulation in by_label.items()
    )
    base = alt.Chart(frame).encode(
        y=alt.Y("who:N", title=None, sort=None, axis=alt.Axis(labelLimit=300)),
        color=colour(list(by_label)).legend(None),  # every line has its label
    )
    points = base.mark_point(filled=True, size=80).encode(
        x=alt.X("mean_heads:Q", title=say("chart_rounds.mean_interval", unit=unit), scale=alt.Scale(zero=False)),
        tooltip=["who:N", *tooltips("mean_heads", "low", "high")],
    )
    bars = base.mark_rule(strokeWidth=2).encode(x="low:Q", x2="high:Q")
    height = max(80, 26 * len(frame))
    title = say("chart_rounds.means", unit=unit)
    return titled(bars + points, title, _rounds_text(by_label, say), height=height, lang=lang)


def convergence(simulation: Simulation, seat: int = 0, points: int = 200, *, lang: str = "en") -> Chart:
    """The running mean of one seat with its 95% band. Needs a simulation that keeps each round.

    >>> from nimmt_lab import Classic
    >>> from nimmt_lab.study import simulate
    >>> chart = convergence(simulate(Classic(players=4), rounds=2000, progress=False))
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
    variance = ((heads * heads).cum_sum() / played - mean * mean).clip(0)
    frame = (
        pl.DataFrame({"rounds": played, "mean": mean, "error": (variance / played).sqrt()})
        .filter(pl.col("rounds").is_in([float(n) for n in at]))
        .with_columns(low=pl.col("mean") - 1.96 * pl.col("error"), high=pl.col("mean") + 1.96 * pl.col("error"))
    )
    base = alt.Chart(frame).encode(x=alt.X("rounds:Q", title=say("chart_rounds.played"), scale=alt.Scale(type="log")))
    y = alt.Y("low:Q", title=say("chart_rounds.mean", unit=_unit([simulation], say)), scale=alt.Scale(zero=False))
    band = base.mark_area(opacity=0.3).encode(y=y, y2="high:Q")
    tooltip = ["rounds:Q", *tooltips("mean", "low", "high")]
    line = base.mark_line(strokeWidth=2).encode(y="mean:Q", tooltip=tooltip)
    count = say("chart.rounds", count=number(rounds, ",d", lang))
    about = say("chart_rounds.band", seat=say("chart.seat", seat=letter), rounds=count)
    return titled(band + line, say("chart_rounds.settles"), about, lang=lang)
