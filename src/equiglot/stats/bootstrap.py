"""Bootstrap intervals for means, correlations, and the difference of two rhos that share a series.

Rows are drawn with replacement, as independent. :mod:`equiglot.stats._resampling` has the two intervals, percentile and
BCa; the percentile interval of a correlation near 1 or -1 is too narrow in small samples. Resamples are done many at a
time, in blocks of bounded size; Spearman's are exact, ties included, and need no sort (:mod:`equiglot.stats._ranked`).

The result depends neither on the order of the rows (they are sorted first) nor on the block size, only on the seed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from equiglot.stats._arrays import Vector, canonical, no_correlation, paired, vector
from equiglot.stats._left_out import left_out
from equiglot.stats._ranked import RhoResampler
from equiglot.stats._resampling import bca_estimate, counts, draws, percentile_estimate
from equiglot.stats._rows import ROW_CORRELATIONS
from equiglot.stats.correlation import CorrelationKind, correlation, rank_correlation
from equiglot.stats.estimate import Estimate

__all__ = [
    "SpearmanDifference",
    "bootstrap_correlation",
    "bootstrap_mean",
    "bootstrap_spearman",
    "bootstrap_spearman_difference",
]


@dataclass(frozen=True, slots=True)
class SpearmanDifference:
    """Two rhos with a shared series, and first minus second, all from the same resamples."""

    first: Estimate
    second: Estimate
    difference: Estimate


def bootstrap_mean(values: ArrayLike, *, seed: int = 0, resamples: int = 1000, level: float = 0.95) -> Estimate:
    """The mean with its percentile interval.

    >>> bootstrap_mean([1.0, 2.0, 3.0, 4.0]).value
    2.5
    """
    data = np.sort(vector(values, "values"))
    n = data.size
    if n == 0:
        return Estimate(None, None, 0, "no rows")
    mean = float(data.mean())
    if n == 1:
        return Estimate(mean, None, 1, "one row; an interval needs at least 2")
    means = [data[drawn].mean(axis=1) for drawn in draws(n, seed, resamples)]
    return percentile_estimate(mean, np.concatenate(means), n, level)


def bootstrap_correlation(
    x: ArrayLike,
    y: ArrayLike,
    *,
    kind: CorrelationKind = "spearman",
    interval: Literal["percentile", "bca"] = "percentile",
    seed: int = 0,
    resamples: int = 1000,
    level: float = 0.95,
) -> Estimate:
    """A correlation of x and y with its bootstrap interval.

    Resamples in which one side is constant have no correlation; they are left out, and the interval's method counts
    them. BCa also needs the correlation without each row, which takes O(n^2) for Spearman and Kendall.

    >>> estimate = bootstrap_correlation([1, 2, 3, 4, 5], [1, 2, 3, 5, 4], kind="kendall", interval="bca")
    >>> round(estimate.value, 3), estimate.interval.method
    (0.8, 'BCa bootstrap, 1000 resamples of rows, 2 of them undefined')
    """
    first, second = paired(x=x, y=y)
    n = first.size
    value = correlation(first, second, kind)
    if value is None:
        return Estimate(None, None, n, no_correlation(first, second) or "its spread is lost to rounding")
    two, one = canonical(second, first)
    drawn = _resampled(two, one, kind, seed, resamples)
    if interval == "percentile":
        return percentile_estimate(value, drawn, n, level)
    return bca_estimate(value, drawn, left_out(two, one, kind), n, level)


def bootstrap_spearman(
    x: ArrayLike, y: ArrayLike, *, seed: int = 0, resamples: int = 1000, level: float = 0.95
) -> Estimate:
    """Spearman's rho of x and y with its percentile interval.

    >>> bootstrap_spearman([1, 2, 3, 4], [1, 2, 3, 4]).value
    1.0
    """
    return bootstrap_correlation(x, y, seed=seed, resamples=resamples, level=level)


def bootstrap_spearman_difference(
    first: ArrayLike,
    second: ArrayLike,
    shared: ArrayLike,
    *,
    seed: int = 0,
    resamples: int = 1000,
    level: float = 0.95,
) -> SpearmanDifference:
    """rho(first, shared), rho(second, shared) and their difference, first minus second, resampled over the same rows.

    Because a resample takes whole rows, the interval of the difference knows that the two rhos go together.

    >>> result = bootstrap_spearman_difference([1, 2, 3, 4], [1, 3, 2, 4], [1, 2, 3, 4])
    >>> round(result.difference.value, 3)
    0.2
    """
    one, two, common = paired(first=first, second=second, shared=shared)
    n = one.size
    reasons = [no_correlation(one, common), no_correlation(two, common)]
    rows = canonical(common, one, two)
    drawn = _rhos(rows[0], rows[1:], seed, resamples)
    rhos = [None if reason else rank_correlation(rows[0], v) for reason, v in zip(reasons, rows[1:], strict=True)]
    estimates = [
        percentile_estimate(rho, drawn[:, i], n, level) if rho is not None else Estimate(None, None, n, reasons[i])
        for i, rho in enumerate(rhos)
    ]
    if rhos[0] is None or rhos[1] is None:
        gap = Estimate(None, None, n, reasons[0] or reasons[1])
    else:
        gap = percentile_estimate(rhos[0] - rhos[1], drawn[:, 0] - drawn[:, 1], n, level)
    return SpearmanDifference(estimates[0], estimates[1], gap)


def _resampled(x: Vector, y: Vector, kind: CorrelationKind, seed: int, resamples: int) -> Vector:
    """The correlation in every resample, NaN where it has none."""
    if kind == "spearman":
        return _rhos(x, [y], seed, resamples)[:, 0]
    correlate = ROW_CORRELATIONS[kind]
    return np.concatenate([correlate(x[drawn], y[drawn]) for drawn in draws(x.size, seed, resamples)])


def _rhos(shared: Vector, others: Sequence[Vector], seed: int, resamples: int) -> NDArray[np.float64]:
    """Spearman's rho of each other series with the shared one (resamples x others)."""
    if not shared.size:
        return np.full((resamples, len(others)), np.nan)
    resampler = RhoResampler(shared, others)
    return np.concatenate([resampler.rhos(block) for block in counts(shared.size, seed, resamples)])
