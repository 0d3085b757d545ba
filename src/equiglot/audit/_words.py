"""Numbers and lists as they stand in a sentence."""

from __future__ import annotations

from collections.abc import Sequence

from equiglot.measures import Interval
from equiglot.stats import Estimate

__all__ = ["counted", "listed", "number", "p_value", "range_of", "share", "shift", "two_digits", "valued"]

_LONGEST_LIST = 6


def number(value: float) -> str:
    """A score with about three digits that tell something, whatever its scale.

    >>> [number(v) for v in (2080.8, 85.704, -7.154, 0.8571, 0.00042, 0)]
    ['2,081', '85.7', '-7.15', '0.857', '0.00042', '0']
    """
    size = abs(value)
    if size >= 100:
        return f"{value:,.0f}"
    if size >= 10:
        return f"{value:.1f}"
    if size >= 1:
        return f"{value:.2f}"
    return f"{value:.3f}" if size >= 0.001 else f"{value:.2g}"


def two_digits(value: float) -> str:
    """A correlation or another number without a unit, two digits, and never a negative zero.

    >>> two_digits(0.4149), two_digits(-0.001)
    ('0.41', '0.00')
    """
    return f"{round(value, 2) + 0.0:.2f}"


def shift(value: float) -> str:
    """A difference of scores, with its sign."""
    return ("+" if value > 0 else "") + number(value)


def share(value: float) -> str:
    """A share of variance, three digits."""
    return f"{value:.3f}"


def range_of(interval: Interval | None, digits: str = "number") -> str:
    """``95% CI 0.21 to 0.25``; says so where there is no interval."""
    if interval is None:
        return "no interval"
    shown = {"number": number, "two_digits": two_digits, "share": share}[digits]
    return f"{interval.level:.0%} CI {shown(interval.low)} to {shown(interval.high)}"


def valued(estimate: Estimate) -> str:
    """A share of variance with its interval: ``eta^2 = 0.229 (95% CI 0.213 to 0.245)``."""
    assert estimate.value is not None
    return f"eta^2 = {share(estimate.value)} ({range_of(estimate.interval, 'share')})"


def p_value(p: float, neg_log10_p: float | None = None) -> str:
    """``p = 0.03``, or a power of ten below what anyone reads digit by digit.

    >>> p_value(0.0312), p_value(0.0, 397.3), p_value(2e-5)
    ('p = 0.031', 'p < 10^-397', 'p < 10^-4')
    """
    if p >= 0.001:
        return f"p = {p:.2g}"
    if neg_log10_p is None:
        import math

        neg_log10_p = -math.log10(p) if p > 0 else 300.0
    return f"p < 10^-{int(neg_log10_p)}"


def listed(items: Sequence[str]) -> str:
    """Items as prose; a long list is cut and says by how many.

    >>> listed(["a"]), listed(["a", "b", "c"])
    ('a', 'a, b and c')
    >>> listed(list("abcdefgh"))
    'a, b, c, d, e, f and 2 more'
    """
    if len(items) > _LONGEST_LIST:
        return f"{', '.join(items[:_LONGEST_LIST])} and {len(items) - _LONGEST_LIST} more"
    return " and ".join([", ".join(items[:-1]), items[-1]] if len(items) > 1 else items)


def counted(count: int, one: str, many: str | None = None) -> str:
    """A count and its noun.

    >>> counted(1, "row"), counted(1400, "row")
    ('1 row', '1,400 rows')
    """
    return f"{count:,} {one if count == 1 else many or one + 's'}"
