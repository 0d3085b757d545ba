"""Do two rank correlations differ that come from different rows?

    Z = (artanh r1 - artanh r2) / sqrt(v1 + v2),  v = (1 + r^2 / 2) / (n - 3),  against the normal distribution

Fisher's (1921) test for independent correlations, two-sided, with the variance that Bonett and Wright (2000) give for
Spearman's rho; Fisher's own 1 / (n - 3) is for Pearson's r and too small for ranks. Where the two sets of rows are
related (translations of the same sources) Z is smaller than it might be: the test then errs toward no difference.
"""

from __future__ import annotations

import math

from equiglot.stats._tails import z_two_sided
from equiglot.stats.estimate import Significance

__all__ = ["independent_rhos"]


def independent_rhos(r_first: float, n_first: int, r_second: float, n_second: int) -> Significance:
    """Test two Spearman's rhos of ``n_first`` and of ``n_second`` rows; ``n`` of the result is their sum.

    >>> test = independent_rhos(0.8, 103, 0.6, 103)
    >>> round(test.statistic, 3), round(test.p, 4)
    (2.564, 0.0103)
    """
    method, n = "Fisher's z, Bonett and Wright", n_first + n_second
    if not all(-1 <= r <= 1 for r in (r_first, r_second)):
        raise ValueError("a correlation lies outside [-1, 1]")
    if min(n_first, n_second) < 4:
        return Significance(method, n, reason=f"{min(n_first, n_second)} rows; the test needs at least 4")
    if max(abs(r_first), abs(r_second)) > 1 - 1e-12:
        return Significance(method, n, reason="a correlation is 1 or -1, where Fisher's z is infinite")
    variance = sum((1 + r**2 / 2) / (k - 3) for r, k in ((r_first, n_first), (r_second, n_second)))
    z = (math.atanh(r_first) - math.atanh(r_second)) / math.sqrt(variance)
    return Significance(method, n, z, None, *z_two_sided(z))
