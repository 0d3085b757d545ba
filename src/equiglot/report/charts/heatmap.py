"""Ranks of languages as a heat map: a row per language, a column per model (or metric), a panel per metric (or model).

Paper 2's figure of languages x vocabulary sizes. The better a rank the paler its cell; the rank itself stands in it, so
that nothing rests on colour.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import polars as pl

from equiglot.report.charts._common import is_wide
from equiglot.report.charts._panels import in_lines, panel_width
from equiglot.report.charts._widths import label_width
from equiglot.report.theme import LIGHT

if TYPE_CHECKING:
    import altair as alt

__all__ = ["rank_heatmap"]

_ROW, _LABELS, _NARROWEST, _BETWEEN = 20, 84, 30, 8


def rank_heatmap(frame: pl.DataFrame, width: int, *, columns: str) -> alt.TopLevelMixin:
    """A panel per ``panel``, with the languages in the order in which they first occur.

    Args:
        frame: one row per cell: ``panel``, ``row`` (a language), ``column``, ``rank`` (null where there is none).
        width: of the whole chart in pixels.
        columns: what the columns are.
    """
    import altair as alt

    panels = frame["panel"].unique(maintain_order=True).to_list()
    names = frame["column"].unique(maintain_order=True).to_list()
    rows = frame["row"].unique(maintain_order=True).to_list()
    room = max(1, (width + 22) // (_LABELS + 22 + _NARROWEST * len(names)))
    per_line = min(len(panels), 3 if is_wide(width) else 1, room)
    inner = panel_width(width, per_line, _LABELS)
    # Names that are wider than their column are turned, so that none is printed over the next.
    turned = max(map(label_width, names)) + _BETWEEN > inner / len(names)
    top: Any = frame["rank"].max()

    def panel(name: str, _first: bool) -> Any:
        base = alt.Chart(frame.filter(panel=name)).encode(
            x=alt.X("column:N", sort=names, axis=alt.Axis(title=columns, labelAngle=-40 if turned else 0)),
            y=alt.Y("row:N", sort=rows, axis=alt.Axis(title=None, minExtent=_LABELS - 8, maxExtent=_LABELS - 8)),
        )
        strength = alt.Opacity("rank:Q", scale=alt.Scale(domain=[1, top], range=[0.04, 0.5]), legend=None)
        there = base.transform_filter("isValid(datum.rank)")
        tiles = there.mark_rect(fill=LIGHT["native"], stroke=LIGHT["paper"], strokeWidth=1.5).encode(opacity=strength)
        ranks = there.mark_text(fill=LIGHT["ink"], fontSize=11).encode(text=alt.Text("rank:Q", format=".3~g"))
        none = base.transform_filter("!isValid(datum.rank)").mark_text(text="–", fill=LIGHT["muted"])
        return alt.layer(tiles, ranks, none).properties(
            width=inner, height=alt.Step(_ROW), title=alt.TitleParams(name, frame="group", limit=inner)
        )

    return in_lines(panels, per_line, panel)
