"""Whether new scores follow the distribution that a map was fitted on: Kolmogorov and Smirnov's test by cell.

    D = max over x of |F_fit(x) - F_new(x)|,   p from the distribution of D at the size n m / (n + m)

A map is fitted to be put to other scores, so a difference is no error in itself: better or worse translations drift
too. But so do other texts, another version of the metric and a wrong column, and a score beyond the fitted range takes
the value of its end. So a cell is named where D is at least 0.1 and its p, corrected by Holm over the cells, is below
0.01. Ties make p too large, never too small. Same numbers as ``scipy.stats.ks_2samp(method="asymp")``.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from equiglot.normalize._cells import Cell, named
from equiglot.normalize.distribution import CellDistribution
from equiglot.stats import holm

__all__ = ["Drift", "drifts"]

_ALPHA, _MATTERS = 0.01, 0.1


@dataclass(frozen=True, slots=True)
class Drift:
    """One cell's new scores held against those of the fit.

    Attributes:
        cell: language and script.
        statistic: D, from 0 (the same distribution) to 1 (no overlap).
        p: two-sided, corrected over the cells.
        n_fit: scores of the fit.
        n: new scores.
        outside: share of the new scores beyond the fitted range.
    """

    cell: Cell
    statistic: float
    p: float
    n_fit: int
    n: int
    outside: float

    @property
    def drifted(self) -> bool:
        """Whether the difference is clear and large enough to matter."""
        return self.p < _ALPHA and self.statistic >= _MATTERS

    def __str__(self) -> str:
        return f"{named(self.cell)} (D = {self.statistic:.2f}, n = {self.n:,} against {self.n_fit:,})"


def drifts(fitted: Mapping[Cell, CellDistribution], new: Mapping[Cell, NDArray[np.float64]]) -> list[Drift]:
    """Every cell that has both fitted and new scores, in order."""
    cells = [cell for cell in sorted(new) if cell in fitted and new[cell].size]
    statistics = [fitted[cell].distance(new[cell]) for cell in cells]
    raw: list[float | None] = [_p(d, fitted[c].n, new[c].size) for d, c in zip(statistics, cells, strict=True)]
    adjusted = holm(raw)
    return [
        Drift(
            cell, statistic, 1.0 if p is None else p, fitted[cell].n, new[cell].size, _outside(fitted[cell], new[cell])
        )
        for cell, statistic, p in zip(cells, statistics, adjusted, strict=True)
    ]


def _p(statistic: float, n: int, m: int) -> float:
    if statistic == 0.0:
        return 1.0
    from scipy.stats import kstwo

    size = round(n * m / (n + m))
    return float(np.clip(kstwo.sf(statistic, size), 0.0, 1.0)) if size else 1.0


def _outside(fitted: CellDistribution, new: NDArray[np.float64]) -> float:
    return fitted.outside(new) / new.size
