"""A correlation without each row in turn, which is what BCa's acceleration rests on."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from equiglot.stats._arrays import Vector
from equiglot.stats._ranked import RhoResampler
from equiglot.stats._resampling import BLOCK
from equiglot.stats.correlation import CorrelationKind

__all__ = ["left_out"]


def left_out(x: Vector, y: Vector, kind: CorrelationKind) -> Vector:
    """n correlations of n - 1 rows each, NaN where one is not defined; O(n) for Pearson, O(n^2) for the others."""
    return {"pearson": _pearson, "spearman": _spearman, "kendall": _kendall}[kind](x, y)


def _pearson(x: Vector, y: Vector) -> Vector:
    """Sums of squares and products without a row: S - n / (n - 1) dx dy."""
    x, y = x / np.abs(x).max(), y / np.abs(y).max()
    dx, dy = x - x.mean(), y - y.mean()
    share = x.size / (x.size - 1)
    xx, yy, xy = (float(a @ b) - share * a * b for a, b in ((dx, dx), (dy, dy), (dx, dy)))
    flat = (xx <= 1e-12 * float(dx @ dx)) | (yy <= 1e-12 * float(dy @ dy))
    return np.where(flat, np.nan, np.clip(xy / np.sqrt(np.where(flat, 1.0, xx * yy)), -1.0, 1.0))


def _spearman(x: Vector, y: Vector) -> Vector:
    resampler = RhoResampler(x, [y])
    return np.concatenate([resampler.rhos(kept)[:, 0] for kept in _all_but_one(x.size)])


def _all_but_one(n: int) -> Iterator[NDArray[np.int64]]:
    step = max(1, BLOCK // n)
    for done in range(0, n, step):
        yield 1 - np.eye(min(step, n - done), n, done, dtype=np.int64)


def _kendall(x: Vector, y: Vector) -> Vector:
    """Each row's concordant less discordant pairs, and its ties, taken from the totals."""
    n, step = x.size, max(1, BLOCK // x.size)
    own = np.empty((3, n))
    for start in range(0, n, step):
        signs = [np.sign(v[start : start + step, None] - v) for v in (x, y)]
        own[0, start : start + step] = np.einsum("bn,bn->b", *signs)
        own[1:, start : start + step] = [np.abs(sign).sum(axis=1) for sign in signs]
    score, untied_x, untied_y = own.sum(axis=1)[:, None] / 2 - own
    size = np.sqrt(untied_x * untied_y)
    taus = np.full(n, np.nan)
    np.divide(score, size, out=taus, where=size > 0)
    return np.clip(taus, -1.0, 1.0)
