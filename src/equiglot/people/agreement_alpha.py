"""Krippendorff's alpha: how far raters agree beyond what their ratings would by chance, any of them missing.

    alpha = 1 - D_o / D_e
    D_o   mean distance of two ratings of one item: per item of m >= 2 ratings, the sum over ordered pairs of its
          ratings / (m - 1), summed over items, / N
    D_e   mean distance of any two of the N ratings of such items: sum over ordered pairs / (N (N - 1))

(Krippendorff 2011, "Computing Krippendorff's Alpha-Reliability".) The distance of two ratings is 1 where they differ
(nominal), their squared difference (interval), or the squared difference of their mean ranks among all N ratings
(ordinal; the same as Krippendorff's sum of frequencies between them). 1 is perfect agreement, 0 what chance gives.

The package krippendorff (GPL) makes the same numbers from a table of coincidences; here sums and sums of squares per
item are enough, so that a thousand resamples of the items are a few products of matrices. In a resample the ranks and
D_e are made anew.
"""

from __future__ import annotations

from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from equiglot.people._estimates import Matrix, drawn_counts, estimate
from equiglot.stats import Estimate

__all__ = ["Level", "krippendorff_alpha"]

Level = Literal["nominal", "ordinal", "interval"]


def krippendorff_alpha(
    ratings: ArrayLike, *, level: Level = "ordinal", seed: int = 0, resamples: int = 1000
) -> Estimate:
    """Alpha with its bootstrap interval over items.

    Args:
        ratings: shape (items, raters), NaN where a rater did not rate an item.
        level: of measurement.
        seed, resamples: of the interval.

    Returns:
        The estimate; its ``n`` counts the items with two or more ratings. None, with the reason, where there are
        fewer than two of them, or all their ratings are the same.

    >>> round(krippendorff_alpha([[1, 1], [2, 2], [3, 3], [3, 2], [2, 2]]).value, 3)
    0.794
    """
    counts, values = _counted(np.asarray(ratings, dtype=np.float64))
    n = len(counts)
    if n < 2:
        what = "no item was" if n == 0 else "1 item was"
        return Estimate(None, None, n, f"{what} rated twice or more, and alpha needs 2 such items")
    if values.size == 1:
        return Estimate(None, None, n, "every rating is the same, so agreement can't be told from chance")
    value = float(_alphas(np.ones((1, n)), counts, values, level)[0])
    blocks = drawn_counts(n, values.size, seed, resamples)
    drawn = np.concatenate([_alphas(block, counts, values, level) for block in blocks])
    return estimate(value, drawn, n)


def _counted(ratings: Matrix) -> tuple[Matrix, Matrix]:
    """How often each item with two or more ratings got each value (items x values), and the values in order.

    Items are sorted, so that an interval does not depend on the order in which they came.
    """
    if ratings.ndim != 2:
        raise ValueError(f"ratings has {ratings.ndim} dimensions; give a row per item and a column per rater")
    given = ~np.isnan(ratings)
    kept = ratings[given.sum(axis=1) >= 2]
    there = ~np.isnan(kept)
    values, codes = np.unique(kept[there], return_inverse=True)
    counts = np.zeros((len(kept), max(values.size, 1)))
    np.add.at(counts, (np.nonzero(there)[0], codes), 1.0)
    return counts[np.lexsort(counts.T)], values


def _alphas(drawn: Matrix, counts: Matrix, values: Matrix, level: Level) -> Matrix:
    """Alpha for each row of ``drawn``, which says how often each item counts; NaN where only one value is left."""
    sizes = counts.sum(axis=1)
    frequencies = drawn @ counts
    n = frequencies.sum(axis=1)
    if level == "nominal":
        within = np.broadcast_to(sizes**2 - (counts**2).sum(axis=1), drawn.shape)
        expected = n**2 - (frequencies**2).sum(axis=1)
    else:
        if level == "ordinal":
            places = np.cumsum(frequencies, axis=1) - frequencies / 2 - n[:, None] / 2
        else:
            places = np.broadcast_to(values - values.mean(), frequencies.shape)
        within = 2 * (sizes * (places**2 @ counts.T) - (places @ counts.T) ** 2)
        expected = 2 * (n * (frequencies * places**2).sum(axis=1) - (frequencies * places).sum(axis=1) ** 2)
    observed = (drawn * within / (sizes - 1)).sum(axis=1)
    several = (frequencies > 0).sum(axis=1) > 1
    ratio = np.divide(observed, expected, out=np.full_like(observed, np.nan), where=several & (expected > 0))
    return 1 - (n - 1) * ratio
