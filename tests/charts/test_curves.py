"""Curves of a study: every language, every number, and no signal by colour alone."""

from __future__ import annotations

from typing import Any

import pytest

from nimmt_lab.charts import curves
from nimmt_lab.explain.catalogue import LANGUAGES
from nimmt_lab.study import finding

SERIES = ["edges:edges", "closest:closest"]


def values(chart: dict[str, Any]) -> list[dict[str, Any]]:
    """The points of the curves, without the rule at zero."""
    drawn = [*chart["layer"], chart]
    tables = [
        *chart.get("datasets", {}).values(),
        *(one["data"]["values"] for one in drawn if "values" in one.get("data", {})),
    ]
    return next(list(table) for table in tables if "mean" in table[0])


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_number_is_a_point_of_its_curve(lang: str) -> None:
    study = finding("low_cards", lang)
    chart = curves(study, SERIES).to_dict()
    points = values(chart)
    assert sorted({point["x"] for point in points}) == [*range(1, 11)] and len(points) == 20
    names = list(dict.fromkeys(point["series"] for point in points))
    assert len(names) == 2 and chart["title"]["text"] == study.title
    means = [study[f"{SERIES[names.index(point['series'])]}:{point['x']}"].mean for point in points]
    assert [point["mean"] for point in points] == means
    few = values(curves(study, SERIES, most=4).to_dict())
    assert max(point["x"] for point in few) == 4


def test_curves_differ_in_dashes_and_shapes() -> None:
    text = curves(finding("low_cards"), SERIES).to_json()
    assert '"strokeDash"' in text and '"shape"' in text
    assert '"field": "y"' in text and '"field": "y"' not in curves(finding("fifth_card"), ["random:4"]).to_json(), (
        "what changes sign has a line at zero"
    )
