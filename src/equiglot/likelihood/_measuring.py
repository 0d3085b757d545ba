"""Measures with intervals, made one way for cells and for pairs of cells."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import polars as pl
from numpy.typing import NDArray

from equiglot.measures import Interval, Measure, MeasureInfo

__all__ = ["Measuring", "Row", "commonest_reason"]

Row = tuple[dict[str, str | None], Measure]
"""One row of the result table: keys and measure."""

_BLOCK = 1 << 20
"""Rows drawn at a time, over all resamples of a block."""


@dataclass(frozen=True, slots=True)
class Measuring:
    """How values are resampled, and what is known of each measure by its name."""

    info: Callable[[str], MeasureInfo]
    seed: int
    resamples: int
    level: float

    def means(self, rows: NDArray[np.float64]) -> tuple[list[float], NDArray[np.float64]]:
        """Column means of ``rows`` (n, columns), and those of each bootstrap resample of rows (resamples, columns).

        Rows are sorted first: what is drawn are positions, and sums round by their order, which must not matter.
        """
        n = len(rows)
        ordered = rows[np.lexsort(rows.T[::-1])]
        rng = np.random.default_rng(self.seed)
        step = max(1, _BLOCK // n)
        blocks = [min(step, self.resamples - done) for done in range(0, self.resamples, step)]
        drawn = np.concatenate([ordered[rng.integers(0, n, size=(size, n))].mean(axis=1) for size in blocks])
        return ordered.mean(axis=0).tolist(), drawn

    def known(self, name: str, value: float, n: int, *, failed: int, drawn: NDArray[np.float64]) -> Measure:
        """A measure that has its value, with the percentile interval of its resampled values.

        One segment has no interval, and neither has a value that some resample didn't have (not finite).
        """
        interval = None
        if n > 1 and len(drawn) and np.isfinite(drawn).all():
            low, high = np.quantile(drawn, [(1 - self.level) / 2, (1 + self.level) / 2]).tolist()
            method = f"percentile bootstrap, {self.resamples} resamples of segments, seed {self.seed}"
            interval = Interval(low, high, self.level, method)
        info = self.info(name)
        return Measure(info.name, value, info.unit, info.direction, n, failed, interval, None, info.signature)

    def unknown(self, name: str, *, failed: int, reason: str, n: int = 0) -> Measure:
        """A measure that can't be had, and why."""
        info = self.info(name)
        return Measure(info.name, None, info.unit, info.direction, n, failed, None, reason, info.signature)


def commonest_reason(cell: pl.DataFrame, measure: str) -> str:
    """Why most segments of a cell without the measure lack it."""
    column = f"{measure}_reason"
    reasons = cell[column].drop_nulls().mode().sort() if column in cell.columns else None
    return str(reasons[0]) if reasons is not None and len(reasons) else "no reason given"
