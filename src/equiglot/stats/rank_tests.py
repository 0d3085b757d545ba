"""Whether two orders agree: Spearman's rho and Kendall's tau-b with their tests, for many rows and for very few.

    spearman   rho; p (t) from t = rho sqrt((n - 2) / (1 - rho^2)) with n - 2 degrees of freedom; p (exact) from every
               permutation; an interval from Fisher's z with variance (1 + rho^2 / 2) / (n - 3) (Bonett and Wright 2000)
    kendall    tau-b = (C - D) / sqrt((n0 - n1)(n0 - n2)), ties left out of the denominator; p from every permutation
               where no value is tied, else from the normal distribution (Kendall 1970, section 4.2)

All p-values are two-sided. With few rows the t approximation is too small (0.0049 against 0.0072 at rho = -0.81 and
n = 10), so the exact p is the one to quote there. R's ``cor.test`` gives an Edgeworth approximation in its place,
SciPy the t.

The exact null distribution of rho is counted, not sampled: S = sum of (2 rank_x) (2 rank_y) is a whole number, ties
included, and the number of permutations with each S follows from subsets of the ranks used so far, layer by layer,
in n 2^n steps rather than n!. At |rho| = 1 the count is known for any n.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from equiglot.measures import Interval
from equiglot.stats._arrays import Vector, no_correlation, paired
from equiglot.stats._tails import t_two_sided, z_two_sided
from equiglot.stats.correlation import average_ranks, rank_correlation
from equiglot.stats.estimate import Estimate, Significance

__all__ = ["EXACT_ROWS", "RankTest", "kendall_test", "spearman_test"]

EXACT_ROWS = 12
"""Up to this many rows every permutation is counted."""


@dataclass(frozen=True, slots=True)
class RankTest:
    """A rank correlation with its tests; ``exact`` has no p, and says why, beyond :data:`EXACT_ROWS` rows.

    But of Spearman's rho at 1 or -1 it has one for any number of rows.
    """

    value: Estimate
    approximate: Significance
    exact: Significance

    @property
    def best(self) -> Significance:
        """The exact test where it could be made, else the approximate one."""
        return self.exact if self.exact.p is not None else self.approximate


def spearman_test(x: ArrayLike, y: ArrayLike, *, level: float = 0.95) -> RankTest:
    """Spearman's rho with an interval, the t test and the exact permutation test.

    >>> test = spearman_test([1, 2, 3, 4, 5], [2, 1, 4, 3, 5])
    >>> round(test.value.value, 3), round(test.approximate.p, 4), round(test.exact.p, 4)
    (0.8, 0.1041, 0.1333)
    """
    first, second = paired(x=x, y=y)
    n = first.size
    if reason := no_correlation(first, second):
        return _untested(n, reason)
    rho = rank_correlation(first, second)
    method = "t approximation"
    if abs(rho) == 1:
        approximate = Significance(method, n, reason="the orders agree wholly, where t is infinite")
    else:
        t = rho * math.sqrt((n - 2) / (1 - rho**2))
        approximate = Significance(method, n, t, n - 2, *t_two_sided(t, n - 2))
    return RankTest(_with_interval(rho, n, level), approximate, _exact_spearman(first, second))


def kendall_test(x: ArrayLike, y: ArrayLike) -> RankTest:
    """Kendall's tau-b with the normal test and, without ties, the exact one; it has no interval.

    >>> test = kendall_test([1, 2, 3, 4, 5], [2, 1, 4, 3, 5])
    >>> round(test.value.value, 3), round(test.exact.p, 4)
    (0.6, 0.2333)
    """
    first, second = paired(x=x, y=y)
    n = first.size
    if reason := no_correlation(first, second):
        return _untested(n, reason)
    above = np.triu_indices(n, 1)
    signs_x, signs_y = (np.sign(v[:, None] - v[None, :])[above] for v in (first, second))
    score = int((signs_x * signs_y).sum())
    tau = score / math.sqrt(np.count_nonzero(signs_x) * np.count_nonzero(signs_y))
    z = score / math.sqrt(_kendall_variance(first, second))
    approximate = Significance("normal approximation", n, z, None, *z_two_sided(z))
    value = Estimate(float(np.clip(tau, -1, 1)), None, n)
    tied = not (signs_x.all() and signs_y.all())
    return RankTest(value, approximate, _exact_kendall(score, n, tied))


def _untested(n: int, reason: str) -> RankTest:
    none = Significance("none", n, reason=reason)
    return RankTest(Estimate(None, None, n, reason), none, none)


def _with_interval(rho: float, n: int, level: float) -> Estimate:
    from scipy.special import ndtri

    if n < 4 or abs(rho) == 1:
        return Estimate(rho, None, n, "no interval: " + ("fewer than 4 rows" if n < 4 else "the orders agree wholly"))
    half = float(ndtri(0.5 + level / 2)) * math.sqrt((1 + rho**2 / 2) / (n - 3))
    low, high = math.tanh(math.atanh(rho) - half), math.tanh(math.atanh(rho) + half)
    return Estimate(rho, Interval(low, high, level, "Fisher's z, Bonett and Wright"), n)


def _exact_spearman(x: Vector, y: Vector) -> Significance:
    n, method = x.size, "all permutations"
    ranks_x, ranks_y = (np.rint(2 * average_ranks(v)).astype(np.int64) for v in (x, y))
    reverse_x = 2 * (n + 1) - ranks_x
    if np.array_equal(ranks_x, ranks_y) or np.array_equal(reverse_x, ranks_y):
        return _whole_agreement(ranks_x, np.array_equal(np.sort(ranks_x), np.sort(reverse_x)))
    if n > EXACT_ROWS:
        return Significance(method, n, reason=f"{n} rows; every permutation is counted up to {EXACT_ROWS}")
    counts = _products(ranks_x, ranks_y)
    # The mean of S over all permutations is n (n + 1)^2, whatever the ties.
    middle = n * (n + 1) ** 2
    far = np.abs(np.arange(counts.size) - middle) >= abs(int(ranks_x @ ranks_y) - middle)
    p = int(counts[far].sum()) / math.factorial(n)
    return Significance(method, n, None, None, p, -math.log10(p))


def _whole_agreement(ranks: NDArray[np.int64], both_ways: bool) -> Significance:
    """Where rho is 1 or -1, however many rows: the permutations that only swap equal values, of all.

    They are as many again in the other direction, where the ranks read backwards are the same ranks.
    """
    _, ties = np.unique(ranks, return_counts=True)
    log_p = math.log(1 + both_ways) + sum(math.lgamma(tied + 1) for tied in ties) - math.lgamma(ranks.size + 1)
    return Significance("all permutations", ranks.size, None, None, math.exp(log_p), -log_p / math.log(10))


def _products(ranks_x: NDArray[np.int64], ranks_y: NDArray[np.int64]) -> NDArray[np.int64]:
    """How many permutations give each sum of products, from 0 to its largest."""
    top = int(np.sort(ranks_x) @ np.sort(ranks_y))
    layer = {0: np.zeros(top + 1, dtype=np.int64)}
    layer[0][0] = 1
    for rank in ranks_x.tolist():
        following: dict[int, NDArray[np.int64]] = {}
        for used, counts in layer.items():
            for place, other in enumerate(ranks_y.tolist()):
                if used >> place & 1:
                    continue
                product = rank * other
                target = following.setdefault(used | 1 << place, np.zeros(top + 1, dtype=np.int64))
                target[product:] += counts[: top + 1 - product]
        layer = following
    return next(iter(layer.values()))


def _kendall_variance(x: Vector, y: Vector) -> float:
    """The variance of C - D under the null, with its terms for ties (Kendall 1970, eq. 4.3)."""
    n = x.size
    ties_x, ties_y = (np.unique(v, return_counts=True)[1].astype(float) for v in (x, y))

    def moment(counts: Vector, power: int) -> float:
        if power == 2:
            return float((counts * (counts - 1)).sum())
        if power == 3:
            return float((counts * (counts - 1) * (counts - 2)).sum())
        return float((counts * (counts - 1) * (2 * counts + 5)).sum())

    variance = (n * (n - 1) * (2 * n + 5) - moment(ties_x, 5) - moment(ties_y, 5)) / 18
    variance += moment(ties_x, 3) * moment(ties_y, 3) / (9 * n * (n - 1) * (n - 2))
    return variance + moment(ties_x, 2) * moment(ties_y, 2) / (2 * n * (n - 1))


def _exact_kendall(score: int, n: int, tied: bool) -> Significance:
    """The share of permutations whose |C - D| is as large, by counting inversions."""
    method = "all permutations"
    if tied:
        return Significance(method, n, reason="values are tied")
    if n > EXACT_ROWS:
        return Significance(method, n, reason=f"{n} rows; every permutation is counted up to {EXACT_ROWS}")
    counts = np.ones(1, dtype=np.int64)
    for size in range(2, n + 1):
        counts = np.convolve(counts, np.ones(size, dtype=np.int64))
    scores = n * (n - 1) // 2 - 2 * np.arange(counts.size)
    p = int(counts[np.abs(scores) >= abs(score)].sum()) / math.factorial(n)
    return Significance(method, n, None, None, p, -math.log10(p))
