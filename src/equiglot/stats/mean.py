"""Whether a mean differs from zero (Student's t), and a share with its interval (Wilson's)."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike

from equiglot.measures import Interval
from equiglot.stats._arrays import constant, to_unit_size, vector
from equiglot.stats._tails import t_two_sided
from equiglot.stats.estimate import Estimate, Significance

__all__ = ["paired_t", "percent", "proportion"]


def paired_t(differences: ArrayLike) -> Significance:
    """Student's t for a mean difference of zero, two-sided, df = n - 1.

    >>> round(paired_t([1.0, 2.0, 3.0]).statistic, 4)
    3.4641
    """
    values = vector(differences, "differences")
    n = values.size
    method = "paired t"
    if n < 2:
        return Significance(method, n, reason=f"{n} rows; the test needs at least 2")
    if constant(values):
        return Significance(method, n, reason="every difference is the same, so its spread is not known")
    values = to_unit_size(values)[0]
    t = float(values.mean() / (values.std(ddof=1) / math.sqrt(n)))
    p, neg_log10_p = t_two_sided(t, n - 1)
    return Significance(method, n, t, n - 1, p, neg_log10_p)


def proportion(successes: int, n: int, *, level: float = 0.95) -> Estimate:
    """``successes / n`` with Wilson's interval (1927), which holds near 0 and 1 where a bootstrap gives a width of 0.

    >>> round(proportion(0, 10).interval.high, 3)
    0.278
    """
    from scipy.special import ndtri

    if n == 0:
        return Estimate(None, None, 0, "no rows")
    share, z = successes / n, float(ndtri(0.5 + level / 2))
    centre = (share + z * z / (2 * n)) / (1 + z * z / n)
    half = z / (1 + z * z / n) * math.sqrt(share * (1 - share) / n + z * z / (4 * n * n))
    low, high = np.clip([centre - half, centre + half], 0.0, 1.0).tolist()
    # With no or only successes the end is 0 or 1 exactly; rounding would leave 1e-17 beside it.
    low, high = 0.0 if successes == 0 else low, 1.0 if successes == n else high
    return Estimate(share, Interval(low, high, level, "Wilson"), n)


def percent(successes: int, n: int, *, level: float = 0.95) -> Estimate:
    """:func:`proportion` as per cent, 0 to 100.

    >>> percent(1, 4).value
    25.0
    """
    share = proportion(successes, n, level=level)
    if share.value is None or share.interval is None:
        return share
    ends = share.interval
    return Estimate(100 * share.value, Interval(100 * ends.low, 100 * ends.high, ends.level, ends.method), n)
