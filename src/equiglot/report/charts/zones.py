"""How far each language is from information parity, and where romanisation takes it (paper 1, figure 2).

IPI = |IP - 1|; below 0.35 a language is in the parity zone, to 0.70 in the burden zone, above it in the paradox zone.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import polars as pl

from equiglot.report.charts._common import endonyms, row_axis, row_extent, with_rows
from equiglot.report.theme import LIGHT

if TYPE_CHECKING:
    import altair as alt

__all__ = ["ZONES", "zone_chart"]

ZONES = {"parity": (0.0, 0.35), "burden": (0.35, 0.70), "paradox": (0.70, 1.0)}
"""Zones and their ends; the last is open above."""

_ROW = 34


def zone_chart(frame: pl.DataFrame, width: int) -> alt.TopLevelMixin:
    """A line per language from its native IPI to its romanised one, over the zones.

    Args:
        frame: one row per language and condition: ``language``, ``script`` (of the row), ``condition``, ``value``.
        width: of the whole chart in pixels.
    """
    import altair as alt

    known = frame.drop_nulls("value")
    native = known.filter(pl.col("condition") != "romanized")
    romanized = known.filter(condition="romanized").select("language", pl.col("value").alias("end"))
    lines = with_rows(native.join(romanized, on="language", how="left", maintain_order="left"))
    lines = lines.with_columns((pl.col("end") >= pl.col("value")).fill_null(False).alias("rises"))
    top = max(1.05, *(float(v) * 1.15 for v in known["value"]), 1.05)
    bands = pl.DataFrame(
        [(zone, low, top if zone == "paradox" else high) for zone, (low, high) in ZONES.items()],
        schema=["zone", "from", "to"],
        orient="row",
    ).with_columns(middle=(pl.col("from") + pl.col("to")) / 2)
    scale = alt.Scale(domain=[0, top], nice=False)
    x = alt.X("value:Q", scale=scale, axis=alt.Axis(title="IPI = |IP - 1|; 0 is parity", grid=False, format=".2~f"))
    y = row_axis(lines, width)
    area = alt.Chart(bands)
    tint = alt.Fill("zone:N", scale=alt.Scale(domain=list(ZONES), range=[LIGHT[z] for z in ZONES]), legend=None)
    layers = [
        area.mark_rect().encode(x=alt.X("from:Q", scale=scale), x2="to:Q", fill=tint),
        area.mark_text(baseline="bottom", y=-4, fill=LIGHT["muted"]).encode(x="middle:Q", text="zone:N"),
    ]
    base, moved = alt.Chart(lines).encode(y=y), alt.Chart(lines.drop_nulls("end")).encode(y=y)
    stroke = LIGHT["romanized"]
    layers += [moved.mark_rule(strokeWidth=1.6, stroke=stroke).encode(x=x, x2="end:Q")]
    layers += [
        base.mark_point(size=90, opacity=1, fill=LIGHT["native"], stroke=LIGHT["native"], shape="circle").encode(x=x)
    ]
    for rises, shape in ((True, "triangle-right"), (False, "triangle-left")):
        way = alt.Chart(lines.drop_nulls("end").filter(rises=rises)).encode(y=y)
        layers += [
            way.mark_point(
                size=110, opacity=1, fill=LIGHT["paper"], stroke=stroke, strokeWidth=1.6, shape=shape
            ).encode(x="end:Q")
        ]
    for rises in (True, False):
        part = alt.Chart(lines.filter(rises=rises)).encode(y=y)
        side = ("right", -9) if rises else ("left", 9)
        layers += [part.mark_text(align=side[0], dx=side[1]).encode(x=x, text=alt.Text("value:Q", format=".2f"))]
        other = ("left", 11) if rises else ("right", -11)
        layers += [part.mark_text(align=other[0], dx=other[1]).encode(x="end:Q", text=alt.Text("end:Q", format=".2f"))]
    return alt.layer(*layers, *endonyms(lines, width)).properties(
        width=width - row_extent(width) - 20, height=alt.Step(_ROW)
    )
