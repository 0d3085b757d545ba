"""Pearson's r, Spearman's rho (Pearson's r of average ranks, so ties are exact) and Kendall's tau-b.

tau-b = (concordant - discordant) / sqrt((pairs - tied in x) (pairs - tied in y)) over the n (n - 1) / 2 pairs of rows
(Kendall 1945). All are None, not 0 and not NaN, where they are not defined: fewer than three observations, or one side
constant. SciPy gives NaN with a warning there.
"""

from __future__ import annotations

from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from equiglot.stats._arrays import Vector, no_correlation, paired, vector
from equiglot.stats._rows import kendall_rows

__all__ = ["CorrelationKind", "average_ranks", "correlation", "kendall", "pearson", "spearman"]

CorrelationKind = Literal["pearson", "spearman", "kendall"]


def average_ranks(values: ArrayLike) -> Vector:
    """Ranks from 1; equal values share the mean of their ranks.

    >>> average_ranks([10, 30, 20, 20]).tolist()
    [1.0, 4.0, 2.5, 2.5]
    """
    array = vector(values, "values")
    _, inverse, counts = np.unique(array, return_inverse=True, return_counts=True)
    return (np.cumsum(counts) - (counts - 1) / 2)[inverse]


def pearson(x: ArrayLike, y: ArrayLike) -> float | None:
    """Pearson's r in [-1, 1], or None where it is not defined.

    >>> pearson([1, 2, 3], [2, 4, 6])
    1.0
    >>> pearson([1, 2, 3], [5, 5, 5]) is None
    True
    """
    first, second = paired(x=x, y=y)
    return None if no_correlation(first, second) else correlate(first, second)


def spearman(x: ArrayLike, y: ArrayLike) -> float | None:
    """Spearman's rho in [-1, 1], or None where it is not defined.

    >>> spearman([1, 2, 3, 4], [1, 4, 9, 16])
    1.0
    """
    first, second = paired(x=x, y=y)
    return None if no_correlation(first, second) else rank_correlation(first, second)


def kendall(x: ArrayLike, y: ArrayLike) -> float | None:
    """Kendall's tau-b in [-1, 1], or None where it is not defined.

    >>> round(kendall([1, 2, 3, 4], [1, 3, 2, 4]), 4)
    0.6667
    """
    first, second = paired(x=x, y=y)
    return None if no_correlation(first, second) else float(kendall_rows(first, second))


def correlation(x: ArrayLike, y: ArrayLike, kind: CorrelationKind) -> float | None:
    """The correlation of that name."""
    return {"pearson": pearson, "spearman": spearman, "kendall": kendall}[kind](x, y)


def rank_correlation(x: Vector, y: Vector) -> float:
    """Spearman's rho of two vectors that are not constant. Ranks are halves of whole numbers, so the sums are exact."""
    middle = (x.size + 1) / 2
    rx, ry = average_ranks(x) - middle, average_ranks(y) - middle
    return float(np.clip((rx @ ry) / np.sqrt((rx @ rx) * (ry @ ry)), -1.0, 1.0))


def correlate(x: Vector, y: Vector) -> float | None:
    """Pearson's r of two vectors that are not constant; None if their spread is lost to rounding."""
    # Scaled to unit size first: the squares of very large or very small numbers leave the range of a float.
    dx, dy = x / np.abs(x).max(), y / np.abs(y).max()
    dx, dy = dx - dx.mean(), dy - dy.mean()
    size = float(np.sqrt(dx @ dx)) * float(np.sqrt(dy @ dy))
    return float(np.clip((dx @ dy) / size, -1.0, 1.0)) if size > 0 else None
