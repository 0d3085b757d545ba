"""Rows drawn with replacement, and the intervals that the resampled values give.

=========== ==========================================================================================================
percentile  the (1 - level) / 2 and (1 + level) / 2 quantiles of the resampled values (Efron 1979)
BCa         the quantiles at Phi(z0 + (z0 + z) / (1 - a (z0 + z))), z the normal quantile of either end: z0 is the
            normal quantile of the share of resampled values below the estimate (those equal to it count half), and
            a = sum d^3 / (6 (sum d^2)^(3/2)) with d the mean of the leave-one-out values less each (Efron 1987)
=========== ==========================================================================================================

BCa mends bias and skewness, which matter for a correlation near 1 or -1 in a small sample.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from equiglot.measures import Interval
from equiglot.stats._arrays import Vector
from equiglot.stats.estimate import Estimate

__all__ = ["BLOCK", "bca_estimate", "counts", "draws", "percentile_estimate", "percentile_interval"]

BLOCK = 1 << 16
"""Values per block: 512 KB, small enough to stay in a core's cache."""

_NONE_DEFINED = "no resample had a defined value, so there is no interval"


def draws(n: int, seed: int, resamples: int) -> Iterator[NDArray[np.int64]]:
    """Positions drawn with replacement, in blocks of (some resamples) x n."""
    if resamples < 1:
        raise ValueError("resamples must be at least 1")
    rng = np.random.default_rng(seed)
    step = max(1, BLOCK // max(n, 1))
    for done in range(0, resamples, step):
        yield rng.integers(0, n, size=(min(step, resamples - done), n))


def counts(n: int, seed: int, resamples: int) -> Iterator[NDArray[np.int64]]:
    """How often each row was drawn, in blocks of (some resamples) x n; each block is overwritten by the next."""
    block = np.zeros((0, n), dtype=np.int64)
    for drawn in draws(n, seed, resamples):
        block = block if len(block) >= len(drawn) else np.empty(drawn.shape, dtype=np.int64)
        for own, positions in zip(block, drawn, strict=False):
            own[:] = np.bincount(positions, minlength=n)
        yield block[: len(drawn)]


def percentile_interval(drawn: Vector, level: float, method: str) -> Interval | None:
    """The percentile interval of the resampled values that are defined; ``method`` says how they were made."""
    kept = drawn[~np.isnan(drawn)]
    if not kept.size:
        return None
    low, high = np.quantile(kept, [(1 - level) / 2, (1 + level) / 2]).tolist()
    return Interval(low, high, level, f"percentile bootstrap, {method}{_undefined(drawn, kept)}")


def percentile_estimate(value: float, drawn: Vector, n: int, level: float) -> Estimate:
    """A value with the percentile interval of its resamples of rows, NaN where undefined."""
    interval = percentile_interval(drawn, level, f"{drawn.size} resamples of rows")
    return Estimate(value, interval, n, None if interval else _NONE_DEFINED)


def bca_estimate(value: float, drawn: Vector, left_out: Vector, n: int, level: float) -> Estimate:
    """A value with the BCa interval of its resamples of rows; ``left_out`` are the values without each row in turn."""
    from scipy.special import ndtr, ndtri

    kept, spare = drawn[~np.isnan(drawn)], left_out[~np.isnan(left_out)]
    if not kept.size:
        return Estimate(value, None, n, _NONE_DEFINED)
    # Values that differ by rounding alone are equal.
    same = np.abs(kept - value) <= 1e-12
    below = (np.count_nonzero((kept < value) & ~same) + np.count_nonzero(same) / 2) / kept.size
    if not 0 < below < 1:
        reason = "every resampled value lies on one side of the estimate, so its bias can't be corrected"
        return Estimate(value, None, n, reason)
    d = spare.mean() - spare if spare.size else np.zeros(1)
    size = float((d**2).sum()) ** 1.5
    acceleration = float((d**3).sum()) / (6 * size) if size > 0 else 0.0
    bias = float(ndtri(below))
    z = bias + ndtri(np.array([(1 - level) / 2, (1 + level) / 2]))
    low, high = np.quantile(kept, ndtr(bias + z / (1 - acceleration * z))).tolist()
    method = f"BCa bootstrap, {drawn.size} resamples of rows{_undefined(drawn, kept)}"
    return Estimate(value, Interval(low, high, level, method), n)


def _undefined(drawn: Vector, kept: Vector) -> str:
    return f", {drawn.size - kept.size} of them undefined" if kept.size < drawn.size else ""
