"""What a tokeniser costs each cell: one bar per cell, with its interval, and the value of parity where there is one."""

from __future__ import annotations

from typing import TYPE_CHECKING

import polars as pl

from equiglot.report.charts._common import endonyms, filled, outlined, row_axis, row_extent, with_rows
from equiglot.report.theme import LIGHT

if TYPE_CHECKING:
    import altair as alt

__all__ = ["bar_chart"]

_ROW = 21


def bar_chart(frame: pl.DataFrame, width: int, *, axis: str, parity: float | None = None) -> alt.TopLevelMixin:
    """Bars from 0, native ones filled and romanised ones open.

    Args:
        frame: one row per cell: ``language``, ``script``, ``condition``, ``value``, ``low``, ``high`` (null where there
            is no interval).
        width: of the whole chart in pixels.
        axis: title of the axis, with the unit.
        parity: the value at which a language costs what the source does; a line is drawn there.
    """
    import altair as alt

    data = with_rows(frame.drop_nulls("value"), apart=True)
    y = row_axis(data, width)
    top = max([parity or 0.0, *data["value"], *data["high"].drop_nulls()])
    scale = alt.Scale(domain=[0, top * 1.02], nice=False)
    x = alt.X("value:Q", scale=scale, axis=alt.Axis(title=axis, tickCount=6, labelFlush=False))
    conditions = data["condition"].unique(maintain_order=True).to_list()
    base = alt.Chart(data).encode(y=y)
    spans = base.transform_filter("isValid(datum.low) && isValid(datum.high)")
    values = base.transform_calculate(at="isValid(datum.high) ? datum.high : datum.value")
    layers: list[alt.Chart] = [
        base.mark_bar(size=11, strokeWidth=1.4).encode(
            x=x, fill=filled(conditions, legend=True), stroke=outlined(conditions, legend=True)
        ),
        spans.mark_rule(stroke=LIGHT["ink"], strokeWidth=1.2).encode(x=alt.X("low:Q", scale=scale), x2="high:Q"),
        values.mark_text(align="left", dx=5).encode(
            x=alt.X("at:Q", scale=scale), text=alt.Text("value:Q", format=".2f")
        ),
    ]
    if parity is not None:
        line = alt.Chart(pl.DataFrame({"value": [parity]}))
        layers.append(line.mark_rule(stroke=LIGHT["ink"], strokeDash=[4, 3], strokeWidth=1.2).encode(x=x))
        layers.append(line.mark_text(y=-5, baseline="bottom", text="parity", fill=LIGHT["muted"]).encode(x=x))
    chart = alt.layer(*layers, *endonyms(data, width))
    return chart.properties(width=width - row_extent(width) - 48, height=alt.Step(_ROW))
