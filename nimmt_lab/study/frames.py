"""Data frames, built where polars is installed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from nimmt_lab.engine.extras import wanted

if TYPE_CHECKING:
    import polars as pl


def data_frame(rows: Iterable[Sequence[object]], columns: Mapping[str, type] | Sequence[str]) -> pl.DataFrame:
    """Build a data frame from rows; column types are inferred unless given."""
    with wanted("lab"):
        import polars as pl

    schema = dict(columns) if isinstance(columns, Mapping) else list(columns)
    return pl.DataFrame(list(rows), schema=schema, orient="row", infer_schema_length=None)
