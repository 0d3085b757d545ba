"""Small multiples, and what stands in their place where nothing can be drawn."""

from __future__ import annotations

import polars as pl

from equiglot.report.charts.dots import dot_chart
from equiglot.report.drawing import to_svg


def test_a_chart_without_a_value_says_so():
    columns = {"panel": "", "row": "English", "series": "", **dict.fromkeys(("value", "low", "high"))}
    frame = pl.DataFrame([columns], schema_overrides=dict.fromkeys(("value", "low", "high"), pl.Float64))
    assert "no row has a value" in to_svg(dot_chart(frame, 700, axis="accuracy", reference=0.5))
