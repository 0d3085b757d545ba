"""PERM-BOTH (Deutsch, Dror and Roth 2021) for two series and a third that they share, one value of each per row.

Null hypothesis: which of a row's two values belongs to which series does not matter. So, for every row on its own,
the two values are swapped with probability 1/2, both Spearman correlations with the shared series are computed anew,
and their difference is compared with the observed one. In Deutsch et al.'s matrix of systems x inputs this is what
PERM-BOTH does to each cell; here every row is such a cell.

The two series are first put on one scale, else swapping would mix units: a value of the lower-lying series would be
the smaller one wherever it lands, whatever its rank. Deutsch et al. standardise to mean 0 and variance 1; here each
series is replaced by its average ranks, which suits Spearman (the result doesn't change under any increasing map of
either series) and does not let an outlier set the scale. After swapping, values are ranked again, exactly.

p = (1 + number of permutations with |difference| >= |observed|) / (1 + permutations), two-sided, so never 0
(Phipson and Smyth 2010); Deutsch et al.'s own code leaves the 1s out.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from equiglot.stats._arrays import Vector, canonical, no_correlation, paired
from equiglot.stats.correlation import average_ranks
from equiglot.stats.estimate import Significance

__all__ = ["perm_both"]

_BLOCK = 1 << 17
"""Rows x permutations per block; the ranks need twice that many values."""


def perm_both(
    first: ArrayLike, second: ArrayLike, shared: ArrayLike, *, seed: int = 0, permutations: int = 1000
) -> Significance:
    """Does rho(first, shared) differ from rho(second, shared)? ``statistic`` is the difference, first minus second.

    The smallest p that can come out is 1 / (1 + permutations), and 2^(1 - n) where rows are few.

    >>> result = perm_both([1, 2, 3, 4, 5], [2, 1, 4, 3, 5], [1, 2, 3, 4, 5], permutations=99)
    >>> round(result.statistic, 3)
    0.2
    """
    if permutations < 1:
        raise ValueError("permutations must be at least 1")
    one, two, common = paired(first=first, second=second, shared=shared)
    n = one.size
    method = f"PERM-BOTH on ranks, {permutations} permutations, seed {seed}"
    if reason := no_correlation(one, common) or no_correlation(two, common):
        return Significance(method, n, reason=reason)
    swap = _Swap.of(*canonical(common, average_ranks(one), average_ranks(two)))
    observed = float(swap.differences(np.zeros((1, n), dtype=bool))[0])
    rng = np.random.default_rng(seed)
    step = max(1, _BLOCK // n)
    extreme = 0
    for done in range(0, permutations, step):
        swapped = rng.integers(0, 2, size=(min(step, permutations - done), n), dtype=np.int64).astype(bool)
        gaps = np.abs(swap.differences(swapped))
        # A shuffle that leaves a side constant has no rho; counting it as extreme keeps p honest rather than small.
        extreme += int(np.count_nonzero(np.isnan(gaps) | (gaps >= abs(observed) - 1e-12)))
    p = (1 + extreme) / (1 + permutations)
    return Significance(method, n, observed, None, p, -math.log10(p))


@dataclass(frozen=True, slots=True)
class _Swap:
    """Both series as positions among their pooled distinct values, and the shared series' centred ranks."""

    first: NDArray[np.intp]
    second: NDArray[np.intp]
    distinct: int
    shared: Vector

    @classmethod
    def of(cls, shared: Vector, first: Vector, second: Vector) -> _Swap:
        distinct, position = np.unique(np.concatenate([first, second]), return_inverse=True)
        ranks = average_ranks(shared)
        return cls(position[: first.size], position[first.size :], distinct.size, ranks - ranks.mean())

    def differences(self, swapped: NDArray[np.bool_]) -> Vector:
        """rho(first) - rho(second) after the swaps in each line of ``swapped`` (permutations x rows)."""
        one = self._rhos(np.where(swapped, self.second, self.first))
        return one - self._rhos(np.where(swapped, self.first, self.second))

    def _rhos(self, positions: NDArray[np.intp]) -> Vector:
        """Spearman with the shared series of each line, ranked anew by counting (no sort)."""
        lines, n = positions.shape
        flat = (positions + (np.arange(lines) * self.distinct)[:, None]).ravel()
        counts = np.bincount(flat, minlength=lines * self.distinct).reshape(lines, self.distinct)
        ranks = np.cumsum(counts, axis=1) - (counts - 1) / 2 - (n + 1) / 2
        centred = np.take_along_axis(ranks, positions, axis=1)
        size = np.sqrt(np.einsum("bn,bn->b", centred, centred) * (self.shared @ self.shared))
        rhos = np.full(lines, np.nan)
        np.divide(centred @ self.shared, size, out=rhos, where=size > 0)
        return rhos
