"""Curves of a study: every language, every number, and no signal by colour alone."""

from __future__ import annotations

import pytest

from nimmt_lab.charts import curves
from nimmt_lab.explain.catalogue import LANGUAGES
from nimmt_lab.study import finding

SERIES = ["edges:edges", "closest:closest"]


def values(chart: dict[str, object]) -> list[dict[str, object]]:
    """The points of the curves, without the rule at zero."""
    tables = chart.get("datasets", {})
    assert isinstance(tables, dict)
    layers = chart["layer"]
    assert isinstance(layers, list)
    found = [layer["data"]["values"] for layer in layers if "values" in layer.get("data", {})]
    found += [chart["data"]["values"]] if isinstance(chart.get("data"), dict) else []
    found += list(tables.values())
    return next(table for table in found if "mean" in table[0])


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_number_is_a_point_of_its_curve(lang: str) -> None:
    study = finding("low_cards", lang)
    chart = curves(study, SERIES).to_dict()
    points = values(chart)
    assert sorted({point["x"] for point in points}) == [*range(1, 11)] and len(points) == 20
    names = list(dict.fromkeys(str(point["series"]) for point in points))
    assert len(names) == 2 and chart["title"]["text"] == study.title
    means = [study[f"{SERIES[names.index(str(point['series']))]}:{point['x']}"].mean for point in points]
    assert [point["mean"] for point in points] == means
    few = values(curves(study, SERIES, most=4).to_dict())
    assert max(int(str(point["x"])) for point in few) == 4


def test_curves_differ_in_dashes_and_shapes() -> None:
    text = curves(finding("low_cards"), SERIES).to_json()
    assert '"strokeDash"' in text and '"shape"' in text
    assert '"field": "y"' in text and '"field": "y"' not in curves(finding("fifth_card"), ["random:4"]).to_json(), (
        "what changes sign has a line at zero"
    )
