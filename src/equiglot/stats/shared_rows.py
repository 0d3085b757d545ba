"""Means of several columns over the same rows, resampled together, and a mean over a few repetitions.

    resampled_means    a bootstrap resample draws rows, and every column's mean is taken over that one draw, so that
                       differences and orders of columns keep the pairing that their rows have
    t_interval         mean +- t(0.5 + level / 2, k - 1) sd / sqrt(k) over k repetitions: it says how well the k
                       repetitions settle their own mean, not how far one repetition may fall from it

A missing value is told by a mask, never by a number: a column's mean is over the drawn rows that it has.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike, NDArray

from equiglot.measures import Interval
from equiglot.stats._arrays import Vector, constant, vector
from equiglot.stats.estimate import Estimate

__all__ = ["quantile_interval", "resampled_means", "t_interval"]

Matrix = NDArray[np.float64]

_BLOCK = 1 << 20
"""Resamples x rows counted at a time."""


def resampled_means(values: Matrix, present: NDArray[np.bool_], *, seed: int = 0, resamples: int = 1000) -> Matrix:
    """Each column's mean in each resample (resamples x columns), NaN where a resample has none of its rows.

    >>> drawn = resampled_means(np.array([[1.0, 2.0], [3.0, 4.0]]), np.ones((2, 2), dtype=bool), resamples=50)
    >>> bool((drawn[:, 1] - drawn[:, 0] == 1).all())
    True
    """
    n = len(values)
    filled = np.where(present, values, 0.0)
    rng = np.random.default_rng(seed)
    means = np.empty((resamples, values.shape[1]))
    step = max(1, _BLOCK // max(n, 1))
    for start in range(0, resamples, step):
        lines = min(step, resamples - start)
        drawn = rng.integers(0, n, size=(lines, n)) + np.arange(lines)[:, None] * n
        counts = np.bincount(drawn.ravel(), minlength=lines * n).reshape(lines, n).astype(np.float64)
        sums, sizes = counts @ filled, counts @ present.astype(np.float64)
        means[start : start + lines] = np.divide(sums, sizes, out=np.full_like(sums, np.nan), where=sizes > 0)
    return means


def quantile_interval(drawn: Vector, *, level: float = 0.95) -> Interval | None:
    """The percentile interval of resampled values; None where some resample has no value.

    >>> round(quantile_interval(np.arange(101.0)).low, 3)
    2.5
    """
    if not drawn.size or not np.isfinite(drawn).all():
        return None
    low, high = np.quantile(drawn, [(1 - level) / 2, (1 + level) / 2]).tolist()
    return Interval(low, high, level, f"percentile bootstrap, {drawn.size} resamples")


def t_interval(values: ArrayLike, *, level: float = 0.95) -> Estimate:
    """The mean of a few repetitions with Student's interval.

    >>> round(t_interval([1.0, 2.0, 3.0]).interval.high, 3)
    4.484
    """
    from scipy.special import stdtrit

    data = vector(values, "values")
    n = data.size
    if n == 0:
        return Estimate(None, None, 0, "no rows")
    # Equal values would get a spread of rounding errors from their mean.
    mean = float(data[0]) if constant(data) else float(data.mean())
    if n == 1:
        return Estimate(mean, None, 1, "one row; an interval needs at least 2")
    spread = 0.0 if constant(data) else float(data.std(ddof=1))
    half = float(stdtrit(n - 1, 0.5 + level / 2)) * spread / math.sqrt(n)
    return Estimate(mean, Interval(mean - half, mean + half, level, "Student's t over repetitions"), n)
