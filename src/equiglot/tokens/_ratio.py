"""A ratio of two means over the same rows, with its percentile bootstrap interval.

Rows are drawn with replacement, numerator and denominator together, and the sums of a resample are divided.
Rows are sorted first, so that the interval depends on the seed alone and not on the order of the rows;
resamples are made in blocks of bounded size.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from equiglot.measures import Interval
from equiglot.stats import Estimate

__all__ = ["bootstrap_ratio"]

_BLOCK = 1 << 18


def bootstrap_ratio(
    numerators: NDArray[np.float64],
    denominators: NDArray[np.float64],
    *,
    seed: int = 0,
    resamples: int = 1000,
    level: float = 0.95,
) -> Estimate:
    """sum(numerators) / sum(denominators); no value where there are no rows or the denominators add up to 0.

    Resamples whose denominators add up to 0 have no ratio; they are left out, and the interval's method
    counts them.

    >>> bootstrap_ratio(np.array([1.0, 3.0]), np.array([2.0, 2.0])).value
    1.0
    """
    n = len(numerators)
    if n == 0:
        return Estimate(None, None, 0, "no rows")
    if denominators.sum() == 0:
        return Estimate(None, None, n, "the denominators add up to 0")
    rows = np.column_stack([numerators, denominators])
    rows = rows[np.lexsort((rows[:, 1], rows[:, 0]))]
    top, bottom = rows.sum(axis=0).tolist()
    if n == 1:
        return Estimate(top / bottom, None, 1, "one row; an interval needs at least 2")
    if not rows[:, 0].any():
        return Estimate(0.0, None, n, "every numerator is 0: resampling them can give no interval")
    sums = _resampled_sums(rows, seed, resamples)
    kept = sums[sums[:, 1] != 0]
    low, high = np.quantile(kept[:, 0] / kept[:, 1], [(1 - level) / 2, (1 + level) / 2]).tolist()
    undefined = f", {resamples - len(kept)} of them undefined" if len(kept) < resamples else ""
    method = f"percentile bootstrap, {resamples} resamples of rows{undefined}"
    return Estimate(top / bottom, Interval(low, high, level, method), n)


def _resampled_sums(rows: NDArray[np.float64], seed: int, resamples: int) -> NDArray[np.float64]:
    """Sums of numerators and denominators in each resample, shape (resamples, 2)."""
    rng = np.random.default_rng(seed)
    step = max(1, _BLOCK // len(rows))
    blocks: list[NDArray[np.float64]] = []
    for done in range(0, resamples, step):
        drawn = rng.integers(0, len(rows), size=(min(step, resamples - done), len(rows)))
        blocks.append(rows[drawn].sum(axis=1))
    return np.concatenate(blocks)
