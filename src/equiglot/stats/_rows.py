"""Pearson, Spearman and Kendall tau-b of many pairs of vectors at once: along the last axis, pairs of NaN left out.

A pair of vectors of which fewer than two values are left, or one side constant, has NaN; two values give 1 or -1,
which is how WMT averages over small groups. Kendall's discordant pairs are the inversions of y when rows are sorted by
x and then y, counted by merging halves, level by level, over all vectors at once (Knight 1966): O(n log^2 n).
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

__all__ = ["ROW_CORRELATIONS", "kendall_rows", "pearson_rows", "spearman_rows"]

Array = NDArray[np.float64]


def pearson_rows(x: Array, y: Array) -> Array:
    """Pearson's r along the last axis."""
    x, y, ok = _both(x, y)
    dx, dy = _deviations(x, ok), _deviations(y, ok)
    size = np.sqrt(np.vecdot(dx, dx) * np.vecdot(dy, dy))
    r = np.full(size.shape, np.nan)
    np.divide(np.vecdot(dx, dy), size, out=r, where=~_constant(x, ok) & ~_constant(y, ok) & (size > 0))
    return np.clip(r, -1.0, 1.0)


def spearman_rows(x: Array, y: Array) -> Array:
    """Spearman's rho along the last axis, ties by average rank."""
    x, y, ok = _both(x, y)
    return pearson_rows(_average_ranks(x, ok), _average_ranks(y, ok))


def kendall_rows(x: Array, y: Array) -> Array:
    """Kendall's tau-b along the last axis."""
    x, y, ok = _both(x, y)
    n = ok.sum(axis=-1)
    places_x, tied_x = _places(x, ok)
    places_y, tied_y = _places(y, ok)
    # What is missing gets the last place on both sides, where it makes no inversion.
    keys = np.sort(places_x * (x.shape[-1] + 1) + places_y, axis=-1)
    tied_both = _tied_pairs(keys, n)
    discordant = _inversions(keys % (x.shape[-1] + 1))
    pairs = n * (n - 1) // 2
    size = np.sqrt((pairs - tied_x).astype(np.float64) * (pairs - tied_y))
    tau = np.full(n.shape, np.nan)
    np.divide(pairs - tied_x - tied_y + tied_both - 2 * discordant, size, out=tau, where=size > 0)
    return np.clip(tau, -1.0, 1.0)


ROW_CORRELATIONS: dict[str, Callable[[Array, Array], Array]] = {
    "pearson": pearson_rows,
    "spearman": spearman_rows,
    "kendall": kendall_rows,
}
"""By the name of the correlation."""


def _both(x: Array, y: Array) -> tuple[Array, Array, NDArray[np.bool_]]:
    x, y = np.broadcast_arrays(x, y)
    return x, y, ~(np.isnan(x) | np.isnan(y))


def _deviations(x: Array, ok: NDArray[np.bool_]) -> Array:
    n = np.maximum(ok.sum(axis=-1, keepdims=True), 1)
    kept = np.where(ok, x, 0.0)
    # Scaled to unit size first: the squares of very large or very small numbers leave the range of a float.
    largest = np.abs(kept).max(axis=-1, keepdims=True, initial=0.0)
    kept = kept / np.where(largest > 0, largest, 1.0)
    return np.where(ok, kept - kept.sum(axis=-1, keepdims=True) / n, 0.0)


def _constant(x: Array, ok: NDArray[np.bool_]) -> NDArray[np.bool_]:
    least = np.where(ok, x, np.inf).min(axis=-1, initial=np.inf)
    return least >= np.where(ok, x, -np.inf).max(axis=-1, initial=-np.inf)


def _runs(x: Array, ok: NDArray[np.bool_]) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """The order along the last axis, what is missing last; and, in it, where each value's run of equals starts."""
    kept = np.where(ok, x, np.inf)
    order = np.argsort(kept, axis=-1)
    return order, _starts(np.take_along_axis(kept, order, axis=-1))


def _starts(ordered: NDArray[np.generic]) -> NDArray[np.intp]:
    places = np.broadcast_to(np.arange(ordered.shape[-1]), ordered.shape).copy()
    places[..., 1:][ordered[..., 1:] == ordered[..., :-1]] = 0
    return np.maximum.accumulate(places, axis=-1)


def _average_ranks(x: Array, ok: NDArray[np.bool_]) -> Array:
    """Average ranks from 1 of what is there, NaN elsewhere."""
    order, starts = _runs(x, ok)
    # A run ends where, read backwards, the next one to start would be the one before.
    n = x.shape[-1]
    last = np.empty_like(starts)
    last[..., -1:] = n - 1
    new = starts[..., 1:] != starts[..., :-1]
    last[..., :-1] = np.where(new, np.arange(n - 1), n - 1)
    last = np.minimum.accumulate(last[..., ::-1], axis=-1)[..., ::-1]
    ranks = np.empty(x.shape)
    np.put_along_axis(ranks, order, (starts + last) / 2 + 1, axis=-1)
    return np.where(ok, ranks, np.nan)


def _places(x: Array, ok: NDArray[np.bool_]) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Each value's place in order (equal values share the first one) and the number of tied pairs."""
    order, starts = _runs(x, ok)
    places = np.empty_like(starts)
    np.put_along_axis(places, order, starts, axis=-1)
    n = ok.sum(axis=-1)
    there = np.arange(x.shape[-1]) < n[..., None]
    return np.where(ok, places, x.shape[-1]), ((np.arange(x.shape[-1]) - starts) * there).sum(axis=-1)


def _tied_pairs(ordered: NDArray[np.intp], n: NDArray[np.intp]) -> NDArray[np.intp]:
    """Pairs of equal values among the first n of each sorted vector: t (t - 1) / 2 for each run of t."""
    places = np.arange(ordered.shape[-1])
    return ((places - _starts(ordered)) * (places < n[..., None])).sum(axis=-1)


def _inversions(y: NDArray[np.intp]) -> NDArray[np.intp]:
    """Pairs that stand in falling order, along the last axis."""
    n = y.shape[-1]
    width = 1 << max(0, n - 1).bit_length()
    merged = np.full((*y.shape[:-1], width), np.iinfo(np.int32).max // 2, dtype=np.int32)
    merged[..., :n] = y
    found = np.zeros(y.shape[:-1], dtype=np.int64)
    half = 1
    while half < width:
        blocks = merged.reshape(*y.shape[:-1], width // (2 * half), 2, half) * 2
        blocks[..., 1, :] += 1  # of equal values those from the left stand first, and are no inversion
        blocks = np.sort(blocks.reshape(*blocks.shape[:-2], 2 * half), axis=-1)
        # With its k right ones at places p_k, a merged block has sum (half + k - p_k) inversions, k = 0 ... half - 1.
        right = np.einsum("...p,p->...", blocks & 1, np.arange(2 * half))
        found += (half * half + half * (half - 1) // 2 - right).sum(axis=-1)
        merged = blocks >> 1
        half *= 2
    return found
