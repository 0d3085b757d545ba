"""Weighted kappa: how far two raters agree on the items that both rated, beyond what chance gives (Cohen 1968).

    kappa = 1 - mean distance of the two ratings of an item / mean distance of any rating of one and any of the other

with |x - y| as the distance (linear) or (x - y)^2 (quadratic), between values. scikit-learn's ``cohen_kappa_score``
weighs by places in the list of labels, which is the same where it is given all values of the scale as ``labels``;
left to itself it takes values that nobody gave out, which brings their neighbours together.
"""

from __future__ import annotations

from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from equiglot.people._estimates import Matrix, drawn_counts, estimate
from equiglot.stats import Estimate

__all__ = ["Weights", "weighted_kappa"]

Weights = Literal["linear", "quadratic"]


def weighted_kappa(
    first: ArrayLike, second: ArrayLike, *, weights: Weights = "quadratic", seed: int = 0, resamples: int = 1000
) -> Estimate:
    """Kappa of two raters' ratings of the same items, with its bootstrap interval over items.

    None, with the reason, where there are fewer than two items, or all ratings of both are the same.

    >>> round(weighted_kappa([0, 1, 2, 2], [0, 1, 1, 2]).value, 3)
    0.8
    """
    x, y = np.asarray(first, dtype=np.float64), np.asarray(second, dtype=np.float64)
    if x.shape != y.shape or x.ndim != 1 or not (np.isfinite(x).all() and np.isfinite(y).all()):
        raise ValueError("give two lists of as many numbers, one of each rater per item that both rated")
    n = x.size
    if n < 2:
        what = "no item was" if n == 0 else "1 item was"
        return Estimate(None, None, n, f"{what} rated by both, and kappa needs 2")
    order = np.lexsort((y, x))
    x, y = x[order], y[order]
    values = np.unique(np.concatenate([x, y]))
    if values.size == 1:
        return Estimate(None, None, n, "every rating is the same, so agreement can't be told from chance")
    given = [(own[:, None] == values).astype(np.float64) for own in (x, y)]
    apart = np.abs(x - y) if weights == "linear" else (x - y) ** 2
    value = float(_kappas(np.ones((1, n)), given, apart, values, weights)[0])
    blocks = drawn_counts(n, values.size, seed, resamples)
    drawn = np.concatenate([_kappas(block, given, apart, values, weights) for block in blocks])
    return estimate(value, drawn, n)


def _kappas(drawn: Matrix, given: list[Matrix], apart: Matrix, values: Matrix, weights: Weights) -> Matrix:
    """Kappa for each row of ``drawn``, which says how often each item counts; NaN where only one value is left."""
    n = len(apart)
    one, other = drawn @ given[0], drawn @ given[1]
    if weights == "linear":
        # |x - y| is the number of gaps between values that lie between the two, each times its width.
        below, other_below = np.cumsum(one, axis=1)[:, :-1], np.cumsum(other, axis=1)[:, :-1]
        expected = (below * (n - other_below) + (n - below) * other_below) @ np.diff(values)
    else:
        centred = values - values.mean()
        expected = n * ((one + other) @ centred**2) - 2 * (one @ centred) * (other @ centred)
    several = ((one + other) > 0).sum(axis=1) > 1
    observed = drawn @ apart
    return 1 - n * np.divide(observed, expected, out=np.full_like(observed, np.nan), where=several & (expected > 0))
