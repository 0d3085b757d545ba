"""The distribution of one cell's scores, and the rank that a score takes in it.

The empirical distribution function is kept as the unique scores and the average rank of each, so that a score seen in
fitting gets back the rank it had, exactly. Between two of them the rank is linear in the score; outside it is that of
the end.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from equiglot.normalize.quantile import average_ranks

__all__ = ["CellDistribution"]


@dataclass(frozen=True, slots=True, eq=False)
class CellDistribution:
    """The distribution of one cell's scores when it was fitted.

    Attributes:
        scores: unique, ascending, shape (k,) with k >= 1.
        ranks: the average rank of each among the ``n`` scores, shape (k,).
        n: how many scores, ties included.

    >>> ta = CellDistribution.of(np.array([80.0, 60.0, 80.0]))
    >>> ta.rank(np.array([60.0, 70.0, 80.0, 99.0])).tolist(), ta.outside(np.array([99.0]))
    ([1.0, 1.75, 2.5, 2.5], 1)
    """

    scores: NDArray[np.float64]
    ranks: NDArray[np.float64]
    n: int

    @classmethod
    def of(cls, scores: NDArray[np.float64]) -> CellDistribution:
        """The distribution of scores given in any order, one or more."""
        ordered = np.sort(scores)
        unique, first = np.unique(ordered, return_index=True)
        return cls(unique, average_ranks(ordered)[first], ordered.size)

    def rank(self, scores: NDArray[np.float64]) -> NDArray[np.float64]:
        """The ranks of scores, shape (rows,): as fitted, interpolated between fitted scores, clamped outside them."""
        last = self.scores.size - 1
        inside = np.clip(scores, self.scores[0], self.scores[-1])
        below = np.searchsorted(self.scores, inside, side="right") - 1
        above = np.minimum(below + 1, last)
        width = self.scores[above] - self.scores[below]
        share = np.divide(inside - self.scores[below], width, out=np.zeros_like(inside), where=width > 0)
        return np.minimum(self.ranks[below] + share * (self.ranks[above] - self.ranks[below]), self.ranks[above])

    def outside(self, scores: NDArray[np.float64]) -> int:
        """How many scores lie outside the range that was fitted."""
        return int(np.count_nonzero((scores < self.scores[0]) | (scores > self.scores[-1])))

    def distance(self, scores: NDArray[np.float64]) -> float:
        """Kolmogorov and Smirnov's D: how far apart the two distribution functions come, from 0 to 1.

        >>> CellDistribution.of(np.array([1.0, 2.0])).distance(np.array([2.0, 2.0, 3.0]))
        0.5
        """
        # A run of equal scores from u + 1 to v has the average rank (u + v + 1) / 2, so v = 2 rank - u - 1.
        signs = np.where(np.arange(self.ranks.size) % 2, -1.0, 1.0)
        upto = signs * np.cumsum(signs * (2 * self.ranks - 1)) / self.n
        new = np.sort(scores)
        at = np.concatenate([self.scores, new])
        ours = np.r_[0.0, upto][np.searchsorted(self.scores, at, side="right")]
        theirs = np.searchsorted(new, at, side="right") / new.size
        return float(np.abs(ours - theirs).max())
