"""Intervals of a correlation without resampling: Fisher's z = artanh r plus or minus z_level times its standard error.

========= ============================ =================================================
pearson   1 / sqrt(n - 3)              Fisher 1921; exact enough for bivariate normals
spearman  sqrt((1 + r^2 / 2) / (n - 3)) Bonett and Wright 2000
kendall   sqrt(0.437 / (n - 4))        Fieller, Hartley and Pearson 1957
========= ============================ =================================================

They assume independent rows and, but for the ranks' own freedom, bivariate normality; with heavy ties the bootstrap is
the safer one. Unlike R's ``cor.test`` on ranks, Spearman's error isn't taken to be Pearson's, which is too small.
"""

from __future__ import annotations

import math

from numpy.typing import ArrayLike

from equiglot.measures import Interval
from equiglot.stats._arrays import no_correlation, paired
from equiglot.stats.correlation import CorrelationKind, correlation
from equiglot.stats.estimate import Estimate

__all__ = ["analytic_correlation"]


def analytic_correlation(
    x: ArrayLike, y: ArrayLike, *, kind: CorrelationKind = "spearman", level: float = 0.95
) -> Estimate:
    """A correlation with the interval of its Fisher transform.

    >>> estimate = analytic_correlation([1, 2, 3, 4, 5, 6], [2, 1, 4, 3, 6, 5], kind="pearson")
    >>> round(estimate.value, 3), round(estimate.interval.low, 3), round(estimate.interval.high, 3)
    (0.829, 0.052, 0.981)
    """
    from scipy.special import ndtri

    first, second = paired(x=x, y=y)
    n = first.size
    r = correlation(first, second, kind)
    if r is None:
        return Estimate(None, None, n, no_correlation(first, second) or "its spread is lost to rounding")
    least = 5 if kind == "kendall" else 4
    if n < least:
        return Estimate(r, None, n, f"{n} rows; this interval needs at least {least}")
    if abs(r) > 1 - 1e-12:
        return Estimate(r, None, n, "the correlation is 1 or -1, where Fisher's z is infinite")
    half = float(ndtri((1 + level) / 2)) * _standard_error(r, n, kind)
    low, high = math.tanh(math.atanh(r) - half), math.tanh(math.atanh(r) + half)
    return Estimate(r, Interval(low, high, level, f"Fisher z, {kind}"), n)


def _standard_error(r: float, n: int, kind: CorrelationKind) -> float:
    if kind == "pearson":
        return 1 / math.sqrt(n - 3)
    if kind == "spearman":
        return math.sqrt((1 + r * r / 2) / (n - 3))
    return math.sqrt(0.437 / (n - 4))
