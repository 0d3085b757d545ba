"""Values with their intervals as dots, a row each: accuracy by language, differences by translation."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import polars as pl

from equiglot.report.charts._common import is_wide
from equiglot.report.charts._panels import in_lines, panel_width
from equiglot.report.theme import LIGHT

if TYPE_CHECKING:
    import altair as alt

__all__ = ["dot_chart"]

_ROW, _AXIS = 22, 104


def dot_chart(
    frame: pl.DataFrame,
    width: int,
    *,
    axis: str,
    reference: float,
    named: str = "",
    ends: tuple[float, float] | None = None,
) -> alt.TopLevelMixin:
    """A panel per ``panel``, a row per ``row``; several dots of a row (``series``) stand below each other.

    Args:
        frame: one row per dot: ``panel`` (its title), ``row``, ``series``, ``value``, ``low``, ``high`` (null where
            there is no interval) and, without ``axis``, ``unit``.
        width: of the whole chart in pixels.
        axis: title of the horizontal axis; empty where each panel has its own, its unit.
        reference: where a line is drawn, such as guessing or no difference.
        named: what the line is.
        ends: of the horizontal axis; by default those of each panel's own values.
    """
    import altair as alt

    data = frame.drop_nulls("value")
    panels = data["panel"].unique(maintain_order=True).to_list()
    rows = data["row"].unique(maintain_order=True).to_list()
    series = data["series"].unique(maintain_order=True).to_list()
    per_line = min(len(panels), 3 if is_wide(width) else 1)
    inner = panel_width(width, per_line, _AXIS)

    def panel(name: str, _first: bool) -> Any:
        own = data.filter(panel=name)
        scale = alt.Scale(domain=list(ends)) if ends else alt.Scale(zero=False, nice=True)
        x = alt.X("value:Q", scale=scale, axis=alt.Axis(title=axis or own["unit"][0], tickCount=3, labelFlush=False))
        y = alt.Y("row:N", sort=rows, axis=alt.Axis(title=None, minExtent=_AXIS - 12, maxExtent=_AXIS - 12))
        offset: dict[str, Any] = {"yOffset": alt.YOffset("series:N", sort=series)} if len(series) > 1 else {}
        base = alt.Chart(own).encode(y=y, **offset)
        line = alt.Chart(pl.DataFrame({"value": [reference]}))
        layers = [
            line.mark_rule(stroke=LIGHT["muted"], strokeDash=[4, 3]).encode(x=x),
            base.transform_filter("isValid(datum.low) && isValid(datum.high)")
            .mark_rule(stroke=LIGHT["native"], strokeWidth=1.6)
            .encode(x=alt.X("low:Q", scale=scale), x2="high:Q"),
            base.mark_point(size=44, filled=True, fill=LIGHT["native"], stroke=None, opacity=1).encode(x=x),
        ]
        if named:
            layers.append(line.mark_text(y=-5, baseline="bottom", text=named, fill=LIGHT["muted"]).encode(x=x))
        step = _ROW if len(series) == 1 else max(_ROW, 8 * len(series) + 6)
        title = alt.TitleParams(name, frame="group", limit=inner, offset=18 if named else 6)
        return alt.layer(*layers).properties(width=inner, height=step * own["row"].n_unique(), title=title)

    return in_lines(panels, per_line, panel)
