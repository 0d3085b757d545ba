"""Order-preserving maps of one cell's scores, on plain arrays: a line, and the steps of isotonic regression.

    shift       T(x) = x + (mean_ref - mean_cell)
    affine (z)  T(x) = mean_ref + (x - mean_cell) sd_ref / sd_cell
    isotonic    the non-decreasing T with the least sum of (T(romanised_i) - native_i)^2 over translations i

SD is that of the sample (n - 1). Isotonic regression needs both scores of each translation, not two distributions;
equal scores are pooled first, and between fitted scores the map is linear, beyond them flat. It pulls scores toward the
mean and joins neighbours into ties, so it never reverses an order but does lose some. Source: paper 1, table 4 (the
paper gives the classes of transform and not their formulas). Peers: ``sklearn.isotonic.IsotonicRegression`` gives the
same values.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

__all__ = ["Line", "Steps"]

Vector = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Line:
    """``slope x + intercept``, with a slope of 0 or more.

    >>> Line.affine(np.array([1.0, 3.0]), np.array([10.0, 30.0]))(np.array([1.0, 2.0])).tolist()
    [10.0, 20.0]
    """

    slope: float = 1.0
    intercept: float = 0.0

    @classmethod
    def shift(cls, scores: Vector, reference: Vector) -> Line:
        """The line that gives ``scores`` the mean of ``reference``."""
        return cls(1.0, _mean(reference) - _mean(scores))

    @classmethod
    def affine(cls, scores: Vector, reference: Vector) -> Line:
        """The line that gives ``scores`` the mean and the SD of ``reference``; a shift where one of them has no SD."""
        spread, wanted = _sd(scores), _sd(reference)
        if not (spread > 0 and wanted > 0):
            return cls.shift(scores, reference)
        slope = wanted / spread
        return cls(slope, _mean(reference) - slope * _mean(scores))

    def __call__(self, scores: Vector) -> Vector:
        """The mapped scores, shape (rows,)."""
        return self.slope * scores + self.intercept

    def arrays(self) -> dict[str, Vector]:
        """The numbers that :meth:`of_arrays` makes it from."""
        return {"line": np.array([self.slope, self.intercept])}


@dataclass(frozen=True, slots=True, eq=False)
class Steps:
    """Linear between knots, flat beyond them.

    Attributes:
        scores: ascending, shape (k,) with k >= 1.
        values: what each is mapped to, never descending, shape (k,).

    >>> steps = Steps.isotonic(np.array([1.0, 2.0, 3.0]), np.array([5.0, 9.0, 7.0]))
    >>> steps(np.array([0.0, 1.5, 2.5])).tolist()
    [5.0, 6.5, 8.0]
    """

    scores: Vector
    values: Vector

    @classmethod
    def isotonic(cls, scores: Vector, targets: Vector) -> Steps:
        """Isotonic regression of ``targets`` on ``scores``, one of each per row and at least one row."""
        from scipy.optimize import isotonic_regression

        unique, run, counts = np.unique(scores, return_inverse=True, return_counts=True)
        means = np.bincount(run, weights=targets) / counts
        return cls(unique, np.asarray(isotonic_regression(means, weights=counts).x, dtype=np.float64))

    def __call__(self, scores: Vector) -> Vector:
        """The mapped scores, shape (rows,)."""
        return np.interp(scores, self.scores, self.values)

    def arrays(self) -> dict[str, Vector]:
        """The numbers that it is made from."""
        return {"knots": self.scores, "values": self.values}


def _mean(values: Vector) -> float:
    # Sorted first, so that a map does not depend on the order of the rows.
    return float(np.sort(values).mean())


def _sd(values: Vector) -> float:
    if values.size < 2 or values.min() == values.max():
        return 0.0
    return float(np.sort(values).std(ddof=1))
