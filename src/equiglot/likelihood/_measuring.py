"""Measures with intervals, made one way for cells and for pairs of cells."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import polars as pl
from numpy.typing import NDArray

from equiglot.measures import Direction, Interval, Measure, MeasureInfo

__all__ = ["Measuring", "Row", "commonest_reason"]

Row = tuple[dict[str, str | None], Measure]
"""One row of the result table: keys and measure."""

_UNITS: Mapping[str, tuple[str, Direction]] = {
    "ip": ("ratio", "neutral"),
    "ipi": ("ratio", "lower"),
    "sbi": ("ratio", "lower"),
    "sbi_flagged_pct": ("%", "lower"),
    "lp": ("ratio", "neutral"),
    "ep": ("ratio", "neutral"),
    "tax": ("ratio", "neutral"),
    "ep_pct": ("%", "neutral"),
}

_BLOCK = 1 << 20
"""Rows drawn at a time, over all resamples of a block."""


@dataclass(frozen=True, slots=True)
class Measuring:
    """How values are resampled, and what they are made of."""

    measures: Mapping[str, MeasureInfo]
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

    def known(
        self, name: str, value: float, n: int, *, failed: int, drawn: NDArray[np.float64], extra: str = ""
    ) -> Measure:
        """A measure that has its value, with the percentile interval of its resampled values.

        One segment has no interval, and neither has a value that some resample didn't have (not finite).
        """
        interval = None
        if n > 1 and len(drawn) and np.isfinite(drawn).all():
            low, high = np.quantile(drawn, [(1 - self.level) / 2, (1 + self.level) / 2]).tolist()
            method = f"percentile bootstrap, {self.resamples} resamples of segments, seed {self.seed}"
            interval = Interval(low, high, self.level, method)
        unit, direction = _UNITS[name]
        return Measure(name, value, unit, direction, n, failed, interval, None, self._signature(name, extra))

    def unknown(self, name: str, *, failed: int, reason: str, n: int = 0, extra: str = "") -> Measure:
        """A measure that can't be had, and why."""
        unit, direction = _UNITS[name]
        return Measure(name, None, unit, direction, n, failed, None, reason, self._signature(name, extra))

    def _signature(self, name: str, extra: str) -> str:
        """That of the column it is made of, under its own name."""
        base = {"ip": "ip", "ipi": "ip", "ep": "ip", "lp": "tp"}.get(name, "sbi")
        made_of = self.measures.get(base) or self.measures["ip"]
        return f"metric:{name}{extra}|{made_of.signature.partition('|')[2]}"


def commonest_reason(cell: pl.DataFrame, measure: str) -> str:
    """Why most segments of a cell without the measure lack it."""
    column = f"{measure}_reason"
    reasons = cell[column].drop_nulls().mode().sort() if column in cell.columns else None
    return str(reasons[0]) if reasons is not None and len(reasons) else "no reason given"
