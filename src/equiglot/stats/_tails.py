"""Tail probabilities that keep their logarithm where the probability itself underflows.

With thousands of rows an F of 2,000 has p near 10^-400, which a float shows as 0 and SciPy's ``f.logsf`` as -inf.
The upper tail of F and both tails of Student's t are the regularised incomplete beta function I_x(a, b); its
logarithm comes from the classical continued fraction (Abramowitz and Stegun 26.5.8), evaluated by Lentz's method.
"""

from __future__ import annotations

import math

_LN10 = math.log(10)


def f_tail(f: float, df1: float, df2: float) -> tuple[float, float]:
    """P(F > f) and its -log10, for f >= 0."""
    from scipy.special import betainc

    x = df2 / (df2 + df1 * f)
    p = float(betainc(df2 / 2, df1 / 2, x))
    if p > 1e-290:
        return p, _positive(-math.log10(p))
    return p, -_log_betainc(df2 / 2, df1 / 2, x) / _LN10


def t_two_sided(t: float, df: float) -> tuple[float, float]:
    """P(|T| > |t|) and its -log10: the tail of F(1, df) at t^2."""
    return f_tail(t * t, 1, df)


def z_two_sided(z: float) -> tuple[float, float]:
    """P(|Z| > |z|) and its -log10."""
    from scipy.special import log_ndtr

    return math.erfc(abs(z) / math.sqrt(2)), _positive(-(float(log_ndtr(-abs(z))) + math.log(2)) / _LN10)


def _positive(value: float) -> float:
    """Rounding may leave -0.0 or -1e-17 for p = 1."""
    return max(value, 0.0)


def _log_betainc(a: float, b: float, x: float) -> float:
    """ln I_x(a, b) for x below the mean a / (a + b), where the continued fraction converges in about sqrt(a) steps."""
    log_front = (
        a * math.log(x) + b * math.log1p(-x) + math.lgamma(a + b) - math.lgamma(a) - math.lgamma(b) - math.log(a)
    )
    c, d = 1.0, 1.0 / (1.0 - (a + b) * x / (a + 1.0))
    fraction = d
    for m in range(1, 100_000):
        even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m))
        d, c = 1.0 / (1.0 + even * d), 1.0 + even / c
        fraction *= c * d
        odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))
        d, c = 1.0 / (1.0 + odd * d), 1.0 + odd / c
        fraction *= c * d
        if abs(c * d - 1.0) < 1e-15:
            break
    return log_front + math.log(fraction)
