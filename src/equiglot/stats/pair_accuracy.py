"""How often two tables of rows x columns agree on which of two rows is better.

===================== ================================================================================================
pair_accuracy         the share of pairs of rows whose means differ with the same sign in both (two ties agree too):
                      Kocmi et al. 2021; mt-metrics-eval's ``Agreement``
calibrated_accuracy   acc_eq of Deutsch, Foster and Freitag 2023: within each column, (concordant + tied in both) /
                      pairs, averaged over columns, where x counts as tied if it differs by at most epsilon; epsilon is
                      the one that makes the average largest
soft_pair_accuracy    1 - the mean over pairs of |p_x - p_y| (Thompson et al. 2024), p the one-sided paired permutation
                      p of the hypothesis that the first row of the pair is the better one; y's ties and near-ties so
                      count for less
===================== ================================================================================================

Conventions are those of mt-metrics-eval: candidates for epsilon are 0 and every |x_i - x_j| that occurs, all of them
(no sampling of pairs), and the smallest of equally good ones is taken; p is the share of permutations that reach the
observed difference, without the 1 that is added elsewhere; the signs of the permutations are drawn once, in the same
way, and serve every pair of both tables; columns in which any row lacks a value are left out of the soft accuracy.
Unlike it, sums are taken in double precision, so that permutations which equal the observed difference count as such.

x is better when larger, as y is. A cell counts where both tables have it.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from equiglot.stats.two_way import row_means

__all__ = ["calibrated_accuracy", "pair_accuracy", "pair_agreement", "soft_pair_accuracy", "tie_threshold"]

Array = NDArray[np.float64]


def pair_agreement(x: Array, y: Array) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The pairs of rows that x and y order alike by their means, and all pairs that both have."""
    first, second = _pairs(x.shape[-2])
    signs: list[Array] = []
    for means in row_means(x, y):
        # Means that differ by rounding alone are equal.
        scale = 1e-12 * np.nanmax(np.abs(means), axis=-1, keepdims=True, initial=0.0)
        gaps = means[..., first] - means[..., second]
        signs.append(np.where(np.abs(gaps) <= scale, 0.0, np.sign(gaps)))
    return (signs[0] == signs[1]).sum(axis=-1), (~np.isnan(signs[0] + signs[1])).sum(axis=-1)


def pair_accuracy(x: Array, y: Array) -> Array:
    """The share of pairs of rows that x and y order alike by their means, NaN where there is no pair.

    >>> float(pair_accuracy(np.array([[1.0, 2.0], [3.0, 3.0], [2.0, 2.0]]), np.array([[1.0, 1], [2, 2], [2, 2]])))
    0.6666666666666666
    """
    agree, pairs = pair_agreement(x, y)
    return np.where(pairs > 0, agree / np.where(pairs > 0, pairs, 1), np.nan)


def calibrated_accuracy(x: Array, y: Array) -> Array:
    """acc_eq at its best epsilon, NaN where no column has a pair.

    >>> x, y = np.array([[0.0], [2.0], [6.0], [8.0]]), np.array([[1.0], [1.0], [1.0], [4.0]])
    >>> round(float(calibrated_accuracy(x, y)), 4), float(tie_threshold(x, y))
    (0.6667, 4.0)
    """
    return _calibrated(x, y)[0]


def tie_threshold(x: Array, y: Array) -> Array:
    """The epsilon at which acc_eq is largest, in the unit of x."""
    return _calibrated(x, y)[1]


def _calibrated(x: Array, y: Array) -> tuple[Array, Array]:
    """The largest acc_eq and its epsilon: the gain of calling a pair tied, added up from the nearest pair on."""
    x, y = np.broadcast_arrays(x, y)
    first, second = _pairs(x.shape[-2])
    gap_x, gap_y = (v[..., first, :] - v[..., second, :] for v in (x, y))
    ok = ~(np.isnan(gap_x) | np.isnan(gap_y))
    in_column = ok.sum(axis=-2, keepdims=True)
    columns = (in_column > 0).sum(axis=-1, keepdims=True)
    weight = ok / np.maximum(in_column * columns, 1)
    as_tied = np.where(gap_y == 0, weight, 0.0)
    as_ordered = np.where(np.sign(gap_x) == np.sign(gap_y), weight, 0.0)
    # Pairs that no table has are left out before the sort, which takes most of the time.
    there = ok.any(axis=tuple(range(x.ndim - 2)))
    distance = np.where(ok, np.abs(gap_x), np.inf)[..., there]
    order = np.argsort(distance, axis=-1)
    distance = np.take_along_axis(distance, order, axis=-1)
    gain = np.take_along_axis((as_tied - as_ordered)[..., there], order, axis=-1)
    start = as_ordered.sum(axis=(-1, -2))[..., None]
    reached = np.concatenate([start, start + np.cumsum(gain, axis=-1)], axis=-1)
    candidates = np.concatenate([np.zeros_like(start), distance], axis=-1)
    # A threshold takes in all pairs at its distance, so only the last of equal ones stands; inf is what is missing.
    stands = np.isfinite(candidates)
    stands[..., :-1] &= candidates[..., 1:] != candidates[..., :-1]
    best = np.where(stands, reached, -np.inf).max(axis=-1, keepdims=True)
    # Sums in another order may differ by rounding; the smallest of equally good thresholds is the first one.
    chosen = np.argmax(stands & (reached >= best - 1e-12), axis=-1)[..., None]
    nothing = columns[..., 0, 0] == 0
    value, threshold = (np.take_along_axis(v, chosen, axis=-1)[..., 0] for v in (reached, candidates))
    return np.where(nothing, np.nan, value), np.where(nothing, np.nan, threshold)


def soft_pair_accuracy(x: Array, y: Array, *, seed: int = 0, permutations: int = 1000) -> Array:
    """Soft pairwise accuracy, NaN where there are fewer than two rows or no column is complete.

    Where tables are stacked, a column counts if it is complete in all of them.

    >>> x = np.array([[1.0, 2.0, 3.0, 4.0], [2.0, 4.0, 4.0, 5.0], [5.0, 5.0, 6.0, 8.0]])
    >>> float(soft_pair_accuracy(x, x))
    1.0
    """
    complete = ~np.isnan(x + y).any(axis=tuple(range(max(x.ndim, y.ndim) - 1)))
    if x.shape[-2] < 2 or not complete.any():
        return np.full(np.broadcast_shapes(x.shape, y.shape)[:-2], np.nan)
    signs = _signs(seed, permutations, int(complete.sum()))
    p_x, p_y = (_superiority(v[..., complete], signs) for v in (x, y))
    return 1 - np.abs(p_x - p_y).mean(axis=-1)


@lru_cache(maxsize=1)
def _signs(seed: int, permutations: int, columns: int) -> Array:
    """1 or -1 (columns x permutations); kept, as drawing them takes longer than all that is done with them."""
    drawn = np.random.default_rng(seed).random((permutations, columns), dtype=np.float32)
    signs = np.ascontiguousarray((np.rint(drawn) * 2 - 1).T, dtype=np.float64)
    signs.flags.writeable = False
    return signs


def _superiority(values: Array, signs: Array) -> Array:
    """For each pair of rows, the one-sided p that the first is better (... x pairs)."""
    first, second = _pairs(values.shape[-2])
    # One product of two matrices, rather than many small ones.
    swapped = (values.reshape(-1, values.shape[-1]) @ signs).reshape(*values.shape[:-1], -1)
    observed = values.sum(axis=-1)
    slack = 1e-9 * np.abs(values).sum(axis=(-1, -2))
    p = [
        (swapped[..., i, :] - swapped[..., j, :] >= (observed[..., i] - observed[..., j] - slack)[..., None]).mean(-1)
        for i, j in zip(first, second, strict=True)
    ]
    return np.stack(p, axis=-1)


def _pairs(rows: int) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    first, second = np.triu_indices(rows, 1)
    return first, second
