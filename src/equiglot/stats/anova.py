"""One-way analysis of variance: does the mean depend on the group, and how much of the variance is that?

F = (SS_between / (k - 1)) / (SS_within / (N - k)) over k groups and N values; p is the upper tail of
F(k - 1, N - k), and its -log10 is kept because p underflows with thousands of rows.
eta^2 = SS_between / SS_total is the share of variance that lies between groups; its interval inverts the
noncentral F (Steiger 2004): ends are lambda / (lambda + N) for the lambda at which the observed F is the upper
and the lower (1 - level) / 2 quantile. That needs no resampling, and assumes what F does: independent values,
normal, of equal spread.
omega^2 = (SS_between - (k - 1) MS_within) / (SS_total + MS_within) is eta^2 less its bias; it may be slightly negative.
Both estimate the same share of the population, lambda / (lambda + N), so the one interval serves both.
Welch's F (1951) drops the equal spread and stands beside it.

Sums of squares are taken about the grand mean, found twice over, so that large offsets cost no digits.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import cast

import numpy as np
from numpy.typing import ArrayLike

from equiglot.measures import Interval
from equiglot.stats._arrays import Vector, to_unit_size, vector
from equiglot.stats._tails import f_tail
from equiglot.stats.estimate import Estimate

__all__ = ["Anova", "WelchAnova", "anova", "welch_anova"]


@dataclass(frozen=True, slots=True)
class Anova:
    """One-way ANOVA. Everything but n, groups and reason is None where there is nothing to compare."""

    n: int
    groups: int
    eta2: Estimate
    f: float | None = None
    df_between: int | None = None
    df_within: int | None = None
    p: float | None = None
    neg_log10_p: float | None = None
    omega2: float | None = None
    reason: str | None = None

    @property
    def omega2_interval(self) -> Interval | None:
        """The interval of omega^2, which is that of eta^2: both estimate the share in the population."""
        return self.eta2.interval


@dataclass(frozen=True, slots=True)
class WelchAnova:
    """Welch's F for groups of unequal spread; ``df_within`` is not whole."""

    n: int
    groups: int
    f: float | None = None
    df_between: int | None = None
    df_within: float | None = None
    p: float | None = None
    neg_log10_p: float | None = None
    reason: str | None = None


def anova(groups: Sequence[ArrayLike], *, level: float = 0.95) -> Anova:
    """One-way ANOVA over groups of values; groups without values do not count.

    >>> result = anova([[1, 2, 3], [2, 3, 4], [5, 6, 7]])
    >>> round(result.f, 6), round(result.eta2.value, 4)
    (13.0, 0.8125)
    >>> anova([[1, 2, 3]]).reason
    'one group; there is nothing to compare it with'
    """
    data = _groups(groups)
    n, k = sum(g.size for g in data), len(data)
    if k < 2 or n <= k:
        reason = _too_few(k) or f"{n} values in {k} groups; at least one group needs 2"
        return Anova(n, k, Estimate(None, None, n, reason), reason=reason)
    centred = _centred(data)
    between = float(sum(g.size * g.mean() ** 2 for g in centred))
    within = float(sum(((g - g.mean()) ** 2).sum() for g in centred))
    if all(g.min() == g.max() for g in data):
        same = len({float(g[0]) for g in data}) == 1
        reason = "every value is the same" if same else "no spread inside any group, so F is not defined"
        share = Estimate(None, None, n, reason) if same else Estimate(1.0, None, n, reason)
        return Anova(n, k, share, reason=reason)
    df1, df2 = k - 1, n - k
    f = (between / df1) / (within / df2)
    p, neg_log10_p = f_tail(f, df1, df2)
    eta2 = Estimate(between / (between + within), _eta2_interval(f, df1, df2, n, level), n)
    omega2 = (between - df1 * within / df2) / (between + within + within / df2)
    return Anova(n, k, eta2, f, df1, df2, p, neg_log10_p, omega2)


def welch_anova(groups: Sequence[ArrayLike]) -> WelchAnova:
    """Welch's one-way test for groups whose spreads differ.

    >>> round(welch_anova([[1, 2, 3], [2, 3, 4], [5, 6, 7]]).f, 4)
    11.1429
    """
    data = _groups(groups)
    n, k = sum(g.size for g in data), len(data)
    reason = _too_few(k)
    if not reason and any(g.size < 2 or g.min() == g.max() for g in data):
        reason = "a group has fewer than 2 values or no spread, so its weight is not defined"
    if reason:
        return WelchAnova(n, k, reason=reason)
    sizes = np.array([g.size for g in data])
    means = np.array([g.mean() for g in data])
    weights = sizes / np.array([g.var(ddof=1) for g in data])
    share = weights / weights.sum()
    spare = float((((1 - share) ** 2) / (sizes - 1)).sum())
    f = float((weights * (means - share @ means) ** 2).sum()) / (k - 1)
    f /= 1 + 2 * (k - 2) / (k**2 - 1) * spare
    df2 = (k**2 - 1) / (3 * spare)
    p, neg_log10_p = f_tail(f, k - 1, df2)
    return WelchAnova(n, k, f, k - 1, df2, p, neg_log10_p)


def _groups(groups: Sequence[ArrayLike]) -> list[Vector]:
    """The groups that have values, near 1 in size, each sorted so that sums don't depend on the order of rows."""
    return to_unit_size(
        *(np.sort(g) for g in (vector(values, f"group {i}") for i, values in enumerate(groups)) if g.size)
    )


def _centred(groups: list[Vector]) -> list[Vector]:
    """The groups less the grand mean, and less what rounding left of it."""
    for _ in range(2):
        mean = np.concatenate(groups).mean()
        groups = [g - mean for g in groups]
    return groups


def _too_few(k: int) -> str | None:
    if k == 0:
        return "no values"
    return "one group; there is nothing to compare it with" if k == 1 else None


def _eta2_interval(f: float, df1: int, df2: int, n: int, level: float) -> Interval | None:
    """lambda / (lambda + N) at the noncentralities that put the observed F at either end of its distribution."""
    from scipy.optimize import brentq
    from scipy.special import ncfdtr

    def end(target: float) -> float | None:
        """The lambda with P(F' <= f) = target, 0 where even lambda = 0 lies beyond, None where the search fails."""

        def excess(noncentrality: float) -> float:
            return float(ncfdtr(df1, df2, noncentrality, f)) - target

        if excess(0.0) <= 0:
            return 0.0
        # The sampling spread of lambda is about sqrt(2 lambda (2 + f df1 / df2)), so doubling gets past it soon.
        top = 2 * df1 * f + 50
        while excess(top) > 0 and top < 1e15:
            top *= 2
        return cast("float", brentq(excess, 0.0, top, xtol=1e-9)) if excess(top) < 0 else None

    low, high = end((1 + level) / 2), end((1 - level) / 2)
    if low is None or high is None:
        return None
    return Interval(low / (low + n), high / (high + n), level, "noncentral F inversion")
