"""What a statistic is here: a value with its interval, or a test with its p; None with a reason where there is none."""

from __future__ import annotations

from dataclasses import dataclass

from equiglot.measures import Interval

__all__ = ["Estimate", "Significance"]


@dataclass(frozen=True, slots=True)
class Estimate:
    """A value with its interval.

    ``value`` is None where the data can't give it, and ``reason`` then says why; a value that has no interval says why
    in ``reason`` too. ``n`` is the number of observations that it rests on.
    """

    value: float | None
    interval: Interval | None
    n: int
    reason: str | None = None


@dataclass(frozen=True, slots=True)
class Significance:
    """A test's outcome, two-sided.

    ``df`` is None for tests that refer to the normal distribution or to permutations. ``neg_log10_p`` keeps what ``p``
    loses where it underflows to 0 (and is how far past the decimal point the first digit of p stands).
    """

    method: str
    n: int
    statistic: float | None = None
    df: float | None = None
    p: float | None = None
    neg_log10_p: float | None = None
    reason: str | None = None
