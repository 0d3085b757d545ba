"""Bootstrap draws of Spearman's rho for several series that are resampled together, within strata.

A resample is a vector of counts; in it the average rank of a run of equal values is (rows up to and with the run) -
(rows of the run - 1) / 2. So each series is sorted once, and ranks and ties are exact in every resample. Rows are drawn
within strata, whose sizes stay what they are; whole rows are drawn, so that differences between series know that they
go together.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from equiglot.measures import Interval

__all__ = ["interval_of", "rho_draws", "strata_counts"]

Vector = NDArray[np.float64]

_BLOCK = 1 << 19
"""Numbers per block, 4 MB as float64."""


def strata_counts(sizes: Sequence[int], *, seed: int, resamples: int) -> Iterator[NDArray[np.float64]]:
    """How often each row was drawn, in blocks of (some resamples) x (all rows); rows lie stratum by stratum."""
    generators = [np.random.default_rng(own) for own in np.random.SeedSequence(seed).spawn(len(sizes))]
    step = max(1, _BLOCK // max(sum(sizes), 1))
    for done in range(0, resamples, step):
        size = min(step, resamples - done)
        parts: list[NDArray[np.float64]] = []
        for n, generator in zip(sizes, generators, strict=True):
            drawn = generator.integers(0, n, size=(size, n)) + (np.arange(size) * n)[:, None]
            parts.append(np.bincount(drawn.ravel(), minlength=size * n).reshape(size, n).astype(np.float64))
        yield np.concatenate(parts, axis=1)


def rho_draws(series: Sequence[Vector], shared: Vector, counts: NDArray[np.float64]) -> NDArray[np.float64]:
    """rho of each series with ``shared`` in every resample, shape (resamples, series); NaN where one is constant.

    >>> two = np.array([[1.0, 1.0, 1.0], [2.0, 0.0, 1.0]])
    >>> rho_draws([np.array([1.0, 3.0, 2.0])], np.array([1.0, 2.0, 3.0]), two).ravel().round(3).tolist()
    [0.5, 1.0]
    """
    common = _centred_ranks(shared, counts)
    spread = np.einsum("bn,bn,bn->b", counts, common, common)
    found = np.full((counts.shape[0], len(series)), np.nan)
    for i, values in enumerate(series):
        ranks = _centred_ranks(values, counts)
        size = np.sqrt(spread * np.einsum("bn,bn,bn->b", counts, ranks, ranks))
        np.divide(np.einsum("bn,bn,bn->b", counts, ranks, common), size, out=found[:, i], where=size > 0)
    return found


def interval_of(drawn: Vector, *, level: float = 0.95) -> Interval | None:
    """The percentile interval of resampled values; None where more than one end's share of them is undefined."""
    kept = drawn[np.isfinite(drawn)]
    lost = drawn.size - kept.size
    if not kept.size or lost > drawn.size * (1 - level) / 2:
        return None
    low, high = np.quantile(kept, [(1 - level) / 2, (1 + level) / 2]).tolist()
    undefined = f", {lost} of them undefined" if lost else ""
    return Interval(low, high, level, f"percentile bootstrap, {drawn.size} resamples of rows{undefined}")


def _centred_ranks(values: Vector, counts: NDArray[np.float64]) -> NDArray[np.float64]:
    _, run = np.unique(values, return_inverse=True)
    order = np.argsort(run, kind="stable")
    starts = np.flatnonzero(np.r_[True, np.diff(run[order]) > 0])
    runs = np.add.reduceat(counts[:, order], starts, axis=1)
    ranks = np.cumsum(runs, axis=1) - (runs - 1) / 2
    return (ranks - (counts.sum(axis=1, keepdims=True) + 1) / 2)[:, run]
