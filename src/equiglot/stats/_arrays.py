"""Observations at the door: plain vectors of finite numbers, or a ValueError that says what is wrong."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

Vector = NDArray[np.float64]


def vector(values: ArrayLike, name: str) -> Vector:
    """``values`` as a one-dimensional float array without NaN or infinities."""
    array = np.asarray(values, dtype=np.float64)
    if array.ndim != 1:
        raise ValueError(f"{name} has {array.ndim} dimensions; give one value per observation")
    bad = np.flatnonzero(~np.isfinite(array))
    if bad.size:
        problem = f"{name} holds {bad.size} values that are NaN or infinite, the first at index {bad[0]}"
        raise ValueError(f"{problem}; leave missing values out first, and count them")
    return array


def paired(**named: ArrayLike) -> list[Vector]:
    """Vectors of one length, in the order given."""
    vectors = [vector(values, name) for name, values in named.items()]
    if len({v.size for v in vectors}) > 1:
        lengths = ", ".join(f"{name} {v.size}" for name, v in zip(named, vectors, strict=True))
        raise ValueError(f"the lengths differ ({lengths}); give one value of each per observation")
    return vectors


def canonical(*vectors: Vector) -> list[Vector]:
    """The observations sorted by the first vector, ties by the next, and so on.

    Resampling draws positions, so without this the interval would depend on the order in which the rows came.
    """
    order = np.lexsort(vectors[::-1])
    return [v[order] for v in vectors]


def to_unit_size(*vectors: Vector) -> list[Vector]:
    """The vectors times the power of two that brings their largest value near 1, which changes no digit.

    The squares of very small or very large numbers would leave the range of a float.
    """
    largest = max((float(np.abs(v).max()) for v in vectors if v.size), default=0.0)
    return [np.ldexp(v, -int(np.frexp(largest)[1])) for v in vectors]


def constant(values: Vector) -> bool:
    """Whether there is nothing to correlate with."""
    return values.size == 0 or bool(values.min() == values.max())


def no_correlation(*vectors: Vector) -> str | None:
    """Why these observations have no correlation, or None where they have one."""
    if (n := vectors[0].size) < 3:
        return f"{n} {'row' if n == 1 else 'rows'}; a correlation needs at least 3"
    if any(constant(v) for v in vectors):
        return "every value is the same on one side, so there is no order to correlate"
    return None
