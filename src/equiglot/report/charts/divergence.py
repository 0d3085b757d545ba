"""How far systems lie apart for people, and by a metric, in standard deviations: two dots to a pair, with intervals."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import polars as pl

from equiglot.report.charts._common import is_wide
from equiglot.report.charts._panels import in_lines, panel_width
from equiglot.report.theme import LIGHT

if TYPE_CHECKING:
    import altair as alt

__all__ = ["divergence_chart"]

_ROW, _OFFSET, _MARGIN = 40, 8, 12
_PEOPLE, _METRIC = "people", "the metric"
_INKS = {_PEOPLE: LIGHT["native"], _METRIC: LIGHT["romanized"]}
_FILLS = {_PEOPLE: LIGHT["native"], _METRIC: LIGHT["paper"]}


def divergence_chart(frame: pl.DataFrame, width: int) -> alt.TopLevelMixin:
    """A panel per metric, a row per pair of systems, labelled once a line: people's gap filled, the metric's open.

    Args:
        frame: one row per dot: ``panel`` (the metric), ``row`` (the pair, in lines), ``who`` (``people`` or
            ``the metric``), ``value``, ``low``, ``high`` (null where there is no interval).
        width: of the whole chart in pixels.
    """
    import altair as alt

    data = frame.drop_nulls("value")
    panels = data["panel"].unique(maintain_order=True).to_list()
    rows = data["row"].unique(maintain_order=True).to_list()
    axis = _axis_width(rows, width)
    per_line = min(len(panels), 2 if is_wide(width) else 1)
    inner = panel_width(width - axis, per_line, _MARGIN)
    ends = [0.0, *(v for column in ("value", "low", "high") for v in data[column].drop_nulls())]
    scale = alt.Scale(domain=[min(ends), max(ends)], nice=True)
    title = "standard deviations of rows"

    def panel(name: str, first: bool) -> Any:
        own = data.filter(panel=name)
        labels = alt.Axis(
            title=None, minExtent=axis - 12, maxExtent=axis - 12, labelLimit=axis - 16, labelLineHeight=15,
            labelExpr="split(datum.label, '\\n')",
        )  # fmt: skip
        y = alt.Y("row:N", scale=alt.Scale(domain=rows), axis=labels if first else None)
        x = alt.X("value:Q", scale=scale, axis=alt.Axis(title=title, tickCount=5, labelFlush=False))
        zero = alt.Chart(pl.DataFrame({"value": [0.0]})).mark_rule(stroke=LIGHT["muted"]).encode(x=x)
        layers: list[alt.Chart] = [zero]
        for who, offset in ((_PEOPLE, -_OFFSET), (_METRIC, _OFFSET)):
            part = alt.Chart(own.filter(who=who)).encode(y=y)
            spans = part.transform_filter("isValid(datum.low) && isValid(datum.high)")
            span = alt.X("low:Q", scale=scale, axis=alt.Axis(title=title))
            layers += [
                spans.mark_rule(stroke=_INKS[who], strokeWidth=1.6, yOffset=offset).encode(x=span, x2="high:Q"),
                part.mark_point(size=70, opacity=1, strokeWidth=1.6, yOffset=offset).encode(
                    x=x, fill=alt.Fill("who:N", **_scaled(_FILLS)), stroke=alt.Stroke("who:N", **_scaled(_INKS))
                ),
            ]
        height = _ROW * len(rows)
        heading = alt.TitleParams(name, frame="group", limit=inner)
        return alt.layer(*layers).properties(width=inner, height=height, title=heading)

    return in_lines(panels, per_line, panel)


def _scaled(colors: dict[str, str]) -> dict[str, Any]:
    import altair as alt

    return {
        "scale": alt.Scale(domain=list(colors), range=list(colors.values())),
        "legend": alt.Legend(symbolType="circle", columns=2),
    }


def _axis_width(rows: list[str], width: int) -> int:
    """Room for the longest line of a label, up to nearly half of a narrow chart."""
    longest = max((len(line) for row in rows for line in row.split("\n")), default=0)
    return min(7 * longest + 28, 240 if is_wide(width) else width * 9 // 20)
