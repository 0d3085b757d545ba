"""How many answers are invalid, stacked by their first failure, one bar per language and system (paper 3, table 2)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import polars as pl

from equiglot.report.charts._common import is_wide, row_extent
from equiglot.report.languages import cell_label, language_name
from equiglot.report.theme import LIGHT

if TYPE_CHECKING:
    import altair as alt

__all__ = ["failures_chart"]

_FILLS = {
    "empty": LIGHT["rule"],
    "copy": LIGHT["native"],
    "short copy": LIGHT["paradox"],
    "spillage": LIGHT["romanized"],
    "degenerate": LIGHT["ink"],
}
_OTHER = LIGHT["muted"]
_BREAK = " / "
_ROW = 36


def failures_chart(failures: pl.DataFrame, invalid: pl.DataFrame, width: int) -> alt.TopLevelMixin:
    """A bar per language and system, from 0, with the interval of its whole share.

    Args:
        failures: ``language``, ``script``, ``system``, ``failure`` (the first of a row) and ``percent``.
        invalid: one row per bar: the same keys, ``value`` (per cent), ``low`` and ``high``.
        width: of the whole chart in pixels.
    """
    import altair as alt

    several = invalid["system"].n_unique() > 1
    whole, parts = (_labelled(frame, is_wide(width), several) for frame in (invalid, failures))
    kinds = parts["failure"].unique(maintain_order=True).sort().to_list()
    kinds = [kind for kind in _FILLS if kind in kinds] + [kind for kind in kinds if kind not in _FILLS]
    parts = parts.with_columns(pl.col("failure").replace_strict(kinds, range(len(kinds))).alias("place"))
    extent = row_extent(width)
    axis = alt.Axis(
        title=None,
        minExtent=extent,
        maxExtent=extent,
        labelLimit=extent - 8,
        labelExpr=f"split(datum.label, '{_BREAK}')",
        labelLineHeight=14,
        labelBaseline="middle",
    )
    y = alt.Y("row:N", sort=whole["row"].to_list(), axis=axis)
    top = max([1.0, *whole["high"].drop_nulls(), *whole["value"]])
    scale = alt.Scale(domain=[0, min(100.0, top * 1.05)], nice=False)
    x = alt.X(
        "percent:Q",
        scale=scale,
        stack="zero",
        axis=alt.Axis(title="invalid answers (%)", tickCount=6, labelFlush=False),
    )
    fill = alt.Fill(
        "failure:N",
        scale=alt.Scale(domain=kinds, range=[_FILLS.get(kind, _OTHER) for kind in kinds]),
        legend=alt.Legend(symbolType="square", columns=5 if is_wide(width) else 2),
    )
    bars = (
        alt.Chart(parts)
        .mark_bar(size=14, stroke=LIGHT["ink"], strokeWidth=0.6)
        .encode(y=y, x=x, fill=fill, order=alt.Order("place:Q"))
    )
    base = alt.Chart(whole).encode(y=y)
    spans = base.mark_rule(stroke=LIGHT["muted"], strokeWidth=1.2, yOffset=11).encode(
        x=alt.X("low:Q", scale=scale), x2="high:Q"
    )
    values = base.mark_text(align="left", dx=5).encode(
        x=alt.X("value:Q", scale=scale), text=alt.Text("value:Q", format=".1f")
    )
    return alt.layer(bars, spans, values).properties(width=width - extent - 48, height=alt.Step(_ROW))


def _labelled(frame: pl.DataFrame, wide: bool, several: bool) -> pl.DataFrame:
    """The rows with the label of their bar: the language, and below it the system where there are several."""
    labels = [
        (cell_label(language, script) if wide else f"{language_name(language)} ({script})")
        + (f"{_BREAK}{system}" if several else "")
        for language, script, system in frame.select("language", "script", "system").iter_rows()
    ]
    return frame.with_columns(pl.Series("row", labels, dtype=pl.String))
