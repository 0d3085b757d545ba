"""Agreement with people in native script and romanised, language by language, with its intervals.

Spearman's rho of the score with people's scores, over the same translations in both conditions.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import polars as pl

from equiglot.report.charts._common import endonyms, filled, ink_of, outlined, row_axis, row_extent, with_rows
from equiglot.report.theme import LIGHT

if TYPE_CHECKING:
    import altair as alt

__all__ = ["agreement_chart"]

_ROW = 40
_OFFSET = {"native": -8, "romanized": 8}


def agreement_chart(frame: pl.DataFrame, width: int, *, axis: str) -> alt.TopLevelMixin:
    """Two points per language, each with its interval.

    Args:
        frame: one row per language and condition: ``language``, ``script`` (of the native rows), ``condition``,
            ``value`` (rho), ``low``, ``high`` (null where there is no interval).
        width: of the whole chart in pixels.
        axis: title of the axis.
    """
    import altair as alt

    data = with_rows(frame.drop_nulls("value"))
    y = row_axis(data, width)
    ends = [v for column in ("value", "low", "high") for v in data[column].drop_nulls()]
    scale = alt.Scale(domain=[min(0.0, *ends), max(0.0, *ends)], nice=True)
    x = alt.X("value:Q", scale=scale, axis=alt.Axis(title=axis, tickCount=6, labelFlush=False))
    conditions = data["condition"].unique(maintain_order=True).to_list()
    zero = alt.Chart(pl.DataFrame({"value": [0.0]})).mark_rule(stroke=LIGHT["muted"], strokeWidth=1).encode(x=x)
    layers: list[alt.Chart] = [zero]
    for condition in conditions:
        offset = _OFFSET.get(condition, 0)
        part = alt.Chart(data.filter(condition=condition)).encode(y=y)
        spans = part.transform_filter("isValid(datum.low) && isValid(datum.high)")
        layers.append(
            spans.mark_rule(strokeWidth=1.6, stroke=ink_of(condition), yOffset=offset).encode(
                x=alt.X("low:Q", scale=scale, axis=alt.Axis(title=axis)), x2="high:Q"
            )
        )
        layers.append(
            part.mark_point(size=80, opacity=1, strokeWidth=1.6, yOffset=offset).encode(
                x=x, fill=filled(conditions, legend=True), stroke=outlined(conditions, legend=True)
            )
        )
        values = part.transform_calculate(at="isValid(datum.high) ? datum.high : datum.value")
        layers.append(
            values.mark_text(align="left", dx=8, yOffset=offset).encode(
                x=alt.X("at:Q", scale=scale), text=alt.Text("value:Q", format=".2f")
            )
        )
    chart = alt.layer(*layers, *endonyms(data, width))
    return chart.properties(width=width - row_extent(width) - 56, height=alt.Step(_ROW))
