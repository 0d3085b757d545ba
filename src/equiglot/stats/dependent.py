"""Do two correlations differ that share a variable and come from the same rows?

``r_first`` and ``r_second`` are the correlations of two series with the shared one, ``r_between`` is the correlation of
the two series with each other, n the number of rows.

========= ======================================================================================== ==========
test      statistic                                                                                refers to
========= ======================================================================================== ==========
williams  t = (r1 - r2) sqrt((n-1)(1+r12) / (2 |R| (n-1)/(n-3) + m^2 (1-r12)^3)), m = (r1+r2)/2,    t, n - 3
          |R| = 1 - r1^2 - r2^2 - r12^2 + 2 r1 r2 r12 (Williams 1959; Steiger 1980, eq. 7)
steiger   Z = (z1 - z2) sqrt((n-3) / (2 - 2c)), c = the covariance of z1 and z2 at r1 = r2 = m       normal
          (Steiger 1980, eqs. 10 and 14: the averaged-r form of Dunn and Clark 1969)
meng      Z = (z1 - z2) sqrt((n-3) / (2 (1-r12) h)), h = (1 - f q) / (1 - q), q = (r1^2+r2^2)/2,      normal
          f = min(1, (1-r12) / (2 (1-q))) (Meng, Rosenthal and Rubin 1992, eqs. 1-3)
========= ======================================================================================== ==========

z = artanh r. All three are two-sided and assume rows drawn independently from a trivariate normal; on ranks
(Spearman) they are approximations, which is how the field uses them (Graham and Baldwin 2014). Unlike some tools,
signs are kept: the absolute value of a correlation is never taken. Where both series order all rows alike there is
nothing to test, and p is None.
"""

from __future__ import annotations

import math

from equiglot.stats._tails import t_two_sided, z_two_sided
from equiglot.stats.estimate import Significance

__all__ = ["meng", "steiger", "williams"]


def williams(r_first: float, r_second: float, r_between: float, n: int) -> Significance:
    """Williams' t with n - 3 degrees of freedom.

    >>> round(williams(0.3, 0.4, 0.5, 100).statistic, 4)
    -1.0767
    """
    method = "Williams' t"
    if reason := _untestable(r_first, r_second, r_between, n):
        return Significance(method, n, reason=reason)
    det = 1 - r_first**2 - r_second**2 - r_between**2 + 2 * r_first * r_second * r_between
    mean = (r_first + r_second) / 2
    below = 2 * max(det, 0.0) * (n - 1) / (n - 3) + mean**2 * (1 - r_between) ** 3
    if below <= 0:
        return Significance(method, n, reason="the three correlations leave no variance to test against")
    t = (r_first - r_second) * math.sqrt((n - 1) * (1 + r_between) / below)
    p, neg_log10_p = t_two_sided(t, n - 3)
    return Significance(method, n, t, n - 3, p, neg_log10_p)


def steiger(r_first: float, r_second: float, r_between: float, n: int) -> Significance:
    """Steiger's Z with the averaged correlation.

    >>> round(steiger(0.3, 0.4, 0.5, 100).statistic, 4)
    -1.0718
    """
    method = "Steiger's Z, averaged r"
    if reason := _untestable(r_first, r_second, r_between, n, fisher=True):
        return Significance(method, n, reason=reason)
    square = ((r_first + r_second) / 2) ** 2
    covariance = r_between * (1 - 2 * square) - square * (1 - 2 * square - r_between**2) / 2
    return _normal(method, r_first, r_second, n, 2 - 2 * covariance / (1 - square) ** 2)


def meng(r_first: float, r_second: float, r_between: float, n: int) -> Significance:
    """Meng, Rosenthal and Rubin's Z.

    >>> round(meng(0.63, -0.03, -0.19, 15).statistic, 2)
    1.68
    """
    method = "Meng, Rosenthal and Rubin's Z"
    if reason := _untestable(r_first, r_second, r_between, n, fisher=True):
        return Significance(method, n, reason=reason)
    square = (r_first**2 + r_second**2) / 2
    f = min(1.0, (1 - r_between) / (2 * (1 - square)))
    return _normal(method, r_first, r_second, n, 2 * (1 - r_between) * (1 - f * square) / (1 - square))


def _untestable(r_first: float, r_second: float, r_between: float, n: int, *, fisher: bool = False) -> str | None:
    """Why there is no test for these, or None; ``fisher`` where artanh of the two must be finite."""
    if not all(-1 <= r <= 1 for r in (r_first, r_second, r_between)):
        raise ValueError("a correlation lies outside [-1, 1]")
    if n < 4:
        return f"{n} rows; the test needs at least 4"
    # Nine digits: ranks that agree wholly give 1 within rounding, and anything this near leaves no variance to test.
    if r_between > 1 - 1e-9:
        return "both series order the rows alike, so there is nothing to test"
    if fisher and max(abs(r_first), abs(r_second)) > 1 - 1e-12:
        return "a correlation is 1 or -1, where Fisher's z is infinite"
    return None


def _normal(method: str, r_first: float, r_second: float, n: int, variance: float) -> Significance:
    """Z = (z1 - z2) sqrt((n - 3) / variance) against the normal distribution."""
    if variance <= 0:
        return Significance(method, n, reason="the three correlations leave no variance to test against")
    z = (math.atanh(r_first) - math.atanh(r_second)) * math.sqrt((n - 3) / variance)
    p, neg_log10_p = z_two_sided(z)
    return Significance(method, n, z, None, p, neg_log10_p)
