"""Each system's mean, rank and resamples of both, with or without its invalid rows."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from equiglot.measures import Interval, Measure, MeasureInfo
from equiglot.rank._rows import Board
from equiglot.stats import clustered_means, quantile_interval

__all__ = ["Means", "means_of", "resampled_interval"]

Matrix = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Means:
    """Of the systems of a board, in its order.

    Attributes:
        value: means, shape (systems,); NaN where a system has no row that counts.
        drawn: the same in each resample of segments, shape (resamples, systems).
        rank, rank_drawn: 1 + how many systems are better.
        rows: how many rows each mean is of.
        segments: how many segments are drawn.
    """

    value: Matrix
    drawn: Matrix
    rank: Matrix
    rank_drawn: Matrix
    rows: NDArray[np.int64]
    segments: int

    def mean(self, k: int, info: MeasureInfo) -> Measure:
        """The mean of system ``k``, as the measure that ``info`` describes."""
        return self._measure(info, float(self.value[k]), self.drawn[:, k], int(self.rows[k]))

    def place(self, k: int, name: str, signature: str) -> Measure:
        """The rank of system ``k`` as a measure."""
        info = MeasureInfo(name, "rank", "lower", signature)
        return self._measure(info, float(self.rank[k]), self.rank_drawn[:, k], int(self.rows[k]))

    def _measure(self, info: MeasureInfo, value: float, drawn: Matrix, n: int) -> Measure:
        if np.isnan(value):
            why = "no valid row"
            return Measure(info.name, None, info.unit, info.direction, n, reason=why, signature=info.signature)
        interval, why = resampled_interval(drawn, self.segments, "percentile bootstrap")
        return Measure(
            info.name, value, info.unit, info.direction, n, interval=interval, reason=why, signature=info.signature
        )


def resampled_interval(drawn: Matrix, segments: int, method: str) -> tuple[Interval | None, str | None]:
    """The interval of a value drawn anew with each resample of segments, or why there is none."""
    if segments < 2:
        return None, "one segment; an interval needs at least 2"
    ends = quantile_interval(drawn)
    if ends is None:
        return None, "some resamples have no valid row, so there is no interval"
    return Interval(ends.low, ends.high, ends.level, f"{method}, {len(drawn)} resamples of segments"), None


def means_of(board: Board, counted: NDArray[np.bool_], *, larger: bool, seed: int, resamples: int) -> Means:
    """The means over the rows that are counted, shape (items, systems)."""
    sums = board.by_segment(np.where(counted, board.scores, 0.0))
    sizes = board.by_segment(counted.astype(np.float64))
    top, bottom = sums.sum(axis=0), sizes.sum(axis=0)
    value = np.divide(top, bottom, out=np.full_like(top, np.nan), where=bottom > 0)
    drawn = clustered_means(sums, sizes, seed=seed, resamples=resamples)
    rows = counted.sum(axis=0).astype(np.int64)
    return Means(value, drawn, _ranks(value, larger), _ranks(drawn, larger), rows, len(sums))


def _ranks(means: Matrix, larger: bool) -> Matrix:
    """1 + how many are better, along the last axis; NaN where there is no mean. Equal up to rounding is equal."""
    value = means if larger else -means
    better = value[..., None, :] > value[..., :, None] + 1e-12
    return np.where(np.isnan(value), np.nan, 1.0 + better.sum(axis=-1))
