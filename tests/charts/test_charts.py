"""Charts have titles and labels, show the right numbers, and are drawn offline."""

from __future__ import annotations

import errno
import io
import os
import re
import subprocess
import sys
from dataclasses import replace
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any

import altair as alt
import polars as pl
import pytest

from nimmt_lab import Advanced, Classic, Record, charts
from nimmt_lab.bots import bot, record
from nimmt_lab.charts.style import FONT
from nimmt_lab.charts.words import NUMBERS, PACKAGE, speech
from nimmt_lab.engine.errors import CannotWrite, RulesError
from nimmt_lab.explain.catalogue import LANGUAGES, own_catalogue
from nimmt_lab.games import Baron, BoardGame
from nimmt_lab.solver.turn_odds import odds
from nimmt_lab.study import finding, review, simulate, tournament
from nimmt_lab.study.findings import Mean
from tests.support import refused

OPEN = "3 8 13 | 5 10 11 | 15 17 19 21 23 | 22 24 ; A: 12 16 20 ; B: 1 2 18"
TABLE = [(12, 14, 15), (37,), (43, 44, 47, 49, 50), (58, 61)]


def rounds(players: int = 4, **kwargs: Any) -> Any:
    return simulate(Classic(players=players), rounds=400, seed=1, progress=False, **kwargs)


@cache
def material() -> tuple[Any, ...]:
    """The data of the charts."""
    game = record(Classic(players=3, rounds=1), [bot("random")] * 3, seed=1)
    contest = tournament(Classic(players=2, rounds=1), ["highest", "random"], deals=5, progress=False)
    by_players = {f"{n} players": rounds(n) for n in (2, 3, 10)}
    by_policy = {name: rounds(4, policies=name) for name in ("random", "lowest", "highest")}
    return game, contest, by_players, by_policy, rounds(), review(game, playouts=20, progress=False)


def all_charts(lang: str = "en") -> dict[str, alt.Chart | alt.LayerChart]:
    game, contest, by_players, by_policy, alone, judged = material()
    return {
        "distribution": charts.heads_distribution(by_players, lang=lang),
        "distribution of one": charts.heads_distribution(alone, lang=lang),
        "ecdf": charts.heads_ecdf(by_policy, lang=lang),
        "means": charts.mean_heads(by_policy, lang=lang),
        "convergence": charts.convergence(alone, seat=2, lang=lang),
        "card risk": charts.card_risk(TABLE, opponents=3, lang=lang),
        "card heads": charts.card_risk(TABLE, opponents=9, seen=[1, 2], measure="expected_heads", lang=lang),
        "row risk": charts.row_risk(opponents=5, gaps=range(0, 20, 5), lang=lang),
        "hand risk": charts.hand_risk(game, seat=1, lang=lang),
        "standings": charts.standings(contest, lang=lang),
        "course": charts.course(judged, lang=lang),
        "standings by heads": charts.standings(contest, measure="mean_heads", lang=lang),
    }


def data_of(chart: alt.Chart | alt.LayerChart) -> list[dict[str, Any]]:
    spec = chart.to_dict()
    return [row for rows in spec["datasets"].values() for row in rows]


@pytest.mark.parametrize("lang", LANGUAGES)
def test_axes_name_what_the_game_counts(lang: str) -> None:
    say = speech(lang)
    for game, counted in (
        (Classic(players=2, rounds=1), "heads"),
        (Baron(players=2), "bulls"),
        (BoardGame(players=2), "points"),
    ):
        contest = tournament(game, ["lowest", "random"], deals=1, progress=False)
        played = simulate(game, rounds=3, progress=False)
        titles = [
            chart.to_dict()["layer"][0]["encoding"]["x"]["title"]
            for chart in (
                charts.standings(contest, measure="mean_heads", lang=lang),
                charts.mean_heads(played, lang=lang),
            )
            if "title" in chart.to_dict()["layer"][0]["encoding"]["x"]
        ]
        titles.append(charts.mean_heads(played, lang=lang).to_dict()["title"]["text"])
        titles.append(charts.heads_ecdf(played, lang=lang).to_dict()["encoding"]["x"]["title"])
        assert len(titles) >= 3 and all(say.many(counted) in title for title in titles), titles
    both = {name: simulate(game, rounds=3, progress=False) for name, game in
            (("a", Baron(players=2)), ("b", Classic(players=2)))}  # fmt: skip
    assert say.many("points") in charts.mean_heads(both, lang=lang).to_dict()["title"]["text"]


@pytest.mark.exhaustive
def test_every_chart_is_titled_and_drawn_offline(tmp_path: Path) -> None:
    for name, chart in all_charts().items():
        spec = chart.to_dict()
        assert spec["title"]["text"] and spec["title"]["subtitle"], name
        layers = spec.get("layer", [spec])
        axes = [axis for layer in layers for axis in ("x", "y") if layer["encoding"].get(axis, {}).get("title")]
        assert "x" in axes, name
        chart.save(tmp_path / "chart.svg")
        chart.save(tmp_path / "chart.png")
        assert spec["title"]["text"] in (tmp_path / "chart.svg").read_text(encoding="utf-8"), name
        assert (tmp_path / "chart.png").read_bytes().startswith(b"\x89PNG"), name


def test_importing_charts_leaves_the_readers_renderer_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    said = "import altair; before = altair.renderers.active, dict(altair.renderers.options); import nimmt_lab.charts; "
    script = said + "assert (altair.renderers.active, dict(altair.renderers.options)) == before == ('default', {})"
    subprocess.run([sys.executable, "-c", script], check=True)
    used = list[tuple[str, dict[str, Any]]]()
    monkeypatch.setattr(
        alt.TopLevelMixin,
        "_repr_mimebundle_",
        lambda *_, **__: used.append((alt.renderers.active, dict(alt.renderers.options))),
    )
    chart = charts.heads_distribution(rounds())
    with alt.renderers.enable("default"):
        chart._repr_mimebundle_()
        assert alt.renderers.active == "default"  # as it was
    with alt.renderers.enable("json"):
        chart._repr_mimebundle_()  # the reader's choice
    with charts.use_offline():
        assert alt.renderers.active == "jupyter" and alt.renderers.options == {"offline": True}
    assert used == [("jupyter", {"offline": True}), ("json", {})]


@pytest.mark.exhaustive
def test_a_chart_is_saved_whole_or_not_at_all(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    chart = charts.heads_distribution(rounds())
    for suffix in ("svg", "png", "html", "json", "pdf"):
        path = tmp_path / f"x.{suffix}"
        path.write_bytes(b"old")
        with monkeypatch.context() as patch:
            patch.setattr(os, "fsync", _full)
            with pytest.raises(CannotWrite) as caught:
                chart.save(path)
            assert f"x.{suffix}" in str(caught.value)
        assert path.read_bytes() == b"old"
        chart.save(path)
        assert len(path.read_bytes()) > 1000
        assert len(list(tmp_path.iterdir())) == 1
        path.unlink()
    with refused(RulesError, "charts.chart_saved_not", formats="svg, png, html, json, pdf", got="'txt'"):
        chart.save(tmp_path / "x.txt")
    memory = io.StringIO()
    chart.properties(width=200).save(memory, format="svg")
    assert memory.getvalue().startswith("<svg")


@pytest.mark.exhaustive
def test_a_saved_page_needs_no_network(tmp_path: Path) -> None:
    charts.mean_heads(rounds()).save(tmp_path / "x.html")
    page = (tmp_path / "x.html").read_text(encoding="utf-8")
    assert not re.findall(r"<(?:script|link)[^>]+(?:src|href)=", page)


def _full(_handle: int) -> None:
    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


def test_distribution_shows_the_shares() -> None:
    simulation = rounds()
    shown = {row["heads"]: row["share"] for row in data_of(charts.heads_distribution(simulation))}
    heads = simulation.frame["heads"]
    for value, share in shown.items():
        assert share == pytest.approx((heads == value).sum() / len(heads))
    cumulated = [row["share"] for row in data_of(charts.heads_ecdf(simulation))]
    assert cumulated == sorted(cumulated) and cumulated[-1] == pytest.approx(1)


def test_convergence_ends_at_the_mean() -> None:
    simulation = rounds()
    last = data_of(charts.convergence(simulation, seat=2))[-1]
    heads = simulation.frame.filter(pl.col("seat") == "C")["heads"]
    assert last["rounds"] == 400
    assert last["mean"] == pytest.approx(heads.mean())
    assert last["high"] - last["mean"] == pytest.approx(1.96 * heads.std(ddof=0) / 20)


def test_card_risk_shows_the_odds() -> None:
    rows = [row for row in data_of(charts.card_risk(TABLE, opponents=3)) if "p_take" in row]
    assert len(rows) == 104 - 11
    some = {row["card"]: row for row in rows}
    assert some[51]["p_take"] == float(odds(TABLE, [51], 3)[51].p_take) == 1
    assert some[5]["expected_heads"] == pytest.approx(float(odds(TABLE, [5], 3)[5].expected_heads))


def test_hand_risk_marks_what_was_played() -> None:
    game = record(Classic(players=3, rounds=1), [bot("random")] * 3, seed=1)
    rows = data_of(charts.hand_risk(game, seat=1))
    assert len(rows) == 55  # 10 + 9 + … + 1
    played = {row["turn"]: row["card"] for row in rows if row["played"]}
    cards = [step.choices[1] for step in game.steps if len(step.choices) == 3]
    assert [played[turn] for turn in sorted(played)] == cards


def test_wrong_wishes() -> None:
    with refused(RulesError, "shared.must_one_of", what="measure", got="'luck'"):
        charts.card_risk(TABLE, opponents=3, measure="luck")
    with refused(RulesError, "solver.odds_known_classic", game="advanced"):
        charts.hand_risk(record(Advanced(players=2, rounds=1), [bot("random")] * 2, seed=1), seat=0)
    with refused(RulesError, "charts.no_rounds_were", label="2 players"):
        charts.heads_distribution(simulate(Classic(players=2), rounds=0, progress=False))
    with refused(RulesError, "charts.convergence_needs_at"):
        charts.convergence(simulate(Classic(players=2), rounds=1, progress=False))
    contest = tournament(Classic(players=2, rounds=1), ["highest", "random"], deals=2, progress=False)
    with refused(RulesError, "shared.must_one_of", what="measure", got="'luck'"):
        charts.standings(contest, measure="luck")


def test_bright_is_dear_in_the_chart_of_hand_cards() -> None:
    """Viridis runs from dark to bright: of two cards, the dearer one is drawn brighter."""
    game = Classic(players=3, rounds=1)
    chart = charts.hand_risk(record(game, [bot("random")] * 3, seed=1), seat=0)
    layers = chart.to_dict()["layer"]
    scale = next(layer["encoding"]["color"]["scale"] for layer in layers if "color" in layer["encoding"])
    assert scale == {"scheme": "viridis", "zero": True}, "dark is nothing, not the least there is"
    drawn = io.StringIO()
    chart.save(drawn, format="svg")
    cells = re.findall(r"expected heads: ([\d.]+);[^>]*fill=\"rgb\((\d+), (\d+), (\d+)\)\"", drawn.getvalue())
    by_heads = sorted(
        (float(heads), 0.3 * int(red) + 0.6 * int(green) + 0.1 * int(blue)) for heads, red, green, blue in cells
    )
    assert len(by_heads) > 40 and by_heads[0][0] == 0 and by_heads[-1][0] > 1
    lights = [light for _, light in by_heads]
    assert all(later > earlier - 1 for earlier, later in pairwise(lights)) and lights[-1] > lights[0] + 100


@pytest.mark.native  # without the core, bots search less and a review is less certain
def test_the_course_marks_what_the_review_names() -> None:
    game = record(Classic(players=3, rounds=1), [bot("random")] * 3, seed=1)
    found = review(game, playouts=400, progress=False)
    rows = data_of(charts.course(found))
    assert [row["verdict"] for row in rows] == [said.verdict for said in found.judgements]
    assert "blunder" in [row["verdict"] for row in rows] and {row["label"] for row in rows} == {"A", "B", "C"}
    assert all(0 <= row["stands"] <= 1 for row in rows)
    with refused(RulesError, "charts.nothing_game_was"):
        charts.course(review(game, seconds=0.0, progress=False))
    solved = review(Record(Advanced(players=2), ({0: 16, 1: 18},), start=OPEN), progress=False)
    assert [row["stands"] for row in data_of(charts.course(solved))] == pytest.approx([4.8, 4.8], abs=0.01)


def texts_of(chart: Any) -> list[str]:
    """Every text in a drawing."""
    drawn = io.StringIO()
    chart.save(drawn, format="svg")
    return re.findall(r">([^<>\n]+)</text>", drawn.getvalue())


@pytest.mark.parametrize("lang", LANGUAGES)
def test_words_of_charts_are_there_in_every_language(lang: str) -> None:
    there, english = (own_catalogue(PACKAGE, one).messages for one in (lang, "en"))
    assert set(there) == set(english) and set(NUMBERS) == set(LANGUAGES)
    for key, text in there.items():
        assert set(re.findall(r"\{(\w+)[:}]", text)) == set(re.findall(r"\{(\w+)[:}]", english[key])), key
        # The chart translates a counted word by itself where it counts it.
        assert lang == "en" or text != english[key] or re.fullmatch(r"\{\w+:[a-z_]+\}", text), key


@pytest.mark.exhaustive
def test_charts_speak_the_language_and_write_its_numbers() -> None:
    words = {*own_catalogue(PACKAGE, "en").messages.values()}
    for lang in ("pl", "cs"):
        commas = 0
        for name, chart in all_charts(lang).items():
            if lang == "pl" and name not in ("means", "card heads", "course"):  # the words have been checked above
                continue
            texts = texts_of(chart)
            assert not any(re.search(r"\d\.\d", text) for text in texts), (lang, name, texts)
            commas += any(re.search(r"\d,\d", text) for text in texts)
            assert not words & {*texts}, (lang, name)
        assert commas >= {"pl": 2, "cs": 5}[lang], "axes and labels have decimal commas"


def test_any_chart_can_have_the_numbers_of_a_language() -> None:
    frame = pl.DataFrame({"x": [0.5, 1.25], "y": [0.25, 0.75]})
    plain = alt.Chart(frame).mark_point().encode(x="x:Q", y=alt.Y("y:Q", axis=alt.Axis(format=".1%")))
    kept = charts.in_language(plain.configure_axis(labelFontSize=20), "cs")
    texts = texts_of(kept)
    assert "0,2" in texts and "10,0\N{NO-BREAK SPACE}%" in texts
    assert kept.to_dict()["config"]["axis"]["labelFontSize"] == 20, "what was set stays"
    assert "0.2" in texts_of(plain), "and the chart itself is as it was"
    with refused(RulesError, "shared.no_language", lang="'de'"):
        charts.in_language(plain, "de")


def test_a_share_is_at_most_all_and_ten_is_written_as_ten() -> None:
    """Axes have no tick beyond 100% and no powers of ten."""
    found = finding("skill_and_luck")
    lines = list(found.lines)[:3]
    found = replace(
        found, lines={line: Mean(20, share, 0.08) for line, share in zip(lines, (0.8, 0.95, 1), strict=True)}
    )
    assert found[lines[1]].high > 1, "an interval reaches beyond all of it"
    drawn = io.StringIO()
    charts.intervals(found, lines, percent=True).save(drawn, format="svg")
    assert ">100%<" in drawn.getvalue() and not re.search(r">1[1-9]0%<", drawn.getvalue())
    drawn = io.StringIO()
    charts.intervals(finding("small_player"), ["1", "7"]).save(drawn, format="svg")
    assert ">10<" in drawn.getvalue() and "e+" not in drawn.getvalue()


def test_means_of_many_labels_need_no_legend() -> None:
    """Every line of the chart has its own label: a legend of nine would leave the page."""
    spec = charts.mean_heads({f"{n} players": rounds(n) for n in range(2, 11)}).to_dict()
    assert [layer["encoding"]["color"]["legend"] for layer in spec["layer"]] == [None, None]


def test_a_saved_drawing_names_the_font_it_was_measured_with() -> None:
    drawn = io.StringIO()
    charts.mean_heads(rounds(2)).save(drawn, format="svg")
    assert set(re.findall(r'font-family="([^"]*)"', drawn.getvalue())) == {FONT}
