"""A metric against what it divides by, language by language: a trend is a confound."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import polars as pl

from equiglot.report.charts._common import is_wide
from equiglot.report.charts._panels import in_lines, panel_width
from equiglot.report.theme import LIGHT

if TYPE_CHECKING:
    import altair as alt

__all__ = ["confound_scatter"]

_AXIS, _HEIGHT, _LINE, _LETTERS = 62, 170, 11, 15

_STEPS = sorted(range(-60, 61), key=abs)
"""By how many pixels a name may be moved, the least first."""


def confound_scatter(frame: pl.DataFrame, width: int) -> alt.TopLevelMixin:
    """A panel per ``panel``: a point per language (and model), named where its language has its largest ``x``.

    Args:
        frame: one row per point: ``panel`` (the metric), ``said`` (a second line), ``language``, ``x``, ``y``,
            ``x_title``, ``y_title``. Perplexities (by ``y_title``) are on a log scale.
        width: of the whole chart in pixels.
    """
    import altair as alt

    frame = frame.with_columns(pl.concat_str("panel", "said", separator="\n").alias("key"))
    panels = frame["key"].unique(maintain_order=True).to_list()
    per_line = min(len(panels), 3 if is_wide(width) else 1)
    inner = panel_width(width, per_line, _AXIS)

    def panel(key: str, _first: bool) -> Any:
        own = frame.filter(key=key)
        log = own["y_title"][0] == "perplexity"
        x_ends, y_ends = _ends(own["x"], log=False), _ends(own["y"], log=log)
        named = _named(own, x_ends, y_ends, inner, log=log)
        x = alt.X(
            "x:Q",
            scale=alt.Scale(domain=x_ends, nice=False, zero=False),
            axis=alt.Axis(title=own["x_title"][0], tickCount=4, format="~s"),
        )
        scale = alt.Scale(domain=y_ends, nice=False, zero=False, type="log" if log else "linear")
        title = alt.Axis(title=own["y_title"][0], tickCount=5, minExtent=34, maxExtent=34)
        points = alt.Chart(own).mark_point(size=26, filled=True, fill=LIGHT["native"], stroke=None, opacity=0.75)
        labels = alt.Chart(named).mark_text(align="left", dx=5, fontSize=11, fill=LIGHT["ink"])
        return alt.layer(
            points.encode(x=x, y=alt.Y("y:Q", scale=scale, axis=title)),
            labels.encode(x=x, y=alt.Y("place:Q", scale=scale, axis=title), text="language:N"),
        ).properties(width=inner, height=_HEIGHT, title=alt.TitleParams(key.split("\n"), frame="group"))

    return in_lines(panels, per_line, panel)


def _ends(values: pl.Series, *, log: bool) -> list[float]:
    """The ends of an axis that leaves a little room around the points."""
    least, most = float(min(values)), float(max(values))
    if log:
        room = (most / least) ** 0.08 if most > least else 1.1
        return [least / room, most * room]
    room = 0.08 * (most - least) or max(abs(most) * 0.1, 1.0)
    return [least - room, most + room]


def _named(own: pl.DataFrame, x_ends: list[float], y_ends: list[float], inner: int, *, log: bool) -> pl.DataFrame:
    """One point per language, with the height (``place``) at which its name doesn't lie on another's."""
    named = own.filter(pl.col("x") == pl.col("x").max().over("language")).unique("language", maintain_order=True)
    bend = math.log if log else float
    low, high = bend(y_ends[0]), bend(y_ends[1])
    placed: list[tuple[float, float]] = []
    places: dict[str, float] = {}
    for language, x, y in named.select("language", "x", "y").sort("y").iter_rows():
        across = (x - x_ends[0]) / (x_ends[1] - x_ends[0]) * inner
        up = (bend(y) - low) / (high - low) * _HEIGHT
        free = (to for to in (up + step for step in _STEPS) if _is_free(across, to, placed))
        up = next(free, up)
        placed.append((across, up))
        place = low + up / _HEIGHT * (high - low)
        places[language] = math.exp(place) if log else place
    return named.with_columns(pl.col("language").replace_strict(places, return_dtype=pl.Float64).alias("place"))


def _is_free(across: float, up: float, placed: list[tuple[float, float]]) -> bool:
    inside = 0.4 * _LINE <= up <= _HEIGHT - 0.4 * _LINE
    return inside and all(abs(across - a) >= _LETTERS or abs(up - u) >= _LINE for a, u in placed)
