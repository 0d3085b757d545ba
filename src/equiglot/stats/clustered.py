"""Means over rows that come in clusters, resampled and permuted by whole clusters.

Rows of one cluster (the translations of one segment, say) are not independent, so a resample draws clusters, and a
permutation swaps all of a cluster's rows together; resampling rows would make intervals too narrow.

    mean         = sum over clusters of their sums / sum over clusters of their sizes
    permutation  the sign of each cluster's difference is flipped with probability 1/2;
                 p = (1 + permutations with |difference| >= |observed|) / (1 + permutations), two-sided
    exact        of n clusters there are 2^n sign flips; where they are no more than the permutations asked for, or than
                 4,096, every one is taken once, nothing is drawn, and p is the share of them that reach the observed
                 difference, itself among them: at least 2 / 2^n
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike, NDArray

from equiglot.stats._arrays import vector
from equiglot.stats._resampling import counts
from equiglot.stats.estimate import Significance

__all__ = ["clustered_means", "sign_flip", "smallest_p"]

Matrix = NDArray[np.float64]

_BLOCK = 1 << 20
"""Signs drawn at a time."""

_ALL = 1 << 12
"""Up to this many sign flips are all taken, however few are asked for."""


def clustered_means(sums: Matrix, sizes: Matrix, *, seed: int = 0, resamples: int = 1000) -> Matrix:
    """Each column's mean in each resample of clusters (resamples x columns), NaN where a resample has no row of it.

    Args:
        sums: of each cluster's rows, shape (clusters, columns).
        sizes: how many rows they are, same shape.

    >>> drawn = clustered_means(np.array([[2.0], [4.0]]), np.array([[1.0], [2.0]]), resamples=20)
    >>> sorted(set(drawn.ravel().tolist()))
    [2.0]
    """
    parts: list[Matrix] = []
    for block in counts(len(sums), seed, resamples):
        times = block.astype(np.float64)
        top, bottom = times @ sums, times @ sizes
        parts.append(np.divide(top, bottom, out=np.full_like(top, np.nan), where=bottom > 0))
    return np.concatenate(parts)


def sign_flip(differences: ArrayLike, *, seed: int = 0, permutations: int = 1000) -> Significance:
    """Is the sum of paired differences (one per cluster) other than 0? ``statistic`` is their sum.

    ``seed`` matters only where clusters are too many for every sign flip to be taken; ``method`` says which it was.

    >>> found = sign_flip([1.0] * 5)
    >>> found.method, found.p
    ('paired permutation, all 32 sign flips', 0.0625)
    """
    values = vector(differences, "differences")
    n = values.size
    exact = _is_exact(n, permutations)
    flips = 1 << n if exact else permutations
    method = f"paired permutation, {f'all {flips} sign flips' if exact else f'{flips} sign flips, seed {seed}'}"
    if n < 2:
        return Significance(method, n, reason=f"{n} pairs; the test needs at least 2")
    observed = float(values.sum())
    bar = abs(observed) - 1e-12 * float(np.abs(values).sum())
    rng = np.random.default_rng(seed)
    extreme, step = 0, max(1, _BLOCK // n)
    for start in range(0, flips, step):
        size = min(step, flips - start)
        if exact:
            signs = np.arange(start, start + size)[:, None] >> np.arange(n) & 1
        else:
            signs = rng.integers(0, 2, size=(size, n), dtype=np.int8)
        extreme += int(np.count_nonzero(np.abs((2.0 * signs - 1.0) @ values) >= bar))
    p = extreme / flips if exact else (1 + extreme) / (1 + flips)
    return Significance(method, n, observed, None, p, -math.log10(p))


def smallest_p(clusters: int, *, permutations: int = 1000) -> float:
    """The p of :func:`sign_flip` where all of 1 or more clusters agree: no data can give a smaller one.

    >>> smallest_p(5), smallest_p(100, permutations=999)
    (0.0625, 0.001)
    """
    return 2 / (1 << clusters) if _is_exact(clusters, permutations) else 1 / (1 + permutations)


def _is_exact(clusters: int, permutations: int) -> bool:
    return 1 << clusters <= max(permutations, _ALL)
