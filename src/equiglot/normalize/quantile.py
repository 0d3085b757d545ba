"""The arithmetic of COMET-QN: quantile normalisation of scores by cell, on plain arrays.

A score with rank r among the n scores of its cell (tied scores share the average of their ranks) takes the position
p = r / (n + 1), and its value is the quantile of the reference at p. Quantiles are those of the Weibull plotting
positions (Hyndman and Fan's type 6): the r-th smallest of m reference scores stands at r / (m + 1), between neighbours
the quantile is linear, beyond the first and the last it is clamped. Position rule and quantile rule are the same, so
the reference mapped through itself is itself, bit for bit; with NumPy's default (type 7) every native score would move.
The place in the reference is computed as r (m + 1) / (n + 1), which is exactly r where m = n.

Unit: the reference's. Source: paper 1, eq. 3 and table 15, where five scores take the positions 1/6 to 5/6. The paper
names no quantile rule. Peers: ``sklearn.preprocessing.QuantileTransformer`` maps onto a uniform or normal shape, not
onto scores, and estimates it from a subsample of the rows by default.
"""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from equiglot.errors import InputError

__all__ = ["average_ranks", "quantile_normalize", "reference_values"]

_LARGEST = 1e300  # the difference of two such scores is still a number


def quantile_normalize(
    scores: NDArray[np.float64], cells: NDArray[np.integer[Any]], reference: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Every score replaced by the reference's value at its position within its own cell.

    Args:
        scores: shape (rows,), finite and within 1e300.
        cells: shape (rows,), the cell of each row as an integer code; which integers is of no matter.
        reference: shape (m,) with m >= 1, finite, in any order: the pooled scores of the native-script cells, say.

    Returns:
        Shape (rows,), within the range of ``reference``. Inside a cell the order is that of ``scores``.

    Raises:
        InputError: a score that is NaN or infinite (its row is named), no reference, or lengths that differ.

    >>> reference = np.array([60.0, 70.0, 80.0, 90.0, 100.0])
    >>> five = np.array([71.07, 76.41, 78.14, 78.24, 80.33])
    >>> quantile_normalize(five, np.zeros(5, dtype=int), reference).tolist()
    [60.0, 70.0, 80.0, 90.0, 100.0]
    """
    if scores.shape != cells.shape or scores.ndim != 1:
        raise InputError(f"{scores.shape} scores and {cells.shape} cells", fix="give one cell for each score")
    scores = _finite(scores, "score")
    reference = np.sort(_finite(reference, "reference score"))
    if not reference.size:
        raise InputError("there is no reference score", fix="give the scores of at least one native-script cell")
    codes = _compact(cells)
    order = np.argsort(codes, kind="stable")
    sizes = np.bincount(codes)
    bounds = np.r_[0, np.cumsum(sizes[sizes > 0])].tolist()
    grouped = scores[order]
    mapped = np.empty_like(grouped)
    for start, end in pairwise(bounds):
        within = np.argsort(grouped[start:end])
        ranks = average_ranks(grouped[start:end][within])
        mapped[start:end][within] = reference_values(ranks, end - start, reference)
    values = np.empty_like(scores)
    values[order] = mapped
    return values


def average_ranks(ordered: NDArray[np.float64]) -> NDArray[np.float64]:
    """Ranks from 1 of scores in ascending order; tied scores share the average of theirs.

    >>> average_ranks(np.array([1.0, 2.0, 2.0, 5.0])).tolist()
    [1.0, 2.5, 2.5, 4.0]
    """
    firsts = np.flatnonzero(np.r_[True, ordered[1:] != ordered[:-1]]) if ordered.size else np.empty(0, dtype=np.intp)
    if firsts.size == ordered.size:
        return np.arange(1.0, ordered.size + 1)
    counts = np.diff(np.r_[firsts, ordered.size])
    return np.repeat(firsts + (counts + 1) / 2, counts)


def reference_values(ranks: NDArray[np.float64], n: int, reference: NDArray[np.float64]) -> NDArray[np.float64]:
    """The reference's quantiles at the positions ``ranks / (n + 1)``.

    ``reference`` is in ascending order, shape (m,). Clamping to the upper neighbour keeps the map monotone where
    a + f (b - a) would round to above b.

    >>> reference_values(np.array([1.0, 1.5, 2.0]), 2, np.array([0.0, 10.0])).tolist()
    [0.0, 5.0, 10.0]
    """
    last = reference.size - 1
    place = np.clip(ranks * (reference.size + 1) / (n + 1) - 1, 0, last)
    lower = place.astype(np.intp)
    low, high = reference[lower], reference[np.minimum(lower + 1, last)]
    return np.minimum(low + (place - lower) * (high - low), high)


def _finite(scores: NDArray[np.float64], what: str) -> NDArray[np.float64]:
    values = np.asarray(scores, dtype=np.float64)
    usable = np.abs(values) <= _LARGEST
    if not usable.all():
        row = int(np.flatnonzero(~usable)[0])
        raise InputError(f"the {what} is {values[row]}", row=row + 1, fix="make it null and give the reason")
    return values


def _compact(cells: NDArray[np.integer[Any]]) -> NDArray[np.integer[Any]]:
    """Codes from 0, in the narrowest type that holds them: NumPy sorts 16 bits by radix, in linear time."""
    if not cells.size:
        return cells.astype(np.uint8)
    low, span = int(cells.min()), int(cells.max()) - int(cells.min())
    if span > np.iinfo(np.uint16).max:
        names, cells = np.unique(cells, return_inverse=True)
        low, span = 0, names.size - 1
    return (cells - low).astype(np.min_scalar_type(span))
