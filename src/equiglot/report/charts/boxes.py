"""Scores per cell before and after quantile normalisation (paper 1, figure 1).

A box is the middle half of a cell's scores with its median, the whiskers reach from the 5th to the 95th percentile
(linear interpolation). Native cells are filled, romanised ones open.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import polars as pl

from equiglot.report.charts._common import endonyms, filled, ink_of, is_wide, outlined, row_axis, row_extent, with_rows
from equiglot.report.theme import LIGHT

if TYPE_CHECKING:
    import altair as alt

__all__ = ["box_chart", "box_summary"]

_QUANTILES = {"low": 0.05, "q1": 0.25, "middle": 0.5, "q3": 0.75, "high": 0.95}
_ROW = 19


def box_summary(frame: pl.DataFrame, columns: Mapping[str, str]) -> pl.DataFrame:
    """Quantiles of score columns per cell.

    Args:
        frame: rows with language, script and condition.
        columns: score columns, and the title of the panel of each.

    Returns:
        One row per panel and cell with a score: ``panel``, ``language``, ``script``, ``condition``, ``n``, ``low`` (5th
        percentile), ``q1``, ``middle`` (median), ``q3``, ``high`` (95th); a language's native cell comes first.

    >>> frame = pl.DataFrame({"language": "ta", "script": "Taml", "condition": "native", "comet": [1.0, 2.0, 3.0]})
    >>> box_summary(frame, {"comet": "raw"}).select("n", "q1", "middle", "q3").row(0)
    (3, 1.5, 2.0, 2.5)
    """
    keys = ["language", "script", "condition"]
    parts = [
        frame.drop_nulls(column)
        .group_by(keys, maintain_order=True)
        .agg(
            pl.lit(title).alias("panel"),
            pl.len().alias("n"),
            *(pl.col(column).quantile(q, "linear").alias(name) for name, q in _QUANTILES.items()),
        )
        for column, title in columns.items()
    ]
    order = {language: i for i, language in enumerate(frame["language"].unique(maintain_order=True))}
    place = pl.col("language").replace_strict(order, return_dtype=pl.Int64)
    first = pl.col("condition") != "native"
    return pl.concat([part.sort(place, first, maintain_order=True) for part in parts]).select(
        "panel", *keys, pl.exclude("panel", *keys)
    )


def box_chart(summary: pl.DataFrame, width: int, *, axis: str) -> alt.TopLevelMixin:
    """Box plots, one panel per ``panel``, side by side where there is room.

    Args:
        summary: as :func:`box_summary` makes it.
        width: of the whole chart in pixels.
        axis: title of the axis of scores, with the unit.
    """
    import altair as alt

    data = with_rows(summary, apart=True)
    titles = data["panel"].unique(maintain_order=True).to_list()
    beside = is_wide(width) and len(titles) > 1
    gap = 24
    room = width - row_extent(width) - (38 if beside else 20)
    panel_width = (room - gap * (len(titles) - 1)) // len(titles) if beside else room
    scores = _scores(data, axis)
    panels: list[Any] = []
    for i, title in enumerate(titles):
        labels = i == 0 or not beside
        layers = _layers(data.filter(panel=title), row_axis(data, width, labels=labels), scores)
        panel = alt.layer(*layers, *(endonyms(data, width) if labels else ()))
        panels.append(
            panel.properties(
                width=panel_width, height=alt.Step(_ROW), title=alt.TitleParams(title, frame="group", limit=panel_width)
            )
        )
    joined = alt.hconcat(*panels, spacing=gap) if beside else alt.vconcat(*panels, spacing=gap)
    return joined.resolve_scale(fill="shared", stroke="shared")


def _scores(data: pl.DataFrame, axis: str) -> dict[str, Any]:
    """One scale for all panels, so that boxes can be held against each other across them."""
    import altair as alt

    ends = [min(data["low"]), max(data["high"])]
    return {
        "scale": alt.Scale(domain=ends, nice=True, zero=False),
        "axis": alt.Axis(title=axis, tickCount=5, labelFlush=False),
    }


def _layers(data: pl.DataFrame, y: alt.Y, scores: dict[str, Any]) -> list[alt.Chart]:
    import altair as alt

    conditions = data["condition"].unique(maintain_order=True).to_list()
    layers: list[alt.Chart] = []
    for condition in conditions:
        base = alt.Chart(data.filter(condition=condition)).encode(y=y)
        ink = ink_of(condition)
        end = base.mark_tick(thickness=1.3, size=7, filled=True, opacity=1, color=ink)
        layers += [
            base.mark_rule(strokeWidth=1.3, color=ink).encode(x=alt.X("low:Q", **scores), x2="high:Q"),
            end.encode(x=alt.X("low:Q", **scores)),
            end.encode(x=alt.X("high:Q", **scores)),
        ]
    boxes = alt.Chart(data).encode(y=y).mark_bar(size=11, strokeWidth=1.4)
    layers.append(
        boxes.encode(
            x=alt.X("q1:Q", **scores),
            x2="q3:Q",
            fill=filled(conditions, legend=True),
            stroke=outlined(conditions, legend=True),
        )
    )
    for condition in conditions:
        ink = LIGHT["paper"] if condition == "native" else ink_of(condition)
        median = alt.Chart(data.filter(condition=condition)).mark_tick(
            thickness=2.4, size=11, filled=True, opacity=1, color=ink
        )
        layers.append(median.encode(y=y, x=alt.X("middle:Q", **scores)))
    return layers
