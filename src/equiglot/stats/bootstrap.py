"""Percentile bootstrap intervals (Efron 1979) for a mean, for Spearman's rho and for a difference of two rhos.

Rows are drawn with replacement, as independent; the ends are the (1 - level) / 2 and (1 + level) / 2 quantiles of
the resampled values. A resample of n rows is a vector of counts that add up to n. Its Spearman is exact, ties
included: the average rank of the k-th smallest distinct value is (c_1 + ... + c_k) - (c_k - 1) / 2 with c the counts
summed over equal values, so the values are sorted once and each resample costs O(n) rather than a sort. It is done
for many resamples at a time, in blocks of bounded size. The mean of average ranks is (n + 1) / 2 whatever the ties,
so the centring is exact too.

The result depends neither on the order of the rows (they are sorted first) nor on the block size, only on the seed.
BCa intervals are not offered yet; the percentile interval of a rho near 1 or -1 is too narrow in small samples.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from equiglot.measures import Interval
from equiglot.stats._arrays import Vector, canonical, no_correlation, paired, vector
from equiglot.stats.correlation import rank_correlation
from equiglot.stats.estimate import Estimate

__all__ = ["SpearmanDifference", "bootstrap_mean", "bootstrap_spearman", "bootstrap_spearman_difference"]

_BLOCK = 1 << 18
"""Values per block: 2 MB as float64, small enough to stay in a core's cache."""


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
    means = [data[drawn].mean(axis=1) for drawn in _draws(n, seed, resamples)]
    return Estimate(mean, _interval(np.concatenate(means), resamples, level), n)


def bootstrap_spearman(
    x: ArrayLike, y: ArrayLike, *, seed: int = 0, resamples: int = 1000, level: float = 0.95
) -> Estimate:
    """Spearman's rho of x and y with its percentile interval.

    Resamples in which one side is constant have no rho; they are left out, and the interval's method counts them.

    >>> bootstrap_spearman([1, 2, 3, 4], [1, 2, 3, 4]).value
    1.0
    """
    first, second = paired(x=x, y=y)
    if reason := no_correlation(first, second):
        return Estimate(None, None, first.size, reason)
    rows = canonical(second, first)
    series = [_Ranked.of(v) for v in rows]
    blocks = [_rhos(series[0], series[1:], counts) for counts in _counts(first.size, seed, resamples)]
    return _estimate(rank_correlation(*rows), np.concatenate(blocks)[:, 0], first.size, resamples, level)


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
    series = [_Ranked.of(v) for v in rows]
    drawn = np.concatenate([_rhos(series[0], series[1:], counts) for counts in _counts(n, seed, resamples)])
    rhos = [None if reason else rank_correlation(rows[0], v) for reason, v in zip(reasons, rows[1:], strict=True)]
    estimates = [
        _estimate(rho, drawn[:, i], n, resamples, level) if rho is not None else Estimate(None, None, n, reasons[i])
        for i, rho in enumerate(rhos)
    ]
    if rhos[0] is None or rhos[1] is None:
        gap = Estimate(None, None, n, reasons[0] or reasons[1])
    else:
        gap = _estimate(rhos[0] - rhos[1], drawn[:, 0] - drawn[:, 1], n, resamples, level)
    return SpearmanDifference(estimates[0], estimates[1], gap)


@dataclass(frozen=True, slots=True)
class _Ranked:
    """A series sorted once: the order, where each run of equal values starts, and each row's run."""

    order: NDArray[np.intp]
    starts: NDArray[np.intp]
    run: NDArray[np.intp]

    @classmethod
    def of(cls, values: Vector) -> _Ranked:
        order = np.argsort(values, kind="stable")
        ordered = values[order]
        new = np.r_[True, ordered[1:] != ordered[:-1]] if values.size else np.zeros(0, dtype=bool)
        run = np.empty(values.size, dtype=np.intp)
        run[order] = np.cumsum(new) - 1
        return cls(order, np.flatnonzero(new), run)

    def centred_ranks(self, counts: NDArray[np.float64]) -> NDArray[np.float64]:
        """The average rank of every row in every resample (resamples x rows), less the mean rank."""
        in_order = counts[:, self.order]
        runs = in_order if self.starts.size == self.order.size else np.add.reduceat(in_order, self.starts, axis=1)
        ranks = np.cumsum(runs, axis=1) - (runs - 1) / 2 - (self.order.size + 1) / 2
        return ranks[:, self.run]


def _rhos(shared: _Ranked, others: list[_Ranked], counts: NDArray[np.float64]) -> NDArray[np.float64]:
    """Spearman's rho of each other series with the shared one (resamples x others); NaN where a side is constant."""
    common = shared.centred_ranks(counts)
    weighted = counts * common
    spread = np.einsum("bn,bn->b", weighted, common)
    rhos = np.full((counts.shape[0], len(others)), np.nan)
    for i, other in enumerate(others):
        ranks = other.centred_ranks(counts)
        size = np.sqrt(spread * np.einsum("bn,bn,bn->b", counts, ranks, ranks))
        together = np.einsum("bn,bn->b", weighted, ranks)
        np.divide(together, size, out=rhos[:, i], where=size > 0)
    return rhos


def _draws(n: int, seed: int, resamples: int) -> Iterator[NDArray[np.int64]]:
    """Positions drawn with replacement, in blocks of (some resamples) x n."""
    if resamples < 1:
        raise ValueError("resamples must be at least 1")
    rng = np.random.default_rng(seed)
    step = max(1, _BLOCK // max(n, 1))
    for done in range(0, resamples, step):
        yield rng.integers(0, n, size=(min(step, resamples - done), n))


def _counts(n: int, seed: int, resamples: int) -> Iterator[NDArray[np.float64]]:
    """How often each row was drawn, in blocks of (some resamples) x n."""
    if n == 0:
        yield np.zeros((resamples, 0))
        return
    for drawn in _draws(n, seed, resamples):
        size = drawn.shape[0]
        flat = (drawn + (np.arange(size) * n)[:, None]).ravel()
        yield np.bincount(flat, minlength=size * n).reshape(size, n).astype(np.float64)


def _estimate(value: float, drawn: Vector, n: int, resamples: int, level: float) -> Estimate:
    interval = _interval(drawn, resamples, level)
    reason = None if interval else "no resample had a defined value, so there is no interval"
    return Estimate(value, interval, n, reason)


def _interval(drawn: Vector, resamples: int, level: float) -> Interval | None:
    """The percentile interval of the resampled values that are defined."""
    kept = drawn[~np.isnan(drawn)]
    if not kept.size:
        return None
    low, high = np.quantile(kept, [(1 - level) / 2, (1 + level) / 2]).tolist()
    undefined = f", {resamples - kept.size} of them undefined" if kept.size < resamples else ""
    return Interval(low, high, level, f"percentile bootstrap, {resamples} resamples of rows{undefined}")
