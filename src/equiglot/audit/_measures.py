"""From a statistic to a row of a result table."""

from __future__ import annotations

from dataclasses import replace

from equiglot.measures import Direction, Measure
from equiglot.stats import Estimate

__all__ = ["measured", "plain"]


def measured(
    name: str,
    estimate: Estimate,
    *,
    unit: str,
    direction: Direction,
    n_failed: int,
    signature: str,
    scale: float = 1.0,
) -> Measure:
    """An estimate as a measure, its value and interval times ``scale`` (a negative one turns the interval round)."""
    interval, value = estimate.interval, estimate.value
    if interval is not None:
        low, high = sorted((interval.low * scale, interval.high * scale))
        interval = replace(interval, low=low, high=high)
    value = None if value is None else value * scale
    return Measure(name, value, unit, direction, estimate.n, n_failed, interval, estimate.reason, signature)


def plain(
    name: str, value: float | None, unit: str, *, n: int, n_failed: int, reason: str | None, signature: str
) -> Measure:
    """A number without an interval and without a better direction: a p-value, an F, a count."""
    return Measure(name, value, unit, "neutral", n, n_failed, None, reason if value is None else None, signature)
