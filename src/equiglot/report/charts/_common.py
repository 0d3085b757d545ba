"""What all charts share: how conditions look, how rows are labelled, what is wide."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import polars as pl

from equiglot.report.charts._widths import label_width
from equiglot.report.languages import cell_label, endonym
from equiglot.report.theme import LIGHT

if TYPE_CHECKING:
    import altair as alt

__all__ = ["CONDITIONS", "endonyms", "filled", "ink_of", "is_wide", "outlined", "row_axis", "row_extent", "with_rows"]

CONDITIONS = {"native": "native script", "romanized": "romanised"}
"""Conditions and how the legend calls them."""

_PER_UNIT = 0.012
"""Pixels per unit of an endonym's path, of which an em has 1,000: 12 px, as labels are."""
_BESIDE = 14
"""Pixels from the axis to its labels, and from these to the endonyms."""

_INKS = {name: LIGHT[name] for name in CONDITIONS}


def is_wide(width: int) -> bool:
    """Whether a chart has room for two panels and for endonyms."""
    return width >= 560


def filled(conditions: Sequence[str], *, legend: bool = False) -> alt.Fill:
    """Fill by condition: native blue, any other the paper's colour, so that it is open."""
    import altair as alt

    return alt.Fill("shown:N", **_scaled(conditions, {"native": LIGHT["native"]}, LIGHT["paper"], legend))


def outlined(conditions: Sequence[str], *, legend: bool = False) -> alt.Stroke:
    """Outline by condition: native blue, romanised orange, any other ink."""
    import altair as alt

    return alt.Stroke("shown:N", **_scaled(conditions, _INKS, LIGHT["ink"], legend))


def ink_of(condition: str) -> str:
    """The colour of a condition's lines."""
    return _INKS.get(condition, LIGHT["ink"])


def _scaled(conditions: Sequence[str], colors: Mapping[str, str], other: str, legend: bool) -> dict[str, Any]:
    import altair as alt

    domain = [CONDITIONS.get(c, c) for c in conditions]
    scale = alt.Scale(domain=domain, range=[colors.get(c, other) for c in conditions])
    return {
        "scale": scale,
        "legend": alt.Legend(symbolType="square", columns=2) if legend and len(domain) > 1 else None,
    }


def with_rows(frame: pl.DataFrame, *, apart: bool = False) -> pl.DataFrame:
    """The frame with ``row``, the label of each cell, and ``shown``, its condition as readers call it.

    ``apart`` says that conditions of one cell each need a row: bars and boxes would lie on top of each other.
    """
    rows = [cell_label(language, script) for language, script in frame.select("language", "script").iter_rows()]
    made = frame.with_columns(pl.Series("row", rows, dtype=pl.String), shown=frame["condition"].replace(CONDITIONS))
    if not apart:
        return made
    shared = pl.col("condition").n_unique().over("row") > 1
    return made.with_columns(row=pl.when(shared).then(pl.format("{}, {}", "row", "shown")).otherwise("row"))


def row_axis(frame: pl.DataFrame, width: int, *, labels: bool = True) -> alt.Y:
    """The axis of rows, in the order in which they first occur."""
    import altair as alt

    extent = row_extent(width)
    axis: Any = alt.Axis(title=None, minExtent=extent, maxExtent=extent, labelLimit=extent - 8) if labels else None
    return alt.Y("row:N", sort=frame["row"].unique(maintain_order=True).to_list(), axis=axis)


def endonyms(frame: pl.DataFrame, width: int) -> list[alt.Chart]:
    """The languages' own names, next to the labels of their native cells on the left, where there is room for them."""
    import altair as alt

    rows = frame.select("row", "language", "script").unique(maintain_order=True)
    named = [
        (row, own.path, -label_width(row) - _BESIDE - own.width * _PER_UNIT)
        for row, language, script in rows.iter_rows()
        if (own := endonym(language, script))
    ]
    named = [entry for entry in named if entry[2] >= -row_extent(width)]
    if not is_wide(width) or not named:
        return []
    data = pl.DataFrame(named, schema=["row", "path", "left"], orient="row")
    # A custom shape is scaled by sqrt(size) / 2. A third of an em centres it on the row.
    marks = alt.Chart(data).mark_point(
        size=(2 * _PER_UNIT) ** 2,
        x=alt.ExprRef("datum.left"),
        yOffset=4,
        fill=LIGHT["muted"],
        stroke=None,
        opacity=1,
        aria=False,
    )
    return [marks.encode(y=row_axis(frame, width), shape=alt.Shape("path:N", scale=None))]


def row_extent(width: int) -> int:
    """The pixels that row labels take."""
    return 208 if is_wide(width) else 132
