"""Scores that can't be of the same scale as the others of their cell: one 86 among scores around 0.8.

The rule, meant to have almost no false alarms: in a cell (language, script and condition) with at least twenty scores,
values are named that are, in size, at least ten times as large as every other score of the cell, and lie more than
fifty interquartile ranges of the others from the others' median; they are at most a quarter of the cell. That no score
lies in between tells a slip of scale from a long tail. Only scores that were brought are looked at: what a metric
computed here, however odd, is its value. Nothing is taken out.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import polars as pl
from numpy.typing import NDArray

from equiglot.audit._words import cell_name, number
from equiglot.measures import MeasureInfo
from equiglot.table import CELL, Segments

__all__ = ["outlier_words", "outliers"]

_LEAST_SCORES = 20
_TIMES = 10.0
_RANGES = 50.0
_MOST_SHARE = 0.25
_PERCENT = 100.0
_MOST_NAMED = 3


def outliers(scores: NDArray[np.float64]) -> NDArray[np.int64]:
    """The positions of values of another scale, by the rule of this module.

    >>> outliers(np.array([0.79, 0.81, 0.8, 0.83, 86.0, *np.linspace(0.7, 0.9, 15)])).tolist()
    [4]
    """
    n = scores.size
    if n < _LEAST_SCORES:
        return np.empty(0, np.int64)
    order = np.argsort(np.abs(scores), kind="stable")
    sizes = np.abs(scores)[order]
    leaps = np.flatnonzero(sizes[1:] >= _TIMES * sizes[:-1]) + 1
    leaps = leaps[leaps >= n - _MOST_SHARE * n]
    for start in leaps.tolist():
        others, beyond = scores[order[:start]], order[start:]
        low, median, high = np.quantile(others, [0.25, 0.5, 0.75])
        if high > low and (np.abs(scores[beyond] - median) > _RANGES * (high - low)).all():
            return np.sort(beyond)
    return np.empty(0, np.int64)


def outlier_words(segments: Segments, info: MeasureInfo, human: str) -> Iterator[str]:
    """A sentence for the metric and one for people's scores, where they have such values."""
    frame = segments.frame.with_row_index("_row", 1)
    brought = [info.name] if info.signature.endswith("origin:brought") else []
    for column in [*brought, *([human] if human in frame.columns else [])]:
        found: list[tuple[int, str]] = []
        for (language, script, _), cell in frame.drop_nulls(column).group_by(*CELL, "condition", maintain_order=True):
            scores = cell[column].cast(pl.Float64).to_numpy()
            beyond = outliers(scores)
            others = np.delete(scores, beyond)
            where = cell_name(f"{language}-{script}")
            found += [(int(cell["_row"][at]), _one(float(scores[at]), others, where)) for at in beyond.tolist()]
        if found:
            named = "; ".join(f"row {row} has {said}" for row, said in sorted(found)[:_MOST_NAMED])
            more = f"; and {len(found) - _MOST_NAMED} more rows" if len(found) > _MOST_NAMED else ""
            head = "1 value seems" if len(found) == 1 else f"{len(found):,} values seem"
            yield f"{head} to be of another scale in '{column}', kept in the means: {named}{more}."


def _one(value: float, others: NDArray[np.float64], cell: str) -> str:
    """A value beside its cell: ``86.0, where the median of Tamil (ta-Taml) is 0.810 (is it on a 0-100 scale?)``."""
    whole = others.min() <= value / _PERCENT <= others.max() * 1.2
    question = "is it on a 0-100 scale?" if whole else "is it a slip?"
    return f"{number(value)}, where the median of {cell} is {number(float(np.median(others)))} ({question})"
