"""How far groups lie apart in two scores of the same rows, standardised, with bootstrap intervals.

Rows are drawn within each group, both scores of a row together; the ends are percentiles of the resampled values.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from equiglot.stats._arrays import Vector, canonical, paired, to_unit_size
from equiglot.stats._resampling import draws, percentile_estimate
from equiglot.stats._tails import z_two_sided
from equiglot.stats.estimate import Estimate, Significance

__all__ = ["StandardizedGap", "bootstrap_gaps"]


@dataclass(frozen=True, slots=True)
class StandardizedGap:
    """One contrast of groups in two scores, in SD within a group, and first minus second; a z test of each."""

    first: Estimate
    second: Estimate
    excess: Estimate
    tests: tuple[Significance, Significance, Significance]


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
    both = (to_unit_size(*(rows[i] for rows in data)) for i in (0, 1))
    data = [np.stack(rows) for rows in zip(*both, strict=True)]
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
        # A resample of equal values has no spread, and rounding may leave it a tiny one.
        with np.errstate(divide="ignore", invalid="ignore"):
            values = used @ centres / sd
            boot = np.einsum("g,grs->rs", used, means) / np.where(resampled_sd > 1e-9 * sd, resampled_sd, np.nan)
        parts = [
            (None if flat[0] else float(values[0]), boot[:, 0]),
            (None if flat[1] else float(values[1]), boot[:, 1]),
            (None if any(flat) else float(values[0] - values[1]), boot[:, 0] - boot[:, 1]),
        ]
        reason = "every score inside the groups is the same"
        estimates = [
            Estimate(None, None, n, reason) if value is None else percentile_estimate(value, own, n, level)
            for value, own in parts
        ]
        tests = [_z_test(estimate, own) for estimate, (_, own) in zip(estimates, parts, strict=True)]
        first, second, excess = estimates
        found.append(StandardizedGap(first, second, excess, (tests[0], tests[1], tests[2])))
    return found


def _moments(rows: NDArray[np.float64], seed: int, resamples: int) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Mean and sum of squares about it of both scores (resamples x 2), of rows drawn together."""
    means, squares = list[NDArray[np.float64]](), list[NDArray[np.float64]]()
    for positions in draws(rows.shape[1], seed, resamples):
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
