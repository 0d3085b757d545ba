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

_SHAPES = ("circle", "square", "triangle-up", "diamond", "cross", "triangle-down")
_INKS = ("native", "romanized", "ink")

_STEPS = sorted(range(-60, 61), key=abs)
"""By how many pixels a name may be moved, the least first."""
_NEAR, _COVERED = 8, 22
"""By how many at most where its language is named already, and how far to the right no other point may lie."""


def confound_scatter(frame: pl.DataFrame, width: int) -> alt.TopLevelMixin:
    """A panel per ``panel``: a point per language (and model), with its language's name: every language once, where it
    has its largest ``x``, and its other points where there is room. Up to six models differ in colour and shape.

    Args:
        frame: one row per point: ``panel`` (the metric), ``said`` (more lines), ``language``, ``model`` (null
            where models are not told apart), ``x``, ``y``, ``x_title``, ``y_title``. Perplexities (by ``y_title``)
            are on a log scale.
        width: of the whole chart in pixels.
    """
    import altair as alt

    frame = frame.with_columns(pl.concat_str("panel", "said", separator="\n").alias("key"))
    panels = frame["key"].unique(maintain_order=True).to_list()
    per_line = min(len(panels), 3 if is_wide(width) else 1)
    inner = panel_width(width, per_line, _AXIS)
    models = frame["model"].drop_nulls().unique(maintain_order=True).to_list()
    if all(model.isdecimal() for model in models):
        models.sort(key=int)
    told = models if 1 < len(models) <= len(_SHAPES) else []

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
        if told and own["model"].null_count() == 0:
            points = points.encode(**_by_model(told, is_wide(width)))
        labels = alt.Chart(named).mark_text(align="left", dx=5, fontSize=11, fill=LIGHT["ink"])
        return alt.layer(
            points.encode(x=x, y=alt.Y("y:Q", scale=scale, axis=title)),
            labels.encode(x=x, y=alt.Y("place:Q", scale=scale, axis=title), text="language:N"),
        ).properties(width=inner, height=_HEIGHT, title=alt.TitleParams(key.split("\n"), frame="group"))

    return in_lines(panels, per_line, panel)


def _by_model(models: list[str], wide: bool) -> dict[str, Any]:
    """Colour and shape of each model, with one legend for both."""
    import altair as alt

    inks = [LIGHT[_INKS[i % len(_INKS)]] for i in range(len(models))]
    legend = alt.Legend(columns=min(len(models), 3) if wide else 1, labelLimit=200 if wide else 280)
    fill = alt.Scale(domain=models, range=inks)
    shape = alt.Scale(domain=models, range=list(_SHAPES[: len(models)]))
    return {
        "fill": alt.Fill("model:N", scale=fill, legend=legend),
        "shape": alt.Shape("model:N", scale=shape, legend=legend),
    }


def _ends(values: pl.Series, *, log: bool) -> list[float]:
    """The ends of an axis that leaves a little room around the points."""
    least, most = float(min(values)), float(max(values))
    if log:
        room = (most / least) ** 0.08 if most > least else 1.1
        return [least / room, most * room]
    room = 0.08 * (most - least) or max(abs(most) * 0.1, 1.0)
    return [least - room, most + room]


def _named(own: pl.DataFrame, x_ends: list[float], y_ends: list[float], inner: int, *, log: bool) -> pl.DataFrame:
    """The points that are named, with the height (``place``) at which a name doesn't lie on another's."""
    main = (pl.col("x") == pl.col("x").max().over("language")) & pl.col("language").is_first_distinct().over(
        "language", "x"
    )
    ordered = own.with_columns(main.alias("main")).sort(~pl.col("main"), "y", maintain_order=True)
    bend = math.log if log else float
    low, high = bend(y_ends[0]), bend(y_ends[1])
    placed: list[tuple[float, float]] = []
    places: list[float | None] = []
    points = [
        ((x - x_ends[0]) / (x_ends[1] - x_ends[0]) * inner, (bend(y) - low) / (high - low) * _HEIGHT)
        for x, y in ordered.select("x", "y").iter_rows()
    ]
    for main_one, (across, up) in zip(ordered["main"], points, strict=True):
        steps = _STEPS if main_one else [step for step in _STEPS if abs(step) <= _NEAR]
        free = next((to for to in (up + step for step in steps) if _is_free(across, to, placed)), None)
        if not main_one and (free is None or any(0 < a - across < _COVERED and abs(free - u) < 7 for a, u in points)):
            places.append(None)
            continue
        at = up if free is None else free
        placed.append((across, at))
        place = low + at / _HEIGHT * (high - low)
        places.append(math.exp(place) if log else place)
    return ordered.with_columns(pl.Series("place", places, dtype=pl.Float64)).drop_nulls("place")


def _is_free(across: float, up: float, placed: list[tuple[float, float]]) -> bool:
    inside = 0.4 * _LINE <= up <= _HEIGHT - 0.4 * _LINE
    return inside and all(abs(across - a) >= _LETTERS or abs(up - u) >= _LINE for a, u in placed)
