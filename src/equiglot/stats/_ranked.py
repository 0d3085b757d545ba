"""Spearman's rho in many resamples at once, exactly and without sorting any of them.

A resample is a vector of counts c, one per row, that add up to n. The average rank of the k-th smallest distinct value
in it is (t_1 + ... + t_k) - (t_k - 1) / 2, with t the counts summed over equal values, so each series is sorted once
and a resample costs O(n). Ranks are kept as whole numbers: 2 R - 1 is the sum of t up to and before k. Their mean is n
and their sum of squares about it is (n^3 - sum t^3) / 3, whatever the ties.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields

import numpy as np
from numpy.typing import NDArray

from equiglot.stats._arrays import Vector

__all__ = ["RhoResampler"]

_Whole = NDArray[np.int64]


class RhoResampler:
    """Spearman's rho of each other series with the shared one. Holds its buffers: fresh memory would cost more than
    the arithmetic.
    """

    def __init__(self, shared: Vector, others: Sequence[Vector]) -> None:
        self._shared, self._others = _Ranked.of(shared), [_Ranked.of(other) for other in others]
        self._buffers = _Buffers.of((0, shared.size))

    def rhos(self, counts: _Whole) -> NDArray[np.float64]:
        """The rhos (resamples x others) under counts (resamples x rows); NaN where a side is constant."""
        if self._buffers.weighted.shape[0] < counts.shape[0]:
            self._buffers = _Buffers.of(counts.shape)
        room = self._buffers.first(counts.shape[0])
        n = counts.sum(axis=1).astype(np.float64)
        single = _cubes(counts, room)
        ranks, cubes = self._shared.ranks(counts, single, room)
        np.multiply(ranks, counts, out=room.taken)
        np.copyto(room.weighted, room.taken)
        rhos = np.full((counts.shape[0], len(self._others)), np.nan)
        for i, other in enumerate(self._others):
            ranks, own = other.ranks(counts, single, room)
            np.copyto(room.floats, ranks)
            together = np.vecdot(room.weighted, room.floats) - n**3
            size = np.sqrt((n**3 - cubes) * (n**3 - own)) / 3
            np.divide(together, size, out=rhos[:, i], where=size > 0)
        return np.clip(rhos, -1.0, 1.0)


@dataclass(frozen=True, slots=True)
class _Buffers:
    """Room for one block; ``sums`` has a column more, which stays 0."""

    taken: _Whole
    sums: _Whole
    ranks: _Whole
    floats: NDArray[np.float64]
    squares: NDArray[np.float64]
    weighted: NDArray[np.float64]

    @classmethod
    def of(cls, shape: tuple[int, ...]) -> _Buffers:
        block, n = shape
        taken, sums, ranks = (np.zeros((block, columns), dtype=np.int64) for columns in (n, n + 1, n))
        floats, squares, weighted = (np.empty((block, n)) for _ in range(3))
        return cls(taken, sums, ranks, floats, squares, weighted)

    def first(self, block: int) -> _Buffers:
        return _Buffers(*(getattr(self, field.name)[:block] for field in fields(self)))


@dataclass(frozen=True, slots=True)
class _Ranked:
    """A series sorted once: the order (None where it is sorted already), where each run of equal values starts (None
    where all differ), and each row's run.
    """

    order: NDArray[np.intp] | None
    starts: NDArray[np.intp] | None
    run: NDArray[np.intp]

    @classmethod
    def of(cls, values: Vector) -> _Ranked:
        order = np.argsort(values, kind="stable")
        ordered = values[order]
        new = np.r_[True, ordered[1:] != ordered[:-1]] if values.size else np.zeros(0, dtype=bool)
        run = np.empty(values.size, dtype=np.intp)
        run[order] = np.cumsum(new) - 1
        is_sorted = bool((order == np.arange(values.size)).all())
        return cls(None if is_sorted else order, None if new.all() else np.flatnonzero(new), run)

    def ranks(self, counts: _Whole, single: Vector, room: _Buffers) -> tuple[_Whole, Vector]:
        """2 R - 1 of every row in every resample (resamples x rows), and the sum of the cubes of its runs' counts.

        ``single`` is the sum of the counts' cubes, which serves every series without ties.
        """
        # Positions are within range, so there is nothing to clip; but this mode is several times faster.
        runs = counts if self.order is None else np.take(counts, self.order, axis=1, out=room.taken, mode="clip")
        if self.starts is not None:
            runs = np.add.reduceat(runs, self.starts, axis=1)
        k = runs.shape[1]
        cubes = single if self.starts is None else _cubes(runs, room)
        np.cumsum(runs, axis=1, out=room.sums[:, 1 : k + 1])
        ranks = np.add(room.sums[:, :k], room.sums[:, 1 : k + 1], out=room.ranks[:, :k])
        if self.order is not None or self.starts is not None:
            ranks = np.take(ranks, self.run, axis=1, out=room.taken, mode="clip")
        return ranks, cubes


def _cubes(runs: _Whole, room: _Buffers) -> Vector:
    """sum t^3 of each resample."""
    floats, squares = room.floats[:, : runs.shape[1]], room.squares[:, : runs.shape[1]]
    np.copyto(floats, runs)
    np.multiply(floats, floats, out=squares)
    return np.vecdot(squares, floats)
