"""A leaderboard: each system's mean with failures counted and without them, a panel per language."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import polars as pl

from equiglot.report.charts._common import is_wide
from equiglot.report.charts._panels import in_lines, panel_width
from equiglot.report.theme import LIGHT

if TYPE_CHECKING:
    import altair as alt

__all__ = ["COUNTED", "LEFT_OUT", "leaderboard_chart"]

COUNTED, LEFT_OUT = "failures counted", "failures left out"

_ROW, _AXIS = 30, 136


def leaderboard_chart(frame: pl.DataFrame, width: int, *, axis: str) -> alt.TopLevelMixin:
    """A panel per language, a row per system, best first in the first panel; a filled dot and an open one.

    Args:
        frame: one row per dot: ``panel``, ``system``, ``kind`` (:data:`COUNTED` or :data:`LEFT_OUT`), ``value``,
            ``low``, ``high`` (null where there is no interval).
        width: of the whole chart in pixels.
        axis: title of the horizontal axes.
    """
    import altair as alt

    data = frame.drop_nulls("value")
    panels = data["panel"].unique(maintain_order=True).to_list()
    systems = data["system"].unique(maintain_order=True).to_list()
    per_line = min(len(panels), 2 if is_wide(width) else 1)
    inner = panel_width(width, per_line, _AXIS)
    ends = [*data["value"], *data["low"].drop_nulls(), *data["high"].drop_nulls()]
    pad = 0.05 * (max(ends) - min(ends) or 1.0)
    scale = alt.Scale(domain=[min(ends) - pad, max(ends) + pad], nice=False, zero=False)
    kinds = [COUNTED, LEFT_OUT]

    def panel(name: str, first: bool) -> Any:
        own = data.filter(panel=name)
        y = alt.Y("system:N", sort=systems, axis=alt.Axis(title=None, minExtent=_AXIS - 12, maxExtent=_AXIS - 12,
                                                          labelLimit=_AXIS - 16))  # fmt: skip
        x = alt.X("value:Q", scale=scale, axis=alt.Axis(title=axis, tickCount=4, labelFlush=False))
        legend = alt.Legend(title=None, symbolType="circle", columns=2) if first else None
        fill = alt.Fill("kind:N", scale=alt.Scale(domain=kinds, range=[LIGHT["native"], LIGHT["paper"]]), legend=legend)
        ink = alt.Stroke("kind:N", scale=alt.Scale(domain=kinds, range=[LIGHT["native"]] * 2), legend=legend)
        base = alt.Chart(own).encode(y=y, yOffset=alt.YOffset("kind:N", sort=kinds))
        spans = base.transform_filter("isValid(datum.low) && isValid(datum.high)").mark_rule(
            stroke=LIGHT["native"], strokeWidth=1.4
        )
        dots = base.mark_point(size=52, strokeWidth=1.4, opacity=1).encode(x=x, fill=fill, stroke=ink)
        title = alt.TitleParams(name, frame="group", limit=inner)
        layers = alt.layer(spans.encode(x=alt.X("low:Q", scale=scale), x2="high:Q"), dots)
        return layers.properties(width=inner, height=_ROW * len(systems), title=title)

    return in_lines(panels, per_line, panel)
