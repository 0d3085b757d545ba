"""Clusters of things in order of which nobody can be told from all the others of its own.

In falling order, a thing opens a new cluster where any of the cluster before is better by a test at ``alpha``; so no
member of a cluster is beaten by one that stands before it there (WMT; mt-metrics-eval's ``AssignRanks``).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

__all__ = ["assign_clusters"]


def assign_clusters(p: ArrayLike, alpha: float) -> list[int]:
    """Clusters from a square of p, of which those right of the diagonal count: that line beats column.

    >>> assign_clusters([[1, 0.4, 0.01], [1, 1, 0.2], [1, 1, 1]], 0.05)
    [1, 1, 2]
    """
    table = np.asarray(p)
    clusters: list[int] = []
    start = 0
    for j in range(len(table)):
        if (table[start:j, j] <= alpha).any():
            start = j
            clusters.append(clusters[-1] + 1)
        else:
            clusters.append(clusters[-1] if clusters else 1)
    return clusters
