"""What more sentences change: curves over the size of a sample, with intervals (paper 2, figure of sample sizes)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import polars as pl

from equiglot.report.charts._common import is_wide
from equiglot.report.charts._panels import in_lines, panel_width
from equiglot.report.theme import LIGHT

if TYPE_CHECKING:
    import altair as alt

__all__ = ["stability_chart"]

_AXIS, _HEIGHT = 62, 150
_DASHES = ([1, 0], [6, 3], [2, 2], [8, 3, 2, 3], [1, 3])


def stability_chart(
    frame: pl.DataFrame, width: int, *, axis: str, first: str | None = None, ends: tuple[float, float] | None = None
) -> alt.TopLevelMixin:
    """A panel per ``panel``, a line per ``series`` with the band of its interval; lines are named where they end.

    Args:
        frame: one row per point: ``panel``, ``series``, ``size``, ``value``, ``low``, ``high`` and, without ``axis``,
            ``unit``; where there is one series in all, its name is not shown.
        width: of the whole chart in pixels.
        axis: title of the vertical axis; empty where each panel has its own, its unit.
        first: the series that the others are held against, if there is one.
        ends: of the vertical axis; by default those of each panel's own values.
    """
    import altair as alt

    panels = frame["panel"].unique(maintain_order=True).to_list()
    several = frame["series"].n_unique() > 1
    per_line = min(len(panels), (2 if several else 3) if is_wide(width) else 1)
    room = 10 + 6 * max(map(len, frame["series"].unique())) if several else 0
    inner = panel_width(width, per_line, _AXIS + room)

    first_size, last_size = (int(n) for n in (min(frame["size"]), max(frame["size"])))
    sizes = alt.X(
        "size:Q",
        scale=alt.Scale(type="log", nice=False, domain=[first_size, last_size]),
        axis=alt.Axis(title="sentences (log scale)", values=[10**k for k in range(7)], format="~s"),
    )

    def panel(name: str, _first: bool) -> Any:
        own = frame.filter(panel=name)
        names = own["series"].unique(maintain_order=True).to_list()
        lowest, highest = (float(min(own["low"])), float(max(own["high"]))) if ends is None else ends
        scale: Any = alt.Scale(domain=[lowest, highest], zero=False, nice=False)
        title = axis or own["unit"][0]
        y = alt.Y("value:Q", scale=scale, axis=alt.Axis(title=title, tickCount=5, minExtent=34, maxExtent=34))
        layers: list[alt.Chart] = []
        for i, series in enumerate(names):
            ink = LIGHT["native" if not several or series == first else "romanized" if first else "ink"]
            line = alt.Chart(own.filter(series=series)).encode(x=sizes)
            band = line.mark_area(fill=ink, opacity=0.6 / (3 + len(names)), line=False)
            dash = _DASHES[i % len(_DASHES)] if first else _DASHES[0]
            layers += [
                band.encode(y=alt.Y("low:Q", scale=scale), y2="high:Q"),
                line.mark_line(stroke=ink, strokeWidth=1.5, strokeDash=dash).encode(y=y),
                line.mark_point(size=18, filled=True, fill=ink, stroke=None, opacity=1).encode(y=y),
            ]
        if several:
            layers.append(_names(own, sizes, (lowest, highest), scale))
        return alt.layer(*layers).properties(
            width=inner, height=_HEIGHT, title=alt.TitleParams(name, frame="group", limit=inner + _AXIS)
        )

    return in_lines(panels, per_line, panel)


def _names(own: pl.DataFrame, x: Any, ends: tuple[float, float], scale: Any) -> alt.Chart:
    """The series' names at the ends of their lines, moved apart where those lie close."""
    import altair as alt

    last = own.sort("size").group_by("series", maintain_order=True).last().sort("value")
    places = _apart(last["value"].to_list(), (ends[1] - ends[0]) * 13 / _HEIGHT)
    data = last.with_columns(pl.Series("place", places, dtype=pl.Float64))
    marks = alt.Chart(data).mark_text(align="left", dx=6, fontSize=11, fill=LIGHT["ink"])
    return marks.encode(x=x, y=alt.Y("place:Q", scale=scale), text="series:N")


def _apart(values: list[float], least: float) -> list[float]:
    """Sorted places at least ``least`` apart, those that lie close spread evenly about their mean."""
    blocks: list[list[float]] = []
    for value in values:
        blocks.append([value])
        while len(blocks) > 1 and _span(blocks[-1], least)[0] < _span(blocks[-2], least)[1] + least:
            blocks[-2:] = [blocks[-2] + blocks[-1]]
    return [_span(block, least)[0] + i * least for block in blocks for i in range(len(block))]


def _span(block: list[float], least: float) -> tuple[float, float]:
    middle, half = sum(block) / len(block), least * (len(block) - 1) / 2
    return middle - half, middle + half
