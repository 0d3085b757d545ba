"""Correlations of two tables of rows x columns, their boot-both interval and the PERM-BOTH test between two of them.

Cell (i, j) of a table is a value of row i in column j, NaN where there is none; it counts where both have it.

======== ================================================================================================
along
======== ================================================================================================
all      one correlation over all cells
rows     a correlation within each row, and their plain mean
columns  a correlation within each column, and their plain mean
means    one correlation of the row means
======== ================================================================================================

A row or column that has no correlation (fewer than two cells, or one side constant) is left out of the mean.

Boot-both (Deutsch, Dror and Roth 2021, section 4) draws rows and columns with replacement, both tables alike, so that
the interval speaks of other rows and other columns; ``columns`` alone holds the rows fixed (their Boot-Inputs).

PERM-BOTH (section 5) standardises both first tables to mean 0 and variance 1, swaps each cell's two values with
probability 1/2, and compares the differences with the one observed: p = (1 + number of permutations with a difference
at least as large) / (1 + permutations), one-sided, for ``first`` being the better. The authors' code and
mt-metrics-eval leave the 1s out, and so may give 0.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from equiglot.measures import Interval
from equiglot.stats._columns import FEW_ROWS, column_correlations
from equiglot.stats._resampling import percentile_interval
from equiglot.stats._rows import ROW_CORRELATIONS
from equiglot.stats.correlation import CorrelationKind
from equiglot.stats.estimate import Significance

__all__ = ["Along", "TableStatistic", "boot_both", "perm_both_tables", "table_correlation"]

Array = NDArray[np.float64]

Along = Literal["all", "rows", "columns", "means"]

TableStatistic = Callable[[Array, Array], Array]
"""From tables (... x rows x columns) of x and of y to one number each (...), NaN where it is not defined."""

_BLOCK = 1 << 16
"""Cells per block of resampled or permuted tables."""


def table_correlation(x: Array, y: Array, *, kind: CorrelationKind = "pearson", along: Along = "all") -> Array:
    """The correlation of tables (... x rows x columns), NaN where it is not defined.

    >>> x, y = np.array([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]), np.array([[2.0, 1.0, 4.0], [3.0, 3.0, 7.0]])
    >>> [round(float(table_correlation(x, y, along=along)), 3) for along in ("all", "rows", "columns")]
    [0.776, 0.76, 1.0]
    """
    correlate = ROW_CORRELATIONS[kind]
    x, y = np.broadcast_arrays(x, y)
    if along == "means":
        return correlate(*row_means(x, y))
    if along == "all":
        return correlate(x.reshape(*x.shape[:-2], -1), y.reshape(*y.shape[:-2], -1))
    if along == "columns" and x.shape[-2] <= FEW_ROWS:
        return mean_of_defined(column_correlations(x, y, kind))
    if along == "columns":
        x, y = np.swapaxes(x, -1, -2), np.swapaxes(y, -1, -2)
    return mean_of_defined(correlate(x, y))


def row_means(x: Array, y: Array) -> tuple[Array, Array]:
    """The mean of each row over the cells that both tables have, NaN where there is none."""
    ok = ~(np.isnan(x) | np.isnan(y))
    n = ok.sum(axis=-1)
    means = [np.where(ok, v, 0.0).sum(axis=-1) / np.where(n > 0, n, 1) for v in (x, y)]
    return np.where(n > 0, means[0], np.nan), np.where(n > 0, means[1], np.nan)


def mean_of_defined(values: Array) -> Array:
    """The mean along the last axis of what is not NaN, NaN where nothing is."""
    defined = ~np.isnan(values)
    n = defined.sum(axis=-1)
    return np.where(n > 0, np.where(defined, values, 0.0).sum(axis=-1) / np.where(n > 0, n, 1), np.nan)


def boot_both(
    x: Array,
    y: Array,
    statistic: TableStatistic,
    *,
    draw: Literal["both", "columns"] = "both",
    seed: int = 0,
    resamples: int = 1000,
    level: float = 0.95,
) -> Interval | None:
    """The percentile interval of a statistic of two tables under draws of rows and columns, or of columns alone.

    Resamples in which the statistic is not defined are left out, and the interval's method counts them; None where it
    is defined in none.
    """
    if resamples < 1:
        raise ValueError("resamples must be at least 1")
    rows, columns = x.shape
    rng = np.random.default_rng(seed)
    step = max(1, _BLOCK // max(x.size, 1))
    drawn: list[Array] = []
    for done in range(0, resamples, step):
        size = min(step, resamples - done)
        of_rows = rng.integers(0, rows, size=(size, rows))
        of_columns = rng.integers(0, columns, size=(size, columns))
        if draw == "columns":
            of_rows = np.broadcast_to(np.arange(rows), of_rows.shape)
        where = of_rows[:, :, None], of_columns[:, None, :]
        drawn.append(np.broadcast_to(statistic(x[where], y[where]), (size,)))
    method = f"{resamples} resamples of {'rows and columns' if draw == 'both' else 'columns'}"
    return percentile_interval(np.concatenate(drawn), level, method)


def perm_both_tables(
    first: Array,
    second: Array,
    shared: Array,
    statistic: TableStatistic,
    *,
    seed: int = 0,
    permutations: int = 1000,
) -> Significance:
    """Is statistic(first, shared) larger than statistic(second, shared)? One-sided; only cells that all three have.

    >>> shared = np.arange(12.0).reshape(3, 4)
    >>> better, worse = shared + 0.5, np.array([[3.0, 1, 2, 9], [4, 8, 5, 0], [7, 6, 11, 10]])
    >>> perm_both_tables(better, worse, shared, table_correlation, permutations=199).p < 0.05
    True
    """
    if permutations < 1:
        raise ValueError("permutations must be at least 1")
    ok = ~(np.isnan(first) | np.isnan(second) | np.isnan(shared))
    n = int(ok.sum())
    method = f"PERM-BOTH, one-sided, {permutations} permutations, seed {seed}"
    spreads = [float(v[ok].std()) if n else 0.0 for v in (first, second)]
    if min(spreads) == 0:
        return Significance(method, n, reason="one series has the same value everywhere")
    one, two = (
        np.where(ok, (v - v[ok].mean()) / spread, np.nan) for v, spread in zip((first, second), spreads, strict=True)
    )
    observed = float(statistic(one, shared) - statistic(two, shared))
    if math.isnan(observed):
        return Significance(method, n, reason="the statistic is not defined for both series")
    rng = np.random.default_rng(seed)
    step = max(1, _BLOCK // one.size)
    extreme = 0
    for done in range(0, permutations, step):
        swap = rng.integers(0, 2, size=(min(step, permutations - done), *one.shape), dtype=np.int8).astype(bool)
        gaps = statistic(np.where(swap, two, one), shared) - statistic(np.where(swap, one, two), shared)
        # A shuffle in which a side has no value counts as extreme: that keeps p honest rather than small.
        extreme += int(np.count_nonzero(np.isnan(gaps) | (gaps >= observed - 1e-12)))
    p = (1 + extreme) / (1 + permutations)
    return Significance(method, n, observed, None, p, -math.log10(p))
