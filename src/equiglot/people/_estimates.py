"""Statistics resampled over items: how often each item is drawn, and from the drawn values to an estimate."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from equiglot.measures import Direction, Interval, Measure
from equiglot.stats import Estimate, quantile_interval

__all__ = ["Matrix", "as_measure", "drawn_counts", "estimate"]

Matrix = NDArray[np.float64]

_BLOCK = 1 << 19
"""Values held at a time."""


def drawn_counts(n: int, width: int, seed: int, resamples: int) -> Iterator[Matrix]:
    """How often each of ``n`` items is drawn with replacement, in blocks of (some resamples) x n.

    ``width`` is how many values are made of each resample.
    """
    rng = np.random.default_rng(seed)
    step = max(1, _BLOCK // max(n, width))
    for done in range(0, resamples, step):
        lines = min(step, resamples - done)
        drawn = rng.integers(0, n, size=(lines, n)) + np.arange(lines)[:, None] * n
        yield np.bincount(drawn.ravel(), minlength=lines * n).reshape(lines, n).astype(np.float64)


def estimate(value: float, drawn: Matrix, n: int, *, of: str = "items") -> Estimate:
    """A value with the percentile interval of its resamples, NaN where a resample has none."""
    kept = drawn[~np.isnan(drawn)]
    ends = quantile_interval(kept)
    if ends is None:
        return Estimate(value, None, n, "no resample has a value, so there is no interval")
    undefined = f", {drawn.size - kept.size} of them undefined" if kept.size < drawn.size else ""
    method = f"percentile bootstrap, {drawn.size} resamples of {of}{undefined}"
    return Estimate(value, Interval(ends.low, ends.high, ends.level, method), n)


def as_measure(
    name: str, found: Estimate, unit: str, direction: Direction = "neutral", *, n_failed: int = 0, signature: str = ""
) -> Measure:
    """An estimate as a measure."""
    return Measure(name, found.value, unit, direction, found.n, n_failed, found.interval, found.reason, signature)
