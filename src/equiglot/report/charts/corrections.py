"""What corrections do, measured on rows that they were not fitted on: a point per correction and reference, with its
interval; and agreement raw, calibrated and native per language."""

from __future__ import annotations

from typing import TYPE_CHECKING

import polars as pl

from equiglot.report.charts._common import endonyms, is_wide, row_axis, row_extent
from equiglot.report.languages import cell_label
from equiglot.report.theme import LIGHT

if TYPE_CHECKING:
    import altair as alt

__all__ = ["calibration_chart", "corrections_chart"]

_ROW = 34


def corrections_chart(frame: pl.DataFrame, width: int, *, axis: str, decimals: int) -> alt.TopLevelMixin:
    """A row per correction, a point per reference.

    Args:
        frame: ``row`` (the correction), ``reference`` ("" where there is none), ``value``, ``low`` and ``high`` (null
            where there is no interval); rows in order.
        width: of the whole chart in pixels.
        axis: title of the axis, with the unit.
        decimals: of the values that are printed.
    """
    import altair as alt

    data = frame.drop_nulls("value")
    y = row_axis(data, width)
    ends = [v for column in ("value", "low", "high") for v in data[column].drop_nulls()]
    scale = alt.Scale(domain=[min(0.0, *ends), max(ends)], nice=True)
    x = alt.X("value:Q", scale=scale, axis=alt.Axis(title=axis, tickCount=6 if is_wide(width) else 3, labelFlush=False))
    references = [name for name in data["reference"].unique(maintain_order=True) if name]
    colors = {
        name: (LIGHT["native"], LIGHT["native"] if i == 0 else LIGHT["paper"]) for i, name in enumerate(references)
    }
    layers: list[alt.Chart] = []
    # A row with one point has it in the middle.
    alone = pl.col("reference").count().over("row") == 1
    for (place, is_alone), part in data.group_by("reference", alone.alias("alone"), maintain_order=True):
        name = str(place)
        stroke, fill = colors.get(name, (LIGHT["ink"], LIGHT["ink"]))
        offset = 0 if is_alone else -7 if references.index(name) == 0 else 7
        base = alt.Chart(part).encode(y=y)
        spans = base.transform_filter("isValid(datum.low) && isValid(datum.high)")
        layers += [
            spans.mark_rule(strokeWidth=1.6, stroke=stroke, yOffset=offset).encode(
                x=alt.X("low:Q", scale=scale, axis=alt.Axis(title=axis)), x2="high:Q"
            ),
            base.mark_point(
                size=75, opacity=1, strokeWidth=1.6, yOffset=offset, stroke=stroke, fill=fill, shape="circle"
            ).encode(x=x),
            base.transform_calculate(at="isValid(datum.high) ? datum.high : datum.value")
            .mark_text(align="left", dx=8, yOffset=offset)
            .encode(x=alt.X("at:Q", scale=scale), text=alt.Text("value:Q", format=f".{decimals}f")),
        ]
    return alt.layer(*layers).properties(width=width - row_extent(width) - 60, height=alt.Step(_ROW))


_MARKS = {"raw": "circle", "ridge": "triangle-up", "boosting": "diamond", "native": "circle"}


def calibration_chart(frame: pl.DataFrame, width: int, *, axis: str) -> alt.TopLevelMixin:
    """A row per language: agreement raw and native, joined by a line, and where each regressor takes it.

    Args:
        frame: ``language``, ``script``, ``kind`` (``raw``, ``native`` or a regressor) and ``value``.
        width: of the whole chart in pixels.
        axis: title of the axis.
    """
    import altair as alt

    known = frame.drop_nulls("value")
    labels = [cell_label(language, script) for language, script in known.select("language", "script").iter_rows()]
    data = known.with_columns(row=pl.Series(labels, dtype=pl.String))
    y = row_axis(data, width)
    scale = alt.Scale(domain=[min(0.0, *data["value"]), max(0.0, *data["value"])], nice=True)
    x = alt.X("value:Q", scale=scale, axis=alt.Axis(title=axis, tickCount=6 if is_wide(width) else 3, labelFlush=False))
    kinds = [kind for kind in _MARKS if kind in set(data["kind"])]
    ink = {"raw": LIGHT["romanized"], "native": LIGHT["native"]}
    fill = {"raw": LIGHT["paper"], "native": LIGHT["native"], "ridge": LIGHT["paper"], "boosting": LIGHT["ink"]}
    legend = alt.Legend(columns=4 if is_wide(width) else 1, symbolStrokeWidth=1.6)
    lines = (
        data.filter(pl.col("kind").is_in(["raw", "native"]))
        .group_by("row", maintain_order=True)
        .agg(pl.col("value").min().alias("from"), pl.col("value").max().alias("to"))
    )
    joined = alt.Chart(lines).mark_rule(stroke=LIGHT["muted"], strokeWidth=1.2)
    called = {"raw": "romanised as it is", "native": "native script"}
    shown = data.with_columns(shown=pl.col("kind").replace(called))
    domain = [called.get(kind, kind) for kind in kinds]
    points = (
        alt.Chart(shown)
        .mark_point(size=95, opacity=1, strokeWidth=1.6)
        .encode(
            y=y,
            x=x,
            shape=alt.Shape("shown:N", scale=alt.Scale(domain=domain, range=[_MARKS[k] for k in kinds]), legend=legend),
            stroke=alt.Stroke(
                "shown:N", scale=alt.Scale(domain=domain, range=[ink.get(k, LIGHT["ink"]) for k in kinds])
            ),
            fill=alt.Fill("shown:N", scale=alt.Scale(domain=domain, range=[fill[k] for k in kinds])),
        )
    )
    rule = joined.encode(y=y, x=alt.X("from:Q", scale=scale), x2="to:Q")
    chart = alt.layer(rule, points, *endonyms(data, width))
    return chart.properties(width=width - row_extent(width) - 24, height=alt.Step(_ROW))
