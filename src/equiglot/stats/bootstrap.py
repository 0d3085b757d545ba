"""Percentile bootstrap intervals (Efron 1979) for means, for gaps between groups, for Spearman's rho and two rhos.

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

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from equiglot.measures import Interval
from equiglot.stats._arrays import Vector, canonical, no_correlation, paired, vector
from equiglot.stats._tails import z_two_sided
from equiglot.stats.correlation import rank_correlation
from equiglot.stats.estimate import Estimate, Significance

__all__ = [
    "SpearmanDifference",
    "StandardizedGap",
    "bootstrap_gaps",
    "bootstrap_mean",
    "bootstrap_spearman",
    "bootstrap_spearman_difference",
]

_BLOCK = 1 << 18
"""Values per block: 2 MB as float64, small enough to stay in a core's cache."""


@dataclass(frozen=True, slots=True)
class SpearmanDifference:
    """Two rhos with a shared series, and first minus second, all from the same resamples."""

    first: Estimate
    second: Estimate
    difference: Estimate


@dataclass(frozen=True, slots=True)
class StandardizedGap:
    """One contrast of groups in two scores, in SD within a group, and first minus second; a z test of each."""

    first: Estimate
    second: Estimate
    excess: Estimate
    tests: tuple[Significance, Significance, Significance]


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


def bootstrap_gaps(
    groups: Sequence[tuple[ArrayLike, ArrayLike]],
    contrasts: Sequence[Sequence[float]],
    *,
    seed: int = 0,
    resamples: int = 1000,
    level: float = 0.95,
) -> list[StandardizedGap]:
    """How far groups lie apart in each of two scores of the same rows, in SD, and how much further in the first.

    A gap is ``sum_g c_g mean_g / SD`` with SD the pooled one within groups, ``sqrt(SS_within / (N - k))``, so that
    both scores are in a unit that neither scale nor origin can change. Rows are drawn within each group, both scores
    of a row together, so the interval of the excess knows that they go together; groups are drawn independently. Each p
    is that of ``value / SD of the resampled values`` under the normal distribution, which, unlike a share of
    resamples, has no floor.

    Args:
        groups: per group, the first and the second score of its rows.
        contrasts: per contrast, one weight per group, such as 1 and -1.

    >>> one, two = [1.0, 2.0, 3.0], [3.0, 4.0, 5.0]
    >>> gap = bootstrap_gaps([(one, one), (two, one)], [(-1, 1)])[0]
    >>> gap.first.value, gap.second.value, gap.excess.value
    (2.0, 0.0, 2.0)
    """
    data = [np.stack(canonical(*paired(first=a, second=b))) for a, b in groups]
    sizes = np.array([rows.shape[1] for rows in data])
    weights = np.asarray(contrasts, dtype=np.float64).reshape(len(contrasts), len(data))
    spare = int(sizes.sum()) - len(data)
    if not data or (sizes == 0).any() or spare < 1:
        reason = "too few rows for a spread inside the groups"
        n = [int(sizes[used != 0].sum()) for used in weights]
        return [_no_gap(i, reason) for i in n]
    # Centred on their group, so that large offsets cost no digits in sums of squares.
    centres = np.stack([rows.mean(axis=1) for rows in data])
    centred = [rows - centre[:, None] for rows, centre in zip(data, centres, strict=True)]
    flat = [all(rows[i].min() == rows[i].max() for rows in data) for i in (0, 1)]
    seeds = np.random.SeedSequence(seed).generate_state(len(data))
    drawn = [_moments(rows, int(own), resamples) for rows, own in zip(centred, seeds, strict=True)]
    means = np.stack([own for own, _ in drawn]) + centres[:, None, :]
    squares = np.stack([own for _, own in drawn]).sum(axis=0)
    sd = np.sqrt(sum((rows**2).sum(axis=1) for rows in centred) / spare)
    resampled_sd = np.sqrt(squares / spare)
    found: list[StandardizedGap] = []
    for used in weights:
        n = int(sizes[used != 0].sum())
        with np.errstate(divide="ignore", invalid="ignore"):
            values = used @ centres / sd
            boot = np.einsum("g,grs->rs", used, means) / np.where(resampled_sd > 0, resampled_sd, np.nan)
        parts = [
            (None if flat[0] else float(values[0]), boot[:, 0]),
            (None if flat[1] else float(values[1]), boot[:, 1]),
            (None if any(flat) else float(values[0] - values[1]), boot[:, 0] - boot[:, 1]),
        ]
        reason = "every score inside the groups is the same"
        estimates = [
            Estimate(None, None, n, reason) if value is None else _estimate(value, own, n, resamples, level)
            for value, own in parts
        ]
        tests = [_z_test(estimate, own) for estimate, (_, own) in zip(estimates, parts, strict=True)]
        first, second, excess = estimates
        found.append(StandardizedGap(first, second, excess, (tests[0], tests[1], tests[2])))
    return found


def _moments(rows: NDArray[np.float64], seed: int, resamples: int) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Mean and sum of squares about it of both scores (resamples x 2), of rows drawn together."""
    means, squares = list[NDArray[np.float64]](), list[NDArray[np.float64]]()
    for positions in _draws(rows.shape[1], seed, resamples):
        picked = rows[:, positions]
        mean = picked.mean(axis=2)
        means.append(mean.T)
        squares.append(((picked - mean[:, :, None]) ** 2).sum(axis=2).T)
    return np.concatenate(means), np.concatenate(squares)


def _z_test(estimate: Estimate, drawn: Vector) -> Significance:
    kept = drawn[~np.isnan(drawn)]
    spread = float(kept.std(ddof=1)) if kept.size > 1 else 0.0
    if estimate.value is None or spread == 0.0:
        reason = estimate.reason or "the resampled values have no spread"
        return Significance("bootstrap z", estimate.n, reason=reason)
    z = estimate.value / spread
    p, neg_log10_p = z_two_sided(z)
    return Significance("bootstrap z", estimate.n, z, None, p, neg_log10_p)


def _no_gap(n: int, reason: str) -> StandardizedGap:
    absent, test = Estimate(None, None, n, reason), Significance("bootstrap z", n, reason=reason)
    return StandardizedGap(absent, absent, absent, (test, test, test))


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
